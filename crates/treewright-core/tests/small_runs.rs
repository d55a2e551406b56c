//! Whole fits of small tables, for Miri (`make miri`): trees by every holder of rows, and boosting. One thread: pools live
//! until the process ends, which Miri takes for a leak.
#![allow(clippy::unwrap_used)]

use treewright_core::prelude::{
    BinaryWords, BoostWords, Boosting, Cancel, Column, Exact, Forest, MISSING, ShareWords, Start, SurrogateWords,
    Table, Target, TrainingData, TreeWords, grow_tree,
};

/// Two columns of numbers, one with gaps, and one of categories; classes and numbers to predict.
struct Data {
    x: Vec<f64>,
    gaps: Vec<f64>,
    codes: Vec<u32>,
    classes: Vec<u32>,
    numbers: Vec<f64>,
}

const LEVELS: u32 = 5;

impl Data {
    fn new(rows: u32) -> Data {
        let mix = |row: u32, salt: u32| row.wrapping_mul(2_654_435_761).wrapping_add(salt).wrapping_mul(40_503) >> 7;
        let share = |row: u32, salt: u32| f64::from(mix(row, salt) % 1000) / 1000.0;
        let x: Vec<f64> = (0..rows).map(|row| share(row, 1)).collect();
        let gaps = (0..rows).map(|row| if mix(row, 2) % 6 == 0 { f64::NAN } else { share(row, 3) }).collect();
        let codes = (0..rows).map(|row| if mix(row, 4) % 9 == 0 { MISSING } else { mix(row, 5) % LEVELS }).collect();
        let numbers: Vec<f64> = (0..rows as usize).map(|row| x[row] * 3.0 + share(row as u32, 6)).collect();
        let classes = numbers.iter().map(|y| *y as u32 % 3).collect();
        Data { x, gaps, codes, classes, numbers }
    }

    fn table(&self) -> Table<'_> {
        let columns = vec![
            Column::Numeric(&self.x),
            Column::Numeric(&self.gaps),
            Column::Categorical { codes: &self.codes, levels: LEVELS },
        ];
        Table::new(columns, self.x.len()).unwrap()
    }

    /// Grows a tree, checks it, and lets it predict its own rows.
    fn grow(&self, words: &TreeWords, target: Target<'_>) -> usize {
        let (table, cancel) = (self.table(), Cancel::default());
        let tree = grow_tree(&words.read().unwrap(), &table, target, None, &cancel).unwrap();
        let nodes = tree.len();
        let forest = Forest::grown(table.kinds(), vec![tree]).unwrap();
        assert_eq!(forest.predict(&table, &cancel).unwrap().len(), self.x.len() * forest.outputs());
        nodes
    }
}

fn words(engine: &str, criterion: &str, binary: Option<BinaryWords>) -> TreeWords {
    TreeWords {
        engine: engine.into(),
        criterion: criterion.into(),
        categorical: if binary.is_some() { "subset" } else { "levels" }.into(),
        choose: "gain".into(),
        min_samples_split: 2,
        threads: 1,
        plain: true,
        binary,
        ..TreeWords::default()
    }
}

fn binary(missing: &str) -> BinaryWords {
    let surrogates = (missing == "surrogate").then(|| SurrogateWords {
        max_surrogates: 2,
        max_competitors: 2,
        undecided: "heavier".into(),
        exhaustive: 6,
        ..SurrogateWords::default()
    });
    BinaryWords { missing: missing.into(), min_leaf: 1, surrogates, ..BinaryWords::default() }
}

#[test]
fn trees_of_two_answers() {
    let data = Data::new(if cfg!(miri) { 90 } else { 600 });
    let classes = Target::Classes { codes: &data.classes, classes: 3 };
    for engine in ["fastest", "list"] {
        for missing in ["direction", "branch", "surrogate"] {
            assert!(data.grow(&words(engine, "gini", Some(binary(missing))), classes) > 3, "{engine} {missing}");
        }
    }
    assert!(data.grow(&words("fastest", "squared", Some(binary("direction"))), Target::Numbers(&data.numbers)) > 3);
}

#[test]
fn trees_of_many_answers() {
    let data = Data::new(if cfg!(miri) { 90 } else { 600 });
    let classes = Target::Classes { codes: &data.classes, classes: 3 };
    assert!(data.grow(&words("fastest", "entropy", None), classes) > 3);
    let fractions = ShareWords {
        min_cases: 2.0,
        tolerance: 1e-6,
        threshold: "midpoint".into(),
        empty: "majority".into(),
        collapse: "none".into(),
        ..ShareWords::default()
    };
    for engine in ["fastest", "list"] {
        let fractions = Some(fractions.clone());
        let words = TreeWords { choose: "ratio".into(), fractions, ..words(engine, "entropy", None) };
        assert!(data.grow(&words, classes) > 3);
    }
}

fn boost_words() -> BoostWords {
    BoostWords {
        loss: "squared".into(),
        rate: 0.1,
        max_leaves: Some(5),
        min_leaf: 3,
        max_bins: 20,
        subsample: 0.7,
        threads: 1,
        plain: true,
        tell: true,
        ..BoostWords::default()
    }
}

#[test]
fn boosting_on_bins_and_on_exact_splits() {
    let data = Data::new(if cfg!(miri) { 90 } else { 600 });
    let (table, cancel) = (data.table(), Cancel::default());
    let training = || TrainingData { numbers: data.numbers.clone(), ..TrainingData::default() };
    let mut run = Boosting::new(&table, training(), Start::default(), boost_words().plan().unwrap(), &cancel).unwrap();
    run.advance(2, &cancel).unwrap();
    let losses = run.losses();
    assert!(losses[2][0] < losses[0][0]);
    assert_eq!(run.finish(table.kinds()).unwrap().trees().len(), 2);
    let mut run = Exact::new(&table, training(), Start::default(), boost_words().plan().unwrap()).unwrap();
    run.advance(&table, 2, &cancel).unwrap();
    assert_eq!(run.trees.len(), 2);
}
