//! `repertoire belief evaluate`: how well trackers know where the unseen are, on recorded play.

use repertoire::recordings::ground;
use repertoire_eval::belief::TrackerKind;
use repertoire_eval::belief::evaluate::{Experiment, Rounds};
use repertoire_eval::belief::evidence::Sense;
use repertoire_eval::belief::trackers::{self, BESIDE_HABITS};
use repertoire_trace::rounds::STEP_SECS;

use crate::prelude::*;

/// Measure on recorded play how well trackers locate unseen enemies
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Each second (or --step) a side sees an enemy if the area of any living member sees the enemy's area. For every living enemy that is not
seen each tracker gives a distribution over areas. Trackers can tell enemies apart, and know their places until the round goes live.

  dist      walking distance from the best guess (least expected distance) to the truth, in the map's units (and in seconds of running)
  mode      the same from the most probable area
  log-loss  -ln of the probability of the true area, at least 1e-6
  50 % 90 % how often the truth lies in the smallest set that contains this share of the belief

Intervals are 95 %, by resampling rounds. Trackers named `...-habits` know who the enemy is. Of client demos a belief is measured when an
enemy comes back into the player's view (before that is used), and while the server sends it though its area is not in view.

Examples:
  repertoire belief evaluate --model dust2.json --visibility vis.json.gz --play others.csv.gz
  repertoire belief evaluate --model dust2.json --visibility vis.json.gz --play others.csv.gz --tracker pooled --json
  repertoire belief evaluate --places nav.json.gz --leave-one-out --visibility vis.json.gz --play rounds.csv.gz")]
pub struct Args {
    /// A model, as `belief fit` writes it
    #[arg(long, value_name = "MODEL", required_unless_present = "places", conflicts_with = "leave_one_out")]
    model: Option<PathBuf>,

    /// With --leave-one-out: the places, a navigation mesh as JSON or a map of the arena
    #[arg(long, value_name = "NAV", requires = "leave_one_out")]
    places: Option<PathBuf>,

    /// Measure each round with a model learned from all other rounds
    #[arg(long, requires = "places")]
    leave_one_out: bool,

    /// Which places see which: JSON of `arena export --visibility`, or a map of the arena
    #[arg(long, value_name = "VIS")]
    visibility: PathBuf,

    /// Recorded play to measure on: CSV, a demo, or a recording of `repertoire record`; may be given several times
    #[arg(long, value_name = "PLAY", required = true)]
    play: Vec<PathBuf>,

    /// Measure only this tracker; may be given several times [default: all]
    #[arg(long, value_name = "NAME", value_parser = one_of(BESIDE_HABITS, TrackerKind::text, TrackerKind::about))]
    tracker: Vec<TrackerKind>,

    /// Seconds from one moment of the play to the next; only with --leave-one-out, since a model has its own
    /// [default: 1, or the model's]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    step: Option<f64>,

    /// Also measure what is gained by hearing (`sound`) and by knowing whom one hurt (`health`), with --leave-one-out: how much
    /// each counts is learned from the other rounds. Needs people's play that holds events
    #[arg(long, value_name = "sound,health", value_delimiter = ',', requires = "leave_one_out")]
    evidence: Vec<Sense>,

    /// Random seed of particles and of resampling; the same seed repeats the run
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Add a table for each tracker, by seconds since the enemy was last seen
    #[arg(long)]
    by_time: bool,

    /// Also show how long an update takes; times differ from run to run
    #[arg(long)]
    timing: bool,

    #[command(flatten)]
    answer: Answer,

    #[command(flatten)]
    shard: ShardArgs,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let trackers = if args.tracker.is_empty() { trackers::ALL.to_vec() } else { args.tracker.clone() };
    let (places, model) = match (&args.model, &args.places) {
        (Some(path), _) => {
            let model = ground::model(path)?;
            (ground::of_model(&model), Some(model))
        }
        (None, Some(path)) => (ground::places(path)?, None),
        (None, None) => {
            bail!("there is nothing to measure with\n  remedy: --model, or --places with --leave-one-out")
        }
    };
    let sight = ground::sight(&args.visibility, &places.places)?;
    let play = match &model {
        Some(model) => ground::rounds_for(&args.play, &places, model, args.step, &note)?,
        None => ground::rounds(&args.play, &places, args.step.unwrap_or(STEP_SECS), &note)?,
    };
    let experiment = Experiment {
        trackers: &trackers,
        sight: &sight,
        play: &play,
        seed: args.seed,
        evidence: &args.evidence,
        clock: clock::lent(args.timing),
    };
    let rounds = match model {
        Some(model) => Rounds::with_model(model, experiment),
        None => Rounds::leave_one_out(&places, experiment),
    };
    let template = "{bar:30} {pos} of {len} rounds, {elapsed}";
    let told = args.shard.carry_out_with_bar(&rounds?, "rounds", template, args.answer.json)?;
    let Some(report) = told else { return Ok(()) };
    args.answer.print(&report, || terminal::belief::evaluated(&report, args.by_time))
}
