//! A search that is stopped at any moment has a tree of the cost it names, and a lower bound that holds.

use super::{Example, Numbers};
use crate::problem::Problem;
use crate::solution::{Ending, Solution};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use treewright_core::prelude::{Cancel, Isa};

fn check(example: &Example, problem: &Problem<'_>, answer: &Solution, least: f64) {
    assert!(answer.lower_bound <= least && least <= answer.cost, "{} {least} {}", answer.lower_bound, answer.cost);
    assert_eq!(example.cost(problem, &answer.nodes), answer.cost);
    assert_eq!(answer.ending == Ending::Proven, answer.lower_bound == answer.cost);
    for pair in answer.progress.windows(2) {
        assert!(pair[0].0 <= pair[1].0 && pair[0].1 >= pair[1].1 && pair[0].2 <= pair[1].2, "{:?}", answer.progress);
    }
    let last = answer.progress.last().unwrap();
    assert_eq!((last.1, last.2), (answer.cost, answer.lower_bound));
}

#[test]
fn any_time_limit_gives_a_tree_and_a_bound() {
    let cancel = Cancel::default();
    let mut numbers = Numbers::new(6);
    for trial in 0..6 {
        let mut example = Example::random(&mut numbers, 220, 22, [2, 3][trial % 2]);
        for code in example.codes.iter_mut().step_by(3) {
            *code = numbers.below(2) as u32;
        }
        let problem = Problem {
            max_depth: 4 + trial % 2,
            leaf_cost: [0.0, 1.5][trial / 2 % 2],
            min_leaf: [1, 3][trial / 4 % 2],
            ..example.problem(&cancel)
        };
        let least = example.solve(Isa::detect(), &problem).cost;
        for microseconds in [0, 1, 20, 100, 300, 1000, 3000, 10_000, 30_000] {
            let limit = f64::from(microseconds) * 1e-6;
            let answer = example.solve(Isa::detect(), &Problem { time_limit: Some(limit), ..problem });
            check(&example, &problem, &answer, least);
        }
    }
}

#[test]
fn cancelling_at_any_step_keeps_the_best_tree() {
    let mut numbers = Numbers::new(7);
    let example = Example::random(&mut numbers, 200, 20, 2);
    let cancel = Cancel::default();
    let problem = Problem { max_depth: 5, ..example.problem(&cancel) };
    let least = example.solve(Isa::detect(), &problem).cost;
    let mut steps_before = 0;
    for stop_after in 1.. {
        let cancel = Cancel::default();
        let steps = Mutex::new(Vec::new());
        let count = AtomicUsize::new(0);
        let report = |seconds: f64, best: f64, bound: f64| {
            steps.lock().unwrap().push((seconds, best, bound));
            if count.fetch_add(1, Ordering::Relaxed) + 1 == stop_after {
                cancel.cancel();
            }
        };
        let problem = Problem { cancel: &cancel, report: Some(&report), threads: 2, ..problem };
        let answer = example.solve(Isa::detect(), &problem);
        check(&example, &problem, &answer, least);
        assert_eq!(*steps.lock().unwrap(), answer.progress);
        steps_before = steps_before.max(answer.progress.len());
        if answer.ending == Ending::Proven || stop_after > 50 {
            break;
        }
        assert_eq!(answer.ending, Ending::Cancelled);
    }
    assert!(steps_before >= 2);
}

#[test]
fn a_limited_search_begins_with_a_tree_of_single_questions() {
    let mut numbers = Numbers::new(12);
    let mut example = Example::random(&mut numbers, 300, 40, 3);
    for (row, code) in example.codes.iter_mut().enumerate() {
        let cell = |column: usize| u32::from(example.bits.get(row, column));
        *code = if row % 5 == 0 { numbers.below(3) as u32 } else { cell(3) * (1 + cell(5)) };
    }
    for max_depth in [3, 6] {
        let (cancel, steps) = (Cancel::default(), AtomicUsize::new(0));
        // The first step is the leaf.
        let report = |_: f64, _: f64, _: f64| {
            if steps.fetch_add(1, Ordering::Relaxed) == 1 {
                cancel.cancel();
            }
        };
        let limited = Problem { max_depth, time_limit: Some(1e6), report: Some(&report), ..example.problem(&cancel) };
        let answer = example.solve(Isa::detect(), &limited);
        assert_eq!(answer.ending, Ending::Cancelled);
        assert!(answer.nodes.leaves() > 2, "{}", answer.nodes.leaves());
        assert_eq!(example.cost(&limited, &answer.nodes), answer.cost);
    }
}

#[test]
fn the_lower_bound_rises_from_the_beginning() {
    let cancel = Cancel::default();
    let mut numbers = Numbers::new(11);
    let mut example = Example::random(&mut numbers, 500, 24, 2);
    example.codes.iter_mut().step_by(2).for_each(|code| *code = numbers.below(2) as u32);
    let problem = Problem { max_depth: 6, ..example.problem(&cancel) };
    let answer = example.solve_in_rounds(&problem, 0.0);
    assert_eq!(answer.ending, Ending::Proven);
    let start = answer.progress[0].2;
    let rises: Vec<f64> = answer.progress.windows(2).map(|pair| pair[1].2 - pair[0].2).filter(|&by| by > 0.0).collect();
    // Many steps rather than one at the end. Which share of the time each takes is not asserted: the machine may be busy.
    assert!(rises.len() > 5, "{:?}", answer.progress);
    let largest = rises.iter().fold(0.0, |largest: f64, &by| largest.max(by));
    assert!(largest < 0.75 * (answer.cost - start), "{:?}", answer.progress);
}

#[test]
fn a_long_search_stops_soon_after_its_limit() {
    let cancel = Cancel::default();
    let mut numbers = Numbers::new(8);
    let mut example = Example::random(&mut numbers, 800, 90, 2);
    example.codes.iter_mut().for_each(|code| *code = numbers.below(2) as u32);
    let problem = Problem { max_depth: 6, time_limit: Some(0.05), ..example.problem(&cancel) };
    let start = Instant::now();
    let answer = example.solve(Isa::detect(), &problem);
    assert_eq!(answer.ending, Ending::TimeLimit);
    // 20 ms on a processor of its own; tests share theirs.
    assert!(start.elapsed().as_secs_f64() < 1.0, "{:?}", start.elapsed());
}
