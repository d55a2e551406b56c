//! Tidying grouped questions: the last group of a question also holds the levels that hardly occurred in its node, among
//! them those that no row can have there because a question above has sent them elsewhere. These are taken out, and a
//! branch that is left without levels goes.

use crate::Result;
use crate::model::tree::{Kind, Question, SHARE, SplitRule, Tree};

/// The tree without impossible levels in the last groups of its questions.
pub fn tidy(tree: &Tree, kinds: &[Kind]) -> Result<Tree> {
    let parents = parents(tree);
    let mut out = Tree::new(tree.outputs);
    out.reserve(1, 0)?;
    out.push_leaf_of(tree, 0);
    let mut open = vec![(0usize, 0usize)];
    while let Some((from, to)) = open.pop() {
        if tree.is_leaf(from) {
            continue;
        }
        let way = tidied(tree, kinds, &parents, from);
        out.reserve(usize::from(way.children), way.n_levels())?;
        out.ask(to, tree.feature[from], &way, tree.gain[from]);
        let first = open.len();
        for child in tree.children(from).take(way.children as usize) {
            open.push((child, out.push_leaf_of(tree, child)));
        }
        open[first..].reverse();
    }
    Ok(out)
}

fn parents(tree: &Tree) -> Vec<usize> {
    let mut parents = vec![0; tree.len()];
    for node in 0..tree.len() {
        tree.children(node).for_each(|child| parents[child] = node);
    }
    parents
}

fn tidied(tree: &Tree, kinds: &[Kind], parents: &[usize], node: usize) -> SplitRule {
    let mut way = tree.way(node, kinds);
    let last = way.children - 1;
    let Question::Route(route) = &mut way.question else { return way };
    let mut below = node;
    while below != 0 {
        let above = parents[below];
        if tree.feature[above] == tree.feature[node] {
            let taken = (below - tree.children(above).start) as u16;
            if let Question::Route(ways) = tree.way(above, kinds).question {
                let impossible = route.iter_mut().zip(ways).filter(|(child, way)| **child == last && *way != taken);
                impossible.for_each(|(child, _)| *child = SHARE);
            }
        }
        below = above;
    }
    if !route.contains(&last) && way.children > 2 {
        way.children = last;
    }
    way
}
