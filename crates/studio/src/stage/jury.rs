//! Judging: matches against opponents under false names, and what judges think of them, in a file.

use std::fs::OpenOptions;
use std::io::Write;

use repertoire_eval::judge::{ALIASES, Judgement, Verdict, humanness};
use repertoire_prob::Stream;
use serde::Deserialize;
use serde_json::{Value, json};

use super::cast::{Part, Setting};
use super::{Envelope, Stage};

/// The file in the folder that holds all judgements, a line each.
const FILE: &str = "judgements.jsonl";
/// How a person is written among the opponents.
const PERSON: &str = "person";
/// The most opponents of a judge.
const MOST: usize = 6;
/// The longest reason of a judge, in characters.
const LONGEST: usize = 500;

/// What one judge thinks of one opponent.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Said {
    /// Its number.
    pub who: u8,
    /// What they think.
    pub verdict: Verdict,
    /// What made them think so.
    pub because: String,
}

/// A match that is judged.
#[derive(Debug)]
pub struct Jury {
    judge: String,
    round: u32,
    /// The tick at which it ends.
    ends: u32,
    /// Who really plays each character.
    truth: Vec<String>,
}

impl Stage {
    /// Begins a match whose opponents hide behind false names.
    pub(super) fn judge(
        &mut self,
        envelope: &Envelope,
        judge: &str,
        opponents: &[String],
        round: u32,
        secs: f64,
        seed: u64,
    ) {
        let refuse = |what: &str| envelope.answer(&json!({ "type": "refused", "what": what }));
        if opponents.is_empty() || opponents.len() > MOST || !(1.0..=3600.0).contains(&secs) {
            return refuse("judge from 1 to 6 opponents, for up to an hour");
        }
        let (people, programs): (Vec<String>, Vec<String>) =
            opponents.iter().cloned().partition(|opponent| opponent == PERSON);
        let mut setting = match Setting::find_below(&self.folder, &self.setting.map, &programs, seed) {
            Ok(setting) => setting,
            Err(error) => return refuse(&error.to_string()),
        };
        setting.parts.extend(people.iter().map(|_| Part::person(PERSON)));
        // Neither the order nor the names tell who is who.
        let mut draw = Stream::new(seed, u64::from(round), "studio jury");
        let mut names = ALIASES.to_vec();
        for last in (1..names.len()).rev() {
            names.swap(last, (draw.unit() * (last + 1) as f64) as usize);
        }
        for last in (1..setting.parts.len()).rev() {
            setting.parts.swap(last, (draw.unit() * (last + 1) as f64) as usize);
        }
        let truth: Vec<String> = setting.parts.iter().map(|part| part.written.clone()).collect();
        for (part, name) in setting.parts.iter_mut().zip(names) {
            *part = Part { text: None, file: None, written: name.to_owned(), ..part.clone() };
            part.entry.name = name.to_owned();
        }
        setting.parts.push(Part::person(judge));
        let period = repertoire_worlds::arena::rules::Rules::default().period_secs();
        let jury = Jury { judge: judge.to_owned(), round, ends: (secs / period) as u32, truth };
        // From the first frame on: one with tasks in it would tell.
        self.open(envelope, setting, true, Some(jury));
        self.wait_for_people();
        envelope.answer(&self.hello(&envelope.key));
    }

    /// A seat of a judged match that waits for a person.
    pub(super) fn free_seat(&self) -> Option<usize> {
        let judged = 0..self.jury.as_ref().map_or(0, |jury| jury.truth.len());
        judged.into_iter().find(|&id| self.cast[id].is_person && !self.people.has(id))
    }

    /// A judged match begins when everybody is there: an opponent who stands still, waiting, would give itself away.
    pub(super) fn wait_for_people(&mut self) {
        if self.free_seat().is_some() {
            self.halt(
                "waits for a person: open this address in another browser, and enter the match".to_owned(),
            );
        }
    }

    /// Whether somebody's mind may be shown. In a judged match only the judge's own, which says what is in their hands: an opponent with
    /// a mind to show would be known by it.
    pub(super) fn may_show_mind(&self, id: usize) -> bool {
        self.jury.as_ref().is_none_or(|jury| jury.truth.len() == id)
    }

    /// Whether minds must not be shown.
    pub(super) fn is_secret(&self) -> bool {
        self.jury.is_some()
    }

    /// Ends a match whose time is up.
    pub(super) fn watch_the_clock(&mut self) {
        if self.jury.as_ref().is_some_and(|jury| self.timeline.end() >= jury.ends) && !self.paused {
            self.halt("time is up: who was a person?".to_owned());
        }
    }

    /// What is shown of a judged match.
    pub(super) fn jury_report(&self) -> Value {
        self.jury.as_ref().map_or(Value::Null, |jury| {
            json!({ "round": jury.round, "ends": jury.ends, "over": self.timeline.end() >= jury.ends, "opponents": jury.truth.len() })
        })
    }

    /// Writes what a judge thinks to the file, and tells who was who and what all judges think. When this answers, it is on the disk.
    pub(super) fn verdict(&mut self, said: &[Said]) -> Value {
        let Some(jury) = &self.jury else { return json!({ "error": "there is nothing to judge" }) };
        let one = |said: &Said| {
            let who = usize::from(said.who);
            Some(Judgement {
                judge: jury.judge.clone(),
                opponent: jury.truth.get(who)?.clone(),
                alias: self.cast.get(who)?.entry.name.clone(),
                map: self.setting.map.clone(),
                round: jury.round,
                verdict: said.verdict,
                because: said.because.chars().filter(|c| !c.is_control()).take(LONGEST).collect(),
            })
        };
        let judgements: Vec<Judgement> = said.iter().filter_map(one).collect();
        if judgements.len() != jury.truth.len() {
            return json!({ "error": "say something about every opponent, once" });
        }
        let path = self.folder.join(FILE);
        let lines: String = judgements
            .iter()
            .filter_map(|one| serde_json::to_string(one).ok())
            .map(|line| line + "\n")
            .collect();
        let written = OpenOptions::new().create(true).append(true).open(&path).and_then(|mut file| {
            file.write_all(lines.as_bytes())?;
            file.sync_all()
        });
        if let Err(error) = written {
            return json!({ "error": format!("{} could not be written: {error}", path.display()) });
        }
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let all: Vec<Judgement> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        self.jury = None;
        json!({ "saved": path.display().to_string(), "truth": judgements, "humanness": humanness(&all) })
    }
}
