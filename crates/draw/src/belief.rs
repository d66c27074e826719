//! What a tracker believes about an unseen enemy, second by second.

use repertoire_belief::evaluate::{Sight, track_round};
use repertoire_belief::play::Play;
use repertoire_belief::{Fitted, Graph};
use repertoire_eval::belief::{TrackerKind, trackers};
use serde_json::json;

use crate::colour::REDS;
use crate::html::Page;
use crate::legend::{self, Sign};
use crate::svg::{Path, Svg, group_at, rect, text};

/// What is believed about one unseen enemy at one second.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Seconds since the round began.
    pub secs: f64,
    /// Seconds since the enemy was last seen.
    pub unseen_secs: f64,
    /// The probability of each place.
    pub belief: Vec<f64>,
    /// How much of each place the observers see, from 0 to 1.
    pub visible: Vec<f64>,
    /// Where the enemy truly is.
    pub truth: usize,
}

/// What a tracker believes of each player of a round: a frame for every moment at which they live out of sight, in the order
/// of the players.
pub fn frames(
    fitted: &Fitted,
    sight: &Sight,
    play: &Play,
    round: usize,
    tracker: TrackerKind,
    seed: u64,
) -> Vec<Vec<Frame>> {
    let ways = trackers::ways(fitted);
    let mut frames: Vec<Vec<Frame>> = play.players.iter().map(|_| Vec::new()).collect();
    let mut make = || tracker.make(fitted, &ways, seed);
    track_round(&fitted.model, sight, play, round, &mut make, &mut |watched| {
        frames[usize::from(watched.player)].push(Frame {
            secs: watched.situation.secs,
            unseen_secs: watched.unseen_secs,
            belief: watched.belief.to_vec(),
            visible: watched.visible.to_vec(),
            truth: watched.truth,
        });
    });
    frames
}

/// Which player's place is tracked, and in which round; the first round, and whoever is out of sight longest, unless named.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chosen<'a> {
    /// The round.
    pub round: Option<&'a str>,
    /// The player.
    pub player: Option<&'a str>,
}

/// Where one unseen player is believed to be, moment by moment.
#[derive(Clone, Debug)]
pub struct Tracked {
    /// Who, where, and by which tracker.
    pub title: String,
    /// The moments.
    pub frames: Vec<Frame>,
}

/// Why there is nothing to draw.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotTracked {
    /// There is no such round or player.
    #[error("there is no {kind} `{name}`\n  remedy: name one of {}", .known.join(", "))]
    Unknown {
        /// `round` or `player`.
        kind: &'static str,
        /// What was asked for.
        name: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// The player is always seen.
    #[error("{0} is never out of sight in this round\n  remedy: name another player or round")]
    AlwaysSeen(String),
}

impl Chosen<'_> {
    /// Tracks the chosen player through the round.
    ///
    /// # Errors
    /// If there is no such round or player, or if the player is never out of sight.
    pub fn track(
        &self,
        fitted: &Fitted,
        sight: &Sight,
        play: &Play,
        tracker: TrackerKind,
    ) -> Result<Tracked, NotTracked> {
        let position = |kind: &'static str, name: &str, known: Vec<String>| {
            let at = known.iter().position(|known| known == name);
            at.ok_or_else(|| NotTracked::Unknown { kind, name: name.to_owned(), known })
        };
        let rounds = || play.rounds.iter().map(|round| round.name.clone()).collect();
        let round = self.round.map_or(Ok(0), |name| position("round", name, rounds()))?;
        let player = self.player.map(|name| position("player", name, play.players.clone())).transpose()?;
        let mut frames = frames(fitted, sight, play, round, tracker, 1);
        let most =
            (0..frames.len()).fold(0, |best, k| if frames[k].len() > frames[best].len() { k } else { best });
        let player = player.unwrap_or(most);
        let name = &play.players[player];
        let frames = std::mem::take(&mut frames[player]);
        if frames.is_empty() {
            return Err(NotTracked::AlwaysSeen(name.clone()));
        }
        let title = format!(
            "{}, round {}: where is {name}? ({})",
            fitted.model.map,
            play.rounds[round].name,
            tracker.text()
        );
        Ok(Tracked { title, frames })
    }
}

/// The map seen from above: a square for each place.
#[derive(Clone, Debug)]
pub struct Plan {
    squares: Vec<(f64, f64, f64)>,
    width: f64,
    height: f64,
}

const FRAME: f64 = 300.0;

impl Plan {
    /// The plan of places.
    pub fn of(places: &Graph) -> Self {
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

/// The colours of places where the enemy is almost certainly not: in view, and out of view.
const IN_VIEW: &str = "#a9c8ee";
const OUT_OF_VIEW: &str = "#dcdfe2";
/// Less probable places count as empty.
const LEAST: f64 = 1e-4;

/// How probable, beside the most probable.
fn colour(p: f64, most: f64, visible: f64) -> String {
    match p < LEAST {
        true => if visible > 0.5 { IN_VIEW } else { OUT_OF_VIEW }.to_owned(),
        false => REDS.at((p / most).sqrt()),
    }
}

/// A frame for every `every` seconds, side by side.
pub fn picture(plan: &Plan, title: &str, frames: &[Frame], every: f64) -> String {
    let mut chosen: Vec<&Frame> = Vec::new();
    for frame in frames {
        if chosen.last().is_none_or(|last| frame.secs - last.secs >= every - 0.5) {
            chosen.push(frame);
        }
    }
    let columns = chosen.len().clamp(1, 5);
    // The words above a frame need this much.
    let (cell_w, cell_h) = (plan.width.max(210.0) + 10.0, plan.height + 28.0);
    let width = (cell_w * columns as f64).max(460.0);
    let height = cell_h * chosen.len().div_ceil(columns) as f64 + 90.0;
    let mut svg = Svg::new(width, height).titled(title).described(LEGEND);
    svg.push(text(8.0, 22.0, title).bold().size(14.0));
    let entries = [
        (Sign::Colour(IN_VIEW.into()), "empty, in view of the enemy's enemies".to_owned()),
        (Sign::Colour(OUT_OF_VIEW.into()), "empty, out of view".to_owned()),
    ];
    svg.push(legend::row(8.0, 44.0, width - 16.0, &entries).0);
    svg.push(REDS.strip(8.0, 54.0, 11.0, "the more probable, the darker; the cross is the truth"));
    for (k, frame) in chosen.iter().enumerate() {
        let mut one = group_at((k % columns) as f64 * cell_w, 78.0 + (k / columns) as f64 * cell_h);
        let share = 100.0 * frame.belief[frame.truth];
        let said = format!("{:.0} s, unseen for {:.0} s, truth {share:.2} %", frame.secs, frame.unseen_secs);
        one.push(text(6.0, 12.0, &said).size(11.0));
        let most = frame.belief.iter().copied().fold(1e-12, f64::max);
        for (s, &(x, y, half)) in plan.squares.iter().enumerate() {
            let fill = colour(frame.belief[s], most, frame.visible[s]);
            one.push(rect(x - half, y + 18.0 - half, 2.0 * half, 2.0 * half).fill(fill));
        }
        let (x, y, _) = plan.squares[frame.truth];
        let (x, y) = (x, y + 18.0);
        let cross = Path::new().to(x - 5.0, y - 5.0).line(x + 5.0, y + 5.0).to(x + 5.0, y - 5.0);
        let cross = cross.line(x - 5.0, y + 5.0).element();
        // Black on a light rim, to be seen on any square and any paper.
        one.push(cross.clone().stroke("#ffffff", 4.0));
        one.push(cross.stroke("#000000", 2.0));
        svg.push(one);
    }
    svg.finish()
}

const LEGEND: &str = "The darker red a place, the more probable; blue is in view of the enemy's enemies; the cross is the truth, \
    which the tracker does not know.";

/// A page with a slider; the numbers are in it, so that it needs nothing else.
pub fn page(plan: &Plan, title: &str, frames: &[Frame]) -> String {
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
    let data = json!({ "squares": squares, "frames": frames, "blue": IN_VIEW, "grey": OUT_OF_VIEW });
    let (width, height) = (plan.width * 2.0, plan.height * 2.0);
    let body = format!(
        "<p>{LEGEND}</p>\n<figure><canvas id=\"map\" width=\"{width:.0}\" height=\"{height:.0}\"></canvas></figure>\n\
         <p><input id=\"at\" type=\"range\" min=\"0\" value=\"0\" aria-label=\"time\"> <span id=\"says\"></span></p>\n"
    );
    let script = format!("\nconst data = {data};\n{SCRIPT}");
    Page { title: title.to_owned(), style: STYLE, body, script }.finish()
}

const STYLE: &str = "input { width: 100% } canvas { display: block; max-width: 100%; margin: 0 auto }\n";

const SCRIPT: &str = r##"const canvas = document.getElementById("map"), pen = canvas.getContext("2d"), at = document.getElementById("at");
at.max = data.frames.length - 1;
function draw() {
  const frame = data.frames[at.value];
  pen.setTransform(2, 0, 0, 2, 0, 0);
  pen.clearRect(0, 0, canvas.width, canvas.height);
  const fill = data.squares.map(() => data.grey);
  frame.visible.forEach(s => fill[s] = data.blue);
  frame.belief.forEach(([s, t]) => fill[s] = `rgb(${252 - 87 * t},${222 - 207 * t},${208 - 187 * t})`);
  data.squares.forEach(([x, y, h], s) => { pen.fillStyle = fill[s]; pen.fillRect(x - h, y - h, 2 * h, 2 * h); });
  const [x, y] = data.squares[frame.truth];
  for (const [ink, wide] of [["#fff", 3.5], ["#000", 1.5]]) {
    pen.strokeStyle = ink; pen.lineWidth = wide; pen.beginPath();
    pen.moveTo(x - 5, y - 5); pen.lineTo(x + 5, y + 5); pen.moveTo(x + 5, y - 5); pen.lineTo(x - 5, y + 5); pen.stroke();
  }
  document.getElementById("says").textContent = `${frame.secs} s, unseen for ${frame.unseen} s, probability of the true place ${(100 * frame.p).toFixed(2)} %`;
}
at.oninput = draw; draw();
"##;

#[cfg(test)]
mod tests {
    use super::*;

    fn made() -> (Plan, Vec<Frame>) {
        let plan = Plan { squares: vec![(10.0, 10.0, 5.0), (22.0, 10.0, 5.0)], width: 32.0, height: 20.0 };
        let frame = |k: usize| Frame {
            secs: k as f64,
            unseen_secs: k as f64,
            belief: vec![0.25, 0.75],
            visible: vec![1.0, 0.0],
            truth: k % 2,
        };
        (plan, (0..10).map(frame).collect())
    }

    #[test]
    fn a_picture_has_a_frame_every_few_seconds_with_every_place() {
        let (plan, frames) = made();
        let svg = picture(&plan, "where is <P3>?", &frames, 5.0);
        assert_eq!(svg.matches("unseen for").count(), 2);
        // Two places in each frame, the paper, two signs of the legend and the strip of the scale.
        assert_eq!(svg.matches("<rect").count(), 2 * 2 + 1 + 2 + 24);
        assert!(svg.contains("where is &lt;P3&gt;?") && svg.contains("truth 25.00 %"));
    }

    #[test]
    fn a_page_holds_every_frame_and_escapes_its_title() {
        let (plan, frames) = made();
        let page = page(&plan, "</title><b>", &frames);
        assert_eq!(page.matches("\"unseen\"").count(), 10);
        assert!(!page.contains("<b>") && !page.contains("http"));
    }
}
