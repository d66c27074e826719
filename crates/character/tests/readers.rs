//! Readers never panic, whatever they are given, and what they accept means what it says.

use proptest::prelude::*;
use repertoire_character::expression::{Condition, Scope, parse_action, parse_condition};
use repertoire_character::laws::matrix::{read_interactions, read_matrix};
use repertoire_character::profile::{family, file};
use repertoire_character::vocabulary::Words;

fn properties() -> Words {
    let mut words = Words::default();
    ["opened", "locked", "energy", "key"].iter().for_each(|word| {
        words.intern(word);
    });
    words
}

/// Pieces of expressions, mostly in odd orders.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "actor",
        "target",
        "item",
        ".",
        "own",
        "(",
        ")",
        "and",
        "or",
        "not",
        "=",
        "<=",
        ">",
        "-",
        "+",
        "*",
        ",",
        ";",
        "opened",
        "energy",
        "key",
        "axe",
        "true",
        "3",
        "0.5",
        "distance",
        "inventory",
        "add",
        "remove",
        "glass-door",
        "é",
        "\"",
        "..",
    ]);
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.join(" "))
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in prop_oneof![pieces(), ".{0,60}"]) {
        let known = properties();
        let mut words = Words::default();
        let mut scope = Scope { words: &mut words, properties: &known, target: true, item: true, distance: true };
        for fault in [parse_condition(&text, &mut scope).err(), parse_action(&text, &mut scope).err()].into_iter().flatten() {
            prop_assert!(fault.span.end <= text.len() && !fault.remedy.is_empty());
        }
        let _ = (read_interactions(&text), read_matrix(&text, " ,"), file::read(&text), family::read(&text));
    }

    #[test]
    fn twice_not_is_nothing(text in pieces()) {
        let known = properties();
        let mut words = Words::default();
        let mut scope = Scope { words: &mut words, properties: &known, target: true, item: true, distance: true };
        if let Ok(condition) = parse_condition(&text, &mut scope) {
            let twice: Condition = condition.clone().negated().negated();
            prop_assert_eq!(condition, twice);
        }
    }
}
