//! Points and links of the shipped maps: every link can be walked, and there is a point wherever characters get.

mod common;

use std::sync::Arc;

use common::{STAY, Stage, any_command, bots, shipped};
use glam::{DVec2, DVec3};
use repertoire_mind::{Cells, Command, Event, Fire, How, Link, Place, Places};
use repertoire_prob::Stream;
use repertoire_worlds::arena::game::Match;
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::map::{Map, Start};
use repertoire_worlds::arena::rules::Rules;
use repertoire_worlds::arena::world::World;

/// The distance at which bots take a point for reached.
const THERE_M: f64 = 0.6;

/// When, in physics steps, a lift comes to rest up (`true`) or down, once all of them have moved.
fn rest_step(places: &Places, lift: usize, up: bool) -> u64 {
    let lift = places.lifts()[lift];
    let travel = (lift.high_m - lift.low_m) / lift.metres_per_sec;
    let secs = if up { 0.0 } else { lift.rest_secs + travel };
    (secs * f64::from(Rules::default().steps_per_sec)).ceil() as u64 + 1
}

/// The moments at which a link should be passable.
fn moments(places: &Places, how: How) -> Vec<u64> {
    match how {
        How::LiftDown(lift) => vec![rest_step(places, usize::from(lift), false)],
        How::LiftUp(lift) => vec![rest_step(places, usize::from(lift), true)],
        _ if places.lifts().is_empty() => vec![0],
        // Whatever the lifts do: tried with them up and down.
        _ => vec![rest_step(places, 0, true), rest_step(places, 0, false)],
    }
}

/// Whether a teleporter lies at a point: nobody gets to it, who walks there comes out elsewhere.
fn is_behind_teleporter(places: &Places, place: Place) -> Option<Place> {
    places.links(place).iter().find(|link| link.how == How::Teleport).map(|link| link.to)
}

/// How a body is driven.
#[derive(Clone, Copy)]
enum Gait {
    /// As bots go.
    Full,
    /// Slower at the end: who drops onto a narrow floor at full speed flies past it.
    Careful,
}

/// A body set down at a point, at a moment, is driven along a link with decisions at 10 Hz.
fn walks(stage: &mut Stage, from: Place, link: &Link, moment: u64, gait: Gait) -> Result<(), String> {
    let level = stage.world.level().clone();
    let places = level.places();
    stage.edit(|state| {
        state["step"] = moment.into();
        // It shall not die of anything else on the way.
        state["characters"][0]["health"] = 100.0.into();
        state["characters"][0]["back_at"] = serde_json::Value::Null;
    });
    let point = places.point(from);
    let floor = stage.world.scene().on_floor(point.truncate()).map_or(point.z, |floor| floor.z);
    let on_lift =
        level.space().area_at(point.truncate()).is_some_and(|area| level.map().areas[area].lift.is_some());
    let stand = if on_lift { point.truncate().extend(floor) } else { point };
    stage.put(0, stand, 0.0);
    let out = is_behind_teleporter(places, link.to).map(|out| places.point(out));
    let target = places.point(link.to);
    let limit = link.millis.min(6000) / 50 + 20;
    for _ in 0..limit {
        let own = stage.percept(0).own;
        let way = (target - own.position).truncate();
        let wish = match gait {
            Gait::Full => way.normalize_or_zero(),
            Gait::Careful => (way / (2.0 * 0.1 * 8.8)).clamp_length_max(1.0),
        };
        let (sin, cos) = libm::sincos(own.yaw);
        let is_slow = own.velocity.truncate().length() < 2.0;
        let command = Command {
            forward: wish.x * cos + wish.y * sin,
            lateral: wish.y * cos - wish.x * sin,
            jump: link.how == How::Jump && own.on_ground && is_slow,
            ..STAY
        };
        stage.drive(command, 1);
        if !stage.world.is_alive(0) {
            return Err("died on the way".to_owned());
        }
        let is_moved = stage.world.events(0).iter().any(|event| matches!(event, Event::Teleported { .. }));
        if let (true, Some(out)) = (is_moved, out) {
            let far = stage.feet(0).distance(out);
            return if far < 6.0 { Ok(()) } else { Err(format!("came out {far} m from the next point")) };
        }
        let own = stage.percept(0).own;
        if own.on_ground && own.position.truncate().distance(target.truncate()) < THERE_M {
            return Ok(());
        }
    }
    Err(format!("ended at {} instead of {target}", stage.feet(0)))
}

#[test]
fn every_link_of_the_shipped_maps_can_be_walked() {
    walk_links(|how| how != How::Jump);
}

#[test]
fn every_jump_of_the_shipped_maps_can_be_jumped() {
    walk_links(|how| how == How::Jump);
}

fn walk_links(is_chosen: impl Fn(How) -> bool) {
    let mut failed = Vec::new();
    for (name, level) in shipped() {
        let places = level.places();
        let mut stage = Stage::new(level, 1);
        let mut count = 0;
        for from in (0..places.points().len() as u16).map(Place) {
            if is_behind_teleporter(places, from).is_some() {
                // Nobody stands there; the link that leads there has proved the way on.
                continue;
            }
            for link in places.links(from).iter().filter(|link| is_chosen(link.how)) {
                for moment in moments(places, link.how) {
                    count += 1;
                    let mut go = |gait| walks(&mut stage, from, link, moment, gait);
                    if let Err(why) = go(Gait::Careful).or_else(|_| go(Gait::Full)) {
                        failed.push(format!(
                            "{name}: {} at step {moment}, {link:?}: {why}",
                            places.point(from)
                        ));
                    }
                }
            }
        }
        println!("{name}: {} points, {count} walks", places.points().len());
        assert!(count > 0, "{name} has no such link");
    }
    assert!(failed.is_empty(), "{} links cannot be walked:\n{}", failed.len(), failed.join("\n"));
}

/// The share of all points that can be reached from one.
fn share_reached(places: &Places, from: Place) -> f64 {
    let all = places.points().len();
    let reached = (0..all as u16).map(Place).filter(|&to| places.travel_secs(from, to).is_some());
    reached.count() as f64 / all as f64
}

/// Asserts that a character standing at a position finds its point.
struct Judge<'a> {
    name: &'a str,
    places: &'a Places,
    shares: Vec<Option<f64>>,
    farthest_m: f64,
    lost: Vec<String>,
    judged: usize,
}

impl<'a> Judge<'a> {
    fn new(name: &'a str, level: &'a Arc<Level>) -> Self {
        let places = level.places();
        let shares = vec![None; places.points().len()];
        Judge { name, places, shares, farthest_m: 0.0, lost: Vec::new(), judged: 0 }
    }

    fn look_at(&mut self, world: &World, id: usize) {
        let look = world.look(id);
        if !look.alive || look.velocity.z != 0.0 {
            // In the air nobody stands anywhere.
            return;
        }
        let place = self.places.nearest(look.position);
        let far = self.places.point(place).truncate().distance(look.position.truncate());
        self.farthest_m = self.farthest_m.max(far);
        let places = self.places;
        let share = *self.shares[place.index()].get_or_insert_with(|| share_reached(places, place));
        self.judged += 1;
        if far > 3.5 || share < 0.9 {
            self.lost.push(format!(
                "{} finds {} ({far:.2} m away), from where {:.0} % can be reached",
                look.position,
                self.places.point(place),
                100.0 * share
            ));
        }
    }

    fn finish(self) {
        let (name, lost, judged) = (self.name, self.lost.len(), self.judged);
        println!(
            "{name}: {judged} positions, the farthest {:.2} m from its point, {lost} lost",
            self.farthest_m
        );
        let few = &self.lost[..self.lost.len().min(12)];
        assert!(self.lost.is_empty(), "{name}: {lost} of {judged} positions are lost:\n{}", few.join("\n"));
        assert!(judged > 1000, "{name}: only {judged} positions");
    }
}

#[test]
fn wherever_bots_stand_in_ten_minutes_there_is_a_point_near() {
    for (name, level) in shipped() {
        let mut judge = Judge::new(name, level);
        let mut game = Match::new(level.clone(), Rules::default(), bots(&[1, 3, 5, 7]), 2);
        for _ in 0..6000 {
            game.tick();
            (0..4).for_each(|id| judge.look_at(game.world(), id));
        }
        judge.finish();
    }
}

#[test]
fn wherever_random_commands_lead_there_is_a_point_near() {
    for (name, level) in shipped() {
        let mut judge = Judge::new(name, level);
        for seed in 0..3 {
            let mut chance = Stream::new(seed, 0, "navigation");
            let mut world = World::new(level.clone(), Rules::default(), 4, seed);
            for _ in 0..1000 {
                let commands: Vec<Command> =
                    (0..4).map(|_| Command { fire: Fire::None, ..any_command(&mut chance) }).collect();
                world.advance(&commands);
                (0..4).for_each(|id| judge.look_at(&world, id));
            }
        }
        judge.finish();
    }
}

#[test]
fn items_and_starts_of_the_shipped_maps_can_be_reached_from_each_other() {
    for (name, level) in shipped() {
        let places = level.places();
        let spots: Vec<Place> = places
            .spots()
            .iter()
            .map(|spot| spot.place.unwrap_or_else(|| panic!("{name}: {} at {}", spot.item, spot.position)))
            .collect();
        let starts = level.map().starts.iter().map(|start| {
            let floor = World::new(level.clone(), Rules::default(), 0, 1).scene().on_floor(start.at);
            places.nearest(floor.unwrap_or(DVec3::ZERO))
        });
        for from in starts.chain(spots.iter().copied()) {
            for &to in &spots {
                assert!(places.travel_secs(from, to).is_some(), "{name}: from {from:?} to {to:?}");
            }
        }
    }
}

/// A room without anything in it but two starts.
fn room(side_m: f64) -> Map {
    let corners = [(0.0, 0.0), (0.0, side_m), (side_m, side_m), (side_m, 0.0)];
    let start = |x, y| Start { at: DVec2::new(x, y), yaw: 0.0, height_m: None };
    Map {
        name: "room".to_owned(),
        areas: vec![common::area("room", 0.0, 6.0)],
        lines: (0..4).map(|k| common::line(corners[k], corners[(k + 1) % 4], 0, None)).collect(),
        starts: vec![start(2.0, 2.0), start(side_m - 2.0, side_m - 2.0)],
        ..Map::default()
    }
}

#[test]
fn a_wide_room_has_points_farther_apart_instead_of_too_many() {
    // With points 3 m apart it would have 6,000.
    let level = Level::new(room(260.0)).expect("it can be played");
    let places = level.places();
    assert!((1500..=Places::MOST_POINTS).contains(&places.points().len()), "{}", places.points().len());
    let corners = [2.0, 258.0].map(|at| places.nearest(DVec3::new(at, at, 0.0)));
    let secs = places.travel_secs(corners[0], corners[1]).expect("a way across");
    let straight_secs = 256.0 * 2f64.sqrt() / Rules::default().run_m_per_sec;
    assert!(secs > straight_secs * 0.9 && secs < straight_secs * 1.3, "{secs} s, straight {straight_secs} s");
    let unknown = places.cells().place.iter().filter(|&&place| place == Cells::NOWHERE).count();
    let outside = places.cells().place.len() - 520 * 520;
    assert!(
        unknown < outside + 4 * 4 * 520,
        "from everywhere but along the walls there is a point to walk to"
    );
}

#[test]
fn a_map_that_is_too_wide_or_has_too_many_slanting_lines_is_refused_before_memory_is_taken() {
    let faults = Level::new(room(1001.0)).expect_err("too wide");
    assert_eq!(faults[0].what, "the map is 1001 m wide");
    assert!(faults[0].remedy.contains("1000 m"), "{}", faults[0].remedy);

    let mut map = room(900.0);
    let (low, high) = ((1.0, 1.0), (899.0, 899.0));
    for _ in 0..50 {
        map.lines.push(common::line(low, high, 0, None));
        map.lines.push(common::line(high, low, 0, None));
    }
    let faults = Level::new(map).expect_err("a million cells for each line");
    assert!(faults.iter().any(|fault| fault.what.contains("slanting lines")), "{faults:?}");
}
