//! One idea: watch a player, learn what they attend to, decide and do, and play the same way.
//!
//! `cargo run -p repertoire --example 11_learn_by_imitation`

use repertoire::chameleon::{EmSettings, Learned, Sequence, State, learn, model};
use repertoire::prelude::*;

/// Somebody hungry goes for food, somebody hunted runs from the wolf; both may be left or right, near or far, or not there.
const MODEL: &str = r#"
name = "deer"
decisions = 2
[high.hunger]
values = ["low", "high"]
[high.danger]
values = ["no", "yes"]
[low.food]
axes = [{ of = "side", values = ["left", "right"] }]
[low.wolf]
axes = [{ of = "side", values = ["left", "right"] }]
[external.go]
values = ["left", "stay", "right"]
"#;

/// The teacher: away from the wolf if there is danger, to the food if hungry, else it stays. Nobody tells the learner.
fn teacher(high: &[u16], low: &[Option<u16>]) -> u16 {
    match (high, low) {
        ([_, 1], [_, Some(wolf)]) => 2 * (1 - wolf),
        ([1, _], [Some(food), _]) => 2 * food,
        _ => 1,
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = model::read(MODEL)?;
    let mut world = Stream::new(1, 0, "deer's world");
    let mut draw = move |count: f64| (world.unit() * count) as u16;
    let mut look = move || {
        let high = [draw(2.0), draw(2.0)];
        let wolf = (high[1] == 1).then(|| draw(2.0));
        (high, [Some(draw(2.0)), wolf])
    };

    // Twenty lives of a minute each, as stimuli and actions.
    let mut lives = Vec::new();
    for _ in 0..20 {
        let mut life = Sequence::new(model.layout());
        for _ in 0..60 {
            let (high, low) = look();
            let done = teacher(&high, &low);
            life.push(model.layout(), &high, &low, &[], |_, _| done)?;
        }
        lives.push(life);
    }
    let deer: Learned = learn(&model, &lives, &EmSettings::default(), &|_| {})?;
    let last = deer.curve.last().copied().unwrap_or_default();
    println!("learned in {} iterations; ln P(actions | stimuli) = {last:.1}\n", deer.curve.len() - 1);

    // Plays, and says why.
    let mut state = State::new();
    let mut stream = Stream::new(1, 1, "deer");
    let mut alike = 0;
    for tick in 0..200 {
        let (high, low) = look();
        let found = state.step(&deer, &high, &low, stream.next_u64());
        let Some(went) = found.external[0] else { continue };
        alike += u32::from(went.value == teacher(&high, &low));
        if tick < 8 {
            let slot = found.attended[0].slot.unwrap_or_default();
            println!(
                "hungry {}, danger {}: looks at the {} ({:.0} %), decision {}, goes {} ({:.0} %)",
                high[0],
                high[1],
                model.low()[slot].name,
                100.0 * found.attended[0].attention[slot],
                found.decision,
                model.external()[0].bins.label(went.value.into()),
                100.0 * went.probability
            );
        }
    }
    println!("\n{alike} of 200 times it went where the teacher would have gone");
    Ok(())
}
