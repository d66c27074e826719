//! Half-open ranges of numbers, as people write them: `10..20` is 10 to 19.

use std::collections::BTreeSet;
use std::ops::Range;

/// Reads `10..20`. None for anything else, and for a range without a number.
pub fn parse(text: &str) -> Option<Range<u64>> {
    let (from, to) = text.split_once("..")?;
    let range = from.trim().parse().ok()?..to.trim().parse().ok()?;
    (range.start < range.end).then_some(range)
}

/// The numbers of a range that are not there, as ranges.
pub fn missing(of: &Range<u64>, there: &BTreeSet<u64>) -> Vec<Range<u64>> {
    let mut found: Vec<Range<u64>> = Vec::new();
    let mut next = of.start;
    for &number in there.range(of.clone()).chain([&of.end]) {
        if next < number {
            found.push(next..number);
        }
        next = number + 1;
    }
    found
}

/// A range as people write it.
pub fn word(range: &Range<u64>) -> String {
    format!("{}..{}", range.start, range.end)
}

/// Ranges as words: `0..4, 9..10`.
pub fn words(ranges: &[Range<u64>]) -> String {
    ranges.iter().map(word).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_half_open_and_hold_something() {
        assert_eq!(parse("10..20"), Some(10..20));
        assert_eq!(parse(" 0 .. 1 "), Some(0..1));
        for wrong in ["", "3", "3..", "..3", "3..3", "4..3", "-1..3", "0..=3"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn what_is_missing_is_named_as_ranges() {
        let there = BTreeSet::from([2, 3, 7, 99]);
        assert_eq!(words(&missing(&(0..10), &there)), "0..2, 4..7, 8..10");
        assert_eq!(missing(&(2..4), &there), []);
        assert_eq!(words(&missing(&(4..6), &there)), "4..6");
    }
}
