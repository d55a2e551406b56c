//! Every way to answer gives the bits of the plain walk: random forests of every shape, rows with everything in them.
#![allow(clippy::unwrap_used)]

use treewright_core::prelude::{
    AlternativeSplit, AlternativeSplits, Cancel, Column, Combine, Floats, Forest, How, Isa, Kind, Leaf, Link, MISSING,
    Method as Engine, Question, SHARE, STOP, SURROGATE, SplitRule, Stream, Strided, Table, Tree, UNSEEN,
};

/// Random numbers one after another.
struct Dice(Stream, u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.1 += 1;
        self.0.below(self.1, bound as u64) as usize
    }

    fn number(&mut self) -> f64 {
        self.1 += 1;
        let unit = self.0.uniform(self.1);
        match self.below(12) {
            0 => 0.0,
            1 => -0.0,
            2 => f64::from_bits(1 + (unit * 1e9) as u64),
            3 => -1e300 * unit,
            4 => (unit * 8.0).floor(),
            _ => unit * 4.0 - 2.0,
        }
    }
}

/// What a forest may have.
#[derive(Clone, Copy, Debug)]
struct Shape {
    columns: usize,
    trees: usize,
    leaves: usize,
    outputs: usize,
    levels: usize,
    /// Where missing values go: 0 a child, 1 also nowhere, 2 also to all.
    missing: usize,
    spares: bool,
}

fn kinds(shape: Shape) -> Vec<Kind> {
    let kind = |i: usize| {
        if shape.levels > 0 && i % 3 == 2 { Kind::Categorical(shape.levels as u32) } else { Kind::Numeric }
    };
    (0..shape.columns).map(kind).collect()
}

fn leaf(tree: &mut Tree, dice: &mut Dice) {
    let value: Vec<f64> = (0..tree.outputs).map(|_| dice.number()).collect();
    let weight = dice.below(4) as f64;
    tree.push(Leaf { value: &value, weight: weight + 1.0, count: 1, cost: 0.0 });
}

fn missing(shape: Shape, children: u16, dice: &mut Dice) -> u16 {
    match dice.below(2 + 2 * shape.missing) {
        0 | 1 => dice.below(usize::from(children)) as u16,
        2 | 3 => STOP,
        _ => SHARE,
    }
}

fn way(shape: Shape, kind: Kind, dice: &mut Dice) -> SplitRule {
    let Kind::Categorical(levels) = kind else {
        if shape.missing > 0 && dice.below(6) == 0 {
            return SplitRule { question: Question::Threshold(dice.number()), children: 3, missing: 2 };
        }
        let cut = if dice.below(20) == 0 { f64::INFINITY } else { dice.number() };
        let missing = if cut.is_finite() { missing(shape, 2, dice) } else { 1 };
        return SplitRule { question: Question::Threshold(cut), children: 2, missing };
    };
    let children = 2 + dice.below(3) as u16;
    let odd = shape.missing * 2;
    let route = (0..levels).map(|_| match dice.below(20 + odd) {
        20 => STOP,
        21 if shape.missing > 1 => SHARE,
        _ => dice.below(usize::from(children)) as u16,
    });
    let question = Question::Route(route.collect());
    SplitRule { question, children, missing: missing(shape, children, dice) }
}

fn tree(shape: Shape, dice: &mut Dice) -> Tree {
    let kinds = kinds(shape);
    let mut tree = Tree::new(shape.outputs);
    leaf(&mut tree, dice);
    let mut leaves = vec![0];
    while leaves.len() + 3 < shape.leaves {
        let node = leaves.swap_remove(dice.below(leaves.len()));
        let feature = dice.below(shape.columns);
        let way = way(shape, kinds[feature], dice);
        tree.ask(node, feature as u32, &way, 1.0);
        for _ in 0..way.children {
            leaves.push(tree.len());
            leaf(&mut tree, dice);
        }
    }
    if shape.spares {
        let spare = AlternativeSplit {
            role: SURROGATE,
            feature: 0,
            question: Question::Threshold(0.25),
            below: 1,
            merit: 0.5,
            adjusted: 0.5,
            count: 1,
        };
        let branches = (0..tree.len()).filter(|&node| tree.n_children[node] == 2 && tree.feature[node] > 0).take(1);
        tree.spares = AlternativeSplits::new(tree.len(), branches.map(|node| (node, vec![spare.clone()])).collect());
    }
    tree
}

/// Columns as their own, with cuts of the trees among the numbers.
fn columns(shape: Shape, trees: &[Tree], rows: usize, holes: bool, dice: &mut Dice) -> (Vec<Vec<f64>>, Vec<Vec<u32>>) {
    let cuts: Vec<f64> = trees.iter().flat_map(|tree| tree.threshold.iter().copied().filter(|x| !x.is_nan())).collect();
    let number = |dice: &mut Dice| match dice.below(10) {
        0 | 1 if !cuts.is_empty() => cuts[dice.below(cuts.len())],
        2 if !cuts.is_empty() => cuts[dice.below(cuts.len())].next_up(),
        3 if holes => f64::NAN,
        4 => [f64::INFINITY, f64::NEG_INFINITY][dice.below(2)],
        _ => dice.number(),
    };
    let code = |dice: &mut Dice| match dice.below(20) {
        0 if holes => MISSING,
        1 if holes => UNSEEN,
        _ => dice.below(shape.levels) as u32,
    };
    let (mut numbers, mut codes) = (Vec::new(), Vec::new());
    for kind in kinds(shape) {
        match kind {
            Kind::Numeric => numbers.push((0..rows).map(|_| number(dice)).collect()),
            Kind::Categorical(_) => codes.push((0..rows).map(|_| code(dice)).collect()),
        }
    }
    (numbers, codes)
}

fn table<'a>(shape: Shape, numbers: &'a [Vec<f64>], codes: &'a [Vec<u32>], rows: usize) -> Table<'a> {
    let (mut numbers, mut codes) = (numbers.iter(), codes.iter());
    let levels = shape.levels as u32;
    let column = |kind: Kind| match kind {
        Kind::Numeric => Column::Numeric(numbers.next().unwrap()),
        Kind::Categorical(_) => Column::Categorical { codes: codes.next().unwrap(), levels },
    };
    Table::new(kinds(shape).into_iter().map(column).collect(), rows).unwrap()
}

fn combines(shape: Shape) -> Vec<Combine> {
    let scales: Vec<f64> = (0..shape.trees).map(|i| 0.1 + i as f64 / 3.0).collect();
    let mut all = vec![Combine::mean(), Combine::sum(vec![0.3; shape.outputs], Link::Identity)];
    all.push(Combine { scales: scales.clone(), ..all[1].clone() });
    if shape.outputs == 1 {
        let targets = (0..shape.trees as u32).map(|i| i % 3).collect();
        all.push(Combine { scales: scales.clone(), targets, ..Combine::sum(vec![0.1, 0.2, 0.3], Link::Softmax) });
        all.push(Combine { how: How::Median, scales, ..Combine::default() });
    } else {
        all.push(Combine { how: How::Vote, scales, ..Combine::default() });
    }
    all
}

const SHAPES: [Shape; 15] = [
    Shape { columns: 5, trees: 20, leaves: 31, outputs: 1, levels: 0, missing: 0, spares: false },
    Shape { columns: 3, trees: 90, leaves: 64, outputs: 1, levels: 0, missing: 1, spares: false },
    Shape { columns: 1, trees: 40, leaves: 60, outputs: 2, levels: 0, missing: 0, spares: false },
    Shape { columns: 6, trees: 12, leaves: 20, outputs: 3, levels: 7, missing: 0, spares: false },
    Shape { columns: 6, trees: 12, leaves: 40, outputs: 1, levels: 300, missing: 1, spares: false },
    Shape { columns: 6, trees: 9, leaves: 25, outputs: 2, levels: 4, missing: 2, spares: false },
    Shape { columns: 6, trees: 14, leaves: 31, outputs: 1, levels: 63, missing: 0, spares: false },
    Shape { columns: 6, trees: 14, leaves: 64, outputs: 1, levels: 100, missing: 0, spares: false },
    Shape { columns: 9, trees: 14, leaves: 31, outputs: 1, levels: 180, missing: 0, spares: false },
    Shape { columns: 3, trees: 14, leaves: 31, outputs: 2, levels: 255, missing: 0, spares: false },
    Shape { columns: 3, trees: 14, leaves: 31, outputs: 1, levels: 256, missing: 0, spares: false },
    // More questions about many levels than there is room for.
    Shape { columns: 3, trees: 200, leaves: 64, outputs: 1, levels: 256, missing: 0, spares: false },
    Shape { columns: 6, trees: 9, leaves: 25, outputs: 1, levels: 4, missing: 1, spares: true },
    Shape { columns: 4, trees: 3, leaves: 900, outputs: 1, levels: 0, missing: 0, spares: false },
    Shape { columns: 5, trees: 10, leaves: 200, outputs: 2, levels: 5, missing: 2, spares: false },
];

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn every_way_gives_the_bits_of_the_plain_walk() {
    for (i, shape) in SHAPES.into_iter().enumerate() {
        for holes in [false, true] {
            let mut dice = Dice(Stream::new(11, i as u32), 0);
            let trees: Vec<Tree> = (0..shape.trees).map(|_| tree(shape, &mut dice)).collect();
            let rows = [700, 1, 64, 512, 37][i % 5];
            let (numbers, codes) = columns(shape, &trees, rows, holes, &mut dice);
            let table = table(shape, &numbers, &codes, rows);
            for combine in combines(shape) {
                let forest = Forest::combined(kinds(shape), trees.clone(), combine).unwrap();
                let oracle = bits(&forest.sums_by(Engine::Walk, Isa::PORTABLE, &table).unwrap());
                for way in [Engine::Masks, Engine::Hops, Engine::Best] {
                    for isa in Isa::all() {
                        let sums = forest.sums_by(way, isa, &table).unwrap();
                        assert_eq!(bits(&sums), oracle, "shape {i}, {way:?}, {isa:?}, holes: {holes}");
                    }
                }
                for threads in [1, 2, 3] {
                    let sums = forest.answer(&table, 0..shape.trees, true, threads, &Cancel::default()).unwrap();
                    assert_eq!(bits(&sums), oracle, "shape {i} on {threads} threads");
                }
            }
        }
    }
}

#[test]
fn one_row_is_answered_like_many() {
    for (i, shape) in SHAPES.into_iter().enumerate().filter(|(_, shape)| shape.levels == 0) {
        let mut dice = Dice(Stream::new(5, i as u32), 0);
        let trees: Vec<Tree> = (0..shape.trees).map(|_| tree(shape, &mut dice)).collect();
        let (numbers, codes) = columns(shape, &trees, 200, true, &mut dice);
        let table = table(shape, &numbers, &codes, 200);
        for combine in combines(shape) {
            let forest = Forest::combined(kinds(shape), trees.clone(), combine.clone()).unwrap();
            let all = forest.predict(&table, &Cancel::default()).unwrap();
            let mut quick = 0;
            for (row, says) in all.chunks(forest.outputs()).enumerate() {
                let values: Vec<f64> = numbers.iter().map(|column| column[row]).collect();
                if let Some(said) = forest.answer_row(&values) {
                    assert_eq!(bits(&said), bits(says));
                    quick += 1;
                } else {
                    assert!(combine.how == How::Median || values.iter().any(|x| x.is_nan()));
                }
            }
            assert!(combine.how == How::Median || quick > 50);
            assert!(forest.answer_row(&[0.0; 9]).is_none());
        }
    }
}

/// Matrices of either precision and any stride are read like columns.
#[test]
fn strides_do_not_matter() {
    let shape = SHAPES[0];
    let mut dice = Dice(Stream::new(3, 3), 0);
    let trees: Vec<Tree> = (0..shape.trees).map(|_| tree(shape, &mut dice)).collect();
    let forest = Forest::new(kinds(shape), trees).unwrap();
    let (rows, width) = (600, shape.columns);
    let single: Vec<f32> = (0..rows * width).map(|_| dice.number() as f32).collect();
    let double: Vec<f64> = single.iter().map(|&x| f64::from(x)).collect();
    let by = |floats: Floats<'_>, backwards: bool| {
        let column = |c: usize| {
            let (start, step) =
                if backwards { ((rows - 1) * width + c, -(width as isize)) } else { (c, width as isize) };
            Column::Strided(Strided::new(floats, start, step, rows).unwrap())
        };
        forest.predict(&Table::new((0..width).map(column).collect(), rows).unwrap(), &Cancel::default()).unwrap()
    };
    let said = by(Floats::Single(&single), false);
    assert_eq!(said, by(Floats::Double(&double), false));
    let mut back = by(Floats::Single(&single), true);
    back.reverse();
    assert_eq!(said, back);
}
