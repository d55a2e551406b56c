//! The trees of a forest as they arrive from other processes, in any order.

use super::combine::Combine;
use super::forest::Forest;
use super::tree::{Kind, Tree};
use super::tree_bytes::{put_tree, take_tree};
use crate::sys::pool::Cancel;
use crate::{Error, Result};
use std::collections::BTreeMap;

/// Trees by their numbers. Each is checked when it arrives, and never copied.
#[derive(Debug)]
pub struct ArrivingTrees {
    kinds: Vec<Kind>,
    trees: BTreeMap<u32, Tree>,
}

/// The trees of a forest in few bytes, one after the other.
pub fn trees_to_bytes(trees: &[Tree], cancel: &Cancel) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    trees.iter().try_for_each(|tree| cancel.check().and_then(|()| put_tree(tree, &mut bytes)))?;
    Ok(bytes)
}

impl ArrivingTrees {
    /// No tree yet, over columns of these kinds.
    pub fn new(kinds: Vec<Kind>) -> ArrivingTrees {
        ArrivingTrees { kinds, trees: BTreeMap::new() }
    }

    /// Takes the bytes of trees with consecutive numbers. A tree that arrives again changes nothing.
    pub fn add(&mut self, first: u32, mut bytes: &[u8], cancel: &Cancel) -> Result<()> {
        let mut number = first;
        while !bytes.is_empty() {
            cancel.check()?;
            let tree = take_tree(&mut bytes)?;
            tree.check(&self.kinds)?;
            self.trees.entry(number).or_insert(tree);
            number = number.saturating_add(1);
        }
        Ok(())
    }

    /// The mean of the trees with these numbers.
    pub fn finish(self, first: u32) -> Result<Forest> {
        let is_next = |(place, number): (u32, &u32)| first.checked_add(place) == Some(*number);
        if !(0..).zip(self.trees.keys()).all(is_next) {
            return Err(Error::model("model.table", "a tree of the forest did not arrive"));
        }
        Forest::of_checked(self.kinds, self.trees.into_values().collect(), Combine::mean())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::model::tree::{Leaf, SplitRule};

    fn stump(threshold: f64, feature: u32) -> Tree {
        let leaf = Leaf { value: &[threshold], weight: 2.0, count: 2, cost: 1.0 };
        let mut tree = Tree::new(1);
        (0..3).for_each(|_| _ = tree.push(leaf));
        tree.ask(0, feature, &SplitRule::threshold(threshold, 0), 0.5);
        tree.first_child[0] = 1;
        tree
    }

    #[test]
    fn trees_arrive_in_any_order() {
        let cancel = Cancel::default();
        let trees: Vec<Tree> = (0..5).map(|i| stump(f64::from(i), 0)).collect();
        let mut arriving = ArrivingTrees::new(vec![Kind::Numeric]);
        for part in [3..5, 0..1, 1..3, 0..1] {
            let first = part.start as u32 + 10;
            arriving.add(first, &trees_to_bytes(&trees[part], &cancel).unwrap(), &cancel).unwrap();
        }
        // As text: the thresholds of leaves are no numbers, which equal nothing.
        assert_eq!(format!("{:?}", arriving.finish(10).unwrap().trees()), format!("{trees:?}"));
    }

    #[test]
    fn what_is_not_whole_is_refused() {
        let cancel = Cancel::default();
        let bytes = trees_to_bytes(&[stump(1.0, 7)], &cancel).unwrap();
        let mut arriving = ArrivingTrees::new(vec![Kind::Numeric]);
        assert!(arriving.add(0, &bytes, &cancel).is_err());
        arriving.add(1, &trees_to_bytes(&[stump(1.0, 0)], &cancel).unwrap(), &cancel).unwrap();
        assert!(arriving.finish(0).is_err());
    }
}
