//! What a page reads: the types of `web/src/contract.ts`.

#![allow(missing_docs, reason = "fields are described where pages read them, in contract.ts")]

use crate::level::Level;
use crate::spec::Spec;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// A number that may be infinite, which JSON cannot say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Num(pub f64);

impl Serialize for Num {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            f64::INFINITY => to.serialize_str("inf"),
            f64::NEG_INFINITY => to.serialize_str("-inf"),
            number => to.serialize_f64(number),
        }
    }
}

/// A column of a file.
#[derive(Debug, Serialize)]
pub struct SourceColumn {
    pub name: String,
    pub kind: &'static str,
    pub role: &'static str,
    pub note: String,
    pub missing: usize,
    pub distinct: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<Vec<LevelRows>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
}

/// A category with its rows.
#[derive(Debug, Serialize)]
pub struct LevelRows {
    pub name: String,
    pub rows: usize,
}

/// A column as trees ask about it.
#[derive(Clone, Debug, Serialize)]
pub struct Feature {
    pub name: String,
    pub kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ordered: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decimals: Option<u32>,
    pub source: usize,
}

/// A table that was opened.
#[derive(Debug, Serialize)]
pub struct TableDocument {
    pub id: u32,
    pub name: String,
    pub rows: usize,
    pub columns: Vec<SourceColumn>,
    pub features: Vec<Feature>,
    pub target: String,
    pub classes: Option<Vec<String>>,
    pub notes: Vec<String>,
    pub head: Vec<Vec<String>>,
}

/// How rows leave a node.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct SplitDocument {
    pub feature: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold: Option<Num>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub route: Option<Vec<u16>>,
    pub missing: u16,
}

/// A set of rows.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Group {
    pub rows: u64,
    pub weight: f64,
    pub value: Vec<f64>,
    pub impurity: f64,
}

/// A node of a tree that grows.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct TreeNode {
    pub id: u32,
    pub parent: i64,
    pub children: Vec<u32>,
    pub depth: u32,
    pub split: Option<SplitDocument>,
    pub gain: f64,
    pub state: &'static str,
    pub by_hand: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
    #[serde(flatten)]
    pub group: Group,
}

/// A tree while it grows.
#[derive(Debug, Serialize)]
pub struct TreeState {
    pub id: u32,
    pub rev: u32,
    pub spec: Spec,
    pub criterion: &'static str,
    pub chooses_by: &'static str,
    pub features: Vec<Feature>,
    pub target: String,
    pub classes: Option<Vec<String>>,
    pub nodes: Vec<TreeNode>,
}

/// What an action changed.
#[derive(Debug, Serialize)]
pub struct Delta {
    pub rev: u32,
    pub changed: Vec<TreeNode>,
    pub removed: Vec<u32>,
}

/// A candidate split of a node.
#[derive(Debug, Serialize)]
pub struct CandidateDocument {
    pub split: SplitDocument,
    pub admissible: bool,
    pub known: Group,
    pub unknown: Option<Group>,
    pub children: Vec<Group>,
    pub remaining: f64,
    pub gain: f64,
    pub split_information: f64,
    pub gain_ratio: f64,
    pub verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cuts: Option<Vec<CutDocument>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tried: Option<u32>,
}

/// A threshold between two neighboring values, with both sides.
#[derive(Debug, Serialize)]
pub struct CutDocument {
    pub below: f64,
    pub above: f64,
    pub threshold: f64,
    pub gain: f64,
    pub sides: [Group; 2],
}

/// Everything behind the choice in a node.
#[derive(Debug, Serialize)]
pub struct NodeWork {
    pub node: u32,
    pub group: Group,
    pub candidates: Vec<CandidateDocument>,
    pub chosen: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average_gain: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slack: Option<f64>,
    pub would_choose: BTreeMap<&'static str, usize>,
}

/// Rows of a node.
#[derive(Debug, Serialize)]
pub struct NodeRows {
    pub total: usize,
    pub index: Vec<u32>,
    pub fraction: Vec<f64>,
    pub cells: Vec<Vec<String>>,
}

/// What a model says of a row.
#[derive(Debug, Serialize)]
pub struct Prediction {
    pub prediction: Level,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probabilities: Option<Vec<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<Vec<u32>>,
}
