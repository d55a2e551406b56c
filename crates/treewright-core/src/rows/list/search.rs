//! The best split of one column in one node, under each policy for missing values.

use super::{List, Node};
use crate::Result;
use crate::model::tree::SplitRule;
use crate::split::choose::Candidate;
use crate::split::column::{best_division, best_shared_split};
use crate::split::contest::DivisionRules;
use crate::split::shared::ShareRules;
use crate::split::unknowns::Unknowns;
use crate::split::{subset, threshold};
use crate::stats::criterion::Criterion;
use crate::tolerance::ROUNDING;

impl<C: Criterion> List<'_, C> {
    /// Whether it is worth looking for splits of a node at all.
    pub fn may_split(&self, node: &Node<C::Stat>) -> bool {
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
    pub(super) fn candidate(&mut self, feature: u32, node: &mut Node<C::Stat>) -> Result<Option<Candidate>> {
        // A column of half a million rows takes a tenth of a second.
        self.cancel.check()?;
        match self.rules.unknowns {
            Unknowns::Share(rules) => self.shared_split(feature, node, &rules),
            Unknowns::Surrogates(rules) => {
                let Some(split) = self.known_split(feature, node)? else { return Ok(None) };
                let (cost, weight) = (self.criterion.cost(&node.stats), self.criterion.weight(&node.stats));
                if !self.surrogates.is_worth_keeping(split.saved, cost, &rules) {
                    return Ok(None);
                }
                node.competitors.push(split.competitor());
                Ok(Some(split.candidate(weight)))
            }
            Unknowns::Level | Unknowns::Branch | Unknowns::Side => self.split_of_all_rows(feature, node),
        }
    }

    /// What divisions by a column must respect in a node that costs so much.
    pub fn division_rules(&self, feature: u32, node: &Node<C::Stat>, cost: f64) -> DivisionRules {
        let (unknowns, min_leaf, min_weight) = (self.rules.unknowns, self.rules.min_leaf, self.rules.min_weight);
        let rounding = ROUNDING * cost;
        DivisionRules { unknowns, min_leaf, min_weight, trend: self.trend(feature, node.bounds), rounding }
    }

    fn split_of_all_rows(&self, feature: u32, node: &Node<C::Stat>) -> Result<Option<Candidate>> {
        let (criterion, column, entries) = (self.criterion, &self.columns[feature as usize], &node.entries[..]);
        let cost = criterion.cost(&node.stats);
        let division = self.division_rules(feature, node, cost);
        let random = self.rules.sampling.filter(|draw| draw.cuts).map(|draw| draw.cut_words(node.key, feature));
        let split = match random {
            Some(words) if column.is_numeric() => threshold::random(criterion, column, entries, division, words)?,
            Some(words) => subset::random(criterion, column, entries, division, words)?,
            None => best_division(criterion, column, entries, division, self.rules.subsets, self.cancel)?,
        };
        Ok(split.map(|split| self.divided(feature, node, split)))
    }

    /// A division as a candidate.
    pub(super) fn divided(&self, feature: u32, node: &Node<C::Stat>, (left, way): (f64, SplitRule)) -> Candidate {
        let (cost, weight) = (self.criterion.cost(&node.stats), self.criterion.weight(&node.stats));
        Candidate::new(feature, (cost - left) / weight, way)
    }

    fn shared_split(&self, feature: u32, node: &Node<C::Stat>, rules: &ShareRules) -> Result<Option<Candidate>> {
        let (criterion, column) = (self.criterion, &self.columns[feature as usize]);
        let weight = criterion.weight(&node.stats);
        let split = best_shared_split(criterion, column, &node.entries, weight, rules, self.cancel)?;
        Ok(split.map(|split| self.shared(feature, split)))
    }

    /// A split that shares out rows as a candidate.
    pub(super) fn shared(&self, feature: u32, split: Candidate) -> Candidate {
        Candidate { feature, wide: self.has_many_levels[feature as usize], ..split }
    }
}
