//! Sums that do not depend on the order of their terms: numbers as multiples of 2^-60, added as whole numbers.
//!
//! `(a + b) + c` and `a + (b + c)` differ in floating point, so counts that are gathered on many machines would depend on who
//! finished first. Whole numbers have no such trouble. A term is rounded once, to within 2^-61; terms above 2^-8 that are
//! doubles lose nothing at all. A sum holds up to 2^67, which is a hundred million years of play at ten ticks a second.
//!
//! Rejected: floating-point sums in the order of sequences (somebody would have to keep every sequence's counts until the ones
//! before it have come: megabytes for each); 64 bits (too few for the sums of inverse weights, which reach far above the number
//! of ticks); exact floating-point accumulators (thirty times the memory for digits that no file keeps).

use std::fmt;

/// The value of one unit is `2^-BITS`.
const BITS: i32 = 60;

/// Columns of exact sums.
///
/// ```
/// use repertoire_prob::exact::Sums;
///
/// let terms = [0.1, 1e9, -1e9, 0.2];
/// let sum = |order: [usize; 4]| {
///     let mut sums = Sums::new(1);
///     order.iter().for_each(|&k| sums.add(&[terms[k]]));
///     sums.values()[0]
/// };
/// assert_eq!(sum([0, 1, 2, 3]), sum([3, 1, 0, 2]));
/// assert_ne!(terms[0] + terms[1] + terms[2] + terms[3], terms[1] + terms[2] + terms[0] + terms[3]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sums(Vec<i128>);

/// Bytes that are no sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSums;

impl fmt::Display for NoSums {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("these bytes are no sums")
    }
}

impl std::error::Error for NoSums {}

impl Sums {
    /// Columns that are 0.
    pub fn new(columns: usize) -> Self {
        Sums(vec![0; columns])
    }

    /// How many columns there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no column.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a term to every column.
    ///
    /// # Panics
    /// If there are not as many terms as columns, or one is no number or too large.
    pub fn add<'a>(&mut self, terms: impl IntoIterator<Item = &'a f64>) {
        let mut columns = self.0.iter_mut();
        for (&term, sum) in terms.into_iter().zip(&mut columns) {
            if term != 0.0 {
                *sum += units(term);
            }
        }
        assert!(columns.next().is_none(), "fewer terms than columns");
    }

    /// Adds other sums, column by column.
    ///
    /// # Panics
    /// If they have not as many columns.
    pub fn merge(&mut self, other: &Sums) {
        assert_eq!(self.len(), other.len(), "as many columns");
        self.0.iter_mut().zip(&other.0).for_each(|(sum, other)| *sum += other);
    }

    /// The sums, each rounded to the nearest double.
    pub fn values(&self) -> Vec<f64> {
        self.0.iter().map(|&sum| value(sum)).collect()
    }

    /// As bytes: a run of zeros is two numbers, any other sum is one, of seven bits a byte.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(&mut bytes, self.0.len() as u128);
        let mut rest = &self.0[..];
        while let Some(&first) = rest.first() {
            let zeros = rest.iter().take_while(|&&sum| sum == 0).count();
            if zeros > 0 {
                write(&mut bytes, 0);
                write(&mut bytes, zeros as u128);
            } else {
                // The sign is the lowest bit, so that small sums are short.
                write(&mut bytes, ((first << 1) ^ (first >> 127)) as u128);
            }
            rest = &rest[zeros.max(1)..];
        }
        bytes
    }

    /// From bytes of [`Sums::to_bytes`].
    ///
    /// # Errors
    /// If they are something else.
    pub fn from_bytes(mut bytes: &[u8]) -> Result<Self, NoSums> {
        let columns = usize::try_from(read(&mut bytes)?).map_err(|_| NoSums)?;
        let mut sums = Vec::new();
        while sums.len() < columns {
            match read(&mut bytes)? {
                0 => {
                    let zeros = usize::try_from(read(&mut bytes)?).map_err(|_| NoSums)?;
                    if zeros == 0 || zeros > columns - sums.len() || zeros > MOST_COLUMNS {
                        return Err(NoSums);
                    }
                    sums.resize(sums.len() + zeros, 0);
                }
                sum => sums.push((sum >> 1) as i128 ^ -((sum & 1) as i128)),
            }
        }
        if bytes.is_empty() { Ok(Sums(sums)) } else { Err(NoSums) }
    }
}

/// More than any model has; keeps damaged bytes from asking for all memory.
const MOST_COLUMNS: usize = 1 << 28;

fn units(term: f64) -> i128 {
    // Multiplying by a power of two is exact.
    let scaled = term * (1u64 << BITS) as f64;
    assert!(scaled.abs() < 1e38, "{term} cannot be summed");
    scaled.round_ties_even() as i128
}

fn value(sum: i128) -> f64 {
    sum as f64 / (1u64 << BITS) as f64
}

fn write(bytes: &mut Vec<u8>, mut number: u128) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read(bytes: &mut &[u8]) -> Result<u128, NoSums> {
    let mut number = 0u128;
    for shift in (0..133).step_by(7) {
        let (&byte, rest) = bytes.split_first().ok_or(NoSums)?;
        *bytes = rest;
        let part = u128::from(byte & 0x7f);
        if part != 0 && (shift >= 128 || part << shift >> shift != part) {
            return Err(NoSums);
        }
        number |= if shift < 128 { part << shift } else { 0 };
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(NoSums)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_order_and_any_grouping_give_the_same_bits(
            terms in prop::collection::vec(prop_oneof![-1e12..1e12, -1e-9..1e-9, Just(0.0)], 1..60),
            cut in 0usize..60,
            turn in 0usize..60,
        ) {
            let sum = |terms: &[f64]| { let mut sums = Sums::new(1); terms.iter().for_each(|term| sums.add([term])); sums };
            let whole = sum(&terms);
            let mut turned = terms.clone();
            turned.rotate_left(turn % terms.len());
            let (one, two) = turned.split_at(cut % terms.len());
            let mut merged = sum(two);
            merged.merge(&sum(one));
            prop_assert_eq!(&merged, &whole);
            prop_assert!((whole.values()[0] - terms.iter().sum::<f64>()).abs() <= 1e-2);
        }

        #[test]
        fn bytes_hold_everything(terms in prop::collection::vec(prop_oneof![Just(0.0), -1e15..1e15, Just(1e19), Just(-1e19)], 0..80)) {
            let mut sums = Sums::new(terms.len());
            sums.add(&terms);
            let bytes = sums.to_bytes();
            prop_assert_eq!(Sums::from_bytes(&bytes), Ok(sums));
            for end in 0..bytes.len() {
                prop_assert_eq!(Sums::from_bytes(&bytes[..end]), Err(NoSums));
            }
        }

        #[test]
        fn nonsense_is_refused_and_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = Sums::from_bytes(&bytes);
        }
    }

    #[test]
    fn a_double_above_a_256th_loses_nothing() {
        for term in [1.0 / 3.0, 0.0078125123, 123456.789, 1e12 / 7.0] {
            let mut sums = Sums::new(1);
            sums.add(&[term]);
            assert_eq!(sums.values(), [term]);
        }
    }
}
