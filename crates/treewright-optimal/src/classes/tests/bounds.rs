//! Each bound against the exhaustive search, with a cost of leaves and a minimum leaf, for each depth.

use super::super::bounds::Bounds;
use super::{Example, Numbers};
use crate::cost::Costs;
use crate::exhaustive;
use crate::problem::{Columns, Problem, Target};
use treewright_core::prelude::Cancel;

/// The least costs of subsets of the rows of an example, in integers.
struct Costed<'a> {
    example: &'a Example,
    problem: Problem<'a>,
    costs: Costs,
}

impl Costed<'_> {
    /// e(A) for the rows that are wanted.
    fn least(&self, depth: usize, is_in: impl Fn(usize) -> bool) -> i32 {
        let rows: Vec<usize> = (0..self.example.codes.len()).filter(|&row| is_in(row)).collect();
        let columns = self.example.bits.columns();
        let cells: Vec<u8> = rows
            .iter()
            .flat_map(|&row| (0..columns).map(move |column| u8::from(self.example.bits.get(row, column))))
            .collect();
        let bits = crate::bits::BitMatrix::from_rows(rows.len(), columns, &cells).unwrap();
        let codes: Vec<u32> = rows.iter().map(|&row| self.example.codes[row]).collect();
        let weights: Vec<u32> = rows.iter().map(|&row| self.problem.weight(row)).collect();
        let target = Target::Classes { codes: &codes, classes: self.example.classes };
        let problem = Problem {
            columns: Columns::Bits(&bits),
            target,
            weights: Some(&weights),
            max_depth: depth,
            ..self.problem
        };
        (exhaustive::solve_with(&problem, self.costs).unwrap().cost * f64::from(self.costs.unit)).round() as i32
    }

    fn weigh(&self, is_in: impl Fn(usize) -> bool) -> i32 {
        (0..self.example.codes.len()).filter(|&row| is_in(row)).map(|row| self.problem.weight(row) as i32).sum()
    }

    /// Checks the bounds that follow from the costs of all rows and of the sides of two columns; counts those that are
    /// reached.
    fn check(&self, depth: usize, bounds: &Bounds, tight: &mut [i32; 3], case: &str) {
        let has = |row: usize, column: usize| self.example.bits.get(row, column);
        let sides_of = |column: usize| [false, true].map(|one| self.least(depth, |row| has(row, column) == one));
        let (column, other) = (0, 1);
        let sides = sides_of(column);
        let weights = [false, true].map(|one| self.weigh(|row| has(row, column) == one));
        // From nothing, from one side, and from both sides known.
        for known in [[0, 0], [sides[0], 0], [0, sides[1]], sides] {
            let mut raised = known;
            bounds.raise_sides(&mut raised, self.least(depth, |_| true), weights, depth);
            assert!(raised[0] <= sides[0] && raised[1] <= sides[1], "{case}: {raised:?} above {sides:?}");
            tight[0] += i32::from(known != sides && raised == sides);
        }
        if bounds.relates_columns() {
            let common = self.weigh(|row| has(row, column) && has(row, other));
            let of_other = self.weigh(|row| has(row, other));
            let all = self.weigh(|_| true);
            let raised = bounds.relate(sides_of(other), all, of_other, weights[1], common, depth);
            assert!(raised[0] <= sides[0] && raised[1] <= sides[1], "{case}: {raised:?} above {sides:?}");
            tight[1] += i32::from(raised[0] > 0 && raised[0] == sides[0]);
            tight[2] += i32::from(raised[1] > 0 && raised[1] == sides[1]);
        }
    }
}

#[test]
fn every_bound_holds_for_every_depth_and_option() {
    let cancel = Cancel::default();
    let mut numbers = Numbers::new(2);
    let mut tight = [0; 3];
    for trial in 0..250 {
        let (rows, columns) = (6 + numbers.below(18), 2 + numbers.below(3));
        let classes = [2, 2, 3][numbers.below(3)];
        let example = Example::random(&mut numbers, rows, columns, classes);
        let weights: Vec<u32> = example.weights.iter().map(|&weight| weight.max(1)).collect();
        let problem = Problem {
            leaf_cost: [0.0, 0.0, 0.5, 1.0, 3.0][numbers.below(5)],
            min_leaf: [1, 1, 2, 4][numbers.below(4)],
            weights: (trial % 3 == 0).then_some(&weights),
            ..example.problem(&cancel)
        };
        let costs = Costs::of(&problem);
        let costed = Costed { example: &example, problem, costs };
        let bounds = Bounds {
            unit: costs.unit,
            leaf: costs.leaf,
            two_classes: classes == 2,
            has_min_leaf: problem.min_leaf > 1,
        };
        let has = |row: usize, column: usize| example.bits.get(row, column);
        let all = costed.weigh(|_| true);
        // A column that does not divide the rows is no candidate.
        if (0..2).any(|column| [0, all].contains(&costed.weigh(|row| has(row, column)))) {
            continue;
        }
        for depth in 0..3 {
            costed.check(depth, &bounds, &mut tight, &format!("trial {trial} depth {depth} {bounds:?}"));
        }
    }
    // A bound that is never reached would prove nothing.
    assert!(tight.iter().all(|&count| count > 10), "{tight:?}");
}
