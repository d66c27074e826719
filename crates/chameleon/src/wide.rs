//! Kernels compiled twice: for every processor of a kind, and for those with wider vectors.
//!
//! A game's own build targets any x86-64, whose vectors hold two numbers; nearly every machine that runs it has vectors of four.
//! [`widest`] looks once which it is and runs the kernel that was compiled for it. Numbers lie side by side and each is worked out
//! by the same operations in the same order, none of them fused, so both give the same bits. What a kernel calls must be inlined
//! (`#[inline(always)]`), or it is compiled for narrow vectors alone.

/// Work whose loops are worth wider vectors.
pub(crate) trait Kernel {
    /// What it returns.
    type Output;

    /// Does it; to be marked `#[inline(always)]`.
    fn run(self) -> Self::Output;
}

struct Call<K>(K);

impl<K: Kernel> pulp::NullaryFnOnce for Call<K> {
    type Output = K::Output;

    #[inline(always)]
    fn call(self) -> K::Output {
        self.0.run()
    }
}

/// Runs a kernel with the widest vectors that this processor has.
#[inline]
pub(crate) fn widest<K: Kernel>(kernel: K) -> K::Output {
    pulp::Arch::new().dispatch(Call(kernel))
}

/// Whether this thread is one of those that share work; to hand work over from another takes longer than a short life does.
pub(crate) fn has_helpers() -> bool {
    rayon::current_thread_index().is_some()
}

/// Does two things, on two threads if this one shares its work.
pub(crate) fn side_by_side(one: impl FnOnce() + Send, other: impl FnOnce() + Send) {
    if has_helpers() {
        rayon::join(one, other);
    } else {
        one();
        other();
    }
}

/// A row of a table as numbers of its own: all of it is read before anything is written, so that the compiler need not ask whether
/// tables overlap.
#[inline(always)]
pub(crate) fn read<const D: usize>(table: &[f64], at: usize) -> [f64; D] {
    let row = &table[at..at + D];
    std::array::from_fn(|k| row[k])
}

/// The sum of products, in four sums side by side: one sum would wait for each addition before the next.
#[inline(always)]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a4, a_rest) = a.as_chunks::<4>();
    let (b4, b_rest) = b.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (a, b) in a4.iter().zip(b4) {
        for lane in 0..4 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
}

/// Multiplies a list by columns of tables, one after the other. For a number of decisions that the compiler knows, the products stay
/// in registers.
#[inline(always)]
pub(crate) fn multiply_all<'a, const D: usize>(
    into: &mut [f64],
    columns: impl Iterator<Item = (&'a [f64], usize)>,
) {
    if D > 0 {
        let mut product: [f64; D] = read(into, 0);
        for (table, at) in columns {
            let by: [f64; D] = read(table, at);
            product = std::array::from_fn(|k| product[k] * by[k]);
        }
        into.copy_from_slice(&product);
        return;
    }
    columns.for_each(|(table, at)| multiply::<0>(into, &table[at..at + into.len()]));
}

/// Sets a list to the sum of rows of tables, added in order.
#[inline(always)]
pub(crate) fn add_all<'a, const D: usize>(into: &mut [f64], rows: impl Iterator<Item = (&'a [f64], usize)>) {
    if D > 0 {
        let mut sum = [0.0; D];
        for (table, at) in rows {
            let row: [f64; D] = read(table, at);
            sum = std::array::from_fn(|k| sum[k] + row[k]);
        }
        into.copy_from_slice(&sum);
        return;
    }
    into.fill(0.0);
    rows.for_each(|(table, at)| add::<0>(into, &table[at..at + into.len()]));
}

/// Multiplies a list by another; `D` is their length, 0 for any.
#[inline(always)]
pub(crate) fn multiply<const D: usize>(into: &mut [f64], by: &[f64]) {
    pairwise::<D>(into, by, |into, by| into * by);
}

/// Adds a list to another; `D` is their length, 0 for any.
#[inline(always)]
pub(crate) fn add<const D: usize>(into: &mut [f64], what: &[f64]) {
    pairwise::<D>(into, what, |into, what| into + what);
}

/// Lists of any length two numbers at a time, each pair read before it is written.
#[inline(always)]
fn pairwise<const D: usize>(into: &mut [f64], from: &[f64], work: impl Fn(f64, f64) -> f64) {
    if D > 0 {
        let (old, from): ([f64; D], [f64; D]) = (read(into, 0), read(from, 0));
        let new: [f64; D] = std::array::from_fn(|k| work(old[k], from[k]));
        into[..D].copy_from_slice(&new);
        return;
    }
    let ((into, into_rest), (from, from_rest)) = (into.as_chunks_mut::<2>(), from.as_chunks::<2>());
    for (into, from) in into.iter_mut().zip(from) {
        let (old, from) = (*into, *from);
        *into = [work(old[0], from[0]), work(old[1], from[1])];
    }
    into_rest.iter_mut().zip(from_rest).for_each(|(into, from)| *into = work(*into, *from));
}

/// `into += a b`, of one number and a list.
#[inline(always)]
pub(crate) fn add_scaled<const D: usize>(into: &mut [f64], a: f64, b: &[f64]) {
    if D > 0 {
        let (old, b): ([f64; D], [f64; D]) = (read(into, 0), read(b, 0));
        let new: [f64; D] = std::array::from_fn(|k| old[k] + a * b[k]);
        into[..D].copy_from_slice(&new);
        return;
    }
    into.iter_mut().zip(b).for_each(|(into, b)| *into += a * b);
}

#[cfg(test)]
mod tests {
    use crate::learn::{EmSettings, from_params};
    use crate::synthetic::{World, play, teacher};
    use crate::{Layout, Params};
    use repertoire_prob::Stream;

    use super::Kernel;

    /// Products summed column by column, as the E-step does.
    struct Sums<'a>(&'a [f64], &'a [f64]);

    impl Kernel for Sums<'_> {
        type Output = [f64; 10];

        #[inline(always)]
        fn run(self) -> [f64; 10] {
            let mut sum = [0.0; 10];
            for (a, b) in self.0.chunks_exact(10).zip(self.1.chunks_exact(10)) {
                let (a, b) = (super::read::<10>(a, 0), super::read::<10>(b, 0));
                sum = std::array::from_fn(|k| sum[k] + a[k] * b[k]);
            }
            sum
        }
    }

    #[test]
    fn wide_and_narrow_vectors_give_the_same_bits() {
        let mut stream = Stream::new(3, 0, "wide");
        let mut numbers = |n: usize| -> Vec<f64> { (0..n).map(|_| stream.unit() - 0.5).collect() };
        let (a, b) = (numbers(1000), numbers(1000));
        let narrow = Sums(&a, &b).run();
        assert_eq!(super::widest(Sums(&a, &b)).map(f64::to_bits), narrow.map(f64::to_bits));
    }

    /// The numbers that were learned before there were wide vectors, so that no machine learns other ones.
    #[test]
    fn learning_gives_the_bits_of_narrow_vectors() {
        let hashes: Vec<String> = [3, 4, 8, 10, 12]
            .into_iter()
            .map(|decisions| {
                let layout = Layout::plain(decisions, &[3, 5], &[7, 4], &[3], &[4, 3]).expect("a layout");
                let mut stream = Stream::new(7, decisions as u64, "wide");
                let truth = teacher(&layout, &mut stream);
                let life = play(&layout, &truth, World { ticks: 60, ..World::default() }, &mut stream);
                let start = Params::random(&layout, &mut stream);
                let settings = EmSettings { iterations: 12, least_gain: 0.0, ..EmSettings::default() };
                let run = from_params(&layout, start, &[life], &settings, &|_| {})
                    .expect("a life that can be learned");
                let tables = run.params.distributions().into_iter().flatten().chain(&run.params.theta);
                let hash = tables.fold(0xcbf2_9ce4_8422_2325_u64, |hash, p| {
                    (hash ^ p.to_bits()).wrapping_mul(0x0000_0100_0000_01b3)
                });
                format!("{decisions}: {hash:016x}")
            })
            .collect();
        insta::assert_snapshot!(hashes.join("\n"), @r"
        3: a1f24eacb10c1bf6
        4: d1b0b70e2a4eec37
        8: e0d0efbda510ed99
        10: 395ca04031e634df
        12: b964e19c5e458a00
        ");
    }
}
