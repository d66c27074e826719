//! `repertoire rooms tree`: what a character thinks.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use repertoire::load;
use repertoire_character::explain::explain;
use repertoire_character::reason::{dot, outline};
use repertoire_draw::rooms::picture;
use repertoire_prob::num::significant;
use repertoire_worlds::rooms::World;
use serde_json::json;

use crate::draw::columns;
use crate::output;

/// Show a character's reasoning: the and/or tree of each goal, the alternatives, and why one was chosen
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
In the tree `?` is wanted (any one child brings it about), `-` is done (all children are needed first), `>` can be done
now.

Examples:
  repertoire rooms tree 6.1.2-left --explain
  repertoire rooms tree 6.2 --at 60 --svg tree.svg")]
pub struct Args {
    /// A scenario that comes with repertoire, or a file
    scenario: String,

    /// At which step
    #[arg(long, value_name = "STEP", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    at: u32,

    /// Whose reasoning; usually the first character's
    #[arg(long, value_name = "CHARACTER")]
    of: Option<String>,

    /// Another profile
    #[arg(long)]
    profile: Option<String>,

    /// The seed of everything drawn at random
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Add every alternative with what each motivation said about it
    #[arg(long)]
    explain: bool,

    /// Print the trees as a graph in the DOT language
    #[arg(long, conflicts_with_all = ["json", "explain"])]
    dot: bool,

    /// Draw the trees into a file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let scenario = load::scenario(&args.scenario)?;
    let mut world = World::new(scenario.clone(), args.seed);
    let who = match &args.of {
        None => 0,
        Some(name) => {
            let names: Vec<&str> = scenario.characters.iter().map(|part| part.name.as_str()).collect();
            let Some(at) = names.iter().position(|known| known == name) else {
                bail!("nobody here is called `{name}`\n  remedy: one of {}", names.join(", "));
            };
            at
        }
    };
    if let Some(named) = &args.profile {
        let profile = load::profile(named)?;
        world.set_profile(who, &profile);
    }
    world.run(args.at + 1);
    let resident = &world.residents()[who];
    let (laws, roster, character) = (&scenario.laws, &scenario.roster, &resident.character);
    let trees: Vec<(&str, &repertoire_character::Tree)> =
        character.goals().iter().map(|goal| goal.name.as_str()).zip(character.trees()).collect();
    if let Some(path) = &args.svg {
        output::file(path, &picture::trees(&trees, laws, roster))?;
    }
    if args.dot {
        return output::text(&dot(&trees, laws, roster));
    }
    let explained = explain(character, laws, &resident.temper);
    if args.json {
        let goals = trees.iter().enumerate().map(|(at, (name, tree))| {
            json!({ "goal": name, "standing": character.standing(at), "nodes": tree.nodes.len(),
                "tree": outline(tree, name, laws, roster).lines().collect::<Vec<_>>() })
        });
        return output::json(&json!({ "step": args.at, "character": resident.name,
            "goals": goals.collect::<Vec<_>>(), "alternatives": explained,
            "nodes_worked_out": character.grown.0, "nodes_taken_over": character.grown.1 }));
    }
    let mut text = String::new();
    for (name, tree) in &trees {
        text += &outline(tree, name, laws, roster);
    }
    if args.explain {
        text += "\nalternatives, the chosen one first\n";
        let mut lines = vec![vec!["now".to_owned(), "goal".to_owned(), "value".to_owned()]];
        lines[0].extend(resident.temper.names().iter().map(|name| (*name).to_owned()));
        for one in &explained {
            let mut line = vec![one.action.clone(), one.goal.clone(), significant(one.value, 3)];
            line.extend(one.motivations.iter().map(|(_, value)| significant(*value, 3)));
            lines.push(line);
        }
        text += &columns(&lines);
        for one in &explained {
            text += &format!("  {}: {}\n", one.action, one.alternative.join(", then "));
        }
    }
    output::text(&text)
}
