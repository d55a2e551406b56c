//! 0-R and 1-R: the most frequent class or the mean, and the one column whose rule makes the fewest errors.

use crate::exact_sum::exact_sum;
use crate::failure::{Failure, Result};
use crate::params::Params;
use crate::table::{Cells, Rows, TargetColumn};
use treewright_core::prelude::{Leaf, Question, STOP, SplitRule, Tree};

/// The square of a larger number is too large to add up.
const LARGEST: f64 = 1e100;
/// A cut above all values, which tells known values from missing ones.
const ABOVE_ALL: f64 = f64::MAX;

/// The tree of one leaf.
pub fn zero_r(rows: &Rows, weights: Option<&[f64]>) -> Result<Tree> {
    match &rows.target {
        TargetColumn::Classes(codes, classes) => {
            let order = by_weight(weights, rows.count);
            let counts = count_classes(codes, weights, classes.len(), &order);
            let mut tree = Tree::new(classes.len());
            push_class(&mut tree, &counts, rows.count as u64, None);
            Ok(tree)
        }
        TargetColumn::Numbers(numbers) => {
            let largest = numbers.iter().fold(0.0, |most: f64, number| most.max(number.abs()));
            if largest > LARGEST {
                let message = format!("the target holds {largest:e}, whose square is too large to add up");
                return Err(Failure::new("data.large-numbers", message));
            }
            let total = numbers.len() as f64;
            let mean = exact_sum(numbers.iter().copied()) / total;
            let cost = exact_sum(numbers.iter().map(|number| (number - mean) * (number - mean)));
            let mut tree = Tree::new(1);
            tree.push(Leaf { value: &[mean], weight: total, count: numbers.len() as u64, cost });
            Ok(tree)
        }
    }
}

/// The rows in ascending order of weight, so that sums do not depend on the order of the rows.
fn by_weight(weights: Option<&[f64]>, count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    if let Some(weights) = weights {
        order.sort_by(|&a, &b| weights[a].total_cmp(&weights[b]));
    }
    order
}

fn count_classes(codes: &[u32], weights: Option<&[f64]>, classes: usize, rows: &[usize]) -> Vec<f64> {
    let mut counts = vec![0.0; classes];
    for &row in rows {
        counts[codes[row] as usize] += weights.map_or(1.0, |weights| weights[row]);
    }
    counts
}

/// The weight of all classes but the heaviest.
fn errors_of(counts: &[f64]) -> f64 {
    counts.iter().sum::<f64>() - counts.iter().copied().fold(0.0, f64::max)
}

fn push_class(tree: &mut Tree, counts: &[f64], rows: u64, above: Option<&[f64]>) -> usize {
    let values = if rows > 0 { counts } else { above.unwrap_or(counts) };
    let total: f64 = values.iter().sum();
    let shares: Vec<f64> = values.iter().map(|value| value / total).collect();
    tree.push(Leaf { value: &shares, weight: counts.iter().sum(), count: rows, cost: errors_of(counts) })
}

/// The rule of one column: the class weights and rows of each bucket or level, and of missing values.
pub struct Rule {
    counts: Vec<Vec<f64>>,
    rows: Vec<u64>,
    /// One between any two buckets; none for levels.
    cuts: Option<Vec<f64>>,
    missing: Option<(Vec<f64>, u64)>,
}

impl Rule {
    /// The weight of the rows that the rule predicts wrongly.
    pub fn errors(&self) -> f64 {
        let missing = self.missing.iter().map(|(counts, _)| errors_of(counts));
        exact_sum(self.counts.iter().map(|counts| errors_of(counts)).chain(missing))
    }
}

/// The tree of the best rule, and the rules of all columns with the chosen one.
pub fn one_r(params: &Params, rows: &Rows, weights: Option<&[f64]>) -> Result<(Tree, Vec<Rule>, usize)> {
    let least = params.integer("min_bucket", 1, u64::MAX)?.unwrap_or(6) as f64;
    let TargetColumn::Classes(codes, classes) = &rows.target else {
        return Err(Failure::new("fit.task", "1-R predicts classes, and the target is a number"));
    };
    let order = by_weight(weights, rows.count);
    let data = Labeled { codes, weights, classes: classes.len(), order };
    let total = count_classes(codes, weights, classes.len(), &data.order);
    let rules: Vec<Rule> = rows.features.iter().map(|feature| data.rule(&feature.cells, least)).collect();
    let errors: Vec<f64> = rules.iter().map(Rule::errors).collect();
    // The first of the best; rounding of fractional weights makes no difference.
    let fewest = errors.iter().copied().fold(f64::INFINITY, f64::min) + 1e-9 * total.iter().sum::<f64>();
    let best = errors.iter().position(|&errors| errors <= fewest).unwrap_or(0);
    let mut tree = Tree::new(classes.len());
    push_class(&mut tree, &total, rows.count as u64, None);
    rules[best].add_splits(&mut tree, best as u32, &total);
    Ok((tree, rules, best))
}

struct Labeled<'a> {
    codes: &'a [u32],
    weights: Option<&'a [f64]>,
    classes: usize,
    order: Vec<usize>,
}

impl Labeled<'_> {
    fn rule(&self, cells: &Cells, least: f64) -> Rule {
        let (absent, present): (Vec<usize>, Vec<usize>) = self.order.iter().partition(|&&row| cells.is_missing(row));
        let mut rule = match cells {
            Cells::Numbers(numbers) => self.buckets(numbers, &present, least),
            Cells::Codes(codes, levels) => self.parts(&present, levels.len(), |row| codes[row] as usize, None),
        };
        if !absent.is_empty() {
            let counts = count_classes(self.codes, self.weights, self.classes, &absent);
            rule.missing = Some((counts, absent.len() as u64));
        }
        rule
    }

    fn parts(&self, rows: &[usize], parts: usize, part: impl Fn(usize) -> usize, cuts: Option<Vec<f64>>) -> Rule {
        let (mut counts, mut sizes) = (vec![vec![0.0; self.classes]; parts], vec![0; parts]);
        for &row in rows {
            counts[part(row)][self.codes[row] as usize] += self.weights.map_or(1.0, |weights| weights[row]);
            sizes[part(row)] += 1;
        }
        Rule { counts, rows: sizes, cuts, missing: None }
    }

    fn buckets(&self, numbers: &[f64], rows: &[usize], least: f64) -> Rule {
        let known: Vec<f64> = rows.iter().map(|&row| numbers[row]).collect();
        let values = crate::table::different(&known);
        let place = |row: usize| values.partition_point(|value| *value < numbers[row]);
        let ends = self.ends(rows, place, values.len(), least);
        let bucket_of = |ends: &[usize], row: usize| ends.partition_point(|&end| end < place(row));
        // Neighboring buckets with the same prediction are merged.
        let first = self.parts(rows, ends.len(), |row| bucket_of(&ends, row), None);
        let top = |counts: &Vec<f64>| (0..counts.len()).reduce(|a, b| if counts[b] > counts[a] { b } else { a });
        let tops: Vec<_> = first.counts.iter().map(top).collect();
        let last = ends.len().saturating_sub(1);
        let merged: Vec<usize> =
            (0..ends.len()).filter(|&i| i == last || tops[i] != tops[i + 1]).map(|i| ends[i]).collect();
        let inner = merged.len().saturating_sub(1);
        let cuts = merged[..inner].iter().map(|&end| midpoint(values[end], values[end + 1])).collect();
        self.parts(rows, merged.len(), |row| bucket_of(&merged, row), Some(cuts))
    }

    /// The last value of each bucket: it grows until its most frequent class weighs enough and the next value has another.
    fn ends(&self, rows: &[usize], place: impl Fn(usize) -> usize, values: usize, least: f64) -> Vec<usize> {
        let mut by_value: Vec<std::collections::BTreeMap<u32, f64>> = vec![Default::default(); values];
        for &row in rows {
            *by_value[place(row)].entry(self.codes[row]).or_default() += self.weights.map_or(1.0, |w| w[row]);
        }
        let heavier = |(a, x): (u32, f64), (b, y): (u32, f64)| if y > x { (b, y) } else { (a, x) };
        let tops: Vec<Option<u32>> = by_value
            .iter()
            .map(|classes| {
                classes.iter().map(|(&class, &weight)| (class, weight)).reduce(heavier).map(|(class, _)| class)
            })
            .collect();
        let (mut ends, mut counts, mut top) = (Vec::new(), vec![0.0; self.classes], 0);
        for (value, classes) in by_value.iter().enumerate() {
            for (&class, &weight) in classes {
                let class = class as usize;
                counts[class] += weight;
                if counts[class] > counts[top] || (counts[class] == counts[top] && class < top) {
                    top = class;
                }
            }
            let next = tops.get(value + 1).copied().flatten();
            if counts[top] >= least && next.is_some_and(|next| next as usize != top) {
                ends.push(value);
                (counts, top) = (vec![0.0; self.classes], 0);
            }
        }
        ends.extend(values.checked_sub(1));
        ends
    }
}

/// The midpoint, or the lower value where rounding would give the upper one.
fn midpoint(low: f64, high: f64) -> f64 {
    let middle = low / 2.0 + high / 2.0;
    if low <= middle && middle < high { middle } else { low }
}

impl Rule {
    /// Adds the splits of the rule below the root, where it has more than one part.
    fn add_splits(&self, tree: &mut Tree, feature: u32, total: &[f64]) {
        if self.counts.len() + usize::from(self.missing.is_some()) < 2 || self.counts.is_empty() {
            return;
        }
        match &self.cuts {
            None => {
                let parts: Vec<_> = self.counts.iter().cloned().zip(self.rows.iter().copied()).collect();
                self.add_split(tree, 0, feature, total, &parts, None);
            }
            Some(cuts) if cuts.is_empty() => {
                // One bucket and missing values: a cut above all values separates them.
                let mut counts = self.counts.clone();
                counts.push(vec![0.0; total.len()]);
                let rows = vec![self.rows[0], 0];
                let two = Rule { counts, rows, cuts: Some(vec![ABOVE_ALL]), missing: self.missing.clone() };
                two.add_cuts(tree, feature, total, &[ABOVE_ALL]);
            }
            Some(cuts) => self.add_cuts(tree, feature, total, cuts),
        }
    }

    /// Adds the middle cut first and so on: many cuts must not make a deep tree.
    fn add_cuts(&self, tree: &mut Tree, feature: u32, total: &[f64], cuts: &[f64]) {
        let sum = |start: usize, end: usize| {
            let mut counts = vec![0.0; total.len()];
            for part in &self.counts[start..end] {
                counts.iter_mut().zip(part).for_each(|(sum, weight)| *sum += weight);
            }
            (counts, self.rows[start..end].iter().sum())
        };
        let mut open = vec![(0, 0, self.counts.len(), total.to_vec())];
        while let Some((node, start, end, above)) = open.pop() {
            if end - start < 2 {
                continue;
            }
            let middle = (start + end) / 2;
            let parts = [sum(start, middle), sum(middle, end)];
            let first = self.add_split(tree, node, feature, &above, &parts, Some(cuts[middle - 1]));
            let [low, high] = parts;
            open.push((first + 1, middle, end, high.0));
            open.push((first, start, middle, low.0));
        }
    }

    fn add_split(
        &self,
        tree: &mut Tree,
        node: usize,
        feature: u32,
        above: &[f64],
        parts: &[(Vec<f64>, u64)],
        cut: Option<f64>,
    ) -> usize {
        let own = self.missing.as_ref().filter(|_| node == 0);
        let children: Vec<&(Vec<f64>, u64)> = parts.iter().chain(own).collect();
        let saved = errors_of(above) - exact_sum(children.iter().map(|(counts, _)| errors_of(counts)));
        let question = match cut {
            Some(cut) => Question::Threshold(cut),
            None => Question::Route((0..parts.len() as u16).collect()),
        };
        let missing = if own.is_some() { parts.len() as u16 } else { STOP };
        let rule = SplitRule { question, children: children.len() as u16, missing };
        tree.ask(node, feature, &rule, saved.max(0.0));
        let pushed: Vec<usize> =
            children.iter().map(|(counts, rows)| push_class(tree, counts, *rows, Some(above))).collect();
        pushed[0]
    }
}
