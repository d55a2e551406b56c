//! The best cut of one column of a node: one pass over its numbers in order.
//!
//! A later cut is better only if it saves more than the best one so far by more than the tolerance. Savings are compared
//! in fixed-point numbers ([`super::logarithms`]); where these cannot tell, the criterion's own formula does, so the cut
//! and what it saves are those of [`crate::split::priced_threshold`] to the last bit.

use super::item::{key_of, place_of};
use super::numbers::{Gaps, single_of};
use super::sides::Sides;
use crate::split::priced_threshold::{are_doubles_apart, are_singles_apart, least_weight};
use crate::split::shared::ShareRules;

/// The best cut of a column.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    /// How many known rows are below it.
    pub below: usize,
    /// What it saves.
    pub saved: f64,
    /// How many cuts were admissible.
    pub tries: u32,
    /// The weight of all known rows.
    pub known: f64,
    /// The weight of those below it.
    pub weight_below: f64,
}

/// The rules of a scan, in weights.
struct Bounds {
    /// A cut is admissible with at least this weight below it,
    least: f64,
    /// and at most that.
    most: f64,
    /// It can be chosen with at least this weight on either side.
    min_side: f64,
    /// The weight of all known rows.
    known: f64,
    /// Savings that differ by no more than this are equal.
    tie: f64,
}

/// The best cut of some known rows, given in order, of a node of this weight.
pub fn best_cut<S: Sides>(items: &[u64], gaps: &Gaps, sides: &mut S, weight: f64, rules: &ShareRules) -> Option<Cut> {
    sides.begin(items);
    let (known, tolerance) = (sides.weight_of_known(), rules.tolerance);
    if known < 2.0 * rules.min_cases - tolerance {
        return None;
    }
    let least = least_weight(known, sides.classes(), rules);
    let bounds = Bounds {
        least: least - tolerance,
        most: known - least + tolerance,
        min_side: rules.min_cases - tolerance,
        known,
        tie: tolerance * weight,
    };
    match gaps {
        Gaps::All => scan(items, sides, &bounds, |low, high| low != high),
        Gaps::Single => scan(items, sides, &bounds, |low, high| are_singles_apart(single_of(low), single_of(high))),
        Gaps::Double(numbers) => {
            scan(items, sides, &bounds, |low, high| are_doubles_apart(numbers[low as usize], numbers[high as usize]))
        }
    }
}

fn scan<S: Sides>(items: &[u64], sides: &mut S, bounds: &Bounds, is_apart: impl Fn(u32, u32) -> bool) -> Option<Cut> {
    let (first, last) = sides.range(items, bounds.least, bounds.most);
    let (first, last) = (first.max(1), last.min(items.len().checked_sub(1)?));
    if first > last {
        return None;
    }
    items[..first - 1].iter().for_each(|item| sides.pass(place_of(*item)));
    // A saving that is not above the bar does not beat the best; one that is deserves a closer look.
    let (nearly, surely) = sides.scale().around(bounds.tie, bounds.known);
    let mut chain = Chain { bounds, nearly, surely, bar: i64::MIN, best: None };
    let mut tries = 0;
    for (below, pair) in (first..).zip(items[first - 1..=last].windows(2)) {
        sides.pass(place_of(pair[0]));
        let apart = is_apart(key_of(pair[0]), key_of(pair[1]));
        tries += u32::from(apart);
        if !S::IS_CHEAP && !apart {
            continue;
        }
        let saved = sides.saved();
        if saved > chain.bar && apart {
            chain.consider(sides, below, saved);
        }
    }
    let (below, _) = chain.best?;
    sides.restore();
    Some(Cut { below, saved: sides.exact(), tries, known: bounds.known, weight_below: sides.weight_below() })
}

/// The best cut so far: how many rows are below it and what it saves.
struct Chain<'a> {
    bounds: &'a Bounds,
    /// A difference of savings up to here is within the tolerance,
    nearly: i64,
    /// and above here it is not.
    surely: i64,
    bar: i64,
    best: Option<(usize, i64)>,
}

impl Chain<'_> {
    #[cold]
    fn consider<S: Sides>(&mut self, sides: &mut S, below: usize, saved: i64) {
        let low = sides.weight_below();
        if low.min(self.bounds.known - low) < self.bounds.min_side {
            return;
        }
        let is_better = match self.best {
            Some((_, best)) if saved.saturating_sub(best) <= self.surely => {
                sides.exact() > sides.exact_of_kept() + self.bounds.tie
            }
            _ => true,
        };
        if is_better {
            sides.keep();
            self.best = Some((below, saved));
            self.bar = saved.saturating_add(self.nearly);
        }
    }
}
