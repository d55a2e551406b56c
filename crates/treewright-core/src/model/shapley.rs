//! What each column contributes to what a tree says of a row: exact Shapley values of the path-dependent game.
//!
//! The game: a set of columns is known. The row goes down the tree; where a question's column is known it takes the row's way,
//! where not it is divided among the children by their training weight. What comes out is worth the set. A column's
//! Shapley value is its mean contribution over all orders in which the columns may become known; all of them add up to what
//! the tree says of the row less what it says where nothing is known.
//!
//! How. For one leaf the worth of a set is the product of one factor a column on its path: `o` where known (1 if the row
//! takes every way there, else 0; a share where it is divided), `z` where not (the product of the weights' shares). The mean
//! over all orders of a product is an integral, `(o_f - z_f) ∫ Π_{g≠f} ((1-t) z_g + t o_g) dt`, a polynomial whose degree
//! is below the number of columns on the path; Gauss's points integrate it exactly. At a point, a product becomes that of the
//! next edge by one factor, and the sums over all leaves below an edge serve all columns above: a row costs nodes times
//! points, never an exponent, and nothing is subtracted from what it nearly equals.
//!
//! Glossary. An *edge* leads to a child and is counted by it. Its *elder* is the nearest edge above whose question is about the
//! same column; the deepest such edge holds the `z` and `o` of the column for the leaves below. A *stop* is the leaf that a
//! node is for rows that end there: where the column is known only.

use super::tree::{SHARE, STOP, Tree};
use super::walk::answer;
use crate::data::table::Column;

/// No elder.
const NONE: u32 = u32::MAX;

/// What of a tree does not depend on the row.
#[derive(Debug)]
pub(super) struct Shapley<'a> {
    tree: &'a Tree,
    /// What the leaves say: as many numbers as the tree, or the votes for them.
    values: Vec<f64>,
    parent: Vec<u32>,
    /// The elder of each edge.
    elder: Vec<u32>,
    /// For the children of each branch: the nearest edge above about the branch's column.
    elder_of_children: Vec<u32>,
    /// Each edge's share of its parent, and the product with its elders'.
    share: Vec<f64>,
    z: Vec<f64>,
    points: Vec<(f64, f64)>,
    /// What the tree says where nothing is known.
    pub expected: Vec<f64>,
    /// The sums of the model, of which this tree's begin at `first_sum`; it counts so much there.
    sums: usize,
    pub first_sum: usize,
    pub factor: f64,
}

/// Buffers for one row: what is known of each edge.
#[derive(Debug, Default)]
pub(super) struct EdgeSums {
    o: Vec<f64>,
    /// The product of factors at each edge and point.
    product: Vec<f64>,
    /// The sums over the leaves below each edge, of each output, at each point.
    below: Vec<f64>,
}

impl<'a> Shapley<'a> {
    /// `values` is what its nodes say. The tree adds them, times a factor, to the model's sums from `first_sum` on.
    pub fn new(tree: &'a Tree, values: Vec<f64>, sums: usize, first_sum: usize, factor: f64) -> Shapley<'a> {
        let n = tree.len();
        let mut shapley = Shapley {
            tree,
            values,
            parent: vec![0; n],
            elder: vec![NONE; n],
            elder_of_children: vec![NONE; n],
            share: vec![1.0; n],
            z: vec![1.0; n],
            points: Vec::new(),
            expected: vec![0.0; tree.outputs],
            sums,
            first_sum,
            factor,
        };
        let mut different = vec![0usize; n];
        let mut share_of_rows = vec![1.0; n];
        for node in tree.branches() {
            tree.children(node).for_each(|child| shapley.parent[child] = node as u32);
            let column = tree.feature[node];
            // The nearest edge above about this column: the parent's questions on the way up.
            let mut edge = node;
            while edge != 0 && tree.feature[shapley.parent[edge] as usize] != column {
                edge = shapley.parent[edge] as usize;
            }
            let elder = if edge == 0 { NONE } else { edge as u32 };
            shapley.elder_of_children[node] = elder;
            let total: f64 = tree.children(node).map(|child| tree.weight[child]).sum();
            let even = 1.0 / f64::from(tree.n_children[node]);
            for child in tree.children(node) {
                let share = if total > 0.0 { tree.weight[child] / total } else { even };
                shapley.share[child] = share;
                shapley.elder[child] = elder;
                shapley.z[child] = share * if elder == NONE { 1.0 } else { shapley.z[elder as usize] };
                different[child] = different[node] + usize::from(elder == NONE);
                share_of_rows[child] = share_of_rows[node] * share;
            }
        }
        let most = different.iter().copied().max().unwrap_or(0);
        shapley.points = gauss_points(most.div_ceil(2).max(1));
        for leaf in (0..n).filter(|&node| tree.is_leaf(node)) {
            let says = &shapley.values[leaf * tree.outputs..(leaf + 1) * tree.outputs];
            shapley.expected.iter_mut().zip(says).for_each(|(sum, says)| *sum += share_of_rows[leaf] * says);
        }
        shapley
    }

    /// Adds the contributions of each column to what the tree says of a row: so many sums a column.
    pub fn add(&self, columns: &[Column<'_>], row: usize, edges: &mut EdgeSums, out: &mut [f64]) {
        let (n, points, outputs) = (self.tree.len(), self.points.len(), self.tree.outputs);
        edges.o.clear();
        edges.o.resize(n, 0.0);
        edges.product.clear();
        edges.product.resize(n * points, 0.0);
        edges.product[..points].fill(1.0);
        edges.below.clear();
        edges.below.resize(n * points * outputs, 0.0);
        for node in 0..n {
            self.descend(columns, row, node, edges, out);
        }
        for child in (1..n).rev() {
            self.ascend(child, edges, out);
        }
    }

    /// The factor at a point of an edge with these `z` and `o`.
    #[inline(always)]
    fn factor(t: f64, z: f64, o: f64) -> f64 {
        (1.0 - t) * z + t * o
    }

    /// What the `z` and `o` of an edge add to its column, per unit of the sums below, at a point; 0 for no edge.
    #[inline(always)]
    fn merit(&self, edge: u32, edges: &EdgeSums, t: f64) -> f64 {
        if edge == NONE {
            return 0.0;
        }
        let (z, o) = (self.z[edge as usize], edges.o[edge as usize]);
        (o - z) / Self::factor(t, z, o)
    }

    fn o_of(&self, edge: u32, edges: &EdgeSums) -> f64 {
        if edge == NONE { 1.0 } else { edges.o[edge as usize] }
    }

    /// From a node to its children; a leaf, or a stop, gives its values to the sums.
    fn descend(&self, columns: &[Column<'_>], row: usize, node: usize, edges: &mut EdgeSums, out: &mut [f64]) {
        let points = self.points.len();
        if edges.product[node * points] == 0.0 {
            return; // nothing can come here
        }
        if self.tree.is_leaf(node) {
            return self.give(node, node, |_| 1.0, edges);
        }
        let (way, elder) = (answer(self.tree, node, columns, row), self.elder_of_children[node]);
        let known = self.o_of(elder, edges);
        for (place, child) in self.tree.children(node).enumerate() {
            let follows = match way {
                SHARE => self.share[child],
                STOP => 0.0,
                way => f64::from(u8::from(usize::from(way) == place)),
            };
            edges.o[child] = known * follows;
            for (i, &(t, _)) in self.points.iter().enumerate() {
                let own = Self::factor(t, self.z[child], edges.o[child]);
                let above = if elder == NONE { 1.0 } else { Self::factor(t, self.z[elder as usize], known) };
                edges.product[child * points + i] = edges.product[node * points + i] * own / above;
            }
        }
        if way == STOP && known > 0.0 {
            self.stop(node, known, edges, out);
        }
    }

    /// Adds to what the column that a branch asks about contributes to one of the tree's outputs.
    fn contribute(&self, branch: usize, output: usize, sum: f64, out: &mut [f64]) {
        out[self.tree.feature[branch] as usize * self.sums + self.first_sum + output] += self.factor * sum;
    }

    /// Adds the values of a leaf, times its products and a factor, to the sums of an edge.
    fn give(&self, leaf: usize, edge: usize, factor: impl Fn(usize) -> f64, edges: &mut EdgeSums) {
        let (points, outputs) = (self.points.len(), self.tree.outputs);
        for output in 0..outputs {
            let value = self.values[leaf * outputs + output];
            let sums = &mut edges.below[(edge * outputs + output) * points..][..points];
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum += value * edges.product[leaf * points + i] * factor(i);
            }
        }
    }

    /// The row stops at a branch where its column is known: a leaf with `z = 0`.
    fn stop(&self, node: usize, known: f64, edges: &mut EdgeSums, out: &mut [f64]) {
        let elder = self.elder_of_children[node];
        let ratio = |t: f64| {
            let above = if elder == NONE { 1.0 } else { Self::factor(t, self.z[elder as usize], known) };
            t * known / above
        };
        let (points, outputs) = (self.points.len(), self.tree.outputs);
        for output in 0..outputs {
            let mut sum = 0.0;
            for (i, &(t, weight)) in self.points.iter().enumerate() {
                let merit = 1.0 / t - self.merit(elder, edges, t);
                sum += weight * edges.product[node * points + i] * ratio(t) * merit;
            }
            self.contribute(node, output, sum * self.values[node * outputs + output], out);
        }
        self.give(node, node, |i| ratio(self.points[i].0), edges);
    }

    /// From an edge to its parent: its column receives what it is worth to the leaves below.
    fn ascend(&self, child: usize, edges: &mut EdgeSums, out: &mut [f64]) {
        let (points, outputs) = (self.points.len(), self.tree.outputs);
        if edges.product[child * points] == 0.0 {
            return;
        }
        let parent = self.parent[child] as usize;
        for output in 0..outputs {
            let mut sum = 0.0;
            for (i, &(t, weight)) in self.points.iter().enumerate() {
                let below = edges.below[(child * outputs + output) * points + i];
                let merit = self.merit(child as u32, edges, t) - self.merit(self.elder[child], edges, t);
                sum += weight * below * merit;
                edges.below[(parent * outputs + output) * points + i] += below;
            }
            self.contribute(parent, output, sum, out);
        }
    }
}

/// Gauss's points with their weights for integrals from 0 to 1, in rising order: `n` of them are exact for polynomials of
/// degree below `2 n`.
fn gauss_points(n: usize) -> Vec<(f64, f64)> {
    (0..n).map(|i| gauss_point(n, i)).collect()
}

/// Root `i` of Legendre's polynomial of degree `n`, moved to the interval from 0 to 1, and its weight.
fn gauss_point(n: usize, i: usize) -> (f64, f64) {
    let mut x = -libm::cos(std::f64::consts::PI * (i as f64 + 0.75) / (n as f64 + 0.5));
    let mut slope = 1.0;
    // Newton's steps from a start this near double the right digits each: five are more than enough.
    for _ in 0..8 {
        let (mut last, mut here) = (1.0, x);
        for degree in 2..=n {
            let k = degree as f64;
            (last, here) = (here, ((2.0 * k - 1.0) * x * here - (k - 1.0) * last) / k);
        }
        if n == 1 {
            (last, here) = (1.0, x);
        }
        slope = n as f64 * (x * here - last) / (x * x - 1.0);
        x -= here / slope;
    }
    (0.5 * (x + 1.0), 1.0 / ((1.0 - x * x) * slope * slope))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_are_integrated_exactly() {
        for n in 1..60 {
            let points = gauss_points(n);
            assert!(points.iter().all(|&(x, w)| x > 0.0 && x < 1.0 && w > 0.0));
            for degree in 0..2 * n {
                let sum: f64 = points.iter().map(|&(x, w)| w * libm::pow(x, degree as f64)).sum();
                assert!((sum * (degree + 1) as f64 - 1.0).abs() < 1e-12, "{n} points, degree {degree}: {sum}");
            }
        }
    }
}
