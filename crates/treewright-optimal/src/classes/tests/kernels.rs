//! The kernels of every tier against plain counting, for all numbers of lanes and rows around the size of a word.

use super::super::lanes::Count;
use super::super::node::{Node, Setting};
use super::super::rows::Rows;
use super::super::sides::Counting;
use super::{Example, Numbers};
use crate::cost::Costs;
use crate::problem::Problem;
use treewright_core::prelude::{Cancel, Isa};

/// The gains of all roots and the costs of both sides of some columns, as one tier counts them.
fn answers<C: Count>(setting: &Setting, rows: &Rows) -> (Vec<u32>, Vec<i32>) {
    let mut node = Node::<C>::default();
    let own = rows.all();
    node.find_columns(setting, rows, &own);
    if node.columns.is_empty() {
        return (Vec::new(), Vec::new());
    }
    node.load(setting, rows, &own);
    let columns = node.columns.len();
    node.count_pairs(setting, 0, columns / 2);
    node.count_pairs(setting, columns / 2, columns);
    let mut numbers = vec![node.solve_two_levels(setting)];
    numbers.extend((0..columns).map(|column| node.gain_of_root(column)));
    numbers.extend(node.common_weights.iter().map(|&weight| Into::<i32>::into(weight)));
    for column in (0..columns).step_by(1 + columns / 5) {
        numbers.extend(node.solve_sides(setting, column));
    }
    (node.columns.clone(), numbers)
}

#[test]
fn all_tiers_and_both_widths_count_alike() {
    let cancel = Cancel::default();
    let mut numbers = Numbers::new(3);
    let mut sizes: Vec<(usize, usize)> = (1..=130).step_by(3).map(|columns| (40, columns)).collect();
    sizes.extend([1, 2, 15, 16, 17, 31, 33, 63, 64, 65, 500, 1100].map(|rows| (rows, 37)));
    for (trial, (rows, columns)) in sizes.into_iter().enumerate() {
        let classes = [2, 2, 3][trial % 3];
        let mut example = Example::random(&mut numbers, rows, columns, classes);
        if trial % 7 == 0 {
            example.codes.fill(1);
        }
        let min_leaf = [1, 1, 3][trial / 3 % 3];
        let weights = (trial % 2 == 0).then_some(&example.weights[..]);
        let problem = Problem { weights, min_leaf, leaf_cost: [0.0, 0.7][trial / 2 % 2], ..example.problem(&cancel) };
        let counting = Counting::of(classes, min_leaf as i32);
        let mut all = Vec::new();
        for isa in Isa::all() {
            let setting = Setting { isa, counting, costs: Costs::of(&problem), min_leaf: min_leaf as i32 };
            let rows = Rows::new(&problem, &example.bits, &example.codes, classes, isa).unwrap();
            all.push(answers::<i16>(&setting, &rows));
            all.push(answers::<i32>(&setting, &rows));
        }
        assert!(all.iter().all(|answer| *answer == all[0]), "{rows} x {columns}, {counting:?}");
    }
}

#[test]
fn net_counts_cost_what_counts_of_both_classes_cost() {
    let cancel = Cancel::default();
    let mut numbers = Numbers::new(4);
    for trial in 0..60 {
        let (rows, columns) = (1 + numbers.below(150), 1 + numbers.below(70));
        let example = Example::random(&mut numbers, rows, columns, 2);
        let min_leaf = [2, 5, 20][trial % 3];
        let weights = (trial % 2 == 0).then_some(&example.weights[..]);
        let problem = Problem { weights, min_leaf, leaf_cost: [0.0, 0.7][trial / 2 % 2], ..example.problem(&cancel) };
        for isa in Isa::all() {
            let rows = Rows::new(&problem, &example.bits, &example.codes, 2, isa).unwrap();
            let least = min_leaf as i32;
            let costs = [Counting::of(2, least), Counting::Classes { classes: 2, min_leaf: least }].map(|counting| {
                let setting = Setting { isa, counting, costs: Costs::of(&problem), min_leaf: least };
                let mut node = Node::<i16>::default();
                node.find_columns(&setting, &rows, &rows.all());
                if node.columns.is_empty() {
                    return Vec::new();
                }
                node.load(&setting, &rows, &rows.all());
                let columns = node.columns.len();
                node.count_pairs(&setting, 0, columns);
                let mut costs = vec![node.solve_two_levels(&setting)];
                costs.extend((0..columns).flat_map(|column| node.solve_sides(&setting, column)));
                costs
            });
            assert_eq!(costs[0], costs[1], "trial {trial} {isa:?} {min_leaf}");
        }
    }
}
