//! `repertoire town list`.

use anyhow::Result;
use clap::Args as ClapArgs;
use repertoire_worlds::town::{TOWNS, charter};
use serde_json::json;

use crate::{Answer, output};

/// List the towns that come with repertoire
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// Print the text of one of them, to start your own from
    #[arg(long, value_name = "TOWN", value_parser = ["western", "station"])]
    text: Option<String>,

    #[command(flatten)]
    answer: Answer,
}

pub(super) fn run(args: &Args) -> Result<()> {
    if let Some(text) = args.text.as_deref().and_then(repertoire_worlds::town::text) {
        return output::text(text);
    }
    let all: Vec<_> = TOWNS.iter().filter_map(|(name, _)| charter(name)).collect();
    if args.answer.json {
        let rows = all.iter().map(|town| {
            let classes: Vec<&str> = town.classes.iter().map(|class| class.name.as_str()).collect();
            json!({ "name": town.name, "about": town.about, "inhabitants": town.inhabitants, "classes": classes })
        });
        return output::json(&rows.collect::<Vec<_>>());
    }
    let mut text = String::new();
    for town in &all {
        let classes: Vec<&str> = town.classes.iter().map(|class| class.name.as_str()).collect();
        text += &format!(
            "{}  {}\n  {} inhabitants: {}\n",
            town.name,
            town.about,
            town.inhabitants,
            classes.join(", ")
        );
    }
    output::text(&text)
}
