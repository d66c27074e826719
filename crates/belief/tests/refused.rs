//! What cannot be used is refused with what is wrong, and leaves the belief as it was.

use repertoire_belief::crowd::{self, Sightings};
use repertoire_belief::model::{FitSettings, Model};
use repertoire_belief::particles::Particles;
use repertoire_belief::play::{Moment, Play, Round, Who};
use repertoire_belief::{
    Dynamics, Evidence, Filter, FilterError, Fitted, Graph, Leak, ModelError, best_path, filter_all, observe,
    smooth, with_ends,
};
use repertoire_prob::Stream;

fn pair() -> Dynamics {
    let exits = [vec![0.0, 1.0], vec![1.0, 0.0]];
    Dynamics::new(&[0.5, 0.5], &exits, &[vec![0.5, 0.5], vec![1.0]]).expect("two places")
}

/// Lists that are none for two places.
const WRONG: [&[f64]; 6] = [&[], &[1.0], &[1.0; 3], &[f64::NAN, 1.0], &[1.0, f64::INFINITY], &[-0.5, 1.0]];

#[test]
fn a_filter_refuses_lists_of_another_length_and_numbers_that_are_none() {
    let dynamics = pair();
    let ones = [1.0; 2];
    let mut filter = Filter::of(&dynamics);
    filter.begin(dynamics.initial(), &[1.0, 0.0]).expect("possible");
    let before = filter.clone();
    for wrong in WRONG {
        let leak = Leak { share: 0.5, prior: wrong };
        let refusals = [
            filter.begin(wrong, &ones),
            filter.begin(&ones, wrong),
            filter.step(&dynamics, wrong),
            filter.step_with_leak(&dynamics, &ones, leak),
        ];
        for refused in refusals {
            let refused = refused.expect_err("no list for two places");
            let is_said =
                matches!(refused, FilterError::Length { expected: 2, .. } | FilterError::Value { .. });
            assert!(is_said, "{wrong:?}: {refused}");
        }
        assert_eq!(filter, before);
        let rows = [wrong.to_vec()];
        assert!(filter_all(&dynamics, &rows).is_err());
        assert!(smooth(&dynamics, &rows).is_err());
        assert!(best_path(&dynamics, &rows).is_err());
    }
    for share in [-0.1, 1.5, f64::NAN] {
        let refused = filter.step_with_leak(&dynamics, &ones, Leak { share, prior: &ones });
        assert!(matches!(refused, Err(FilterError::Share { .. })), "{share}");
    }
    let refused = filter.step(&dynamics.markov(), &ones);
    assert!(matches!(refused, Err(FilterError::OtherDynamics { slots: 1, own_slots: 2, .. })));
    assert_eq!(filter, before);
    filter.step(&dynamics, &ones).expect("it goes on");
}

#[test]
fn particles_and_crowds_refuse_them_too() {
    let dynamics = pair();
    let ones = [1.0; 2];
    let mut rng = Stream::new(1, 0, "refused");
    let mut particles = Particles::new(10, 2);
    particles.begin(&ones, &ones, &mut rng).expect("possible");
    let (before, none) = (particles.clone(), Leak { share: 0.0, prior: &[] });
    for wrong in WRONG {
        assert!(particles.begin(wrong, &ones, &mut rng).is_err());
        assert!(particles.step(&dynamics, wrong, none, &ones, &mut rng).is_err());
        assert!(particles.step(&dynamics, &ones, none, wrong, &mut rng).is_err());
        assert_eq!(particles, before);
        let visible = [wrong.to_vec()];
        let sightings = Sightings { opponents: 1, visible: &visible, seen: &[vec![0, 0]] };
        assert!(crowd::exact(&dynamics, sightings).is_err());
        assert!(crowd::tracks(&dynamics, sightings).is_err());
    }
    let sightings = Sightings { opponents: 1, visible: &[vec![0.5; 2]], seen: &[vec![1]] };
    assert!(crowd::exact(&dynamics, sightings).is_err());
}

#[test]
fn places_that_are_not_there_are_refused() {
    let mut likelihood = [0.0; 2];
    assert!(matches!(
        observe::seen(2, &mut likelihood),
        Err(FilterError::NoSuchPlace { place: 2, places: 2 })
    ));
    assert!(observe::unseen(&[0.5], &mut likelihood).is_err());
    assert!(observe::unseen(&[0.5, 1.5], &mut likelihood).is_err());
    assert!(observe::shared(&mut likelihood, &[f64::NAN, 0.0]).is_err());
    assert!(with_ends(&[vec![1.0; 2]], 0, 2).is_err());
    assert!(Evidence::Seen(2).check(2).is_err());
    let unseen = |visible, watchers| Evidence::Unseen { visible, heard: None, watchers };
    assert!(unseen(&[0.0], &[]).check(2).is_err());
    assert!(unseen(&[0.0; 2], &[2]).check(2).is_err());
    assert!(unseen(&[0.0; 2], &[1]).check(2).is_ok());
}

#[test]
fn a_model_refuses_play_that_is_elsewhere_and_settings_that_are_none() {
    let rooms = || Graph {
        ids: vec![0, 1],
        centres: vec![[0.0; 3], [1.0, 0.0, 0.0]],
        links: vec![vec![1], vec![0]],
        names: vec![String::new(); 2],
    };
    let play = |place, secs| {
        let who = vec![Who { player: 0, side: 0, alive: true, place }];
        let moments = vec![Moment { secs, live: true, planted: false, who }];
        let rounds = vec![Round { name: "1".to_owned(), moments, ..Round::default() }];
        Play { players: vec!["a".to_owned()], sides: vec!["b".to_owned()], rounds }
    };
    let fit = |play: &Play, settings| Model::fit("rooms", rooms(), play, settings);
    let usual = FitSettings::default();
    assert!(matches!(fit(&play(2, 0.0), usual), Err(ModelError::Play { .. })));
    assert!(matches!(fit(&play(0, f64::NAN), usual), Err(ModelError::Play { .. })));
    let wrong = FitSettings { run_speed: f64::NAN, ..usual };
    assert_eq!(fit(&play(0, 0.0), wrong), Err(ModelError::Settings));
    let wrong = FitSettings { leak: -1.0, ..usual };
    assert!(matches!(fit(&play(0, 0.0), wrong), Err(ModelError::Weight { name: "leak", .. })));
    let mut model = fit(&play(0, 0.0), usual).expect("sound");
    model.lives[0].places[0] = 7;
    assert!(matches!(Fitted::new(model), Err(ModelError::Life(0))));
}
