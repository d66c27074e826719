//! How learning by imitation proceeds, as curves: a panel for each part of the likelihood, a curve for each life.

use repertoire_chameleon::partial::Partial;
use repertoire_eval::likelihoods::Learned;

use crate::lines::{Line, Panel, panels};

/// The panels. What is drawn is `-ln`, so that curves fall to 0 as a part comes to be explained.
pub fn picture(learned: &Learned) -> String {
    let line = |k: usize, of: &dyn Fn(&Partial) -> f64| Line {
        label: format!("life {}", k + 1),
        points: learned.parts[k].iter().enumerate().map(|(at, parts)| (at as f64, -of(parts))).collect(),
    };
    let panel = |title: &str, of: &dyn Fn(&Partial) -> f64| Panel {
        title: format!("-ln, {title}"),
        lines: (0..learned.parts.len()).map(|k| line(k, of)).collect(),
    };
    let mut all = vec![panel("in all", &Partial::total)];
    for (at, name) in Partial::NAMES.iter().enumerate() {
        all.push(panel(name, &move |parts: &Partial| parts.parts()[at]));
    }
    panels("Learning lives one by one: what is left to explain", "iterations", &all)
}
