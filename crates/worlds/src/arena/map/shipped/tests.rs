mod walk;

use std::collections::BTreeMap;

use super::*;
use crate::arena::map::{Map, file};
use glam::DVec2;
use walk::Walk;

fn maps() -> Vec<(&'static str, Map)> {
    let read = |(name, text)| match file::read(text) {
        Ok(authored) => (name, authored.map),
        Err(mistake) => panic!("{name}.toml:{mistake}"),
    };
    SHIPPED.into_iter().map(read).collect()
}

#[test]
fn every_map_reads_and_is_found_by_its_name() {
    for (name, map) in maps() {
        assert_eq!(map.name, name);
        assert!(shipped(name).is_some());
    }
    assert_eq!(shipped("moon"), None);
}

#[test]
fn every_border_is_closed_and_none_is_there_twice() {
    for (name, map) in maps() {
        let key = |at: DVec2| (at.x.to_bits(), at.y.to_bits());
        for (i, area) in map.areas.iter().enumerate() {
            let mut degree: BTreeMap<(u64, u64), i32> = BTreeMap::new();
            for line in &map.lines {
                let sides = [(Some(line.right), line.a, line.b), (line.left, line.b, line.a)];
                for (_, a, b) in sides.into_iter().filter(|side| side.0 == Some(i as u16)) {
                    *degree.entry(key(a)).or_default() += 1;
                    *degree.entry(key(b)).or_default() -= 1;
                }
            }
            assert!(!degree.is_empty(), "{name}: {} has no border", area.name);
            assert!(degree.values().all(|&total| total == 0), "{name}: {} is open", area.name);
        }
        let mut ends: Vec<_> = map.lines.iter().flat_map(|l| [(l.a, l.b), (l.b, l.a)]).collect();
        ends.sort_by_key(|&(a, b)| (key(a), key(b)));
        assert!(ends.windows(2).all(|pair| pair[0] != pair[1]), "{name}: a line twice");
    }
}

#[test]
fn no_ground_belongs_to_two_areas() {
    for (name, map) in maps() {
        let walk = Walk::new(&map);
        for at in walk.cells() {
            assert!(walk.areas_at(at).len() <= 1, "{name}: {:?} at {at}", walk.areas_at(at));
        }
    }
}

#[test]
fn everything_can_be_reached_and_left_again() {
    for (name, map) in maps() {
        let walk = Walk::new(&map);
        let home = walk.node(map.starts[0].at).expect("the first start stands");
        let (there, back) = (walk.reachable(home), walk.reaching(home));
        for start in &map.starts {
            let node = walk
                .node(start.at)
                .unwrap_or_else(|| panic!("{name}: the start at {} is in a wall", start.at));
            assert!(there[node], "{name}: nobody comes to {}", start.at);
            assert!(back[node], "{name}: nobody leaves {}", start.at);
        }
        for item in &map.items {
            let node = walk.node(item.at).unwrap_or_else(|| panic!("{name}: {:?} is in a wall", item));
            assert!(there[node], "{name}: nobody comes to {item:?}");
        }
        for (at, (there, back)) in walk.cells().zip(there.iter().zip(&back)) {
            let area = walk.areas_at(at).first().map(|&i| &map.areas[i].name);
            assert!(!there || *back, "{name}: who is at {at} in {area:?} cannot come back");
        }
        // All that bodies fit on is ground to walk on, except what one must jump on and the apse behind a teleport.
        for (i, area) in map.areas.iter().enumerate() {
            let nodes: Vec<usize> = walk.nodes_of(i);
            let jumped = area.floor.slope == DVec2::ZERO && nodes.iter().all(|&node| !there[node]);
            if jumped && !nodes.is_empty() {
                assert!(
                    area.name == "apse" || walk.height_over_neighbours(i) <= 1.2,
                    "{name}: nobody comes to {}",
                    area.name
                );
            }
        }
    }
}

#[test]
fn no_two_starts_see_each_other() {
    for (name, map) in maps() {
        let walk = Walk::new(&map);
        for (i, a) in map.starts.iter().enumerate() {
            for b in &map.starts[i + 1..] {
                assert!(!walk.sees(a.at, b.at), "{name}: {} sees {}", a.at, b.at);
            }
        }
    }
}

#[test]
fn there_is_enough_to_fight_for() {
    for (name, map) in maps() {
        let count = |kind: &str| map.items.iter().filter(|spot| spot.item.name() == kind).count();
        assert!((1..=2).contains(&count("strong-weapon")), "{name}");
        assert!((2..=4).contains(&count("medium-weapon")), "{name}");
        assert!(count("health") >= 4 && count("medium-ammo") >= 2 && count("strong-ammo") >= 2, "{name}");
        assert!(map.starts.len() >= 8, "{name}");
    }
}
