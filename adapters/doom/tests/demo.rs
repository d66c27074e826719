//! Recorded bots become percepts and commands: on a map of ours, with rows made here.

use repertoire_doom::Ground;
use repertoire_doom::demo::Demo;
use repertoire_mind::{Event, Fire, Weapon};
use repertoire_trace::{Recorder, Recording, Tick};
use repertoire_worlds::arena::map;

const HEAD: &str = "tic,bot,x,y,z,angle,vx,vy,health,armor,weapon,ammo,buttons,forward,side,yaw,sees\n";

fn ground() -> Ground {
    let text = map::shipped::shipped("yard").expect("it ships");
    Ground::new(map::file::read(text).expect("it can be read").map).expect("it can be played")
}

/// Two places of the map that see each other, in Doom's units.
fn two_places(ground: &Ground) -> ([f64; 3], [f64; 3]) {
    let points = ground.level().places().points();
    let eye = glam::DVec3::new(0.0, 0.0, 1.2);
    for &a in points {
        for &b in points {
            let far = a.distance(b);
            if (4.0..8.0).contains(&far) && ground.scene().sees(a + eye, b + eye) {
                return ((a * 32.0).to_array(), (b * 32.0).to_array());
            }
        }
    }
    panic!("nobody sees anybody");
}

fn ticks(text: &str, ground: &Ground, every: u32) -> Result<Vec<Tick>, String> {
    let mut demo = Demo::new(text.as_bytes(), ground, every);
    let mut ticks = Vec::new();
    while let Some(tick) = demo.next_tick().map_err(|error| error.to_string())? {
        ticks.push(tick);
    }
    Ok(ticks)
}

/// Bot 1 faces bot 2, turns left 3 degrees a tic, runs ahead and fires from tic 3 on; bot 2 looks away.
fn rows(ground: &Ground, tics: u32) -> String {
    let (a, b) = two_places(ground);
    let facing = libm::atan2(b[1] - a[1], b[0] - a[0]).to_degrees();
    let mut text = HEAD.to_owned();
    for tic in 1..=tics {
        let angle = facing + 3.0 * f64::from(tic - 1);
        let fire = u8::from(tic >= 3);
        text +=
            &format!("{tic},1,{},{},{},{angle},3,4,100,0,8,50,{fire},12800,-5120,0,4\n", a[0], a[1], a[2]);
        let health = if tic < 5 { 80 } else { 60 };
        text += &format!("{tic},2,{},{},{},{facing},0,0,{health},0,3,50,0,0,0,0,0\n", b[0], b[1], b[2]);
    }
    text
}

#[test]
fn a_state_is_paired_with_the_commands_after_it() {
    let ground = ground();
    let ticks = ticks(&rows(&ground, 9), &ground, 2).expect("rows are right");
    assert_eq!(ticks.len(), 4);
    let first = ticks[0].rows[0].command.expect("it lives");
    assert!((first.yaw.to_degrees() - 6.0).abs() < 1e-9, "two tics of 3 degrees: {}", first.yaw.to_degrees());
    assert_eq!((first.forward, first.lateral), (1.0, 0.5));
    assert_eq!(first.fire, Fire::Primary, "the trigger of tic 3 belongs to the decision after tic 1");
    let percept = ticks[0].rows[0].percept.as_ref().expect("it lives");
    assert_eq!(percept.own.weapon, Weapon::Strong);
    assert_eq!(percept.own.weapons, [true, false, true]);
    assert!((percept.own.velocity.length() - 5.0 * 35.0 / 32.0).abs() < 1e-9);
}

#[test]
fn who_is_faced_is_seen_and_who_looks_away_hears_and_feels() {
    let ground = ground();
    let ticks = ticks(&rows(&ground, 9), &ground, 2).expect("rows are right");
    let of = |tick: usize, bot: usize| ticks[tick].rows[bot].percept.as_ref().expect("it lives");
    assert_eq!(of(0, 0).characters.len(), 1);
    assert_eq!(of(0, 0).characters[0].id, 1);
    assert!(of(0, 1).characters.is_empty(), "its back is turned");
    assert!(of(0, 1).noises.is_empty() && !of(1, 1).noises.is_empty(), "shots are heard from tic 3 on");
    assert!(of(1, 1).hits.is_empty(), "the hit of tic 5 is not known at tic 3");
    assert_eq!(of(2, 1).hits[0].damage, 20.0);
    assert!(of(2, 1).hits[0].yaw.abs() > 2.5, "from behind: {}", of(2, 1).hits[0].yaw);
}

#[test]
fn a_death_ends_a_life_and_a_trace_takes_it_all() {
    let ground = ground();
    let (a, _) = two_places(&ground);
    let mut text = HEAD.to_owned();
    for tic in 1..=12 {
        let health = if (5..9).contains(&tic) { 0 } else { 100 };
        text += &format!("{tic},1,{},{},{},0,0,0,{health},0,3,50,0,0,0,0,0\n", a[0], a[1], a[2]);
    }
    let ticks = ticks(&text, &ground, 2).expect("rows are right");
    let lives: Vec<u32> = ticks
        .iter()
        .map(|tick| tick.rows[0].percept.as_ref().map_or(0, |percept| percept.own.life))
        .collect();
    assert_eq!(lives, [1, 1, 0, 0, 2]);
    assert!(ticks[1].rows[0].events.contains(&Event::Died { by: None, weapon: None }));
    let mut recorder = Recorder::new(Vec::new(), Demo::<&[u8]>::header(&ground, 1, 2)).expect("a header");
    ticks.iter().for_each(|tick| recorder.push(tick.clone()).expect("a trace takes it"));
    let file = recorder.finish().expect("written");
    let mut recording = Recording::open(std::io::Cursor::new(file)).expect("read");
    let again: Vec<Tick> = recording.ticks().map(|tick| tick.expect("read")).collect();
    assert_eq!(again, ticks);
}

#[test]
fn rows_that_are_wrong_are_refused_with_their_line() {
    let ground = ground();
    for wrong in [
        "1,1,NaN,0,0,0,0,0,100,0,3,50,0,0,0,0,0\n",
        "1,0,0,0,0,0,0,0,100,0,3,50,0,0,0,0,0\n",
        "1,1,0,0,0,0,0,0,100,0,77,50,0,0,0,0,0\n",
        "1,1,zero,0,0,0,0,0,100,0,3,50,0,0,0,0,0\n",
        "1,1,0\n",
    ] {
        let error = ticks(&format!("{HEAD}{wrong}"), &ground, 1).expect_err(wrong);
        assert!(error.contains("line 2") && error.contains("remedy"), "{wrong}: {error}");
    }
    assert_eq!(ticks(HEAD, &ground, 3).expect("nothing is no mistake").len(), 0);
}
