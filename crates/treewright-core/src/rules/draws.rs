//! The random numbers of the C library's `random`, an additive feedback generator: C4.5rules draws from it, and with the
//! same numbers the same rules are found.

/// A stream of numbers between 0 and 1.
#[derive(Clone, Debug)]
pub struct Draws {
    state: [u32; 34],
    at: usize,
}

impl Draws {
    /// The stream of a seed; the library's own is 1.
    pub fn new(seed: u32) -> Draws {
        let mut state = [0u32; 34];
        let mut word = i64::from(seed.max(1) as i32);
        for place in &mut state[..31] {
            *place = word as u32;
            word = (16807 * word).rem_euclid(2_147_483_647);
        }
        for i in 31..34 {
            state[i] = state[i - 31];
        }
        let mut draws = Draws { state, at: 34 };
        (0..310).for_each(|_| {
            draws.word();
        });
        draws
    }

    fn word(&mut self) -> u32 {
        let back = |n: usize| self.state[(self.at - n) % 34];
        let next = back(31).wrapping_add(back(3));
        self.state[self.at % 34] = next;
        self.at += 1;
        next
    }

    /// The next number.
    pub fn draw(&mut self) -> f64 {
        f64::from(self.word() >> 1) / 2_147_483_648.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_numbers_are_the_library_s() {
        let mut draws = Draws::new(1);
        let first: Vec<f64> = (0..3).map(|_| draws.draw() * 2_147_483_648.0).collect();
        assert_eq!(first, [1_804_289_383.0, 846_930_886.0, 1_681_692_777.0]);
    }
}
