//! A page of characters with colours, and without them where there is no terminal.

use anstyle::{Ansi256Color, Style};

/// One character on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// What stands there.
    pub sign: char,
    /// Its colour, of the 256 that every terminal has.
    pub ink: Option<u8>,
    /// The colour behind it.
    pub paper: Option<u8>,
    /// Whether it stands out.
    pub bold: bool,
}

impl Cell {
    /// Nothing.
    pub const BLANK: Cell = Cell { sign: ' ', ink: None, paper: None, bold: false };

    fn style(self) -> Style {
        let colour = |index: u8| anstyle::Color::from(Ansi256Color(index));
        let style = Style::new().fg_color(self.ink.map(colour)).bg_color(self.paper.map(colour));
        if self.bold { style.bold() } else { style }
    }
}

/// A page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    width: usize,
    cells: Vec<Cell>,
    /// Whether colours are shown. What paints chooses its signs by it.
    pub coloured: bool,
}

impl Sheet {
    /// An empty page.
    pub fn new(width: usize, height: usize, coloured: bool) -> Self {
        Sheet { width, cells: vec![Cell::BLANK; width * height], coloured }
    }

    /// A cell to be changed, if it is on the page.
    pub fn cell(&mut self, x: usize, y: usize) -> Option<&mut Cell> {
        if x < self.width { self.cells.get_mut(y * self.width + x) } else { None }
    }

    /// Writes text and returns where it ends; what does not fit is cut off.
    ///
    /// Names come from files: a control character in one must not reach the terminal.
    pub fn write(&mut self, x: usize, y: usize, text: &str, ink: Option<u8>, bold: bool) -> usize {
        let mut at = x;
        for sign in text.chars() {
            let sign = if sign.is_control() { '?' } else { sign };
            if let Some(cell) = self.cell(at, y) {
                *cell = Cell { sign, ink, paper: None, bold };
            }
            at += 1;
        }
        at
    }

    /// Lays another page on this one; what does not fit is cut off.
    pub fn lay(&mut self, other: &Sheet, x: usize, y: usize) {
        for (row, cells) in other.cells.chunks(other.width.max(1)).enumerate() {
            for (column, &cell) in cells.iter().enumerate() {
                if let Some(under) = self.cell(x + column, y + row) {
                    *under = cell;
                }
            }
        }
    }

    /// Its lines, with the terminal's codes if it is coloured; blanks at the end are left out.
    pub fn lines(&self) -> Vec<String> {
        self.cells.chunks(self.width.max(1)).map(|cells| self.line(cells)).collect()
    }

    fn line(&self, cells: &[Cell]) -> String {
        let end = cells.iter().rposition(|&cell| cell != Cell::BLANK).map_or(0, |last| last + 1);
        let mut text = String::new();
        if !self.coloured {
            text.extend(cells[..end].iter().map(|cell| cell.sign));
            return text.trim_end().to_owned();
        }
        let mut style = Style::new();
        for &cell in &cells[..end] {
            if cell.style() != style {
                text += &format!("{}{}", style.render_reset(), cell.style().render());
                style = cell.style();
            }
            text.push(cell.sign);
        }
        text += &style.render_reset().to_string();
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_colours_no_code_is_written() {
        let mut sheet = Sheet::new(8, 2, false);
        assert_eq!(sheet.write(1, 0, "hurt\u{1b}[2J", Some(196), true), 9);
        assert_eq!(sheet.lines(), [" hurt?[2", ""]);
        assert!(sheet.cell(8, 0).is_none() && sheet.cell(0, 2).is_none());
    }

    #[test]
    fn colours_change_only_where_they_must_and_end_with_the_line() {
        let mut sheet = Sheet::new(6, 1, true);
        let at = sheet.write(0, 0, "ab", Some(196), false);
        sheet.write(at, 0, "c", None, false);
        let line = &sheet.lines()[0];
        assert_eq!(line.matches('\u{1b}').count(), 2, "{line:?}");
        assert!(line.ends_with('c'));
    }
}
