//! The best cut of a numeric column: sort the node's numbers, move the cut through them, keep the first best.

use super::contest::{Contest, DivisionRules, Part, Winner};
use super::sweep::Sweep;
use super::unknowns::Unknowns;
use crate::Result;
use crate::codes::ordered::midpoint;
use crate::codes::ranks::RankedColumn;
use crate::data::table::MISSING;
use crate::model::tree::{Question, STOP, SplitRule};
use crate::rng::Words;
use crate::stats::criterion::Criterion;
use crate::stats::entry::Entry;
use crate::sys::memory::room;
use std::ops::ControlFlow;

/// What is left of a node's cost after the best cut, and the cut; None where nothing can be told apart.
pub fn best<C: Criterion>(
    criterion: &C,
    column: &RankedColumn<'_>,
    entries: &[Entry],
    rules: DivisionRules,
) -> Result<Option<(f64, SplitRule)>> {
    let winner = offer_all(criterion, column, entries, rules, false, |contest| contest.winner())?;
    Ok(winner.map(|winner| division(column.has_missing(), rules, &winner)))
}

/// The division of a contest's winner, half way between its numbers; without numbers it tells known from missing.
pub fn division(has_missing: bool, rules: DivisionRules, winner: &Winner<Option<(f64, f64)>>) -> (f64, SplitRule) {
    let cut = winner.offer.map_or(f64::INFINITY, |(below, above)| midpoint(below, above));
    (winner.cost, way(has_missing, rules, winner, cut))
}

/// The question of a division by a cut; `has_missing` is asked of the whole column.
pub fn way<T>(has_missing: bool, rules: DivisionRules, winner: &Winner<T>, cut: f64) -> SplitRule {
    let (children, missing) = match (winner.missing, rules.unknowns) {
        (None, Unknowns::Level) if has_missing => (3, 2),
        (None, Unknowns::Level) => (winner.children, STOP),
        (None, _) => (2, winner.heavier.unwrap_or(1)),
        (Some(missing), _) => (winner.children, missing),
    };
    SplitRule { question: Question::Threshold(cut), children, missing }
}

/// A cut at random, each number between the least and the greatest of the node as likely; None where there are none
/// between.
pub fn random<C: Criterion>(
    criterion: &C,
    column: &RankedColumn<'_>,
    entries: &[Entry],
    rules: DivisionRules,
    mut words: Words,
) -> Result<Option<(f64, SplitRule)>> {
    let codes = entries.iter().map(|entry| column.codes()[entry.row as usize]);
    let known = codes.filter(|&code| code != MISSING);
    let (low, high) = known.fold((u32::MAX, 0), |(low, high), code| (low.min(code), high.max(code)));
    let cut = if low < high {
        between(column.values()[low as usize], column.values()[high as usize], &mut words)
    } else {
        f64::INFINITY
    };
    at(criterion, column, entries, rules, cut, low < high)
}

/// A given cut, or None where it is not admissible; `is_cut` says whether there are known numbers on either side of it.
pub fn at<C: Criterion>(
    criterion: &C,
    column: &RankedColumn<'_>,
    entries: &[Entry],
    rules: DivisionRules,
    cut: f64,
    is_cut: bool,
) -> Result<Option<(f64, SplitRule)>> {
    let above = column.first_above(cut);
    let width = criterion.width();
    let mut parts = [Part::empty(width)?, Part::empty(width)?, Part::empty(width)?];
    for entry in entries {
        let code = column.codes()[entry.row as usize];
        let part = &mut parts[if code == MISSING { 2 } else { usize::from(code >= above) }];
        criterion.add(&mut part.stats, entry.row as usize, entry.weight);
        part.count += criterion.rows_of(entry.row as usize);
    }
    let winner = settle(criterion, rules, parts.each_ref(), is_cut)?;
    Ok(winner.map(|winner| (winner.cost, way(column.has_missing(), rules, &winner, cut))))
}

/// What becomes of a cut, given the rows below it, those above it and those without a number. Where the known
/// numbers are all one, only missing values can be told from them.
pub fn settle<C: Criterion>(
    criterion: &C,
    rules: DivisionRules,
    [below, over, absent]: [&Part<C::Stat>; 3],
    is_cut: bool,
) -> Result<Option<Winner<()>>> {
    let mut contest = Contest::new(criterion, rules, absent)?;
    match is_cut {
        true => contest.offer(below, over, || ()),
        false => contest.offer_known(below, || ()),
    }
    Ok(contest.winner())
}

/// A number from `low` on and below `high`.
pub fn between(low: f64, high: f64, words: &mut Words) -> f64 {
    at_share(low, high, words.uniform())
}

/// The number that has this share of the way from `low` to `high` below it; at least `low`, and less than `high`.
#[inline(always)]
pub fn at_share(low: f64, high: f64, share: f64) -> f64 {
    let cut = if (high - low).is_finite() { low + share * (high - low) } else { low * (1.0 - share) + high * share };
    if cut >= high || cut < low { low } else { cut }
}

/// Every admissible cut by the numbers around it, ascending, and what is left of the node's cost after it.
pub fn all<C: Criterion>(
    criterion: &C,
    column: &RankedColumn<'_>,
    entries: &[Entry],
    rules: DivisionRules,
) -> Result<Vec<((f64, f64), f64)>> {
    let log = offer_all(criterion, column, entries, rules, true, |contest| contest.log())?;
    let mut cuts: Vec<((f64, f64), f64)> = room(log.len())?;
    for (between, cost) in log.into_iter().filter_map(|(between, cost)| Some((between?, cost))) {
        match cuts.last_mut() {
            // Missing values were tried on either side of it.
            Some(last) if last.0 == between => last.1 = last.1.min(cost),
            _ => cuts.push((between, cost)),
        }
    }
    Ok(cuts)
}

/// Offers every cut of a node to a contest, by the numbers around it; none for the question that tells known from missing.
fn offer_all<C: Criterion, R>(
    criterion: &C,
    column: &RankedColumn<'_>,
    entries: &[Entry],
    rules: DivisionRules,
    logged: bool,
    finish: impl FnOnce(Contest<'_, C, Option<(f64, f64)>>) -> R,
) -> Result<R> {
    let add = |stats: &mut [C::Stat], _: usize, entry: Entry| {
        criterion.add(stats, entry.row as usize, entry.weight);
        criterion.rows_of(entry.row as usize)
    };
    let mut sweep = Sweep::new(column.codes(), entries, criterion.width(), add)?;
    sweep.sort();
    let mut contest = Contest::new(criterion, rules, &sweep.missing)?;
    if logged {
        contest = contest.logged(2 * entries.len() + 1)?;
    }
    sweep.run(|[below, above], low, high| {
        contest.offer(low, high, || Some((column.greatest(below), column.values()[above as usize])));
        ControlFlow::Continue(())
    })?;
    // Every number is at most infinity, a missing one is not.
    contest.offer_known(&sweep.known, || None);
    Ok(finish(contest))
}
