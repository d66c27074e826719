//! Hands of a native bot's skill: they aim, fire, run and dodge, whatever decided what to do.

use glam::{DVec2, DVec3};
use repertoire_prob::Stream;
use repertoire_prob::draw::sample;
use serde::{Deserialize, Serialize};

use super::aim::Aim;
use super::errand::{Errand, is_beside};
use super::lessons::Remedies;
use super::skill::Skill;
use crate::memory::{Enemy, Memory};
use crate::route::Step;
use crate::tasks::{Stimuli, choose_weapon, fighting_run, motor, wanted_distance_m};
use crate::{Beliefs, Command, Percept, Place, Places, Weapon, turn_between};

/// An alarm is looked at for this many decisions.
const ALARM_TICKS: u32 = 8;
/// Something that was found is looked at for this many decisions.
const FOUND_TICKS: u32 = 5;

/// What hands remember.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Body {
    aim: Aim,
    /// The point it dodges to while it fights, and when it will choose another.
    dodge: Option<(Place, u32)>,
    /// The weapon it last reached for.
    pub weapon: Weapon,
}

/// What the hands are to do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Intent<'a> {
    /// Whether it fights the enemy in view instead of going somewhere.
    pub fights: bool,
    /// Whether it looks for somebody: then a noise does not turn its head.
    pub hunts: bool,
    /// How it moves in a fight: by what the tasks act upon (the fused opinions of [`fighting_run`]), or without them, to points
    /// around it, so that it never runs off a ledge.
    pub stimuli: Option<&'a Stimuli>,
}

pub(super) struct Sight<'a> {
    pub percept: &'a Percept,
    pub places: &'a Places,
    /// The enemy in view that it has noticed.
    pub enemy: Option<Enemy>,
    /// Something of use that was noticed, and when.
    pub found: Option<(DVec3, u32)>,
    pub memory: &'a Memory,
    pub beliefs: Option<&'a Beliefs>,
    pub skill: &'a Skill,
    /// What its deaths have taught it.
    pub remedies: Remedies,
}

impl Body {
    /// A death ends what it was doing.
    pub fn begin_life(&mut self) {
        self.dodge = None;
    }

    /// The command that carries an intent out. Whoever is in view and noticed is shot at, whatever else it does.
    pub fn act(
        &mut self,
        intent: Intent<'_>,
        errand: &mut Errand,
        of: &Sight<'_>,
        draw: &mut Stream,
    ) -> Command {
        let (own, skill) = (&of.percept.own, of.skill);
        let step = match intent {
            Intent { fights: true, stimuli: None, .. } => self.dodge_step(errand, of, draw),
            Intent { fights: true, .. } => Step::default(),
            _ => errand.route.step(of.percept, of.places, draw).unwrap_or_default(),
        };
        self.aim.wander(skill.aim_error, draw);
        let distance_m = of.enemy.map(|enemy| enemy.position.distance(own.position));
        self.weapon = choose_weapon(own, distance_m);
        let mut command = match of.enemy {
            Some(enemy) => self.aim.at_enemy(of.percept, &enemy, skill),
            None => {
                let yaw = glance(intent.hunts, errand, of, step);
                Command { yaw: turn_between(own.yaw, yaw), pitch: -own.pitch, ..Command::default() }
            }
        };
        let most = skill.turn_per_sec * of.percept.period_secs;
        command.yaw = command.yaw.clamp(-most, most);
        command.pitch = command.pitch.clamp(-most, most);
        command.weapon = (self.weapon != own.weapon).then_some(self.weapon);
        command.jump = step.jump;
        let fights = intent.stimuli.filter(|_| intent.fights);
        if let Some((stimuli, foe)) = fights.and_then(|stimuli| Some((stimuli, stimuli.foe()?))) {
            let run = sample(&fighting_run(stimuli, foe, of.remedies.farther_m), draw);
            (command.forward, command.lateral) = motor::speeds(run);
            command.forward *= skill.speed;
            command.lateral *= skill.speed;
        } else {
            // The body turns while it runs: the way is taken relative to where it will look half-way through.
            let (sin, cos) = libm::sincos(own.yaw + command.yaw / 2.0);
            let way = step.way * skill.speed;
            command.forward = way.x * cos + way.y * sin;
            command.lateral = way.y * cos - way.x * sin;
        }
        command
    }

    /// Where to run while fighting: to points around, so that it never runs off a ledge.
    fn dodge_step(&mut self, errand: &mut Errand, of: &Sight<'_>, draw: &mut Stream) -> Step {
        let Some(enemy) = of.enemy else { return Step::default() };
        let (percept, places) = (of.percept, of.places);
        let own = &percept.own;
        let here = places.nearest(own.position);
        let stale = self
            .dodge
            .is_none_or(|(place, until)| percept.tick >= until || is_beside(percept, places, place));
        if stale {
            self.dodge = None;
            if draw.unit() < of.skill.dodging {
                let wanted_m = wanted_distance_m(own.weapon);
                let mut best = (f64::NEG_INFINITY, here);
                for link in places.links(here).iter().filter(|link| !places.is_harmful(link.to)) {
                    let point = places.point(link.to);
                    let off = (point.distance(enemy.position) - wanted_m).abs();
                    let across = (point - own.position).truncate().normalize_or_zero();
                    let line = (enemy.position - own.position).truncate().normalize_or_zero();
                    let score = across.perp_dot(line).abs() * 2.0 - off * 0.15 + draw.unit() * 3.0;
                    if score > best.0 {
                        best = (score, link.to);
                    }
                }
                self.dodge = Some((best.1, percept.tick + percept.ticks(1.0)));
            } else {
                self.dodge = Some((here, percept.tick + percept.ticks(0.5)));
            }
        }
        errand.route.set_goal(self.dodge.map(|(place, _)| place));
        errand.route.step(percept, places, draw).unwrap_or_default()
    }
}

/// Where to look when there is nobody to aim at, as a yaw.
fn glance(hunts: bool, errand: &Errand, of: &Sight<'_>, step: Step) -> f64 {
    let own = &of.percept.own;
    let alarm = of.memory.alarm.filter(|&(_, since)| of.percept.tick < since + ALARM_TICKS);
    if let Some((yaw, _)) = alarm.filter(|_| !hunts) {
        return yaw;
    }
    if let Some((at, _)) = of.found.filter(|&(_, since)| of.percept.tick < since + FOUND_TICKS) {
        let way = at - own.position;
        return libm::atan2(way.y, way.x);
    }
    let waypoint = errand.route.waypoint(of.places);
    let way = waypoint.map_or(DVec2::ZERO, |point| (point - own.position).truncate());
    let way = if way.length() > 0.7 { way } else { step.way };
    let ahead = if way == DVec2::ZERO { own.yaw } else { libm::atan2(way.y, way.x) };
    if let Some(turn) = of.remedies.looks_back(of.percept).filter(|_| way != DVec2::ZERO) {
        return ahead + turn;
    }
    // Running and looking are two things: who believes somebody to be there looks there.
    if let Some(yaw) = of.beliefs.and_then(|beliefs| beliefs.best_gaze(own, of.places)) {
        return yaw;
    }
    ahead
}
