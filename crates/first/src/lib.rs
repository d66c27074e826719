//! What the first program and the whole command line share.
//!
//! `cargo run --release -- tournament` is the first thing a newcomer runs. It builds this package alone, which needs no recordings,
//! pictures, doors or experiments, and so half the time. Every other command belongs to `repertoire-cli`; the first program hands it over,
//! and cargo builds that program when it is first asked for.
//!
//! | module         | what it holds                                               |
//! |----------------|-------------------------------------------------------------|
//! | [`tournament`] | `repertoire tournament`                                     |
//! | [`hand_over`]  | running the whole program in this one's place               |
//! | [`known`]      | who plays unless others are named, and how maps are known   |
//! | [`shard`]      | long commands in parts                                      |
//! | [`output`]     | writing, JSON, and what a closed pipe means                 |
//! | [`progress`]   | progress bars                                               |
//! | [`signals`]    | stopping early on Ctrl-C and `kill`                         |
//! | [`clock`]      | measuring time                                              |

pub mod clock;
pub mod hand_over;
pub mod known;
pub mod output;
pub mod progress;
pub mod shard;
pub mod signals;
pub mod tournament;

use std::fmt;
use std::process::ExitCode;

/// A budget ran out: neither an answer nor a mistake of the user's.
#[derive(Debug)]
pub struct GaveUp(pub String);

impl fmt::Display for GaveUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for GaveUp {}

/// The user stopped the command; what it had done until then has been printed.
#[derive(Debug)]
pub struct Interrupted(pub String);

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Interrupted {}

/// The exit code of a command: 0 done, 1 refused, 3 a budget ran out, 130 interrupted. What went wrong is printed.
pub fn exit(done: anyhow::Result<()>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let red = anstyle::AnsiColor::Red.on_default().bold();
            anstream::eprintln!("{red}error:{red:#} {error:#}");
            ExitCode::from(match () {
                () if error.is::<GaveUp>() => 3,
                () if error.is::<Interrupted>() => 130,
                () => 1,
            })
        }
    }
}

/// Commands read and write paths. Somebody whose recordings are in a bucket should not be told that a file is missing.
pub fn refuse_addresses() -> anyhow::Result<()> {
    match std::env::args().skip(1).find(|word| word.contains("s3://")) {
        None => Ok(()),
        Some(word) => anyhow::bail!(
            "{word}: commands read and write paths, not addresses\n  remedy: `repertoire.cluster` of the Python package does tournaments, judgements, \
             learning and practice on S3 (docs/guides/cluster.md), or copy or mount the bucket"
        ),
    }
}
