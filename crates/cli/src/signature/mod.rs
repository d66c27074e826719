//! `repertoire signature`: how players move, and how far they are apart.

mod table;

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};
use clap::{Args as ClapArgs, ValueEnum};
use repertoire_draw::signature::Player;
use repertoire_eval::signature::habits::{Habits, Measure, Tally};
use repertoire_eval::signature::mds::{Layout, layout};
use repertoire_eval::signature::{BIN_DEG, BINS, Counts, NAMES, PERIOD_SECS, Signature, sampled};
use serde::Serialize;

use crate::movement::{self, Recorded};
use crate::{draw, output};

/// Signatures: how players and characters move, how far apart they are, what makes their movement theirs
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Three histograms of angles at 10 Hz (Tence 2011, 4.4.3.2): from facing to velocity, change of facing, change of velocity; 36 bins,
the first centred on 0, left is positive. Distances are what must be carried how far on the circle, in degrees.

All recordings are cut to the same length, and shorter ones left out; if all are shorter, to the shortest. `same player` and
`others` are means over pairs of recordings.

Play is CSV with the columns map,session,player,life,t,x,y,z,yaw (plain or gzip) or recordings of `repertoire record`; give as
many as you like, people and characters together.

Examples:
  repertoire signature --play ut2004_human_10hz.csv.gz --by player
  repertoire signature --play ut2004_human_10hz.csv.gz match.parquet --by player --svg who.svg
  repertoire signature --play ut2004_human_10hz.csv.gz match.parquet --by player --habits
  repertoire signature --play ut2004_human_10hz.csv.gz --map DM-Antalus --json")]
pub struct Args {
    /// Recorded play
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    play: Vec<PathBuf>,
    /// What has a signature: each recording, or each player over all of his
    #[arg(long, value_enum, default_value = "recording")]
    by: By,
    /// Only this map
    #[arg(long, value_name = "NAME")]
    map: Option<String>,
    /// The length all recordings are cut to
    #[arg(long, default_value_t = 300.0, value_name = "SECS")]
    seconds: f64,
    /// Also habits: still views and bursts, strafing, stops, jumps
    #[arg(long)]
    habits: bool,
    /// Draw who is near whom (multidimensional scaling), and the signatures
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Units in a metre [default: 50 for CSV, 1 for our recordings]
    #[arg(long, value_name = "UNITS")]
    units_per_metre: Option<f64>,
    /// Print numbers as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
enum By {
    Recording,
    Player,
}

/// One recording, or all of a player.
#[derive(Serialize)]
struct One {
    name: String,
    player: String,
    recordings: usize,
    seconds: f64,
    #[serde(flatten)]
    signature: Signature,
    #[serde(skip_serializing_if = "Option::is_none")]
    habits: Option<Habits>,
}

/// One number for each signature.
type Three<T> = BTreeMap<&'static str, T>;

/// Pairs of recordings: how many, and how far apart on average.
#[derive(Default, Serialize)]
struct Pairs {
    pairs: usize,
    #[serde(flatten)]
    mean_degrees: Three<f64>,
}

/// Who is nearest, and how far.
#[derive(Serialize)]
struct Nearest {
    name: String,
    degrees: f64,
}

#[derive(Serialize)]
struct LeftOut {
    name: String,
    seconds: f64,
    why: &'static str,
}

#[derive(Serialize)]
struct Report {
    by: By,
    bins: usize,
    bin_degrees: f64,
    hz: f64,
    /// What every recording was cut to.
    seconds: f64,
    left_out: Vec<LeftOut>,
    signatures: Vec<One>,
    /// In the order of `signatures`.
    distances_degrees: Three<Vec<Vec<f64>>>,
    /// For each signature, in the order of `signatures`: the nearest other.
    nearest: Three<Vec<Option<Nearest>>>,
    same_player: Pairs,
    other_players: Pairs,
    /// For each player with several recordings, how far they are apart.
    by_player: BTreeMap<String, Pairs>,
    mds: Three<Layout>,
}

/// A recording, cut.
struct Piece {
    name: String,
    player: String,
    counts: Counts,
    tally: Tally,
    signature: Signature,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    if !(args.seconds > 0.0 && args.seconds.is_finite()) {
        bail!("--seconds {}: nothing is left\n  remedy: a number above 0", args.seconds);
    }
    if let Some(svg) = &args.svg {
        for path in &args.play {
            output::refuse_overwriting(svg, path, "play")?;
        }
    }
    let all = movement::by_map(movement::load(&args.play)?, args.map.as_deref())?;
    let report = report(args, all.into_values().flatten().collect())?;
    if let Some(svg) = &args.svg {
        let players: Vec<Player<'_>> = report
            .signatures
            .iter()
            .map(|one| Player { name: &one.name, player: &one.player, signature: &one.signature })
            .collect();
        output::file(svg, &draw::signature::picture(&players, &report.mds))?;
    }
    if args.json {
        return output::json(&report);
    }
    output::text(&table::table(&report))
}

fn report(args: &Args, all: Vec<Recorded>) -> Result<Report> {
    let mut left_out = Vec::new();
    let mut usable = Vec::new();
    for recorded in all {
        let seconds = |count: usize| count as f64 * PERIOD_SECS;
        let (name, count) = (recorded.name(), recorded.moments.len());
        if !recorded.has_yaw {
            left_out.push(LeftOut {
                name,
                seconds: seconds(count),
                why: "it does not tell where the player faced",
            });
        } else if let Some(moments) = sampled(&recorded.moments) {
            usable.push((recorded, moments));
        } else {
            left_out.push(LeftOut {
                name,
                seconds: seconds(count),
                why: "it has fewer than 10 moments a second",
            });
        }
    }
    // A moment more than the seconds, since angles are between two.
    let wanted = (args.seconds / PERIOD_SECS).round() as usize;
    let longest = usable.iter().map(|(_, moments)| moments.len()).max().unwrap_or(0);
    let shortest = usable.iter().map(|(_, moments)| moments.len()).min().unwrap_or(0);
    let length = if longest >= wanted { wanted } else { shortest };
    let mut pieces = Vec::new();
    for (recorded, moments) in usable {
        let (name, seconds) = (recorded.name(), moments.len() as f64 * PERIOD_SECS);
        if moments.len() < length {
            left_out.push(LeftOut { name, seconds, why: "it is too short" });
            continue;
        }
        let measure = Measure::in_units(args.units_per_metre.unwrap_or(recorded.units_per_metre));
        let (mut counts, mut tally) = (Counts::new(measure.standing), Tally::default());
        counts.add(&moments[..length]);
        tally.add(&moments[..length], measure);
        match counts.signature() {
            Some(signature) => pieces.push(Piece { name, player: recorded.player, counts, tally, signature }),
            None => left_out.push(LeftOut { name, seconds, why: "the player does not move" }),
        }
    }
    if pieces.is_empty() {
        let why = left_out.first().map_or(String::new(), |one| format!(" ({}: {})", one.name, one.why));
        bail!("no recording has a signature{why}\n  remedy: give play at 10 Hz or more, with a column `yaw`");
    }
    if length < wanted {
        let seconds = length as f64 * PERIOD_SECS;
        anstream::eprintln!(
            "note: no recording has {} s; all are cut to {seconds:.1} s, the shortest",
            args.seconds
        );
    }
    let [same_player, other_players] =
        [true, false].map(|same| pairs(&pieces, &|a, b| (a.player == b.player) == same));
    let mut by_player = BTreeMap::new();
    for piece in &pieces {
        let own = pairs(&pieces, &|a, b| a.player == piece.player && b.player == piece.player);
        if own.pairs > 0 {
            by_player.insert(piece.player.clone(), own);
        }
    }
    let signatures = gather(args, pieces, length as f64 * PERIOD_SECS)?;
    let distances_degrees = distances(&signatures);
    let nearest = NAMES.iter().map(|&name| (name, nearest(&signatures, &distances_degrees[name]))).collect();
    let mds = NAMES.iter().map(|&name| (name, layout(&distances_degrees[name]))).collect();
    Ok(Report {
        by: args.by,
        bins: BINS,
        bin_degrees: BIN_DEG,
        hz: 1.0 / PERIOD_SECS,
        seconds: length as f64 * PERIOD_SECS,
        left_out,
        signatures,
        nearest,
        distances_degrees,
        same_player,
        other_players,
        by_player,
        mds,
    })
}

fn pairs(pieces: &[Piece], is_meant: &dyn Fn(&Piece, &Piece) -> bool) -> Pairs {
    let mut sums = [0.0; 3];
    let mut count = 0;
    for (k, a) in pieces.iter().enumerate() {
        for b in pieces[k + 1..].iter().filter(|b| is_meant(a, b)) {
            let far = a.signature.distances_deg(&b.signature);
            sums.iter_mut().zip(far).for_each(|(sum, far)| *sum += far);
            count += 1;
        }
    }
    let mean = |k: usize| if count == 0 { 0.0 } else { sums[k] / count as f64 };
    let mean_degrees = match count {
        0 => BTreeMap::new(),
        _ => NAMES.iter().enumerate().map(|(k, &name)| (name, mean(k))).collect(),
    };
    Pairs { pairs: count, mean_degrees }
}

/// The pieces one by one, or those of each player added up.
fn gather(args: &Args, pieces: Vec<Piece>, seconds: f64) -> Result<Vec<One>> {
    let habits = |tally: &Tally| args.habits.then(|| tally.habits());
    if args.by == By::Recording {
        let one = |piece: Piece| One {
            name: piece.name,
            player: piece.player,
            recordings: 1,
            seconds,
            signature: piece.signature,
            habits: habits(&piece.tally),
        };
        return Ok(pieces.into_iter().map(one).collect());
    }
    let mut players: BTreeMap<String, (Counts, Tally, usize)> = BTreeMap::new();
    for piece in pieces {
        match players.get_mut(&piece.player) {
            Some((counts, tally, count)) => {
                counts.merge(&piece.counts);
                tally.merge(&piece.tally);
                *count += 1;
            }
            None => {
                players.insert(piece.player, (piece.counts, piece.tally, 1));
            }
        }
    }
    players
        .into_iter()
        .map(|(player, (counts, tally, recordings))| {
            let signature = counts.signature().ok_or_else(|| anyhow!("{player} does not move"))?;
            let seconds = seconds * recordings as f64;
            Ok(One { name: player.clone(), player, recordings, seconds, signature, habits: habits(&tally) })
        })
        .collect()
}

fn nearest(signatures: &[One], distances: &[Vec<f64>]) -> Vec<Option<Nearest>> {
    let of = |own: usize| {
        let others = (0..signatures.len()).filter(|&k| k != own);
        let k = others.min_by(|&a, &b| distances[own][a].total_cmp(&distances[own][b]))?;
        Some(Nearest { name: signatures[k].name.clone(), degrees: distances[own][k] })
    };
    (0..signatures.len()).map(of).collect()
}

fn distances(signatures: &[One]) -> Three<Vec<Vec<f64>>> {
    let mut all: Three<Vec<Vec<f64>>> = BTreeMap::new();
    for a in signatures {
        let rows: Vec<[f64; 3]> =
            signatures.iter().map(|b| a.signature.distances_deg(&b.signature)).collect();
        for (k, &name) in NAMES.iter().enumerate() {
            all.entry(name).or_default().push(rows.iter().map(|row| row[k]).collect());
        }
    }
    all
}
