//! The one mind of all characters that fight: perceive, believe, want, plan, decide, act, reflexes, in one tick and from one file.
//!
//! A fighter is a design ([`FighterDesign`], read from a file) and a state that serialises whole. [`Fighter`] is the only [`Mind`]
//! that comes with the library: native bots, behaviours, imitators, characters with a profile and those with all of it differ in
//! their files.
//!
//! | table        | what it says                                                                                    |
//! |--------------|-------------------------------------------------------------------------------------------------|
//! | `[perceive]` | how late it notices what is new: `reaction_secs` and their `spread`; without it, as late as its hands   |
//! | `[decide]`   | who decides: `by = "machine"`, `"sequence"`, `"imitation"` or `"motivation"`; `file` for tables elsewhere |
//! | `tasks`, `[sensors]`, .. | the tables of a behaviour, and the stages of a character of any game ([`crate::game`])      |
//! | `[believe]`  | whether it works out where opponents out of sight are: to hunt, to lie in wait, to keep away     |
//! | `[want]`     | `profile`: motivations that weigh what it could do; `weight` and `content` of needs               |
//! | `[act]`      | whose hands carry tasks out: a native bot's, the tasks' own programs, a teacher's, or a person's (`moments`) |
//! | `[imitate]`  | a character learned by imitation, which decides, or has a say in what to do, and may lend its hands |
//! | `[reflex]`   | what has the last word: the weapon in hand, getting unstuck, not running off ledges                |
//! | `[learn]`    | whether it learns while it plays: what went on before it died, it does less in such a moment; hands that practise; a remedy for each way to die |
//!
//! A decider that has nothing beside it decides alone. As soon as another stage has a say, all meet in one table in nats
//! ([`repertoire_bayes::deliberation`]), a row each: the machine says which task its state is, motivations and teachers say what they
//! make of each task.
//!
//! | module         | what it holds                                                                |
//! |----------------|------------------------------------------------------------------------------|
//! | `design`, `file` | what all of a kind share, and how it is read                               |
//! | [`vocabulary`] | the words of files: sensors, tasks, facts, needs                               |
//! | `level`        | tables of tasks and sensors, and those within tasks                            |
//! | `lore`         | what it knows before it plays, and how its hands work                          |
//! | `machine`      | the state machine of native bots                                               |
//! | `motives`      | motivations in a fight                                                         |
//! | `teacher`      | what a teacher would do                                                        |
//! | `experience`   | what it lived through                                                          |
//! | `lessons`      | how it died, and what it does about that                                       |
//! | `practice`     | hands that get better with use                                                 |
//! | `situation`    | what it makes of a moment                                                      |
//! | `errand`       | where a task leads                                                             |
//! | `hands`, `aim`, `skill` | hands of a native bot                                                 |
//! | `measure`      | how good somebody's hands are, from their play                                 |
//! | [`shipped`]    | the characters that come with the library                                      |

mod aim;
mod design;
mod errand;
mod experience;
mod file;
mod hands;
mod lessons;
mod level;
mod lore;
mod machine;
mod measure;
mod motives;
mod practice;
pub mod shipped;
mod situation;
mod skill;
mod state;
mod teacher;
pub mod vocabulary;

use std::sync::Arc;

use repertoire_bayes::sequence::Behaviour;
use repertoire_bayes::sequence::learning::NOT_READ;
use repertoire_prob::{Rng, Stream};

use crate::chameleon::{Perceived, Taught};
use crate::game::{Character, Report, Scratch, Senses};
use crate::memory::Enemy;
use crate::moments;
use crate::tasks::{CannotSense, Stimuli, arms, choose_weapon};
use crate::{Beliefs, Command, Fire, Mind, Percept, Place, Places, RestoreError, lava};

pub use design::{By, FighterDesign, Hands, Stage};
pub use file::{Files, schema};
pub use measure::SkillWatcher;
pub use motives::arena_laws;
pub use situation::Situation;
pub use skill::Skill;
pub use vocabulary::Does;

use design::{EXPERIENCE, MACHINE, MOTIVES, TEACHER};
use errand::{Knowledge, THINK_SECS};
use hands::{Intent, Sight};
use level::{Level, Reading};
use machine::{Mode, Situated};
use motives::Motives;
use situation::{CLOSE_SECS, Mindset, Past};
use state::State;
use teacher::{Follower, elementary};
use vocabulary::{ENEMIES, ENEMY_CLOSE, WEAPON, of_tasks};

/// A fighter: a design, and a state that serialises whole.
///
/// ```
/// use repertoire_mind::fighter::{Fighter, shipped};
/// use repertoire_mind::{Cells, DVec3, Mind, Percept, Places};
/// use repertoire_prob::Stream;
///
/// let places = Places::new(vec![DVec3::ZERO], vec![vec![]], Cells::default(), vec![], vec![])?;
/// let mut percept = Percept { period_secs: 0.1, ..Percept::default() };
/// (percept.own.life, percept.own.health) = (1, 100.0);
/// for name in shipped::names() {
///     let mut fighter = Fighter::new(&shipped::design(name).expect("shipped"));
///     let command = fighter.decide(&percept, &places, &mut Stream::new(1, 0, "example"));
///     assert!(command.forward.abs() <= 1.0 && !fighter.task().is_empty() && !fighter.why().is_empty());
/// }
/// # Ok::<(), repertoire_mind::NoPlace>(())
/// ```
pub struct Fighter {
    design: Arc<FighterDesign>,
    state: State,
    /// Decide by tables, the outermost first; born with the first percept.
    minds: Vec<Character>,
    teacher: Option<Follower>,
    motives: Option<Motives>,
    /// What each level of tables senses.
    senses: Vec<Senses>,
    /// What tasks act upon; worked out at every tick, kept for its room.
    stimuli: Stimuli,
    /// What it has noticed of the moment, kept for its room.
    noticed: Percept,
    scratch: Scratch,
    says: Vec<f64>,
}

/// One moment, as it goes through the stages.
struct Scene<'a> {
    percept: &'a Percept,
    places: &'a Places,
    here: Place,
    /// The enemy in view that it has noticed.
    enemy: Option<Enemy>,
    /// What it makes of the moment, where something needs to know.
    situation: Option<Situation>,
    /// What is perceived late, where a teacher's play is all there is.
    late: Option<Perceived>,
    /// How probably an enemy out of sight is close.
    p_close: f64,
}

/// What was decided.
enum Decided {
    /// A task.
    Task(Does),
    /// A state of the machine.
    Mode(Mode),
    /// What a teacher would have done.
    Imitation(Box<(crate::chameleon::Sensed, repertoire_chameleon::play::Tick)>),
}

impl Fighter {
    /// A fighter of a design.
    pub fn new(design: &Arc<FighterDesign>) -> Self {
        let levels = design.level.as_ref().map_or(Vec::new(), Level::all);
        Fighter {
            state: State::new(design),
            minds: Vec::new(),
            teacher: design.teacher.as_ref().map(Follower::new),
            motives: design.motivation.as_ref().map(Motives::new),
            senses: levels.iter().map(|level| level.design.senses()).collect(),
            stimuli: Stimuli::default(),
            noticed: Percept::default(),
            scratch: Scratch::new(),
            says: Vec::new(),
            design: Arc::clone(design),
        }
    }

    /// A native bot of a level from 0 (a beginner) to 7 (a champion).
    pub fn native(level: u8) -> Self {
        Fighter::new(&FighterDesign::native(level))
    }

    /// A character of a behaviour.
    ///
    /// # Errors
    /// If the behaviour has sensors or tasks that fighters do not have.
    pub fn sequencing(behaviour: &Behaviour) -> Result<Self, CannotSense> {
        Ok(Fighter::new(&FighterDesign::sequencing(behaviour)?))
    }

    /// A character that plays what was learned of a teacher.
    pub fn imitating(taught: &Arc<Taught>) -> Self {
        Fighter::new(&FighterDesign::imitating("imitator", taught))
    }

    /// Its design.
    pub fn design(&self) -> &Arc<FighterDesign> {
        &self.design
    }

    /// One tick: perceive, believe, want, plan, decide, act, reflexes.
    fn tick(&mut self, percept: &Percept, places: &Places, draw: &mut Stream) -> Command {
        if percept.own.life != self.state.life {
            self.begin_life(percept.own.life);
        }
        let mut scene = self.perceive(percept, places, draw);
        self.believe(&mut scene);
        self.want(&scene);
        self.plan(&scene);
        let decided = self.decide(&scene, draw);
        let mut command = self.act(&decided, &scene, draw);
        self.reflex(&scene, &mut command, draw);
        command
    }

    /// A death ends what it was doing; what it knows of the map and has learned stays. Every part that plays begins anew here.
    fn begin_life(&mut self, life: u32) {
        self.state.begin_life(life);
        self.minds.truncate(1);
        self.minds.iter_mut().for_each(Character::begin_life);
        if let Some(teacher) = &mut self.teacher {
            teacher.chameleon.begin_life(life);
        }
    }

    /// What is seen is remembered, and made into what tasks act upon. Enemies are noticed a reaction time late; where a teacher's
    /// play is all there is, everything is perceived as late as the teacher perceived it.
    fn perceive<'a>(&mut self, percept: &'a Percept, places: &'a Places, draw: &mut Stream) -> Scene<'a> {
        let (design, state) = (&self.design, &mut self.state);
        let here = places.nearest(percept.own.position);
        let alone = design.level.is_none();
        if design.remembers() {
            state.memory.update(percept, places.spots());
            state.enemy = state.memory.in_view(percept, design.reaction_ticks(percept));
        }
        if !alone {
            state.observer.observe_into(percept, places, &mut self.stimuli);
        }
        let late = match &mut self.teacher {
            Some(teacher) if alone => {
                let believed = state.lookout.map(|(place, _)| place);
                Some(teacher.chameleon.perceive(percept, places, believed, draw))
            }
            _ => None,
        };
        Scene { percept, places, here, enemy: state.enemy, situation: None, late, p_close: 0.0 }
    }

    /// Where those are who are not seen, and what that makes of the moment: what cannot be sensed becomes a probability.
    fn believe(&mut self, scene: &mut Scene<'_>) {
        let Scene { percept, places, here, .. } = *scene;
        if let Some(beliefs) = &mut self.state.beliefs {
            beliefs.update(percept, places);
        }
        if self.design.needs_situation() {
            scene.situation = Some(self.situation(percept, places));
        }
        self.expect(scene, here);
        let Some(level) = &self.design.level else { return };
        let (readings, situation) = (&self.stimuli.readings.0, scene.situation.as_ref());
        let unsure = self.state.beliefs.is_some() && !level.senses_close;
        let any_weapon = self.design.lore.any_weapon;
        let p_close = scene.p_close;
        let read = |word: usize| match situation {
            _ if word == ENEMIES && unsure && readings[word] == 0 => {
                Reading::Believed([1.0 - p_close, p_close, 0.0])
            }
            Some(situation) if word == ENEMY_CLOSE => situation.close(),
            _ if word == WEAPON && any_weapon => Reading::Value(readings[word].max(1)),
            Some(situation) => Reading::Value(situation.readings[word]),
            None => Reading::Value(of_tasks(word).map_or(NOT_READ, |sensor| readings[sensor])),
        };
        level.sense(&read, &mut self.senses);
    }

    fn situation(&mut self, percept: &Percept, places: &Places) -> Situation {
        let state = &mut self.state;
        if !percept.hits.is_empty() {
            state.hit = Some(percept.tick);
        }
        if percept.own.frags > state.frags {
            state.beat = Some(percept.tick);
        }
        state.frags = percept.own.frags;
        let low_health = state.remedies(&self.design).low_health;
        let mindset = Mindset {
            memory: &state.memory,
            beliefs: state.beliefs.as_mut(),
            reaction_ticks: self.design.reaction_ticks(percept),
            low_health,
            past: Past {
                met: state.met,
                beat: state.beat,
                hit: state.hit,
                posted: state.errand.is_posted(percept, places),
            },
        };
        let situation = Situation::read(percept, places, &self.stimuli, mindset);
        if situation.enemy.is_some() {
            state.met = percept.tick;
        }
        situation
    }

    /// Where somebody is probably met, for deciders that have no task for going there: thought about once a second.
    fn expect(&mut self, scene: &mut Scene<'_>, here: Place) {
        let imitates = scene.late.is_some();
        let hunts = self.design.level.as_ref().is_some_and(|level| !level.senses_close);
        let state = &mut self.state;
        let Some(beliefs) = state.beliefs.as_mut().filter(|_| imitates || hunts) else { return };
        let (percept, places) = (scene.percept, scene.places);
        let stale = |(place, until): (Place, u32)| percept.tick >= until || place == here;
        if state.lookout.is_none_or(stale) {
            let until = percept.tick + percept.ticks(THINK_SECS);
            state.lookout = beliefs.best_lookout(here, places).map(|(place, _)| (place, until));
        }
        if !hunts || !self.stimuli.foes.is_empty() {
            return;
        }
        scene.p_close = beliefs.p_near(here, CLOSE_SECS, places).clamp(0.0, 1.0);
        if let (Some((lookout, _)), Some((at, _))) = (state.lookout, beliefs.most_probable()) {
            state.observer.expect(percept, places, (lookout, at), &mut self.stimuli);
        }
    }

    /// Motivations weigh what it could do; needs are felt as the body is.
    fn want(&mut self, scene: &Scene<'_>) {
        if let Some(motives) = &mut self.motives {
            motives.weigh(scene.percept, scene.places, &self.state.memory);
        }
        let (Some(situation), Some(mind)) = (&scene.situation, self.minds.first_mut()) else { return };
        for (need, word) in self.design.needs.iter().enumerate() {
            if let Some(word) = *word {
                mind.set_need(need, situation.needs[word]);
            }
        }
    }

    /// What plans are made from: the facts of the moment. The plan itself is watched where everything meets.
    fn plan(&mut self, scene: &Scene<'_>) {
        let Some(situation) = &scene.situation else { return };
        for (variable, &word) in self.design.facts.iter().enumerate() {
            self.senses[0].set_fact(variable, Some(situation.facts[word]));
        }
    }

    /// One task: by whoever decides alone, or from everything that speaks.
    fn decide(&mut self, scene: &Scene<'_>, draw: &mut Stream) -> Decided {
        let design = Arc::clone(&self.design);
        let situated = Situated {
            percept: scene.percept,
            places: scene.places,
            here: scene.here,
            enemy: scene.enemy,
            skill: &design.skill,
        };
        if let Some(level) = &design.level {
            self.voices(level, scene, &situated, draw);
            return Decided::Task(self.choose(level, scene, draw));
        }
        let state = &mut self.state;
        match (&mut self.teacher, &mut self.motives) {
            (Some(teacher), _) => {
                let late = scene.late.as_ref().unwrap_or_else(|| unreachable!("a teacher alone perceives"));
                Decided::Imitation(Box::new(teacher.chameleon.decide(late, draw)))
            }
            (None, Some(motives)) => {
                let beliefs = state.beliefs.as_mut();
                motives.pursue(&mut state.machine, &situated, &mut state.memory, beliefs, draw);
                Decided::Mode(state.machine.mode)
            }
            (None, None) => {
                state.machine.choose(&situated, &mut state.memory, state.beliefs.as_mut(), draw);
                Decided::Mode(state.machine.mode)
            }
        }
    }

    /// What others say of the tasks.
    fn voices(&mut self, level: &Level, scene: &Scene<'_>, situated: &Situated<'_>, draw: &mut Stream) {
        let (design, state) = (&self.design, &mut self.state);
        let does = &level.does;
        let senses = &mut self.senses[0];
        let mut opine = |voice: &str, says: &[f64]| {
            if let Err(error) = senses.opine(voice, says) {
                unreachable!("a fighter's voices are in its design: {error}");
            }
        };
        if let Some(teacher) = &mut self.teacher {
            let lends_hands = design.hands == Hands::Teacher;
            let believed = state.lookout.map(|(place, _)| place);
            teacher.ask(lends_hands, (scene.percept, scene.places, believed), draw);
            teacher.says(does, &self.stimuli, &mut self.says);
            opine(TEACHER, &self.says);
        }
        if let (Some(experience), Some(situation)) = (&state.experience, &scene.situation) {
            experience.says(situation, &mut self.says);
            opine(EXPERIENCE, &self.says);
        }
        if let Some(motives) = &self.motives
            && motives.says(does, scene.places, scene.enemy.is_some(), &mut self.says)
        {
            opine(MOTIVES, &self.says);
        }
        if design.by == By::Machine {
            state.machine.choose(situated, &mut state.memory, state.beliefs.as_mut(), draw);
            let task = state.machine.does(scene.places);
            let is_it = |does: &Option<Does>| *does == Some(task);
            let others = does.iter().filter(|does| !is_it(does)).count().max(1) as f64;
            let rest = (1.0 - design.firmness) / others;
            self.says.clear();
            self.says.extend(does.iter().map(|does| if is_it(does) { design.firmness } else { rest }));
            opine(MACHINE, &self.says);
        }
    }

    /// The task that everything together makes most of, and the task within it.
    fn choose(&mut self, level: &Level, scene: &Scene<'_>, draw: &mut Stream) -> Does {
        let design = &self.design;
        // Who has needs is somebody: how much they matter is drawn once, and so is everything later from a stream of its own.
        let is_somebody = !level.design.needs().is_empty();
        if self.minds.is_empty() {
            let seed = if is_somebody { draw.next_u64() } else { 0 };
            self.minds.push(Character::new(&level.design, seed, 0));
            let (mind, needs) = (&mut self.minds[0], design.needs.iter().enumerate());
            if let Some(situation) = &scene.situation {
                needs.for_each(|(need, word)| {
                    word.iter().for_each(|&word| mind.set_need(need, situation.needs[word]));
                });
            }
        }
        let (senses, scratch) = (&self.senses[0], &mut self.scratch);
        let task = if is_somebody {
            self.minds[0].tick(senses, scratch).task
        } else {
            self.minds[0].tick_by(senses, scratch, draw.next_u32()).task
        };
        if let (Some(experience), Some(situation)) = (&mut self.state.experience, &scene.situation) {
            experience.live(situation, task, scene.percept.period_secs);
        }
        level.choose_within(task, &mut self.minds, &self.senses, &mut self.scratch, draw)
    }

    /// One command for what was decided.
    fn act(&mut self, decided: &Decided, scene: &Scene<'_>, draw: &mut Stream) -> Command {
        let (design, state) = (&self.design, &mut self.state);
        let Scene { percept, places, .. } = *scene;
        let heeds = design.reaction.is_some();
        let remedies = state.remedies(design);
        if let (Decided::Task(does), Some(situation)) = (decided, &scene.situation) {
            let of = Knowledge { percept, places, situation, cover: remedies.cover };
            state.errand.pursue(*does, &of, &mut state.memory, state.beliefs.as_mut(), draw);
        }
        let skill = state.skill(design);
        let sight = Sight {
            percept,
            places,
            enemy: scene.enemy,
            found: state.found,
            memory: &state.memory,
            beliefs: state.beliefs.as_ref(),
            skill: &skill,
            remedies,
        };
        match (decided, design.hands, &mut self.teacher) {
            (Decided::Imitation(drawn), _, Some(teacher)) => {
                let seen = scene.late.as_ref().map_or(percept, |late| &late.percept);
                let (command, carried) = teacher.chameleon.act(seen, &drawn.0, &drawn.1, draw);
                teacher.chameleon.carry(carried);
                command
            }
            (Decided::Imitation(_), _, None) => Command::default(),
            (Decided::Mode(mode), ..) => {
                let fights = *mode == Mode::Attack;
                let hunts = *mode == Mode::Hunt && !heeds;
                let intent = Intent { fights, hunts, stimuli: None };
                let native = state.body.act(intent, &mut state.machine.errand, &sight, draw);
                let route = &state.machine.errand.route;
                let Some(person) = &design.person else { return native };
                let intent = moments::Intent::of(native, scene.enemy.as_ref(), route, (percept, places));
                state.mimic.get_or_insert_default().act(person, &intent, (percept, places), draw)
            }
            (Decided::Task(does), Hands::Native(_), _) => {
                let fights = *does == Does::Attack && scene.enemy.is_some();
                let hunts = *does == Does::Hunt && !heeds;
                let intent = Intent { fights, hunts, stimuli: Some(&self.stimuli) };
                let command = state.body.act(intent, &mut state.errand, &sight, draw);
                if let (Some(practice), Some(_)) = (&mut state.practice, scene.enemy) {
                    practice.note(&command);
                }
                if let Some(lessons) = &mut state.lessons {
                    lessons.live(percept, *does, scene.enemy, &remedies);
                }
                let Some(person) = &design.person else { return command };
                let route = &state.errand.route;
                let intent = moments::Intent::of(command, scene.enemy.as_ref(), route, (percept, places));
                state.mimic.get_or_insert_default().act(person, &intent, (percept, places), draw)
            }
            (Decided::Task(does), Hands::Teacher, Some(teacher)) => teacher.act(*does, &self.stimuli, draw),
            (Decided::Task(does), ..) => {
                elementary(*does).motor_in(design.lore.manners(), &self.stimuli).draw(draw)
            }
        }
    }

    /// What has the last word: the weapon in hand, another way when stuck, not off a ledge, not into lava.
    fn reflex(&mut self, scene: &Scene<'_>, command: &mut Command, draw: &mut Stream) {
        let (reflexes, state, stimuli) = (self.design.reflexes, &mut self.state, &self.stimuli);
        let Scene { percept, places, .. } = *scene;
        if reflexes.weapon {
            let distance_m = match scene.enemy {
                Some(enemy) if self.design.level.is_none() => {
                    Some(enemy.position.distance(percept.own.position))
                }
                _ => stimuli.foe().map(|foe| foe.distance_m),
            };
            let weapon = match self.design.lore.manners().arms() {
                Some(table) => arms::choose_known(table, &percept.own, distance_m),
                None => choose_weapon(&percept.own, distance_m),
            };
            command.weapon = (weapon != percept.own.weapon).then_some(weapon);
        }
        if let (Some(table), true, Some(foe)) =
            (self.design.lore.manners().arms(), command.fire == Fire::Primary, stimuli.foe())
        {
            command.fire = arms::trigger(table, percept.own.weapon, foe.distance_m);
        }
        if let (Some(teacher), Some(late)) = (&mut self.teacher, &scene.late) {
            teacher.chameleon.reflex(late, places, (reflexes.unstuck, reflexes.footing), command, draw);
        } else {
            if reflexes.unstuck && state.unstuck.keep_moving(percept, command, draw) {
                state.observer.give_up(percept);
            }
            if reflexes.footing {
                let ways = [stimuli.hunt, stimuli.weapon, stimuli.health, stimuli.unexplored];
                state.footing.keep(percept, places, &ways, command);
            }
        }
        lava::keep_out(percept, places, command);
    }

    /// Why it does what it does, stage by stage; none before the first tick. Where the decider is alone, its table has one row.
    pub fn report(&self) -> Option<Report> {
        let certain = |name: &str, tasks: &[&str], chosen: &str| {
            let p: Vec<f64> = tasks.iter().map(|task| f64::from(u8::from(*task == chosen))).collect();
            Report::of_one(name, tasks, chosen, &p)
        };
        match (self.minds.first(), &self.teacher, &self.motives) {
            (Some(mind), ..) => Some(Report { learned: self.state.learned(&self.design), ..mind.report() }),
            _ if self.state.life == 0 || self.design.level.is_some() => None,
            (None, Some(teacher), _) => {
                let (tick, names) = (teacher.chameleon.tick()?, teacher.chameleon.decisions());
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                Some(Report::of_one(TEACHER, &names, self.task(), &tick.decisions))
            }
            (None, None, motives) => {
                let by = if motives.is_some() { MOTIVES } else { MACHINE };
                Some(certain(by, &Mode::ALL.map(Mode::name), self.task()))
            }
        }
    }
}

impl Mind for Fighter {
    fn decide(&mut self, percept: &Percept, places: &Places, draw: &mut Stream) -> Command {
        let Some(reaction) = self.design.reaction else { return self.tick(percept, places, draw) };
        let mut noticed = std::mem::take(&mut self.noticed);
        self.state.notice(percept, reaction, &mut noticed, draw);
        let command = self.tick(&noticed, places, draw);
        self.noticed = noticed;
        command
    }

    fn task(&self) -> &str {
        match (&self.design.level, &self.teacher) {
            (Some(level), _) => {
                let task = self.minds.first().and_then(Character::task);
                task.map_or("", |task| level.design.task_name(task))
            }
            (None, Some(teacher)) => teacher.chameleon.task(),
            (None, None) => self.state.machine.mode.name(),
        }
    }

    fn why(&self) -> String {
        match (&self.design.level, &self.teacher, &self.motives) {
            (Some(level), ..) => {
                let mut reports: Vec<Report> = self.minds.iter().map(Character::report).collect();
                if let Some(outermost) = reports.first_mut() {
                    outermost.learned = self.state.learned(&self.design);
                }
                let reports = reports.iter();
                if level.only_senses() {
                    return reports.map(|report| report.sentence()).collect::<Vec<_>>().join("; within it ");
                }
                reports.map(|report| report.to_string()).collect::<Vec<_>>().join("\nwithin it ")
            }
            (None, Some(teacher), _) => teacher.chameleon.why(),
            (None, None, Some(motives)) => motives.why(),
            (None, None, None) => self.state.machine.why(self.state.enemy, self.state.body.weapon),
        }
    }

    fn needs_sight(&self) -> bool {
        self.design.believes
    }

    fn belief(&self) -> &[f64] {
        self.state.beliefs.as_ref().map_or(&[], Beliefs::expected)
    }

    fn surprise(&self, way: &[Place], places: &Places) -> Option<(f64, usize)> {
        self.state.beliefs.as_ref().and_then(|beliefs| beliefs.surprise(way, places))
    }

    fn attention(&self) -> Vec<crate::Attends> {
        self.teacher.as_ref().map_or_else(Vec::new, |teacher| teacher.chameleon.attention())
    }

    fn report(&self) -> Option<Report> {
        Fighter::report(self)
    }

    fn reseed(&mut self, seed: u64) {
        let each = self.minds.iter_mut().zip(0..);
        each.for_each(|(mind, level)| mind.reseed(seed, level));
        if let Some(noticing) = &mut self.state.noticing {
            noticing.reseed(seed);
        }
    }

    fn save(&self) -> serde_json::Value {
        state::save(self)
    }

    fn restore(&mut self, saved: &serde_json::Value) -> Result<(), RestoreError> {
        state::restore(self, saved)
    }
}
