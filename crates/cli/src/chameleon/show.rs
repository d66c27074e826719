//! `repertoire chameleon show`: what a learned character attends to, decides and does.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use repertoire_authored::nearest;
use repertoire_chameleon::Learned;
use repertoire_draw::chameleon::overview::{self, Overview};
use repertoire_draw::chameleon::polar::{self, Picture};
use repertoire_draw::chameleon::show::{Row, distributions, head, picture, rows, table};
use serde_json::json;

use super::load;
use crate::{Answer, output};

/// Show what a learned character attends to, decides and does
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Decisions have no names: learning divides the teacher's play into them. The overview tells them apart by what they attend to and
do. Pictures follow Tencé 2011, figures 4.29 to 4.31: turning (red) and running (blue) seen from above, with the character facing
up the page; tilting (green) seen from the side, with the character facing right. Actions that are relative to the stimulus are
drawn with the stimulus straight ahead.

Examples:
  repertoire chameleon show pupil.character
  repertoire chameleon show pupil.character --decision 3 --stimulus player
  repertoire chameleon show pupil.character --stimulus player --svg players.svg
  repertoire chameleon show pupil.character --json")]
pub struct Args {
    /// A learned character
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Show only this decision; the first is 0
    #[arg(long)]
    decision: Option<usize>,
    /// Show what is done for the most frequent values of this low-level stimulus
    #[arg(long, value_name = "NAME")]
    stimulus: Option<String>,
    /// Most values to list, or pictures to draw
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u16).range(1..=1000))]
    values: u16,
    /// File for polar pictures of what is done
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    answer: Answer,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let learned = load::learned_character(&args.file)?;
    let decisions = learned.model.decisions();
    if let Some(decision) = args.decision
        && decision >= decisions
    {
        bail!("there is no decision {decision}\n  remedy: one of 0 to {}", decisions - 1);
    }
    let kind = args.stimulus.as_deref().map(|name| kind_of(&learned, name)).transpose()?;
    let rows = rows(&learned, args.decision, kind);
    let rows = &rows[..rows.len().min(usize::from(args.values))];
    if let Some(path) = &args.svg {
        let pictures: Vec<Picture> = rows.iter().map(|row| picture(&learned, row)).collect();
        output::file(path, &polar::page(&learned.model, &pictures))?;
        if !args.answer.json && path.as_os_str() != "-" {
            anstream::eprintln!("{} pictures written to {}", pictures.len(), path.display());
        }
    }
    let found = overview::decisions(&learned);
    if args.answer.json {
        return if args.svg.as_ref().is_some_and(|path| path.as_os_str() == "-") {
            Ok(())
        } else {
            output::json(&as_json(&learned, &found, args.decision, rows))
        };
    }
    if args.svg.is_some() {
        return Ok(());
    }
    let mut text = head(&learned);
    text += &table(&found, args.decision);
    if args.stimulus.is_some() || args.decision.is_some() {
        text += &distributions(&learned, rows);
    }
    output::text(&text)
}

fn kind_of(learned: &Learned, name: &str) -> Result<usize> {
    let names: Vec<&str> = learned.model.low().iter().map(|low| low.name.as_str()).collect();
    if let Some(kind) = names.iter().position(|known| *known == name) {
        return Ok(kind);
    }
    let meant = nearest(name, names.iter().copied()).map(|near| format!("did you mean {near}? It has "));
    bail!(
        "there is no low-level stimulus `{name}`\n  remedy: {}{}",
        meant.unwrap_or("it has ".to_owned()),
        names.join(", ")
    );
}

fn as_json(learned: &Learned, found: &[Overview], only: Option<usize>, rows: &[Row]) -> serde_json::Value {
    let layout = learned.model.layout();
    let counts = learned.counts();
    let high: Vec<_> = (learned.model.high().iter().enumerate().zip(overview::high_shares(learned)))
        .map(|((i, stimulus), share)| {
            let values: Vec<_> = (0..stimulus.count())
                .map(|v| {
                    let row = layout.high_row(i, v);
                    json!({ "value": stimulus.label(v), "attention": learned.params().theta[row], "met": counts.high_met[row] })
                })
                .collect();
            json!({ "stimulus": stimulus.name, "share": share, "values": values })
        })
        .collect();
    let decisions: Vec<_> = (found.iter().enumerate().filter(|(k, _)| only.is_none_or(|only| only == *k)))
        .map(|(decision, one)| {
            let attends: Vec<_> = (one.attends.iter())
                .map(|(group, shares)| {
                    let shares: Vec<_> =
                        shares.iter().map(|(kind, p)| json!({ "stimulus": kind, "share": p })).collect();
                    json!({ "group": group, "shares": shares })
                })
                .collect();
            let acts: Vec<_> = one
                .acts
                .iter()
                .map(|(action, value, p)| json!({ "action": action, "likeliest": value, "share": p }))
                .collect();
            json!({
                "decision": decision, "share": one.share, "ticks_at_a_stretch": one.stay,
                "follower": one.follower.map(|(next, p)| json!({ "decision": next, "share": p })),
                "attends": attends, "acts": acts,
            })
        })
        .collect();
    let distributions: Vec<_> = rows
        .iter()
        .map(|row| {
            let actions: Vec<_> = (layout.members(row.group).iter())
                .map(|&f| {
                    let action = &learned.model.external()[f];
                    let values: Vec<String> = (0..action.count()).map(|value| action.bins.label(value)).collect();
                    let p = learned.params().external(layout, f, row.row, row.decision);
                    json!({ "action": action.name, "values": values, "probabilities": p })
                })
                .collect();
            json!({ "decision": row.decision, "group": learned.model.groups()[row.group], "stimulus": row.stimulus,
                "value": row.value, "ticks": row.ticks, "actions": actions })
        })
        .collect();
    json!({
        "model": learned.model.name(), "lives": learned.lives, "ticks": counts.ticks,
        "log_likelihood": counts.log_likelihood, "delay": learned.delay.ticks, "curve": learned.curve,
        "high": high, "decisions": decisions, "distributions": distributions,
    })
}
