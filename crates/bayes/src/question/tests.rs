//! Questions against the enumeration of the whole joint distribution.

use super::*;
use crate::program::Form;
use proptest::prelude::*;
use repertoire_prob::table::digits;
use repertoire_prob::{Cell, Stream, Variable};

/// A random program: any decomposition, several variables on either side, hard zeros, certain columns.
fn random_program(rng: &mut Stream, variables: usize, most_card: usize) -> Program {
    let below = |rng: &mut Stream, n: usize| (rng.unit() * n as f64) as usize;
    let cards: Vec<usize> = (0..variables).map(|_| 1 + below(rng, most_card)).collect();
    let mut order: Vec<usize> = (0..variables).collect();
    for i in (1..variables).rev() {
        order.swap(i, below(rng, i + 1));
    }
    let mut factors = Vec::new();
    let mut at = 0;
    while at < variables {
        let left: Vec<usize> = order[at..(at + 1 + below(rng, 2)).min(variables)].to_vec();
        let mut given: Vec<usize> =
            order[..at].iter().copied().filter(|_| rng.unit() < 0.4).take(3).collect();
        given.sort_by_key(|&id| id * 7 % 5);
        at += left.len();
        let height: usize = left.iter().map(|&id| cards[id]).product();
        let width: usize = given.iter().map(|&id| cards[id]).product();
        let mut cells = Vec::new();
        for _ in 0..width {
            let mut column: Vec<f64> =
                (0..height).map(|_| if rng.unit() < 0.2 { 0.0 } else { rng.unit() }).collect();
            if column.iter().sum::<f64>() == 0.0 {
                column[below(rng, height)] = 1.0;
            }
            repertoire_prob::num::normalise(&mut column);
            cells.extend(column.into_iter().map(Cell::Number));
        }
        let name = |id: &usize| format!("V{id}");
        let conditional = Conditional {
            left: left.iter().map(name).collect(),
            given: given.iter().map(|id| (name(id), None)).collect(),
        };
        factors.push((conditional, Form::Table(cells)));
    }
    let variables = cards.iter().enumerate().map(|(id, &card)| {
        Variable::new(format!("V{id}"), (0..card).map(|value| value.to_string())).unwrap()
    });
    Program::new("random", variables.collect(), factors).unwrap()
}

/// P(searched, known) by summing the whole joint.
fn brute_force(program: &Program, searched: &[u32], known: &[(u32, u32)]) -> Vec<f64> {
    let cards: Vec<usize> = program.variables().iter().map(Variable::card).collect();
    let searched_cards: Vec<usize> = searched.iter().map(|&id| cards[id as usize]).collect();
    let mut answer = vec![0.0; searched_cards.iter().product()];
    for index in 0..cards.iter().product() {
        let values = digits(index, &cards);
        if known.iter().any(|&(id, value)| values[id as usize] != value as usize) {
            continue;
        }
        let mut p = 1.0;
        for factor in program.factors() {
            let flat =
                |ids: &[u32]| ids.iter().fold(0, |at, &id| at * cards[id as usize] + values[id as usize]);
            let height: usize = factor.left().iter().map(|&id| cards[id as usize]).product();
            p *= factor.cells()[flat(factor.given()) * height + flat(factor.left())];
        }
        let at =
            searched.iter().zip(&searched_cards).fold(0, |at, (&id, card)| at * card + values[id as usize]);
        answer[at] += p;
    }
    answer
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5000))]
    #[test]
    fn random_questions_agree_with_brute_force(seed: u64, variables in 1usize..7) {
        let mut rng = Stream::new(seed, 0, "programs");
        let program = random_program(&mut rng, variables, 4);
        let mut workspace = Workspace::new();
        for _ in 0..3 {
            let (mut searched, mut known) = (Vec::new(), Vec::new());
            for id in 0..variables as u32 {
                match rng.unit() {
                    roll if roll < 0.35 => searched.push(id),
                    roll if roll < 0.65 => known.push((id, (rng.unit() * program.card(id) as f64) as u32)),
                    _ => {}
                }
            }
            if searched.is_empty() {
                continue;
            }
            if rng.unit() < 0.5 {
                searched.reverse();
                known.reverse();
            }
            let expected = brute_force(&program, &searched, &known);
            let evidence: f64 = expected.iter().sum();
            let (ids, values): (Vec<u32>, Vec<u32>) = known.iter().copied().unzip();
            let question = Question::of_ids(&program, &searched, &ids).unwrap();
            let answer = question.ask(&program, &values, &mut workspace);
            if evidence == 0.0 {
                prop_assert_eq!(answer.map(|answer| answer.distribution.to_vec()), Err(AskError::Impossible));
                continue;
            }
            let answer = answer.unwrap();
            prop_assert!((answer.p_known - evidence).abs() < 1e-12);
            prop_assert!((answer.log_p_known() - ln(evidence)).abs() < 1e-10);
            for (found, expected) in answer.distribution.iter().zip(&expected) {
                prop_assert!((found - expected / evidence).abs() < 1e-12);
                prop_assert!((*found == 0.0) == (*expected == 0.0), "zeros are exactly zero");
            }
        }
    }
}

#[test]
fn asking_allocates_nothing() {
    let mut rng = Stream::new(3, 0, "programs");
    let program = random_program(&mut rng, 9, 4);
    let question = Question::of_ids(&program, &[2, 5], &[0, 7]).unwrap();
    let mut workspace = Workspace::new();
    let mut possible = 0;
    let mut ask_all = || {
        for a in 0..program.card(0) as u32 {
            for b in 0..program.card(7) as u32 {
                possible += u32::from(question.ask(&program, &[a, b], &mut workspace).is_ok());
            }
        }
    };
    ask_all();
    let counted = allocation_counter::measure(&mut ask_all);
    assert_eq!(counted.count_total, 0);
    assert!(possible > 0);
}

/// A long chain of variables, each a noisy copy of the one before.
fn chain(length: usize, cell: f64) -> Program {
    let variables = (0..length).map(|i| Variable::new(format!("V{i}"), ["0", "1"]).unwrap()).collect();
    let cells = [1.0 - cell, cell, cell, 1.0 - cell].map(Cell::Number);
    let factors = (0..length)
        .map(|i| match i {
            0 => ("P(V0)".parse().unwrap(), Form::Uniform),
            _ => (format!("P(V{i} | V{})", i - 1).parse().unwrap(), Form::Table(cells.to_vec())),
        })
        .collect();
    Program::new("chain", variables, factors).unwrap()
}

#[test]
fn evidence_far_below_f64_still_has_an_answer() {
    // 0, 1, 0, 1, ... at 1e-60 each: P(known) near 1e-5940.
    let program = chain(101, 1e-60);
    let known: Vec<u32> = (1..101).collect();
    let question = Question::of_ids(&program, &[0], &known).unwrap();
    let values: Vec<u32> = (1..101).map(|i| i % 2).collect();
    let mut workspace = Workspace::new();
    let answer = question.ask(&program, &values, &mut workspace).unwrap();
    assert_eq!(answer.p_known, 0.0);
    assert!((answer.log_p_known() - (99.0 * ln(1e-60) - ln(2.0))).abs() < 1e-8, "{}", answer.log_p_known());
    assert!((answer.distribution[1] - 1.0).abs() < 1e-12 && answer.distribution[0] > 0.0);
}

#[test]
fn evidence_that_crosses_does_not_lose_either_side() {
    // Five witnesses nearly exclude A=0, five nearly exclude A=1: each product alone leaves f64.
    let boolean = |name: String| Variable::new(name, ["0", "1"]).unwrap();
    let mut variables = vec![boolean("A".into())];
    let mut factors = vec![("P(A)".parse().unwrap(), Form::Uniform)];
    for i in 0..10 {
        let (zero, one) = if i < 5 { (1e-90, 0.5) } else { (0.5, 2e-90) };
        variables.push(boolean(format!("W{i}")));
        let cells = [Cell::Rest, Cell::Number(zero), Cell::Rest, Cell::Number(one)];
        factors.push((format!("P(W{i} | A)").parse().unwrap(), Form::Table(cells.to_vec())));
    }
    let program = Program::new("witnesses", variables, factors).unwrap();
    let known: Vec<u32> = (1..=10).collect();
    let question = Question::of_ids(&program, &[0], &known).unwrap();
    let mut workspace = Workspace::new();
    let answer = question.ask(&program, &[1; 10], &mut workspace).unwrap();
    assert!((answer.distribution[0] - 1.0 / 33.0).abs() < 1e-12, "{:?}", answer.distribution);
}

#[test]
fn a_long_chain_is_eliminated_in_small_tables() {
    let program = chain(2_000, 0.1);
    let question = Question::of_ids(&program, &[1_999], &[0]).unwrap();
    assert!(question.cells < 10_000, "{}", question.cells);
    let mut workspace = Workspace::new();
    let answer = question.ask(&program, &[0], &mut workspace).unwrap();
    assert!((answer.distribution[0] - 0.5).abs() < 1e-9);
}

#[test]
fn what_is_asked_wrongly_is_answered_with_a_remedy() {
    let program = crate::shipped::program("target-following").unwrap();
    let refused = |text: &str| program.ask(text).unwrap_err().to_string();
    assert!(refused("P(Rotatoin)").contains("did you mean `Rotation`?"));
    assert!(refused("P(Rotation | Direction=lft)").contains("did you mean `left`?"));
    assert!(refused("P(Rotation | Direction)").contains("Direction=..."));
    assert!(refused("P(Rotation | Rotation=left)").contains("twice"));
    assert!(refused("Rotation?").contains("write it like P(A B | C=low, D)"));
}

#[test]
fn a_question_too_large_is_refused_before_memory_is_taken() {
    // All 30 variables searched at once: 2^30 cells.
    let program = chain(30, 0.1);
    let all: Vec<u32> = (0..30).collect();
    assert_eq!(Question::of_ids(&program, &all, &[]).unwrap_err(), AskError::TooLarge);
}

#[test]
fn a_population_is_answered_as_its_members_are() {
    let program = crate::shipped::program("danger-sensor").unwrap();
    let ask: Conditional = "P(Danger | Weapon, Distance)".parse().unwrap();
    let question = Question::compile(&program, &ask).unwrap();
    let weapons: Vec<u32> = (0..100).map(|agent| agent % 3).collect();
    let distances: Vec<u32> = (0..100).map(|agent| agent / 3 % 3).collect();
    let (mut out, mut impossible) = (vec![0.0; 200], Vec::new());
    let mut workspace = Workspace::new();
    question
        .ask_columns(&program, &[&weapons, &distances], &mut workspace, &mut out, &mut impossible)
        .unwrap();
    assert!(impossible.is_empty());
    for agent in 0..100 {
        let alone = question.ask(&program, &[weapons[agent], distances[agent]], &mut workspace).unwrap();
        assert_eq!(alone.distribution, &out[agent * 2..][..2]);
    }
}
