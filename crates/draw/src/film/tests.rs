use std::sync::Arc;

use repertoire_mind::fighter::Fighter;
use repertoire_worlds::arena::game::Contender;
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::map::{file, shipped};
use repertoire_worlds::arena::rules::Rules;

use super::*;

fn filmed(secs: f64) -> Film {
    let map = file::read(shipped::shipped("yard").expect("shipped")).expect("read").map;
    let level = Arc::new(Level::new(map).expect("playable"));
    let contender = |name: &str| Contender { name: name.into(), mind: Box::new(Fighter::native(5)) };
    let mut game = Match::new(level, Rules::default(), vec![contender("a <b>"), contender("other")], 3);
    let mut film = Film::new(&game, 3, 0);
    for _ in 0..(secs / film.period_secs) as u32 {
        game.tick();
        film.take(&game);
    }
    film
}

#[test]
fn a_film_shows_everybody_and_explains_one_decision() {
    let svg = filmed(40.0).svg(8.0);
    assert!(svg.len() < 300_000, "{} bytes", svg.len());
    assert!(!svg.contains("NaN") && !svg.contains("<script") && !svg.contains("a <b>"));
    // Two bodies that move and turn, and the playhead.
    assert_eq!(svg.matches("<animateTransform").count(), 5);
    for stage in ["perceives", "decides", "does"] {
        assert!(svg.contains(&format!(">{stage}</text>")), "{stage}");
    }
    // Every animation lasts as long, so that all begin again together.
    let mut lengths: Vec<&str> =
        svg.split(" dur=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    lengths.dedup();
    assert_eq!(lengths.len(), 1, "{lengths:?}");
    assert_eq!(svg, filmed(40.0).svg(8.0), "the same match gives the same bytes");
}

#[test]
fn every_smooth_animation_has_a_value_for_every_moment() {
    let svg = filmed(20.0).svg(5.0);
    let counts: Vec<usize> = svg
        .split("<animateTransform")
        .skip(1)
        .filter_map(|rest| rest.split(" values=\"").nth(1)?.split('"').next())
        .map(|values| values.split(';').count())
        .collect();
    assert!(counts.iter().all(|count| *count == counts[0] && *count > 50), "{counts:?}");
}

#[test]
fn a_match_shorter_than_the_film_is_shown_whole() {
    let svg = filmed(2.0).svg(30.0);
    assert!(svg.contains("2 s of a match") && svg.ends_with("</svg>\n"));
}
