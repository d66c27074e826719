//! A match of the arena as a recording: its header, and a row for each character and tick.
//!
//! ```
//! use repertoire_eval::record;
//! use repertoire_trace::Recorder;
//! # use std::sync::Arc;
//! # use repertoire_mind::fighter::Fighter;
//! # use repertoire_worlds::arena::game::{Contender, Match};
//! # use repertoire_worlds::arena::level::Level;
//! # use repertoire_worlds::arena::map::{file, shipped::shipped};
//! # use repertoire_worlds::arena::rules::Rules;
//! # let level = Level::new(file::read(shipped("yard").expect("shipped"))?.map).expect("playable");
//! # let bots = (0..2).map(|k| Contender { name: format!("bot {k}"), mind: Box::new(Fighter::native(3)) });
//! let mut game = Match::new(Arc::new(level), Rules::default(), bots.collect(), 42);
//! let header = record::header(&game, "yard", 42)?;
//! let mut recorder = Recorder::new(Vec::new(), header.clone())?;
//! let ticks = (0..20).map(|_| record::tick(&mut game, false)).collect::<Vec<_>>();
//! for tick in &ticks {
//!     recorder.push(tick.clone())?;
//! }
//! recorder.finish()?;
//!
//! // The same world comes of it again.
//! let mut replay = repertoire_eval::replay::Replay::of(&header)?;
//! for tick in &ticks {
//!     replay.obey(tick)?;
//! }
//! assert_eq!(replay.hash(), game.world().hash());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::io::Write;

use repertoire_trace::{Header, Recorder, Row, Tick, TraceError};
use repertoire_worlds::arena::game::Match;
use repertoire_worlds::arena::map::file;
use serde::Serialize;

/// The header of a recording of this match, which was started with this seed. It holds the map and the rules, so that the
/// recording needs no other file. Fails only if the rules cannot be written as JSON.
pub fn header(game: &Match, map: &str, seed: u64) -> Result<Header, serde_json::Error> {
    let names = game.contenders().iter().map(|contender| contender.name.as_str());
    let mut header = Header::new("arena", map, seed, game.world().rules().period_secs(), names);
    header.map_source = file::write(game.world().level().map());
    header.settings = serde_json::to_value(game.world().rules())?;
    for (one, contender) in header.characters.iter_mut().zip(game.contenders()) {
        one.led = contender.mind.leads();
    }
    Ok(header)
}

/// Plays one tick and gives what everybody perceived, decided and lived through; `with_why` adds each character's reasons in
/// words, which make a recording large.
pub fn tick(game: &mut Match, with_why: bool) -> Tick {
    game.perceive();
    game.decide();
    finish(game, with_why)
}

/// When a recorded match ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Until {
    /// After this many ticks at the latest.
    pub ticks: u32,
    /// As soon as somebody has this many frags.
    pub frags: Option<i32>,
}

/// Plays a match to its end and records every tick; gives what was written to. `on_tick` is called after each.
///
/// # Errors
/// If the recording cannot be written.
pub fn play<W: Write + Send>(
    game: &mut Match,
    mut recorder: Recorder<W>,
    until: Until,
    with_why: bool,
    on_tick: &dyn Fn(),
) -> Result<W, TraceError> {
    for _ in 0..until.ticks {
        recorder.push(tick(game, with_why))?;
        on_tick();
        if until.frags.is_some_and(|most| game.best_frags() >= most) {
            break;
        }
    }
    recorder.finish()
}

/// What was recorded.
#[derive(Clone, Debug, Serialize)]
pub struct RecordedMatch {
    /// The file it is in.
    pub file: String,
    /// The map.
    pub map: String,
    /// The match's random seed.
    pub seed: u64,
    /// How many ticks were played.
    pub ticks: u32,
    /// The same in seconds of the game.
    pub seconds: f64,
    /// The size of the file; 0 until it is known.
    pub bytes: u64,
    /// The world's hash at the end.
    pub final_hash: String,
    /// What everybody scored.
    pub frags: Vec<(String, i32)>,
}

impl RecordedMatch {
    /// A match as it stands at its end.
    pub fn of(file: &str, game: &Match, map: &str, seed: u64) -> Self {
        let frags = game.contenders().iter().enumerate();
        RecordedMatch {
            file: file.to_owned(),
            map: map.to_owned(),
            seed,
            ticks: game.world().tick(),
            seconds: game.world().time_secs(),
            bytes: 0,
            final_hash: format!("{:016x}", game.world().hash()),
            frags: frags.map(|(id, one)| (one.name.clone(), game.world().tally(id).frags)).collect(),
        }
    }
}

/// The second half of [`tick`], for a caller that has something to do once everybody has perceived and decided: the world moves on,
/// and everything of this tick is given.
pub fn finish(game: &mut Match, with_why: bool) -> Tick {
    let number = game.world().tick();
    let mut rows: Vec<Row> = (0..game.world().len()).map(|id| row(game, id, with_why)).collect();
    game.advance();
    for (id, row) in rows.iter_mut().enumerate() {
        row.events.extend_from_slice(game.world().events(id));
    }
    Tick { tick: number, state_hash: game.world().hash(), rows }
}

fn row(game: &Match, id: usize, with_why: bool) -> Row {
    let alive = game.world().is_alive(id);
    let mind = &game.contenders()[id].mind;
    // The first lives begin before the first tick, which tells of them.
    let events = if game.world().tick() == 0 { game.world().events(id).to_vec() } else { Vec::new() };
    Row {
        character: id as u8,
        alive,
        percept: alive.then(|| game.percepts()[id].clone()),
        // As the body obeys it: a mind may command a turn without end, which a recording refuses.
        command: alive.then(|| game.commands()[id].sane()),
        lead: game.world().led(id),
        task: alive.then(|| mind.task().to_owned()),
        why: (alive && with_why).then(|| mind.why()),
        events,
    }
}
