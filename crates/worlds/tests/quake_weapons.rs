//! Quake's weapons and items, in a hall made here.

use std::sync::Arc;

use glam::DVec3;
use repertoire_mind::{Command, Event, Fire, Weapon};
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::map::bsp;
use repertoire_worlds::arena::rules::{Arsenal, Rules};
use repertoire_worlds::arena::world::World;
use repertoire_worlds::quake::boxes::Boxes;
use serde_json::{Value, json};

fn hall(things: &[(&str, &str, &str)]) -> Arc<Level> {
    let mut hall = Boxes::hall([-640.0, -640.0, 0.0], [640.0, 640.0, 300.0]);
    for origin in ["-320 0 24", "320 0 24"] {
        hall = hall.with_thing(&[("classname", "info_player_deathmatch"), ("origin", origin)]);
    }
    for &(kind, flags, origin) in things {
        hall = hall.with_thing(&[("classname", kind), ("spawnflags", flags), ("origin", origin)]);
    }
    Arc::new(Level::new(bsp::import("hall", &hall.map().write()).expect("a map").map).expect("playable"))
}

/// Two who stand ten metres apart, the first with a weapon in hand, looking at the second.
fn armed(weapon: Weapon, edit: impl FnOnce(&mut Value)) -> World {
    let level = hall(&[]);
    let world = World::new(level.clone(), Rules::default(), 2, 1);
    let mut saved = serde_json::to_value(world.save()).expect("plain data");
    for (id, x) in [(0, -5.0), (1, 5.0)] {
        let one = &mut saved["state"]["characters"][id];
        one["body"]["position"] = json!(DVec3::new(x, 0.0, 1.0 / 1024.0));
        one["body"]["velocity"] = json!(DVec3::ZERO);
        one["yaw"] = json!(0.0);
    }
    let shooter = &mut saved["state"]["characters"][0];
    shooter["weapon"] = json!(weapon);
    shooter["weapons"] = json!(vec![true; 8]);
    shooter["ammo"] = json!([50, 50, 50, 50]);
    edit(&mut saved["state"]["characters"]);
    let mut world =
        World::restore(level, serde_json::from_value(saved).expect("still a world")).expect("same map");
    // They settle on the floor.
    (0..5).for_each(|_| world.advance(&[Command::default(); 2]));
    world
}

const SHOOT: Command = Command {
    yaw: 0.0,
    pitch: 0.0,
    forward: 0.0,
    lateral: 0.0,
    jump: false,
    fire: Fire::Primary,
    weapon: None,
};

#[test]
fn every_weapon_takes_what_its_row_says() {
    // Ten metres apart, a second of fire: shots in it, and the health of which a body of 1000 is robbed.
    for (weapon, shots, least, most) in [
        (Weapon::Axe, 2, 0.0, 0.0),
        (Weapon::Shotgun, 2, 24.0, 48.0),
        (Weapon::SuperShotgun, 2, 8.0, 112.0),
        (Weapon::Nailgun, 10, 54.0, 90.0),
        (Weapon::SuperNailgun, 10, 108.0, 180.0),
        (Weapon::RocketLauncher, 2, 110.0, 220.0),
        // It throws a body out of its reach.
        (Weapon::LightningGun, 10, 210.0, 300.0),
    ] {
        let mut world = armed(weapon, |characters| characters[1]["health"] = json!(1000.0));
        let mut fired = 0;
        for _ in 0..10 {
            world.advance(&[SHOOT, Command::default()]);
            let is_shot = |event: &&Event| matches!(event, Event::Fired { .. });
            fired += world.events(0).iter().filter(is_shot).count();
        }
        let lost = 1000.0 - world.look(1).health;
        assert_eq!(fired, shots, "{weapon}");
        assert!((least..=most).contains(&lost), "{weapon} took {lost}");
    }
}

#[test]
fn grenades_fly_in_an_arc_bounce_and_burst_when_their_time_is_up() {
    let mut world = armed(Weapon::GrenadeLauncher, |characters| {
        characters[0]["yaw"] = json!(1.5);
        characters[1]["health"] = json!(1000.0);
    });
    world.advance(&[SHOOT, Command::default()]);
    let heights: Vec<f64> = (0..23)
        .map(|_| {
            world.advance(&[Command::default(); 2]);
            world.projectiles().next().expect("on its way for 2.5 s").z
        })
        .collect();
    assert!(heights[0] > heights[22] && heights.iter().all(|&z| z > 0.0), "{heights:?}");
    (0..3).for_each(|_| world.advance(&[Command::default(); 2]));
    assert_eq!(world.projectiles().count(), 0);
}

#[test]
fn a_burst_throws_and_halves_for_whoever_fired() {
    let mut world = armed(Weapon::RocketLauncher, |characters| characters[0]["pitch"] = json!(-1.5));
    world.advance(&[SHOOT, Command::default()]);
    let (lost, up) = (100.0 - world.look(0).health, world.look(0).velocity.z);
    assert!((40.0..60.0).contains(&lost), "{lost} of 120 less by the metre, halved");
    assert!(up > 5.0, "a rocket jump: {up} m/s");
}

#[test]
fn armour_takes_its_share_and_the_quad_multiplies() {
    let red = json!({ "armour": 200.0, "takes": 0.8, "quad_until": 0 });
    let mut world = armed(Weapon::LightningGun, |characters| characters[1]["gear"] = red);
    world.advance(&[SHOOT, Command::default()]);
    assert!((world.look(1).health - 94.0).abs() < 1e-9, "{}", world.look(1).health);
    let quad = json!({ "armour": 0.0, "takes": 0.0, "quad_until": 900 });
    let mut world = armed(Weapon::LightningGun, |characters| {
        characters[0]["gear"] = quad;
        characters[1]["health"] = json!(1000.0);
    });
    world.advance(&[SHOOT, Command::default()]);
    assert_eq!(world.look(1).health, 880.0);
}

#[test]
fn an_empty_weapon_is_laid_aside_and_a_strength_means_the_best_of_it() {
    let mut world = armed(Weapon::RocketLauncher, |characters| characters[0]["ammo"] = json!([5, 0, 0, 0]));
    world.advance(&[SHOOT, Command::default()]);
    assert_eq!(world.look(0).weapon, Weapon::SuperShotgun);
    let mut world = armed(Weapon::Shotgun, |_| ());
    world.advance(&[Command { weapon: Some(Weapon::Medium), ..SHOOT }, Command::default()]);
    assert_eq!(world.look(0).weapon, Weapon::SuperNailgun);
}

#[test]
fn items_of_quake_give_what_they_should_and_come_back() {
    let level = hall(&[
        ("item_armor2", "0", "-320 0 24"),
        ("item_health", "2", "-336 -16 24"),
        ("weapon_rocketlauncher", "0", "320 0 24"),
        ("item_artifact_super_damage", "0", "320 0 24"),
    ]);
    let mut world = World::new(level.clone(), Rules::default(), 2, 1);
    world.advance(&[Command::default(); 2]);
    let mut percept = repertoire_mind::Percept::default();
    let owners: Vec<_> = (0..2)
        .map(|id| {
            world.perceive(id, &mut percept);
            percept.own
        })
        .collect();
    let rich = owners.iter().find(|own| own.owns(Weapon::RocketLauncher)).expect("somebody stands there");
    assert_eq!((rich.pack.ammo, rich.pack.quad_secs), ([25, 0, 5, 0], 30));
    let tough = owners.iter().find(|own| own.pack.armour > 0).expect("somebody stands there");
    assert_eq!((tough.pack.armour, tough.health), (150, 200.0));
    let mega = level.map().items.iter().position(|spot| spot.item.name() == "megahealth").expect("one");
    // What it gave lasts 5 s and then goes within 100 s; 20 s later it lies there again, and is taken anew.
    (0..1000).for_each(|_| world.advance(&[Command::default(); 2]));
    assert!(!world.is_there(mega));
    let id = usize::from(owners[0].pack.armour == 0);
    assert!((100.0..=102.0).contains(&world.look(id).health.min(102.0)) && world.look(id).health < 110.0);
    (0..320).for_each(|_| world.advance(&[Command::default(); 2]));
    assert!(world.look(id).health > 150.0, "{}", world.look(id).health);
}

#[test]
fn rules_say_which_weapons_there_are() {
    let arena = Rules { arsenal: Arsenal::Arena, ..Rules::default() };
    let world = World::new(hall(&[]), arena.clone(), 1, 1);
    assert_eq!(world.look(0).weapon, Weapon::Weak);
    let text = serde_json::to_string(world.rules()).expect("plain data");
    assert_eq!(&serde_json::from_str::<Rules>(&text).expect("as written"), world.rules());
    let world = World::new(hall(&[]), Rules::default(), 1, 1);
    assert_eq!((world.look(0).weapon, world.rules().weapons.len()), (Weapon::Shotgun, 8));
    let mut odd = serde_json::to_value(arena).expect("plain data");
    odd["weapons"].as_array_mut().expect("rows").pop();
    assert!(serde_json::from_value::<Rules>(odd).is_err(), "two weapons are no arsenal");
}
