//! One body walks from here to there: the only proof that it can be done.

use glam::{DVec2, DVec3};

use super::Ground;
use crate::arena::motion::{Body, Wish};
use crate::arena::space::Scene;

/// How near is there.
pub(super) const ARRIVED_M: f64 = 0.3;

/// How a walk ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Walk {
    /// There, after so many steps.
    Arrived(u32),
    /// Through a teleporter, after so many steps.
    Exit(usize, u32),
    /// Not there.
    Failed,
}

/// Walks straight from a standing place towards another, jumping where the way is barred if `may_jump`.
pub(super) fn walk(ground: &Ground<'_>, scene: Scene<'_>, from: DVec3, to: DVec3, may_jump: bool) -> Walk {
    let rules = ground.rules;
    let mut body = Body::at(from);
    let full = rules.run_m_per_sec;
    let straight = (to - from).truncate().length() / full;
    // Half as long again, and the time to get going; a fall takes longer.
    let fall = (2.0 * (from.z - to.z).max(0.0) / rules.gravity_m_per_sec2).sqrt();
    // A jump must get there with one hop: who hops along an obstacle is lucky, and luck depends on the first step.
    let limit = if may_jump { straight * 1.2 + 0.7 } else { straight * 1.5 + 0.3 } + fall;
    // Who swims is slower, and has to come up first.
    let limit = if ground.swims(from) || ground.swims(to) { limit * 2.0 + 1.0 } else { limit };
    let mut slow = 0;
    let mut wish = Wish::default();
    for step in 1..=rules.steps(limit) as u32 {
        let is_barred = body.on_ground && step > 4 && body.velocity.truncate().length() < 0.3 * full;
        slow = if is_barred { slow + 1 } else { 0 };
        if slow > 3 && !may_jump {
            return Walk::Failed;
        }
        // Steered as seldom as characters decide: what only a finer hand could do is no link for them.
        if (step - 1) % rules.steps_per_decision == 0 {
            let way = steer(to.truncate() - body.position.truncate(), full, rules.period_secs());
            wish = Wish { way, jump: may_jump && is_barred, ..Wish::default() };
        }
        let moved = body.step(scene, rules, &ground.map.exits, wish, &[]);
        if let Some(exit) = moved.exit {
            return Walk::Exit(exit, step);
        }
        if moved.landed_m_per_sec.is_some_and(|speed| speed > rules.safe_fall_m_per_sec) {
            return Walk::Failed;
        }
        let gap = to - body.position;
        // Who swims bobs up and down.
        let is_level = body.on_ground && gap.z.abs() < 0.3 || moved.is_afloat && gap.z.abs() < 0.6;
        if is_level && gap.truncate().length() < ARRIVED_M {
            return Walk::Arrived(step);
        }
    }
    Walk::Failed
}

/// The speed that leads towards something without running past it.
pub(super) fn steer(gap: DVec2, full: f64, period_secs: f64) -> DVec2 {
    gap.clamp_length_max(full * period_secs) / period_secs
}
