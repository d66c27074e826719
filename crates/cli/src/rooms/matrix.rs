//! `repertoire rooms matrix`.

use repertoire_character::laws::matrix::SEPARATORS;
use repertoire_draw::terminal::rooms;

use crate::prelude::*;

/// Read the interaction matrices of the IODA method, as its NetLogo extension writes them
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Prints who may do what to whom, or (--toml) laws to put into a scenario. Primitives are code in NetLogo: a reporter such
as `hungry?` becomes a property unless a file of primitives gives it a meaning, and commands need one:

  digest = \"actor.energy.add(5)\"

Examples:
  repertoire rooms matrix interactions.txt matrix.txt
  repertoire rooms matrix interactions.txt matrix.txt --primitives primitives.toml --toml > laws.toml")]
pub struct Args {
    /// The file with the interactions
    interactions: PathBuf,

    /// The file with the matrix
    matrix: PathBuf,

    /// Characters that separate the fields of the matrix
    #[arg(long, default_value = SEPARATORS)]
    separators: String,

    /// A TOML file that says what primitives mean: name = "expression"
    #[arg(long, value_name = "FILE")]
    primitives: Option<PathBuf>,

    /// Print the model as laws (TOML) to put into a scenario
    #[arg(long, conflicts_with = "json")]
    toml: bool,

    #[command(flatten)]
    answer: Answer,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let model = load::matrix(&args.interactions, &args.matrix, &args.separators)?;
    let defined = args.primitives.as_deref().map(load::primitives).transpose()?;
    let (laws, notes) = model.to_toml(&defined.unwrap_or_default());
    if args.toml {
        notes.iter().for_each(|note| anstream::eprintln!("note: {note}"));
        return output::text(&laws);
    }
    let report = json!({ "interactions": model.interactions, "assignations": model.assignations,
        "kinds": model.kinds(), "primitives": model.primitives(), "faults": model.faults(), "notes": notes });
    args.answer.print(&report, || rooms::matrix(&model))
}
