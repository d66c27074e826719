//! `repertoire plan figures`: the paper's three figures and its bound on memory, measured here.

use repertoire_draw::lines;
use repertoire_eval::planning::PlanFigures;

use crate::prelude::*;

/// Measure and draw figures 1 to 3 of Prévost et al. 2022, and the memory that its theorem 3 is about
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Figure 1: time against the number of values (MultiPrv_n_Cycle).
Figure 2: time against the number of variables (OnePrv_5 and MultiPrv_2_Cycle).
Figure 3: time against the number of characters (Western, and its single-valued restriction, which is all that PUS can plan
for): the printed algorithm P, PUS and ours, on one core and on all.
Theorem 3: memory against the number of variables, and of values; at most m² n.
Exponents are slopes on logarithmic axes over the upper half of each curve.")]
pub struct Args {
    /// Folder to write figure1.svg to figure3.svg, memory-m.svg and memory-n.svg to
    #[arg(long, value_name = "FOLDER", default_value = "figures")]
    out: PathBuf,

    /// Measure small sizes only, which takes a second
    #[arg(long)]
    quick: bool,

    #[command(flatten)]
    answer: Answer,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let bar = progress::bar(PlanFigures::COUNT as u64, "{bar:30} figure {pos} of {len}, {elapsed}");
    let figures = PlanFigures { clock: clock::now_ns, quick: args.quick }.measure(&mut || bar.inc(1));
    bar.finish_and_clear();
    std::fs::create_dir_all(&args.out).with_context(|| {
        format!("{} could not be made\n  remedy: name another folder with --out", args.out.display())
    })?;
    for figure in &figures {
        output::file(&args.out.join(format!("{}.svg", figure.name)), &lines::figure(figure))?;
    }
    args.answer.print(&terminal::lines::figures_as_json(&figures), || {
        terminal::lines::figures(&figures) + &format!("pictures: {}\n", args.out.display())
    })
}
