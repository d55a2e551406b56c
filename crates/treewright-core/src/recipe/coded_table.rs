//! Regression trees of one table, one after the other, each with targets of its own: the columns are coded once.
//!
//! What coding found out may be put aside ([`Codes`]) and taken up again with the same table.

use super::Recipe;
use super::grow_tree::{SharedColumns, grow_with};
use crate::Result;
use crate::codes::ranks::RankedColumn;
use crate::data::table::Table;
use crate::model::tree::Tree;
use crate::rows::columns::bag::{Base, Coded};
use crate::split::sampling::FeatureSampling;
use crate::stats::criterion::SquaredError;
use crate::stats::numbers::Numbers;
use crate::stats::target::Target;
use crate::stats::weights::Weights;
use crate::sys::memory::filled;
use crate::sys::pool::Cancel;
use std::sync::Arc;

/// The codes of a table, for the engine that grows its trees.
#[derive(Debug)]
pub enum Codes {
    /// Columns of codes.
    Columns(Box<Coded>),
    /// Lists of rows.
    Ranks(Arc<Vec<RankedColumn<'static>>>),
}

/// A table whose columns are coded.
#[derive(Debug)]
pub struct CodedTable<'t> {
    recipe: &'t Recipe,
    table: &'t Table<'t>,
    base: Option<Base<'t>>,
    ranks: Option<Arc<Vec<RankedColumn<'static>>>>,
    cancel: &'t Cancel,
}

impl<'t> CodedTable<'t> {
    /// Codes a table, unless somebody has done so before. The recipe is one of regression trees.
    pub fn new(
        recipe: &'t Recipe,
        table: &'t Table<'t>,
        codes: Option<Codes>,
        cancel: &'t Cancel,
    ) -> Result<CodedTable<'t>> {
        let mut coded = CodedTable { recipe, table, base: None, ranks: None, cancel };
        match codes {
            Some(Codes::Columns(codes)) => coded.base = Base::again(*codes, table),
            Some(Codes::Ranks(codes)) => coded.ranks = Some(codes),
            None => {
                if let Some(plan) = recipe.plan(cancel) {
                    coded.base = Base::numbers(&plan, table, &filled(0, table.rows())?)?;
                }
            }
        }
        if coded.base.is_none() && coded.ranks.is_none() {
            coded.ranks = Some(Arc::new(RankedColumn::all_owned(table, cancel)?));
        }
        Ok(coded)
    }

    /// What coding found out.
    pub fn into_codes(self) -> Option<Codes> {
        let columns = self.base.map(|base| Codes::Columns(Box::new(base.codes())));
        self.ranks.map(Codes::Ranks).or(columns)
    }

    /// The tree of these targets; rows of no weight are not there.
    pub fn grow(&self, targets: &[f64], weights: &[f64], draw: Option<FeatureSampling>) -> Result<Tree> {
        if let (Some(base), Some(plan)) = (&self.base, self.recipe.plan(self.cancel)) {
            let Some((weight, times)) = alike(weights) else {
                let weights = Weights::new(weights)?;
                let numbers = Numbers::new(targets, weights.units.iter().sum());
                let criterion = SquaredError { target: &numbers, unit: weights.unit };
                return base.grow_weighted_numbers(&plan, &criterion, &weights, draw, plan.threads(self.table));
            };
            let unit = Weights::new(&[weight])?;
            let (units, unit) = (unit.units[0], unit.unit);
            let numbers = Numbers::new(targets, units.saturating_mul(targets.len() as u64));
            let criterion = SquaredError { target: &numbers, unit };
            return base.grow_anew(&plan, self.table, &criterion, units, &numbers.units, &times, draw);
        }
        let shared = self.ranks.clone().map(SharedColumns::Ranks);
        grow_with(self.recipe, self.table, Target::Numbers(targets), Some(weights), shared, draw, self.cancel)
    }
}

/// The weight that all rows have which have any, and whether each has; None where weights differ.
fn alike(weights: &[f64]) -> Option<(f64, Vec<u32>)> {
    let weight = weights.iter().copied().find(|weight| *weight > 0.0)?;
    let known = weights.iter().all(|other| *other == weight || *other == 0.0);
    known.then(|| (weight, weights.iter().map(|weight| u32::from(*weight > 0.0)).collect()))
}
