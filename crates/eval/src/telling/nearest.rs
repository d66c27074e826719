//! Who moves most like whom, by signature over the same length of play.

use serde::Serialize;

use super::trail::Trail;
use crate::signature::mds::{Layout, layout};
use crate::signature::{AngleCounts, NAMES, Signature};

/// Below this a player stands, in metres per second, for signatures.
const STANDING: f64 = 30.0 / 32.0;

/// A half of a recording, by time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Half {
    /// From the beginning to the middle.
    First,
    /// From the middle to the end.
    Second,
}

impl Half {
    /// Both.
    pub const ALL: [Half; 2] = [Half::First, Half::Second];

    /// Whether a moment belongs to it, by the time since the recording began and the whole length of the recording.
    pub fn has(self, secs: f64, of_secs: f64) -> bool {
        (secs < of_secs / 2.0) == (self == Half::First)
    }

    /// The other one.
    pub fn other(self) -> Self {
        match self {
            Half::First => Half::Second,
            Half::Second => Half::First,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Half::First => "first",
            Half::Second => "second",
        }
    }

    /// Which part of a recording it is, in words.
    pub const fn about(self) -> &'static str {
        match self {
            Half::First => "From the beginning to the middle",
            Half::Second => "From the middle to the end",
        }
    }
}

impl Trail {
    /// A half of it.
    pub fn half(&self, half: Half) -> Self {
        let end = self.instants.last().map_or(0.0, |last| last.secs);
        let instants = self.instants.iter().filter(|one| half.has(one.secs, end)).copied().collect();
        Trail { instants, ..self.clone() }
    }
}

/// Somebody's nearest others.
#[derive(Clone, Debug, Serialize)]
pub struct Nearest {
    /// Player and recording.
    pub name: String,
    /// The map.
    pub map: String,
    /// Whether a person played.
    pub is_person: bool,
    /// The recording of another player or session that is nearest.
    pub nearest: String,
    /// Whether it is of the same player.
    pub is_same_player: bool,
    /// The three distances to it, in degrees.
    pub distances_deg: [f64; 3],
    /// The nearest recording of the same person (for a pupil: of its teacher), if there is another.
    pub own: Option<Own>,
    /// How many recordings of other players it is compared with.
    pub others: usize,
}

/// The nearest recording of the same person.
#[derive(Clone, Debug, Serialize)]
pub struct Own {
    /// Player and recording.
    pub name: String,
    /// Its map.
    pub map: String,
    /// The three distances to it, in degrees.
    pub distances_deg: [f64; 3],
    /// Its place among all recordings of others and this one: 1 if none is nearer.
    pub place: usize,
}

/// Everybody's nearest, and how all lie to each other.
#[derive(Clone, Debug, Serialize)]
pub struct Nearness {
    /// Minutes of each recording that count.
    pub minutes: f64,
    /// Of each recording that is long enough.
    pub all: Vec<Nearest>,
    /// Recordings that are too short, with their minutes.
    pub left_out: Vec<(String, f64)>,
    /// For each of the three signatures, where each lies on a plane.
    #[serde(skip)]
    pub layouts: Vec<(&'static str, Layout)>,
    /// The signatures, in the same order.
    #[serde(skip)]
    pub signatures: Vec<Signature>,
}

/// The signature of the first moments of somebody's play; none if there are fewer.
pub fn signature(trail: &Trail, moments: usize) -> Option<Signature> {
    let moments: Vec<_> = trail.instants.get(..moments)?.iter().map(super::Instant::moment).collect();
    let mut counts = AngleCounts::new(STANDING);
    counts.add(&moments);
    counts.signature()
}

/// Who is nearest to whom over the first minutes of each. Each of the three distances counts by how far recordings are apart in it on
/// average.
///
/// A recording is compared with all others but those of characters of the same player: a character called as a person is that person's
/// pupil, and is to be nearest to that person, not to itself in another match; nor do people count their own pupils.
pub fn nearest(trails: &[Trail], minutes: f64) -> Nearness {
    let most = (minutes * 600.0) as usize;
    let signed: Vec<(usize, Signature)> =
        trails.iter().enumerate().filter_map(|(k, trail)| Some((k, signature(trail, most)?))).collect();
    let mut means = [1e-9; 3];
    for (k, (_, one)) in signed.iter().enumerate() {
        for (_, other) in &signed[..k] {
            means.iter_mut().zip(one.distances_deg(other)).for_each(|(mean, far)| *mean += far);
        }
    }
    let far = |distances: [f64; 3]| (0..3).map(|k| distances[k] / means[k]).sum::<f64>();
    let of = |(k, own): &(usize, Signature)| {
        let is_same = |other: usize| trails[*k].player == trails[other].player;
        let counts = |other: usize| other != *k && (trails[other].is_person || !is_same(other));
        let others = signed.iter().filter(|(other, _)| counts(*other));
        let mut all: Vec<(usize, [f64; 3])> =
            others.map(|(other, signature)| (*other, own.distances_deg(signature))).collect();
        all.sort_by(|a, b| far(a.1).total_cmp(&far(b.1)));
        let &(other, distances_deg) = all.first()?;
        let own = all.iter().position(|one| is_same(one.0)).map(|at| Own {
            name: trails[all[at].0].name(),
            map: trails[all[at].0].map.clone(),
            distances_deg: all[at].1,
            place: at + 1,
        });
        Some(Nearest {
            name: trails[*k].name(),
            map: trails[*k].map.clone(),
            is_person: trails[*k].is_person,
            nearest: trails[other].name(),
            is_same_player: is_same(other),
            distances_deg,
            own,
            others: all.iter().filter(|one| !is_same(one.0)).count(),
        })
    };
    let tables = [0, 1, 2].map(|which| {
        let row = |(_, one): &(usize, Signature)| -> Vec<f64> {
            signed.iter().map(|(_, other)| one.distances_deg(other)[which]).collect()
        };
        signed.iter().map(row).collect::<Vec<_>>()
    });
    let left_out = trails.iter().enumerate().filter(|(k, _)| signed.iter().all(|(other, _)| other != k));
    Nearness {
        minutes,
        all: signed.iter().filter_map(of).collect(),
        left_out: left_out.map(|(_, trail)| (trail.name(), trail.minutes())).collect(),
        layouts: NAMES.iter().zip(&tables).map(|(&name, table)| (name, layout(table))).collect(),
        signatures: signed.into_iter().map(|(_, signature)| signature).collect(),
    }
}

#[cfg(test)]
mod tests {
    use repertoire_prob::num;

    use super::*;
    use crate::telling::Instant;

    /// Somebody who runs in circles and looks so far off where they run.
    fn runner(player: &str, session: &str, off_deg: f64) -> Trail {
        let instant = |k: u32| {
            let angle = 0.07 * f64::from(k);
            Instant {
                secs: 0.1 * f64::from(k),
                life: 1,
                at_m: [10.0 * num::cos(angle), 10.0 * num::sin(angle), 0.0],
                yaw_deg: angle.to_degrees() + 90.0 + off_deg,
                ..Instant::default()
            }
        };
        Trail {
            player: player.to_owned(),
            session: session.to_owned(),
            map: "ring".to_owned(),
            is_person: session != "played",
            instants: (0..700).map(instant).collect(),
        }
    }

    #[test]
    fn a_pupil_is_nearest_to_who_moves_like_it_and_the_teachers_place_is_told() {
        let short =
            Trail { instants: runner("eve", "1", 0.0).instants[..100].to_vec(), ..runner("eve", "1", 0.0) };
        let trails = [
            runner("ann", "1", 0.0),
            runner("bob", "1", 90.0),
            runner("cid", "1", 50.0),
            runner("ann", "played", 40.0),
            runner("bob", "played", 88.0),
            Trail { session: "played again".to_owned(), ..runner("bob", "played", 88.0) },
            short,
        ];
        let found = nearest(&trails, 1.0);
        assert_eq!((found.all.len(), found.left_out.len()), (6, 1), "a minute is wanted");
        let of = |name: &str| found.all.iter().find(|one| one.name == name).expect("it is there");
        let bob = of("bob played");
        assert_eq!(
            (bob.nearest.as_str(), bob.is_same_player),
            ("bob 1", true),
            "not itself in another match"
        );
        assert!(bob.own.as_ref().is_some_and(|own| own.place == 1));
        assert!(of("bob 1").own.is_none(), "nor a person their pupil");
        let ann = of("ann played");
        assert_eq!((ann.nearest.as_str(), ann.is_same_player), ("cid 1", false));
        assert_eq!(ann.own.as_ref().map(|own| (own.name.as_str(), own.place)), Some(("ann 1", 2)));
        assert!(of("cid 1").own.is_none());
        assert_eq!(found.layouts.len(), 3);
    }

    #[test]
    fn two_halves_make_the_whole() {
        let whole = runner("ann", "1", 0.0);
        let [first, second] = [Half::First, Half::Second].map(|half| whole.half(half).instants.len());
        assert_eq!((first + second, first), (700, 350));
    }
}
