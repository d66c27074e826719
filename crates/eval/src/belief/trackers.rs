//! The trackers by name, with the settings they are measured with.

use repertoire_belief::Fitted;
use repertoire_belief::pool::Pool;
use repertoire_belief::region::{RegionTracker, Tables};
use repertoire_belief::tracker::{LastSeen, Tracker};
use repertoire_belief::walk::RandomWalk;
use repertoire_belief::ways::{WaySettings, WayTracker, Ways};

/// A tracker that can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrackerKind {
    /// Where it was last seen.
    LastSeen,
    /// Any neighbour with the same chance.
    RandomWalk,
    /// Hidden Markov model over regions, all play together.
    Hmm,
    /// Hidden semi-Markov model over regions, all play together.
    Hsmm,
    /// 1,000 particles that move by the same tables.
    Particles,
    /// HSMM by side and phase of the round, with a leak to where the side is at that time.
    HsmmContext,
    /// The same with the player's own habits.
    HsmmHabits,
    /// Recorded ways as hidden states.
    Ways,
    /// The same with the player's own habits.
    WaysHabits,
    /// HSMM by context and recorded ways, averaged.
    Pooled,
    /// The same with the player's own habits.
    PooledHabits,
}

/// All trackers, as the table shows them.
pub const ALL: [TrackerKind; 11] = [
    TrackerKind::LastSeen,
    TrackerKind::RandomWalk,
    TrackerKind::Hmm,
    TrackerKind::Hsmm,
    TrackerKind::Particles,
    TrackerKind::HsmmContext,
    TrackerKind::Ways,
    TrackerKind::Pooled,
    TrackerKind::HsmmHabits,
    TrackerKind::WaysHabits,
    TrackerKind::PooledHabits,
];

/// All trackers, each kind beside the same with habits.
pub const BESIDE_HABITS: [TrackerKind; 11] = [
    TrackerKind::LastSeen,
    TrackerKind::RandomWalk,
    TrackerKind::Hmm,
    TrackerKind::Hsmm,
    TrackerKind::Particles,
    TrackerKind::HsmmContext,
    TrackerKind::HsmmHabits,
    TrackerKind::Ways,
    TrackerKind::WaysHabits,
    TrackerKind::Pooled,
    TrackerKind::PooledHabits,
];

impl TrackerKind {
    /// Its name in tables and on the command line.
    pub fn text(self) -> &'static str {
        match self {
            TrackerKind::LastSeen => "last-seen",
            TrackerKind::RandomWalk => "random-walk",
            TrackerKind::Hmm => "hmm",
            TrackerKind::Hsmm => "hsmm",
            TrackerKind::Particles => "particles",
            TrackerKind::HsmmContext => "hsmm-context",
            TrackerKind::HsmmHabits => "hsmm-habits",
            TrackerKind::Ways => "ways",
            TrackerKind::WaysHabits => "ways-habits",
            TrackerKind::Pooled => "pooled",
            TrackerKind::PooledHabits => "pooled-habits",
        }
    }

    /// What it does, in a line.
    pub fn about(self) -> &'static str {
        match self {
            TrackerKind::LastSeen => "Where it was last seen",
            TrackerKind::RandomWalk => "Any neighbour with the same chance",
            TrackerKind::Hmm => "Hidden Markov model over regions, all play together",
            TrackerKind::Hsmm => "Hidden semi-Markov model over regions, all play together",
            TrackerKind::Particles => "1,000 particles that move by the same tables",
            TrackerKind::HsmmContext => {
                "HSMM by side and phase of the round, with a leak to where the side is at that time in like rounds"
            }
            TrackerKind::Ways => "Recorded ways as hidden states",
            TrackerKind::Pooled => "HSMM by context and recorded ways, averaged",
            TrackerKind::HsmmHabits | TrackerKind::WaysHabits | TrackerKind::PooledHabits => {
                "The same with the player's own habits"
            }
        }
    }

    /// Whether it uses who the opponent is.
    pub fn uses_identity(self) -> bool {
        matches!(self, TrackerKind::HsmmHabits | TrackerKind::WaysHabits | TrackerKind::PooledHabits)
    }

    /// A new tracker of this kind.
    pub fn make<'a>(self, fitted: &'a Fitted, ways: &'a Ways<'a>, seed: u64) -> Box<dyn Tracker + 'a> {
        let region = |tables| Box::new(RegionTracker::new(fitted, tables)) as Box<dyn Tracker + 'a>;
        let way = |habits| Box::new(WayTracker::new(ways, habits)) as Box<dyn Tracker + 'a>;
        match self {
            TrackerKind::LastSeen => Box::new(LastSeen::default()),
            TrackerKind::RandomWalk => Box::new(RandomWalk::new(fitted)),
            TrackerKind::Hmm => region(Tables::Markov),
            TrackerKind::Hsmm => region(Tables::Plain),
            TrackerKind::Particles => Box::new(RegionTracker::particles(fitted, 1000, seed)),
            TrackerKind::HsmmContext => region(Tables::Context),
            TrackerKind::HsmmHabits => region(Tables::Habits),
            TrackerKind::Ways => way(false),
            TrackerKind::WaysHabits => way(true),
            TrackerKind::Pooled => {
                Box::new(Pool::new(fitted, vec![(0.5, region(Tables::Context)), (0.5, way(false))]))
            }
            TrackerKind::PooledHabits => {
                Box::new(Pool::new(fitted, vec![(0.5, region(Tables::Habits)), (0.5, way(true))]))
            }
        }
    }
}

/// Recorded ways with the settings that are used everywhere.
pub fn ways(fitted: &Fitted) -> Ways<'_> {
    Ways::new(fitted, WaySettings::default())
}
