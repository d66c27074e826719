//! People's inputs through our rules, on the demos of `../shared/data/quake`; skipped, loudly, where they are absent.

use std::path::{Path, PathBuf};

use repertoire_eval::people::retrace::{RetraceSettings, retrace};
use repertoire_trace::{quake, source};
use repertoire_worlds::quake::Bsp;

fn bytes(path: &Path) -> Vec<u8> {
    source::unpack(std::fs::read(path).expect("it was just found")).expect("a recording")
}

#[test]
fn a_second_of_a_persons_inputs_leads_where_it_led_them() {
    let folder = std::env::var_os("REPERTOIRE_QUAKE_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/quake")),
        PathBuf::from,
    );
    if !folder.join("raw").is_dir() {
        eprintln!(
            "SKIPPED: there are no QuakeWorld demos at {}; set REPERTOIRE_QUAKE_DATA",
            folder.display()
        );
        return;
    }
    for (demo, map) in [("demo08", "dm2"), ("demo14", "dm6"), ("demo22", "dm4")] {
        let play = quake::read(&bytes(&folder.join(format!("raw/{demo}.qwd.gz"))), demo).unwrap();
        let map = Bsp::read(&bytes(&folder.join(format!("maps/{map}.bsp.gz")))).unwrap();
        let report = retrace(&play, &map, RetraceSettings::default()).unwrap();
        assert!(report.measured > 3000, "{report:?}");
        assert!(report.median <= 1.0 && report.percentile_95 <= 8.0, "{report:?}");
        assert!(report.within_8 >= 0.985, "{report:?}");
    }
}
