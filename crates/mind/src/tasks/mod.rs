//! The six elementary tasks as Bayesian programs: each says how probable every command is, given what there is to act
//! upon.
//!
//! ```text
//! P(Command | stimuli, task) = Σ_D P(D) P(Turn | D) P(Tilt | ..) P(Run | D Turn ..) P(Fire | Turn ..) P(Jump | ..)
//! ```
//! where `D` is the direction the task goes for. Drawing from it acts; looking up what somebody did recognises the task
//! (Le Hy 2007, section 4.4.3). A model must be good for both, so every task leaves a pattern of its own, and no
//! command is impossible.
//!
//! | task            | looks                                  | runs                                              |
//! |-----------------|----------------------------------------|---------------------------------------------------|
//! | `attack`        | at an enemy ([`opponent`]), and fires  | sideways, keeping its weapon's distance (fused); to where the enemy was, once it is out of view |
//! | `weapon_search` | along the way to the nearest weapon    | along it                                          |
//! | `health_search` | along the way to the nearest health    | along it                                          |
//! | `explore`       | along the way to where it was not for longest | along it                                   |
//! | `flee`          | to a point that no enemy is near (fused); without enemies anywhere | there                 |
//! | `detect_danger` | towards the noise, or behind itself    | not at all                                        |
//!
//! | module      | what it holds                                                        |
//! |-------------|----------------------------------------------------------------------|
//! | [`motor`]   | the motor variables and `P(Turn \| Dir)`                             |
//! | [`manner`]  | how directions become commands, as a program that can be edited and learned |
//! | [`arms`]    | which weapon, and how to fire it                                      |
//! | [`apprentice`] | learns a manner from play                                          |
//! | [`thesis`]  | exploration and flight by fused opinions, as the thesis has them      |
//! | [`stimuli`] | what the tasks act upon, from percepts and what is remembered        |
//! | [`sensors`] | the seven sensors of the sequencing                                  |
//! | [`heuristic`] | recognising tasks by rules (4.4.2)                                 |
//!
//! Differs from the paper: its printed characters have tasks in an ordinary language, of which only the idea is given;
//! these are ours. Exploration goes for one point instead of the product of four attractions, which pulls between them
//! ([`thesis`] has the product).
//! In flight the enemies' opinions are about the direction, with a tolerance: over 31 bins the complement of a
//! distribution (eq. 3.4) is nearly 1 everywhere and keeps nobody away.

pub mod apprentice;
pub mod arms;
pub mod heuristic;
pub mod manner;
pub mod motor;
pub mod opponent;
pub mod sensors;
pub mod stimuli;
pub mod thesis;

use std::f64::consts::PI;
use std::sync::LazyLock;

use repertoire_bayes::fusion::{Opinion, Stance, fuse};
use repertoire_prob::Stream;
use repertoire_prob::draw::sample;
use repertoire_prob::num::{exp, normalise};

pub use manner::{Manners, MotorTables};
use motor::{Act, RUNS, STANDING, TILT, TILTS, TURN, TURNS, run_toward};
pub use opponent::Preference;
pub use sensors::{CannotSense, Readings, SENSORS, Wiring};
pub use stimuli::{Foe, Leads, Observer, Stimuli, Way};

use crate::blast::Blast;
use crate::{Command, Fire, Weapon, wrap_angle};

/// An elementary task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elementary {
    /// Fights the nearest enemy.
    Attack,
    /// Fetches a weapon or ammunition.
    WeaponSearch,
    /// Fetches health.
    HealthSearch,
    /// Goes where it was not for longest.
    Explore,
    /// Runs from enemies.
    Flee,
    /// Looks for what it heard.
    DetectDanger,
}

impl Elementary {
    /// All of them, in the thesis's order.
    pub const ALL: [Elementary; 6] = [
        Elementary::Attack,
        Elementary::WeaponSearch,
        Elementary::HealthSearch,
        Elementary::Explore,
        Elementary::Flee,
        Elementary::DetectDanger,
    ];

    /// Its name in behaviours.
    pub const fn name(self) -> &'static str {
        match self {
            Elementary::Attack => "attack",
            Elementary::WeaponSearch => "weapon_search",
            Elementary::HealthSearch => "health_search",
            Elementary::Explore => "explore",
            Elementary::Flee => "flee",
            Elementary::DetectDanger => "detect_danger",
        }
    }

    /// The task of this name.
    pub fn named(name: &str) -> Option<Self> {
        Elementary::ALL.into_iter().find(|task| task.name() == name)
    }

    /// How probable every command is while this task goes on, in the usual manner.
    pub fn motor(self, stimuli: &Stimuli) -> Motor<'static> {
        self.motor_in(Manners::usual(), stimuli)
    }

    /// The same in another manner.
    pub fn motor_in<'m>(self, manners: &'m Manners, stimuli: &Stimuli) -> Motor<'m> {
        let tables = manners.tables(self);
        if let Some(opinions) = manners.opinions(self) {
            return fused(tables, stimuli, opinions.turns(stimuli));
        }
        match self {
            Elementary::Attack => attack(tables, stimuli),
            Elementary::WeaponSearch => travel(tables, stimuli, stimuli.weapon),
            Elementary::HealthSearch => travel(tables, stimuli, stimuli.health),
            Elementary::Explore => travel(tables, stimuli, stimuli.unexplored),
            Elementary::Flee => flee(tables, stimuli),
            Elementary::DetectDanger => detect_danger(tables, stimuli),
        }
    }
}

/// What a task does about one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Look {
    /// Turns to face it.
    Toward(f64),
    /// Turns as [`Motor::turns`] says.
    Asked,
    /// Turns anywhere.
    Anywhere,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Run {
    /// Runs in a direction, given before the turn.
    Toward(f64),
    /// Runs as a table says, in directions after the turn.
    Table([f64; RUNS]),
}

/// One direction that a task goes for, with its probability.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Heading {
    weight: f64,
    look: Look,
    run: Run,
}

impl Heading {
    /// Turns and runs there.
    fn toward(weight: f64, yaw: f64) -> Self {
        Heading { weight, look: Look::Toward(yaw), run: Run::Toward(yaw) }
    }
}

/// A task's distribution over commands.
#[derive(Clone, Debug, PartialEq)]
pub struct Motor<'t> {
    tables: &'t MotorTables,
    heading: Heading,
    /// Others that it may run to instead, each a weight and a yaw; nearly always none, and then they weigh nothing.
    others: [(f64, f64); OTHERS],
    /// The tilt it wants; any when none.
    tilt: Option<f64>,
    /// The turns between which it fires, if it fires.
    fire: Option<(f64, f64)>,
    /// Whether a jump is needed; none where jumping means nothing.
    obstacle: Option<bool>,
    /// How probable each turn is, where a program was asked; rare, so that it is kept apart.
    turns: Option<Box<[f64; TURNS]>>,
}

/// Most directions that a task goes for beside the first: those of the nearest points.
const OTHERS: usize = 3;
const NONE: [(f64, f64); OTHERS] = [(0.0, 0.0); OTHERS];

impl Motor<'_> {
    fn headings(&self) -> impl Iterator<Item = Heading> {
        let others = self.others.iter().filter(|(weight, _)| *weight > 0.0);
        std::iter::once(self.heading).chain(others.map(|&(weight, yaw)| Heading::toward(weight, yaw)))
    }

    /// `P(command | stimuli, task)`, of the command's bins.
    pub fn likelihood(&self, act: &Act) -> f64 {
        let says = |heading: &Heading| {
            heading.weight * self.turn(heading, act.turn) * self.runs(heading, act.yaw)[act.run]
        };
        let others = self.others.iter().filter(|(weight, _)| *weight > 0.0);
        let others = others.map(|&(weight, yaw)| says(&Heading::toward(weight, yaw)));
        let headings = others.fold(says(&self.heading), |sum, says| sum + says);
        let fires = self.fire_given(act.yaw);
        let jumps = self.jumps();
        headings
            * self.tilts()[act.tilt]
            * if act.fire { fires } else { 1.0 - fires }
            * if act.jump { jumps } else { 1.0 - jumps }
    }

    /// Draws a command.
    pub fn draw(&self, draw: &mut Stream) -> Command {
        let mut weights = [0.0; 8];
        for (weight, heading) in weights.iter_mut().zip(self.headings()) {
            *weight = heading.weight;
        }
        let heading = self.headings().nth(sample(&weights, draw)).unwrap_or(self.heading);
        let turns: [f64; TURNS] = std::array::from_fn(|bin| self.turn(&heading, bin));
        // Whoever turns anywhere turns as far as it can in the outermost bin: recordings of this are pinned.
        let exact = match heading.look {
            Look::Toward(yaw) => Some(yaw),
            Look::Anywhere => Some(f64::INFINITY),
            Look::Asked => None,
        };
        let turn = sample(&turns, draw);
        let yaw = TURN.angle(turn, exact, draw.unit());
        let tilt = sample(self.tilts(), draw);
        let pitch = TILT.angle(tilt, self.tilt.or(Some(f64::INFINITY)), draw.unit());
        let (forward, lateral) = motor::speeds(sample(self.runs(&heading, yaw), draw));
        let fire = if draw.unit() < self.fire_given(yaw) { Fire::Primary } else { Fire::None };
        let jump = draw.unit() < self.jumps();
        Command { yaw, pitch, forward, lateral, jump, fire, weapon: None }
    }

    fn tilts(&self) -> &[f64; TILTS] {
        self.tilt.map_or(TILT.uniform(), |tilt| &self.tables.tilt[TILT.bin(tilt)])
    }

    /// Whether a turn points at an enemy.
    fn is_aimed(&self, turn: f64) -> bool {
        self.fire.is_some_and(|(from, to)| (from..=to).contains(&turn))
    }

    fn fire_given(&self, turn: f64) -> f64 {
        self.tables.fire[usize::from(self.is_aimed(turn))]
    }

    fn jumps(&self) -> f64 {
        self.obstacle.map_or(0.5, |obstacle| self.tables.jump[usize::from(obstacle)])
    }

    fn turn(&self, heading: &Heading, bin: usize) -> f64 {
        match &heading.look {
            Look::Toward(yaw) => self.tables.turn[TURN.bin(*yaw)][bin],
            Look::Asked => self.turns.as_deref().unwrap_or(TURN.uniform())[bin],
            Look::Anywhere => TURN.uniform()[bin],
        }
    }

    /// `P(run | turn)`: the body turns while it runs, so a direction is taken half-way through.
    fn runs<'a>(&'a self, heading: &'a Heading, turn: f64) -> &'a [f64; RUNS] {
        match &heading.run {
            Run::Toward(yaw) => &self.tables.run[run_toward(yaw - turn / 2.0)],
            Run::Table(table) => table,
        }
    }
}

/// Mostly standing, whatever it looks at.
fn standing() -> [f64; RUNS] {
    let mut table = [0.01; RUNS];
    table[STANDING] = 0.92;
    table
}

fn travel<'t>(tables: &'t MotorTables, stimuli: &Stimuli, way: Option<Way>) -> Motor<'t> {
    let heading = match way {
        Some(Way { wait: false, yaw, .. }) => {
            Heading { weight: 1.0, look: Look::Toward(yaw), run: Run::Toward(yaw) }
        }
        // Nothing to go for, or a lift to wait for.
        _ => Heading { weight: 1.0, look: Look::Toward(0.0), run: Run::Table(standing()) },
    };
    let obstacle = Some(way.is_some_and(|way| way.jump));
    Motor { tables, heading, others: NONE, tilt: Some(stimuli.level), fire: None, obstacle, turns: None }
}

/// Turns as opinions about places and enemies say, and runs ahead.
fn fused<'t>(tables: &'t MotorTables, stimuli: &Stimuli, turns: [f64; TURNS]) -> Motor<'t> {
    let heading = Heading { weight: 1.0, look: Look::Asked, run: Run::Table(tables.run[0]) };
    let tilt = Some(stimuli.level);
    let turns = Some(Box::new(turns));
    Motor { tables, heading, others: NONE, tilt, fire: None, obstacle: Some(false), turns }
}

fn attack<'t>(tables: &'t MotorTables, stimuli: &Stimuli) -> Motor<'t> {
    let obstacle = Some(false);
    let Some(foe) = stimuli.foe() else {
        let heading = Heading { weight: 1.0, look: Look::Toward(0.0), run: Run::Table(standing()) };
        return Motor {
            tables,
            heading,
            others: NONE,
            tilt: Some(stimuli.level),
            fire: None,
            obstacle,
            turns: None,
        };
    };
    if !foe.in_view {
        // It goes to look where the enemy was.
        return travel(tables, stimuli, stimuli.hunt);
    }
    let run = Run::Table(fighting_run(stimuli, foe, 0.0));
    let heading = Heading { weight: 1.0, look: Look::Toward(foe.yaw), run };
    let safe = Blast::PROGRAM.allows(stimuli.weapon_in_hand, foe.distance_m, stimuli.ahead_m);
    let fires = stimuli.ready && safe;
    let fire = fires.then_some((foe.yaw - foe.half_width, foe.yaw + foe.half_width));
    Motor { tables, heading, others: NONE, tilt: Some(foe.pitch), fire, obstacle, turns: None }
}

/// How far to the left each of the eight directions goes.
static SIDES: LazyLock<[f64; 8]> =
    LazyLock::new(|| std::array::from_fn(|run| libm::sin(run as f64 * PI / 4.0)));

/// Where to run in a fight: three opinions, fused. One about the distance, one to go on as it runs, and one against
/// every direction that ends at a wall or a ledge. Whoever has learned to keep away fights this much `farther_m`.
pub(crate) fn fighting_run(stimuli: &Stimuli, foe: &Foe, farther_m: f64) -> [f64; RUNS] {
    let wanted_m = wanted_distance_m(stimuli.weapon_in_hand) + farther_m;
    let distance: &[f64; RUNS] = match foe.distance_m - wanted_m {
        gap if gap > 3.0 => &[0.20, 0.30, 0.08, 0.01, 0.01, 0.01, 0.08, 0.30, 0.01],
        gap if gap < -3.0 => &[0.01, 0.02, 0.13, 0.26, 0.14, 0.26, 0.13, 0.02, 0.03],
        _ => &[0.03, 0.12, 0.29, 0.12, 0.03, 0.12, 0.29, 0.12, 0.02],
    };
    let mut steady = [1.0; RUNS];
    if let Some(running) = stimuli.running {
        // The run is measured after the turn.
        let side = libm::sin(wrap_angle(running - foe.yaw));
        for (run, says) in steady.iter_mut().enumerate().take(8) {
            let same = SIDES[run] * side;
            *says = if same > 0.1 {
                1.0
            } else if same < -0.1 {
                0.1
            } else {
                0.5
            };
        }
    }
    normalise(&mut steady);
    let mut closed = [0.0; RUNS];
    for (run, says) in closed.iter_mut().enumerate().take(8) {
        // Whether a direction is open is known for before the turn.
        let before = run_toward(run as f64 * PI / 4.0 + foe.yaw.clamp(-1.2, 1.2) / 2.0);
        *says = if stimuli.open[before] { 0.0 } else { 0.98 };
    }
    let opinions = [
        Opinion { says: distance, stance: Stance::Prescriptive },
        Opinion { says: &steady, stance: Stance::Prescriptive },
        Opinion { says: &closed, stance: Stance::Proscriptive },
    ];
    let mut table = [0.0; RUNS];
    if let Err(error) = fuse(&opinions, None, &mut table) {
        unreachable!("tables of probabilities over the ways to run: {error}");
    }
    // Nothing that a player may do is impossible.
    table.iter_mut().for_each(|p| *p = 0.97 * *p + 0.03 / RUNS as f64);
    table
}

fn flee<'t>(tables: &'t MotorTables, stimuli: &Stimuli) -> Motor<'t> {
    let anywhere = [1.0 / RUNS as f64; RUNS];
    if stimuli.foes.is_empty() {
        // Without enemies flight looks like nothing in particular, so that it is not taken for exploration.
        let heading = Heading { weight: 1.0, look: Look::Anywhere, run: Run::Table(anywhere) };
        return Motor { tables, heading, others: NONE, tilt: None, fire: None, obstacle: None, turns: None };
    }
    let mut headings = stimuli.points.iter().map(|point| (away(stimuli, point.yaw), point.yaw));
    let (weight, yaw) = headings.next().unwrap_or((1.0, wrap_angle(stimuli.foes[0].stands + PI)));
    let heading = Heading::toward(weight, yaw);
    let mut others = NONE;
    others.iter_mut().zip(headings).for_each(|(other, heading)| *other = heading);
    let obstacle = Some(false);
    let mut motor =
        Motor { tables, heading, others, tilt: Some(stimuli.level), fire: None, obstacle, turns: None };
    let total: f64 = motor.headings().map(|heading| heading.weight).sum();
    motor.heading.weight /= total;
    motor.others.iter_mut().for_each(|(weight, _)| *weight /= total);
    motor
}

/// How well a direction goes with fleeing: against every enemy's, for the one it runs in already.
fn away(stimuli: &Stimuli, yaw: f64) -> f64 {
    let bell = |off: f64, width: f64| exp(-0.5 * (wrap_angle(off) / width) * (wrap_angle(off) / width));
    let enemies: f64 = stimuli.foes.iter().map(|foe| 1.0 - 0.99 * bell(yaw - foe.stands, 0.9)).product();
    let steady = stimuli.running.map_or(1.0, |running| 0.15 + bell(yaw - running, 0.7));
    enemies * steady + 1e-6
}

fn detect_danger<'t>(tables: &'t MotorTables, stimuli: &Stimuli) -> Motor<'t> {
    // With nothing to look for, it looks behind itself.
    let yaw = stimuli.alarm.unwrap_or(PI);
    let heading = Heading { weight: 1.0, look: Look::Toward(yaw), run: Run::Table(standing()) };
    let obstacle = Some(false);
    Motor { tables, heading, others: NONE, tilt: Some(stimuli.level), fire: None, obstacle, turns: None }
}

/// How far from an enemy a weapon is best used.
pub fn wanted_distance_m(weapon: Weapon) -> f64 {
    match weapon {
        Weapon::Weak => 8.0,
        Weapon::Medium => 4.0,
        Weapon::Strong => 9.0,
        Weapon::Axe => 1.0,
        Weapon::Shotgun => 7.0,
        Weapon::SuperShotgun => 4.0,
        Weapon::Nailgun | Weapon::SuperNailgun => 7.0,
        Weapon::GrenadeLauncher => 9.0,
        Weapon::RocketLauncher => 9.0,
        Weapon::LightningGun => 9.0,
    }
}

/// The weapon for a distance, among those with ammunition: a reflex of every task.
pub fn choose_weapon(own: &crate::Own, distance_m: Option<f64>) -> Weapon {
    let usable = |weapon: Weapon| own.weapons[weapon.index()] && own.ammo[weapon.index()] > 0;
    let distance_m = distance_m.unwrap_or(USUAL_M);
    if !own.pack.is_empty() {
        return choose_of_quake(own, distance_m, None);
    }
    if usable(Weapon::Strong) && Blast::HAND.suits(distance_m) {
        Weapon::Strong
    } else if usable(Weapon::Medium) && distance_m < 14.0 {
        Weapon::Medium
    } else {
        Weapon::Weak
    }
}

/// Where nobody is in view, somebody will come into view about this far away.
const USUAL_M: f64 = 10.0;
/// A weapon that is in hand is kept while another is not better by more than this.
const CHANGES: f64 = 1.15;

/// Of Quake's weapons with ammunition, and of a strength where one is asked for, the one that takes most from a body at a distance and
/// spares whoever fires it.
pub fn choose_of_quake(own: &crate::Own, distance_m: f64, strength: Option<Weapon>) -> Weapon {
    let worth = |weapon: Weapon| {
        let row = crate::arms::row(weapon);
        let spares = !row.bursts() || !Blast::HAND.is_too_close(distance_m);
        // Even at a distance that it does not suit, a weapon is better than the axe.
        let least = if weapon == Weapon::Axe { 0.0 } else { 1e-3 };
        let worth = if spares { row.health_per_sec(distance_m).max(least) } else { least };
        if weapon == own.weapon { CHANGES * worth } else { worth }
    };
    let is_asked = |weapon: &Weapon| strength.is_none_or(|strength| weapon.strength() == strength);
    let usable = Weapon::QUAKE.into_iter().filter(|&weapon| own.can_fire(weapon)).filter(is_asked);
    usable.max_by(|&a, &b| worth(a).total_cmp(&worth(b))).unwrap_or(own.weapon)
}

#[cfg(test)]
mod tests;
