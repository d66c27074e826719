//! `repertoire plan`: plan, explain plans, look at domains, draw the paper's figures.

mod figures;
mod generate;
mod lint;
mod population;
mod solve;

use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args as ClapArgs;
use repertoire_plan::domain;
use repertoire_plan::problem::Source;
use serde_json::json;

use crate::{output, subcommands};

/// Plan for characters: what to do, in which order, and why
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
A domain is a TOML file (the guide is docs/guides/planning.md) or a SAS+ file as Fast Downward's translator writes it;
they are told apart by what is in them.

Examples:
  repertoire plan list
  repertoire plan solve western --class Sheriff --goal ArrestOutlaw --explain
  repertoire plan solve western --class Sheriff --goal ArrestOutlaw --from gun=drawn,outlaw=cornered --json
  repertoire plan solve problem.sas --dot | dot -Tsvg > plan.svg
  repertoire plan solve western --class Sheriff --from gun=?,outlaw=cornered?
  repertoire plan lint western
  repertoire plan population western --characters 1000000")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

subcommands! {
    Solve => solve,
    Lint => lint,
    Population => population,
    Figures => figures,
    Generate => generate;
    /// List the domains that come with repertoire
    List {
        /// Answer as JSON
        #[arg(long)]
        json: bool,
    } => list(*json),
    /// Print the JSON schema of domain files, for editors
    Schema => output::json(&domain::schema()),
}

/// Reads a shipped domain by name, or a file of either format.
fn read(name: &str) -> Result<Source> {
    let path = Path::new(name);
    let text = match domain::text(name) {
        Some(text) if !path.exists() => text.to_owned(),
        _ if !path.exists() && !name.contains(['.', '/', '\\']) => {
            let names: Vec<&str> = domain::DOMAINS.iter().map(|(name, _)| *name).collect();
            bail!("there is no domain `{name}`\n  remedy: give a file, or one of {}", names.join(", "));
        }
        _ => std::fs::read_to_string(path).with_context(|| format!("{name} could not be read"))?,
    };
    Source::read(&text).map_err(|mistake| anyhow!("{name}:{mistake}"))
}

fn list(as_json: bool) -> Result<()> {
    let domains: Vec<_> = domain::DOMAINS.iter().filter_map(|(name, _)| domain::domain(name)).collect();
    if as_json {
        let rows = domains.iter().map(|domain| {
            let classes = domain.classes.iter().map(|class| {
                let goals: Vec<&str> = class.goals.iter().map(|goal| goal.name.as_str()).collect();
                json!({ "class": class.name, "goals": goals })
            });
            json!({ "name": domain.name, "about": domain.about, "classes": classes.collect::<Vec<_>>() })
        });
        return output::json(&rows.collect::<Vec<_>>());
    }
    let mut text = String::new();
    for domain in &domains {
        text += &format!("{}  {}\n", domain.name, domain.about);
        for class in &domain.classes {
            let goals: Vec<&str> = class.goals.iter().map(|goal| goal.name.as_str()).collect();
            text += &format!("  {:14} {}\n", class.name, goals.join(", "));
        }
    }
    output::text(&text)
}
