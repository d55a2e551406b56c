//! Sorted lists grow the trees of the list engine, with the same competitors and surrogates, on one thread and on several.
//!
//! `TREEWRIGHT_SOAK=20000` compares so many random tables instead of a few.

use super::agreement::SentRows;
use super::estimates::Estimated;
use super::grow_sorted;
use crate::grow::{Limits, grow};
use crate::model::tree::Tree;
use crate::rows::list::{List, SearchRules};
use crate::rows::sorted::item::item;
use crate::rows::sorted::tests::{Noise, Task, assert_same, large, seeds};
use crate::split::choose::Chooser;
use crate::split::subset::{SubsetRules, Unused};
use crate::split::surrogate::{SavingUnit, SurrogateRules, Undecided};
use crate::split::unknowns::Unknowns;
use crate::stats::criterion::{ClassCriterion, Classes, Impurity, SquaredError};
use crate::stats::numbers::Numbers;
use crate::stats::risk::Costs;
use crate::stats::weights::Weights;
use crate::sys::pool::Cancel;

/// How a table is learnt.
struct Rules {
    surrogates: SurrogateRules,
    search: SearchRules,
    chooser: Chooser,
    limits: Limits,
    complexity: Option<f64>,
    costs: Vec<f64>,
}

impl Rules {
    fn new(noise: &mut Noise, classes: usize) -> Rules {
        let units = [SavingUnit::Cost, SavingUnit::Share];
        let vanishing = [None, None, Some((1e-10, noise.one_of(&units))), Some((0.3, noise.one_of(&units)))];
        let surrogates = SurrogateRules {
            max_surrogates: noise.one_of(&[0, 1, 2, 5, 5]),
            max_competitors: noise.one_of(&[0, 1, 4, 9]),
            of_known: noise.below(2) == 0,
            imperfect: noise.below(2) == 0,
            undecided: noise.one_of(&[Undecided::Heavier, Undecided::HeavierOrStay, Undecided::Stay]),
            vanishing: noise.one_of(&vanishing),
        };
        let subsets = SubsetRules {
            unused: noise.one_of(&[Unused::Unanswered, Unused::Unanswered, Unused::Heavier]),
            exhaustive: noise.one_of(&[3, 7, 10]),
            ordered_only: noise.below(2) == 0,
        };
        let search = SearchRules {
            subsets: Some(subsets),
            unknowns: Unknowns::Surrogates(surrogates),
            min_leaf: noise.one_of(&[1, 1, 2, 7]),
            min_weight: noise.one_of(&[0.0, 0.0, 0.0, 3.0]),
            ..SearchRules::default()
        };
        let limits = Limits {
            max_depth: noise.one_of(&[u32::MAX, u32::MAX, 3]),
            min_samples_split: noise.one_of(&[2, 2, 20]),
            max_leaves: noise.one_of(&[None, None, None, Some(6)]),
            max_p_value: noise.one_of(&[None, None, None, Some(0.2)]),
            sufficient_majority: None,
        };
        let costs = (0..classes * classes).map(|i| if i / classes == i % classes { 0.0 } else { 1.0 + i as f64 });
        Rules {
            surrogates,
            search,
            chooser: Chooser::Share { min_gain: noise.one_of(&[None, None, Some(0.0), Some(0.01)]) },
            limits,
            complexity: noise.one_of(&[None, None, None, Some(0.01), Some(0.0)]),
            costs: if noise.below(2) == 0 { costs.collect() } else { Vec::new() },
        }
    }

    /// The list engine's tree is the one of sorted lists; tells its number of nodes.
    fn compare<C: Estimated>(
        &self,
        task: &Task,
        criterion: &C,
        weights: &Weights,
        threads: &[usize],
        what: &str,
    ) -> usize {
        let (table, cancel) = (task.table(), Cancel::default());
        let list = || {
            let rows = List::new(&table, criterion, weights, self.search.clone(), &cancel).unwrap();
            let costs = if criterion.outputs() > 1 { &self.costs[..] } else { &[] };
            match self.complexity {
                Some(share) => rows.stop_below_risk(share, Costs(costs)),
                None => rows,
            }
        };
        let mut rows = list();
        let expected = grow(&mut rows, &self.chooser, &self.limits, &cancel).map_err(|error| error.to_string());
        let expected: Result<(Tree, Vec<bool>), String> = expected.map(|tree| (tree, rows.second_answers_less()));
        for &threads in threads {
            let limits = (&self.chooser, &self.limits);
            match (&expected, grow_sorted(&mut list(), self.surrogates, limits, threads, &cancel)) {
                (Ok((expected, less)), Ok((tree, second_answers_less))) => {
                    assert_same(expected, &tree, what);
                    assert!(self.complexity.is_none() || *less == second_answers_less, "{what}");
                }
                (expected, tree) => {
                    assert_eq!(
                        expected.as_ref().err(),
                        tree.map_err(|error| error.to_string()).as_ref().err(),
                        "{what}"
                    );
                }
            }
        }
        expected.map_or(0, |(tree, _)| tree.len())
    }
}

/// Compares the trees of a table for a target drawn from its classes: these, weighed or not, or numbers.
fn compare(task: &Task, rules: &Rules, noise: &mut Noise, threads: &[usize], what: &str) -> usize {
    let weights = task.weights.as_ref().map_or_else(|| Weights::ones(task.classes.len()), |w| Weights::new(w).unwrap());
    if noise.below(3) == 0 {
        let (scale, rough) = (noise.one_of(&[1.0, 1e-150, 1e150, 1e-3]), noise.one_of(&[0.0, 1e-6, 1.0, 1e6]));
        let outlier = noise.one_of(&[0.0, 0.0, 1e12]);
        let mut number = |class: &u32| {
            let far = if noise.below(50) == 0 { outlier } else { 0.0 };
            (f64::from(*class) + rough * noise.next() + far) * scale
        };
        let numbers: Vec<f64> = task.classes.iter().map(&mut number).collect();
        let numbers = Numbers::new(&numbers, weights.units.iter().sum());
        let criterion = SquaredError { target: &numbers, unit: weights.unit };
        return rules.compare(task, &criterion, &weights, threads, what);
    }
    let classes = Classes { target: &task.classes, classes: task.count, unit: weights.unit };
    let mut factors = || (0..task.count).map(|_| 0.1 + noise.next()).collect::<Vec<f64>>();
    let (in_weight, in_cost) = (factors(), factors());
    let impurity = noise.one_of(&[Impurity::Gini, Impurity::Gini, Impurity::Entropy, Impurity::Errors]);
    let criterion = ClassCriterion::new(impurity, classes);
    let criterion = match noise.below(4) {
        0 => criterion.with_factors(&in_weight, &in_cost),
        _ => criterion,
    };
    rules.compare(task, &criterion, &weights, threads, what)
}

#[test]
fn trees_are_those_of_the_list_engine() {
    let seeds = seeds();
    let tables = seeds.end - seeds.start;
    let one = |seed: u64| {
        let (task, mut noise) = (Task::new(seed), Noise(seed + 17));
        let rules = Rules::new(&mut noise, task.count);
        compare(&task, &rules, &mut noise, &[1], &format!("table {seed}"))
    };
    let nodes: usize = seeds.map(one).sum();
    assert!(nodes as u64 > tables, "{nodes} nodes are too few to tell anything");
}

#[test]
#[cfg_attr(miri, ignore)]
fn threads_do_not_show() {
    // With a limit that depends on other nodes, these are divided one after the other.
    let cases = [(1, 2, 0.05, None), (2, 5, 0.03, None), (3, 2, 0.3, Some((1e-10, SavingUnit::Cost)))];
    for (seed, count, gaps, vanishing) in cases {
        let (task, mut noise) = (large(seed, 12_000, count, gaps), Noise(seed));
        let mut rules = Rules::new(&mut noise, count);
        rules.surrogates = SurrogateRules { vanishing, max_surrogates: 3, ..rules.surrogates };
        rules.search.unknowns = Unknowns::Surrogates(rules.surrogates);
        rules.limits = Limits { max_depth: 9, max_leaves: None, max_p_value: None, ..rules.limits };
        (rules.complexity, rules.chooser) = (None, Chooser::Share { min_gain: None });
        let nodes = compare(&task, &rules, &mut noise, &[1, 2, 4], &format!("large table {seed}"));
        assert!(nodes > 100, "{nodes} nodes");
    }
}

#[test]
fn an_agreement_is_the_first_best_in_either_direction() {
    let items = |keys: &[u32]| (0..).zip(keys).map(|(place, key)| item(*key, place, 0)).collect::<Vec<u64>>();
    let find = |keys: &[u32], sent: &SentRows| {
        let found = sent.best(&items(keys))?;
        Some((found.agree, found.sent, sent.find(&items(keys), &found).unwrap()))
    };
    // All rows below 3 go to the second child but one, which is not sent.
    let sent = SentRows::Weighed(vec![-2, -1, 0, 1, 1, 1]);
    assert_eq!(find(&[1, 1, 2, 3, 4, 5], &sent), Some((6, [3, 3], (2, 1))));
    // The first of two that are as good, in opposite directions.
    let sent = SentRows::Alike(vec![1, 1, 256, 256, 1, 1, 256, 256], 3);
    assert_eq!(find(&[1, 1, 2, 2, 3, 3, 4, 4], &sent), Some((18, [12, 12], (2, 0))));
    // One row that was sent must not be alone on its side.
    assert_eq!(find(&[1, 2, 3, 4], &SentRows::Alike(vec![1, 256, 256, 256], 1)), None);
    // A cut between equal numbers is none.
    assert_eq!(find(&[1, 2, 2, 2, 2, 3], &SentRows::Alike(vec![1, 1, 1, 256, 256, 256], 1)), None);
    assert_eq!(find(&[], &SentRows::Alike(vec![], 1)), None);
}
