//! Rows that weigh differently.

use super::{CRITERIA, FREE, Noise, Task, assert_same, clear, clear_drawn, fast, plain};
use crate::grow::Limits;
use crate::rng::Stream;
use crate::rows::columns::bag::Base;
use crate::rows::columns::kernels::Isa;
use crate::rows::columns::plan::Plan;
use crate::split::sampling::FeatureSampling;
use crate::stats::criterion::{Classes, SquaredError};
use crate::stats::numbers::Numbers;
use crate::stats::weights::Weights;
use crate::sys::pool::Cancel;

#[test]
fn rows_that_weigh_differently() {
    for seed in 0..300 {
        let mut noise = Noise(seed + 500);
        let (rows, width, classes) =
            (2 + noise.below([40, 90, 400][seed as usize % 3]), 1 + noise.below(4), 2 + noise.below(3));
        let task = Task::mixed(seed, rows, width, classes);
        let weight = |noise: &mut Noise| match seed % 4 {
            0 => noise.next(),
            1 => [0.0, 0.5, 1.5][noise.below(3)],
            2 => (noise.next() * 1e5).floor(),
            _ => libm::pow(10.0, -3.0 * noise.next()),
        };
        let row_weights: Vec<f64> = (0..rows).map(|_| weight(&mut noise)).collect();
        if row_weights.iter().sum::<f64>() == 0.0 {
            continue;
        }
        let weights = Weights::new(&row_weights).unwrap();
        let of = Classes { target: &task.classes, classes: task.count, unit: weights.unit };
        let (min_leaf, cancel) = ([1, 1, 2, 4][seed as usize % 4], Cancel::default());
        let numbers = Numbers::new(&task.numbers, weights.units.iter().sum());
        let squared = SquaredError { target: &numbers, unit: weights.unit };
        for criterion in CRITERIA {
            let expected = match criterion {
                "squared" => clear(&task, &squared, &weights, &FREE, min_leaf),
                _ => clear(&task, &task.criterion(criterion, of), &weights, &FREE, min_leaf),
            };
            for isa in Isa::all() {
                let plan = Plan { min_leaf, ..plain(&FREE, &cancel, (1, isa)) };
                let tree = fast(&task, criterion, &weights, &plan);
                assert_same(&expected, &tree, &format!("{criterion}, {rows} rows, seed {seed}, {isa:?}"));
            }
        }
    }
}

#[test]
fn numbers_of_weighted_rows() {
    for (seed, rows, width) in [(1, 3000, 6), (2, 9000, 3), (3, 500, 4), (4, 500, 5), (5, 80, 3)] {
        let (task, mut noise) = (Task::mixed(seed, rows, width, 2), Noise(seed));
        let row_weights: Vec<f64> = (0..rows).map(|_| libm::pow(10.0, -(seed as f64) * noise.next())).collect();
        let weights = Weights::new(&row_weights).unwrap();
        let numbers = Numbers::new(&task.numbers, weights.units.iter().sum());
        let squared = SquaredError { target: &numbers, unit: weights.unit };
        let (limits, cancel, table) = (Limits { max_depth: 10, ..FREE }, Cancel::default(), task.table());
        let columns = 1 + noise.below(width);
        for (draw, min_leaf) in [(None, 1), (None, 7), (Some(false), 2), (Some(true), 3)] {
            let draw = draw.map(|cuts| FeatureSampling { stream: Stream::new(seed, 3), columns, cuts });
            let expected = clear_drawn(&task, &squared, &weights, &limits, min_leaf, draw);
            for (threads, isa) in Isa::all().map(|isa| (1, isa)).chain([(3, Isa::detect())]) {
                let plan = Plan { min_leaf, ..plain(&limits, &cancel, (threads, isa)) };
                let base = Base::numbers(&plan, &table, &numbers.units).unwrap().unwrap();
                let tree = base.grow_weighted_numbers(&plan, &squared, &weights, draw, threads).unwrap();
                assert_same(&expected, &tree, &format!("{rows} rows, {draw:?}, least {min_leaf}, {isa:?}"));
            }
        }
    }
}
