//! Trackers on play that is made here: learned tables, no allocation, saving, repeating, being right.

use repertoire_belief::evaluate::{Record, Sight, score_round};
use repertoire_belief::model::FitSettings;
use repertoire_belief::play::{Moment, Play, Round, Who};
use repertoire_belief::region::{RegionTracker, Tables};
use repertoire_belief::simulate::Walk;
use repertoire_belief::tracker::{LastSeen, Tracker};
use repertoire_belief::ways::{WaySettings, WayTracker, Ways};
use repertoire_belief::{Dynamics, Filter, Fitted, Graph, Leak, Model};
use repertoire_prob::Stream;
use repertoire_prob::num::{cos, sin};

/// A ring of places, a hundred units apart.
fn ring(count: usize) -> Graph {
    let angle = |s: usize| s as f64 / count as f64 * std::f64::consts::TAU;
    let radius = 100.0 * count as f64 / std::f64::consts::TAU;
    Graph {
        ids: (0..count as u32).collect(),
        centres: (0..count).map(|s| [radius * cos(angle(s)), radius * sin(angle(s)), 0.0]).collect(),
        links: (0..count).map(|s| vec![((s + 1) % count) as u32]).collect(),
        names: vec![String::new(); count],
    }
}

/// Rounds in which one side runs round the ring, each of its two players in its own direction, and rests at place 6 of
/// 12; the other side stands at places 0 and 1.
fn play(rounds: usize, seed: u64) -> Play {
    let mut rng = Stream::new(seed, 0, "test play");
    let mut play = Play {
        players: ["left", "right", "watch", "guard"].map(str::to_owned).to_vec(),
        sides: vec!["runs".into(), "stands".into()],
        rounds: Vec::new(),
    };
    for round in 0..rounds {
        let (mut at, mut rest) = ([0i64, 0], [0u32, 0]);
        let mut moments = Vec::new();
        for t in -1i32..40 {
            let place = |k: usize| (at[k].rem_euclid(12)) as u32;
            let who = |player, side, place| Who { player, side, alive: true, place };
            moments.push(Moment {
                secs: f64::from(t),
                live: t >= 0,
                planted: false,
                who: vec![who(0, 0, place(0)), who(1, 0, place(1)), who(2, 1, 0), who(3, 1, 1)],
            });
            for k in 0..2 {
                if rest[k] > 0 {
                    rest[k] -= 1;
                    continue;
                }
                at[k] += if k == 0 { 1 } else { -1 };
                if at[k].rem_euclid(12) == 6 {
                    rest[k] = 3 + (rng.unit() * 4.0) as u32;
                }
            }
        }
        play.rounds.push(Round { name: round.to_string(), moments, ..Round::default() });
    }
    play
}

/// Everybody sees their own place and those beside it.
fn sight(count: u32) -> Sight {
    Sight { sees: (0..count).map(|s| vec![(s + count - 1) % count, s, (s + 1) % count]).collect() }
}

fn fitted(settings: FitSettings) -> Fitted {
    Fitted::new(Model::fit("ring", ring(12), &play(8, 1), settings).expect("sound play")).expect("a model")
}

#[test]
fn learned_trackers_know_more_than_the_last_sighting() {
    let fitted = fitted(FitSettings { regions: 12, run_speed: 100.0, ..FitSettings::default() });
    let (unseen, sight) = (play(4, 2), sight(12));
    let loss = |make: &mut dyn FnMut() -> Box<dyn Tracker>| {
        let records: Vec<_> = (0..4)
            .flat_map(|round| score_round(&fitted.model, &fitted.distances, &sight, &unseen, round, make))
            .collect();
        assert!(records.len() > 100);
        records.iter().map(|record| record.score.log_loss).sum::<f64>() / records.len() as f64
    };
    let last = loss(&mut || Box::new(LastSeen::default()));
    // The trackers of a test live as long as it does.
    let fitted: &'static Fitted = Box::leak(Box::new(fitted.clone()));
    let ways: &'static Ways<'static> =
        Box::leak(Box::new(Ways::new(fitted, WaySettings { reach_secs: 0.2, ..WaySettings::default() })));
    let plain = loss(&mut || Box::new(RegionTracker::new(fitted, Tables::Plain)));
    let context = loss(&mut || Box::new(RegionTracker::new(fitted, Tables::Context)));
    let habits = loss(&mut || Box::new(RegionTracker::new(fitted, Tables::Habits)));
    let way = loss(&mut || Box::new(WayTracker::new(ways, false)));
    let own_way = loss(&mut || Box::new(WayTracker::new(ways, true)));
    println!(
        "last {last:.2} plain {plain:.2} context {context:.2} habits {habits:.2} ways {way:.2} own {own_way:.2}"
    );
    assert!(plain < last - 5.0 && context < plain && habits < context, "{last} {plain} {context} {habits}");
    assert!(way < last - 5.0 && own_way <= way + 0.05, "{last} {way} {own_way}");
}

#[test]
fn a_model_survives_its_file_and_a_broken_one_is_refused() {
    let settings = FitSettings { regions: 6, ..FitSettings::default() };
    let model = Model::fit("ring", ring(12), &play(3, 1), settings).expect("sound play");
    let text = serde_json::to_string(&model).expect("JSON");
    let again: Model = serde_json::from_str(&text).expect("a model");
    assert_eq!(again, model);
    assert_eq!(again.check(), Ok(()));
    for (what, broken) in [
        ("format", text.replacen("repertoire-belief 1", "repertoire-belief 9", 1)),
        ("place", text.replacen("\"places\":[0,", "\"places\":[99,", 1)),
        ("region", text.replacen("\"of\":[", "\"of\":[77,", 1)),
    ] {
        let broken: Model = serde_json::from_str(&broken).expect("JSON");
        assert!(broken.check().is_err(), "{what}");
    }
}

#[test]
fn more_play_is_gathered_into_more_regions() {
    let regions = |secs: u32, step: f64, is_timeless: bool| {
        let who = vec![Who { player: 0, side: 0, alive: true, place: 0 }];
        let at = |k: u32| Moment { secs: f64::from(k) * step, live: true, planted: false, who: who.clone() };
        let moments = (0..(f64::from(secs) / step) as u32).map(at).collect();
        let round = Round { name: "long".into(), moments, is_timeless, ..Round::default() };
        let play = Play { players: vec!["a".into()], sides: vec!["one".into()], rounds: vec![round] };
        FitSettings::for_play(&play).regions
    };
    assert_eq!([1_000, 8_000, 10_000, 50_000].map(|secs| regions(secs, 1.0, false)), [150, 200, 250, 400]);
    assert_eq!(regions(8_000, 0.5, false), 200, "seconds count, not moments");
    assert_eq!(regions(10_000, 1.0, true), 150, "a deathmatch");
}

fn wide(places: usize) -> Dynamics {
    let exits: Vec<Vec<(u32, f64)>> =
        (0..places).map(|s| (1..=4).map(|k| (((s + k * k) % places) as u32, 0.25)).collect()).collect();
    let endings: Vec<Vec<f64>> =
        (0..places).map(|s| (1..=30).map(|e| 0.02 + 0.01 * ((s + e) % 7) as f64).collect()).collect();
    Dynamics::from_endings(&vec![1.0 / places as f64; places], &exits, &endings, 30).expect("dynamics")
}

#[test]
fn an_update_allocates_nothing() {
    let dynamics = wide(200);
    let likelihood: Vec<f64> = (0..200).map(|s| if s % 9 == 0 { 0.0 } else { 1.0 }).collect();
    let mut filter = Filter::of(&dynamics);
    filter.begin(dynamics.initial(), &likelihood).expect("possible");
    let counted = allocation_counter::measure(|| {
        for _ in 0..100 {
            let leak = Leak { share: 0.02, prior: dynamics.initial() };
            filter.step_with_leak(&dynamics, &likelihood, leak).expect("possible");
            filter.step(&dynamics, &likelihood).expect("possible");
        }
        filter.begin(dynamics.initial(), &likelihood).expect("possible");
    });
    assert_eq!(counted.count_total, 0);
}

#[test]
fn a_saved_filter_goes_on_to_the_bit() {
    let dynamics = wide(50);
    let ones = vec![1.0; 50];
    let mut some: Vec<f64> = ones.clone();
    some[3] = 0.0;
    let mut filter = Filter::of(&dynamics);
    filter.begin(dynamics.initial(), &ones).expect("possible");
    for t in 0..45 {
        filter.step(&dynamics, if t % 3 == 0 { &some } else { &ones }).expect("possible");
    }
    let mut again: Filter =
        serde_json::from_str(&serde_json::to_string(&filter).expect("JSON")).expect("a filter");
    for _ in 0..45 {
        filter.step(&dynamics, &some).expect("possible");
        again.step(&dynamics, &some).expect("possible");
    }
    assert_eq!(filter, again);
}

#[test]
fn the_cost_is_that_of_the_places_with_belief() {
    // Somebody seen a step ago is in a few places, however wide the map.
    let dynamics = wide(5000);
    let mut there = vec![0.0; 5000];
    there[17] = 1.0;
    let mut filter = Filter::of(&dynamics);
    filter.begin(&there, &there).expect("possible");
    assert_eq!(filter.active(), [17]);
    filter.step(&dynamics, &vec![1.0; 5000]).expect("possible");
    assert_eq!(filter.active().len(), 5);
    // Seen again elsewhere: one place once more.
    let next = filter.active()[3] as usize;
    there.fill(0.0);
    there[next] = 1.0;
    filter.step(&dynamics, &there).expect("possible");
    assert_eq!(filter.active(), [next as u32]);
}

#[test]
fn particles_come_near_the_exact_belief_and_repeat() {
    let dynamics = wide(20);
    let likelihood: Vec<f64> = (0..20).map(|s| if s < 8 { 0.2 } else { 1.0 }).collect();
    let run = |seed: u64| {
        let mut rng = Stream::new(seed, 0, "particles");
        let mut particles = repertoire_belief::particles::Particles::new(20_000, 20);
        particles.begin(dynamics.initial(), &likelihood, &mut rng).expect("sound");
        for _ in 0..15 {
            let none = Leak { share: 0.0, prior: &[] };
            particles.step(&dynamics, &likelihood, none, dynamics.initial(), &mut rng).expect("sound");
        }
        particles.belief().to_vec()
    };
    let mut filter = Filter::of(&dynamics);
    filter.begin(dynamics.initial(), &likelihood).expect("possible");
    (0..15).for_each(|_| filter.step(&dynamics, &likelihood).expect("possible"));
    let (found, again) = (run(4), run(4));
    assert_eq!(found, again);
    let off: f64 = found.iter().zip(filter.belief()).map(|(a, b)| (a - b).abs()).sum();
    assert!(off < 0.05, "{off}");
}

#[test]
fn the_90_percent_set_holds_90_percent_when_the_model_is_right() {
    let dynamics = wide(120);
    let mut rng = Stream::new(8, 0, "calibration");
    let (mut held, mut count) = (0.0, 0.0);
    for _ in 0..400 {
        let mut walk = Walk::begin(&dynamics, &mut rng);
        let visible: Vec<f64> = (0..120).map(|_| if rng.unit() < 0.3 { 0.8 } else { 0.0 }).collect();
        let unseen: Vec<f64> = visible.iter().map(|v| 1.0 - v).collect();
        let mut filter = Filter::of(&dynamics);
        let mut first = true;
        for _ in 0..40 {
            let seen = rng.unit() < visible[walk.place];
            let likelihood: Vec<f64> = if seen {
                (0..120).map(|s| if s == walk.place { visible[s] } else { 0.0 }).collect()
            } else {
                unseen.clone()
            };
            if first {
                filter.begin(dynamics.initial(), &likelihood)
            } else {
                filter.step(&dynamics, &likelihood)
            }
            .expect("it happened");
            first = false;
            if !seen {
                count += 1.0;
                held += share_within(filter.belief(), walk.place, 0.9);
            }
            walk.step(&dynamics, &mut rng);
        }
    }
    assert!((held / count - 0.9).abs() < 0.01, "{} of {count}", held / count);
}

/// Whether the truth is in the smallest set with a share of the belief; its last place counts as far as it is needed.
fn share_within(belief: &[f64], truth: usize, share: f64) -> f64 {
    let mut order: Vec<usize> = (0..belief.len()).collect();
    order.sort_by(|&a, &b| belief[b].total_cmp(&belief[a]).then(a.cmp(&b)));
    let mut held = 0.0;
    for s in order {
        if s == truth {
            return ((share - held) / belief[s]).clamp(0.0, 1.0);
        }
        held += belief[s];
    }
    0.0
}

#[test]
fn in_the_recording_of_one_player_beliefs_are_measured_when_others_come_back() {
    // The watcher at place 0 records; `left` is sent only while it is at places 0 to 2 or 10 and 11, and seen at 0 and 1.
    let mut known = play(6, 1);
    for round in &mut known.rounds {
        round.recorded_by = Some(2);
        round.is_timeless = true;
        for moment in &mut round.moments {
            moment.who.retain(|who| {
                who.player == 2 || (who.player == 0 && ![3, 4, 5, 6, 7, 8, 9].contains(&who.place))
            });
        }
    }
    let sight = Sight { sees: (0..12).map(|s: u32| if s == 0 { vec![0, 1] } else { vec![s] }).collect() };
    let model = Model::fit("ring", ring(12), &known, FitSettings::default()).expect("a model");
    assert!(model.is_timeless && model.lives.len() > 12, "pieces of ways, and the watcher's own");
    let fitted = Fitted::new(model).expect("sound");
    let mut make = || Box::new(RegionTracker::new(&fitted, Tables::Plain)) as Box<dyn Tracker>;
    let records = score_round(&fitted.model, &fitted.distances, &sight, &known, 0, &mut make);
    assert!(records.iter().all(|record| record.player == 0), "only the recording player looks");
    let (returns, sent): (Vec<&Record>, Vec<&Record>) = records.iter().partition(|record| record.returns);
    assert!(!returns.is_empty() && returns.iter().all(|record| record.unseen_secs > 1.0));
    assert!(sent.len() > returns.len(), "it is sent at places 2, 10 and 11, and never seen there");
    let mut last = || Box::new(LastSeen::default()) as Box<dyn Tracker>;
    let last = score_round(&fitted.model, &fitted.distances, &sight, &known, 0, &mut last);
    assert_eq!(last.len(), records.len());
    let loss = |records: &[Record]| records.iter().map(|r| r.score.log_loss).sum::<f64>();
    assert!(loss(&records) < loss(&last));
}
