//! `repertoire ask PART`: the doors of [`repertoire_doors`] on standard input and output.
//!
//! One line in, one line out, in order, flushed at once, so that a pipe can hold a conversation. A line that cannot
//! be answered gets `{"error": "..."}`, and the rest goes on.

use std::io::{BufRead, Read, Write};
use std::path::Path;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use repertoire::load;
use repertoire_bayes::sequence::{Behaviour, shipped};
use repertoire_doors::session::error_line;
use repertoire_doors::{DOORS, DoorError, Library, Session, door};
use schemars::Schema;
use serde_json::json;

use crate::output;

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
    /// The part to ask; --list tells more
    #[arg(required_unless_present = "list", value_parser = clap::builder::PossibleValuesParser::new(DOORS.iter().map(|door| door.name)))]
    part: Option<String>,

    /// Name the parts, with an example and the JSON schema of what each reads and writes
    #[arg(long, conflicts_with = "part")]
    list: bool,

    /// With --list: as one JSON document
    #[arg(long, requires = "list")]
    json: bool,
}

/// Longer lines are refused, so that a runaway writer cannot take all memory.
const LONGEST_LINE: u64 = 256 << 20;

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
        return list(args.json);
    }
    let part = args.part.as_deref().unwrap_or_default();
    let Some(door) = door(part) else {
        let names: Vec<&str> = DOORS.iter().map(|door| door.name).collect();
        bail!("there is no part `{part}` to ask\n  remedy: ask one of {}", names.join(", "));
    };
    let mut session = door.session_with(Disk);
    converse(&mut session, &mut std::io::stdin().lock(), &mut std::io::stdout().lock())
}

/// Answers every line of `input` on `output`.
fn converse(session: &mut Session, input: &mut dyn BufRead, output: &mut dyn Write) -> Result<()> {
    let mut line = Vec::new();
    while let Some(read) = next_line(input, &mut line)? {
        let mut answer = match read {
            Ok(()) => session.reply(&line),
            Err(TooLong) => error_line(&format!("the line is longer than {} MiB", LONGEST_LINE >> 20)),
        };
        answer.push('\n');
        output.write_all(answer.as_bytes())?;
        output.flush()?;
    }
    Ok(())
}

/// A line of more than [`LONGEST_LINE`] bytes.
struct TooLong;

/// Reads a line without its end; `None` when there are no more.
fn next_line(input: &mut dyn BufRead, line: &mut Vec<u8>) -> Result<Option<Result<(), TooLong>>> {
    line.clear();
    let read = input.take(LONGEST_LINE).read_until(b'\n', line)?;
    if read == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if read as u64 == LONGEST_LINE {
        line.clear();
        // The rest of the line is read and dropped, so that the next one is a line again.
        let mut rest = Vec::new();
        while input.take(1 << 20).read_until(b'\n', &mut rest)? > 0 && rest.last() != Some(&b'\n') {
            rest.clear();
        }
        return Ok(Some(Err(TooLong)));
    }
    Ok(Some(Ok(())))
}

fn list(as_json: bool) -> Result<()> {
    if as_json {
        let parts = DOORS.iter().map(|door| {
            let mut part = json!({ "part": door.name, "about": door.summary, "example": door.example,
                "request": door.question_schema(), "response": door.answer_schema() });
            if let Some(loading) = &door.loading {
                part["load"] = json!({ "examples": [loading.load_example, loading.use_example],
                    "load": loading.load_schema(), "request": loading.use_schema() });
            }
            part
        });
        return output::json(&parts.collect::<Vec<_>>());
    }
    let bold = anstyle::Style::new().bold();
    let mut text = String::new();
    for door in &DOORS {
        let pretty = |schema: Schema| serde_json::to_string_pretty(&schema);
        let (name, about, example) = (door.name, door.summary, door.example);
        text += &format!("{bold}{name}{bold:#}  {about}\n\nreads, for example\n{example}\n");
        if let Some(loading) = &door.loading {
            let (load, used) = (loading.load_example, loading.use_example);
            text += &format!("\nor loads once and asks many times\n{load}\n{used}\n");
        }
        text += &format!("\nschema of a question\n{}\n", pretty(door.question_schema())?);
        text += &format!("\nschema of an answer\n{}\n\n", pretty(door.answer_schema())?);
    }
    output::text(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_line_is_answered_alone_and_in_order() {
        let input = b"{\"counts\":[0,0]}\nnonsense\n\n\xff\xfe\n[1]\n{\"counts\":[2,0]}";
        let mut output = Vec::new();
        let door = &DOORS[2];
        assert_eq!(door.name, "laplace");
        converse(&mut door.session_with(Disk), &mut &input[..], &mut output).unwrap();
        let lines: Vec<&str> = std::str::from_utf8(&output).unwrap().lines().collect();
        assert_eq!(lines.len(), 6);
        assert_eq!(lines[0], r#"{"table":[0.5,0.5]}"#);
        assert!(lines[1..5].iter().all(|line| line.starts_with(r#"{"error":"#)), "{lines:?}");
        assert_eq!(lines[5], r#"{"table":[0.75,0.25]}"#);
    }
}
