//! Where a task leads: the place to go to, the spot to fetch something from, whether to stand.

use repertoire_prob::Stream;
use serde::{Deserialize, Serialize};

use super::situation::{Situation, arms_worth};
use super::vocabulary::Does;
use crate::memory::{Enemy, Memory};
use crate::route::Route;
use crate::{AMMUNITION, Beliefs, Item, Own, Percept, Place, Places, Spot, Weapon, arms};

/// How often it thinks again about where to go for a task.
pub(super) const THINK_SECS: f64 = 1.0;
/// A post is looked for within this way, a refuge too.
const POST_SECS: f64 = 4.0;
/// A spot that was stood on without getting anything is left alone for this long.
pub(super) const NOT_AGAIN_SECS: f64 = 10.0;

/// Where a task leads, until it is thought about again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Errand {
    task: Option<u8>,
    /// The spot it wants an item from.
    pub spot: Option<u16>,
    /// Where it lies in wait.
    pub post: Option<Place>,
    pub route: Route,
    pub think_at: u32,
    /// How much of what it believes it hopes to see from where it goes.
    pub hope: f64,
}

/// What an errand is chosen by.
pub(super) struct Knowledge<'a> {
    pub percept: &'a Percept,
    pub places: &'a Places,
    pub situation: &'a Situation,
    /// How much it counts against an item that the enemy sees it, or is there sooner.
    pub cover: f64,
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
        let (now, ticks) = (of.percept.tick, |secs: f64| of.percept.ticks(secs));
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
        let here = of.situation.here;
        let goal = match does {
            _ if roams => return,
            Does::Attack => lost(of, memory),
            Does::Hunt => self.hunt(of, memory, beliefs).or_else(|| anywhere(of.places, here, draw)),
            Does::Ambush => {
                self.post = self.post.or_else(|| post(of, beliefs));
                self.post
            }
            Does::Flee => refuge(of, beliefs),
            Does::HealthSearch => self.fetch(of, memory, |item| f64::from(item.is_health())),
            Does::WeaponSearch => self.fetch(of, memory, |item| arms_worth(item, &of.percept.own)),
            Does::Explore => anywhere(of.places, here, draw),
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
        lost(of, memory)
    }

    fn fetch(&mut self, of: &Knowledge<'_>, memory: &Memory, worth: impl Fn(Item) -> f64) -> Option<Place> {
        let (percept, places, here) = (of.percept, of.places, of.situation.here);
        let enemy = of.situation.enemy.or(of.situation.lost).filter(|_| of.cover > 0.0);
        let found = match enemy {
            None => best_spot(percept, places, here, memory, |spot| worth(spot.item)),
            Some(enemy) => {
                let at = places.nearest(enemy.position);
                let under_cover = |spot: &Spot| {
                    let Some(place) = spot.place else { return 0.0 };
                    let sees = places.sees(at, place) != Some(false);
                    let secs = |from: Place| {
                        if from == place { 0.0 } else { places.travel_secs(from, place).unwrap_or(1e3) }
                    };
                    let sooner = secs(at) < secs(here);
                    worth(spot.item) / (1.0 + of.cover * f64::from(u8::from(sees) + u8::from(sooner)))
                };
                best_spot(percept, places, here, memory, under_cover)
            }
        };
        let (spot, place, _) = found?;
        self.spot = Some(spot);
        Some(place)
    }
}

/// The spot with the most value per second of way, and how much that is.
pub(super) fn best_spot(
    percept: &Percept,
    places: &Places,
    here: Place,
    memory: &Memory,
    worth: impl Fn(&Spot) -> f64,
) -> Option<(u16, Place, f64)> {
    let mut best: Option<(u16, Place, f64)> = None;
    for (k, spot) in places.spots().iter().enumerate() {
        let (worth, Some(place)) = (worth(spot), spot.place) else { continue };
        if worth <= 0.0 || !memory.may_be_there(k, percept.tick) {
            continue;
        }
        let Some(secs) = places.travel_secs(here, place) else { continue };
        let worth = worth / (secs + 2.0);
        if best.is_none_or(|(_, _, most)| worth > most) {
            best = Some((k as u16, place, worth));
        }
    }
    best
}

/// What an item is worth to a character in this state.
pub(super) fn value(item: Item, own: &Own) -> f64 {
    let short = |weapon: Weapon, plenty: f64| 1.0 - (f64::from(own.ammo[weapon.index()]) / plenty).min(1.0);
    if !own.pack.is_empty() {
        return value_in_quake(item, own);
    }
    match item {
        Item::Health => ((100.0 - own.health) / 50.0).min(1.2),
        Item::Weapon(weapon) if !own.weapons[weapon.index()] => match weapon {
            Weapon::Strong => 1.5,
            _ => 1.0,
        },
        Item::Weapon(weapon) => 0.6 * short(weapon, 10.0),
        Item::Ammo(weapon) if own.weapons[weapon.index()] => 0.6 * short(weapon, 10.0),
        Item::Ammo(_) => 0.05,
        other => value(other.simple(), own),
    }
}

/// The same among Quake's items. The rocket launcher and lightning decide fights, and armour more than health.
fn value_in_quake(item: Item, own: &Own) -> f64 {
    let short = |weapon: Weapon, plenty: f64| 1.0 - (f64::from(own.shots(weapon)) / plenty).min(1.0);
    let hurt = ((100.0 - own.health) / 50.0).min(1.2);
    match item {
        Item::Health | Item::SmallHealth => hurt,
        Item::MegaHealth => 1.2 + hurt.max(0.0),
        Item::Armour(armour) => {
            let gains = (armour.points() - f64::from(own.pack.armour)).max(0.0);
            1.2 * armour.takes() * gains / 100.0
        }
        Item::Quad => 3.0,
        Item::Weapon(weapon) if !own.owns(weapon) => match weapon {
            Weapon::RocketLauncher | Weapon::LightningGun => 2.0,
            Weapon::GrenadeLauncher | Weapon::Nailgun => 0.5,
            _ => 1.0,
        },
        Item::Weapon(weapon) => 0.5 * short(weapon, 15.0),
        Item::Ammo(weapon) | Item::LargeAmmo(weapon) => {
            let fires = |other: &Weapon| arms::row(*other).ammo_kind == arms::row(weapon).ammo_kind;
            let best = Weapon::QUAKE.into_iter().rev().find(|other| own.owns(*other) && fires(other));
            best.map_or(0.05, |best| 0.6 * short(best, if weapon == AMMUNITION[2] { 10.0 } else { 40.0 }))
        }
    }
}

/// Whether a body is beside a place, on whatever floor.
pub(super) fn is_beside(percept: &Percept, places: &Places, place: Place) -> bool {
    percept.own.position.truncate().distance(places.point(place).truncate()) < 0.8
}

/// Whether a body is at a place, on the same floor.
pub(super) fn is_at(percept: &Percept, places: &Places, place: Place) -> bool {
    is_beside(percept, places, place) && (percept.own.position.z - places.point(place).z).abs() < 1.75
}

/// Where an enemy that was lost probably ran to; none if it is here, or nobody can or should go there.
pub(super) fn last_seen(lost: &Enemy, places: &Places, here: Place) -> Option<Place> {
    let there = places.nearest(lost.position + lost.velocity.with_z(0.0) * 0.5);
    can_go(places, here, there).then_some(there)
}

/// Whether a place is somewhere else, and can be gone to without harm.
pub(super) fn can_go(places: &Places, here: Place, there: Place) -> bool {
    there != here && places.travel_secs(here, there).is_some() && !places.is_harmful(there)
}

/// Where the enemy lost last probably ran to; forgotten once it was looked at.
fn lost(of: &Knowledge<'_>, memory: &mut Memory) -> Option<Place> {
    let lost = of.situation.lost?;
    let there = last_seen(&lost, of.places, of.situation.here);
    if there.is_none() {
        memory.lose(lost.id);
    }
    there
}

/// A place drawn at random, if it can be gone to.
pub(super) fn anywhere(places: &Places, here: Place, draw: &mut Stream) -> Option<Place> {
    let goal = Place((draw.unit() * places.points().len() as f64) as u16);
    can_go(places, here, goal).then_some(goal)
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
