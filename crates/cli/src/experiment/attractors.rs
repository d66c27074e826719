//! `repertoire experiment attractors`: coherence and attention, side by side.

use repertoire_draw::attractors as picture;
use repertoire_eval::attractors::Attractors;

use crate::prelude::*;

/// Tencé 2011, figures 4.6 and 4.7: several things to go for, fused by coherence or attended to one at a time
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Each thing alone says where to turn: a bell around its direction. Fusion by enhanced coherence multiplies the bells, and so prefers what
suits all of them; attention picks one thing and does what that says.

Examples:
  repertoire experiment attractors
  repertoire experiment attractors --thing 0 --thing 150:3 --svg attractors.svg")]
pub struct Args {
    /// A thing to go for: degrees from straight ahead (left is positive), and how much attention it draws (1 unless said); may be given
    /// several times [default: 0, 110]
    #[arg(long = "thing", value_name = "DEGREES[:ATTENTION]", allow_hyphen_values = true)]
    things: Vec<String>,
    /// How wide the bell of one thing is, in degrees (its standard deviation)
    #[arg(long, default_value_t = 25.0, value_name = "DEGREES")]
    spread: f64,
    /// Draw the curves to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    answer: Answer,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let written = or_usual(&args.things, &["0", "110"]);
    let things = written.into_iter().map(Attractors::thing).collect::<Result<_, _>>()?;
    ensure!(
        (1.0..=180.0).contains(&args.spread),
        "--spread {}: no bell is that wide\n  remedy: degrees from 1 to 180",
        args.spread
    );
    let turned = Attractors { things, spread_deg: args.spread, floor: 0.002 }.turn()?;
    output::file_if_asked(args.svg.as_ref(), || picture::picture(&turned))?;
    args.answer.print(&turned, || terminal::experiments::attractors(&turned))
}
