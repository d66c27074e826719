//! Following a teacher's trails on a map the teacher was recorded on: a motion graph.
//!
//! On such a map a pupil is *on* a recorded moment: one that was lived near its own place, at a like velocity. It stays on the trail by
//! doing what the teacher did there, and moves on to the next moment with every decision (or waits a moment, or skips one, as its body
//! is behind or ahead). It looks for another trail when its body has been carried off, when the trail ends, when somebody comes into view or
//! goes, before the trail ends, and now and then at a fork, where other trails pass at a like velocity. Which one is taken depends on how
//! well it fits, on how far it leads from where the decider wants to go, on how often it was done already, and on chance.

use glam::DVec3;
use repertoire_prob::Stream;
use serde::{Deserialize, Serialize};

use super::done::Done;
use super::lived::{At, Lived, map_print};
use super::{Deed, Moments};
use crate::{Own, Place, Places, wrap_angle};

/// One of this many trails is taken at a fork.
const TRAILS: usize = 6;
/// Moments nearer to each other than this are one trail.
const APART: u32 = 12;
/// A gap of 1 in place on the ground, in height, in velocity on the ground and upwards: to go on following, and to take another trail.
const FOLLOWING: [f64; 4] = [1.0, 1.2, 6.0, 12.0];
const TAKING: [f64; 4] = [0.7, 0.8, 2.0, 5.0];
/// A trail is given up at this gap, and not tried again for this many decisions; one that is farther is not taken.
const LOST: f64 = 12.0;
const AGAIN: u32 = 50;
const NEAR: f64 = 4.0;
const FARTHEST: f64 = 40.0;
/// The most failed trails that are remembered at once.
const MOST_FAILED: usize = 8;
/// Trails farther than this on the ground are not looked at, in metres.
const REACH_M: f64 = 4.0;
/// How often another trail is considered without need.
const FORKS: f64 = 0.05;
/// How often when the trail ends within [`END`] moments: at its very end there may be no other trail nearby.
const FORKS_AT_END: f64 = 0.3;
const END: u32 = 15;
/// When somebody came into view or went, another trail is looked for this often, in decisions.
const LOOK: u32 = 10;
/// The trail it is on is nearer than others by this much.
const STAYS: f64 = 1.0;
/// How much it counts, as a gap, that what comes was done once already.
const AGAIN_GAP: f64 = 20.0;
/// How much a second of way to the goal counts, as a gap.
const WAY: f64 = 0.3;
/// Where a trail leads is looked up this many moments later; a way longer than this many seconds is as bad as none.
const LATER: u32 = 20;
const LONGEST_SECS: f64 = 20.0;
/// How much of what the body is behind or ahead, in moments, is made up for at once, and how much at most.
const CATCHES_UP: f64 = 0.3;
const MOST_CAUGHT_UP: f64 = 0.4;
/// A view or an opponent's bearing that is off by this much is a gap of 1: with nobody in view, of somebody in view, and of the view then.
const VIEW: f64 = 0.35;
const BEARING: f64 = 0.4;
const VIEW_IN_FIGHT: f64 = 0.8;
/// The same of the logarithm of their distance.
const DISTANCE: f64 = 0.7;
/// How far a moment without somebody in view is from one with, and the other way round.
const ALONE: f64 = 3.0;
/// A trail that ends sooner than this many moments is not taken.
const LEAST_LEFT: u32 = 10;

/// A teacher slower than this, in metres a second, is not run after.
const SLOW: f64 = 3.0;

/// Who follows, and where.
pub(super) struct Here<'a> {
    pub tick: u32,
    pub period_secs: f64,
    pub own: &'a Own,
    /// The turn and the tilt to face an opponent in view, and how far they are.
    pub foe: Option<[f64; 3]>,
    pub places: &'a Places,
    /// Where the decider wants to go.
    pub goal: Option<Place>,
}

/// The trail that is followed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Trail {
    /// The map, by its number among those of the moments; looked up once a life.
    map: Option<Option<u32>>,
    /// The moment that the body is at.
    on: Option<u32>,
    /// Whether it has just been taken.
    is_new: bool,
    /// How far the body is past that moment, from 0 to 1.
    part: f64,
    /// When it may look for another trail again.
    look_at: u32,
    /// Where trails could not be followed, and until when they are not tried again.
    failed: Vec<(u32, u32)>,
    #[serde(default, skip_serializing_if = "Done::is_nothing")]
    done: Done,
}

impl Trail {
    /// Off all trails; what was done is not forgotten.
    pub fn leave(&mut self) {
        *self = Trail { done: std::mem::take(&mut self.done), ..Trail::default() };
    }

    /// The moment to do again now; none where no trail is near.
    pub fn follow(&mut self, moments: &Moments, here: &Here<'_>, draw: &mut Stream) -> Option<usize> {
        let map = *self.map.get_or_insert_with(|| {
            let print = map_print(here.places);
            moments.maps.iter().position(|&map| map == print).map(|map| map as u32)
        });
        let map = map?;
        let next = self.on.and_then(|on| self.next(moments, here, on));
        let now = here.tick;
        self.failed.retain(|&(_, until)| until > now);
        let keeps = next.filter(|&(gap, _)| gap < LOST).map(|(_, next)| next);
        if let (None, Some(on)) = (keeps, self.on)
            && self.failed.len() < MOST_FAILED
        {
            self.failed.push((on, now + AGAIN));
        }
        let is_apt = |next: usize| moments.deeds[next].foe.is_some() == here.foe.is_some();
        let ends = self.on.is_some_and(|on| moments.lived[on as usize].left < END);
        let forks = draw.unit() < if ends { FORKS_AT_END } else { FORKS };
        self.on = match keeps {
            Some(next) if (is_apt(next) || now < self.look_at) && !forks => Some(next as u32),
            _ => {
                self.look_at = now + LOOK;
                self.choose(moments, map, here, keeps, draw).map(|on| on as u32).or(keeps.map(|k| k as u32))
            }
        };
        self.is_new = self.on != keeps.map(|keeps| keeps as u32);
        if self.is_new {
            self.part = 0.0;
        }
        let on = self.on.map(|on| on as usize)?;
        self.done.add(moments, on);
        Some(on)
    }

    /// Whether the trail was taken with this decision.
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// How far the body is past the moment, from 0 to 1.
    pub fn part(&self) -> f64 {
        self.part
    }

    /// Moves on along the trail by about a moment, less for a body that is behind and more for one that is ahead; and how far the body
    /// is from there. None at its end.
    fn next(&mut self, moments: &Moments, here: &Here<'_>, on: u32) -> Option<(f64, usize)> {
        let at = |past: f64| {
            let on = on as usize + past as usize;
            (past < f64::from(moments.lived.get(on)?.left) + past.floor())
                .then(|| At::of(moments, on, past.fract()))
        };
        let expected = at(self.part + 1.0)?;
        let along = expected.velocity.truncate();
        let behind = (expected.position - here.own.position).truncate().dot(along);
        let behind = behind / along.length_squared().max(SLOW * SLOW) / here.period_secs;
        let rate = 1.0 - (CATCHES_UP * behind).clamp(-MOST_CAUGHT_UP, MOST_CAUGHT_UP);
        let past = self.part + rate;
        let now = at(past)?;
        self.part = past.fract();
        Some((place_gap(here.own, now.position, now.velocity, FOLLOWING), on as usize + past as usize))
    }

    /// A trail to take: the one it is on, or another that passes here.
    fn choose(
        &self,
        moments: &Moments,
        map: u32,
        here: &Here<'_>,
        keeps: Option<usize>,
        draw: &mut Stream,
    ) -> Option<usize> {
        let mut best = [(f64::INFINITY, 0_usize); TRAILS];
        for (k, (lived, deed)) in moments.lived.iter().zip(&moments.deeds).enumerate() {
            if lived.map != Some(map) || lived.left < LEAST_LEFT {
                continue;
            }
            let near = (lived.position - here.own.position).truncate();
            if near.x.abs() > REACH_M || near.y.abs() > REACH_M {
                continue;
            }
            let gap = gap(here, lived, deed) + self.again(moments, k);
            if gap > FARTHEST
                || place_gap(here.own, lived.position, lived.velocity, FOLLOWING) > NEAR
                || self.is_failed(k)
            {
                continue;
            }
            insert(&mut best, gap, k);
        }
        let stays = keeps.map(|k| {
            let (lived, deed) = (&moments.lived[k], &moments.deeds[k]);
            (gap(here, lived, deed) + self.again(moments, k) - STAYS, k)
        });
        let near = best.iter().copied().filter(|one| one.0.is_finite());
        let near = near.filter(|one| keeps.is_none_or(|keeps| one.1.abs_diff(keeps) > APART as usize));
        let weight = |(gap, k): (f64, usize)| libm::exp(-gap - WAY * self.way_secs(moments, here, k));
        let all = || near.clone().chain(stays);
        let sum: f64 = all().map(weight).sum();
        let mut left = draw.unit() * sum;
        let mut last = None;
        for one in all() {
            last = Some(one.1);
            left -= weight(one);
            if left <= 0.0 {
                break;
            }
        }
        last
    }

    /// How far a trail is for having been done already.
    fn again(&self, moments: &Moments, k: usize) -> f64 {
        AGAIN_GAP * self.done.times(moments, k)
    }

    fn is_failed(&self, k: usize) -> bool {
        self.failed.iter().any(|&(failed, _)| k.abs_diff(failed as usize) < APART as usize)
    }

    /// How long the way to the goal is from where a trail leads in two seconds.
    fn way_secs(&self, moments: &Moments, here: &Here<'_>, k: usize) -> f64 {
        let Some(goal) = here.goal else { return 0.0 };
        let later = k + moments.lived[k].left.min(LATER) as usize;
        let place = here.places.nearest(moments.lived[later].position);
        here.places.travel_secs(place, goal).unwrap_or(LONGEST_SECS).min(LONGEST_SECS)
    }
}

/// Keeps the nearest moments, one of each trail.
fn insert(best: &mut [(f64, usize); TRAILS], gap: f64, k: usize) {
    if let Some(same) = best.iter_mut().find(|one| one.0.is_finite() && k.abs_diff(one.1) < APART as usize) {
        if gap < same.0 {
            *same = (gap, k);
        }
    } else if gap < best[TRAILS - 1].0 {
        best[TRAILS - 1] = (gap, k);
    }
    best.sort_by(|a, b| a.0.total_cmp(&b.0));
}

/// How far a body is from where a moment was lived, and from how it moved there; squared, in spreads.
fn place_gap(own: &Own, position: DVec3, velocity: DVec3, spread: [f64; 4]) -> f64 {
    let off = position - own.position;
    let change = velocity - own.velocity;
    let square = |x: f64, spread: f64| x * x / (spread * spread);
    square(off.truncate().length(), spread[0])
        + square(off.z, spread[1])
        + square(change.truncate().length(), spread[2])
        + square(change.z, spread[3])
}

/// How far the present is from a moment.
fn gap(here: &Here<'_>, lived: &Lived, deed: &Deed) -> f64 {
    let square = |x: f64, spread: f64| x * x / (spread * spread);
    let turn = wrap_angle(lived.yaw - here.own.yaw);
    let off = match (here.foe, deed.foe) {
        (None, None) => square(turn, VIEW),
        (Some([yaw, _, far_m]), Some([then, _])) => {
            let ratio = libm::log(far_m.max(1.0) / lived.foe_m.max(1.0));
            square(wrap_angle(yaw - then), BEARING) + square(ratio, DISTANCE) + square(turn, VIEW_IN_FIGHT)
        }
        (Some(_), None) => ALONE + square(turn, VIEW_IN_FIGHT),
        (None, Some(_)) => ALONE + square(turn, VIEW),
    };
    off + place_gap(here.own, lived.position, lived.velocity, TAKING)
        + f64::from(u8::from(lived.on_ground != here.own.on_ground))
}

/// Whether the teacher left the ground in a moment: a key that is held does not make one jump twice.
pub(super) fn jumps(moments: &Moments, on: usize) -> bool {
    let lived = &moments.lived[on];
    match moments.lived.get(on + 1).filter(|_| lived.left > 0) {
        Some(next) => next.velocity.z > 4.0 && next.velocity.z > lived.velocity.z + 2.0,
        None => false,
    }
}
