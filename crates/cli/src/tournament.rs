//! `repertoire tournament`: the first thing a newcomer runs.
//!
//! Tournaments need the arena, which this version does not have. Until it is there, the command says so and shows
//! one decision of one character instead: which way to turn with enemies on both sides.

use anyhow::Result;
use clap::Args as ClapArgs;

use crate::program;

/// Show a character decide (matches between characters come with the arena)
#[derive(Debug, ClapArgs)]
#[command(long_about = "Show a character decide.

Matches between characters need the arena, which this version does not have yet. Until then this shows one decision \
of one character: three enemies around it, a place to run to, one command fused from four opinions \
(the program `improved-flight`).")]
pub struct Args {
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

/// Enemies right, ahead to the left and left, a place ahead: the gap of figure 3.16.
const SITUATION: &str = "P(Rotation | Enemy0=right, Meet0=false, Enemy1=ahead_left, Meet1=false, Enemy2=left, \
    Meet2=false, Direction0=ahead, Agree0=true)";

pub(crate) fn run(args: &Args) -> Result<()> {
    if !args.json {
        anstream::eprintln!(
            "This version has no arena yet, so nobody can be beaten. Here is how a character flees:\n"
        );
    }
    program::ask_shipped("improved-flight", SITUATION, args.json)
}
