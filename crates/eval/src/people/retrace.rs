//! People's recorded inputs through our rules of movement: from a recorded state, the inputs of the next second must lead to the
//! recorded position.
//!
//! Left out, and counted: windows in which the player died, was hurt (which pushes), was teleported or pushed by the map, was near
//! another player or a lift or door that moved, or of which inputs are missing. What remains is measured, the failures by where they were.

use std::collections::BTreeMap;

use repertoire_trace::play::{EventKind, Keys, Play, State};
use repertoire_worlds::quake::space::Part;
use repertoire_worlds::quake::{Body, Bsp, Command, MoveRules, Space};
use serde::Serialize;

/// How windows are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RetraceSettings {
    /// Length of a window.
    pub window_secs: f64,
    /// From the beginning of one to the next.
    pub every_secs: f64,
    /// Nobody else comes nearer than this.
    pub others_units: f32,
    /// No part that moves is nearer than this.
    pub parts_units: f32,
}

impl Default for RetraceSettings {
    fn default() -> Self {
        RetraceSettings { window_secs: 1.0, every_secs: 0.1, others_units: 96.0, parts_units: 64.0 }
    }
}

/// What came out.
#[derive(Clone, Debug, Serialize)]
pub struct RetraceReport {
    /// The file.
    pub session: String,
    /// The map.
    pub map: String,
    /// Windows of the match.
    pub windows: usize,
    /// Windows that were left out, by the reason.
    pub left_out: BTreeMap<&'static str, usize>,
    /// Windows that were measured.
    pub measured: usize,
    /// Error in units: median, 95th and 99th percentile, largest.
    pub median: f32,
    /// 95 % of windows have at most this.
    pub percentile_95: f32,
    /// 99 % of windows have at most this.
    pub percentile_99: f32,
    /// The largest error.
    pub largest: f32,
    /// Share of windows with at most 1 unit.
    pub within_1: f64,
    /// Share of windows with at most 8 units.
    pub within_8: f64,
    /// What the windows with more than 8 units have in common: how many of them, of how many windows.
    pub beyond_8: BTreeMap<&'static str, (usize, usize)>,
    /// Whether jumps give back what falling took; see `MoveRules::kt_jump`. Tried both ways where the server does not say.
    pub kt_jump: f32,
    /// How far the client's numbers of inputs are from the server's.
    pub sequence_shift: i64,
    /// The worst windows: seconds and error.
    pub worst: Vec<(f64, f32)>,
}

/// Why a play cannot be retraced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoRetrace {
    /// Nobody's inputs are recorded.
    #[error(
        "nobody's inputs are in it\n  remedy: give a client's demo (.qwd), or what `trace import` made of one"
    )]
    NoInputs,
    /// All windows are left out.
    #[error(
        "no window of it can be measured\n  remedy: give a demo with at least a few seconds of undisturbed play"
    )]
    NoWindows,
}

/// The rules that a play's server announced.
pub fn rules_of(play: &Play) -> MoveRules {
    let physics = &play.physics;
    let kt_jump = play.settings.get("pm_ktjump").and_then(|value| value.parse().ok()).unwrap_or(0.0);
    MoveRules {
        gravity: physics.gravity * physics.entity_gravity,
        stop_speed: physics.stop_speed,
        max_speed: physics.max_speed,
        accelerate: physics.accelerate,
        water_accelerate: physics.water_accelerate,
        friction: physics.friction,
        water_friction: physics.water_friction,
        kt_jump,
        ..MoveRules::default()
    }
}

/// Quake packs angles in 16 bits on their way to the server.
fn packed(degrees: f32) -> f32 {
    let steps = (f64::from(degrees) * (65536.0 / 360.0)) as i64 & 65535;
    (steps as f64 * (360.0 / 65536.0)) as f32
}

fn command(keys: &Keys) -> Command {
    Command {
        msec: keys.msec,
        pitch_deg: packed(keys.pitch_deg),
        yaw_deg: packed(keys.yaw_deg),
        wish: [keys.forward, keys.side, keys.up].map(f32::from),
        jump: keys.is_jumping(),
    }
}

/// The recording player's play, ready to be retraced.
struct Retrace<'a> {
    play: &'a Play,
    map: &'a Bsp,
    rules: MoveRules,
    settings: RetraceSettings,
    pov: u16,
    states: Vec<&'a State>,
    commands: BTreeMap<i64, Command>,
    shift: i64,
    /// What a state does not say, found by following the inputs from one to the next.
    bodies: Vec<Body>,
}

/// Retraces a client's demo on its map.
///
/// # Errors
/// When it has no inputs, or nothing is left to measure.
pub fn retrace(play: &Play, map: &Bsp, settings: RetraceSettings) -> Result<RetraceReport, NoRetrace> {
    let pov = play.pov().filter(|_| !play.inputs.is_empty()).ok_or(NoRetrace::NoInputs)?;
    let states: Vec<&State> = play.states.iter().filter(|state| state.player == pov).collect();
    let commands =
        play.inputs.iter().map(|input| (i64::from(input.sequence), command(&input.keys))).collect();
    let rules = rules_of(play);
    let mut retrace =
        Retrace { play, map, rules, settings, pov, states, commands, shift: 0, bodies: Vec::new() };
    retrace.align();
    retrace.follow();
    if play.settings.contains_key("pm_ktjump") {
        return retrace.report();
    }
    // Old servers do not say which of the two jumps they have.
    let plain = retrace.report()?;
    retrace.rules.kt_jump = 1.0;
    retrace.follow();
    let given_back = retrace.report()?;
    Ok(if given_back.within_8 > plain.within_8 { given_back } else { plain })
}

impl Retrace<'_> {
    /// The commands that lie between two states; `None` if some are missing.
    fn commands(&self, from: usize, to: usize) -> Option<impl Iterator<Item = &Command>> {
        let number = |k: usize| Some(i64::from(self.states[k].acknowledged?) + self.shift);
        let (first, last) = (number(from)? + 1, number(to)?);
        let count = usize::try_from(last - first + 1).ok()?;
        (self.commands.range(first..=last).count() == count)
            .then(|| self.commands.range(first..=last).map(|(_, one)| one))
    }

    /// A state as a body. Velocities come cut to whole units; half a unit more is right on average.
    fn body(&self, k: usize) -> Body {
        let State { at, velocity, .. } = *self.states[k];
        let velocity = velocity
            .unwrap_or_default()
            .map(|part| part + 0.5 * f32::from(i8::from(part > 0.0) - i8::from(part < 0.0)));
        let known = self.bodies.get(k).copied().unwrap_or_default();
        Body { origin: at, velocity, ..known }
    }

    fn error(&self, body: &Body, k: usize) -> f32 {
        let at = self.states[k].at;
        let far: f32 = (0..3).map(|axis| (body.origin[axis] - at[axis]).powi(2)).sum();
        far.sqrt()
    }

    /// Finds by how much the two countings of inputs differ: the one whose single steps fit best.
    fn align(&mut self) {
        let space = Space::built(self.map);
        let score = |retrace: &Self| {
            let mut errors = Vec::new();
            for k in (1..retrace.states.len()).step_by(7).take(3000) {
                let (state, before) = (retrace.states[k], retrace.states[k - 1]);
                let speed: f32 = state.velocity.unwrap_or_default().iter().map(|part| part.abs()).sum();
                if !state.is_alive || !before.is_alive || speed < 100.0 {
                    continue;
                }
                if let Some(commands) = retrace.commands(k - 1, k) {
                    let mut body = retrace.body(k - 1);
                    commands.for_each(|command| body.step(&space, &retrace.rules, command));
                    errors.push(retrace.error(&body, k));
                }
            }
            errors.sort_by(f32::total_cmp);
            let share = errors.len() * 3 / 4;
            errors.get(share).copied().unwrap_or(f32::MAX)
        };
        let mut best = (f32::MAX, 0);
        for shift in [0, -1, 1, -2, 2, -3, 3] {
            self.shift = shift;
            let error = score(self);
            if error < best.0 {
                best = (error, shift);
            }
        }
        self.shift = best.1;
    }

    /// Follows the inputs state by state, for what states do not say: whether the jump key must be released first.
    fn follow(&mut self) {
        let mut space = Space::with_parts(self.map, std::iter::empty());
        let mut parts = Parts::new(self.play);
        let mut bodies: Vec<Body> = Vec::with_capacity(self.states.len());
        for k in 0..self.states.len() {
            let mut body = Body::default();
            if k > 0 {
                parts.advance(self.states[k].secs);
                space.parts = parts.all(self.map);
                let before = bodies[k - 1];
                let start = Body { origin: self.states[k - 1].at, ..self.body(k - 1) };
                body =
                    Body { has_jumped: before.has_jumped, water_jump_secs: before.water_jump_secs, ..start };
                if let Some(commands) = self.commands(k - 1, k) {
                    commands.for_each(|command| body.step(&space, &self.rules, command));
                }
            }
            bodies.push(body);
        }
        self.bodies = bodies;
    }

    fn report(&self) -> Result<RetraceReport, NoRetrace> {
        let mut left_out: BTreeMap<&'static str, usize> = BTreeMap::new();
        let mut beyond_8: BTreeMap<&'static str, (usize, usize)> = BTreeMap::new();
        let mut errors: Vec<(f32, f64)> = Vec::new();
        let mut windows = 0;
        let mut next = f64::MIN;
        let mut parts = Parts::new(self.play);
        for from in 0..self.states.len() {
            let secs = self.states[from].secs;
            if secs < next
                || !self.play.is_in_match(secs)
                || !self.play.is_in_match(secs + self.settings.window_secs)
            {
                continue;
            }
            let to = self.states.partition_point(|state| state.secs < secs + self.settings.window_secs);
            if to >= self.states.len() {
                break;
            }
            next = secs + self.settings.every_secs;
            windows += 1;
            parts.advance(secs);
            if let Some(reason) = self.disturbed(from, to, &parts) {
                *left_out.entry(reason).or_insert(0) += 1;
                continue;
            }
            let Some(commands) = self.commands(from, to) else {
                *left_out.entry("inputs are missing").or_insert(0) += 1;
                continue;
            };
            let space = Space { map: self.map, parts: parts.all(self.map) };
            let mut body = self.body(from);
            let mut kind = Kind::default();
            for command in commands {
                body.step(&space, &self.rules, command);
                kind.add(&body);
            }
            let error = self.error(&body, to);
            let entry = beyond_8.entry(kind.word()).or_insert((0, 0));
            entry.0 += usize::from(error > 8.0);
            entry.1 += 1;
            errors.push((error, secs));
        }
        errors.sort_by(|a, b| a.0.total_cmp(&b.0));
        let at = |share: f64| {
            errors.get(((errors.len() as f64 * share) as usize).min(errors.len().saturating_sub(1)))
        };
        let within = |limit: f32| {
            errors.iter().filter(|(error, _)| *error <= limit).count() as f64 / errors.len() as f64
        };
        let quantile = |share: f64| at(share).map(|(error, _)| *error).ok_or(NoRetrace::NoWindows);
        Ok(RetraceReport {
            session: self.play.session.clone(),
            map: self.play.map.clone(),
            windows,
            left_out,
            measured: errors.len(),
            median: quantile(0.5)?,
            percentile_95: quantile(0.95)?,
            percentile_99: quantile(0.99)?,
            largest: quantile(1.0)?,
            within_1: within(1.0),
            within_8: within(8.0),
            beyond_8,
            kt_jump: self.rules.kt_jump,
            sequence_shift: self.shift,
            worst: errors.iter().rev().take(10).map(|&(error, secs)| (secs, error)).collect(),
        })
    }

    /// Why a window is not measured, if it is not.
    fn disturbed(&self, from: usize, to: usize, parts: &Parts<'_>) -> Option<&'static str> {
        let (start, end) = (self.states[from].secs, self.states[to].secs);
        let span = &self.states[from..=to];
        if span.iter().any(|state| !state.is_alive) {
            return Some("dead");
        }
        if end - start > self.settings.window_secs + 0.2 {
            return Some("packets are missing");
        }
        let is_here = |secs: f64| secs > start - 0.03 && secs < end + 0.03;
        let events = &self.play.events;
        let first = events.partition_point(|event| event.secs <= start - 0.03);
        if events[first..]
            .iter()
            .take_while(|event| is_here(event.secs))
            .any(|event| event.kind == EventKind::Damage && event.target == Some(self.pov))
        {
            return Some("hurt");
        }
        let is_jump =
            |pair: &[&State]| (0..3).any(|axis| (pair[1].at[axis] - pair[0].at[axis]).abs() > 100.0);
        if span.windows(2).any(is_jump) {
            return Some("teleported");
        }
        if span.iter().any(|state| self.is_in_trigger(state.at)) {
            return Some("in a teleporter or a pushing field");
        }
        if self.meets_others(span) {
            return Some("another player near");
        }
        if parts.moves_near(self.map, span, self.settings.parts_units) {
            return Some("a lift or door moves near");
        }
        None
    }

    fn is_in_trigger(&self, at: [f32; 3]) -> bool {
        self.map
            .entities
            .iter()
            .filter(|entity| matches!(entity.kind(), "trigger_teleport" | "trigger_push"))
            .any(|entity| {
                let Some(model) = entity.model().and_then(|model| self.map.models.get(model)) else {
                    return false;
                };
                let reach = [24.0, 24.0, 40.0];
                (0..3).all(|axis| {
                    at[axis] > model.low[axis] - reach[axis] && at[axis] < model.high[axis] + reach[axis]
                })
            })
    }

    fn meets_others(&self, span: &[&State]) -> bool {
        let (Some(first), Some(last)) = (span.first(), span.last()) else { return false };
        let all = &self.play.states;
        let begin = all.partition_point(|state| state.secs < first.secs);
        let others = all[begin..].iter().take_while(|state| state.secs <= last.secs);
        others.filter(|state| state.player != self.pov && state.is_alive).any(|other| {
            let k = span.partition_point(|state| state.secs < other.secs).min(span.len() - 1);
            let far: f32 = (0..3).map(|axis| (span[k].at[axis] - other.at[axis]).powi(2)).sum();
            far.sqrt() < self.settings.others_units
        })
    }
}

/// Where a window was spent, to tell failures apart.
#[derive(Default)]
struct Kind {
    steps: usize,
    wet: usize,
    air: usize,
}

impl Kind {
    fn add(&mut self, body: &Body) {
        self.steps += 1;
        self.wet += usize::from(body.water_level >= 2);
        self.air += usize::from(!body.is_on_ground);
    }

    fn word(&self) -> &'static str {
        match () {
            () if self.wet > 0 => "swimming",
            () if self.air == 0 => "on the ground",
            () if self.air == self.steps => "in the air",
            () => "jumping or falling",
        }
    }
}

/// Doors and lifts as a demo shows them, moment by moment.
struct Parts<'a> {
    play: &'a Play,
    next: usize,
    shown: BTreeMap<u16, (usize, [f32; 3])>,
}

impl<'a> Parts<'a> {
    fn new(play: &'a Play) -> Self {
        Parts { play, next: 0, shown: BTreeMap::new() }
    }

    fn model(play: &Play, model: u16) -> Option<usize> {
        play.models.get(usize::from(model))?.strip_prefix('*')?.parse().ok()
    }

    fn advance(&mut self, secs: f64) {
        while let Some(thing) = self.play.things.get(self.next).filter(|thing| thing.secs <= secs) {
            self.next += 1;
            let Some(model) = Parts::model(self.play, thing.model) else { continue };
            if let Some(at) = thing.at {
                self.shown.insert(thing.entity, (model, at));
            }
        }
    }

    fn all(&self, map: &Bsp) -> Vec<Part> {
        let there = self.shown.values().filter(|(model, _)| (1..map.models.len()).contains(model));
        there.map(|&(model, offset)| Part { model, offset }).collect()
    }

    /// Whether a part changes its place near somebody, from now to the end of a span.
    fn moves_near(&self, map: &Bsp, span: &[&State], reach: f32) -> bool {
        let Some(last) = span.last() else { return false };
        let coming = self.play.things[self.next..].iter().take_while(|thing| thing.secs <= last.secs);
        coming.filter_map(|thing| Some((thing.entity, Parts::model(self.play, thing.model)?, thing.at?))).any(
            |(entity, number, at)| {
                let Some(model) = map.models.get(number) else { return false };
                if self.shown.get(&entity).is_some_and(|(_, before)| *before == at) {
                    return false;
                }
                span.iter().any(|state| {
                    (0..3).all(|axis| {
                        state.at[axis] > model.low[axis] + at[axis] - reach
                            && state.at[axis] < model.high[axis] + at[axis] + reach
                    })
                })
            },
        )
    }
}
