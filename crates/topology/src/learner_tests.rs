use proptest::prelude::*;

use super::*;
use crate::compare::follow;
use crate::kmeans::kmeans;

/// Rooms in a row with a corridor between, walked through at random: positions at 10 Hz.
fn play(seed: u64, secs: u32) -> Vec<Track> {
    let mut rng = Stream::new(seed, 0, "play");
    let mut at: Point = [0.0, 0.0, 0.0];
    let mut track = Track::default();
    let mut goal = at;
    for k in 0..secs * 10 {
        if crate::nearest::distance_squared(&at, &goal) < 50.0 * 50.0 {
            // The next goal in this room, or through the corridor along y = 0 into another.
            let room = ((at[0] + 500.0) / 1500.0).floor().clamp(0.0, 2.0);
            let middle = room * 1500.0;
            goal = if at[1].abs() < 60.0 && rng.unit() < 0.5 {
                let other = if rng.unit() < 0.5 { room - 1.0 } else { room + 1.0 };
                [other.clamp(0.0, 2.0) * 1500.0, 0.0, 0.0]
            } else if at[1].abs() < 60.0 {
                [middle + 800.0 * (rng.unit() - 0.5), 1600.0 * (rng.unit() - 0.5), 0.0]
            } else {
                [middle, 0.0, 0.0]
            };
        }
        let far = crate::nearest::distance_squared(&at, &goal).sqrt().max(1e-9);
        let step = 44.0_f64.min(far) / far;
        at = [0, 1, 2].map(|axis| at[axis] + step * (goal[axis] - at[axis]) + 4.0 * (rng.unit() - 0.5));
        track.secs.push(f64::from(k) * 0.1);
        track.at.push(at);
    }
    vec![track]
}

fn learn(settings: LearnerSettings, tracks: &[Track], passes: u32) -> Learner {
    let mut learner = Learner::new(settings).unwrap();
    for _ in 0..passes {
        learner.see_tracks(tracks).unwrap();
    }
    learner
}

#[test]
fn one_pass_is_nearly_as_good_as_k_means_on_play_not_seen_and_better_than_the_thesis() {
    let (seen, unseen) = (play(1, 600), play(2, 600));
    let learned = learn(LearnerSettings::default(), &seen, 1).places();
    let thesis = learn(LearnerSettings::thesis(EdgeRule::Fritzke), &seen, 1).places();
    let far = |level: &PlaceGraph| follow(level, &unseen).mean_distance;
    let centres = |count| PlaceGraph {
        nodes: kmeans(&seen[0].at, count, 4, 1)
            .unwrap()
            .into_iter()
            .zip(0..)
            .map(|(pos, id)| PlaceNode::at(id, pos))
            .collect(),
        ..PlaceGraph::default()
    };
    let ratio = far(&learned) / far(&centres(learned.nodes.len()));
    let thesis_ratio = far(&thesis) / far(&centres(thesis.nodes.len()));
    assert!(ratio < 1.06, "{ratio}");
    assert!(ratio < thesis_ratio, "{ratio} {thesis_ratio}");
}

#[test]
fn walking_the_same_ground_again_makes_hardly_any_node() {
    let tracks = play(3, 600);
    let (once, ten) =
        (learn(LearnerSettings::default(), &tracks, 1), learn(LearnerSettings::default(), &tracks, 10));
    assert!(
        ten.gas().len() as f64 <= 1.02 * once.gas().len() as f64,
        "{} {}",
        once.gas().len(),
        ten.gas().len()
    );
}

#[test]
fn changes_of_others_follow_links_and_walls_have_none() {
    let level = learn(LearnerSettings::default(), &play(4, 900), 2).places();
    let followed = follow(&level, &play(5, 600));
    assert!(followed.share() > 0.92, "{followed:?}");
    // The ends of two rooms next to each other: 700 apart, and nobody walks there.
    let high = |node: &PlaceNode| node.pos[1] > 400.0;
    let room = |node: &PlaceNode| (node.pos[0] / 1500.0).round();
    for [from, to] in &level.links {
        let [a, b] = [from, to].map(|id| level.nodes.iter().find(|node| node.id == *id).unwrap());
        assert!(!(high(a) && high(b)) || room(a) == room(b), "{a:?} {b:?}");
    }
}

#[test]
fn with_everything_off_it_is_the_gas_alone() {
    let tracks = play(6, 120);
    for edges in [EdgeRule::Figure, EdgeRule::Fritzke] {
        let learner = learn(LearnerSettings::thesis(edges), &tracks, 2);
        let mut gas = Gas::new(GasSettings { edges, ..GasSettings::default() }).unwrap();
        for _ in 0..2 {
            tracks[0].at.iter().for_each(|&x| {
                gas.see(x).unwrap();
            });
        }
        assert_eq!(learner.gas().nodes().collect::<Vec<_>>(), gas.nodes().collect::<Vec<_>>());
        assert_eq!(learner.gas().edges(), gas.edges());
    }
}

#[test]
fn nodes_that_nobody_comes_to_any_more_are_removed_and_come_back_with_the_teacher() {
    let settings = LearnerSettings { unused: 3000, memory: 1000, ..LearnerSettings::default() };
    let mut learner = Learner::new(settings).unwrap();
    let here = |x: f64| move |k: u32| [x + f64::from(k * 44 % 2000), 0.0, 0.0];
    let walk = |learner: &mut Learner, at: &dyn Fn(u32) -> Point, from: u32, count: u32| {
        (from..from + count).for_each(|k| learner.see(0, f64::from(k) * 0.1, at(k)).unwrap());
    };
    walk(&mut learner, &here(0.0), 0, 2000);
    let near = |learner: &Learner| learner.gas().nodes().filter(|(_, at)| at[0] < 3000.0).count();
    let before = near(&learner);
    assert!(before >= 3, "{before}");
    walk(&mut learner, &here(10_000.0), 2000, 30_000);
    assert_eq!(near(&learner), 0);
    walk(&mut learner, &here(0.0), 32_000, 2000);
    assert!(near(&learner) >= 3);
}

#[test]
fn the_number_of_nodes_is_bounded_whatever_happens() {
    let gas = GasSettings { most: 20, ..LearnerSettings::default().gas };
    let mut learner = Learner::new(LearnerSettings { gas, unused: 0, ..LearnerSettings::default() }).unwrap();
    let mut rng = Stream::new(9, 0, "everywhere");
    for k in 0..5000 {
        learner.see(0, f64::from(k), [rng.unit() * 1e6, rng.unit() * 1e6, 0.0]).unwrap();
    }
    assert_eq!(learner.gas().len(), 20);
    assert!(learner.memory.walks.len() <= 16384);
}

#[test]
fn several_teachers_may_play_at_once() {
    // Two teachers in turn, a position each: neither is seen to walk to the other's place.
    let mut learner = Learner::new(LearnerSettings::default()).unwrap();
    for k in 0..1200 {
        let along = f64::from(k * 44 % 3000);
        learner.see(0, f64::from(k) * 0.1, [along, 0.0, 0.0]).unwrap();
        learner.see(1, f64::from(k) * 0.1, [along, 5000.0, 0.0]).unwrap();
    }
    let level = learner.places();
    let side = |id: u32| level.nodes.iter().find(|node| node.id == id).map(|node| node.pos[1] > 2500.0);
    assert!(level.links.iter().all(|[from, to]| side(*from) == side(*to)), "{level:?}");
    assert!(level.nodes.iter().any(|node| node.pos[1] > 4000.0) && level.links.len() >= 4);
}

#[test]
fn a_saved_learner_goes_on_bit_by_bit() {
    let tracks = play(7, 300);
    let mut learner = learn(LearnerSettings::default(), &tracks, 1);
    learner.see(3, 1.0, [5.0; 3]).unwrap();
    let mut again: Learner = serde_json::from_str(&serde_json::to_string(&learner).unwrap()).unwrap();
    learner.see_tracks(&play(8, 200)).unwrap();
    again.see_tracks(&play(8, 200)).unwrap();
    assert_eq!(serde_json::to_string(&learner).unwrap(), serde_json::to_string(&again).unwrap());
    assert_eq!(learner.places(), again.places());
}

#[test]
fn what_is_no_position_is_passed_over() {
    let mut learner = Learner::new(LearnerSettings::default()).unwrap();
    for at in [[f64::NAN, 0.0, 0.0], [0.0, f64::INFINITY, 0.0], [1e300, 0.0, 0.0]] {
        assert!(matches!(learner.see(0, 0.0, at), Err(PositionError::NotAPosition(_))));
    }
    assert!(matches!(learner.see(0, f64::NAN, [0.0; 3]), Err(PositionError::NotATime(_))));
    let ragged = Track { secs: vec![0.0, 0.1], at: vec![[0.0; 3]] };
    assert_eq!(learner.see_tracks([&ragged]), Err(PositionError::Lengths { secs: 2, at: 1 }));
    assert_eq!((learner.inputs(), learner.gas().len(), learner.places().links.len()), (0, 0, 0));
}

#[test]
fn a_faster_recording_is_thinned_to_the_period() {
    let settings = LearnerSettings { period_secs: 0.1, ..LearnerSettings::default() };
    let mut learner = Learner::new(settings).unwrap();
    (0..400).for_each(|k| learner.see(0, f64::from(k) / 40.0, [f64::from(k), 0.0, 0.0]).unwrap());
    assert_eq!(learner.inputs(), 100);
}

#[test]
fn settings_without_room_or_sense_are_refused() {
    let new = |change: fn(&mut LearnerSettings)| {
        let mut settings = LearnerSettings::default();
        change(&mut settings);
        Learner::new(settings).err()
    };
    assert_eq!(new(|_| ()), None);
    assert_eq!(new(|s| s.memory = 0), Some(SettingsError::NoMemory));
    assert_eq!(new(|s| s.gas.most = 1), Some(SettingsError::OneNode));
    assert_eq!(new(|s| s.gas.a1 = 3.0), Some(SettingsError::Share { name: "a1", value: 3.0 }));
    assert_eq!(new(|s| s.gas.age = -1.0), Some(SettingsError::Negative { name: "age", value: -1.0 }));
    assert!(matches!(new(|s| s.reach = f64::NAN), Some(SettingsError::Negative { name: "reach", .. })));
    assert!(matches!(new(|s| s.cell = 0.0), Some(SettingsError::NotAbove0 { name: "cell", .. })));
    assert_eq!(new(|s| s.straight = 0.5), Some(SettingsError::Straight(0.5)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_positions_leave_a_usable_level(
        points in prop::collection::vec((0u32..3, 0.0..100.0f64, [-1e4..1e4f64, -1e4..1e4f64, -500.0..500.0f64]), 0..400),
    ) {
        let mut learner = Learner::new(LearnerSettings { unused: 100, memory: 50, ..LearnerSettings::default() }).unwrap();
        for (teacher, secs, at) in points {
            learner.see(teacher, secs, at).unwrap();
        }
        let level = learner.places();
        prop_assert_eq!(level.check(), Ok(()));
        prop_assert!(level.nodes.iter().all(|node| node.pos.iter().all(|x| x.is_finite())));
    }
}
