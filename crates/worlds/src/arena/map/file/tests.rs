use glam::DVec2;
use proptest::prelude::*;
use repertoire_mind::{Item, Timetable};

use super::*;
use crate::arena::map::{Area, Floor, Line};

/// Two rooms, a step and a pillar.
const GOOD: &str = r#"name = "two rooms"
[[area]]
name = "hall"
ceiling = 4
outline = [[0, 0], [8, 0], [8, 6], [0, 6]]
[[area]]
name = "step"
inside = "hall"
floor = 0.5
rect = [2, 2, 1, 1]
[[area]]
name = "closet"
ceiling = 3
rect = [8, 2, 3, 2]
[[pillar]]
inside = "hall"
rect = [5, 3, 1, 1]
[[item]]
kind = "health"
at = [1, 1]
[[start]]
at = [7, 5]
facing = 180
"#;

fn map(text: &str) -> Map {
    match read(text) {
        Ok(authored) => authored.map,
        Err(mistake) => panic!("{mistake}\n{text}"),
    }
}

fn count(map: &Map, wanted: impl Fn(&Line) -> bool) -> usize {
    map.lines.iter().filter(|line| wanted(line)).count()
}

#[test]
fn shared_edges_are_openings_and_the_rest_is_wall() {
    let map = map(GOOD);
    assert_eq!(
        map.areas.iter().map(|area| area.name.as_str()).collect::<Vec<_>>(),
        ["hall", "step", "closet"]
    );
    assert_eq!(count(&map, |line| line.left.is_some()), 4 + 1, "round the step, and to the closet");
    assert_eq!(count(&map, |line| line.left.is_none()), 5 + 3 + 4, "hall, closet, pillar");
    assert_eq!(map.items, [ItemSpot { item: Item::Health, at: DVec2::new(1.0, 1.0), height_m: None }]);
    assert_eq!(map.starts[0].yaw, std::f64::consts::PI);
}

#[test]
fn areas_are_on_the_right_of_their_lines() {
    let map = map("name = 'a'\n[[area]]\nname = 'b'\nceiling = 3\nrect = [0, 0, 2, 2]");
    for line in &map.lines {
        let to_middle = DVec2::ONE - line.a;
        assert!((line.b - line.a).perp_dot(to_middle) < 0.0, "{line:?}");
    }
}

#[test]
fn corners_that_nearly_agree_do() {
    let text = "name = 'a'
        area = [
          { name = 'b', ceiling = 3, rect = [0, 0, 2, 2] },
          { name = 'c', ceiling = 3, outline = [[2.0004, 0.0004], [4, 0], [4, 2], [1.9996, 1.9996]] },
          { name = 'd', ceiling = 3, outline = [[0, 2], [3, 5], [0, 5]] },
          # Its corner lies on the slanted edge of `d`, up to a rounding.
          { name = 'e', ceiling = 3, outline = [[1.33333, 3.33333], [3, 5], [3, 3.33333]] },
        ]";
    let map = map(text);
    let opening = |one: u16, two: u16| {
        count(&map, |line| {
            line.left.is_some_and(|left| (left.min(line.right), left.max(line.right)) == (one, two))
        })
    };
    assert_eq!(opening(0, 1), 1);
    assert_eq!(opening(2, 3), 1);
}

#[test]
fn ramps_stairs_and_lifts_rise() {
    let text = "name = 'a'
        area = [
          { name = 'hall', ceiling = 9, rect = [0, 0, 20, 20] },
          { name = 'north', inside = 'hall', rect = [1, 1, 2, 4], slope = { to = 2, toward = 'north' } },
          { name = 'west', inside = 'hall', floor = 1, rect = [4, 1, 4, 2], slope = { to = 3, toward = 'west' } },
          { name = 'stairs', inside = 'hall', rect = [10, 1, 2, 4], stairs = { to = 2, toward = 'south', steps = 3 } },
          { name = 'lift', inside = 'hall', floor = 3, rect = [14, 1, 2, 2], lift = { to = 1 } },
        ]";
    let map = map(text);
    let floor = |area: usize, x: f64, y: f64| map.areas[area].floor.at(DVec2::new(x, y));
    assert_eq!((floor(1, 2.0, 1.0), floor(1, 2.0, 5.0)), (0.0, 2.0));
    assert_eq!((floor(2, 8.0, 2.0), floor(2, 4.0, 2.0)), (1.0, 3.0));
    let steps: Vec<(String, f64)> =
        map.areas[3..6].iter().map(|area| (area.name.clone(), area.floor.height_m)).collect();
    assert_eq!(steps, [("stairs 1".into(), 0.5), ("stairs 2".into(), 1.0), ("stairs 3".into(), 1.5)]);
    let lowest = map.lines.iter().filter(|line| line.right == 3 || line.left == Some(3)).map(|line| line.a.y);
    assert_eq!(lowest.fold(0.0, f64::max), 5.0, "who goes up to the south starts in the north");
    let lift = Timetable { low_m: 1.0, high_m: 3.0, rest_secs: 3.0, metres_per_sec: 2.0 };
    assert_eq!(map.areas[6].lift, Some(lift));
}

#[test]
fn fences_and_teleports_lie_on_openings() {
    let rooms = "name = 'a'
        area = [
          { name = 'b', ceiling = 3, rect = [0, 0, 4, 4] },
          { name = 'c', ceiling = 3, rect = [0, 4, 4, 4] },
        ]
        fence = [{ along = [[0, 4], [1, 4]] }]\n";
    let upwards =
        map(&format!("{rooms}teleport = [{{ from = [[2, 4], [4, 4]], to = [1, 1], facing = 90 }}]"));
    assert_eq!(count(&upwards, |line| line.fence), 1);
    assert_eq!(upwards.exits, [Start { at: DVec2::ONE, yaw: 90f64.to_radians(), height_m: None }]);
    let gate = upwards.lines.iter().find(|line| line.teleport == Some(0)).expect("a teleport");
    assert_eq!((gate.a, gate.b), (DVec2::new(2.0, 4.0), DVec2::new(4.0, 4.0)));
    assert_eq!((gate.right, gate.left), (0, Some(1)), "taken on the way from `b` to `c`");
    let downwards = map(&format!("{rooms}teleport = [{{ from = [[4, 4], [2, 4]], to = [1, 1] }}]"));
    let gate = downwards.lines.iter().find(|line| line.teleport == Some(0)).expect("a teleport");
    assert_eq!((gate.right, gate.left), (1, Some(0)));
}

#[test]
fn a_fault_found_later_has_its_line() {
    let authored = read(GOOD).expect("good");
    let fault = |subject| Fault { subject, at: None, what: "bad".into(), remedy: "mend".into() };
    let line = |subject| authored.mistake(&fault(subject)).line;
    assert_eq!(line(Subject::Map), 1);
    assert_eq!(line(Subject::Area(1)), 7);
    assert_eq!(line(Subject::Line(0)), 5);
    assert_eq!(line(Subject::Item(0)), 20);
    assert_eq!(line(Subject::Start(0)), 22);
    assert_eq!(line(Subject::Exit(9)), 1, "there is none");
    let closet = authored.map.lines.iter().position(|line| line.right == 2).expect("has walls");
    assert_eq!(line(Subject::Line(closet)), 14);
}

#[test]
fn mistakes_name_the_line_and_the_remedy() {
    let area = |rest: &str| format!("name = 'a'\n[[area]]\nname = 'hall'\nceiling = 4\n{rest}\n");
    let hall = |rest: &str| area(&format!("rect = [0, 0, 9, 9]\n{rest}"));
    let second = |rest: &str| hall(&format!("[[area]]\nname = 'b'\nceiling = 4\n{rest}"));
    let raw = |rest: &str| format!("name = 'a'\n[raw]\nareas = [{{ ceiling = 3 }}]\nlines = [\n  {rest}\n]");
    let cases = [
        ("two corners", area("outline = [[0, 0], [4, 0]]")),
        ("no corner", area("outline = []")),
        ("half a corner", area("outline = [[0, 0], [4], [4, 4]]")),
        ("corners on a line", area("outline = [[0, 0], [4, 0], [8, 0]]")),
        ("a bow tie", area("outline = [[0, 0], [4, 4],\n  [4, 0], [0, 4]]")),
        ("far away", area("outline = [[0, 0], [1e9, 0], [4, 4]]")),
        ("no outline", area("")),
        ("outline and rect", hall("outline = [[0, 0], [4, 0], [4, 4]]")),
        ("no width", area("rect = [0, 0, 0, 4]")),
        ("no ceiling", "name = 'a'\n[[area]]\nname = 'hall'\nrect = [0, 0, 1, 1]".into()),
        ("ceiling below the floor", hall("floor = 5")),
        ("ramp through the ceiling", hall("slope = { to = 4, toward = 'east' }")),
        ("ramp to nowhere", hall("slope = { to = 3, toward = 'up' }")),
        ("ramp and lift", hall("slope = { to = 3, toward = 'east' }\nlift = { to = 3 }")),
        ("a lift that stands", hall("lift = { to = 0 }")),
        ("no steps", hall("stairs = { to = 3, toward = 'east', steps = 0 }")),
        ("healing ground", hall("harm = -1")),
        ("outlines cross", second("rect = [5, 5, 9, 9]")),
        ("one on the other", second("rect = [0, 0, 9, 9]")),
        ("one in the other", second("rect = [2, 2, 3, 3]")),
        ("inside of nothing", second("inside = 'hal'\nrect = [2, 2, 3, 3]")),
        ("not really inside", second("inside = 'hall'\nrect = [9, 2, 3, 3]")),
        ("all cut away", second("inside = 'hall'\nrect = [0, 0, 9, 9]")),
        ("the same name", hall("[[area]]\nname = 'hall'\nceiling = 4\nrect = [20, 0, 2, 2]")),
        ("pillar in the void", hall("[[pillar]]\ninside = 'hall'\nrect = [20, 20, 1, 1]")),
        ("pillar in nothing", hall("[[pillar]]\ninside = 'cave'\nrect = [2, 2, 1, 1]")),
        ("inside of stairs", {
            let stairs =
                "inside = 'hall'\nrect = [2, 2, 3, 3]\nstairs = { to = 3, toward = 'east', steps = 4 }";
            second(&format!("{stairs}\n[[pillar]]\ninside = 'b'\nrect = [3, 3, 1, 1]"))
        }),
        ("fence in the open", hall("[[fence]]\nalong = [[2, 2], [4, 2]]")),
        ("teleport at a wall", hall("[[teleport]]\nfrom = [[0, 0], [9, 0]]\nto = [5, 5]")),
        ("misspelt item", hall("[[item]]\nkind = 'helth'\nat = [1, 1]")),
        ("item nowhere", hall("[[item]]\nkind = 'health'\nat = [1, nan]")),
        ("two directions", hall("[[start]]\nat = [1, 1]\nfacing = 90\nyaw = 1.5")),
        ("unknown key", hall("colour = 'red'")),
        ("numbered exit", hall("[[exit]]\nat = [1, 1]")),
        ("raw and drawn", hall("[raw]\nareas = []\nlines = []")),
        ("raw line too short", raw("[0, 0, 1, 1, 0]")),
        ("raw line without area", raw("[0, 0, 1, 1, 0, -1],\n  [1, 1, 0, 1, 7, -1]")),
        ("raw line of text", raw("[0, 0, 'east', 1, 0, -1]")),
        ("raw line without exit", raw("[0, 0, 1, 1, 0, 0, false, 3]")),
        ("raw area too high", "name = 'a'\n[raw]\nareas = [\n  { ceiling = inf }\n]\nlines = []".into()),
    ];
    let mut answers = String::new();
    for (what, text) in cases {
        let mistake = read(&text).err().unwrap_or_else(|| panic!("{what} was accepted"));
        answers += &format!("{what}\n  {mistake}\n");
    }
    insta::assert_snapshot!("mistakes", answers);
}

#[test]
fn an_unknown_item_is_answered_with_those_known() {
    let text = format!("{GOOD}[[item]]\nkind = 'sword'\nat = [1, 1]\n");
    let mistake = read(&text).expect_err("no item");
    assert_eq!((mistake.line, mistake.what.as_str()), (25, "there is no item `sword`"));
    assert!(Item::ALL.iter().all(|item| mistake.remedy.contains(item.name())), "{}", mistake.remedy);
}

#[test]
fn the_published_schema_is_the_one_of_the_types() {
    let published = include_str!("../../../../../../schemas/map.schema.json");
    let published: serde_json::Value = serde_json::from_str(published).expect("JSON");
    assert_eq!(published, serde_json::to_value(schema()).expect("JSON"), "run `cargo xtask schemas`");
}

#[test]
fn an_open_raw_map_is_read_for_the_level_to_judge() {
    let map = map("name = 'a'\n[raw]\nareas = [{ ceiling = 3 }]\nlines = [[0, 0, 4, 0, 0, -1, true]]");
    assert_eq!(map.lines.len(), 1);
    assert!(map.lines[0].fence);
}

#[test]
fn a_map_of_five_thousand_lines_survives() {
    let area = |i: u16| Area {
        name: format!("sector {i}"),
        floor: Floor::flat(f64::from(i) / 7.0),
        ceiling_m: 1000.0,
        ..Area::default()
    };
    let line = |i: u16| Line {
        a: DVec2::new(f64::from(i) / 3.0, 0.1),
        b: DVec2::new(f64::from(i) / 3.0, -7.0),
        right: i % 600,
        left: (!i.is_multiple_of(3)).then_some(i % 599),
        fence: i.is_multiple_of(10),
        teleport: None,
    };
    let big = Map {
        name: "big".into(),
        areas: (0..600).map(area).collect(),
        lines: (0..5000).map(line).collect(),
        ..Map::default()
    };
    assert_eq!(map(&write(&big)), big);
}

fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![-100.0..100.0f64, (-50i32..50).prop_map(f64::from), prop::num::f64::NORMAL]
}

prop_compose! {
    fn any_point()(x in any_number(), y in any_number()) -> DVec2 {
        DVec2::new(x, y)
    }
}

prop_compose! {
    fn any_start()(at in any_point(), yaw in prop_oneof![any_number(), (0i32..8).prop_map(|i| f64::from(45 * i).to_radians())]) -> Start {
        Start { at, yaw, height_m: None }
    }
}

prop_compose! {
    fn any_area()(
        name in "\\PC*|[\\x00-\\x7f]*",
        height_m in any_number(),
        slope in prop_oneof![Just(DVec2::ZERO), any_point()],
        ceiling_m in any_number(),
        lift in prop::option::of(prop::array::uniform4(any_number())),
        harm_per_sec in any_number(),
    ) -> Area {
        let lift = lift.map(|[low_m, high_m, rest_secs, metres_per_sec]| {
            Timetable { low_m, high_m, rest_secs, metres_per_sec }
        });
        Area { name, floor: Floor { height_m, slope }, ceiling_m, lift, harm_per_sec }
    }
}

prop_compose! {
    fn any_map()(
        name in "\\PC*",
        areas in prop::collection::vec(any_area(), 1..5),
        exits in prop::collection::vec(any_start(), 1..4),
    )(
        lines in prop::collection::vec(
            (any_point(), any_point(), 0..areas.len(), prop::option::of(0..areas.len()), any::<bool>(),
             prop::option::of(0..exits.len())),
            0..8,
        ),
        items in prop::collection::vec((prop::sample::select(Item::ALL.to_vec()), any_point()), 0..4),
        starts in prop::collection::vec(any_start(), 0..4),
        name in Just(name), areas in Just(areas), exits in Just(exits),
    ) -> Map {
        let line = |(a, b, right, left, fence, teleport): (_, _, usize, Option<usize>, _, Option<usize>)| Line {
            a,
            b,
            right: right as u16,
            left: left.map(|left| left as u16),
            fence,
            teleport: teleport.map(|exit| exit as u16),
        };
        Map {
            name,
            areas,
            lines: lines.into_iter().map(line).collect(),
            items: items.into_iter().map(|(item, at)| ItemSpot { item, at, height_m: None }).collect(),
            starts,
            exits,
            stage: None,
        }
    }
}

proptest! {
    #[test]
    fn what_is_written_reads_back_equal(map in any_map()) {
        let text = write(&map);
        let again = read(&text).map_err(|mistake| TestCaseError::fail(format!("{mistake}\n{text}")))?;
        prop_assert_eq!(again.map, map);
    }

    #[test]
    fn no_outlines_make_it_panic(
        outlines in prop::collection::vec(
            (prop::collection::vec((0i32..12, 0i32..12), 0..7), prop::option::of(0usize..4), 1i32..4),
            0..5,
        ),
    ) {
        let mut text = "name = 'a'\n".to_owned();
        for (i, (corners, inside, divisor)) in outlines.iter().enumerate() {
            let number = |x: i32| f64::from(x) / f64::from(*divisor);
            let corners: Vec<[f64; 2]> = corners.iter().map(|&(x, y)| [number(x), number(y)]).collect();
            text += &format!("[[area]]\nname = '{i}'\nceiling = 3\noutline = {corners:?}\n");
            if let Some(inside) = inside {
                text += &format!("inside = '{inside}'\n");
            }
        }
        if let Ok(Authored { map, .. }) = read(&text) {
            for area in 0..map.areas.len() as u16 {
                let mut sum = DVec2::ZERO;
                for line in &map.lines {
                    let way = line.b - line.a;
                    sum += if line.right == area { way } else { DVec2::ZERO };
                    sum -= if line.left == Some(area) { way } else { DVec2::ZERO };
                }
                prop_assert_eq!(sum, DVec2::ZERO, "{}", text);
            }
        }
    }

    #[test]
    fn no_text_makes_it_panic(text in "\\PC{0,60}", key in "(area|pillar|item|start|fence|teleport|raw)") {
        let _ = read(&text);
        let _ = read(&format!("name = 'a'\n{key} = [{{ {text} }}]"));
        let _ = read(&format!("name = 'a'\n[{key}]\n{text}"));
    }
}
