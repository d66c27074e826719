//! A decision's table in nats, in a narrow space: the tasks that were most probable, in columns that still stand under each other.

/// The first word of the table's headings, and of its last row.
const HEAD: &str = "nats";
const LAST: &str = "probability";

/// A reason whose table is at most `room` characters wide: of a wider one the most probable tasks stay, as many as fit, and the headings
/// say of how many. Anything that is no such table is left as it is.
///
/// ```
/// use repertoire_draw::terminal::nats::narrowed;
///
/// let why = "fights\nnats           attack   flee  explore\nafter explore   -2.59  -2.59    -0.60\nprobability     0.700  0.050    0.250";
/// assert_eq!(
///     narrowed(why, 36),
///     "fights\nnats (2 of 3)  attack  explore\nafter explore   -2.59    -0.60\nprobability     0.700    0.250"
/// );
/// assert_eq!(narrowed(why, 80), why);
/// ```
pub fn narrowed(why: &str, room: usize) -> String {
    let lines: Vec<&str> = why.lines().collect();
    let is_head = |line: &&str| line.split_whitespace().next() == Some(HEAD);
    let Some(first) = lines.iter().position(is_head) else { return why.to_owned() };
    let tasks: Vec<&str> = lines[first].split_whitespace().skip(1).collect();
    let rows: Vec<_> = lines[first + 1..].iter().map_while(|line| row(line, tasks.len())).collect();
    let wide = lines[first..first + 1 + rows.len()].iter().any(|line| line.chars().count() > room);
    let Some((_, chances)) = rows.iter().find(|(label, _)| label == LAST).filter(|_| wide) else {
        return why.to_owned();
    };
    let chance = |task: usize| chances[task].parse::<f64>().unwrap_or(0.0);
    let mut order: Vec<usize> = (0..tasks.len()).collect();
    order.sort_by(|&a, &b| chance(b).total_cmp(&chance(a)));
    let head = |kept: usize| format!("{HEAD} ({kept} of {})", tasks.len());
    let label_width = |kept: usize| {
        rows.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0).max(head(kept).chars().count())
    };
    let column_width = |task: usize| {
        rows.iter().map(|(_, cells)| cells[task].len()).max().unwrap_or(0).max(tasks[task].chars().count())
    };
    let width = |kept: usize| {
        label_width(kept) + order[..kept].iter().map(|&task| 2 + column_width(task)).sum::<usize>()
    };
    let kept = (1..=tasks.len()).rev().find(|&kept| width(kept) <= room).unwrap_or(1);
    let mut shown = order[..kept].to_vec();
    shown.sort_unstable();
    let line = |label: &str, cell: &dyn Fn(usize) -> String| {
        let cells = shown.iter().map(|&task| format!("  {:>1$}", cell(task), column_width(task)));
        format!("{label:<0$}", label_width(kept)) + &cells.collect::<String>()
    };
    let mut told: Vec<String> = lines[..first].iter().map(|line| (*line).to_owned()).collect();
    told.push(line(&head(kept), &|task| tasks[task].to_owned()));
    told.extend(rows.iter().map(|(label, cells)| line(label, &|task| cells[task].to_owned())));
    told.extend(lines[first + 1 + rows.len()..].iter().map(|line| (*line).to_owned()));
    told.join("\n")
}

/// A row's words in front, and its numbers; none if it does not end in a number for each task.
fn row(line: &str, tasks: usize) -> Option<(String, Vec<&str>)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (label, cells) = words.split_at_checked(words.len().checked_sub(tasks)?)?;
    let is_number = |word: &&str| word.parse::<f64>().is_ok();
    (!label.is_empty() && cells.iter().all(is_number)).then(|| (label.join(" "), cells.to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_the_table_and_what_is_no_table_stay() {
        let why = "a\nnats  one  two\nx, not sure   -1.00  -inf\nprobability  0.9  0.1\nafterwards, a long line that is wide";
        let told = narrowed(why, 22);
        assert_eq!(
            told,
            "a\nnats (1 of 2)    one\nx, not sure    -1.00\nprobability      0.9\nafterwards, a long line that is wide"
        );
        for none in
            ["", "hunts somebody who is far away", "nats\n", "nats one\nx y", "nats a b\nprobability 0.5"]
        {
            assert_eq!(narrowed(none, 5), none);
        }
    }
}
