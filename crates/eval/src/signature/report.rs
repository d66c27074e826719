//! Signatures of many recordings: how far apart they are, who is nearest to whom, and whether players can be told apart.

use std::collections::BTreeMap;

use repertoire_trace::movement::Recorded;
use serde::Serialize;

use super::habits::{Habits, Measure, Tally};
use super::mds::{Layout, layout};
use super::{AngleCounts, BIN_DEG, BINS, NAMES, PERIOD_SECS, Signature, sampled};
use crate::identify::{Identified, hold_out};

/// What has a signature.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SignatureOf {
    /// Each recording: one player in one session.
    #[default]
    Recording,
    /// Each player, over all of their recordings.
    Player,
}

/// How to measure.
///
/// ```
/// use repertoire_eval::signature::{Moment, SignatureSettings};
/// use repertoire_trace::movement::Recorded;
///
/// // Two players run in circles for 60 seconds, one of them backwards; two recordings of each.
/// let run = |player: &str, session: u32, backwards: bool| {
///     let moment = |k: u32| {
///         let angle = f64::from(k) * 0.07 + f64::from(session);
///         let yaw_deg = angle.to_degrees() + if backwards { -90.0 } else { 90.0 };
///         Moment { secs: f64::from(k) * 0.1, at: [10.0 * angle.cos(), 10.0 * angle.sin(), 0.0], yaw_deg, life: 1 }
///     };
///     Recorded {
///         map: "ring".to_owned(),
///         session: session.to_string(),
///         player: player.to_owned(),
///         moments: (0..600).map(moment).collect(),
///         in_air: Vec::new(),
///         has_yaw: true,
///         units_per_metre: 1.0,
///     }
/// };
/// let all = vec![run("ann", 1, false), run("ann", 2, false), run("bob", 1, true), run("bob", 2, true)];
/// let report = SignatureSettings { seconds: 50.0, identify: true, ..Default::default() }.report(all)?;
/// assert!(report.other_players.mean_degrees["velocity_to_facing"] > 170.0);
/// let told = report.identify.expect("asked for");
/// assert_eq!((told.right, told.of, told.chance), (4, 4, 0.5));
/// # Ok::<(), repertoire_eval::signature::NoSignature>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignatureSettings {
    /// What has a signature.
    pub of: SignatureOf,
    /// The length every recording is cut to, in seconds. If none is that long, all are cut to the shortest.
    pub seconds: f64,
    /// Whether habits of movement are told too.
    pub habits: bool,
    /// Whether recordings are held out and given to players by how they move.
    pub identify: bool,
    /// Units in a metre, where the recordings do not know it.
    pub units_per_metre: Option<f64>,
}

impl Default for SignatureSettings {
    /// Each recording, cut to five minutes, without habits.
    fn default() -> Self {
        SignatureSettings {
            of: SignatureOf::Recording,
            seconds: 300.0,
            habits: false,
            identify: false,
            units_per_metre: None,
        }
    }
}

/// Why there is no signature.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoSignature {
    /// The length to cut to is no number above 0.
    #[error("recordings of {0} s: nothing is left\n  remedy: a number above 0")]
    Seconds(f64),
    /// Every recording was left out.
    #[error("no recording has a signature{}\n  remedy: give play at 10 Hz or more, with a column `yaw`", why(.0))]
    AllLeftOut(Vec<LeftOut>),
}

fn why(left_out: &[LeftOut]) -> String {
    left_out.first().map_or(String::new(), |one| format!(" ({}: {})", one.name, one.why))
}

/// One recording, or all of a player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Signed {
    /// The recording's name, or the player's.
    pub name: String,
    /// The player.
    pub player: String,
    /// How many recordings it is of.
    pub recordings: usize,
    /// Their length, together.
    pub seconds: f64,
    /// The three histograms.
    #[serde(flatten)]
    pub signature: Signature,
    /// Habits of movement, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub habits: Option<Habits>,
}

/// One of something for each signature, by the names in [`NAMES`].
pub type Three<T> = BTreeMap<&'static str, T>;

/// Pairs of recordings: how many, and how far apart on average.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Pairs {
    /// How many.
    pub pairs: usize,
    /// Their mean distance in degrees; empty without pairs.
    #[serde(flatten)]
    pub mean_degrees: Three<f64>,
}

/// Who is nearest, and how far.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NearestOther {
    /// Their name.
    pub name: String,
    /// How far, in degrees.
    pub degrees: f64,
}

/// A recording without a signature.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LeftOut {
    /// Which.
    pub name: String,
    /// How long it is.
    pub seconds: f64,
    /// Why it was left out.
    pub why: &'static str,
}

/// What the signatures of some recordings tell.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SignatureReport {
    /// What has a signature.
    pub by: SignatureOf,
    /// Bins of a histogram.
    pub bins: usize,
    /// The width of a bin.
    pub bin_degrees: f64,
    /// Moments per second.
    pub hz: f64,
    /// What every recording was cut to.
    pub seconds: f64,
    /// Whether that is less than what was asked for, since no recording was long enough.
    #[serde(skip)]
    pub is_cut_short: bool,
    /// Recordings without a signature.
    pub left_out: Vec<LeftOut>,
    /// The signatures.
    pub signatures: Vec<Signed>,
    /// From each to each, in the order of `signatures`.
    pub distances_degrees: Three<Vec<Vec<f64>>>,
    /// For each signature, in the order of `signatures`: the nearest other.
    pub nearest: Three<Vec<Option<NearestOther>>>,
    /// Pairs of recordings of the same player.
    pub same_player: Pairs,
    /// Pairs of recordings of two players.
    pub other_players: Pairs,
    /// For each player with several recordings, how far they are apart.
    pub by_player: BTreeMap<String, Pairs>,
    /// Points whose distances show these.
    pub mds: Three<Layout>,
    /// How often a held-out recording is given to the right player, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identify: Option<Identified>,
}

/// A recording, cut.
struct Piece {
    name: String,
    player: String,
    counts: AngleCounts,
    tally: Tally,
    signature: Signature,
}

impl SignatureSettings {
    /// Measures recordings.
    ///
    /// Fails if none of them has a signature: too slow, too short, without facing, or without movement.
    pub fn report(&self, recorded: Vec<Recorded>) -> Result<SignatureReport, NoSignature> {
        if !(self.seconds > 0.0 && self.seconds.is_finite()) {
            return Err(NoSignature::Seconds(self.seconds));
        }
        let (mut left_out, mut usable) = (Vec::new(), Vec::new());
        for recorded in recorded {
            let (name, seconds) = (recorded.name(), recorded.moments.len() as f64 * PERIOD_SECS);
            if !recorded.has_yaw {
                left_out.push(LeftOut { name, seconds, why: "it does not tell where the player faced" });
            } else if let Some(moments) = sampled(&recorded.moments) {
                usable.push((recorded, moments));
            } else {
                left_out.push(LeftOut { name, seconds, why: "it has fewer than 10 moments a second" });
            }
        }
        // A moment more than the seconds, since angles are between two.
        let wanted = (self.seconds / PERIOD_SECS).round() as usize;
        let longest = usable.iter().map(|(_, moments)| moments.len()).max().unwrap_or(0);
        let shortest = usable.iter().map(|(_, moments)| moments.len()).min().unwrap_or(0);
        let length = if longest >= wanted { wanted } else { shortest };
        let mut pieces = Vec::new();
        for (recorded, moments) in usable {
            let (name, seconds) = (recorded.name(), moments.len() as f64 * PERIOD_SECS);
            if moments.len() < length {
                left_out.push(LeftOut { name, seconds, why: "it is too short" });
                continue;
            }
            let measure = Measure::in_units(self.units_per_metre.unwrap_or(recorded.units_per_metre));
            let (mut counts, mut tally) = (AngleCounts::new(measure.standing), Tally::default());
            counts.add(&moments[..length]);
            tally.add(&moments[..length], measure);
            match counts.signature() {
                Some(signature) => {
                    pieces.push(Piece { name, player: recorded.player, counts, tally, signature });
                }
                None => left_out.push(LeftOut { name, seconds, why: "the player does not move" }),
            }
        }
        if pieces.is_empty() {
            return Err(NoSignature::AllLeftOut(left_out));
        }
        Ok(self.summary(pieces, left_out, length, wanted))
    }

    fn summary(
        &self,
        pieces: Vec<Piece>,
        left_out: Vec<LeftOut>,
        length: usize,
        wanted: usize,
    ) -> SignatureReport {
        let [same_player, other_players] =
            [true, false].map(|same| pairs(&pieces, &|a, b| (a.player == b.player) == same));
        let mut by_player = BTreeMap::new();
        for piece in &pieces {
            let own = pairs(&pieces, &|a, b| a.player == piece.player && b.player == piece.player);
            if own.pairs > 0 {
                by_player.insert(piece.player.clone(), own);
            }
        }
        let identify = self.identify.then(|| {
            let logs: Vec<(String, Vec<String>)> =
                pieces.iter().map(|piece| (piece.player.clone(), piece.counts.words())).collect();
            hold_out(&logs)
        });
        let seconds = length as f64 * PERIOD_SECS;
        let signatures = self.gather(pieces, seconds);
        let distances_degrees = distances(&signatures);
        let nearest =
            NAMES.iter().map(|&name| (name, nearest(&signatures, &distances_degrees[name]))).collect();
        let mds = NAMES.iter().map(|&name| (name, layout(&distances_degrees[name]))).collect();
        SignatureReport {
            by: self.of,
            bins: BINS,
            bin_degrees: BIN_DEG,
            hz: 1.0 / PERIOD_SECS,
            seconds,
            is_cut_short: length < wanted,
            left_out,
            signatures,
            nearest,
            distances_degrees,
            same_player,
            other_players,
            by_player,
            mds,
            identify,
        }
    }

    /// The pieces one by one, or those of each player added up.
    fn gather(&self, pieces: Vec<Piece>, seconds: f64) -> Vec<Signed> {
        let habits = |tally: &Tally| self.habits.then(|| tally.habits());
        if self.of == SignatureOf::Recording {
            let one = |piece: Piece| Signed {
                name: piece.name,
                player: piece.player,
                recordings: 1,
                seconds,
                signature: piece.signature,
                habits: habits(&piece.tally),
            };
            return pieces.into_iter().map(one).collect();
        }
        let mut players: BTreeMap<String, (AngleCounts, Tally, usize)> = BTreeMap::new();
        for piece in pieces {
            match players.get_mut(&piece.player) {
                Some((counts, tally, count)) => {
                    counts.merge(&piece.counts);
                    tally.merge(&piece.tally);
                    *count += 1;
                }
                None => {
                    players.insert(piece.player, (piece.counts, piece.tally, 1));
                }
            }
        }
        players
            .into_iter()
            .filter_map(|(player, (counts, tally, recordings))| {
                // Each recording has a signature, so that their sum has one.
                let signature = counts.signature()?;
                let seconds = seconds * recordings as f64;
                Some(Signed {
                    name: player.clone(),
                    player,
                    recordings,
                    seconds,
                    signature,
                    habits: habits(&tally),
                })
            })
            .collect()
    }
}

fn pairs(pieces: &[Piece], is_meant: &dyn Fn(&Piece, &Piece) -> bool) -> Pairs {
    let mut sums = [0.0; 3];
    let mut count = 0;
    for (k, a) in pieces.iter().enumerate() {
        for b in pieces[k + 1..].iter().filter(|b| is_meant(a, b)) {
            let far = a.signature.distances_deg(&b.signature);
            sums.iter_mut().zip(far).for_each(|(sum, far)| *sum += far);
            count += 1;
        }
    }
    let mean = |k: usize| if count == 0 { 0.0 } else { sums[k] / count as f64 };
    let mean_degrees = match count {
        0 => BTreeMap::new(),
        _ => NAMES.iter().enumerate().map(|(k, &name)| (name, mean(k))).collect(),
    };
    Pairs { pairs: count, mean_degrees }
}

fn nearest(signatures: &[Signed], distances: &[Vec<f64>]) -> Vec<Option<NearestOther>> {
    let of = |own: usize| {
        let others = (0..signatures.len()).filter(|&k| k != own);
        let k = others.min_by(|&a, &b| distances[own][a].total_cmp(&distances[own][b]))?;
        Some(NearestOther { name: signatures[k].name.clone(), degrees: distances[own][k] })
    };
    (0..signatures.len()).map(of).collect()
}

fn distances(signatures: &[Signed]) -> Three<Vec<Vec<f64>>> {
    let mut all: Three<Vec<Vec<f64>>> = BTreeMap::new();
    for a in signatures {
        let rows: Vec<[f64; 3]> =
            signatures.iter().map(|b| a.signature.distances_deg(&b.signature)).collect();
        for (k, &name) in NAMES.iter().enumerate() {
            all.entry(name).or_default().push(rows.iter().map(|row| row[k]).collect());
        }
    }
    all
}
