//! A window of 4 s as numbers that do not depend on where it was: speeds, accelerations, turns, pitch, strafing, how alike one moment is
//! to the next; with buttons also fire, jumps and keys.
//!
//! Speeds are the recorded ones, where there are any. A player's place in a demo moves on by whole frames of their client (13 or 14 ms):
//! seven of them in one tenth of a second, eight in the next, so that speeds worked out from places differ by 14 % from one moment to
//! the next, in each person's own rhythm. That tells clients apart, not people.

use repertoire_prob::num;

use super::trail::Instant;
use crate::signature::habits::STILL_DEG;
use crate::signature::{PERIOD_SECS, wrap_deg};

/// Steps in a window: 4 s at 10 Hz.
pub const WINDOW: usize = 40;
/// Slower than this is standing, in metres per second: 30 of Quake's units.
const STANDING: f64 = 30.0 / 32.0;
/// Whoever rises faster than this jumps or is thrown, in metres per second; stairs are slower.
const RISING: f64 = 3.0;

/// Numbers are rounded to this part of a unit: a tenth of a millimetre a second. A bot that runs at 7.04 m/s is off from that by 1e-15, how
/// often to which side depends on how its program rounds, and trees that see this tell two programs, not two ways to play.
const PARTS: f64 = 1e4;

/// The numbers of a window of [`WINDOW`] steps.
pub fn of(window: &[Instant], with_buttons: bool) -> Vec<f64> {
    let steps: Vec<Step> = window.windows(2).map(|pair| Step::of(&pair[0], &pair[1])).collect();
    let column = |pick: fn(&Step) -> f64| steps.iter().map(pick).collect::<Vec<f64>>();
    let share =
        |is: fn(&Step) -> bool| steps.iter().filter(|step| is(step)).count() as f64 / steps.len() as f64;
    let mut numbers = Vec::with_capacity(64);
    let speeds = column(|step| step.speed);
    let turns = column(|step| step.turn_deg);
    let sizes = column(|step| step.turn_deg.abs());
    let tilts = column(|step| step.tilt_deg);
    let pitches = column(|step| step.pitch_deg);
    spread(&speeds, &mut numbers);
    spread(&changes(&steps), &mut numbers);
    spread(&sizes, &mut numbers);
    numbers.push(share(|step| step.speed < STANDING));
    numbers.push(share(|step| step.turn_deg.abs() < STILL_DEG));
    numbers.push(share(|step| step.turn_deg.abs() > 5.0));
    numbers.push(share(|step| step.turn_deg.abs() > 15.0));
    numbers.push(reversals(&turns));
    numbers.push(runs_of(&steps, |step| step.turn_deg.abs() < STILL_DEG));
    numbers.extend([mean(&pitches), deviation(&pitches)]);
    numbers.push(mean(&tilts.iter().map(|tilt| tilt.abs()).collect::<Vec<_>>()));
    numbers.push(share(|step| step.tilt_deg.abs() < STILL_DEG));
    numbers.push(reversals(&tilts));
    let moving: Vec<&Step> = steps.iter().filter(|step| step.speed >= STANDING).collect();
    let of_moving = |pick: fn(&Step) -> f64| mean(&moving.iter().map(|step| pick(step)).collect::<Vec<_>>());
    numbers.push(of_moving(|step| num::cos(step.aside_deg.to_radians())));
    numbers.push(of_moving(|step| num::sin(step.aside_deg.to_radians()).abs()));
    numbers.push(of_moving(|step| f64::from(u8::from((45.0..135.0).contains(&step.aside_deg.abs())))));
    numbers.push(of_moving(|step| f64::from(u8::from(step.aside_deg.abs() >= 135.0))));
    let asides: Vec<f64> = moving.iter().map(|step| step.aside_deg).collect();
    numbers.push(asides.windows(2).filter(|pair| pair[0] * pair[1] < 0.0 && pair[0].abs() > 20.0).count() as f64);
    numbers.push(mean(&column(|step| step.rise.abs())));
    numbers.push(share(|step| step.rise > RISING));
    numbers.push(share(|step| step.rise < -RISING));
    for (of, lags) in [(&turns, &[1, 2, 5][..]), (&sizes, &[1, 3]), (&speeds, &[1, 5]), (&tilts, &[1])] {
        numbers.extend(lags.iter().map(|&lag| likeness(of, lag)));
    }
    if with_buttons {
        buttons(window, &mut numbers);
    }
    numbers.iter_mut().for_each(|number| *number = (*number * PARTS).round() / PARTS);
    numbers
}

/// What the numbers of a window are, in words, in their order.
pub fn names(with_buttons: bool) -> Vec<String> {
    let of = |what: &str, of: &[&str]| of.iter().map(|of| format!("{what}: {of}")).collect::<Vec<_>>();
    let spread = ["mean", "deviation", "10 %", "25 %", "median", "75 %", "90 %", "highest"];
    let mut names = of("speed, m/s", &spread);
    names.extend(of("acceleration, m/s2", &spread));
    names.extend(of("turn, degrees", &spread));
    let alone = [
        "standing",
        "view still",
        "turns above 5 degrees",
        "turns above 15 degrees",
        "reversals of the view",
        "still views begun",
        "pitch: mean",
        "pitch: deviation",
        "tilt, degrees",
        "pitch still",
        "reversals of the pitch",
        "runs ahead",
        "runs aside",
        "runs to the side",
        "runs backwards",
        "changes of side",
        "rise, m/s",
        "rising",
        "falling",
    ];
    names.extend(alone.map(str::to_owned));
    names.extend(of("turn like that before", &["0.1 s", "0.2 s", "0.5 s"]));
    names.extend(of("size of turn like that before", &["0.1 s", "0.3 s"]));
    names.extend(of("speed like that before", &["0.1 s", "0.5 s"]));
    names.extend(of("tilt like that before", &["0.1 s"]));
    if with_buttons {
        let buttons = [
            "fires",
            "begins to fire",
            "begins to jump",
            "jumps",
            "forward key",
            "back key",
            "side key",
            "changes of forward key",
            "changes of side key",
        ];
        names.extend(buttons.map(str::to_owned));
    }
    names
}

/// One step from a moment to the next.
struct Step {
    velocity: [f64; 2],
    speed: f64,
    rise: f64,
    turn_deg: f64,
    tilt_deg: f64,
    pitch_deg: f64,
    aside_deg: f64,
}

impl Step {
    fn of(now: &Instant, next: &Instant) -> Self {
        let part = |axis: usize| (next.at_m[axis] - now.at_m[axis]) / PERIOD_SECS;
        let (x, y) = (part(0), part(1));
        // A teleporter is no speed.
        let is_jump = (x * x + y * y).sqrt() > 40.0;
        let [x, y] = now.velocity_m.unwrap_or([x, y]);
        let (x, y, rise) = if is_jump { (0.0, 0.0, 0.0) } else { (x, y, part(2)) };
        Step {
            velocity: [x, y],
            speed: (x * x + y * y).sqrt(),
            rise,
            turn_deg: if is_jump { 0.0 } else { wrap_deg(next.yaw_deg - now.yaw_deg) },
            tilt_deg: if is_jump { 0.0 } else { next.pitch_deg - now.pitch_deg },
            pitch_deg: now.pitch_deg,
            aside_deg: wrap_deg(num::atan2(y, x).to_degrees() - now.yaw_deg),
        }
    }
}

/// How much the velocity changes from step to step, in metres per second squared.
fn changes(steps: &[Step]) -> Vec<f64> {
    let change = |pair: &[Step]| {
        let [x, y] = [0, 1].map(|axis| pair[1].velocity[axis] - pair[0].velocity[axis]);
        (x * x + y * y).sqrt() / PERIOD_SECS
    };
    steps.windows(2).map(change).collect()
}

fn mean(of: &[f64]) -> f64 {
    if of.is_empty() { 0.0 } else { of.iter().sum::<f64>() / of.len() as f64 }
}

fn deviation(of: &[f64]) -> f64 {
    let middle = mean(of);
    mean(&of.iter().map(|one| (one - middle) * (one - middle)).collect::<Vec<_>>()).sqrt()
}

/// Mean, deviation and quantiles.
fn spread(of: &[f64], numbers: &mut Vec<f64>) {
    let mut sorted = of.to_vec();
    sorted.sort_by(f64::total_cmp);
    let quantile = |share: f64| sorted[((sorted.len() - 1) as f64 * share).round() as usize];
    numbers.extend([mean(of), deviation(of)]);
    numbers.extend([0.1, 0.25, 0.5, 0.75, 0.9, 1.0].map(quantile));
}

/// The share of steps at which what turns turns the other way than before.
fn reversals(of: &[f64]) -> f64 {
    let turning: Vec<f64> = of.iter().copied().filter(|turn| turn.abs() >= STILL_DEG).collect();
    let turned = turning.windows(2).filter(|pair| pair[0] * pair[1] < 0.0).count();
    turned as f64 / turning.len().max(1) as f64
}

/// How many runs of steps there are.
fn runs_of(steps: &[Step], is: fn(&Step) -> bool) -> f64 {
    let began = steps.windows(2).filter(|pair| !is(&pair[0]) && is(&pair[1])).count();
    began as f64
}

/// The correlation with what came some steps later.
fn likeness(of: &[f64], lag: usize) -> f64 {
    let middle = mean(of);
    let all: f64 = of.iter().map(|one| (one - middle) * (one - middle)).sum();
    let both: f64 = of.iter().zip(&of[lag..]).map(|(one, later)| (one - middle) * (later - middle)).sum();
    if all < 1e-9 { 0.0 } else { both / all }
}

fn buttons(window: &[Instant], numbers: &mut Vec<f64>) {
    let share =
        |is: fn(&Instant) -> bool| window.iter().filter(|one| is(one)).count() as f64 / window.len() as f64;
    let begins = |is: fn(&Instant) -> bool| {
        window.windows(2).filter(|pair| !is(&pair[0]) && is(&pair[1])).count() as f64
    };
    numbers.extend([
        share(|one| one.fires),
        begins(|one| one.fires),
        begins(|one| one.jumps),
        share(|one| one.jumps),
    ]);
    numbers.extend([share(|one| one.forward > 0), share(|one| one.forward < 0), share(|one| one.side != 0)]);
    let changed = |pick: fn(&Instant) -> i8| {
        window.windows(2).filter(|pair| pick(&pair[0]) != pick(&pair[1])).count() as f64
    };
    numbers.extend([changed(|one| one.forward), changed(|one| one.side)]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(each: impl Fn(f64) -> Instant) -> Vec<f64> {
        let window: Vec<Instant> = (0..=WINDOW).map(|k| each(k as f64 * PERIOD_SECS)).collect();
        of(&window, true)
    }

    #[test]
    fn every_number_has_a_name() {
        for with_buttons in [false, true] {
            let window: Vec<Instant> = (0..=WINDOW).map(|_| Instant::default()).collect();
            assert_eq!(of(&window, with_buttons).len(), names(with_buttons).len());
        }
        let runs = walk(|secs| Instant { secs, at_m: [6.0 * secs, 0.0, 0.0], ..Instant::default() });
        let number = |name: &str| {
            let at = names(true).iter().position(|known| known == name).expect("it has such a name");
            runs[at]
        };
        assert!((number("speed, m/s: highest") - 6.0).abs() < 1e-9 && number("view still") == 1.0);
        assert!((number("runs ahead") - 1.0).abs() < 1e-9 && number("standing") == 0.0);
    }

    #[test]
    fn nobody_is_known_by_how_their_program_rounds() {
        let run = |last_bits: f64| {
            walk(|secs| Instant {
                secs,
                at_m: [7.04 * secs, 0.0, 0.0],
                velocity_m: Some([7.04 + last_bits, 0.0]),
                ..Instant::default()
            })
        };
        assert_eq!(run(0.0), run(2e-15));
        assert_ne!(run(0.0), run(0.01), "a centimetre a second is seen");
    }

    #[test]
    fn a_window_does_not_depend_on_the_place_or_the_direction() {
        let wiggle = |secs: f64| 40.0 * num::sin(3.0 * secs);
        let here = walk(|secs| Instant {
            secs,
            at_m: [8.0 * secs, 0.0, 0.0],
            yaw_deg: wiggle(secs),
            ..Instant::default()
        });
        let there = walk(|secs| Instant {
            secs,
            at_m: [50.0, 90.0 - 8.0 * secs, 3.0],
            yaw_deg: wiggle(secs) - 90.0,
            ..Instant::default()
        });
        assert!(here.iter().zip(&there).all(|(a, b)| (a - b).abs() < 1e-6), "{here:?}\n{there:?}");
        let slower = walk(|secs| Instant {
            secs,
            at_m: [4.0 * secs, 0.0, 0.0],
            yaw_deg: wiggle(secs),
            ..Instant::default()
        });
        assert!((here[0] - 8.0).abs() < 1e-9 && (slower[0] - 4.0).abs() < 1e-9);
    }
}
