//! Limits and policies that few recipes have: the trees are those of the list engine, too.

use super::{CRITERIA, FREE, Noise, Task, assert_same, fast, plain};
use crate::data::table::Kind;
use crate::grow::{Limits, grow};
use crate::model::tree::Tree;
use crate::rng::Stream;
use crate::rows::columns::bag::Base;
use crate::rows::columns::kernels::Isa;
use crate::rows::columns::kernels::formula::Formula;
use crate::rows::columns::known::Absent;
use crate::rows::columns::plan::Plan;
use crate::rows::list::{List, SearchRules};
use crate::split::choose::Chooser;
use crate::split::sampling::FeatureSampling;
use crate::split::subset::SubsetRules;
use crate::split::unknowns::Unknowns;
use crate::stats::criterion::{Classes, Criterion, SquaredError};
use crate::stats::numbers::Numbers;
use crate::stats::weights::Weights;
use crate::sys::pool::Cancel;

/// A table with weights, and how it is grown.
struct Trial {
    task: Task,
    weights: Weights,
    splits: SearchRules,
    share: f64,
    limits: Limits,
}

impl Trial {
    /// Tables of all kinds; what weights are like depends on the seed: alike, few whole ones, of all sizes.
    fn new(seed: u64, rows: usize) -> Trial {
        let mut noise = Noise(seed + 4000);
        let (rows, width, classes) = (2 + noise.below(rows), 1 + noise.below(4), 2 + noise.below(3));
        let task = Task::mixed(seed, rows, width, classes);
        let weight = |noise: &mut Noise| match seed % 5 {
            0 | 1 => 1.0,
            2 => 1.0 + noise.below(3) as f64,
            3 => noise.next() + 0.1,
            _ => libm::pow(10.0, -3.0 * noise.next()),
        };
        let weights = Weights::new(&(0..rows).map(|_| weight(&mut noise)).collect::<Vec<_>>()).unwrap();
        let min_leaf = [1, 1, 1, 2, 5][noise.below(5)];
        let splits = SearchRules {
            unknowns: Unknowns::Side,
            min_leaf,
            subsets: Some(SubsetRules::default()),
            ..SearchRules::default()
        };
        Trial { task, weights, splits, share: 0.0, limits: FREE }
    }

    /// The tree of the list engine.
    fn expect<C: Criterion>(&self, law: &C) -> Tree {
        let mut stats = vec![C::Stat::default(); law.width()];
        self.weights.units.iter().enumerate().for_each(|(row, &weight)| law.add(&mut stats, row, weight));
        let splits = SearchRules { min_weight: self.share * law.weight(&stats), ..self.splits.clone() };
        let cancel = Cancel::default();
        let mut rows = List::new(&self.task.table(), law, &self.weights, splits, &cancel).unwrap();
        grow(&mut rows, &Chooser::Share { min_gain: None }, &self.limits, &cancel).unwrap()
    }

    /// Compares the trees of both engines; returns how many nodes they have.
    fn compare(&self) -> usize {
        let Trial { task, weights, splits, .. } = self;
        let of = Classes { target: &task.classes, classes: task.count, unit: weights.unit };
        let numbers = Numbers::new(&task.numbers, weights.units.iter().sum());
        let squared = SquaredError { target: &numbers, unit: weights.unit };
        let (table, cancel, mut nodes) = (task.table(), Cancel::default(), 0);
        for criterion in CRITERIA.into_iter().filter(|_| splits.monotone.is_empty() || task.count == 2) {
            let law = task.criterion(criterion, of);
            let expected = if criterion == "squared" { self.expect(&squared) } else { self.expect(&law) };
            nodes += expected.len();
            for (threads, isa) in Isa::all().map(|isa| (1, isa)).chain([(3, Isa::detect())]) {
                let plan = Plan {
                    min_leaf: splits.min_leaf,
                    min_leaf_share: self.share,
                    unknowns: if matches!(splits.unknowns, Unknowns::Branch) { Absent::Branch } else { Absent::Side },
                    monotone: &splits.monotone,
                    ..plain(&self.limits, &cancel, (threads, isa))
                };
                let what = format!("{criterion}, {} rows, {splits:?}, {threads} threads, {isa:?}", table.rows());
                if splits.sampling.is_none() {
                    assert_same(&expected, &fast(task, criterion, weights, &plan), &what);
                } else if criterion == "squared" {
                    let base = Base::numbers(&plan, &table, &numbers.units).unwrap().unwrap();
                    let tree = base.grow_weighted_numbers(&plan, &squared, weights, splits.sampling, threads);
                    assert_same(&expected, &tree.unwrap(), &what);
                } else {
                    let base = Base::classes(&plan, &table, &task.classes, task.count).unwrap().unwrap();
                    let formula = Formula::of(&law).unwrap();
                    let tree = base.grow_weighed(&plan, formula, weights, splits.sampling, threads);
                    assert_same(&expected, &tree.unwrap(), &what);
                }
            }
        }
        nodes
    }

    /// Draws columns, and perhaps cuts.
    fn drawing(mut self, seed: u64) -> Trial {
        let columns = 1 + seed as usize % (self.task.columns.len() + self.task.levels.len());
        self.splits.sampling =
            Some(FeatureSampling { stream: Stream::new(seed, 3), columns, cuts: seed.is_multiple_of(2) });
        self
    }

    /// Some columns have a trend.
    fn rising(mut self, seed: u64) -> Trial {
        let mut noise = Noise(seed);
        let sign = |kind: &Kind| if *kind == Kind::Numeric { noise.below(3) as i8 - 1 } else { 0 };
        self.splits.monotone = self.task.table().kinds().iter().map(sign).collect();
        self
    }
}

#[test]
fn children_of_a_least_weight() {
    let mut nodes = 0;
    for seed in 0..300 {
        let mut trial = Trial::new(seed, [30, 90, 400, 1500][seed as usize % 4]);
        trial.share = [0.003, 0.01, 0.1, 0.3, 0.5][seed as usize / 4 % 5];
        trial = match seed % 7 {
            5 => trial.drawing(seed),
            6 => trial.rising(seed),
            _ => trial,
        };
        nodes += trial.compare();
    }
    assert!(nodes > 10_000);
}

#[test]
fn missing_values_have_a_child_of_their_own() {
    let mut threes = 0;
    for seed in 0..400 {
        let mut trial = Trial::new(seed, [20, 60, 300, 900][seed as usize % 4]);
        trial.splits.unknowns = Unknowns::Branch;
        trial.share = [0.0, 0.0, 0.0, 0.02][seed as usize / 5 % 4];
        trial.limits.max_leaves = (seed % 9 == 0).then_some(7);
        trial = match seed % 7 {
            4 => trial.drawing(seed),
            5 => trial.drawing(seed).rising(seed),
            6 => trial.rising(seed),
            _ => trial,
        };
        threes += trial.compare();
    }
    assert!(threes > 20_000);
}
