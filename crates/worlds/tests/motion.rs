//! Bodies under any commands: they stay in the world and obey its limits, whatever minds want.

mod common;

use std::sync::Arc;

use common::{RUN, STAY, Stage, any_command, any_way, level, shipped, strip};
use glam::{DVec2, DVec3};
use repertoire_mind::{Command, Event, Fire};
use repertoire_prob::Stream;
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::map::Line;
use repertoire_worlds::arena::rules::Rules;
use repertoire_worlds::arena::rules::body::{HEIGHT_M, STEP_M};
use repertoire_worlds::arena::world::World;

/// Overlaps this small are rounding.
const ROUNDING_M: f64 = 1e-6;

fn distance_to(line: &Line, at: DVec2) -> f64 {
    let way = line.b - line.a;
    let part = ((at - line.a).dot(way) / way.length_squared()).clamp(0.0, 1.0);
    at.distance(line.a + way * part)
}

/// Asserts that a living character is where one can be.
fn assert_in_world(world: &World, id: usize, what: &str) {
    let look = world.look(id);
    if !look.alive {
        return;
    }
    let (feet, at) = (look.position, look.position.truncate());
    assert!(feet.is_finite() && look.velocity.is_finite(), "{what}: {look:?}");
    assert!(look.yaw.is_finite() && look.pitch.is_finite(), "{what}: {look:?}");
    let scene = world.scene();
    let area = scene.space.area_at(at);
    let Some(area) = area else { panic!("{what}: {feet} is outside the map") };
    let (floor, ceiling) = (scene.floor_m(area, at), scene.ceiling_m(area));
    assert!(feet.z >= floor - ROUNDING_M, "{what}: feet {feet} below the floor at {floor}");
    assert!(
        feet.z + HEIGHT_M <= ceiling + ROUNDING_M,
        "{what}: head of {feet} above the ceiling at {ceiling}"
    );
    for line in world.level().map().lines.iter().filter(|line| line.left.is_none() || line.fence) {
        let gap = distance_to(line, at);
        assert!(gap >= 0.49, "{what}: {feet} is {gap} m from the wall {} to {}", line.a, line.b);
    }
}

fn play(
    level: &Arc<Level>,
    name: &str,
    seed: u64,
    ticks: usize,
    mut command: impl FnMut(&mut Stream) -> Command,
) {
    let mut chance = Stream::new(seed, 0, "motion");
    let mut world = World::new(level.clone(), Rules::default(), 4, seed);
    let run = world.rules().run_m_per_sec;
    let jump = world.rules().jump_m_per_sec;
    let mut fires = false;
    for tick in 0..ticks {
        let commands: Vec<Command> = (0..4).map(|_| command(&mut chance)).collect();
        fires |= commands.iter().any(|command| command.fire != Fire::None);
        world.advance(&commands);
        for id in 0..4 {
            let what = format!("{name}, seed {seed}, tick {tick}, character {id}");
            assert_in_world(&world, id, &what);
            let velocity = world.look(id).velocity;
            if !fires {
                // Bursts throw faster than legs.
                assert!(velocity.truncate().length() <= run + ROUNDING_M, "{what}: {velocity}");
                assert!(velocity.z <= jump + ROUNDING_M, "{what}: {velocity}");
            }
        }
    }
}

#[test]
fn bodies_under_random_commands_stay_in_the_world_and_within_their_speed() {
    for (name, level) in shipped() {
        for seed in 0..3 {
            play(level, name, seed, 1500, |chance| Command { fire: Fire::None, ..any_command(chance) });
        }
    }
}

#[test]
fn bodies_that_run_straight_into_everything_stay_in_the_world() {
    for (name, level) in shipped() {
        for seed in 10..13 {
            // A turn now and then, else full speed ahead: into corners, under stairs, off ledges.
            let bold = |chance: &mut Stream| Command {
                yaw: if chance.unit() < 0.05 { 3.0 * (chance.unit() - 0.5) } else { 0.0 },
                jump: chance.unit() < 0.1,
                ..RUN
            };
            play(level, name, seed, 1500, bold);
        }
    }
}

#[test]
fn bodies_thrown_by_bursts_stay_in_the_world() {
    for (name, level) in shipped() {
        play(level, name, 20, 1500, any_command);
    }
}

#[test]
fn what_is_not_a_number_breaks_nothing() {
    const ODD: [f64; 8] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e308, -1e308, 1e-320, -0.0, 1.0];
    let odd = |chance: &mut Stream| {
        let mut number = || ODD[(chance.unit() * ODD.len() as f64) as usize];
        let command =
            Command { yaw: number(), pitch: number(), forward: number(), lateral: number(), ..STAY };
        Command { jump: chance.unit() < 0.3, fire: Fire::ALL[(chance.unit() * 3.0) as usize], ..command }
    };
    for (name, level) in shipped() {
        play(level, name, 30, 500, odd);
    }
}

#[test]
fn fewer_commands_than_characters_leave_the_others_as_they_were() {
    let mut stage = Stage::new(&level(strip(10.0, &[(40.0, 0.0, 4.0)])), 2);
    stage.put(0, DVec3::new(3.0, 3.0, 0.0), 0.0).put(1, DVec3::new(3.0, 7.0, 0.0), 0.0);
    stage.world.advance(&[]);
    stage.world.advance(&[RUN]);
    assert!(stage.feet(0).x > 3.1 && stage.feet(1).x == 3.0);
}

/// Two floors, the eastern one `rise` higher; the character stands 3 m before the step and looks at it.
fn before_step(height_m: f64) -> Stage {
    let mut stage = Stage::new(&level(strip(8.0, &[(8.0, 0.0, 8.0), (8.0, height_m, 8.0)])), 1);
    stage.put(0, DVec3::new(5.0, 4.0, 0.0), 0.0);
    stage
}

#[test]
fn a_step_of_three_quarters_of_a_metre_is_walked_up_and_a_higher_one_is_not() {
    for (height, climbs) in [(0.3, true), (STEP_M - 0.01, true), (STEP_M, true), (0.8, false), (1.1, false)] {
        let mut stage = before_step(height);
        stage.drive(RUN, 15);
        let feet = stage.feet(0);
        assert_eq!(feet.x > 8.5 && (feet.z - height).abs() < ROUNDING_M, climbs, "{height} m: {feet}");
        assert!(climbs || (feet.x <= 7.501 && feet.z == 0.0), "{height} m: {feet}");
    }
}

#[test]
fn a_ledge_of_more_than_a_metre_needs_a_jump_and_one_above_that_is_too_high() {
    for (height, climbs) in [(0.8, true), (1.1, true), (1.6, false), (2.5, false)] {
        let mut stage = before_step(height);
        stage.drive(Command { jump: true, ..RUN }, 30);
        let feet = stage.feet(0);
        assert_eq!(feet.x > 8.5 && feet.z > height - ROUNDING_M, climbs, "{height} m: {feet}");
    }
}

#[test]
fn a_jump_is_as_high_as_the_rules_say() {
    let mut stage = Stage::new(&level(strip(8.0, &[(8.0, 0.0, 8.0)])), 1);
    stage.put(0, DVec3::new(4.0, 4.0, 0.0), 0.0);
    let mut top: f64 = 0.0;
    for _ in 0..10 {
        stage.drive(Command { jump: true, ..STAY }, 1);
        top = top.max(stage.feet(0).z);
    }
    let rules = Rules::default();
    let ideal = rules.jump_m_per_sec * rules.jump_m_per_sec / (2.0 * rules.gravity_m_per_sec2);
    assert!(top > ideal - 0.15 && top <= ideal, "{top} of {ideal}");
}

#[test]
fn who_walks_off_a_ledge_falls_and_a_deep_fall_hurts() {
    for (height, hurts) in [(1.0, false), (4.0, false), (9.0, true)] {
        let mut stage = Stage::new(&level(strip(8.0, &[(8.0, height, 20.0), (30.0, 0.0, 20.0)])), 1);
        stage.put(0, DVec3::new(5.0, 4.0, height), 0.0);
        let mut lowest_on_edge = f64::INFINITY;
        for _ in 0..25 {
            stage.drive(RUN, 1);
            if stage.feet(0).x < 8.0 {
                lowest_on_edge = lowest_on_edge.min(stage.feet(0).z);
            }
        }
        assert_eq!(lowest_on_edge, height, "no fall before the edge");
        let feet = stage.feet(0);
        assert!(feet.z == 0.0 && feet.x > 10.0, "{height} m: {feet}");
        let health = stage.world.look(0).health;
        assert_eq!(health < 100.0, hurts, "{height} m: {health}");
        if hurts {
            let rules = Rules::default();
            let speed = (2.0 * rules.gravity_m_per_sec2 * height).sqrt();
            let lost = (speed - rules.safe_fall_m_per_sec) * rules.fall_damage;
            assert!((100.0 - health - lost).abs() < 4.0, "{} lost, not {lost}", 100.0 - health);
        }
    }
}

#[test]
fn a_low_ceiling_bars_the_way_and_stops_a_jump() {
    let map = strip(8.0, &[(8.0, 0.0, 2.0), (8.0, 0.0, 1.7)]);
    let mut stage = Stage::new(&level(map), 1);
    stage.put(0, DVec3::new(4.0, 4.0, 0.0), 0.0).drive(Command { jump: true, ..RUN }, 20);
    let feet = stage.feet(0);
    assert!(feet.x <= 7.501 && feet.z + HEIGHT_M <= 2.0 + ROUNDING_M, "{feet}");
}

#[test]
fn bodies_do_not_walk_through_each_other() {
    let mut stage = Stage::new(&level(strip(8.0, &[(20.0, 0.0, 4.0)])), 2);
    stage.put(0, DVec3::new(3.0, 4.0, 0.0), 0.0).put(1, DVec3::new(8.0, 4.0, 0.0), 0.0);
    for _ in 0..30 {
        stage.drive(RUN, 1);
        let gap = stage.feet(0).truncate().distance(stage.feet(1).truncate());
        assert!(gap >= 0.99, "{gap}");
    }
    assert!(stage.feet(1).x == 8.0, "nobody is pushed");
}

/// Every lift of the shipped maps: its map and area.
fn lifts() -> Vec<(&'static str, &'static Arc<Level>, usize)> {
    let all = shipped().iter().flat_map(|(name, level)| {
        let areas = level.map().areas.iter().enumerate();
        areas.filter(|(_, area)| area.lift.is_some()).map(move |(k, _)| (*name, level, k))
    });
    all.collect()
}

/// A point well inside an area.
fn middle_of(level: &Level, area: usize) -> DVec2 {
    let lines = level.map().lines.iter();
    let own = lines.filter(|line| usize::from(line.right) == area || line.left == Some(area as u16));
    let corners: Vec<DVec2> = own.map(|line| line.a).collect();
    corners.iter().copied().sum::<DVec2>() / corners.len() as f64
}

#[test]
fn who_stands_on_a_lift_rides_it_up_and_down() {
    assert!(lifts().len() >= 2);
    for (name, level, area) in lifts() {
        let lift = level.map().areas[area].lift.expect("chosen for it");
        let mut stage = Stage::new(level, 1);
        stage.put(0, middle_of(level, area).extend(lift.high_m), 0.0);
        let (mut lowest, mut highest_again) = (f64::INFINITY, f64::NEG_INFINITY);
        for _ in 0..200 {
            stage.drive(STAY, 1);
            let z = stage.feet(0).z;
            let floor = lift.height_m(stage.world.time_secs());
            assert!((z - floor).abs() < 0.3 && z > floor - ROUNDING_M, "{name}: feet {z}, floor {floor}");
            lowest = lowest.min(z);
            if lowest < lift.low_m + 0.01 {
                highest_again = highest_again.max(z);
            }
        }
        assert!((lowest - lift.low_m).abs() < 0.01 && (highest_again - lift.high_m).abs() < 0.01, "{name}");
    }
}

#[test]
fn lifts_never_trap_those_around_them_in_walls_or_floors() {
    for (name, level, area) in lifts() {
        let middle = middle_of(level, area);
        for seed in 0..4 {
            let mut chance = Stream::new(seed, 0, "lift");
            let mut stage = Stage::new(level, 1);
            let near = loop {
                let at = middle + any_way(&mut chance) * chance.unit() * 4.0;
                let is_free = level.map().lines.iter().all(|line| distance_to(line, at) > 0.6);
                if let Some(feet) = stage.world.scene().on_floor(at).filter(|_| is_free) {
                    break feet;
                }
            };
            stage.put(0, near, 0.0);
            for tick in 0..400 {
                // Back to the lift whenever it strays, from all sides, at all moments.
                let home = middle - stage.feet(0).truncate();
                let way = if home.length() > 3.0 { home.normalize() } else { any_way(&mut chance) };
                let look = stage.world.look(0);
                let (sin, cos) = libm::sincos(look.yaw);
                let command = Command {
                    forward: way.x * cos + way.y * sin,
                    lateral: way.y * cos - way.x * sin,
                    jump: chance.unit() < 0.1,
                    ..STAY
                };
                stage.drive(command, 1);
                assert_in_world(&stage.world, 0, &format!("{name}, seed {seed}, tick {tick}"));
            }
        }
    }
}

#[test]
fn a_teleporter_leads_to_its_exit_from_its_right_side_only() {
    let mut tried = 0;
    for (name, level) in shipped() {
        for line in level.map().lines.iter().filter(|line| line.teleport.is_some()) {
            let exit = level.map().exits[usize::from(line.teleport.expect("chosen for it"))];
            let way = (line.b - line.a).normalize();
            // The left of the way: where one goes.
            let ahead = DVec2::new(-way.y, way.x);
            let yaw = libm::atan2(ahead.y, ahead.x);
            let middle = (line.a + line.b) / 2.0;
            let mut stage = Stage::new(level, 1);
            let stand = |stage: &Stage, at| stage.world.scene().on_floor(at).expect("inside");
            let from = stand(&stage, middle - ahead);
            stage.put(0, from, yaw);
            let mut came = None;
            for _ in 0..8 {
                stage.drive(RUN, 1);
                let told = stage.world.events(0).iter().find_map(|event| match event {
                    Event::Teleported { position } => Some(*position),
                    _ => None,
                });
                if let Some(position) = told {
                    came = Some(position);
                    break;
                }
            }
            let out = came.unwrap_or_else(|| panic!("{name}: nobody was moved at {middle}"));
            assert!(out.truncate().distance(exit.at) < 1e-9, "{name}: out at {out}, not {}", exit.at);
            assert!((stage.world.look(0).yaw - exit.yaw).abs() < 1e-9, "{name}: looks along the exit");
            assert!(stage.feet(0).truncate().distance(exit.at) < 1.0, "{name}: stays near the exit");
            // From behind the line, back out.
            let behind = stand(&stage, middle + ahead);
            stage.put(0, behind, libm::atan2(-ahead.y, -ahead.x));
            for _ in 0..5 {
                stage.drive(RUN, 1);
                let is_moved = |event: &Event| matches!(event, Event::Teleported { .. });
                assert!(!stage.world.events(0).iter().any(is_moved), "{name}: moved from the left side");
            }
            tried += 1;
        }
    }
    assert!(tried > 0, "no shipped map has a teleporter");
}
