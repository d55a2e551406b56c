//! Interaction constraints: which columns may be asked about on one path from the root to a leaf.
//!
//! Columns are in groups, and a column may be in several. All questions on a path come from one group: below a question, the
//! groups that hold its column remain. Columns of no group are the caller's affair: it puts them into one.

use std::sync::Arc;

/// Groups of columns; none where every path may ask about all of them.
#[derive(Clone, Debug, Default)]
pub struct Interactions {
    groups: Vec<Vec<u32>>,
}

/// The groups that hold every column of a path, by number.
pub type PathGroups = Arc<[u32]>;

impl Interactions {
    /// These groups; their columns in any order.
    pub fn new(mut groups: Vec<Vec<u32>>) -> Interactions {
        groups.iter_mut().for_each(|group| group.sort_unstable());
        Interactions { groups }
    }

    /// Whether a table of so many columns has them all.
    pub fn fit(&self, columns: usize) -> bool {
        self.groups.iter().flatten().all(|&column| (column as usize) < columns)
    }

    /// The groups of a path without questions.
    pub fn all_groups(&self) -> PathGroups {
        (0..self.groups.len() as u32).collect()
    }

    /// The groups that remain below a question about a column.
    pub fn groups_with(&self, path: &PathGroups, column: usize) -> PathGroups {
        let holds = |group: &u32| self.groups[*group as usize].binary_search(&(column as u32)).is_ok();
        if path.iter().all(holds) { path.clone() } else { path.iter().copied().filter(holds).collect() }
    }

    /// The columns of these groups, ascending; None where every path may ask about all columns.
    pub fn columns(&self, path: &PathGroups) -> Option<Vec<usize>> {
        if self.groups.is_empty() {
            return None;
        }
        let mut columns: Vec<usize> =
            path.iter().flat_map(|&group| &self.groups[group as usize]).map(|&column| column as usize).collect();
        columns.sort_unstable();
        columns.dedup();
        Some(columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_in_the_groups_of_its_columns() {
        let constraints = Interactions::new(vec![vec![2, 0], vec![1, 2], vec![3]]);
        let root = constraints.all_groups();
        assert_eq!(constraints.columns(&root), Some(vec![0, 1, 2, 3]));
        let below_2 = constraints.groups_with(&root, 2);
        assert_eq!(constraints.columns(&below_2), Some(vec![0, 1, 2]));
        let below_0 = constraints.groups_with(&below_2, 0);
        assert_eq!(constraints.columns(&below_0), Some(vec![0, 2]));
        assert_eq!(constraints.columns(&constraints.groups_with(&root, 3)), Some(vec![3]));
        assert!(constraints.fit(4) && !constraints.fit(3));
        assert_eq!(Interactions::default().columns(&Interactions::default().all_groups()), None);
    }
}
