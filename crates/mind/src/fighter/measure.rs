//! Measuring skill: how good somebody's hands are, from their play, in the seven numbers that hands of native bots go by ([`Skill`]).
//!
//! | number           | how it is measured                                                                              |
//! |------------------|--------------------------------------------------------------------------------------------------|
//! | `speed`          | the median share of full speed, of decisions that run                                            |
//! | `turn_per_sec`   | the third fastest turn: a bot turns as fast as it can again and again                            |
//! | `lead`           | of 21 leads the one from which views are off the least, half of them, once an enemy is long in view |
//! | `aim_error`      | by how much they are off from there: 1.4826 times the median, a standard deviation of a bell      |
//! | `reaction_secs`  | the delay under which turns are most probable: a bell around the enemy once noticed, anything before |
//! | `dodging`        | of decisions that stand in a fight (not for a lift), the share after which it runs                |
//! | `cautious_below` | not measured: that of the level with the same aim                                                 |
//!
//! The numbers are those of a native bot's program. Of somebody who plays by another (a person, say) they say how such a bot would be as
//! good as that, not how to move like them.

use super::skill::Skill;
use crate::memory::Memory;
use crate::student::{Seen, Watch};
use crate::{Command, How, Own, Percept, Places, wrap_angle};

/// Less than this share of full speed is standing.
const STANDING: f64 = 0.05;
/// An enemy in view for this many decisions has been noticed by everybody.
const LONG: u32 = 12;
/// Reactions up to this many decisions are tried.
const LATEST: u32 = 12;
/// Steps from no lead to a full one.
const LEADS: u32 = 20;
/// This share of turns towards an enemy may be anything.
const ANYTHING: f64 = 0.05;
/// Aim is never better than this, in radians: less than a thousandth of a turn is rounding.
const BEST_AIM: f64 = 0.002;
/// Who stood in fewer decisions of fights than this hardly ever stands.
const FEW: f64 = 20.0;

/// Watches somebody play, and measures their skill.
#[derive(Clone, Debug, Default)]
pub struct SkillWatcher {
    memory: Memory,
    life: Option<u32>,
    period_secs: f64,
    paces: Vec<f64>,
    turns: Vec<f64>,
    sights: Vec<Sight>,
}

/// A decision with somebody in view.
#[derive(Clone, Debug)]
struct Sight {
    tick: u32,
    own: Own,
    command: Command,
    /// Whether it may stand to wait for a lift.
    by_lift: bool,
    /// How long each enemy has been in view, in decisions, and where and how fast they are.
    enemies: Vec<(u32, crate::memory::Enemy)>,
}

impl Sight {
    /// The turn to the enemy that one who reacts after so many decisions has noticed.
    fn turn(&self, reaction: u32, lead: f64, period_secs: f64) -> Option<f64> {
        let noticed = self.enemies.iter().filter(|(age, _)| *age >= reaction).map(|(_, enemy)| enemy);
        let far = |enemy: &crate::memory::Enemy| enemy.position.distance_squared(self.own.position);
        let enemy = noticed.min_by(|a, b| far(a).total_cmp(&far(b)))?;
        Some(crate::arms::lay_at(&self.own, (enemy.position, enemy.velocity), lead, period_secs).0)
    }
}

impl SkillWatcher {
    /// Sees one tick of a life.
    pub fn see(&mut self, percept: &Percept, command: &Command, places: &Places) {
        if self.life != Some(percept.own.life) {
            self.life = Some(percept.own.life);
            self.memory = Memory::default();
        }
        self.period_secs = percept.period_secs;
        self.memory.update(percept, places.spots());
        let pace = libm::hypot(command.forward, command.lateral);
        if pace >= STANDING {
            self.paces.push(pace);
        }
        self.turns.push(command.yaw.abs());
        let in_view = self.memory.enemies().iter().filter(|enemy| enemy.last == percept.tick);
        let enemies: Vec<_> = in_view.map(|enemy| (percept.tick - enemy.since, *enemy)).collect();
        if !enemies.is_empty() {
            let links = places.links(places.nearest(percept.own.position));
            let by_lift = links.iter().any(|link| matches!(link.how, How::LiftUp(_) | How::LiftDown(_)));
            let Percept { tick, own, .. } = *percept;
            self.sights.push(Sight { tick, own, command: *command, by_lift, enemies });
        }
    }

    /// The skill; none of somebody who hardly moved, or met nobody for long.
    pub fn finish(self) -> Option<Skill> {
        let SkillWatcher { period_secs, mut paces, mut turns, sights, .. } = self;
        let speed = quantile(&mut paces, 0.5)?.min(1.0);
        turns.sort_by(|a, b| b.total_cmp(a));
        let most = turns.get(2).copied().filter(|&most| most > 0.0)?;
        let fastest = |turn: f64| turn.clamp(-most, most);
        // Who turns as fast as possible does not show where to.
        let free: Vec<&Sight> = sights.iter().filter(|sight| sight.command.yaw.abs() < 0.98 * most).collect();
        let aim = |reaction: u32| -> Option<(f64, f64)> {
            let off = |lead: f64| {
                let offs = free.iter().filter_map(|sight| {
                    Some(wrap_angle(sight.command.yaw - sight.turn(reaction, lead, period_secs)?).abs())
                });
                quantile(&mut offs.collect::<Vec<f64>>(), 0.5)
            };
            let leads = (0..=LEADS).map(|step| f64::from(step) / f64::from(LEADS));
            let tried = leads.filter_map(|lead| Some((off(lead)?, lead)));
            let (off, lead) = tried.min_by(|a, b| a.0.total_cmp(&b.0))?;
            Some((lead, (1.4826 * off).max(BEST_AIM)))
        };
        let (lead, error) = aim(LONG)?;
        // Log-likelihood of all turns with somebody in view, of one who reacts after so many decisions.
        let likelihood = |reaction: u32| -> f64 {
            let of = |sight: &Sight| {
                let anything = 1.0 / (2.0 * most);
                let density = match sight.turn(reaction, lead, period_secs) {
                    None => anything,
                    Some(turn) => {
                        let off = wrap_angle(sight.command.yaw - fastest(turn)) / error;
                        let bell = libm::exp(-0.5 * off * off) / (error * (std::f64::consts::TAU).sqrt());
                        ANYTHING * anything + (1.0 - ANYTHING) * bell
                    }
                };
                libm::log(density)
            };
            sights.iter().map(of).sum()
        };
        let mut reaction = (f64::NEG_INFINITY, 0);
        for tried in 0..=LATEST {
            let likely = likelihood(tried);
            if likely > reaction.0 {
                reaction = (likely, tried);
            }
        }
        let reaction = reaction.1;
        let (lead, aim_error) = aim(reaction)?;
        let part = (libm::log2(Skill::of_level(0).aim_error / aim_error) / 4.2).clamp(0.0, 1.0);
        Some(Skill {
            aim_error,
            reaction_secs: f64::from(reaction) * period_secs,
            turn_per_sec: most / period_secs,
            speed,
            lead,
            dodging: dodging(&sights, reaction),
            cautious_below: Skill::of_level(Skill::HIGHEST).cautious_below * part,
        })
    }
}

/// How often somebody who stands in a fight runs again with the next decision: a bot draws anew at each. Who hardly ever stands always does.
fn dodging(sights: &[Sight], reaction: u32) -> f64 {
    let stands = |sight: &Sight| libm::hypot(sight.command.forward, sight.command.lateral) < STANDING;
    let fights = |sight: &Sight| !sight.by_lift && sight.enemies.iter().any(|(age, _)| *age >= reaction);
    let pairs = sights
        .windows(2)
        .filter(|pair| pair[0].tick + 1 == pair[1].tick && pair.iter().all(fights) && stands(&pair[0]));
    let (mut stood, mut ran) = (0.0, 0.0);
    for pair in pairs {
        stood += 1.0;
        ran += f64::from(u8::from(!stands(&pair[1])));
    }
    if stood < FEW { 1.0 } else { ran / stood }
}

/// A quantile; none of nothing.
fn quantile(of: &mut [f64], share: f64) -> Option<f64> {
    of.sort_by(f64::total_cmp);
    of.get(((of.len().max(1) - 1) as f64 * share).round() as usize).copied()
}

impl Watch for SkillWatcher {
    fn begin(&mut self) {
        self.life = None;
    }

    fn see(&mut self, seen: Seen<'_>, places: &Places) {
        SkillWatcher::see(self, seen.percept, seen.command, places);
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use repertoire_prob::Stream;

    use super::*;
    use crate::fighter::Fighter;
    use crate::{Cells, Link, Mind, Place, SeenCharacter};

    /// A row of points, and a bot that meets somebody who runs across its view again and again.
    fn measured(level: u8) -> Skill {
        let points: Vec<DVec3> = (0..12).map(|k| DVec3::new(3.0 * f64::from(k), 0.0, 0.0)).collect();
        let link = |to: usize| Link { to: Place(to as u16), how: How::Walk, millis: 600 };
        let links = (0..12_usize).map(|k| {
            let near = [k.checked_sub(1), Some(k + 1).filter(|&k| k < 12)];
            near.into_iter().flatten().map(link).collect()
        });
        let places =
            Places::new(points, links.collect(), Cells::default(), vec![], vec![]).expect("a row of points");
        let (mut bot, mut draw) = (Fighter::native(level), Stream::new(5, 0, "measured"));
        let mut watcher = SkillWatcher::default();
        let mut percept = Percept { period_secs: 0.1, rays_m: [9.0; 8], ..Percept::default() };
        (percept.own.life, percept.own.health, percept.own.on_ground) = (1, 100.0, true);
        (percept.own.ready, percept.own.eye_m, percept.own.position.x) = (true, 1.5, 15.0);
        for tick in 0..6000_u32 {
            percept.tick = tick;
            percept.characters.clear();
            // Three seconds in view, two out of it; from where it looks, now to the left, now to the right.
            let since = tick % 50;
            if since < 30 {
                let side = if (tick / 50) % 2 == 0 { 1.0 } else { -1.0 };
                let velocity = DVec3::new(0.0, -side * 5.0, 0.0);
                let position =
                    DVec3::new(15.0, side * 8.0, 0.0) + velocity * (0.1 * f64::from(since)) + DVec3::X * 14.0;
                percept.characters.push(SeenCharacter { id: 3, position, velocity, weapon: None });
            }
            let command = Mind::decide(&mut bot, &percept, &places, &mut draw);
            watcher.see(&percept, &command, &places);
            let own = &mut percept.own;
            let (sin, cos) = libm::sincos(own.yaw + command.yaw / 2.0);
            let way = DVec3::new(
                command.forward * cos - command.lateral * sin,
                command.forward * sin + command.lateral * cos,
                0.0,
            );
            own.velocity = way * 8.0;
            own.position += own.velocity * 0.1;
            own.yaw = wrap_angle(own.yaw + command.yaw);
            own.pitch += command.pitch;
        }
        watcher.finish().expect("it ran and met somebody")
    }

    #[test]
    fn the_skill_of_a_native_bot_is_found_again() {
        for level in [1, 3, 5] {
            let (found, is) = (measured(level), Skill::of_level(level));
            assert_eq!(found.speed.to_bits(), is.speed.to_bits(), "level {level}: speed");
            assert!((found.turn_per_sec - is.turn_per_sec).abs() < 1e-9, "level {level}: {found:?}");
            assert!((found.reaction_secs - is.reaction_secs).abs() < 0.06, "level {level}: {found:?}");
            assert!((found.aim_error / is.aim_error - 1.0).abs() < 0.15, "level {level}: {found:?} {is:?}");
            assert!((found.lead - is.lead).abs() < 0.2, "level {level}: {found:?} {is:?}");
            assert!((found.dodging - is.dodging).abs() < 0.2, "level {level}: {found:?} {is:?}");
        }
    }

    #[test]
    fn nobody_is_measured_who_did_nothing() {
        assert!(SkillWatcher::default().finish().is_none());
    }
}
