//! The rounds of learning: questions, answers that are committed to a folder, and the result.
//!
//! An answer is committed by writing it to the lesson's folder in one move. A round is over when the answers cover every
//! recording; they are then added up and kept as one file. Whoever begins again in the same folder hears all finished rounds
//! from their files, and asks only for the ranges that are still missing.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use repertoire_bayes::sequence::learning::{BatchClimb, TaskCounts};
use repertoire_chameleon::parts::{Climber, params_to_bytes};
use repertoire_chameleon::{Body, Delay, Learned, Progress};
use repertoire_eval::shard::range;
use repertoire_mind::chameleon::{Imitation, Joined};
use repertoire_mind::student::{ITERATIONS, LEAST_GAIN, Method, Summary, TaughtBehaviour};
use repertoire_prob::exact::Sums;

use super::answer::{Asked, Question, Said, answer_in, columns, defect, join, model_to_bytes, split};
use super::{CorpusError, Disk, Lesson, Store, Subject};

/// Learning under way.
#[derive(Debug)]
pub struct Learning {
    lesson: Lesson,
    store: Arc<dyn Store>,
    step: usize,
    state: State,
    /// Of the step: what was answered, and which recordings are missing.
    answers: Vec<(Range<u64>, PathBuf)>,
    all: Said,
    curve: Vec<(u64, f64)>,
    /// Lives that were kept aside, and their `ln P(actions | stimuli)` per tick.
    kept_aside: Option<(usize, f64)>,
}

#[derive(Debug)]
enum State {
    Survey,
    Imitate { body: Body, climber: Box<Climber> },
    Count,
    Batch(Box<BatchClimb>),
    Judge(Box<Learned>),
    Done(Learnt),
}

#[derive(Debug)]
enum Learnt {
    Character(Box<Learned>),
    Counts(TaskCounts),
}

/// What was learned, and from how much.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// A character or a behaviour.
    pub taught: Taught,
    /// Recordings learned from.
    pub recordings: u64,
    /// Lives in them.
    pub lives: u64,
    /// Ticks learned from.
    pub ticks: u64,
    /// Who was learned from.
    pub players: Vec<String>,
}

/// A character or a behaviour.
#[derive(Clone, Debug)]
pub enum Taught {
    /// Learned by imitation.
    Character(Box<Imitation>),
    /// Tasks and when they follow each other.
    Behaviour(Box<TaughtBehaviour>),
}

/// How far learning is.
#[derive(Clone, Copy, Debug)]
pub enum Told {
    /// A round begins: its number, and how likely the play was before it.
    Round(usize, Option<Progress>),
    /// This many recordings were answered for.
    Recordings(u64),
}

impl Learning {
    /// Begins, or goes on from what was committed in the lesson's folder.
    ///
    /// # Errors
    /// If the folder holds another lesson, or cannot be written to.
    pub fn begin(lesson: Lesson) -> Result<Self, CorpusError> {
        Learning::begin_in(lesson, Arc::new(Disk))
    }

    /// The same with recordings and the lesson's folder in a store.
    ///
    /// # Errors
    /// As [`begin`](Learning::begin), and if the store fails.
    pub fn begin_in(lesson: Lesson, store: Arc<dyn Store>) -> Result<Self, CorpusError> {
        let file = lesson.place("lesson.json");
        let text = serde_json::to_vec_pretty(&lesson).map_err(defect)?;
        match store.read(&file)? {
            Some(there) if there != text => {
                return Err(CorpusError::new(
                    format!("{} holds what was committed of another lesson", lesson.work.display()),
                    "name another folder, or remove it if it is of no use",
                ));
            }
            Some(_) => {}
            None => store.keep(&file, &text)?,
        }
        let state = match &lesson.subject {
            Subject::Chameleon { .. } => State::Survey,
            Subject::Sequence { .. } => {
                let (behaviour, method) = lesson.behaviour()?;
                let (before, _) = TaskCounts::of(&behaviour);
                match method {
                    Method::Batch => {
                        let climb =
                            BatchClimb::new(&behaviour, &before, ITERATIONS, LEAST_GAIN).map_err(defect)?;
                        State::Batch(Box::new(climb))
                    }
                    _ => State::Count,
                }
            }
        };
        let (answers, all, curve) = (Vec::new(), Said::default(), Vec::new());
        let mut learning = Learning { lesson, store, step: 0, state, answers, all, curve, kept_aside: None };
        learning.look()?;
        Ok(learning)
    }

    /// What is learned.
    pub fn lesson(&self) -> &Lesson {
        &self.lesson
    }

    /// Which round it is, from 0.
    pub fn step(&self) -> usize {
        self.step
    }

    /// Where EM is, once it climbs.
    pub fn progress(&self) -> Option<Progress> {
        match &self.state {
            State::Imitate { climber, .. } => Some(climber.progress()),
            _ => None,
        }
    }

    /// The question of this round, for [`answer()`](super::answer()); none when all is learned.
    ///
    /// # Errors
    /// None that a user could cause.
    pub fn ask(&self) -> Result<Option<Vec<u8>>, CorpusError> {
        let (question, numbers) = match &self.state {
            State::Survey => (Question::Survey, Vec::new()),
            State::Count => (Question::Count, Vec::new()),
            State::Imitate { body, climber } => match climber.ask() {
                Some(params) => (Question::Expect(Some(body.clone())), params_to_bytes(params)),
                None => return Ok(None),
            },
            State::Batch(climb) => match climb.ask() {
                Some(model) => (Question::Expect(None), model_to_bytes(&model)),
                None => return Ok(None),
            },
            State::Judge(learned) => {
                (Question::Judge(learned.body.clone()), params_to_bytes(learned.params()))
            }
            State::Done(_) => return Ok(None),
        };
        let (lesson, work) = (self.lesson.clone(), self.lesson.work.clone());
        join(&Asked { lesson, work, step: self.step, question }, &numbers).map(Some)
    }

    /// The ranges of recordings that this round still lacks, in about `shards` pieces in all.
    pub fn missing(&self, shards: u64) -> Vec<Range<u64>> {
        let there: BTreeSet<u64> = self.answers.iter().flat_map(|(range, _)| range.clone()).collect();
        let total = self.lesson.total();
        let most = total.div_ceil(shards.max(1)).max(1);
        let cut = |gap: Range<u64>| {
            let pieces = (gap.end - gap.start).div_ceil(most);
            (0..pieces).map(move |k| {
                let length = gap.end - gap.start;
                gap.start + k * length / pieces..gap.start + (k + 1) * length / pieces
            })
        };
        range::missing(&(0..total), &there).into_iter().flat_map(cut).collect()
    }

    /// Commits an answer. When the answers cover every recording, the next round begins.
    ///
    /// # Errors
    /// If the answer is damaged, of another round, or overlaps one that was committed.
    pub fn commit(&mut self, bytes: &[u8]) -> Result<(), CorpusError> {
        let (said, _) = split::<Said>(bytes)?;
        let own = said.from..said.to;
        if said.step != self.step || said.to > self.lesson.total() || own.is_empty() {
            return Err(CorpusError::new(
                format!("this is an answer to round {}, and this is round {}", said.step, self.step),
                "answer the question that is asked",
            ));
        }
        if let Some((other, _)) =
            self.answers.iter().find(|(other, _)| other.start < own.end && own.start < other.end)
        {
            return Err(CorpusError::new(
                format!(
                    "recordings {}..{} were answered for: {}..{} overlaps",
                    other.start, other.end, own.start, own.end
                ),
                "answer for the ranges that are missing",
            ));
        }
        let path = self.file(&own);
        self.store.keep(&path, bytes)?;
        self.answers.push((own, path));
        self.advance()
    }

    /// Does all that is missing here, on the threads of the rayon pool in which this is called, until `go_on` says no.
    ///
    /// # Errors
    /// If a recording cannot be read or explained; what was committed stays. Also if it was stopped.
    pub fn run(
        mut self,
        shards: u64,
        told: &(dyn Fn(Told) + Sync),
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Outcome, CorpusError> {
        while let Some(question) = self.ask()? {
            told(Told::Round(self.step, self.progress()));
            // A few at a time, so that what is done is committed soon.
            for few in self.missing(shards).chunks(rayon::current_num_threads().max(1)) {
                if !go_on() {
                    return Err(CorpusError::new(
                        format!("stopped in round {}", self.step),
                        "the same command goes on from what was committed",
                    ));
                }
                let answers: Vec<_> =
                    few.par_iter().map(|range| answer_in(&question, range.clone(), &*self.store)).collect();
                for (bytes, range) in answers.into_iter().zip(few) {
                    self.commit(&bytes?)?;
                    told(Told::Recordings(range.end - range.start));
                }
            }
        }
        self.finish()
    }

    /// Where the answer of a range in this round is kept.
    fn file(&self, range: &Range<u64>) -> PathBuf {
        self.lesson.place(&format!("round-{:04}/{}-{}.sums", self.step, range.start, range.end))
    }

    /// Takes up the answers to this round that were committed before.
    fn look(&mut self) -> Result<(), CorpusError> {
        let mut found = Vec::new();
        for path in self.store.list(&self.lesson.place(&format!("round-{:04}", self.step)))? {
            if path.extension().is_none_or(|end| end != "sums") {
                continue;
            }
            let (said, _) = split::<Said>(&self.read(&path)?)?;
            found.push((said.from..said.to, path));
        }
        // The sum of a finished round may stand beside what it is the sum of, if a kill came between.
        found.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
        let mut end = 0;
        found.retain(|(range, _)| {
            let is_new = range.start >= end;
            end = end.max(range.end);
            is_new
        });
        self.answers = found;
        self.advance()
    }

    /// If the round is over, adds up its answers and goes on to the next.
    fn advance(&mut self) -> Result<(), CorpusError> {
        if matches!(&self.state, State::Done(_)) || !self.missing(1).is_empty() {
            return Ok(());
        }
        let (said, sums) = self.total()?;
        self.keep_total(&said, &sums)?;
        self.tell(said, &sums)?;
        self.step += 1;
        if matches!(&self.state, State::Done(_)) { Ok(()) } else { self.look() }
    }

    fn read(&self, path: &Path) -> Result<Vec<u8>, CorpusError> {
        let gone = || {
            CorpusError::new(
                format!("{}: it was committed and is gone", path.display()),
                "begin again; what else was committed stays",
            )
        };
        self.store.read(path)?.ok_or_else(gone)
    }

    fn total(&self) -> Result<(Said, Sums), CorpusError> {
        let mut all = Said { step: self.step, to: self.lesson.total(), ..Said::default() };
        let mut sums: Option<Sums> = None;
        for (_, path) in &self.answers {
            let bytes = self.read(path)?;
            let (said, own) = split::<Said>(&bytes)?;
            let own = Sums::from_bytes(own).map_err(|error| CorpusError::of(path, error))?;
            all.lives += said.lives;
            all.ticks += said.ticks;
            all.unlabelled += said.unlabelled;
            all.body.add(&said.body);
            all.players.extend(said.players);
            match &mut sums {
                Some(sums) if sums.len() == own.len() => sums.merge(&own),
                Some(_) => return Err(CorpusError::of(path, "it was answered by another version")),
                None => sums = Some(own),
            }
        }
        all.players.sort();
        all.players.dedup();
        Ok((all, sums.unwrap_or_default()))
    }

    /// One file instead of many, written before the many go.
    fn keep_total(&mut self, said: &Said, sums: &Sums) -> Result<(), CorpusError> {
        let path = self.file(&(0..self.lesson.total()));
        self.store.keep(&path, &join(said, &sums.to_bytes())?)?;
        for (_, old) in self.answers.drain(..).filter(|(_, old)| *old != path) {
            self.store.remove(&old);
        }
        Ok(())
    }

    fn tell(&mut self, said: Said, sums: &Sums) -> Result<(), CorpusError> {
        let nothing =
            || CorpusError::new("there was nothing to learn", "name players who live in the recordings");
        if !said.players.is_empty() {
            self.all.players = said.players.clone();
        }
        if !matches!(self.state, State::Judge(_)) {
            (self.all.lives, self.all.ticks, self.all.unlabelled) = (said.lives, said.ticks, said.unlabelled);
        }
        let state = std::mem::replace(&mut self.state, State::Count);
        self.state = match state {
            State::Survey => {
                let (model, _, em) = self.lesson.model()?;
                match self.lesson.start()? {
                    // Numbers that are gone on from are in terms of the body they were learned with.
                    Some(start) => State::Imitate {
                        body: start.body.clone(),
                        climber: Box::new(Climber::going_on(&start, em)),
                    },
                    None => {
                        State::Imitate { body: said.body.body(), climber: Box::new(Climber::new(&model, em)) }
                    }
                }
            }
            State::Imitate { body, mut climber } => {
                climber.tell(sums).map_err(|_| nothing())?;
                match climber.ask() {
                    Some(_) => State::Imitate { body, climber },
                    None => {
                        let mut learned = climber.finish(said.lives).ok_or_else(nothing)?;
                        learned.body = body;
                        let is_judged = (0..self.lesson.total()).any(|number| self.lesson.is_aside(number));
                        match is_judged {
                            true => State::Judge(Box::new(learned)),
                            false => State::Done(Learnt::Character(Box::new(learned))),
                        }
                    }
                }
            }
            State::Count => {
                let (behaviour, _) = self.lesson.behaviour()?;
                let (mut counts, _) = TaskCounts::of(&behaviour);
                let now = sums.values();
                let mut now = now.iter();
                let cells = counts.transition.iter_mut().chain(counts.sensors.iter_mut().flatten());
                cells.zip(&mut now).for_each(|(cell, now)| *cell += now);
                counts.observations += said.ticks;
                State::Done(Learnt::Counts(counts))
            }
            State::Batch(mut climb) => {
                let (behaviour, _) = self.lesson.behaviour()?;
                debug_assert_eq!(sums.len(), columns(&behaviour));
                let tasks = behaviour.tasks().len();
                let values = sums.values();
                let (transition, mut rest) = values.split_at(tasks * tasks);
                let mut sensors = Vec::new();
                for sensor in behaviour.sensors() {
                    let (table, after) = rest.split_at(tasks * sensor.values.len());
                    sensors.push(table.to_vec());
                    rest = after;
                }
                let log_likelihood = rest.first().copied().unwrap_or(0.0);
                climb.tell(transition, &sensors, said.ticks, log_likelihood);
                self.curve.push((self.curve.len() as u64 + 1, log_likelihood / said.ticks.max(1) as f64));
                match climb.ask() {
                    Some(_) => State::Batch(climb),
                    None => State::Done(Learnt::Counts(climb.finish())),
                }
            }
            State::Judge(learned) => {
                let [likely, impossible] = sums.values()[..] else {
                    return Err(defect("a judgement of another shape"));
                };
                let likely = if impossible > 0.0 { f64::NEG_INFINITY } else { likely };
                self.kept_aside = Some((said.lives as usize, likely / said.ticks.max(1) as f64));
                State::Done(Learnt::Character(learned))
            }
            done @ State::Done(_) => done,
        };
        Ok(())
    }

    /// The result, when nothing is asked any more. The behaviour is called as its start is; give it a name of its own.
    ///
    /// # Errors
    /// If something is still asked, or there was nothing to learn.
    pub fn finish(self) -> Result<Outcome, CorpusError> {
        let Learning { lesson, state, all, curve, kept_aside, .. } = self;
        let State::Done(learnt) = state else {
            return Err(CorpusError::new("learning is not over", "answer what is asked"));
        };
        let taught = match learnt {
            Learnt::Character(learned) => {
                Taught::Character(Box::new(Imitation { kept_aside, ..character(&lesson, *learned, &all)? }))
            }
            Learnt::Counts(counts) => {
                let (behaviour, method) = lesson.behaviour()?;
                let (_, edited_columns) = TaskCounts::of(&behaviour);
                let about = format!("Learned from play ({}).", method.name());
                let learned = behaviour.learned(behaviour.name(), about, counts).map_err(defect)?;
                let (observations, lives, unlabelled) = (all.ticks, all.lives, all.unlabelled);
                let summary =
                    Summary { observations, lives, unlabelled, edited_columns, curve, ..Summary::default() };
                Taught::Behaviour(Box::new(TaughtBehaviour { behaviour: learned, summary }))
            }
        };
        let recordings = lesson.total();
        Ok(Outcome { taught, recordings, lives: all.lives, ticks: all.ticks, players: all.players })
    }

    /// Removes the folder with everything that was committed.
    pub fn forget(work: &Path) {
        let _ = std::fs::remove_dir_all(work);
    }
}

fn character(lesson: &Lesson, mut learned: Learned, all: &Said) -> Result<Imitation, CorpusError> {
    let (model, delay, _) = lesson.model()?;
    // A character that is gone on from keeps its own reaction time and sharpness.
    if lesson.start()?.is_none() {
        learned.delay = Delay::of(delay);
        learned.sharpness = Joined::new(&model).map_err(defect)?.sharpness();
    }
    let nats_per_tick = learned.counts().log_likelihood / learned.counts().ticks.max(1.0);
    Ok(Imitation {
        learned,
        lives: all.lives as usize,
        ticks: all.ticks as usize,
        nats_per_tick,
        kept_aside: None,
        delay_curve: Vec::new(),
        decisions_tried: Vec::new(),
    })
}
