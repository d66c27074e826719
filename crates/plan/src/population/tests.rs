//! All four ways give the same plans, whatever the number of threads, without allocating.

use super::town::ClassTable;
use super::*;
use crate::domain::{self, Domain};
use repertoire_prob::Stream;

/// A town with random characters, and the same characters as columns over each class alone.
struct Fixture {
    domain: Domain,
    town: Town,
    keys: Vec<Vec<u16>>,
}

fn fixture(characters: usize) -> Fixture {
    let domain = domain::domain("western").unwrap();
    let mut town = Town::new(&domain).unwrap();
    let mut rng = Stream::new(1, 0, "town");
    let mut keys = vec![Vec::new(); domain.classes.len()];
    while keys.iter().map(Vec::len).sum::<usize>() < characters {
        let class = (rng.unit() * domain.classes.len() as f64) as usize;
        let (goals, bits) = town.shape(class);
        let key = (rng.unit() * (goals << bits) as f64) as u16;
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
    let state = |key: u16| u64::from(key) & ((1 << table.bits) - 1);
    let init: Vec<u64> = fixture.keys[class].iter().map(|&key| state(key)).collect();
    let goal = fixture.keys[class].iter().map(|&key| {
        let (mask, value) = table.goals[usize::from(key) >> table.bits];
        state(key) & !mask | value
    });
    (table.packed.clone(), table.planner.clone(), init, goal.collect())
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
            let key = (rng.unit() * (goals << bits) as f64) as u16;
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
        let table = ClassTable::new(&domain, class).unwrap();
        for &(mask, value) in &table.goals {
            for state in (0..1u64 << table.bits).filter(|&state| table.packed.is_state(state)) {
                let mut plan = [0; 64];
                match table.packed.solve(state, state & !mask | value, &mut plan) {
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
    for key in 0..512u16 {
        let lit = key >> 8 == 1;
        assert_eq!(town.plan(0, u32::from(key)), Some(if lit { &[][..] } else { &[8] }), "{key:b}");
        assert_eq!(town.first_action(town.handles(0)[usize::from(key)]), (!lit).then_some(8));
    }
    (0..512).for_each(|key| town.set(0, 511 - u32::from(key), key));
    let by_setting = town.handles(0).to_vec();
    town.plan_all();
    assert_eq!(town.handles(0), by_setting);
}
