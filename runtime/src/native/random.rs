//! Random numbers: the xorshift generators of `Modelica.Math.Random` (Vigna, 2014).
//!
//! States are vectors of 32-bit Integers, two for each 64-bit word, the lower half first. Outputs are the random number and
//! then the new state. `automaticGlobalSeed` is left out on purpose: a run must be repeatable.
#![forbid(unsafe_code)]

/// The hidden state of the impure generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImpureRandom {
    pub(super) words: [u64; 16],
    pub(super) position: usize,
    pub(super) id: i32,
}

/// A signed word as a number between 0 and 1, never 0.
pub(super) fn fraction(word: u64) -> f64 {
    word as i64 as f64 * 5.421_010_862_427_522e-20 + 0.5
}

pub(super) fn join(low: f64, high: f64) -> u64 {
    u64::from(low as i64 as u32) | u64::from(high as i64 as u32) << 32
}

pub(super) fn split(word: u64) -> [f64; 2] {
    [f64::from(word as u32 as i32), f64::from((word >> 32) as u32 as i32)]
}

pub(super) fn xorshift64star(mut word: u64) -> u64 {
    word ^= word >> 12;
    word ^= word << 25;
    word ^= word >> 27;
    word.wrapping_mul(2_685_821_657_736_338_717)
}

pub(super) fn xorshift128plus([s1, s0]: [u64; 2]) -> [u64; 2] {
    let s1 = s1 ^ s1 << 23;
    [s0, (s1 ^ s0 ^ s1 >> 17 ^ s0 >> 26).wrapping_add(s0)]
}

/// Changes the state and gives a number.
pub(super) fn xorshift1024star(words: &mut [u64; 16], position: &mut usize) -> f64 {
    let mut s0 = words[*position & 15];
    *position = (*position + 1) & 15;
    let mut s1 = words[*position];
    s1 ^= s1 << 31;
    s1 ^= s1 >> 11;
    s0 ^= s0 >> 30;
    words[*position] = s0 ^ s1;
    fraction(words[*position].wrapping_mul(1_181_783_497_276_652_981))
}

/// The state of the largest generator: 16 words and a position.
pub(super) fn read_state(state: &[f64; 33]) -> ([u64; 16], usize) {
    (std::array::from_fn(|i| join(state[2 * i], state[2 * i + 1])), (state[32] as i64 & 15) as usize)
}
