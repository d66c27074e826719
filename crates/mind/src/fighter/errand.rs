//! Where a task leads: the place to go to, the spot to fetch something from, whether to stand.

use repertoire_prob::Stream;
use serde::{Deserialize, Serialize};

use super::situation::{Situation, arms_worth};
use super::vocabulary::Does;
use crate::memory::Memory;
use crate::route::Route;
use crate::{Beliefs, Item, Percept, Place, Places};

/// How often it thinks again about where to go for a task.
const THINK_SECS: f64 = 1.0;
/// A post is looked for within this way, a refuge too.
const POST_SECS: f64 = 4.0;
/// A spot that was stood on without getting anything is left alone for this long.
const NOT_AGAIN_SECS: f64 = 10.0;

/// Where a task leads, until it is thought about again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Errand {
    task: Option<u8>,
    /// The spot it wants an item from.
    pub spot: Option<u16>,
    /// Where it lies in wait.
    pub post: Option<Place>,
    pub route: Route,
    think_at: u32,
    /// How much of what it believes it hopes to see from where it goes.
    pub hope: f64,
}

/// What an errand is chosen by.
pub(super) struct Knowledge<'a> {
    pub percept: &'a Percept,
    pub places: &'a Places,
    pub situation: &'a Situation,
}

impl Errand {
    /// Whether it stands at its post.
    pub fn is_posted(&self, percept: &Percept, places: &Places) -> bool {
        self.post.is_some_and(|post| is_at(percept, places, post))
    }

    /// Chooses where the task leads, if it is time to, or goes on.
    pub fn pursue(
        &mut self,
        does: Does,
        of: &Knowledge<'_>,
        memory: &mut Memory,
        beliefs: Option<&mut Beliefs>,
        draw: &mut Stream,
    ) {
        let (now, ticks) = (of.percept.tick, |secs: f64| (secs / of.percept.period_secs).round() as u32);
        let reached = self.route.goal().is_none_or(|goal| is_at(of.percept, of.places, goal));
        if let Some(spot) = self.spot.filter(|_| reached || self.route.is_hopeless()) {
            // It stood there and did not get it, or got it just now: either way not again at once.
            memory.note_gone(usize::from(spot), now + ticks(NOT_AGAIN_SECS));
            self.spot = None;
        }
        let taken = self.spot.is_some_and(|spot| !memory.may_be_there(usize::from(spot), now));
        let same = self.task == Some(does as u8);
        if same && !reached && !taken && !self.route.is_hopeless() && now < self.think_at {
            return;
        }
        let roams = same && does == Does::Explore && !reached && !self.route.is_hopeless();
        if !same {
            self.post = None;
        }
        self.task = Some(does as u8);
        self.think_at = now + ticks(THINK_SECS);
        (self.spot, self.hope) = (None, 0.0);
        let goal = match does {
            _ if roams => return,
            Does::Attack => last_seen(of, memory),
            Does::Hunt => self.hunt(of, memory, beliefs).or_else(|| anywhere(of, draw)),
            Does::Ambush => {
                self.post = self.post.or_else(|| post(of, beliefs));
                self.post
            }
            Does::Flee => refuge(of, beliefs),
            Does::HealthSearch => self.fetch(of, memory, |item| f64::from(item == Item::Health)),
            Does::WeaponSearch => self.fetch(of, memory, |item| arms_worth(item, &of.percept.own)),
            Does::Explore => anywhere(of, draw),
            Does::DetectDanger => None,
        };
        self.route.set_goal(goal);
    }

    fn hunt(
        &mut self,
        of: &Knowledge<'_>,
        memory: &mut Memory,
        beliefs: Option<&mut Beliefs>,
    ) -> Option<Place> {
        if let Some(beliefs) = beliefs
            && let Some((lookout, hope)) = beliefs.best_lookout(of.situation.here, of.places)
        {
            self.hope = hope;
            return Some(lookout);
        }
        last_seen(of, memory)
    }

    fn fetch(&mut self, of: &Knowledge<'_>, memory: &Memory, worth: impl Fn(Item) -> f64) -> Option<Place> {
        let mut best: Option<(u16, Place, f64)> = None;
        for (k, spot) in of.places.spots().iter().enumerate() {
            let (worth, Some(place)) = (worth(spot.item), spot.place) else { continue };
            if worth <= 0.0 || !memory.may_be_there(k, of.percept.tick) {
                continue;
            }
            let Some(secs) = of.places.travel_secs(of.situation.here, place) else { continue };
            let worth = worth / (secs + 2.0);
            if best.is_none_or(|(_, _, most)| worth > most) {
                best = Some((k as u16, place, worth));
            }
        }
        let (spot, place, _) = best?;
        self.spot = Some(spot);
        Some(place)
    }
}

/// Whether a body is at a place, on the same floor.
pub(super) fn is_at(percept: &Percept, places: &Places, place: Place) -> bool {
    let (own, point) = (percept.own.position, places.point(place));
    own.truncate().distance(point.truncate()) < 0.8 && (own.z - point.z).abs() < 1.75
}

/// Where the enemy lost last probably ran to; forgotten once it was looked at.
fn last_seen(of: &Knowledge<'_>, memory: &mut Memory) -> Option<Place> {
    let lost = of.situation.lost?;
    let there = of.places.nearest(lost.position + lost.velocity.with_z(0.0) * 0.5);
    let here = of.situation.here;
    if there == here || of.places.travel_secs(here, there).is_none() || of.places.is_harmful(there) {
        memory.lose(lost.id);
        return None;
    }
    Some(there)
}

fn anywhere(of: &Knowledge<'_>, draw: &mut Stream) -> Option<Place> {
    let goal = Place((draw.unit() * of.places.points().len() as f64) as u16);
    let here = of.situation.here;
    (goal != here && of.places.travel_secs(here, goal).is_some() && !of.places.is_harmful(goal))
        .then_some(goal)
}

/// Near places that can be gone to.
fn near<'a>(of: &Knowledge<'a>) -> impl Iterator<Item = (Place, f64)> + 'a {
    let (places, here) = (of.places, of.situation.here);
    let secs = move |place: Place| if place == here { Some(0.0) } else { places.travel_secs(here, place) };
    (0..places.points().len() as u16)
        .map(Place)
        .filter(move |place| !places.is_harmful(*place))
        .filter_map(move |place| Some((place, secs(place)?)))
        .filter(|(_, secs)| *secs <= POST_SECS)
}

/// The place nearby from which most of what is believed is seen, and from where the enemy must come.
fn post(of: &Knowledge<'_>, beliefs: Option<&mut Beliefs>) -> Option<Place> {
    let probable = beliefs.map_or(Vec::new(), |beliefs| beliefs.probable(24));
    let seen = |from: Place| -> f64 {
        let in_view = probable.iter().filter(|(at, _)| of.places.sees(from, *at) == Some(true));
        in_view.map(|(_, p)| p).sum()
    };
    let best = near(of).map(|(place, secs)| (place, seen(place) / (secs + 1.0)));
    best.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, worth)| *worth > 0.0).map(|(place, _)| place)
}

/// The place nearby where enemies, seen and believed, are least likely to see it.
fn refuge(of: &Knowledge<'_>, beliefs: Option<&mut Beliefs>) -> Option<Place> {
    let mut enemies: Vec<(Place, f64)> = beliefs.map_or(Vec::new(), |beliefs| beliefs.probable(16));
    let shown = of.situation.enemy.or(of.situation.lost);
    enemies.extend(shown.map(|enemy| (of.places.nearest(enemy.position), 2.0)));
    let danger = |place: Place| -> f64 {
        let one = |(at, p): &(Place, f64)| {
            let far = of.places.point(*at).distance(of.places.point(place));
            p * (f64::from(of.places.sees(*at, place) != Some(false)) + 4.0 / (2.0 + far))
        };
        enemies.iter().map(one).sum()
    };
    let best = near(of).map(|(place, secs)| (place, danger(place) + 0.05 * secs));
    best.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(place, _)| place)
}
