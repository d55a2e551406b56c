//! The best split of one column in a set of rows, by numbers or by categories.

use super::choose::Candidate;
use super::contest::DivisionRules;
use super::levels::LevelStats;
use super::shared::ShareRules;
use super::subset::SubsetRules;
use super::{groups, priced_threshold, subset, threshold};
use crate::Result;
use crate::codes::ranks::RankedColumn;
use crate::model::tree::SplitRule;
use crate::stats::criterion::Criterion;
use crate::stats::entry::Entry;
use crate::sys::pool::Cancel;

/// What is left of the cost of the node after the best division of all rows, and the division; where `subsets` are none,
/// categories have a branch each.
pub fn best_division<C: Criterion>(
    criterion: &C,
    column: &RankedColumn<'_>,
    entries: &[Entry],
    rules: DivisionRules,
    subsets: Option<SubsetRules>,
    cancel: &Cancel,
) -> Result<Option<(f64, SplitRule)>> {
    match subsets {
        _ if column.is_numeric() => threshold::best(criterion, column, entries, rules),
        Some(sets) => subset::best(criterion, column, entries, rules, sets, cancel),
        None => {
            let way = SplitRule::levels(column.levels() as u16, column.has_missing());
            Ok(Some((LevelStats::new(criterion, column, entries)?.remaining_cost(criterion), way)))
        }
    }
}

/// The best split of a column, as yet without its number, that shares out rows with a missing value, in a node of this
/// weight.
pub fn best_shared_split<C: Criterion>(
    criterion: &C,
    column: &RankedColumn<'_>,
    entries: &[Entry],
    weight: f64,
    rules: &ShareRules,
    cancel: &Cancel,
) -> Result<Option<Candidate>> {
    if column.is_numeric() {
        return priced_threshold::best(criterion, column, entries, weight, rules);
    }
    let levels = LevelStats::new(criterion, column, entries)?;
    match rules.groups {
        Some(score) if levels.len() > 2 => groups::best(criterion, &levels, weight, (rules, score), cancel),
        _ => levels.branch_each(criterion, weight, rules),
    }
}
