//! What a CHAMELEON character senses: the words of a model's file, filled from percepts.
//!
//! | high-level word | what it is                                              | bins or values                    |
//! |-----------------|---------------------------------------------------------|-----------------------------------|
//! | `health`        | own health                                              | edges                             |
//! | `enemies`       | how many were in view within a second and a half        | edges                             |
//! | `weapon`        | the weapon in hand                                      | weak, medium, strong              |
//! | `ammunition`    | shots left for it                                       | edges                             |
//! | `damaged`       | was hit since the last decision                         | no, yes                           |
//! | `weapons`       | which weapons it owns                                   | none, weak, medium, weak_medium, strong, weak_strong, medium_strong, all |
//! | `usable`        | which of them have ammunition                           | the same                          |
//! | `armed`         | the best weapon that has ammunition                     | weak, medium, strong              |
//! | `noise`         | heard or felt something where it does not look          | no, yes                           |
//! | `weapon_near`, `health_near` | one of use within two seconds' way         | no, yes                           |
//! | `enemy_distance` | how far the nearest enemy is; very far without one     | edges                             |
//! | `in_view`       | how many enemies are in view                            | edges                             |
//! | `lost`          | somebody was lost from view, and not found again    | no, yes                           |
//! | `match`         | always the same: for decisions that nothing explains    | edges                             |
//!
//! | low-level word   | what it is                                                            | how many     |
//! |------------------|-----------------------------------------------------------------------|--------------|
//! | `player`         | an enemy: where to aim at it; those in view first, then the nearest    | several      |
//! | `weapon`, `health` | such an item in view, the nearest first                             | several      |
//! | `point`          | a point of the map that a link leads to, the nearest first             | several      |
//! | `ray`            | where a ray meets a wall                                              | eight        |
//! | `way_weapon`, `way_health`, `way_unexplored`, `hunt` | the next piece of the way to the nearest of use, to where it was not for longest, to where an enemy was | one each |
//! | `trail`          | the next piece of the way to where somebody was lost from view, for five seconds or until there | one |
//! | `alarm`          | what was heard or felt, until it is looked at                         | one          |
//! | `heard`          | a hit or a shot, for a second; `seen` is how long ago                 | one          |
//! | `course`         | where it last meant to run; its distance is that of the wall there    | one          |
//! | `ahead`          | straight ahead and level: always known                                | one          |
//!
//! | axis of a low-level stimulus | what it measures                                          | bins or values          |
//! |------------------|-----------------------------------------------------------------------|-------------------------|
//! | `yaw`, `pitch`   | the turn and the tilt to face it, in degrees                           | edges                   |
//! | `distance`       | how far it is, in metres                                              | edges                   |
//! | `moving`         | how it moves, seen from here                                          | still, left, right; or still and eight directions |
//! | `running`        | how one runs oneself, seen towards it                                 | standing, toward, left, away, right |
//! | `along`          | whether one last meant to run straight to it                          | no, yes                 |
//! | `in_view`        | whether it is in view                                                 | no, yes                 |
//! | `leg`            | how far the point of the map is that one runs to, in metres; infinitely if to none | edges          |
//! | `first`          | whether it is the first of its kind                                   | no, yes                 |
//! | `seen`           | for how many seconds it has been, below 0 if it is not; how long ago it was heard | edges       |
//! | `jump`, `wait`, `near` | of a way: whether it jumps, waits for a lift, is short              | no, yes                 |
//! | `ready`          | whether the weapon in hand could fire                                 | no, yes                 |
//! | `weapon`         | the weapon in hand                                                    | weak, medium, strong    |
//! | `loaded`         | both; cramped is a strong one with a wall within 4 m straight ahead   | no, weak, medium, strong; or these and cramped |
//!
//! The first five low-level words are those of Tencé 2011, table 4.1, the others ours: a way leads round corners where a bearing leads
//! into the wall, and what is always known keeps the set of known stimuli from being empty.

use repertoire_chameleon::model::{Axis, Bins, Model};

use crate::blast::Blast;
use crate::tasks::{CannotSense, Leads, Stimuli, Way};
use std::f64::consts::FRAC_PI_4;

use crate::{Bearing, DVec2, DVec3, Item, Percept, RAYS, Weapon, arms};

/// A low-level stimulus as it appears.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sighting {
    /// The turn to face it.
    pub yaw: f64,
    /// The tilt to face it.
    pub pitch: f64,
    /// How far it is.
    pub distance_m: f64,
    /// How it moves, away from here and to the left, in metres a second.
    velocity: DVec2,
    in_view: bool,
    /// For how long it has been in view, below 0 if it is not; how long ago it was heard.
    seen_secs: f64,
    jump: bool,
    wait: bool,
    near: bool,
    /// Whether others of its kind come before it.
    is_other: bool,
    /// No thing, but where it looks already: not turning is then exactly that.
    pub(super) is_ahead: bool,
}

impl Sighting {
    /// Something of which only the direction matters.
    pub(super) fn toward(yaw: f64, pitch: f64) -> Self {
        Sighting { yaw, pitch, ..Sighting::default() }
    }
}

/// What there is to sense: what is perceived, what an observer made of it, and what was done last.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// What is perceived.
    pub percept: &'a Percept,
    /// What an observer made of it.
    pub stimuli: &'a Stimuli,
    /// What may be followed up.
    pub leads: Leads,
    /// The turn to face where it last meant to run; none if it meant to stand.
    pub course: Option<f64>,
}

/// What a model's words read.
#[derive(Clone, Debug)]
pub struct Senses {
    high: Vec<Vec<(High, Axis)>>,
    low: Vec<LowSense>,
}

/// How a kind of low-level stimulus is looked at.
#[derive(Clone, Debug)]
struct LowSense {
    word: Low,
    axes: Vec<(Look, Axis)>,
    slots: usize,
}

/// What is sensed at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sensed {
    /// A value for each high-level stimulus.
    pub high: Vec<u16>,
    /// A value for each slot of each low-level stimulus, if it is known.
    pub low: Vec<Option<u16>>,
    /// Where each slot's stimulus is; anything where it is not known.
    pub sightings: Vec<Sighting>,
}

macro_rules! words {
    ($name:ident, $($variant:ident = $word:literal),+ $(,)?) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum $name { $($variant),+ }

        impl $name {
            const WORDS: &'static [(&'static str, $name)] = &[$(($word, $name::$variant)),+];

            fn named(word: &str) -> Option<Self> {
                Self::WORDS.iter().find(|(known, _)| *known == word).map(|(_, is)| *is)
            }

            fn list() -> String {
                Self::WORDS.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ")
            }
        }
    };
}

words!(
    High,
    Health = "health",
    Enemies = "enemies",
    Weapon = "weapon",
    Ammunition = "ammunition",
    Damaged = "damaged",
    Weapons = "weapons",
    Usable = "usable",
    Armed = "armed",
    Noise = "noise",
    WeaponNear = "weapon_near",
    HealthNear = "health_near",
    EnemyDistance = "enemy_distance",
    InView = "in_view",
    Lost = "lost",
    Match = "match",
);

words!(
    Low,
    Player = "player",
    Weapon = "weapon",
    Health = "health",
    Point = "point",
    Ray = "ray",
    WayWeapon = "way_weapon",
    WayHealth = "way_health",
    WayUnexplored = "way_unexplored",
    Hunt = "hunt",
    Trail = "trail",
    Alarm = "alarm",
    Heard = "heard",
    Ahead = "ahead",
    Course = "course",
);

words!(
    Look,
    Yaw = "yaw",
    Pitch = "pitch",
    Distance = "distance",
    Moving = "moving",
    InView = "in_view",
    Seen = "seen",
    Jump = "jump",
    Wait = "wait",
    Near = "near",
    Ready = "ready",
    Loaded = "loaded",
    Weapon = "weapon",
    Running = "running",
    Along = "along",
    First = "first",
    Leg = "leg",
);

const YES_NO: &[&str] = &["no", "yes"];
const WEAPONS: &[&str] = &["weak", "medium", "strong"];
const LOADED: &[&str] = &["no", "weak", "medium", "strong"];
const LOADED_OR_CRAMPED: &[&str] = &["no", "weak", "medium", "strong", "cramped"];
const OWNED: &[&str] =
    &["none", "weak", "medium", "weak_medium", "strong", "weak_strong", "medium_strong", "all"];
const MOVING: &[&str] = &["still", "left", "right"];
const MOVING_IN_EIGHT: &[&str] =
    &["still", "ahead", "ahead_left", "left", "back_left", "back", "back_right", "right", "ahead_right"];
/// Slower than this is standing.
const STANDING_M_PER_SEC: f64 = 1.0;
/// A course within 10 degrees of a thing leads to it.
const STRAIGHT: f64 = std::f64::consts::PI / 18.0;

impl High {
    /// The words it may have; none for a number.
    fn words(self) -> &'static [&'static [&'static str]] {
        match self {
            High::Weapon | High::Armed => &[WEAPONS],
            High::Damaged | High::Noise | High::WeaponNear | High::HealthNear | High::Lost => &[YES_NO],
            High::Weapons | High::Usable => &[OWNED],
            High::Health
            | High::Enemies
            | High::InView
            | High::Ammunition
            | High::EnemyDistance
            | High::Match => &[],
        }
    }

    fn read(self, scene: &Scene<'_>) -> f64 {
        let Scene { percept, stimuli, .. } = scene;
        let own = &percept.own;
        let [_, armed, _, noise, enemies, weapon_near, health_near, ..] = stimuli.readings.0;
        match self {
            High::Health => own.health,
            High::Enemies => f64::from(enemies).max(stimuli.foes.len() as f64),
            High::Weapon => own.weapon.index() as f64,
            High::Ammunition => f64::from(own.ammo[own.weapon.index()]),
            High::Damaged => f64::from(u8::from(!percept.hits.is_empty())),
            High::Weapons => (0..3).map(|k| f64::from(u8::from(own.weapons[k]) << k)).sum(),
            High::Usable => {
                let usable = |k: usize| own.weapons[k] && own.ammo[k] > 0;
                (0..3).map(|k| f64::from(u8::from(usable(k)) << k)).sum()
            }
            High::Armed => f64::from(armed),
            High::Noise => f64::from(noise),
            High::WeaponNear => f64::from(weapon_near),
            High::HealthNear => f64::from(health_near),
            High::EnemyDistance => stimuli.foe().map_or(f64::INFINITY, |foe| foe.distance_m),
            High::InView => stimuli.foes.iter().filter(|foe| foe.in_view).count() as f64,
            High::Lost => f64::from(u8::from(scene.leads.trail.is_some())),
            High::Match => 0.0,
        }
    }
}

impl Low {
    /// Whether there may be more than one.
    fn most(self) -> usize {
        match self {
            Low::Player | Low::Weapon | Low::Health | Low::Point => usize::MAX,
            Low::Ray => RAYS,
            _ => 1,
        }
    }

    /// Fills the slots with what there is.
    fn look(self, scene: &Scene<'_>, slots: usize, out: &mut Vec<Option<Sighting>>) {
        let Scene { percept, stimuli, leads, course } = *scene;
        let level = Sighting { pitch: stimuli.level, in_view: true, ..Sighting::default() };
        let end = out.len() + slots;
        let toward = |yaw: f64| Some(Sighting { yaw, ..level });
        let seen_at = |bearing: &Bearing| {
            let Bearing { yaw, pitch, distance_m } = *bearing;
            Some(Sighting { yaw, pitch, distance_m, ..level })
        };
        let [_, _, _, _, _, weapon_near, health_near, ..] = stimuli.readings.0;
        let way = |way: Option<Way>, near: u32| {
            way.map(|way| Sighting { yaw: way.yaw, jump: way.jump, wait: way.wait, near: near == 1, ..level })
        };
        match self {
            Low::Player => out.extend(stimuli.foes.iter().take(slots).map(|foe| {
                Some(Sighting {
                    yaw: foe.yaw,
                    pitch: foe.pitch,
                    distance_m: foe.distance_m,
                    velocity: foe.velocity,
                    in_view: foe.in_view,
                    seen_secs: if foe.in_view { foe.seen_secs } else { -1.0 },
                    ..level
                })
            })),
            Low::Weapon | Low::Health => {
                let wanted = |item: Item| self == if item.is_health() { Low::Health } else { Low::Weapon };
                let items = percept.items.iter().filter(|seen| seen.present && wanted(seen.item));
                let mut bearings: Vec<Bearing> = items
                    .map(|seen| percept.own.bearing(seen.position + DVec3::new(0.0, 0.0, 0.5)))
                    .collect();
                bearings.sort_by(|a, b| a.distance_m.total_cmp(&b.distance_m));
                out.extend(bearings.iter().take(slots).map(seen_at));
            }
            Low::Point => out.extend(stimuli.points.iter().take(slots).map(seen_at)),
            Low::Ray => out.extend((0..slots).map(|ray| {
                let yaw = crate::wrap_angle(ray as f64 * std::f64::consts::TAU / RAYS as f64);
                Some(Sighting { yaw, distance_m: percept.rays_m[ray], ..level })
            })),
            Low::WayWeapon => out.push(way(stimuli.weapon, weapon_near)),
            Low::WayHealth => out.push(way(stimuli.health, health_near)),
            Low::WayUnexplored => out.push(way(stimuli.unexplored, 0)),
            Low::Hunt => out.push(way(stimuli.hunt, 0)),
            Low::Trail => out.push(way(leads.trail, 0)),
            Low::Heard => {
                let turned = |(yaw, seen_secs)| Sighting { yaw, seen_secs, ..level };
                out.push(leads.heard.map(turned));
            }
            Low::Alarm => out.push(stimuli.alarm.and_then(toward)),
            Low::Course => out.push(course.map(|yaw| {
                let ray = (yaw / std::f64::consts::TAU * RAYS as f64).round().rem_euclid(RAYS as f64);
                Sighting { yaw, distance_m: percept.rays_m[ray as usize], ..level }
            })),
            Low::Ahead => out.push(Some(Sighting { is_ahead: true, ..level })),
        }
        let others = out.iter_mut().skip(end - slots + 1).flatten();
        others.for_each(|sighting| sighting.is_other = true);
        out.resize(end, None);
    }
}

impl Look {
    fn words(self) -> &'static [&'static [&'static str]] {
        match self {
            Look::Yaw | Look::Pitch | Look::Distance | Look::Seen | Look::Leg => &[],
            Look::Moving => &[MOVING, MOVING_IN_EIGHT],
            Look::Running => &[&["standing", "toward", "left", "away", "right"]],
            Look::Weapon => &[WEAPONS],
            Look::Loaded => &[LOADED, LOADED_OR_CRAMPED],
            Look::InView | Look::Jump | Look::Wait | Look::Near | Look::Ready | Look::Along | Look::First => {
                &[YES_NO]
            }
        }
    }

    /// What is read on an axis of `of` values.
    fn read(self, sighting: &Sighting, scene: &Scene<'_>, of: usize) -> f64 {
        let Scene { stimuli, course, .. } = *scene;
        let yes = |is: bool| f64::from(u8::from(is));
        match self {
            Look::Yaw => sighting.yaw.to_degrees(),
            Look::Pitch => sighting.pitch.to_degrees(),
            Look::Distance => sighting.distance_m,
            Look::Moving => {
                let DVec2 { x: away, y: left } = sighting.velocity;
                if libm::hypot(away, left) < STANDING_M_PER_SEC {
                    0.0
                } else if of == MOVING_IN_EIGHT.len() {
                    1.0 + (libm::atan2(left, away) / FRAC_PI_4).round().rem_euclid(8.0)
                } else {
                    match left {
                        left if left > STANDING_M_PER_SEC => 1.0,
                        left if left < -STANDING_M_PER_SEC => 2.0,
                        _ => 0.0,
                    }
                }
            }
            Look::InView => yes(sighting.in_view),
            Look::Jump => yes(sighting.jump),
            Look::Wait => yes(sighting.wait),
            Look::Near => yes(sighting.near),
            Look::Leg => scene.leads.leg_m,
            Look::First => yes(!sighting.is_other),
            Look::Seen => sighting.seen_secs,
            Look::Ready => yes(stimuli.ready),
            Look::Loaded => {
                let strong = arms::row(stimuli.weapon_in_hand).bursts();
                let cramped = strong
                    && of == LOADED_OR_CRAMPED.len()
                    && Blast::HAND.is_cramped(scene.percept.rays_m[0]);
                yes(stimuli.ready) * (1 + usize::from(cramped) + stimuli.weapon_in_hand.index()) as f64
            }
            Look::Weapon => stimuli.weapon_in_hand.index() as f64,
            Look::Along => {
                yes(course.is_some_and(|course| crate::wrap_angle(course - sighting.yaw).abs() < STRAIGHT))
            }
            Look::Running => stimuli.running.map_or(0.0, |running| {
                let off = crate::wrap_angle(running - sighting.yaw);
                1.0 + (off / std::f64::consts::FRAC_PI_2).round().rem_euclid(4.0)
            }),
        }
    }
}

/// A number must be in bins, a word have the values that characters know.
pub(super) fn check(name: &str, bins: &Bins, words: &[&[&str]]) -> Result<(), CannotSense> {
    let remedy = match (bins, words.first()) {
        (Bins::Edges(_), None) => return Ok(()),
        (Bins::Values(given), Some(_)) if words.iter().any(|words| given.iter().eq(*words)) => return Ok(()),
        (_, Some(words)) => {
            let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
            format!("write values = [{}]", quoted.join(", "))
        }
        (Bins::Values(_), None) => {
            "it is a number: write edges = [...], the numbers between one value and the next".to_owned()
        }
    };
    Err(CannotSense { what: format!("`{name}` has other values than characters know"), remedy })
}

fn unknown(kind: &str, word: &str, known: &str) -> CannotSense {
    CannotSense { what: format!("characters know no {kind} `{word}`"), remedy: format!("use {known}") }
}

impl Senses {
    /// Connects a model's stimuli, or says which one characters do not have.
    pub fn of(model: &Model) -> Result<Self, CannotSense> {
        let mut senses = Senses { high: Vec::new(), low: Vec::new() };
        for stimulus in model.high() {
            let axis = |axis: &Axis| {
                let word = High::named(&axis.of)
                    .ok_or_else(|| unknown("high-level stimulus", &axis.of, &High::list()))?;
                check(&stimulus.name, &axis.bins, word.words())?;
                Ok((word, axis.clone()))
            };
            senses.high.push(stimulus.axes.iter().map(axis).collect::<Result<_, CannotSense>>()?);
        }
        for stimulus in model.low() {
            let word = Low::named(&stimulus.from)
                .ok_or_else(|| unknown("low-level stimulus", &stimulus.from, &Low::list()))?;
            if stimulus.slots > word.most() {
                return Err(CannotSense {
                    what: format!("`{}` has {} slots", stimulus.name, stimulus.slots),
                    remedy: format!("there is never more than {}: write slots = {0}", word.most()),
                });
            }
            let axis = |axis: &Axis| {
                let look = Look::named(&axis.of)
                    .ok_or_else(|| unknown("property of a stimulus", &axis.of, &Look::list()))?;
                check(&axis.of, &axis.bins, look.words())?;
                Ok((look, axis.clone()))
            };
            let axes = stimulus.axes.iter().map(axis).collect::<Result<_, CannotSense>>()?;
            senses.low.push(LowSense { word, axes, slots: stimulus.slots });
        }
        Ok(senses)
    }

    /// Whether its own course is one of the things it may attend to.
    pub fn has_course(&self) -> bool {
        self.low.iter().any(|sense| sense.word == Low::Course)
    }

    /// What is sensed.
    pub fn read(&self, scene: &Scene<'_>) -> Sensed {
        let mut sensed = Sensed::default();
        let value = |axes: &Vec<(High, Axis)>| {
            let one = |value, (word, axis): &(High, Axis)| value * axis.count() + axis.bin(word.read(scene));
            axes.iter().fold(0, one) as u16
        };
        sensed.high.extend(self.high.iter().map(value));
        let mut found = Vec::new();
        for LowSense { word, axes, slots } in &self.low {
            found.clear();
            word.look(scene, *slots, &mut found);
            for sighting in &found {
                sensed.low.push(sighting.map(|sighting| {
                    let value = axes.iter().fold(0, |value, (look, axis)| {
                        value * axis.count() + axis.bin(look.read(&sighting, scene, axis.count()))
                    });
                    value as u16
                }));
                sensed.sightings.push(sighting.unwrap_or_default());
            }
        }
        sensed
    }
}

/// The weapon of an index, as reflexive actions and high-level stimuli count them.
pub fn weapon(index: u16) -> Weapon {
    Weapon::ALL[usize::from(index).min(Weapon::ALL.len() - 1)]
}

#[cfg(test)]
mod tests;
