//! A match that is watched: what happened in it, who is followed, and how fast it goes.

use repertoire_mind::{Event, Weapon};
use repertoire_worlds::arena::game::Match;

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

impl Show {
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
