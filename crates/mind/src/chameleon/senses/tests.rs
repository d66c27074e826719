use repertoire_chameleon::model;

use super::*;
use crate::tasks::Foe;

const MODEL: &str = r#"
name = "looks"
decisions = 2
[high.health]
edges = [50]
[low.player]
slots = 2
axes = [
  { of = "first", values = ["no", "yes"] },
  { of = "loaded", values = ["no", "weak", "medium", "strong", "cramped"] },
]
[low.course]
axes = [{ of = "leg", edges = [1, 100] }]
[low.ahead]
[external.fire]
values = ["no", "yes"]
"#;

fn foe(yaw: f64) -> Foe {
    Foe {
        yaw,
        pitch: 0.0,
        distance_m: 6.0,
        in_view: true,
        seen_secs: 1.0,
        half_width: 0.1,
        stands: yaw,
        velocity: DVec2::ZERO,
    }
}

/// The values of the two enemies, of the course and of what is ahead.
fn values(percept: &Percept, stimuli: &Stimuli, leads: Leads, course: Option<f64>) -> Vec<Option<u16>> {
    let senses = Senses::of(&model::read(MODEL).expect("a model")).expect("characters have its words");
    senses.read(&Scene { percept, stimuli, leads, course }).low
}

#[test]
fn the_first_enemy_is_told_from_the_other_and_a_strong_weapon_near_a_wall_from_one_in_the_open() {
    let mut percept = Percept::default();
    percept.rays_m[0] = 9.0;
    let mut stimuli = Stimuli { foes: vec![foe(0.1), foe(0.8)], ready: true, ..Stimuli::default() };
    stimuli.weapon_in_hand = Weapon::Strong;
    let of = |percept: &Percept, stimuli: &Stimuli| {
        let found = values(percept, stimuli, Leads::default(), None);
        [found[0], found[1]]
    };
    // Five values of the second axis for each of the first.
    assert_eq!(of(&percept, &stimuli), [Some(5 + 3), Some(3)]);
    percept.rays_m[0] = 3.0;
    assert_eq!(of(&percept, &stimuli), [Some(5 + 4), Some(4)], "cramped");
    stimuli.weapon_in_hand = Weapon::Medium;
    assert_eq!(of(&percept, &stimuli), [Some(5 + 2), Some(2)], "no wall matters to it");
    stimuli.ready = false;
    stimuli.foes.pop();
    assert_eq!(of(&percept, &stimuli), [Some(5), None]);
}

#[test]
fn the_course_knows_how_far_its_point_is() {
    let (percept, stimuli) = (Percept::default(), Stimuli::default());
    let of = |leg_m: f64| values(&percept, &stimuli, Leads { leg_m, ..Leads::default() }, Some(0.3))[2];
    assert_eq!([0.5, 7.0, f64::INFINITY].map(of), [Some(0), Some(1), Some(2)]);
    assert_eq!(values(&percept, &stimuli, Leads::default(), None)[2], None, "who stands has none");
}
