//! The laws of a world: kinds of things, and the interactions between them.
//!
//! *An interaction has a name and three parts: a condition (what must be so), a guard (where it can be done) and an
//! action (what it changes)* — Dujardin & Routier, definition 1. Kinds say which interactions they can perform and
//! which they can undergo; `a` may do `i` to `t` when `a` can perform it and `t` can undergo it (section 3.1.1).
//! Everything is data, so that the same reasoning serves every world.
//!
//! Differs from the paper: a kind says which of its properties cannot be seen (`hidden`), and when it bars the way or
//! the view (`blocks`, `hides`); an interaction may hand over a third thing, the `item`; kinds can be read from the
//! matrices of the IODA method too ([`matrix`]).

mod file;
pub mod matrix;

pub use file::{InteractionFile, KindFile, LawsPart, Raw, build};
pub use repertoire_authored::{Mistake, Ordered};

use crate::expression::{Condition, Effect};
use crate::vocabulary::{InteractionId, KindId, NameId, PropertyId, Value, Words};

/// The name of the primitive that walks.
pub const MOVE: &str = "move";
/// The name of the primitive that looks for what is not known.
pub const EXPLORE: &str = "explore";

/// A kind of things.
#[derive(Clone, Debug, PartialEq)]
pub struct Kind {
    /// Its name.
    pub name: NameId,
    /// What it can do to others.
    pub performs: Vec<InteractionId>,
    /// What others can do to it.
    pub undergoes: Vec<InteractionId>,
    /// Its properties with their usual values, which everybody assumes until they learn better.
    pub properties: Vec<(PropertyId, Value)>,
    /// Properties that cannot be seen: they are learned when an interaction fails because of them.
    pub hidden: Vec<PropertyId>,
    /// When nobody can pass it.
    pub blocks: Condition,
    /// When nobody can see past it.
    pub hides: Condition,
    /// The letter that stands for it on maps and pictures.
    pub sign: char,
}

impl Kind {
    /// Where a property is among its own.
    pub fn slot(&self, property: PropertyId) -> Option<usize> {
        self.properties.iter().position(|&(known, _)| known == property)
    }

    /// The usual value of a property.
    pub fn usual(&self, property: PropertyId) -> Option<Value> {
        self.slot(property).map(|slot| self.properties[slot].1)
    }
}

/// What one thing can do to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Interaction {
    /// Its name.
    pub name: String,
    /// What must be so.
    pub condition: Condition,
    /// Where it can be done.
    pub guard: Condition,
    /// What it changes.
    pub action: Vec<Effect>,
    /// How long it takes, in steps.
    pub cost: f64,
    /// Whether it hands something over or lays it down.
    pub has_item: bool,
    /// Whether it needs nobody to do it to: it speaks of no target, and no kind undergoes it. Its target is then the actor.
    pub is_alone: bool,
}

/// Kinds and interactions.
///
/// ```
/// use repertoire_character::Laws;
/// let laws = Laws::read(
///     r#"
///     [interaction.open]
///     condition = "target.opened = false"
///     guard = "distance(actor, target) <= 1"
///     action = "target.opened = true"
///
///     [kind.guard]
///     performs = ["open"]
///
///     [kind.door]
///     undergoes = ["open"]
///     properties = { opened = false }
///     "#,
/// )?;
/// assert!(laws.find_interaction("open").is_some() && laws.find_kind("door").is_some());
/// assert_eq!(Laws::read("[kind.guard]\nperforms = [\"opne\"]").unwrap_err().line, 2);
/// # Ok::<(), repertoire_character::laws::Mistake>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Laws {
    /// Every word: names of kinds and things, and values that are names.
    pub words: Words,
    /// The names of properties.
    pub properties: Words,
    /// The kinds.
    pub kinds: Vec<Kind>,
    /// The interactions.
    pub interactions: Vec<Interaction>,
}

impl Laws {
    /// A kind.
    ///
    /// # Panics
    /// If the id is of other laws.
    pub fn kind(&self, kind: KindId) -> &Kind {
        &self.kinds[kind.index()]
    }

    /// An interaction.
    ///
    /// # Panics
    /// If the id is of other laws.
    pub fn interaction(&self, interaction: InteractionId) -> &Interaction {
        &self.interactions[interaction.index()]
    }

    /// A kind by its name.
    pub fn find_kind(&self, name: &str) -> Option<KindId> {
        let word = self.words.find(name)?;
        self.kind_named(word)
    }

    /// A kind by its name.
    pub fn kind_named(&self, name: NameId) -> Option<KindId> {
        self.kinds.iter().position(|kind| kind.name == name).map(|at| KindId(at as u16))
    }

    /// An interaction by its name.
    pub fn find_interaction(&self, name: &str) -> Option<InteractionId> {
        self.interactions.iter().position(|known| known.name == name).map(|at| InteractionId(at as u16))
    }

    /// A property by its name.
    pub fn find_property(&self, name: &str) -> Option<PropertyId> {
        self.properties.find(name).map(|found| PropertyId(found.0))
    }

    /// What a kind is called.
    pub fn kind_name(&self, kind: KindId) -> &str {
        self.words.word(self.kind(kind).name)
    }

    /// What a property is called.
    pub fn property_name(&self, property: PropertyId) -> &str {
        self.properties.word(NameId(property.0))
    }

    /// What is done, by name: interactions, and the two primitives.
    pub fn deed_names(&self) -> impl Iterator<Item = &str> {
        self.interactions.iter().map(|known| known.name.as_str()).chain([EXPLORE, MOVE])
    }
}
