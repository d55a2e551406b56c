//! The split of a column that somebody asks for, within the limits or not.

use super::{List, Node};
use crate::Result;
use crate::model::tree::{SHARE, SplitRule};
use crate::split::contest::DivisionRules;
use crate::split::levels::branches;
use crate::split::unknowns::Unknowns;
use crate::split::{subset, threshold};
use crate::stats::criterion::Criterion;
use crate::stats::entry::Entry;

impl<C: Criterion> List<'_, C> {
    /// See [`crate::rows::Study::requested`].
    pub(super) fn requested_rule(
        &self,
        node: &Node<C::Stat>,
        feature: u32,
        cut: Option<f64>,
    ) -> Result<Option<SplitRule>> {
        let column = &self.columns[feature as usize];
        match (self.rules.unknowns, cut) {
            (Unknowns::Share(_), Some(cut)) => Ok(Some(SplitRule::threshold(cut, SHARE))),
            (Unknowns::Share(_), None) if column.is_numeric() => Ok(None),
            (Unknowns::Share(_), None) => Ok(Some(branches(column.levels() as usize))),
            (Unknowns::Level, None) if !column.is_numeric() && self.rules.subsets.is_none() => {
                Ok(Some(SplitRule::levels(column.levels() as u16, column.has_missing())))
            }
            (Unknowns::Surrogates(_), cut) => {
                let known = self.known_rows(feature, node)?;
                self.requested_division(node, feature, &known.entries, known.cost, cut)
            }
            (_, cut) => {
                let cost = self.criterion.cost(&node.stats);
                self.requested_division(node, feature, &node.entries, cost, cut)
            }
        }
    }

    /// A division in two, or three, of rows that cost so much: at a cut, or else the best. Where none is within the limits,
    /// one row on either side is enough.
    fn requested_division(
        &self,
        node: &Node<C::Stat>,
        feature: u32,
        entries: &[Entry],
        cost: f64,
        cut: Option<f64>,
    ) -> Result<Option<SplitRule>> {
        let limited = self.division_rules(feature, node, cost);
        let free = DivisionRules { min_leaf: 1, min_weight: 0.0, trend: None, ..limited };
        for rules in [limited, free] {
            if let Some(rule) = self.division(feature, entries, rules, cut)? {
                return Ok(Some(rule));
            }
        }
        Ok(None)
    }

    fn division(
        &self,
        feature: u32,
        entries: &[Entry],
        rules: DivisionRules,
        cut: Option<f64>,
    ) -> Result<Option<SplitRule>> {
        let (criterion, column) = (self.criterion, &self.columns[feature as usize]);
        let split = match cut {
            Some(cut) => threshold::at(criterion, column, entries, rules, cut, cut.is_finite())?,
            None if column.is_numeric() => threshold::best(criterion, column, entries, rules)?,
            None => {
                let sets = self.rules.subsets.unwrap_or_default();
                subset::best(criterion, column, entries, rules, sets, self.cancel)?
            }
        };
        Ok(split.map(|(_, rule)| rule))
    }
}
