//! Small towns live, repeat, agree with characters, and are refused where they cannot work.

use super::*;

pub(super) fn western(inhabitants: u32, seed: u64) -> Town {
    Town::new(charter("western").unwrap(), inhabitants, seed, Minds::default()).unwrap()
}

fn run(town: &mut Town, ticks: u32) {
    (0..ticks).for_each(|_| town.tick());
}

#[test]
fn shipped_towns_have_no_mistakes() {
    for (name, text) in TOWNS {
        let charter = read(text).unwrap_or_else(|mistake| panic!("{name}:{mistake}"));
        let found = check(&charter);
        assert!(
            found.is_empty(),
            "{name}: {}",
            found.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        );
    }
}

#[test]
fn a_day_is_lived() {
    let mut town = western(200, 1);
    run(&mut town, DAY);
    println!("{:?}\n{:?}\n{:?}", town.goals_met(), town.tally(), town.census());
    for who in [0, 17, 60, 150] {
        println!("{}", town.why(who));
    }
    let met = town.goals_met();
    assert!(
        met.iter()
            .filter(|(name, _)| !["BeSafe", "ArrestOutlaw"].contains(name))
            .all(|(_, count)| *count > 0),
        "{met:?}"
    );
    assert!(town.tally().waited > 0 && town.tally().replans > 0);
}

#[test]
fn columns_choose_what_a_character_chooses() {
    for seed in 0..4 {
        let mut town = western(120, seed);
        let (mut compared, mut goals) = (0, std::collections::BTreeSet::new());
        for _ in 0..3 * DAY {
            let due: Vec<u32> =
                (0..town.len() as u32).filter(|&who| town.due[who as usize] <= town.now).collect();
            // What a place answers comes after the decision: only decisions to walk are compared with what comes out.
            let earlier = town.people.clone();
            town.tick();
            for who in due {
                let person = town.people[who as usize];
                let decided = person.phase == Phase::Walking as u8 && person.began == town.now - 1;
                // A character knows no places: goals that were put off or dropped for want of one are the town's affair.
                let no_place = person.blocked != 0 && town.now <= person.blocked_until
                    || person.wrong != u8::MAX && person.wrong_at == town.now - 1;
                if !decided || no_place {
                    continue;
                }
                let mut before = town.clone();
                before.now -= 1;
                // As it was when the choice was made: with the head start of the plan they had then, if anything was left of it.
                let had = earlier[who as usize];
                let chosen_before = &mut before.people[who as usize];
                (chosen_before.goal, chosen_before.row) = (had.goal, had.row);
                chosen_before.step = had.step + u8::from(had.phase == Phase::Acting as u8);
                if town.left(&before.people[who as usize]).is_empty() {
                    before.people[who as usize].goal = u8::MAX;
                }
                let class = &town.charter.classes[usize::from(person.class)];
                let (mut character, _) = before.character(who);
                let mut scratch = repertoire_mind::game::Scratch::new();
                let mut senses = class.design.senses();
                for (own, value) in class.unpack(person.facts).into_iter().enumerate() {
                    senses.set_fact(own, Some(usize::from(value)));
                }
                // A goal without a plan costs a character a tick.
                for _ in 0..class.goals.len() {
                    if character.pursuit().is_none() {
                        character.tick(&senses, &mut scratch);
                    }
                }
                let chosen = character.pursuit().map(|(goal, action)| (goal, action as u8));
                assert_eq!(chosen, Some((usize::from(person.goal), person.action)), "{}", town.why(who));
                compared += 1;
                goals.insert((person.class, person.goal));
            }
        }
        assert!(compared > 2000 && goals.len() > 30, "{compared} decisions, {} goals", goals.len());
    }
}

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

#[test]
fn any_number_of_threads_and_any_pause_give_the_same_town() {
    let whole = with_threads(1, || {
        let mut town = western(20_000, 7);
        run(&mut town, 700);
        town.hash()
    });
    for threads in [2, 8] {
        let hash = with_threads(threads, || {
            let mut town = western(20_000, 7);
            run(&mut town, 333);
            let mut saved = Vec::new();
            town.save(&mut saved).unwrap();
            let mut again = Town::load(&mut &saved[..]).unwrap();
            assert_eq!((again.hash(), again.tally()), (town.hash(), town.tally()));
            run(&mut again, 367);
            again.hash()
        });
        assert_eq!(hash, whole, "{threads} threads");
    }
}

#[test]
fn the_same_seed_gives_the_same_town_for_ever() {
    let mut towns = [western(150, 11), western(9_000, 11)];
    towns.iter_mut().for_each(|town| run(town, 2 * DAY));
    let hashes = towns.map(|town| format!("{:016x}", town.hash()));
    assert_eq!(hashes, ["ad9f9ce719328651", "1b0ea6a845c4c224"], "say in the commit why it changes");
}

#[test]
fn damaged_saves_are_refused() {
    let mut town = western(60, 3);
    run(&mut town, 100);
    let mut saved = Vec::new();
    town.save(&mut saved).unwrap();
    for cut in [0, 5, 11, 40, saved.len() / 2, saved.len() - 1] {
        assert!(Town::load(&mut &saved[..cut]).is_err(), "cut at {cut}");
    }
    for at in (0..saved.len()).step_by(saved.len() / 97) {
        let mut changed = saved.clone();
        changed[at] ^= 0x20;
        assert!(Town::load(&mut &changed[..]).is_err(), "changed at {at}");
    }
}

#[test]
fn ticking_allocates_nothing_after_a_while() {
    let mut town = western(500, 5);
    run(&mut town, DAY);
    let counted = with_threads(1, || {
        let mut town = town;
        run(&mut town, 300);
        allocation_counter::measure(|| run(&mut town, 200))
    });
    assert_eq!(counted.count_total, 0);
}

#[test]
fn a_record_is_two_cache_lines() {
    assert_eq!(size_of::<super::person::Person>(), 128);
}

#[test]
fn an_outlaw_is_caught_and_the_town_goes_on() {
    let charter = charter("western").unwrap();
    let calm = Charter { events: Vec::new(), ..Charter::clone(&charter) };
    let mut town = Town::new(std::sync::Arc::new(calm), 300, 4, Minds::default()).unwrap();
    for line in ["day 1 10:00 tell outlaw=free", "day 1 10:00 tell streets=unsafe"] {
        town.add(Event::with_moment(line, &charter).unwrap());
    }
    let met = |town: &Town, goal: &str| town.goals_met().iter().find(|(name, _)| *name == goal).unwrap().1;
    run(&mut town, 600);
    assert_eq!(met(&town, "ArrestOutlaw"), 0);
    let company = met(&town, "Company");
    run(&mut town, 2 * DAY);
    assert!(met(&town, "ArrestOutlaw") > 0, "{:?}", town.goals_met());
    assert!(met(&town, "Company") > company, "the streets are calm again");
    assert!(town.tally().failed[Reason::Changed as usize] > 0, "plans broke when news came");
}

#[test]
fn who_is_at_a_fire_runs_home_and_others_find_the_door_closed() {
    let charter = charter("western").unwrap();
    let mut town = western(300, 2);
    town.add(Event::with_moment("day 1 12:00 fire forge 4h", &charter).unwrap());
    run(&mut town, DAY);
    assert!(town.goals_met().iter().any(|(name, count)| *name == "BeSafe" && *count > 0));
    assert!(
        town.tally().turned_away[Reason::Fire as usize] > 0
            && town.tally().turned_away[Reason::Closed as usize] > 0
    );
}

#[test]
fn bad_towns_are_told_where_and_what_would_be_right() {
    let told = |text: &str| {
        let charter = read(text).unwrap();
        check(&charter).iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(told(include_str!("../../../cli/tests/cmd/town.in/bad.toml")));
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]

    #[test]
    fn a_damaged_file_is_answered_and_never_a_panic(from in 0usize..9000, length in 0usize..40, with in "[a-z=\\[\\]\" .0-9\n]{0,12}") {
        let text = text("station").unwrap();
        let boundary = |mut at: usize| {
            at = at.min(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let (from, to) = (boundary(from), boundary(from + length));
        let changed = format!("{}{with}{}", &text[..from], &text[to.max(from)..]);
        if let Ok(charter) = read(&changed) {
            let _ = check(&charter);
        }
    }
}
