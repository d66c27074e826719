//! What is written is what is read, bit for bit.

mod common;

use common::{assert_same, from_csv, play, read, record, to_csv};
use proptest::prelude::*;
use repertoire_trace::{Header, Recorder, Recording, Row, Tick, TraceError};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn parquet_keeps_every_bit((header, ticks) in common::recording(12), most in 1u32..9) {
        let file = record(&header, &ticks, 1..=most);
        let (header_read, ticks_read) = read(&file).expect("what a recorder wrote");
        prop_assert_eq!(header_read, header);
        assert_same(&ticks_read, &ticks);
    }

    #[test]
    fn parquet_to_csv_to_parquet_gives_the_same_bytes((header, ticks) in common::recording(6)) {
        let text = to_csv(&header, &ticks);
        let (header_read, ticks_read) = from_csv(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_same(&ticks_read, &ticks);
        prop_assert_eq!(record(&header_read, &ticks_read, 1..=600), record(&header, &ticks, 1..=600));
    }
}

#[test]
fn a_match_of_many_groups_comes_back() {
    let (header, ticks) = play(1500, 4, 3);
    let file = record(&header, &ticks, 50..=600);
    let mut recording = Recording::open(std::io::Cursor::new(&file)).expect("what a recorder wrote");
    assert_eq!(recording.cut(), None);
    assert_eq!(recording.row_count(), 6000);
    let again: Vec<Tick> = recording.ticks().map(|tick| tick.expect("it is whole")).collect();
    assert_same(&again, &ticks);
    let twice: Vec<Tick> = recording.ticks().map(|tick| tick.expect("it is whole")).collect();
    assert_same(&twice, &ticks);
}

#[test]
fn a_recording_without_ticks_is_one() {
    let (header, _) = play(0, 2, 1);
    let file = record(&header, &[], 50..=600);
    assert_eq!(read(&file).expect("an empty match"), (header.clone(), Vec::new()));
    assert_eq!(from_csv(&to_csv(&header, &[])).expect("an empty match"), (header, Vec::new()));
}

#[test]
fn an_empty_word_is_none() {
    let header = Header::new("arena", "yard", 0, 0.1, ["a"]);
    let row = Row { task: Some(String::new()), why: Some(String::new()), ..Row::of(0) };
    let ticks = [Tick { tick: 0, state_hash: 1, rows: vec![row] }];
    let (_, read) = read(&record(&header, &ticks, 1..=1)).expect("what a recorder wrote");
    assert_eq!((read[0].rows[0].task.as_ref(), read[0].rows[0].why.as_ref()), (None, None));
}

#[test]
fn what_is_refused_leaves_the_recording_as_it_was() {
    let (header, ticks) = play(20, 2, 5);
    let mut recorder = Recorder::new(Vec::new(), header.clone()).expect("a good header");
    for tick in &ticks {
        recorder.push(tick.clone()).expect("a good tick");
        let twice = recorder.push(tick.clone());
        assert!(matches!(twice, Err(TraceError::Refused { .. })));
    }
    assert_same(&read(&recorder.finish().expect("memory")).expect("it is whole").1, &ticks);
}

#[test]
fn a_recorder_that_cannot_write_says_so_and_takes_no_more() {
    struct Full(usize);
    impl std::io::Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let (header, ticks) = play(40, 2, 5);
    let mut recorder = Recorder::new(Full(30_000), header).expect("a good header").group_ticks(5..=5);
    let refused: Vec<usize> =
        (0..ticks.len()).filter(|&at| recorder.push(ticks[at].clone()).is_err()).collect();
    let first = *refused.first().expect("the disk is full before the end");
    assert_eq!(refused, (first..ticks.len()).collect::<Vec<_>>());
    assert!(recorder.finish().is_err());
}
