//! The trackers by name.

use repertoire_belief::Fitted;
use repertoire_belief::pool::Pool;
use repertoire_belief::region::{RegionTracker, Tables};
use repertoire_belief::tracker::{LastSeen, Tracker};
use repertoire_belief::walk::RandomWalk;
use repertoire_belief::ways::{WaySettings, WayTracker, Ways};

/// A tracker that can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Name {
    /// Where it was last seen
    LastSeen,
    /// Any neighbour with the same chance
    RandomWalk,
    /// Hidden Markov model over regions, all play together
    Hmm,
    /// Hidden semi-Markov model over regions, all play together
    Hsmm,
    /// 1,000 particles that move by the same tables
    Particles,
    /// HSMM by side and phase of the round, with a leak to where the side is at that time
    HsmmContext,
    /// The same with the player's own habits
    HsmmHabits,
    /// Recorded ways as hidden states
    Ways,
    /// The same with the player's own habits
    WaysHabits,
    /// HSMM by context and recorded ways, averaged
    Pooled,
    /// The same with the player's own habits
    PooledHabits,
}

/// All trackers, as the table shows them.
pub(crate) const ALL: [Name; 11] = [
    Name::LastSeen,
    Name::RandomWalk,
    Name::Hmm,
    Name::Hsmm,
    Name::Particles,
    Name::HsmmContext,
    Name::Ways,
    Name::Pooled,
    Name::HsmmHabits,
    Name::WaysHabits,
    Name::PooledHabits,
];

impl Name {
    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            Name::LastSeen => "last-seen",
            Name::RandomWalk => "random-walk",
            Name::Hmm => "hmm",
            Name::Hsmm => "hsmm",
            Name::Particles => "particles",
            Name::HsmmContext => "hsmm-context",
            Name::HsmmHabits => "hsmm-habits",
            Name::Ways => "ways",
            Name::WaysHabits => "ways-habits",
            Name::Pooled => "pooled",
            Name::PooledHabits => "pooled-habits",
        }
    }

    /// Whether it uses who the opponent is.
    pub fn uses_identity(self) -> bool {
        matches!(self, Name::HsmmHabits | Name::WaysHabits | Name::PooledHabits)
    }

    /// A new tracker of this kind.
    pub fn make<'a>(self, fitted: &'a Fitted, ways: &'a Ways<'a>, seed: u64) -> Box<dyn Tracker + 'a> {
        let region = |tables| Box::new(RegionTracker::new(fitted, tables)) as Box<dyn Tracker + 'a>;
        let way = |habits| Box::new(WayTracker::new(ways, habits)) as Box<dyn Tracker + 'a>;
        match self {
            Name::LastSeen => Box::new(LastSeen::default()),
            Name::RandomWalk => Box::new(RandomWalk::new(fitted)),
            Name::Hmm => region(Tables::Markov),
            Name::Hsmm => region(Tables::Plain),
            Name::Particles => Box::new(RegionTracker::particles(fitted, 1000, seed)),
            Name::HsmmContext => region(Tables::Context),
            Name::HsmmHabits => region(Tables::Habits),
            Name::Ways => way(false),
            Name::WaysHabits => way(true),
            Name::Pooled => {
                Box::new(Pool::new(fitted, vec![(0.5, region(Tables::Context)), (0.5, way(false))]))
            }
            Name::PooledHabits => {
                Box::new(Pool::new(fitted, vec![(0.5, region(Tables::Habits)), (0.5, way(true))]))
            }
        }
    }
}

/// Ways with the settings that are used everywhere.
pub(crate) fn ways(fitted: &Fitted) -> Ways<'_> {
    Ways::new(fitted, WaySettings::default())
}
