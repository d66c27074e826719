//! Several things to go for at once: fused by enhanced coherence, or attended to one at a time.
//!
//! Tencé 2011, figures 2.28, 4.6 and 4.7. Each thing alone says where to turn: a bell around its direction, over the whole circle. Le Hy's fusion
//! multiplies what they say, which prefers what suits all of them: with one thing ahead and one behind, a side where there is nothing. Attention picks
//! one thing and does what it says, which on the whole is their average, weighted by attention.
//!
//! | paper            | code        | what                                        |
//! |------------------|-------------|---------------------------------------------|
//! | eq. 2.9, FEC     | `coherence` | `P(a) ∝ Π_j P(a given j)`                   |
//! | eq. 3.10, λ      | `attention` | `P(a) = Σ_j λ_j P(a given j) / Σ_j λ_j`     |

use repertoire_bayes::fusion::{FusionError, Opinion, Stance, fuse};
use repertoire_prob::num::{exp, normalise};
use serde::Serialize;

/// Directions that are told apart.
const DIRECTIONS: usize = 72;

/// Things to go for.
#[derive(Clone, Debug, PartialEq)]
pub struct Attractors {
    /// Where each lies, in degrees from straight ahead, counter-clockwise, and how much attention it draws.
    pub things: Vec<(f64, f64)>,
    /// How wide the bell of one thing is, in degrees (its standard deviation).
    pub spread_deg: f64,
    /// What any direction is worth beside the bell, as a share of its top: nobody turns with certainty.
    pub floor: f64,
}

/// Where to turn, by what is near and by both ways to join it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Turned {
    /// The middle of each direction, in degrees from -180.
    pub directions_deg: Vec<f64>,
    /// What each thing alone says.
    pub alone: Vec<Vec<f64>>,
    /// Their product.
    pub coherence: Vec<f64>,
    /// Their average, by attention.
    pub attention: Vec<f64>,
    /// The share of each that goes within one and a half spreads of a thing: by coherence, by attention.
    pub towards: [f64; 2],
}

fn apart(a: f64, b: f64) -> f64 {
    let off = (a - b).rem_euclid(360.0);
    off.min(360.0 - off)
}

/// Something to go for is written as nobody can read it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("--thing {0}: that is nowhere\n  remedy: write degrees, or degrees:attention, such as 110:2")]
pub struct Nowhere(pub String);

impl Attractors {
    /// A thing as it is written: `110`, or `110:2` with the attention it draws.
    ///
    /// ```
    /// use repertoire_eval::attractors::Attractors;
    /// assert_eq!(Attractors::thing("110:2"), Ok((110.0, 2.0)));
    /// assert!(Attractors::thing("110:0").is_err());
    /// ```
    ///
    /// # Errors
    /// If one of them is no number, or if it draws no attention.
    pub fn thing(written: &str) -> Result<(f64, f64), Nowhere> {
        let (at, attention) = written.split_once(':').unwrap_or((written, "1"));
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        match (number(at), number(attention).filter(|attention| *attention > 0.0)) {
            (Some(at), Some(attention)) => Ok((at, attention)),
            _ => Err(Nowhere(written.to_owned())),
        }
    }

    /// Where to turn.
    ///
    /// # Errors
    /// If there is nothing to go for, or a number is out of range.
    pub fn turn(&self) -> Result<Turned, FusionError> {
        let step = 360.0 / DIRECTIONS as f64;
        let directions_deg: Vec<f64> = (0..DIRECTIONS).map(|k| (k as f64 + 0.5) * step - 180.0).collect();
        let bell = |at: f64| {
            let one = |direction: &f64| {
                let off = apart(*direction, at) / self.spread_deg;
                exp(-0.5 * off * off) + self.floor
            };
            let mut says: Vec<f64> = directions_deg.iter().map(one).collect();
            normalise(&mut says);
            says
        };
        let alone: Vec<Vec<f64>> = self.things.iter().map(|(at, _)| bell(*at)).collect();
        let opinions: Vec<Opinion<'_>> =
            alone.iter().map(|says| Opinion { says, stance: Stance::Prescriptive }).collect();
        let mut coherence = vec![0.0; DIRECTIONS];
        fuse(&opinions, None, &mut coherence)?;
        let total: f64 = self.things.iter().map(|thing| thing.1).sum();
        let mut attention = vec![0.0; DIRECTIONS];
        for (says, (_, weight)) in alone.iter().zip(&self.things) {
            attention.iter_mut().zip(says).for_each(|(p, q)| *p += weight / total * q);
        }
        let towards = [&coherence, &attention].map(|p| {
            let is_near = |direction: f64| {
                self.things.iter().any(|thing| apart(direction, thing.0) <= 1.5 * self.spread_deg)
            };
            directions_deg.iter().zip(p).filter(|(direction, _)| is_near(**direction)).map(|(_, p)| p).sum()
        });
        Ok(Turned { directions_deg, alone, coherence, attention, towards })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_two_things_coherence_goes_where_there_is_none_and_attention_does_not() {
        let two = Attractors { things: vec![(0.0, 1.0), (110.0, 1.0)], spread_deg: 25.0, floor: 0.0 };
        let turned = two.turn().unwrap();
        let at = |p: &[f64], deg: f64| p[((deg + 180.0) / 5.0) as usize];
        assert!(
            at(&turned.coherence, 55.0) > 5.0 * at(&turned.coherence, 0.0),
            "in the middle, where nothing is"
        );
        assert!(at(&turned.attention, 55.0) < 0.3 * at(&turned.attention, 0.0));
        let [coherence, attention] = turned.towards;
        assert!(attention > 0.8 && coherence < 0.4, "{attention} {coherence}");
        assert!((turned.attention.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        // One thing alone is the same by either.
        let one = Attractors { things: vec![(40.0, 2.0)], ..two }.turn().unwrap();
        assert!(one.coherence.iter().zip(&one.attention).all(|(a, b)| (a - b).abs() < 1e-12));
    }
}
