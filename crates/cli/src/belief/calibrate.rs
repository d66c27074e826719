//! `repertoire belief calibrate`: are 90 % of the truth in the 90 % set, when the truth follows the model?

use std::path::PathBuf;

use anyhow::Result;
use clap::Args as ClapArgs;
use rayon::prelude::*;
use repertoire_belief::Fitted;
use repertoire_belief::play::Situation;
use repertoire_belief::region::{RegionTracker, Tables};
use repertoire_belief::simulate::Walk;
use repertoire_belief::tracker::{Evidence, Quarry, Tracker};
use repertoire_prob::{Stream, draw::sample};
use serde_json::json;

use super::data;
use crate::output;

/// Let opponents walk by the model itself, and count how often the 50 % and 90 % sets hold them
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Opponents walk by the HSMM of all play, seen by watchers who stand at random places. A set holds at least its share of the
belief, mostly more; `held` is how much, and how often the truth lies in it should be the same. `exactly` counts the last place of
each set only as far as it is needed for the share.

Example: repertoire belief calibrate --model dust2.json --visibility vis.json.gz")]
pub struct Args {
    /// A model, as `belief fit` writes it
    #[arg(long, value_name = "MODEL")]
    model: PathBuf,

    /// Which areas see which
    #[arg(long, value_name = "VIS")]
    visibility: PathBuf,

    /// How many opponents
    #[arg(long, default_value_t = 2000)]
    walks: usize,

    /// For how many seconds each
    #[arg(long, default_value_t = 60)]
    seconds: usize,

    /// How many watchers
    #[arg(long, default_value_t = 3)]
    watchers: usize,

    /// The seed
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

/// Counted over beliefs: in the set, held by it, in it exactly.
#[derive(Clone, Copy, Default)]
struct Tally {
    beliefs: f64,
    of: [[f64; 3]; 2],
}

const SHARES: [f64; 2] = [0.5, 0.9];

pub(super) fn run(args: &Args) -> Result<()> {
    let model = data::model(&args.model)?;
    let sight = data::sight(&args.visibility, &model.places)?;
    let fitted = Fitted::new(model)?;
    let tallies: Vec<Tally> =
        (0..args.walks).into_par_iter().map(|k| one_walk(args, &fitted, &sight.sees, k as u64)).collect();
    let mut all = Tally::default();
    for tally in &tallies {
        all.beliefs += tally.beliefs;
        all.of.iter_mut().flatten().zip(tally.of.iter().flatten()).for_each(|(sum, more)| *sum += more);
    }
    let share = |k: usize, what: usize| all.of[k][what] / all.beliefs.max(1.0);
    if args.json {
        let set = |k: usize| json!({ "share": SHARES[k], "in": share(k, 0), "held": share(k, 1), "exactly": share(k, 2) });
        return output::json(
            &json!({ "walks": args.walks, "beliefs": all.beliefs, "sets": [set(0), set(1)] }),
        );
    }
    let mut text = format!("{} opponents who walk by the model, {} beliefs\n", args.walks, all.beliefs);
    for (k, share_of) in SHARES.iter().enumerate() {
        text += &format!(
            "  the {:.0} % set holds {:.1} % of the belief and {:.1} % of the truth; exactly {:.0} % hold {:.1} %\n",
            100.0 * share_of,
            100.0 * share(k, 1),
            100.0 * share(k, 0),
            100.0 * share_of,
            100.0 * share(k, 2)
        );
    }
    output::text(&text)
}

fn one_walk(args: &Args, fitted: &Fitted, sees: &[Vec<u32>], number: u64) -> Tally {
    let mut rng = Stream::new(args.seed, number, "belief calibrate");
    let places = fitted.model.places.len();
    let mut visible = vec![0.0; places];
    for _ in 0..args.watchers {
        let at = (rng.unit() * places as f64) as usize;
        sees[at].iter().for_each(|&seen| visible[seen as usize] = 1.0);
    }
    let within = fitted.within(None);
    let place_in = |region: usize, rng: &mut Stream| {
        let weights: Vec<f64> = (0..places)
            .map(|s| if usize::from(fitted.model.regions.of[s]) == region { within[s] } else { 0.0 })
            .collect();
        sample(&weights, rng)
    };
    let mut tracker = RegionTracker::new(fitted, Tables::Plain);
    let mut walk = Walk::begin(&fitted.plain, &mut rng);
    let mut situation = Situation::default();
    tracker.begin(Quarry { side: 0, player: None }, situation, place_in(walk.place, &mut rng));
    let mut belief = vec![0.0; places];
    let mut tally = Tally::default();
    for _ in 0..args.seconds {
        walk.step(&fitted.plain, &mut rng);
        situation.secs += 1.0;
        let truth = place_in(walk.place, &mut rng);
        if visible[truth] > 0.0 {
            tracker.step(situation, Evidence::Seen(truth));
            continue;
        }
        tracker.step(situation, Evidence::Unseen { visible: &visible, heard: None, watchers: &[] });
        tracker.belief(&mut belief);
        tally.beliefs += 1.0;
        for (of, share) in tally.of.iter_mut().zip(SHARES) {
            let found = in_set(&belief, truth, share);
            of.iter_mut().zip(found).for_each(|(sum, more)| *sum += more);
        }
    }
    tally
}

/// Whether the truth is in the smallest set with a share of the belief, how much that holds, and how far it is in it.
fn in_set(belief: &[f64], truth: usize, share: f64) -> [f64; 3] {
    let mut order: Vec<usize> = (0..belief.len()).filter(|&s| belief[s] > 0.0).collect();
    order.sort_unstable_by(|&a, &b| belief[b].total_cmp(&belief[a]).then(a.cmp(&b)));
    let (mut held, mut found, mut exactly) = (0.0, 0.0, 0.0);
    for s in order {
        if s == truth {
            found = 1.0;
            exactly = ((share - held) / belief[s]).min(1.0);
        }
        held += belief[s];
        if held >= share {
            break;
        }
    }
    [found, held, exactly]
}
