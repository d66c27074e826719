//! One browser: the latest frame whenever its socket can take it, answers to what it asked, and its asks within limits.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::SyncSender;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket};
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::clock;
use crate::stage::ask::Ask;
use crate::stage::{Envelope, Shared};

/// Answers that may wait for a browser.
const WAITING: usize = 256;
/// Messages a second, and how many may come at once.
const RATE: f64 = 150.0;
const BURST: f64 = 300.0;
/// A browser that takes a message for longer than this is gone.
const PATIENCE: Duration = Duration::from_secs(20);

/// A place among the clients, given back when it is dropped.
pub struct Seat {
    shared: Arc<Shared>,
    follows: Option<u8>,
}

impl Seat {
    /// A place, if there is one.
    pub fn take(shared: &Arc<Shared>, most: usize) -> Option<Self> {
        let before = shared.clients.fetch_add(1, Ordering::SeqCst);
        let seat = Seat { shared: shared.clone(), follows: None };
        (before < most).then_some(seat)
    }

    fn follow(&mut self, who: Option<u8>) {
        if let Some(before) = std::mem::replace(&mut self.follows, who) {
            self.shared.followers[usize::from(before)].fetch_sub(1, Ordering::SeqCst);
        }
        if let Some(who) = who {
            self.shared.followers[usize::from(who)].fetch_add(1, Ordering::SeqCst);
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.follow(None);
        self.shared.clients.fetch_sub(1, Ordering::SeqCst);
    }
}

/// How much a client may still say: a bucket that fills with time.
struct Bucket {
    level: f64,
    filled: Duration,
}

impl Bucket {
    fn take(&mut self) -> bool {
        let now = clock::now();
        self.level = (self.level + (now - self.filled).as_secs_f64() * RATE).min(BURST);
        self.filled = now;
        self.level -= 1.0;
        self.level >= 0.0
    }
}

/// Talks with a browser until it goes, or says something that is not allowed.
pub async fn talk(mut socket: WebSocket, key: Arc<str>, mut seat: Seat, asks: SyncSender<Envelope>) {
    let mut frames = seat.shared.frames.subscribe();
    frames.mark_changed();
    let (reply, mut answers) = mpsc::channel(WAITING);
    let mut bucket = Bucket { level: BURST, filled: clock::now() };
    let ended = loop {
        tokio::select! {
            biased;
            message = socket.recv() => {
                let text = match message {
                    Some(Ok(Message::Text(text))) => text,
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) if bucket.take() => continue,
                    Some(Ok(Message::Close(_))) | None => return,
                    _ => break "only text, and not so large",
                };
                if !bucket.take() {
                    break "too many messages";
                }
                let Ok(ask) = serde_json::from_str::<Ask>(&text) else { break "not a message of the studio" };
                if let Ask::Follow { who } = ask {
                    seat.follow(who);
                }
                if asks.try_send(Envelope { key: key.clone(), reply: reply.clone(), ask }).is_err() {
                    break "the studio is too busy";
                }
            }
            Some(answer) = answers.recv() => {
                if !send(&mut socket, answer).await {
                    return;
                }
            }
            changed = frames.changed() => {
                if changed.is_err() {
                    return;
                }
                let frame = frames.borrow_and_update().clone();
                let mind = seat.follows.and_then(|who| frame.minds.get(usize::from(who)));
                let mind = mind.filter(|mind| !mind.is_empty()).cloned();
                if !send(&mut socket, frame.common.clone()).await {
                    return;
                }
                if let Some(mind) = mind && !send(&mut socket, mind).await {
                    return;
                }
            }
        }
    };
    let close = Message::Close(Some(CloseFrame { code: 1008, reason: ended.into() }));
    let _ = timeout(Duration::from_secs(1), socket.send(close)).await;
}

/// Sends a message; whether that worked. There is nothing to send before the first frame.
async fn send(socket: &mut WebSocket, text: Utf8Bytes) -> bool {
    text.is_empty() || matches!(timeout(PATIENCE, socket.send(Message::Text(text))).await, Ok(Ok(())))
}
