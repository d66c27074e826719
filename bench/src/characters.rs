//! Characters with profiles: how many decisions a second, how many bytes each, and how both grow.
//!
//! Every character has its own memory, goals, trees and last choice. A goal is met by working at a bench, which takes a
//! tool, of which two lie about: six nodes and two alternatives a goal. Between decisions every character's needs
//! change, so that what is chosen changes too.
//!
//! This file is shared with `bench/big-brain`, which runs the crate `big-brain` beside it.

use std::sync::Arc;

use rayon::prelude::*;
use repertoire_authored::Ordered;
use repertoire_character::expression::{Condition, Op, Term, Test, Who};
use repertoire_character::laws::{InteractionFile, KindFile, LawsPart, build};
use repertoire_character::{
    Character, Deed, Goal, Influence, Laws, Limits, Memory, Nowhere, Profile, PropertyId, Roster, Seen,
    Temper, ThingId, Value,
};

/// Characters under the same laws.
pub struct Town {
    laws: Arc<Laws>,
    temper: Temper,
    characters: Vec<Character>,
    needs: Vec<PropertyId>,
    tick: u32,
}

fn laws(goals: usize) -> Laws {
    let mut text = String::new();
    let mut performs = vec!["\"take\"".to_owned()];
    let mut needs = Vec::new();
    text += "[interaction.take]\naction = \"actor.inventory.add(target)\"\n";
    for goal in 0..goals {
        text += &format!(
            "[interaction.work{goal}]\ncondition = \"actor.own(tool{goal})\"\naction = \"actor.need{goal}.add(5)\"\n\
             [kind.bench{goal}]\nundergoes = [\"work{goal}\"]\n[kind.tool{goal}]\nundergoes = [\"take\"]\n"
        );
        performs.push(format!("\"work{goal}\""));
        needs.push(format!("need{goal} = 0"));
    }
    text += &format!(
        "[kind.person]\nperforms = [{}]\nproperties = {{ {} }}\n",
        performs.join(", "),
        needs.join(", ")
    );
    #[derive(serde::Deserialize)]
    struct File {
        interaction: Ordered<InteractionFile>,
        kind: Ordered<KindFile>,
    }
    let file: File = repertoire_authored::read(&text).unwrap_or_else(|mistake| panic!("{mistake}"));
    let part = LawsPart { text: &text, interactions: &file.interaction, kinds: &file.kind };
    build(&[part]).unwrap_or_else(|(_, mistake)| panic!("{mistake}"))
}

impl Town {
    /// A town of `count` characters with `goals` goals each.
    pub fn new(count: usize, goals: usize) -> Self {
        let laws = Arc::new(laws(goals));
        let kind = |name: String| laws.find_kind(&name).expect("declared");
        // Thing 0 is oneself; then a bench and two tools for each goal.
        let mut things = vec![(kind("person".into()), laws.kind(kind("person".into())).name)];
        for goal in 0..goals {
            for name in [format!("bench{goal}"), format!("tool{goal}"), format!("tool{goal}")] {
                things.push((kind(name.clone()), laws.kind(kind(name)).name));
            }
        }
        let roster = Arc::new(Roster { things });
        let profile = Profile {
            multi: true,
            inertia: Some(0.2),
            time: Some(5.0),
            preferences: [("take".to_owned(), 1.1)].into(),
            ..Profile::default()
        };
        let temper = Temper::new(&profile, &laws);
        let characters = (0..count)
            .map(|_| {
                let mut memory = Memory::new(ThingId(0), roster.clone());
                for (at, &(kind, _)) in roster.things.iter().enumerate() {
                    let values: Vec<Value> =
                        laws.kind(kind).properties.iter().map(|&(_, usual)| usual).collect();
                    let seen = Seen {
                        thing: ThingId(at as u32),
                        kind,
                        place: Some(0),
                        holder: None,
                        values: &values,
                    };
                    memory.see(seen, 0, &laws);
                }
                let wanted = (0..goals).map(|goal| {
                    let need = laws.find_property(&format!("need{goal}")).expect("declared");
                    let term = Term::Property(Who::Actor, need);
                    Goal {
                        name: format!("goal{goal}"),
                        want: Condition::Test(Test::Compare(
                            term.clone(),
                            Op::AtLeast,
                            Term::Value(Value::Number(1e9)),
                        )),
                        influence: Influence::Sigmoid { of: term, max: 30.0, centre: 10.0, slope: 2.0 },
                        whose: ThingId(0),
                        asks: false,
                    }
                });
                Character::new(memory, wanted.collect())
            })
            .collect();
        let needs = (0..goals).filter_map(|goal| laws.find_property(&format!("need{goal}"))).collect();
        Town { laws, temper, characters, needs, tick: 0 }
    }

    /// Everybody's needs change a little, and everybody decides, on one core; returns how many chose to do something.
    pub fn decide_all(&mut self) -> usize {
        self.tick += 1;
        let Town { laws, temper, characters, needs, tick } = self;
        decide_some(laws, temper, needs, *tick as usize, 0, characters)
    }

    /// The same on all cores, in chunks of fixed size; the choices are the same.
    #[allow(dead_code, reason = "only the comparison with big-brain, which uses all cores, needs it")]
    pub fn decide_all_on_all_cores(&mut self) -> usize {
        const CHUNK: usize = 256;
        self.tick += 1;
        let Town { laws, temper, characters, needs, tick } = self;
        let (laws, temper, needs, tick) = (&*laws, &*temper, &*needs, *tick as usize);
        let chunks = characters.par_chunks_mut(CHUNK).enumerate();
        chunks.map(|(at, chunk)| decide_some(laws, temper, needs, tick, at * CHUNK, chunk)).sum()
    }

    /// Everybody reasons anew, as if all had changed.
    pub fn reason_all_anew(&mut self) -> usize {
        let limits = Limits::default();
        for character in &mut self.characters {
            character.memory.note(u64::MAX);
            character.reason(&self.laws, &Nowhere, &self.temper, &limits);
        }
        self.characters.len()
    }

    /// For each character: nodes of its trees, alternatives, bytes.
    pub fn sizes(&self) -> (usize, usize, usize) {
        let first = &self.characters[0];
        let nodes = first.trees().iter().map(|tree| tree.nodes.len()).sum();
        (nodes, first.alternatives().len(), first.bytes())
    }

    /// What the first character chose.
    #[allow(dead_code, reason = "for the tests of one of the crates that share this file")]
    pub fn first_choice(&self) -> Option<Deed> {
        self.characters[0].decision().best().map(|best| best.deed)
    }
}

fn decide_some(
    laws: &Laws,
    temper: &Temper,
    needs: &[PropertyId],
    tick: usize,
    from: usize,
    characters: &mut [Character],
) -> usize {
    let limits = Limits::default();
    let mut acted = 0;
    for (at, character) in characters.iter_mut().enumerate() {
        let number = from + at;
        // One need of each falls or rises by turns.
        let need = needs[(number + tick) % needs.len()];
        let value = ((number * 7 + tick * 13) % 20) as f64;
        character.memory.learn(ThingId(0), need, Value::Number(value), laws);
        let chosen = character.decide(laws, &Nowhere, temper, &limits, &|_| 1.0);
        acted += usize::from(chosen.is_some());
    }
    acted
}

/// Least nanoseconds a character of several rounds: what others do on these cores only ever adds.
pub fn least_ns(count: usize, rounds: usize, mut round: impl FnMut()) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..rounds {
        #[allow(clippy::disallowed_methods, reason = "benchmarks measure time, and nothing depends on it")]
        let start = std::time::Instant::now();
        round();
        least = least.min(start.elapsed().as_nanos() as f64 / count as f64);
    }
    least
}

/// The exponent of growth: the slope on logarithmic axes, by least squares.
pub fn exponent(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> =
        points.iter().map(|&(x, y)| (repertoire_prob::num::ln(x), repertoire_prob::num::ln(y))).collect();
    let n = logs.len() as f64;
    let (mx, my) = (logs.iter().map(|p| p.0).sum::<f64>() / n, logs.iter().map(|p| p.1).sum::<f64>() / n);
    let covariance: f64 = logs.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
    covariance / logs.iter().map(|(x, _)| (x - mx) * (x - mx)).sum::<f64>()
}

/// Prints how it grows with the tree and with the number of characters.
#[allow(dead_code, reason = "the other crate that shares this file prints its own table")]
pub fn print(quick: bool) {
    let (count, rounds) = if quick { (50, 2) } else { (10_000, 9) };
    println!(
        "{:>10} {:>6} {:>13} {:>12} {:>12} {:>9}",
        "characters", "nodes", "alternatives", "ns/decision", "ns anew", "bytes"
    );
    let row = |count: usize, goals: usize| {
        let mut town = Town::new(count, goals);
        town.decide_all();
        let decide = least_ns(count, rounds, || assert!(town.decide_all() > 0));
        let anew = least_ns(count, rounds.min(3), || assert!(town.reason_all_anew() > 0));
        let (nodes, alternatives, bytes) = town.sizes();
        println!("{count:>10} {nodes:>6} {alternatives:>13} {decide:>12.0} {anew:>12.0} {bytes:>9}");
        (nodes as f64, decide, anew)
    };
    let sizes: Vec<(f64, f64, f64)> = [4, 8, 16, 32].iter().map(|&goals| row(count / 5, goals)).collect();
    let towns: Vec<(f64, f64)> = [count / 8, count / 4, count / 2, count, count * 2]
        .iter()
        .map(|&count| (count as f64, row(count, 4).1 * count as f64))
        .collect();
    let of = |pick: &dyn Fn(&(f64, f64, f64)) -> f64| {
        exponent(&sizes.iter().map(|size| (size.0, pick(size))).collect::<Vec<_>>())
    };
    println!(
        "exponents: {:.2} in nodes (decisions), {:.2} in nodes (anew), {:.2} in characters",
        of(&|size| size.1),
        of(&|size| size.2),
        exponent(&towns)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_has_a_tree_of_twenty_nodes_and_decides() {
        let mut town = Town::new(20, 4);
        assert_eq!(town.decide_all(), 20);
        let (nodes, alternatives, bytes) = town.sizes();
        assert!(nodes >= 20 && alternatives == 8 && bytes > 0, "{nodes} {alternatives} {bytes}");
        let first = town.first_choice();
        // Needs change, and so do choices.
        assert!((0..50).any(|_| town.decide_all() > 0 && town.first_choice() != first));
    }

    #[test]
    fn the_table_can_be_printed() {
        print(true);
    }
}
