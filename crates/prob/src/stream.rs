//! Random streams from (seed, agent, purpose).
//!
//! Every use of chance has a stream of its own, so that adding an agent, or a draw for another purpose,
//! disturbs no other. The generator is xoshiro256++, named and portable; its 256 bits of state are mixed from
//! the three with the finaliser of SplitMix64, so that neighbouring agents share nothing.

use std::convert::Infallible;

use rand_core::{Rng, SeedableRng, TryRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

/// One stream of random numbers. Serialises, so that a saved mind goes on with the same chance.
///
/// ```
/// use repertoire_prob::Stream;
/// let mut aim = Stream::new(42, 7, "aim");
/// let again = Stream::new(42, 7, "aim").unit();
/// assert_eq!(aim.unit(), again);
/// assert_ne!(aim.unit(), Stream::new(42, 8, "aim").unit());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stream(Xoshiro256PlusPlus);

impl Stream {
    /// The stream of one agent for one purpose in a world of this seed.
    pub fn new(seed: u64, agent: u64, purpose: &str) -> Self {
        let purpose = fnv1a(purpose.as_bytes());
        let mut bytes = [0; 32];
        for (k, word) in bytes.chunks_exact_mut(8).enumerate() {
            let start = seed.wrapping_add((k as u64 + 1).wrapping_mul(GOLDEN));
            let mixed = mix(mix(mix(start).wrapping_add(agent)).wrapping_add(purpose));
            word.copy_from_slice(&mixed.to_le_bytes());
        }
        Stream(Xoshiro256PlusPlus::from_seed(bytes))
    }

    /// A number in `[0, 1)`, with 53 bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        unit(self)
    }
}

impl TryRng for Stream {
    type Error = Infallible;
    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.0.try_next_u32()
    }
    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0.try_next_u64()
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.try_fill_bytes(bytes)
    }
}

/// A number in `[0, 1)` from any generator, with 53 bits.
#[inline]
pub fn unit<R: Rng + ?Sized>(rng: &mut R) -> f64 {
    (rng.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

/// 64 random bits for the `index`-th of something under a key, without a stream: whole populations draw in any order.
///
/// A key of (seed, tick) is itself such a draw. This is SplitMix64, started at the key.
#[inline]
pub fn counter(key: u64, index: u64) -> u64 {
    mix(key.wrapping_add(index.wrapping_add(1).wrapping_mul(GOLDEN)))
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

#[inline]
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// 64 bits of FNV-1a: names a purpose, tells damage; no protection against malice.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_stable() {
        let mut stream = Stream::new(1, 2, "sensor noise");
        let drawn = [stream.next_u64(), stream.next_u64(), stream.next_u64()];
        assert_eq!(drawn, [12902978926709428111, 8304319090985482882, 4860345396574686923]);
        assert_eq!(Stream::new(0, 0, "").next_u64(), 14204004041931058226);
    }

    #[test]
    fn each_of_the_three_makes_another_stream() {
        let first = |seed, agent, purpose| Stream::new(seed, agent, purpose).next_u64();
        let mut seen: Vec<u64> = Vec::new();
        for seed in 0..20 {
            for agent in 0..20 {
                for purpose in ["", "aim", "walk", "wlak"] {
                    seen.push(first(seed, agent, purpose));
                }
            }
        }
        let all = seen.len();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), all);
    }

    #[test]
    fn bits_are_balanced_across_neighbouring_agents() {
        // 4096 agents, first draw of each: every bit is set about half of the time (6 sigma).
        let mut ones = [0u32; 64];
        for agent in 0..4096 {
            let draw = Stream::new(9, agent, "balance").next_u64();
            for (bit, count) in ones.iter_mut().enumerate() {
                *count += (draw >> bit & 1) as u32;
            }
        }
        for count in ones {
            assert!((count as i32 - 2048).abs() < 192, "{count}");
        }
    }

    #[test]
    fn a_saved_stream_goes_on_where_it_was() {
        let mut stream = Stream::new(3, 3, "save");
        stream.unit();
        let saved = serde_json::to_string(&stream).unwrap();
        let mut restored: Stream = serde_json::from_str(&saved).unwrap();
        assert_eq!(stream.next_u64(), restored.next_u64());
    }
}
