//! The search and its bounds against the definition: every tree.

use super::*;
use crate::bits::BitMatrix;
use crate::problem::Target;
use crate::test_random::Random;
use treewright_core::prelude::Cancel;

/// A table of bits: some free, some cuts of one number.
struct Toy {
    matrix: BitMatrix,
    target: Vec<f64>,
    weights: Option<Vec<u32>>,
}

impl Toy {
    fn new(random: &mut Random, most_rows: usize, most_columns: usize) -> Toy {
        let (rows, columns) = (1 + random.below(most_rows), 1 + random.below(most_columns));
        let number: Vec<usize> = (0..rows).map(|_| random.below(6)).collect();
        let cuts = random.below(columns + 1).min(5);
        let cell = |row: usize, column: usize, random: &mut Random| match column < cuts {
            true => u8::from(number[row] > column),
            false => u8::from(random.below(3) == 0),
        };
        let cells: Vec<u8> = (0..rows * columns).map(|k| cell(k / columns, k % columns, random)).collect();
        let matrix = BitMatrix::from_rows(rows, columns, &cells).unwrap();
        let scale = [1.0, 1e-3, 1e9][random.below(3)];
        let target = (0..rows).map(|row| scale * (number[row] * 3 + random.below(8)) as f64 + 0.5 * scale).collect();
        let weights = (random.below(3) == 0).then(|| (0..rows).map(|_| random.below(4) as u32).collect());
        Toy { matrix, target, weights }
    }

    fn problem<'a>(&'a self, cancel: &'a Cancel) -> Problem<'a> {
        let mut problem = Problem::new(Columns::Bits(&self.matrix), Target::Numbers(&self.target), cancel);
        problem.weights = self.weights.as_deref();
        problem
    }

    fn solve(&self, change: impl FnOnce(&mut Problem<'_>)) -> Solution {
        let cancel = Cancel::default();
        let mut problem = self.problem(&cancel);
        change(&mut problem);
        crate::solve(&problem).unwrap()
    }

    fn weight(&self, row: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| f64::from(weights[row]))
    }

    /// Rows of weight 0 are left out.
    fn all(&self) -> Vec<usize> {
        (0..self.target.len()).filter(|&row| self.weight(row) > 0.0).collect()
    }

    fn squared_error(&self, rows: &[usize]) -> f64 {
        let weight: f64 = rows.iter().map(|&row| self.weight(row)).sum();
        let mean = rows.iter().map(|&row| self.weight(row) * self.target[row]).sum::<f64>() / weight.max(1e-9);
        rows.iter().map(|&row| self.weight(row) * (self.target[row] - mean).powi(2)).sum()
    }

    /// The least cost by definition.
    fn least(&self, rows: &[usize], depth: usize, leaf_cost: f64, min_leaf: usize) -> f64 {
        let mut best = self.squared_error(rows) + leaf_cost;
        for column in 0..if depth > 0 { self.matrix.columns() } else { 0 } {
            let (left, right): (Vec<usize>, Vec<usize>) = rows.iter().partition(|&&row| !self.matrix.get(row, column));
            if left.len().min(right.len()) >= min_leaf.max(1) {
                let sides = [left, right].map(|side| self.least(&side, depth - 1, leaf_cost, min_leaf));
                best = best.min(sides[0] + sides[1]);
            }
        }
        best
    }

    /// The cost of a tree, counted row by row; None if a leaf is too small.
    fn cost_of(&self, solution: &Solution, leaf_cost: f64, min_leaf: usize) -> Option<f64> {
        let mut leaves: std::collections::BTreeMap<usize, Vec<usize>> = Default::default();
        for row in self.all() {
            let leaf = solution.nodes.leaf_of(|column| f64::from(u8::from(self.matrix.get(row, column))));
            leaves.entry(leaf).or_default().push(row);
        }
        let wrong = |(&leaf, rows): (&usize, &Vec<usize>)| -> f64 {
            let value = solution.nodes.value[leaf];
            rows.iter().map(|&row| self.weight(row) * (self.target[row] - value).powi(2)).sum()
        };
        let large = leaves.values().all(|rows| rows.len() >= min_leaf) && leaves.len() == solution.nodes.leaves();
        large.then(|| leaves.iter().map(wrong).sum::<f64>() + leaf_cost * leaves.len() as f64)
    }

    /// How far costs may be apart.
    fn tolerance(&self) -> f64 {
        1e-9 * self.target.iter().enumerate().map(|(row, y)| self.weight(row) * y * y).sum::<f64>()
    }
}

#[test]
fn the_least_cost_is_that_of_the_definition() {
    let mut random = Random::new(11);
    for round in 0..300 {
        let depth = round % 6;
        let toy = Toy::new(&mut random, 40, [9, 9, 9, 6, 5, 4][depth]);
        let leaf_cost = [0.0, 0.0, 0.01, 0.1][random.below(4)] * toy.squared_error(&toy.all());
        let min_leaf = [1, 1, 2, 5][random.below(4)];
        let expected = toy.least(&toy.all(), depth, leaf_cost, min_leaf);
        let trees = [(1, None), (2, Some(0)), (4, Some(1 << 16))].map(|(threads, table_bytes)| {
            let solution = toy.solve(|problem| {
                (problem.max_depth, problem.leaf_cost, problem.min_leaf) = (depth, leaf_cost, min_leaf);
                (problem.threads, problem.table_bytes) = (threads, table_bytes);
            });
            let at = format!("round {round} depth {depth} leaf cost {leaf_cost} minimum leaf {min_leaf}");
            assert!((solution.cost - expected).abs() <= toy.tolerance(), "{at}: {} {expected}", solution.cost);
            assert_eq!((solution.lower_bound, solution.ending), (solution.cost, Ending::Proven), "{at}");
            let counted = toy.cost_of(&solution, leaf_cost, min_leaf.min(toy.all().len()));
            assert!(
                toy.all().is_empty() || counted.is_some_and(|cost| (cost - expected).abs() <= toy.tolerance()),
                "{at}: {counted:?}"
            );
            solution.nodes
        });
        assert!(trees.iter().all(|tree| *tree == trees[0]));
    }
}

#[test]
fn no_tree_scores_more_than_its_bounds() {
    let mut random = Random::new(12);
    for round in 0..120 {
        let toy = Toy::new(&mut random, 30, 5);
        let (depth, min_leaf) = (round % 4, 1 + round % 2);
        let leaf_cost = [0.0, 0.02, 0.2][round % 3] * toy.squared_error(&toy.all());
        let cancel = Cancel::default();
        let problem = Problem { leaf_cost, ..toy.problem(&cancel) };
        let sample = Sample::new(&problem, &toy.matrix).unwrap();
        let list: Vec<u32> = (0..sample.groups.len() as u32).collect();
        let least = toy.least(&toy.all(), depth, leaf_cost, min_leaf);
        let cost_of = |score: f64| sample.in_units(sample.squares - score);
        for bound in [clusters::bound_score(&sample, &list, 1 << depth), clusters::bound_by_groups(&sample, &list)] {
            assert!(cost_of(bound) <= least + toy.tolerance(), "round {round}: {} {least}", cost_of(bound));
        }
    }
}

#[test]
fn clusters_are_the_best_of_all_stretches() {
    let mut random = Random::new(13);
    for _ in 0..60 {
        let toy = Toy::new(&mut random, 14, 6);
        let cancel = Cancel::default();
        let sample = Sample::new(&toy.problem(&cancel), &toy.matrix).unwrap();
        let list: Vec<u32> = (0..sample.groups.len() as u32).collect();
        for most in 1..5 {
            let every = best_stretches(&sample, &list, most);
            let score = clusters::bound_score(&sample, &list, most);
            assert!((score - every).abs() <= 1e-9 * sample.squares.max(1.0), "{score} {every}");
        }
    }
}

/// The most that up to so many stretches explain, by trying all.
fn best_stretches(sample: &Sample, list: &[u32], most: usize) -> f64 {
    let complete = sample.total(list).explained();
    if most == 1 {
        return complete;
    }
    let cut = |at: usize| sample.total(&list[..at]).explained() + best_stretches(sample, &list[at..], most - 1);
    (1..list.len()).map(cut).fold(complete, f64::max)
}

#[test]
fn a_search_that_is_stopped_has_a_tree_and_a_bound() {
    let mut random = Random::new(14);
    let cells: Vec<u8> = (0..400 * 20).map(|_| random.below(2) as u8).collect();
    let matrix = BitMatrix::from_rows(400, 20, &cells).unwrap();
    let toy = Toy { matrix, target: (0..400).map(|_| random.below(1000) as f64).collect(), weights: None };
    let complete = toy.solve(|problem| problem.max_depth = 4);
    for limit in [0.0, 0.0005, 0.005] {
        let solution = toy.solve(|problem| (problem.max_depth, problem.time_limit) = (4, Some(limit)));
        assert!(solution.lower_bound <= complete.cost + toy.tolerance());
        assert!(complete.cost <= solution.cost + toy.tolerance());
        let counted = toy.cost_of(&solution, 0.0, 1).unwrap();
        assert!((counted - solution.cost).abs() <= toy.tolerance());
        let rises = |pair: &[(f64, f64, f64)]| pair[0].1 >= pair[1].1 && pair[0].2 <= pair[1].2;
        assert!(solution.progress.windows(2).all(rises));
    }
}

#[test]
fn a_search_that_is_cancelled_ends_before_the_next_level() {
    let mut random = Random::new(16);
    let cells: Vec<u8> = (0..60 * 12).map(|_| random.below(2) as u8).collect();
    let matrix = BitMatrix::from_rows(60, 12, &cells).unwrap();
    let toy = Toy { matrix, target: (0..60).map(|_| random.below(1000) as f64).collect(), weights: None };
    let cancel = Cancel::default();
    cancel.cancel();
    for max_depth in 1..=4 {
        let solution = crate::solve(&Problem { max_depth, ..toy.problem(&cancel) }).unwrap();
        assert_eq!((solution.ending, solution.nodes.leaves()), (Ending::Cancelled, 1), "depth {max_depth}");
        assert!(solution.lower_bound < solution.cost);
    }
}

#[test]
fn a_limit_that_no_clock_counts_to_is_none() {
    let toy = Toy::new(&mut Random::new(17), 30, 5);
    for limit in [f64::INFINITY, 1e300] {
        assert_eq!(toy.solve(|problem| problem.time_limit = Some(limit)).ending, Ending::Proven);
    }
}

#[test]
fn more_columns_than_sums_of_pairs_have_room_for_are_refused() {
    // The first row has no ones, and every column another pattern: none is equal or opposite to another.
    let columns = MOST_COLUMNS + 1;
    let cells: Vec<u8> = (0..15 * columns).map(|k| ((k % columns + 1) << 1 >> (k / columns) & 1) as u8).collect();
    let matrix = BitMatrix::from_rows(15, columns, &cells).unwrap();
    let toy = Toy { matrix, target: (0..15).map(f64::from).collect(), weights: None };
    let cancel = Cancel::default();
    let solve = |max_depth| crate::solve(&Problem { max_depth, ..toy.problem(&cancel) });
    assert_eq!(solve(1).unwrap().ending, Ending::Proven);
    assert!(format!("{:?}", solve(2).unwrap_err()).contains("optimal.too-large"));
}

#[test]
fn odd_tables_have_trees_too() {
    let solve = |rows: usize, columns: usize, cells: &[u8], target: &[f64]| {
        let matrix = BitMatrix::from_rows(rows, columns, cells).unwrap();
        Toy { matrix, target: target.to_vec(), weights: None }.solve(|problem| problem.max_depth = 4)
    };
    assert_eq!(solve(1, 1, &[1], &[7.0]).nodes.value, [7.0]);
    assert_eq!(solve(3, 0, &[], &[1.0, 2.0, 3.0]).cost, 2.0);
    assert_eq!(solve(2, 1, &[0, 1], &[5.0, 5.0]).nodes.leaves(), 1);
    let extreme = solve(2, 1, &[0, 1], &[-1e300, 1e300]);
    assert_eq!((extreme.nodes.leaves(), extreme.errors), (2, 0.0));
    let tiny = solve(2, 1, &[0, 1], &[1e-300, 3e-300]);
    assert!(tiny.nodes.value.iter().all(|value| (0.9e-300..3.1e-300).contains(value)));
    // Equal and opposite columns are one.
    let solution = solve(4, 3, &[0, 0, 1, 0, 0, 1, 1, 1, 0, 1, 1, 0], &[1.0, 1.0, 2.0, 2.0]);
    assert_eq!((solution.errors, solution.nodes.feature[0]), (0.0, 0));
}

#[test]
fn a_part_never_costs_more_than_the_whole() {
    let mut random = Random::new(15);
    for round in 0..80 {
        let toy = Toy::new(&mut random, 24, 4);
        let leaf_cost = [0.0, 0.02, 0.2][round % 3] * toy.squared_error(&toy.all());
        let part: Vec<usize> = toy.all().into_iter().filter(|_| random.below(4) > 0).collect();
        let depth = 1 + round % 3;
        let costs = [part, toy.all()].map(|rows| toy.least(&rows, depth, leaf_cost, 1));
        assert!(costs[0] <= costs[1] + toy.tolerance(), "round {round}: {costs:?}");
    }
}
