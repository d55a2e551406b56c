//! What is answered: a tree, what it costs, and below which cost there is none.

/// Why the search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The tree is proven to be best.
    Proven,
    /// The time was up.
    TimeLimit,
    /// Somebody asked to stop.
    Cancelled,
}

/// The nodes of a tree as arrays, the root first, each node before its children and the left subtree before the right.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Nodes {
    /// The column that a node asks about; -1 for a leaf.
    pub feature: Vec<i32>,
    /// Values up to the cut go left; 0.5 for columns of zeros and ones, 0 for a leaf.
    pub cut: Vec<f64>,
    /// The node for values up to the cut; -1 for a leaf.
    pub left: Vec<i32>,
    /// The node for values above the cut; -1 for a leaf.
    pub right: Vec<i32>,
    /// The class or the number that the node would predict as a leaf.
    pub value: Vec<f64>,
}

impl Nodes {
    /// Adds a leaf and returns its place.
    pub fn push_leaf(&mut self, value: f64) -> usize {
        self.feature.push(-1);
        self.cut.push(0.0);
        self.left.push(-1);
        self.right.push(-1);
        self.value.push(value);
        self.feature.len() - 1
    }

    /// Makes a leaf a question; its children follow.
    pub fn make_split(&mut self, node: usize, feature: usize, cut: f64) {
        self.feature[node] = feature as i32;
        self.cut[node] = cut;
    }

    /// Names the children of a node.
    pub fn set_children(&mut self, node: usize, left: usize, right: usize) {
        self.left[node] = left as i32;
        self.right[node] = right as i32;
    }

    /// The number of leaves.
    pub fn leaves(&self) -> usize {
        self.feature.iter().filter(|&&feature| feature < 0).count()
    }

    /// The node that a row ends in, given the value of each column.
    pub fn leaf_of(&self, value: impl Fn(usize) -> f64) -> usize {
        let mut node = 0;
        while let Ok(feature) = usize::try_from(self.feature[node]) {
            node = if value(feature) <= self.cut[node] { self.left[node] } else { self.right[node] } as usize;
        }
        node
    }
}

/// The best tree that was found, and what is proven.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The tree.
    pub nodes: Nodes,
    /// Its errors, or its squared error, and the cost of its leaves.
    pub cost: f64,
    /// The weight of the rows it misclassifies, or its squared error.
    pub errors: f64,
    /// No tree costs less than this.
    pub lower_bound: f64,
    /// Why the search ended. [`Ending::Proven`]: the lower bound is the cost.
    pub ending: Ending,
    /// (Seconds, cost of the best tree, lower bound) at each improvement.
    pub progress: Vec<(f64, f64, f64)>,
    /// The seconds of the search.
    pub seconds: f64,
}
