//! The best split of one column in one node, under each policy for missing values.

use super::{List, ListNode};
use crate::Result;
use crate::codes::ranks::RankedColumn;
use crate::model::tree::SplitRule;
use crate::split::choose::Candidate;
use crate::split::column::{best_division, best_shared_split};
use crate::split::contest::DivisionRules;
use crate::split::unknowns::Unknowns;
use crate::split::{subset, threshold};
use crate::stats::criterion::Criterion;
use crate::stats::entry::Entry;

impl<C: Criterion> List<'_, C> {
    /// Whether it is worth looking for splits of a node at all.
    pub fn may_split(&self, node: &ListNode<C::Stat>) -> bool {
        if let Unknowns::Share(rules) = &self.rules.unknowns {
            let weight = self.criterion.weight(&node.stats);
            let class_weights =
                (0..self.criterion.outputs()).map(|class| self.criterion.class_weight(&node.stats, class));
            let largest = class_weights.fold(0.0, f64::max);
            return weight >= 2.0 * rules.min_cases - rules.tolerance && weight - largest > rules.tolerance;
        }
        self.risk_limit.as_ref().is_none_or(|limit| limit.is_exceeded(self.criterion, &node.stats))
    }

    /// The best split of a column.
    pub(super) fn candidate(&mut self, feature: u32, node: &mut ListNode<C::Stat>) -> Result<Option<Candidate>> {
        // A column of half a million rows takes a tenth of a second.
        self.cancel.check()?;
        let (criterion, column) = (self.criterion, &self.columns[feature as usize]);
        let random = self.rules.sampling.filter(|draw| draw.cuts);
        match (self.rules.unknowns, random) {
            (Unknowns::Surrogates(rules), _) => {
                let Some(split) = self.known_split(feature, node)? else { return Ok(None) };
                let (cost, weight) = (criterion.cost(&node.stats), criterion.weight(&node.stats));
                if !self.surrogates.is_worth_keeping(split.saved, cost, &rules) {
                    return Ok(None);
                }
                node.competitors.push(split.competitor());
                Ok(Some(split.candidate(weight)))
            }
            (Unknowns::Level | Unknowns::Branch | Unknowns::Side, Some(draw)) => {
                let words = draw.cut_words(node.start.key, feature);
                let rules = self.division_rules(feature, node, criterion.cost(&node.stats));
                let split = match column.is_numeric() {
                    true => threshold::random(criterion, column, &node.entries, rules, words)?,
                    false => subset::random(criterion, column, &node.entries, rules, words)?,
                };
                Ok(split.map(|split| self.divided(feature, node, split)))
            }
            _ => self.best_split(feature, node, (criterion, column), &node.entries),
        }
    }

    /// The best split of a column that is judged by all rows of a node, or of sets of them that take the place of rows.
    pub(super) fn best_split<R: Criterion>(
        &self,
        feature: u32,
        node: &ListNode<C::Stat>,
        (criterion, column): (&R, &RankedColumn<'_>),
        entries: &[Entry],
    ) -> Result<Option<Candidate>> {
        if let Unknowns::Share(rules) = &self.rules.unknowns {
            let weight = self.criterion.weight(&node.stats);
            let split = best_shared_split(criterion, column, entries, weight, rules, self.cancel)?;
            let wide = self.has_many_levels[feature as usize];
            return Ok(split.map(|split| Candidate { feature, wide, ..split }));
        }
        let rules = self.division_rules(feature, node, self.criterion.cost(&node.stats));
        let division = best_division(criterion, column, entries, rules, self.rules.subsets, self.cancel)?;
        Ok(division.map(|division| self.divided(feature, node, division)))
    }

    /// What divisions by a column must respect in a node that costs so much.
    pub fn division_rules(&self, feature: u32, node: &ListNode<C::Stat>, cost: f64) -> DivisionRules {
        self.rules.of_divisions(feature, node.start.bounds, cost)
    }

    /// A division as a candidate.
    pub(super) fn divided(&self, feature: u32, node: &ListNode<C::Stat>, (left, way): (f64, SplitRule)) -> Candidate {
        let (cost, weight) = (self.criterion.cost(&node.stats), self.criterion.weight(&node.stats));
        Candidate::new(feature, (cost - left) / weight, way)
    }
}
