//! The same tree for any number of threads, any size of the table, every tier, and with or without a time limit.

use super::{Example, Numbers};
use crate::problem::{Problem, Target};
use crate::solution::Ending;
use treewright_core::prelude::{Cancel, Isa};

#[test]
fn threads_tables_tiers_and_limits_do_not_change_the_tree() {
    let cancel = Cancel::default();
    let mut numbers = Numbers::new(4);
    for trial in 0..24 {
        let classes = [2, 2, 3][trial % 3];
        let (rows, columns) = (60 + numbers.below(120), 6 + numbers.below(8));
        let example = Example::random(&mut numbers, rows, columns, classes);
        let problem = Problem {
            max_depth: 3 + trial % 3,
            leaf_cost: [0.0, 0.0, 0.5][numbers.below(3)],
            min_leaf: [1, 1, 4][numbers.below(3)],
            ..example.problem(&cancel)
        };
        let first = example.solve(Isa::PORTABLE, &problem);
        for isa in Isa::all() {
            for (threads, table_bytes, time_limit) in
                [(1, Some(0), None), (2, Some(1 << 9), Some(50.0)), (4, None, None), (0, Some(1 << 26), Some(50.0))]
            {
                let answer = example.solve(isa, &Problem { threads, table_bytes, time_limit, ..problem });
                assert_eq!((answer.nodes, answer.cost), (first.nodes.clone(), first.cost), "trial {trial} {isa:?}");
            }
        }
    }
}

#[test]
fn rounds_from_the_beginning_do_not_change_the_tree() {
    let cancel = Cancel::default();
    let mut numbers = Numbers::new(10);
    for trial in 0..16 {
        let classes = [2, 2, 3][trial % 3];
        let rows = 60 + numbers.below(150);
        let mut example = Example::random(&mut numbers, rows, 11, classes);
        for code in example.codes.iter_mut().step_by(4) {
            *code = numbers.below(classes as u64) as u32;
        }
        let problem = Problem {
            max_depth: 5 + trial % 2,
            leaf_cost: [0.0, 0.0, 0.5][numbers.below(3)],
            min_leaf: [1, 1, 3][numbers.below(3)],
            ..example.problem(&cancel)
        };
        let at_once = example.solve_in_rounds(&problem, f64::INFINITY);
        for (threads, table_bytes) in [(1, None), (2, Some(1 << 12)), (4, None)] {
            let in_rounds = example.solve_in_rounds(&Problem { threads, table_bytes, ..problem }, 0.0);
            assert_eq!((in_rounds.nodes, in_rounds.cost), (at_once.nodes.clone(), at_once.cost), "trial {trial}");
            assert_eq!(in_rounds.ending, Ending::Proven);
        }
    }
}

#[test]
fn doubled_rows_are_weights_and_complements_change_nothing() {
    let cancel = Cancel::default();
    let mut numbers = Numbers::new(5);
    for trial in 0..40 {
        let classes = [2, 3][trial % 2];
        let example = Example::random(&mut numbers, 50, 6, classes);
        let problem = Problem { max_depth: 1 + trial % 4, weights: Some(&example.weights), ..example.problem(&cancel) };
        let weighted = example.solve(Isa::detect(), &problem);
        let rows: Vec<usize> =
            (0..50).flat_map(|row| std::iter::repeat_n(row, example.weights[row] as usize)).collect();
        let cell = |row: usize, column: usize| u8::from(example.bits.get(row, column)) ^ u8::from(column % 2 == 1);
        let cells: Vec<u8> = rows.iter().flat_map(|&row| (0..6).map(move |column| cell(row, column))).collect();
        let repeated = Example {
            bits: crate::bits::BitMatrix::from_rows(rows.len(), 6, &cells).unwrap(),
            codes: rows.iter().map(|&row| example.codes[row]).collect(),
            weights: Vec::new(),
            classes,
        };
        let target = Target::Classes { codes: &repeated.codes, classes };
        let problem = Problem { columns: crate::Columns::Bits(&repeated.bits), target, weights: None, ..problem };
        assert_eq!(repeated.solve(Isa::detect(), &problem).cost, weighted.cost);
        let deeper = Problem { max_depth: problem.max_depth + 1, ..problem };
        assert!(repeated.solve(Isa::detect(), &deeper).cost <= weighted.cost);
    }
}
