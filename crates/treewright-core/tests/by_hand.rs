//! A tree that is grown by hand, one best split after the other, is the tree that is grown at once.
#![allow(clippy::unwrap_used, missing_docs)]

use treewright_core::prelude::{
    Action, BinaryWords, ByHand, Cancel, Column, LeafReason, MISSING, NodeState, Question, Recipe, ShareWords,
    SplitRule, Stage, SurrogateWords, Table, Target, Tree, TreeWords, grow_tree,
};

struct Sample {
    numbers: [Vec<f64>; 2],
    levels: Vec<u32>,
    classes: Vec<u32>,
    target: Vec<f64>,
    weights: Vec<f64>,
}

/// A sequence that looks random but is always the same.
struct Noise(u64);

impl Noise {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

impl Sample {
    fn new(rows: usize, noise: &mut Noise) -> Sample {
        let number = |noise: &mut Noise| {
            (0..rows).map(|_| if noise.below(7) == 0 { f64::NAN } else { noise.below(9) as f64 }).collect::<Vec<_>>()
        };
        let numbers = [number(noise), number(noise)];
        let levels = (0..rows).map(|_| if noise.below(6) == 0 { MISSING } else { noise.below(4) as u32 }).collect();
        let classes: Vec<u32> = (0..rows).map(|_| noise.below(3) as u32).collect();
        let target = classes.iter().map(|&class| f64::from(class) + noise.below(4) as f64).collect();
        let weights = (0..rows).map(|_| 0.5 + noise.below(3) as f64).collect();
        Sample { numbers, levels, classes, target, weights }
    }

    fn table(&self) -> Table<'_> {
        let levels = Column::Categorical { codes: &self.levels, levels: 4 };
        let columns = vec![Column::Numeric(&self.numbers[0]), levels, Column::Numeric(&self.numbers[1])];
        Table::new(columns, self.classes.len()).unwrap()
    }

    fn target(&self, recipe: &TreeWords) -> Target<'_> {
        match recipe.criterion.as_str() {
            "squared" => Target::Numbers(&self.target),
            _ => Target::Classes { codes: &self.classes, classes: 3 },
        }
    }
}

fn words(criterion: &str) -> TreeWords {
    TreeWords {
        engine: "fastest".into(),
        criterion: criterion.into(),
        categorical: "levels".into(),
        choose: "gain".into(),
        min_samples_split: 2,
        threads: 1,
        ..TreeWords::default()
    }
}

fn shared(categorical: &str, single: bool) -> TreeWords {
    let fractions = ShareWords {
        min_cases: 2.0,
        tolerance: 1e-3,
        single,
        threshold: if single { "value" } else { "midpoint" }.into(),
        empty: "majority".into(),
        collapse: "none".into(),
        floor: -1e-3,
        ..ShareWords::default()
    };
    TreeWords {
        choose: "ratio".into(),
        categorical: categorical.into(),
        fractions: Some(fractions),
        ..words("entropy")
    }
}

fn binary(criterion: &str, missing: &str, max_leaves: Option<u32>) -> TreeWords {
    let surrogates = (missing == "surrogate").then(|| SurrogateWords {
        max_surrogates: 3,
        max_competitors: 2,
        undecided: "heavier".into(),
        vanishing: Some(1e-6),
        exhaustive: 8,
        ..SurrogateWords::default()
    });
    let binary = BinaryWords { missing: missing.into(), min_leaf: 2, max_leaves, surrogates, ..BinaryWords::default() };
    TreeWords { categorical: "subset".into(), binary: Some(binary), ..words(criterion) }
}

/// All kinds of trees that can be grown.
fn recipes() -> Vec<TreeWords> {
    let mut all = vec![
        words("entropy"),
        TreeWords { max_depth: Some(2), min_gain: Some(0.01), ..words("gini") },
        TreeWords { max_p_value: Some(0.3), ..words("entropy") },
        TreeWords { sufficient_majority: Some(0.7), ..words("entropy") },
        shared("levels", true),
        shared("groups", false),
    ];
    for missing in ["branch", "direction", "surrogate"] {
        all.extend(["gini", "entropy", "squared"].map(|criterion| binary(criterion, missing, None)));
        all.push(binary("gini", missing, Some(6)));
    }
    all
}

fn text(tree: &Tree) -> String {
    format!("{tree:?}")
}

/// The states of all nodes after an action, with those that stayed what they were.
fn states(before: &[NodeState], stage: &Stage) -> Vec<NodeState> {
    let own = |(state, was): (&NodeState, &Option<usize>)| match (state, was) {
        (NodeState::AsBefore, Some(was)) => before[*was],
        (state, _) => *state,
    };
    stage.states.iter().zip(&stage.before).map(own).collect()
}

/// Splits open nodes by their best candidates, in an order that looks random, until there are none.
fn grow_by_best_splits(hand: &ByHand<'_>, in_order: bool, noise: &mut Noise) -> Tree {
    let mut stage = hand.start().unwrap();
    let mut now = stage.states.clone();
    loop {
        let open: Vec<usize> = (0..now.len()).filter(|&node| now[node] == NodeState::Open).collect();
        let Some(last) = open.len().checked_sub(1) else { return stage.tree };
        let node = open[if in_order { 0 } else { noise.below(last as u64 + 1) as usize }];
        stage = hand.act(&stage.tree, &[(node, Action::Split)]).unwrap();
        assert!(stage.by_hand.is_empty());
        if !in_order {
            stage = stage.in_order_of_creation(&hand.table.kinds()).unwrap();
            assert!(stage.before.iter().flatten().copied().eq(0..now.len()), "nodes keep their numbers");
        }
        now = states(&now, &stage);
    }
}

fn check(words: &TreeWords, sample: &Sample, weighted: bool, noise: &mut Noise) {
    let recipe: Recipe = words.read().unwrap();
    let (table, target, cancel) = (sample.table(), sample.target(words), Cancel::default());
    let weights = weighted.then_some(&sample.weights[..]);
    let hand = ByHand { recipe: &recipe, table: &table, target, weights, cancel: &cancel };
    let expected = grow_tree(&recipe, &table, target, weights, &cancel).unwrap();
    let whole = hand.grow().unwrap();
    assert_eq!(text(&hand.finish(&whole.tree, true).unwrap()), text(&expected), "{words:?}");
    let limited = recipe.limits.max_leaves.is_some();
    if !limited {
        // Depth first where a split depends on the largest saving so far.
        let in_order = matches!(&words.binary, Some(binary) if binary.surrogates.is_some());
        let grown = grow_by_best_splits(&hand, in_order, noise);
        let keep = hand.act(&grown, &[]).unwrap();
        assert_eq!(text(&keep.tree), text(&whole.tree), "{words:?}");
        assert_eq!(text(&hand.finish(&grown, true).unwrap()), text(&expected), "{words:?}");
    }
    check_regrowing(&hand, &whole, noise);
    check_rows(&hand, &whole.tree);
}

/// Any subtree that is dropped and grown again is the same.
fn check_regrowing(hand: &ByHand<'_>, whole: &Stage, noise: &mut Noise) {
    let node = noise.below(whole.tree.len() as u64) as usize;
    let cut = hand.act(&whole.tree, &[(node, Action::MakeLeaf)]).unwrap();
    let place = (0..cut.tree.len()).find(|&new| cut.before[new] == Some(node)).unwrap();
    assert_eq!(cut.tree.n_children[place], 0);
    let again = hand.act(&cut.tree, &[(place, Action::Grow)]).unwrap();
    assert_eq!(text(&again.tree), text(&whole.tree));
}

/// The shares of the rows of the leaves add up to the rows, but for those that stay behind.
fn check_rows(hand: &ByHand<'_>, tree: &Tree) {
    let mut shares = vec![0.0; hand.table.rows()];
    for node in 0..tree.len() {
        let rows = hand.rows_of(tree, node).unwrap();
        assert_eq!(rows.len() as u64, tree.count[node]);
        if tree.n_children[node] == 0 {
            rows.iter().for_each(|&(row, share)| shares[row as usize] += share);
        }
    }
    assert!(shares.iter().all(|share| (share - 1.0).abs() < 1e-9), "{shares:?}");
}

#[test]
fn best_splits_by_hand_give_the_tree() {
    let mut noise = Noise(11);
    for round in 0..8 {
        let sample = Sample::new(20 + 15 * round, &mut noise);
        for words in recipes() {
            check(&words, &sample, round % 2 == 1, &mut noise);
        }
    }
}

#[test]
fn questions_may_be_forced() {
    let mut noise = Noise(5);
    let sample = Sample::new(60, &mut noise);
    for words in recipes() {
        let recipe = words.read().unwrap();
        let (table, target, cancel) = (sample.table(), sample.target(&words), Cancel::default());
        let hand = ByHand { recipe: &recipe, table: &table, target, weights: None, cancel: &cancel };
        let root = hand.start().unwrap();
        let best = hand.act(&root.tree, &[(0, Action::Split)]).unwrap();
        for feature in 0..3 {
            let cut = (feature != 1).then_some(7.25);
            let stage = hand.act(&root.tree, &[(0, Action::SplitOn { feature, cut })]).unwrap();
            assert_eq!(stage.tree.feature[0], feature);
            assert_eq!(stage.tree.threshold[0].to_bits(), cut.unwrap_or(f64::NAN).to_bits());
            assert!(stage.tree.n_children[0] >= 2);
            assert_eq!(stage.by_hand.is_empty(), text(&stage.tree) == text(&best.tree));
            let rule = stage.tree.way(0, &table.kinds());
            let same = hand.act(&root.tree, &[(0, Action::SplitBy { feature, rule })]).unwrap();
            assert_eq!(text(&same.tree), text(&stage.tree));
        }
        let feature = best.tree.feature[0];
        let same = hand.act(&root.tree, &[(0, Action::SplitOn { feature, cut: None })]).unwrap();
        assert_eq!((text(&same.tree), &same.by_hand[..]), (text(&best.tree), &[][..]));
    }
}

#[test]
fn what_cannot_be_done_is_refused() {
    let sample = Sample::new(40, &mut Noise(3));
    let recipe = words("entropy").read().unwrap();
    let (table, cancel) = (sample.table(), Cancel::default());
    let target = Target::Classes { codes: &sample.classes, classes: 3 };
    let hand = ByHand { recipe: &recipe, table: &table, target, weights: None, cancel: &cancel };
    let root = hand.start().unwrap().tree;
    let slug = |tree: &Tree, node: usize, action: Action| hand.act(tree, &[(node, action)]).unwrap_err().to_string();
    assert!(slug(&root, 1, Action::Split).contains("[grow.rule]"));
    assert!(slug(&root, 0, Action::SplitOn { feature: 9, cut: None }).contains("[grow.rule]"));
    assert!(slug(&root, 0, Action::SplitOn { feature: 1, cut: Some(1.0) }).contains("[grow.rule]"));
    assert!(slug(&root, 0, Action::SplitOn { feature: 0, cut: Some(99.0) }).contains("[grow.one-branch]"));
    let wrong = SplitRule { question: Question::Route(vec![0, 1]), children: 2, missing: 0 };
    assert!(slug(&root, 0, Action::SplitBy { feature: 1, rule: wrong }).contains("[grow.rule]"));
    let once = hand.act(&root, &[(0, Action::SplitOn { feature: 1, cut: None })]).unwrap().tree;
    assert!(slug(&once, 1, Action::SplitOn { feature: 1, cut: None }).contains("[grow.column]"));
    let whole = hand.grow().unwrap().tree;
    let reasons = hand.leaf_reasons(&whole).unwrap();
    let pure = reasons.iter().position(|reason| *reason == Some(LeafReason::Pure)).unwrap();
    assert!(slug(&whole, pure, Action::Split).contains("all its rows are alike"));
}
