//! Motor variables: what a command says, discretised, and the tables that say what to do about a direction.
//!
//! | variable | values                                                           | of the command          |
//! |----------|------------------------------------------------------------------|-------------------------|
//! | turn     | 31 bins, fine around straight ahead, coarse behind               | `yaw`                   |
//! | tilt     | 13 bins, likewise                                                | `pitch`                 |
//! | run      | standing, or one of 8 directions, as keys give them              | `forward`, `lateral`    |
//! | fire     | no, yes                                                          | `fire`                  |
//! | jump     | no, yes                                                          | `jump`                  |
//!
//! `P(Turn | Dir)`, the distribution of the turn for something in a direction, is the target following of the thesis
//! (figure 3.3): a bell around the direction, as wide as a hand is unsteady. Differs from the paper: directions that
//! cannot be reached in one decision pull as far as a body turns, a part of the bell is spread over the way there, for
//! hands that are slower, and nothing is impossible, because other players' commands must never get probability 0.

use std::f64::consts::{PI, TAU};
use std::sync::LazyLock;

use repertoire_prob::num::{erfc, normalise};

use crate::{Command, Fire, wrap_angle};

/// How many turns there are.
pub const TURNS: usize = 31;
/// How many tilts there are.
pub const TILTS: usize = 13;
/// Standing, and eight directions.
pub const RUNS: usize = 9;
/// The value of `run` for standing; 0 to 7 are ahead and then counter-clockwise.
pub const STANDING: usize = 8;

/// The outer edges of the bins left of the middle one, in degrees.
const TURN_EDGES_DEG: [f64; 16] =
    [0.5, 1.5, 3.0, 5.0, 8.0, 12.0, 17.0, 23.0, 30.0, 38.0, 48.0, 60.0, 75.0, 100.0, 140.0, 180.0];
const TILT_EDGES_DEG: [f64; 7] = [1.0, 2.5, 5.0, 9.0, 16.0, 30.0, 180.0];

/// A body does not turn farther than this in one decision.
const MOST_TURN_DEG: f64 = 67.0;
/// The share of a bell that is spread between standing still and the direction.
const SLOWER: f64 = 0.15;
/// The share that is spread over everything.
const ANYTHING: f64 = 0.03;
/// Slower than this share of full speed is standing.
const STANDING_BELOW: f64 = 0.25;

/// Bins that lie around a middle one, which is the narrowest.
#[derive(Debug)]
pub struct Bins<const N: usize> {
    /// The edges, in radians; one more than there are bins.
    edges: Vec<f64>,
    /// `P(turn | direction)`, `[direction][turn]`.
    toward: Vec<[f64; N]>,
    uniform: [f64; N],
}

impl<const N: usize> Bins<N> {
    fn new(outer_deg: &[f64], steady_deg: f64, unsteady: f64) -> Self {
        let outer = outer_deg.iter().map(|edge| edge.to_radians());
        let mut edges: Vec<f64> = outer.clone().rev().map(|edge| -edge).collect();
        edges.extend(outer);
        assert_eq!(edges.len(), N + 1, "two edges for each bin");
        let width = edges[N] - edges[0];
        let uniform = std::array::from_fn(|bin| (edges[bin + 1] - edges[bin]) / width);
        let mut bins = Bins { edges, toward: Vec::new(), uniform };
        for direction in 0..N {
            let middle = bins.middle(direction);
            let aim = middle.clamp(-MOST_TURN_DEG.to_radians(), MOST_TURN_DEG.to_radians());
            let sd = steady_deg.to_radians() + unsteady * aim.abs();
            bins.toward.push(bins.bell(aim, sd));
        }
        bins
    }

    fn bell(&self, aim: f64, sd: f64) -> [f64; N] {
        let below = |x: f64| 0.5 * erfc(-(x - aim) / (sd * std::f64::consts::SQRT_2));
        let (low, high) = (aim.min(0.0), aim.max(0.0));
        let mut bell: [f64; N] = std::array::from_fn(|bin| {
            let (from, to) = (self.edges[bin], self.edges[bin + 1]);
            let partial = (to.min(high) - from.max(low)).max(0.0) / (high - low).max(1e-9);
            let slower = if high - low > 1e-9 { SLOWER } else { 0.0 };
            (1.0 - slower - ANYTHING) * (below(to) - below(from))
                + slower * partial
                + ANYTHING * (to - from) / TAU
        });
        normalise(&mut bell);
        bell
    }

    /// The bin of an angle.
    pub fn bin(&self, angle: f64) -> usize {
        let inner = &self.edges[1..N];
        inner.partition_point(|&edge| edge <= angle)
    }

    /// The edges of a bin.
    pub(super) fn edges(&self, bin: usize) -> (f64, f64) {
        (self.edges[bin], self.edges[bin + 1])
    }

    /// The middle of a bin.
    pub fn middle(&self, bin: usize) -> f64 {
        (self.edges[bin] + self.edges[bin + 1]) / 2.0
    }

    /// An angle within a bin: `exact` if that lies in it, otherwise `part` of the way from its lower to its upper edge.
    pub fn angle(&self, bin: usize, exact: Option<f64>, part: f64) -> f64 {
        if let Some(exact) = exact.filter(|&exact| self.bin(exact) == bin) {
            return exact;
        }
        self.edges[bin] + (self.edges[bin + 1] - self.edges[bin]) * part
    }

    /// `P(turn | something in this direction)`.
    pub fn toward(&self, direction: f64) -> &[f64; N] {
        &self.toward[self.bin(direction)]
    }

    /// Every bin in proportion to its width: any angle is as probable as any other.
    pub fn uniform(&self) -> &[f64; N] {
        &self.uniform
    }
}

/// The bins of turns.
pub static TURN: LazyLock<Bins<TURNS>> = LazyLock::new(|| Bins::new(&TURN_EDGES_DEG, 1.4, 0.07));
/// The bins of tilts.
pub static TILT: LazyLock<Bins<TILTS>> = LazyLock::new(|| Bins::new(&TILT_EDGES_DEG, 1.0, 0.07));

/// `P(run | something in this direction)` for each of the eight directions, `[direction][run]`.
pub static RUN: LazyLock<[[f64; RUNS]; 8]> = LazyLock::new(|| {
    std::array::from_fn(|direction| {
        let mut row = [0.004; RUNS];
        row[direction] += 0.88;
        row[(direction + 1) % 8] += 0.04;
        row[(direction + 7) % 8] += 0.04;
        normalise(&mut row);
        row
    })
});

/// The run that goes nearest to a direction.
pub fn run_toward(direction: f64) -> usize {
    // Rounded half away from 0, as `f64::round` does; at most four eighths of a turn to each side.
    let eighths = wrap_angle(direction) / (PI / 4.0);
    let whole = eighths as i32;
    let part = eighths - f64::from(whole);
    let nearest = whole + i32::from(part >= 0.5) - i32::from(part <= -0.5);
    (nearest & 7) as usize
}

/// A command, discretised.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Act {
    /// The turn itself, in radians.
    pub yaw: f64,
    /// Bin of the turn.
    pub turn: usize,
    /// Bin of the tilt.
    pub tilt: usize,
    /// Direction of the run.
    pub run: usize,
    /// Whether the trigger is pulled.
    pub fire: bool,
    /// Whether it jumps.
    pub jump: bool,
}

impl Act {
    /// What a command says.
    pub fn of(command: &Command) -> Self {
        let speed = libm::hypot(command.forward, command.lateral);
        let run = if speed < STANDING_BELOW {
            STANDING
        } else {
            run_toward(libm::atan2(command.lateral, command.forward))
        };
        Act {
            yaw: command.yaw,
            turn: TURN.bin(command.yaw),
            tilt: TILT.bin(command.pitch),
            run,
            fire: command.fire != Fire::None,
            jump: command.jump,
        }
    }
}

/// The forward and lateral speed of a run.
pub fn speeds(run: usize) -> (f64, f64) {
    if run == STANDING {
        return (0.0, 0.0);
    }
    let (sin, cos) = libm::sincos(run as f64 * PI / 4.0);
    (cos, sin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_angle_has_a_bin_and_every_row_is_a_distribution() {
        for tenth in -1800..=1800 {
            let angle = f64::from(tenth / 10).to_radians();
            let bin = TURN.bin(angle);
            assert!(TURN.edges[bin] <= angle + 1e-12 && angle <= TURN.edges[bin + 1] + 1e-12);
            assert_eq!(TURN.bin(TURN.angle(bin, None, 0.5)), bin);
        }
        for row in TURN.toward.iter().map(|row| &row[..]).chain(TILT.toward.iter().map(|row| &row[..])) {
            assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-12 && row.iter().all(|&p| p > 0.0));
        }
    }

    #[test]
    fn a_turn_goes_where_the_thing_is_as_far_as_a_body_turns() {
        let most = |row: &[f64]| repertoire_prob::draw::arg_max(row);
        for degrees in [-60.0f64, -20.0, 0.0, 4.0, 45.0] {
            let direction = degrees.to_radians();
            assert_eq!(most(TURN.toward(direction)), TURN.bin(direction), "{degrees}");
        }
        assert_eq!(most(TURN.toward(3.0)), TURN.bin(MOST_TURN_DEG.to_radians()));
    }

    #[test]
    fn commands_become_acts_and_runs_become_commands() {
        for run in 0..RUNS {
            let (forward, lateral) = speeds(run);
            let command = Command { forward, lateral, ..Command::default() };
            assert_eq!(Act::of(&command).run, run);
        }
        for step in -5_000..5_000 {
            let direction = f64::from(step) * PI / 1_600.0; // ends of eighths too
            let plain = (wrap_angle(direction) / (PI / 4.0)).round().rem_euclid(8.0) as usize;
            assert_eq!(run_toward(direction), plain, "{direction}");
        }
        assert_eq!(run_toward(-PI / 4.0), 7);
        assert_eq!(run_toward(PI), 4);
    }
}
