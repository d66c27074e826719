//! What a fighter can sense, know, need and do: the words its file may use.

use crate::tasks::sensors::{FINER, PLAIN};

/// What a task is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// Fights the enemy in view, at the distance its weapon likes; follows one just lost.
    Attack,
    /// Goes where an enemy is probably seen from: by belief, or to where one was last seen.
    Hunt,
    /// Stands where most of what is believed can be seen, and looks there.
    Ambush,
    /// Runs to where enemies, seen and believed, do not see it.
    Flee,
    /// Fetches health.
    HealthSearch,
    /// Fetches a weapon or ammunition.
    WeaponSearch,
    /// Goes to a place drawn at random.
    Explore,
    /// Stops and looks for what it heard.
    DetectDanger,
}

impl Does {
    /// All of them.
    pub const ALL: [Does; 8] = [
        Does::Attack,
        Does::Hunt,
        Does::Ambush,
        Does::Flee,
        Does::HealthSearch,
        Does::WeaponSearch,
        Does::Explore,
        Does::DetectDanger,
    ];

    /// Its name in files. Where a task is one of the thesis's six, the name is the same.
    pub const fn name(self) -> &'static str {
        match self {
            Does::Attack => "attack",
            Does::Hunt => "hunt",
            Does::Ambush => "ambush",
            Does::Flee => "flee",
            Does::HealthSearch => "health_search",
            Does::WeaponSearch => "weapon_search",
            Does::Explore => "explore",
            Does::DetectDanger => "detect_danger",
        }
    }

    /// The task of this name.
    pub fn named(name: &str) -> Option<Self> {
        Does::ALL.into_iter().find(|task| task.name() == name)
    }
}

/// Name and values of each sensor. The first seven are the thesis's, the last six read some of them more finely
/// ([`crate::tasks::sensors`]).
///
/// | sensor        | values                 | when                                                                    |
/// |---------------|------------------------|-------------------------------------------------------------------------|
/// | `enemy_close` | no, yes                | an enemy within three seconds' way: seen, or believed to be with some probability |
/// | `lost`        | no, yes                | an enemy was lost from view within the last five seconds                 |
/// | `edge`        | behind, even, ahead    | own health and weapon against the enemy's; not read without an enemy     |
/// | `range`       | near, middle, far      | to the enemy: under 5 m, under 14 m, farther; not read without one       |
/// | `hit`         | no, yes                | somebody hit it within the last second                                   |
pub const SENSORS: [(&str, &[&str]); FINER_FROM + FINER] = [
    crate::tasks::SENSORS[0],
    crate::tasks::SENSORS[1],
    crate::tasks::SENSORS[2],
    crate::tasks::SENSORS[3],
    crate::tasks::SENSORS[4],
    crate::tasks::SENSORS[5],
    crate::tasks::SENSORS[6],
    ("enemy_close", &["no", "yes"]),
    ("lost", &["no", "yes"]),
    ("edge", &["behind", "even", "ahead"]),
    ("range", &["near", "middle", "far"]),
    ("hit", &["no", "yes"]),
    crate::tasks::SENSORS[PLAIN],
    crate::tasks::SENSORS[PLAIN + 1],
    crate::tasks::SENSORS[PLAIN + 2],
    crate::tasks::SENSORS[PLAIN + 3],
    crate::tasks::SENSORS[PLAIN + 4],
    crate::tasks::SENSORS[PLAIN + 5],
];

/// Where the finer sensors begin in [`SENSORS`].
const FINER_FROM: usize = 12;
/// Where `weapon` stands.
pub(super) const WEAPON: usize = 1;

/// Which of the sensors of tasks a sensor is; none for those that only fighters have.
pub(super) const fn of_tasks(word: usize) -> Option<usize> {
    match word {
        0..PLAIN => Some(word),
        FINER_FROM.. => Some(word - FINER_FROM + PLAIN),
        _ => None,
    }
}
/// Where `enemies` and `enemy_close` stand in [`SENSORS`].
pub(super) const ENEMIES: usize = 4;
pub(super) const ENEMY_CLOSE: usize = 7;

/// Name and values of each fact that plans may be about.
///
/// | fact           | values                       | when                                                           |
/// |----------------|------------------------------|----------------------------------------------------------------|
/// | `health`       | low, good                    | under 55, or more                                              |
/// | `arms`         | poor, good                   | a medium or strong weapon with ammunition                      |
/// | `enemy`        | unknown, lost, seen, beaten  | in view; lost within five seconds; beaten a moment ago         |
/// | `post`         | open, lookout                | it stands where most of what it believes can be seen           |
/// | `health_known` | no, yes                      | it knows of health that may be there                           |
/// | `arms_known`   | no, yes                      | it knows of a weapon or ammunition that may be there           |
pub const FACTS: [(&str, &[&str]); 6] = [
    ("health", &["low", "good"]),
    ("arms", &["poor", "good"]),
    ("enemy", &["unknown", "lost", "seen", "beaten"]),
    ("post", &["open", "lookout"]),
    ("health_known", &["no", "yes"]),
    ("arms_known", &["no", "yes"]),
];

/// Needs that are states of the body; a file may have others, which grow by themselves.
///
/// | need     | how strongly it is felt                                                  |
/// |----------|--------------------------------------------------------------------------|
/// | `wounds` | 0 when unhurt, 1 at death's door                                         |
/// | `arms`   | 1 with the weak weapon alone, less with better ones and ammunition       |
/// | `prey`   | grows to 1 in half a minute without an enemy                             |
/// | `danger` | how probably an enemy is close, more when behind                         |
pub const NEEDS: [&str; 4] = ["wounds", "arms", "prey", "danger"];
