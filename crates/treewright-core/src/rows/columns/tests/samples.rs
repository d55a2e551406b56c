//! Samples in which rows count several times or not at all, with all columns or some that are drawn.

use super::{CRITERIA, FREE, Noise, Task, assert_same, clear_drawn, fast, plain};
use crate::grow::Limits;
use crate::rng::Stream;
use crate::rows::columns::bag::Base;
use crate::rows::columns::counts::Counts;
use crate::rows::columns::kernels::Isa;
use crate::rows::columns::kernels::formula::Formula;
use crate::rows::columns::plan::Plan;
use crate::split::sampling::FeatureSampling;
use crate::stats::criterion::{Classes, SquaredError};
use crate::stats::numbers::Numbers;
use crate::stats::weights::Weights;
use crate::sys::pool::Cancel;

/// Compares the trees of a sample in which rows count several times or not at all.
fn compare_sample(
    task: &Task,
    criterion: &str,
    times: &[u32],
    limits: &Limits,
    min_leaf: u32,
    draw: Option<FeatureSampling>,
) {
    let (table, cancel) = (task.table(), Cancel::default());
    let weights = Weights::new(&times.iter().map(|&times| f64::from(times)).collect::<Vec<_>>()).unwrap();
    let classes = Classes { target: &task.classes, classes: task.count, unit: 1.0 };
    let numbers = Numbers::new(&task.numbers, weights.units.iter().sum());
    let (of_classes, squared) = (task.criterion(criterion, classes), SquaredError { target: &numbers, unit: 1.0 });
    let expected = match criterion {
        "squared" => clear_drawn(task, &squared, &weights, limits, min_leaf, draw),
        _ => clear_drawn(task, &of_classes, &weights, limits, min_leaf, draw),
    };
    for isa in Isa::all() {
        let plan = Plan { min_leaf, ..plain(limits, &cancel, (1, isa)) };
        let by_class = || Base::classes(&plan, &table, &task.classes, task.count).unwrap().unwrap();
        let tree = match criterion {
            "squared" => {
                let base = Base::numbers(&plan, &table, &numbers.units).unwrap().unwrap();
                base.grow_numbers(&plan, &squared, 1, times, draw, 1)
            }
            _ => {
                let tally = Counts::new(Formula::of(&of_classes).unwrap(), 1);
                by_class().grow_classes(&plan, &tally, times, draw, 1)
            }
        };
        let what = format!("{criterion}, {} rows, {draw:?}, least {min_leaf}, {isa:?}", times.len());
        assert_same(&expected, &tree.unwrap(), &what);
        if draw.is_none() {
            assert_same(&expected, &fast(task, criterion, &weights, &plan), &what);
        }
    }
}

#[test]
fn samples_with_gaps_and_categories() {
    for seed in 0..200 {
        let mut noise = Noise(seed + 2000);
        let (rows, width, classes) =
            (2 + noise.below([40, 400][seed as usize % 2]), 1 + noise.below(5), 2 + noise.below(3));
        let task = Task::mixed(seed, rows, width, classes);
        let mut times = vec![0; rows];
        (0..rows).for_each(|_| times[noise.below(rows)] += 1);
        let columns = 1 + noise.below(width + task.levels.len());
        let draw =
            (seed % 3 > 0).then_some(FeatureSampling { stream: Stream::new(seed, 3), columns, cuts: seed % 3 == 2 });
        for criterion in CRITERIA {
            compare_sample(&task, criterion, &times, &FREE, [1, 1, 2, 5][seed as usize % 4], draw);
        }
    }
}

#[test]
fn samples_and_drawn_columns() {
    for seed in 0..250 {
        let mut noise = Noise(seed + 1000);
        let (rows, width, classes) =
            (2 + noise.below([40, 300][seed as usize % 2]), 1 + noise.below(6), 2 + noise.below(3));
        let task = Task::new(seed, rows, width, classes);
        let mut times = vec![0; rows];
        (0..rows).for_each(|_| times[noise.below(rows)] += 1);
        if seed % 5 == 0 {
            times[rows / 2] = 40 + seed as u32;
        }
        let columns = 1 + noise.below(width);
        let draw =
            (seed % 3 > 0).then_some(FeatureSampling { stream: Stream::new(seed, 3), columns, cuts: seed % 3 == 2 });
        let min_leaf = [1, 1, 2, 5][seed as usize % 4];
        for criterion in CRITERIA {
            compare_sample(&task, criterion, &times, &FREE, min_leaf, draw);
        }
    }
}

#[test]
fn a_larger_sample() {
    for (seed, rows, width, classes) in [(1, 4000, 6, 2), (2, 2500, 5, 4)] {
        let (task, mut noise) = (Task::new(seed, rows, width, classes), Noise(seed));
        let mut times = vec![0; rows];
        (0..rows).for_each(|_| times[noise.below(rows)] += 1);
        for (criterion, cuts) in CRITERIA.iter().flat_map(|criterion| [(*criterion, false), (*criterion, true)]) {
            let draw = Some(FeatureSampling { stream: Stream::new(seed, 0), columns: 2, cuts });
            compare_sample(&task, criterion, &times, &Limits { max_depth: 14, ..FREE }, 1 + seed as u32 * 2, draw);
        }
    }
}
