//! Attributes that change over time. All animations of a film last as long and begin again together.

use crate::svg::Element;

/// How time passes in a film: the match's moments, with one of them held.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// Moments of the match.
    pub frames: usize,
    /// The moment that is held.
    pub held: Option<usize>,
    /// For how many moments it is held.
    pub hold: usize,
    /// From one moment to the next.
    pub period_secs: f64,
}

impl Clock {
    /// How long the film lasts.
    pub fn secs(&self) -> f64 {
        self.steps() as f64 * self.period_secs
    }

    fn steps(&self) -> usize {
        self.frames - 1 + if self.held.is_some() { self.hold } else { 0 }
    }

    /// The moment of the match at each moment of the film.
    pub fn moments(&self) -> impl Iterator<Item = usize> {
        let (held, hold) = (self.held, self.hold);
        (0..self.frames).flat_map(move |k| std::iter::repeat_n(k, 1 + if held == Some(k) { hold } else { 0 }))
    }

    /// The part of the film, from 0 to 1, at which a moment of the match begins, or some seconds after.
    pub fn part(&self, frame: f64, more_secs: f64) -> f64 {
        let is_after = self.held.is_some_and(|held| frame > held as f64);
        let step = frame + if is_after { self.hold as f64 } else { 0.0 };
        ((step + more_secs / self.period_secs) / self.steps() as f64).clamp(0.0, 1.0)
    }

    fn base(&self, name: &'static str, attribute: &str) -> Element {
        Element::new(name)
            .set("attributeName", attribute)
            .set("dur", format!("{:.1}s", self.secs()))
            .set("repeatCount", "indefinite")
    }

    /// Goes smoothly through one value for each moment of the film.
    pub fn smooth(&self, kind: Option<&str>, attribute: &str, values: &[String]) -> Element {
        let name = if kind.is_some() { "animateTransform" } else { "animate" };
        let mut element = self.base(name, attribute);
        if let Some(kind) = kind {
            element = element.set("type", kind);
        }
        element.set("values", values.join(";"))
    }

    /// Jumps from value to value: the value for each moment of the film, told only where it changes.
    pub fn stepwise(&self, attribute: &str, values: &[String]) -> Element {
        let (mut told, mut at, mut step) = (Vec::new(), Vec::new(), 0);
        for run in values.chunk_by(|a, b| a == b) {
            told.push(run[0].clone());
            at.push(part_text(step as f64 / self.steps() as f64));
            step += run.len();
        }
        // The last moment begins at the very end: it would never show, and a key time of 1 is allowed only once.
        let element = self.base("animate", attribute).set("calcMode", "discrete");
        element.set("values", told.join(";")).set("keyTimes", at.join(";"))
    }

    /// Numbers at parts of the film, straight between them. The first part is 0 and the last is 1.
    pub fn keyed(&self, attribute: &str, keys: &[(f64, f64)]) -> Element {
        let values: Vec<String> = keys.iter().map(|key| crate::svg::number(key.1)).collect();
        let times: Vec<String> = keys.iter().map(|key| part_text(key.0)).collect();
        self.base("animate", attribute).set("values", values.join(";")).set("keyTimes", times.join(";"))
    }

    /// Is there from one part of the film to another, and fades in and out.
    pub fn shown(&self, from: f64, to: f64, fade: f64) -> Element {
        let mut keys = vec![(0.0, 0.0)];
        let inner = from + fade < to - fade;
        for (part, opacity) in [(from, 0.0), (from + fade, 1.0), (to - fade, 1.0), (to, 0.0)] {
            let is_wanted = inner || opacity == 0.0 || part == from + fade;
            if is_wanted && part > keys[keys.len() - 1].0 && part < 1.0 {
                keys.push((part, opacity));
            }
        }
        let last = keys[keys.len() - 1].1;
        keys.push((1.0, if to >= 1.0 { last } else { 0.0 }));
        self.keyed("opacity", &keys)
    }
}

/// Parts need more digits than places.
fn part_text(part: f64) -> String {
    let text = format!("{part:.4}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short.is_empty() { "0".to_owned() } else { short.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOCK: Clock = Clock { frames: 5, held: Some(2), hold: 4, period_secs: 0.5 };

    #[test]
    fn the_held_moment_lasts() {
        assert_eq!(CLOCK.secs(), 4.0);
        assert_eq!(CLOCK.moments().collect::<Vec<_>>(), [0, 1, 2, 2, 2, 2, 2, 3, 4]);
        assert_eq!([0.0, 2.0, 3.0, 4.0].map(|frame| CLOCK.part(frame, 0.0)), [0.0, 0.25, 0.875, 1.0]);
        assert_eq!(CLOCK.part(2.0, 1.0), 0.5);
    }

    #[test]
    fn key_times_begin_at_0_and_never_go_back() {
        let values: Vec<String> = [1, 1, 1, 0, 0, 1, 1, 1, 1].map(|v: u8| v.to_string()).to_vec();
        let written = CLOCK.stepwise("opacity", &values).to_string();
        assert!(
            written.contains("values=\"1;0;1\"") && written.contains("keyTimes=\"0;0.375;0.625\""),
            "{written}"
        );
        for (from, to) in [(0.2, 0.6), (0.0, 0.1), (0.9, 1.0), (0.5, 0.505)] {
            let written = CLOCK.shown(from, to, 0.02).to_string();
            let times =
                written.split("keyTimes=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or("");
            let times: Vec<f64> = times.split(';').map(|time| time.parse().expect("a number")).collect();
            assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "{written}");
            assert_eq!((times[0], times[times.len() - 1]), (0.0, 1.0));
            let values =
                written.split(" values=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or("");
            assert_eq!(values.split(';').count(), times.len(), "{written}");
        }
    }
}
