use repertoire_prob::Stream;

use super::*;
use crate::learn::EmSettings;
use crate::play::State;
use crate::smooth::Pooling;
use crate::synthetic::{World, play, teacher};
use crate::{Sequence, learn};

/// Saved by the program when it still wrote JSON.
const VERSION_1: &str = include_str!("version-1.json");

fn model() -> Model {
    model::read(
        "name = \"m\"\ndecisions = 3\n[high.a]\nedges = [1, 2]\n[high.b]\nvalues = [\"x\", \"y\"]\n\
         [low.c]\nslots = 2\naxes = [{ of = \"yaw\", edges = [1, 2, 3] }]\n[low.d]\n\
         [reflexive.u]\nvalues = [\"0\", \"1\"]\n[external.e]\nvalues = [\"0\", \"1\", \"2\"]\n",
    )
    .unwrap()
}

fn lives(model: &Model, seed: u64) -> Vec<Sequence> {
    let mut stream = Stream::new(seed, 0, "file");
    let truth = teacher(model.layout(), &mut stream);
    (0..8).map(|_| play(model.layout(), &truth, World::default(), &mut stream)).collect()
}

/// A character in which nothing is as it is by default.
fn learned(pooling: Option<Pooling>) -> Learned {
    let settings = EmSettings { starts: 1, iterations: 5, pooling, ..EmSettings::default() };
    let model = model();
    let mut learned = learn(&model, &lives(&model, 1), &settings, &|_| {}).unwrap();
    learned.delay = Delay { ticks: vec![0.25, 0.75], ..Delay::default() };
    learned.sharpness = Sharpness { groups: vec![2.5], ..Sharpness::of(1.5, 1.25, 3.0) };
    learned.steadiness = Steadiness { attention: 2.0, external: vec![1.0 / 0.7] };
    learned.body = Body { reach: vec![None], by_keys: true, paces: vec![vec![], vec![0.5, 0.9]] };
    learned
}

/// What a character does in a few hundred ticks.
fn played(learned: &Learned) -> Vec<crate::play::Tick> {
    let mut stream = Stream::new(5, 0, "played");
    let life = &lives(&learned.model, 2)[0];
    let mut state = State::new();
    let slots = learned.model.slots().len();
    (0..life.len())
        .map(|t| {
            let low: Vec<Option<u16>> = (0..slots).map(|slot| life.low(t, slot)).collect();
            state.step(learned, life.high(t), &low, repertoire_prob::Rng::next_u64(&mut stream))
        })
        .collect()
}

#[test]
fn a_character_is_what_its_file_holds() {
    for pooling in [None, Some(Pooling::default())] {
        let learned = learned(pooling);
        let bytes = learned.to_bytes();
        let loaded = Learned::from_bytes(&bytes).unwrap();
        assert_eq!(loaded, learned);
        assert_eq!(played(&loaded), played(&learned));
        assert_eq!(loaded.to_bytes(), bytes, "the same character, the same bytes");
        let more = lives(&learned.model, 3);
        let settings = EmSettings { iterations: 3, pooling, ..EmSettings::default() };
        let go_on = |from: &Learned| from.go_on(&more, &settings, &|_| {}).unwrap();
        assert_eq!(go_on(&loaded), go_on(&learned));
    }
}

#[test]
fn what_is_lost_is_below_a_millionth_of_a_tick() {
    let model = model();
    let settings = EmSettings { starts: 1, iterations: 5, ..EmSettings::default() };
    let lives = lives(&model, 1);
    let run = crate::learn::from_scratch(&model, &lives, &settings, &|_| {}).unwrap();
    let learned = learn(&model, &lives, &settings, &|_| {}).unwrap();
    let (exact, kept) = (run.counts.ticks_tables(), learned.counts().ticks_tables());
    for (exact, kept) in exact.into_iter().flatten().zip(kept.into_iter().flatten()) {
        assert!((exact - kept).abs() <= 0.5 / PARTS, "{exact} became {kept}");
    }
    let apart = crate::decisions::mean_log_likelihood(&learned, &lives);
    let given = Learned::from_params(model, run.params).unwrap();
    let apart = (apart - crate::decisions::mean_log_likelihood(&given, &lives)).abs();
    assert!(apart < 1e-6, "{apart} nats per tick");
}

#[test]
fn numbers_that_nobody_learned_are_kept_to_the_bit() {
    let model = model();
    let params = teacher(model.layout(), &mut Stream::new(7, 0, "given"));
    let given = Learned::from_params(model, params.clone()).unwrap();
    assert_eq!(given.params(), &params);
    let loaded = Learned::from_bytes(&given.to_bytes()).unwrap();
    assert_eq!(loaded, given);
    assert_eq!(loaded.params(), &params);
}

#[test]
fn impossible_lives_in_the_curve_can_be_saved() {
    let mut learned = learned(None);
    learned.curve = vec![f64::NEG_INFINITY, -1.5];
    assert_eq!(Learned::from_bytes(&learned.to_bytes()).unwrap().curve, learned.curve);
}

#[test]
fn characters_of_version_1_load() {
    let old = Learned::from_bytes(VERSION_1.as_bytes()).unwrap();
    assert_eq!((old.model.name(), old.lives, old.model.decisions()), ("tiny", 4, 2));
    assert!((old.params().external[0][0] - 0.099_285_776_408_744_36).abs() < 1e-16);
    assert_eq!(old.counts().ticks, 1170.0);
    let new = Learned::from_bytes(&old.to_bytes()).unwrap();
    assert_eq!(new, old, "and can be saved as what is written now");
    let json = serde_json::to_string(&learned(None).to_file()).unwrap();
    assert_eq!(Learned::from_bytes(json.as_bytes()).unwrap(), learned(None), "JSON is still read");
}

#[test]
fn every_change_of_a_file_is_noticed() {
    let learned = learned(Some(Pooling::default()));
    let bytes = learned.to_bytes();
    for length in (0..bytes.len()).step_by(7) {
        let cut = Learned::from_bytes(&bytes[..length]);
        assert!(cut.is_err(), "{length} of {} bytes were taken for all", bytes.len());
    }
    let start = MAGIC.len() + 2;
    for at in start..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (at % 8);
        // Between the stream's last bit and its checksum there are up to seven bits that hold nothing.
        let is_idle = at == bytes.len() - 5;
        let found = Learned::from_bytes(&changed);
        assert!(
            found.is_err() || is_idle && found.is_ok_and(|found| found == learned),
            "byte {at} of {} was changed",
            bytes.len()
        );
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(matches!(Learned::from_bytes(&longer), Err(FileError::Damaged(_))));
}

#[test]
fn other_files_are_refused_with_what_they_are_not() {
    let told = |bytes: &[u8]| Learned::from_bytes(bytes).map(|_| ()).unwrap_err().to_string();
    let bytes = learned(None).to_bytes();
    insta::assert_snapshot!(
        [
            told(b""),
            told(b"name = \"prudent\"\n"),
            told(b"PAR1\0\0"),
            told(b"repertoire character 3\nfrom the future"),
            told(b"repertoire character 2\n"),
            told(&bytes[..bytes.len() / 2]),
            told(b"{\"format\": \"repertoire places 1\"}"),
        ]
        .join("\n"),
        @r"
    it does not begin with `repertoire character 2`, nor is it the JSON of earlier versions
    it does not begin with `repertoire character 2`, nor is it the JSON of earlier versions
    it does not begin with `repertoire character 2`, nor is it the JSON of earlier versions
    it has version 3, and this program reads version 2
    it was cut off: its end is missing
    it was cut off: its end is missing
    its format is `repertoire places 1`, not `repertoire chameleon 1`
    "
    );
}
