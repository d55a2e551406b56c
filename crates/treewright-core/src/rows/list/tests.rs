//! What every policy of the list engine keeps: weights, and the same tree for rows that are written in another way.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::data::table::{Column, MISSING};
use crate::grow::{Limits, grow};
use crate::split::choose::Chooser;
use crate::split::groups::GroupScore;
use crate::split::shared::{ShareRules, ThresholdAt};
use crate::split::subset::SubsetRules;
use crate::split::surrogate::{SurrogateRules, Undecided};
use crate::stats::criterion::{ClassCriterion, Classes, Impurity};

const LIMITS: Limits =
    Limits { max_depth: 6, min_samples_split: 2, max_leaves: None, max_p_value: None, sufficient_majority: None };

/// A table of two columns of numbers and one of levels that looks random but is always the same.
struct Sample {
    numbers: [Vec<f64>; 2],
    levels: Vec<u32>,
    classes: Vec<u32>,
    weights: Vec<f64>,
}

impl Sample {
    fn new(rows: usize, seed: u64, missing: bool) -> Sample {
        let mut state = seed;
        let mut below = |limit: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % limit
        };
        let mut sample = Sample { numbers: Default::default(), levels: vec![], classes: vec![], weights: vec![] };
        for _ in 0..rows {
            for numbers in &mut sample.numbers {
                numbers.push(if missing && below(6) == 0 { f64::NAN } else { below(9) as f64 });
            }
            sample.levels.push(if missing && below(6) == 0 { MISSING } else { below(4) as u32 });
            sample.classes.push(below(3) as u32);
            sample.weights.push(1.0 + below(3) as f64);
        }
        sample
    }

    /// The same rows, each as often as it weighs.
    fn repeated(&self) -> Sample {
        fn repeat<T: Copy>(values: &[T], weights: &[f64]) -> Vec<T> {
            values.iter().zip(weights).flat_map(|(&value, &times)| vec![value; times as usize]).collect()
        }
        let weights = &self.weights[..];
        Sample {
            numbers: self.numbers.each_ref().map(|numbers| repeat(numbers, weights)),
            levels: repeat(&self.levels, weights),
            classes: repeat(&self.classes, weights),
            weights: vec![1.0; weights.iter().sum::<f64>() as usize],
        }
    }

    fn tree(&self, rules: SearchRules, chooser: &Chooser) -> Tree {
        let columns = vec![
            Column::Numeric(&self.numbers[0]),
            Column::Numeric(&self.numbers[1]),
            Column::Categorical { codes: &self.levels, levels: 4 },
        ];
        let table = Table::new(columns, self.classes.len()).unwrap();
        let weights = match rules.unknowns {
            Unknowns::Share(_) => Weights::fine(Some(&self.weights), self.weights.len()).unwrap(),
            _ => Weights::new(&self.weights).unwrap(),
        };
        let classes = Classes { target: &self.classes, classes: 3, unit: weights.unit };
        let criterion = ClassCriterion::new(Impurity::Entropy, classes);
        let cancel = Cancel::default();
        let mut rows = List::new(&table, &criterion, &weights, rules, &cancel).unwrap();
        grow(&mut rows, chooser, &LIMITS, &cancel).unwrap()
    }
}

fn shared(groups: Option<GroupScore>) -> Unknowns {
    Unknowns::Share(ShareRules {
        min_cases: 1.0,
        tolerance: 1e-9,
        compare_as_f32: false,
        threshold: ThresholdAt::Midpoint,
        groups,
        empty: EmptyLeaf::Shares,
        total: None,
    })
}

fn surrogates() -> Unknowns {
    Unknowns::Surrogates(SurrogateRules {
        max_surrogates: 2,
        max_competitors: 1,
        of_known: true,
        imperfect: false,
        undecided: Undecided::Heavier,
        vanishing: None,
    })
}

/// Each policy, with what its chooser and its splits of levels may be.
fn policies() -> Vec<(SearchRules, Chooser)> {
    let gain = Chooser::Share { min_gain: None };
    let ratio = Chooser::Ratio { floor: 0.0, tie: 1e-9, min_gain: None, min_ratio: None };
    let rules = |unknowns, subsets: bool| SearchRules {
        subsets: subsets.then(SubsetRules::default),
        unknowns,
        ..SearchRules::default()
    };
    vec![
        (rules(Unknowns::Level, false), Chooser::Gain { min_gain: None }),
        (rules(Unknowns::Branch, true), gain),
        (rules(Unknowns::Side, true), gain),
        (rules(shared(None), false), ratio),
        (rules(shared(Some(GroupScore::Ratio)), false), ratio),
        (rules(surrogates(), true), gain),
    ]
}

/// What must be equal in equal trees.
fn shape(tree: &Tree) -> (&[u32], &[u16], &[u16], &[f64]) {
    (&tree.feature, &tree.missing, &tree.route, &tree.weight)
}

#[test]
fn a_row_of_weight_two_is_the_row_twice() {
    // Not so where rows are counted: surrogates need two on each side. A row that is shared out is divided in whole units.
    let by_weight = |rules: &SearchRules| !rules.unknowns.judge_known_rows();
    for (rules, chooser) in policies().into_iter().filter(|(rules, _)| by_weight(rules)) {
        for seed in 1..30 {
            let sample = Sample::new(12 + seed as usize, seed, true);
            let (once, repeated) =
                (sample.tree(rules.clone(), &chooser), sample.repeated().tree(rules.clone(), &chooser));
            assert_eq!(shape(&once), shape(&repeated), "{:?}, seed {seed}", rules.unknowns);
            assert_eq!(once.value, repeated.value);
        }
    }
}

#[test]
fn without_missing_values_policies_agree() {
    for seed in 1..30 {
        let sample = Sample::new(40, seed, false);
        let chooser = Chooser::Share { min_gain: None };
        let tree = |unknowns| {
            let rules = SearchRules { subsets: Some(SubsetRules::default()), unknowns, ..SearchRules::default() };
            sample.tree(rules, &chooser)
        };
        let (branch, side, surrogates) = (tree(Unknowns::Branch), tree(Unknowns::Side), tree(surrogates()));
        assert_eq!(shape(&branch), shape(&side));
        assert_eq!(shape(&surrogates), shape(&side));
        assert!(surrogates.spares.is_some() && side.spares.is_none());
    }
}

/// Every policy sends each row somewhere: the children of a node have its weight, whatever is missing.
#[test]
fn no_weight_is_lost() {
    for (rules, chooser) in policies() {
        for seed in 1..30 {
            let tree = Sample::new(60, seed, true).tree(rules.clone(), &chooser);
            for node in (0..tree.len()).filter(|&node| tree.n_children[node] > 0) {
                let children: f64 = tree.children(node).map(|child| tree.weight[child]).sum();
                assert_eq!(children, tree.weight[node], "{:?}, seed {seed}", rules.unknowns);
            }
        }
    }
}
