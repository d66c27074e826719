//! The three behaviours of the thesis, as files that come with the library.

use super::Behaviour;

/// Name and text of every behaviour that comes with the library.
pub const BEHAVIOURS: [(&str, &str); 3] = [
    ("prudent", include_str!("../../behaviours/prudent.toml")),
    ("aggressive", include_str!("../../behaviours/aggressive.toml")),
    ("uniform", include_str!("../../behaviours/uniform.toml")),
];

/// The text of a shipped behaviour.
pub fn text(name: &str) -> Option<&'static str> {
    BEHAVIOURS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// A shipped behaviour, or `None` if there is none of this name.
pub fn behaviour(name: &str) -> Option<Behaviour> {
    let read =
        |text| super::file::read(text, &mut |asked| behaviour(asked).ok_or_else(|| "not shipped".into()));
    // A test reads them all: what is shipped is right.
    text(name).map(|text| read(text).unwrap_or_else(|mistake| unreachable!("{name}: {mistake}")))
}

/// A behaviour whose only sensor has a value that no task allows.
#[cfg(test)]
pub(crate) fn contradictory() -> Behaviour {
    let text = r#"
        name = "contradictory"
        tasks = ["stay", "go"]
        sensors.door = ["shut", "gone"]
        [transition]
        stay = ["x", 0.25]
        go = [0.5, "x"]
        [likelihood.door]
        shut = ["x", "x"]
        gone = [0, 0]
    "#;
    super::file::read(text, &mut |_| Err("there is none".into()))
        .unwrap_or_else(|mistake| panic!("{mistake}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use repertoire_prob::table::digits;

    /// The answer by enumerating the joint distribution as the printed tables give it.
    fn brute_force(behaviour: &Behaviour, previous: usize, values: &[usize]) -> Vec<f64> {
        let tasks = behaviour.tasks().len();
        let joint = |task: usize| {
            let sensors = behaviour.sensors().iter().zip(values);
            let likelihood: f64 = sensors.map(|(sensor, &value)| sensor.cell(task, value)).product();
            1.0 / tasks as f64 * behaviour.after(previous)[task] * likelihood
        };
        let evidence: f64 = (0..tasks).map(joint).sum();
        (0..tasks).map(|task| joint(task) / evidence).collect()
    }

    #[test]
    fn every_posterior_is_the_joint_distribution_s() {
        for (name, _) in BEHAVIOURS {
            let behaviour = behaviour(name).unwrap();
            let cards: Vec<usize> = behaviour.sensors().iter().map(|sensor| sensor.values.len()).collect();
            assert_eq!(cards.iter().product::<usize>(), 648);
            for previous in 0..6 {
                for situation in 0..648 {
                    let values = digits(situation, &cards);
                    let known: Vec<Option<usize>> = values.iter().map(|&value| Some(value)).collect();
                    let decision = behaviour.decide(Some(previous), &known);
                    assert!(!decision.degenerate);
                    for (found, truth) in
                        decision.posterior.iter().zip(brute_force(&behaviour, previous, &values))
                    {
                        assert!(
                            (found - truth).abs() < 1e-12,
                            "{name} {previous} {values:?}: {found} {truth}"
                        );
                        assert_eq!(*found == 0.0, truth == 0.0);
                    }
                }
            }
        }
    }

    #[test]
    fn the_prudent_behaviour_answers_as_the_program_of_the_same_tables() {
        let program = include_str!("../../../../bench/scenarios/prudent.toml");
        let program = crate::file::read(program, &mut |_| Err("there is none".into())).unwrap();
        let prudent = behaviour("prudent").unwrap();
        for (question, previous, values) in [
            (
                "Previous=explore, Health=high, Weapon=none, EnemyWeapon=strong, Noise=true, Enemies=one, WeaponNear=false, HealthNear=true",
                3,
                [2, 0, 2, 1, 1, 0, 1],
            ),
            (
                "Previous=attack, Health=low, Weapon=strong, EnemyWeapon=none, Noise=false, Enemies=two_or_more, WeaponNear=true, HealthNear=false",
                0,
                [0, 2, 0, 0, 2, 1, 0],
            ),
        ] {
            let answer = program.ask(&format!("P(Task | {question})")).unwrap();
            let decision = prudent.decide(Some(previous), &values.map(Some));
            for (found, truth) in decision.posterior.iter().zip(&answer.distribution) {
                assert!((found - truth).abs() < 1e-12, "{found} {truth}");
            }
        }
    }
}
