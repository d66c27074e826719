//! People in the match: what their hands do, what they say they are doing, and the recording of their play.

use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;
use std::sync::Arc;

use repertoire_eval::record;
use repertoire_eval::timeline::{Order, Timeline};
use repertoire_mind::tasks::Elementary;
use repertoire_mind::{Command, Fire, Weapon, turn_between};
use repertoire_trace::{Recorder, Tick};
use repertoire_worlds::arena::game::Match;

use super::ask::Input;
use super::cast::Setting;
use super::school::School;

/// A person.
#[derive(Clone, Debug)]
struct Person {
    key: Arc<str>,
    id: usize,
    input: Input,
    /// A jump or a change of weapon lasts until it was obeyed once, however short the key was pressed.
    jump: bool,
    weapon: Option<u8>,
    fire: u8,
    label: Option<Elementary>,
}

/// Everybody who is a person.
pub struct People {
    folder: PathBuf,
    map: String,
    seed: u64,
    persons: Vec<Person>,
    recording: Option<Recording>,
    files: u32,
    /// The file of the last recording, and what went wrong with it.
    pub told: Option<String>,
}

struct Recording {
    recorder: Recorder<BufWriter<File>>,
    path: PathBuf,
    characters: usize,
}

impl People {
    /// Nobody yet.
    pub fn new(setting: &Setting, folder: PathBuf) -> Self {
        People {
            folder,
            map: setting.map.clone(),
            seed: setting.seed,
            persons: Vec::new(),
            recording: None,
            files: 0,
            told: None,
        }
    }

    /// A person plays a character.
    pub fn sit(&mut self, key: &Arc<str>, id: usize, yaw: f64) {
        let input = Input { yaw, ..Input::default() };
        self.persons.push(Person {
            key: key.clone(),
            id,
            input,
            jump: false,
            weapon: None,
            fire: 0,
            label: None,
        });
    }

    /// The character that a person plays.
    pub fn seat(&self, key: &str) -> Option<usize> {
        self.persons.iter().find(|person| *person.key == *key).map(|person| person.id)
    }

    /// Whether a person plays a character.
    pub fn has(&self, id: usize) -> bool {
        self.persons.iter().any(|person| person.id == id)
    }

    /// A person leaves; the character they played.
    pub fn leave(&mut self, key: &str) -> Option<usize> {
        let at = self.persons.iter().position(|person| *person.key == *key)?;
        self.finish_recording();
        Some(self.persons.remove(at).id)
    }

    /// What a person's hands do from now on.
    pub fn input(&mut self, key: &str, input: Input) {
        if let Some(person) = self.persons.iter_mut().find(|person| *person.key == *key) {
            person.jump |= input.jump;
            person.fire = person.fire.max(input.fire);
            person.weapon = input.weapon.or(person.weapon);
            person.input = input;
        }
    }

    /// What a person says they are doing: a key from 1 to 6.
    pub fn say(&mut self, key: &str, task: Option<u8>) {
        let label = task.and_then(|key| Elementary::ALL.get(usize::from(key).checked_sub(1)?).copied());
        if let Some(person) = self.persons.iter_mut().find(|person| *person.key == *key) {
            person.label = label;
        }
    }

    /// What a person says their character is doing.
    pub fn label(&self, id: usize) -> Option<&'static str> {
        self.persons.iter().find(|person| person.id == id)?.label.map(Elementary::name)
    }

    /// Numbers of people's characters, and of the last message of each.
    pub fn obeyed(&self) -> Vec<(usize, u32)> {
        self.persons.iter().map(|person| (person.id, person.input.seq)).collect()
    }

    /// The commands for this tick.
    pub fn orders(&mut self, game: &Match) -> Vec<Order> {
        self.persons
            .iter_mut()
            .map(|person| {
                let look = game.world().look(person.id);
                let Input { yaw, pitch, forward, lateral, .. } = person.input;
                let fire = Fire::ALL.get(usize::from(person.fire)).copied().unwrap_or_default();
                let command = Command {
                    yaw: turn_between(look.yaw, yaw),
                    pitch: pitch - look.pitch,
                    forward,
                    lateral,
                    jump: person.jump,
                    fire,
                    weapon: person
                        .weapon
                        .take()
                        .and_then(|weapon| Weapon::ALL.get(usize::from(weapon)).copied()),
                };
                (person.jump, person.fire) = (person.input.jump, person.input.fire);
                (person.id, command.sane())
            })
            .collect()
    }

    /// A tick is over: it is recorded while a person plays, and shown to whoever learns.
    pub fn record(&mut self, timeline: &Timeline, mut tick: Tick, school: &mut Option<School>) {
        if self.persons.is_empty() {
            return;
        }
        for person in &self.persons {
            if let Some(row) = tick.rows.get_mut(person.id).filter(|row| row.alive) {
                row.task = Some(person.label.map_or("", Elementary::name).to_owned());
            }
        }
        if let Some(school) = school {
            school.see(&tick);
        }
        let game = timeline.game();
        if self.recording.as_ref().is_none_or(|recording| recording.characters != game.world().len()) {
            self.finish_recording();
            self.recording = self.begin_recording(game);
        }
        if let Some(recording) = &mut self.recording
            && let Err(error) = recording.recorder.push(tick)
        {
            self.told = Some(format!("{} could not be written: {error}", recording.path.display()));
            self.recording = None;
        }
    }

    fn begin_recording(&mut self, game: &Match) -> Option<Recording> {
        let header = record::header(game, &self.map, self.seed).ok()?;
        // Never over an older one.
        let (path, file) = (self.files + 1..10_000).find_map(|number| {
            self.files = number;
            let path = self.folder.join(format!("play-{}-{number}.parquet", stem(&self.map)));
            File::create_new(&path).ok().map(|file| (path, file))
        })?;
        let recorder = Recorder::new(BufWriter::new(file), header).ok()?;
        self.told = Some(format!("recording to {}", name_of(&path)));
        Some(Recording { recorder, path, characters: game.world().len() })
    }

    /// Ends the recording, so that it can be read.
    pub fn finish_recording(&mut self) {
        if let Some(Recording { recorder, path, .. }) = self.recording.take() {
            self.told = Some(match recorder.finish() {
                Ok(_) => format!("recorded to {}", name_of(&path)),
                Err(error) => format!("{} could not be written: {error}", path.display()),
            });
        }
    }
}

impl Drop for People {
    fn drop(&mut self) {
        self.finish_recording();
    }
}

/// A file's name without its folder, which everybody who watches need not know.
fn name_of(path: &std::path::Path) -> std::borrow::Cow<'_, str> {
    path.file_name().unwrap_or_default().to_string_lossy()
}

/// A map's name as a part of a file's.
fn stem(map: &str) -> String {
    map.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}
