//! `repertoire rooms check`.

use anyhow::Result;
use clap::Args as ClapArgs;
use repertoire::load;
use repertoire_prob::num::significant;
use serde_json::json;

use crate::{Answer, output};

/// Check a scenario: mistakes with their line, goals nobody can reach, thresholds that are too small, what is never used
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Exit codes: 0 it can be run (notes may follow); 1 it was refused.")]
pub struct Args {
    /// The scenario: the name of one that comes with repertoire (see `rooms list`), or a file
    scenario: String,

    #[command(flatten)]
    answer: Answer,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let scenario = load::scenario(&args.scenario)?;
    let mut notes = scenario.notes.clone();
    let hopeless = repertoire_worlds::rooms::world::hopeless_goals(&scenario);
    notes.extend(hopeless.iter().map(|(who, goal)| {
        format!("goal `{goal}` of `{who}`: no way to it, even for one who knows everything and is alone")
    }));
    notes.extend(repertoire_worlds::rooms::world::worthless(&scenario).iter().map(|one| {
        format!(
            "`{}` with {} = {} calls whatever costs {} or more worthless; {} for goal `{}` costs {}: done only when nothing \
             else is left; write {} = {} or more",
            one.character,
            one.motivation,
            one.threshold,
            significant(one.threshold * one.threshold, 3),
            one.action,
            one.goal,
            significant(one.cost, 3),
            one.motivation,
            (one.cost.sqrt() + 1e-9).ceil().max(2.0)
        )
    }));
    let (width, height) = (scenario.grid.width(), scenario.grid.height());
    if args.answer.json {
        return output::json(&json!({ "scenario": scenario.name, "width": width, "height": height,
            "things": scenario.things.len(), "characters": scenario.characters.len(),
            "interactions": scenario.laws.interactions.len(), "kinds": scenario.laws.kinds.len(),
            "hopeless": hopeless.iter().map(|(who, goal)| json!({ "character": who, "goal": goal })).collect::<Vec<_>>(),
            "notes": notes }));
    }
    let mut text = format!(
        "{}: {width} by {height}, {} things, {} characters, {} interactions: it can be run\n",
        scenario.name,
        scenario.things.len() - scenario.characters.len(),
        scenario.characters.len(),
        scenario.laws.interactions.len()
    );
    for note in notes {
        text += &format!("  note: {note}\n");
    }
    output::text(&text)
}
