//! All four ways give the same plans, whatever the number of threads, without allocating.

use super::town::{ClassTable, Keys};
use super::*;
use crate::domain::{self, Domain};
use repertoire_prob::Stream;

/// A town with random characters, and the same characters as columns over each class alone.
struct Fixture {
    domain: Domain,
    town: Town,
    keys: Vec<Vec<u64>>,
}

fn fixture(characters: usize) -> Fixture {
    let domain = domain::domain("western").unwrap();
    let mut town = Town::new(&domain).unwrap();
    let mut rng = Stream::new(1, 0, "town");
    let mut keys = vec![Vec::new(); domain.classes.len()];
    while keys.iter().map(Vec::len).sum::<usize>() < characters {
        let class = (rng.unit() * domain.classes.len() as f64) as usize;
        let (goals, bits) = town.shape(class);
        let key = (rng.unit() * (goals << bits) as f64) as u64;
        if town.is_key(class, key) {
            town.add(class, key);
            keys[class].push(key);
        }
    }
    Fixture { domain, town, keys }
}

/// State and goal of a class's characters as columns.
fn columns(fixture: &Fixture, class: usize) -> (PackedTask, Planner, Vec<u64>, Vec<u64>) {
    let table = &fixture.town.tables[class];
    let state = |key: u64| key & ((1 << table.bits) - 1);
    let init: Vec<u64> = fixture.keys[class].iter().map(|&key| state(key)).collect();
    let goal = fixture.keys[class].iter().map(|&key| {
        let (mask, value) = table.goals[(key >> table.bits) as usize];
        state(key) & !mask | value
    });
    (table.packed.clone().unwrap(), table.planner.clone(), init, goal.collect())
}

#[test]
fn all_ways_give_the_same_plans_for_any_number_of_threads() {
    let mut fixture = fixture(30_000);
    let mut by_threads = Vec::new();
    for threads in [1, 2, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let all = pool.install(|| {
            fixture.town.plan_all();
            let mut all: Vec<Vec<PlanSlot>> = Vec::new();
            for class in 0..fixture.domain.classes.len() {
                let (packed, planner, init, goal) = columns(&fixture, class);
                let mut each = vec![PlanSlot::default(); init.len()];
                plan_each(&packed, &planner, &init, &goal, &mut each).unwrap();
                let (mut distinct, mut numbers) = (Distinct::default(), vec![0; init.len()]);
                plan_distinct(&packed, &planner, &init, &goal, &mut distinct, &mut numbers).unwrap();
                for (character, slot) in each.iter().enumerate() {
                    assert_eq!(*slot, distinct.plans[numbers[character] as usize]);
                    assert_eq!(slot.plan(), fixture.town.plan(class, character as u32));
                }
                all.push(each);
            }
            all
        });
        by_threads.push(all);
    }
    assert_eq!(by_threads[0], by_threads[1]);
    assert_eq!(by_threads[0], by_threads[2]);
}

#[test]
fn planning_only_what_changed_gives_what_planning_all_gives() {
    let mut fixture = fixture(10_000);
    fixture.town.plan_all();
    let mut rng = Stream::new(2, 0, "change");
    for _ in 0..20 {
        for _ in 0..100 {
            let class = (rng.unit() * 7.0) as usize;
            let (goals, bits) = fixture.town.shape(class);
            let key = (rng.unit() * (goals << bits) as f64) as u64;
            let character = (rng.unit() * fixture.keys[class].len() as f64) as u32;
            if fixture.town.is_key(class, key) {
                fixture.town.set(class, character, key);
            }
        }
        let mut all = fixture.town.clone();
        all.plan_all();
        for class in 0..7 {
            assert_eq!(all.handles(class), fixture.town.handles(class));
        }
    }
}

#[test]
fn frames_allocate_nothing() {
    let mut fixture = fixture(20_000);
    let (packed, planner, init, goal) = columns(&fixture, 0);
    let mut each = vec![PlanSlot::default(); init.len()];
    let mut frame = || {
        fixture.town.set(0, 5, fixture.keys[0][6]);
        // One thread's share, without the pool's own bookkeeping.
        for ((&init, &goal), out) in init.iter().zip(&goal).zip(&mut each) {
            *out = plan_one(&packed, &planner, init, goal);
        }
    };
    frame();
    let counted = allocation_counter::measure(&mut frame);
    assert_eq!(counted.count_total, 0);
}

#[test]
fn western_is_planned_without_falling_back() {
    // Every class, goal and state that the packed tiers see is decided by them.
    let domain = domain::domain("western").unwrap();
    let (mut plans, mut unsolvable) = (0, 0);
    for class in &domain.classes {
        let table = ClassTable::new(&domain, class, 1 << 16).unwrap();
        for &(mask, value) in &table.goals {
            let packed = table.packed.as_ref().unwrap();
            for state in (0..1u64 << table.bits).filter(|&state| table.layout.is_state(state)) {
                let mut plan = [0; 64];
                match packed.solve(state, state & !mask | value, &mut plan) {
                    Packed::Plan(_) => plans += 1,
                    Packed::Unsolvable => unsolvable += 1,
                    Packed::Undecided | Packed::NotAState => panic!("{} {state:b}", class.name),
                }
            }
        }
    }
    assert_eq!((plans, unsolvable), (376, 2));
}

#[test]
fn classes_of_more_than_256_keys_have_plans_too() {
    let mut text = String::from("name = \"lamps\"\nunnamed = \"keep\"\n[class.Lighter.variables]\n");
    (0..9).for_each(|lamp| text += &format!("lamp{lamp} = [\"off\", \"on\"]\n"));
    text += "[class.Lighter.actions]\n";
    (0..9).for_each(|lamp| text += &format!("light{lamp} = \"lamp{lamp}: off -> on\"\n"));
    text += "[class.Lighter.goals]\nlight = \"lamp8=on\"\n";
    let mut town = Town::new(&domain::read(&text).unwrap()).unwrap();
    for key in 0..512 {
        town.add(0, key);
    }
    town.plan_all();
    for key in 0..512u64 {
        let lit = key >> 8 == 1;
        assert_eq!(town.plan(0, key as u32), Some(if lit { &[][..] } else { &[8] }), "{key:b}");
        assert_eq!(town.first_action(town.handles(0)[key as usize]), (!lit).then_some(8));
    }
    (0..512).for_each(|key| town.set(0, 511 - key as u32, key));
    let by_setting = town.handles(0).to_vec();
    town.plan_all();
    assert_eq!(town.handles(0), by_setting);
}

/// A class of 30 variables of 2 to 4 values: 45 bits. Its lamps are lit by passing a torch along.
fn large(unnamed: &str) -> Domain {
    let mut text = format!("name = \"lamps\"\nunnamed = \"{unnamed}\"\n[class.Lighter.variables]\n");
    (0..30).for_each(|lamp| {
        let third = if lamp % 2 == 0 { ", \"bright\"" } else { "" };
        text += &format!("lamp{lamp} = [\"off\", \"on\"{third}]\n");
    });
    text += "[class.Lighter.actions]\nlight0 = \"lamp0: off -> on\"\n";
    (1..30).for_each(|lamp| {
        text += &format!("light{lamp} = \"lamp{lamp}: off -> on if lamp{}=on\"\n", lamp - 1);
    });
    text += "[class.Lighter.goals]\nfirst = \"lamp0=on\"\nmiddle = \"lamp12=on\"\nlast = \"lamp29=on\"\n";
    domain::read(&text).unwrap()
}

#[test]
fn classes_beyond_16_bits_have_plans_of_any_length_for_any_number_of_threads() {
    for unnamed in ["keep", "open"] {
        let domain = large(unnamed);
        let mut by_threads = Vec::new();
        for threads in [1, 2, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            by_threads.push(pool.install(|| {
                let mut town = Town::new(&domain).unwrap();
                let mut rng = Stream::new(3, 0, "large");
                town.settle(3_000, &mut || rng.unit());
                let dark = town.key(0, 2, &[0; 30]).unwrap();
                town.add(0, dark);
                town.plan_all();
                let mut plans: Vec<Option<Vec<u8>>> =
                    (0..3_001).map(|character| town.plan(0, character).map(<[u8]>::to_vec)).collect();
                // Changing one looks at nobody else, and gives what planning for all gives.
                let one = town.key(0, 1, &[0; 30]).unwrap();
                town.set(0, 17, one);
                plans.push(town.plan(0, 17).map(<[u8]>::to_vec));
                let handles = town.handles(0).to_vec();
                town.plan_all();
                assert_eq!(town.handles(0), handles);
                assert_eq!(town.first_action(handles[3_000]), plans[3_000].as_ref().map(|plan| plan[0]));
                plans
            }));
        }
        assert_eq!(by_threads[0], by_threads[1]);
        assert_eq!(by_threads[0], by_threads[2]);
        // Lighting the last of thirty takes thirty steps, and with `keep` none may be lit on the way.
        let expected = (unnamed == "open").then(|| (0..30).collect::<Vec<u8>>());
        assert_eq!(by_threads[0][3_000], expected);
        assert!(by_threads[0].iter().flatten().count() > 300);
        // They are the planner's plans.
        let mut town = Town::new(&domain).unwrap();
        let mut rng = Stream::new(3, 0, "large");
        town.settle(300, &mut || rng.unit());
        town.plan_all();
        let mut planner = Planner::new(domain.class_task(&domain.classes[0]).unwrap()).without_packing();
        let Keys::Large(keys) = town.keys(0) else { panic!("no table") };
        for (character, &key) in keys.iter().enumerate() {
            let mut state = vec![0; 30];
            town.tables[0].layout.unpack(key, &mut state);
            let goal = &domain.classes[0].goals[(key >> town.tables[0].bits) as usize];
            let expected = match planner.solve(&state, &domain.total_goal(goal, &state), None).unwrap() {
                Outcome::Plan { actions, .. } => Some(actions.iter().map(|&action| action as u8).collect()),
                _ => None,
            };
            assert_eq!(town.plan(0, character as u32).map(<[u8]>::to_vec), expected);
        }
    }
}

#[test]
fn rows_that_nobody_needs_are_dropped() {
    let domain = large("open");
    let mut town = Town::new(&domain).unwrap();
    let mut rng = Stream::new(4, 0, "large");
    town.settle(10, &mut || rng.unit());
    for _ in 0..10_000 {
        let mut state: Vec<u16> = (0..30).map(|_| (rng.unit() * 2.0) as u16).collect();
        state[29] = 0;
        let key = town.key(0, 2, &state).unwrap();
        town.set(0, 3, key);
    }
    town.plan_all();
    assert!(town.distinct_plans() < 20, "{}", town.distinct_plans());
    assert!(town.plan(0, 3).is_some());
}

#[test]
fn classes_that_only_search_can_plan_for_live_in_towns_too() {
    // Two ways to open, one of which changes two things.
    let text = "name = \"door\"\n[class.Guard.variables]\ndoor = [\"shut\", \"open\"]\nnoise = [\"no\", \"yes\"]\n\
        [class.Guard.actions]\nkick = \"door: shut -> open, noise: * -> yes\"\nunlock = \"door: shut -> open\"\n\
        [class.Guard.goals]\ninside = \"door=open noise=no\"\n";
    let mut town = Town::new(&domain::read(text).unwrap()).unwrap();
    let [quiet, loud] = [[0, 0], [0, 1]].map(|state| town.key(0, 0, &state).unwrap());
    let (one, other) = (town.add(0, quiet), town.add(0, loud));
    town.plan_all();
    assert_eq!(town.plan(0, one), Some(&[1][..]));
    assert_eq!((town.plan(0, other), town.is_unsolvable(town.handles(0)[other as usize])), (None, true));
}
