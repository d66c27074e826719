//! How much knowing somebody's own routes gains over knowing another's, of people: the range that B4 holds characters to. By the demos
//! of `../shared/data/quake`; skipped, loudly, where they are absent.

use std::collections::BTreeMap;
use std::path::PathBuf;

use repertoire_eval::believable::PEOPLE_ROUTES_NATS;
use repertoire_eval::telling::Trail;
use repertoire_eval::telling::routes::{Routes, forks, regions, ways};
use repertoire_trace::{play_table, source};

/// Nats per choice at a fork that one's own minutes gain over as many of another's, even minutes by odd ones and the other way round.
fn gain(one: &Trail, other: &Trail) -> Option<f64> {
    let centres = regions(&[one, other]);
    let of = |trail: &Trail, rest: usize| ways(trail, &centres, |minute| minute % 2 == rest);
    let all: Vec<Vec<u16>> =
        [one, other].iter().flat_map(|trail| (0..2).flat_map(|rest| of(trail, rest))).collect();
    let forks = forks(all.iter().flat_map(|way| way.windows(2)).map(|pair| (pair[0], pair[1])));
    let nats = |learned: &Trail, rest: usize| {
        Routes::of(&of(learned, 1 - rest)).nats_at(&of(one, rest), |at| forks.contains(&at))
    };
    let gain = |rest: usize| Some(nats(other, rest)? - nats(one, rest)?);
    Some((gain(0)? + gain(1)?) / 2.0)
}

#[test]
fn people_gain_as_much_as_characters_are_held_to() {
    let folder = std::env::var_os("REPERTOIRE_QUAKE_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/quake")),
        PathBuf::from,
    );
    let mut trails: BTreeMap<String, Vec<Trail>> = BTreeMap::new();
    for number in 0..100 {
        let Ok(bytes) = std::fs::read(folder.join(format!("demo{number:02}_20hz.csv.gz"))) else { continue };
        let bytes = source::unpack(bytes).expect("whole");
        let (plays, _) = play_table::read_any(&bytes, &format!("demo{number:02}"), None).expect("readable");
        for trail in plays.iter().flat_map(Trail::of_play) {
            trails.entry(trail.map.clone()).or_default().push(trail);
        }
    }
    if trails.is_empty() {
        eprintln!("SKIPPED: there are no demos at {}; set REPERTOIRE_QUAKE_DATA", folder.display());
        return;
    }
    let gains_of = |trails: &[Trail], one: &Trail| {
        let others = trails.iter().filter(|other| other.player != one.player);
        let gains: Vec<f64> = others.filter_map(|other| gain(one, other)).collect();
        (!gains.is_empty()).then(|| gains.iter().sum::<f64>() / gains.len() as f64)
    };
    let each = trails.values().flat_map(|trails| trails.iter().filter_map(|one| gains_of(trails, one)));
    let mut gains: Vec<f64> = each.collect();
    gains.sort_by(f64::total_cmp);
    let ends = (gains[0], gains[gains.len() - 1]);
    let off = (ends.0 - PEOPLE_ROUTES_NATS.0).abs().max((ends.1 - PEOPLE_ROUTES_NATS.1).abs());
    assert!(gains.len() == 13 && off < 0.005, "{gains:?}");
}
