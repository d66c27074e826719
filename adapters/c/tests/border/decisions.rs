//! `decisions.txt` comes out of the library, of calls one by one, of calls for a population, and of minds that are saved and
//! restored all the time.

use std::collections::BTreeMap;

use repertoire_c::*;
use repertoire_mind::game::{Character, Design, Scratch, Senses};

use crate::safe;
use crate::village::{self, AGENTS, DESIGN, Player, SEEDS, Scene, TICKS, Wolf, World, play};

const GOLDEN: &str = include_str!("../decisions.txt");

/// The first line that differs is worth more than two thousand lines.
fn same(played: &str, golden: &str) {
    for (at, (played, golden)) in played.lines().zip(golden.lines()).enumerate() {
        assert_eq!(played, golden, "line {} of decisions.txt", at + 1);
    }
    assert_eq!(played.lines().count(), golden.lines().count());
}

struct Direct {
    character: Character,
    senses: Senses,
    scratch: Scratch,
}

impl Player for Direct {
    fn hunger(&self) -> f64 {
        self.character.need(0)
    }

    fn tick(&mut self, scene: &Scene) -> (String, Option<u64>) {
        self.senses.clear();
        match scene.wolf {
            Wolf::Away => self.senses.see("wolf", "away").unwrap(),
            Wolf::Near => self.senses.see("wolf", "near").unwrap(),
            Wolf::Unsure => self.senses.believe("wolf", &[0.5, 0.5]).unwrap(),
            Wolf::NotRead => {}
        }
        self.senses.fact("purse", scene.purse).unwrap();
        self.senses.fact("meal", scene.meal).unwrap();
        scene.inns.iter().for_each(|&(thing, distance)| self.senses.offer("inn", thing, distance).unwrap());
        let deed = self.character.tick(&self.senses, &mut self.scratch);
        (self.character.design().task_name(deed.task).to_owned(), deed.target)
    }

    fn eat(&mut self) {
        self.character.ease("hunger", 0.5).unwrap();
    }
}

struct Called {
    mind: RepertoireMind,
    saves: bool,
}

impl Called {
    fn senses(mind: RepertoireMind, scene: &Scene) {
        match scene.wolf {
            Wolf::Away => safe::see(mind, "wolf", "away").unwrap(),
            Wolf::Near => assert_eq!(repertoire_mind_set(mind, 0, 1), REPERTOIRE_OK),
            Wolf::Unsure => safe::believe(mind, "wolf", &[0.5, 0.5]).unwrap(),
            Wolf::NotRead => {}
        }
        safe::fact(mind, "purse", scene.purse).unwrap();
        assert_eq!(repertoire_mind_set_fact(mind, 1, u32::from(scene.meal == "had")), REPERTOIRE_OK);
        scene.inns.iter().for_each(|&(thing, distance)| safe::offer(mind, "inn", thing, distance).unwrap());
    }

    /// Into another mind, which takes the place of the first.
    fn save_and_restore(&mut self) {
        let saved = safe::save(self.mind).unwrap();
        assert_eq!(repertoire_mind_free(self.mind), REPERTOIRE_OK);
        let design = safe::load(DESIGN).unwrap();
        self.mind = safe::new_mind(design, 0, 0).unwrap();
        assert_eq!(repertoire_design_free(design), REPERTOIRE_OK);
        safe::restore(self.mind, &saved).unwrap();
        assert_eq!(safe::save(self.mind).unwrap(), saved);
    }
}

impl Player for Called {
    fn hunger(&self) -> f64 {
        safe::need(self.mind, "hunger").unwrap()
    }

    fn tick(&mut self, scene: &Scene) -> (String, Option<u64>) {
        assert_eq!(repertoire_mind_clear(self.mind), REPERTOIRE_OK);
        Self::senses(self.mind, scene);
        if self.saves {
            self.save_and_restore(); // with what it senses
        }
        let deed = safe::tick(self.mind).unwrap();
        if self.saves {
            self.save_and_restore(); // with what it decided
        }
        (safe::task_name(self.mind).unwrap(), (deed.has_target == 1).then_some(deed.target))
    }

    fn eat(&mut self) {
        safe::ease(self.mind, "hunger", 0.5).unwrap();
    }
}

#[test]
fn the_library_itself_decides_like_this() {
    let design = Design::parse(DESIGN).unwrap_or_else(|mistake| panic!("{mistake}"));
    let played = play(|seed, agent| Direct {
        character: Character::new(&design, seed, agent),
        senses: design.senses(),
        scratch: Scratch::new(),
    });
    if std::env::var_os("REPERTOIRE_WRITE_DECISIONS").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/decisions.txt");
        std::fs::write(path, &played).unwrap();
    }
    same(&played, GOLDEN);
}

#[test]
fn calls_one_by_one_decide_like_this() {
    let design = safe::load(DESIGN).unwrap();
    let make = |seed, agent| Called { mind: safe::new_mind(design, seed, agent).unwrap(), saves: false };
    same(&play(make), GOLDEN);
}

#[test]
fn minds_that_are_saved_and_restored_at_every_tick_decide_like_this() {
    let design = safe::load(DESIGN).unwrap();
    let make = |seed, agent| Called { mind: safe::new_mind(design, seed, agent).unwrap(), saves: true };
    same(&play(make), GOLDEN);
}

#[test]
fn a_population_with_columns_decides_like_this() {
    let design = safe::load(DESIGN).unwrap();
    let mut minds = Vec::new();
    SEEDS.iter().for_each(|&seed| minds.extend(safe::new_minds(design, seed, 0, AGENTS as usize).unwrap()));
    let mut worlds: Vec<World> = SEEDS.iter().flat_map(|_| (0..AGENTS).map(World::new)).collect();
    // By villager, as the file has them.
    let mut lines = vec![String::new(); minds.len()];
    for tick in 0..TICKS {
        let (mut wolf, mut purse, mut meal) = (Vec::new(), Vec::new(), Vec::new());
        for (&mind, world) in minds.iter().zip(&worlds) {
            let scene = world.scene(tick, safe::need(mind, "hunger").unwrap());
            assert_eq!(repertoire_mind_clear(mind), REPERTOIRE_OK);
            scene
                .inns
                .iter()
                .for_each(|&(thing, distance)| safe::offer(mind, "inn", thing, distance).unwrap());
            if scene.wolf == Wolf::Unsure {
                safe::believe(mind, "wolf", &[0.5, 0.5]).unwrap();
            }
            wolf.push(match scene.wolf {
                Wolf::Away => 0,
                Wolf::Near => 1,
                Wolf::Unsure | Wolf::NotRead => REPERTOIRE_NOTHING,
            });
            purse.push(u16::from(scene.purse == "full"));
            meal.push(u16::from(scene.meal == "had"));
        }
        // A column would overwrite what is believed.
        let unsure = tick % 40 / 6 == 1 && tick % 40 < 10;
        let readings = if unsure { None } else { Some(&wolf[..]) };
        let deeds = safe::tick_all(&minds, &[readings], &[Some(&purse), Some(&meal)]).unwrap();
        for (k, (&mind, deed)) in minds.iter().zip(deeds).enumerate() {
            let (task, agent) = (safe::task_name(mind).unwrap(), worlds[k].agent);
            let target = (deed.has_target == 1).then_some(deed.target);
            let hunger = safe::need(mind, "hunger").unwrap();
            village::line(&mut lines[k], [SEEDS[k / AGENTS as usize], agent, tick], &task, target, hunger);
            if worlds[k].happens(&task) {
                safe::ease(mind, "hunger", 0.5).unwrap();
            }
        }
    }
    same(&(village::RULES.to_owned() + &lines.concat()), GOLDEN);
}

#[test]
fn the_file_shows_every_task_and_targets_of_both_inns() {
    let mut met: BTreeMap<(&str, &str), u32> = BTreeMap::new();
    for line in GOLDEN.lines().filter(|line| !line.starts_with('#')) {
        let cells: Vec<&str> = line.split(' ').collect();
        *met.entry((cells[3], cells[4])).or_default() += 1;
    }
    for wanted in [("eat", "1"), ("eat", "2"), ("sleep", "-"), ("work", "-"), ("flee", "-")] {
        assert!(met.get(&wanted).is_some_and(|times| *times >= 10), "{wanted:?} in {met:?}");
    }
}
