//! A player's play, ten times a second, from people's demos or from our own recordings.

use std::collections::BTreeMap;

use repertoire_mind::{Command, Fire, Percept};
use repertoire_trace::movement::Moment;
use repertoire_trace::play::Play;
use repertoire_trace::{Header, Tick};

use crate::people::series::{self, Series};
use crate::signature::PERIOD_SECS;

/// A player at a moment, alive.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Instant {
    /// Seconds since the recording began.
    pub secs: f64,
    /// Which life.
    pub life: u32,
    /// Where, in metres.
    pub at_m: [f64; 3],
    /// How fast on the ground, in metres a second, where it is recorded.
    pub velocity_m: Option<[f64; 2]>,
    /// Where they face, counter-clockwise.
    pub yaw_deg: f64,
    /// Where they look; up is positive.
    pub pitch_deg: f64,
    /// Whether they fire.
    pub fires: bool,
    /// Whether they press the jump key.
    pub jumps: bool,
    /// Forward key: 1, 0 or -1.
    pub forward: i8,
    /// Side key: right is 1.
    pub side: i8,
}

impl Instant {
    /// Whether this one follows another without a pause or a death.
    pub fn follows(&self, before: &Instant) -> bool {
        let taken = self.secs - before.secs;
        self.life == before.life && taken > 0.5 * PERIOD_SECS && taken < 1.5 * PERIOD_SECS
    }

    /// Of one of our characters.
    pub fn of(percept: &Percept, command: &Command) -> Self {
        let own = &percept.own;
        let sign = |speed: f64| if speed.abs() < 0.3 { 0 } else { speed.signum() as i8 };
        Instant {
            secs: percept.time_secs(),
            life: own.life,
            at_m: own.position.to_array(),
            velocity_m: Some([own.velocity.x, own.velocity.y]),
            yaw_deg: own.yaw.to_degrees(),
            pitch_deg: own.pitch.to_degrees(),
            fires: command.fire != Fire::None,
            jumps: command.jump,
            forward: sign(command.forward),
            side: -sign(command.lateral),
        }
    }

    /// The same for signatures.
    pub fn moment(&self) -> Moment {
        Moment { secs: self.secs, at: self.at_m, yaw_deg: self.yaw_deg, life: self.life }
    }
}

/// One player in one recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Trail {
    /// The player.
    pub player: String,
    /// The recording.
    pub session: String,
    /// The map.
    pub map: String,
    /// Whether a person played.
    pub is_person: bool,
    /// Moments, [`PERIOD_SECS`] apart.
    pub instants: Vec<Instant>,
}

impl Trail {
    /// Player and recording in one line.
    pub fn name(&self) -> String {
        format!("{} {}", self.player, self.session)
    }

    /// Minutes alive.
    pub fn minutes(&self) -> f64 {
        self.instants.len() as f64 * PERIOD_SECS / 60.0
    }

    /// Whether velocities are recorded, so that speeds need not be worked out from places.
    pub fn has_velocities(&self) -> bool {
        self.instants.iter().all(|one| one.velocity_m.is_some())
    }

    /// The same without velocities.
    pub fn without_velocities(&self) -> Self {
        let without = |one: &Instant| Instant { velocity_m: None, ..*one };
        Trail { instants: self.instants.iter().map(without).collect(), ..self.clone() }
    }

    /// The people of a play whose own view is known.
    pub fn of_play(play: &Play) -> Vec<Trail> {
        let trail = |player: u16| {
            let series = Series::of(play, None, player);
            let every = (PERIOD_SECS / series::PERIOD_SECS).round() as usize;
            let mut life = 0;
            let mut was_alive = false;
            let mut instants = Vec::new();
            for (k, sample) in series.samples.iter().enumerate() {
                let is_alive = sample.is_some();
                life += u32::from(is_alive && !was_alive);
                was_alive = is_alive;
                let Some(sample) = sample.as_ref().filter(|_| k % every == 0) else { continue };
                let sign = |key: i16| if key.unsigned_abs() < 100 { 0 } else { key.signum() as i8 };
                instants.push(Instant {
                    secs: k as f64 * series::PERIOD_SECS,
                    life,
                    at_m: sample.at.map(|part| f64::from(part) / play.units_per_metre),
                    velocity_m: sample
                        .velocity
                        .map(|[x, y, _]| [x, y].map(|part| f64::from(part) / play.units_per_metre)),
                    yaw_deg: f64::from(sample.keys.yaw_deg),
                    pitch_deg: -f64::from(sample.keys.pitch_deg),
                    fires: sample.fires,
                    jumps: sample.keys.is_jumping(),
                    forward: sign(sample.keys.forward),
                    side: sign(sample.keys.side),
                });
            }
            let name = play.players[usize::from(player)].name.clone();
            Trail {
                player: name,
                session: play.session.clone(),
                map: play.map.clone(),
                is_person: true,
                instants,
            }
        };
        let trails = series::persons(play).into_iter().map(trail);
        trails.filter(|trail| !trail.instants.is_empty()).collect()
    }

    /// The characters of a recording of ours, which is called `session`.
    ///
    /// # Errors
    /// When it is damaged.
    pub fn of_recording<E>(
        header: &Header,
        session: &str,
        ticks: impl IntoIterator<Item = Result<Tick, E>>,
    ) -> Result<Vec<Trail>, E> {
        let is_person = header.world == "quake";
        let mut trails: BTreeMap<u8, Trail> = BTreeMap::new();
        for one in &header.characters {
            let trail = Trail {
                player: one.name.clone(),
                session: session.to_owned(),
                map: header.map.clone(),
                is_person,
                instants: Vec::new(),
            };
            trails.insert(one.id, trail);
        }
        for tick in ticks {
            for row in tick?.rows {
                let (Some(percept), Some(command)) = (&row.percept, &row.command) else { continue };
                let Some(trail) = trails.get_mut(&row.character) else { continue };
                trail.instants.push(Instant::of(percept, command));
            }
        }
        Ok(trails.into_values().filter(|trail| !trail.instants.is_empty()).collect())
    }
}
