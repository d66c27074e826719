//! `repertoire plan generate`: the paper's families of tasks as SAS+ text.

use repertoire_plan::generators::Family;
use repertoire_plan::sas_plus;

use crate::prelude::*;

/// Print a task of one of the families of Prévost et al. 2022 as SAS+ text
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Example: repertoire plan generate one-prv-5 -m 100 > task.sas && repertoire plan solve task.sas"
)]
pub struct Args {
    /// The family of tasks
    #[arg(value_parser = one_of(Family::ALL, Family::name, Family::about))]
    family: Family,

    /// Number of variables
    #[arg(short, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    m: u32,

    /// Number of values of each variable (multi-prv-n-cycle only)
    #[arg(short, default_value_t = 5, value_parser = clap::value_parser!(u16).range(2..=10_000))]
    n: u16,
}

pub(super) fn run(args: &Args) -> Result<()> {
    output::text(&sas_plus::write(&args.family.task(args.m as usize, args.n).named()))
}
