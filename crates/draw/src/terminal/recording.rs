//! What is in a recording: which match it is of, and its rows.

use repertoire_eval::record::RecordedMatch;
use repertoire_eval::replay::Replayed;
use repertoire_mind::{Command, Event, Fire, Percept};
use repertoire_trace::summary::Summary;
use repertoire_trace::{Cut, Header, Row};
use repertoire_worlds::arena::rules::Rules;
use serde_json::{Value, json};

/// What was recorded, and how it ended.
pub fn recorded(recorded: &RecordedMatch) -> String {
    let frags: Vec<String> = recorded.frags.iter().map(|(name, frags)| format!("{name} {frags}")).collect();
    format!(
        "{}: {} ticks ({:.0} s) on {}, seed {}, {} kB; frags: {}\nstate hash {}\n",
        recorded.file,
        recorded.ticks,
        recorded.seconds,
        recorded.map,
        recorded.seed,
        recorded.bytes / 1000,
        frags.join(", "),
        recorded.final_hash,
    )
}

/// What was saved of a recording; `lost` is how many bytes were not, if it was cut off.
pub fn recovered(file: &str, ticks: u64, secs: f64, lost: Option<u64>) -> String {
    let rest = match lost {
        None => "it was whole".to_owned(),
        Some(0) => "it was never finished, but nothing that was written is lost".to_owned(),
        Some(lost) => format!("{lost} bytes after them are lost"),
    };
    format!("{file}: {ticks} ticks ({secs:.1} s) saved; {rest}\n")
}

/// A recording that was played again and agrees.
pub fn replayed(file: &str, map: &str, replayed: &Replayed) -> String {
    let cut = if replayed.cut { " (the recording was cut off; this is what is left of it)" } else { "" };
    format!(
        "{file}: {} ticks on {map} replayed{cut}; every hash and every percept agrees\nstate hash {}\n",
        replayed.ticks, replayed.final_hash
    )
}

/// Which match a recording is of, and how it went, for other programs.
pub fn info_as_json(header: &Header, sums: &Summary, cut: Option<Cut>) -> Value {
    json!({
        "program": header.program, "world": header.world, "map": header.map,
        "map_source_bytes": header.map_source.len(), "seed": header.seed,
        "period_secs": header.period_secs, "settings": header.settings,
        "ticks": sums.ticks, "first_tick": sums.first_tick, "last_tick": sums.last_tick, "rows": sums.rows,
        "cut": cut.map(|cut| json!({ "ticks_saved": cut.ticks_saved, "bytes_lost": cut.bytes_lost })),
        "characters": sums.characters,
    })
}

/// A row of a recording for other programs, with everything that is in it.
pub fn row_as_json(tick: u32, state_hash: u64, row: &Row) -> Value {
    json!({
        "tick": tick, "character": row.character, "alive": row.alive, "state_hash": state_hash,
        "percept": row.percept, "command": row.command, "task": row.task, "why": row.why, "events": row.events,
    })
}

/// Which match a recording is of, and how it went.
pub fn info(file: &str, header: &Header, sums: &Summary) -> String {
    let span = match (sums.first_tick, sums.last_tick) {
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

/// Rows with the numbers of their ticks: what fits into a line, and below it what happened.
pub fn rows(rows: &[(u32, Row)]) -> String {
    let mut text = String::from(
        "  tick  id       x       y      z   yaw  health  weapon  sees  hears  command         task\n",
    );
    for (tick, row) in rows {
        text += &line(*tick, row);
    }
    text
}

fn line(tick: u32, row: &Row) -> String {
    let start = format!("{tick:6}  {:2}  ", row.character);
    let task = row.task.as_deref().unwrap_or("");
    let state = match &row.percept {
        Some(percept) => body(percept),
        None if row.alive => format!("{:53}", "(perceived nothing)"),
        None => format!("{:53}", "(dead)"),
    };
    let mut text =
        start + &state + &format!("  {:14}  {task}", row.command.as_ref().map_or(String::new(), keys));
    text.truncate(text.trim_end().len());
    text.push('\n');
    for event in &row.events {
        text += &format!("            {}\n", happened(event));
    }
    text
}

fn body(percept: &Percept) -> String {
    let own = &percept.own;
    let at = own.position;
    format!(
        "{:6.2}  {:6.2} {:6.2} {:5.2}  {:6.1}  {:6}  {:4}  {:5}",
        at.x,
        at.y,
        at.z,
        own.yaw,
        own.health,
        own.weapon.name(),
        percept.characters.len(),
        percept.noises.len()
    )
}

/// A command as a hand would feel it: `+1.0 -0.5 jump fire`.
fn keys(command: &Command) -> String {
    let mut text = format!("{:+.1} {:+.1}", command.forward, command.lateral);
    if command.jump {
        text += " jump";
    }
    text += match command.fire {
        Fire::None => "",
        Fire::Primary => " fire",
        Fire::Secondary => " fire2",
    };
    text
}

fn happened(event: &Event) -> String {
    let by = |by: &Option<u8>| by.map_or(String::new(), |by| format!(" by {by}"));
    match event {
        Event::Spawned { position } => format!("came to life at {position:.1}"),
        Event::Fired { weapon, fire } => format!("fired {weapon} ({})", fire.name()),
        Event::Struck { victim, weapon, damage } => format!("hit {victim} with {weapon} for {damage:.1}"),
        Event::Hurt { by: who, damage } => format!("lost {damage:.1} health{}", by(who)),
        Event::Died { by: who, weapon } => {
            format!("died{}{}", by(who), weapon.map_or(String::new(), |weapon| format!(" with {weapon}")))
        }
        Event::Frag { victim } => format!("killed {victim}"),
        Event::PickedUp { spot, item } => format!("picked up {item} (spot {spot})"),
        Event::Teleported { position } => format!("went through a teleporter to {position:.1}"),
    }
}
