//! Tables at the edges: no columns, one row, equal rows, very many columns, more rows than 16 bits count.

use super::{Example, Numbers};
use crate::bits::BitMatrix;
use crate::problem::Problem;
use crate::solution::Ending;
use crate::{exhaustive, solve};
use treewright_core::prelude::{Cancel, Isa};

fn example(rows: usize, columns: usize, cell: impl Fn(usize, usize) -> bool, code: impl Fn(usize) -> u32) -> Example {
    let cells: Vec<u8> = (0..rows * columns).map(|i| u8::from(cell(i / columns, i % columns))).collect();
    let bits = BitMatrix::from_rows(rows, columns, &cells).unwrap();
    Example { bits, codes: (0..rows).map(code).collect(), classes: 2, weights: Vec::new() }
}

/// The errors of the best tree, which must be proven.
fn errors(example: &Example, depth: usize) -> f64 {
    let cancel = Cancel::default();
    let problem = Problem { max_depth: depth, ..example.problem(&cancel) };
    let answer = solve(&problem).unwrap();
    assert_eq!((answer.ending, answer.lower_bound), (Ending::Proven, answer.cost));
    assert_eq!(example.cost(&problem, &answer.nodes), answer.cost);
    answer.errors
}

#[test]
fn small_and_strange_tables() {
    for depth in [0, 1, 2, 3, 4, 5, 30] {
        assert_eq!(errors(&example(5, 0, |_, _| false, |row| row as u32 % 2), depth), 2.0);
        assert_eq!(errors(&example(1, 3, |_, _| true, |_| 1), depth), 0.0);
        assert_eq!(errors(&example(9, 3, |_, _| true, |row| row as u32 % 2), depth), 4.0);
        assert_eq!(errors(&example(9, 3, |row, _| row > 4, |_| 1), depth), 0.0);
        let parity = |row: usize| row.count_ones() % 2;
        let right = if depth >= 4 { 0.0 } else { 8.0 };
        assert_eq!(errors(&example(16, 4, |row, column| row >> column & 1 == 1, parity), depth), right);
    }
}

#[test]
fn nothing_to_learn_from_is_an_error() {
    let cancel = Cancel::default();
    let empty = example(0, 2, |_, _| false, |_| 0);
    assert!(solve(&empty.problem(&cancel)).is_err());
    let mut wrong = example(3, 1, |_, _| false, |_| 0);
    wrong.codes[1] = 2;
    assert!(solve(&wrong.problem(&cancel)).is_err());
    let table = example(3, 1, |row, _| row > 1, |row| row as u32 / 2);
    let problem = table.problem(&cancel);
    assert!(solve(&Problem { weights: Some(&[1, 2]), ..problem }).is_err());
    assert!(solve(&Problem { weights: Some(&[u32::MAX; 3]), ..problem }).is_err());
    assert!(solve(&Problem { leaf_cost: f64::NAN, ..problem }).is_err());
    assert!(solve(&Problem { max_depth: 31, ..problem }).is_err());
    assert_eq!(solve(&Problem { weights: Some(&[0, 0, 0]), ..problem }).unwrap().cost, 0.0);
    assert_eq!(solve(&Problem { leaf_cost: 1e300, ..problem }).unwrap().nodes.leaves(), 1);
}

#[test]
fn very_many_columns_of_few_rows() {
    let wide = example(10, 65_536, |row, column| column >> row & 1 == 1, |row| u32::from(row % 3 == 1));
    assert_eq!(errors(&wide, 1), 0.0);
    assert_eq!(errors(&wide, 4), 0.0);
}

#[test]
fn more_rows_than_16_bits_count() {
    let cancel = Cancel::default();
    let mut numbers = Numbers::new(9);
    for classes in [2, 3] {
        let table = Example::random(&mut numbers, 70_000, 5, classes);
        for (min_leaf, leaf_cost) in [(1, 0.0), (40, 0.0), (1, 12.5)] {
            let problem = Problem { max_depth: 3, min_leaf, leaf_cost, ..table.problem(&cancel) };
            let answer = table.solve(Isa::detect(), &problem);
            assert_eq!(answer.cost, exhaustive::solve(&problem).unwrap().cost);
            assert_eq!(answer.cost, table.cost(&problem, &answer.nodes));
        }
    }
}

#[test]
fn distinct_rows_beyond_16_bits_are_counted_in_32() {
    // 40,000 different rows: none can be merged.
    let code = |row: usize| u32::from(row % 7 < 3) ^ (row as u32 >> 4 & 1);
    let table = example(40_000, 17, |row, column| row >> column & 1 == 1, code);
    let cancel = Cancel::default();
    let problem = Problem { max_depth: 2, ..table.problem(&cancel) };
    let answers: Vec<f64> = Isa::all().map(|isa| table.solve(isa, &problem).cost).collect();
    assert!(answers.iter().all(|&cost| cost == answers[0]));
    assert_eq!(answers[0], exhaustive::solve(&problem).unwrap().cost);
}

#[test]
fn more_columns_than_counts_of_pairs_have_room_for_are_refused() {
    // Every column has another pattern, and none is the opposite of another: the last row has no ones.
    let wide =
        example(17, 40_000, |row, column| (column + 1) >> row & 1 == 1, |row| u32::from(row % 3 == 1 && row < 16));
    assert_eq!(errors(&wide, 1), 0.0);
    let cancel = Cancel::default();
    let error = solve(&Problem { max_depth: 2, ..wide.problem(&cancel) }).unwrap_err();
    assert!(format!("{error:?}").contains("optimal.too-large"), "{error:?}");
}
