use std::f64::consts::{FRAC_PI_2, PI};

use proptest::prelude::*;
use repertoire_chameleon::model;

use super::*;

fn acts() -> Acts {
    Acts::of(&model::shipped("arena").expect("it ships")).expect("characters have its words")
}

/// The place of an action in the model.
fn place(acts: &Acts, word: Word) -> usize {
    acts.external.iter().position(|(known, _)| *known == word).expect("the model has it")
}

fn at(yaw: f64) -> Sighting {
    Sighting::toward(yaw, 0.0)
}

/// What a body that sees only this one thing does, for these values of two actions.
fn command(acts: &Acts, chosen: &[(Word, u16)], seen: Sighting) -> Command {
    let values: Vec<_> = acts
        .external
        .iter()
        .map(|(word, _)| chosen.iter().find(|(known, _)| known == word).map(|(_, value)| (*value, seen)))
        .collect();
    acts.command(&values, &mut Stream::new(1, 0, "acts"))
}

#[test]
fn a_slow_body_that_turns_as_fast_as_it_can_means_to_face_the_thing() {
    let slow = Body { reach: vec![Some(20.0); 6], by_keys: false, ..Body::default() };
    let (free, slow) = (acts(), acts().with(slow));
    let yaw = place(&free, Word::Yaw);
    let turn = Command { yaw: 20.0f64.to_radians(), ..Command::default() };
    let (_, action) = &free.external[yaw];
    let label = |value: u16| action.bins.label(value.into());
    assert_eq!(label(free.value(yaw, &turn, &at(FRAC_PI_2))), "-90..-40", "it stops 70 degrees short");
    assert_eq!(label(slow.value(yaw, &turn, &at(FRAC_PI_2))), "-0.1..0.1", "it cannot do more");
    let exactly = slow.value(yaw, &turn, &at(FRAC_PI_2));
    let done = command(&slow, &[(Word::Yaw, exactly)], at(-FRAC_PI_2));
    assert!((done.yaw.to_degrees() + 20.0).abs() < 1e-9, "{}", done.yaw.to_degrees());
}

#[test]
fn legs_that_run_by_keys_take_the_nearest_key() {
    let keys = acts().with(Body { reach: Vec::new(), by_keys: true, ..Body::default() });
    let run = place(&keys, Word::Run);
    let toward = command(&keys, &[(Word::Run, 0), (Word::Pace, 4)], at(0.6));
    assert!((libm::atan2(toward.lateral, toward.forward) - FRAC_PI_4).abs() < 1e-12);
    assert_eq!(keys.value(run, &toward, &at(0.6)), 0, "and that is towards the thing");
}

#[test]
fn a_body_is_known_by_what_it_did() {
    let acts = acts();
    let mut seen = BodySeen::default();
    let run = |direction: f64, yaw: f64| {
        let (lateral, forward) = libm::sincos(direction);
        Command { yaw, forward, lateral, ..Command::default() }
    };
    for k in 0..200 {
        seen.see(&acts, &run(f64::from(k) * FRAC_PI_4, 0.1));
    }
    seen.see(&acts, &run(0.3, -0.25));
    let body = seen.body();
    assert!(body.by_keys, "one of 201 is off the keys");
    let yaw = body.reach[place(&acts, Word::Yaw)].expect("it turned");
    assert!((yaw - 0.25f64.to_degrees()).abs() < 1e-12);
    for _ in 0..10 {
        seen.see(&acts, &run(0.3, f64::INFINITY));
    }
    assert!(!seen.body().by_keys);
    assert_eq!(seen.body().reach[place(&acts, Word::Yaw)], Some(yaw), "what no body does is not seen");
}

#[test]
fn it_goes_back_to_the_weapon_that_is_always_at_hand() {
    let mut own = Own { weapon: Weapon::Strong, ..Own::default() };
    own.weapons[Weapon::Strong.index()] = true;
    own.ammo[Weapon::Strong.index()] = 3;
    let wants = |own: &Own, value: u16| {
        let mut command = Command::default();
        acts().reach_for(own, &[value], &mut command);
        command.weapon
    };
    assert_eq!(wants(&own, 0), Some(Weapon::Weak));
    assert_eq!(wants(&own, 1), None, "it has no medium one");
    assert_eq!(wants(&own, 2), None, "it is in hand");
}

proptest! {
    /// What a body does for a value is of that value again, whatever it attends to and whatever body it is: else it would
    /// not do what it learned.
    #[test]
    fn values_come_back(
        yaw in 0..15u16, run in 0..25u16, seen in -PI..PI, by_keys: bool, reach in prop::option::of(60.0..180.0f64),
    ) {
        // By keys there are eight directions, and standing.
        let run = if by_keys { run / 3 * 3 } else { run };
        let acts = acts().with(Body { reach: vec![reach; 2], by_keys, ..Body::default() });
        let done = command(&acts, &[(Word::Yaw, yaw), (Word::Run, run), (Word::Pace, 4)], at(seen));
        prop_assert_eq!(acts.value(place(&acts, Word::Run), &done, &at(seen)), run);
        let beyond = reach.is_some_and(|most| done.yaw.to_degrees().abs() > most - 1e-9);
        if !beyond {
            prop_assert_eq!(acts.value(place(&acts, Word::Yaw), &done, &at(seen)), yaw);
        }
    }
}

#[test]
fn a_bin_of_the_pace_is_run_as_it_was_seen() {
    let acts = acts();
    let mut seen = BodySeen::default();
    for k in 0..30 {
        let forward = if k % 3 == 0 { 0.97 } else { 1.0 };
        seen.see(&acts, &Command { forward, ..Command::default() });
        seen.see(&acts, &Command { forward: 0.75, ..Command::default() });
    }
    let top = acts.value(place(&acts, Word::Pace), &Command { forward: 1.0, ..Command::default() }, &at(0.0));
    let paces = |acts: &Acts, value: u16| -> Vec<f64> {
        let mut draw = Stream::new(3, 0, "paces");
        let ahead = [(Word::Run, 0), (Word::Pace, value)];
        let values = acts.external.iter().map(|(word, _)| {
            ahead.iter().find(|(known, _)| known == word).map(|(_, value)| (*value, at(0.0)))
        });
        let values: Vec<_> = values.collect();
        (0..300).map(|_| acts.command(&values, &mut draw).forward).collect()
    };
    let pupil = acts.clone().with(seen.body());
    let run = paces(&pupil, top);
    let fast = run.iter().filter(|&&pace| pace == 1.0).count();
    assert!(run.iter().all(|&pace| pace == 1.0 || pace == 0.97), "nothing that was not seen");
    assert!((150..250).contains(&fast), "two thirds at full speed, not {fast} of 300");
    assert!(paces(&pupil, top - 2).iter().all(|&pace| pace == 0.75));
    assert!(paces(&acts, top).iter().all(|&pace| pace == 0.95), "without having seen, the middle");
    let mut halves = (BodySeen::default(), BodySeen::default());
    halves.0.see(&acts, &Command { forward: 1.0, ..Command::default() });
    halves.1.see(&acts, &Command { forward: 0.97, ..Command::default() });
    let (mut one, mut other) = (halves.0.clone(), halves.1.clone());
    one.add(&halves.1);
    other.add(&halves.0);
    assert_eq!(one.body().paces, other.body().paces, "however the work was divided");
}
