//! Lessons: what a teacher perceives and does, shown tick by tick to somebody who watches; from a recording, or while it is played.
//!
//! Whoever learns or measures implements [`Watch`]: a [`Student`](repertoire_mind::student::Student) learns a behaviour, an
//! [`Imitator`](repertoire_mind::chameleon::Imitator) a character by imitation, [`Moves`](crate::practice::Moves) how the teacher
//! moves; a pair of them watches the same play.

use repertoire_mind::Places;
use repertoire_mind::student::{Seen, Watch};
use repertoire_trace::{Header, Tick};
use repertoire_worlds::arena::level::Level;

use crate::practice::{Make, Practice, ticks};
use crate::replay::{self, ReplayError};

/// Why a recording cannot be learned from.
#[derive(Debug, thiserror::Error)]
pub enum LessonError {
    /// It was recorded in another world, or without its map.
    #[error(
        "it holds no map of the arena\n  remedy: learn from a recording of `repertoire record`, `repertoire doom record` or `repertoire trace import --percepts`"
    )]
    NoMap,
    /// Its map cannot be read or played.
    #[error(transparent)]
    Map(#[from] ReplayError),
    /// None of the wanted players is in it.
    #[error("{wanted} did not play there\n  remedy: --player with one of {names}")]
    Nobody {
        /// Who was wanted.
        wanted: String,
        /// Who is there.
        names: String,
    },
}

/// The map that a recording holds.
pub fn level_of(header: &Header) -> Result<Level, LessonError> {
    if !["arena", "doom", "quake"].contains(&header.world.as_str()) || header.map_source.is_empty() {
        return Err(LessonError::NoMap);
    }
    Ok(replay::level_of(header)?)
}

/// The players of a recording that are wanted, by name or number; all of them if none is named.
pub fn players(header: &Header, wanted: &[String]) -> Result<Vec<u8>, LessonError> {
    let is_wanted = |id: u8, name: &str| {
        wanted.is_empty() || wanted.iter().any(|player| player == name || *player == id.to_string())
    };
    let found = header.characters.iter().filter(|one| is_wanted(one.id, &one.name)).map(|one| one.id);
    let found: Vec<u8> = found.collect();
    if found.is_empty() && !wanted.is_empty() {
        let names: Vec<&str> = header.characters.iter().map(|one| one.name.as_str()).collect();
        return Err(LessonError::Nobody { wanted: wanted.join(", "), names: names.join(", ") });
    }
    Ok(found)
}

/// Shows all ticks at which a player of a recording was alive. `each` is called after every one.
pub fn show_recorded<E>(
    recording: impl IntoIterator<Item = Result<Tick, E>>,
    player: u8,
    places: &Places,
    watch: &mut dyn Watch,
    each: &dyn Fn(),
) -> Result<(), E> {
    watch.begin();
    for tick in recording {
        let tick = tick?;
        let Some(row) = tick.rows.iter().find(|row| row.character == player) else { continue };
        if let (Some(percept), Some(command)) = (&row.percept, &row.command) {
            let task = row.task.as_deref();
            watch.see(Seen { percept, command, task, events: &row.events }, places);
            each();
        }
    }
    Ok(())
}

/// Lets a teacher play a match against [`OPPONENTS`](crate::practice::OPPONENTS) and shows every tick at which it is alive. `each`
/// is called after every one.
pub fn show_live(practice: &Practice, teacher: &Make, number: u64, watch: &mut dyn Watch, each: &dyn Fn()) {
    let mut game = practice.game(teacher, number);
    watch.begin();
    for _ in 0..ticks(practice.match_secs) {
        game.perceive();
        game.decide();
        let is_alive = game.world().is_alive(0);
        let task = game.contenders()[0].mind.task().to_owned();
        game.advance();
        if is_alive {
            let (percept, command) = (&game.percepts()[0], &game.commands()[0]);
            let seen = Seen { percept, command, task: Some(&task), events: game.world().events(0) };
            watch.see(seen, practice.level.places());
            each();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use repertoire_chameleon::{EmSettings, model};
    use repertoire_mind::chameleon::{ImitationSettings, Imitator, Pace};
    use repertoire_mind::fighter::Fighter;
    use repertoire_trace::Row;
    use repertoire_worlds::arena::map::{file, shipped::shipped};

    use super::*;

    fn practice(match_secs: f64) -> Practice {
        let map = file::read(shipped("yard").expect("it ships")).expect("it is a map").map;
        Practice { level: Arc::new(Level::new(map).expect("it can be played")), match_secs, seed: 3 }
    }

    fn imitator(pace: Pace) -> Imitator {
        let model = model::shipped("arena").expect("it ships").with_decisions(2).expect("two will do");
        let em = EmSettings { iterations: 3, starts: 1, ..ImitationSettings::default().em };
        Imitator::new(&model, ImitationSettings { em, pace, ..ImitationSettings::default() })
            .expect("characters have its words")
    }

    /// Writes down what is shown, as a recording holds it.
    #[derive(Default)]
    struct Recorder(Vec<Result<Tick, ()>>);

    impl Watch for Recorder {
        fn begin(&mut self) {}

        fn see(&mut self, seen: Seen<'_>, _: &Places) {
            let row = Row {
                percept: Some(seen.percept.clone()),
                command: Some(*seen.command),
                task: seen.task.map(str::to_owned),
                events: seen.events.to_vec(),
                ..Row::of(4)
            };
            self.0.push(Ok(Tick { tick: self.0.len() as u32, rows: vec![row], ..Tick::default() }));
        }
    }

    #[test]
    fn recorded_and_live_play_teach_the_same() {
        let practice = practice(60.0);
        let bot: Make = Arc::new(|| Box::new(Fighter::native(5)));
        let mut both = (imitator(Pace::AtTheEnd), Recorder::default());
        show_live(&practice, &bot, 0, &mut both, &|| ());
        let (live, Recorder(recorded)) = both;
        let mut from_file = imitator(Pace::AtTheEnd);
        show_recorded(recorded, 4, practice.level.places(), &mut from_file, &|| ())
            .expect("all ticks are good");
        let [live, recorded] = [live, from_file].map(|one| one.finish(&|_| ()).expect("there is play"));
        assert_eq!(live.learned, recorded.learned);
        assert!(live.lives > 0 && live.ticks > 300, "{} lives, {} ticks", live.lives, live.ticks);
        assert_eq!((live.lives, live.nats_per_tick), (recorded.lives, recorded.nats_per_tick));
    }

    #[test]
    fn life_by_life_sees_the_same_lives() {
        let practice = practice(60.0);
        let bot: Make = Arc::new(|| Box::new(Fighter::native(5)));
        let mut both = (imitator(Pace::AtTheEnd), imitator(Pace::LifeByLife));
        show_live(&practice, &bot, 0, &mut both, &|| ());
        let (at_the_end, life_by_life) = both;
        let (all, one_by_one) = (
            at_the_end.finish(&|_| ()).expect("there is play"),
            life_by_life.finish(&|_| ()).expect("there is play"),
        );
        assert_eq!((all.lives, all.ticks), (one_by_one.lives, one_by_one.ticks));
        assert_eq!(one_by_one.learned.curve.len(), one_by_one.lives, "each life surprised it once");
        assert_eq!(all.learned.sharpness, one_by_one.learned.sharpness);
        assert_eq!(all.learned.delay, one_by_one.learned.delay);
    }

    #[test]
    fn players_are_found_by_name_or_number() {
        let mut header = Header::new("arena", "yard", 1, 0.1, ["native:5", "native:3", "prudent"]);
        header.characters.remove(1);
        let find = |wanted: &[&str]| {
            let wanted: Vec<String> = wanted.iter().map(|one| (*one).to_owned()).collect();
            players(&header, &wanted).map_err(|error| error.to_string())
        };
        assert_eq!(find(&[]), Ok(vec![0, 2]));
        assert_eq!(find(&["prudent"]), Ok(vec![2]));
        assert_eq!(find(&["0"]), Ok(vec![0]));
        assert!(find(&["nobody"]).is_err_and(|error| error.contains("one of native:5, prudent")));
        assert!(matches!(level_of(&header), Err(LessonError::NoMap)));
    }
}
