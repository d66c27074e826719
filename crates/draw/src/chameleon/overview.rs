//! What each decision is about, from the expected counts of what was learned.

use repertoire_chameleon::Learned;
use repertoire_chameleon::layout::Level;

/// A decision in numbers. Everything is a mean over the play learned from.
pub struct Overview {
    /// Its share of all ticks.
    pub share: f64,
    /// How many ticks it lasts, on average.
    pub stay: f64,
    /// The decision that follows most often, and how often.
    pub follower: Option<(usize, f64)>,
    /// For each group of low-level attention: kinds and their shares, the greatest first.
    pub attends: Vec<(String, Vec<(String, f64)>)>,
    /// For each action: its likeliest value and how likely it is.
    pub acts: Vec<(String, String, f64)>,
}

/// The share of attention that each high-level stimulus got.
pub fn high_shares(learned: &Learned) -> Vec<f64> {
    let layout = learned.model.layout();
    let ticks = learned.counts().ticks.max(1e-300);
    let used = &learned.counts().used.theta;
    let share = |(i, stimulus): (usize, &repertoire_chameleon::model::Stimulus)| {
        used[layout.high_row(i, 0)..][..stimulus.count()].iter().sum::<f64>() / ticks
    };
    learned.model.high().iter().enumerate().map(share).collect()
}

/// Every decision, in order.
pub fn decisions(learned: &Learned) -> Vec<Overview> {
    let layout = learned.model.layout();
    let d = layout.decisions();
    let used = &learned.counts().used;
    let mut begun = vec![0.0; d];
    let mut moved = vec![0.0; d * d];
    used.first.chunks_exact(d).for_each(|row| add(&mut begun, row));
    used.next.chunks_exact(d * d).for_each(|row| add(&mut moved, row));
    let ticks = learned.counts().ticks.max(1e-300);
    let one = |decision: usize| {
        let entered: f64 = (0..d).map(|before| moved[before * d + decision]).sum::<f64>() + begun[decision];
        let left: Vec<f64> = moved[decision * d..(decision + 1) * d].to_vec();
        let all: f64 = left.iter().sum();
        let leaving = 1.0 - left[decision] / all.max(1e-300);
        let follower = (0..d)
            .filter(|&next| next != decision && left[next] > 0.0)
            .max_by(|&a, &b| left[a].total_cmp(&left[b]))
            .map(|next| (next, left[next] / (all - left[decision]).max(1e-300)));
        Overview {
            share: entered / ticks,
            stay: 1.0 / leaving.max(1e-9),
            follower,
            attends: attends(learned, decision),
            acts: acts(learned, decision),
        }
    };
    (0..d).map(one).collect()
}

fn add(into: &mut [f64], what: &[f64]) {
    into.iter_mut().zip(what).for_each(|(into, what)| *into += what);
}

fn attends(learned: &Learned, decision: usize) -> Vec<(String, Vec<(String, f64)>)> {
    let layout = learned.model.layout();
    let d = layout.decisions();
    let groups = layout.shape().groups.iter().zip(&learned.counts().used.weights);
    let of = |((&level, used), name): ((&Level, &Vec<f64>), &String)| {
        let stimuli = if level == Level::High { learned.model.high() } else { learned.model.low() };
        let mut first = 0;
        let mut shares: Vec<(String, f64)> = Vec::new();
        for stimulus in stimuli {
            let rows = first..first + stimulus.count();
            first += stimulus.count();
            shares.push((stimulus.name.clone(), rows.map(|row| used[row * d + decision]).sum()));
        }
        let total = shares.iter().map(|share| share.1).sum::<f64>().max(1e-300);
        shares.iter_mut().for_each(|share| share.1 /= total);
        shares.sort_by(|a, b| b.1.total_cmp(&a.1));
        (name.clone(), shares)
    };
    groups.zip(learned.model.groups()).map(of).collect()
}

fn acts(learned: &Learned, decision: usize) -> Vec<(String, String, f64)> {
    let d = learned.model.decisions();
    let used = &learned.counts().used;
    let reflexive = learned.model.reflexive().iter().zip(&used.reflexive);
    let external = learned.model.external().iter().zip(&used.external);
    let of = |(action, used): (&repertoire_chameleon::model::Action, &Vec<f64>)| {
        let mut sums = vec![0.0; action.count()];
        for row in used.chunks_exact(action.count() * d) {
            sums.iter_mut().enumerate().for_each(|(value, sum)| *sum += row[value * d + decision]);
        }
        let best = repertoire_prob::draw::arg_max(&sums);
        let share = sums[best] / sums.iter().sum::<f64>().max(1e-300);
        (action.name.clone(), action.bins.label(best), share)
    };
    reflexive.chain(external).map(of).collect()
}
