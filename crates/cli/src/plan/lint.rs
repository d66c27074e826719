//! `repertoire plan lint`.

use repertoire_plan::lint::report::LintReport;

use crate::prelude::*;

/// Check which restrictions a domain obeys, what breaks them, and which planner will therefore be used
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// A domain or SAS+ file, or the name of a domain that comes with repertoire
    file: String,

    /// How many reachable states to plan from, per class and goal. The check stops earlier, and says so, if many states need
    /// search or plans are very long
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    states: usize,

    #[command(flatten)]
    answer: Answer,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let source = load::domain(&args.file)?;
    let template = "{spinner} planning from every state that can be reached, {elapsed}";
    let report = progress::during(template, || LintReport::of(source, args.states))?;
    args.answer.print(&report, || report.to_string())
}
