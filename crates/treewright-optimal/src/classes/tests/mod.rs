//! The fast search against the exhaustive one, on random tables with every option; what the other tests share.
#![allow(clippy::unwrap_used)]

mod anytime;
mod bounds;
mod hostile;
mod kernels;
mod same_tree;

use super::table::scramble;
use super::{solve_in_rounds, solve_with};
use crate::bits::BitMatrix;
use crate::exhaustive;
use crate::problem::{Columns, Problem, Target};
use crate::solution::{Ending, Nodes, Solution};
use treewright_core::prelude::{Cancel, Isa};

/// Numbers that look random, the same in every run.
pub struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Numbers {
        Numbers(seed << 32)
    }

    pub fn below(&mut self, end: u64) -> usize {
        self.0 += 1;
        (scramble(self.0) % end) as usize
    }
}

/// A random table with classes that depend on it, and noise.
pub struct Example {
    pub bits: BitMatrix,
    pub codes: Vec<u32>,
    pub classes: usize,
    pub weights: Vec<u32>,
}

impl Example {
    pub fn random(numbers: &mut Numbers, rows: usize, columns: usize, classes: usize) -> Example {
        let share = 1 + numbers.below(6);
        let noise = numbers.below(10);
        let cells: Vec<u8> = (0..rows * columns).map(|_| u8::from(numbers.below(7) < share)).collect();
        let code = |row: usize, numbers: &mut Numbers| {
            let cell = |column: usize| cells[row * columns + column % columns];
            let truth = usize::from(cell(0) ^ (cell(1) & cell(columns - 1))) + usize::from(cell(2));
            if numbers.below(20) < noise { numbers.below(classes as u64) as u32 } else { (truth % classes) as u32 }
        };
        let codes = (0..rows).map(|row| code(row, numbers)).collect();
        let weights = (0..rows).map(|_| [0, 1, 1, 2, 3, 7][numbers.below(6)]).collect();
        Example { bits: BitMatrix::from_rows(rows, columns, &cells).unwrap(), codes, classes, weights }
    }

    pub fn problem<'a>(&'a self, cancel: &'a Cancel) -> Problem<'a> {
        let target = Target::Classes { codes: &self.codes, classes: self.classes };
        Problem::new(Columns::Bits(&self.bits), target, cancel)
    }

    pub fn solve(&self, isa: Isa, problem: &Problem<'_>) -> Solution {
        solve_with(isa, problem, &self.bits, &self.codes, self.classes).unwrap()
    }

    pub fn solve_in_rounds(&self, problem: &Problem<'_>, after: f64) -> Solution {
        solve_in_rounds(Isa::detect(), problem, &self.bits, &self.codes, self.classes, after).unwrap()
    }

    /// The cost of a tree, counted anew; its leaves must have rows enough.
    pub fn cost(&self, problem: &Problem<'_>, nodes: &Nodes) -> f64 {
        let mut errors = 0;
        let mut rows = vec![0; nodes.feature.len()];
        for row in 0..self.codes.len() {
            let leaf = nodes.leaf_of(|column| f64::from(u8::from(self.bits.get(row, column))));
            errors += if nodes.value[leaf] == f64::from(self.codes[row]) { 0 } else { problem.weight(row) };
            rows[leaf] += usize::from(problem.weight(row) > 0);
        }
        let leaves = (0..rows.len()).filter(|&node| nodes.feature[node] < 0);
        assert!(nodes.leaves() == 1 || leaves.clone().all(|leaf| rows[leaf] >= problem.min_leaf));
        let costs = crate::cost::Costs::of(problem);
        f64::from(errors) + costs.in_errors(i64::from(costs.leaf)) * nodes.leaves() as f64
    }
}

fn depth_of(nodes: &Nodes, node: usize) -> usize {
    match usize::try_from(nodes.left[node]) {
        Ok(left) => 1 + depth_of(nodes, left).max(depth_of(nodes, nodes.right[node] as usize)),
        Err(_) => 0,
    }
}

#[test]
fn costs_are_those_of_the_exhaustive_search() {
    let cancel = Cancel::default();
    let mut numbers = Numbers::new(1);
    let isas: Vec<Isa> = Isa::all().collect();
    for trial in 0..300 {
        let (rows, columns) = (10 + numbers.below(80), 2 + numbers.below(4));
        let classes = [2, 2, 2, 3, 5][numbers.below(5)];
        let example = Example::random(&mut numbers, rows, columns, classes);
        let problem = Problem {
            max_depth: 1 + trial % 5,
            leaf_cost: [0.0, 0.0, 0.3, 1.0, 2.5, 7.0][numbers.below(6)],
            min_leaf: [1, 1, 2, 5, 9][numbers.below(5)],
            weights: (numbers.below(3) == 0).then_some(&example.weights),
            ..example.problem(&cancel)
        };
        let right = exhaustive::solve(&problem).unwrap();
        let isa = isas[trial % isas.len()];
        for (threads, time_limit, table_bytes) in [(1, None, None), (2, Some(100.0), Some(1 << 10))] {
            let answer = example.solve(isa, &Problem { threads, time_limit, table_bytes, ..problem });
            let case = format!(
                "trial {trial}, {isa:?}: {rows} x {columns}, {classes} classes, depth {}, leaf cost {}, min leaf {}, weights {}",
                problem.max_depth,
                problem.leaf_cost,
                problem.min_leaf,
                problem.weights.is_some()
            );
            assert_eq!((answer.cost, answer.lower_bound), (right.cost, right.cost), "{case}");
            assert_eq!(answer.ending, Ending::Proven, "{case}");
            assert_eq!(example.cost(&problem, &answer.nodes), answer.cost, "{case}");
            assert!(depth_of(&answer.nodes, 0) <= problem.max_depth, "{case}");
        }
    }
}
