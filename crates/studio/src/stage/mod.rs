//! The stage: one match, its past, the people in it and those who learn from them, on a thread of its own.
//!
//! Browsers send [`Ask`]s and are shown [`Frame`]s. The stage never waits for a browser: it leaves the latest frame in a place from
//! which each client takes it when it can. Questions that take long are worked out elsewhere (`questions`).
//!
//! | module        | what it holds                                                     |
//! |---------------|-------------------------------------------------------------------|
//! | [`ask`]       | what browsers may ask for                                         |
//! | [`cast`]      | who plays, and the text each came from                            |
//! | [`frame`]     | what browsers are shown                                           |
//! | `answer`      | obeying what is asked                                             |
//! | `desk`        | editing characters while they play                                |
//! | [`jury`]      | judging opponents under false names                               |
//! | `people`      | people in the match: their commands, their recording              |
//! | `questions`   | why not, what if, how often: on other threads                     |
//! | [`school`]    | pupils that learn while a person plays                            |
//! | `strip`       | everybody's tasks since the match began                           |

mod answer;
pub mod ask;
pub mod cast;
mod desk;
pub mod frame;
pub mod jury;
mod people;
mod questions;
pub mod school;
mod strip;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use repertoire::load::NamedText;
use repertoire_eval::breakpoint::Breakpoint;
use repertoire_eval::timeline::Timeline;
use repertoire_worlds::arena::game::Match;
use serde_json::Value;
use tokio::sync::{mpsc, watch};

use crate::clock::{self, Lateness};
use ask::Ask;
use cast::{Cast, Setting};
use frame::{Frame, Standing};
use people::People;
use questions::Questions;
use school::School;
use strip::Strip;

/// Slowest and fastest.
const SPEEDS: std::ops::RangeInclusive<f64> = 0.1..=16.0;
/// A match that fell behind by more than this does not try to catch up.
const MOST_BEHIND: Duration = Duration::from_millis(500);
/// Frames are not shown more often: faster matches skip some.
const LEAST_BETWEEN: Duration = Duration::from_millis(30);
/// Asks that are obeyed between two ticks, at most.
const MOST_ASKS: usize = 2000;
/// A match ends here, so that its past fits into memory: three hours at the usual rate.
const LONGEST: u32 = 108_000;

/// An ask, and where its answer goes.
#[derive(Debug)]
pub struct Envelope {
    /// Who asks: the same for a browser that reloads.
    pub key: Arc<str>,
    /// Where answers go; what does not fit is lost, so that nobody waits.
    pub reply: mpsc::Sender<Utf8Bytes>,
    /// What.
    pub ask: Ask,
}

impl Envelope {
    fn answer(&self, value: &Value) {
        // A client that does not read its answers has itself to blame.
        let _ = self.reply.try_send(value.to_string().into());
    }
}

/// What server and stage share.
#[derive(Debug)]
pub struct Shared {
    /// How many clients follow each character.
    pub followers: Vec<AtomicU32>,
    /// How many clients there are.
    pub clients: AtomicUsize,
    /// The latest frame.
    pub frames: watch::Sender<Arc<Frame>>,
}

impl Default for Shared {
    fn default() -> Self {
        Shared {
            followers: (0..256).map(|_| AtomicU32::new(0)).collect(),
            clients: AtomicUsize::new(0),
            frames: watch::Sender::new(Arc::default()),
        }
    }
}

/// One match and everything around it.
pub struct Stage {
    shared: Arc<Shared>,
    folder: PathBuf,
    number: u32,
    setting: Setting,
    cast: Cast,
    timeline: Timeline,
    /// The tick that is looked at, and the match there, unless it is the end.
    look_back: Option<Box<Match>>,
    paused: bool,
    speed: f64,
    stop: Option<String>,
    stops: Vec<Breakpoint>,
    due: Duration,
    shown: Duration,
    late: Lateness,
    strip: Strip,
    people: People,
    school: Option<School>,
    questions: Questions,
    jury: Option<jury::Jury>,
    /// When files were last looked at, and the last text in one that is no character.
    looked: Duration,
    refused: Option<String>,
    /// The texts that each character names, as they were last used.
    named: BTreeMap<usize, Vec<NamedText>>,
}

impl Stage {
    /// A stage with a match at its start, which waits for somebody to begin.
    pub fn new(shared: Arc<Shared>, folder: PathBuf, setting: Setting) -> Self {
        let (cast, timeline) = setting.open();
        let strip = Strip::default();
        Stage {
            people: People::new(&setting, folder.clone()),
            shared,
            folder,
            number: 1,
            cast,
            timeline,
            setting,
            look_back: None,
            paused: false,
            speed: 1.0,
            stop: None,
            stops: Vec::new(),
            due: clock::now(),
            shown: Duration::ZERO,
            late: Lateness::default(),
            strip,
            school: None,
            questions: Questions::default(),
            jury: None,
            looked: Duration::ZERO,
            refused: None,
            named: BTreeMap::new(),
        }
    }

    /// Plays until nobody can ask any more.
    pub fn run(mut self, asks: &Receiver<Envelope>) {
        self.begin_tick();
        self.show();
        loop {
            let wait =
                if self.paused { Duration::from_millis(500) } else { self.due.saturating_sub(clock::now()) };
            let mut next = match asks.recv_timeout(wait) {
                Ok(envelope) => Some(envelope),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            let mut obeyed = 0;
            while let Some(envelope) = next {
                self.guarded(|stage| stage.obey(&envelope));
                obeyed += 1;
                next = if obeyed < MOST_ASKS { asks.try_recv().ok() } else { None };
            }
            self.guarded(Stage::pick_up_files);
            let now = clock::now();
            if !self.paused && now >= self.due {
                self.late.note(now - self.due);
                self.guarded(Stage::play_a_tick);
                let period = self.timeline.game().world().rules().period_secs() / self.speed;
                self.due += Duration::from_secs_f64(period);
                if self.due + MOST_BEHIND < now {
                    self.due = now;
                }
            }
        }
    }

    /// A panic inside a match, in a mind or in an answer ends neither the server nor the match's past: it is reported, and the match
    /// waits where it last was whole.
    fn guarded(&mut self, work: impl FnOnce(&mut Self)) {
        let done = catch_unwind(AssertUnwindSafe(|| work(self)));
        if let Err(panic) = done {
            let said = panic.downcast_ref::<String>().map(String::as_str);
            let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
            let end = self.timeline.end();
            let back = catch_unwind(AssertUnwindSafe(|| self.timeline.rewind(end.saturating_sub(end % 10))));
            let then = if matches!(back, Ok(Ok(()))) {
                "the match is back at its last saved state"
            } else {
                "start another match"
            };
            self.paused = true;
            self.look_back = None;
            self.stop = Some(format!("something panicked: {said}; {then}"));
            let _ = catch_unwind(AssertUnwindSafe(|| self.show()));
        }
    }

    /// The end of a tick, and the first half of the next, which is shown.
    fn play_a_tick(&mut self) {
        if self.timeline.end() >= LONGEST {
            self.halt("the match is three hours old: start another".to_owned());
            return;
        }
        let tick = self.timeline.advance_recorded();
        self.people.record(&self.timeline, tick, &mut self.school);
        self.begin_tick();
        let stopped = {
            let game = self.timeline.game();
            self.stops.iter().find_map(|stop| stop.hit(game, self.strip.before())).map(|(_, why)| why)
        };
        if let Some(why) = stopped {
            self.halt(why);
            return;
        }
        if clock::now() >= self.shown + LEAST_BETWEEN {
            self.show();
        }
        self.watch_the_clock();
    }

    /// Everybody decides at the tick that has come.
    fn begin_tick(&mut self) {
        self.tend_pupil();
        let orders = self.people.orders(self.timeline.game());
        self.timeline.decide(&orders);
        self.strip.note(self.timeline.game(), &self.people);
    }

    fn halt(&mut self, why: String) {
        self.paused = true;
        self.stop = Some(why);
        self.show();
    }

    /// The match that is looked at.
    fn seen(&self) -> &Match {
        self.look_back.as_deref().unwrap_or_else(|| self.timeline.game())
    }

    /// Shows the tick that is looked at to everybody.
    fn show(&mut self) {
        self.shown = clock::now();
        let standing = Standing {
            number: self.number,
            end: self.timeline.end(),
            live: self.look_back.is_none(),
            paused: self.paused,
            speed: self.speed,
            stop: self.stop.clone(),
            clients: self.shared.clients.load(Ordering::Relaxed),
            people: if self.is_secret() { Vec::new() } else { self.people.obeyed() },
            jury: self.jury_report(),
            lesson: self.school.as_ref().map_or(Value::Null, School::report),
        };
        let game = self.seen();
        // Minds and tasks would tell a judge who is a program.
        let secret = self.is_secret();
        let followed =
            |id: usize| self.may_show_mind(id) && self.shared.followers[id].load(Ordering::Relaxed) > 0;
        let minds = (0..game.world().len())
            .map(|id| if followed(id) { frame::mind(game, id) } else { Utf8Bytes::default() });
        let frame = Frame {
            common: frame::common(game, &standing, &|id| self.people.label(id).or(secret.then_some(""))),
            minds: minds.collect(),
        };
        self.shared.frames.send_replace(Arc::new(frame));
    }
}
