//! The four demos of `../shared/data/quake`, against what other code made of them; skipped, loudly, where they are absent.

use std::path::{Path, PathBuf};

use repertoire_trace::compare::compare;
use repertoire_trace::play::Play;
use repertoire_trace::{play_table, source};

fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("REPERTOIRE_QUAKE_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/quake")),
        PathBuf::from,
    );
    if folder.join("raw").is_dir() {
        return Some(folder);
    }
    eprintln!("SKIPPED: there are no QuakeWorld demos at {}; set REPERTOIRE_QUAKE_DATA", folder.display());
    None
}

fn bytes(path: &Path) -> Vec<u8> {
    source::unpack(std::fs::read(path).expect("it was just found")).expect("a recording")
}

fn read(folder: &Path, file: &str, events: Option<&str>) -> Play {
    let events = events.map(|events| bytes(&folder.join(events)));
    let (mut plays, cut) =
        play_table::read_any(&bytes(&folder.join(file)), file, events.as_deref()).expect("play");
    assert!(cut.is_none() && plays.len() == 1);
    plays.remove(0)
}

#[test]
fn every_row_agrees_with_what_other_code_read() {
    let Some(folder) = folder() else { return };
    for (demo, states, events) in [
        ("raw/demo08.qwd.gz", "demo08_20hz.csv.gz", "demo08_events.csv.gz"),
        ("raw/demo14.qwd.gz", "demo14_20hz.csv.gz", "demo14_events.csv.gz"),
        ("raw/demo22.qwd.gz", "demo22_20hz.csv.gz", "demo22_events.csv.gz"),
        ("raw/mvd_dm2.mvd.gz", "qw_mvd_states_20hz.csv.gz", "qw_mvd_events.csv.gz"),
    ] {
        let ours = read(&folder, demo, None);
        let compared = compare(&ours, &read(&folder, states, Some(events))).expect("the same match");
        assert_eq!(compared.rows, compared.rows_compared, "{demo}");
        assert!(compared.offset_secs.abs() < 1e-3, "{demo}: both count from the beginning of the match");
        for column in &compared.columns {
            assert_eq!(column.differing, 0, "{demo}: {column:?}");
        }
        for events in &compared.events {
            // In demo22 the score of a spectator who leaves is counted as a frag by the other reader.
            let allowed = usize::from(demo.contains("demo22") && events.kind.word() == "frags");
            assert!(
                events.same + allowed >= events.reference && events.ours <= events.reference,
                "{demo}: {events:?}"
            );
        }
    }
}

#[test]
fn real_demos_that_are_cut_or_damaged_never_panic() {
    let Some(folder) = folder() else { return };
    for demo in ["raw/demo22.qwd.gz", "raw/mvd_dm2.mvd.gz"] {
        let whole = bytes(&folder.join(demo));
        for part in [1_usize, 1_000, 20_001, 60_007, 200_003] {
            let _ = repertoire_trace::quake::read(&whole[..part], "cut");
        }
        let mut seed = 12345_u64;
        for _ in 0..12 {
            let mut damaged = whole[..400_000].to_vec();
            for _ in 0..40 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let place = (seed >> 33) as usize % damaged.len();
                damaged[place] ^= (seed >> 20) as u8;
            }
            let _ = repertoire_trace::quake::read(&damaged, "damaged");
        }
    }
}
