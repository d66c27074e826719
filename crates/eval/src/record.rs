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

use repertoire_trace::{Header, Row, Tick};
use repertoire_worlds::arena::game::Match;
use repertoire_worlds::arena::map::file;

/// The header of a recording of this match, which was started with this seed. It holds the map and the rules, so that the
/// recording needs no other file. Fails only if the rules cannot be written as JSON.
pub fn header(game: &Match, map: &str, seed: u64) -> Result<Header, serde_json::Error> {
    let names = game.contenders().iter().map(|contender| contender.name.as_str());
    let mut header = Header::new("arena", map, seed, game.world().rules().period_secs(), names);
    header.map_source = file::write(game.world().level().map());
    header.settings = serde_json::to_value(game.world().rules())?;
    Ok(header)
}

/// Plays one tick and gives what everybody perceived, decided and lived through; `with_why` adds each character's reasons in
/// words, which make a recording large.
pub fn tick(game: &mut Match, with_why: bool) -> Tick {
    game.perceive();
    game.decide();
    finish(game, with_why)
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
        task: alive.then(|| mind.task().to_owned()),
        why: (alive && with_why).then(|| mind.why()),
        events,
    }
}
