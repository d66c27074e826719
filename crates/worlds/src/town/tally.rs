//! What is counted while a town lives.

use super::charter::{Charter, Reason};

/// Sums since the town was founded. Ticks of walking and waiting are counted when they begin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Goals met: for each class its goals, one class after the other.
    pub met: Vec<u64>,
    /// Plans made.
    pub plans: u64,
    /// Of these, plans made because the one before no longer led to its goal.
    pub replans: u64,
    /// Steps done.
    pub steps: u64,
    /// Ticks spent walking.
    pub walked: u64,
    /// Ticks spent in line.
    pub waited: u64,
    /// Ticks spent with nothing to do.
    pub idle: u64,
    /// How often somebody was turned away, by reason.
    pub turned_away: [u64; Reason::COUNT],
    /// How often a plan failed, by reason.
    pub failed: [u64; Reason::COUNT],
    /// How often a goal was put off because there was neither a place nor another plan for it.
    pub put_off: u64,
    /// How often somebody woke to finish, decide or arrive.
    pub woken: u64,
}

impl Tally {
    pub(super) fn new(charter: &Charter) -> Self {
        Tally {
            met: vec![0; charter.classes.iter().map(|class| class.goals.len()).sum()],
            ..Tally::default()
        }
    }

    /// The numbers one after the other, for saving.
    pub(super) fn numbers(&self) -> Vec<u64> {
        let Tally { met, plans, replans, steps, walked, waited, idle, turned_away, failed, put_off, woken } =
            self;
        let mut all = met.clone();
        all.extend([*plans, *replans, *steps, *walked, *waited, *idle]);
        all.extend(turned_away);
        all.extend(failed);
        all.extend([*put_off, *woken]);
        all
    }

    /// Takes back what [`Tally::numbers`] gave; false if there are not as many.
    pub(super) fn restore(&mut self, numbers: &[u64]) -> bool {
        let goals = self.met.len();
        if numbers.len() != goals + 8 + 2 * Reason::COUNT {
            return false;
        }
        self.met.copy_from_slice(&numbers[..goals]);
        let rest = &numbers[goals..];
        [self.plans, self.replans, self.steps, self.walked, self.waited, self.idle] =
            [rest[0], rest[1], rest[2], rest[3], rest[4], rest[5]];
        self.turned_away.copy_from_slice(&rest[6..6 + Reason::COUNT]);
        self.failed.copy_from_slice(&rest[6 + Reason::COUNT..6 + 2 * Reason::COUNT]);
        [self.put_off, self.woken] = [rest[6 + 2 * Reason::COUNT], rest[7 + 2 * Reason::COUNT]];
        true
    }

    /// Adds what a chunk counted, and sets it back.
    pub(super) fn take(&mut self, other: &mut Tally) {
        self.met.iter_mut().zip(&other.met).for_each(|(sum, more)| *sum += more);
        self.turned_away.iter_mut().zip(&other.turned_away).for_each(|(sum, more)| *sum += more);
        self.failed.iter_mut().zip(&other.failed).for_each(|(sum, more)| *sum += more);
        for (sum, more) in [
            (&mut self.plans, other.plans),
            (&mut self.replans, other.replans),
            (&mut self.steps, other.steps),
            (&mut self.walked, other.walked),
            (&mut self.waited, other.waited),
            (&mut self.idle, other.idle),
            (&mut self.put_off, other.put_off),
            (&mut self.woken, other.woken),
        ] {
            *sum += more;
        }
        let mut met = std::mem::take(&mut other.met);
        met.fill(0);
        *other = Tally { met, ..Tally::default() };
    }
}
