//! Clips for judges: short stretches of recorded play, under numbers that tell nothing, in random order.
//!
//! Any recording will do that says who was where and faced where: matches of the arena, people's play in other games. A clip shows
//! one player through one life, or a part of it, and everybody else who was recorded beside them. Who that was is in the [`Key`],
//! which the judges do not get; their [`Answer`]s name clips.

use std::collections::BTreeMap;

use repertoire_prob::Stream;
use repertoire_trace::movement::{Moment, Recorded};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Judgement, Verdict};

/// From one picture of a clip to the next, in seconds.
pub const FRAME_SECS: f64 = 0.1;
/// A gap in a recording that is longer than this ends a clip.
const GAP_SECS: f64 = 0.5;

/// A short stretch of recorded play.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Clip {
    /// What judges call it, from 1 on.
    pub number: u32,
    /// Which of the scenes it plays in; see [`Pack::maps`].
    pub map: usize,
    /// For each picture, where everybody was; first the player who is judged. Those who were not recorded then are missing.
    pub frames: Vec<Vec<Option<Body>>>,
}

/// Where somebody was, in metres, and faced.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Body {
    /// The feet.
    pub at: [f64; 3],
    /// Counter-clockwise from the x axis.
    pub yaw_deg: f64,
}

/// What the organiser keeps: who was who.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// A name for these clips: answers to others are refused.
    pub pack: String,
    /// Whom each clip shows, in the order of their numbers.
    pub clips: Vec<Shown>,
}

/// Whom a clip shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shown {
    /// The player.
    pub player: String,
    /// Whether that is a person.
    pub person: bool,
    /// The map.
    pub map: String,
    /// The recording, and where in it.
    pub session: String,
    /// Seconds into it.
    pub from_secs: String,
}

/// Clips with their key.
#[derive(Clone, Debug, PartialEq)]
pub struct Pack {
    /// The clips in the order in which they are shown.
    pub clips: Vec<Clip>,
    /// The maps that they play on.
    pub maps: Vec<String>,
    /// Who was who.
    pub key: Key,
}

/// One answer of a judge, a line of JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Which clips were judged.
    pub pack: String,
    /// Who judges.
    pub judge: String,
    /// The clip's number.
    pub clip: u32,
    /// What they think.
    pub verdict: Verdict,
    /// What made them think so, in their words.
    #[serde(default)]
    pub because: String,
}

impl Answer {
    /// Answers as the page of clips saves them, a line of JSON each.
    ///
    /// # Errors
    /// With the number of the first line that is none, and what is wrong with it.
    pub fn read(text: &str) -> Result<Vec<Answer>, (usize, serde_json::Error)> {
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        lines.map(|(number, line)| serde_json::from_str(line).map_err(|error| (number, error))).collect()
    }
}

/// Why there are no clips, or no judgements.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum NoClips {
    /// Nobody lived long enough.
    #[error(
        "nobody is recorded through one life for {0} s\n  remedy: ask for shorter clips with --seconds, or give longer recordings"
    )]
    TooShort(String),
    /// Somebody who is said to be a person is not recorded.
    #[error("nobody called `{0}` is recorded\n  remedy: there are {1}")]
    Nobody(String, String),
    /// An answer about other clips.
    #[error(
        "{judge} answered about other clips ({pack})\n  remedy: give the key that was written beside their page"
    )]
    OtherPack {
        /// Who.
        judge: String,
        /// What they judged.
        pack: String,
    },
    /// An answer about a clip that is not there.
    #[error(
        "{judge} answered about clip {clip}, and there are {clips}\n  remedy: correct or remove that line"
    )]
    NoSuchClip {
        /// Who.
        judge: String,
        /// Which.
        clip: u32,
        /// How many there are.
        clips: usize,
    },
}

/// A stretch that could become a clip.
struct Stretch {
    /// Whose, and in which session.
    recorded: usize,
    from_secs: f64,
}

/// How clips are chosen.
#[derive(Clone, Debug)]
pub struct Packing<'a> {
    /// How many clips of each player, at most.
    pub each: u32,
    /// How long they are.
    pub seconds: f64,
    /// Who is a person.
    pub people: &'a [String],
    /// Random seed; the same seed packs the same clips.
    pub seed: u64,
}

impl Packing<'_> {
    /// Chooses clips: for each player as many as asked for, none overlapping, in random order.
    ///
    /// # Errors
    /// If nobody lives long enough, or somebody is called a person who is not recorded.
    pub fn pack(&self, recorded: &[Recorded]) -> Result<Pack, NoClips> {
        let mut players: BTreeMap<&str, Vec<Stretch>> = BTreeMap::new();
        for (index, one) in recorded.iter().enumerate() {
            let stretches = self.stretches(one).into_iter();
            let of = players.entry(&one.player).or_default();
            of.extend(stretches.map(|from_secs| Stretch { recorded: index, from_secs }));
        }
        if let Some(person) = self.people.iter().find(|person| !players.contains_key(person.as_str())) {
            let names: Vec<&str> = players.keys().copied().collect();
            return Err(NoClips::Nobody(person.clone(), names.join(", ")));
        }
        let mut chosen: Vec<Stretch> = Vec::new();
        for (number, (_, stretches)) in players.into_iter().enumerate() {
            let mut stretches = stretches;
            shuffle(&mut stretches, &mut Stream::new(self.seed, number as u64, "clips"));
            chosen.extend(stretches.into_iter().take(self.each as usize));
        }
        if chosen.is_empty() {
            return Err(NoClips::TooShort(format!("{}", self.seconds)));
        }
        shuffle(&mut chosen, &mut Stream::new(self.seed, 0, "order of clips"));
        let mut maps: Vec<String> = chosen.iter().map(|one| recorded[one.recorded].map.clone()).collect();
        maps.sort();
        maps.dedup();
        let clips: Vec<Clip> =
            chosen.iter().zip(1..).map(|(one, number)| self.clip(one, number, recorded, &maps)).collect();
        let shown = |one: &Stretch| {
            let Recorded { player, map, session, .. } = &recorded[one.recorded];
            let person = self.people.contains(player);
            let from_secs = format!("{:.1}", one.from_secs);
            Shown { player: player.clone(), person, map: map.clone(), session: session.clone(), from_secs }
        };
        let shown: Vec<Shown> = chosen.iter().map(shown).collect();
        let name = serde_json::to_string(&(&shown, self.seconds.to_bits())).unwrap_or_default();
        let pack = format!("{:016x}", repertoire_prob::stream::fnv1a(name.as_bytes()));
        Ok(Pack { clips, maps, key: Key { pack, clips: shown } })
    }

    /// Where clips of somebody may begin, so that none overlap.
    fn stretches(&self, recorded: &Recorded) -> Vec<f64> {
        let mut found = Vec::new();
        let mut began: Option<&Moment> = None;
        let mut last: Option<&Moment> = None;
        for moment in &recorded.moments {
            let goes_on = last.is_some_and(|last| {
                last.life == moment.life && (0.0..=GAP_SECS).contains(&(moment.secs - last.secs))
            });
            let from = match began.filter(|_| goes_on) {
                Some(from) => from,
                None => moment,
            };
            (began, last) = (Some(from), Some(moment));
            if moment.secs - from.secs >= self.seconds {
                found.push(from.secs);
                began = None;
                last = None;
            }
        }
        found
    }

    fn clip(&self, one: &Stretch, number: u32, recorded: &[Recorded], maps: &[String]) -> Clip {
        let own = &recorded[one.recorded];
        let beside = recorded.iter().enumerate().filter(|(index, other)| {
            *index != one.recorded && other.map == own.map && match_of(other) == match_of(own)
        });
        let bodies: Vec<&Recorded> = std::iter::once(own).chain(beside.map(|(_, other)| other)).collect();
        let count = (self.seconds / FRAME_SECS) as usize;
        let frames = (0..count)
            .map(|frame| {
                let secs = one.from_secs + frame as f64 * FRAME_SECS;
                bodies.iter().map(|body| at(body, secs)).collect()
            })
            .collect();
        let map = maps.iter().position(|map| *map == own.map).unwrap_or(0);
        Clip { number, map, frames }
    }
}

/// The match that a session belongs to: our recordings number their characters behind a `#`.
fn match_of(recorded: &Recorded) -> &str {
    recorded.session.split('#').next().unwrap_or_default()
}

/// Where somebody was at a time, between two moments of a life; none if they were not recorded then.
fn at(recorded: &Recorded, secs: f64) -> Option<Body> {
    let moments = &recorded.moments;
    let next = moments.partition_point(|moment| moment.secs < secs - 1e-9);
    let after = moments.get(next)?;
    let before = if after.secs <= secs + 1e-9 { after } else { moments.get(next.checked_sub(1)?)? };
    if before.life != after.life || after.secs - before.secs > GAP_SECS {
        return None;
    }
    let span = after.secs - before.secs;
    let part = if span > 0.0 { (secs - before.secs) / span } else { 0.0 };
    let between = |a: f64, b: f64| a + (b - a) * part;
    let turn = (after.yaw_deg - before.yaw_deg + 540.0).rem_euclid(360.0) - 180.0;
    Some(Body {
        at: std::array::from_fn(|axis| between(before.at[axis], after.at[axis]) / recorded.units_per_metre),
        yaw_deg: before.yaw_deg + turn * part,
    })
}

/// Puts things in random order (Fisher and Yates).
fn shuffle<T>(things: &mut [T], draw: &mut Stream) {
    for last in (1..things.len()).rev() {
        things.swap(last, (draw.unit() * (last + 1) as f64) as usize);
    }
}

impl Key {
    /// Answers as judgements: whom they were about.
    ///
    /// # Errors
    /// If an answer is about other clips.
    pub fn judgements(&self, answers: &[Answer]) -> Result<Vec<Judgement>, NoClips> {
        let one = |answer: &Answer| {
            if answer.pack != self.pack {
                return Err(NoClips::OtherPack { judge: answer.judge.clone(), pack: answer.pack.clone() });
            }
            let index = (answer.clip as usize).checked_sub(1);
            let shown = index.and_then(|index| self.clips.get(index)).ok_or_else(|| NoClips::NoSuchClip {
                judge: answer.judge.clone(),
                clip: answer.clip,
                clips: self.clips.len(),
            })?;
            Ok(Judgement {
                judge: answer.judge.clone(),
                opponent: shown.player.clone(),
                alias: format!("clip {}", answer.clip),
                map: shown.map.clone(),
                round: 1,
                verdict: answer.verdict,
                because: answer.because.clone(),
            })
        };
        answers.iter().map(one).collect()
    }

    /// Whether somebody in it is a person, by name.
    pub fn is_person(&self, player: &str) -> bool {
        self.clips.iter().any(|shown| shown.player == player && shown.person)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded(player: &str, session: &str, lives: &[f64]) -> Recorded {
        let mut moments = Vec::new();
        let mut secs = 0.0;
        for (life, length) in (1..).zip(lives) {
            for _ in 0..(length * 10.0) as usize {
                moments.push(Moment { secs, at: [50.0 * secs, 0.0, 10.0], yaw_deg: 170.0 + secs, life });
                secs += 0.1;
            }
            secs += 2.0;
        }
        Recorded {
            map: "yard".into(),
            session: session.into(),
            player: player.into(),
            moments,
            in_air: Vec::new(),
            has_yaw: true,
            units_per_metre: 50.0,
        }
    }

    #[test]
    fn clips_are_of_one_life_each_and_tell_nothing_of_who_it_is() {
        let all = [recorded("native:3", "a#0", &[25.0, 4.0, 12.0]), recorded("somebody", "a#1", &[60.0])];
        let packing = Packing { each: 3, seconds: 10.0, people: &["somebody".to_owned()], seed: 5 };
        let pack = packing.pack(&all).expect("clips");
        let of = |player: &str| pack.key.clips.iter().filter(|shown| shown.player == player).count();
        assert_eq!((of("native:3"), of("somebody")), (3, 3), "two of the first life and one of the third");
        assert!(pack.key.is_person("somebody") && !pack.key.is_person("native:3"));
        for clip in &pack.clips {
            assert_eq!(clip.frames.len(), 100);
            assert!(clip.frames.iter().all(|frame| frame[0].is_some() && frame.len() == 2));
            let [first, second] = [clip.frames[0][0], clip.frames[10][0]].map(|body| body.expect("there"));
            assert!((second.at[0] - first.at[0] - 1.0).abs() < 1e-9, "a metre a second");
        }
        let written = serde_json::to_string(&pack.clips).expect("plain data");
        assert!(!written.contains("native") && !written.contains("somebody"));
        assert_eq!(packing.pack(&all), Ok(pack.clone()));
        assert_ne!(Packing { seed: 6, ..packing.clone() }.pack(&all).map(|pack| pack.key), Ok(pack.key));
        let long = Packing { seconds: 100.0, ..packing };
        assert!(matches!(long.pack(&all), Err(NoClips::TooShort(_))));
    }

    #[test]
    fn a_view_turns_the_short_way_between_two_moments() {
        let moments = [(0.0, 170.0), (0.4, -170.0)].map(|(secs, yaw_deg)| Moment {
            secs,
            at: [0.0; 3],
            yaw_deg,
            life: 1,
        });
        let one = Recorded { moments: moments.into(), ..recorded("a", "a", &[]) };
        let body = at(&one, 0.2).expect("between them");
        assert!((body.yaw_deg - 180.0).abs() < 1e-9, "{}", body.yaw_deg);
        assert_eq!(at(&one, 0.6), None);
    }

    #[test]
    fn answers_about_other_clips_are_refused() {
        let shown = Shown {
            player: "hunter".into(),
            person: false,
            map: "yard".into(),
            session: "a".into(),
            from_secs: "0.0".into(),
        };
        let key = Key { pack: "one".into(), clips: vec![shown] };
        let answer = |pack: &str, clip| Answer {
            pack: pack.into(),
            judge: "a judge".into(),
            clip,
            verdict: Verdict::RatherPerson,
            because: String::new(),
        };
        assert_eq!(key.judgements(&[answer("one", 1)]).expect("right")[0].opponent, "hunter");
        assert!(matches!(key.judgements(&[answer("two", 1)]), Err(NoClips::OtherPack { .. })));
        for clip in [0, 2] {
            assert!(matches!(key.judgements(&[answer("one", clip)]), Err(NoClips::NoSuchClip { .. })));
        }
    }
}
