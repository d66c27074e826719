//! A life as it was lived, with moments that can be lived again.

use std::sync::Arc;

use repertoire_mind::{Command, DVec2, DVec3, Fire, Mind, Percept, Place, Places};
use repertoire_prob::Stream;
use repertoire_prob::num::{cos, sin};
use repertoire_worlds::arena::game::{Contender, Match, SavedMatch};
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::rules::Rules;

use crate::Entry;

/// Decisions of a moment that is lived again: a second.
pub(super) const WINDOW: usize = 10;
/// Decisions from one moment to the next.
pub(super) const EVERY: usize = 7;

/// What the subject of a match perceived, did and was up to, and moments at which the match was saved.
pub(super) struct Life {
    pub level: Arc<Level>,
    /// The subject's number in the match.
    pub own: usize,
    pub percepts: Vec<Percept>,
    pub commands: Vec<Command>,
    /// The subject's task at each decision, and whether it lived.
    pub tasks: Vec<(String, bool)>,
    /// What the opponents perceived of the subject: how it stood to them, if it was in somebody's view.
    pub shown: Vec<Option<Shown>>,
    pub moments: Vec<Moment>,
    /// For each life of a subject that learns from those it watches: how surprising a teacher's unseen play was at its beginning, in nats per
    /// choice of a way.
    pub teacher_nats: Vec<f64>,
}

/// What is kept of a match beside what the subject did.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Keeping<'a> {
    /// Moments that can be lived again.
    pub moments: bool,
    /// Routes of a teacher, to be held against what the subject has learned.
    pub teacher: &'a [Vec<Place>],
}

/// The subject as an opponent sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shown {
    /// Metres a second towards the opponent.
    pub approaches: f64,
    /// Metres a second across.
    pub crosses: f64,
    /// Whether it looks at the opponent, within 30 degrees.
    pub looks_here: bool,
    /// Whether it fired.
    pub fires: bool,
    /// Whether it runs straight to where an item lies.
    pub fetches: bool,
    /// How it runs, in metres a second, and where it looks.
    pub run: DVec2,
    pub yaw: f64,
}

/// A moment: the match before the subject's decision.
pub(super) struct Moment {
    /// The number of the decision in the life.
    pub at: usize,
    pub saved: SavedMatch,
    pub draw: Stream,
}

/// When a match is over.
#[derive(Clone, Copy, Debug)]
pub(super) enum Until {
    /// After this many seconds.
    Secs(f64),
    /// When this many lives are over and this many seconds gone, or after the most seconds.
    Lives { lives: u32, secs: f64, most_secs: f64 },
}

impl Until {
    fn is_over(self, at: usize, life: u32) -> bool {
        let gone_secs = at as f64 * Rules::default().period_secs();
        match self {
            Until::Secs(secs) => gone_secs >= secs - 1e-9,
            Until::Lives { lives, secs, most_secs } => {
                gone_secs >= most_secs - 1e-9 || (life > lives && gone_secs >= secs - 1e-9)
            }
        }
    }
}

/// Plays a match of the subject against opponents, and keeps what can be lived again.
pub(super) fn live(
    subject: &Entry,
    opponents: &[Entry],
    level: &Arc<Level>,
    until: Until,
    seed: u64,
    keeping: Keeping<'_>,
) -> Life {
    let sit = |entry: &Entry| Contender { name: entry.name.clone(), mind: (entry.make)() };
    let seats = std::iter::once(subject).chain(opponents).map(sit).collect();
    let mut game = Match::new(Arc::clone(level), Rules::default(), seats, seed);
    let mut life = Life::new(Arc::clone(level));
    let own = life.own;
    for at in 0.. {
        let lived = life.percepts.last().map_or(0, |percept| percept.own.life);
        if until.is_over(at, lived) {
            break;
        }
        game.perceive();
        if keeping.moments && at % EVERY == EVERY - 1 && game.world().is_alive(own) {
            life.moments.push(Moment { at, saved: game.save(), draw: game.draws()[own].clone() });
        }
        game.decide();
        if game.percepts()[own].own.life != lived {
            let mind = &game.contenders()[own].mind;
            life.teacher_nats.extend(surprise(&**mind, keeping.teacher, level.places()));
        }
        life.keep(&game);
        game.advance();
    }
    life
}

/// Nats per choice of a way of some routes, to a mind that learns from those it watches; none for others.
fn surprise(mind: &dyn Mind, routes: &[Vec<Place>], places: &Places) -> Option<f64> {
    let (mut sum, mut choices) = (0.0, 0);
    for route in routes {
        let (nats, count) = mind.surprise(route, places)?;
        (sum, choices) = (sum + nats, choices + count);
    }
    (choices > 0).then(|| sum / choices as f64)
}

/// How the subject moves and looks, as seen by the nearest opponent that has it in view.
fn shown(game: &Match, own: usize) -> Option<Shown> {
    let world = game.world();
    if !world.is_alive(own) {
        return None;
    }
    let seen = |id: usize, percept: &Percept| {
        id != own
            && world.is_alive(id)
            && percept.characters.iter().any(|character| usize::from(character.id) == own)
    };
    let look = world.look(own);
    let observers = game.percepts().iter().enumerate().filter(|(id, percept)| seen(*id, percept));
    let way = |percept: &Percept| percept.own.position - look.position;
    let nearest = observers
        .map(|(_, percept)| way(percept))
        .min_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))?;
    let towards = nearest.normalize_or_zero();
    let approaches = look.velocity.dot(towards);
    let across = look.velocity - approaches * towards;
    let facing = DVec3::new(cos(look.yaw), sin(look.yaw), 0.0);
    Some(Shown {
        approaches,
        crosses: across.truncate().length(),
        looks_here: facing.dot(towards) > 0.866,
        fires: game.commands()[own].fire != Fire::None,
        fetches: heads_for_item(game, look.position, look.velocity),
        run: look.velocity.truncate(),
        yaw: look.yaw,
    })
}

/// Whether somebody runs straight to a spot of an item nearby.
fn heads_for_item(game: &Match, position: DVec3, velocity: DVec3) -> bool {
    let run = velocity.truncate();
    let speed = run.length();
    let heads = |spot: DVec3| {
        let way = (spot - position).truncate();
        way.length() < 10.0 && way.dot(run) > 0.94 * way.length() * speed
    };
    speed > 1.5 && game.world().level().places().spots().iter().any(|spot| heads(spot.position))
}

impl Life {
    /// Nothing was lived yet; the subject sits first.
    pub fn new(level: Arc<Level>) -> Self {
        Life {
            level,
            own: 0,
            percepts: Vec::new(),
            commands: Vec::new(),
            tasks: Vec::new(),
            shown: Vec::new(),
            moments: Vec::new(),
            teacher_nats: Vec::new(),
        }
    }

    /// Keeps what was decided, before the world moves on.
    pub fn keep(&mut self, game: &Match) {
        let own = self.own;
        self.percepts.push(game.percepts()[own].clone());
        // As the body obeys it: a turn without end is the same as another one.
        self.commands.push(game.commands()[own].sane());
        self.tasks.push((game.contenders()[own].mind.task().to_owned(), game.world().is_alive(own)));
        self.shown.push(shown(game, own));
    }

    /// Whether the subject lives through the window after a decision, in one life, with as many decisions before it.
    pub fn holds(&self, at: usize, before: usize) -> bool {
        let (Some(from), to) = (at.checked_sub(before), at + WINDOW) else { return false };
        to <= self.percepts.len()
            && self.tasks[from..to].iter().all(|(_, alive)| *alive)
            && self.percepts[from..to].iter().all(|percept| percept.own.life == self.percepts[at].own.life)
    }

    /// What the subject would have done, had it perceived something else (`change` gets each percept and how many decisions after
    /// the moment it comes), with this stream of chance.
    ///
    /// Up to the first decision that differs from what it did, this is exactly what would have happened: the body did the same.
    pub fn again(
        &self,
        moment: &Moment,
        subject: &Entry,
        mut draw: Stream,
        change: &dyn Fn(usize, &mut Percept),
    ) -> Vec<Command> {
        let mut mind: Box<dyn Mind> = (subject.make)();
        if mind.restore(moment.saved.mind(self.own)).is_err() {
            return Vec::new();
        }
        let one = |after: usize| {
            let mut percept = self.percepts[moment.at + after].clone();
            change(after, &mut percept);
            mind.decide(&percept, self.level.places(), &mut draw).sane()
        };
        (0..WINDOW).map(one).collect()
    }
}
