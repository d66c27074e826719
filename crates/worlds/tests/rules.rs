//! What characters perceive, and what weapons, items and death do, as the rules say.

mod common;

use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::{Arc, OnceLock};

use common::{RUN, SHOOT, STAY, Stage, level, strip, two_rooms};
use glam::{DVec2, DVec3};
use repertoire_mind::{Command, Event, Fire, Item, Noise, Sound, Weapon, turn_between};
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::map::ItemSpot;
use repertoire_worlds::arena::rules::Rules;

/// A flat field of 120 by 40 m without anything on it.
fn field() -> Arc<Level> {
    static FIELD: OnceLock<Arc<Level>> = OnceLock::new();
    FIELD.get_or_init(|| level(strip(40.0, &[(120.0, 0.0, 10.0)]))).clone()
}

fn at(x: f64, y: f64) -> DVec3 {
    DVec3::new(x, y, 0.0)
}

fn from_angle(angle_deg: f64, far: f64) -> DVec3 {
    let (sin, cos) = libm::sincos(angle_deg.to_radians());
    DVec3::new(cos * far, sin * far, 0.0)
}

fn sees(stage: &Stage, id: usize, other: u8) -> bool {
    stage.percept(id).characters.iter().any(|seen| seen.id == other)
}

/// Two characters in the field: the first at (30, 20) looking along a yaw, the second somewhere.
fn pair(yaw: f64, other: DVec3) -> Stage {
    let mut stage = Stage::new(&field(), 2);
    stage.put(0, at(30.0, 20.0), yaw).put(1, other, PI);
    stage
}

#[test]
fn the_field_of_view_is_90_degrees_wide() {
    for yaw_deg in [-170.0, -90.0, 0.0, 33.0, 180.0] {
        for (angle, seen) in [
            (0.0, true),
            (44.9, true),
            (-44.9, true),
            (45.1, false),
            (-45.1, false),
            (90.0, false),
            (180.0, false),
        ] {
            for far in [1.5, 6.0, 15.0] {
                let other = at(30.0, 20.0) + from_angle(yaw_deg + angle, far);
                let stage = pair(f64::to_radians(yaw_deg), other);
                assert_eq!(sees(&stage, 0, 1), seen, "yaw {yaw_deg}, {angle} degrees off, {far} m away");
            }
        }
    }
}

#[test]
fn the_field_of_view_is_67_and_a_half_degrees_high() {
    // The eyes of the other are level with the own ones; its middle is lower.
    let middle_deg = libm::atan2(1.6 - 1.75 / 2.0, 10.0).to_degrees();
    for (pitch_deg, seen) in [
        (33.7, true),
        (33.8, false),
        (80.0, false),
        (-33.7 - middle_deg, true),
        (-33.8 - middle_deg, false),
        (-80.0, false),
    ] {
        let mut stage = pair(0.0, at(40.0, 20.0));
        stage.set(0, "pitch", f64::to_radians(pitch_deg));
        assert_eq!(sees(&stage, 0, 1), seen, "looking {pitch_deg} degrees up");
    }
}

#[test]
fn a_wall_hides_and_a_door_does_not() {
    let mut stage = Stage::new(&level(two_rooms()), 2);
    stage.put(0, at(3.0, 6.0), 0.0).put(1, DVec3::new(20.0, 6.0, 0.5), PI);
    assert!(sees(&stage, 0, 1) && sees(&stage, 1, 0), "through the door");
    stage.put(0, at(3.0, 10.0), 0.0).put(1, DVec3::new(20.0, 10.0, 0.5), PI);
    assert!(!sees(&stage, 0, 1) && !sees(&stage, 1, 0), "through the wall");
}

#[test]
fn a_ledge_hides_who_stands_far_behind_its_edge() {
    let mut stage = Stage::new(&level(strip(10.0, &[(10.0, 0.0, 8.0), (15.0, 3.0, 8.0)])), 2);
    stage.put(0, at(8.0, 5.0), 0.0).put(1, DVec3::new(18.0, 5.0, 3.0), PI);
    assert!(!sees(&stage, 0, 1) && !sees(&stage, 1, 0), "far behind the edge");
    stage.put(1, DVec3::new(10.6, 5.0, 3.0), PI).put(0, at(3.0, 5.0), 0.0);
    assert!(sees(&stage, 0, 1) && sees(&stage, 1, 0), "at the edge");
}

#[test]
fn the_dead_are_not_seen() {
    let mut stage = pair(0.0, at(33.0, 20.0));
    stage.set(1, "health", 1.0).drive(SHOOT, 1);
    assert!(!stage.world.is_alive(1) && !sees(&stage, 0, 1));
}

#[test]
fn position_velocity_and_weapon_of_others_are_told() {
    let mut stage = pair(0.0, at(40.0, 20.0));
    stage.arm(1, Weapon::Strong, 3);
    for _ in 0..3 {
        stage.world.advance(&[STAY, RUN]);
        let (seen, look) = (stage.percept(0).characters[0], stage.world.look(1));
        assert_eq!((seen.id, seen.weapon), (1, Some(Weapon::Strong)));
        assert_eq!((seen.position, seen.velocity), (look.position, look.velocity));
        assert!(seen.velocity.x < -3.0, "it comes nearer: {}", seen.velocity);
    }
}

#[test]
fn rays_tell_how_far_walls_are_up_to_the_limit() {
    let mut stage = Stage::new(&field(), 1);
    stage.put(0, at(30.0, 15.0), 0.0);
    let rays = stage.percept(0).rays_m;
    let diagonal = 2f64.sqrt();
    let truth = [40.0, 25.0 * diagonal, 25.0, 25.0 * diagonal, 30.0, 15.0 * diagonal, 15.0, 15.0 * diagonal];
    for (k, (told, truth)) in rays.into_iter().zip(truth).enumerate() {
        assert!((told - truth).abs() < 1e-6, "ray {k}: {told} instead of {truth}");
    }
}

/// One character 5 m west of an item, looking at it, in a small room.
fn before_item(item: Item) -> Stage {
    let mut map = strip(12.0, &[(24.0, 0.0, 4.0)]);
    map.items.push(ItemSpot { item, at: DVec2::new(12.0, 6.0), height_m: None });
    let mut stage = Stage::new(&level(map), 1);
    stage.put(0, at(7.0, 6.0), 0.0);
    stage
}

fn picked_up(stage: &Stage) -> bool {
    stage.world.events(0).iter().any(|event| matches!(event, Event::PickedUp { spot: 0, .. }))
}

/// Runs over the item and stops behind it. Whether it was taken.
fn take(stage: &mut Stage) -> bool {
    let mut taken = false;
    for _ in 0..9 {
        stage.drive(RUN, 1);
        taken |= picked_up(stage);
    }
    assert!(stage.feet(0).x > 13.0, "ran past it");
    taken
}

#[test]
fn an_item_is_seen_there_then_gone_and_comes_back_after_its_time() {
    for item in Item::ALL {
        let mut stage = before_item(item);
        stage.set(0, "health", 10.0);
        let seen = stage.percept(0).items;
        assert_eq!(seen.len(), 1);
        assert!(seen[0].present && seen[0].item == item && seen[0].spot == 0);
        assert_eq!(seen[0].position, at(12.0, 6.0));
        assert!(take(&mut stage), "{item}");
        // Step back, and watch the empty place.
        stage.put(0, at(7.0, 6.0), 0.0);
        let seen = stage.percept(0).items;
        assert!(seen.len() == 1 && !seen[0].present, "the place is seen, the item is gone");
        let taken_at = stage.world.time_secs();
        let back_secs = stage.world.rules().back_secs(item);
        while !stage.percept(0).items[0].present {
            assert!(stage.world.time_secs() < taken_at + back_secs + 1.0, "{item} does not come back");
            stage.drive(STAY, 1);
        }
        // Up to nine decisions passed between taking and watching.
        let away = stage.world.time_secs() - taken_at;
        assert!(away > back_secs - 1.0 && away <= back_secs + 0.2, "{item} was away for {away} s");
        assert!(stage.world.is_there(0));
    }
}

#[test]
fn an_item_out_of_view_is_not_seen() {
    let mut stage = before_item(Item::Health);
    stage.put(0, at(7.0, 6.0), PI);
    assert!(stage.percept(0).items.is_empty());
}

#[test]
fn health_gives_what_the_rules_say_and_never_more_than_the_most() {
    for (before, after, is_taken) in
        [(10.0, 35.0, true), (75.0, 100.0, true), (90.0, 100.0, true), (100.0, 100.0, false)]
    {
        let mut stage = before_item(Item::Health);
        stage.set(0, "health", before);
        assert_eq!(take(&mut stage), is_taken, "with health {before}");
        assert_eq!(stage.world.look(0).health, after);
        assert_eq!(stage.world.is_there(0), !is_taken, "what is of no use stays");
    }
}

#[test]
fn weapons_and_ammunition_give_what_the_rules_say_up_to_the_limit() {
    let rules = Rules::default();
    for weapon in [Weapon::Medium, Weapon::Strong] {
        let numbers = &rules.weapons[weapon.index()];
        let mut stage = before_item(Item::Weapon(weapon));
        assert!(!stage.percept(0).own.weapons[weapon.index()]);
        assert!(take(&mut stage));
        let own = stage.percept(0).own;
        assert!(own.weapons[weapon.index()] && own.weapon == Weapon::Weak, "owned, not yet in hand");
        assert_eq!(own.ammo[weapon.index()], numbers.ammo_in_weapon);

        let mut stage = before_item(Item::Ammo(weapon));
        assert!(take(&mut stage));
        assert_eq!(stage.percept(0).own.ammo[weapon.index()], numbers.ammo_in_box);

        for item in [Item::Ammo(weapon), Item::Weapon(weapon)] {
            let mut stage = before_item(item);
            stage.arm(0, weapon, numbers.ammo_limit - 1);
            assert!(take(&mut stage), "{item} when one shot is missing");
            assert_eq!(stage.percept(0).own.ammo[weapon.index()], numbers.ammo_limit);

            let mut stage = before_item(item);
            stage.arm(0, weapon, numbers.ammo_limit);
            assert!(!take(&mut stage), "{item} when nothing is missing");
        }
    }
}

/// What the second character hears when the first fires, from so far away.
fn hears_shot(far: f64, listener_yaw: f64) -> Option<Noise> {
    let mut stage = Stage::new(&field(), 2);
    // The shooter looks away.
    stage.put(0, at(60.0, 20.0), PI).put(1, at(60.0 + far, 20.0), listener_yaw);
    stage.drive(SHOOT, 1);
    assert!(stage.fired(0));
    assert!(stage.percept(0).noises.is_empty(), "the own shot is not told");
    let noises = stage.percept(1).noises;
    assert!(noises.len() <= 1);
    noises.first().copied()
}

#[test]
fn a_noise_is_louder_when_nearer_and_not_heard_beyond_its_limit() {
    let mut before = 1.0;
    for far in [2.0, 5.0, 15.0, 30.0, 44.9] {
        let noise = hears_shot(far, 0.0).unwrap_or_else(|| panic!("not heard from {far} m"));
        assert_eq!(noise.sound, Sound::Shot);
        assert!(noise.loudness < before && noise.loudness > 0.0, "{far} m: {}", noise.loudness);
        before = noise.loudness;
    }
    assert_eq!(hears_shot(45.1, 0.0), None);
    assert_eq!(hears_shot(55.0, 0.0), None);
}

#[test]
fn the_direction_of_a_noise_is_right_within_the_error_of_hearing() {
    let rules = Rules::default();
    for listener_yaw in [0.0, 1.0, -2.0, 3.0] {
        let truth = turn_between(listener_yaw, PI);
        for far in [2.0, 10.0, 40.0] {
            let noise = hears_shot(far, listener_yaw).expect("near enough");
            let error = turn_between(truth, noise.yaw).abs();
            let spread = rules.hearing_error * far / rules.heard_m[0];
            assert!(error < 4.0 * spread, "{far} m: {error} rad, spread {spread}");
        }
    }
}

#[test]
fn hearing_errs_as_much_as_the_rules_say_and_to_both_sides() {
    let mut stage = Stage::new(&field(), 2);
    stage.put(0, at(10.0, 20.0), PI).put(1, at(40.0, 20.0), PI);
    let mut errors = Vec::new();
    for _ in 0..1000 {
        stage.drive(SHOOT, 1);
        errors.extend(stage.percept(1).noises.iter().map(|noise| turn_between(0.0, noise.yaw)));
    }
    let count = errors.len() as f64;
    assert!(count > 200.0);
    let mean = errors.iter().sum::<f64>() / count;
    let spread = (errors.iter().map(|error| error * error).sum::<f64>() / count).sqrt();
    let truth = 0.5 * 30.0 / 45.0;
    assert!(mean.abs() < 4.0 * truth / count.sqrt(), "mean {mean}");
    assert!((spread / truth - 1.0).abs() < 0.15, "spread {spread} instead of {truth}");
}

#[test]
fn own_falls_and_pick_ups_are_not_heard_but_by_others() {
    let mut map = strip(12.0, &[(24.0, 0.0, 12.0)]);
    map.items.push(ItemSpot {
        item: Item::Weapon(Weapon::Medium),
        at: DVec2::new(12.0, 6.0),
        height_m: None,
    });
    let mut stage = Stage::new(&level(map), 2);
    stage.put(0, at(11.5, 6.0), 0.0).put(1, at(16.0, 6.0), 0.0).drive(STAY, 1);
    assert!(picked_up(&stage) && stage.percept(0).noises.is_empty());
    assert_eq!(stage.percept(1).noises.first().map(|noise| noise.sound), Some(Sound::PickUp));

    stage.edit(|state| {
        state["characters"][0]["body"]["position"][2] = 5.0.into();
        state["characters"][0]["body"]["on_ground"] = false.into();
    });
    let mut heard = None;
    for _ in 0..15 {
        stage.drive(STAY, 1);
        assert!(stage.percept(0).noises.is_empty());
        heard = heard.or(stage.percept(1).noises.first().map(|noise| noise.sound));
    }
    assert_eq!(heard, Some(Sound::Fall));
}

#[test]
fn a_hit_tells_where_it_came_from_and_what_it_cost() {
    for (angle_deg, turn) in [(0.0, 0.0), (90.0, FRAC_PI_2), (-90.0, -FRAC_PI_2), (180.0, PI)] {
        // The victim looks east; the shooter stands at that angle and looks at it.
        let mut stage = Stage::new(&field(), 2);
        let shooter = at(60.0, 20.0) + from_angle(angle_deg, 5.0);
        stage.put(1, at(60.0, 20.0), 0.0).put(0, shooter, f64::to_radians(angle_deg + 180.0));
        stage.drive(SHOOT, 1);
        let percept = stage.percept(1);
        assert_eq!(percept.hits.len(), 1, "from {angle_deg} degrees");
        let hit = percept.hits[0];
        assert!(turn_between(turn, hit.yaw).abs() < 0.01, "told {} for {turn}", hit.yaw);
        let damage = Rules::default().weapons[0].modes[0].damage;
        assert_eq!((hit.damage, percept.own.health), (damage, 100.0 - damage));
        assert_eq!(stage.world.tally(0).hits, 1);
        stage.drive(STAY, 1);
        assert!(stage.percept(1).hits.is_empty(), "told once");
    }
}

#[test]
fn a_shot_from_above_hits_the_head_that_it_is_aimed_at() {
    // From the edge of a ledge of 6 m: the ray comes in over the top of the body's cylinder.
    let mut stage = Stage::new(&level(strip(10.0, &[(10.0, 6.0, 12.0), (15.0, 0.0, 12.0)])), 2);
    let (hand, target) = (DVec3::new(9.9, 5.0, 7.4), DVec3::new(11.4, 5.0, 1.5));
    let pitch = libm::atan2(target.z - hand.z, target.x - hand.x);
    let mut hits = 0;
    for _ in 0..10 {
        stage.put(0, DVec3::new(9.9, 5.0, 6.0), 0.0).set(0, "pitch", pitch).set(0, "ready_at", 0);
        stage.put(1, at(11.4, 5.0), 0.0).set(1, "health", 100.0);
        stage.drive(SHOOT, 1);
        hits += stage.percept(1).hits.len();
    }
    assert!(hits >= 8, "{hits} of 10 shots at the head hit");
}

#[test]
fn a_wall_stops_a_shot() {
    let mut stage = Stage::new(&level(two_rooms()), 2);
    stage.put(0, at(9.0, 10.0), 0.0).put(1, DVec3::new(14.0, 10.0, 0.5), PI).drive(SHOOT, 10);
    assert_eq!((stage.world.look(1).health, stage.world.tally(0).hits), (100.0, 0));
    assert!(stage.world.tally(0).shots > 1);
}

/// Mean damage of a shot with a weapon at somebody so far away.
fn mean_damage(weapon: Weapon, fire: Fire, far: f64) -> f64 {
    let mut stage = pair(0.0, at(30.0 + far, 20.0));
    let mut sum = 0.0;
    for _ in 0..40 {
        // More health than anybody has: one shot can take all of that.
        stage.arm(0, weapon, 9).set(1, "health", 1000.0);
        stage.drive(Command { fire, ..STAY }, 1);
        sum += 1000.0 - stage.world.look(1).health;
    }
    sum / 40.0
}

#[test]
fn the_shotgun_hurts_less_with_distance() {
    for fire in [Fire::Primary, Fire::Secondary] {
        let damages = [1.5, 6.0, 12.0, 30.0].map(|far| mean_damage(Weapon::Medium, fire, far));
        assert!(damages.windows(2).all(|pair| pair[0] > pair[1] + 1.0), "{fire:?}: {damages:?}");
    }
    let all =
        f64::from(Rules::default().weapons[1].modes[0].pellets) * Rules::default().weapons[1].modes[0].damage;
    let near = mean_damage(Weapon::Medium, Fire::Primary, 1.5);
    assert!(near > 0.95 * all, "near, all pellets hit: {near} of {all}");
}

#[test]
fn a_rocket_takes_its_time_and_hurts_by_hit_and_by_burst() {
    let mut stage = pair(0.0, at(50.0, 20.0));
    stage.arm(0, Weapon::Strong, 1).drive(SHOOT, 1);
    let flying: Vec<DVec3> = stage.world.projectiles().collect();
    assert!(flying.len() == 1 && stage.world.look(1).health == 100.0);
    let mut ticks = 1;
    while stage.world.projectiles().next().is_some() {
        stage.drive(STAY, 1);
        ticks += 1;
        assert!(ticks < 20, "it never bursts");
    }
    let rules = Rules::default();
    let secs = 20.0 / rules.weapons[2].modes[0].projectile.expect("rockets fly").m_per_sec;
    assert!((f64::from(ticks) * 0.1 - secs).abs() < 0.2, "{ticks} ticks, not {secs} s");
    assert_eq!(stage.world.look(1).health, 100.0 - rules.weapons[2].modes[0].damage, "a direct hit");

    // Beside the target, into the wall behind it: the burst alone.
    let mut stage = Stage::new(&field(), 2);
    stage.put(0, at(100.0, 20.0), 0.0).put(1, at(118.5, 21.5), 0.0);
    stage.arm(0, Weapon::Strong, 1).drive(SHOOT, 1).drive(STAY, 12);
    let health = stage.world.look(1).health;
    assert!(health < 95.0 && health > 40.0, "by the burst: {health}");
    assert_eq!(stage.world.look(0).health, 100.0, "far from the burst");
}

#[test]
fn a_rocket_at_a_wall_kills_its_owner_and_costs_a_frag() {
    let mut stage = Stage::new(&field(), 1);
    stage.arm(0, Weapon::Strong, 6);
    let mut died = None;
    for _ in 0..40 {
        // Thrown back by its own burst, it comes to the wall again.
        if stage.world.is_alive(0) {
            stage.put(0, at(119.0, 20.0), 0.0);
        }
        stage.drive(SHOOT, 1);
        died = stage.world.events(0).iter().find(|event| matches!(event, Event::Died { .. })).copied();
        if died.is_some() {
            break;
        }
    }
    assert_eq!(died, Some(Event::Died { by: Some(0), weapon: Some(Weapon::Strong) }));
    let tally = stage.world.tally(0);
    assert_eq!((tally.frags, tally.suicides, tally.deaths, tally.hits), (-1, 1, 1, 0));
}

#[test]
fn a_kill_is_a_frag_and_death_takes_all_but_the_weak_weapon() {
    let mut stage = pair(0.0, at(33.0, 20.0));
    stage.arm(1, Weapon::Strong, 5).arm(1, Weapon::Medium, 5).set(1, "health", 5.0);
    stage.drive(SHOOT, 1);
    assert!(!stage.world.is_alive(1));
    assert_eq!((stage.world.tally(0).frags, stage.world.tally(0).deaths), (1, 0));
    let victim = stage.world.tally(1);
    assert_eq!((victim.frags, victim.deaths, victim.suicides), (0, 1, 0));
    assert!(stage.world.events(0).contains(&Event::Frag { victim: 1 }));
    assert!(stage.world.events(1).contains(&Event::Died { by: Some(0), weapon: Some(Weapon::Weak) }));

    // Fired and died in the first step of that decision: two of the respawn's steps are over.
    let mut decisions = 0;
    while !stage.world.is_alive(1) {
        stage.drive(STAY, 1);
        decisions += 1;
        assert!(decisions <= 10, "still dead");
    }
    assert_eq!(decisions, 10, "the set second");
    let own = stage.percept(1).own;
    assert_eq!((own.health, own.life, own.weapon), (100.0, 2, Weapon::Weak));
    assert_eq!((own.weapons, own.ammo), ([true, false, false], [0; 3]));
    assert!(stage.world.events(1).iter().any(|event| matches!(event, Event::Spawned { .. })));
}

#[test]
fn a_harmful_floor_hurts_and_its_death_costs_a_frag() {
    let mut map = strip(12.0, &[(12.0, 0.0, 4.0), (12.0, 0.0, 4.0)]);
    map.areas[1].harm_per_sec = 20.0;
    let mut stage = Stage::new(&level(map), 1);
    stage.put(0, at(18.0, 6.0), 0.0).drive(STAY, 10);
    assert!((stage.world.look(0).health - 80.0).abs() < 1e-6);
    stage.drive(STAY, 40);
    assert_eq!((stage.world.tally(0).frags, stage.world.tally(0).suicides), (-1, 1));
}

#[test]
fn changing_weapons_takes_time_and_needs_the_weapon() {
    let rules = Rules::default();
    for weapon in [Weapon::Medium, Weapon::Strong] {
        let mut stage = Stage::new(&field(), 1);
        stage.put(0, at(60.0, 20.0), 0.0).arm(0, weapon, 5).arm(0, Weapon::Weak, 0);
        let change = Command { weapon: Some(weapon), ..SHOOT };
        let mut waited = 0;
        loop {
            stage.drive(change, 1);
            assert_eq!(stage.world.look(0).weapon, weapon);
            if stage.fired(0) {
                break;
            }
            assert!(!stage.percept(0).own.ready || waited > 0);
            waited += 1;
            assert!(waited < 20, "{weapon} never fires");
        }
        let raise = rules.weapons[weapon.index()].raise_secs;
        assert!(
            (f64::from(waited) * 0.1 - raise).abs() <= 0.1 + 1e-9,
            "{weapon}: {waited} decisions, not {raise} s"
        );
    }
    let mut stage = Stage::new(&field(), 1);
    stage.drive(Command { weapon: Some(Weapon::Strong), ..SHOOT }, 1);
    assert_eq!(stage.world.look(0).weapon, Weapon::Weak, "not owned, not taken in hand");
    assert!(stage.fired(0));
}

#[test]
fn ammunition_runs_out_but_not_the_weak_weapons() {
    for (weapon, fire, ammo, shots) in [
        (Weapon::Medium, Fire::Primary, 3, 3),
        (Weapon::Medium, Fire::Secondary, 5, 2),
        (Weapon::Strong, Fire::Primary, 2, 2),
    ] {
        let mut stage = Stage::new(&field(), 1);
        stage.put(0, at(20.0, 20.0), 0.0).arm(0, weapon, ammo).drive(Command { fire, ..STAY }, 80);
        assert_eq!(stage.world.tally(0).shots, shots, "{weapon} {fire:?}");
    }
    let mut stage = Stage::new(&field(), 1);
    stage.arm(0, Weapon::Strong, 0);
    assert!(!stage.percept(0).own.ready, "empty is not ready");
    let mut stage = Stage::new(&field(), 1);
    stage.drive(SHOOT, 350);
    let expected = 35.0 / Rules::default().weapons[0].modes[0].wait_secs;
    let shots = f64::from(stage.world.tally(0).shots);
    assert!((shots / expected - 1.0).abs() < 0.1, "{shots} shots, not {expected}");
}

#[test]
fn a_trigger_that_is_not_pulled_does_nothing() {
    let mut stage = pair(0.0, at(33.0, 20.0));
    stage.arm(0, Weapon::Strong, 5);
    for _ in 0..30 {
        stage.drive(STAY, 1);
        assert!(!stage.fired(0) && stage.world.projectiles().next().is_none());
        assert!(stage.percept(1).noises.is_empty());
    }
    assert_eq!((stage.world.tally(0).shots, stage.percept(0).own.ammo[2]), (0, 5));
}
