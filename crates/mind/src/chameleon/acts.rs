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
//! | `run`     | one of eight directions, half-way through the turn, or standing           | see [`RUNS`]                        |
//!
//! `yaw`, `pitch` and `run` may be *seen from the stimulus*: what counts is then the angle between the command and the
//! stimulus attended to, so that aiming at it is one value wherever it is, and as accurate as the bins are fine. Differs
//! from the paper, which bins the turn itself, and whose characters do not aim accurately (section 4.4.3.3).

use std::f64::consts::{FRAC_PI_4, TAU};

use repertoire_chameleon::model::{Action, Bins, Model, SeenFrom};
use repertoire_prob::Stream;

use super::senses::{Sighting, check, weapon};
use crate::tasks::CannotSense;
use crate::{Command, Fire, Own, wrap_angle};

/// The values of `run`: eight directions counter-clockwise, and standing.
pub const RUNS: [&str; 9] =
    ["ahead", "ahead_left", "left", "back_left", "back", "back_right", "right", "ahead_right", "standing"];
/// Less than this share of full speed is standing.
const STANDING_BELOW: f64 = 0.25;
const STANDING: usize = 8;
/// The outermost bins of a turn reach so many times as far as they begin.
const OUTERMOST: f64 = 2.0;

/// What a model's actions are of a command.
#[derive(Clone, Debug)]
pub struct Acts {
    reflexive: usize,
    external: Vec<(Word, Action)>,
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
}

impl Word {
    const ALL: [(&str, Word); 7] = [
        ("fire", Word::Fire),
        ("jump", Word::Jump),
        ("yaw", Word::Yaw),
        ("pitch", Word::Pitch),
        ("walk", Word::Walk),
        ("lateral", Word::Lateral),
        ("run", Word::Run),
    ];

    /// The words it may have; none for a number.
    fn words(self) -> &'static [&'static [&'static str]] {
        match self {
            Word::Fire => &[&["no", "yes"], &["none", "primary", "secondary"]],
            Word::Jump => &[&["no", "yes"]],
            Word::Walk => &[&["back", "none", "ahead"]],
            Word::Lateral => &[&["right", "none", "left"]],
            Word::Run => &[&RUNS],
            Word::Yaw | Word::Pitch => &[],
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
        Ok(Acts {
            reflexive: model.reflexive().len(),
            external: model.external().iter().map(connect).collect::<Result<_, _>>()?,
        })
    }

    /// The value of each reflexive action of a command.
    pub fn reflexive(&self, own: &Own, command: &Command) -> Vec<u16> {
        vec![command.weapon.unwrap_or(own.weapon).index() as u16; self.reflexive]
    }

    /// The value of an external action of a command, for one who attends to this.
    pub fn value(&self, action: usize, command: &Command, sighting: &Sighting) -> u16 {
        let (word, action) = &self.external[action];
        let from = match action.seen_from {
            SeenFrom::Own => Sighting::default(),
            SeenFrom::Stimulus => *sighting,
        };
        let third = |speed: f64| 1.0 + f64::from(i8::from(speed > 0.3)) - f64::from(i8::from(speed < -0.3));
        let reading = match word {
            Word::Fire => match command.fire {
                Fire::None => 0.0,
                Fire::Primary => 1.0,
                Fire::Secondary => (action.count() - 1) as f64,
            },
            Word::Jump => f64::from(u8::from(command.jump)),
            Word::Yaw => wrap_angle(command.yaw - from.yaw).to_degrees(),
            Word::Pitch => (command.pitch - from.pitch).to_degrees(),
            Word::Walk => third(command.forward),
            Word::Lateral => third(command.lateral),
            Word::Run => run_of(command, from.yaw) as f64,
        };
        action.bins.bin(reading) as u16
    }

    /// The command of the values of all external actions, each with the stimulus that its group attends to; none
    /// where nothing is known.
    pub fn command(&self, values: &[Option<(u16, Sighting)>], draw: &mut Stream) -> Command {
        let mut command = Command::default();
        let mut run: Option<f64> = None;
        for ((word, action), chosen) in self.external.iter().zip(values) {
            let Some((value, sighting)) = *chosen else { continue };
            let value = usize::from(value);
            let from = match action.seen_from {
                SeenFrom::Own => Sighting::default(),
                SeenFrom::Stimulus => sighting,
            };
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
                    command.yaw = wrap_angle(from.yaw + angle_within(action, value, from.is_ahead, draw))
                }
                Word::Pitch => command.pitch = from.pitch + angle_within(action, value, false, draw),
                Word::Walk => command.forward = third,
                Word::Lateral => command.lateral = third,
                Word::Run if value == STANDING => run = None,
                Word::Run => run = Some(from.yaw + value as f64 * FRAC_PI_4),
            }
        }
        if let Some(direction) = run {
            // The body turns while it runs, so the direction is kept half-way through.
            let (sin, cos) = libm::sincos(direction - command.yaw / 2.0);
            (command.forward, command.lateral) = (cos, sin);
        }
        command
    }

    /// The command with the weapon that a reflexive action wants.
    pub fn reach_for(&self, own: &Own, values: &[u16], command: &mut Command) {
        if let Some(&wanted) = values.first() {
            let wanted = weapon(wanted);
            let usable = own.weapons[wanted.index()] && own.ammo[wanted.index()] > 0;
            command.weapon = (usable && wanted != own.weapon).then_some(wanted);
        }
    }
}

/// The direction of a run, seen from a yaw, or standing.
fn run_of(command: &Command, from_yaw: f64) -> usize {
    if libm::hypot(command.forward, command.lateral) < STANDING_BELOW {
        return STANDING;
    }
    let direction = libm::atan2(command.lateral, command.forward) + command.yaw / 2.0 - from_yaw;
    (wrap_angle(direction) / TAU * 8.0).round().rem_euclid(8.0) as usize
}

/// An angle of a bin, in radians: anywhere in it, as the bins know no better. The outermost bins end where a turn that
/// people make ends. Of who looks `ahead` already, the bin around 0 is exactly still: people's views are, a third of the time.
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
    if ahead && low < 0.0 && high > 0.0 {
        return 0.0;
    }
    (low + (high - low) * part).to_radians()
}
