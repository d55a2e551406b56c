//! Many trees over the same columns. Its answer is the mean of theirs; a single tree is a forest of one.

use super::tree::{Kind, Tree};
use super::walk::{parts, reach, say};
use crate::data::table::Table;
use crate::pool::{self, Cancel};
use crate::{Error, Result};

/// Trees that read the same columns and say the same number of outputs. Sound by construction.
#[derive(Clone, Debug, PartialEq)]
pub struct Forest {
    kinds: Vec<Kind>,
    trees: Vec<Tree>,
}

/// Rows between two looks at the cancel flag.
const CHUNK: usize = 1 << 16;

impl Forest {
    /// Checks every tree against the columns' kinds. This is the door: what passes is safe to walk.
    pub fn new(kinds: Vec<Kind>, trees: Vec<Tree>) -> Result<Forest> {
        let Some(first) = trees.first() else {
            return Err(Error::model("model.table", "a model needs at least one tree"));
        };
        if trees.iter().any(|tree| tree.outputs != first.outputs) {
            return Err(Error::model("model.table", "the trees differ in their number of outputs"));
        }
        trees.iter().try_for_each(|tree| tree.check(&kinds))?;
        Ok(Forest { kinds, trees })
    }

    /// What each feature holds.
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// The trees.
    pub fn trees(&self) -> &[Tree] {
        &self.trees
    }

    /// How many numbers the model says of a row.
    pub fn outputs(&self) -> usize {
        self.trees[0].outputs
    }

    /// What the model says of each row: `rows * outputs` numbers, row after row.
    pub fn predict(&self, table: &Table<'_>, cancel: &Cancel) -> Result<Vec<f64>> {
        self.predict_wide(table, 1, cancel)
    }

    /// The same on up to so many threads (0: all available ones).
    pub fn predict_wide(&self, table: &Table<'_>, threads: usize, cancel: &Cancel) -> Result<Vec<f64>> {
        self.check_columns(table)?;
        let outputs = self.outputs();
        let mut out = Vec::new();
        out.try_reserve_exact(table.rows() * outputs)?;
        out.resize(table.rows() * outputs, 0.0);
        let chunks = (0..).step_by(CHUNK).zip(out.chunks_mut(CHUNK * outputs)).collect();
        let done = pool::each(threads, chunks, |(first, says)| -> Result<()> {
            cancel.check()?;
            self.say_rows(table, first, says);
            Ok(())
        })?;
        done.into_iter().collect::<Result<()>>()?;
        Ok(out)
    }

    /// Adds what the model says of the rows from `first` on, as many as there is room for.
    fn say_rows(&self, table: &Table<'_>, first: usize, out: &mut [f64]) {
        let scale = self.trees.len() as f64;
        for (row, says) in (first..).zip(out.chunks_exact_mut(self.outputs())) {
            for tree in &self.trees {
                say(tree, table.columns(), row, says);
            }
            says.iter_mut().for_each(|sum| *sum /= scale);
        }
    }

    /// The node of one tree where each row's walk ends.
    pub fn apply(&self, tree: usize, table: &Table<'_>, cancel: &Cancel) -> Result<Vec<u32>> {
        self.check_columns(table)?;
        let tree = &self.trees[tree];
        let mut out = Vec::new();
        out.try_reserve_exact(table.rows())?;
        for row in 0..table.rows() {
            if row % CHUNK == 0 {
                cancel.check()?;
            }
            out.push(reach(tree, table.columns(), row) as u32);
        }
        Ok(out)
    }

    /// The nodes of one tree where the parts of a row end, with their shares.
    pub fn parts(&self, tree: usize, table: &Table<'_>, row: usize) -> Result<Vec<(usize, f64)>> {
        self.check_columns(table)?;
        Ok(parts(&self.trees[tree], table.columns(), row))
    }

    /// The first tree that says anything but zeros of each row, and what it says: the answers of a list of rules. Where
    /// none does, the number of trees and zeros.
    pub fn first(&self, table: &Table<'_>, cancel: &Cancel) -> Result<(Vec<u32>, Vec<f64>)> {
        self.check_columns(table)?;
        let outputs = self.outputs();
        let mut which = Vec::new();
        which.try_reserve_exact(table.rows())?;
        let mut says = Vec::new();
        says.try_reserve_exact(table.rows() * outputs)?;
        for row in 0..table.rows() {
            if row % 1024 == 0 {
                cancel.check()?;
            }
            let node = |tree: &Tree| reach(tree, table.columns(), row);
            let found = self.trees.iter().position(|tree| tree.value_of(node(tree)).iter().any(|x| *x != 0.0));
            which.push(found.unwrap_or(self.trees.len()) as u32);
            match found {
                Some(tree) => says.extend_from_slice(self.trees[tree].value_of(node(&self.trees[tree]))),
                None => says.resize(says.len() + outputs, 0.0),
            }
        }
        Ok((which, says))
    }

    /// Checks that the columns are of the kinds that the trees ask about.
    pub fn check_columns(&self, table: &Table<'_>) -> Result<()> {
        if table.kinds() == self.kinds {
            Ok(())
        } else {
            Err(Error::data("data.columns", "the columns are not those of the model"))
        }
    }
}
