//! Any partition, in any order, on any number of threads, gives the bits of one run; and what is no whole is refused.

use std::convert::Infallible;

use proptest::prelude::*;
use repertoire_prob::Stream;
use serde_json::json;

use super::*;
use crate::tournament::tests::{entry, small};
use crate::tournament::{Pieces, Tournament};

/// Sums numbers of very different sizes, so that another order gives other bits.
#[derive(Clone)]
pub(super) struct Uneven {
    pub total: u64,
    pub seed: u64,
}

impl Sharded for Uneven {
    type Piece = f64;
    type Whole = f64;
    type Refused = Infallible;

    fn what(&self) -> What {
        What { kind: "uneven".into(), seed: self.seed, settings: json!({ "size": 3 }), total: self.total }
    }

    fn piece(&self, number: u64) -> Result<f64, Infallible> {
        let mut draw = Stream::new(self.seed, number, "uneven");
        Ok((draw.unit() - 0.5) * repertoire_prob::num::exp(69.0 * draw.unit()))
    }

    fn whole(&self, pieces: Vec<(u64, f64)>) -> Result<f64, Infallible> {
        Ok(pieces.into_iter().map(|(_, piece)| piece).sum())
    }
}

/// A shard as its file holds it.
fn shard<W: Sharded>(work: &W, range: Range<u64>) -> Shard {
    let name = format!("{}-{}.shard", range.start, range.end);
    let pieces = run(work, range.clone(), &|| true, &|_, _| ()).unwrap_or_else(|refused| panic!("{refused}"));
    let shard = Shard::of(work, range, &pieces).expect("plain data");
    Shard::read(&name, &shard.text().expect("plain data")).expect("it was written so")
}

/// Shards of a random partition in a random order.
fn partition<W: Sharded>(work: &W, cuts: &[u64], seed: u64) -> Vec<Shard> {
    let total = work.what().total;
    let mut ends: Vec<u64> =
        cuts.iter().map(|cut| cut % total).filter(|&cut| cut > 0).chain([0, total]).collect();
    ends.sort_unstable();
    ends.dedup();
    let mut shards: Vec<Shard> = ends.windows(2).map(|pair| shard(work, pair[0]..pair[1])).collect();
    let mut draw = Stream::new(seed, 0, "order");
    for k in (1..shards.len()).rev() {
        shards.swap(k, (draw.unit() * (k + 1) as f64) as usize);
    }
    shards
}

fn refusal<W: Sharded>(work: &W, shards: &[Shard]) -> String {
    merge(work, shards).err().map(|error| error.to_string()).unwrap_or_default()
}

proptest! {
    #[test]
    fn any_partition_in_any_order_gives_the_bits_of_one_run(
        total in 1u64..60, cuts in prop::collection::vec(any::<u64>(), 0..12), seed in any::<u64>(), threads in 1usize..9,
    ) {
        let work = Uneven { total, seed };
        let alone = run_all(&work, &|| ()).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let merged = pool.install(|| merge(&work, &partition(&work, &cuts, seed))).unwrap();
        prop_assert_eq!(merged.to_bits(), alone.to_bits());
    }

    #[test]
    fn a_file_cut_anywhere_gives_whole_pieces_and_says_what_is_missing(total in 1u64..9, cut in any::<prop::sample::Index>()) {
        let work = Uneven { total, seed: 1 };
        let text = shard(&work, 0..total).text().unwrap();
        let cut = cut.index(text.len());
        match Shard::read("cut", &text[..cut]) {
            Err(refused) => prop_assert_eq!(refused, Unreadable::NoShard { name: "cut".into() }),
            Ok(shard) => {
                prop_assert!(!shard.is_whole);
                for (number, json) in &shard.pieces {
                    prop_assert_eq!(json, &serde_json::to_string(&work.piece(*number).unwrap()).unwrap());
                }
                prop_assert!(refusal(&work, &[shard]).contains("is not whole"));
            }
        }
    }

    #[test]
    fn a_changed_letter_is_found(total in 1u64..6, at in any::<prop::sample::Index>(), letter in 32u8..127) {
        let work = Uneven { total, seed: 1 };
        let good = shard(&work, 0..total).text().unwrap();
        let mut bytes = good.clone().into_bytes();
        let at = at.index(bytes.len());
        prop_assume!(bytes[at] != letter && bytes[at] != b'\n');
        bytes[at] = letter;
        let changed = Shard::read("changed", &String::from_utf8(bytes).unwrap());
        prop_assert!(changed.is_err_and(|_| true) , "letter {} of {}", at, good);
    }

    #[test]
    fn nonsense_is_refused_without_a_panic(text in ".{0,200}") {
        prop_assert!(Shard::read("nonsense", &text).is_err());
    }
}

#[test]
fn what_does_not_belong_together_is_refused_with_what_is_missing() {
    let work = Uneven { total: 10, seed: 1 };
    let [one, two] = [0..4, 4..10].map(|range| shard(&work, range));
    assert!(merge(&work, &[one.clone(), two.clone()]).is_ok());
    assert!(refusal::<Uneven>(&work, &[]).contains("no shard"));
    assert!(refusal(&work, std::slice::from_ref(&one)).starts_with("4..10 of 0..10 are missing"));
    let gap = [shard(&work, 0..2), shard(&work, 3..5), shard(&work, 9..10)];
    assert!(refusal(&work, &gap).contains("2..3, 5..9 of 0..10"), "{}", refusal(&work, &gap));
    assert!(refusal(&work, &gap).contains("`--only 2..3 --shard FILE`"));
    let overlap = refusal(&work, &[one.clone(), shard(&work, 2..10)]);
    assert!(overlap.starts_with("0-4.shard and 2-10.shard overlap: 2..4 are in both"), "{overlap}");
    let twice = refusal(&work, &[one.clone(), two.clone(), two.clone()]);
    assert!(twice.contains("4..10 are in both"), "{twice}");

    let mut old = two.clone();
    old.header.version = "0.0.9".into();
    assert!(refusal(&work, &[one.clone(), old]).contains("4-10.shard was made by version 0.0.9"));
    let other = shard(&Uneven { seed: 2, ..work.clone() }, 4..10);
    let said = refusal(&work, &[one.clone(), other]);
    assert!(said.contains("4-10.shard is part of another run: seed is 2, and 1 in"), "{said}");
    let mut changed = two.clone();
    changed.header.what.settings = json!({ "size": 4 });
    assert!(refusal(&work, &[one.clone(), changed]).contains("size is 4, and 3 in"));
    let mut from_other_file = two.clone();
    from_other_file.header.files.insert("a.toml".into(), "77".into());
    let said = refusal(&work, &[one.clone(), from_other_file]);
    assert!(said.contains("content.a.toml is \"77\", and nothing in 0-4.shard"), "{said}");
    let longer = shard(&Uneven { total: 12, ..work.clone() }, 4..10);
    assert!(refusal(&work, &[one.clone(), longer]).contains("total is 12, and 10 in"));
    let mut broken = two;
    broken.pieces.insert(5, "\"five\"".into());
    assert!(refusal(&work, &[one, broken]).contains("4-10.shard: piece 5 cannot be used"));
}

#[test]
fn a_run_that_was_stopped_goes_on_from_its_lines() {
    let work = Uneven { total: 8, seed: 3 };
    let mut text = Header::of(&work, 0..8).line().unwrap();
    for number in [5, 2] {
        text += &file::piece_line(number, &work.piece(number).unwrap()).unwrap();
    }
    let torn = text.clone() + "7 00ab";
    let mut stopped = Shard::read("stopped", &torn).unwrap();
    assert_eq!(stopped.missing_words(), "0..2, 3..5, 6..8");
    let rest = stopped.missing().into_iter().flatten();
    for (number, piece) in run(&work, rest, &|| true, &|_, _| ()).unwrap() {
        assert!(
            stopped.pieces.insert(number, serde_json::to_string(&piece).unwrap()).is_none(),
            "nothing is done twice"
        );
    }
    assert_eq!(stopped.text().unwrap(), shard(&work, 0..8).text().unwrap());
}

#[test]
fn a_tournament_in_pieces_is_the_tournament() {
    let tournament = small(vec![entry("a", true), entry("b", true), entry("stone", false)]);
    let alone = tournament.run(&|_| (), None).unwrap();
    let pieces = Pieces::new(&tournament, None).unwrap();
    for (cuts, threads) in [(vec![3], 1), (vec![1, 2, 5], 2), (vec![1, 2, 3, 4, 5], 8), (vec![4], 3)] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let merged = pool.install(|| merge(&pieces, &partition(&pieces, &cuts, threads as u64))).unwrap();
        assert_eq!(serde_json::to_string(&merged).unwrap(), serde_json::to_string(&alone).unwrap());
    }
    let other = Tournament { frags: 4, ..tournament.clone() };
    let part = shard(&Pieces::new(&other, None).unwrap(), 0..6);
    assert!(refusal(&pieces, &[part]).contains("frags is 4, and 5 in"));
}

#[test]
fn ranges_cover_everything_once() {
    for (total, shards) in [(10, 3), (3, 8), (1, 1), (7, 7), (0, 2)] {
        let ranges = ranges(total, shards);
        assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start));
        assert_eq!((ranges[0].start, ranges[ranges.len() - 1].end), (0, total));
        assert!(total == 0 || ranges.iter().all(|range| !range.is_empty()));
    }
}

#[test]
fn files_that_files_name_belong_to_a_shard() {
    let folder = std::env::temp_dir().join(format!("named-files-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write(
        "who.toml",
        "[decide]\nbehaviour = \"calm\"\n[imitate]\ncharacter = 'taught.character'\nsays = \"nothing\"\n",
    );
    write("calm.toml", "tasks = [\"who\", \"rest\"]\n");
    write("taught.character", "bytes");
    write("rest", "a file of that name is none of its own kind, and counts all the same");
    let words = [format!("who={}/who.toml+belief", folder.display()), "--json".to_owned()];
    let names = || {
        let found = file::named_files(&words);
        found.into_iter().map(|(name, sum)| (name[folder.to_string_lossy().len() + 1..].to_owned(), sum))
    };
    let before: Vec<_> = names().collect();
    let only: Vec<&str> = before.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(only, ["calm.toml", "rest", "taught.character", "who.toml"]);
    write("taught.character", "other bytes");
    assert_ne!(names().collect::<Vec<_>>(), before);
    std::fs::remove_dir_all(&folder).unwrap();
}
