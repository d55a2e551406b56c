//! The questions of a tree for walks from many nodes: those about numbers stand beside each other in memory, so that a
//! step reads one place instead of one in each column of the node table.

use crate::Result;
use crate::data::table::Column;
use crate::model::tree::{SHARE, STOP, Tree};
use crate::model::walk::answer;
use crate::sys::memory::collected;

/// The questions of a tree about the columns of a table.
#[derive(Debug)]
pub(super) struct Questions<'a> {
    tree: &'a Tree,
    columns: &'a [Column<'a>],
    cuts: Vec<Cut>,
}

/// A question about numbers, with the columns of the node table that it stands in.
#[derive(Clone, Copy, Debug)]
struct Cut {
    threshold: f64,
    /// [`NO_CUT`] for leaves and questions about categories.
    feature: u32,
    first_child: u32,
}

const NO_CUT: u32 = u32::MAX;

impl<'a> Questions<'a> {
    pub(super) fn new(tree: &'a Tree, columns: &'a [Column<'a>]) -> Result<Questions<'a>> {
        let cut = |node: usize| {
            let is_cut = tree.n_children[node] > 0 && !tree.threshold[node].is_nan();
            let feature = if is_cut { tree.feature[node] } else { NO_CUT };
            Cut { threshold: tree.threshold[node], feature, first_child: tree.first_child[node] }
        };
        Ok(Questions { tree, columns, cuts: collected((0..tree.len()).map(cut))? })
    }

    /// The node that a row goes to from a branch; None where it is divided, or goes no further.
    #[inline(always)]
    pub(super) fn next_node(&self, branch: usize, row: usize) -> Option<usize> {
        let cut = self.cuts[branch];
        let number = self.columns.get(cut.feature as usize).map_or(f64::NAN, |column| column.number(row));
        if !number.is_nan() {
            return Some(cut.first_child as usize + usize::from(number > cut.threshold));
        }
        match answer(self.tree, branch, self.columns, row) {
            STOP | SHARE => None,
            child => Some(self.tree.first_child[branch] as usize + child as usize),
        }
    }
}
