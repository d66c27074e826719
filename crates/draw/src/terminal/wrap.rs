//! Long lines broken to a width, and cut to the lines that there are.

/// Breaks a text between words into lines of at most `width` characters, each begun with `indent`. A word longer than
/// a line is broken where the line ends. Lines of the text stay lines, and those that fit stay as they are: tables keep their
/// columns.
pub fn wrap(text: &str, width: usize, indent: &str) -> Vec<String> {
    let room = width.saturating_sub(indent.chars().count()).max(1);
    if !text.contains('\n') {
        return broken(text, room, indent);
    }
    let each = |line: &str| match line.chars().count() <= room {
        true => vec![format!("{indent}{line}")],
        false => broken(line, room, indent),
    };
    text.lines().flat_map(each).collect()
}

/// One line, broken between words.
fn broken(text: &str, room: usize, indent: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let (mut line, mut length) = (indent.to_owned(), 0);
    for word in text.split_whitespace() {
        let mut word: Vec<char> = word.chars().collect();
        let gap = usize::from(length > 0);
        if length + gap + word.len() <= room {
            line.extend(std::iter::repeat_n(' ', gap).chain(word.iter().copied()));
            length += gap + word.len();
            continue;
        }
        if length > 0 {
            lines.push(std::mem::replace(&mut line, indent.to_owned()));
        }
        while word.len() > room {
            lines.push(indent.chars().chain(word.drain(..room)).collect());
        }
        line.extend(&word);
        length = word.len();
    }
    if length > 0 || lines.is_empty() {
        lines.push(line);
    }
    lines
}

/// Cuts texts of several lines each so that together they have at most `most` lines, or one each if there are more
/// texts than that. The longest are cut first, and end in `…`.
pub fn fit(mut texts: Vec<Vec<String>>, most: usize) -> Vec<Vec<String>> {
    let lines_if = |cap: usize| texts.iter().map(|text| text.len().min(cap)).sum::<usize>();
    let longest = texts.iter().map(Vec::len).max().unwrap_or(0);
    let cap = (1..=longest).rev().find(|&cap| lines_if(cap) <= most).unwrap_or(1);
    for text in texts.iter_mut().filter(|text| text.len() > cap) {
        text.truncate(cap);
        if let Some(last) = text.last_mut() {
            // In place of the last letter: the line may be full.
            last.pop();
            last.push('…');
        }
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_keep_their_columns() {
        let told = "attack: plan for win\nnats    attack  flee\nplan     -0.51 -2.71";
        let lines = wrap(told, 30, "   ");
        assert_eq!(lines, ["   attack: plan for win", "   nats    attack  flee", "   plan     -0.51 -2.71"]);
    }

    #[test]
    fn every_word_of_a_reason_is_kept() {
        let told = "attack 1: it is weaker (health 20), near (4 m) and in sight";
        let lines = wrap(told, 24, "   ");
        assert_eq!(
            lines,
            ["   attack 1: it is", "   weaker (health 20),", "   near (4 m) and in", "   sight"]
        );
        let words: Vec<&str> = lines.iter().flat_map(|line| line.split_whitespace()).collect();
        assert_eq!(words.join(" "), told);
    }

    #[test]
    fn a_word_longer_than_a_line_is_broken() {
        assert_eq!(wrap("an unbelievable one", 8, "  "), ["  an", "  unbeli", "  evable", "  one"]);
        assert_eq!(wrap("", 8, "  "), ["  "]);
        assert_eq!(wrap("abc", 0, "  "), ["  a", "  b", "  c"]);
    }

    #[test]
    fn the_longest_reasons_are_cut_first() {
        let text = |lines: usize| (0..lines).map(|k| format!("line {k}")).collect::<Vec<_>>();
        let lengths =
            |most| fit(vec![text(1), text(5), text(3)], most).iter().map(Vec::len).collect::<Vec<_>>();
        assert_eq!(lengths(9), [1, 5, 3]);
        assert_eq!(lengths(8), [1, 4, 3]);
        assert_eq!(lengths(7), [1, 3, 3], "equally long, rather than one much longer");
        assert_eq!(lengths(5), [1, 2, 2]);
        assert_eq!(lengths(0), [1, 1, 1]);
        assert_eq!(fit(vec![text(3)], 2), [["line 0", "line …"]]);
    }
}
