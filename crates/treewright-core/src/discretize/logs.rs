//! n log₂ n as integers: sums of them are exact, so the best cut does not depend on the order of additions.

/// Larger numbers are computed when they are asked for.
const MAX_TABULATED: usize = 1 << 22;

/// Multiples of one power of two, as fine as sums over all rows allow.
#[derive(Debug)]
pub struct Logs {
    table: Vec<i64>,
    unit: f64,
}

impl Logs {
    /// For numbers up to this.
    pub fn new(rows: usize) -> Logs {
        let most = (rows as f64 + 2.0) * libm::log2(rows as f64 + 2.0);
        // Four such sums stay below 2^62.
        let unit = libm::ldexp(1.0, (58 - libm::frexp(most).1).min(40));
        let table = (0..=rows.min(MAX_TABULATED)).map(|n| exact(n as u64, unit)).collect();
        Logs { table, unit }
    }

    /// n log₂ n.
    #[inline(always)]
    pub fn of(&self, n: u64) -> i64 {
        self.table.get(n as usize).copied().unwrap_or_else(|| exact(n, self.unit))
    }

    /// What such a sum is worth.
    pub fn real(&self, sum: i64) -> f64 {
        sum as f64 / self.unit
    }
}

fn exact(n: u64, unit: f64) -> i64 {
    if n < 2 { 0 } else { libm::rint(n as f64 * libm::log2(n as f64) * unit) as i64 }
}
