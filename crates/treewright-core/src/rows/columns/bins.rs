//! How a column's codes are gathered into bins before anything is counted.
//!
//! A bin is a range of codes. Bins stand in the order of the codes, so a cut between two bins is a cut of the column, and
//! every other cut lies inside one bin.

/// The most bins of a column.
pub const MOST: usize = 4096;

/// Bins over a range of codes: `bin = (code - low) * multiplier >> 20`, in 32 bits. Whatever the code, that is less than
/// [`MOST`], and the compiler knows it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bins {
    low: u16,
    high: u16,
    multiplier: u32,
    count: usize,
}

/// The multiplier of one code a bin.
const SINGLE: u32 = 1 << SHIFT;
const SHIFT: u32 = u32::BITS - MOST.ilog2();

impl Bins {
    /// About `wanted` bins for codes from `low` to `high`, or one a code where that is not more.
    pub fn new(low: u16, high: u16, wanted: usize) -> Bins {
        let span = usize::from(high - low) + 1;
        let multiplier = if span <= wanted { SINGLE } else { (((wanted as u64) << SHIFT) / span as u64) as u32 };
        let bins = Bins { low, high, multiplier, count: 0 };
        Bins { count: bins.of(high) + 1, ..bins }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The bin of a code from `low` to `high`.
    #[inline(always)]
    pub fn of(&self, code: u16) -> usize {
        (u32::from(code).wrapping_sub(u32::from(self.low)).wrapping_mul(self.multiplier) >> SHIFT) as usize
    }

    /// Whether each bin is one code.
    pub fn single(&self) -> bool {
        self.multiplier == SINGLE
    }

    /// The least code of a bin.
    pub fn first(&self, bin: usize) -> u16 {
        self.low.saturating_add(((bin as u64) << SHIFT).div_ceil(u64::from(self.multiplier)) as u16)
    }

    /// The greatest code of a bin.
    pub fn last(&self, bin: usize) -> u16 {
        if bin + 1 >= self.count { self.high } else { self.first(bin + 1) - 1 }
    }
}

/// How many bins serve a node best: half as many as its rows, from 256 rows on a quarter, from 4096 rows on less and less.
/// More would be costly to read, fewer would leave more to look at closely.
pub fn wanted(rows: usize) -> usize {
    let bins = match rows {
        0..256 => rows / 2,
        256..4096 => rows / 4,
        _ => (16.0 * (rows as f64).sqrt()) as usize,
    };
    bins.next_multiple_of(16).clamp(64, MOST / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_cover_the_range_in_order() {
        for (low, high, wanted) in [(0, 65535, 2048), (100, 300, 64), (7, 7, 32), (5, 90, 4096), (60_000, 65_535, 1000)]
        {
            let bins = Bins::new(low, high, wanted);
            assert!(bins.count() <= wanted && bins.count() > 0);
            assert_eq!(bins.single(), usize::from(high - low) < wanted);
            let mut bin = 0;
            for code in low..=high {
                assert!(bins.of(code) == bin || bins.of(code) == bin + 1);
                bin = bins.of(code);
                assert!(bins.first(bin) <= code && code <= bins.last(bin));
            }
            assert_eq!(bin + 1, bins.count());
            assert!((1..bins.count()).all(|bin| bins.first(bin) == bins.last(bin - 1) + 1));
        }
    }
}
