//! What is done with rows once a recipe has said how they are held: a tree is grown, or the nodes of one are looked at.

use crate::data::table::Table;
use crate::grow::study::{Details, Report, study, survey};
use crate::grow::{Limits, grow};
use crate::model::forest::Forest;
use crate::model::tree::Tree;
use crate::model::walk::reach;
use crate::rows::Study;
use crate::split::choose::Chooser;
use crate::sys::pool::Cancel;
use crate::{Error, Result};

/// Something to do with rows, whatever holds them.
pub trait Task {
    /// What comes of it.
    type Done;
    /// Does it.
    fn run<R: Study>(&self, rows: &mut R, chooser: &Chooser, limits: &Limits) -> Result<Self::Done>;
    /// Does it with a tree that somebody grows sooner, if that is all it takes and somebody can.
    fn run_quickly(&self, _: impl FnOnce() -> Result<Option<Tree>>) -> Result<Option<Self::Done>> {
        Ok(None)
    }
}

/// Grows a tree.
#[derive(Debug)]
pub struct Grow<'a> {
    /// Stops the work.
    pub cancel: &'a Cancel,
}

impl Task for Grow<'_> {
    type Done = Tree;

    fn run<R: Study>(&self, rows: &mut R, chooser: &Chooser, limits: &Limits) -> Result<Tree> {
        grow(rows, chooser, limits, self.cancel)
    }

    fn run_quickly(&self, grow: impl FnOnce() -> Result<Option<Tree>>) -> Result<Option<Tree>> {
        grow()
    }
}

/// Looks at nodes of a tree.
#[derive(Debug)]
pub struct Look<'a> {
    /// The tree is the first of these.
    pub forest: &'a Forest,
    /// The node; None for all of them, in their order.
    pub node: Option<usize>,
    /// What reports say besides the candidates.
    pub details: Details,
    /// Stops the work.
    pub cancel: &'a Cancel,
}

impl Task for Look<'_> {
    type Done = Vec<Report>;

    fn run<R: Study>(&self, rows: &mut R, chooser: &Chooser, _: &Limits) -> Result<Vec<Report>> {
        let (tree, kinds) = (&self.forest.trees()[0], self.forest.kinds());
        match self.node {
            Some(node) => Ok(vec![study(rows, chooser, tree, kinds, node, self.details, self.cancel)?]),
            None => survey(rows, chooser, tree, kinds, self.details, self.cancel),
        }
    }
}

impl Look<'_> {
    /// Checks that the rows can be divided as the tree says: every row that grew a tree has a way to a leaf of it, unless
    /// rows may stay behind.
    pub fn check(&self, table: &Table<'_>, may_stay: bool) -> Result<()> {
        self.forest.check_columns(table)?;
        let tree = &self.forest.trees()[0];
        let ends = |row: usize| tree.n_children[reach(tree, table.columns(), row)] == 0;
        if may_stay || (0..table.rows()).all(ends) {
            return Ok(());
        }
        Err(Error::data("work.other-rows", "these are not the rows of the model: some of them stop at a question"))
    }
}
