//! One idea: many opinions, for and against, become one command that explains itself.
//!
//! `cargo run -p repertoire --example 02_fuse_opinions`

use repertoire::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // What following a target alone would do, for three things around the character.
    let follow = shipped::program("target-following").ok_or("shipped")?;
    let towards = |direction: &str| follow.ask(&format!("P(Rotation | Direction={direction})"));
    let (door, enemy, wall) = (towards("ahead_left")?, towards("left")?, towards("ahead")?);

    let opinions = [
        ("go to the door", Opinion { says: &door.distribution, stance: Stance::Prescriptive }),
        ("keep from the enemy", Opinion { says: &enemy.distribution, stance: Stance::Proscriptive }),
        ("keep from the wall", Opinion { says: &wall.distribution, stance: Stance::Proscriptive }),
    ];
    let all: Vec<Opinion<'_>> = opinions.iter().map(|(_, opinion)| *opinion).collect();
    let mut command = [0.0; 7];
    let fused = fuse(&all, None, &mut command);

    let rotation = follow.variable("Rotation").ok_or("declared")?;
    println!("{:12}{:>9}   what each opinion leaves of it", "", "command");
    for (value, name) in rotation.values().iter().enumerate() {
        print!("{name:12}{:9.4}  ", command[value]);
        for (who, opinion) in &opinions {
            print!(" {who} {:.2} ", opinion.coherence(value));
        }
        println!();
    }
    println!("agreement: ln Z = {:.2}", fused.log_z());

    // Opinions that leave nothing are reported, and the fallback is known.
    let left = Opinion { says: &[1.0, 0.0], stance: Stance::Prescriptive };
    let right = Opinion { says: &[0.0, 1.0], stance: Stance::Prescriptive };
    let mut torn = [0.0; 2];
    println!(
        "\nTorn between left and right: {:?}, so {torn_:?}",
        fuse(&[left, right], None, &mut torn),
        torn_ = torn
    );
    Ok(())
}
