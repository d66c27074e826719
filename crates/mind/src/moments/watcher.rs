//! Moments from play.

use glam::DVec3;

use super::lived::{Lived, map_print};
use super::situation::{Scene, facing, turned, walls_m};
use super::{Deed, Moments};
use crate::student::{Seen, Watch};
use crate::{Command, Fire, Own, Percept, Places};

/// Where somebody went is looked up this much later, in seconds: soon, and later.
pub(super) const AHEAD_SECS: [f64; 2] = [0.8, 2.0];

/// Watches somebody play, and keeps every moment.
#[derive(Clone, Debug, Default)]
pub struct MomentWatcher {
    lives: Vec<Vec<Glimpse>>,
    life: Option<u32>,
    /// The maps seen so far, and the one that is played on now.
    maps: Vec<u64>,
    map: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Glimpse {
    own: Own,
    command: Command,
    foe: Option<[f64; 3]>,
    walls_m: [f64; 3],
    period_secs: f64,
    map: Option<u32>,
}

impl MomentWatcher {
    /// Sees one tick, somewhere: where on which map is learned from [`Watch::see`], which knows the map.
    pub fn see(&mut self, percept: &Percept, command: &Command) {
        if self.life != Some(percept.own.life) {
            self.life = Some(percept.own.life);
            self.lives.push(Vec::new());
        }
        let own = percept.own;
        let bearings = percept.characters.iter().map(|seen| facing(&own, seen.position));
        let foe = bearings.min_by(|a, b| a[2].total_cmp(&b[2]));
        if let Some(life) = self.lives.last_mut() {
            let (walls_m, period_secs) = (walls_m(&percept.rays_m), percept.period_secs);
            life.push(Glimpse { own, command: *command, foe, walls_m, period_secs, map: self.map });
        }
    }

    /// The moments; none if there was no play.
    pub fn finish(self) -> Option<Moments> {
        let (mut situations, mut deeds, mut all_lived) = (Vec::new(), Vec::new(), Vec::new());
        for life in &self.lives {
            for k in 0..life.len() {
                let Glimpse { own, command, foe, walls_m, period_secs, map } = &life[k];
                let later = |secs: f64| -> Option<DVec3> {
                    let at = k + (secs / period_secs).round() as usize;
                    life.get(at.min(life.len() - 1)).map(|later| later.own.position)
                };
                let past = |back: usize| match k.checked_sub(back + 1) {
                    Some(before) => turned(&life[before].own, &life[before + 1].own),
                    None => [0.0; 2],
                };
                let scene = Scene {
                    own,
                    turned: std::array::from_fn(past),
                    ahead: AHEAD_SECS.map(later),
                    foe: *foe,
                    fired: k > 0 && life[k - 1].command.fire != Fire::None,
                    walls_m: *walls_m,
                };
                situations.push(scene.numbers());
                all_lived.push(Lived::of(own, *map, *foe));
                let foe = foe.map(|[yaw, pitch, _]| [yaw, pitch]);
                deeds.push(Deed { command: *command, foe, pitch: own.pitch, follows: k > 0 });
            }
        }
        (!deeds.is_empty()).then(|| Moments::new(situations, deeds, all_lived, self.maps))
    }
}

impl Watch for MomentWatcher {
    fn begin(&mut self) {
        (self.life, self.map) = (None, None);
    }

    fn see(&mut self, seen: Seen<'_>, places: &Places) {
        if self.map.is_none() {
            let print = map_print(places);
            let known = self.maps.iter().position(|&map| map == print).unwrap_or(self.maps.len());
            if known == self.maps.len() {
                self.maps.push(print);
            }
            self.map = Some(known as u32);
        }
        MomentWatcher::see(self, seen.percept, seen.command);
    }
}
