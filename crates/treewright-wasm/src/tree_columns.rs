//! Trees of a finished model, by columns of the node table.
#![allow(missing_docs, reason = "fields are described where pages read them, in contract.ts")]

use crate::documents::{Feature, Num};
use crate::figures::restore;
use serde::Serialize;
use std::collections::BTreeMap;
use treewright_core::prelude::Tree;

/// A finished tree in a document.
#[derive(Debug, Serialize)]
pub struct TreeDocument {
    pub features: Vec<Feature>,
    pub target: String,
    pub classes: Option<Vec<String>>,
    pub criterion: &'static str,
    pub tree: TreeColumns,
}

/// The node table.
#[derive(Debug, Serialize)]
pub struct TreeColumns {
    first_child: Vec<u32>,
    n_children: Vec<u16>,
    feature: Vec<u32>,
    threshold: Vec<Num>,
    route_start: Vec<u32>,
    route: Vec<u16>,
    missing: Vec<u16>,
    count: Vec<u64>,
    weight: Vec<f64>,
    value: Vec<f64>,
    cost: Vec<f64>,
    gain: Vec<f64>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    outputs: BTreeMap<usize, Vec<f64>>,
}

/// The columns of a tree; with classes its values are weights.
pub fn tree_columns(tree: &Tree, classes: bool) -> TreeColumns {
    let weight = |node: usize| if classes { tree.weight[node] } else { 1.0 };
    let value = |(place, value): (usize, &f64)| {
        let weighed = value * weight(place / tree.outputs);
        if classes { restore(weighed) } else { weighed }
    };
    let empty = |node: &usize| classes && tree.weight[*node] <= 0.0;
    TreeColumns {
        first_child: tree.first_child.clone(),
        n_children: tree.n_children.clone(),
        feature: tree.feature.clone(),
        threshold: tree.threshold.iter().map(|&threshold| Num(threshold)).collect(),
        route_start: tree.route_start.clone(),
        route: tree.route.clone(),
        missing: tree.missing.clone(),
        count: tree.count.clone(),
        weight: tree.weight.clone(),
        value: tree.value.iter().enumerate().map(value).collect(),
        cost: tree.cost.clone(),
        gain: tree.gain.clone(),
        outputs: (0..tree.len()).filter(empty).map(|node| (node, tree.value_of(node).to_vec())).collect(),
    }
}
