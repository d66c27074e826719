use std::sync::Arc;

use repertoire_prob::Stream;

use super::*;
use crate::student::{Seen, Watch};
use crate::{Cells, Command, Cue, Fire, LedHow, Mind, Percept, Places, Weapon};

fn places(x: f64) -> Places {
    Places::new(vec![DVec3::new(x, 0.0, 0.0)], vec![vec![]], Cells::default(), vec![], vec![])
        .expect("a point")
}

/// Two lives: the second begins at tick 30 with a teleporter at tick 40, and ends at tick 49.
fn replay() -> Replay {
    let mut watcher = ReplayWatcher::default();
    watcher.begin();
    for tick in (0..20).chain(30..50) {
        let mut percept = Percept { tick: 7 + tick, period_secs: PERIOD_SECS, ..Percept::default() };
        let own = &mut percept.own;
        own.life = if tick < 20 { 1 } else { 2 };
        own.position = DVec3::new(0.5 * f64::from(tick) + if tick < 40 { 0.0 } else { 30.0 }, 0.0, 0.0);
        (own.yaw, own.on_ground) = (0.01 * f64::from(tick), tick % 5 == 0);
        let command = Command {
            forward: 1.0,
            fire: if tick == 3 { Fire::Primary } else { Fire::None },
            ..Command::default()
        };
        watcher.see(Seen { percept: &percept, command: &command, task: None, events: &[] }, &places(0.0));
    }
    watcher.finish("ann").expect("there is play")
}

fn lead(mind: &mut Replayer, tick: u32, is_alive: bool) -> (LedHow, f64) {
    let places = places(0.0);
    let led = mind.lead(Cue { tick, period_secs: PERIOD_SECS, is_alive, places: &places });
    let led = led.expect("it always leads");
    (led.how, led.position.x)
}

#[test]
fn the_body_is_where_the_recorded_players_was() {
    let replay = Arc::new(replay());
    assert_eq!((replay.lives(), replay.len(), replay.seconds()), (2, 40, 5.0));
    let mut mind = Replayer::new(&replay);
    assert_eq!(
        lead(&mut mind, 100, false),
        (LedHow::Away, 0.0),
        "not on the ground: its life goes on without it"
    );
    assert_eq!(lead(&mut mind, 104, false), (LedHow::At, 2.5), "here they stand");
    assert_eq!(lead(&mut mind, 105, true), (LedHow::Along, 3.0));
    assert_eq!(lead(&mut mind, 119, true).0, LedHow::Away, "they died");
    assert_eq!(lead(&mut mind, 125, false).0, LedHow::Away);
    assert_eq!(lead(&mut mind, 129, false), (LedHow::At, 15.0), "they live again");
    assert_eq!(lead(&mut mind, 139, true), (LedHow::At, 50.0), "through a teleporter");
    assert_eq!(lead(&mut mind, 149, true), (LedHow::At, 0.0), "from the start");
    let mut first = Replayer::new(&replay);
    assert_eq!(lead(&mut first, 0, true).0, LedHow::Along);
    let mut elsewhere = Replayer::new(&replay);
    let far = places(9.0);
    let cue = Cue { tick: 0, period_secs: PERIOD_SECS, is_alive: false, places: &far };
    assert_eq!(elsewhere.lead(cue).map(|lead| lead.how), Some(LedHow::Away));
    assert!(
        elsewhere.refuses(&far).is_some_and(|why| why.contains("remedy"))
            && mind.refuses(&places(0.0)).is_none()
    );
}

#[test]
fn it_fires_when_they_fired_and_goes_on_as_it_was_saved() {
    let replay = Arc::new(replay());
    let (mut mind, here) = (Replayer::new(&replay), places(0.0));
    let mut draw = Stream::new(1, 0, "replay");
    let mut at = |mind: &mut Replayer, tick: u32| {
        mind.decide(&Percept { tick, period_secs: PERIOD_SECS, ..Percept::default() }, &here, &mut draw)
    };
    let fired: Vec<u32> = (0..50).filter(|&tick| at(&mut mind, 10 + tick).fire != Fire::None).collect();
    assert_eq!(fired, [3]);
    let mut again = Replayer::new(&replay);
    again.restore(&mind.save()).expect("its own state");
    assert_eq!(at(&mut again, 70), at(&mut mind, 70));
    assert_eq!(at(&mut again, 60).yaw, 0.01, "a hundredth from one moment to the next");
    assert!(again.restore(&serde_json::json!("nothing")).is_err());
}

#[test]
fn a_file_gives_the_same_replay_and_what_is_none_is_refused() {
    let replay = replay();
    let text = replay.write();
    let again = Replay::read(&text).expect("its own file");
    assert_eq!(again.write(), text);
    assert_eq!(again.moments.len(), replay.moments.len());
    for (from, to, why) in [
        ("replay 1", "replay 9", "reads `repertoire replay 1`"),
        ("\"map\":\"", "\"map\":\"x", "hexadecimal"),
        ("[[0,", "[[5,", "not in order"),
        ("[[0,", "[[-1,", "moment 0"),
        ("[[0,", "[[0,1,", "line 1"),
        ("ann", "ann\",\"x\":\"", "unknown field"),
    ] {
        assert!(text.contains(from), "{from}");
        let error = Replay::read(&text.replacen(from, to, 1)).expect_err(to).to_string();
        assert!(error.contains(why), "{to}: {error}");
    }
    let empty = text.split_once("[[").map(|(head, _)| format!("{head}[]}}")).expect("it has moments");
    assert!(Replay::read(&empty).is_err_and(|error| error.to_string().contains("nobody is alive")));
}

#[test]
fn one_player_at_ten_moments_a_second_is_a_replay_and_nothing_else() {
    let see = |watcher: &mut ReplayWatcher, period_secs: f64| {
        watcher.begin();
        let percept = Percept { period_secs, ..Percept::default() };
        watcher.see(
            Seen { percept: &percept, command: &Command::default(), task: None, events: &[] },
            &places(0.0),
        );
    };
    let mut two = ReplayWatcher::default();
    see(&mut two, 0.1);
    see(&mut two, 0.1);
    assert!(two.finish("ann").is_err_and(|error| error.to_string().contains("2 players")));
    let mut slow = ReplayWatcher::default();
    see(&mut slow, 0.5);
    assert!(slow.finish("ann").is_err_and(|error| error.to_string().contains("0.5 s")));
    assert!(ReplayWatcher::default().finish("ann").is_err());
}

#[test]
fn whose_belongings_are_not_known_holds_no_weapon() {
    let mut own = Own { weapon: Weapon::Axe, ..Own::default() };
    own.pack.owned = 1;
    assert_eq!(Moment::weapon_of(&own), None);
    own.pack.owned = 0b11;
    assert_eq!(Moment::weapon_of(&own), Some(Weapon::Axe));
    assert_eq!(Moment::weapon_of(&Own::default()), Some(Weapon::Weak), "elsewhere everybody's is known");
}
