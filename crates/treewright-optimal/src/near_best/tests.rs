//! Counts against a list of all trees.

use super::*;
use crate::bits::BitMatrix;
use crate::problem::{Columns, Target};
use crate::test_random::Random;
use treewright_core::prelude::Cancel;

/// A tree as a list would have it: its cost, the columns it uses, and the answer if it is a leaf.
#[derive(Clone)]
struct Tree {
    errors: f64,
    leaves: usize,
    columns: u32,
    answer: Option<usize>,
}

struct Toy {
    matrix: BitMatrix,
    codes: Vec<u32>,
    weights: Vec<u32>,
    classes: usize,
    min_leaf: usize,
}

impl Toy {
    /// Every tree.
    fn trees(&self, rows: &[usize], depth: usize) -> Vec<Tree> {
        let mut weights = vec![0; self.classes];
        rows.iter().for_each(|&row| weights[self.codes[row] as usize] += self.weights[row]);
        let answer = (0..self.classes).rev().max_by_key(|&class| weights[class]);
        let most = weights.iter().max().copied().unwrap_or(0);
        let errors = f64::from(weights.iter().sum::<u32>() - most);
        let mut trees = vec![Tree { errors, leaves: 1, columns: 0, answer }];
        for column in 0..if depth > 0 { self.matrix.columns() } else { 0 } {
            let (ones, zeros): (Vec<usize>, Vec<usize>) = rows.iter().partition(|&&row| self.matrix.get(row, column));
            if ones.len().min(zeros.len()) < self.min_leaf {
                continue;
            }
            let right = self.trees(&ones, depth - 1);
            for left in self.trees(&zeros, depth - 1) {
                for right in right.iter().filter(|right| left.answer.is_none() || left.answer != right.answer) {
                    trees.push(Tree {
                        errors: left.errors + right.errors,
                        leaves: left.leaves + right.leaves,
                        columns: left.columns | right.columns | 1 << column,
                        answer: None,
                    });
                }
            }
        }
        trees
    }
}

#[test]
fn counts_are_those_of_a_list_of_all_trees() {
    let mut random = Random::new(21);
    for round in 0..120 {
        let depth = round % 4;
        let (rows, columns) = (1 + random.below(20), 1 + random.below([5, 5, 4, 3][depth]));
        let cells: Vec<u8> = (0..rows * columns).map(|_| random.below(2) as u8).collect();
        let classes = 2 + random.below(2);
        let toy = Toy {
            matrix: BitMatrix::from_rows(rows, columns, &cells).unwrap(),
            codes: (0..rows).map(|_| random.below(classes) as u32).collect(),
            weights: (0..rows).map(|_| if round % 3 == 0 { random.below(4) as u32 } else { 1 }).collect(),
            classes,
            min_leaf: 1 + random.below(3),
        };
        let leaf_cost = [0.0, 0.0, 0.5][random.below(3)];
        let within = [0.0, 0.1, 0.5, 3.0][random.below(4)];
        let cancel = Cancel::default();
        let target = Target::Classes { codes: &toy.codes, classes };
        let problem = Problem {
            weights: Some(&toy.weights),
            max_depth: depth,
            leaf_cost,
            min_leaf: toy.min_leaf,
            threads: 1 + round % 2,
            ..Problem::new(Columns::Bits(&toy.matrix), target, &cancel)
        };
        let answer = count_near_best(&problem, within).unwrap();
        let used: Vec<usize> = (0..rows).filter(|&row| toy.weights[row] > 0).collect();
        let trees = toy.trees(&used, depth);
        let cost = |tree: &&Tree| tree.errors + leaf_cost * tree.leaves as f64;
        let best = trees.iter().map(|tree| cost(&tree)).fold(f64::INFINITY, f64::min);
        let near: Vec<&Tree> = trees.iter().filter(|tree| cost(tree) <= best * (1.0 + within) + 1e-9).collect();
        assert_eq!((answer.best, answer.is_exact), (best, true), "round {round}");
        assert_eq!(answer.trees, near.len() as u128, "round {round} depth {depth}");
        for column in 0..columns {
            let users = near.iter().filter(|tree| tree.columns >> column & 1 == 1).count() as u128;
            assert_eq!(answer.users[column], Some(users), "round {round} column {column}");
        }
    }
}

#[test]
fn a_count_that_is_stopped_says_so() {
    let mut random = Random::new(22);
    let cells: Vec<u8> = (0..200 * 30).map(|_| random.below(2) as u8).collect();
    let matrix = BitMatrix::from_rows(200, 30, &cells).unwrap();
    let codes: Vec<u32> = (0..200).map(|_| random.below(2) as u32).collect();
    let cancel = Cancel::default();
    let target = Target::Classes { codes: &codes, classes: 2 };
    let problem = Problem { max_depth: 3, ..Problem::new(Columns::Bits(&matrix), target, &cancel) };
    let stopped = count_near_best(&Problem { time_limit: Some(0.0), ..problem }, 0.05).unwrap();
    assert!(!stopped.is_exact && stopped.users.iter().all(Option::is_none));
    assert_eq!(stopped.ending, Ending::TimeLimit);
    assert!(count_near_best(&problem, f64::NAN).is_err());
}
