//! Kernels compiled twice: for every processor of a kind, and for those with wider vectors.
//!
//! A game's own build targets any x86-64, whose vectors hold two numbers; nearly every machine that runs it has vectors of four.
//! [`widest`] looks once which it is and runs the kernel that was compiled for it. Numbers lie side by side and each is worked out
//! by the same operations in the same order, none of them fused, so both give the same bits. What a kernel calls must be inlined
//! (`#[inline(always)]`), or it is compiled for narrow vectors alone.
//!
//! Rejected: vectors of eight numbers (AVX-512). They took another 8 % off the factors of states and nothing off the rest, which waits
//! for memory; loops that the compiler puts into vectors by itself became slower; and every kernel would be compiled once more.

use pulp::{Arch, Scalar256b, Simd, WithSimd};

/// Work whose loops are worth wider vectors.
pub(crate) trait Kernel {
    /// What it returns.
    type Output;

    /// Does it with vectors of four numbers; to be marked `#[inline(always)]`.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

struct Call<K>(K);

impl<K: Kernel> WithSimd for Call<K> {
    type Output = K::Output;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> K::Output {
        self.0.run(simd)
    }
}

/// Runs a kernel with the widest vectors that this processor has.
#[inline]
pub(crate) fn widest<K: Kernel>(kernel: K) -> K::Output {
    match Arch::new() {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Arch::V3(simd) => Simd::vectorize(simd, Call(kernel)),
        // Four numbers as the processor holds them: in two vectors, or each by itself.
        _ => Simd::vectorize(Scalar256b, Call(kernel)),
    }
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

/// Numbers in a vector.
const LANES: usize = 4;

/// `D` numbers in vectors. The compiler puts loops over arrays into vectors, too, but where `D` is no multiple of four it spends more
/// on moving numbers between them than on the sums. Here the last vector begins earlier instead and shares numbers with the one
/// before: both hold the same for them, since each number is worked out by itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<S: Simd, const D: usize>(S::f64s, S::f64s, S::f64s);

impl<S: Simd, const D: usize> Row<S, D> {
    const VECTORS: usize = D.div_ceil(LANES);

    /// The same number everywhere.
    #[inline(always)]
    pub fn splat(simd: S, number: f64) -> Self {
        let all = simd.splat_f64s(number);
        Row(all, all, all)
    }

    /// The numbers of a list from a place on.
    #[inline(always)]
    pub fn read(list: &[f64], at: usize) -> Self {
        let list = &list[at..at + D];
        let vector = |vector| S::as_simd_f64s(&list[Self::begin(vector)..][..LANES]).0[0];
        Row(vector(0), vector(1), vector(2))
    }

    /// Sets the numbers of a list from a place on. To read them again at once takes long: the processor waits until both of the
    /// vectors that share numbers have reached its cache.
    #[inline(always)]
    pub fn write(self, list: &mut [f64], at: usize) {
        let list = &mut list[at..at + D];
        let mut set = |vector, value| {
            if vector < Self::VECTORS {
                S::as_mut_simd_f64s(&mut list[Self::begin(vector)..][..LANES]).0[0] = value;
            }
        };
        set(0, self.0);
        set(1, self.1);
        set(2, self.2);
    }

    /// Where a vector begins.
    #[inline(always)]
    fn begin(vector: usize) -> usize {
        (vector * LANES).min(D.saturating_sub(LANES))
    }

    /// Adds number by number.
    #[inline(always)]
    pub fn plus(self, simd: S, other: Self) -> Self {
        Row(simd.add_f64s(self.0, other.0), simd.add_f64s(self.1, other.1), simd.add_f64s(self.2, other.2))
    }

    /// Multiplies number by number.
    #[inline(always)]
    pub fn times(self, simd: S, other: Self) -> Self {
        Row(simd.mul_f64s(self.0, other.0), simd.mul_f64s(self.1, other.1), simd.mul_f64s(self.2, other.2))
    }
}

/// A row of a table as numbers of its own: all of it is read before anything is written, so that the compiler need not ask whether
/// tables overlap.
#[inline(always)]
pub(crate) fn read<const D: usize>(table: &[f64], at: usize) -> [f64; D] {
    let row = &table[at..at + D];
    std::array::from_fn(|k| row[k])
}

/// Calls a function for all columns of rows that long: eight at a time, and what is left four, two and one at a time. The compiler
/// puts such blocks into vectors; where all columns are one block, it moves numbers between vectors instead.
macro_rules! in_blocks {
    ($columns:expr, $function:ident ( $($argument:expr),* )) => {{
        let columns: usize = $columns;
        let mut at = 0;
        while at + 8 <= columns {
            $function::<8>(at, $($argument),*);
            at += 8;
        }
        if columns & 4 != 0 {
            $function::<4>(at, $($argument),*);
            at += 4;
        }
        if columns & 2 != 0 {
            $function::<2>(at, $($argument),*);
            at += 2;
        }
        if columns & 1 != 0 {
            $function::<1>(at, $($argument),*);
        }
    }};
}
pub(crate) use in_blocks;

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
        fn run<S: pulp::Simd>(self, _: S) -> [f64; 10] {
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
        let narrow = Sums(&a, &b).run(pulp::Scalar256b);
        assert_eq!(super::widest(Sums(&a, &b)).map(f64::to_bits), narrow.map(f64::to_bits));
    }

    /// Two rows multiplied and added, in vectors that share numbers.
    struct Rows<'a, const D: usize>(&'a [f64], &'a [f64]);

    impl<const D: usize> Kernel for Rows<'_, D> {
        type Output = Vec<f64>;

        #[inline(always)]
        fn run<S: pulp::Simd>(self, simd: S) -> Vec<f64> {
            let (a, b) = (super::Row::<S, D>::read(self.0, 1), super::Row::read(self.1, 2));
            let mut found = vec![-1.0; D + 2];
            a.times(simd, b).plus(simd, super::Row::splat(simd, 0.25)).write(&mut found, 1);
            found
        }
    }

    #[test]
    fn rows_are_worked_out_number_by_number() {
        let mut stream = Stream::new(4, 0, "rows");
        let mut numbers = |n: usize| -> Vec<f64> { (0..n).map(|_| stream.unit() - 0.5).collect() };
        let (a, b) = (numbers(20), numbers(20));
        let check = |found: Vec<f64>| {
            let d = found.len() - 2;
            let row = (0..d).map(|k| a[1 + k] * b[2 + k] + 0.25);
            let right: Vec<f64> = std::iter::once(-1.0).chain(row).chain([-1.0]).collect();
            assert_eq!(found, right, "{d} numbers");
        };
        check(super::widest(Rows::<4>(&a, &b)));
        check(super::widest(Rows::<8>(&a, &b)));
        check(super::widest(Rows::<10>(&a, &b)));
        check(super::widest(Rows::<12>(&a, &b)));
        check(Rows::<10>(&a, &b).run(pulp::Scalar256b));
    }

    /// Blocks of states on several threads, and the tables of stimuli on two.
    #[test]
    fn a_long_life_is_learned_with_the_same_bits_on_any_number_of_threads() {
        let layout = Layout::plain(10, &[9, 8, 7], &[7, 4], &[3], &[4]).expect("a layout");
        let mut stream = Stream::new(8, 0, "threads");
        let truth = teacher(&layout, &mut stream);
        let life = [play(&layout, &truth, World { ticks: 400, ..World::default() }, &mut stream)];
        let start = Params::random(&layout, &mut stream);
        let settings = EmSettings { iterations: 3, least_gain: 0.0, ..EmSettings::default() };
        let learn = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let run = pool.install(|| from_params(&layout, start.clone(), &life, &settings, &|_| {}));
            run.expect("a life that can be learned")
        };
        let one = learn(1);
        assert_eq!(learn(2), one);
        assert_eq!(learn(5), one);
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
