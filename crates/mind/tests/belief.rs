//! What a character believes about opponents out of sight.

use glam::{DVec2, DVec3};
use repertoire_mind::{Beliefs, Cells, How, Link, Noise, Percept, Place, Places, SeenCharacter, Sound};

/// A corridor of eleven points, two metres apart; everybody sees four points far.
fn corridor() -> Places {
    let count = 11u16;
    let points: Vec<DVec3> = (0..count).map(|k| DVec3::new(f64::from(k) * 2.0, 0.0, 0.0)).collect();
    let link = |to: u16| Link { to: Place(to), how: How::Walk, millis: 250 };
    let beside = |k: u16| [k.checked_sub(1), Some(k + 1).filter(|&to| to < count)].into_iter().flatten();
    let links = (0..count).map(|k| beside(k).map(link).collect()).collect();
    let cells = Cells {
        origin: DVec2::new(-1.0, -1.0),
        size_m: 2.0,
        width: 11,
        place: (0..count).collect(),
        floor_m: vec![0.0; 11],
    };
    let places = Places::new(points, links, cells, Vec::new(), Vec::new()).expect("a corridor");
    places.learn_sight(|a, b| a.distance(b) <= 8.5);
    places
}

/// A player at the western end, looking east.
fn percept(tick: u32) -> Percept {
    let mut percept = Percept { tick, period_secs: 0.1, ..Percept::default() };
    percept.own.life = 1;
    percept
}

fn seen_at(x: f64, speed: f64) -> SeenCharacter {
    let (position, velocity) = (DVec3::new(x, 0.0, 0.0), DVec3::new(speed, 0.0, 0.0));
    SeenCharacter { id: 1, position, velocity, weapon: None }
}

fn mean_x(beliefs: &Beliefs) -> f64 {
    let total: f64 = beliefs.expected().iter().sum();
    (0..).zip(beliefs.expected()).map(|(k, p)| f64::from(k) * 2.0 * p).sum::<f64>() / total
}

#[test]
fn who_ran_away_is_believed_to_have_gone_on() {
    let places = corridor();
    let mut beliefs = Beliefs::new();
    let mut first = percept(0);
    first.characters.push(seen_at(8.0, 7.0));
    beliefs.update(&first, &places);
    assert_eq!(beliefs.expected().iter().sum::<f64>(), 0.0, "an opponent in view needs no belief");
    (1..8).for_each(|tick| beliefs.update(&percept(tick), &places));
    assert!((beliefs.expected().iter().sum::<f64>() - 1.0).abs() < 1e-9);
    assert!(mean_x(&beliefs) > 10.0, "{}", mean_x(&beliefs));
    let probable = beliefs.probable(3);
    assert!(probable[0].0.0 >= 5 && probable[0].1 >= probable[1].1, "{probable:?}");
    assert!(beliefs.p_near(Place(0), 0.6, &places) < 0.2);
    assert!(beliefs.p_near(Place(7), 1.5, &places) > 0.7);
}

#[test]
fn a_noise_behind_draws_the_belief_there() {
    let places = corridor();
    let (mut deaf, mut hears) = (Beliefs::new(), Beliefs::new());
    for tick in 0..8 {
        let mut percept = percept(tick);
        percept.own.position = DVec3::new(10.0, 0.0, 0.0);
        deaf.update(&percept, &places);
        percept.noises.push(Noise { sound: Sound::Shot, yaw: std::f64::consts::PI, loudness: 0.8 });
        hears.update(&percept, &places);
    }
    assert!(mean_x(&hears) < mean_x(&deaf) - 0.5, "{} {}", mean_x(&hears), mean_x(&deaf));
}

#[test]
fn a_saved_belief_goes_on_to_the_bit() {
    let places = corridor();
    let mut beliefs = Beliefs::new();
    let mut first = percept(0);
    first.characters.push(seen_at(6.0, 3.0));
    beliefs.update(&first, &places);
    (1..9).for_each(|tick| beliefs.update(&percept(tick), &places));
    let saved = serde_json::to_string(&beliefs).expect("JSON");
    let mut again: Beliefs = serde_json::from_str(&saved).expect("beliefs");
    for tick in 9..30 {
        beliefs.update(&percept(tick), &places);
        again.update(&percept(tick), &places);
        assert_eq!(beliefs.expected(), again.expected());
    }
    assert_eq!(beliefs, again);
}
