//! A town in a terminal: the table of a run, the map while it lives, who is told apart.

use std::sync::Arc;
use std::time::Duration;

use repertoire_eval::town::{Arm, Replayed, Told, TownExperiment};
use repertoire_worlds::town::{At, Charter, Phase, Reason, Town};
use serde_json::{Value, json};

use super::table::{Table, percent};
use super::top::sheet::Sheet;
use super::wrap::wrap;

/// Towns by name: how many live there, and of which classes.
pub fn towns(all: &[Arc<Charter>]) -> String {
    let line = |town: &Arc<Charter>| {
        let (name, about, count) = (&town.name, &town.about, town.inhabitants);
        format!("{name}  {about}\n  {count} inhabitants: {}\n", classes(town).join(", "))
    };
    all.iter().map(line).collect()
}

/// The same for other programs.
pub fn towns_as_json(all: &[Arc<Charter>]) -> Value {
    let row = |town: &Arc<Charter>| json!({ "name": town.name, "about": town.about, "inhabitants": town.inhabitants, "classes": classes(town) });
    all.iter().map(row).collect()
}

fn classes(town: &Charter) -> Vec<&str> {
    town.classes.iter().map(|class| class.name.as_str()).collect()
}

/// A town in which nothing is wrong, in a line.
pub fn habitable(town: &Charter) -> String {
    let goals: usize = town.classes.iter().map(|class| class.goals.len()).sum();
    format!(
        "{}: {} kinds of places, {} classes, {goals} goals, {} ways, {} events: it can be lived in\n",
        town.name,
        town.kinds.len(),
        town.classes.len(),
        town.ways.len(),
        town.events.len()
    )
}

/// What a run cost: how long its ticks took, and the memory of an inhabitant.
pub fn cost(town: &Town, ticks: u32, took: Duration, slowest: Duration) -> String {
    let nanoseconds = took.as_nanos() as f64 / f64::from(ticks) / town.len() as f64;
    let tick_ms = took.as_secs_f64() * 1e3 / f64::from(ticks);
    format!(
        "a tick took {tick_ms:.3} ms ({:.3} ms at most), {nanoseconds:.1} ns for each inhabitant; {:.0} bytes each\n",
        slowest.as_secs_f64() * 1e3,
        town.bytes() as f64 / town.len() as f64
    )
}

/// A recorded town that was lived again, and was the same.
pub fn replayed(replayed: &Replayed) -> String {
    let cut = match replayed.bytes_lost {
        None => String::new(),
        Some(0) => "; it was never finished".into(),
        Some(lost) => format!("; it was cut off, {lost} bytes after that are lost"),
    };
    let Replayed { inhabitants, rows, hashes, .. } = replayed;
    let until = At(replayed.ticks);
    format!("{inhabitants} inhabitants, {rows} rows: the same town at {hashes} moments until {until}{cut}\n")
}

/// What came of a run.
pub fn table(town: &Town) -> String {
    let charter = town.charter();
    let days = f64::from(town.now()) / f64::from(repertoire_worlds::town::DAY);
    let per = |count: u64| format!("{:.2}", count as f64 / town.len() as f64 / days.max(1e-9));
    let mut text = format!("{}, {} inhabitants, until {}\n\n", charter.name, town.len(), At(town.now()));
    let mut goals = Table::new(&["goals met", "times", "per inhabitant and day"]);
    for (name, count) in town.goals_met() {
        goals.row(vec![name.to_owned(), count.to_string(), per(count)]);
    }
    let tally = town.tally();
    goals.row(vec!["all".into(), tally.met.iter().sum::<u64>().to_string(), per(tally.met.iter().sum())]);
    text += &goals.to_string();
    text.push('\n');
    let mut sums = Table::new(&["", "all", "per inhabitant and day"]);
    for (name, count) in [
        ("plans made", tally.plans),
        ("of these anew", tally.replans),
        ("steps done", tally.steps),
        ("minutes walked", tally.walked),
        ("minutes in line", tally.waited),
        ("minutes idle", tally.idle),
        ("goals put off", tally.put_off),
    ] {
        sums.row(vec![name.to_owned(), count.to_string(), per(count)]);
    }
    text += &sums.to_string();
    text.push('\n');
    let mut failed = Table::new(&["why", "turned away", "plans failed"]);
    for reason in Reason::ALL {
        let (away, plans) = (tally.turned_away[reason as usize], tally.failed[reason as usize]);
        if away + plans > 0 {
            failed.row(vec![words(reason).to_owned(), away.to_string(), plans.to_string()]);
        }
    }
    text += &failed.to_string();
    text += &format!("\nstate hash {:016x}\n", town.hash());
    text
}

fn words(reason: Reason) -> &'static str {
    match reason {
        Reason::Empty => "nothing left",
        Reason::Closed => "closed",
        Reason::Full => "too many in line",
        Reason::Dear => "too dear",
        Reason::Fire => "fire",
        Reason::Changed => "not as believed",
    }
}

/// What is worth what, for other programs; `town` is what was asked for.
pub fn experiment_as_json(town: &str, asked: &TownExperiment, arms: &[Arm], told: &[Told]) -> Value {
    json!({ "town": town, "inhabitants": asked.inhabitants, "days": asked.days, "towns": asked.towns,
        "seed": asked.seed, "minds": arms, "families": told })
}

/// What is worth what: tables of the experiment.
pub fn experiment(asked: &TownExperiment, arms: &[Arm], told: &[Told]) -> String {
    let TownExperiment { towns, inhabitants, days, .. } = asked;
    let mut text = format!("{towns} towns of {inhabitants} inhabitants for {days} days\n\n");
    for events in [false, true] {
        text += if events { "\nwith the town's events\n" } else { "without events\n" };
        let mut table = Table::new(&[
            "minds",
            "goals met a day",
            "less than whole minds",
            "plans anew a day",
            "minutes in line a day",
        ]);
        for arm in arms.iter().filter(|arm| arm.events == events) {
            table.row(vec![
                arm.name.to_owned(),
                format!("{:.3}", arm.met),
                arm.less.map_or("-".into(), |less| format!("{less:+.3}")),
                format!("{:.3}", arm.replans),
                format!("{:.1}", arm.waited),
            ]);
        }
        text += &table.to_string();
    }
    text += "\nfamily guessed from one day\n";
    let mut table = Table::new(&["inhabitants", "right", "of", "share", "95 % interval", "chance"]);
    for one in told {
        table.row(vec![
            one.name.to_owned(),
            one.right.to_string(),
            one.of.to_string(),
            percent(one.right as f64 / one.of.max(1) as f64, 1),
            format!("{} to {}", percent(one.low, 1), percent(one.high, 1)),
            percent(one.chance, 1),
        ]);
    }
    text + &table.to_string()
}

/// What is shown of a town.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// Whom to follow.
    pub follow: Option<u32>,
    /// Columns and lines of the terminal.
    pub columns: usize,
    /// Lines.
    pub lines: usize,
    /// Whether there is colour.
    pub coloured: bool,
}

/// Colours of classes, of the 256.
const INKS: [u8; 8] = [33, 208, 35, 135, 178, 37, 205, 144];

/// The map now, with news below, and beside it (or below, in a narrow terminal) why somebody does what they do.
pub fn frame(town: &Town, view: View, news: &[String], status: &str) -> Vec<String> {
    let wide = (town.places().size.0 as usize).min(view.columns);
    let beside = if view.follow.is_some() { view.columns.saturating_sub(wide + 2) } else { 0 };
    let beside = if beside < 40 { 0 } else { beside };
    let below = 2 + news.len();
    let why = view.follow.map_or(String::new(), |who| town.why(who).to_string());
    let told =
        |width: usize| -> Vec<String> { why.lines().flat_map(|line| wrap(line, width, "  ")).collect() };
    let told = told(if beside > 0 { beside } else { view.columns.max(20) });
    let room =
        view.lines.saturating_sub(below + 2 + if beside > 0 { 0 } else { told.len().min(view.lines / 2) });
    let map = map(town, view, wide, room.max(3));
    let high = (town.places().size.1 as usize).min(room.max(3));
    let mut sheet = Sheet::new(view.columns, view.lines, view.coloured);
    let head = format!("{}  {}  {} inhabitants  {status}", town.charter().name, At(town.now()), town.len());
    sheet.write(0, 0, &head, None, true);
    sheet.lay(&map, 0, 1);
    let (column, row) = if beside > 0 { (wide + 2, 1) } else { (0, high + 2) };
    for (k, line) in told.iter().enumerate() {
        sheet.write(column, row + k, line, None, k == 0);
    }
    let after = 1 + if beside > 0 { high.max(told.len()) } else { high + 1 + told.len() };
    let last = after.min(view.lines.saturating_sub(below));
    for (k, line) in counts(town).iter().chain(news).enumerate() {
        sheet.write(0, last + k, line, None, false);
    }
    sheet.lines()
}

/// Where everybody is, in two lines.
fn counts(town: &Town) -> [String; 2] {
    let census = town.census();
    let kinds = town.charter().kinds.iter().zip(&census.at).filter(|(_, count)| **count > 0);
    let at: Vec<String> = kinds.map(|(kind, count)| format!("{} {} {count}", kind.sign, kind.name)).collect();
    let goals = town.goal_names().into_iter().zip(census.goals).filter(|(_, count)| *count > 0);
    let goals: Vec<String> = goals.map(|(name, count)| format!("{name} {count}")).collect();
    [
        format!(
            "at {}; walking {}, in line {}, idle {}",
            at.join(", "),
            census.walking,
            census.waiting,
            census.idle
        ),
        format!("for {}", goals.join(", ")),
    ]
}

/// The map: signs of places, a digit where people are outside or gather, the followed one as @. A map larger than the room for it is
/// shown around whoever is followed, or from its corner.
fn map(town: &Town, view: View, columns: usize, lines: usize) -> Sheet {
    let places = town.places();
    let (wide, high) = (places.size.0 as usize, places.size.1 as usize);
    let (columns, lines) = (columns.min(wide), lines.min(high));
    let eye = view.follow.map_or((0.0, 0.0), |who| town.seen(who).at);
    let corner = |at: f64, room: usize, all: usize| (at as usize).saturating_sub(room / 2).min(all - room);
    let (left, top) = (corner(eye.0, columns, wide), corner(eye.1, lines, high));
    let mut sheet = Sheet::new(columns, lines, view.coloured);
    let mut put = |x: usize, y: usize, sign: char, ink: Option<u8>, bold: bool| {
        if x >= left && y >= top && x < left + columns && y < top + lines {
            sheet.write(x - left, y - top, &sign.to_string(), ink, bold);
        }
    };
    if let Some(drawn) = town.charter().drawn.as_ref().filter(|_| places.is_drawn()) {
        for (cell, _) in drawn.walls.iter().enumerate().filter(|(_, wall)| **wall) {
            put(cell % wide, cell / wide, '#', Some(240), false);
        }
    }
    for place in &places.places {
        let kind = &town.charter().kinds[usize::from(place.kind)];
        let ink = if place.kind == town.charter().home { 240 } else { 250 };
        put(place.x.into(), place.y.into(), kind.sign, Some(ink), place.kind != town.charter().home);
    }
    for who in 0..town.len() as u32 {
        let seen = town.seen(who);
        if seen.phase == Phase::Walking {
            put(seen.at.0 as usize, seen.at.1 as usize, 'o', Some(INKS[usize::from(seen.class) % 8]), true);
        }
    }
    if let Some(who) = view.follow {
        let (x, y) = town.seen(who).at;
        put(x as usize, y as usize, '@', Some(196), true);
    }
    sheet
}
