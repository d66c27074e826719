//! `repertoire rooms profile`: look at profiles, fuse two, draw members of a family.

use clap::Subcommand;
use repertoire_character::Profile;
use repertoire_character::profile::{PROFILES, file, fuse, profile};

use crate::prelude::*;

/// Look at profiles, fuse two of them, draw members of a family
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  repertoire rooms profile list
  repertoire rooms profile show brute
  repertoire rooms profile fuse brute careful --weight 0.3 > mixed.toml
  repertoire rooms profile draw brutes.toml --count 3 --seed 7")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the profiles that come with repertoire
    List {
        /// Answer as JSON
        #[arg(long)]
        json: bool,
    },
    /// Print a profile
    Show {
        /// The profile, by name or file
        profile: String,
        /// Answer as JSON
        #[arg(long)]
        json: bool,
    },
    /// Mix two profiles into one
    Fuse {
        /// The first profile, by name or file
        first: String,
        /// The second profile, by name or file
        second: String,
        /// Weight of the second profile, from 0 (all the first) to 1 (all the second)
        #[arg(long, default_value_t = 0.5)]
        weight: f64,
        /// Answer as JSON
        #[arg(long)]
        json: bool,
    },
    /// Draw members of a family at random from its ranges
    Draw {
        /// The family's file
        family: PathBuf,
        /// How many members to draw
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        count: u32,
        /// Random seed; the same seed draws the same members
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Answer as JSON
        #[arg(long)]
        json: bool,
    },
}

pub(super) fn run(args: &Args) -> Result<()> {
    match &args.command {
        Command::List { json } => {
            let all: Vec<Profile> = PROFILES.iter().filter_map(|(name, _)| profile(name)).collect();
            let line = |profile: &Profile| format!("{:10} {}\n", profile.name, profile.about);
            output::answer(*json, &all, || all.iter().map(line).collect())
        }
        Command::Show { profile, json } => print(&load::profile(profile)?, *json),
        Command::Fuse { first, second, weight, json } => {
            if !(0.0..=1.0).contains(weight) {
                bail!("--weight {weight}: it must lie between 0 (all the first) and 1 (all the second)");
            }
            print(&fuse::fuse(&load::profile(first)?, &load::profile(second)?, *weight)?, *json)
        }
        Command::Draw { family: path, count, seed, json } => {
            let members = load::family(path)?.members(*count, *seed);
            output::answer(*json, &members, || {
                members.iter().map(file::write).collect::<Vec<String>>().join("\n")
            })
        }
    }
}

fn print(profile: &Profile, as_json: bool) -> Result<()> {
    output::answer(as_json, profile, || file::write(profile))
}
