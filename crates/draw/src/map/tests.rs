use super::*;
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::map::{file, shipped};

#[test]
fn every_shipped_map_can_be_drawn() {
    for (name, text) in shipped::SHIPPED {
        let map = file::read(text).expect("read").map;
        let picture = svg(&map);
        assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"), "{name}");
        assert!(!picture.contains("NaN") && !picture.contains("inf"), "{name} has a place that is nowhere");
    }
}

#[test]
fn an_empty_and_an_open_map_are_drawn_without_complaint() {
    assert!(svg(&Map::default()).contains("</svg>"));
    let open = "name = 'a & <b>'\n[raw]\nareas = [{ ceiling = 3 }]\nlines = [[0, 0, 4, 0, 0, -1]]";
    let picture = svg(&file::read(open).expect("read").map);
    assert!(picture.contains("a &amp; &lt;b&gt;"));
}

#[test]
fn points_and_links_are_drawn_when_asked_for() {
    let map = file::read(shipped::shipped("yard").expect("shipped")).expect("read").map;
    let level = Level::new(map.clone()).expect("playable");
    let (without, with) = (svg(&map), svg_with_places(&map, level.places()));
    assert!(!without.contains("class=\"walk\"") && with.contains("class=\"walk\""));
    let circles = |picture: &str| picture.matches("<circle cx").count();
    assert_eq!(circles(&with) - circles(&without), level.places().points().len());
    // The legend tells the four ways of passing a link.
    assert!(with.contains("ride a lift") && !without.contains("ride a lift"));
    assert!(!with.contains("NaN") && with.trim_end().ends_with("</svg>"));
}
