//! The columns grow the trees of the list engine, on any number of threads and with the kernels of every processor.

mod policies;
mod samples;
mod weights;

use super::kernels::Isa;
use super::known::Absent;
use super::plan::Plan;
use crate::data::table::{Column, Kind, Table};
use crate::grow::{Limits, grow};
use crate::model::tree::Tree;
use crate::rows::list::{List, SearchRules};
use crate::split::choose::Chooser;
use crate::split::sampling::FeatureSampling;
use crate::split::subset::SubsetRules;
use crate::split::unknowns::Unknowns;
use crate::stats::criterion::{ClassCriterion, Classes, Criterion, Impurity, SquaredError};
use crate::stats::numbers::Numbers;
use crate::stats::weights::Weights;
use crate::sys::pool::Cancel;

/// Numbers that look random but are always the same.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, most: usize) -> usize {
        (self.next() * most as f64) as usize
    }
}

/// One column of a kind: continuous, few numbers, two numbers, clusters, constant, heavy tails, steps of a tenth.
fn column(kind: usize, rows: usize, noise: &mut Noise) -> Vec<f64> {
    (0..rows)
        .map(|_| {
            let x = noise.next();
            match kind {
                0 => x,
                1 => (x * 7.0).floor(),
                2 => (x * 2.0).floor(),
                3 => (x * 3.0).floor() * 1e6 + (noise.next() * 4.0).floor() * 1e-7,
                4 => 5.0,
                5 => (x - 0.5).powi(15) * 1e20,
                6 => (x * 300.0).floor() / 10.0,
                _ => (x * 100_000.0).floor() - 50_000.0,
            }
        })
        .collect()
}

struct Task {
    columns: Vec<Vec<f64>>,
    /// The codes of categorical columns, and how many levels there are.
    levels: Vec<(Vec<u32>, u32)>,
    classes: Vec<u32>,
    count: usize,
    numbers: Vec<f64>,
}

impl Task {
    fn new(seed: u64, rows: usize, width: usize, count: usize) -> Task {
        let mut noise = Noise(seed);
        let columns: Vec<Vec<f64>> = (0..width).map(|_| column(noise.below(8), rows, &mut noise)).collect();
        let signal =
            |row: usize| columns.iter().enumerate().map(|(i, c)| c[row].abs().sqrt() * (i as f64 - 1.5)).sum::<f64>();
        let numbers: Vec<f64> = (0..rows).map(|row| signal(row) + 3.0 * noise.next()).collect();
        let mut sorted = numbers.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let class = |x: &f64| (sorted.partition_point(|y| y < x) * count / rows.max(1)).min(count - 1) as u32;
        Task { classes: numbers.iter().map(class).collect(), columns, levels: Vec::new(), count, numbers }
    }

    /// The same with missing values, some of which tell something, and with columns of categories.
    fn mixed(seed: u64, rows: usize, width: usize, count: usize) -> Task {
        let (mut task, mut noise) = (Task::new(seed, rows, width, count), Noise(seed ^ 0xabc));
        for column in &mut task.columns {
            let rate = [0.0, 0.02, 0.3, 0.9, 1.0][noise.below(5)];
            for (x, class) in column.iter_mut().zip(&task.classes) {
                let told = if noise.below(2) == 0 { f64::from(*class) / count as f64 } else { 0.5 };
                if noise.next() < rate * (0.5 + told) {
                    *x = f64::NAN;
                }
            }
        }
        for _ in 0..noise.below(4).max(rows / 20_000) {
            let levels = [1, 2, 3, 7, 12, 40, 300][noise.below(7)];
            let (told, gaps) = (noise.next(), [0.0, 0.2][noise.below(2)]);
            let mut code = |class: &u32| match noise.next() {
                x if x < gaps => crate::data::table::MISSING,
                _ if noise.next() < told => (class * 7 + noise.below(2) as u32) % levels,
                _ => noise.below(levels as usize) as u32,
            };
            task.levels.push((task.classes.iter().map(&mut code).collect(), levels));
        }
        task
    }

    /// The criterion of a name; "priced" ones have factors that depend on the task: of all sizes, powers of two, alike, or
    /// far apart.
    fn criterion<'c>(&self, name: &str, classes: Classes<'c>) -> ClassCriterion<'c> {
        let impurity = if name.ends_with("gini") { Impurity::Gini } else { Impurity::Entropy };
        let criterion = ClassCriterion::new(impurity, classes);
        if !name.starts_with("priced") {
            return criterion;
        }
        let mut noise = Noise(self.classes.len() as u64 + 7);
        let mut factor = || match self.classes.len() % 4 {
            0 => 0.01 + noise.next() * 9.0,
            1 => [0.25, 1.0, 2.0][noise.below(3)],
            2 => 0.1,
            _ => 10f64.powi(noise.below(5) as i32 - 2),
        };
        let counts: Vec<f64> = (0..self.count).map(|_| factor()).collect();
        let prices: Vec<f64> = (0..self.count).map(|_| factor()).collect();
        criterion.with_factors(&counts, if self.classes.len().is_multiple_of(3) { &prices } else { &[] })
    }

    fn table(&self) -> Table<'_> {
        let numbers = self.columns.iter().map(|column| Column::Numeric(column));
        let mut columns: Vec<Column<'_>> = numbers.collect();
        for (i, (codes, levels)) in self.levels.iter().enumerate() {
            columns.insert((2 * i).min(columns.len()), Column::Categorical { codes, levels: *levels });
        }
        Table::new(columns, self.classes.len()).unwrap()
    }
}

fn clear<C: Criterion>(task: &Task, law: &C, weights: &Weights, limits: &Limits, min_leaf: u32) -> Tree {
    clear_drawn(task, law, weights, limits, min_leaf, None)
}

fn clear_drawn<C: Criterion>(
    task: &Task,
    law: &C,
    weights: &Weights,
    limits: &Limits,
    min_leaf: u32,
    draw: Option<FeatureSampling>,
) -> Tree {
    let splits = SearchRules {
        unknowns: Unknowns::Side,
        min_leaf,
        subsets: Some(SubsetRules::default()),
        sampling: draw,
        ..SearchRules::default()
    };
    let cancel = Cancel::default();
    let mut rows = List::new(&task.table(), law, weights, splits, &cancel).unwrap();
    grow(&mut rows, &Chooser::Share { min_gain: None }, limits, &cancel).unwrap()
}

/// A plan without any option, for so many threads and a processor's kernels.
fn plain<'a>(limits: &'a Limits, cancel: &'a Cancel, (threads, isa): (usize, Isa)) -> Plan<'a> {
    Plan {
        min_leaf: 1,
        min_leaf_share: 0.0,
        min_gain: None,
        limits,
        threads,
        isa,
        cancel,
        mixed: true,
        unknowns: Absent::Side,
        monotone: &[],
        below: None,
    }
}

fn fast(task: &Task, criterion: &str, weights: &Weights, plan: &Plan<'_>) -> Tree {
    let (table, unit) = (task.table(), weights.unit);
    let classes = Classes { target: &task.classes, classes: task.count, unit };
    let tree = match criterion {
        "squared" => {
            let numbers = Numbers::new(&task.numbers, weights.units.iter().sum());
            plan.numbers(&table, &SquaredError { target: &numbers, unit }, weights)
        }
        _ => plan.classes(&table, &task.criterion(criterion, classes), &task.classes, weights),
    };
    tree.unwrap().unwrap()
}

fn compare(task: &Task, criterion: &str, limits: &Limits, min_leaf: u32, weight: f64) -> usize {
    let rows = task.classes.len();
    let weights = Weights::new(&vec![weight; rows]).unwrap();
    let classes = Classes { target: &task.classes, classes: task.count, unit: weights.unit };
    let expected = match criterion {
        "squared" => {
            let numbers = Numbers::new(&task.numbers, weights.units.iter().sum());
            clear(task, &SquaredError { target: &numbers, unit: weights.unit }, &weights, limits, min_leaf)
        }
        _ => clear(task, &task.criterion(criterion, classes), &weights, limits, min_leaf),
    };
    let cancel = Cancel::default();
    for (threads, isa) in Isa::all().map(|isa| (1, isa)).chain([(3, Isa::detect())]) {
        let plan = Plan { min_leaf, ..plain(limits, &cancel, (threads, isa)) };
        let tree = fast(task, criterion, &weights, &plan);
        assert_same(
            &expected,
            &tree,
            &format!("{criterion}, {rows} rows, {} columns, {threads} threads, {isa:?}", task.columns.len()),
        );
    }
    expected.len()
}

fn assert_same(expected: &Tree, tree: &Tree, what: &str) {
    for node in 0..expected.len().min(tree.len()) {
        let show = |tree: &Tree| {
            let (feature, threshold, first) = (tree.feature[node], tree.threshold[node], tree.first_child[node]);
            let numbers = (tree.weight[node], tree.cost[node], tree.gain[node], tree.value_of(node).to_vec());
            format!(
                "{} rows: x{feature} <= {threshold} -> {first} or {}; {numbers:?}",
                tree.count[node], tree.missing[node]
            )
        };
        assert_eq!(show(expected), show(tree), "node {node} of {what}");
    }
    assert_eq!(expected.len(), tree.len(), "{what}");
    assert_eq!(expected.route, tree.route, "{what}");
}

const CRITERIA: [&str; 5] = ["gini", "entropy", "priced gini", "priced entropy", "squared"];
const FREE: Limits = Limits {
    max_depth: u32::MAX,
    min_samples_split: 2,
    max_leaves: None,
    max_p_value: None,
    sufficient_majority: None,
};

#[test]
fn small_tables_of_all_kinds() {
    for seed in 0..400 {
        let mut noise = Noise(seed);
        let (rows, width, classes) = (1 + noise.below(60), 1 + noise.below(5), 2 + noise.below(4));
        let task = Task::new(seed, rows, width, classes);
        for criterion in CRITERIA {
            compare(&task, criterion, &FREE, 1, 1.0);
        }
    }
}

#[test]
fn small_tables_with_gaps_and_categories() {
    for seed in 0..500 {
        let mut noise = Noise(seed + 99);
        let (rows, width, classes) = (1 + noise.below(70), 1 + noise.below(4), 2 + noise.below(3));
        let task = Task::mixed(seed, rows, width, classes);
        for criterion in CRITERIA {
            compare(&task, criterion, &FREE, [1, 1, 1, 2, 5][seed as usize % 5], 1.0);
        }
    }
}

#[test]
fn larger_tables_with_gaps_and_categories() {
    let mut nodes = 0;
    for (seed, rows, width, classes) in [(1, 3000, 6, 2), (2, 3000, 5, 5), (7, 40_000, 7, 2), (4, 9000, 3, 3)] {
        let task = Task::mixed(seed, rows, width, classes);
        for criterion in CRITERIA {
            let leaf = [1, 3][seed as usize % 2];
            nodes += compare(&task, criterion, &Limits { max_depth: 12, ..FREE }, leaf, 1.0);
        }
    }
    assert!(nodes > 5000);
}

#[test]
fn answers_that_rise_or_fall() {
    for seed in 0..250 {
        let mut noise = Noise(seed + 700);
        let (rows, width) = (2 + noise.below([40, 90, 300][seed as usize % 3]), 1 + noise.below(4));
        let task = Task::mixed(seed, rows, width, 2);
        let given: Vec<f64> = (0..rows).map(|_| if seed % 5 == 0 { noise.next() } else { 1.0 }).collect();
        let weights = Weights::new(&given).unwrap();
        let kinds = task.table().kinds();
        let sign = |kind: &Kind| if *kind == Kind::Numeric { noise.below(3) as i8 - 1 } else { 0 };
        let monotone: Vec<i8> = kinds.iter().map(sign).collect();
        let of = Classes { target: &task.classes, classes: 2, unit: weights.unit };
        let numbers = Numbers::new(&task.numbers, weights.units.iter().sum());
        let (min_leaf, cancel) = ([1, 1, 3][seed as usize % 3], Cancel::default());
        let (chooser, table) = (Chooser::Share { min_gain: None }, task.table());
        for criterion in ["gini", "priced entropy", "squared"] {
            let splits = || SearchRules {
                unknowns: Unknowns::Side,
                min_leaf,
                subsets: Some(SubsetRules::default()),
                monotone: monotone.clone(),
                ..SearchRules::default()
            };
            let of_classes = task.criterion(criterion, of);
            let squared = SquaredError { target: &numbers, unit: weights.unit };
            let expected = match criterion {
                "squared" => {
                    let mut rows = List::new(&table, &squared, &weights, splits(), &cancel).unwrap();
                    grow(&mut rows, &chooser, &FREE, &cancel)
                }
                _ => {
                    let mut rows = List::new(&table, &of_classes, &weights, splits(), &cancel).unwrap();
                    grow(&mut rows, &chooser, &FREE, &cancel)
                }
            };
            for isa in Isa::all() {
                let plan = Plan { min_leaf, monotone: &monotone, ..plain(&FREE, &cancel, (1, isa)) };
                let tree = fast(&task, criterion, &weights, &plan);
                assert_same(
                    expected.as_ref().unwrap(),
                    &tree,
                    &format!("{criterion}, {rows} rows, seed {seed}, {isa:?}"),
                );
            }
        }
    }
}

#[test]
fn limits_and_weights() {
    for seed in 0..60 {
        let mut noise = Noise(seed);
        let rows = 30 + noise.below(300);
        let task = Task::new(seed, rows, 4, 2 + noise.below(2));
        let limits = Limits {
            max_depth: 1 + noise.below(9) as u32,
            min_samples_split: 2 + noise.below(20) as u32,
            max_leaves: (seed % 2 == 0).then(|| 2 + noise.below(20) as u32),
            max_p_value: None,
            sufficient_majority: None,
        };
        for criterion in CRITERIA {
            compare(&task, criterion, &limits, 1 + noise.below(8) as u32, [1.0, 2.0, 0.3, 1e-200][seed as usize % 4]);
        }
    }
}

#[test]
fn larger_tables() {
    let mut nodes = 0;
    for (seed, rows, width, classes) in [(1, 3000, 6, 2), (2, 3000, 5, 7), (3, 20_000, 8, 2), (4, 9000, 3, 3)] {
        let task = Task::new(seed, rows, width, classes);
        for criterion in CRITERIA {
            nodes += compare(&task, criterion, &Limits { max_depth: 12, ..FREE }, 1, 1.0);
        }
    }
    assert!(nodes > 5000);
}
