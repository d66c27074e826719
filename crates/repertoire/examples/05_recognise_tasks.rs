//! One idea: watch someone act, and learn which task they are on and when they change it, while they play.
//!
//! `cargo run -p repertoire --example 05_recognise_tasks`

use repertoire::prelude::*;
use repertoire::prob::draw;
use repertoire::prob::hmm::baum_welch::posteriors;
use repertoire::prob::hmm::{MISSING, Sequence};

const TASKS: [&str; 3] = ["attack", "search", "flee"];

/// How the teacher changes task, what they sense in it, and how they move in it (towards, across, away).
const CHANGES: [[f64; 3]; 3] = [[0.95, 0.0, 0.05], [0.10, 0.90, 0.0], [0.0, 0.15, 0.85]];
const HEALTH: [[f64; 3]; 3] = [[0.05, 0.25, 0.70], [0.20, 0.50, 0.30], [0.80, 0.15, 0.05]];
const MOVES: [[f64; 3]; 3] = [[0.80, 0.15, 0.05], [0.15, 0.70, 0.15], [0.05, 0.15, 0.80]];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut teacher = Stream::new(11, 0, "teacher");
    let mut pupil = IncrementalBaumWelch::new(3, &[3]);
    let (mut task, mut right) = (0, 0);
    let mut seen = Vec::new();
    for _ in 0..5_000 {
        let health = draw::sample(&HEALTH[task], &mut teacher) as u32;
        let movement = draw::sample(&MOVES[task], &mut teacher);
        // The pupil knows how each task moves, not when it is chosen: that is what it learns.
        let explains: Vec<f64> = MOVES.iter().map(|moves| moves[movement]).collect();
        pupil.observe(&[health], Some(&explains))?;
        right += usize::from(draw::arg_max(pupil.filtered()) == task);
        seen.extend([health]);
        task = draw::sample(&CHANGES[task], &mut teacher);
    }
    println!("5000 observations, task recognised while playing: {:.1} %\n", right as f64 / 50.0);

    println!("P(next task | task)   learned (true)");
    let learned = pupil.transition().probabilities();
    for (from, row) in CHANGES.iter().enumerate() {
        print!("  {:8}", TASKS[from]);
        for (to, truth) in row.iter().enumerate() {
            print!("  {} {:.2} ({truth:.2})", TASKS[to], learned[from * 3 + to]);
        }
        println!();
    }

    // What was learned is an ordinary model: look back over the last ten ticks with all that came after.
    let last = Sequence { steps: 10, values: &seen[seen.len() - 10..], known: None };
    if let Ok((smoothed, _)) = posteriors(&pupil.model(), &last) {
        let health = ["low", "medium", "high"];
        println!("\nThe last ten ticks, judged by health alone:");
        for (step, &value) in
            smoothed.chunks_exact(3).zip(last.values).filter(|(_, value)| **value != MISSING)
        {
            println!("  health {:6}  probably {}", health[value as usize], TASKS[draw::arg_max(step)]);
        }
    }
    Ok(())
}
