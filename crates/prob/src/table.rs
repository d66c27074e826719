//! Tables `P(A.. | B..)`, with any number of variables on both sides.
//!
//! Layout: `[given...][left...]`, row-major, so that one column (a distribution over the left side for fixed
//! given values) is contiguous. People may write `x` in a cell: the `x` cells of a column share what is left of
//! it (Le Hy 2007, section 3.2.4, table 3.1).
use thiserror::Error;

use crate::distribution::TOLERANCE;
use crate::num::{fabs, significant};

/// A cell as people write it: a number, or `x` for a share of what is left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell {
    /// A probability.
    Number(f64),
    /// An equal share of what the numbers of the column leave.
    Rest,
}

/// The most cells a table can have (32 MiB).
pub const MOST_CELLS: usize = 1 << 22;

/// A validated conditional probability table.
///
/// ```
/// use repertoire_prob::{Cell, Table};
/// // P(weapon | danger): one column for `false`, one for `true`; `x` cells share what is left.
/// let (x, n) = (Cell::Rest, Cell::Number);
/// let table = Table::new(&[2], &[3], &[x, n(0.1), n(0.01), x, x, x])?;
/// assert_eq!(table.column(&[1]), [1.0 / 3.0; 3]);
/// assert_eq!(table.get(&[2], &[0]), None);
/// # Ok::<(), repertoire_prob::table::TableError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    given_cards: Vec<u32>,
    left_cards: Vec<u32>,
    cells: Vec<f64>,
}

/// Why a column is refused.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum ColumnError {
    /// A cell that is no probability.
    #[error("{value} is not a probability: write a number from 0 to 1")]
    NotAProbability {
        /// Which cell of the column.
        cell: usize,
        /// What stands there.
        value: f64,
    },
    /// The numbers exceed 1.
    #[error("the column sums to {}, more than 1", significant(*sum, 9))]
    OverOne {
        /// What they sum to.
        sum: f64,
    },
    /// No `x` takes what is left.
    #[error("the column sums to {}, less than 1, and no cell is `x`", significant(*sum, 9))]
    UnderOne {
        /// What they sum to.
        sum: f64,
    },
}

/// Why a table is refused, and in which column.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum TableError {
    /// The number of cells does not fit the variables.
    #[error("the table has {found} cells, its variables need {needed}")]
    Size {
        /// Cells the variables need.
        needed: usize,
        /// Cells there are.
        found: usize,
    },
    /// More cells than a table can have.
    #[error("the table would have more than {MOST_CELLS} cells")]
    TooLarge,
    /// There is no such column.
    #[error("the table has {columns} columns, there is no column {column}")]
    NoColumn {
        /// The column asked for.
        column: usize,
        /// How many there are.
        columns: usize,
    },
    /// A column is wrong.
    #[error("{why} (given values {given:?})")]
    Column {
        /// The given values of the column.
        given: Vec<usize>,
        /// Which column, counting them all.
        column: usize,
        /// What is wrong with it.
        why: ColumnError,
    },
}

/// The numbers of a column once its `x` cells have their share.
pub fn fill(column: &[Cell], out: &mut Vec<f64>) -> Result<(), ColumnError> {
    let (mut sum, mut rest) = (0.0, 0u32);
    for (cell, &content) in column.iter().enumerate() {
        match content {
            Cell::Number(value) if value >= 0.0 && value.is_finite() => sum += value,
            Cell::Number(value) => return Err(ColumnError::NotAProbability { cell, value }),
            Cell::Rest => rest += 1,
        }
    }
    if sum > 1.0 + TOLERANCE {
        return Err(ColumnError::OverOne { sum });
    }
    if rest == 0 && fabs(sum - 1.0) > TOLERANCE {
        return Err(ColumnError::UnderOne { sum });
    }
    let share = (1.0 - sum).max(0.0) / f64::from(rest);
    out.extend(column.iter().map(|&content| match content {
        Cell::Number(value) => value,
        Cell::Rest => share,
    }));
    Ok(())
}

/// The number of cells over these cardinalities, unless it is beyond [`MOST_CELLS`].
pub fn cells_over(cards: impl IntoIterator<Item = usize>) -> Option<usize> {
    let count = cards.into_iter().try_fold(1usize, usize::checked_mul)?;
    (count <= MOST_CELLS).then_some(count)
}

impl Table {
    /// A table from cells as people write them, laid out `[given...][left...]`.
    pub fn new(given_cards: &[usize], left_cards: &[usize], cells: &[Cell]) -> Result<Self, TableError> {
        let needed = cells_over(given_cards.iter().chain(left_cards).copied()).ok_or(TableError::TooLarge)?;
        if cells.len() != needed || needed == 0 {
            return Err(TableError::Size { needed, found: cells.len() });
        }
        let height: usize = left_cards.iter().product();
        let mut filled = Vec::with_capacity(needed);
        for (column, content) in cells.chunks_exact(height).enumerate() {
            fill(content, &mut filled).map_err(|why| TableError::Column {
                given: digits(column, given_cards),
                column,
                why,
            })?;
        }
        let narrow = |cards: &[usize]| cards.iter().map(|&card| card as u32).collect();
        Ok(Table { given_cards: narrow(given_cards), left_cards: narrow(left_cards), cells: filled })
    }

    /// A table from plain numbers.
    pub fn from_numbers(
        given_cards: &[usize],
        left_cards: &[usize],
        cells: &[f64],
    ) -> Result<Self, TableError> {
        let cells: Vec<Cell> = cells.iter().map(|&number| Cell::Number(number)).collect();
        Table::new(given_cards, left_cards, &cells)
    }

    /// Every column uniform.
    pub fn uniform(given_cards: &[usize], left_cards: &[usize]) -> Result<Self, TableError> {
        let needed = cells_over(given_cards.iter().chain(left_cards).copied()).ok_or(TableError::TooLarge)?;
        Table::new(given_cards, left_cards, &vec![Cell::Rest; needed])
    }

    /// All cells, `[given...][left...]`.
    #[inline]
    pub fn cells(&self) -> &[f64] {
        &self.cells
    }

    /// The distribution over the left side for one combination of given values.
    ///
    /// # Panics
    /// If there is not one value for each given variable, or a variable does not have its value.
    #[inline]
    pub fn column(&self, given: &[usize]) -> &[f64] {
        let height = self.height();
        let column = index(given, &self.given_cards);
        &self.cells[column * height..][..height]
    }

    /// `P(left | given)` for one combination of values.
    ///
    /// # Panics
    /// If there is not one value for each variable, or a variable does not have its value; [`Table::get`] answers
    /// `None` instead.
    #[inline]
    pub fn probability(&self, given: &[usize], left: &[usize]) -> f64 {
        self.column(given)[index(left, &self.left_cards)]
    }

    /// `P(left | given)`, or `None` where the variables do not have these values.
    pub fn get(&self, given: &[usize], left: &[usize]) -> Option<f64> {
        let fits = |values: &[usize], cards: &[u32]| {
            values.len() == cards.len()
                && values.iter().zip(cards).all(|(&value, &card)| value < card as usize)
        };
        (fits(given, &self.given_cards) && fits(left, &self.left_cards))
            .then(|| self.probability(given, left))
    }

    /// Replaces one column; refused, and left as it was, unless the new one is a distribution.
    pub fn set_column(&mut self, column: usize, cells: &[f64]) -> Result<(), TableError> {
        let height = self.height();
        let columns = self.cells.len() / height;
        if column >= columns {
            return Err(TableError::NoColumn { column, columns });
        }
        if cells.len() != height {
            return Err(TableError::Size { needed: height, found: cells.len() });
        }
        let given_cards: Vec<usize> = self.given_cards.iter().map(|&card| card as usize).collect();
        let checked = Table::from_numbers(&[], &[height], cells).map_err(|error| match error {
            TableError::Column { why, .. } => {
                TableError::Column { given: digits(column, &given_cards), column, why }
            }
            other => other,
        })?;
        self.cells[column * height..][..height].copy_from_slice(&checked.cells);
        Ok(())
    }

    /// How many values the conjunction of the left side has.
    #[inline]
    pub fn height(&self) -> usize {
        self.left_cards.iter().map(|&card| card as usize).product()
    }

    /// Whether every column sums to 1 within rounding, rather than within what is forgiven in typed numbers.
    pub fn is_exact(&self) -> bool {
        self.cells.chunks_exact(self.height()).all(|column| fabs(column.iter().sum::<f64>() - 1.0) < 1e-13)
    }
}

/// The values that make up a flat index, last fastest.
///
/// # Panics
/// If a cardinality is 0.
pub fn digits(mut index: usize, cards: &[usize]) -> Vec<usize> {
    let mut values = vec![0; cards.len()];
    for (value, &card) in values.iter_mut().zip(cards).rev() {
        *value = index % card;
        index /= card;
    }
    values
}

#[inline]
fn index(values: &[usize], cards: &[u32]) -> usize {
    assert_eq!(values.len(), cards.len(), "one value for each variable");
    values.iter().zip(cards).fold(0, |index, (&value, &card)| {
        assert!(value < card as usize, "value {value} of a variable with {card}");
        index * card as usize + value
    })
}

#[cfg(test)]
mod tests {
    use super::Cell::{Number, Rest};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn le_hy_table_3_1() {
        // P(weapon | danger): columns false and true, rows weak, medium, strong.
        let table =
            Table::new(&[2], &[3], &[Rest, Number(0.1), Number(0.01), Rest, Rest, Rest]).expect("as printed");
        assert!((table.probability(&[0], &[0]) - 0.89).abs() < 1e-15);
        assert_eq!(table.column(&[1]), [1.0 / 3.0; 3]);
    }

    #[test]
    fn wrong_columns_are_refused_with_their_place() {
        let refused = |cells: &[Cell]| match Table::new(&[2, 2], &[2], cells) {
            Err(TableError::Column { given, why, .. }) => (given, why),
            other => panic!("{other:?}"),
        };
        let half = Number(0.5);
        assert_eq!(
            refused(&[half, half, half, half, Number(0.75), Rest, Number(0.75), half]),
            (vec![1, 1], ColumnError::OverOne { sum: 1.25 })
        );
        assert_eq!(
            refused(&[half, half, half, Number(0.25), half, half, half, half]),
            (vec![0, 1], ColumnError::UnderOne { sum: 0.75 })
        );
        assert_eq!(
            refused(&[Number(-0.5), Rest, half, half, half, half, half, half]),
            (vec![0, 0], ColumnError::NotAProbability { cell: 0, value: -0.5 })
        );
        assert_eq!(Table::new(&[2], &[2], &[half; 3]), Err(TableError::Size { needed: 4, found: 3 }));
        assert_eq!(Table::uniform(&[1 << 12], &[1 << 12]), Err(TableError::TooLarge));
    }

    #[test]
    fn a_refused_column_loses_nothing() {
        let mut table = Table::uniform(&[2], &[2]).unwrap();
        let before = table.clone();
        assert!(table.set_column(1, &[0.9, 0.9]).is_err());
        assert!(table.set_column(1, &[1.0]).is_err());
        assert_eq!(table, before);
        table.set_column(1, &[0.25, 0.75]).unwrap();
        assert_eq!(table.cells(), [0.5, 0.5, 0.25, 0.75]);
    }

    proptest! {
        #[test]
        fn filled_columns_sum_to_one(numbers in prop::collection::vec(0.0..0.2f64, 0..5), rest in 1usize..4) {
            let column: Vec<Cell> = numbers.into_iter().map(Number).chain(std::iter::repeat_n(Rest, rest)).collect();
            let mut filled = Vec::new();
            fill(&column, &mut filled).unwrap();
            prop_assert!((filled.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }

        #[test]
        fn digits_and_index_are_inverse(cards in prop::collection::vec(1usize..5, 0..5), at in 0usize..10_000) {
            let at = at % cards.iter().product::<usize>();
            let narrow: Vec<u32> = cards.iter().map(|&card| card as u32).collect();
            prop_assert_eq!(index(&digits(at, &cards), &narrow), at);
        }
    }
}
