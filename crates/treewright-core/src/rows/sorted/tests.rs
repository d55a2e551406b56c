//! Sorted rows grow the trees of the list engine, on one thread and on several.
//!
//! `TREEWRIGHT_SOAK=20000` compares so many random tables instead of a few.

use super::grow_sharing;
use crate::data::table::{Column, MISSING, Table};
use crate::grow::{Limits, grow};
use crate::model::tree::Tree;
use crate::rows::list::{List, SearchRules};
use crate::split::choose::Chooser;
use crate::split::groups::GroupScore;
use crate::split::shared::{EmptyLeaf, ShareRules, ThresholdAt};
use crate::split::unknowns::Unknowns;
use crate::stats::criterion::{ClassCriterion, Classes, Impurity};
use crate::stats::weights::Weights;
use crate::sys::pool::Cancel;

/// Numbers that look random but are always the same.
pub struct Noise(pub u64);

impl Noise {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn below(&mut self, most: usize) -> usize {
        (self.next() * most as f64) as usize
    }

    pub fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

/// A random table and rules to learn from it.
pub struct Task {
    pub numbers: Vec<Vec<f64>>,
    pub levels: Vec<(Vec<u32>, u32)>,
    pub classes: Vec<u32>,
    pub count: usize,
    pub weights: Option<Vec<f64>>,
    rules: ShareRules,
    chooser: Chooser,
}

/// One number of a kind: continuous, few, two, too close to each other, constant, heavy tails, tenths, halves of the least
/// gap, equal in single precision, zeros of either sign, too large for single precision.
fn number(kind: usize, noise: &mut Noise) -> f64 {
    let x = noise.next();
    match kind {
        0 => x,
        1 => (x * 7.0).floor(),
        2 => (x * 2.0).floor(),
        3 => x * 1e-3,
        4 => 5.0,
        5 => (x - 0.5).powi(15) * 1e20,
        6 => (x * 30.0).floor() / 10.0,
        7 => (x * 20.0).floor() * 5e-6,
        8 => (x * 5.0).floor() + (noise.next() * 3.0).floor() * 1e-9,
        9 => ((x * 5.0).floor() - 2.0) * 0.5 * if noise.next() < 0.5 { 1.0 } else { -1.0 },
        10 => (x * 4.0).floor() * 1e300,
        _ => x as f32 as f64,
    }
}

impl Task {
    pub fn new(seed: u64) -> Task {
        let mut noise = Noise(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        noise.next();
        let rows = noise.one_of(&[1, 2, 5, 14, 40, 100, 100, 300, 700]);
        let rows = 1 + noise.below(rows);
        let count = noise.one_of(&[1, 2, 2, 2, 3, 5, 40]);
        let hidden: Vec<f64> = (0..rows).map(|_| noise.next()).collect();
        let class = |x: &f64, noise: &mut Noise| match noise.next() {
            wild if wild < 0.2 => noise.below(count) as u32,
            _ => (x * count as f64) as u32,
        };
        let classes = hidden.iter().map(|x| class(x, &mut noise)).collect();
        let gaps = noise.one_of(&[0.0, 0.0, 0.05, 0.4]);
        let mut numbers = Vec::new();
        for _ in 0..noise.below(6) {
            let (kind, told) = (noise.below(12), noise.next());
            let rate = gaps * noise.next() * 2.0;
            let mut one = |x: &f64| match noise.next() {
                gap if gap < rate => f64::NAN,
                _ if noise.next() < told => number(kind, &mut Noise((x * 64.0) as u64 * 7919)),
                _ => number(kind, &mut noise),
            };
            numbers.push(hidden.iter().map(&mut one).collect());
        }
        let mut levels = Vec::new();
        for _ in 0..noise.below(4) {
            let count = noise.one_of(&[1, 2, 3, 7, 40]);
            let told = noise.next();
            let mut one = |x: &f64| match noise.next() {
                gap if gap < gaps => MISSING,
                _ if noise.next() < told => (x * f64::from(count)) as u32,
                _ => noise.below(count as usize) as u32,
            };
            levels.push((hidden.iter().map(&mut one).collect(), count));
        }
        let weights = match noise.below(6) {
            0 => Some((0..rows).map(|_| noise.below(4) as f64).collect()),
            1 => Some((0..rows).map(|_| noise.next() * 3.0).collect()),
            2 => Some(vec![0.3; rows]),
            3 => Some((0..rows).map(|_| f64::from(u8::from(noise.next() < 0.7))).collect()),
            _ => None,
        };
        let (rules, chooser) = rules(&mut noise);
        Task { numbers, levels, classes, count, weights, rules, chooser }
    }

    pub fn table(&self) -> Table<'_> {
        let mut columns: Vec<Column<'_>> = self.numbers.iter().map(|numbers| Column::Numeric(numbers)).collect();
        for (i, (codes, levels)) in self.levels.iter().enumerate() {
            columns.insert((2 * i).min(columns.len()), Column::Categorical { codes, levels: *levels });
        }
        Table::new(columns, self.classes.len()).unwrap()
    }

    /// The list engine's tree, and this one's on so many threads; errors are compared as words.
    fn trees(&self, threads: &[usize]) -> (Result<Tree, String>, Vec<Result<Tree, String>>) {
        let (table, cancel) = (self.table(), Cancel::default());
        let weights = Weights::fine(self.weights.as_deref(), self.classes.len()).unwrap();
        let classes = Classes { target: &self.classes, classes: self.count, unit: weights.unit };
        let limits = Limits {
            max_depth: u32::MAX,
            min_samples_split: 2,
            max_leaves: None,
            max_p_value: None,
            sufficient_majority: None,
        };
        let criterion = ClassCriterion::new(Impurity::Entropy, classes);
        let rules = SearchRules { unknowns: Unknowns::Share(self.rules), ..SearchRules::default() };
        let mut list = List::new(&table, &criterion, &weights, rules, &cancel).unwrap();
        let expected = grow(&mut list, &self.chooser, &limits, &cancel).map_err(|error| error.to_string());
        let one = |&threads: &usize| {
            let rules = (self.rules, &self.chooser, &limits);
            let tree = grow_sharing(&table, classes, &weights, rules, None, threads, &cancel);
            tree.map(Option::unwrap).map_err(|error| error.to_string())
        };
        (expected, threads.iter().map(one).collect())
    }

    fn compare(&self, threads: &[usize], what: &str) -> usize {
        let (expected, trees) = self.trees(threads);
        for tree in trees {
            match (&expected, tree) {
                (Ok(expected), Ok(tree)) => assert_same(expected, &tree, what),
                (expected, tree) => assert_eq!(expected.as_ref().err(), tree.as_ref().err(), "{what}"),
            }
        }
        expected.map_or(0, |tree| tree.len())
    }
}

fn rules(noise: &mut Noise) -> (ShareRules, Chooser) {
    let tolerance = noise.one_of(&[1e-9, 1e-9, 1e-6, 0.0, 1e-2]);
    let by_ratio = noise.below(3) > 0;
    let score = if by_ratio { GroupScore::Ratio } else { GroupScore::Gain };
    let min_gain = noise.one_of(&[None, None, Some(0.0), Some(0.01)]);
    let rules = ShareRules {
        min_cases: noise.one_of(&[2.0, 2.0, 1.0, 0.5, 5.0, 30.0]),
        tolerance,
        compare_as_f32: noise.below(2) == 0,
        threshold: noise.one_of(&[ThresholdAt::Value, ThresholdAt::Midpoint]),
        groups: (noise.below(3) == 0).then_some(score),
        empty: noise.one_of(&[EmptyLeaf::Majority, EmptyLeaf::Shares]),
        total: noise.one_of(&[None, None, Some(1000.0)]),
    };
    let chooser = match by_ratio {
        true => Chooser::Ratio {
            floor: noise.one_of(&[-1e-3, 0.0]),
            tie: tolerance,
            min_gain,
            min_ratio: noise.one_of(&[None, None, Some(0.05)]),
        },
        false => Chooser::Gain { min_gain },
    };
    (rules, chooser)
}

/// Trees are equal to the last bit.
pub fn assert_same(expected: &Tree, tree: &Tree, what: &str) {
    for node in 0..expected.len().min(tree.len()) {
        let show = |tree: &Tree| {
            let bits = |x: f64| if x.is_nan() { 0 } else { x.to_bits() };
            let numbers = (tree.weight[node], tree.cost[node], tree.gain[node], tree.value_of(node).to_vec());
            let question = (tree.feature[node], tree.threshold[node], bits(tree.threshold[node]), tree.missing[node]);
            format!("{} rows: {question:?} -> {}; {numbers:?}", tree.count[node], tree.first_child[node])
        };
        assert_eq!(show(expected), show(tree), "node {node} of {what}");
    }
    assert_eq!(expected.len(), tree.len(), "{what}");
    assert_eq!(expected.route, tree.route, "{what}");
    assert_eq!(format!("{:?}", expected.spares), format!("{:?}", tree.spares), "{what}");
}

/// The tables to compare.
pub fn seeds() -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|number| number.parse().ok());
    let tables = number("TREEWRIGHT_SOAK").unwrap_or(if cfg!(miri) { 4 } else { 400 });
    let first = number("TREEWRIGHT_SOAK_FROM").unwrap_or(0);
    first..first + tables
}

#[test]
fn trees_are_those_of_the_list_engine() {
    let seeds = seeds();
    let tables = seeds.end - seeds.start;
    let nodes: usize = seeds.map(|seed| Task::new(seed).compare(&[1], &format!("table {seed}"))).sum();
    assert!(nodes as u64 > tables, "{nodes} nodes are too few to tell anything");
}

/// Rows enough for several threads.
pub fn large(seed: u64, rows: usize, count: usize, gaps: f64) -> Task {
    let mut noise = Noise(seed);
    let mut column = |kind: usize| -> Vec<f64> {
        let mut one = || if noise.next() < gaps { f64::NAN } else { number(kind, &mut noise) };
        (0..rows).map(|_| one()).collect()
    };
    let numbers: Vec<Vec<f64>> = [0, 3, 6, 1, 5, 0, 11].map(&mut column).to_vec();
    let known = |row: usize, i: usize| if numbers[i][row].is_nan() { 0.5 } else { numbers[i][row] };
    let class = |row: usize| ((known(row, 0) + known(row, 5) * 1.7 + known(row, 2) / 3.0) * 7.3) as usize % count;
    let mut wild = Noise(seed + 1);
    let classes = (0..rows).map(|row| if wild.next() < 0.1 { wild.below(count) } else { class(row) } as u32).collect();
    let codes = (0..rows).map(|row| if wild.next() < gaps { MISSING } else { (known(row, 5) * 9.0) as u32 }).collect();
    let (rules, chooser) = rules(&mut noise);
    let rules = ShareRules { min_cases: 2.0, ..rules };
    Task { numbers, levels: vec![(codes, 9)], classes, count, weights: None, rules, chooser }
}

#[test]
#[cfg_attr(miri, ignore)]
fn threads_do_not_show() {
    for (seed, count, gaps) in [(1, 2, 0.0), (2, 5, 0.03)] {
        let task = large(seed, 40_000, count, gaps);
        assert!(task.compare(&[1, 2], &format!("large table {seed}")) > 100);
    }
}
