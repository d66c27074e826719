//! A character: what it believes, what it wants, and choosing what to do.
//!
//! One decision is: reason about every goal that does not hold, collect the alternatives, let every motivation speak,
//! combine, and take the best (definition 6: the selection of an action is the selection of an alternative).
//!
//! Differs from the paper: a satisfied goal is left out (its printed priority of -∞ breaks the product). Where one deed
//! starts several alternatives, it is worth what its best alternative is. Multi-goal revaluation counts the different
//! goals that a deed serves now. Where all alternatives are worth nothing only because a threshold of time or space is
//! small, the printed formulas, negative there, decide; what is inhibited is not among them. A deed belongs to the alternative chosen last also when that spoke of "an axe" and the
//! axe has been met since.

use serde::{Deserialize, Serialize};

use crate::expression::{Condition, Term, Test, What, holds};
use crate::goal::{Goal, Standing};
use crate::laws::Laws;
use crate::memory::{Memory, View, changed};
use crate::motivation::Candidate;
use crate::profile::Temper;
use crate::reason::{Alternatives, Deed, Limits, Tree, grow};
use crate::space::Space;
use crate::vocabulary::{InteractionId, NameId, ThingId};

/// What one alternative is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weighed {
    /// Which, in [`Character::alternatives`].
    pub alternative: u32,
    /// What can be done now.
    pub deed: Deed,
    /// For which goal.
    pub goal: u16,
    /// The combined value.
    pub value: f64,
    first: u32,
}

/// A motivation that calls an alternative of the last decision worthless because of its threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CutOff {
    /// Which alternative, in [`Decision::weighed`].
    pub weighed: u32,
    /// Which motivation, in [`Temper::evaluators`].
    pub evaluator: u32,
    /// What the printed formula says; not above 0.
    pub printed: f64,
}

/// A decision with its reasons.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decision {
    /// Every alternative, in the order of goals and trees.
    pub weighed: Vec<Weighed>,
    values: Vec<f64>,
    width: usize,
    /// The best, if any is worth more than nothing; or, where thresholds of time or space alone say that none is, the best as
    /// the printed formulas have it, with a value not above 0.
    pub chosen: Option<u32>,
}

impl Decision {
    /// What each motivation said about an alternative, in the order of [`Temper::evaluators`].
    pub fn values(&self, weighed: &Weighed) -> &[f64] {
        let first = weighed.first as usize;
        &self.values[first..first + self.width]
    }

    /// The best alternative.
    pub fn best(&self) -> Option<&Weighed> {
        self.chosen.map(|chosen| &self.weighed[chosen as usize])
    }
}

/// A character.
///
/// ```
/// use std::sync::Arc;
///
/// use repertoire_character::expression::{Condition, Op, Term, Test, Who};
/// use repertoire_character::{Character, Goal, Influence, Laws, Limits, Memory, Nowhere, Profile};
/// use repertoire_character::{Roster, Seen, Temper, ThingId, Value};
///
/// let laws = Laws::read(
///     r#"
///     [interaction.eat]
///     action = "actor.energy.add(5)"
///
///     [kind.person]
///     performs = ["eat"]
///     properties = { energy = 3 }
///
///     [kind.apple]
///     undergoes = ["eat"]
///     "#,
/// )?;
/// // Thing 0 is the person, thing 1 an apple, and the person has seen both.
/// let kind = |name: &str| laws.find_kind(name).expect("declared");
/// let things = ["person", "apple"].map(|name| (kind(name), laws.kind(kind(name)).name)).to_vec();
/// let mut memory = Memory::new(ThingId(0), Arc::new(Roster { things }));
/// for (thing, name, values) in [(0, "person", &[Value::Number(3.0)][..]), (1, "apple", &[])] {
///     memory.see(Seen { thing: ThingId(thing), kind: kind(name), place: Some(0), holder: None, values }, 0, &laws);
/// }
/// // It wants energy of 10 at least.
/// let energy = Term::Property(Who::Actor, laws.find_property("energy").expect("declared"));
/// let want = Condition::Test(Test::Compare(energy, Op::AtLeast, Term::Value(Value::Number(10.0))));
/// let influence = Influence::Constant(5.0);
/// let fed = Goal { name: "fed".into(), want, influence, whose: ThingId(0), asks: false };
///
/// let temper = Temper::new(&Profile::default(), &laws);
/// let mut character = Character::new(memory, vec![fed]);
/// character.reason(&laws, &Nowhere, &temper, &Limits::default());
/// let chosen = character.weigh(&laws, &Nowhere, &temper, &|_| 1.0).expect("something to do");
/// assert_eq!(chosen.deed.target(), Some(ThingId(1)), "it eats the apple");
/// # Ok::<(), repertoire_character::laws::Mistake>(())
/// ```
#[derive(Clone, Debug)]
pub struct Character {
    /// What it believes.
    pub memory: Memory,
    goals: Vec<Goal>,
    trees: Vec<Tree>,
    alternatives: Alternatives,
    /// For each alternative, how many goals its first deed serves.
    served: Vec<u32>,
    /// What lasting evaluators said about each alternative, and the temper they belong to.
    lasting: Vec<f64>,
    lasting_of: Option<u64>,
    /// The alternative chosen last.
    last: Vec<Deed>,
    decision: Decision,
    /// Whether the alternatives are no longer those of the trees.
    stale: bool,
    /// Nodes worked out and nodes taken over in the last decision.
    pub grown: (usize, usize),
}

/// What must be saved of a character; the rest is worked out again from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Saved {
    /// What it believes.
    pub memory: Memory,
    /// The alternative chosen last.
    pub last: Vec<SavedDeed>,
}

/// A deed as it is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SavedDeed {
    /// Interaction, target, item.
    Perform(u16, u32, Option<u32>),
    /// Walking to a thing.
    Approach {
        /// Which.
        approach: u32,
    },
    /// Walking away from a thing.
    AvoidThing {
        /// Which.
        avoid: u32,
    },
    /// Walking away from all of a name or kind.
    AvoidWord {
        /// Which word.
        avoid_all: u16,
    },
    /// Exploring.
    Explore,
}

impl From<Deed> for SavedDeed {
    fn from(deed: Deed) -> Self {
        match deed {
            Deed::Perform { interaction, target, item } => {
                SavedDeed::Perform(interaction.0, target.0, item.map(|item| item.0))
            }
            Deed::Approach(to) => SavedDeed::Approach { approach: to.0 },
            Deed::Avoid(What::Thing(thing)) => SavedDeed::AvoidThing { avoid: thing.0 },
            Deed::Avoid(What::Word(word)) => SavedDeed::AvoidWord { avoid_all: word.0 },
            Deed::Explore | Deed::Go(_) | Deed::Case(_) => SavedDeed::Explore,
        }
    }
}

impl From<SavedDeed> for Deed {
    fn from(saved: SavedDeed) -> Self {
        match saved {
            SavedDeed::Perform(interaction, target, item) => Deed::Perform {
                interaction: InteractionId(interaction),
                target: ThingId(target),
                item: item.map(ThingId),
            },
            SavedDeed::Approach { approach } => Deed::Approach(ThingId(approach)),
            SavedDeed::AvoidThing { avoid } => Deed::Avoid(What::Thing(ThingId(avoid))),
            SavedDeed::AvoidWord { avoid_all } => Deed::Avoid(What::Word(NameId(avoid_all))),
            SavedDeed::Explore => Deed::Explore,
        }
    }
}

impl Character {
    /// A character with a memory and goals.
    pub fn new(memory: Memory, goals: Vec<Goal>) -> Self {
        let trees = vec![Tree::default(); goals.len()];
        let (alternatives, decision) = (Alternatives::default(), Decision::default());
        Character {
            memory,
            goals,
            trees,
            alternatives,
            served: Vec::new(),
            lasting: Vec::new(),
            lasting_of: None,
            last: Vec::new(),
            decision,
            stale: true,
            grown: (0, 0),
        }
    }

    /// What it wants.
    pub fn goals(&self) -> &[Goal] {
        &self.goals
    }

    /// Wants something else from now on.
    pub fn set_goals(&mut self, goals: Vec<Goal>) {
        if goals == self.goals {
            return;
        }
        // Trees of goals that stay are kept.
        let old = std::mem::take(&mut self.goals);
        let mut trees = std::mem::take(&mut self.trees);
        for goal in &goals {
            let known = old.iter().position(|known| known == goal);
            self.trees.push(known.map_or_else(Tree::default, |at| std::mem::take(&mut trees[at])));
        }
        self.goals = goals;
        self.stale = true;
    }

    /// The tree of each goal.
    pub fn trees(&self) -> &[Tree] {
        &self.trees
    }

    /// The alternatives of the last decision.
    pub fn alternatives(&self) -> &Alternatives {
        &self.alternatives
    }

    /// The last decision.
    pub fn decision(&self) -> &Decision {
        &self.decision
    }

    /// The alternative chosen last.
    pub fn last(&self) -> &[Deed] {
        &self.last
    }

    /// How a goal stands.
    pub fn standing(&self, goal: usize) -> Standing {
        match &self.trees[goal] {
            tree if tree.met => Standing::Met,
            tree if tree.is_open() => Standing::Open,
            _ => Standing::Unreachable,
        }
    }

    /// Everything that later decisions depend on.
    pub fn save(&self) -> Saved {
        Saved { memory: self.memory.clone(), last: self.last.iter().map(|&deed| deed.into()).collect() }
    }

    /// Takes up a saved state; names come from the present one, which is not saved with it.
    pub fn restore(&mut self, saved: &Saved) {
        let roster = self.memory.roster().clone();
        self.memory = saved.memory.clone();
        self.memory.set_roster(roster);
        self.memory.note(changed::ALL);
        self.last = saved.last.iter().map(|&deed| deed.into()).collect();
        self.trees.iter_mut().for_each(|tree| *tree = Tree::default());
        self.stale = true;
    }

    /// How many bytes trees, alternatives and the decision take, with what is reserved.
    pub fn bytes(&self) -> usize {
        let trees: usize =
            self.trees.iter().map(|tree| tree.nodes.capacity() * size_of::<crate::reason::Node>()).sum();
        let beliefs = self.memory.beliefs().iter();
        let memory: usize = beliefs
            .map(|belief| size_of_val(belief) + belief.values.capacity() * size_of::<crate::Value>())
            .sum();
        let decision = self.decision.weighed.capacity() * size_of::<Weighed>()
            + self.decision.values.capacity() * size_of::<f64>();
        size_of::<Self>()
            + trees
            + memory
            + decision
            + self.alternatives.bytes()
            + self.last.capacity() * size_of::<Deed>()
            + self.served.capacity() * size_of::<u32>()
            + self.lasting.capacity() * size_of::<f64>()
            + self.goals.capacity() * size_of::<Goal>()
            + self.trees.capacity() * size_of::<Tree>()
    }

    /// Brings the trees up to date with the memory, and the alternatives with the trees.
    pub fn reason(&mut self, laws: &Laws, space: &dyn Space, temper: &Temper, limits: &Limits) {
        let bits = self.memory.take_changed();
        let view = View { memory: &self.memory, space, laws };
        let (mut grown, mut reused) = (0, 0);
        for (goal, tree) in self.goals.iter().zip(&mut self.trees) {
            let kept = !tree.nodes.is_empty()
                && (tree.depends() & bits == 0
                    || (tree.is_kept_below(bits) && is_as_before(goal, tree, &view)));
            if kept {
                reused += tree.nodes.len();
                continue;
            }
            let known = if tree.nodes.is_empty() { None } else { Some((&*tree, bits)) };
            let next = grow(goal, &view, limits, known);
            reused += next.reused;
            grown += next.nodes.len() - next.reused.min(next.nodes.len());
            self.stale |= next.nodes != tree.nodes || next.met != tree.met;
            *tree = next;
        }
        self.grown = (grown, reused);
        if self.stale {
            self.stale = false;
            self.lasting_of = None;
            self.alternatives.clear();
            for (goal, tree) in self.trees.iter().enumerate() {
                self.alternatives.collect(goal as u16, tree, temper.choice.as_ref());
            }
            goals_served(&self.alternatives, &mut self.served);
        }
    }

    /// Weighs every alternative and chooses. `reputation` tells how well somebody is thought of, 1 being neutral.
    pub fn weigh(
        &mut self,
        laws: &Laws,
        space: &dyn Space,
        temper: &Temper,
        reputation: &dyn Fn(ThingId) -> f64,
    ) -> Option<Weighed> {
        let view = View { memory: &self.memory, space, laws };
        let decision = &mut self.decision;
        decision.weighed.clear();
        decision.values.clear();
        decision.width = temper.evaluators.len();
        decision.chosen = None;
        let all = self.alternatives.all();
        let width = temper.evaluators.len();
        let is_kept = self.lasting_of == Some(temper.stamp());
        if !is_kept {
            self.lasting.clear();
            self.lasting.resize(width * all.len(), 1.0);
            self.lasting_of = Some(temper.stamp());
        }
        let mut best = 0.0;
        // Alternatives stand in the order of their goals: each goal's importance is worked out once.
        let mut importance: Option<(u16, f64)> = None;
        for (index, alternative) in all.iter().enumerate() {
            let goal = &self.goals[alternative.goal as usize];
            let deeds = self.alternatives.deeds(alternative);
            let influence = match importance {
                Some((known, value)) if known == alternative.goal => value,
                _ => goal.influence.value(&goal.roles(), &view),
            };
            importance = Some((alternative.goal, influence));
            let candidate = Candidate {
                goal,
                influence,
                deeds,
                goals_served: self.served[index],
                in_last: is_in_last(deeds[0], &self.last, &self.memory),
                reputation: reputation_of(goal, &self.memory, reputation),
                view: &view,
            };
            let first = decision.values.len();
            let kept = &mut self.lasting[index * width..(index + 1) * width];
            for (evaluator, kept) in temper.evaluators.iter().zip(kept) {
                let value = match evaluator.is_lasting() {
                    true if is_kept => *kept,
                    true => {
                        *kept = evaluator.value(&candidate);
                        *kept
                    }
                    false => evaluator.value(&candidate),
                };
                decision.values.push(value);
            }
            let value = temper.combine.combine(&decision.values[first..]);
            // A number that is none never wins.
            if value > best {
                best = value;
                decision.chosen = Some(index as u32);
            }
            decision.weighed.push(Weighed {
                alternative: index as u32,
                deed: deeds[0],
                goal: alternative.goal,
                value,
                first: first as u32,
            });
        }
        if self.decision.chosen.is_none() {
            self.weigh_beyond(laws, space, temper, reputation);
        }
        let chosen = self.decision.best().copied();
        if let Some(chosen) = chosen {
            let all = self.alternatives.all();
            let deeds = self.alternatives.deeds(&all[chosen.alternative as usize]);
            self.last.clear();
            self.last.extend_from_slice(deeds);
        }
        chosen
    }

    /// Alternatives of the last decision that a threshold of time or space calls worthless: its square is less than what they
    /// cost.
    pub fn cut_off(&self, laws: &Laws, space: &dyn Space, temper: &Temper) -> Vec<CutOff> {
        let view = View { memory: &self.memory, space, laws };
        let mut all = Vec::new();
        for (index, weighed) in self.decision.weighed.iter().enumerate() {
            let goal = &self.goals[weighed.goal as usize];
            let candidate = Candidate {
                goal,
                influence: goal.influence.value(&goal.roles(), &view),
                deeds: self.alternatives.deeds(&self.alternatives.all()[index]),
                goals_served: self.served[index],
                in_last: is_in_last(weighed.deed, &self.last, &self.memory),
                reputation: 1.0,
                view: &view,
            };
            for (evaluator, motivation) in temper.evaluators.iter().enumerate() {
                if let Some(printed) = motivation.beyond(&candidate).filter(|printed| *printed <= 0.0) {
                    all.push(CutOff { weighed: index as u32, evaluator: evaluator as u32, printed });
                }
            }
        }
        all
    }

    /// Nothing is worth more than 0: where that comes from thresholds alone, the printed formulas decide.
    fn weigh_beyond(
        &mut self,
        laws: &Laws,
        space: &dyn Space,
        temper: &Temper,
        reputation: &dyn Fn(ThingId) -> f64,
    ) {
        let view = View { memory: &self.memory, space, laws };
        let Decision { weighed, values, width, chosen } = &mut self.decision;
        let mut best = f64::NEG_INFINITY;
        for (index, weighed) in weighed.iter_mut().enumerate() {
            let goal = &self.goals[weighed.goal as usize];
            let candidate = Candidate {
                goal,
                influence: goal.influence.value(&goal.roles(), &view),
                deeds: self.alternatives.deeds(&self.alternatives.all()[index]),
                goals_served: self.served[index],
                in_last: is_in_last(weighed.deed, &self.last, &self.memory),
                reputation: reputation_of(goal, &self.memory, reputation),
                view: &view,
            };
            let own = &mut values[weighed.first as usize..][..*width];
            // Every 0 must be one that a threshold cut off, and there must be one: the rest is forbidden.
            let (mut is_cut_off, mut is_forbidden) = (false, false);
            for (evaluator, value) in temper.evaluators.iter().zip(&*own) {
                if value.is_nan() || *value <= 0.0 {
                    let beyond = evaluator.beyond(&candidate).is_some();
                    (is_cut_off, is_forbidden) = (is_cut_off || beyond, is_forbidden || !beyond);
                }
            }
            if is_forbidden || !is_cut_off {
                continue;
            }
            for (evaluator, value) in temper.evaluators.iter().zip(&mut *own) {
                if let Some(printed) = evaluator.beyond(&candidate) {
                    *value = printed;
                }
            }
            weighed.value = temper.combine.combine_beyond(own);
            if weighed.value > best {
                (best, *chosen) = (weighed.value, Some(index as u32));
            }
        }
    }

    /// Another alternative than the best was taken, because others had a say too: inertia and explanations go by this one.
    ///
    /// # Panics
    /// If the last decision had no such alternative.
    pub fn settle(&mut self, alternative: u32) {
        let taken = &self.alternatives.all()[alternative as usize];
        self.last.clear();
        self.last.extend_from_slice(self.alternatives.deeds(taken));
        self.decision.chosen = Some(alternative);
    }

    /// Reasons and chooses: one decision.
    pub fn decide(
        &mut self,
        laws: &Laws,
        space: &dyn Space,
        temper: &Temper,
        limits: &Limits,
        reputation: &dyn Fn(ThingId) -> f64,
    ) -> Option<Weighed> {
        self.reason(laws, space, temper, limits);
        self.weigh(laws, space, temper, reputation)
    }
}

/// Whether only numbers that the goal compares have changed, and it holds or fails as before: hunger grew, and it was
/// hungry already.
fn is_as_before(goal: &Goal, tree: &Tree, view: &View<'_>) -> bool {
    let Condition::Test(Test::Compare(Term::Property(..), _, Term::Value(_))) = &goal.want else {
        return false;
    };
    tree.is_open() && !holds(&goal.want, &goal.roles(), view)
}

/// For each alternative, how many different goals its first deed can be done for.
fn goals_served(alternatives: &Alternatives, served: &mut Vec<u32>) {
    let all = alternatives.all();
    let first = |at: &u32| (alternatives.deeds(&all[*at as usize])[0], all[*at as usize].goal);
    let mut order: Vec<u32> = (0..all.len() as u32).collect();
    order.sort_by_key(first);
    served.clear();
    served.resize(all.len(), 0);
    for same in order.chunk_by(|a, b| first(a).0 == first(b).0) {
        let goals = same.chunk_by(|a, b| first(a).1 == first(b).1).count() as u32;
        same.iter().for_each(|&at| served[at as usize] = goals);
    }
}

/// How well who wants something is thought of; 1 for oneself.
fn reputation_of(goal: &Goal, memory: &Memory, reputation: &dyn Fn(ThingId) -> f64) -> f64 {
    if goal.whose == memory.owner { 1.0 } else { reputation(goal.whose) }
}

/// Whether a deed belongs to the alternative chosen last.
fn is_in_last(deed: Deed, last: &[Deed], memory: &Memory) -> bool {
    last.iter().any(|&last| is_same(deed, last, memory))
}

/// Whether a deed is one of the alternative chosen last, or became it by meeting what was only looked for then.
fn is_same(deed: Deed, last: Deed, memory: &Memory) -> bool {
    if deed == last {
        return true;
    }
    match (deed, last) {
        (
            Deed::Perform { interaction, target, .. },
            Deed::Perform { interaction: before, target: looked_for, .. },
        ) => {
            interaction == before
                && looked_for.unmet_kind().is_some()
                && memory.roster().kind(target) == looked_for.unmet_kind()
        }
        _ => false,
    }
}
