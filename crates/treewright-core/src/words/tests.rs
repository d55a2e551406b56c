//! From words to trees: a criterion that was added by CONTRIBUTING's steps ([`Impurity::Errors`], which has no kernel)
//! goes all the way; words that nobody knows are refused.

use super::pruning::PessimisticWords;
use super::sampling::sampling;
use super::tree::{BinaryWords, TreeWords};
use super::{CRITERIA, all};
use crate::Result;
use crate::data::table::{Column, Table};
use crate::ensemble::bag::Progress;
use crate::ensemble::bagging::{Bagging, Sampling};
use crate::grow::study::StudyRequest;
use crate::model::file::{from_bytes, to_bytes};
use crate::model::forest::Forest;
use crate::model::tree::Tree;
use crate::recipe::grow_tree::grow_tree;
use crate::recipe::study::study_tree;
use crate::recipe::{CriterionKind, Recipe};
use crate::stats::criterion::Impurity;
use crate::stats::target::Target;
use crate::sys::pool::Cancel;

const ROWS: usize = 120;

/// A recipe of two answers with this engine and criterion.
fn recipe(engine: &str, criterion: &str) -> Recipe {
    let binary = BinaryWords { missing: "direction".into(), min_leaf: 3, ..BinaryWords::default() };
    let words = TreeWords {
        engine: engine.into(),
        criterion: criterion.into(),
        categorical: "subset".into(),
        choose: "gain".into(),
        max_depth: Some(4),
        min_samples_split: 2,
        binary: Some(binary),
        threads: 1,
        ..TreeWords::default()
    };
    words.read().unwrap()
}

/// Everything about trees; NaN is equal to NaN here.
fn text(trees: &impl std::fmt::Debug) -> String {
    format!("{trees:?}")
}

struct Data {
    x: Vec<f64>,
    levels: Vec<u32>,
    classes: Vec<u32>,
    weights: Vec<f64>,
}

impl Data {
    fn new() -> Data {
        let noise = |row: usize, salt: usize| ((row * 7919 + salt) * 104_729 % 10_007) as f64 / 10_007.0;
        let x: Vec<f64> = (0..ROWS).map(|row| if row % 11 == 0 { f64::NAN } else { noise(row, 1) }).collect();
        let levels = (0..ROWS).map(|row| (noise(row, 2) * 4.0) as u32).collect();
        let classes = (0..ROWS).map(|row| u32::from(noise(row, 1) + 0.4 * noise(row, 3) > 0.7)).collect();
        let weights = (0..ROWS).map(|row| 0.5 + noise(row, 4)).collect();
        Data { x, levels, classes, weights }
    }

    fn table(&self) -> Table<'_> {
        let levels = Column::Categorical { codes: &self.levels, levels: 4 };
        Table::new(vec![Column::Numeric(&self.x), levels], ROWS).unwrap()
    }

    fn target(&self) -> Target<'_> {
        Target::Classes { codes: &self.classes, classes: 2 }
    }

    fn grow(&self, recipe: &Recipe, weights: Option<&[f64]>) -> Tree {
        grow_tree(recipe, &self.table(), self.target(), weights, &Cancel::default()).unwrap()
    }

    fn forest(&self, recipe: &Recipe) -> Result<Vec<Tree>> {
        let sampling = Sampling { how: sampling("bootstrap")?, columns: Some(1), ..Sampling::default() };
        let table = self.table();
        let (target, progress, cancel) = (self.target(), &Progress::default(), &Cancel::default());
        let (weights, cache) = (None, None);
        Bagging { recipe, sampling: &sampling, table: &table, weights, cache, progress, cancel }.grow(
            target,
            0..3,
            None,
        )
    }
}

#[test]
fn a_criterion_without_a_kernel_goes_all_the_way() {
    let (data, cancel) = (Data::new(), Cancel::default());
    let (errors, list) = (recipe("fastest", "errors"), recipe("list", "errors"));
    assert_eq!(errors.criterion, CriterionKind::Classes(Impurity::Errors));
    for weights in [None, Some(&data.weights[..])] {
        let tree = data.grow(&errors, weights);
        assert!(tree.len() > 3);
        assert_eq!(text(&tree), text(&data.grow(&list, weights)));
        // The cost of a node: what it weighs without its most frequent class.
        let largest = |node: usize| tree.value[2 * node].max(tree.value[2 * node + 1]);
        let cost = |node: usize| tree.weight[node] * (1.0 - largest(node));
        assert!((0..tree.len()).all(|node| (tree.cost[node] - cost(node)).abs() < 1e-9));
    }
    assert_eq!(text(&data.forest(&errors).unwrap()), text(&data.forest(&list).unwrap()));
    let weighted = Recipe { class_weights: vec![1.0, 3.0], ..errors.clone() };
    assert_ne!(text(&data.grow(&weighted, None)), text(&data.grow(&errors, None)));

    let table = data.table();
    let forest = Forest::grown(table.kinds(), vec![data.grow(&errors, None)]).unwrap();
    let request = StudyRequest { forest: &forest, nodes: None, cuts: 3, rows: 0, as_asked: false, cancel: &cancel };
    let reports = study_tree(&errors, &table, data.target(), None, &request).unwrap();
    assert_eq!(reports.len(), forest.trees()[0].len());
    assert_eq!(reports[0].node.cost, forest.trees()[0].cost[0]);

    let pruning = PessimisticWords {
        confidence: 0.05,
        interval: "table".into(),
        tolerance: 1e-9,
        empty: "majority".into(),
        criterion: "errors".into(),
        ..PessimisticWords::default()
    };
    let (small, _) = pruning.read().unwrap().raise(&forest, &table, data.target(), None, &cancel).unwrap();
    assert!(small.len() < forest.trees()[0].len());
    assert!(small.cost[0] == forest.trees()[0].cost[0]);

    let document = r#"{"classes_dtype":"str","estimator":"C","named":true,"params":{},"schema":{"classes":["a","b"],"columns":[{"kind":"numeric","name":"x"},{"kind":"categorical","levels":["p","q","r","s"],"name":"l"}],"target":null}}"#;
    let bytes = to_bytes(&forest, document, &cancel).unwrap();
    assert_eq!(text(&from_bytes(&bytes, &cancel).unwrap().0.trees()), text(&forest.trees()));
}

#[test]
fn unknown_words_are_refused_with_the_known_ones() {
    let words = TreeWords { engine: "fastest".into(), criterion: "magic".into(), ..TreeWords::default() };
    let message = words.read().unwrap_err().to_string();
    assert!(message.contains("\"magic\" is no criterion; known: entropy, gini, "), "{message}");
    assert!(sampling("").is_err());
}

#[test]
fn no_word_stands_twice() {
    for (part, words) in all() {
        assert!((1..words.len()).all(|i| !words[..i].contains(&words[i])), "{part}: {words:?}");
    }
    // Every impurity has a word.
    let named = |impurity: &&Impurity| CRITERIA.iter().any(|(_, kind)| *kind == CriterionKind::Classes(**impurity));
    assert_eq!(Impurity::ALL.iter().filter(named).count(), Impurity::ALL.len());
}
