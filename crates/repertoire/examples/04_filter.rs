//! One idea: a Bayesian filter remembers. The answer of one tick is the prior of the next.
//!
//! `cargo run -p repertoire --example 04_filter`

use repertoire::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut filter = Program::shipped("noise-filter").ok_or("shipped")?;
    let question = Question::compile(&filter, &"P(Now | Noise)".parse()?)?;
    let before = 0; // P(Before) is the program's first factor
    let mut workspace = Workspace::new();

    // An enemy comes near at tick 20 and leaves at tick 60; noise is heard accordingly.
    let mut world = Stream::new(7, 0, "noise");
    println!("tick  enemy  noise  believed near");
    for tick in 0..80 {
        let near = (20..60).contains(&tick);
        let noise = world.unit() < if near { 0.4 } else { 0.05 };
        let believed = {
            let answer = question.ask(&filter, &[u32::from(noise)], &mut workspace)?;
            [answer.distribution[0], answer.distribution[1]]
        };
        filter.set_factor(before, &believed)?;
        if tick % 4 == 0 || noise {
            let bar = "#".repeat((believed[1] * 40.0).round() as usize);
            println!(
                "{tick:4}  {:5}  {:5}  {bar} {:.2}",
                if near { "near" } else { "" },
                if noise { "!" } else { "" },
                believed[1]
            );
        }
    }
    Ok(())
}
