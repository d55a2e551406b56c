//! Regression trees of one table, one after the other, each with targets of its own: the columns are coded once.
//!
//! What coding found out may be put aside ([`Codes`]) and taken up again with the same table.

use super::Words;
use super::binary::{Means, grow_with, is_mixed, is_plain, limits};
use crate::Result;
use crate::codes::ranks::RankedColumn;
use crate::data::table::Table;
use crate::model::tree::Tree;
use crate::rows::columns::bag::{Base, Coded as Quick};
use crate::rows::columns::kernels::Isa;
use crate::rows::columns::plan::Plan;
use crate::split::draw::Draw;
use crate::stats::criterion::SquaredError;
use crate::stats::numbers::Numbers;
use crate::stats::target::Target;
use crate::stats::weights::Weights;
use crate::sys::memory::filled;
use crate::sys::pool::Cancel;
use std::sync::Arc;

/// The codes of a table, in the way in which its rows can be held.
#[derive(Debug)]
pub enum Codes {
    /// Columns of codes.
    Quick(Box<Quick>),
    /// A holder that knows everything.
    Clear(Arc<Vec<RankedColumn<'static>>>),
}

/// A table whose columns are coded.
#[derive(Debug)]
pub struct Again<'t> {
    words: &'t Words,
    table: &'t Table<'t>,
    quick: Option<Base<'t>>,
    clear: Option<Arc<Vec<RankedColumn<'static>>>>,
    cancel: &'t Cancel,
}

impl<'t> Again<'t> {
    /// Codes a table, unless somebody has done so before. The recipe is one of regression trees.
    pub fn new(words: &'t Words, table: &'t Table<'t>, codes: Option<Codes>, cancel: &'t Cancel) -> Result<Again<'t>> {
        words.check()?;
        let mut again = Again { words, table, quick: None, clear: None, cancel };
        match codes {
            Some(Codes::Quick(codes)) => again.quick = Base::again(*codes, table),
            Some(Codes::Clear(codes)) => again.clear = Some(codes),
            None if words.rows == "columns" && words.binary.as_ref().is_some_and(is_plain) => {
                again.quick = again.with_plan(|plan| Base::numbers(plan, table, &filled(0, table.rows())?))?;
            }
            None => {}
        }
        if again.quick.is_none() && again.clear.is_none() {
            again.clear = Some(Arc::new(owned(table, cancel)?));
        }
        Ok(again)
    }

    /// What coding found out. Where both ways were gone, weights differ, and they will the next time.
    pub fn into_codes(self) -> Option<Codes> {
        let quick = self.quick.map(|base| Codes::Quick(Box::new(base.into_coded())));
        self.clear.map(Codes::Clear).or(quick)
    }

    fn with_plan<R>(&self, work: impl FnOnce(&Plan<'_>) -> Result<Option<R>>) -> Result<Option<R>> {
        let (words, cancel) = (self.words, self.cancel);
        let Some(more) = &words.binary else { return Ok(None) };
        let limits = limits(words, more);
        let isa = if words.plain { Isa::PORTABLE } else { Isa::detect() };
        let (min_leaf, min_gain, threads) = (more.min_leaf, words.min_gain, words.threads);
        let (mixed, monotone) = (is_mixed(words, more), &more.monotone[..]);
        let min_leaf_share = more.min_leaf_share;
        work(&Plan { min_leaf, min_leaf_share, min_gain, limits: &limits, threads, isa, cancel, mixed, monotone })
    }

    /// The tree of these targets; rows of no weight are not there.
    pub fn grow(&mut self, targets: &[f64], weights: &[f64], draw: Option<Draw>) -> Result<Tree> {
        if let (Some(base), None) = (&self.quick, alike(weights)) {
            let weights = Weights::new(weights)?;
            let numbers = Numbers::new(targets, weights.units.iter().sum());
            let law = SquaredError { target: &numbers, unit: weights.unit };
            let grown = self.with_plan(|plan| {
                base.grow_weighted_numbers(plan, &law, &weights, draw, plan.threads(self.table)).map(Some)
            })?;
            if let Some(tree) = grown {
                return Ok(tree);
            }
        }
        if let (Some(base), Some((weight, times))) = (&self.quick, alike(weights)) {
            let unit = Weights::new(&[weight])?;
            let (units, unit) = (unit.units[0], unit.unit);
            let numbers = Numbers::new(targets, units.saturating_mul(targets.len() as u64));
            let law = SquaredError { target: &numbers, unit };
            let grown = self.with_plan(|plan| {
                base.grow_anew(plan, self.table, &law, units, &numbers.units, &times, draw).map(Some)
            })?;
            if let Some(tree) = grown {
                return Ok(tree);
            }
        }
        let Some(more) = &self.words.binary else {
            return super::cook(self.words, self.table, Target::Numbers(targets), Some(weights), self.cancel);
        };
        if self.clear.is_none() {
            self.clear = Some(Arc::new(owned(self.table, self.cancel)?));
        }
        let means = Means { cancel: self.cancel, coded: self.clear.clone(), draw };
        grow_with(self.words, more, self.table, Target::Numbers(targets), Some(weights), means)
    }
}

/// The coded columns of a table, which need not live as long.
fn owned(table: &Table<'_>, cancel: &Cancel) -> Result<Vec<RankedColumn<'static>>> {
    table.columns().iter().map(|column| RankedColumn::new(column, false, cancel)?.into_owned()).collect()
}

/// The weight that all rows have which have any, and whether each has; None where weights differ.
fn alike(weights: &[f64]) -> Option<(f64, Vec<u32>)> {
    let weight = weights.iter().copied().find(|weight| *weight > 0.0)?;
    let known = weights.iter().all(|other| *other == weight || *other == 0.0);
    known.then(|| (weight, weights.iter().map(|weight| u32::from(*weight > 0.0)).collect()))
}
