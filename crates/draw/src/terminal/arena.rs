//! The arena's maps and weapons as tables, and what became of a map that was checked or imported.

use repertoire_mind::arms::{ARENA, QUAKE, WeaponRules};
use repertoire_mind::{AMMUNITION, Item};
use repertoire_worlds::arena::figures::MapFigures;

/// Maps by name, with their figures.
pub fn maps(rows: &[(String, MapFigures)]) -> String {
    let widest = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(4);
    let bold = anstyle::Style::new().bold();
    let mut text =
        format!("{bold}{:widest$}      size (m)  areas  points  links  items  starts{bold:#}\n", "map");
    for (name, f) in rows {
        let size = format!("{:.0} x {:.0} x {:.1}", f.width_m, f.height_m, f.rise_m);
        text += &format!(
            "{name:widest$}  {size:>12}  {:>5}  {:>6}  {:>5}  {:>5}  {:>6}\n",
            f.areas, f.points, f.links, f.items, f.starts
        );
    }
    text
}

/// A map that can be played: its figures, and notes about it.
pub fn playable(map: &str, figures: &MapFigures, notes: &[String]) -> String {
    let mut text = format!("{map} can be played\n{figures}");
    for (number, note) in notes.iter().enumerate() {
        text += &format!("  {}  {note}\n", if number == 0 { "notes " } else { "      " });
    }
    text
}

/// A map that was made from one of another game: its figures, how many of its starts are not used, and what is not as in that game.
pub fn imported(map: &str, figures: &MapFigures, lost_starts: usize, game: &str, notes: &[String]) -> String {
    let mut text = format!("{map} can be played\n{figures}");
    if lost_starts > 0 {
        text += &format!("          {lost_starts} more lead nowhere, and are not used\n");
    }
    if !notes.is_empty() {
        text += &format!("Not as in {game}:\n");
    }
    for note in notes {
        text += &format!("  {note}\n");
    }
    text
}

/// The arena's weapons and Quake's, with their numbers.
pub fn weapons() -> String {
    let bold = anstyle::Style::new().bold();
    let text = format!(
        "{bold}{:16}  damage  every s  ammunition       flies m/s  burst m  range m  at 3, 10, 25 m (health a second){bold:#}\n",
        "weapon"
    );
    ARENA.iter().chain(&QUAKE).fold(text, |text, row| text + &weapon(row))
}

fn weapon(row: &WeaponRules) -> String {
    let mode = &row.modes[0];
    let or_none = |number: Option<f64>| number.map_or("-".to_owned(), |number| format!("{number:.1}"));
    let damage = match mode.pellets {
        1 => format!("{}", mode.damage),
        pellets => format!("{pellets} x {}", mode.damage),
    };
    let ammo = match (mode.ammo, row.ammo_kind) {
        (0, _) => "-".to_owned(),
        (shots, None) => format!("{shots} of its own"),
        (shots, Some(kind)) => format!("{shots} {}", Item::Ammo(AMMUNITION[usize::from(kind)])),
    };
    let flies = or_none(mode.projectile.map(|what| what.m_per_sec));
    let burst = or_none(mode.projectile.map(|what| what.splash_m).filter(|&splash_m| splash_m > 0.0));
    let worth = [3.0, 10.0, 25.0].map(|far| format!("{:.0}", row.health_per_sec(far))).join(", ");
    format!(
        "{:16}  {damage:>6}  {:>7.2}  {ammo:15}  {flies:>9}  {burst:>7}  {:>7}  {worth}\n",
        row.weapon.name(),
        mode.wait_secs,
        or_none(mode.range_m)
    )
}
