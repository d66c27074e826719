//! What a browser may ask for: the whole protocol from it to the stage.
//!
//! Every message is one JSON object whose `do` says what; a message that is not one of these ends the client that sent it. `ask` is a
//! number of the browser's own, which comes back with the answer.

use repertoire_eval::breakpoint::Breakpoint;
use serde::Deserialize;

use super::jury::Said;
use super::school::Revision;

/// The longest text of a character that is taken, in bytes; also the longest message.
pub const LONGEST_TEXT: usize = 256 * 1024;

/// A message from a browser.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Ask {
    /// Everything about the match that does not change with each tick.
    Hello,
    /// Show the reasons of this character with each frame; nobody's if none.
    Follow {
        /// Its number.
        who: Option<u8>,
    },
    /// Stop the clock.
    Pause,
    /// Start it again, at the end of the match.
    Resume,
    /// So many seconds of the match in one second.
    Speed {
        /// From 0.1 to 16.
        times: f64,
    },
    /// Look at a tick of the past; the match waits.
    Seek {
        /// Which.
        tick: u32,
    },
    /// Look at the tick that is so many further on; play it if it is not played yet.
    Step {
        /// Ticks, backwards if below 0.
        by: i32,
    },
    /// Go on from the tick that is looked at; what came after it is forgotten.
    GoOn,
    /// Another match.
    New {
        /// A map by name or file below the folder.
        map: String,
        /// Characters as on the command line.
        contenders: Vec<String>,
        /// Random seed.
        seed: u64,
        /// The name of a person who plays from the first tick; none to watch.
        join: Option<String>,
    },
    /// Enter the match as a person.
    Join {
        /// Name in tables.
        name: String,
    },
    /// Leave it.
    Leave,
    /// What a person's hands do.
    Input(Input),
    /// The task the person says they are doing, of the six; none when they say nothing.
    Label {
        /// From 1 to 6, as on the keys.
        task: Option<u8>,
    },
    /// Begin teaching: a pupil watches the person who asks.
    Teach,
    /// What was learned so far joins the match, or goes on with what was learned since.
    Pupil {
        /// Which of the two who learn.
        kind: PupilKind,
    },
    /// Changes what was shown to the pupil, or asks where what it knows comes from.
    Revise {
        /// Comes back with the answer.
        ask: u32,
        /// What.
        revision: Revision,
    },
    /// Where to stop.
    Break {
        /// All of them; an empty list stops nowhere.
        stops: Vec<Breakpoint>,
    },
    /// Why not another task?
    WhyNot {
        /// Comes back with the answer.
        ask: u32,
        /// When.
        tick: u32,
        /// Who.
        who: u8,
        /// Which task.
        task: String,
    },
    /// What if something had been otherwise?
    WhatIf {
        /// Comes back with the answer.
        ask: u32,
        /// When.
        tick: u32,
        /// Who.
        who: u8,
        /// What is changed.
        change: Change,
        /// How long to look, in ticks.
        ticks: u32,
    },
    /// How often does what happen from here?
    HowOften {
        /// Comes back with the answer.
        ask: u32,
        /// When.
        tick: u32,
        /// How long to look, in ticks.
        ticks: u32,
        /// How many continuations.
        continuations: u32,
    },
    /// Stop what is being worked out.
    Cancel,
    /// Everybody's tasks since the match began.
    History {
        /// Comes back with the answer.
        ask: u32,
    },
    /// A character's file.
    Text {
        /// Comes back with the answer.
        ask: u32,
        /// Whose.
        who: u8,
        /// Which of the files it names, by the name it has for it; none for its own.
        #[serde(default)]
        part: Option<String>,
    },
    /// Is this text a character?
    Check {
        /// Comes back with the answer.
        ask: u32,
        /// In whose place.
        who: u8,
        /// The file as it would be.
        text: String,
        /// Which of the files it names, by the name it has for it; none for its own.
        #[serde(default)]
        part: Option<String>,
    },
    /// Give the character this text, in the running match.
    Apply {
        /// Comes back with the answer.
        ask: u32,
        /// Whose.
        who: u8,
        /// The file as it is to be.
        text: String,
        /// Which of the files it names, by the name it has for it; none for its own.
        #[serde(default)]
        part: Option<String>,
    },
    /// Write the applied text to a file below the folder.
    Save {
        /// Comes back with the answer.
        ask: u32,
        /// Whose.
        who: u8,
        /// The file's name.
        file: String,
        /// Which of the files it names, by the name it has for it; none for its own.
        #[serde(default)]
        part: Option<String>,
    },
    /// A match against opponents under false names.
    Judge {
        /// Who judges.
        judge: String,
        /// Against whom.
        opponents: Vec<String>,
        /// Which match of theirs, the first being 1.
        round: u32,
        /// How long.
        secs: f64,
        /// Random seed, which also hides who is who.
        seed: u64,
    },
    /// What a judge thinks of everybody.
    Verdict {
        /// Comes back with the answer.
        ask: u32,
        /// One for each opponent.
        said: Vec<Said>,
    },
    /// How the server is doing.
    Figures {
        /// Comes back with the answer.
        ask: u32,
    },
}

/// Who learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PupilKind {
    /// Which task follows which, in which situation (Le Hy).
    Sequence,
    /// Attention, decisions and hands (CHAMELEON).
    Imitation,
}

/// What a person's hands do, until the next such message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Number of the message, to tell the browser which ones were obeyed.
    pub seq: u32,
    /// Where the person looks, in radians.
    pub yaw: f64,
    /// Up and down.
    pub pitch: f64,
    /// From -1 to 1.
    pub forward: f64,
    /// To the left, from -1 to 1.
    pub lateral: f64,
    /// Jump.
    pub jump: bool,
    /// 0 none, 1 primary, 2 secondary.
    pub fire: u8,
    /// The weapon to take in hand: 0, 1 or 2.
    pub weapon: Option<u8>,
}

/// What is changed to see another future.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Change {
    /// Health.
    Health {
        /// From 1 to 100.
        health: f64,
    },
    /// Place, from above.
    Position {
        /// East, in metres.
        x: f64,
        /// North, in metres.
        y: f64,
    },
    /// The smallest single reading that leads to a task, as `why-not` finds it.
    Reading {
        /// The task.
        task: String,
        /// Which of the changes found; the smallest is 0.
        nth: usize,
    },
    /// Another text of the character: another table, need, plan.
    Text {
        /// The file as it would be.
        text: String,
        /// Which of the files it names, by the name it has for it; none for its own.
        #[serde(default)]
        part: Option<String>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_and_everything_else_is_refused() {
        let read = |text: &str| serde_json::from_str::<Ask>(text);
        assert_eq!(read(r#"{"do":"seek","tick":812}"#).expect("good"), Ask::Seek { tick: 812 });
        let input = r#"{"do":"input","seq":3,"yaw":0.5,"pitch":0,"forward":1,"lateral":0,"jump":false,"fire":1,"weapon":null}"#;
        assert!(matches!(read(input).expect("good"), Ask::Input(Input { seq: 3, fire: 1, .. })));
        let what_if =
            r#"{"do":"what-if","ask":1,"tick":2,"who":0,"change":{"what":"health","health":5},"ticks":50}"#;
        assert!(read(what_if).is_ok());
        for bad in [
            "",
            "{}",
            "[]",
            r#"{"do":"reboot"}"#,
            r#"{"do":"seek"}"#,
            r#"{"do":"seek","tick":-1}"#,
            r#"{"do":"seek","tick":1,"x":2}"#,
            "\u{0}",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
