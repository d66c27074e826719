//! `repertoire belief plants`: one side from where the other stands, at the moment the bomb is planted.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args as ClapArgs;
use rayon::prelude::*;
use repertoire_belief::Graph;
use repertoire_belief::score::{Score, Scorer};
use repertoire_belief::snapshot::{Snapshot, VoteSettings, Voters};
use repertoire_prob::Stream;
use serde_json::{Value, json};

use super::data;
use crate::{draw, output};

/// Hide one side of recorded snapshots and tell where it is from the other
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
STATES is CSV with the columns state, site, side, nav_area: every living player at the moment of the bomb plant. The states are
parted into five; each part is told from the other four. The base rate is how often a side's players are in each place.

Example: repertoire belief plants --places de_dust2.nav.json.gz --states plant_states.csv.gz")]
pub struct Args {
    /// The places: a navigation mesh as JSON
    #[arg(long, value_name = "NAV")]
    places: PathBuf,

    /// The snapshots
    #[arg(long, value_name = "STATES")]
    states: PathBuf,

    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

const PARTS: usize = 5;

pub(super) fn run(args: &Args) -> Result<()> {
    let places = data::places(&args.places)?.places;
    let (snapshots, sides) = read(&args.states, &places)?;
    if snapshots.len() < PARTS || sides.len() != 2 {
        bail!(
            "{}: {} states of {} sides\n  remedy: give at least {PARTS} states of two sides",
            args.states.display(),
            snapshots.len(),
            sides.len()
        );
    }
    let distances = places.distances();
    let voters: Vec<Voters<'_>> = (0..PARTS)
        .map(|part| Voters::new(&distances, &snapshots, |k| k % PARTS != part, VoteSettings::default()))
        .collect();
    // For each state and hidden side: the scores of base rate, base rate at the site, and votes.
    let one = |scorer: &mut Scorer, k: usize| {
        let (snapshot, voters) = (&snapshots[k], &voters[k % PARTS]);
        let mut found: Vec<(usize, [Score; 3])> = Vec::new();
        let mut belief = vec![0.0; places.len()];
        for hidden in 0..2 {
            let known = || {
                snapshots.iter().enumerate().filter(|(other, _)| other % PARTS != k % PARTS).map(|(_, s)| s)
            };
            let visible = [(1 - hidden, &snapshot.sides[1 - hidden][..])];
            let mut beliefs = vec![voters.base_rate(hidden).to_vec()];
            voters.belief(&snapshot.key, hidden, &[], known(), &mut belief);
            beliefs.push(belief.clone());
            voters.belief(&snapshot.key, hidden, &visible, known(), &mut belief);
            beliefs.push(belief.clone());
            for &truth in &snapshot.sides[hidden] {
                let score =
                    |k: usize, scorer: &mut Scorer| scorer.score(&beliefs[k], truth as usize, &distances);
                found.push((hidden, [score(0, scorer), score(1, scorer), score(2, scorer)]));
            }
        }
        found
    };
    let found: Vec<Vec<(usize, [Score; 3])>> =
        (0..snapshots.len()).into_par_iter().map_init(Scorer::default, |scorer, k| one(scorer, k)).collect();
    let labels = ["base rate by place", "base rate at the site", "from the other side"];
    let mut rows: Vec<Value> = Vec::new();
    let mut lines = vec![
        ["hidden", "told by", "log-loss", "better than base rate", "dist", "50 %", "90 %"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for (hidden, name) in sides.iter().enumerate() {
        for (k, label) in labels.iter().enumerate() {
            let per_state: Vec<Vec<[Score; 3]>> = found
                .iter()
                .map(|state| {
                    state.iter().filter(|(side, _)| *side == hidden).map(|(_, scores)| *scores).collect()
                })
                .collect();
            let all: Vec<&[Score; 3]> = per_state.iter().flatten().collect();
            let mean = |value: &dyn Fn(&[Score; 3]) -> f64| {
                all.iter().map(|s| value(s)).sum::<f64>() / all.len().max(1) as f64
            };
            let gain = |s: &[Score; 3]| s[0].log_loss - s[k].log_loss;
            let (low, high) = interval(&per_state, &gain);
            let share = |value: &dyn Fn(&Score) -> bool| mean(&|s| f64::from(u8::from(value(&s[k]))));
            let (loss, better) = (mean(&|s| s[k].log_loss), mean(&gain));
            let (dist, in_50, in_90) =
                (mean(&|s| s[k].expected_distance), share(&|s| s.in_50), share(&|s| s.in_90));
            rows.push(json!({ "hidden": name, "told_by": label, "players": all.len(), "log_loss": loss,
                "better_nats": better, "better_low": low, "better_high": high, "distance_expected": dist,
                "in_50": in_50, "in_90": in_90 }));
            lines.push(vec![
                name.clone(),
                (*label).to_owned(),
                format!("{loss:.2}"),
                if k == 0 { String::new() } else { format!("{better:.2} ({low:.2}..{high:.2})") },
                format!("{dist:.0}"),
                format!("{:.0} %", 100.0 * in_50),
                format!("{:.0} %", 100.0 * in_90),
            ]);
        }
    }
    if args.json {
        return output::json(&json!({ "states": snapshots.len(), "rows": rows }));
    }
    output::text(&format!(
        "{} states, each told from four fifths that do not hold it\n{}",
        snapshots.len(),
        draw::columns(&lines)
    ))
}

/// 95 % of the means when states are drawn again.
fn interval(per_state: &[Vec<[Score; 3]>], value: &dyn Fn(&[Score; 3]) -> f64) -> (f64, f64) {
    let sums: Vec<(f64, f64)> =
        per_state.iter().map(|state| (state.iter().map(value).sum(), state.len() as f64)).collect();
    let mut rng = Stream::new(1, 0, "belief plants");
    let mut means: Vec<f64> = (0..500)
        .map(|_| {
            let (mut sum, mut count) = (0.0, 0.0);
            for _ in 0..sums.len() {
                let (more, players) = sums[(rng.unit() * sums.len() as f64) as usize];
                (sum, count) = (sum + more, count + players);
            }
            sum / f64::max(count, 1.0)
        })
        .collect();
    means.sort_unstable_by(f64::total_cmp);
    (means[12], means[487])
}

fn read(path: &Path, places: &Graph) -> Result<(Vec<Snapshot>, Vec<String>)> {
    let bytes = data::read(path)?;
    let mut rows = csv::ReaderBuilder::new().flexible(true).from_reader(&bytes[..]);
    let head = rows.headers().with_context(|| path.display().to_string())?.clone();
    let column = |name: &str| {
        head.iter().position(|column| column.trim() == name).ok_or_else(|| {
            anyhow!("{}, line 1: there is no column `{name}`\n  remedy: name the columns state, site, side, nav_area", path.display())
        })
    };
    let columns = [column("state")?, column("site")?, column("side")?, column("nav_area")?];
    let index: BTreeMap<u32, u32> = places.ids.iter().zip(0..).map(|(&id, k)| (id, k)).collect();
    let (mut states, mut sides): (Vec<(String, Snapshot)>, Vec<String>) = (Vec::new(), Vec::new());
    for row in rows.records() {
        let row = row.with_context(|| path.display().to_string())?;
        let line = row.position().map_or(0, csv::Position::line);
        let cell = |k: usize| {
            row.get(columns[k])
                .map(str::trim)
                .ok_or_else(|| anyhow!("{}, line {line}: the line ends early", path.display()))
        };
        let (state, site, side, area) = (cell(0)?, cell(1)?, cell(2)?, cell(3)?);
        let Some(&place) = area.parse().ok().and_then(|id: u32| index.get(&id)) else {
            bail!(
                "{}, line {line}: area `{area}` is not in the mesh\n  remedy: give the mesh of the same map",
                path.display()
            );
        };
        let side = sides.iter().position(|known| known == side).unwrap_or_else(|| {
            sides.push(side.to_owned());
            sides.len() - 1
        });
        if states.last().is_none_or(|(last, _)| last != state) {
            states.push((state.to_owned(), Snapshot { key: site.to_owned(), sides: Vec::new() }));
        }
        if let Some((_, snapshot)) = states.last_mut() {
            snapshot.sides.resize(snapshot.sides.len().max(side + 1), Vec::new());
            snapshot.sides[side].push(place);
        }
    }
    let mut snapshots: Vec<Snapshot> = states.into_iter().map(|(_, snapshot)| snapshot).collect();
    snapshots.iter_mut().for_each(|snapshot| snapshot.sides.resize(sides.len(), Vec::new()));
    Ok((snapshots, sides))
}
