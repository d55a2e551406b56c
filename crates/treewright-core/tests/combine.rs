//! How the words of many trees become one answer, against sums made by hand.
#![allow(clippy::unwrap_used)]

use treewright_core::prelude::{Cancel, Column, Combine, Forest, How, Kind, Leaf, Link, SplitRule, Table, Tree};

/// `x <= cut` says the first, else the second.
fn stump(cut: f64, below: &[f64], above: &[f64]) -> Tree {
    let mut tree = Tree::new(below.len());
    let leaf = |tree: &mut Tree, value: &[f64]| tree.push(Leaf { value, weight: 1.0, count: 1, cost: 0.0 });
    leaf(&mut tree, below);
    tree.ask(0, 0, &SplitRule::threshold(cut, 0), 1.0);
    leaf(&mut tree, below);
    leaf(&mut tree, above);
    tree
}

fn made(trees: Vec<Tree>, combine: Combine) -> treewright_core::Result<Forest> {
    Forest::combined(vec![Kind::Numeric], trees, combine)
}

fn says(forest: &Forest, x: f64, raw: bool, trees: std::ops::Range<usize>) -> Vec<f64> {
    let values = [x];
    let table = Table::new(vec![Column::Numeric(&values)], 1).unwrap();
    forest.answer(&table, trees, raw, 1, &Cancel::default()).unwrap()
}

#[test]
fn sums_begin_at_the_base_and_are_linked() {
    let trees = || vec![stump(0.0, &[1.0], &[2.0]), stump(1.0, &[10.0], &[20.0])];
    let scaled = Combine { scales: vec![0.5, 0.1], ..Combine::sum(vec![3.0], Link::Identity) };
    assert_eq!(says(&made(trees(), scaled).unwrap(), 0.5, false, 0..2), [3.0 + 0.5 * 2.0 + 0.1 * 10.0]);
    let linked = made(trees(), Combine::sum(vec![-11.0], Link::Logistic)).unwrap();
    assert_eq!((linked.raw_outputs(), linked.outputs()), (1, 2));
    assert_eq!(says(&linked, -1.0, true, 0..2), [0.0]);
    assert_eq!(says(&linked, -1.0, false, 0..2), [0.5, 0.5]);
    assert_eq!(says(&linked, -1.0, true, 0..0), [-11.0]);
    let exp = made(trees(), Combine::sum(vec![-11.0], Link::Exp)).unwrap();
    assert_eq!(says(&exp, -1.0, false, 0..2), [1.0]);
}

#[test]
fn trees_with_targets_add_to_one_sum_each() {
    let trees = vec![stump(0.0, &[1.0], &[0.0]), stump(0.0, &[0.0], &[1.0]), stump(0.0, &[2.0], &[2.0])];
    let combine = Combine { targets: vec![0, 1, 1], ..Combine::sum(vec![0.0, 0.0], Link::Softmax) };
    let forest = made(trees, combine).unwrap();
    assert_eq!(says(&forest, -1.0, true, 0..3), [1.0, 2.0]);
    let shares = says(&forest, -1.0, false, 0..3);
    assert!((shares[0] - 1.0 / (1.0 + 1f64.exp())).abs() < 1e-15 && (shares[0] + shares[1] - 1.0).abs() < 1e-15);
}

/// The decision of three classes: 1.5 of 2 votes for the first, the rest for the last.
#[test]
fn votes_go_to_the_first_of_the_greatest() {
    let trees = vec![stump(0.0, &[0.4, 0.4, 0.2], &[0.0, 0.0, 1.0]), stump(0.0, &[0.0, 0.1, 0.9], &[0.0, 1.0, 0.0])];
    let combine = Combine { how: How::Vote, link: Link::Softmax, scales: vec![1.5, 0.5], ..Combine::default() };
    let forest = made(trees, combine).unwrap();
    assert_eq!(says(&forest, -1.0, true, 0..2), [(1.5 - 0.25) / 2.0, -0.5, (0.5 - 0.75) / 2.0]);
    assert_eq!(says(&forest, -1.0, true, 1..2), [-0.5, -0.5, 1.0]);
    let share = |d: f64| (d / 2.0).exp();
    let all = share(0.625) + share(-0.5) + share(-0.125);
    assert!((says(&forest, -1.0, false, 0..2)[0] - share(0.625) / all).abs() < 1e-15);
}

#[test]
fn the_median_is_weighted() {
    let trees = || vec![stump(0.0, &[3.0], &[0.0]), stump(0.0, &[1.0], &[0.0]), stump(0.0, &[2.0], &[0.0])];
    let median = |scales: &[f64]| {
        let combine = Combine { how: How::Median, scales: scales.to_vec(), ..Combine::default() };
        says(&made(trees(), combine).unwrap(), -1.0, false, 0..3)[0]
    };
    assert_eq!((median(&[]), median(&[5.0, 1.0, 1.0]), median(&[1.0, 2.0, 1.0])), (2.0, 3.0, 1.0));
}

#[test]
fn running_sums_are_the_answers_of_every_stage() {
    let trees: Vec<Tree> = (0..9).map(|i| stump(f64::from(i) / 7.0, &[0.1, 0.7], &[0.3, 1.0 / 3.0])).collect();
    let vote = Combine { how: How::Vote, scales: (1..10).map(|i| f64::from(i) / 3.0).collect(), ..Combine::default() };
    for combine in [Combine::mean(), Combine::sum(vec![0.1, 0.2], Link::Softmax), vote] {
        let forest = made(trees.clone(), combine).unwrap();
        let values = [0.2, 0.9, f64::NAN];
        let table = Table::new(vec![Column::Numeric(&values)], 3).unwrap();
        let mut sums = vec![0.0; 6];
        forest.combine().begin(&mut sums);
        for last in 1..=9 {
            forest.gather(&table, last - 1..last, &mut sums, 1, &Cancel::default()).unwrap();
            let mut raw = sums.clone();
            forest.settle(&(0..last), &mut raw);
            assert_eq!(raw, forest.answer(&table, 0..last, true, 2, &Cancel::default()).unwrap());
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let one = || stump(0.0, &[1.0], &[2.0]);
    let two = || stump(0.0, &[1.0, 0.0], &[0.0, 1.0]);
    let with = |how, link| Combine { how, link, ..Combine::default() };
    let wrong: Vec<(Vec<Tree>, Combine)> = vec![
        (vec![one(), two()], Combine::mean()),
        (vec![], Combine::mean()),
        (vec![one()], Combine { scales: vec![2.0], ..Combine::mean() }),
        (vec![one()], Combine { base: vec![0.0], ..Combine::mean() }),
        (vec![one()], Combine::sum(vec![], Link::Identity)),
        (vec![two()], Combine::sum(vec![0.0], Link::Identity)),
        (vec![two()], Combine { targets: vec![0], ..Combine::sum(vec![0.0, 0.0], Link::Identity) }),
        (vec![one()], Combine { targets: vec![2], ..Combine::sum(vec![0.0, 0.0], Link::Identity) }),
        (vec![one()], Combine { scales: vec![1.0, 2.0], ..Combine::sum(vec![0.0], Link::Identity) }),
        (vec![one()], Combine { scales: vec![f64::NAN], ..Combine::sum(vec![0.0], Link::Identity) }),
        (vec![one()], Combine::sum(vec![f64::INFINITY], Link::Identity)),
        (vec![two()], Combine::sum(vec![0.0, 0.0], Link::Logistic)),
        (vec![one()], Combine::sum(vec![0.0], Link::Softmax)),
        (vec![one()], with(How::Vote, Link::Identity)),
        (vec![two()], with(How::Median, Link::Identity)),
        (vec![two()], Combine { scales: vec![0.0], ..with(How::Vote, Link::Identity) }),
        (vec![one()], Combine { scales: vec![-1.0], ..with(How::Median, Link::Identity) }),
    ];
    for (i, (trees, combine)) in wrong.into_iter().enumerate() {
        assert!(made(trees, combine).is_err(), "combination {i}");
    }
    let forest = made(vec![two(), two()], with(How::Vote, Link::Identity)).unwrap();
    let values = [0.0];
    let table = Table::new(vec![Column::Numeric(&values)], 1).unwrap();
    for (first, last) in [(0, 3), (2, 1), (1, 1), (usize::MAX, usize::MAX)] {
        assert!(forest.answer(&table, first..last, false, 1, &Cancel::default()).is_err(), "{first} to {last}");
    }
}
