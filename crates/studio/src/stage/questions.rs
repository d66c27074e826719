//! Questions that take long: why not, what if, how often. Each is about a moment that was cut loose from the match, so that it can be
//! worked out on another thread while the match goes on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use axum::extract::ws::Utf8Bytes;
use repertoire_eval::how_often::how_often;
use repertoire_eval::timeline::Moment;
use repertoire_eval::what_if::{Alteration, what_if};
use repertoire_eval::why_not::why_not;
use serde_json::{Value, json};
use tokio::sync::mpsc;

/// Questions that are worked out at the same time, at most.
const MOST: usize = 3;
/// The longest look ahead, in ticks.
pub const MOST_TICKS: u32 = 600;
/// The most continuations.
pub const MOST_CONTINUATIONS: u32 = 10_000;

/// What is being worked out.
#[derive(Debug, Default)]
pub struct Questions {
    running: Arc<AtomicUsize>,
    cancel: Arc<AtomicBool>,
}

/// One question.
pub enum Question {
    /// Why a character did not do a task.
    WhyNot { who: usize, task: String },
    /// Two futures.
    WhatIf { who: usize, alteration: Box<Alteration>, ticks: u32 },
    /// Two futures, one of which begins with the n-th single reading that leads to a task.
    Reading { who: usize, task: String, nth: usize, ticks: u32 },
    /// Many futures.
    HowOften { ticks: u32, continuations: u32 },
}

impl Questions {
    /// Works a question out and sends the answer, unless too many are already being worked out.
    pub fn ask(&self, ask: u32, moment: Moment, question: Question, reply: mpsc::Sender<Utf8Bytes>) {
        let say = move |value: Value| {
            let _ = reply.try_send(value.to_string().into());
        };
        if self.running.load(Ordering::SeqCst) >= MOST {
            say(
                json!({ "type": "answer", "ask": ask, "error": "other questions are being worked out: wait, or cancel them" }),
            );
            return;
        }
        self.cancel.store(false, Ordering::SeqCst);
        self.running.fetch_add(1, Ordering::SeqCst);
        let (running, cancel) = (Running(self.running.clone()), self.cancel.clone());
        std::thread::spawn(move || {
            let _running = running;
            let value = match work(ask, &moment, &question, &cancel, &say) {
                Ok(value) => json!({ "type": "answer", "ask": ask, "tick": moment.tick(), "is": value }),
                Err(error) => json!({ "type": "answer", "ask": ask, "error": error }),
            };
            say(value);
        });
    }

    /// Stops what can be stopped; what was found until then is the answer.
    pub fn cancel(&self) {
        self.cancel.store(true, Ordering::SeqCst);
    }
}

/// Counts as running until it is dropped, also when the work panics.
struct Running(Arc<AtomicUsize>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

fn work(
    ask: u32,
    moment: &Moment,
    question: &Question,
    cancel: &AtomicBool,
    say: &dyn Fn(Value),
) -> Result<Value, String> {
    let told = |error: &dyn std::error::Error| error.to_string();
    match question {
        Question::WhyNot { who, task } => {
            why_not(moment, *who, task).map(|answer| json!(answer)).map_err(|error| told(&error))
        }
        Question::WhatIf { who, alteration, ticks } => what_if(moment, *who, alteration, *ticks)
            .map(|answer| json!(answer))
            .map_err(|error| told(&error)),
        Question::Reading { who, task, nth, ticks } => {
            let found = why_not(moment, *who, task).map_err(|error| told(&error))?;
            let change = found
                .changes
                .get(*nth)
                .ok_or_else(|| format!("no single reading would have led to {task}"))?;
            let alteration = Alteration::Percept(Box::new(change.percept.clone()));
            what_if(moment, *who, &alteration, *ticks)
                .map(|answer| json!(answer))
                .map_err(|error| told(&error))
        }
        Question::HowOften { ticks, continuations } => {
            let mut go_on = |done: u32| {
                say(json!({ "type": "progress", "ask": ask, "done": done, "of": continuations }));
                !cancel.load(Ordering::SeqCst)
            };
            let seed = u64::from(moment.tick());
            how_often(moment, *ticks, *continuations, seed, &mut go_on)
                .map(|answer| json!(answer))
                .map_err(|error| told(&error))
        }
    }
}
