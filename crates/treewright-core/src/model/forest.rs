//! Many trees over the same columns, and how their answers become one. A single tree is a forest of one.

use super::combine::{Combine, How, Link, outputs_of};
use super::engine::{self, Engine, Method};
use super::tree::{Kind, Tree};
use super::walk::{parts, reach, share_at};
use crate::data::survey::has_infinite;
use crate::data::table::Table;
use crate::simd::Isa;
use crate::sys::memory::{filled, room};
use crate::sys::pool::{self, Cancel};
use crate::{Error, Result};
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Trees that read the same columns and say the same number of outputs. Sound by construction.
#[derive(Debug)]
pub struct Forest {
    kinds: Vec<Kind>,
    trees: Vec<Tree>,
    combine: Combine,
    /// The trees in a form for quick answers, made at the first use.
    engine: OnceLock<Box<Engine>>,
    nodes: usize,
}

impl Clone for Forest {
    fn clone(&self) -> Forest {
        let (kinds, trees, combine) = (self.kinds.clone(), self.trees.clone(), self.combine.clone());
        Forest { kinds, trees, combine, engine: OnceLock::new(), nodes: self.nodes }
    }
}

impl PartialEq for Forest {
    fn eq(&self, other: &Forest) -> bool {
        (&self.kinds, &self.trees, &self.combine) == (&other.kinds, &other.trees, &other.combine)
    }
}

/// Rows between two looks at the cancel flag.
const CHUNK: usize = 1 << 11;
/// So many nodes are made ready for quick answers in the time of one row's plain walk; a model of fewer always is.
const READY: usize = 1 << 6;
const SMALL: usize = 1 << 16;

/// Checks a tree that was just grown.
fn check_grown(tree: &Tree, kinds: &[Kind]) -> Result<()> {
    let is_finite = |numbers: &Vec<f64>| numbers.iter().all(|x| x.is_finite());
    if ![&tree.value, &tree.cost, &tree.gain, &tree.weight].into_iter().all(is_finite) {
        let message = "the target or its weights are too large to add up\ntry: divide the target by a power of ten";
        return Err(Error::data("data.large-numbers", message));
    }
    tree.check(kinds).map_err(blame_data)
}

/// Growing makes sound trees, so what is wrong with one comes from data that changed meanwhile.
fn blame_data(error: Error) -> Error {
    match error {
        Error::Model { message, .. } => {
            let message = format!(
                "the data changed while the model was fitted ({message})\n\
                 do not write to X from another thread during fit"
            );
            Error::data("data.changed", message)
        }
        other => other,
    }
}

impl Forest {
    /// The mean of some trees. This is the door: what passes is safe to walk.
    pub fn new(kinds: Vec<Kind>, trees: Vec<Tree>) -> Result<Forest> {
        Forest::combined(kinds, trees, Combine::mean())
    }

    /// The mean of trees that were just grown: what they lack is the fault of the data they were grown from.
    pub fn grown(kinds: Vec<Kind>, trees: Vec<Tree>) -> Result<Forest> {
        Forest::grown_and_combined(kinds, trees, Combine::mean())
    }

    /// The same for trees that become one answer in another way.
    pub fn grown_and_combined(kinds: Vec<Kind>, trees: Vec<Tree>, combine: Combine) -> Result<Forest> {
        trees.iter().try_for_each(|tree| check_grown(tree, &kinds))?;
        Forest::of_checked(kinds, trees, combine).map_err(blame_data)
    }

    /// The mean of many trees that were just grown, which are checked on so many threads (0: all available ones).
    pub fn grown_on(threads: usize, kinds: Vec<Kind>, trees: Vec<Tree>) -> Result<Forest> {
        let checks = pool::each(threads, trees.iter().collect(), |tree: &Tree| check_grown(tree, &kinds))?;
        checks.into_iter().collect::<Result<()>>()?;
        Forest::of_checked(kinds, trees, Combine::mean()).map_err(blame_data)
    }

    /// Trees that become one answer in another way. Checks every tree against the columns' kinds.
    pub fn combined(kinds: Vec<Kind>, trees: Vec<Tree>, combine: Combine) -> Result<Forest> {
        trees.iter().try_for_each(|tree| tree.check(&kinds))?;
        Forest::of_checked(kinds, trees, combine)
    }

    /// The same for trees that have been checked, each against these kinds.
    pub(super) fn of_checked(kinds: Vec<Kind>, trees: Vec<Tree>, combine: Combine) -> Result<Forest> {
        let outputs = outputs_of(&trees)?;
        let combine = combine.checked(trees.len(), outputs)?;
        let nodes = trees.iter().map(Tree::len).sum();
        Ok(Forest { kinds, trees, combine, engine: OnceLock::new(), nodes })
    }

    /// What each feature holds.
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// The trees.
    pub fn trees(&self) -> &[Tree] {
        &self.trees
    }

    /// How many nodes they have together.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// How their answers become one.
    pub fn combine(&self) -> &Combine {
        &self.combine
    }

    /// How many numbers each tree says of a row.
    pub fn tree_outputs(&self) -> usize {
        self.trees[0].outputs
    }

    /// How many sums the trees add to.
    pub fn raw_outputs(&self) -> usize {
        self.combine.raw_outputs(self.tree_outputs())
    }

    /// How many numbers the model says of a row.
    pub fn outputs(&self) -> usize {
        self.combine.outputs(self.tree_outputs())
    }

    /// What the model says of each row: `rows * outputs` numbers, row after row.
    pub fn predict(&self, table: &Table<'_>, cancel: &Cancel) -> Result<Vec<f64>> {
        self.answer(table, 0..self.trees.len(), false, 1, cancel)
    }

    /// What some of the trees say of each row: the sums as they are before the link, or after it. An empty range says the
    /// base. On up to so many threads (0: all available ones).
    pub fn answer(
        &self,
        table: &Table<'_>,
        trees: Range<usize>,
        before_link: bool,
        threads: usize,
        cancel: &Cancel,
    ) -> Result<Vec<f64>> {
        self.answer_checked(table, trees, before_link, threads, |_| cancel.check())
    }

    /// What all trees say of each row of a matrix, as [`Forest::answer`]; nothing where a number is infinite.
    pub fn answer_finite(
        &self,
        table: &Table<'_>,
        before_link: bool,
        threads: usize,
        cancel: &Cancel,
    ) -> Result<Option<Vec<f64>>> {
        let (columns, infinite) = (table.strided().unwrap_or_default(), AtomicBool::new(false));
        let check = |rows: Range<usize>| {
            if has_infinite(&columns, &rows) {
                infinite.store(true, Ordering::Relaxed);
                return Err(Error::Cancelled);
            }
            cancel.check()
        };
        match self.answer_checked(table, 0..self.trees.len(), before_link, threads, check) {
            Err(_) if infinite.into_inner() => Ok(None),
            answers => answers.map(Some),
        }
    }

    /// The same, where `check` looks at some rows before the trees do.
    fn answer_checked(
        &self,
        table: &Table<'_>,
        trees: Range<usize>,
        before_link: bool,
        threads: usize,
        check: impl Fn(Range<usize>) -> Result<()> + Sync,
    ) -> Result<Vec<f64>> {
        self.check_columns(table)?;
        self.check_range(&trees)?;
        let (raw, says) = (self.raw_outputs(), if before_link { self.raw_outputs() } else { self.outputs() });
        let linked = !before_link && self.combine.link != Link::Identity;
        pool::fill(threads, table.rows() * says, CHUNK * says, |place, answers| -> Result<()> {
            let (first, rows) = (place / says, answers.len() / says);
            check(first..first + rows)?;
            let mut own = if linked { vec![0.0; rows * raw] } else { Vec::new() };
            let sums = if linked { own.as_mut_slice() } else { &mut *answers };
            self.combine.begin(sums);
            self.gather_rows(Method::Best, table, &trees, first, sums);
            self.settle(&trees, sums);
            if linked {
                self.combine.link(Isa::detect(), raw, &mut own, answers);
            }
            Ok(())
        })
    }

    /// What the model says of one row of numbers, quickly; nothing where the row has to become a table: a number is missing,
    /// or the model asks about categories.
    pub fn answer_row(&self, row: &[f64]) -> Option<Vec<f64>> {
        if row.len() != self.kinds.len() {
            return None;
        }
        let mut sums = vec![0.0; self.raw_outputs()];
        self.combine.begin(&mut sums);
        if !self.engine(1)?.gather_row(self, row, &mut sums) {
            return None;
        }
        self.combine.settle(&(0..self.trees.len()), &mut sums);
        self.link(sums).ok()
    }

    /// The trees made ready for quick answers, where they are or it pays for so many rows.
    fn engine(&self, rows: usize) -> Option<&Engine> {
        if self.nodes <= SMALL || rows.saturating_mul(READY) >= self.nodes {
            return Some(self.engine.get_or_init(|| Box::new(Engine::new(self, Isa::detect()))));
        }
        self.engine.get().map(|engine| engine.as_ref())
    }

    /// Adds what some trees say of each row to running sums, that of [`Combine::begin`] at first. Staged answers are made of
    /// it: the trees are asked once each, and the bits are those of [`Forest::answer`]. Not for medians.
    pub fn gather(
        &self,
        table: &Table<'_>,
        trees: Range<usize>,
        sums: &mut [f64],
        threads: usize,
        cancel: &Cancel,
    ) -> Result<()> {
        self.check_columns(table)?;
        self.check_range(&trees)?;
        let raw = self.raw_outputs();
        if self.combine.how == How::Median || sums.len() != table.rows() * raw {
            return Err(Error::data("data.lengths", "there are no running sums of this shape"));
        }
        let chunks = (0..).step_by(CHUNK).zip(sums.chunks_mut(CHUNK * raw)).collect();
        let done = pool::each(threads, chunks, |(first, sums)| -> Result<()> {
            cancel.check()?;
            self.gather_rows(Method::Best, table, &trees, first, sums);
            Ok(())
        })?;
        done.into_iter().collect()
    }

    /// Turns running sums, to which the trees of a range have added, into raw ones.
    pub fn settle(&self, trees: &Range<usize>, sums: &mut [f64]) {
        sums.chunks_exact_mut(self.raw_outputs()).for_each(|row| self.combine.settle(trees, row));
    }

    /// What the model says, from raw sums.
    pub fn link(&self, mut sums: Vec<f64>) -> Result<Vec<f64>> {
        if self.combine.link == Link::Identity {
            return Ok(sums);
        }
        let mut out = filled(0.0, sums.len() / self.raw_outputs() * self.outputs())?;
        self.combine.link(Isa::detect(), self.raw_outputs(), &mut sums, &mut out);
        Ok(out)
    }

    /// Adds what the trees say of the rows from `first` on, as many as there is room for.
    fn gather_rows(&self, method: Method, table: &Table<'_>, trees: &Range<usize>, first: usize, sums: &mut [f64]) {
        match self.engine(table.rows()) {
            Some(engine) => engine.gather(self, method, table, trees, first, sums),
            None => engine::plain(self, table, trees, first, sums),
        }
    }

    /// The raw sums by one of the ways to answer, with the instructions of a tier: for the tests that compare them.
    pub fn sums_by(&self, method: Method, isa: Isa, table: &Table<'_>) -> Result<Vec<f64>> {
        self.check_columns(table)?;
        let mut sums = filled(0.0, table.rows() * self.raw_outputs())?;
        self.combine.begin(&mut sums);
        let trees = 0..self.trees.len();
        let engine = Engine::new(self, isa);
        engine.gather(self, method, table, &trees, 0, &mut sums);
        self.settle(&trees, &mut sums);
        Ok(sums)
    }

    /// The node of one tree where each row's walk ends.
    pub fn apply(&self, tree: usize, table: &Table<'_>, cancel: &Cancel) -> Result<Vec<u32>> {
        self.check_columns(table)?;
        let tree = &self.trees[tree];
        let mut out = room(table.rows())?;
        for row in 0..table.rows() {
            if row % CHUNK == 0 {
                cancel.check()?;
            }
            out.push(reach(tree, table.columns(), row) as u32);
        }
        Ok(out)
    }

    /// The rows that come to a node of one tree, each with the share of it that does.
    pub fn rows_at(&self, tree: usize, node: usize, table: &Table<'_>, cancel: &Cancel) -> Result<Vec<(u32, f64)>> {
        self.check_columns(table)?;
        let tree = &self.trees[tree];
        let (path, mut rows) = (tree.path(node), Vec::new());
        for row in 0..table.rows() {
            if row % CHUNK == 0 {
                cancel.check()?;
                rows.try_reserve(CHUNK)?;
            }
            let share = share_at(tree, &path, table.columns(), row);
            if share > 0.0 {
                rows.push((row as u32, share));
            }
        }
        Ok(rows)
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
        let outputs = self.tree_outputs();
        let mut which = room(table.rows())?;
        let mut says = room(table.rows() * outputs)?;
        for row in 0..table.rows() {
            if row % 1024 == 0 {
                cancel.check()?;
            }
            let node = |tree: &Tree| reach(tree, table.columns(), row);
            let first_vote = self.trees.iter().position(|tree| tree.value_of(node(tree)).iter().any(|x| *x != 0.0));
            which.push(first_vote.unwrap_or(self.trees.len()) as u32);
            match first_vote {
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

    /// Checks that there are such trees. None of them can say something only where sums begin somewhere.
    fn check_range(&self, trees: &Range<usize>) -> Result<()> {
        let least = usize::from(self.combine.how != How::Sum);
        if trees.end <= self.trees.len() && trees.start.checked_add(least).is_some_and(|least| least <= trees.end) {
            Ok(())
        } else {
            let count = self.trees.len();
            let message = format!("there are no trees {} to {} among {count}", trees.start, trees.end);
            Err(Error::data("data.trees", message))
        }
    }
}
