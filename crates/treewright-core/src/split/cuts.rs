//! All cuts of a numeric column in a node, for a report on it.

use crate::codes::ordered::midpoint;

/// One way to divide a numeric column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    /// The greatest number below it, in the node.
    pub below: f64,
    /// The least number above it.
    pub above: f64,
    /// What the question compares with.
    pub threshold: f64,
    /// What it saves, per unit of the node's weight, before any price.
    pub gain: f64,
}

/// The cuts of a column in a node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cuts {
    /// What choosing among them costs, per unit of weight.
    pub price: f64,
    /// How many were tried.
    pub tries: u32,
    /// How many of these are admissible.
    pub admissible: usize,
    /// The weight that either side must have at the least; 0 where nothing is asked of it.
    pub least: f64,
    /// These, ascending; a report may leave out those that save least.
    pub list: Vec<Cut>,
}

impl Cuts {
    /// Cuts at midpoints that cost nothing, from what each leaves of a node's cost.
    pub fn of(cuts: Vec<((f64, f64), f64)>, cost: f64, weight: f64) -> Cuts {
        let cut = |((below, above), left)| Cut {
            below,
            above,
            threshold: midpoint(below, above),
            gain: (cost - left) / weight,
        };
        Cuts {
            tries: cuts.len() as u32,
            admissible: cuts.len(),
            list: cuts.into_iter().map(cut).collect(),
            ..Cuts::default()
        }
    }

    /// The cuts that save most, ascending; the lower ones where several save the same.
    pub fn at_most(mut self, number: usize) -> Cuts {
        if self.list.len() > number {
            self.list.sort_by(|a, b| b.gain.total_cmp(&a.gain));
            self.list.truncate(number);
            self.list.sort_by(|a, b| a.below.total_cmp(&b.below));
        }
        self
    }
}
