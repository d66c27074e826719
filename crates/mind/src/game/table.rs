//! What a character makes of a moment: everything that speaks, in one table or one product.
//!
//! The table in nats explains a decision and makes it wherever something has a weight of its own; where all weigh 1, the product
//! says the same without a logarithm.

use repertoire_bayes::deliberation::{Deliberation, Reading};
use repertoire_bayes::fusion::Stance;
use repertoire_prob::num::ln;

use super::character::Moment;
use super::design::Design;
use super::senses::Sense;

/// Below this a product may have lost digits, or everything.
const LEAST: f64 = 1e-200;

/// What the table of a moment comes to, as a product: nothing but multiplications, where all that speaks weighs 1. Whether it could be
/// had so; where it could not (other weights, a contradiction, too many small numbers), the table in nats answers.
pub(super) fn multiply(design: &Design, moment: &Moment, p: &mut Vec<f64>) -> bool {
    let tasks = design.behaviour.tasks().len();
    let wants = !moment.worth.is_empty();
    if wants && design.want_weight != 1.0 {
        return false;
    }
    p.clear();
    match moment.before {
        Some(before) => {
            p.extend_from_slice(&design.behaviour.transition()[usize::from(before) * tasks..][..tasks]);
        }
        None => p.resize(tasks, 1.0),
    }
    for (sensor, sense) in moment.perceived.readings.iter().enumerate() {
        match *sense {
            Sense::Unknown => {}
            Sense::Value(value) => times(p, &design.rows[sensor][usize::from(value) * tasks..][..tasks]),
            Sense::Believed => {
                let belief = moment.perceived.belief(design, sensor);
                let cells = design.behaviour.sensors()[sensor].cells().chunks_exact(belief.len());
                p.iter_mut().zip(cells).for_each(|(p, cells)| {
                    *p *= cells.iter().zip(belief).map(|(cell, believed)| cell * believed).sum::<f64>();
                });
            }
        }
    }
    if wants {
        times(p, &moment.worth);
    }
    if let (Some(step), Some(planning)) = (moment.step, &design.planning)
        && planning.weight > 0.0
    {
        let rest = (1.0 - planning.firmness) / (tasks.max(2) - 1) as f64;
        if planning.weight != 1.0 || rest <= 0.0 {
            return false;
        }
        p[usize::from(step)] *= planning.firmness / rest;
    }
    let perceived = &moment.perceived;
    for (index, voice) in design.voices.iter().enumerate().filter(|(index, _)| perceived.speaks[*index]) {
        let said = &perceived.said[index * tasks..][..tasks];
        match voice.stance {
            Stance::Prescriptive if voice.weight == 1.0 => times(p, said),
            Stance::Inactive => {}
            _ => return false,
        }
    }
    let sum: f64 = p.iter().sum();
    if !(LEAST..=1.0 / LEAST).contains(&sum) {
        return false;
    }
    p.iter_mut().for_each(|p| *p /= sum);
    true
}

/// Each by each, four at a time.
fn times(p: &mut [f64], by: &[f64]) {
    let (fours, rest) = p.as_chunks_mut::<4>();
    let (by_fours, by_rest) = by.as_chunks::<4>();
    for (p, by) in fours.iter_mut().zip(by_fours) {
        *p = [p[0] * by[0], p[1] * by[1], p[2] * by[2], p[3] * by[3]];
    }
    rest.iter_mut().zip(by_rest).for_each(|(p, by)| *p *= by);
}

/// The table of a moment: what it was doing, each sensor that was read, what is wanted, what is planned.
pub(super) fn deliberate(design: &Design, moment: &Moment, table: &mut Deliberation, says: &mut Vec<f64>) {
    let tasks = design.behaviour.tasks().len();
    let fits = |error| unreachable!("tables and opinions of a design are made of probabilities: {error}");
    match moment.before {
        Some(before) => table.begin_with(&design.log_transition[usize::from(before) * tasks..][..tasks]),
        None => {
            says.clear();
            says.resize(tasks, 1.0 / tasks as f64);
            table.begin(says).unwrap_or_else(fits);
        }
    }
    for (sensor, sense) in moment.perceived.readings.iter().enumerate() {
        match *sense {
            Sense::Unknown => {}
            Sense::Value(value) => table.row(&design.log_rows[sensor][usize::from(value) * tasks..][..tasks]),
            Sense::Believed => {
                let belief = Reading::Believed(moment.perceived.belief(design, sensor));
                table
                    .sensor(design.behaviour.sensors()[sensor].cells(), belief)
                    .map(drop)
                    .unwrap_or_else(fits);
            }
        }
    }
    if !moment.worth.is_empty() {
        // Most tasks ease nothing, and are worth the same.
        let all: f64 = moment.worth.iter().sum();
        let (weight, content) = (design.want_weight, design.want_weight * ln(design.content / all));
        if weight > 0.0 {
            says.clear();
            says.extend(
                moment
                    .worth
                    .iter()
                    .map(|&worth| if worth == design.content { content } else { weight * ln(worth / all) }),
            );
            table.row(says);
        }
    }
    if let (Some(step), Some(planning)) = (moment.step, &design.planning) {
        let rest = (1.0 - planning.firmness) / (tasks.max(2) - 1) as f64;
        if planning.weight > 0.0 {
            says.clear();
            says.resize(tasks, planning.weight * ln(rest));
            says[usize::from(step)] = planning.weight * ln(planning.firmness);
            table.row(says);
        }
    }
    let perceived = &moment.perceived;
    for (index, voice) in design.voices.iter().enumerate().filter(|(index, _)| perceived.speaks[*index]) {
        let said = &perceived.said[index * tasks..][..tasks];
        table.opinion(said, voice.stance, voice.weight).map(drop).unwrap_or_else(fits);
    }
    table.conclude();
}

#[cfg(test)]
mod tests {
    use repertoire_prob::Stream;

    use super::*;
    use crate::game::{Character, Scratch};

    #[test]
    fn a_product_says_what_the_table_says() {
        let text = "name = \"guard\"\ntasks = [\"rest\", \"eat\", \"cook\", \"watch\", \"flee\"]\nstay = 0.6\n\
            sensors.thief = [\"hidden\", \"seen\"]\nlikelihood.thief.hidden = [0.9, 0.8, 0.7, 0.2, 0.001]\n\
            likelihood.thief.seen = [\"x\", \"x\", \"x\", \"x\", \"x\"]\n\
            needs.hunger = { grows = 0.02, matters = [1.0, 3.0] }\nneeds.fatigue = { grows = 0.03, eased.rest = 0.2 }\n\
            facts.meal = [\"raw\", \"cooked\", \"had\"]\nactions.cook = \"meal: raw -> cooked\"\n\
            actions.eat = \"meal: cooked -> had\"\ngoals.dinner = \"meal=had\"\nplan.pursue.dinner = \"hunger\"\n\
            opinions.captain = { weight = 1.0 }\n";
        let design = Design::parse(text).unwrap_or_else(|mistake| panic!("{mistake}"));
        let mut guard = Character::new(&design, 1, 0);
        let (mut senses, mut scratch, mut chance) =
            (design.senses(), Scratch::new(), Stream::new(1, 0, "test"));
        for tick in 0..400 {
            senses.clear();
            let seen = chance.unit();
            match tick % 3 {
                0 => senses.see("thief", if seen < 0.2 { "seen" } else { "hidden" }).expect("a value"),
                1 => senses.believe("thief", &[1.0 - seen, seen]).expect("a distribution"),
                _ => {}
            }
            senses.fact("meal", ["raw", "cooked", "had"][tick / 20 % 3]).expect("a fact");
            if tick % 4 == 0 {
                senses.opine("captain", &[0.1, 0.1, 0.1, 0.6, 0.1]).expect("an opinion");
            }
            guard.tick(&senses, &mut scratch);
            let mut product = Vec::new();
            let (moment, mut table) = (&guard.state().moment, Deliberation::new());
            assert!(multiply(&design, moment, &mut product), "everything weighs 1");
            deliberate(&design, moment, &mut table, &mut Vec::new());
            let table = table.posterior();
            let apart = product.iter().zip(table).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(apart < 1e-12, "{tick}: {product:?} {table:?}");
        }
    }
}
