//! A model made ready to track with: distances, tables by context, and where a side usually is at a given time.

use crate::graph::Distances;
use crate::model::Model;
use crate::play::{Life, Situation};
use crate::tables::{PHASES, StepCounts, Tables, region_neighbours};
use crate::tracker::Quarry;
use crate::{Dynamics, ModelError};

/// A model made ready to track with.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The model.
    pub model: Model,
    /// Ways along the map.
    pub distances: Distances,
    /// Neighbours of each place, links taken both ways.
    pub neighbours: Vec<Vec<u32>>,
    /// All play together.
    pub plain: Dynamics,
    /// The same without durations.
    pub markov: Dynamics,
    /// `[side][phase]`.
    by_context: Vec<Vec<Dynamics>>,
    /// `[player][side][phase]`.
    by_player: Vec<Vec<Vec<Dynamics>>>,
    /// `[side][place]`: which of a region's places a side is in.
    within: Vec<Vec<f64>>,
    /// The same of all sides together.
    within_any: Vec<f64>,
}

impl Fitted {
    /// Makes a model ready.
    ///
    /// # Errors
    /// When the model is wrong; see [`Model::check`].
    pub fn new(model: Model) -> Result<Self, ModelError> {
        model.check()?;
        let distances = model.places.distances();
        Self::with_distances(model, distances)
    }

    /// The same, where the distances are already known.
    ///
    /// # Errors
    /// When the model is wrong, or the distances are of another number of places.
    pub fn with_distances(model: Model, distances: Distances) -> Result<Self, ModelError> {
        model.check()?;
        if distances.places() != model.places.len() {
            return Err(ModelError::Uneven);
        }
        let (settings, regions) = (model.settings, &model.regions);
        let n = regions.len();
        let neighbours = model.places.neighbours();
        let count = |lives: &mut dyn Iterator<Item = &Life>, phase: Option<usize>| {
            let mut counts = StepCounts::new(n);
            lives.for_each(|life| {
                counts.add(life, regions, |s| phase.is_none_or(|phase| model.phase(s) == phase))
            });
            counts
        };
        let all = count(&mut model.lives.iter(), None);
        let links = Tables::of_links(&region_neighbours(&neighbours, regions), &all);
        let all = links.refine(&all, settings.mesh_weight);
        let even = vec![1.0 / n as f64; n];
        let plain = all.dynamics(&even, settings.slots)?;
        let (mut by_context, mut by_player) = (Vec::new(), vec![Vec::new(); model.players.len()]);
        for side in 0..model.sides.len() {
            let of_side = |life: &&Life| usize::from(life.side) == side;
            let sided = count(&mut model.lives.iter().filter(of_side), None);
            let sided = all.refine(&sided, settings.all_weight);
            let mut phases = Vec::new();
            let mut own: Vec<Vec<Dynamics>> = vec![Vec::new(); model.players.len()];
            for phase in 0..PHASES {
                let table = sided.refine(
                    &count(&mut model.lives.iter().filter(of_side), Some(phase)),
                    settings.side_weight,
                );
                phases.push(table.dynamics(&even, settings.slots)?);
                for (player, own) in own.iter_mut().enumerate() {
                    let theirs = |life: &&Life| of_side(life) && usize::from(life.player) == player;
                    let counts = count(&mut model.lives.iter().filter(theirs), Some(phase));
                    own.push(table.refine(&counts, settings.others_weight).dynamics(&even, settings.slots)?);
                }
            }
            by_context.push(phases);
            by_player.iter_mut().zip(own).for_each(|(player, own)| player.push(own));
        }
        let visits = |is_meant: &dyn Fn(&Life) -> bool| {
            let mut visits = vec![settings.unvisited; model.places.len()];
            for life in model.lives.iter().filter(|life| is_meant(life)) {
                life.places.iter().for_each(|&place| visits[place as usize] += 1.0);
            }
            visits
        };
        let share = |visits: Vec<f64>| {
            let mut total = vec![0.0; n];
            visits.iter().zip(&regions.of).for_each(|(v, &r)| total[usize::from(r)] += v);
            visits.iter().zip(&regions.of).map(|(v, &r)| v / total[usize::from(r)]).collect::<Vec<f64>>()
        };
        let within = (0..model.sides.len()).map(|side| share(visits(&|life| usize::from(life.side) == side)));
        let within = within.collect();
        let within_any = share(visits(&|_| true));
        let markov = plain.markov();
        Ok(Fitted { model, distances, neighbours, plain, markov, by_context, by_player, within, within_any })
    }

    /// The dynamics of a side in a situation; with `habits` those of the player, if it was met.
    pub fn dynamics(&self, quarry: Quarry, situation: Situation, habits: bool) -> &Dynamics {
        let (side, phase) = (usize::from(quarry.side), self.model.phase(situation));
        let own = quarry.player.filter(|_| habits).and_then(|player| self.by_player.get(usize::from(player)));
        match own.or(None).map(|own| &own[side]) {
            Some(own) => &own[phase],
            None => self.by_context.get(side).map_or(&self.plain, |phases| &phases[phase]),
        }
    }

    /// How a region's belief is shared among its places.
    pub fn within(&self, side: Option<u8>) -> &[f64] {
        side.and_then(|side| self.within.get(usize::from(side))).unwrap_or(&self.within_any)
    }

    /// Where a side is at such a time, over places; with `habits` the player's own ways count more.
    ///
    /// Ways of the same state of the bomb, by the clock, or by the time since it was planted; those within two seconds,
    /// or more where there are too few.
    /// Where the clock means nothing, it is where the side is at any time.
    pub fn prior(&self, quarry: Quarry, situation: Situation, habits: bool, into: &mut [f64]) {
        self.prior_by(|_| 1.0, quarry, situation, habits, into);
    }

    /// The same, where each recorded way counts as much as `like` says of its number; all the same where the clock means nothing.
    pub fn prior_by(
        &self,
        like: impl Fn(usize) -> f64,
        quarry: Quarry,
        situation: Situation,
        habits: bool,
        into: &mut [f64],
    ) {
        let habit = self.model.settings.habit;
        if self.model.is_timeless {
            into.fill(0.0);
            for life in self.model.lives.iter().filter(|life| life.side == quarry.side) {
                let weight = if habits && quarry.player == Some(life.player) { habit } else { 1.0 };
                life.places.iter().for_each(|&place| into[place as usize] += weight);
            }
            if repertoire_prob::num::normalise(into) <= 0.0 {
                into.fill(1.0 / into.len() as f64);
            }
            return;
        }
        let first = i64::from(self.model.settings.window_secs);
        let step_secs = self.model.period_secs;
        for window in [first, 2 * first + 1, 10, 20, 60] {
            let window = (window as f64 / step_secs).round() as i64;
            into.fill(0.0);
            // How many moments there are, and what they count.
            let (mut total, mut counted) = (0.0, 0.0);
            let lives = self.model.lives.iter().enumerate();
            for (k, life) in lives.filter(|(_, life)| life.side == quarry.side) {
                let own = habits && quarry.player == Some(life.player);
                let weight = step_secs * if own { habit } else { 1.0 };
                let Some(middle) = aligned_step(life, situation) else { continue };
                let like = like(k);
                for dt in -window..=window {
                    let step = middle + dt;
                    if step < 0 || step as usize >= life.places.len() {
                        continue;
                    }
                    let planted = life.situation(step as usize).planted_secs.is_some();
                    if planted != situation.planted_secs.is_some() {
                        continue;
                    }
                    let near = weight * (1.0 - dt.unsigned_abs() as f64 / (window + 1) as f64);
                    into[life.places[step as usize] as usize] += like * near;
                    total += near;
                    counted += like * near;
                }
            }
            if total >= 20.0 && counted > 0.0 {
                into.iter_mut().for_each(|p| *p /= counted);
                return;
            }
        }
        // Too little is known of such a time: wherever the side ever is.
        let mut total = 0.0;
        for life in self.model.lives.iter().filter(|life| life.side == quarry.side) {
            life.places.iter().for_each(|&place| into[place as usize] += 0.1);
            total += life.places.len() as f64;
        }
        if total == 0.0 {
            into.fill(1.0);
        }
        repertoire_prob::num::normalise(into);
    }
}

/// The step of a recorded way that corresponds to a situation, which may lie outside of it; none if it cannot.
pub(crate) fn aligned_step(life: &Life, situation: Situation) -> Option<i64> {
    let secs = match situation.planted_secs {
        Some(since) => life.planted_at_secs? + since,
        None => situation.secs,
    };
    let step = (secs - life.start_secs) / life.step_secs;
    step.is_finite().then(|| step.round().clamp(-1e6, 1e6) as i64)
}
