//! The maps of Debian's package `freedm`, which are not part of this repository.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::check;
use crate::arena::map::wad::{import, list};

/// The file, or a loud word that the test did not run.
fn freedm() -> Option<Vec<u8>> {
    let path = std::env::var_os("REPERTOIRE_FREEDM").unwrap_or("/usr/share/games/doom/freedm.wad".into());
    let bytes = std::fs::read(&path).ok();
    if bytes.is_none() {
        eprintln!(
            "SKIPPED: freedm.wad is not installed at {}; install Debian's package freedm or set REPERTOIRE_FREEDM",
            PathBuf::from(path).display()
        );
    }
    bytes
}

#[test]
fn all_maps_of_freedm_are_imported() {
    let Some(bytes) = freedm() else { return };
    let names = list(&bytes).expect("a WAD file");
    assert_eq!(names.len(), 32);
    println!("map   | areas | lines | fences | lifts | exits | items | starts | notes");
    for name in names {
        let imported = import(&bytes, &name).unwrap_or_else(|error| panic!("{name}: {error}"));
        let map = &imported.map;
        check(map);
        println!(
            "{name} | {:5} | {:5} | {:6} | {:5} | {:5} | {:5} | {:6} | {}",
            map.areas.len(),
            map.lines.len(),
            map.lines.iter().filter(|line| line.fence).count(),
            map.lifts().len(),
            map.exits.len(),
            map.items.len(),
            map.starts.len(),
            imported.notes.join("; ")
        );
        assert!(map.starts.len() >= 6, "{name} is for deathmatch");
        assert!(map.items.len() >= 7, "{name} has items");
    }
}

/// The other description of MAP01 was made by another program (ViZDoom), so agreement means something.
#[test]
fn the_first_map_agrees_with_another_programs_reading_of_it() {
    let folder = std::env::var_os("REPERTOIRE_DOOM_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/doom")),
        PathBuf::from,
    );
    let Ok(text) = std::fs::read_to_string(folder.join("freedm_map01.map.json")) else {
        eprintln!(
            "SKIPPED: there is no freedm_map01.map.json at {}; set REPERTOIRE_DOOM_DATA",
            folder.display()
        );
        return;
    };
    let Some(bytes) = freedm() else { return };
    let map = import(&bytes, "MAP01").expect("a map").map;
    let other: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let ends = |line: &serde_json::Value| {
        ["x1", "y1", "x2", "y2"].map(|key| line[key].as_f64().expect("a coordinate") as i64)
    };
    let theirs: BTreeSet<[i64; 4]> = other["lines"].as_array().expect("lines").iter().map(ends).collect();
    let units = |metres: f64| (metres * 32.0) as i64;
    let mut ours = BTreeSet::new();
    for line in &map.lines {
        let [a, b] = [line.a, line.b].map(|at| [units(at.x), units(at.y)]);
        let both = [[a[0], a[1], b[0], b[1]], [b[0], b[1], a[0], a[1]]];
        assert!(
            both.iter().any(|ends| theirs.contains(ends)),
            "a line of ours that is not theirs: {a:?} {b:?}"
        );
        ours.extend(both);
    }
    let without: Vec<_> = theirs.difference(&ours).collect();
    println!("{} lines there, {} here; not here: {without:?}", theirs.len(), map.lines.len());

    let sectors = other["sectors"].as_array().expect("sectors");
    let (mut solid, mut moved) = (0, 0);
    for sector in sectors {
        let number = |key: &str| sector[key].as_f64().expect("a number");
        let name = format!("sector {}", number("id"));
        let Some(area) = map.areas.iter().find(|area| area.name == name) else {
            assert!(number("ceiling") <= number("floor"), "{name} is missing");
            solid += 1;
            continue;
        };
        // Theirs is the state at the end of a match.
        let heights = (area.floor.height_m * 32.0, area.ceiling_m * 32.0);
        if heights != (number("floor"), number("ceiling")) {
            println!("{name}: {heights:?} here, {} and {} there", number("floor"), number("ceiling"));
            moved += 1;
        }
    }
    println!(
        "{} sectors there, {} areas here; {solid} solid, {moved} of other heights",
        sectors.len(),
        map.areas.len()
    );
    assert_eq!(map.areas.len() + solid, sectors.len());
    assert!(moved <= 2, "doors and lifts only");
}
