//! What can go wrong between us and the game, each with what to do about it.

use std::path::PathBuf;

/// Something went wrong.
#[derive(Debug, thiserror::Error)]
pub enum DoomError {
    /// There is no Python to run the bridge.
    #[error("there is no Python at {}\n  remedy: `repertoire doom setup` makes an environment with Python and ViZDoom", .0.display())]
    NoPython(PathBuf),
    /// Python has no ViZDoom.
    #[error("the Python at {} has no ViZDoom\n  remedy: `repertoire doom setup` installs it, or name another with --python", .0.display())]
    NoVizdoom(PathBuf),
    /// There are no maps.
    #[error("there is no file of maps at {}\n  remedy: `repertoire doom setup` fetches FreeDM, or name a WAD file with --wad", .0.display())]
    NoWad(PathBuf),
    /// A match of no length, or of a day.
    #[error("--minutes {0}: a match cannot last that long\n  remedy: a number above 0, at most 600")]
    Minutes(f64),
    /// A speed at which nobody runs.
    #[error(
        "--speed {0}: no character can run at that speed\n  remedy: metres per second above 0, at most 20"
    )]
    Speed(f64),
    /// More players than the engine has room for.
    #[error(
        "{ours} of ours and {bots} bots are too many\n  remedy: a match has {} players at most",
        crate::game::MOST_PLAYERS
    )]
    TooMany {
        /// Of ours.
        ours: usize,
        /// Of the engine's.
        bots: usize,
    },
    /// A folder for pictures could not be made.
    #[error("{} could not be made", .folder.display())]
    NoFolder {
        /// Which folder.
        folder: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file of maps could not be read.
    #[error("{} could not be read", .path.display())]
    NotRead {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The bridge could not be started.
    #[error(
        "the bridge to Doom could not be started: {0}\n  remedy: `repertoire doom setup` looks what is missing"
    )]
    NotStarted(std::io::Error),
    /// The bridge speaks otherwise.
    #[error(
        "the bridge speaks protocol {theirs}, this is protocol {}\n  remedy: use the bridge that comes with this version",
        crate::protocol::PROTOCOL
    )]
    OtherProtocol {
        /// What it speaks.
        theirs: u32,
    },
    /// The bridge ended without a word.
    #[error("the bridge to Doom {how}{}\n  remedy: play the match again; if it happens every time, run `repertoire doom setup`", said(.log))]
    Died {
        /// How it ended.
        how: String,
        /// The last that the engine printed.
        log: String,
    },
    /// The bridge says nothing any more.
    #[error("the bridge to Doom has not answered for {secs} s{}\n  remedy: play the match again", said(.log))]
    Silent {
        /// How long we waited.
        secs: u64,
        /// The last that the engine printed.
        log: String,
    },
    /// The engine, or ViZDoom, refused.
    #[error(
        "Doom ended the match: {what}\n  remedy: play the match again; if it happens every time, run `repertoire doom setup`"
    )]
    Engine {
        /// In its words.
        what: String,
    },
    /// A line that is not of the protocol.
    #[error(
        "the bridge to Doom said what is not of the protocol: {line}\n  remedy: use the bridge that comes with this version"
    )]
    Garbled {
        /// Its beginning.
        line: String,
    },
    /// A recorded conversation went otherwise.
    #[error("the conversation differs from the recorded one at line {line}: {what}")]
    Differs {
        /// Which line.
        line: usize,
        /// How.
        what: String,
    },
}

fn said(log: &str) -> String {
    match log.trim() {
        "" => String::new(),
        log => format!("; the engine's last words: {log}"),
    }
}
