//! What a town is: everything its file says, checked, and put into the words that a tick reads.
//!
//! An inhabitant's beliefs and errands are one packed state over the variables of their class (`plan::packed`), so that a
//! condition, an effect or a goal is a mask and a value, and the plan for a goal is a row of a table (`plan::population`).

use std::sync::Arc;

use repertoire_mind::game::Design;
use repertoire_plan::Domain;
use repertoire_plan::packed::Field;
use repertoire_plan::population::Town as Plans;

use super::clock::Hours;
use super::event::Event;

/// The most needs an inhabitant has: their levels stand in the inhabitant's record.
pub const MOST_NEEDS: usize = 6;
/// The most goals a class has.
pub const MOST_GOALS: usize = 16;

/// What a town's file says.
#[derive(Clone, Debug)]
pub struct Charter {
    /// What the town is called.
    pub name: String,
    /// What it is.
    pub about: String,
    /// The file.
    pub text: String,
    /// How many live here unless told otherwise.
    pub inhabitants: u32,
    /// Cells walked in a tick.
    pub pace: u32,
    /// The map, if it is drawn.
    pub drawn: Option<Drawn>,
    /// How many live in one home: from, to.
    pub household: (u32, u32),
    /// Coins that everybody has at first.
    pub coins: u16,
    /// Kinds of places.
    pub kinds: Vec<Kind>,
    /// Which of them is `home`.
    pub home: u8,
    /// Ways to do actions.
    pub ways: Vec<Way>,
    /// What grows.
    pub needs: Vec<Need>,
    /// Who lives here.
    pub classes: Vec<Class>,
    /// Families of profiles.
    pub families: Vec<Family>,
    /// Variables that are the same for the whole town.
    pub news: Vec<News>,
    /// What happens.
    pub events: Vec<Event>,
    /// Facts, actions and goals of all classes.
    pub domain: Domain,
    /// The plans of every class from every state.
    pub plans: Plans,
}

/// A map drawn as text.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// Cells in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Which cells are walls.
    pub walls: Vec<bool>,
    /// Kind and cell of each place, in the order of reading.
    pub places: Vec<(u8, u32)>,
}

/// A kind of place.
#[derive(Clone, Debug)]
pub struct Kind {
    /// What it is called.
    pub name: String,
    /// Its sign on the map.
    pub sign: char,
    /// In generated towns there is one for this many inhabitants.
    pub every: u32,
    /// How many it serves at a time; 0 for any number.
    pub serves: u32,
    /// When it is open; always without this.
    pub open: Option<Hours>,
    /// What it has in stock.
    pub stock: Vec<StockKind>,
}

/// Something that places of a kind have in stock.
#[derive(Clone, Debug)]
pub struct StockKind {
    /// What it is called.
    pub name: String,
    /// How much there is at first.
    pub starts: u32,
    /// How much there can be.
    pub most: u32,
    /// One comes every this many ticks; 0 for never.
    pub minutes: u32,
}

/// Where somebody does something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Where {
    /// At home.
    Home,
    /// Where they work.
    Work,
    /// At a place of this kind.
    Kind(u8),
}

/// A way to do an action.
#[derive(Clone, Debug)]
pub struct Way {
    /// Where.
    pub at: Where,
    /// Ticks: from, to.
    pub takes: (u32, u32),
    /// What it takes from the stock of the place: which stock of the kind, and how much.
    pub uses: Vec<(u8, u32)>,
    /// What it adds to the stock of the place.
    pub makes: Vec<(u8, u32)>,
    /// What it adds to the stock of the home.
    pub brings: Vec<(u8, u32)>,
    /// Coins.
    pub costs: u16,
    /// Nothing of the place is used up, counted or closed: whoever comes can begin.
    pub is_free: bool,
}

/// Something that grows by itself.
#[derive(Clone, Debug)]
pub struct Need {
    /// What it is called.
    pub name: String,
    /// Ticks from nothing to the full.
    pub ticks: f64,
    /// How much it matters: from, to.
    pub matters: (f64, f64),
    /// When it is felt more, and how many times as much.
    pub strong: Option<(Hours, f64)>,
}

/// Why a goal is pursued.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pursued {
    /// As much as a need is felt and matters.
    Need(u8),
    /// Always as much.
    Always(f64),
}

/// Bits of a packed state and the values they must have, or get.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    /// Which bits.
    pub mask: u32,
    /// Their values.
    pub value: u32,
}

impl Bits {
    /// Whether a state has these values.
    #[inline]
    pub fn hold(self, state: u32) -> bool {
        state & self.mask == self.value
    }

    /// The state with these values.
    #[inline]
    pub fn put(self, state: u32) -> u32 {
        state & !self.mask | self.value
    }

    /// These and others.
    pub(super) fn and(self, other: Bits) -> Bits {
        Bits { mask: self.mask | other.mask, value: other.put(self.value) }
    }
}

/// A goal of a class.
#[derive(Clone, Debug)]
pub struct Goal {
    /// What it is called.
    pub name: String,
    /// What is wanted.
    pub wanted: Bits,
    /// Why it is pursued.
    pub pursued: Pursued,
    /// Which needs are eased when it is met, and by how much.
    pub eases: Vec<(u8, f64)>,
    /// What becomes of the state when it is met.
    pub then: Bits,
    /// Coins that it earns.
    pub pays: u16,
}

/// An action of a class.
#[derive(Clone, Debug)]
pub struct Action {
    /// What it is called.
    pub name: String,
    /// What must hold.
    pub needs: Bits,
    /// What holds afterwards.
    pub makes: Bits,
    /// The ways to do it, by index.
    pub ways: Vec<u16>,
    /// The news that it makes: variable by index into [`Charter::news`], and value.
    pub tells: Vec<(u8, u16)>,
}

/// The people of one class.
#[derive(Clone, Debug)]
pub struct Class {
    /// What it is called.
    pub name: String,
    /// How many there are, in proportion to the others.
    pub share: f64,
    /// The kind of place they work at.
    pub work: Option<u8>,
    /// The families they come from.
    pub families: Vec<u8>,
    /// What they may want.
    pub goals: Vec<Goal>,
    /// What they can do.
    pub actions: Vec<Action>,
    /// Their variables, by index into the domain, and where each is in a packed state.
    pub variables: Vec<(u32, Field)>,
    /// Where everybody starts.
    pub start: u32,
    /// The row of the plan for the first goal from the state 0, and by how many bits a goal is shifted.
    pub first_row: u32,
    /// Bits of a state.
    pub bits: u32,
    /// What is assumed of places while nothing else was met.
    pub usual: Bits,
    /// For each kind of place and each reason to be turned away, what is believed from then on.
    pub learns: Vec<[Bits; Reason::COUNT]>,
    /// For each kind of place, what being served there shows.
    pub served: Vec<Bits>,
    /// The bits of each news variable, and which one it is.
    pub news: Vec<(u8, Field)>,
    /// The same as a character of any game: what it needs, knows, does and wants.
    pub design: Arc<Design>,
    /// The text of that design.
    pub design_text: String,
}

/// A family of profiles.
#[derive(Clone, Debug)]
pub struct Family {
    /// What it is called.
    pub name: String,
    /// How much each need matters: from, to.
    pub matters: Vec<(f64, f64)>,
    /// Ticks that they wait in line: from, to.
    pub patience: (u32, u32),
}

/// A variable that is the same for the whole town.
#[derive(Clone, Debug)]
pub struct News {
    /// The variable, by index into the domain.
    pub variable: u32,
    /// How probable it is to hear of a change at each decision.
    pub heard: f64,
}

/// Why somebody was turned away, or a plan failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Reason {
    /// Nothing was left.
    Empty,
    /// It was closed.
    Closed,
    /// Too many were in line.
    Full,
    /// They had too few coins.
    Dear,
    /// It burned.
    Fire,
    /// What they believed turned out otherwise, or they heard news.
    Changed,
}

impl Reason {
    /// How many there are.
    pub const COUNT: usize = 6;
    /// All of them, in the order of their numbers.
    pub const ALL: [Reason; Reason::COUNT] =
        [Reason::Empty, Reason::Closed, Reason::Full, Reason::Dear, Reason::Fire, Reason::Changed];

    /// In a word.
    pub fn name(self) -> &'static str {
        ["empty", "closed", "full", "dear", "fire", "changed"][self as usize]
    }
}

impl Charter {
    /// A class by name.
    pub fn class(&self, name: &str) -> Option<usize> {
        self.classes.iter().position(|class| class.name == name)
    }

    /// A kind of place by name.
    pub fn kind(&self, name: &str) -> Option<u8> {
        self.kinds.iter().position(|kind| kind.name == name).map(|at| at as u8)
    }

    /// The plan of a row, in the class's numbering of actions; `None` if there is none.
    #[inline]
    pub(super) fn plan(&self, row: u32) -> Option<&[u8]> {
        self.plans.plan_of(row)
    }
}

impl Class {
    /// The row of the plan for a goal from a state.
    #[inline]
    pub(super) fn row(&self, goal: usize, state: u32) -> u32 {
        self.first_row + ((goal as u32) << self.bits | state)
    }

    /// The value of each variable in a packed state.
    pub fn unpack(&self, state: u32) -> Vec<u16> {
        self.variables.iter().map(|(_, field)| field.get(u64::from(state))).collect()
    }
}
