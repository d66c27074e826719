//! `repertoire rooms list`.

use anyhow::Result;
use clap::Args as ClapArgs;
use repertoire_worlds::rooms::scenario::{ALIASES, SCENARIOS, scenario};
use serde_json::json;

use crate::{Answer, output};

/// List the scenarios that come with repertoire
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    answer: Answer,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let all: Vec<_> = SCENARIOS.iter().filter_map(|(name, _)| scenario(name)).collect();
    let alias = |name: &str| ALIASES.iter().find(|(_, full)| *full == name).map(|(alias, _)| *alias);
    if args.answer.json {
        let rows = all.iter().map(|scenario| {
            let characters: Vec<&str> = scenario.characters.iter().map(|part| part.name.as_str()).collect();
            json!({ "name": scenario.name, "alias": alias(&scenario.name), "about": scenario.about,
                "steps": scenario.steps, "characters": characters })
        });
        return output::json(&rows.collect::<Vec<_>>());
    }
    let bold = anstyle::Style::new().bold();
    let mut text = format!("{bold}{:12} {:12} {:>5}  about{bold:#}\n", "scenario", "also", "steps");
    for scenario in &all {
        text += &format!(
            "{:12} {:12} {:>5}  {}\n",
            scenario.name,
            alias(&scenario.name).unwrap_or_default(),
            scenario.steps,
            scenario.about
        );
    }
    output::text(&text)
}
