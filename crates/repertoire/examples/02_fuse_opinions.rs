//! One idea: many opinions, for and against, become one command that explains itself.
//!
//! `cargo run -p repertoire --example 02_fuse_opinions`

use repertoire::bayes::fusion::{MotorModel, fuse, naive_motor_fusion, naive_sensor_fusion};
use repertoire::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // What following a target alone would do, for three things around the character.
    let follow = Program::shipped("target-following").ok_or("shipped")?;
    let towards = |direction: &str| follow.ask(&format!("P(Rotation | Direction={direction})"));
    let (door, enemy, wall) = (towards("ahead_left")?, towards("left")?, towards("ahead")?);

    let opinions = [
        ("go to the door", Opinion { says: &door.distribution, stance: Stance::Prescriptive }),
        ("keep from the enemy", Opinion { says: &enemy.distribution, stance: Stance::Proscriptive }),
        ("keep from the wall", Opinion { says: &wall.distribution, stance: Stance::Proscriptive }),
    ];
    let all: Vec<Opinion<'_>> = opinions.iter().map(|(_, opinion)| *opinion).collect();
    let mut command = [0.0; 7];
    let fused = fuse(&all, None, &mut command)?;

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
        fuse(&[left, right], None, &mut torn)?,
        torn_ = torn
    );

    // Why coherence, and not Bayes' rule on the commands (Le Hy 2007, 3.3.5)? That depends on how often each thing is
    // sensed: what a sensor nearly always says counts for little, however sure its advice is.
    let turn_given_side = [0.8, 0.2, 0.2, 0.8];
    let naive = |sensor_prior| -> Result<f64, Box<dyn std::error::Error>> {
        let model = MotorModel { sensor_prior, command_given_sensor: &turn_given_side, sensed: 0 };
        let mut turn = [0.0; 2];
        naive_motor_fusion(None, &[model], &mut turn)?;
        Ok(turn[0])
    };
    let mut coherent = [0.0; 2];
    fuse(&[Opinion { says: &turn_given_side[..2], stance: Stance::Prescriptive }], None, &mut coherent)?;
    println!("\nAn opinion that is 80 % for left: coherence says {:.2} left;", coherent[0]);
    println!("naive fusion {:.2} if either side is sensed as often,", naive(&[0.5, 0.5])?);
    println!("             {:.2} if this side is sensed nine times in ten", naive(&[0.9, 0.1])?);

    // Sensors are another matter: for them Bayes' rule is right (figure 3.5). P(weapon | danger), P(distance | danger):
    let mut danger = [0.0; 2];
    naive_sensor_fusion(Some(&[0.9, 0.1]), &[&[0.01, 0.33], &[0.2, 0.6]], &mut danger)?;
    println!("A strong weapon, near, and danger is rare: P(danger) = {:.2}", danger[1]);
    Ok(())
}
