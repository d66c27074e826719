//! Hands of a native bot's skill: they aim, fire, run and dodge for any task.

use repertoire_prob::Stream;
use repertoire_prob::draw::sample;
use serde::{Deserialize, Serialize};

use super::errand::Errand;
use super::situation::Situation;
use super::vocabulary::Does;
use crate::bots::{Aim, Skill};
use crate::memory::Memory;
use crate::route::Step;
use crate::tasks::{Stimuli, choose_weapon, fighting_run, motor};
use crate::{Beliefs, Command, Percept, Places, turn_between};

/// An alarm is looked at for this many decisions.
const ALARM_TICKS: u32 = 8;

/// What hands remember.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Body {
    aim: Aim,
}

pub(super) struct Sight<'a> {
    pub percept: &'a Percept,
    pub places: &'a Places,
    pub stimuli: &'a Stimuli,
    pub situation: &'a Situation,
    pub memory: &'a Memory,
    pub beliefs: Option<&'a Beliefs>,
}

impl Body {
    /// The command that carries a task out. Whoever is in view and noticed is shot at, whatever else it does.
    pub fn act(
        &mut self,
        does: Does,
        skill: &Skill,
        errand: &mut Errand,
        of: &Sight<'_>,
        draw: &mut Stream,
    ) -> Command {
        let (own, situation) = (&of.percept.own, of.situation);
        let fights = does == Does::Attack && situation.enemy.is_some();
        let step = if fights {
            Step::default()
        } else {
            errand.route.step(of.percept, of.places, draw).unwrap_or_default()
        };
        self.aim.wander(skill.aim_error, draw);
        let mut command = match situation.enemy {
            Some(enemy) => self.aim.at_enemy(of.percept, &enemy, skill),
            None => {
                let yaw = glance(does, errand, of, step);
                Command { yaw: turn_between(own.yaw, yaw), pitch: -own.pitch, ..Command::default() }
            }
        };
        let most = skill.turn_per_sec * of.percept.period_secs;
        command.yaw = command.yaw.clamp(-most, most);
        command.pitch = command.pitch.clamp(-most, most);
        let distance_m = situation.enemy.map(|enemy| enemy.position.distance(own.position));
        let weapon = choose_weapon(own, distance_m);
        command.weapon = (weapon != own.weapon).then_some(weapon);
        command.jump = step.jump;
        if let Some(foe) = of.stimuli.foe().filter(|_| fights) {
            let run = sample(&fighting_run(of.stimuli, foe), draw);
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
}

/// Where to look when there is nobody to aim at, as a yaw.
fn glance(does: Does, errand: &Errand, of: &Sight<'_>, step: Step) -> f64 {
    let own = &of.percept.own;
    let alarm = of.memory.alarm.filter(|&(_, since)| of.percept.tick < since + ALARM_TICKS);
    if let Some((yaw, _)) = alarm
        && does != Does::Hunt
    {
        return yaw;
    }
    // Running and looking are two things: who believes somebody to be there looks there.
    if let Some(yaw) = of.beliefs.and_then(|beliefs| beliefs.best_gaze(own, of.places)) {
        return yaw;
    }
    let waypoint = errand.route.waypoint(of.places);
    let way = waypoint.map_or(glam::DVec2::ZERO, |point| (point - own.position).truncate());
    let way = if way.length() > 0.7 { way } else { step.way };
    if way == glam::DVec2::ZERO { own.yaw } else { libm::atan2(way.y, way.x) }
}
