//! A frame: the map from above, and beside or below it the characters, what they do and why.

use glam::DVec3;
use repertoire_mind::Percept;
use repertoire_worlds::arena::game::Match;
use repertoire_worlds::arena::rules::body::EYE_M;

use super::top::ground::Ground;
use super::top::sheet::Sheet;
use super::top::signs;
use super::top::view::View;
use super::{nats, wrap};

/// How far sight is shown; it goes on to the next wall.
const SIGHT_M: f64 = 14.0;
/// With somebody followed, this much of the map is across the window.
const FOLLOWED_M: f64 = 36.0;
/// The panel beside the map has this width, and needs this much left for the map.
const PANEL: usize = 56;
const LEAST_MAP: usize = 48;
/// Cells of a health bar.
const BAR: usize = 10;
/// What is not about anybody now.
const GREY: u8 = 244;
/// Where somebody is believed to be.
const BELIEF: u8 = 199;
/// So many of the latest news are shown.
const NEWS: usize = 3;
/// Lines about what the followed character perceives.
const PERCEIVED: usize = 3;
/// Before what somebody does.
const INDENT: &str = "   ";

/// A match at one moment.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    /// The match.
    pub game: &'a Match,
    /// The map's name.
    pub map: &'a str,
    /// The seed it was started with.
    pub seed: u64,
    /// Who is followed.
    pub follow: Option<usize>,
    /// What happened so far, in words, latest last.
    pub news: &'a [String],
}

impl Shown<'_> {
    /// A character's number and name.
    pub fn name(&self, id: usize) -> String {
        format!("{id} {}", self.game.contenders()[id].name)
    }
}

/// A time as minutes and seconds.
pub fn clock(secs: f64) -> String {
    let tenths = (secs * 10.0).round() as u64;
    format!("{}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
}

/// What a frame is drawn on.
#[derive(Clone, Copy, Debug)]
pub struct Paper {
    /// Characters in a line.
    pub columns: usize,
    /// Lines; a frame may use fewer.
    pub lines: usize,
    /// Whether it shows colours.
    pub coloured: bool,
    /// Whether reasons are printed whole, however many lines the frame then has.
    pub whole: bool,
}

/// A frame. `status` says how fast it goes.
pub fn frame(show: &Shown<'_>, paper: Paper, status: &str) -> Sheet {
    let beside = paper.columns >= PANEL + LEAST_MAP;
    let (map_columns, map_lines) = match beside {
        true => (paper.columns - PANEL - 1, paper.lines.saturating_sub(1)),
        // Half of the lines are the map's in any case; how many does not depend on what the reasons are now.
        false => {
            let told = least_told(show) + if paper.whole { 0 } else { show.game.contenders().len() };
            (paper.columns, paper.lines.saturating_sub(told + 1).max(paper.lines / 2))
        }
    };
    let view = view(show, map_columns, map_lines);
    let width = if beside { paper.columns - view.width - 1 } else { paper.columns };
    let room = paper.lines.saturating_sub(if beside { 1 } else { 1 + view.lines() });
    let told = panel(show, width, if paper.whole { usize::MAX } else { room });
    let lines = match (beside, paper.whole) {
        (true, _) => paper.lines,
        (false, true) => 1 + view.lines() + told.len(),
        (false, false) => (1 + view.lines() + told.len()).min(paper.lines),
    };
    let mut sheet = Sheet::new(paper.columns, lines, paper.coloured);
    let time = clock(show.game.world().time_secs());
    sheet.write(0, 0, &format!("{}  {time}  seed {}  {status}", show.map, show.seed), None, true);
    let mut map = Sheet::new(view.width, view.lines(), paper.coloured);
    paint_map(show, &view, &mut map);
    sheet.lay(&map, 0, 1);
    let (x, y) = if beside { (view.width + 1, 1) } else { (0, 1 + view.lines()) };
    for (line, (text, ink)) in told.iter().enumerate() {
        sheet.write(x, y + line, text, *ink, false);
    }
    if beside && y + told.len() < lines {
        sheet.write(x, lines - 1, &format!("{}  * projectile", signs::LEGEND), Some(GREY), false);
    }
    sheet
}

fn view(show: &Shown<'_>, columns: usize, lines: usize) -> View {
    let world = show.game.world();
    let (low, high) = world.level().map().bounds();
    match show.follow {
        None => View::fit(low, high, columns, lines),
        Some(id) => {
            let pixel_m = (FOLLOWED_M / columns.max(1) as f64).max(0.2);
            View::around(world.look(id).position.truncate(), pixel_m, columns, lines, low, high)
        }
    }
}

fn paint_map(show: &Shown<'_>, view: &View, map: &mut Sheet) {
    let world = show.game.world();
    let (level, scene) = (world.level(), world.scene());
    let mut ground = Ground::of(level, scene, *view);
    let width = world.rules().view_width_deg.to_radians();
    for id in (0..world.len()).filter(|&id| show.follow.is_none_or(|followed| followed == id)) {
        let look = world.look(id);
        if look.alive {
            let eye = look.position + DVec3::new(0.0, 0.0, EYE_M);
            ground.see(scene, id, eye, look.yaw, width, SIGHT_M);
        }
    }
    ground.paint(map);
    if let Some(id) = show.follow {
        paint_belief(show, id, view, map);
    }
    for spot in (0..level.map().items.len()).filter(|&spot| world.is_there(spot)) {
        let (item, position) = level.item(spot);
        let (sign, ink) = signs::item(item);
        signs::put(map, view, position.truncate(), sign, ink);
    }
    for id in 0..world.len() {
        let look = world.look(id);
        if look.alive {
            signs::character(map, view, id, look.position.truncate(), look.yaw);
        }
    }
    for position in world.projectiles() {
        signs::put(map, view, position.truncate(), '*', 226);
    }
}

/// Where the followed character believes others to be: the denser, the more probable.
fn paint_belief(show: &Shown<'_>, id: usize, view: &View, map: &mut Sheet) {
    let world = show.game.world();
    let belief = show.game.contenders()[id].mind.belief();
    let most = belief.iter().copied().fold(0.0, f64::max);
    for (&p, point) in belief.iter().zip(world.level().places().points()) {
        let sign = match p / most {
            share if p < 0.002 || share < 0.05 => continue,
            share if share < 0.25 => '░',
            share if share < 0.6 => '▒',
            _ => '▓',
        };
        signs::put(map, view, point.truncate(), sign, BELIEF);
    }
}

/// How many lines [`panel`] has if every reason is on one.
fn least_told(show: &Shown<'_>) -> usize {
    let perceived = if show.follow.is_some() { PERCEIVED } else { 0 };
    2 * show.game.contenders().len() + perceived + show.news.len().min(NEWS)
}

/// Lines about everybody, each with its colour; the reasons broken to a width, and cut so that all of it fits.
fn panel(show: &Shown<'_>, width: usize, most_lines: usize) -> Vec<(String, Option<u8>)> {
    let world = show.game.world();
    let contenders = show.game.contenders();
    let doing = contenders.iter().enumerate().map(|(id, contender)| match world.look(id).alive {
        true => {
            let why = nats::narrowed(&contender.mind.why(), width.saturating_sub(INDENT.len()));
            wrap::wrap(&format!("{}: {why}", contender.mind.task()), width, INDENT)
        }
        false => vec![format!("{INDENT}dead")],
    });
    let spare = most_lines.saturating_sub(least_told(show) - contenders.len());
    let mut doing = wrap::fit(doing.collect(), spare).into_iter();
    let mut lines = Vec::new();
    for (id, contender) in show.game.contenders().iter().enumerate() {
        let (look, tally) = (world.look(id), world.tally(id));
        let mark = if show.follow == Some(id) { '>' } else { ' ' };
        let name: String = contender.name.chars().take(12).collect();
        let health = if look.alive { look.health } else { 0.0 };
        let bar = bar(health / world.rules().health);
        let (sign, weapon, frags) = (signs::sign(id), look.weapon.name(), tally.frags);
        let state = format!("{mark}{sign} {name:12} {bar} {health:>3.0}  {weapon:6} {frags:>3} frags");
        lines.push((state, Some(signs::ink(id))));
        lines.extend(doing.next().into_iter().flatten().map(|line| (line, None)));
        if show.follow == Some(id) {
            lines.extend(perceived(show, &show.game.percepts()[id]).into_iter().map(|line| (line, None)));
        }
    }
    lines.extend(show.news.iter().rev().take(NEWS).map(|news| (news.clone(), Some(GREY))));
    lines
}

/// What the followed character perceives, in words.
fn perceived(show: &Shown<'_>, percept: &Percept) -> [String; PERCEIVED] {
    let own = &percept.own;
    let named = |mut names: Vec<String>| {
        names.dedup();
        if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
    };
    let mut seen: Vec<String> =
        percept.characters.iter().map(|other| show.name(usize::from(other.id))).collect();
    seen.extend(percept.items.iter().filter(|item| item.present).map(|seen| seen.item.to_string()));
    let heard = percept.noises.iter().map(|noise| format!("{} {}", noise.sound.name(), side(noise.yaw)));
    let ammo = own.shots(own.weapon);
    let armour = match own.pack.armour {
        0 => String::new(),
        points => format!(", armour {points}"),
    };
    let moving = own.velocity.truncate().length();
    [
        format!("   ammunition {ammo}{armour}, {moving:.1} m/s, {} hits taken", percept.hits.len()),
        format!("   sees {}", named(seen)),
        format!("   hears {}", named(heard.collect())),
    ]
}

/// A turn in words.
fn side(yaw: f64) -> &'static str {
    match yaw.to_degrees() {
        turn if turn.abs() < 45.0 => "ahead",
        turn if turn.abs() > 135.0 => "behind",
        turn if turn > 0.0 => "left",
        _ => "right",
    }
}

fn bar(share: f64) -> String {
    // Who lives has at least a sliver.
    let full = ((share * BAR as f64).ceil() as usize).min(BAR);
    "█".repeat(full) + &"░".repeat(BAR - full)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_minutes_and_seconds() {
        let told = [0.0, 5.25, 59.96, 61.0, 3600.0].map(clock);
        assert_eq!(told, ["0:00.0", "0:05.3", "1:00.0", "1:01.0", "60:00.0"]);
    }

    #[test]
    fn who_lives_has_a_bar() {
        assert_eq!(bar(0.0), "░".repeat(BAR));
        assert!(bar(0.001).starts_with("█░"));
        assert_eq!(bar(1.0), "█".repeat(BAR));
    }

    #[test]
    fn positive_turns_are_to_the_left() {
        assert_eq!([0.1, 1.5, -1.5, 3.0, -3.0].map(side), ["ahead", "left", "right", "behind", "behind"]);
    }
}
