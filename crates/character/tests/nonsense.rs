//! Calls with numbers and indices that mean nothing: each is refused with its reason, or has a neutral answer that its doc
//! names. What may panic says so under `# Panics`, and is listed at the end.

use repertoire_character::Laws;
use repertoire_character::laws::matrix::{Model, SEPARATORS};
use repertoire_character::motivation::numbers::{completion, opportunism, preference};
use repertoire_character::profile::fuse::fuse;
use repertoire_character::profile::{family, file, profile};
use repertoire_character::{InteractionId, KindId};

fn panics<R>(call: impl FnOnce() -> R) -> bool {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).is_err()
}

#[test]
fn profiles_are_not_fused_by_nonsense() {
    let (a, b) = (profile("brute").unwrap(), profile("careful").unwrap());
    for weight in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.1, 1.1] {
        let refused = fuse(&a, &b, weight).unwrap_err();
        assert_eq!(refused.0.to_bits(), weight.to_bits());
    }
}

#[test]
fn motivations_of_nonsense_are_neutral_or_forbid() {
    for bad in [f64::NAN, 1.0, 0.0, -3.0] {
        assert_eq!(completion(bad, 5.0), 1.0, "{bad}");
        assert_eq!(opportunism(bad, 5.0), 1.0, "{bad}");
    }
    assert_eq!(completion(5.0, f64::NAN), 1.0);
    assert_eq!(completion(5.0, f64::INFINITY), 0.0);
    assert_eq!((preference([f64::NAN, 2.0]), preference([-1.0])), (0.0, 0.0));
}

#[test]
fn laws_are_read_from_text_and_mistakes_have_their_line() {
    let wrong = |text: &str| Laws::read(text).unwrap_err();
    assert_eq!(wrong("\n[interacton.open]").line, 2);
    assert_eq!(wrong("[kind.guard]\nperforms = [\"open\"]").line, 2);
    assert_eq!(wrong("[kind.door]\nproperties = { weight = nan }").line, 2);
    assert_eq!(wrong("[interaction.open]\naction = \"target.opened = \"").line, 2);
    assert_eq!(wrong("{ \"kind\": 3 }").line, 1);
    assert_eq!(Laws::read(""), Ok(Laws::default()));
}

#[test]
fn matrices_that_say_nothing_are_refused() {
    let interactions = "interaction Eat\nactions eat\nend\n";
    let read = |interactions: &str, matrix: &str| {
        let (in_matrix, mistake) = Model::read(interactions, matrix, SEPARATORS).unwrap_err();
        assert!(!mistake.remedy.is_empty());
        (in_matrix, mistake.line)
    };
    assert!(Model::read(interactions, "hens Eat 20", SEPARATORS).is_ok());
    assert_eq!(read("", "hens Eat 20"), (false, 1));
    assert_eq!(read("; a comment\n", "hens Eat 20"), (false, 1));
    assert_eq!(read(interactions, ""), (true, 1));
    assert_eq!(read(interactions, "# nothing\n\n"), (true, 1));
    assert_eq!(read("\n{ \"interactions\": [] }", "hens Eat 20"), (false, 2));
    assert_eq!(read(interactions, "[\n  \"hens\"\n]\n"), (true, 1));
}

#[test]
fn numbers_in_files_are_finite_and_in_their_range() {
    for text in [
        "time = nan",
        "time = 1",
        "space = inf",
        "inertia = nan",
        "[preferences]\nopen = -1",
        "[costs]\nopen = nan",
    ] {
        assert!(file::read(text).is_err(), "{text}");
        assert!(family::read(&format!("name = \"f\"\n{text}")).is_err(), "{text}");
    }
}

#[test]
fn broken_invariants_of_the_caller_panic_as_documented() {
    let laws = Laws::default();
    assert!(panics(|| laws.kind(KindId(3)).clone()));
    assert!(panics(|| laws.interaction(InteractionId(3)).clone()));
}
