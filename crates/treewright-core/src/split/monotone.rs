//! Monotone answers: what a column may do to them, and the bounds that go down the tree with it.
//!
//! The answer is a node's last output: a mean, or the share of the second of two classes. A division by a constrained
//! column is allowed only if its sides answer in the right order and within the node's bounds; the middle between the
//! two answers then bounds everything below. Divisions by other columns are free: answers are clipped to the bounds.

use crate::stats::criterion::Criterion;

/// What the answers in a subtree must not leave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The least answer.
    pub low: f64,
    /// The greatest answer.
    pub high: f64,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { low: f64::NEG_INFINITY, high: f64::INFINITY }
    }
}

/// A constrained column in a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trend {
    /// Whether the answer must grow with the column, else fall.
    pub rising: bool,
    /// The node's bounds.
    pub bounds: Bounds,
}

impl Trend {
    /// What the answers must do along a column, given the signs of all that are constrained.
    pub fn of(signs: &[i8], column: u32, bounds: Bounds) -> Option<Trend> {
        let sign = signs.get(column as usize).copied().unwrap_or(0);
        (sign != 0).then_some(Trend { rising: sign > 0, bounds })
    }

    /// Whether the sides of a division answer in order and within the bounds. Neither side is empty.
    pub fn allows<C: Criterion>(&self, criterion: &C, low: &[C::Stat], high: &[C::Stat]) -> bool {
        let (low, high) = (answer(criterion, low), answer(criterion, high));
        let ordered = if self.rising { low <= high } else { low >= high };
        let inside = |x: f64| self.bounds.low <= x && x <= self.bounds.high;
        ordered && inside(low) && inside(high)
    }

    /// The bounds of the two children.
    pub fn divide<C: Criterion>(&self, criterion: &C, low: &[C::Stat], high: &[C::Stat]) -> [Bounds; 2] {
        let middle = answer(criterion, low) / 2.0 + answer(criterion, high) / 2.0;
        let below = Bounds { high: middle, ..self.bounds };
        let above = Bounds { low: middle, ..self.bounds };
        if self.rising { [below, above] } else { [above, below] }
    }
}

impl Bounds {
    /// Clips what a node says.
    pub fn clip(&self, value: &mut [f64]) {
        let Some((last, rest)) = value.split_last_mut() else { return };
        if *last < self.low || *last > self.high {
            *last = last.clamp(self.low, self.high);
            // Of two classes the shares still add up to 1.
            rest.iter_mut().for_each(|share| *share = 1.0 - *last);
        }
    }
}

/// What a set of rows answers, before any bounds.
fn answer<C: Criterion>(criterion: &C, stats: &[C::Stat]) -> f64 {
    let mut value = [0.0; 2];
    criterion.value(stats, &mut value[..criterion.outputs()]);
    value[criterion.outputs() - 1]
}
