//! The options that say how to learn.

use repertoire_topology::{EdgeRule, LearnerSettings};

use crate::prelude::*;

/// How to learn. Lengths are in the units of the play; the defaults below are for Unreal units, and for play in metres a
/// fiftieth of them.
#[derive(Clone, Debug, ClapArgs)]
#[command(next_help_heading = "How to learn")]
pub(super) struct How {
    /// Use Tencé's algorithm and parameters as printed (a1 0.03, no reach, no replay, no removal)
    #[arg(long)]
    thesis: bool,
    /// How far the nearest node moves towards a player, as a share of the way [default: 0.02]
    #[arg(long, value_name = "SHARE")]
    a1: Option<f64>,
    /// How far its neighbours move [default: 0.0006]
    #[arg(long, value_name = "SHARE")]
    a2: Option<f64>,
    /// Error that every node loses with each position [default: 6]
    #[arg(long, value_name = "LENGTH")]
    decay: Option<f64>,
    /// Error above which a node gets another beside it [default: 16000]
    #[arg(long, value_name = "LENGTH")]
    err: Option<f64>,
    /// Age above which an edge is deleted [default: 75]
    #[arg(long, value_name = "WINS")]
    age: Option<f64>,
    /// What happens to the edge on which a node is inserted [default: fritzke]
    #[arg(long, value_parser = one_of(EdgeRule::ALL, EdgeRule::name, EdgeRule::about))]
    edges: Option<EdgeRule>,
    /// Let learning rates fade: half of a1 after a node has been nearest this often; 0 keeps them constant [default: 0]
    #[arg(long, value_name = "WINS")]
    fade: Option<f64>,
    /// A player farther than this from all nodes, in a cell nobody has been in before, creates a node; 0 turns this off [default: 400]
    #[arg(long, value_name = "LENGTH")]
    reach: Option<f64>,
    /// Width of the cells in which earlier positions are remembered [default: 100]
    #[arg(long, value_name = "LENGTH")]
    cell: Option<f64>,
    /// How many remembered positions are learned from again with each new one [default: 5]
    #[arg(long, value_name = "COUNT")]
    replay: Option<u32>,
    /// How many positions are remembered, for replay and for links [default: 16384]
    #[arg(long, value_name = "COUNT")]
    memory: Option<usize>,
    /// Nodes that were nearest to none of the last COUNT positions are removed; 0 turns this off [default: 36000]
    #[arg(long, value_name = "COUNT")]
    unused: Option<u64>,
    /// Most nodes; 0 sets no limit [default: 4096]
    #[arg(long, value_name = "COUNT")]
    most: Option<usize>,
    /// Take at most this many positions per second and player; 0 takes all [default: 0]
    #[arg(long)]
    hz: Option<f64>,
    /// A position lies between two nodes if the detour over it is at most this many times the straight line [default: 1.2]
    #[arg(long, value_name = "TIMES")]
    straight: Option<f64>,
    /// A link that was only walked down also counts upwards up to this height [default: 64, a jump]
    #[arg(long, value_name = "LENGTH")]
    step_up: Option<f64>,
    /// Random seed: it chooses what is remembered and replayed; the same seed repeats the run
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Units of the play per metre [default: 50 for CSV, 1 for our recordings]
    #[arg(long, value_name = "UNITS")]
    pub units_per_metre: Option<f64>,
}

impl How {
    /// The settings for play with this many units in a metre.
    pub(super) fn settings(&self, units_per_metre: f64) -> Result<LearnerSettings> {
        let units = self.units_per_metre.unwrap_or(units_per_metre);
        if !(units > 0.0 && units.is_finite()) {
            return Err(anyhow!("--units-per-metre {units}: there are none\n  remedy: a number above 0"));
        }
        let base =
            if self.thesis { LearnerSettings::thesis(EdgeRule::Fritzke) } else { LearnerSettings::default() };
        let mut settings = base.in_units(units);
        fn set<T: Copy>(to: &mut T, option: Option<T>) {
            if let Some(value) = option {
                *to = value;
            }
        }
        set(&mut settings.gas.a1, self.a1);
        set(&mut settings.gas.a2, self.a2);
        set(&mut settings.gas.decay, self.decay);
        set(&mut settings.gas.err, self.err);
        set(&mut settings.gas.age, self.age);
        set(&mut settings.gas.fade, self.fade);
        set(&mut settings.gas.most, self.most);
        set(&mut settings.gas.edges, self.edges);
        set(&mut settings.reach, self.reach);
        set(&mut settings.cell, self.cell);
        set(&mut settings.replay, self.replay);
        set(&mut settings.memory, self.memory);
        set(&mut settings.unused, self.unused);
        set(&mut settings.straight, self.straight);
        set(&mut settings.step_up, self.step_up);
        if let Some(hz) = self.hz {
            settings.period_secs = if hz == 0.0 { 0.0 } else { 1.0 / hz };
        }
        settings.seed = self.seed;
        settings.check().map_err(|what| {
            anyhow!("{what}\n  remedy: `repertoire topology learn --help` tells of each option")
        })?;
        Ok(settings)
    }
}
