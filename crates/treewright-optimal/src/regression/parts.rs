//! Sets whose best trees are known: bounds for the sets that contain them.

use super::clusters::bound_by_groups;
use super::sample::Sample;

/// A set whose best trees are known.
pub struct SolvedPart {
    list: Vec<u32>,
    /// What the best tree costs above the costs within its groups.
    pub cost: f64,
}

impl SolvedPart {
    /// A set and what its best tree scores.
    pub fn new(sample: &Sample, list: &[u32], score: f64) -> SolvedPart {
        SolvedPart { list: list.to_vec(), cost: bound_by_groups(sample, list) + sample.leaf - score }
    }

    /// Whether all of it is in another set; both ascend.
    pub fn is_in(&self, set: &[u32]) -> bool {
        let mut rest = set.iter();
        self.list.len() <= set.len() && self.list.iter().all(|group| rest.any(|other| other == group))
    }
}
