//! Lower bounds of the cost of a tree, from the costs of trees on related rows.
//!
//! e(A) is the least cost of a tree of some fixed depth on the rows A, |A| their weight. The cost of a tree is the weight
//! of its errors and `leaf` for each of its leaves, at most 2^depth. All sets of one bound are for the *same depth*.
//!
//! | bound | why | classes | minimum leaf |
//! | --- | --- | --- | --- |
//! | monotone: A in S: e(A) <= e(S) | the tree of S, on A | any | no: its leaves may be too small on A |
//! | similar: A in S: e(A) >= e(S) - \|S without A\| | the tree of A, on S, errs at most on all other rows | any | yes: leaves only grow |
//! | sum: A, B disjoint: e(A + B) >= e(A) + e(B) - leaf 2^depth | the tree of A + B, on each; it pays its leaves once | any | no |
//! | flip: S = A + D: e(A) >= e(S) - \|D\| + e(D) - leaf 2^depth | the tree of A with all leaves changed to the other class errs on D as often as the tree is right there | two | no |
//!
//! Costs are integers: `unit` for an error of weight 1.

use super::lanes::{Count, Lanes, Work};

/// Which bounds hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The cost of an error of weight 1.
    pub unit: i32,
    /// The cost of a leaf.
    pub leaf: i32,
    /// Two classes: leaves can be flipped.
    pub two_classes: bool,
    /// Whether leaves must have several rows.
    pub has_min_leaf: bool,
}

impl Bounds {
    /// What all leaves of a tree of this depth may cost.
    #[inline(always)]
    fn all_leaves(&self, depth: usize) -> i32 {
        (i64::from(self.leaf) << depth.min(30)).min(i64::from(i32::MAX / 4)) as i32
    }

    /// Raises the bounds of the two sides of a node, for trees of `depth`, given the least cost of a tree of that depth
    /// for the whole node, and the weights of the sides.
    #[inline(always)]
    pub fn raise_sides(&self, sides: &mut [i32; 2], undivided: i32, weights: [i32; 2], depth: usize) {
        let flips = self.two_classes && !self.has_min_leaf;
        let leaves = self.all_leaves(depth);
        for _ in 0..2 {
            for side in 0..2 {
                let other = if flips { (sides[1 - side] - leaves).max(0) } else { 0 };
                sides[side] = sides[side].max(undivided - self.unit * weights[1 - side] + other);
            }
        }
    }

    /// The bound of a set that has two disjoint subsets with these bounds.
    #[inline(always)]
    fn join(a: i32, b: i32, leaves: i32) -> i32 {
        a.max(b).max(a.max(0) + b.max(0) - leaves)
    }

    /// Whether the cost of the sides of one column says anything about those of another.
    pub fn relates_columns(&self) -> bool {
        !self.has_min_leaf
    }

    /// The bounds of the zero and the one side of a column, from the costs of both sides of another one.
    ///
    /// `column` and `other` are the weights of the rows with a one, `common` that of both, `all` that of the node. The rows
    /// of a side of the other column that lie on a side of this one are a subset of both: similar to the first, and
    /// monotone in the second.
    #[inline(always)]
    pub fn relate(&self, costs: [i32; 2], all: i32, other: i32, column: i32, common: i32, depth: usize) -> [i32; 2] {
        let leaves = self.all_leaves(depth);
        let zeros = Bounds::join(costs[0] - self.unit * (column - common), costs[1] - self.unit * common, leaves);
        let neither = all - other - column + common;
        let ones = Bounds::join(costs[0] - self.unit * neither, costs[1] - self.unit * (other - common), leaves);
        [zeros, ones]
    }
}

/// Raises the bounds of the sides of all columns of a node, given the costs of both sides of one of them.
pub struct Relate<'a, C> {
    /// The bounds that hold.
    pub bounds: Bounds,
    /// The depth of the trees.
    pub depth: usize,
    /// The costs, or bounds, of the zero and the one side of the other column.
    pub costs: [i32; 2],
    /// The weight of the node.
    pub all: i32,
    /// The weight of the rows with a one in the other column.
    pub other: i32,
    /// The weight of the rows with a one in each column.
    pub weights: &'a [C],
    /// The weight of the rows that each column has in common with the other.
    pub common: &'a [C],
    /// The bounds of the zero sides.
    pub zeros: &'a mut [i32],
    /// The bounds of the one sides.
    pub ones: &'a mut [i32],
}

impl<C: Count> Work<C> for Relate<'_, C> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<L: Lanes<Count = C>>(self) {
        let Relate { bounds, depth, costs, all, other, weights, common, zeros, ones } = self;
        for (((zeros, ones), &own), &common) in zeros.iter_mut().zip(ones).zip(weights).zip(common) {
            let raised = bounds.relate(costs, all, other, own.into(), common.into(), depth);
            *zeros = (*zeros).max(raised[0]);
            *ones = (*ones).max(raised[1]);
        }
    }
}
