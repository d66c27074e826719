//! A map made here, byte by byte: a floor, a wall, a step and a pool.

use proptest::prelude::*;

use super::*;

const SOLID: i16 = -2;
const EMPTY: i16 = -1;
const WATER: i16 = -3;

/// Axis, distance.
const PLANES: [(usize, f32); 8] =
    [(2, 0.0), (0, 200.0), (0, -100.0), (2, 16.0), (2, 24.0), (0, 184.0), (0, -84.0), (2, 40.0)];

/// What is drawn: solid below 0 and beyond x = 200; below x = -100 solid up to 16. Bodies: the same, grown by their box. Water is where
/// y is beyond 1,000, told by another plane when `is_wet`.
fn map(entities: &str) -> Vec<u8> {
    let mut lumps: Vec<Vec<u8>> = vec![Vec::new(); 15];
    lumps[0] = entities.bytes().chain([0]).collect();
    let mut plane = |axis: usize, distance: f32| {
        let mut normal = [0.0_f32; 3];
        normal[axis] = 1.0;
        normal.iter().chain(&[distance]).for_each(|number| lumps[1].extend(number.to_le_bytes()));
        lumps[1].extend((axis as u32).to_le_bytes());
    };
    PLANES.iter().for_each(|&(axis, distance)| plane(axis, distance));
    plane(1, 1000.0);
    // Leaf 0 is solid, 1 empty, 2 water.
    for contents in [SOLID, EMPTY, WATER] {
        lumps[10].extend(i32::from(contents).to_le_bytes());
        lumps[10].extend([0; 24]);
    }
    let leaf = |number: i16| -1 - number;
    let nodes: [(u32, i16, i16); 5] =
        [(1, leaf(0), 1), (2, 2, 3), (0, 4, leaf(0)), (3, leaf(1), leaf(0)), (8, leaf(2), leaf(1))];
    for (plane, front, back) in nodes {
        lumps[5].extend(plane.to_le_bytes());
        lumps[5].extend(front.to_le_bytes());
        lumps[5].extend(back.to_le_bytes());
        lumps[5].extend([0; 16]);
    }
    let clip: [(u32, i16, i16); 4] = [(5, SOLID, 1), (6, 2, 3), (4, EMPTY, SOLID), (7, EMPTY, SOLID)];
    for (plane, front, back) in clip {
        lumps[9].extend(plane.to_le_bytes());
        lumps[9].extend(front.to_le_bytes());
        lumps[9].extend(back.to_le_bytes());
    }
    for number in [-500.0_f32, -500.0, 0.0, 500.0, 2000.0, 500.0, 0.0, 0.0, 0.0] {
        lumps[14].extend(number.to_le_bytes());
    }
    lumps[14].extend([0; 28]);
    let mut file = 29_u32.to_le_bytes().to_vec();
    let mut at = 4 + 15 * 8;
    for lump in &lumps {
        file.extend((at as u32).to_le_bytes());
        file.extend((lump.len() as u32).to_le_bytes());
        at += lump.len();
    }
    lumps.iter().for_each(|lump| file.extend(lump));
    file
}

const TEXT: &str = "{\n\"classname\" \"info_player_deathmatch\"\n\"origin\" \"0 0 24\"\n}\n{ \"classname\" \"func_door\" \"model\" \"*7\" }";

fn run(body: &mut Body, space: &Space<'_>, command: Command, steps: usize) {
    for _ in 0..steps {
        body.step(space, &MoveRules::default(), &command);
    }
}

fn forward(yaw_deg: f32) -> Command {
    Command { msec: 13, yaw_deg, wish: [400.0, 0.0, 0.0], ..Command::default() }
}

#[test]
fn a_body_runs_stops_and_is_stopped_by_walls() {
    let map = Bsp::read(&map(TEXT)).unwrap();
    let space = Space::built(&map);
    let mut body = Body { origin: [-60.0, 0.0, 30.0], ..Body::default() };
    run(&mut body, &space, Command { msec: 13, ..Command::default() }, 30);
    assert!(body.is_on_ground && (body.origin[2] - 24.0).abs() < 0.05, "{body:?}");
    run(&mut body, &space, forward(90.0), 60);
    assert!((body.velocity[1] - 320.0).abs() < 1.0, "top speed: {body:?}");
    run(&mut body, &space, Command { msec: 13, ..Command::default() }, 100);
    assert_eq!([body.velocity[0], body.velocity[1]], [0.0; 2], "friction stops");
    run(&mut body, &space, forward(0.0), 120);
    assert!((body.origin[0] - 184.0).abs() < 0.1 && body.velocity[0] == 0.0, "the wall: {body:?}");
}

#[test]
fn a_jump_rises_as_high_as_its_speed_allows_and_the_key_must_be_released() {
    let map = Bsp::read(&map(TEXT)).unwrap();
    let space = Space::built(&map);
    let mut body = Body { origin: [0.0, 0.0, 24.0], ..Body::default() };
    let hold = Command { msec: 13, jump: true, ..Command::default() };
    let (mut highest, mut takeoffs, mut was_on_ground) = (0.0_f32, 0, true);
    for _ in 0..200 {
        run(&mut body, &space, hold, 1);
        takeoffs += usize::from(was_on_ground && !body.is_on_ground);
        was_on_ground = body.is_on_ground;
        highest = highest.max(body.origin[2] - 24.0);
    }
    assert_eq!(takeoffs, 1, "held, the key jumps once");
    assert!((42.0..46.0).contains(&highest), "{highest}");
}

#[test]
fn a_step_is_walked_up_and_sight_ends_at_walls() {
    let map = Bsp::read(&map(TEXT)).unwrap();
    let space = Space::built(&map);
    let mut body = Body { origin: [0.0, 0.0, 24.0], ..Body::default() };
    run(&mut body, &space, forward(180.0), 60);
    assert!(body.origin[0] < -90.0 && (body.origin[2] - 40.0).abs() < 0.1, "{body:?}");
    assert!(space.sees([0.0, 0.0, 40.0], [150.0, 0.0, 40.0]));
    assert!(!space.sees([0.0, 0.0, 40.0], [250.0, 0.0, 40.0]));
    assert_eq!(space.contents([0.0, 1500.0, 40.0]), Contents::Water);
}

#[test]
fn in_water_one_sinks_swims_and_rises_by_the_jump_key() {
    let map = Bsp::read(&map(TEXT)).unwrap();
    let space = Space::built(&map);
    let mut body = Body { origin: [0.0, 1500.0, 200.0], ..Body::default() };
    run(&mut body, &space, Command { msec: 13, ..Command::default() }, 20);
    assert!(body.water_level == 3 && body.velocity[2] < 0.0);
    run(&mut body, &space, Command { msec: 13, jump: true, ..Command::default() }, 20);
    assert!(body.velocity[2] > 0.0);
    run(&mut body, &space, forward(90.0), 100);
    assert!((100.0..=224.0).contains(&body.velocity[1]), "slower than on land: {body:?}");
}

#[test]
fn the_text_says_what_is_where() {
    let map = Bsp::read(&map(TEXT)).unwrap();
    assert_eq!(map.entities[0].origin(), Some([0.0, 0.0, 24.0]));
    assert_eq!(map.entities[1].model(), Some(7));
    // A door whose model is not in the map is left out.
    assert!(Space::built(&map).parts.is_empty());
    assert!(map.describe().contains("info_player_deathmatch"));
}

#[test]
fn maps_of_other_games_and_cut_ones_are_refused() {
    let whole = map(TEXT);
    for cut in 0..whole.len() {
        let error = Bsp::read(&whole[..cut]).expect_err("cut").to_string();
        assert!(error.contains("remedy"), "{error}");
    }
    for (head, word) in [
        (30_u32.to_le_bytes(), "Half-Life"),
        (*b"IBSP", "Quake 2"),
        (*b"BSP2", "modern"),
        (*b"PACK", "no map"),
    ] {
        let mut other = whole.clone();
        other[..4].copy_from_slice(&head);
        assert!(Bsp::read(&other).expect_err("other").to_string().contains(word));
    }
}

proptest! {
    #[test]
    fn damaged_maps_never_panic_or_hang(hits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12)) {
        let mut file = map(TEXT);
        for (place, byte) in hits {
            let place = place.index(file.len());
            file[place] = byte;
        }
        if let Ok(map) = Bsp::read(&file) {
            let space = Space::built(&map);
            let mut body = Body { origin: [0.0, 0.0, 24.0], ..Body::default() };
            run(&mut body, &space, forward(45.0), 20);
        }
    }

    #[test]
    fn a_trace_ends_before_what_it_meets(
        from in prop::array::uniform3(-90.0_f32..180.0),
        to in prop::array::uniform3(-400.0_f32..400.0),
    ) {
        let map = Bsp::read(&map(TEXT)).unwrap();
        let space = Space::built(&map);
        let from = [from[0], from[1], from[2].abs() + 1.0];
        let trace = space.trace_sight(from, to);
        prop_assert!((0.0..=1.0).contains(&trace.fraction));
        prop_assert_ne!(space.contents(trace.end), Contents::Solid);
        // Brute force: no point of the free part is in a wall.
        for k in 0..=50_u8 {
            let at = add(from, [trace.end[0] - from[0], trace.end[1] - from[1], trace.end[2] - from[2]], f32::from(k) / 50.0);
            prop_assert_ne!(space.contents(at), Contents::Solid);
        }
    }
}
