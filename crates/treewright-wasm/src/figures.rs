//! Sets of rows and splits, from the core's own types to those of a page.

use crate::documents::{Group, Num, SplitDocument};
use treewright_core::prelude::{Figures, Kind, Question, SplitRule, Tree};

/// A set of rows; with classes the weight of each, else the mean.
pub fn group_of(figures: &Figures, classes: bool) -> Group {
    group(figures.count, figures.weight, figures.cost, &figures.value, classes)
}

/// The rows of a node.
pub fn group_of_node(tree: &Tree, node: usize, classes: bool) -> Group {
    group(tree.count[node], tree.weight[node], tree.cost[node], tree.value_of(node), classes)
}

fn group(rows: u64, weight: f64, cost: f64, value: &[f64], classes: bool) -> Group {
    let value = if classes { value.iter().map(|share| restore(share * weight)).collect() } else { value.to_vec() };
    let impurity = if weight > 0.0 { cost / weight + 0.0 } else { 0.0 };
    Group { rows, weight, value, impurity }
}

/// A weight without the rounding error of share times weight, where it was a whole number.
pub fn restore(weight: f64) -> f64 {
    let near = weight.round_ties_even();
    if (weight - near).abs() <= f64::max(1e-9, 1e-12 * f64::max(weight.abs(), near.abs())) {
        near + 0.0
    } else {
        weight
    }
}

/// A split.
pub fn split_of(feature: u32, rule: &SplitRule) -> SplitDocument {
    let (threshold, route) = match &rule.question {
        Question::Threshold(threshold) => (Some(Num(*threshold)), None),
        Question::Route(route) => (None, Some(route.clone())),
    };
    SplitDocument { feature, threshold, route, missing: rule.missing }
}

/// The split of a node; none for a leaf.
pub fn split_of_node(tree: &Tree, node: usize, kinds: &[Kind]) -> Option<SplitDocument> {
    (tree.n_children[node] > 0).then(|| split_of(tree.feature[node], &tree.way(node, kinds)))
}
