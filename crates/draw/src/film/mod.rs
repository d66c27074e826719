//! A stretch of a match as an animated picture: the map from above, bodies that move and turn, shots; and under it one
//! decision, explained stage by stage while the match stands still.
//!
//! The animation is SVG's own (SMIL), without a script, so that it also plays where pictures may not run any: in a README.
//!
//! | module     | what it holds                                                |
//! |------------|--------------------------------------------------------------|
//! | this one   | the recording of a match, and which stretch of it is shown   |
//! | `decision` | a decision in words, stage by stage                          |
//! | `animate`  | attributes that change over time                             |
//! | `stage`    | the map with everybody on it                                 |
//! | `picture`  | the whole picture                                            |

mod animate;
mod decision;
mod picture;
mod stage;

pub use decision::Decision;

use glam::{DVec2, DVec3};
use repertoire_mind::{Event, Fire, Weapon};
use repertoire_prob::num::{cos, sin};
use repertoire_worlds::arena::game::Match;
use repertoire_worlds::arena::map::Map;
use repertoire_worlds::arena::rules::body::EYE_M;
use repertoire_worlds::arena::world::World;

/// A character at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Body {
    at: DVec2,
    yaw: f64,
    is_alive: bool,
    health: f64,
    frags: i32,
}

/// A shot that hits at once.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Shot {
    by: usize,
    from: DVec2,
    to: DVec2,
}

/// Everything that is shown of one moment.
#[derive(Clone, Debug)]
struct Frame {
    bodies: Vec<Body>,
    shots: Vec<Shot>,
    projectiles: Vec<DVec2>,
    /// Which of the map's items lie there.
    items: Vec<bool>,
    /// Who died just now.
    deaths: Vec<usize>,
    /// What the followed character decides at this moment; none at the end and while it is dead.
    decision: Option<Decision>,
}

/// A match as it is recorded for a film: call [`Film::take`] after each tick.
#[derive(Clone, Debug)]
pub struct Film {
    map: Map,
    names: Vec<String>,
    seed: u64,
    follow: usize,
    period_secs: f64,
    view_deg: f64,
    full_health: f64,
    frames: Vec<Frame>,
}

impl Film {
    /// The film of a match that has just begun. `follow` is the character whose decisions are explained.
    pub fn new(game: &Match, seed: u64, follow: usize) -> Self {
        let world = game.world();
        Film {
            map: world.level().map().clone(),
            names: game.contenders().iter().map(|contender| contender.name.clone()).collect(),
            seed,
            follow,
            period_secs: world.rules().period_secs(),
            view_deg: world.rules().view_width_deg,
            full_health: world.rules().health,
            frames: vec![frame(world)],
        }
    }

    /// Records what the last tick brought.
    pub fn take(&mut self, game: &Match) {
        let decided = Decision::of(game, self.follow, &self.names);
        if let Some(last) = self.frames.last_mut() {
            // Decided on what was to be seen then.
            let is_alive = last.bodies.get(self.follow).is_some_and(|body| body.is_alive);
            last.decision = decided.filter(|_| is_alive);
        }
        self.frames.push(frame(game.world()));
    }

    /// The picture of this many seconds around the decision after which most happens.
    pub fn svg(&self, seconds: f64) -> String {
        let length = ((seconds / self.period_secs).round() as usize).clamp(2, self.frames.len().max(2));
        let (from, moment) = self.stretch(length);
        let to = (from + length).min(self.frames.len());
        picture::picture(self, &self.frames[from..to], moment.map(|moment| moment - from), from)
    }

    /// Where the stretch begins, and the moment of its decision: one that changes what the followed character does.
    fn stretch(&self, length: usize) -> (usize, Option<usize>) {
        let task = |k: usize| self.frames[k].decision.as_ref().map(|decision| decision.task.as_str());
        let last = self.frames.len().saturating_sub(length);
        // It is shown what led to the decision, and longer what comes of it.
        let start = |moment: usize| moment.saturating_sub(length * 3 / 8).min(last);
        let worth = |moment: usize| {
            let frames = &self.frames[start(moment)..(start(moment) + length).min(self.frames.len())];
            let shots: usize =
                frames.iter().map(|frame| frame.shots.len() + frame.projectiles.len().min(1)).sum();
            let deaths: usize = frames.iter().map(|frame| frame.deaths.len()).sum();
            let tasks = frames.windows(2).filter(|pair| {
                let name = |frame: &Frame| frame.decision.as_ref().map(|decision| decision.task.clone());
                name(&pair[0]) != name(&pair[1])
            });
            let reasons = self.frames[moment].decision.as_ref().map_or(0, |decision| decision.reasons.len());
            // One death and some changes of mind make a story; more of them a muddle.
            40 * deaths.min(1) + shots.min(30) + 4 * tasks.count().min(5) + 3 * reasons.min(3)
        };
        let changes = (1..self.frames.len()).filter(|&k| {
            let moment_fits = k >= start(k) && k + 3 < start(k) + length;
            task(k - 1).is_some() && task(k).is_some() && task(k) != task(k - 1) && moment_fits
        });
        // The first of the best.
        let best = changes
            .map(|moment| (worth(moment), moment))
            .reduce(|best, one| if one.0 > best.0 { one } else { best });
        match best {
            Some((_, moment)) => (start(moment), Some(moment)),
            None => (0, (0..self.frames.len().min(length)).find(|&k| task(k).is_some())),
        }
    }
}

fn frame(world: &World) -> Frame {
    let body = |id: usize| {
        let look = world.look(id);
        let health = if look.alive { look.health.max(0.0) } else { 0.0 };
        Body {
            at: look.position.truncate(),
            yaw: look.yaw,
            is_alive: look.alive,
            health,
            frags: world.tally(id).frags,
        }
    };
    let has_died = |&id: &usize| world.events(id).iter().any(|event| matches!(event, Event::Died { .. }));
    Frame {
        bodies: (0..world.len()).map(body).collect(),
        shots: (0..world.len()).filter_map(|id| shot(world, id)).collect(),
        projectiles: world.projectiles().map(DVec3::truncate).collect(),
        items: (0..world.level().map().items.len()).map(|spot| world.is_there(spot)).collect(),
        deaths: (0..world.len()).filter(has_died).collect(),
        decision: None,
    }
}

/// What a character fired since the last decision, unless it flies: to whom it struck, or to the next wall.
fn shot(world: &World, by: usize) -> Option<Shot> {
    const FAR_M: f64 = 60.0;
    let fired = |weapon: Weapon, fire: Fire| {
        world.rules().mode(weapon, fire).is_some_and(|mode| mode.projectile.is_none())
    };
    let events = world.events(by);
    events.iter().find(|event| matches!(event, Event::Fired { weapon, fire } if fired(*weapon, *fire)))?;
    let look = world.look(by);
    let struck = events.iter().find_map(|event| match event {
        Event::Struck { victim, .. } => Some(world.look(usize::from(*victim)).position.truncate()),
        _ => None,
    });
    let eye = look.position + DVec3::new(0.0, 0.0, EYE_M);
    let end = eye + DVec3::new(cos(look.yaw), sin(look.yaw), 0.0) * FAR_M;
    let wall = || eye.lerp(end, world.scene().cast_level(eye, end).unwrap_or(1.0)).truncate();
    Some(Shot { by, from: look.position.truncate(), to: struck.unwrap_or_else(wall) })
}

#[cfg(test)]
mod tests;
