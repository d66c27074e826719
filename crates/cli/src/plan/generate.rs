//! `repertoire plan generate`: the paper's families of tasks as SAS+ text.

use repertoire_plan::generators::{multi_prv_2_cycle, multi_prv_n_cycle, one_prv_5};
use repertoire_plan::sas_plus;

use crate::prelude::*;

/// Print a task of one of the families of Prévost et al. 2022 as SAS+ text
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Example: repertoire plan generate one-prv-5 -m 100 > task.sas && repertoire plan solve task.sas"
)]
pub struct Args {
    /// The family of tasks
    family: Family,

    /// Number of variables
    #[arg(short, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    m: u32,

    /// Number of values of each variable (multi-prv-n-cycle only)
    #[arg(short, default_value_t = 5, value_parser = clap::value_parser!(u16).range(2..=10_000))]
    n: u16,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Family {
    /// Variables that go round n values, each step needing all later variables half-way
    MultiPrvNCycle,
    /// The same with two values: the lights of a tunnel
    #[value(name = "multi-prv-2-cycle")]
    MultiPrv2Cycle,
    /// Variables that climb five values, each step needing the next variable half-way
    #[value(name = "one-prv-5")]
    OnePrv5,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let m = args.m as usize;
    let generated = match args.family {
        Family::MultiPrvNCycle => multi_prv_n_cycle(m, args.n),
        Family::MultiPrv2Cycle => multi_prv_2_cycle(m),
        Family::OnePrv5 => one_prv_5(m),
    };
    output::text(&sas_plus::write(&generated.named()))
}
