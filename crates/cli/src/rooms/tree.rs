//! `repertoire rooms tree`: what a character thinks.

use repertoire_character::explain::explain;
use repertoire_character::reason::dot;
use repertoire_draw::rooms::picture;
use repertoire_draw::terminal::rooms::{thoughts, thoughts_as_json};
use repertoire_worlds::rooms::World;

use crate::prelude::*;

/// Show a character's reasoning: the and/or tree of each goal, the alternatives, and why one was chosen
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
In the tree `?` is wanted (any one child brings it about), `-` is done (all children are needed first), `>` can be done
now.

Examples:
  repertoire rooms tree 6.1.2-left --explain
  repertoire rooms tree 6.2 --at 60 --svg tree.svg")]
pub struct Args {
    /// The scenario: the name of one that comes with repertoire (see `rooms list`), or a file
    scenario: String,

    /// The step to look at, from 0
    #[arg(long, value_name = "STEP", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    at: u32,

    /// The character whose reasoning is shown [default: the first]
    #[arg(long, value_name = "CHARACTER")]
    of: Option<String>,

    /// Give the character another profile, by name or file
    #[arg(long)]
    profile: Option<String>,

    /// Random seed; the same seed repeats the run
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Also list every alternative with the value each motivation gives it
    #[arg(long)]
    explain: bool,

    /// Print the trees as a graph in the DOT language
    #[arg(long, conflicts_with_all = ["json", "explain"])]
    dot: bool,

    /// Draw the trees to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    #[command(flatten)]
    answer: Answer,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let scenario = load::scenario(&args.scenario)?;
    let mut world = World::new(scenario.clone(), args.seed);
    let who = args.of.as_deref().map_or(Ok(0), |name| world.resident(name))?;
    if let Some(named) = &args.profile {
        let profile = load::profile(named)?;
        world.set_profile(who, &profile);
    }
    world.run(args.at + 1);
    let resident = &world.residents()[who];
    let (laws, roster, character) = (&scenario.laws, &scenario.roster, &resident.character);
    let trees: Vec<(&str, &repertoire_character::Tree)> =
        character.goals().iter().map(|goal| goal.name.as_str()).zip(character.trees()).collect();
    output::file_if_asked(args.svg.as_ref(), || picture::trees(&trees, laws, roster))?;
    if args.dot {
        return output::text(&dot(&trees, laws, roster));
    }
    let explained = explain(character, laws, &resident.temper);
    args.answer.print(&thoughts_as_json(args.at, resident, &scenario, &explained), || {
        thoughts(resident, &scenario, args.explain.then_some(&explained))
    })
}
