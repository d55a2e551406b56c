//! Costs of trees for classes as integers: no order of additions can change them.

use crate::problem::{MAX_WEIGHT, Problem};

/// What errors and leaves cost, in integer parts of one error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// An error of weight 1.
    pub unit: i32,
    /// A leaf.
    pub leaf: i32,
}

impl Costs {
    /// The costs of a problem. With a cost of leaves an error is 1,024 parts (fewer where the weights are so large that
    /// the sum would not fit 30 bits), and the cost of a leaf is rounded to whole parts; a leaf never costs more than all
    /// rows, since such a tree has one leaf anyway.
    pub fn of(problem: &Problem<'_>) -> Costs {
        let total = problem.total_weight().max(1);
        if problem.leaf_cost == 0.0 {
            return Costs { unit: 1, leaf: 0 };
        }
        let mut unit = 1024;
        while unit > 1 && total * unit >= MAX_WEIGHT / 2 {
            unit /= 2;
        }
        let most = (total * unit) as f64;
        Costs { unit: unit as i32, leaf: (problem.leaf_cost * unit as f64).round().min(most) as i32 }
    }

    /// The cost in errors of weight 1.
    pub fn in_errors(self, cost: i64) -> f64 {
        cost as f64 / f64::from(self.unit)
    }
}
