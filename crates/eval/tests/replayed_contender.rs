//! A replay of a recording as a contender: its body is where the recorded player's was, and it can be killed.

use std::sync::Arc;

use repertoire_eval::replay::Replay as Again;
use repertoire_eval::{lesson, record};
use repertoire_mind::fighter::Fighter;
use repertoire_mind::replay::{Replay, ReplayWatcher, Replayer};
use repertoire_mind::{Event, Mind};
use repertoire_trace::Tick;
use repertoire_worlds::arena::game::{Contender, Match};
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::map::{file, shipped::shipped};
use repertoire_worlds::arena::rules::Rules;

fn level(name: &str) -> Arc<Level> {
    let map = file::read(shipped(name).expect("it ships")).expect("it is a map").map;
    Arc::new(Level::new(map).expect("it can be played"))
}

fn bot(level: u8) -> Contender {
    Contender { name: format!("native:{level}"), mind: Box::new(Fighter::native(level)) }
}

/// Two bots play, and what the first does is kept.
fn recorded(level: &Arc<Level>) -> (Vec<Tick>, Arc<Replay>) {
    let mut game = Match::new(Arc::clone(level), Rules::default(), vec![bot(3), bot(5)], 12);
    let ticks: Vec<Tick> = (0..900).map(|_| record::tick(&mut game, false)).collect();
    let mut watcher = ReplayWatcher::default();
    let all = ticks.iter().cloned().map(Ok::<_, ()>);
    lesson::show_recorded(all, 0, level.places(), &mut watcher, &|| ()).expect("all ticks are good");
    (ticks, Arc::new(watcher.finish("ann").expect("there is play")))
}

fn replayed(replay: &Arc<Replay>) -> Contender {
    Contender { name: "ann".to_owned(), mind: Box::new(Replayer::new(replay)) }
}

#[test]
fn its_body_is_where_the_recorded_players_was_and_it_can_be_killed() {
    let level = level("yard");
    let (ticks, replay) = recorded(&level);
    let mut game =
        Match::new(Arc::clone(&level), Rules::default(), vec![bot(7), replayed(&replay), bot(7)], 5);
    assert!(!game.world().is_alive(1), "it waits for its recording");
    let (mut same, mut killed, mut fired, mut seen) = (0, 0, 0, 0);
    for tick in &ticks {
        game.perceive();
        game.decide();
        let row = &tick.rows[0];
        if game.world().is_alive(1) {
            let (now, then) = (&game.percepts()[1].own, row.percept.as_ref());
            let then = &then.expect("it is alive only where they were").own;
            assert_eq!((now.position, now.velocity), (then.position, then.velocity), "tick {}", tick.tick);
            assert_eq!((now.yaw, now.pitch, now.weapon), (then.yaw, then.pitch, game.world().look(1).weapon));
            same += 1;
            seen += usize::from(game.percepts()[0].characters.iter().any(|other| other.id == 1));
        }
        game.advance();
        for event in game.world().events(1) {
            killed += usize::from(matches!(event, Event::Died { by: Some(0 | 2), .. }));
            fired += usize::from(matches!(event, Event::Fired { .. }));
        }
    }
    assert!(same > 300 && killed > 0 && fired > 0 && seen > 20, "{same} {killed} {fired} {seen}");
    assert_eq!(game.world().tally(1).suicides, 0, "who dies as they did is nobody's suicide");
}

#[test]
fn a_match_with_a_replay_goes_on_as_it_was_saved_and_its_recording_plays_again() {
    let level = level("yard");
    let (_, replay) = recorded(&level);
    let cast = || vec![bot(5), replayed(&replay)];
    let mut game = Match::new(Arc::clone(&level), Rules::default(), cast(), 6);
    let header = record::header(&game, "yard", 6).expect("it is plain data");
    let mut again = Again::of(&header).expect("it holds its map");
    for number in 0..1000 {
        if number % 333 == 200 {
            let saved = serde_json::to_string(&game.save()).expect("a match is plain data");
            let saved = serde_json::from_str(&saved).expect("what was written");
            let mut other = Match::restore(Arc::clone(&level), cast(), saved).expect("the same match");
            let mut here = Match::restore(Arc::clone(&level), cast(), game.save()).expect("the same match");
            for _ in 0..100 {
                other.tick();
                here.tick();
                assert_eq!(other.world().hash(), here.world().hash());
            }
        }
        let tick = record::tick(&mut game, false);
        assert!(tick.rows[1].lead.is_some() && tick.rows[0].lead.is_none());
        again.obey(&tick).unwrap_or_else(|differs| panic!("tick {number}: {differs}"));
    }
    let mut same = Match::new(Arc::clone(&level), Rules::default(), cast(), 6);
    (0..1000).for_each(|_| same.tick());
    assert_eq!(same.world().hash(), game.world().hash(), "the same seed, the same bits");
}

#[test]
fn on_another_map_it_is_refused_and_never_there() {
    let (_, replay) = recorded(&level("yard"));
    let halls = level("halls");
    let mind = Replayer::new(&replay);
    assert!(mind.refuses(halls.places()).is_some_and(|why| why.contains("remedy")));
    let mut game = Match::new(halls, Rules::default(), vec![replayed(&replay), bot(3)], 1);
    for _ in 0..50 {
        game.tick();
        assert!(!game.world().is_alive(0));
    }
}

#[test]
fn a_recording_with_a_replay_in_it_is_kept_whole() {
    let level = level("yard");
    let (_, replay) = recorded(&level);
    let mut game = Match::new(Arc::clone(&level), Rules::default(), vec![replayed(&replay), bot(3)], 2);
    let header = record::header(&game, "yard", 2).expect("it is plain data");
    let ticks: Vec<Tick> = (0..60).map(|_| record::tick(&mut game, false)).collect();
    let mut recorder = repertoire_trace::Recorder::new(Vec::new(), header).expect("a recorder");
    ticks.iter().for_each(|tick| recorder.push(tick.clone()).expect("it is kept"));
    let bytes = recorder.finish().expect("it is written");
    let mut source =
        repertoire_trace::Source::open(std::io::Cursor::new(bytes), repertoire_trace::Format::Parquet)
            .expect("a recording");
    let read: Vec<Tick> = source.ticks().collect::<Result<_, _>>().expect("all ticks");
    assert_eq!(read, ticks);
}
