//! Drawing distributions: bar charts for the terminal, pictures as SVG.

pub mod lines;
pub mod svg;
pub mod terminal;

/// A distribution to draw.
#[derive(Clone, Debug)]
pub struct Chart {
    /// What it is, such as `P(Rotation | Direction=left)`.
    pub title: String,
    /// The name of each value.
    pub labels: Vec<String>,
    /// The probability of each value.
    pub probabilities: Vec<f64>,
    /// The edges of the values on a scale of degrees, where they are directions: drawn round.
    pub edges_deg: Option<Vec<f64>>,
}

/// Lines of cells set in columns, two blanks in front: the first column left, the others right.
pub fn columns(lines: &[Vec<String>]) -> String {
    let count = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        lines.iter().filter_map(|line| line.get(column)).map(|cell| cell.chars().count()).max()
    };
    let widths: Vec<usize> = (0..count).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for line in lines {
        text.push(' ');
        for (column, cell) in line.iter().enumerate() {
            let width = widths[column];
            text += &if column == 0 { format!(" {cell:width$}") } else { format!("  {cell:>width$}") };
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}
