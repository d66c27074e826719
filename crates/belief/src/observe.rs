//! What is seen, not seen and heard, as a likelihood for each place.
//!
//! | observation                              | function          | `P(observation │ opponent in place g)`              |
//! |------------------------------------------|-------------------|-----------------------------------------------------|
//! | seen in a place                          | [`seen`]          | 1 there, 0 elsewhere                                |
//! | not seen, a fraction of places in view   | [`unseen`]        | `1 - visible(g)`                                    |
//! | the fraction in view, from cubes         | [`visible_share`] | `│W ∩ X(g)│ / │X(g)│`: Beaulac 2013, section 4.1.2   |
//! | a noise around a place                   | [`noise`]         | falls with the way to it, never to nothing          |
//! | a team that shares what its members see  | [`shared`]        | hidden from all of them: `1 - Π (1 - visible_k(g))` |
//! | killed                                   |                   | the belief ends; it begins anew with the next life  |
//!
//! Differs from the paper: as printed, `|W ∩ X(g)| / |X(g)|` is the likelihood of an empty view. It is the probability of
//! being *seen* at `g`, so that an empty view has 1 minus it; as printed nobody could ever hide.

use repertoire_prob::num::exp;

use crate::graph::Distances;

/// Seen there.
pub fn seen(place: usize, into: &mut [f64]) {
    into.fill(0.0);
    into[place] = 1.0;
}

/// Not seen, although this fraction of each place is in view.
pub fn unseen(visible: &[f64], into: &mut [f64]) {
    into.iter_mut().zip(visible).for_each(|(l, v)| *l = 1.0 - v);
}

/// The fraction of a place's cubes that are in view. A place without cubes cannot be looked into.
pub fn visible_share(cubes_in_view: usize, cubes: usize) -> f64 {
    if cubes == 0 { 0.0 } else { (cubes_in_view.min(cubes)) as f64 / cubes as f64 }
}

/// A noise heard around a place: how well each place explains it. `error` is how far off hearing usually is, in the
/// map's units; `missed` the probability that it was somebody else's noise, above 0 so that nothing becomes impossible.
pub fn noise(distances: &Distances, around: usize, error: f64, missed: f64, into: &mut [f64]) {
    for (l, &far) in into.iter_mut().zip(distances.from(around)) {
        let off = f64::from(far) / error;
        *l = missed + (1.0 - missed) * exp(-0.5 * off * off);
    }
}

/// Adds what one more member of a team sees to what the others see.
pub fn shared(visible: &mut [f64], member: &[f64]) {
    visible.iter_mut().zip(member).for_each(|(all, own)| *all = 1.0 - (1.0 - *all) * (1.0 - own));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dynamics, Filter};

    #[test]
    fn who_is_not_seen_is_where_one_cannot_look() {
        // Three places, the middle one fully in view, the left half: nobody is in the middle, rather right than left.
        let even = [1.0 / 3.0; 3];
        let mut likelihood = [0.0; 3];
        unseen(&[visible_share(4, 8), visible_share(8, 8), visible_share(0, 8)], &mut likelihood);
        let around = [vec![0.0, 0.5, 0.5], vec![0.5, 0.0, 0.5], vec![0.5, 0.5, 0.0]];
        let dynamics = Dynamics::new(&even, &around, &vec![vec![1.0]; 3]).expect("places");
        let mut filter = Filter::of(&dynamics);
        filter.begin(&even, &likelihood).expect("possible");
        let belief = filter.belief();
        assert!(
            (belief[0] - 1.0 / 3.0).abs() < 1e-15
                && belief[1] == 0.0
                && (belief[2] - 2.0 / 3.0).abs() < 1e-15
        );
    }

    #[test]
    fn a_team_sees_what_any_member_sees() {
        let mut visible = [0.0, 0.5, 0.0];
        shared(&mut visible, &[1.0, 0.5, 0.0]);
        assert_eq!(visible, [1.0, 0.75, 0.0]);
    }
}
