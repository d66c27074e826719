//! `repertoire arena list`.

use anyhow::Result;
use clap::Args as ClapArgs;
use repertoire_worlds::arena::figures::MapFigures;
use serde_json::json;

use super::maps;
use crate::{Answer, output};

/// List the maps that come with repertoire
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    answer: Answer,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let mut rows = Vec::new();
    for name in maps::names() {
        let (name, level) = maps::find(name)?;
        rows.push((name, MapFigures::of(&level)));
    }
    if args.answer.json {
        let rows: Vec<_> =
            rows.iter().map(|(name, figures)| json!({ "name": name, "figures": figures })).collect();
        return output::json(&rows);
    }
    let widest = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(4);
    let bold = anstyle::Style::new().bold();
    let mut text =
        format!("{bold}{:widest$}      size (m)  areas  points  links  items  starts{bold:#}\n", "map");
    for (name, f) in &rows {
        let size = format!("{:.0} x {:.0} x {:.1}", f.width_m, f.height_m, f.rise_m);
        text += &format!(
            "{name:widest$}  {size:>12}  {:>5}  {:>6}  {:>5}  {:>5}  {:>6}\n",
            f.areas, f.points, f.links, f.items, f.starts
        );
    }
    output::text(&text)
}
