//! Whatever the bytes: a map or an error, and no panic.

use proptest::prelude::*;

use super::builder::{Draft, DraftLine, two_rooms, wad};
use super::check;
use crate::arena::map::wad::{WadError, import, list};

/// Both calls; what is imported must hold together.
fn try_all(bytes: &[u8]) -> Result<(), WadError> {
    let mut outcome = import(bytes, "MAP01").map(|imported| check(&imported.map));
    for name in list(bytes)? {
        outcome = import(bytes, &name).map(|imported| check(&imported.map));
    }
    outcome
}

#[test]
fn a_file_cut_off_anywhere_is_refused() {
    for directory_first in [false, true] {
        let whole = wad(&two_rooms().lumps(), directory_first);
        try_all(&whole).expect("the whole file is fine");
        for length in 0..whole.len() {
            let error = try_all(&whole[..length]).expect_err("a part of the file is missing");
            assert!(matches!(error, WadError::Truncated { .. }), "cut at {length}: {error}");
        }
    }
}

#[test]
fn flipped_bits_do_no_harm() {
    let whole = two_rooms().wad();
    for at in 0..whole.len() {
        for bit in 0..8 {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << bit;
            let _ = try_all(&bytes);
        }
    }
}

#[test]
fn messages_say_what_is_wrong_and_where() {
    let fine = two_rooms();
    let changed = |change: &dyn Fn(&mut Draft)| {
        let mut draft = fine.clone();
        change(&mut draft);
        draft.wad()
    };
    let without = |lump: &str| {
        let lumps = fine.lumps();
        wad(&lumps.into_iter().filter(|(name, _)| name != lump).collect::<Vec<_>>(), false)
    };
    let file = fine.wad();
    let mut opened = fine.clone();
    opened.lines.remove(4);
    let mut negative = file.clone();
    negative[7] = 0x80;
    let mut ragged = fine.lumps();
    ragged[2].1.pop();
    let udmf = vec![("MAP01".to_owned(), Vec::new()), ("TEXTMAP".to_owned(), b"namespace".to_vec())];
    let mut many = Vec::new();
    for number in 0..100 {
        many.push((format!("MAP{number:02}"), Vec::new()));
        many.push(("THINGS".to_owned(), Vec::new()));
    }
    let cases = [
        ("empty", import(b"", "MAP01")),
        ("zip", import(b"PK\x03\x04....", "MAP01")),
        ("gzip", import(b"\x1f\x8b\x08\x00", "MAP01")),
        ("picture", import(b"\x89PNG\r\n\x1a\n", "MAP01")),
        ("cut in the header", import(&file[..7], "MAP01")),
        ("cut in the directory", import(&file[..file.len() - 5], "MAP01")),
        ("cut in a lump", import(&wad(&fine.lumps(), true)[..200], "MAP01")),
        ("negative count", import(&negative, "MAP01")),
        ("near name", import(&file, "MAP1")),
        ("far name", import(&file, "dungeon")),
        ("many maps", import(&wad(&many, false), "dungeon")),
        ("no maps", import(&wad(&[], false), "MAP01")),
        ("no sectors", import(&without("SECTORS"), "MAP01")),
        ("ragged", import(&wad(&ragged, false), "MAP01")),
        ("too many", import(&changed(&|draft| draft.vertices = vec![(0, 0); 70_000]), "MAP01")),
        ("vertex", import(&changed(&|draft| draft.lines[3].b = 900), "MAP01")),
        ("side", import(&changed(&|draft| draft.lines[3].left = 901), "MAP01")),
        ("sector", import(&changed(&|draft| draft.sides[3] = 902), "MAP01")),
        ("open", import(&opened.wad(), "MAP01")),
        ("hexen", import(&changed(&|draft| draft.more.push(("BEHAVIOR", vec![1]))), "MAP01")),
        ("udmf", import(&wad(&udmf, false), "MAP01")),
    ];
    let said: Vec<String> = cases
        .iter()
        .map(|(case, answer)| format!("{case}: {}", answer.as_ref().expect_err("it is refused")))
        .collect();
    insta::assert_snapshot!("messages", said.join("\n"));
}

#[test]
fn many_things_among_many_lines_take_no_forever() {
    let mut draft = Draft { name: "MAP01".to_owned(), ..Draft::default() };
    let sector = draft.sector(0, 128, 0, 1);
    for x in 0..10_000 {
        draft.lines.push(DraftLine { a: x * 2, b: x * 2 + 1, special: 97, tag: 1, ..DraftLine::default() });
        draft.vertices.extend([(x as i16, -30_000), (x as i16, 30_000)]);
    }
    draft.sides = vec![sector];
    draft.things = vec![(0, 0, 0, 2011, 7); 60_000];
    let notes = import(&draft.wad(), "MAP01").expect("nothing is bounded, so nothing is open").notes;
    assert!(notes.contains(&"55904 things too many left out".to_owned()), "{notes:?}");
}

/// Loops between a few points, so that lines often coincide, and now and then a line that leaves something open.
fn scribbles() -> impl Strategy<Value = Draft> {
    let special = prop_oneof![Just(0), Just(97), Just(62), Just(1), 0u16..300, any::<u16>()];
    let left = prop_oneof![0u16..4, Just(u16::MAX)];
    let sides = (0u16..2, special, 0u16..3, 0u16..4, left);
    let points = prop_oneof![
        9 => proptest::collection::vec(0u16..9, 3..6).prop_map(|mut loop_| {
            loop_.push(loop_[0]);
            loop_
        }),
        1 => proptest::collection::vec(0u16..9, 2),
    ];
    let path = (points, sides).prop_map(|(points, (flags, special, tag, right, left))| {
        let line = |pair: &[u16]| DraftLine { a: pair[0], b: pair[1], flags, special, tag, right, left };
        points.windows(2).map(line).collect::<Vec<_>>()
    });
    let sector = (-64i16..64, -64i16..256, 0u16..128, 0u16..3);
    let thing = (-99i16..99, -99i16..99, any::<i16>(), prop_oneof![1u16..90, 2001u16..2050], any::<u16>());
    let paths = proptest::collection::vec(path, 0..6);
    (paths, proptest::collection::vec(sector, 4), proptest::collection::vec(thing, 0..12)).prop_map(
        |(paths, sectors, things)| Draft {
            name: "MAP01".to_owned(),
            vertices: (0..9).map(|n| (n % 3 * 64 - 64, n / 3 * 64 - 64)).collect(),
            lines: paths.concat(),
            sides: vec![0, 1, 2, 3],
            sectors,
            things,
            more: Vec::new(),
        },
    )
}

proptest! {
    #[test]
    fn any_bytes_are_survived(mut bytes in proptest::collection::vec(any::<u8>(), 0..400), kind in 0..3) {
        if kind > 0 && bytes.len() >= 12 {
            bytes[..4].copy_from_slice(b"PWAD");
            if kind > 1 {
                bytes[4..12].copy_from_slice(&[9, 0, 0, 0, 12, 0, 0, 0]);
            }
        }
        let _ = try_all(&bytes);
    }

    #[test]
    fn any_damage_is_survived(damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..9)) {
        let mut bytes = two_rooms().wad();
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let _ = try_all(&bytes);
    }

    #[test]
    fn any_scribble_is_refused_or_closed(draft in scribbles()) {
        let _ = try_all(&draft.wad());
    }
}
