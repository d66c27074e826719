//! Recordings that were cut off or damaged: what is left is read or refused, never invented.

mod common;

use common::{assert_same, play, record, to_csv};
use repertoire_prob::{Rng, Stream};
use repertoire_trace::{CsvReader, Recording, Tick, TraceError};

/// Everything that can be read, and what went wrong after it.
fn salvage(file: &[u8]) -> (Vec<Tick>, Option<TraceError>) {
    let mut recording = match Recording::open(std::io::Cursor::new(file)) {
        Ok(recording) => recording,
        Err(error) => return (Vec::new(), Some(error)),
    };
    let mut read = Vec::new();
    for tick in recording.ticks() {
        match tick {
            Ok(tick) => read.push(tick),
            Err(error) => return (read, Some(error)),
        }
    }
    (read, None)
}

#[test]
fn a_recording_cut_anywhere_is_read_up_to_the_cut() {
    let (header, ticks) = play(50, 3, 11);
    let file = record(&header, &ticks, 10..=20);
    let mut most = 0;
    let mut saves = Vec::new();
    // Every length near the end of a footer, every seventh elsewhere: all of them take a minute.
    let ends: Vec<usize> = (0..file.len()).filter(|&at| file[..at].ends_with(b"PAR1")).collect();
    let lengths =
        (0..file.len()).filter(|&length| length % 7 == 0 || ends.iter().any(|end| end.abs_diff(length) < 30));
    for length in lengths {
        let cut = &file[..length];
        match Recording::open(std::io::Cursor::new(cut)) {
            Ok(mut recording) => {
                let saved = recording.cut().expect("it is not whole");
                assert_eq!(recording.header(), &header);
                let ticks_saved = saved.ticks_saved as usize;
                assert!(ticks_saved >= most, "a longer file has no less in it");
                if ticks_saved > most {
                    most = ticks_saved;
                    saves.push(most);
                    let read: Vec<Tick> = recording.ticks().map(|tick| tick.expect("it was saved")).collect();
                    assert_same(&read, &ticks[..most]);
                }
            }
            Err(TraceError::NothingSaved { bytes }) => {
                assert_eq!((bytes, most), (length as u64, 0), "what was saved once stays so")
            }
            Err(other) => panic!("{length} of {} bytes: {other}", file.len()),
        }
    }
    assert_eq!(saves, [10, 40], "a footer longer than what it would save (10 ticks more) is left out");
    assert!(Recording::open(std::io::Cursor::new(&file)).expect("it is whole").cut().is_none());
}

#[test]
fn a_recorder_that_never_finished_leaves_its_groups() {
    let (header, ticks) = play(130, 3, 11);
    let mut file = Vec::new();
    let mut recorder =
        repertoire_trace::Recorder::new(&mut file, header).expect("a good header").group_ticks(50..=50);
    for tick in &ticks {
        recorder.push(tick.clone()).expect("a good tick");
    }
    drop(recorder);
    let recording = Recording::open(std::io::Cursor::new(&file)).expect("two groups are there");
    let cut = recording.cut().expect("it was not finished");
    assert_eq!((cut.ticks_saved, cut.bytes_lost), (100, 0));
    assert_same(&salvage(&file).0, &ticks[..100]);
}

#[test]
fn what_comes_after_the_end_does_no_harm() {
    let (header, ticks) = play(60, 2, 1);
    let mut file = record(&header, &ticks, 20..=40);
    file.extend(b"PAR1 and something else PAR1");
    let (read, error) = salvage(&file);
    assert!(error.is_none());
    assert_same(&read, &ticks);
    let recording = Recording::open(std::io::Cursor::new(&file)).expect("it is there");
    assert_eq!(recording.cut().map(|cut| cut.bytes_lost), Some(28));
}

#[test]
fn changed_bytes_never_change_a_tick() {
    let (header, ticks) = play(60, 3, 2);
    let file = record(&header, &ticks, 10..=20);
    let mut draw = Stream::new(0, 0, "changed bytes");
    let mut whole = 0;
    for _ in 0..1000 {
        let mut changed = file.clone();
        for _ in 0..=draw.next_u64() % 3 {
            let at = (draw.next_u64() % file.len() as u64) as usize;
            changed[at] = draw.next_u64() as u8;
        }
        let (read, error) = salvage(&changed);
        assert_same(&read, &ticks[..read.len()]);
        whole += usize::from(error.is_none() && read.len() == ticks.len());
        let whole_footer = Recording::open(std::io::Cursor::new(&changed)).is_ok_and(|it| it.cut().is_none());
        assert!(
            error.is_some() || read.len() == ticks.len() || !whole_footer,
            "ticks are missing in silence"
        );
    }
    assert!(whole > 0, "earlier footers are of no use to a whole file");
}

#[test]
fn without_a_seal_changed_bytes_never_panic() {
    let (header, ticks) = play(30, 2, 2);
    let file = common::rewrite(&record(&header, &ticks, 30..=30), |_, value| Some(value));
    assert_same(&salvage(&file).0, &ticks);
    let mut draw = Stream::new(0, 0, "changed bytes without a seal");
    for _ in 0..1000 {
        let mut changed = file.clone();
        for _ in 0..=draw.next_u64() % 3 {
            let at = (draw.next_u64() % file.len() as u64) as usize;
            changed[at] = draw.next_u64() as u8;
        }
        let _ = salvage(&changed);
    }
}

#[test]
fn changed_text_never_panics() {
    let (header, ticks) = play(12, 2, 2);
    let text = to_csv(&header, &ticks);
    let mut draw = Stream::new(0, 0, "changed text");
    const BYTES: &[u8] = b"\",\n\r#:[]{}0123456789-.eE\\ax\xff\0";
    for _ in 0..4000 {
        let mut changed = text.clone().into_bytes();
        for _ in 0..=draw.next_u64() % 3 {
            let at = (draw.next_u64() % changed.len() as u64) as usize;
            match draw.next_u64() % 3 {
                0 => drop(changed.remove(at)),
                1 => changed.truncate(at.max(1)),
                _ => changed[at] = BYTES[(draw.next_u64() % BYTES.len() as u64) as usize],
            }
        }
        if let Ok(reader) = CsvReader::open(&changed[..]) {
            let _ = reader.take_while(Result::is_ok).count();
        }
    }
}
