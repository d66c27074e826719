//! Items, characters and projectiles, and their colours.

use glam::DVec2;
use repertoire_mind::Item;

use super::sheet::{Cell, Sheet};
use super::view::View;

/// A character's colour, and the same dimmed on low and high ground for what it sees.
struct Hue {
    full: u8,
    seen: [u8; 2],
}

/// From the terminal's 256 colours: far apart, and none of them a grey, which are for the ground.
const HUES: [Hue; 8] = [
    Hue { full: 203, seen: [52, 88] },
    Hue { full: 75, seen: [17, 24] },
    Hue { full: 83, seen: [22, 28] },
    Hue { full: 227, seen: [58, 100] },
    Hue { full: 213, seen: [53, 90] },
    Hue { full: 51, seen: [23, 30] },
    Hue { full: 215, seen: [94, 130] },
    Hue { full: 147, seen: [54, 60] },
];

/// So many characters have a sign of their own.
pub const MOST_CHARACTERS: usize = 36;

/// A character's sign on the map: its number, then letters.
pub fn sign(id: usize) -> char {
    char::from_digit((id % MOST_CHARACTERS) as u32, 36).unwrap_or('?')
}

/// A character's colour.
pub fn ink(id: usize) -> u8 {
    HUES[id % HUES.len()].full
}

/// The colour of ground that a character sees, by the ground's height from 0 to 1.
pub fn seen_paper(id: usize, height: f64) -> u8 {
    HUES[id % HUES.len()].seen[usize::from(height > 0.5)]
}

/// An item's sign and colour: weapons are capitals, their ammunition small letters.
pub fn item(item: Item) -> (char, u8) {
    match item {
        Item::Armour(_) => ('a', 114),
        Item::MegaHealth => ('H', 210),
        Item::Quad => ('Q', 75),
        item if item.is_health() => ('h', 210),
        Item::Weapon(weapon) => ([('W', 250), ('M', 221), ('S', 207)])[weapon.index()],
        Item::Ammo(weapon) | Item::LargeAmmo(weapon) => {
            ([('w', 250), ('m', 221), ('s', 207)])[weapon.index()]
        }
        _ => ('h', 210),
    }
}

/// What the signs of items mean.
pub const LEGEND: &str = "h health  M S weapons  m s their ammunition";

/// Puts a sign at a place of the map; the ground stays behind it.
pub fn put(sheet: &mut Sheet, view: &View, at: DVec2, sign: char, ink: u8) {
    if let Some((x, y)) = view.pixel(at)
        && let Some(cell) = sheet.cell(x, y / 2)
    {
        *cell = Cell { sign, ink: Some(ink), bold: true, ..*cell };
    }
}

/// Puts a character on the map: its sign, and an arrow beside it where it looks.
pub fn character(sheet: &mut Sheet, view: &View, id: usize, at: DVec2, yaw: f64) {
    let Some((x, y)) = view.pixel(at) else { return };
    let (arrow, dx, dy) = arrow(yaw);
    let (beside, above) = (x.checked_add_signed(dx), (y / 2).checked_add_signed(dy));
    if let (Some(x), Some(y)) = (beside, above)
        && x < view.width
        && y < view.lines()
        && let Some(cell) = sheet.cell(x, y)
    {
        *cell = Cell { sign: arrow, ink: Some(ink(id)), bold: true, ..*cell };
    }
    if let Some(cell) = sheet.cell(x, y / 2) {
        *cell = Cell { sign: sign(id), ink: Some(16), paper: Some(ink(id)), bold: true };
    }
}

/// The arrow nearest to a direction, and the cell beside the character in which it is drawn.
pub fn arrow(yaw: f64) -> (char, isize, isize) {
    const ARROWS: [(char, isize, isize); 8] = [
        ('→', 1, 0),
        ('↗', 1, -1),
        ('↑', 0, -1),
        ('↖', -1, -1),
        ('←', -1, 0),
        ('↙', -1, 1),
        ('↓', 0, 1),
        ('↘', 1, 1),
    ];
    let eighth = (yaw / std::f64::consts::FRAC_PI_4).round() as i64;
    ARROWS[eighth.rem_euclid(8) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_point_where_one_looks() {
        use std::f64::consts::{FRAC_PI_2, PI};
        let signs = [0.0, FRAC_PI_2, PI, -FRAC_PI_2, -PI, 0.3, -0.5].map(|yaw| arrow(yaw).0);
        assert_eq!(signs, ['→', '↑', '←', '↓', '←', '→', '↘']);
    }

    #[test]
    fn a_character_stands_before_the_ground_with_its_arrow_beside_it() {
        let mut sheet = Sheet::new(5, 3, false);
        let view = View::around(DVec2::ZERO, 1.0, 5, 3, DVec2::splat(-9.0), DVec2::splat(9.0));
        character(&mut sheet, &view, 11, DVec2::new(0.1, -0.1), 0.0);
        assert_eq!(sheet.lines(), ["", "  b→", ""]);
        // At the rim the arrow is left out.
        character(&mut sheet, &view, 0, DVec2::new(-2.4, 2.9), std::f64::consts::FRAC_PI_2);
        assert_eq!(sheet.lines()[0], "0");
    }
}
