//! `repertoire trace info`.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args as ClapArgs;
use repertoire_mind::Event;
use repertoire_trace::{Header, Tick};
use repertoire_worlds::arena::rules::Rules;
use serde::Serialize;
use serde_json::{Value, json};

use super::source::{Source, cut_words};
use crate::output;

/// Say which match a recording is of, and how it went
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  repertoire trace info match.parquet
  repertoire trace info match.parquet --json | jq .characters
  repertoire trace info match.parquet --map > map.toml")]
pub struct Args {
    /// A recording (.parquet or .csv)
    file: PathBuf,

    /// Print the map that the recording holds, and nothing else
    #[arg(long, conflicts_with = "json")]
    map: bool,

    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let mut source = Source::open(&args.file)?;
    let header = source.header().clone();
    if args.map {
        return output::text(&header.map_source);
    }
    let mut sums = Sums::new(&header);
    for tick in source.ticks() {
        sums.add(&tick?);
    }
    let cut = source.cut();
    if args.json {
        return output::json(&json!({
            "program": header.program, "world": header.world, "map": header.map,
            "map_source_bytes": header.map_source.len(), "seed": header.seed,
            "period_secs": header.period_secs, "settings": header.settings,
            "ticks": sums.ticks, "first_tick": sums.first, "last_tick": sums.last, "rows": sums.rows,
            "cut": cut.map(|cut| json!({ "ticks_saved": cut.ticks_saved, "bytes_lost": cut.bytes_lost })),
            "characters": sums.characters,
        }));
    }
    let mut text = words(&args.file.display().to_string(), &header, &sums);
    if let Some(cut) = cut {
        text += &format!("\n{}\n", cut_words(&args.file, cut));
    }
    output::text(&text)
}

/// What a recording comes to.
#[derive(Default)]
struct Sums {
    ticks: u64,
    first: Option<u32>,
    last: Option<u32>,
    rows: u64,
    characters: Vec<Character>,
}

#[derive(Default, Serialize)]
struct Character {
    id: u8,
    name: String,
    ticks_alive: u64,
    frags: u64,
    deaths: u64,
    shots: u64,
    hits: u64,
    picked_up: u64,
}

impl Sums {
    fn new(header: &Header) -> Self {
        let characters = header.characters.iter().map(|character| Character {
            id: character.id,
            name: character.name.clone(),
            ..Character::default()
        });
        Sums { characters: characters.collect(), ..Sums::default() }
    }

    fn add(&mut self, tick: &Tick) {
        self.ticks += 1;
        self.first.get_or_insert(tick.tick);
        self.last = Some(tick.tick);
        for row in &tick.rows {
            self.rows += 1;
            let Some(sums) = self.characters.iter_mut().find(|sums| sums.id == row.character) else {
                continue;
            };
            sums.ticks_alive += u64::from(row.alive);
            for event in &row.events {
                match event {
                    Event::Frag { .. } => sums.frags += 1,
                    Event::Died { .. } => sums.deaths += 1,
                    Event::Fired { .. } => sums.shots += 1,
                    Event::Struck { .. } => sums.hits += 1,
                    Event::PickedUp { .. } => sums.picked_up += 1,
                    Event::Spawned { .. } | Event::Hurt { .. } | Event::Teleported { .. } => {}
                }
            }
        }
    }
}

fn words(file: &str, header: &Header, sums: &Sums) -> String {
    let span = match (sums.first, sums.last) {
        (Some(first), Some(last)) => format!(
            "{first} to {last}, {} ticks of {} s: {:.1} s, {} rows",
            sums.ticks,
            header.period_secs,
            sums.ticks as f64 * header.period_secs,
            sums.rows
        ),
        _ => "none".to_owned(),
    };
    let mut text = format!(
        "{file}: {}, map {}, seed {}\n  recorded by  {}\n  ticks        {span}\n  rules        {}\n\n",
        header.world,
        header.map,
        header.seed,
        header.program,
        rules(header)
    );
    let width = sums.characters.iter().map(|one| one.name.chars().count()).max().unwrap_or(0).max(9);
    text +=
        &format!("  id  {:width$}  alive  frags  deaths  shots   hits  picked up  what it is\n", "character");
    for one in &sums.characters {
        let alive = 100.0 * one.ticks_alive as f64 / sums.ticks.max(1) as f64;
        text += &format!(
            "  {:2}  {:width$}  {alive:4.0}%  {:5}  {:6}  {:5}  {:5}  {:9}  {}\n",
            one.id,
            one.name,
            one.frags,
            one.deaths,
            one.shots,
            one.hits,
            one.picked_up,
            kind(&one.name)
        );
    }
    text
}

/// The rules in a line: whether they are the arena's usual ones, or in what they differ.
fn rules(header: &Header) -> String {
    let Some(own) = header.settings.as_object().filter(|own| !own.is_empty()) else {
        return "not recorded".to_owned();
    };
    let usual = serde_json::to_value(Rules::default()).unwrap_or_default();
    let Some(usual) = usual.as_object().filter(|_| header.world == "arena") else {
        return format!("{} settings of the world `{}` (--json shows them)", own.len(), header.world);
    };
    let told = |value: &Value| match value {
        Value::Array(_) | Value::Object(_) => "something else".to_owned(),
        plain => plain.to_string(),
    };
    let differs = own.iter().filter(|(key, value)| usual.get(*key) != Some(value));
    let differs: Vec<String> = differs
        .map(|(key, value)| match usual.get(key) {
            Some(usually) if !usually.is_array() && !usually.is_object() => {
                format!("{key} {} (usually {})", told(value), told(usually))
            }
            _ => format!("{key} {}", told(value)),
        })
        .collect();
    match differs.is_empty() {
        true => "the arena's usual ones".to_owned(),
        false => differs.join(", "),
    }
}

/// What kind of character a name stands for, as `record --contender` takes it.
fn kind(name: &str) -> String {
    let (plain, believes) = match name.strip_suffix("+belief") {
        Some(plain) => (plain, ", tracks who is out of sight"),
        None => (name, ""),
    };
    let (first, rest) = plain.split_once(':').unwrap_or((plain, ""));
    match first {
        "native" => format!("scripted bot, level {rest}{believes}"),
        "prudent" | "aggressive" | "uniform" => "behaviour of Bayesian programs".to_owned(),
        "individual" => format!("motivations of the profile {rest}"),
        _ => "a behaviour or learned character of its own".to_owned(),
    }
}
