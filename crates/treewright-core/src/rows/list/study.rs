//! What can be asked of a node besides its best splits.

use super::{List, ListNode, Start};
use crate::Result;
use crate::data::table::MISSING;
use crate::model::tree::{SHARE, SplitRule};
use crate::rows::Figures;
use crate::split::column::best_division;
use crate::split::contest::{DivisionRules, Part};
use crate::split::cuts::Cuts;
use crate::split::levels::branches;
use crate::split::monotone::Bounds;
use crate::split::unknowns::Unknowns;
use crate::split::{priced_threshold, threshold};
use crate::stats::criterion::Criterion;
use crate::stats::entry::{Entry, partition};
use std::borrow::Cow;

impl<C: Criterion> List<'_, C> {
    /// The columns that the node may ask about.
    pub fn open(&self, node: &ListNode<C::Stat>) -> Vec<u32> {
        node.start.features.to_vec()
    }

    /// Every admissible cut of a numeric column; none of a categorical one.
    pub fn cuts(&self, node: &ListNode<C::Stat>, feature: u32) -> Result<Cuts> {
        let (criterion, column) = (self.criterion, &self.columns[feature as usize]);
        if !column.is_numeric() {
            return Ok(Cuts::default());
        }
        let weight = criterion.weight(&node.stats);
        if let Unknowns::Share(rules) = &self.rules.unknowns {
            return priced_threshold::all(criterion, column, &node.entries, weight, rules);
        }
        let (entries, cost) = self.judged_rows(feature, node)?;
        let cuts = threshold::all(criterion, column, &entries, self.division_rules(feature, node, cost))?;
        Ok(Cuts::of(cuts, cost, weight))
    }

    /// The question with a branch for each level, where the column has one that may be inadmissible.
    pub fn each_its_own(&self, feature: u32) -> Option<SplitRule> {
        let column = &self.columns[feature as usize];
        let may_be_inadmissible = matches!(self.rules.unknowns, Unknowns::Share(_)) && !column.is_numeric();
        may_be_inadmissible.then(|| branches(column.levels() as usize))
    }

    /// The rows that can answer a question about the column, and the others; None where a split is judged by all.
    pub fn known(&self, node: &ListNode<C::Stat>, feature: u32) -> Result<Option<[ListNode<C::Stat>; 2]>> {
        if !self.rules.unknowns.judge_known_rows() {
            return Ok(None); // missing values have a branch, or go with a side
        }
        let codes = self.columns[feature as usize].codes();
        let [known, unknown] = partition(&node.entries, |entry| codes[entry.row as usize] != MISSING)?;
        let start = Start { bounds: Bounds::default(), ..node.start.clone() };
        let mut parts = self.nodes(vec![known, unknown], &start)?.into_iter();
        Ok(parts.next().zip(parts.next()).map(|(known, unknown)| [known, unknown]))
    }

    /// What each cut of a numeric column makes of the rows that have a number: those below and those above. The
    /// thresholds ascend.
    pub fn sides(&self, node: &ListNode<C::Stat>, feature: u32, thresholds: &[f64]) -> Result<Vec<[Figures; 2]>> {
        let column = &self.columns[feature as usize];
        let first_above: Vec<u32> = thresholds.iter().map(|&cut| column.first_above(cut)).collect();
        figures_of_sides(self.criterion, &node.entries, column.codes(), &first_above)
    }

    /// The question about a column that somebody asks for: at a cut, or else the best one, or that with a branch for each
    /// level. It need not be within the limits. None where the column has none.
    pub fn requested(&self, node: &ListNode<C::Stat>, feature: u32, cut: Option<f64>) -> Result<Option<SplitRule>> {
        let column = &self.columns[feature as usize];
        match (self.rules.unknowns, cut) {
            (Unknowns::Share(_), Some(cut)) => return Ok(Some(SplitRule::threshold(cut, SHARE))),
            (Unknowns::Share(_), None) => return Ok(self.each_its_own(feature)),
            (Unknowns::Level, None) if !column.is_numeric() && self.rules.subsets.is_none() => {
                return Ok(Some(SplitRule::levels(column.levels() as u16, column.has_missing())));
            }
            _ => {}
        }
        let (entries, cost) = self.judged_rows(feature, node)?;
        let limited = self.division_rules(feature, node, cost);
        // Where no division is within the limits, one row on either side is enough.
        let free = DivisionRules { min_leaf: 1, min_weight: 0.0, trend: None, ..limited };
        for rules in [limited, free] {
            if let Some((_, rule)) = self.division(feature, &entries, rules, cut)? {
                return Ok(Some(rule));
            }
        }
        Ok(None)
    }

    /// Whether a node must be asked for its candidates before it is divided, and one that stays a leaf too.
    pub fn asks_everywhere(&self) -> bool {
        matches!(self.rules.unknowns, Unknowns::Surrogates(_))
    }

    /// The node's rows, each with the share of it that is here.
    pub fn shares(&self, node: &ListNode<C::Stat>) -> Vec<(u32, f64)> {
        let share = |entry: &Entry| entry.weight as f64 / self.weights.units[entry.row as usize] as f64;
        node.entries.iter().map(|entry| (entry.row, share(entry))).collect()
    }

    /// The node's rows with their weights.
    pub fn rows(&self, node: &ListNode<C::Stat>) -> Vec<(u32, f64)> {
        node.entries.iter().map(|entry| (entry.row, entry.weight as f64 * self.weights.unit)).collect()
    }

    /// The rows by which a division by a column is judged, and what they cost.
    fn judged_rows<'n>(&self, feature: u32, node: &'n ListNode<C::Stat>) -> Result<(Cow<'n, [Entry]>, f64)> {
        if matches!(self.rules.unknowns, Unknowns::Surrogates(_)) {
            let (known, cost) = self.known_rows(feature, node)?;
            return Ok((known.into(), cost));
        }
        Ok((Cow::Borrowed(&node.entries[..]), self.criterion.cost(&node.stats)))
    }

    /// The division of some rows in two, or three: at a cut, or else the best; categories are divided in two sets.
    pub(super) fn division(
        &self,
        feature: u32,
        entries: &[Entry],
        rules: DivisionRules,
        cut: Option<f64>,
    ) -> Result<Option<(f64, SplitRule)>> {
        let (criterion, column) = (self.criterion, &self.columns[feature as usize]);
        let sets = Some(self.rules.subsets.unwrap_or_default());
        match cut {
            Some(cut) => threshold::at(criterion, column, entries, rules, cut, cut.is_finite()),
            None => best_division(criterion, column, entries, rules, sets, self.cancel),
        }
    }
}

/// What lies on both sides of each cut; `first_above` holds for each the first code above it, ascending.
fn figures_of_sides<C: Criterion>(
    criterion: &C,
    entries: &[Entry],
    codes: &[u32],
    first_above: &[u32],
) -> Result<Vec<[Figures; 2]>> {
    let empty = || Part::empty(criterion.width());
    let mut between = (0..=first_above.len()).map(|_| empty()).collect::<Result<Vec<_>>>()?;
    for entry in entries.iter().filter(|entry| codes[entry.row as usize] != MISSING) {
        let code = codes[entry.row as usize];
        let part = &mut between[first_above.partition_point(|&above| above <= code)];
        criterion.add(&mut part.stats, entry.row as usize, entry.weight);
        part.count += 1;
    }
    let (mut low, mut high) = (empty()?, empty()?);
    between.iter().for_each(|part| high.join(part));
    let step = |part: &Part<C::Stat>| {
        low.join(part);
        high.leave(part);
        [&low, &high].map(|side| figures(criterion, side))
    };
    Ok(between[..first_above.len()].iter().map(step).collect())
}

fn figures<C: Criterion>(criterion: &C, part: &Part<C::Stat>) -> Figures {
    let mut value = vec![0.0; criterion.outputs()];
    if part.count > 0 {
        criterion.value(&part.stats, &mut value);
    }
    let (weight, cost) = (criterion.weight(&part.stats), criterion.cost(&part.stats));
    Figures { value, weight, count: part.count.into(), cost }
}
