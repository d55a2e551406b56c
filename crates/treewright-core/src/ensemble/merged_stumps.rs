//! Stumps of rows that lie in several processes: the best single cut of all columns, by sums over all of them.

use super::stumps::{Change, FindStump, Stump};
use crate::Result;
use crate::codes::ranks::RankedColumn;
use crate::data::table::{Column, Table};
use crate::model::tree::Question;
use crate::peers::Peers;
use crate::rows::Rows;
use crate::rows::list::coarse::Bins;
use crate::rows::list::{List, SearchRules};
use crate::split::choose::Chooser;
use crate::split::unknowns::Unknowns;
use crate::stats::criterion::{ClassCriterion, Classes, Criterion, Impurity};
use crate::stats::entry::Entry;
use crate::stats::weights::Weights;
use crate::sys::memory::{collected, copied};
use crate::sys::pool::Cancel;
use std::sync::Arc;

/// The columns of this process, ready to be cut again and again.
#[derive(Debug)]
pub struct MergedStumps<'t> {
    table: &'t Table<'t>,
    columns: Arc<Vec<RankedColumn<'t>>>,
    bins: Arc<Vec<Bins>>,
    /// The weight of each class in all processes.
    total: Vec<u64>,
    peers: &'t dyn Peers,
}

impl<'t> MergedStumps<'t> {
    /// Codes the columns; None where one of them, in any process, is not one of finite numbers.
    pub fn new(
        table: &'t Table<'t>,
        classes: usize,
        peers: &'t dyn Peers,
        cancel: &Cancel,
    ) -> Result<Option<MergedStumps<'t>>> {
        let is_finite = |column: &Column<'_>| match column {
            Column::Categorical { .. } => false,
            numbers => (0..numbers.len()).all(|row| numbers.number(row).is_finite()),
        };
        let mut others = [u64::from(!table.columns().iter().all(is_finite))];
        peers.max(&mut others)?;
        if others[0] > 0 {
            return Ok(None);
        }
        let columns = Arc::new(RankedColumn::all(table, cancel)?);
        let bins = Arc::new(Bins::all(&columns, peers)?);
        Ok(Some(MergedStumps { table, columns, bins, total: vec![0; classes], peers }))
    }
}

impl FindStump for MergedStumps<'_> {
    fn next(
        &mut self,
        _: &[Vec<Change>],
        _: bool,
        units: &[u64],
        target: &[u32],
        cancel: &Cancel,
    ) -> Result<Option<Stump>> {
        let classes = Classes { target, classes: self.total.len(), unit: 1.0 };
        let criterion = ClassCriterion::new(Impurity::Gini, classes);
        let weights = Weights { units: copied(units)?, unit: 1.0 };
        let rules = SearchRules { unknowns: Unknowns::Side, min_leaf: 1, ..SearchRules::default() };
        let chooser = Chooser::Share { min_gain: None };
        let list = List::coded(self.columns.clone(), &criterion, &weights, rules, cancel)?;
        let mut list = list.beside(self.peers, &chooser, self.bins.clone());
        // Rows whose weight has become nothing still stand between the numbers of others.
        let entries = (0u32..).zip(units).map(|(row, &weight)| Entry { row, weight });
        let mut root = list.node_of(collected(entries)?)?;
        self.total.copy_from_slice(&root.stats);
        let impurity = criterion.cost(&self.total) / criterion.weight(&self.total);
        if impurity == 0.0 {
            return Ok(None);
        }
        let mut candidates = Vec::new();
        list.candidates(&mut root, &mut candidates)?;
        let Some(chosen) = chooser.choose(&candidates, impurity) else { return Ok(None) };
        let chosen = candidates.swap_remove(chosen);
        let Question::Threshold(threshold) = chosen.way.question else { return Ok(None) };
        let left = list.divide(root, &chosen)?.swap_remove(0);
        Ok(Some(Stump::new(chosen.feature as usize, threshold, left.stats, left.count)))
    }

    fn total(&self) -> &[u64] {
        &self.total
    }

    fn is_left(&self, stump: &Stump, row: usize) -> bool {
        self.table.columns()[stump.column].number(row) <= stump.threshold
    }
}
