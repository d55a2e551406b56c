//! Models made by hand, and the means to forge files: take one apart, change it, put it together, seal it again.

use super::unwatched::to_bytes;
use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, TensorView, serialize};
use treewright_core::prelude::{
    AlternativeSplit, AlternativeSplits, COMPETITOR, Combine, Forest, Kind, Leaf, Link, Question, STOP, SURROGATE,
    SplitRule, Tree,
};

pub const DOCUMENT: &str = r#"{"classes_dtype":"str","estimator":"ID3Classifier","named":true,"params":{"min_gain":null},"schema":{"classes":["no","yes"],"columns":[{"kind":"numeric","name":"age"},{"kind":"categorical","levels":["a","b",3],"name":"Größe \"x\""}],"target":"play"}}"#;

fn leaf(tree: &mut Tree) -> usize {
    let share = 1.0 / (tree.len() as f64 + 1.0);
    tree.push(Leaf { value: &[share, 1.0 - share], weight: 2.5, count: 2, cost: 0.125 })
}

/// A categorical question, and below it a numeric one.
pub fn tree() -> Tree {
    let mut tree = Tree::new(2);
    leaf(&mut tree);
    tree.ask(0, 1, &SplitRule { question: Question::Route(vec![0, 1, STOP]), children: 2, missing: STOP }, 1.0);
    leaf(&mut tree);
    leaf(&mut tree);
    tree.ask(1, 0, &SplitRule::threshold(2.5, 1), 0.5);
    leaf(&mut tree);
    leaf(&mut tree);
    tree
}

/// The same with spare questions at both branches.
pub fn tree_with_spares() -> Tree {
    let mut tree = tree();
    let spare = |role, feature, question, below| AlternativeSplit {
        role,
        feature,
        question,
        below,
        merit: 0.75,
        adjusted: 0.5,
        count: 7,
    };
    let lists = vec![
        (0, vec![spare(SURROGATE, 0, Question::Threshold(1.5), 1)]),
        (
            1,
            vec![
                spare(COMPETITOR, 1, Question::Route(vec![0, 1, 1]), 0),
                spare(SURROGATE, 1, Question::Route(vec![1, STOP, 0]), 0),
            ],
        ),
    ];
    tree.spares = AlternativeSplits::new(tree.len(), lists);
    tree
}

/// A tree of one leaf.
pub fn stump() -> Tree {
    let mut tree = Tree::new(2);
    leaf(&mut tree);
    tree
}

pub fn kinds() -> Vec<Kind> {
    vec![Kind::Numeric, Kind::Categorical(3)]
}

pub fn forest(trees: Vec<Tree>) -> Forest {
    Forest::new(kinds(), trees).unwrap()
}

pub fn model() -> Vec<u8> {
    to_bytes(&forest(vec![tree(), stump(), tree()]), DOCUMENT).unwrap()
}

/// A boosted model of three scores: a target and a scale for each of six trees.
pub fn boosted() -> Vec<u8> {
    let document = r#"{"classes_dtype":"str","estimator":"B","kept":{"loss_":[0.5,null]},"named":false,"params":{},"schema":{"classes":["a","b","c"],"columns":[{"kind":"numeric","name":""}],"target":null}}"#;
    let combine = Combine {
        scales: vec![0.5, 0.5, 0.5, 0.25, 0.25, 0.25],
        targets: vec![0, 1, 2, 0, 1, 2],
        ..Combine::sum(vec![-1.0, 0.0, 0.5], Link::Softmax)
    };
    to_bytes(&Forest::combined(vec![Kind::Numeric], (0..6).map(score).collect(), combine).unwrap(), document).unwrap()
}

/// A tree of one question that says numbers.
pub fn score(seed: u8) -> Tree {
    let mut tree = Tree::new(1);
    let leaf = |tree: &mut Tree, value: f64| tree.push(Leaf { value: &[value], weight: 2.0, count: 2, cost: 1.0 });
    leaf(&mut tree, 0.0);
    tree.ask(0, 0, &SplitRule::threshold(f64::from(seed), 1), 0.5);
    leaf(&mut tree, f64::from(seed));
    leaf(&mut tree, f64::from(seed) / -3.0);
    tree
}

/// A file of one numeric column and one output, as a regression writes it: no classes, no routes.
pub fn regression() -> Vec<u8> {
    let document = r#"{"estimator":"R","named":false,"params":{},"schema":{"columns":[{"kind":"numeric","name":""}],"target":null}}"#;
    let mut tree = Tree::new(1);
    tree.push(Leaf { value: &[-0.0], weight: 0.0, count: 0, cost: 0.0 });
    to_bytes(&Forest::new(vec![Kind::Numeric], vec![tree]).unwrap(), document).unwrap()
}

/// A file taken apart.
#[derive(Clone)]
pub struct Parts {
    /// The text of the metadata entry.
    pub text: String,
    /// Name, type, shape and data of each tensor.
    pub tensors: Vec<(String, Dtype, Vec<usize>, Vec<u8>)>,
}

impl Parts {
    pub fn of(bytes: &[u8]) -> Parts {
        let (_, metadata) = SafeTensors::read_metadata(bytes).unwrap();
        let tensors = SafeTensors::deserialize(bytes).unwrap();
        let tensors = metadata.offset_keys().into_iter().map(|name| {
            let view = tensors.tensor(&name).unwrap();
            (name, view.dtype(), view.shape().to_vec(), view.data().to_vec())
        });
        let text = metadata.metadata().as_ref().unwrap()["treewright"].clone();
        Parts { text, tensors: tensors.collect() }
    }

    /// The file that safetensors' own writer makes of the parts, sealed.
    pub fn bytes(&self) -> Vec<u8> {
        let views = self
            .tensors
            .iter()
            .map(|(name, dtype, shape, data)| (name.as_str(), TensorView::new(*dtype, shape.clone(), data).unwrap()));
        let entry = [("treewright".to_string(), self.text.clone())].into_iter().collect();
        seal(serialize(views, Some(entry)).unwrap())
    }

    /// The data of a tensor.
    pub fn data(&mut self, name: &str) -> &mut Vec<u8> {
        &mut self.tensors.iter_mut().find(|tensor| tensor.0 == name).unwrap().3
    }

    /// Overwrites one entry of a column.
    pub fn set<const N: usize>(&mut self, name: &str, entry: usize, bytes: [u8; N]) {
        self.data(name)[entry * N..(entry + 1) * N].copy_from_slice(&bytes);
    }
}

/// Gives a tensor another type and shape.
pub fn retype(parts: &mut Parts, name: &str, dtype: Dtype, shape: &[usize]) {
    let tensor = parts.tensors.iter_mut().find(|tensor| tensor.0 == name).unwrap();
    (tensor.1, tensor.2) = (dtype, shape.to_vec());
}

/// Writes the right checksum into a file, wherever else it may be wrong.
pub fn seal(mut bytes: Vec<u8>) -> Vec<u8> {
    let Some(digits) = digits(&bytes) else { return bytes };
    bytes[digits.clone()].fill(b'0');
    let sum = blake3::hash(&bytes).to_hex();
    bytes[digits].copy_from_slice(sum.as_bytes());
    bytes
}

fn digits(bytes: &[u8]) -> Option<std::ops::Range<usize>> {
    let key = br#"\"checksum\":\""#;
    let start = bytes.windows(key.len()).position(|window| window == key)? + key.len();
    (start + 64 <= bytes.len()).then_some(start..start + 64)
}

/// The same file with another header, of the right length and sealed.
pub fn with_header(bytes: &[u8], change: impl Fn(&str) -> String) -> Vec<u8> {
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let header = change(std::str::from_utf8(&bytes[8..8 + length]).unwrap());
    let mut forged = (header.len() as u64).to_le_bytes().to_vec();
    forged.extend_from_slice(header.as_bytes());
    forged.extend_from_slice(&bytes[8 + length..]);
    seal(forged)
}
