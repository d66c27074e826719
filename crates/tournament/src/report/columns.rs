//! Tables as text.

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
