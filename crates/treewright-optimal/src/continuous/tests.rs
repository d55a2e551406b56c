//! The searches against the definition: every tree, without any bound.

use super::intervals::{Edge, Interval};
use super::node::Node;
use super::*;
use crate::problem::Target;
use crate::test_random::Random;
use treewright_core::prelude::Cancel;

/// A table of few distinct numbers, so that ties and equal rows are common.
struct Toy {
    columns: Vec<Vec<f64>>,
    codes: Vec<u32>,
    classes: usize,
    weights: Option<Vec<u32>>,
}

impl Toy {
    fn new(random: &mut Random, most_rows: usize) -> Toy {
        let (rows, width) = (1 + random.below(most_rows), 1 + random.below(4));
        let numbers = [2, 5, 1000][random.below(3)];
        let columns: Vec<Vec<f64>> =
            (0..width).map(|_| (0..rows).map(|_| random.below(numbers) as f64 / 4.0 - 2.0).collect()).collect();
        let (classes, noise) = (2 + random.below(3) / 2, random.below(10));
        let class = |row: usize, random: &mut Random| {
            let middle = numbers as f64 / 8.0 - 2.0;
            let side = |column: &[f64]| usize::from(column[row] > middle);
            let clean = (side(&columns[0]) ^ side(&columns[width - 1])) + side(&columns[width / 2]);
            (if random.below(20) < noise { random.below(classes) } else { clean % classes }) as u32
        };
        let codes = (0..rows).map(|row| class(row, random)).collect();
        let weights = (random.below(3) == 0).then(|| (0..rows).map(|_| random.below(4) as u32).collect());
        Toy { columns, codes, classes, weights }
    }

    /// Rows of weight 0 are left out.
    fn all(&self) -> Vec<usize> {
        (0..self.codes.len()).filter(|&row| self.weight(row) > 0.0).collect()
    }

    fn weight(&self, row: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| f64::from(weights[row]))
    }

    fn solve(&self, change: impl FnOnce(&mut Problem<'_>)) -> Solution {
        let columns: Vec<&[f64]> = self.columns.iter().map(Vec::as_slice).collect();
        let target = Target::Classes { codes: &self.codes, classes: self.classes };
        let cancel = Cancel::default();
        let mut problem = Problem::new(Columns::Numbers(&columns), target, &cancel);
        problem.weights = self.weights.as_deref();
        change(&mut problem);
        crate::solve(&problem).unwrap()
    }

    /// The weight of the rows that a leaf has wrong.
    fn errors(&self, rows: &[usize]) -> f64 {
        let mut weights = vec![0.0; self.classes];
        rows.iter().for_each(|&row| weights[self.codes[row] as usize] += self.weight(row));
        weights.iter().sum::<f64>() - weights.iter().fold(0.0f64, |most, &weight| most.max(weight))
    }

    /// The least cost by definition.
    fn least(&self, rows: &[usize], depth: usize, leaf_cost: f64, min_leaf: usize) -> f64 {
        let mut best = self.errors(rows) + leaf_cost;
        for column in self.columns.iter().filter(|_| depth > 0) {
            let mut cuts: Vec<f64> = rows.iter().map(|&row| column[row]).collect();
            cuts.sort_by(f64::total_cmp);
            cuts.dedup();
            for cut in cuts {
                let (left, right): (Vec<usize>, Vec<usize>) = rows.iter().partition(|&&row| column[row] <= cut);
                if left.len().min(right.len()) >= min_leaf.max(1) {
                    let sides = [left, right].map(|side| self.least(&side, depth - 1, leaf_cost, min_leaf));
                    best = best.min(sides[0] + sides[1]);
                }
            }
        }
        best
    }

    /// The cost of a tree, counted row by row; None if a leaf is too small.
    fn cost_of(&self, solution: &Solution, leaf_cost: f64, min_leaf: usize) -> Option<f64> {
        let mut leaves: std::collections::BTreeMap<usize, Vec<usize>> = Default::default();
        for row in self.all() {
            leaves.entry(solution.nodes.leaf_of(|column| self.columns[column][row])).or_default().push(row);
        }
        let wrong = |(&leaf, rows): (&usize, &Vec<usize>)| -> f64 {
            let class = solution.nodes.value[leaf];
            let is_wrong = |row: &&usize| f64::from(self.codes[**row]) != class;
            rows.iter().filter(is_wrong).map(|&row| self.weight(row)).sum()
        };
        let large = leaves.values().all(|rows| rows.len() >= min_leaf) && leaves.len() == solution.nodes.leaves();
        large.then(|| leaves.iter().map(wrong).sum::<f64>() + leaf_cost * leaves.len() as f64)
    }
}

#[test]
fn the_least_cost_is_that_of_the_definition() {
    let mut random = Random::new(5);
    for round in 0..400 {
        let depth = round % 4;
        let toy = Toy::new(&mut random, [3, 60, 30, 11][depth]);
        // A leaf never counts for more than all rows.
        let all = toy.all().iter().map(|&row| toy.weight(row)).sum::<f64>().max(1.0);
        let leaf_cost = all.min([0.0, 0.0, 0.25, 1.0, 2.5][random.below(5)]);
        let min_leaf = [1, 1, 2, 4][random.below(4)];
        let rows = toy.all();
        let expected = toy.least(&rows, depth, leaf_cost, min_leaf);
        for threads in [1, 2] {
            let solution = toy.solve(|problem| {
                (problem.max_depth, problem.leaf_cost, problem.min_leaf) = (depth, leaf_cost, min_leaf);
                problem.threads = threads;
            });
            let at = format!("round {round} depth {depth} leaf cost {leaf_cost} minimum leaf {min_leaf}");
            assert_eq!((solution.cost, solution.lower_bound), (expected, expected), "{at}");
            assert_eq!(solution.ending, Ending::Proven);
            assert_eq!(
                toy.cost_of(&solution, leaf_cost, min_leaf.min(rows.len())),
                Some(expected).filter(|_| !rows.is_empty()),
                "{at}"
            );
            let leaves = leaf_cost * solution.nodes.leaves() as f64;
            assert_eq!(solution.errors, expected - leaves, "{at}");
        }
    }
}

/// All cuts as columns of zeros and ones.
fn as_bits(toy: &Toy) -> crate::BitMatrix {
    let mut cells = Vec::new();
    for column in &toy.columns {
        let mut values = column.clone();
        values.sort_by(f64::total_cmp);
        values.dedup();
        for cut in &values[..values.len() - 1] {
            cells.push(column.iter().map(|value| u8::from(value > cut)).collect::<Vec<u8>>());
        }
    }
    crate::BitMatrix::from_columns(toy.codes.len(), cells.len(), &cells.concat()).unwrap()
}

#[test]
fn the_cost_is_that_of_the_solver_for_bits_over_all_cuts() {
    let mut random = Random::new(6);
    for round in 0..60 {
        let toy = Toy::new(&mut random, 60);
        let bits = as_bits(&toy);
        let options = |problem: &mut Problem<'_>| {
            (problem.max_depth, problem.min_leaf) = (2 + round % 2, 1 + round / 2 % 3);
            problem.leaf_cost = [0.0, 0.5][round / 6 % 2];
        };
        let cancel = Cancel::default();
        let target = Target::Classes { codes: &toy.codes, classes: toy.classes };
        let mut problem = Problem::new(Columns::Bits(&bits), target, &cancel);
        problem.weights = toy.weights.as_deref();
        options(&mut problem);
        if bits.columns() > 60 && round % 2 == 1 {
            continue;
        }
        assert_eq!(toy.solve(options).cost, crate::solve(&problem).unwrap().cost, "round {round}");
    }
}

#[test]
fn bounds_of_the_cuts_between_two_edges_hold() {
    let mut random = Random::new(7);
    for round in 0..60 {
        let toy = Toy::new(&mut random, 14);
        let (leaf_cost, depth) = ([0.0, 0.25, 2.0][round % 3], 1 + round / 3 % 2);
        let columns: Vec<&[f64]> = toy.columns.iter().map(Vec::as_slice).collect();
        let target = Target::Classes { codes: &toy.codes, classes: toy.classes };
        let cancel = Cancel::default();
        let problem = Problem {
            leaf_cost,
            weights: toy.weights.as_deref(),
            ..Problem::new(Columns::Numbers(&columns), target, &cancel)
        };
        let table: Table<u16> = RankedColumns::new(&problem, &columns).unwrap().into_table(&problem).unwrap();
        let leaf_cost = table.rules.leaf as f64 / table.rules.unit as f64;
        let node = Node::all_rows(&table, 0..table.columns()).unwrap();
        for feature in 0..table.columns() {
            let used = toy.all();
            let order: Vec<usize> = table.order[feature].iter().map(|&row| used[row as usize]).collect();
            let cost = |rows: &[usize]| (toy.least(rows, depth, leaf_cost, 1) * table.rules.unit as f64) as i64;
            let parts: Vec<[i64; 2]> = (0..=order.len()).map(|k| [cost(&order[..k]), cost(&order[k..])]).collect();
            for from in 0..order.len() {
                for to in from + 2..=order.len() {
                    // Lower bounds instead of values must do as well.
                    let less = |floors: [i64; 2]| floors.map(|floor| floor - random_part(from, to) * floor / 4);
                    let [a, b] = [from, to].map(|place| Edge { place, floors: less(parts[place]) });
                    let interval = Interval::between(&node, feature, a, b);
                    for (k, part) in parts.iter().enumerate().take(to).skip(from + 1) {
                        assert!(interval.lower <= part[0] + part[1], "round {round} {from}..{to} at {k}");
                        let floors = interval.floors_at(&node, k);
                        assert!(floors[0] <= part[0] && floors[1] <= part[1], "round {round} {from}..{to} at {k}");
                    }
                }
            }
        }
    }
}

/// 0, 1 or 2.
fn random_part(from: usize, to: usize) -> i64 {
    ((7 * from + 3 * to) % 3) as i64
}

/// Rows whose classes follow no rule, so that the search takes long.
fn noise(rows: usize, width: usize, classes: usize) -> Toy {
    let mut random = Random::new(8);
    let columns = (0..width).map(|_| (0..rows).map(|_| random.below(1 << 20) as f64).collect()).collect();
    let codes = (0..rows).map(|_| random.below(classes) as u32).collect();
    Toy { columns, codes, classes, weights: None }
}

#[test]
fn blocks_of_columns_change_nothing() {
    let toy = noise(90, 5, 2);
    let columns: Vec<&[f64]> = toy.columns.iter().map(Vec::as_slice).collect();
    let target = Target::Classes { codes: &toy.codes, classes: toy.classes };
    let cancel = Cancel::default();
    let problem = Problem::new(Columns::Numbers(&columns), target, &cancel);
    let table: Table<u16> = RankedColumns::new(&problem, &columns).unwrap().into_table(&problem).unwrap();
    let limits = Limits::start(&problem);
    let costs = [1, 2, 5].map(|size| {
        let search = Search::with_blocks(&table, &limits, size).unwrap();
        let two = search.depth_two().unwrap();
        (two.cost, search.depth_three(&two, 1, |_, _| ()).unwrap().cost)
    });
    assert_eq!(costs, [costs[0]; 3]);
}

#[test]
fn threads_and_wide_codes_change_nothing() {
    let toy = noise(300, 4, 2);
    let trees = [1, 2, 4].map(|threads| toy.solve(|problem| (problem.max_depth, problem.threads) = (3, threads)));
    assert!(trees.iter().all(|tree| tree.nodes == trees[0].nodes && tree.cost == trees[0].cost));
    let columns: Vec<&[f64]> = toy.columns.iter().map(Vec::as_slice).collect();
    let target = Target::Classes { codes: &toy.codes, classes: toy.classes };
    let cancel = Cancel::default();
    let problem = Problem { max_depth: 3, ..Problem::new(Columns::Numbers(&columns), target, &cancel) };
    let wide: Table<u32> = RankedColumns::new(&problem, &columns).unwrap().into_table(&problem).unwrap();
    let solution = solve_table(&problem, &wide, &Limits::start(&problem)).unwrap();
    assert_eq!(solution.nodes, trees[0].nodes);
}

#[test]
fn a_search_that_is_stopped_has_a_tree_and_a_bound() {
    for classes in [2, 3] {
        let toy = noise(400, 4, classes);
        let complete = toy.solve(|problem| problem.max_depth = 3);
        for limit in [0.0, 0.001, 0.01] {
            let solution = toy.solve(|problem| (problem.max_depth, problem.time_limit) = (3, Some(limit)));
            assert!(solution.lower_bound <= complete.cost && complete.cost <= solution.cost);
            assert_eq!(toy.cost_of(&solution, 0.0, 1), Some(solution.cost));
            let rises = |pair: &[(f64, f64, f64)]| pair[0].1 >= pair[1].1 && pair[0].2 <= pair[1].2;
            assert!(solution.progress.windows(2).all(rises));
            assert_eq!(solution.ending, if limit == 0.0 { Ending::TimeLimit } else { solution.ending });
        }
    }
}

#[test]
fn odd_tables_have_trees_too() {
    let table = |columns: Vec<Vec<f64>>, codes: Vec<u32>| Toy { columns, codes, classes: 2, weights: None };
    let zeros = vec![-0.0, 0.0, -0.0, 0.0];
    let cost = |toy: &Toy| toy.solve(|problem| problem.max_depth = 3).cost;
    assert_eq!(cost(&table(vec![], vec![0, 1, 1])), 1.0);
    assert_eq!(cost(&table(vec![zeros], vec![0, 1, 0, 1])), 2.0);
    assert_eq!(cost(&table(vec![vec![3.0]], vec![1])), 0.0);
    let extremes = vec![f64::MIN, -f64::MIN_POSITIVE, 0.0, f64::MAX];
    let toy = table(vec![extremes], vec![0, 1, 0, 1]);
    let solution = toy.solve(|problem| problem.max_depth = 2);
    assert_eq!((solution.cost, toy.cost_of(&solution, 0.0, 1)), (0.0, Some(0.0)));
    // More numbers than codes of 16 bits.
    let many: Vec<f64> = (0..70_000).map(f64::from).collect();
    let halves = (0..70_000).map(|row| u32::from(row > 65_537)).collect();
    let solution = table(vec![many], halves).solve(|problem| problem.max_depth = 2);
    assert_eq!((solution.cost, solution.nodes.cut[0]), (0.0, 65_537.5));
}
