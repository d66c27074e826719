//! A teacher who runs rounds, and a pupil on the same map and on another.

use glam::{DVec2, DVec3};
use repertoire_prob::Stream;

use super::trail::{Here, Trail};
use super::*;
use crate::student::{Seen, Watch};
use crate::{Cells, Item, Percept, Places, Spot};

const PERIOD_SECS: f64 = 0.1;

fn places(x: f64) -> Places {
    let spot = Spot { item: Item::Health, position: DVec3::new(x, 0.0, 0.0), place: None };
    Places::new(vec![DVec3::ZERO], vec![vec![]], Cells::default(), vec![spot], vec![]).expect("one point")
}

/// Somebody on a round of 8 m, once in 50 decisions, looking ahead.
fn on_round(tick: u32) -> Percept {
    let turn = std::f64::consts::TAU / 50.0;
    let (sin, cos) = libm::sincos(turn * f64::from(tick));
    let mut percept = Percept { tick, period_secs: PERIOD_SECS, rays_m: [9.0; 8], ..Percept::default() };
    let own = &mut percept.own;
    (own.life, own.health, own.on_ground, own.eye_m) = (1, 100.0, true, 1.4);
    own.position = DVec3::new(8.0 * cos, 8.0 * sin, 0.0);
    own.velocity = DVec3::new(-sin, cos, 0.0) * 8.0 * turn / PERIOD_SECS;
    own.yaw = crate::wrap_angle(turn * f64::from(tick) + std::f64::consts::FRAC_PI_2);
    percept
}

fn taught(places: &Places) -> Moments {
    let mut watcher = MomentWatcher::default();
    watcher.begin();
    for tick in 0..300 {
        let command = Command { yaw: std::f64::consts::TAU / 50.0, forward: 1.0, ..Command::default() };
        let percept = on_round(tick);
        let seen = Seen { percept: &percept, command: &command, task: None, events: &[] };
        Watch::see(&mut watcher, seen, places);
    }
    watcher.finish().expect("there was play")
}

const IDLE: Intent = Intent {
    ahead: [None; 2],
    foe: None,
    foe_velocity: DVec3::ZERO,
    native: Command {
        yaw: 0.0,
        pitch: 0.0,
        forward: 0.0,
        lateral: 0.0,
        jump: false,
        fire: crate::Fire::None,
        weapon: None,
    },
    goal: None,
};

/// A body that runs where it wants at once, from a little beside the round.
fn play(moments: &Moments, places: &Places, ticks: u32, saves: bool) -> Vec<DVec3> {
    let (mut mimic, mut draw) = (Mimic::default(), Stream::new(3, 0, "pupil"));
    let mut percept = on_round(7);
    percept.own.position.x += 0.4;
    let mut way = Vec::new();
    for tick in 0..ticks {
        percept.tick = tick;
        if saves {
            let saved = serde_json::to_string(&mimic).expect("plain data");
            mimic = serde_json::from_str(&saved).expect("as it was");
        }
        let command = mimic.act(moments, &IDLE, (&percept, places), &mut draw);
        let own = &mut percept.own;
        let (sin, cos) = libm::sincos(own.yaw + command.yaw / 2.0);
        let wish = DVec2::new(
            command.forward * cos - command.lateral * sin,
            command.forward * sin + command.lateral * cos,
        );
        own.velocity = (wish * 10.0).extend(0.0);
        own.position += own.velocity * PERIOD_SECS;
        own.yaw = crate::wrap_angle(own.yaw + command.yaw);
        way.push(own.position);
    }
    way
}

#[test]
fn a_pupil_follows_the_trail_on_its_teachers_map_and_not_on_another() {
    let moments = taught(&places(1.0));
    let off = |way: &[DVec3]| way.iter().map(|at| (at.length() - 8.0).abs()).fold(0.0, f64::max);
    let way = play(&moments, &places(1.0), 150, false);
    assert!(off(&way) < 1.2, "it left the round by {} m", off(&way));
    let turned = |pair: &[DVec3]| pair[0].truncate().angle_to(pair[1].truncate());
    let rounds = way.windows(2).map(turned).sum::<f64>();
    assert!(rounds > 2.0 * std::f64::consts::TAU, "it went round {rounds} radians");
    let elsewhere = play(&moments, &places(2.0), 150, false);
    assert_ne!(way, elsewhere, "there are no trails on another map");
}

#[test]
fn a_pupil_does_nothing_over_and_over_that_its_teacher_did_once() {
    let (moments, places) = (taught(&places(1.0)), places(1.0));
    let mut trail = Trail::default();
    let mut draw = Stream::new(5, 0, "pupil");
    let mut times = [0_u32; 30];
    for tick in 0..900 {
        let own = on_round(tick).own;
        let here = Here { tick, period_secs: PERIOD_SECS, own: &own, foe: None, places: &places, goal: None };
        let on = trail.follow(&moments, &here, &mut draw).expect("every round is like the others");
        times[on / 10] += 1;
    }
    let [least, most] = [times.iter().min(), times.iter().max()].map(|times| times.copied().unwrap_or(0));
    assert!(least >= 10 && most <= 55, "of 30 on average, from {least} to {most}");
}

#[test]
fn hands_that_are_saved_at_every_tick_do_the_same() {
    let (moments, places) = (taught(&places(1.0)), places(1.0));
    assert_eq!(play(&moments, &places, 120, false), play(&moments, &places, 120, true));
}

#[test]
fn a_file_says_where_moments_were_lived_and_an_older_one_does_not() {
    let moments = taught(&places(1.0));
    let again = Moments::read(&moments.write()).expect("its own file");
    assert_eq!(again.write(), moments.write());
    assert_eq!((again.maps.len(), again.lived[0].map, again.lived[0].left), (1, Some(0), 299));
    let mut old: serde_json::Value = serde_json::from_str(&moments.write()).expect("JSON");
    old["format"] = "repertoire moments 1".into();
    let fields = old.as_object_mut().expect("an object");
    fields.remove("maps");
    fields.remove("lived");
    let old = Moments::read(&old.to_string()).expect("the version before");
    assert!(old.lived.iter().all(|lived| lived.map.is_none()) && old.len() == moments.len());
    let later = moments.write().replace("repertoire moments 2", "repertoire moments 9");
    assert!(Moments::read(&later).is_err_and(|error| error.0.contains("`repertoire moments 9`")));
}

#[test]
fn a_teleporter_ends_a_trail() {
    let mut watcher = MomentWatcher::default();
    watcher.begin();
    for tick in 0..40 {
        let mut percept = on_round(tick);
        percept.own.position.z = if tick < 25 { 0.0 } else { 9.0 };
        let command = Command::default();
        let seen = Seen { percept: &percept, command: &command, task: None, events: &[] };
        Watch::see(&mut watcher, seen, &places(1.0));
    }
    let moments = watcher.finish().expect("there was play");
    assert_eq!((moments.lived[0].left, moments.lived[25].left), (24, 14));
}

/// Somebody who fires whenever they aim at an opponent 10 m ahead, and aims at them in every other second.
fn marksman() -> Moments {
    let mut watcher = MomentWatcher::default();
    for tick in 0..400 {
        let mut percept = on_round(0);
        percept.tick = tick;
        let aims = (tick / 10) % 2 == 0;
        percept.own.yaw = if aims { 0.0 } else { 0.5 };
        let position = percept.own.position + DVec3::X * 10.0;
        percept.characters =
            vec![crate::SeenCharacter { id: 1, position, velocity: DVec3::ZERO, weapon: None }];
        let fire = if aims { crate::Fire::Primary } else { crate::Fire::None };
        watcher.see(&percept, &Command { fire, ..Command::default() });
    }
    watcher.finish().expect("there was play")
}

#[test]
fn how_often_somebody_fires_on_target_and_off_it_is_known_from_their_play() {
    let moments = marksman();
    // The last moment of a second on target turns away.
    assert!(moments.fires[1] > 0.9 && moments.fires[0] < 0.2, "{:?}", moments.fires);
    let again = Moments::read(&moments.write()).expect("its own file");
    assert_eq!(again.fires, moments.fires);
}

#[test]
fn a_moment_of_a_fight_is_done_again_only_in_a_fight() {
    let fights = marksman();
    let peace = taught(&places(1.0));
    let both = Moments::pooled(&[&fights, &peace]);
    let mut draw = Stream::new(1, 0, "alike");
    for k in (0..both.len()).step_by(7) {
        let chosen = both.alike(None, &both.situations[k], &mut draw);
        assert_eq!(both.deeds[chosen].foe.is_some(), both.deeds[k].foe.is_some());
    }
    let alone = peace.alike(None, &fights.situations[0], &mut draw);
    assert!(alone < peace.len(), "who never fought does something");
}
