//! The best cut of a numeric column: sort the node's numbers, move the cut through them, keep the first best.

use super::contest::{Contest, Missing, Part, Terms};
use crate::data::table::MISSING;
use crate::learn::criterion::Criterion;
use crate::learn::rows::entries::{Coded, Entry};
use crate::model::tree::{Question, STOP, Way};

/// What is left of the node's cost after the best cut, and the cut; None where nothing can be told apart.
pub fn best<C: Criterion>(criterion: &C, column: &Coded<'_>, entries: &[Entry], terms: Terms) -> Option<(f64, Way)> {
    let width = criterion.width();
    let mut order: Vec<(u32, Entry)> = Vec::with_capacity(entries.len());
    let (mut absent, mut known) = (Part::empty(width), Part::empty(width));
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
    let mut contest = Contest::new(criterion, terms, &absent);
    let (mut low, mut high, mut run) = (Part::empty(width), known.clone(), Part::empty(width));
    for pair in order.windows(2) {
        let (code, entry) = pair[0];
        criterion.add(&mut run.stats, entry.row as usize, entry.weight);
        run.count += 1;
        if code < pair[1].0 {
            low.join(&run);
            high.leave(&run);
            run.clear();
            contest
                .offer(&low, &high, || midpoint(column.values()[code as usize], column.values()[pair[1].0 as usize]));
        }
    }
    // Every number is at most infinity, a missing one is not.
    contest.offer_known(&known, || f64::INFINITY);
    let found = contest.winner()?;
    let question = Question::Threshold(found.offer);
    let (children, missing) = match found.missing {
        None if terms.missing != Missing::Value => (2, found.heavier.unwrap_or(1)),
        None if column.has_missing() => (3, 2),
        missing => (found.children, missing.unwrap_or(STOP)),
    };
    Some((found.cost, Way { question, children, missing }))
}

/// Half way between two numbers; the lower one where rounding would make the cut reach the upper.
pub fn midpoint(below: f64, above: f64) -> f64 {
    let sum = below + above;
    let cut = if sum.is_finite() { sum / 2.0 } else { below / 2.0 + above / 2.0 };
    if cut >= above || cut < below { below } else { cut }
}
