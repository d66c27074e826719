//! Obeying what browsers ask for.

use std::sync::Arc;

use repertoire_eval::timeline::{Change as Made, Person};
use repertoire_eval::what_if::Alteration;
use repertoire_mind::DVec2;
use serde_json::{Value, json};

use super::ask::{Ask, Change, LONGEST_TEXT, PupilKind};
use super::cast::{Part, Setting};
use super::jury::Jury;
use super::questions::{MOST_CONTINUATIONS, MOST_TICKS, Question};
use super::school::School;
use super::{Envelope, People, SPEEDS, Stage, Strip, clock, frame};

/// The most people in one match.
const MOST_PEOPLE: usize = 8;
/// A pupil in the match takes up what was learned since, this often.
const TOLD_EVERY: u64 = 100;
/// The longest name of a person, in characters.
const LONGEST_NAME: usize = 24;

impl Stage {
    /// Does what was asked.
    pub(super) fn obey(&mut self, envelope: &Envelope) {
        let answer =
            |ask: u32, is: Value| envelope.answer(&json!({ "type": "answer", "ask": ask, "is": is }));
        let tells = matches!(
            envelope.ask,
            Ask::WhyNot { .. }
                | Ask::WhatIf { .. }
                | Ask::HowOften { .. }
                | Ask::History { .. }
                | Ask::Break { .. }
        );
        if self.is_secret() && tells {
            return envelope
                .answer(&json!({ "type": "refused", "what": "minds are hidden while you judge" }));
        }
        match &envelope.ask {
            Ask::Hello => envelope.answer(&self.hello(&envelope.key)),
            Ask::Follow { .. } => self.show(),
            Ask::Pause => self.pause(true),
            Ask::Resume => self.pause(false),
            Ask::Speed { times } => {
                if times.is_finite() {
                    self.speed = times.clamp(*SPEEDS.start(), *SPEEDS.end());
                }
                self.show();
            }
            Ask::Seek { tick } => self.seek(*tick),
            Ask::Step { by } => self.step(*by),
            Ask::GoOn => self.go_on(),
            Ask::New { map, contenders, seed, join } => {
                self.begin(envelope, map, contenders, *seed, join.as_deref())
            }
            Ask::Join { name } => self.join(envelope, name),
            Ask::Leave => self.leave(&envelope.key),
            Ask::Input(input) => self.people.input(&envelope.key, *input),
            Ask::Label { task } => self.people.say(&envelope.key, *task),
            Ask::Teach => self.teach(envelope),
            Ask::Pupil { kind } => self.pupil(envelope, *kind),
            Ask::Break { stops } => self.stops = stops.iter().take(20).cloned().collect(),
            Ask::WhyNot { ask, tick, who, task } => {
                let (who, task) = (usize::from(*who), task.clone());
                self.question(envelope, *ask, *tick, Question::WhyNot { who, task });
            }
            Ask::WhatIf { ask, tick, who, change, ticks } => {
                self.what_if(envelope, *ask, *tick, usize::from(*who), change, *ticks)
            }
            Ask::HowOften { ask, tick, ticks, continuations } => {
                let (ticks, continuations) =
                    ((*ticks).min(MOST_TICKS), (*continuations).min(MOST_CONTINUATIONS));
                self.question(envelope, *ask, *tick, Question::HowOften { ticks, continuations });
            }
            Ask::Cancel => self.questions.cancel(),
            Ask::History { ask } => answer(*ask, self.strip.whole()),
            Ask::Text { ask, who, part } => answer(*ask, self.text(usize::from(*who), part.as_deref())),
            Ask::Check { ask, who, text, part } => {
                let good = text.len() <= LONGEST_TEXT;
                answer(
                    *ask,
                    if good {
                        self.check(usize::from(*who), part.as_deref(), text)
                    } else {
                        json!({ "good": false })
                    },
                );
            }
            Ask::Apply { ask, who, text, part } => {
                let is = self.apply(usize::from(*who), part.as_deref(), text);
                self.show();
                answer(*ask, is);
            }
            Ask::Save { ask, who, file, part } => {
                let is = self.save(usize::from(*who), part.as_deref(), file);
                answer(*ask, is);
            }
            Ask::Revise { ask, revision } => {
                let (ask, reply) = (*ask, envelope.reply.clone());
                let tell = move |is: Value| {
                    let _ =
                        reply.try_send(json!({ "type": "answer", "ask": ask, "is": is }).to_string().into());
                };
                let asked = self
                    .school
                    .as_ref()
                    .is_some_and(|school| school.revise(revision.clone(), Box::new(tell)));
                if !asked {
                    answer(ask, json!({ "error": "nobody is being taught" }));
                }
            }
            Ask::Judge { judge, opponents, round, secs, seed } => {
                self.judge(envelope, &person_name(judge), opponents, *round, *secs, *seed);
            }
            Ask::Verdict { ask, said } => {
                let is = self.verdict(said);
                answer(*ask, is);
            }
            Ask::Figures { ask } => answer(*ask, self.figures()),
        }
    }

    pub(super) fn hello(&self, key: &str) -> Value {
        let game = self.timeline.game();
        // A judge has to find out who is a person, so nothing here may tell.
        let tells = |part: &Part| part.is_person && !self.is_secret();
        json!({
            "type": "hello", "number": self.number, "map": frame::map(game), "mapName": self.setting.map,
            "seed": self.setting.seed, "period": game.world().rules().period_secs(), "seat": self.people.seat(key),
            "cast": self.cast.iter().map(|part| json!({ "name": part.entry.name, "written": part.written,
                "person": tells(part), "edited": part.edited.is_some(), "text": part.text.is_some() })).collect::<Vec<_>>(),
            "maps": repertoire::maps::names(),
            "characters": repertoire_mind::fighter::shipped::names().collect::<Vec<_>>(),
            "elsewhere": crate::server::elsewhere::all(), "stops": self.stops, "rules": game.world().rules(), "recording": self.people.told,
        })
    }

    fn figures(&self) -> Value {
        json!({
            "ticks": self.late.ticks(), "lateMs": { "p50": self.late.quantile_ms(0.5), "p99": self.late.quantile_ms(0.99), "most": self.late.quantile_ms(1.0) },
            "savedBytes": self.timeline.saved_bytes(), "end": self.timeline.end(),
            "hash": format!("{:016x}", self.timeline.game().world().hash()),
        })
    }

    fn pause(&mut self, paused: bool) {
        self.paused = paused;
        if !paused {
            self.stop = None;
            self.back_to_the_end();
            self.due = clock::now();
        }
        self.show();
    }

    /// Looks at the end of the match again, where everybody has decided.
    pub(super) fn back_to_the_end(&mut self) {
        self.look_back = None;
        let orders = self.people.orders(self.timeline.game());
        self.timeline.decide(&orders);
    }

    fn seek(&mut self, tick: u32) {
        self.paused = true;
        self.stop = None;
        let tick = tick.min(self.timeline.end());
        match self.timeline.decided_at(tick) {
            _ if tick == self.timeline.end() => self.back_to_the_end(),
            Ok(game) => self.look_back = Some(Box::new(game)),
            Err(error) => self.stop = Some(error.to_string()),
        }
        self.show();
    }

    fn step(&mut self, by: i32) {
        let at = i64::from(self.seen().world().tick()) + i64::from(by.clamp(-10_000, 10_000));
        if at <= i64::from(self.timeline.end()) {
            return self.seek(at.max(0) as u32);
        }
        self.paused = true;
        self.look_back = None;
        self.play_a_tick();
        self.show();
    }

    fn go_on(&mut self) {
        let tick = self.seen().world().tick();
        if let Err(error) = self.timeline.rewind(tick) {
            return self.halt(error.to_string());
        }
        self.look_back = None;
        self.strip.rewind(tick);
        self.people.finish_recording();
        self.begin_tick();
        self.pause(false);
    }

    fn begin(
        &mut self,
        envelope: &Envelope,
        map: &str,
        contenders: &[String],
        seed: u64,
        join: Option<&str>,
    ) {
        let mut setting = match Setting::find_below(&self.folder, map, contenders, seed) {
            Ok(setting) => setting,
            Err(error) => return envelope.answer(&json!({ "type": "refused", "what": error.to_string() })),
        };
        if let Some(name) = join {
            setting.parts.push(Part::person(&person_name(name)));
        }
        self.open(envelope, setting, join.is_some(), None);
        envelope.answer(&self.hello(&envelope.key));
    }

    /// Opens another match; the last of its characters is the person who asks, if they play.
    pub(super) fn open(&mut self, envelope: &Envelope, setting: Setting, plays: bool, jury: Option<Jury>) {
        self.people = People::new(&setting, self.folder.clone());
        (self.cast, self.timeline) = setting.open();
        if plays {
            let id = self.cast.len() - 1;
            self.people.sit(&envelope.key, id, self.timeline.game().world().look(id).yaw);
        }
        self.number += 1;
        self.setting = setting;
        // Other characters, which name other files.
        self.named.clear();
        (self.strip, self.school, self.look_back, self.jury) = (Strip::default(), None, None, jury);
        (self.stop, self.paused, self.due) = (None, false, clock::now());
        self.begin_tick();
        self.show();
    }

    fn join(&mut self, envelope: &Envelope, name: &str) {
        if self.people.seat(&envelope.key).is_some() {
            return envelope.answer(&self.hello(&envelope.key));
        }
        let name = person_name(name);
        let awaited = self.free_seat();
        let free = awaited.or_else(|| {
            (0..self.cast.len()).find(|&id| {
                self.cast[id].is_person && !self.people.has(id) && self.timeline.game().world().is_retired(id)
            })
        });
        let people = self.people.obeyed().len();
        let refused = match free {
            _ if people >= MOST_PEOPLE => Some(format!("{MOST_PEOPLE} people play already")),
            Some(_) if awaited.is_some() => None,
            Some(id) => self.timeline.change(Made::Recall(id)).err().map(|error| error.to_string()),
            None => match self.timeline.change(Made::Join(Person::entry(&name))) {
                Ok(true) => {
                    self.cast.push(Part::person(&name));
                    None
                }
                Ok(false) => Some("the match is full".to_owned()),
                Err(error) => Some(error.to_string()),
            },
        };
        if let Some(what) = refused {
            return envelope.answer(&json!({ "type": "refused", "what": what }));
        }
        self.people.sit(&envelope.key, free.unwrap_or(self.cast.len() - 1), 0.0);
        self.number += 1;
        self.back_to_the_end();
        self.pause(false);
        self.wait_for_people();
        envelope.answer(&self.hello(&envelope.key));
    }

    fn leave(&mut self, key: &Arc<str>) {
        let Some(id) = self.people.leave(key) else { return };
        if self.school.as_ref().is_some_and(|school| school.teacher() == id) {
            self.school = None;
        }
        if let Err(error) = self.timeline.change(Made::Retire(id)) {
            self.stop = Some(error.to_string());
        }
        self.back_to_the_end();
        self.show();
    }

    fn teach(&mut self, envelope: &Envelope) {
        match self.people.seat(&envelope.key) {
            Some(id) => self.school = Some(School::open(id, self.timeline.level().clone())),
            None => envelope
                .answer(&json!({ "type": "refused", "what": "play first: a pupil learns from what you do" })),
        }
    }

    /// What was learned joins the match.
    fn pupil(&mut self, envelope: &Envelope, kind: PupilKind) {
        let refuse = |what: &str| envelope.answer(&json!({ "type": "refused", "what": what }));
        let Some(school) = &self.school else { return refuse("nobody is being taught: press Teach first") };
        let Some((entry, ticks)) = school.entry(kind) else {
            return refuse(match kind {
                PupilKind::Sequence => "nothing was learned yet: play for a second",
                PupilKind::Imitation => {
                    "nothing was learned yet: play until a life ends, or for half a minute"
                }
            });
        };
        let before = school.pupil.map(|(id, _, _)| id);
        let change = match before {
            Some(id) => Made::Replace(id, entry.clone()),
            None => Made::Join(entry.clone()),
        };
        if let Err(error) = self.timeline.change(change) {
            return refuse(&error.to_string());
        }
        let id = before.unwrap_or(self.cast.len());
        match before {
            Some(id) => self.cast[id] = Part::pupil(entry),
            None => self.cast.push(Part::pupil(entry)),
        }
        if let Some(school) = &mut self.school {
            school.pupil = Some((id, kind, ticks));
        }
        self.number += 1;
        self.back_to_the_end();
        self.show();
        envelope.answer(&self.hello(&envelope.key));
    }

    /// A pupil in the match takes up what was learned since it joined. Call it before anybody decides at a tick.
    pub(super) fn tend_pupil(&mut self) {
        let Some((id, kind, knew)) = self.school.as_ref().and_then(|school| school.pupil) else { return };
        let Some((entry, ticks)) = self.school.as_ref().and_then(|school| school.entry(kind)) else { return };
        if ticks >= knew + TOLD_EVERY
            && self.timeline.change(Made::Replace(id, entry)).is_ok()
            && let Some(school) = &mut self.school
        {
            school.pupil = Some((id, kind, ticks));
        }
    }

    fn question(&self, envelope: &Envelope, ask: u32, tick: u32, question: Question) {
        match self.timeline.moment(tick.min(self.timeline.end())) {
            Ok(moment) => self.questions.ask(ask, moment, question, envelope.reply.clone()),
            Err(error) => {
                envelope.answer(&json!({ "type": "answer", "ask": ask, "error": error.to_string() }))
            }
        }
    }

    fn what_if(&self, envelope: &Envelope, ask: u32, tick: u32, who: usize, change: &Change, ticks: u32) {
        let ticks = ticks.clamp(1, MOST_TICKS);
        let alteration = match change {
            Change::Health { health } => Alteration::Health(*health),
            Change::Position { x, y } => Alteration::Position(DVec2::new(*x, *y)),
            Change::Reading { task, nth } => {
                let (task, nth) = (task.clone(), *nth);
                return self.question(envelope, ask, tick, Question::Reading { who, task, nth, ticks });
            }
            Change::Text { text, part: named } => {
                match self.cast.get(who).map(|part| part.with_text(&self.folder, named.as_deref(), text)) {
                    Some(Ok(made)) => Alteration::Mind(made.entry),
                    Some(Err(error)) => {
                        return envelope
                            .answer(&json!({ "type": "answer", "ask": ask, "error": error.to_string() }));
                    }
                    None => return envelope.answer(
                        &json!({ "type": "answer", "ask": ask, "error": "there is nobody of this number" }),
                    ),
                }
            }
        };
        self.question(envelope, ask, tick, Question::WhatIf { who, alteration: Box::new(alteration), ticks });
    }
}

/// A person's name: short, and without what would spoil a table.
fn person_name(written: &str) -> String {
    let plain: String = written.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
    let plain = plain.trim();
    if plain.is_empty() { "you".to_owned() } else { plain.to_owned() }
}
