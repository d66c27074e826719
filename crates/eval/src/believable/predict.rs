//! How well somebody can be predicted: by who has watched them, and by who has watched others.
//!
//! A predictor counts what is done next, given what was done last and whether an enemy is in view, and answers by Laplace's law.

use repertoire_mind::{Command, Fire, Percept};
use repertoire_prob::num::ln;

use super::track::Track;

/// Turn right, straight, left; run ahead, back, sideways, stand; fire or not.
const DEEDS: usize = 3 * 4 * 2;
/// Nobody in view, somebody ahead, somebody aside.
const VIEWS: usize = 3;

pub(super) fn deed(command: &Command) -> usize {
    let command = command.sane();
    let turn = match command.yaw {
        yaw if yaw < -0.08 => 0,
        yaw if yaw > 0.08 => 2,
        _ => 1,
    };
    let legs = match (command.forward, command.lateral) {
        (forward, _) if forward > 0.3 => 0,
        (forward, _) if forward < -0.3 => 1,
        (_, lateral) if lateral.abs() > 0.3 => 2,
        _ => 3,
    };
    (turn * 4 + legs) * 2 + usize::from(command.fire != Fire::None)
}

pub(super) fn view(percept: &Percept) -> usize {
    let turn = |position| percept.own.bearing(position).yaw.abs();
    let nearest = percept.characters.iter().map(|seen| turn(seen.position)).min_by(f64::total_cmp);
    match nearest {
        None => 0,
        Some(turn) if turn < 0.26 => 1,
        Some(_) => 2,
    }
}

/// The decisions of a life, each with what it is predicted from.
fn decisions(life: &Track) -> impl Iterator<Item = (usize, usize)> + '_ {
    let pairs = life.steps.windows(2).filter(|pair| pair.iter().all(|step| step.alive));
    pairs.map(|pair| {
        let [before, now] = [pair[0], pair[1]];
        (usize::from(now.view) * DEEDS + usize::from(before.deed), usize::from(now.deed))
    })
}

/// What was done next, counted.
pub(super) struct Predictor(Vec<[f64; DEEDS]>);

impl Predictor {
    pub fn of<'l>(lives: impl IntoIterator<Item = &'l Track>) -> Self {
        // One more of everything, by Laplace's law.
        let mut counts = vec![[1.0; DEEDS]; VIEWS * DEEDS];
        for (given, next) in lives.into_iter().flat_map(decisions) {
            counts[given][next] += 1.0;
        }
        Predictor(counts)
    }

    /// Nats per decision of a life; none where there is no decision.
    pub fn nats(&self, life: &Track) -> Option<f64> {
        let (mut sum, mut count) = (0.0, 0.0);
        for (given, next) in decisions(life) {
            let row = &self.0[given];
            sum -= ln(row[next] / row.iter().sum::<f64>());
            count += 1.0;
        }
        (count > 0.0).then(|| sum / count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_one_of_the_deeds() {
        let mut seen = std::collections::BTreeSet::new();
        for yaw in [-1.0, 0.0, 1.0] {
            for (forward, lateral) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, 0.0)] {
                for fire in [Fire::None, Fire::Primary] {
                    seen.insert(deed(&Command { yaw, forward, lateral, fire, ..Command::default() }));
                }
            }
        }
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), (0..DEEDS).collect::<Vec<_>>());
    }
}
