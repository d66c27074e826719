//! `repertoire belief draw`: a belief over time, as pictures.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use repertoire_belief::evaluate::track_round;
use repertoire_belief::{Fitted, Graph};
use serde_json::json;

use super::data;
use super::trackers::{self, Name};
use crate::draw::svg::escape;
use crate::output;

/// Draw what a tracker believes about one unseen enemy, second by second
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
The darker red a place, the more probable; blue places are in view of the enemy's enemies; the cross is the truth, which the
tracker does not know. --svg gives one picture with a frame for every few seconds, --html a page with a slider.

Examples:
  repertoire belief draw --model dust2.json --visibility vis.json.gz --play others.csv.gz --round 4 --player P3 --svg p3.svg
  repertoire belief draw --model dust2.json --visibility vis.json.gz --play others.csv.gz --html p3.html")]
pub struct Args {
    /// A model, as `belief fit` writes it
    #[arg(long, value_name = "MODEL")]
    model: PathBuf,

    /// Which areas see which
    #[arg(long, value_name = "VIS")]
    visibility: PathBuf,

    /// Recorded play
    #[arg(long, value_name = "PLAY", required = true)]
    play: Vec<PathBuf>,

    /// The round; the first if none is named
    #[arg(long)]
    round: Option<String>,

    /// Whom to track; the one who is longest out of sight if none is named
    #[arg(long)]
    player: Option<String>,

    /// The tracker
    #[arg(long, value_name = "NAME", default_value = "pooled")]
    tracker: Name,

    /// Seconds from frame to frame of the picture
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=600))]
    every: u32,

    /// Where to write a picture; `-` is standard output
    #[arg(long, value_name = "FILE", required_unless_present = "html")]
    svg: Option<PathBuf>,

    /// Where to write a page with a slider
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// One second.
struct Frame {
    secs: f64,
    unseen_secs: f64,
    belief: Vec<f64>,
    visible: Vec<f64>,
    truth: usize,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let model = data::model(&args.model)?;
    let sight = data::sight(&args.visibility, &model.places)?;
    let play = data::all_play(&args.play, &model.places)?;
    let names: Vec<&str> = play.rounds.iter().map(|round| round.name.as_str()).collect();
    let round = match &args.round {
        Some(name) => names.iter().position(|known| known == name).with_context(|| {
            format!("there is no round `{name}`\n  remedy: name one of {}", names.join(", "))
        })?,
        None => 0,
    };
    let player = match &args.player {
        Some(name) => Some(play.players.iter().position(|known| known == name).with_context(|| {
            format!("there is no player `{name}`\n  remedy: name one of {}", play.players.join(", "))
        })?),
        None => None,
    };
    let fitted = Fitted::new(model)?;
    let ways = trackers::ways(&fitted);
    let mut frames: Vec<Vec<Frame>> = play.players.iter().map(|_| Vec::new()).collect();
    track_round(
        &fitted.model,
        &sight,
        &play,
        round,
        &mut || args.tracker.make(&fitted, &ways, 1),
        &mut |watched| {
            let own = usize::from(watched.player);
            if player.is_none_or(|player| player == own) {
                frames[own].push(Frame {
                    secs: watched.situation.secs,
                    unseen_secs: watched.unseen_secs,
                    belief: watched.belief.to_vec(),
                    visible: watched.visible.to_vec(),
                    truth: watched.truth,
                });
            }
        },
    );
    let most =
        (0..frames.len()).fold(0, |best, k| if frames[k].len() > frames[best].len() { k } else { best });
    let player = player.unwrap_or(most);
    let frames = &frames[player];
    if frames.is_empty() {
        bail!(
            "{} is never out of sight in this round\n  remedy: name another player or round",
            play.players[player]
        );
    }
    let title = format!(
        "{}, round {}: where is {}? ({})",
        fitted.model.map,
        names[round],
        play.players[player],
        args.tracker.text()
    );
    let plan = Plan::of(&fitted.model.places);
    if let Some(path) = &args.svg {
        output::file(path, &picture(&plan, &title, frames, f64::from(args.every)))?;
    }
    if let Some(path) = &args.html {
        output::file(path, &page(&plan, &title, frames)?)?;
    }
    Ok(())
}

/// The map seen from above: a square for each place.
struct Plan {
    squares: Vec<(f64, f64, f64)>,
    width: f64,
    height: f64,
}

const FRAME: f64 = 300.0;

impl Plan {
    fn of(places: &Graph) -> Self {
        let range = |k: usize| {
            let values = places.centres.iter().map(|centre| centre[k]);
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
        };
        let ((x0, x1), (y0, y1)) = (range(0), range(1));
        let scale = FRAME / (x1 - x0).max(y1 - y0).max(1e-9);
        let neighbours = places.neighbours();
        let square = |s: usize| {
            let near =
                neighbours[s].iter().map(|&to| places.straight(s, to as usize)).fold(f64::INFINITY, f64::min);
            let half = (near * scale / 2.0).clamp(1.5, 6.0);
            let centre = places.centres[s];
            (6.0 + (centre[0] - x0) * scale, 6.0 + (y1 - centre[1]) * scale, half)
        };
        let squares = (0..places.len()).map(square).collect();
        Plan { squares, width: (x1 - x0) * scale + 12.0, height: (y1 - y0) * scale + 12.0 }
    }
}

/// From white to red: how probable, beside the most probable.
fn colour(p: f64, most: f64, visible: f64) -> String {
    if p < 1e-4 {
        return if visible > 0.5 { "#dce8f6".into() } else { "#eeeeee".into() };
    }
    let t = (p / most).sqrt().min(1.0);
    let mix = |from: f64, to: f64| (from + (to - from) * t).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(252.0, 165.0), mix(222.0, 15.0), mix(208.0, 21.0))
}

fn picture(plan: &Plan, title: &str, frames: &[Frame], every: f64) -> String {
    let mut chosen: Vec<&Frame> = Vec::new();
    for frame in frames {
        if chosen.last().is_none_or(|last| frame.secs - last.secs >= every - 0.5) {
            chosen.push(frame);
        }
    }
    let columns = chosen.len().clamp(1, 5);
    let (cell_w, cell_h) = (plan.width + 10.0, plan.height + 26.0);
    let (width, height) = (cell_w * columns as f64, cell_h * chosen.len().div_ceil(columns) as f64 + 40.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"8\" y=\"22\" font-weight=\"600\" font-size=\"14\">{}</text>\n",
        escape(title)
    );
    for (k, frame) in chosen.iter().enumerate() {
        let (x, y) = ((k % columns) as f64 * cell_w, 36.0 + (k / columns) as f64 * cell_h);
        let _ = writeln!(
            svg,
            "<g transform=\"translate({x:.1} {y:.1})\"><text x=\"6\" y=\"12\">{:.0} s, unseen for {:.0} s, truth {:.2} %</text><g transform=\"translate(0 16)\">",
            frame.secs,
            frame.unseen_secs,
            100.0 * frame.belief[frame.truth]
        );
        let most = frame.belief.iter().copied().fold(1e-12, f64::max);
        for (s, &(x, y, half)) in plan.squares.iter().enumerate() {
            let fill = colour(frame.belief[s], most, frame.visible[s]);
            let _ = write!(
                svg,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{fill}\"/>",
                x - half,
                y - half,
                2.0 * half,
                2.0 * half
            );
        }
        let (x, y, _) = plan.squares[frame.truth];
        let _ = writeln!(
            svg,
            "<path d=\"M{:.1} {:.1}l10 10m0 -10l-10 10\" stroke=\"#000000\" stroke-width=\"2\"/></g></g>",
            x - 5.0,
            y - 5.0
        );
    }
    svg + "</svg>\n"
}

/// A page with a slider; the numbers are in it, so that it needs nothing else.
fn page(plan: &Plan, title: &str, frames: &[Frame]) -> Result<String> {
    let round = |x: f64| (x * 10.0).round() / 10.0;
    let squares: Vec<[f64; 3]> =
        plan.squares.iter().map(|&(x, y, half)| [round(x), round(y), round(half)]).collect();
    let frame = |frame: &Frame| {
        let most = frame.belief.iter().copied().fold(1e-12, f64::max);
        let belief: Vec<(usize, f64)> = (0..frame.belief.len())
            .filter(|&s| frame.belief[s] >= 1e-4)
            .map(|s| (s, ((frame.belief[s] / most).sqrt() * 1000.0).round() / 1000.0))
            .collect();
        let visible: Vec<usize> = (0..frame.visible.len()).filter(|&s| frame.visible[s] > 0.5).collect();
        json!({ "secs": frame.secs, "unseen": frame.unseen_secs, "belief": belief, "visible": visible, "truth": frame.truth,
            "p": (frame.belief[frame.truth] * 1e6).round() / 1e6 })
    };
    let frames: Vec<_> = frames.iter().map(frame).collect();
    let data = serde_json::to_string(&json!({ "squares": squares, "frames": frames }))?.replace("</", "<\\/");
    let (width, height) = (plan.width * 2.0, plan.height * 2.0);
    Ok(format!(
        r##"<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style>body{{font-family:system-ui,sans-serif;margin:1.5em}}input{{width:{width:.0}px}}canvas{{border:1px solid #cccccc}}</style></head>
<body><h1 style="font-size:1.1em">{title}</h1>
<p>The darker red, the more probable; blue is in view of its enemies; the cross is the truth, which the tracker does not know.</p>
<canvas id="map" width="{width:.0}" height="{height:.0}"></canvas>
<p><input id="at" type="range" min="0" value="0"> <span id="says"></span></p>
<script>
const data = {data};
const canvas = document.getElementById("map"), pen = canvas.getContext("2d"), at = document.getElementById("at");
at.max = data.frames.length - 1;
function draw() {{
  const frame = data.frames[at.value];
  pen.setTransform(2, 0, 0, 2, 0, 0);
  pen.clearRect(0, 0, canvas.width, canvas.height);
  const fill = data.squares.map(() => "#eeeeee");
  frame.visible.forEach(s => fill[s] = "#dce8f6");
  frame.belief.forEach(([s, t]) => fill[s] = `rgb(${{252 - 87 * t}},${{222 - 207 * t}},${{208 - 187 * t}})`);
  data.squares.forEach(([x, y, h], s) => {{ pen.fillStyle = fill[s]; pen.fillRect(x - h, y - h, 2 * h, 2 * h); }});
  const [x, y] = data.squares[frame.truth];
  pen.lineWidth = 1.5; pen.beginPath(); pen.moveTo(x - 5, y - 5); pen.lineTo(x + 5, y + 5); pen.moveTo(x + 5, y - 5); pen.lineTo(x - 5, y + 5); pen.stroke();
  document.getElementById("says").textContent = `${{frame.secs}} s, unseen for ${{frame.unseen}} s, probability of the true place ${{(100 * frame.p).toFixed(2)}} %`;
}}
at.oninput = draw; draw();
</script></body></html>
"##,
        title = escape(title)
    ))
}
