use super::*;
use crate::{Bearing, DVec2};

fn stimuli() -> Stimuli {
    let way = |yaw| Some(Way { yaw, jump: false, wait: false });
    Stimuli {
        weapon: way(1.0),
        health: way(-1.0),
        unexplored: way(2.5),
        points: [0.0, 1.5, -1.5, 3.0].map(|yaw| Bearing { yaw, pitch: 0.0, distance_m: 5.0 }).to_vec(),
        open: [true; 8],
        ready: true,
        ahead_m: 20.0,
        ..Stimuli::default()
    }
}

fn with_enemy(yaw: f64) -> Stimuli {
    let foe = Foe {
        yaw,
        pitch: 0.05,
        distance_m: 9.0,
        in_view: true,
        seen_secs: 1.0,
        half_width: 0.1,
        stands: yaw,
        velocity: DVec2::ZERO,
    };
    Stimuli { foes: vec![foe], alarm: Some(-2.0), ..stimuli() }
}

/// Sums the likelihood over every act, with the turns and tilts at the middle of their bins.
fn total(motor: &Motor<'_>) -> f64 {
    let mut sum = 0.0;
    for turn in 0..TURNS {
        for tilt in 0..motor::TILTS {
            for run in 0..RUNS {
                for (fire, jump) in [(false, false), (false, true), (true, false), (true, true)] {
                    let (forward, lateral) = motor::speeds(run);
                    let fire = if fire { Fire::Primary } else { Fire::None };
                    let (yaw, pitch) = (TURN.middle(turn), TILT.middle(tilt));
                    sum += motor.likelihood(&Act::of(&Command {
                        yaw,
                        pitch,
                        forward,
                        lateral,
                        jump,
                        fire,
                        weapon: None,
                    }));
                }
            }
        }
    }
    sum
}

#[test]
fn every_task_is_a_distribution_over_commands() {
    for stimuli in [stimuli(), with_enemy(0.4), with_enemy(-3.0), Stimuli::default()] {
        for task in Elementary::ALL {
            let sum = total(&task.motor(&stimuli));
            assert!((sum - 1.0).abs() < 1e-9, "{}: {sum}", task.name());
        }
    }
}

#[test]
fn what_a_task_does_is_recognised_as_that_task() {
    let mut draw = Stream::new(7, 0, "tasks");
    let stimuli = with_enemy(0.4);
    for task in Elementary::ALL {
        let motor = task.motor(&stimuli);
        let mut right = 0;
        for _ in 0..500 {
            let command = motor.draw(&mut draw);
            let likelihoods =
                Elementary::ALL.map(|other| other.motor(&stimuli).likelihood(&Act::of(&command)));
            right += usize::from(Elementary::ALL[repertoire_prob::draw::arg_max(&likelihoods)] == task);
        }
        assert!(right > 350, "{}: {right} of 500", task.name());
    }
}

#[test]
fn without_enemies_flight_is_like_nothing_in_particular() {
    let motor = Elementary::Flee.motor(&stimuli());
    let runs: Vec<f64> = (0..RUNS)
        .map(|run| {
            let (forward, lateral) = motor::speeds(run);
            motor.likelihood(&Act::of(&Command { forward, lateral, ..Command::default() }))
        })
        .collect();
    assert!(runs.iter().all(|p| (p - runs[0]).abs() < 1e-15));
}

#[test]
fn fleeing_runs_away_and_attacking_keeps_off_closed_directions() {
    let mut draw = Stream::new(8, 0, "tasks");
    let fleeing = Elementary::Flee.motor(&with_enemy(0.0));
    let ahead = (0..300).filter(|_| fleeing.draw(&mut draw).yaw.abs() < 0.3).count();
    assert!(ahead < 30, "{ahead} of 300 run at the enemy");
    let mut stimuli = with_enemy(0.0);
    stimuli.open = [true, true, false, false, true, true, true, true];
    let attacking = Elementary::Attack.motor(&stimuli);
    let into_wall = (0..500).filter(|_| {
        let command = attacking.draw(&mut draw);
        command.lateral > 0.5 && command.forward < 0.5
    });
    assert!(into_wall.count() < 30);
}
