//! One tree from its top and the subtrees that were grown apart from it.
//!
//! The numbers of the nodes are those of a single depth-first loop: when it comes to a node whose subtree was grown apart,
//! it would have numbered that whole subtree next, in the subtree's own order. So it is with the routes of categorical
//! questions, which stand in the order in which these were asked.

use crate::Result;
use crate::model::alternatives::AlternativeSplits;
use crate::model::tree::Tree;
use crate::sys::pool::Cancel;

/// Puts each subtree where its root stands as a leaf of `top`.
pub fn stitch(top: &Tree, parts: Vec<(usize, Tree)>, cancel: &Cancel) -> Result<Tree> {
    let nodes = top.len() + parts.iter().map(|(_, part)| part.len() - 1).sum::<usize>();
    let mut part_of: Vec<Option<Tree>> = (0..top.len()).map(|_| None).collect();
    parts.into_iter().for_each(|(node, part)| part_of[node] = Some(part));
    let ends = route_ends(top);
    let mut tree = Tree::with_room(top.outputs, nodes)?;
    tree.push_leaf_of(top, 0);
    let mut spares = Vec::new();
    let mut move_spares = |from: &Tree, old: usize, new: usize| {
        spares.extend(from.spares.as_ref().map(|all| (new, all.list(old))));
    };
    let mut open = vec![(0, 0)];
    while let Some((old, new)) = open.pop() {
        cancel.check()?;
        let first = tree.len();
        if let Some(part) = part_of[old].take() {
            append_part(&mut tree, new, &part)?;
            move_spares(&part, 0, new);
            (1..part.len()).for_each(|node| move_spares(&part, node, first + node - 1));
        } else {
            let start = top.route_start[old] as usize;
            let routes = tree.route.len();
            if is_route(top, old) {
                let end = ends[ends.partition_point(|&end| end <= start)];
                tree.route.try_reserve(end - start)?;
                tree.route.extend_from_slice(&top.route[start..end]);
            }
            question(&mut tree, new, (top, old), first, routes.wrapping_sub(start));
            move_spares(top, old, new);
            for child in top.children(old) {
                tree.push_leaf_of(top, child);
            }
            let children = top.children(old).zip(first..);
            let start = open.len();
            open.extend(children);
            open[start..].reverse();
        }
    }
    tree.spares = AlternativeSplits::new(tree.len(), spares);
    Ok(tree)
}

/// Appends a subtree, whose root becomes an existing node.
fn append_part(tree: &mut Tree, root: usize, part: &Tree) -> Result<()> {
    let (first, routes) = (tree.len(), tree.route.len());
    tree.route.try_reserve(part.route.len())?;
    tree.route.extend_from_slice(&part.route);
    question(tree, root, (part, 0), first, routes);
    for node in 1..part.len() {
        tree.push_leaf_of(part, node);
        // The part's own root is not copied, hence the 1.
        let children = part.first_child[node] as usize + first - 1;
        question(tree, first + node - 1, (part, node), children, routes);
    }
    Ok(())
}

/// Whether a node asks about categories.
fn is_route(tree: &Tree, node: usize) -> bool {
    tree.n_children[node] > 0 && tree.threshold[node].is_nan()
}

/// Where the routes of a tree end, ascending. None is empty.
fn route_ends(tree: &Tree) -> Vec<usize> {
    let starts = (0..tree.len()).filter(|&node| is_route(tree, node)).map(|node| tree.route_start[node] as usize);
    let mut ends: Vec<usize> = starts.filter(|&start| start > 0).chain([tree.route.len()]).collect();
    ends.sort_unstable();
    ends
}

/// Lets a leaf ask what another tree's node asks, if it asks anything; its route was moved by so many places.
fn question(to: &mut Tree, node: usize, (from, old): (&Tree, usize), first_child: usize, routes: usize) {
    if from.n_children[old] > 0 {
        to.first_child[node] = first_child as u32;
        to.n_children[node] = from.n_children[old];
        to.feature[node] = from.feature[old];
        to.threshold[node] = from.threshold[old];
        to.missing[node] = from.missing[old];
        to.gain[node] = from.gain[old];
        if is_route(from, old) {
            to.route_start[node] = (from.route_start[old] as usize).wrapping_add(routes) as u32;
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::model::tree::{Leaf, Question, STOP, SplitRule};

    /// A tree from its questions in the order in which the loop asks them; each node says its own cost.
    fn tree(questions: &[usize], costs: &[f64]) -> Tree {
        let mut tree = Tree::new(1);
        let leaf = |tree: &mut Tree| {
            let cost = costs[tree.len()];
            tree.push(Leaf { value: &[cost], weight: 1.0, count: 1, cost });
        };
        leaf(&mut tree);
        for &node in questions {
            let cut = costs[node];
            let way = match cut as u32 % 2 {
                0 => SplitRule::threshold(cut, STOP),
                _ => SplitRule { question: Question::Route(vec![0, 1, cut as u16]), children: 2, missing: 1 },
            };
            tree.ask(node, cut as u32 % 2, &way, cut);
            leaf(&mut tree);
            leaf(&mut tree);
        }
        tree
    }

    #[test]
    fn parts_are_numbered_as_one_loop_would() {
        // Depth first: 0 asks (1, 2), 1 asks (3, 4), 3 asks (5, 6), 4 asks (7, 8), 2 asks (9, 10), 10 asks (11, 12).
        let costs: Vec<f64> = (0..13).map(f64::from).collect();
        let whole = tree(&[0, 1, 3, 4, 2, 10], &costs);
        let top = tree(&[0, 1], &costs[..5]);
        let parts = vec![
            (4, tree(&[0], &[4.0, 7.0, 8.0])),
            (2, tree(&[0, 2], &[2.0, 9.0, 10.0, 11.0, 12.0])),
            (3, tree(&[0], &[3.0, 5.0, 6.0])),
        ];
        let stitched = stitch(&top, parts, &Cancel::default()).unwrap();
        assert_eq!(format!("{stitched:?}"), format!("{whole:?}"));
    }
}
