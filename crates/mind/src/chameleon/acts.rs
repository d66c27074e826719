//! What a CHAMELEON character does: the words of a model's actions, to and from commands.
//!
//! | word      | what it is of a command                                                   | bins or values                      |
//! |-----------|---------------------------------------------------------------------------|-------------------------------------|
//! | `weapon`  | the weapon it wants in hand (reflexive)                                   | weak, medium, strong                |
//! | `fire`    | the trigger                                                               | no, yes; or none, primary, secondary |
//! | `jump`    | whether it jumps                                                          | no, yes                             |
//! | `yaw`, `pitch` | how far it turns and tilts, in degrees                               | edges                               |
//! | `walk`    | backward or forward                                                       | back, none, ahead                   |
//! | `lateral` | to the sides                                                              | right, none, left                   |
//! | `pace`    | the share of full speed                                                   | edges                               |
//! | `run`     | one of eight directions, half-way through the turn, or standing           | see [`RUNS`]                        |
//!
//! `yaw`, `pitch` and `run` may be *seen from the stimulus*: what counts is then the angle between the command and the
//! stimulus attended to, so that aiming at it is one value wherever it is, and as accurate as the bins are fine. Differs
//! from the paper, which bins the turn itself, and whose characters do not aim accurately (section 4.4.3.3). Where a teacher
//! never turned by more than some angle at a time, a stimulus beyond it is taken to be that far: to turn to it as fast
//! as one can is then the same value as to face it. Where a teacher runs by keys, in eight directions from its body, a
//! stimulus is taken to lie in the nearest of them: see [`Body`].

use std::collections::BTreeMap;
use std::f64::consts::{FRAC_PI_4, TAU};

use repertoire_chameleon::Body;
use repertoire_chameleon::model::{Action, Bins, Model, SeenFrom};
use repertoire_prob::Stream;
use serde::{Deserialize, Serialize};

use super::senses::{Sighting, check, weapon};
use crate::tasks::CannotSense;
use crate::{Command, Fire, Own, Weapon, turn_between, wrap_angle};

/// The values of `run`: eight directions counter-clockwise, and standing.
pub const RUNS: [&str; 9] =
    ["ahead", "ahead_left", "left", "back_left", "back", "back_right", "right", "ahead_right", "standing"];
/// The same in finer steps: degrees counter-clockwise, and standing.
pub const FINE_RUNS: [&str; 25] = [
    "0", "15", "30", "45", "60", "75", "90", "105", "120", "135", "150", "165", "180", "195", "210", "225",
    "240", "255", "270", "285", "300", "315", "330", "345", "standing",
];
/// A run this near to the direction of a key is one by keys: half a degree.
const KEY_TOLERANCE: f64 = std::f64::consts::PI / 360.0;
/// Less than this share of full speed is standing.
const STANDING_BELOW: f64 = 0.25;
/// A bin around 0 that is no wider than this is 0.
const EXACT_DEG: f64 = 0.5;
/// The outermost bins of a turn end at this multiple of where they begin.
const OUTERMOST: f64 = 2.0;

/// Stands for a run that was none, in degrees.
pub(super) const STOOD: f64 = 1000.0;
/// Within which hands do the same: where a stimulus is seen and what was turned before (the inverse hyperbolic sine of degrees, so that small
/// angles count in full and large ones by their share), a run in degrees, a share of full speed.
const SEEN_WIDTH: f64 = 0.3;
const BEFORE_WIDTH: f64 = 0.4;
const RUN_SEEN_DEG: f64 = 40.0;
const RUN_BEFORE_DEG: f64 = 8.0;
const PACE_WIDTH: f64 = 0.1;
/// By how much holding still differs from moving a little.
const STILL: f64 = 2.0;

/// What a model's actions are of a command.
#[derive(Clone, Debug)]
pub struct Acts {
    reflexive: usize,
    external: Vec<(Word, Action)>,
    /// Groups that turn the view, by number.
    looking: Vec<usize>,
    body: Body,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Fire,
    Jump,
    Yaw,
    Pitch,
    Walk,
    Lateral,
    Run,
    Pace,
}

impl Word {
    const ALL: [(&str, Word); 8] = [
        ("fire", Word::Fire),
        ("jump", Word::Jump),
        ("yaw", Word::Yaw),
        ("pitch", Word::Pitch),
        ("walk", Word::Walk),
        ("lateral", Word::Lateral),
        ("run", Word::Run),
        ("pace", Word::Pace),
    ];

    /// The words it may have; none for a number.
    fn words(self) -> &'static [&'static [&'static str]] {
        match self {
            Word::Fire => &[&["no", "yes"], &["none", "primary", "secondary"]],
            Word::Jump => &[&["no", "yes"]],
            Word::Walk => &[&["back", "none", "ahead"]],
            Word::Lateral => &[&["right", "none", "left"]],
            Word::Run => &[&RUNS, &FINE_RUNS],
            Word::Yaw | Word::Pitch | Word::Pace => &[],
        }
    }

    fn may_be_seen_from_stimulus(self) -> bool {
        matches!(self, Word::Yaw | Word::Pitch | Word::Run)
    }
}

impl Acts {
    /// Connects a model's actions, or says which one characters cannot do.
    pub fn of(model: &Model) -> Result<Self, CannotSense> {
        for action in model.reflexive() {
            if action.from != "weapon" {
                return Err(CannotSense {
                    what: format!("characters have no reflexive action `{}`", action.from),
                    remedy: "use weapon".to_owned(),
                });
            }
            check(&action.name, &action.bins, &[&["weak", "medium", "strong"]])?;
        }
        let connect = |action: &Action| {
            let known = Word::ALL.iter().find(|(name, _)| *name == action.from);
            let &(_, word) = known.ok_or_else(|| CannotSense {
                what: format!("characters have no external action `{}`", action.from),
                remedy: format!("use {}", Word::ALL.map(|(name, _)| name).join(", ")),
            })?;
            check(&action.name, &action.bins, word.words())?;
            if action.seen_from == SeenFrom::Stimulus && !word.may_be_seen_from_stimulus() {
                return Err(CannotSense {
                    what: format!("`{}` is the same wherever the stimulus is", action.name),
                    remedy: "leave out seen_from; yaw, pitch and run may have it".to_owned(),
                });
            }
            Ok((word, action.clone()))
        };
        let external: Vec<_> = model.external().iter().map(connect).collect::<Result<_, _>>()?;
        let shapes = &model.layout().shape().external;
        let looks =
            external.iter().zip(shapes).filter(|((word, _), _)| matches!(word, Word::Yaw | Word::Pitch));
        let looking = looks.filter_map(|(_, shape)| shape.group).collect();
        Ok(Acts { reflexive: model.reflexive().len(), external, looking, body: Body::default() })
    }

    /// The same actions, done by such a body.
    pub fn with(self, body: Body) -> Self {
        Acts { body, ..self }
    }

    /// Whether a group of actions turns the view.
    pub fn looks_by(&self, group: usize) -> bool {
        self.looking.contains(&group)
    }

    /// How far an action goes at most, in radians.
    fn most(&self, action: usize) -> f64 {
        self.body.reach.get(action).copied().flatten().map_or(std::f64::consts::PI, f64::to_radians)
    }

    /// The value of each reflexive action of a command.
    pub fn reflexive(&self, own: &Own, command: &Command) -> Vec<u16> {
        vec![command.weapon.unwrap_or(own.weapon).index() as u16; self.reflexive]
    }

    /// The value of an external action of a command, for one who attends to this.
    pub fn value(&self, action: usize, command: &Command, sighting: &Sighting) -> u16 {
        let (word, of) = &self.external[action];
        let number = match word {
            Word::Run => {
                let from = seen_by(of, sighting);
                self.run_of(command, from.yaw, of.count() - 1) as f64
            }
            _ => self.did(action, command, sighting),
        };
        of.bins.bin(number) as u16
    }

    /// What a command did of an action, for one who attends to this: the number that its bins divide; of a run the degrees from where
    /// the stimulus is, or [`STOOD`].
    pub(super) fn did(&self, action: usize, command: &Command, sighting: &Sighting) -> f64 {
        let most = self.most(action);
        let (word, action) = &self.external[action];
        let from = seen_by(action, sighting);
        let third = |speed: f64| 1.0 + f64::from(i8::from(speed > 0.3)) - f64::from(i8::from(speed < -0.3));
        match word {
            Word::Fire => match command.fire {
                Fire::None => 0.0,
                Fire::Primary => 1.0,
                Fire::Secondary => (action.count() - 1) as f64,
            },
            Word::Jump => f64::from(u8::from(command.jump)),
            Word::Yaw => wrap_angle(command.yaw - from.yaw.clamp(-most, most)).to_degrees(),
            Word::Pitch => (command.pitch - from.pitch.clamp(-most, most)).to_degrees(),
            Word::Walk => third(command.forward),
            Word::Lateral => third(command.lateral),
            Word::Run if !runs(command) => STOOD,
            Word::Run => wrap_angle(self.heading(command) - self.seen_by_legs(from.yaw)).to_degrees(),
            Word::Pace => libm::hypot(command.forward, command.lateral),
        }
    }

    /// Where the stimulus of an action is seen, in degrees; 0 for an action that is the same wherever that is.
    pub(super) fn seen(&self, action: usize, sighting: &Sighting) -> f64 {
        let (word, action) = &self.external[action];
        let from = seen_by(action, sighting);
        match word {
            Word::Yaw | Word::Run => wrap_angle(from.yaw).to_degrees(),
            Word::Pitch => from.pitch.to_degrees(),
            _ => 0.0,
        }
    }

    /// What hands did a moment ago, in the terms of an action: of a run, the degrees from where the stimulus is now to where one ran.
    pub(super) fn before(&self, action: usize, last: &LastDone, own: &Own, sighting: &Sighting) -> f64 {
        let (word, of) = &self.external[action];
        match word {
            Word::Yaw => last.command.yaw.to_degrees(),
            Word::Pitch => last.command.pitch.to_degrees(),
            Word::Run => match last.course.seen_from(own) {
                None => STOOD,
                Some(course) => wrap_angle(course - seen_by(of, sighting).yaw).to_degrees(),
            },
            _ => self.did(action, &last.command, sighting),
        }
    }

    /// Where a stimulus is seen and what was done before, as coordinates: within a distance of 1 hands do the same.
    pub(super) fn coordinates(&self, action: usize, [seen, before]: [f64; 2], out: &mut Vec<f64>) {
        let around = |degrees: f64, width_deg: f64| {
            let (sin, cos) = libm::sincos(degrees.to_radians());
            let radius = 1.0 / width_deg.to_radians();
            [radius * cos, radius * sin]
        };
        match self.external[action].0 {
            Word::Yaw | Word::Pitch => {
                out.extend([libm::asinh(seen) / SEEN_WIDTH, libm::asinh(before) / BEFORE_WIDTH]);
                // Who held still differs from who moved a little.
                out.push(if before == 0.0 { STILL } else { 0.0 });
            }
            Word::Run => {
                out.extend(around(seen, RUN_SEEN_DEG));
                out.extend(if before == STOOD { [0.0; 2] } else { around(before, RUN_BEFORE_DEG) });
            }
            Word::Pace => out.push(before / PACE_WIDTH),
            _ => out.push(before),
        }
    }

    /// The value that a number of an action has.
    pub(super) fn bin(&self, action: usize, did: f64) -> u16 {
        let (word, action) = &self.external[action];
        match word {
            Word::Run => {
                let all = action.count() - 1;
                if did == STOOD {
                    all as u16
                } else {
                    (did / 360.0 * all as f64).round().rem_euclid(all as f64) as u16
                }
            }
            _ => action.bins.bin(did) as u16,
        }
    }

    /// No faster than the body was ever seen to run.
    pub(super) fn slow_down(&self, command: &mut Command) {
        let fastest = self.body.paces.iter().flatten().copied().fold(0.0, f64::max);
        let pace = libm::hypot(command.forward, command.lateral);
        if fastest > 0.0 && pace > fastest {
            (command.forward, command.lateral) =
                (command.forward / pace * fastest, command.lateral / pace * fastest);
        }
    }

    fn heading(&self, command: &Command) -> f64 {
        match self.body.by_keys {
            true => nearest_key(libm::atan2(command.lateral, command.forward)),
            false => command.heading(),
        }
    }

    /// The command of the values of all external actions, each with the stimulus that its group attends to; none
    /// where nothing is known.
    pub fn command(&self, values: &[Option<(u16, Sighting)>], draw: &mut Stream) -> Command {
        self.carry_out(values, &[], draw)
    }

    /// The same, carried out as hands did it: a number for each action, where there is one.
    pub(super) fn carry_out(
        &self,
        values: &[Option<(u16, Sighting)>],
        done: &[Option<f64>],
        draw: &mut Stream,
    ) -> Command {
        let mut command = Command::default();
        let mut run: Option<f64> = None;
        let mut pace = 1.0;
        for (number, ((word, action), chosen)) in self.external.iter().zip(values).enumerate() {
            let most = self.most(number);
            let Some((value, sighting)) = *chosen else { continue };
            let value = usize::from(value);
            let done = done.get(number).copied().flatten();
            let from = seen_by(action, &sighting);
            let third = value as f64 - 1.0;
            match word {
                Word::Fire => {
                    command.fire = match value {
                        0 => Fire::None,
                        1 => Fire::Primary,
                        _ => Fire::Secondary,
                    };
                }
                Word::Jump => command.jump = value == 1,
                Word::Yaw => {
                    let within = done.map(f64::to_radians);
                    let within = within.unwrap_or_else(|| angle_within(action, value, from.is_ahead, draw));
                    let turn = from.yaw.clamp(-most, most) + within;
                    command.yaw = wrap_angle(turn).clamp(-most, most);
                }
                Word::Pitch => {
                    let within = done.map(f64::to_radians);
                    let within = within.unwrap_or_else(|| angle_within(action, value, false, draw));
                    let tilt = from.pitch.clamp(-most, most) + within;
                    command.pitch = tilt.clamp(-most, most);
                }
                Word::Pace => pace = done.unwrap_or_else(|| self.pace(action, value, draw)),
                Word::Walk => command.forward = third,
                Word::Lateral => command.lateral = third,
                Word::Run => {
                    let directions = action.count() - 1;
                    let turned = done.map_or(value as f64 / directions as f64 * TAU, f64::to_radians);
                    run = (value < directions).then(|| self.seen_by_legs(from.yaw) + turned);
                }
            }
        }
        if let Some(direction) = run {
            // The body turns while it runs: who can keeps the direction half-way through.
            let direction = match self.body.by_keys {
                true => nearest_key(direction),
                false => direction - command.yaw / 2.0,
            };
            let (sin, cos) = libm::sincos(direction);
            (command.forward, command.lateral) = (pace * cos, pace * sin);
        }
        command
    }

    /// A pace of a bin: one that was run in it, or where that is not known its middle, within what legs can do.
    fn pace(&self, action: &Action, value: usize, draw: &mut Stream) -> f64 {
        match self.body.paces.get(value).map_or(&[][..], |paces| paces) {
            [] => pace_of(action, value),
            [pace] => *pace,
            paces => paces[((draw.unit() * paces.len() as f64) as usize).min(paces.len() - 1)],
        }
    }

    /// Where legs see something: those that run by keys, in the nearest of eight directions.
    fn seen_by_legs(&self, yaw: f64) -> f64 {
        if self.body.by_keys { nearest_key(yaw) } else { yaw }
    }

    /// The direction of a run as seen from a yaw, one of this many, or standing.
    fn run_of(&self, command: &Command, from_yaw: f64, directions: usize) -> usize {
        if !runs(command) {
            return directions;
        }
        let off = wrap_angle(self.heading(command) - self.seen_by_legs(from_yaw));
        let all = directions as f64;
        (off / TAU * all).round().rem_euclid(all) as usize
    }

    /// The command with the weapon that a reflexive action wants.
    pub fn reach_for(&self, own: &Own, values: &[u16], command: &mut Command) {
        if let Some(&wanted) = values.first() {
            let wanted = weapon(wanted);
            let loaded = own.weapons[wanted.index()] && own.ammo[wanted.index()] > 0;
            // The weak one is always at hand.
            let usable = wanted == Weapon::Weak || loaded;
            command.weapon = (usable && wanted != own.weapon).then_some(wanted);
        }
    }
}

/// From where an action is seen.
fn seen_by(action: &Action, sighting: &Sighting) -> Sighting {
    match action.seen_from {
        SeenFrom::Own => Sighting::default(),
        SeenFrom::Stimulus => *sighting,
    }
}

/// What hands did last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct LastDone {
    pub command: Command,
    pub course: Course,
}

/// Where somebody last meant to run: a yaw, or nowhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Course(Option<f64>);

impl Course {
    /// That of a command.
    pub fn of(own: &Own, command: &Command) -> Self {
        Course(runs(command).then(|| own.yaw + command.heading()))
    }

    /// The turn to face it.
    pub fn seen_from(self, own: &Own) -> Option<f64> {
        self.0.map(|yaw| turn_between(own.yaw, yaw))
    }
}

fn runs(command: &Command) -> bool {
    libm::hypot(command.forward, command.lateral) >= STANDING_BELOW
}

/// The farther of two, of which one may be unknown.
fn farther(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        _ => a.or(b),
    }
}

/// The nearest of the eight directions of keys.
fn nearest_key(direction: f64) -> f64 {
    (direction / FRAC_PI_4).round() * FRAC_PI_4
}

/// What is seen of a body: what it did so far.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct BodySeen {
    reach: Vec<Option<f64>>,
    runs: u64,
    off_keys: u64,
    /// For each bin of the pace, how often each share of full speed was run, in [`PACE_PARTS`].
    #[serde(default)]
    paces: Vec<BTreeMap<u32, u64>>,
}

/// Paces are counted in ten-thousandths of full speed.
const PACE_PARTS: f64 = 1e4;
/// As many paces of each bin are kept.
const PACES: u64 = 16;

impl BodySeen {
    /// Sees a command.
    pub fn see(&mut self, acts: &Acts, command: &Command) {
        let command = &command.sane();
        self.reach.resize(acts.external.len(), None);
        for (reach, (word, _)) in self.reach.iter_mut().zip(&acts.external) {
            let went = match word {
                Word::Yaw => command.yaw,
                Word::Pitch => command.pitch,
                _ => continue,
            };
            *reach = farther(*reach, Some(went.to_degrees().abs()));
        }
        if let Some((_, action)) = acts.external.iter().find(|(word, _)| *word == Word::Pace) {
            let pace = libm::hypot(command.forward, command.lateral);
            self.paces.resize(action.count(), BTreeMap::new());
            *self.paces[action.bins.bin(pace)].entry((pace * PACE_PARTS).round() as u32).or_default() += 1;
        }
        if runs(command) {
            let direction = libm::atan2(command.lateral, command.forward);
            self.runs += 1;
            self.off_keys += u64::from((direction - nearest_key(direction)).abs() > KEY_TOLERANCE);
        }
    }

    /// Sees what another watcher saw.
    pub fn add(&mut self, other: &BodySeen) {
        self.reach.resize(other.reach.len(), None);
        self.reach.iter_mut().zip(&other.reach).for_each(|(most, now)| *most = farther(*most, *now));
        self.paces.resize(self.paces.len().max(other.paces.len()), BTreeMap::new());
        for (paces, seen) in self.paces.iter_mut().zip(&other.paces) {
            seen.iter().for_each(|(&pace, &count)| *paces.entry(pace).or_default() += count);
        }
        self.runs += other.runs;
        self.off_keys += other.off_keys;
    }

    /// The body that did all this: it goes as far as it ever did, and runs by keys if hardly ever otherwise.
    pub fn body(&self) -> Body {
        Body {
            reach: self.reach.clone(),
            by_keys: self.runs > 0 && self.off_keys * 100 <= self.runs,
            paces: self.paces.iter().map(quantiles).collect(),
        }
    }
}

/// Paces in even steps of how often they were run; one if all are the same, none if there are none.
fn quantiles(counts: &BTreeMap<u32, u64>) -> Vec<f64> {
    let pace = |parts: u32| f64::from(parts) / PACE_PARTS;
    if counts.len() < 2 {
        return counts.keys().map(|&parts| pace(parts)).collect();
    }
    let all: u64 = counts.values().sum();
    let at = |step: u64| {
        let mut left = (2 * step + 1) * all / (2 * PACES);
        let found = counts.iter().find(|&(_, &count)| {
            let is_it = left < count;
            left = left.saturating_sub(count);
            is_it
        });
        found.map(|(&parts, _)| pace(parts))
    };
    (0..PACES).filter_map(at).collect()
}

/// The middle of a bin of the pace, within what legs can do.
fn pace_of(action: &Action, value: usize) -> f64 {
    let (least, most) = action.bins.bounds(value, (0.0, 1.0));
    (least + most.max(least)) / 2.0
}

/// An angle of a bin, in radians: anywhere in it, as the bins know no better. The outermost bins end where a turn that
/// people make ends. For a character that looks `ahead` already, the bin around 0 means not turning at all, as people do for a third
/// of the time; the same holds for a bin so narrow that it was made for standing still.
fn angle_within(action: &Action, value: usize, ahead: bool, draw: &mut Stream) -> f64 {
    let Bins::Edges(edges) = &action.bins else { return 0.0 };
    let reach = |edge: f64| (edge * OUTERMOST).clamp(-180.0, 180.0);
    let (low, high) = match (value.checked_sub(1).map(|k| edges[k]), edges.get(value)) {
        (Some(low), Some(&high)) => (low, high),
        (Some(low), None) => (low, reach(low)),
        (None, Some(&high)) => (reach(high), high),
        (None, None) => (0.0, 0.0),
    };
    let part = draw.unit();
    if low < 0.0 && high > 0.0 && (ahead || high - low <= EXACT_DEG) {
        return 0.0;
    }
    (low + (high - low) * part).to_radians()
}

#[cfg(test)]
mod tests;
