//! Several things to go for: what each says, and what coherence and attention make of it, as curves.

use repertoire_eval::attractors::Turned;

use crate::lines::{Line, Panel, panels};

/// What each thing says beside what becomes of it.
pub fn picture(turned: &Turned) -> String {
    let line = |label: String, p: &[f64]| Line {
        label,
        points: turned.directions_deg.iter().zip(p).map(|(deg, p)| (deg + 180.0, *p)).collect(),
    };
    let alone = turned.alone.iter().enumerate().map(|(k, p)| line(format!("thing {}", k + 1), p));
    let one =
        |title: &str, p: &[f64]| Panel { title: title.to_owned(), lines: vec![line(title.to_owned(), p)] };
    let all = [
        Panel { title: "each thing alone".to_owned(), lines: alone.collect() },
        one("by coherence", &turned.coherence),
        one("by attention", &turned.attention),
    ];
    panels("Where to turn", "degrees, 180 is straight ahead", &all)
}
