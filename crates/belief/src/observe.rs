//! What is seen, not seen and heard, as a likelihood for each place.
//!
//! | observation                              | function          | `P(observation │ opponent in place g)`              |
//! |------------------------------------------|-------------------|-----------------------------------------------------|
//! | seen in a place                          | [`seen`]          | 1 there, 0 elsewhere                                |
//! | not seen, a fraction of places in view   | [`unseen`]        | `1 - visible(g)`                                    |
//! | the fraction in view, from cubes         | [`visible_share`] | `│W ∩ X(g)│ / │X(g)│`: Beaulac 2013, section 4.1.2   |
//! | a team that shares what its members see  | [`shared`]        | hidden from all of them: `1 - Π (1 - visible_k(g))` |
//! | killed                                   |                   | the belief ends; it begins anew with the next life  |
//!
//! Differs from the paper: as printed, `|W ∩ X(g)| / |X(g)|` is the likelihood of an empty view. It is the probability of
//! being *seen* at `g`, so that an empty view has 1 minus it; as printed nobody could ever hide.

use crate::error::{self, FilterError};

/// The likelihood of seeing the opponent in a place: 1 there, 0 elsewhere.
///
/// # Errors
/// When there is no such place.
pub fn seen(place: usize, into: &mut [f64]) -> Result<(), FilterError> {
    error::place(place, into.len())?;
    into.fill(0.0);
    into[place] = 1.0;
    Ok(())
}

/// The likelihood of not seeing the opponent, although this fraction of each place is in view.
///
/// ```
/// use repertoire_belief::{Dynamics, Filter, observe};
/// let dynamics = Dynamics::new(&[0.5, 0.5], &[vec![0.0, 1.0], vec![1.0, 0.0]], &[vec![0.5, 0.5], vec![0.5, 0.5]])?;
/// let mut view = [0.0; 2];
/// observe::unseen(&[0.9, 0.0], &mut view)?; // Nearly all of the first place is in view, and nobody is there.
/// let mut filter = Filter::of(&dynamics);
/// filter.begin(dynamics.initial(), &view)?;
/// assert!(filter.belief()[1] > 0.9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When there is not one fraction between 0 and 1 for each place.
pub fn unseen(visible: &[f64], into: &mut [f64]) -> Result<(), FilterError> {
    error::shares("visible", visible, into.len())?;
    into.iter_mut().zip(visible).for_each(|(l, v)| *l = 1.0 - v);
    Ok(())
}

/// The fraction of a place's cubes that are in view. A place without cubes cannot be looked into.
pub fn visible_share(cubes_in_view: usize, cubes: usize) -> f64 {
    if cubes == 0 { 0.0 } else { (cubes_in_view.min(cubes)) as f64 / cubes as f64 }
}

/// Adds what one more member of a team sees to what the others see.
///
/// # Errors
/// When there is not one fraction between 0 and 1 for each place.
pub fn shared(visible: &mut [f64], member: &[f64]) -> Result<(), FilterError> {
    error::shares("member", member, visible.len())?;
    visible.iter_mut().zip(member).for_each(|(all, own)| *all = 1.0 - (1.0 - *all) * (1.0 - own));
    Ok(())
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
        let visible = [visible_share(4, 8), visible_share(8, 8), visible_share(0, 8)];
        unseen(&visible, &mut likelihood).expect("three shares");
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
        shared(&mut visible, &[1.0, 0.5, 0.0]).expect("three shares");
        assert_eq!(visible, [1.0, 0.75, 0.0]);
    }
}
