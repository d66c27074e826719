//! `repertoire ask PART`: the doors of [`repertoire_doors`] on standard input and output.
//!
//! One line in, one line out, in order, flushed at once, so that a pipe can hold a conversation. A line that cannot
//! be answered gets `{"error": "..."}`, and the rest goes on.

use repertoire_bayes::sequence::{Behaviour, shipped};
use repertoire_doors::{DOORS, Door, DoorError, Library, door};

use crate::prelude::*;

/// Answer JSON lines: one question a line on standard input, one answer a line on standard output
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Every line is answered by exactly one line, in order: an answer, or {\"error\": \"...\"} for that line alone. Values
are indices, tables nested lists. Answers are flushed at once, so that a program can hold a conversation.

A part of a question that stays the same can be loaded once and used by name; docs/guides/doors.md says how.

Examples:
  repertoire ask --list
  echo '{\"commands\":[[0.2,0.8],[0.5,0.5]],\"modes\":[\"prescriptive\",\"inactive\"],\"prior\":null}' | repertoire ask fusion")]
pub struct Args {
    /// The part to ask; --list describes each
    #[arg(required_unless_present = "list", value_parser = clap::builder::PossibleValuesParser::new(DOORS.iter().map(|door| door.name)))]
    part: Option<String>,

    /// List the parts, each with an example and the JSON schemas of its questions and answers
    #[arg(long, conflicts_with = "part")]
    list: bool,

    /// With --list: print one JSON document
    #[arg(long, requires = "list")]
    json: bool,
}

/// The files of the folder in which the command runs.
struct Disk;

impl Library for Disk {
    fn text(&self, name: &str) -> std::io::Result<String> {
        std::fs::read_to_string(name)
    }

    fn behaviour(&self, name: &str) -> Option<Result<Behaviour, DoorError>> {
        let is_shipped = shipped::BEHAVIOURS.iter().any(|(shipped, _)| *shipped == name);
        if is_shipped && !Path::new(name).is_file() {
            return None;
        }
        Some(load::behaviour(name).map_err(|error| DoorError::Refused(error.to_string())))
    }
}

pub(crate) fn run(args: &Args) -> Result<()> {
    if args.list {
        return output::answer(args.json, &DOORS.each_ref().map(Door::to_json), || {
            DOORS.iter().map(Door::described).collect()
        });
    }
    let part = args.part.as_deref().unwrap_or_default();
    let Some(door) = door(part) else {
        let names: Vec<&str> = DOORS.iter().map(|door| door.name).collect();
        bail!("there is no part `{part}` to ask\n  remedy: ask one of {}", names.join(", "));
    };
    let mut session = door.session_with(Disk);
    Ok(session.converse(&mut std::io::stdin().lock(), &mut std::io::stdout().lock())?)
}
