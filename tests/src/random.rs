//! Numbers that look random and are the same in every run; Marsaglia's xorshift.

/// A sequence of numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A sequence for every seed.
    pub fn new(seed: u64) -> Random {
        // Neighbouring seeds give sequences that have nothing in common (splitmix64).
        let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Random((z ^ (z >> 31)) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `n`; 0 if there is none.
    pub fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { (self.next() >> 11) as usize % n }
    }

    /// A number from 0 to 1, 1 excluded.
    pub fn part(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A size spread evenly over some decades around one.
    pub fn size(&mut self, decades: f64) -> f64 {
        10f64.powf(decades * (self.part() - 0.5))
    }

    /// The same with either sign.
    pub fn value(&mut self, decades: f64) -> f64 {
        let size = self.size(decades);
        if self.part() < 0.5 { -size } else { size }
    }
}
