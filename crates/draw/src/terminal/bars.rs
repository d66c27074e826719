//! A bar chart in the terminal.

use repertoire_prob::draw::arg_max;
use repertoire_prob::num::significant;

use crate::chart::Chart;

/// Cells that the longest bar takes.
const WIDTH: usize = 40;

/// The chart as text; the most probable value stands out on a terminal.
pub fn bars(chart: &Chart) -> String {
    let bold = anstyle::Style::new().bold();
    let best = arg_max(&chart.probabilities);
    let most = chart.probabilities[best];
    let width = chart.labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    let mut text = format!("{bold}{}{bold:#}\n", chart.title);
    for (value, (label, &p)) in chart.labels.iter().zip(&chart.probabilities).enumerate() {
        let style =
            if value == best { anstyle::AnsiColor::Green.on_default() } else { anstyle::Style::new() };
        let bar = bar(p / most);
        text += &format!("  {label:width$}  {style}{bar}{style:#} {}\n", significant(p, 4));
    }
    text
}

/// A bar in eighths of a cell, so that small differences show.
fn bar(share: f64) -> String {
    let eighths = (share * (WIDTH * 8) as f64).round() as usize;
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
    "█".repeat(eighths / 8) + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_in_proportion() {
        assert_eq!(bar(1.0).chars().count(), WIDTH);
        assert_eq!(bar(0.5), "█".repeat(WIDTH / 2));
        assert_eq!(bar(0.0), "");
        assert_eq!(bar(1.0 / 320.0), "▏");
    }
}
