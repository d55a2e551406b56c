//! The best cut of a numeric column: sort the node's numbers, move the cut through them, keep the first best.

use super::contest::{Contest, Missing, Part, Terms, Winner};
use crate::Result;
use crate::data::table::MISSING;
use crate::model::tree::{Question, STOP, Way};
use crate::rng::Words;
use crate::rows::entries::{Coded, Entry};
use crate::stats::criterion::Criterion;
use crate::sys::memory::room;

/// What is left of the node's cost after the best cut, and the cut; None where nothing can be told apart.
pub fn best<C: Criterion>(
    criterion: &C,
    column: &Coded<'_>,
    entries: &[Entry],
    terms: Terms,
) -> Result<Option<(f64, Way)>> {
    let found = sweep(criterion, column, entries, terms, false, |contest| contest.winner())?;
    Ok(found.map(|found| {
        let cut = found.offer.map_or(f64::INFINITY, |(below, above)| midpoint(below, above));
        (found.cost, way(column, terms, &found, cut))
    }))
}

/// The question of a division by a cut.
fn way<T>(column: &Coded<'_>, terms: Terms, found: &Winner<T>, cut: f64) -> Way {
    let (children, missing) = match found.missing {
        None if terms.missing != Missing::Value => (2, found.heavier.unwrap_or(1)),
        None if column.has_missing() => (3, 2),
        missing => (found.children, missing.unwrap_or(STOP)),
    };
    Way { question: Question::Threshold(cut), children, missing }
}

/// A cut at random, each number between the least and the greatest of the node as likely; None where there are none
/// between.
pub fn random<C: Criterion>(
    criterion: &C,
    column: &Coded<'_>,
    entries: &[Entry],
    terms: Terms,
    mut words: Words,
) -> Result<Option<(f64, Way)>> {
    let codes = entries.iter().map(|entry| column.codes()[entry.row as usize]);
    let known = codes.filter(|&code| code != MISSING);
    let (low, high) = known.fold((u32::MAX, 0), |(low, high), code| (low.min(code), high.max(code)));
    let cut = if low < high {
        between(column.values()[low as usize], column.values()[high as usize], &mut words)
    } else {
        f64::INFINITY
    };
    // Ranks are compared instead of numbers.
    let above = column.values().partition_point(|&value| value <= cut) as u32;
    let width = criterion.width();
    let mut parts = [Part::empty(width)?, Part::empty(width)?, Part::empty(width)?];
    for entry in entries {
        let code = column.codes()[entry.row as usize];
        let part = &mut parts[if code == MISSING { 2 } else { usize::from(code >= above) }];
        criterion.add(&mut part.stats, entry.row as usize, entry.weight);
        part.count += 1;
    }
    let [below, over, absent] = &parts;
    let mut contest = Contest::new(criterion, terms, absent)?;
    if low < high {
        contest.offer(below, over, || ());
    } else {
        // All known numbers are one: only missing values can be told from them.
        contest.offer_known(below, || ());
    }
    Ok(contest.winner().map(|found| (found.cost, way(column, terms, &found, cut))))
}

/// A number from `low` on and below `high`.
pub fn between(low: f64, high: f64, words: &mut Words) -> f64 {
    let share = words.uniform();
    let cut = if (high - low).is_finite() { low + share * (high - low) } else { low * (1.0 - share) + high * share };
    if cut >= high || cut < low { low } else { cut }
}

/// Every admissible cut by the numbers around it, ascending, and what is left of the node's cost after it.
pub fn all<C: Criterion>(
    criterion: &C,
    column: &Coded<'_>,
    entries: &[Entry],
    terms: Terms,
) -> Result<Vec<((f64, f64), f64)>> {
    let log = sweep(criterion, column, entries, terms, true, |contest| contest.log())?;
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

/// The numbers around a cut; None for the question that tells known from missing.
type Between = Option<(f64, f64)>;

/// Offers every cut of a node to a contest.
fn sweep<C: Criterion, R>(
    criterion: &C,
    column: &Coded<'_>,
    entries: &[Entry],
    terms: Terms,
    logged: bool,
    finish: impl FnOnce(Contest<'_, C, Between>) -> R,
) -> Result<R> {
    let width = criterion.width();
    let mut order: Vec<(u32, Entry)> = room(entries.len())?;
    let (mut absent, mut known) = (Part::empty(width)?, Part::empty(width)?);
    for &entry in entries {
        let code = column.codes()[entry.row as usize];
        let part = if code == MISSING { &mut absent } else { &mut known };
        criterion.add(&mut part.stats, entry.row as usize, entry.weight);
        part.count += 1;
        if code != MISSING {
            order.push((code, entry));
        }
    }
    order.sort_unstable_by_key(|(code, entry)| (*code, entry.row));
    let mut contest = Contest::new(criterion, terms, &absent)?;
    if logged {
        contest = contest.logged(2 * order.len() + 1)?;
    }
    let (mut low, mut high, mut run) = (Part::empty(width)?, known.copied()?, Part::empty(width)?);
    for pair in order.windows(2) {
        let (code, entry) = pair[0];
        criterion.add(&mut run.stats, entry.row as usize, entry.weight);
        run.count += 1;
        if code < pair[1].0 {
            low.join(&run);
            high.leave(&run);
            run.clear();
            contest.offer(&low, &high, || Some((column.values()[code as usize], column.values()[pair[1].0 as usize])));
        }
    }
    // Every number is at most infinity, a missing one is not.
    contest.offer_known(&known, || None);
    Ok(finish(contest))
}

/// Half way between two numbers; the lower one where rounding would make the cut reach the upper.
pub fn midpoint(below: f64, above: f64) -> f64 {
    let sum = below + above;
    let cut = if sum.is_finite() { sum / 2.0 } else { below / 2.0 + above / 2.0 };
    if cut >= above || cut < below { below } else { cut }
}
