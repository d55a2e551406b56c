//! Random numbers of tests.

/// The same numbers in every run.
pub struct Random(u64);

impl Random {
    /// Numbers that depend on a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A number from 0 on and below `most`.
    pub fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % most as u64) as usize
    }
}
