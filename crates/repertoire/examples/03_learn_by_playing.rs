//! One idea: a program learns while someone plays, is saved with its counts, and goes on learning later.
//!
//! `cargo run -p repertoire --example 03_learn_by_playing`

use repertoire::bayes::file::with_counts;
use repertoire::prelude::*;
use repertoire::prob::distribution::total_variation;
use repertoire::prob::draw::sample;

/// A pupil that knows nothing yet about turning towards a target.
const PUPIL: &str = r#"
name = "pupil"

[variables]
Direction = { range = [-4, 4] }
Rotation = { range = [-3, 3] }

[[factor]]
of = "P(Direction)"
form = "uniform"

[[factor]] # everything it knows, it saw
of = "P(Rotation | Direction)"
form = "histogram"
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let teacher = Program::shipped("target-following").ok_or("shipped")?;
    let turn = Question::compile(&teacher, &"P(Rotation | Direction)".parse()?)?;
    let mut workspace = Workspace::new();
    let mut play = Stream::new(2026, 0, "play");
    let mut pupil: Program = PUPIL.parse()?;

    println!("{:>13}  how far the pupil's turns are from the teacher's (0 to 1)", "observations");
    let mut seen = 0;
    for until in [0, 100, 1_000, 10_000, 100_000] {
        while seen < until {
            let direction = (play.unit() * 9.0) as u32;
            let rotation = sample(turn.ask(&teacher, &[direction], &mut workspace)?.distribution, &mut play);
            pupil.observe(&[Some(direction), Some(rotation as u32)], 1.0)?;
            seen += 1;
        }
        // Save and load in between: nothing is lost.
        pupil = with_counts(PUPIL, &pupil)?.parse()?;

        let asked = Question::compile(&pupil, &"P(Rotation | Direction)".parse()?)?;
        let mut apart = 0.0;
        for direction in 0..9 {
            let taught = turn.ask(&teacher, &[direction], &mut workspace)?.distribution.to_vec();
            apart +=
                total_variation(&taught, asked.ask(&pupil, &[direction], &mut workspace)?.distribution) / 9.0;
        }
        println!("{seen:13}  {apart:.4}");
    }
    Ok(())
}
