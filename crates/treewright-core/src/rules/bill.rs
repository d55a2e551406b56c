//! What a set of rules costs to write down, in bits: the rules themselves, and the rows about which they are wrong.
//!
//! The shortest message wins: a rule must save more exceptions than it costs. Rules count half, as in C4.5rules.

use super::condition::{Condition, Test};
use crate::data::table::{Column, MISSING, Table, UNSEEN};
use crate::stats::weights::Weights;
use crate::tolerance::RULE_ERRORS;

/// What a rule's bits count for.
const RULES: f64 = 0.5;
/// The price of what cannot happen.
const IMPOSSIBLE: f64 = 1e6;

/// Bits of conditions, by column.
#[derive(Clone, Debug)]
pub struct Prices {
    /// Naming a column.
    column: f64,
    /// Naming an answer of each column.
    answer: Vec<f64>,
    /// Naming a set of its levels.
    levels: Vec<f64>,
}

impl Prices {
    /// The prices of a training table; naming a column is so many times cheaper as attributes are redundant.
    pub fn new(table: &Table<'_>, weights: &Weights, redundancy: f64) -> Prices {
        let answer: Vec<f64> = table.columns().iter().map(|column| answer_bits(column, weights)).collect();
        let sum: f64 = answer.iter().sum();
        let shares = answer.iter().map(|bits| bits / sum).filter(|share| *share > 0.0);
        let column = if sum > 0.0 { shares.map(|share| -share * libm::log2(share)).sum() } else { 0.0 };
        let levels = table.columns().iter().map(|column| match column {
            Column::Categorical { levels, .. } => f64::from(*levels),
            _ => 0.0,
        });
        Prices { column: column / redundancy, levels: levels.collect(), answer }
    }

    /// The bits of a rule: its conditions in any order.
    pub fn rule<'c>(&self, conditions: impl Iterator<Item = &'c Condition>) -> f64 {
        let (mut bits, mut count) = (0.0, 0u32);
        for condition in conditions {
            let feature = condition.feature as usize;
            let set = matches!(&condition.test, Test::Among(levels) if levels.len() > 1);
            bits += self.column + if set { self.levels[feature] } else { self.answer[feature] };
            count += 1;
        }
        bits + libm::log2(f64::from(count.max(1))) - log2_factorial(count)
    }
}

fn answer_bits(column: &Column<'_>, weights: &Weights) -> f64 {
    let total: f64 = weights.units.iter().sum::<u64>() as f64;
    match column {
        Column::Categorical { codes, levels } => {
            let mut seen = vec![0u64; *levels as usize];
            for (&code, &units) in codes.iter().zip(&weights.units).filter(|(code, _)| **code < UNSEEN) {
                seen[code as usize] += units;
            }
            let filled = seen.iter().filter(|units| **units > 0).map(|&units| units as f64);
            filled.map(|units| units / total * libm::log2(total / units)).sum()
        }
        _ => {
            let present = weights.units.iter().enumerate().filter(|(_, units)| **units > 0);
            // A missing value counts as one more different number.
            let mut numbers: Vec<u64> = present.map(|(row, _)| key(column.number(row))).collect();
            numbers.sort_unstable();
            numbers.dedup();
            if numbers.len() > 1 { 1.0 + libm::log2(numbers.len() as f64) / 2.0 } else { 0.0 }
        }
    }
}

/// Equal for equal numbers in single precision, which is how they were compared; one for all missing values.
fn key(number: f64) -> u64 {
    if number.is_nan() { u64::from(MISSING) << 32 } else { u64::from((number as f32 + 0.0).to_bits()) }
}

/// The bits of rules: those of each, less the logarithm of the orders in which they could be written.
pub fn theory(rule_bits: f64, log2_orders: f64) -> f64 {
    RULES * (rule_bits - log2_orders)
}

/// The bits that name the rows about which a set of rules is wrong: `fires` of `all` rows are covered, `wrong` of them
/// wrongly, and `missed` of the others should be.
pub fn exceptions(all: f64, fires: f64, wrong: f64, missed: f64) -> f64 {
    let expected = (wrong + missed) / 2.0;
    let (among, beside) = if fires > all / 2.0 { (expected, missed) } else { (wrong, expected) };
    libm::log2(all) + biased(fires, wrong, among) + biased(all - fires, missed, beside)
}

/// The bits that name `errors` of `rows` rows when so many are expected.
fn biased(rows: f64, errors: f64, expected: f64) -> f64 {
    if expected <= RULE_ERRORS {
        return if errors == 0.0 { 0.0 } else { IMPOSSIBLE };
    }
    if expected >= rows - RULE_ERRORS {
        return if errors == rows { 0.0 } else { IMPOSSIBLE };
    }
    let share = expected / rows;
    -errors * libm::log2(share) - (rows - errors) * libm::log2(1.0 - share)
}

/// `log2(n!)`.
pub fn log2_factorial(n: u32) -> f64 {
    (2..=n).map(|k| libm::log2(f64::from(k))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exceptions_cost_nothing_but_their_number_where_there_are_none() {
        assert_eq!(exceptions(16.0, 4.0, 0.0, 0.0), 4.0);
        assert_eq!(exceptions(16.0, 4.0, 0.0, 2.0), 4.0 + biased(12.0, 2.0, 1.0));
        assert!((biased(12.0, 2.0, 1.0) - (2.0 * libm::log2(12.0) - 10.0 * libm::log2(11.0 / 12.0))).abs() < 1e-12);
        assert_eq!(biased(3.0, 3.0, 3.0), 0.0);
    }
}
