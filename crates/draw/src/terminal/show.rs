//! A match that is watched: what happened in it, who is followed, and how fast it goes.

use repertoire_mind::{Event, Weapon};
use repertoire_worlds::arena::game::{Contender, Match};

use super::pace::Pace;
use super::watch::{Shown, clock};

/// How many of the latest deaths are kept.
const MOST_NEWS: usize = 50;

/// A match under way, as it is shown.
pub struct Show {
    /// The match.
    pub game: Match,
    /// The map's name.
    pub map: String,
    /// The random seed it was started with.
    pub seed: u64,
    /// The decision at which it ends.
    pub last_tick: Option<u32>,
    /// The number of the character that is followed.
    pub follow: Option<usize>,
    /// Who killed whom, latest last.
    pub news: Vec<String>,
}

/// Nobody is called so, and nobody has that number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "--follow {written}: there is no such character\n  remedy: a number from 0 to {}, or a name: {}",
    .names.len().saturating_sub(1), .names.join(", ")
)]
pub struct NobodyToFollow {
    /// As it was written.
    pub written: String,
    /// Those who play.
    pub names: Vec<String>,
}

/// A character by its name, the first of that name, or by its number.
///
/// # Errors
/// If there is no such character.
pub fn followed(written: &str, contenders: &[Contender]) -> Result<usize, NobodyToFollow> {
    let named = contenders.iter().position(|contender| contender.name == written);
    match named.or(written.parse().ok()) {
        Some(id) if id < contenders.len() => Ok(id),
        _ => Err(NobodyToFollow {
            written: written.to_owned(),
            names: contenders.iter().map(|contender| contender.name.clone()).collect(),
        }),
    }
}

/// What somebody who watches asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// To stop watching.
    End,
    /// To pause, or to go on.
    Pause,
    /// Twice the speed.
    Faster,
    /// Half the speed.
    Slower,
    /// To follow the next character.
    Follow,
    /// One decision, and then to pause.
    Step,
}

impl Show {
    /// Does what is wished for; ending is left to whoever shows it.
    pub fn obey(&mut self, wish: Wish, pace: &mut Pace) {
        match wish {
            Wish::End => {}
            Wish::Pause => pace.is_paused = !pace.is_paused,
            Wish::Faster => pace.change(2.0),
            Wish::Slower => pace.change(0.5),
            Wish::Follow => self.follow_next(),
            Wish::Step => {
                pace.is_paused = true;
                self.tick();
            }
        }
    }

    /// Whether it has come to its end.
    pub fn is_over(&self) -> bool {
        self.last_tick.is_some_and(|last| self.game.world().tick() >= last)
    }

    /// One decision of everybody, unless it is over.
    pub fn tick(&mut self) {
        if self.is_over() {
            return;
        }
        self.game.tick();
        let world = self.game.world();
        let now = clock(world.time_secs());
        for id in 0..world.len() {
            for event in world.events(id) {
                if let Event::Died { by, weapon } = *event {
                    let how = self.death(id, by.map(usize::from), weapon);
                    self.news.push(format!("{now} {} {how}", self.name(id)));
                }
            }
        }
        let old = self.news.len().saturating_sub(MOST_NEWS);
        self.news.drain(..old);
    }

    fn death(&self, id: usize, by: Option<usize>, weapon: Option<Weapon>) -> String {
        match (by, weapon) {
            (Some(by), Some(weapon)) if by == id => format!("died of its own {weapon} weapon"),
            (Some(by), Some(weapon)) => format!("was killed by {} ({weapon})", self.name(by)),
            (Some(by), None) if by != id => format!("was crushed by {}", self.name(by)),
            _ => "died of a fall or a harmful floor".to_owned(),
        }
    }

    /// What a frame shows of it.
    pub fn shown(&self) -> Shown<'_> {
        Shown { game: &self.game, map: &self.map, seed: self.seed, follow: self.follow, news: &self.news }
    }

    /// A character's number and name.
    fn name(&self, id: usize) -> String {
        self.shown().name(id)
    }

    /// Follows the next character; after the last nobody.
    pub fn follow_next(&mut self) {
        let next = self.follow.map_or(0, |id| id + 1);
        self.follow = (next < self.game.world().len()).then_some(next);
    }

    /// How it ended.
    pub fn result(&self) -> String {
        let world = self.game.world();
        let widest = self.game.contenders().iter().map(|it| it.name.chars().count()).max().unwrap_or(0);
        let mut text = format!(
            "{}, seed {}: {} played, {} decisions\n",
            self.map,
            self.seed,
            clock(world.time_secs()),
            world.tick()
        );
        for (id, contender) in self.game.contenders().iter().enumerate() {
            let tally = world.tally(id);
            text += &format!(
                "  {id:>2} {:widest$}  {:>4} frags  {:>4} deaths  {:>4} hits of {:>4} shots\n",
                contender.name, tally.frags, tally.deaths, tally.hits, tally.shots
            );
        }
        text + &format!("state hash {:016x}\n", world.hash())
    }
}
