//! `repertoire ask PART`: the JSON-lines doors for other languages and tests.
//!
//! One line in, one line out, in order, flushed at once, so that a pipe can hold a conversation. A line that cannot
//! be answered gets `{"error": "..."}`, and the rest goes on.

mod baum_welch;
mod belief;
mod chameleon;
mod emd;
mod fusion;
mod gng;
mod incremental;
mod laplace;
mod motivation;
mod nested;
mod plan;
mod program;
mod rooms;
mod sequence;

use std::io::{BufRead, Read, Write};

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::output;

/// Answer JSON lines: one question a line on standard input, one answer a line on standard output
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Every line is answered by exactly one line, in order: an answer, or {\"error\": \"...\"} for that line alone. Values
are indices, tables nested lists. Answers are flushed at once, so that a program can hold a conversation.

Examples:
  repertoire ask --list
  echo '{\"commands\":[[0.2,0.8],[0.5,0.5]],\"modes\":[\"prescriptive\",\"inactive\"],\"prior\":null}' | repertoire ask fusion")]
pub struct Args {
    /// The part to ask; --list tells more
    #[arg(required_unless_present = "list", value_parser = clap::builder::PossibleValuesParser::new(DOORS.map(|door| door.name)))]
    part: Option<String>,

    /// Name the parts, with an example and the JSON schema of what each reads and writes
    #[arg(long, conflicts_with = "part")]
    list: bool,

    /// With --list: as one JSON document
    #[arg(long, requires = "list")]
    json: bool,
}

/// A part that can be asked.
pub struct Door {
    /// What `repertoire ask` calls it.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// A line that it answers.
    pub example: &'static str,
    /// What it reads.
    pub request: fn() -> Schema,
    /// What it writes.
    pub response: fn() -> Schema,
    /// One line to one line.
    pub answer: fn(&str) -> Result<String, String>,
}

/// A part, as its own file declares it.
trait Part {
    const NAME: &'static str;
    const ABOUT: &'static str;
    const EXAMPLE: &'static str;
    type Request: DeserializeOwned + JsonSchema;
    type Response: Serialize + JsonSchema;
    const ANSWER: Answer<Self>;
}

/// How a part answers.
type Answer<P> = fn(<P as Part>::Request) -> Result<<P as Part>::Response, String>;

impl Door {
    const fn of<P: Part>() -> Self {
        Door {
            name: P::NAME,
            about: P::ABOUT,
            example: P::EXAMPLE,
            request: || schema_for!(P::Request),
            response: || schema_for!(P::Response),
            answer: |line| {
                let request = serde_json::from_str(line).map_err(|error| error.to_string())?;
                serde_json::to_string(&(P::ANSWER)(request)?).map_err(|error| error.to_string())
            },
        }
    }
}

/// Every part that can be asked, in the order of `--list`.
pub const DOORS: [Door; 13] = [
    Door::of::<program::Programs>(),
    Door::of::<fusion::Fusion>(),
    Door::of::<laplace::Laplace>(),
    Door::of::<baum_welch::BaumWelch>(),
    Door::of::<incremental::Incremental>(),
    Door::of::<plan::Plans>(),
    Door::of::<sequence::Sequences>(),
    Door::of::<motivation::Motivation>(),
    Door::of::<rooms::Rooms>(),
    Door::of::<belief::Beliefs>(),
    Door::of::<chameleon::Chameleon>(),
    Door::of::<emd::Emd>(),
    Door::of::<gng::Gng>(),
];

/// Longer lines are refused, so that a runaway writer cannot take all memory.
const LONGEST_LINE: u64 = 256 << 20;

pub(crate) fn run(args: &Args) -> Result<()> {
    if args.list {
        return list(args.json);
    }
    let part = args.part.as_deref().unwrap_or_default();
    let Some(door) = DOORS.iter().find(|door| door.name == part) else {
        let names: Vec<&str> = DOORS.iter().map(|door| door.name).collect();
        bail!("there is no part `{part}` to ask\n  remedy: ask one of {}", names.join(", "));
    };
    converse(door, &mut std::io::stdin().lock(), &mut std::io::stdout().lock())
}

/// Answers every line of `input` on `output`.
pub fn converse(door: &Door, input: &mut dyn BufRead, output: &mut dyn Write) -> Result<()> {
    let mut line = Vec::new();
    while let Some(read) = next_line(input, &mut line)? {
        let answer = read
            .and_then(|()| answer(door, &line))
            .unwrap_or_else(|error| json!({ "error": error }).to_string());
        output.write_all(answer.as_bytes())?;
        output.write_all(b"\n")?;
        output.flush()?;
    }
    Ok(())
}

/// The answer to one line.
pub fn answer(door: &Door, line: &[u8]) -> Result<String, String> {
    let text = std::str::from_utf8(line).map_err(|error| format!("the line is not UTF-8: {error}"))?;
    if text.trim().is_empty() {
        return Err(format!("the line is empty; an example of what is read here: {}", door.example));
    }
    (door.answer)(text)
}

/// Reads a line without its end; `None` when there are no more, an error for a line that is too long.
fn next_line(input: &mut dyn BufRead, line: &mut Vec<u8>) -> Result<Option<Result<(), String>>> {
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
        return Ok(Some(Err(format!("the line is longer than {} MiB", LONGEST_LINE >> 20))));
    }
    Ok(Some(Ok(())))
}

fn list(as_json: bool) -> Result<()> {
    if as_json {
        let parts = DOORS.iter().map(|door| {
            json!({ "part": door.name, "about": door.about, "example": door.example,
                "request": (door.request)(), "response": (door.response)() })
        });
        return output::json(&parts.collect::<Vec<_>>());
    }
    let bold = anstyle::Style::new().bold();
    let mut text = String::new();
    for door in &DOORS {
        let pretty = |schema: Schema| serde_json::to_string_pretty(&schema);
        text +=
            &format!("{bold}{}{bold:#}  {}\n\nreads, for example\n{}\n", door.name, door.about, door.example);
        text += &format!("\nschema of a question\n{}\n", pretty((door.request)())?);
        text += &format!("\nschema of an answer\n{}\n\n", pretty((door.response)())?);
    }
    output::text(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_is_answered() {
        for door in &DOORS {
            let answer = answer(door, door.example.as_bytes())
                .unwrap_or_else(|error| panic!("{}: {error}", door.name));
            assert!(!answer.contains('\n') && answer.starts_with('{'), "{answer}");
        }
    }

    #[test]
    fn a_bad_line_is_answered_alone_and_in_order() {
        let input = b"{\"counts\":[0,0]}\nnonsense\n\n\xff\xfe\n[1]\n{\"counts\":[2,0]}";
        let mut output = Vec::new();
        let door = &DOORS[2];
        assert_eq!(door.name, "laplace");
        converse(door, &mut &input[..], &mut output).unwrap();
        let lines: Vec<&str> = std::str::from_utf8(&output).unwrap().lines().collect();
        assert_eq!(lines.len(), 6);
        assert_eq!(lines[0], r#"{"table":[0.5,0.5]}"#);
        assert!(lines[1..5].iter().all(|line| line.starts_with(r#"{"error":"#)), "{lines:?}");
        assert_eq!(lines[5], r#"{"table":[0.75,0.25]}"#);
    }
}
