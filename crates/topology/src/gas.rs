//! Growing neural gas as modified in Tencé 2011, figure 3.12: nodes that settle where the teacher walks.
//!
//! One input `x` is worked through in this order:
//!
//! 1. With fewer than two nodes, `x` becomes a node with error 0. The first input does nothing else.
//! 2. `n1`, `n2`: the nearest node and the next (of nodes equally near, the lower number).
//! 3. The edge `n1 - n2` is made, or its age reset to 0.
//! 4. `n1.error += |x - n1|`.
//! 5. `n1 += a1 · (x - n1)`.
//! 6. All edges of `n1` grow older by 1, that to `n2` too; those older than `age` are deleted.
//! 7. Each remaining neighbour `m` of `n1`: `m += a2 · (x - m)`.
//! 8. All errors shrink by `decay`, and stop at 0.
//! 9. If `n1.error > err`: `m` is the neighbour of `n1` with the greatest error (of equals, the lower number), and a node
//!    is made half-way between them; `n1.error` and `m.error` are halved, and the new error is the sum of the
//!    halves. [`EdgeRule`] says what becomes of the edge `n1 - m`. Without a neighbour there is no new node.
//!
//! | thesis          | code           | meaning                                          |
//! |-----------------|----------------|--------------------------------------------------|
//! | `attract_1`     | `a1`           | how far the nearest node moves, as a share       |
//! | `attract_2`     | `a2`           | the same for its neighbours                      |
//! | `Exr`           | `decay`        | error that every node loses with each input      |
//! | `Err` overlined | `err`          | error above which a node gets company            |
//! | `Age` overlined | `age`          | age above which an edge is forgotten             |
//!
//! Differs from the paper: the error accumulates (printed `=`, with which no node is ever added); errors stop at 0; the edge
//! of a new node is a choice, since the figure leaves it without one and Fritzke's algorithm, which it modifies, does not.
//! Errors shrink when they are looked at instead of all with every input, and nearest nodes come from a grid, so that an
//! input costs the same whatever the number of nodes. `fade` and `most` are additions, off unless they are set.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Point;
use crate::error::{PositionError, SavedGasError, SettingsError};
use crate::nearest::{Index, Near};

/// The parameters of figure 3.12.
///
/// Lengths are in the units of the positions; the defaults are for Unreal units.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GasSettings {
    /// How far the nearest node moves towards an input, as a share of the way.
    pub a1: f64,
    /// How far its neighbours move, as a share of their way.
    pub a2: f64,
    /// How much error every node loses with each input, in units of length.
    pub decay: f64,
    /// The error above which a node gets a new one beside it, in units of length.
    pub err: f64,
    /// The age above which an edge is deleted, in inputs won by one of its ends.
    pub age: f64,
    /// What becomes of the edge on which a node is inserted.
    pub edges: EdgeRule,
    /// After how many inputs won a node's rate is half of `a1`; 0: it never fades.
    pub fade: f64,
    /// The number of nodes above which no more are made; 0: no bound but that of the errors.
    pub most: usize,
}

impl Default for GasSettings {
    /// The thesis's, section 4.3.1.1, for Unreal units.
    fn default() -> Self {
        GasSettings {
            a1: 0.03,
            a2: 0.0006,
            decay: 6.0,
            err: 16000.0,
            age: 75.0,
            edges: EdgeRule::Fritzke,
            fade: 0.0,
            most: 0,
        }
    }
}

impl GasSettings {
    /// The first parameter that makes no sense, and what would.
    pub fn check(&self) -> Result<(), SettingsError> {
        for (name, value) in [("a1", self.a1), ("a2", self.a2)] {
            if !(0.0..=1.0).contains(&value) {
                return Err(SettingsError::Share { name, value });
            }
        }
        for (name, value) in
            [("decay", self.decay), ("err", self.err), ("age", self.age), ("fade", self.fade)]
        {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(SettingsError::Negative { name, value });
            }
        }
        if self.most == 1 {
            return Err(SettingsError::OneNode);
        }
        Ok(())
    }
}

/// What becomes of the edge between two nodes when one is inserted between them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EdgeRule {
    /// It stays, and the new node has none yet: figure 3.12 to the letter.
    Figure,
    /// It is replaced by two, from either end to the new node, of age 0: Fritzke 1995.
    #[default]
    Fritzke,
}

impl EdgeRule {
    /// Both, the usual one first.
    pub const ALL: [EdgeRule; 2] = [EdgeRule::Fritzke, EdgeRule::Figure];

    /// Its name on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            EdgeRule::Fritzke => "fritzke",
            EdgeRule::Figure => "figure",
        }
    }

    /// What it does with the edge, in words.
    pub const fn about(self) -> &'static str {
        match self {
            EdgeRule::Fritzke => "Replaced by two, to the new node (Fritzke 1995)",
            EdgeRule::Figure => "Left alone (figure 3.12 to the letter)",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Node {
    at: Point,
    /// The error when `decays` was `as_of`.
    error: f64,
    as_of: u64,
    /// Inputs that it won.
    won: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Edge {
    to: u32,
    age: u32,
}

/// Nodes that settle where inputs are, and edges between neighbours.
///
/// The number of a node never changes; a removed node's number is given to the next new one. A gas serialises whole, and goes on
/// bit by bit.
///
/// ```
/// use repertoire_topology::{Gas, GasSettings};
///
/// let mut gas = Gas::new(GasSettings { err: 70.0, decay: 1.0, ..GasSettings::default() })?;
/// for x in [0.0, 100.0, 40.0, 40.0] {
///     gas.see([x, 0.0, 0.0])?;
/// }
/// assert_eq!(gas.len(), 3, "the error near 40 grew until a node was made there");
/// assert!(gas.see([f64::NAN, 0.0, 0.0]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Saved", into = "Saved")]
pub struct Gas {
    params: GasSettings,
    nodes: Vec<Option<Node>>,
    /// The edges of each node, each edge with both of its nodes.
    edges: Vec<Vec<Edge>>,
    /// How often errors have shrunk.
    decays: u64,
    index: Index,
}

/// What came of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The node nearest to it.
    pub nearest: u32,
    /// The node that was made, if one was.
    pub made: Option<u32>,
}

impl Gas {
    /// An empty gas. Fails if the settings make no sense.
    pub fn new(params: GasSettings) -> Result<Self, SettingsError> {
        params.check()?;
        Ok(Gas { params, nodes: Vec::new(), edges: Vec::new(), decays: 0, index: Index::default() })
    }

    /// How it learns.
    pub fn settings(&self) -> &GasSettings {
        &self.params
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// The nodes in the order of their numbers.
    pub fn nodes(&self) -> impl Iterator<Item = (u32, Point)> {
        self.nodes.iter().enumerate().filter_map(|(k, node)| node.map(|node| (k as u32, node.at)))
    }

    /// Where a node is.
    pub fn at(&self, node: u32) -> Option<Point> {
        self.node(node).map(|node| node.at)
    }

    /// The error of a node now; 0 if there is no such node.
    pub fn error(&self, node: u32) -> f64 {
        self.node(node).map_or(0.0, |node| self.shrunk(&node))
    }

    /// How many inputs a node was nearest to; 0 if there is no such node.
    pub fn won(&self, node: u32) -> u64 {
        self.node(node).map_or(0, |node| node.won)
    }

    fn node(&self, node: u32) -> Option<Node> {
        self.nodes.get(node as usize).copied().flatten()
    }

    /// The edges as (lower node, higher node, age), in order.
    pub fn edges(&self) -> Vec<(u32, u32, u32)> {
        let mut all = Vec::new();
        for (from, edges) in self.edges.iter().enumerate() {
            let from = from as u32;
            all.extend(edges.iter().filter(|edge| from < edge.to).map(|edge| (from, edge.to, edge.age)));
        }
        all.sort_unstable();
        all
    }

    /// The nodes nearest to a position.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// One input, as figure 3.12 has it. `None` for the first, which only makes a node.
    ///
    /// Fails, and changes nothing, if a coordinate is no number or beyond [`FARTHEST`](crate::error::FARTHEST).
    pub fn see(&mut self, x: Point) -> Result<Option<Moved>, PositionError> {
        PositionError::check(&x)?;
        Ok(self.take(x))
    }

    /// [`Gas::see`] of what is known to be a position.
    pub(crate) fn take(&mut self, x: Point) -> Option<Moved> {
        let mut made = None;
        if self.len() < 2 {
            made = Some(self.make(x, 0.0));
        }
        let (n1, _) = self.attract(x, true)?;
        self.decays += 1;
        if self.error(n1) > self.params.err && self.may_grow() {
            made = self.insert_beside(n1).or(made);
        }
        Some(Moved { nearest: n1, made })
    }

    /// An input that was seen before, so that it is a position: nodes settle (steps 2, 3, 5, 6 and 7), no error is counted and
    /// nothing made. The node nearest to it.
    pub(crate) fn settle(&mut self, x: Point) -> Option<u32> {
        self.attract(x, false).map(|(nearest, _)| nearest)
    }

    /// Whether there may be another node.
    pub fn may_grow(&self) -> bool {
        self.params.most == 0 || self.len() < self.params.most
    }

    /// Makes a node where the input is, which is a position, with an edge to the nearest.
    pub(crate) fn place(&mut self, x: Point) -> u32 {
        let nearest = self.index.nearest(&x);
        let node = self.make(x, 0.0);
        if let Some(Near { node: other, .. }) = nearest {
            self.connect(node, other);
        }
        node
    }

    /// Takes a node out, with its edges. Nothing happens if there is no such node.
    pub fn remove(&mut self, node: u32) {
        if self.node(node).is_none() {
            return;
        }
        for edge in std::mem::take(&mut self.edges[node as usize]) {
            self.edges[edge.to as usize].retain(|back| back.to != node);
        }
        self.nodes[node as usize] = None;
        self.index.remove(node);
    }

    /// Steps 2 to 7; the two nearest nodes.
    fn attract(&mut self, x: Point, is_counted: bool) -> Option<(u32, u32)> {
        let (Near { node: n1, squared }, Near { node: n2, .. }) = self.index.two_nearest(&x)?;
        self.connect(n1, n2);
        let params = self.params;
        let decays = self.decays;
        let node = self.nodes[n1 as usize].as_mut()?;
        if is_counted {
            node.error = shrink(node, decays, params.decay) + squared.sqrt();
            node.as_of = decays;
        }
        let rate =
            if params.fade > 0.0 { params.a1 / (1.0 + node.won as f64 / params.fade) } else { params.a1 };
        node.won += 1;
        self.pull(n1, &x, rate);
        self.age_edges(n1);
        for k in 0..self.edges[n1 as usize].len() {
            self.pull(self.edges[n1 as usize][k].to, &x, params.a2);
        }
        Some((n1, n2))
    }

    fn pull(&mut self, node: u32, x: &Point, share: f64) {
        if let Some(one) = &mut self.nodes[node as usize]
            && share > 0.0
        {
            one.at.iter_mut().zip(x).for_each(|(at, x)| *at += share * (x - *at));
            self.index.put(node, one.at);
        }
    }

    fn age_edges(&mut self, node: u32) {
        let mut edges = std::mem::take(&mut self.edges[node as usize]);
        edges.retain_mut(|edge| {
            edge.age += 1;
            let is_old = f64::from(edge.age) > self.params.age;
            let others = &mut self.edges[edge.to as usize];
            if is_old {
                others.retain(|back| back.to != node);
            } else if let Some(back) = others.iter_mut().find(|back| back.to == node) {
                back.age = edge.age;
            }
            !is_old
        });
        self.edges[node as usize] = edges;
    }

    /// Step 9.
    fn insert_beside(&mut self, n1: u32) -> Option<u32> {
        let mut worst: Option<(f64, u32)> = None;
        for edge in &self.edges[n1 as usize] {
            let error = self.error(edge.to);
            if worst.is_none_or(|(most, node)| error > most || (error == most && edge.to < node)) {
                worst = Some((error, edge.to));
            }
        }
        let (error, m) = worst?;
        let (half, half_m) = (self.error(n1) / 2.0, error / 2.0);
        let (from, to) = (self.at(n1)?, self.at(m)?);
        self.set_error(n1, half);
        self.set_error(m, half_m);
        let middle = [0, 1, 2].map(|k| (from[k] + to[k]) / 2.0);
        let made = self.make(middle, half + half_m);
        if self.params.edges == EdgeRule::Fritzke {
            self.disconnect(n1, m);
            self.connect(n1, made);
            self.connect(made, m);
        }
        Some(made)
    }

    fn make(&mut self, at: Point, error: f64) -> u32 {
        let node = Node { at, error, as_of: self.decays, won: 0 };
        // The lowest free number, so that numbers stay as few as nodes.
        let free =
            if self.len() < self.nodes.len() { self.nodes.iter().position(Option::is_none) } else { None };
        let number = free.unwrap_or(self.nodes.len());
        if number == self.nodes.len() {
            self.nodes.push(Some(node));
            self.edges.push(Vec::new());
        } else {
            self.nodes[number] = Some(node);
        }
        self.index.put(number as u32, at);
        number as u32
    }

    fn set_error(&mut self, node: u32, error: f64) {
        let decays = self.decays;
        if let Some(node) = &mut self.nodes[node as usize] {
            node.error = error;
            node.as_of = decays;
        }
    }

    fn shrunk(&self, node: &Node) -> f64 {
        shrink(node, self.decays, self.params.decay)
    }

    fn connect(&mut self, a: u32, b: u32) {
        for (from, to) in [(a, b), (b, a)] {
            let edges = &mut self.edges[from as usize];
            match edges.iter_mut().find(|edge| edge.to == to) {
                Some(edge) => edge.age = 0,
                None => edges.push(Edge { to, age: 0 }),
            }
        }
    }

    fn disconnect(&mut self, a: u32, b: u32) {
        self.edges[a as usize].retain(|edge| edge.to != b);
        self.edges[b as usize].retain(|edge| edge.to != a);
    }
}

fn shrink(node: &Node, decays: u64, decay: f64) -> f64 {
    (node.error - decay * (decays - node.as_of) as f64).max(0.0)
}

/// How a gas is written: without the grid, which follows from the nodes.
#[derive(Serialize, Deserialize)]
struct Saved {
    params: GasSettings,
    nodes: Vec<Option<Node>>,
    edges: Vec<Vec<Edge>>,
    decays: u64,
}

impl From<Gas> for Saved {
    fn from(gas: Gas) -> Self {
        Saved { params: gas.params, nodes: gas.nodes, edges: gas.edges, decays: gas.decays }
    }
}

impl TryFrom<Saved> for Gas {
    type Error = SavedGasError;

    fn try_from(saved: Saved) -> Result<Self, SavedGasError> {
        let Saved { params, nodes, mut edges, decays } = saved;
        params.check()?;
        edges.resize(nodes.len(), Vec::new());
        let mut index = Index::default();
        for (number, node) in (0..).zip(&nodes) {
            if let Some(node) = node {
                PositionError::check(&node.at)?;
                if node.as_of > decays {
                    return Err(SavedGasError::Later(number));
                }
                index.put(number, node.at);
            }
        }
        for (from, own) in (0..).zip(&edges) {
            for &Edge { to, .. } in own {
                let is_there =
                    [from, to].iter().all(|&end| nodes.get(end as usize).is_some_and(Option::is_some));
                if !is_there || !edges[to as usize].iter().any(|back| back.to == from) {
                    return Err(SavedGasError::Edge { from, to });
                }
            }
        }
        Ok(Gas { params, nodes, edges, decays, index })
    }
}

#[cfg(test)]
#[path = "gas_tests.rs"]
mod tests;
