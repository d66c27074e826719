//! A replay from play.

use super::{Moment, NoReplay, PERIOD_SECS, Replay};
use crate::moments::map_print;
use crate::student::{Seen, Watch};
use crate::{Fire, Places};

/// Watches one player, and keeps where they were and what they did.
#[derive(Clone, Debug, Default)]
pub struct ReplayWatcher {
    moments: Vec<Moment>,
    life: Option<u32>,
    map: Option<u64>,
    /// The tick of the first moment.
    from: Option<u32>,
    /// Players seen, and whether one of them was seen at another rate.
    players: u32,
    is_new: bool,
    other_rate: Option<f64>,
}

impl ReplayWatcher {
    /// The replay, under a player's name.
    ///
    /// # Errors
    /// If nobody was alive, more than one player was seen, or not ten times a second.
    pub fn finish(self, player: &str) -> Result<Replay, NoReplay> {
        let wrong = |what: String| Err(NoReplay(what));
        if self.players > 1 {
            return wrong(format!(
                "{} players were seen, and a replay is of one in one recording",
                self.players
            ));
        }
        if let Some(period) = self.other_rate {
            return wrong(format!("a moment lasts {period} s there, and {PERIOD_SECS} s in a replay"));
        }
        Replay::new(player.to_owned(), self.map.unwrap_or_default(), self.moments)
    }
}

impl Watch for ReplayWatcher {
    fn begin(&mut self) {
        (self.life, self.is_new) = (None, true);
    }

    fn see(&mut self, seen: Seen<'_>, places: &Places) {
        let Seen { percept, command, .. } = seen;
        if std::mem::take(&mut self.is_new) || self.players == 0 {
            self.players += 1;
        }
        if (percept.period_secs - PERIOD_SECS).abs() > 1e-3 {
            self.other_rate = Some(percept.period_secs);
        }
        self.map.get_or_insert_with(|| map_print(places));
        let from = *self.from.get_or_insert(percept.tick);
        let own = &percept.own;
        self.moments.push(Moment {
            number: percept.tick.saturating_sub(from),
            begins: self.life != Some(own.life),
            position: own.position,
            velocity: own.velocity,
            yaw: own.yaw,
            pitch: own.pitch,
            on_ground: own.on_ground,
            weapon: Moment::weapon_of(own),
            keys: [command.forward, command.lateral],
            jumps: command.jump,
            fires: command.fire != Fire::None,
        });
        self.life = Some(own.life);
    }
}
