mod builder;
mod freedm;
mod hostile;
mod semantics;

use std::collections::BTreeMap;

use super::{Area, Line, Map};

/// The area of a sector.
fn area(map: &Map, sector: usize) -> Area {
    let name = format!("sector {sector}");
    map.areas.iter().find(|area| area.name == name).expect("the sector is an area").clone()
}

/// What holds for every imported map: numbers are in range, values make sense, and each area is closed.
fn check(map: &Map) {
    let mut ends: BTreeMap<(u16, [u64; 2]), i32> = BTreeMap::new();
    for line in &map.lines {
        assert!(line.a != line.b);
        assert!(line.teleport.is_none_or(|exit| usize::from(exit) < map.exits.len() && line.left.is_some()));
        assert!(!line.fence || line.left.is_some());
        for (side, from, to) in [(Some(line.right), line.a, line.b), (line.left, line.b, line.a)] {
            let Some(side) = side else { continue };
            assert!(usize::from(side) < map.areas.len());
            let key = |at: glam::DVec2| (side, [(at.x + 0.0).to_bits(), (at.y + 0.0).to_bits()]);
            *ends.entry(key(from)).or_default() += 1;
            *ends.entry(key(to)).or_default() -= 1;
        }
    }
    assert!(ends.values().all(|&surplus| surplus == 0), "an area is open");
    for area in &map.areas {
        assert!(area.floor.height_m < area.ceiling_m, "{area:?}");
        assert!(area.lift.is_none_or(|lift| lift.low_m < lift.high_m && lift.metres_per_sec > 0.0));
        assert!((0.0..30.0).contains(&area.harm_per_sec));
    }
    assert!(map.starts.iter().chain(&map.exits).all(|start| start.yaw.abs() <= std::f64::consts::PI));
}
