//! The best cut of one column of a node: one pass over its numbers in order.
//!
//! A later cut is better only if it saves more than the best one so far by more than the tolerance. Savings are compared
//! in fixed-point numbers ([`super::logarithms`]); where these cannot tell, the criterion's own formula does, so the cut
//! and what it saves are those of [`crate::split::priced_threshold`] to the last bit.

use super::TreeContext;
use super::gaps::Gaps;
use super::item::key_of;
use super::logarithms::FixedPoint;
use super::sides::Sides;
use crate::model::tree::{SHARE, SplitRule};
use crate::split::choose::Candidate;
use crate::split::priced_threshold::{are_doubles_apart, gain_and_split_info, least_weight};
use crate::split::shared::ShareRules;
use crate::stats::criterion::Criterion;

/// The rules of a search, in weights.
#[derive(Debug)]
pub struct CutLimits {
    /// The weight of the node.
    pub weight: f64,
    /// The weight of its known rows.
    pub known: f64,
    /// Differences in fixed-point numbers are certain up to this.
    margin: f64,
    /// A cut is admissible with at least this weight below it,
    least: f64,
    /// and at most that.
    most: f64,
    /// It can be chosen with at least this weight on either side.
    min_side: f64,
    /// Savings that differ by no more than this are equal.
    tie: f64,
    /// In fixed-point numbers a difference up to here is within that,
    nearly: i64,
    /// and above here it is not.
    surely: i64,
    /// The fewest rows below an admissible cut of the column at hand,
    pub first: usize,
    /// and the most.
    pub last: usize,
    /// The rules of the tree.
    pub rules: ShareRules,
}

impl CutLimits {
    /// For known rows of this weight in a node of that weight; None where they are too few.
    fn new(known: f64, weight: f64, context: &TreeContext<'_>) -> Option<CutLimits> {
        let rules = context.rules;
        let (least, tolerance) = (least_weight(known, context.criterion.width(), &rules), rules.tolerance);
        if known < 2.0 * rules.min_cases - tolerance {
            return None;
        }
        let (margin, tie) = (context.scale.margin(known), tolerance * weight);
        let (nearly, surely) = context.scale.around(tie, margin);
        Some(CutLimits {
            weight,
            known,
            margin,
            least: least - tolerance,
            most: known - least + tolerance,
            min_side: rules.min_cases - tolerance,
            tie,
            nearly,
            surely,
            first: 0,
            last: 0,
            rules,
        })
    }

    /// Turns to the rows of a column, given in order; whether a cut between them may be admissible.
    fn set_range(&mut self, items: &[u64], sides: &impl Sides) -> bool {
        let (first, last) = sides.range(items, self.least, self.most);
        (self.first, self.last) = (first.max(1), last.min(items.len().saturating_sub(1)));
        self.first <= self.last
    }

    /// Whether a cut with this weight below it can be chosen.
    pub fn leaves_enough(&self, weight_below: f64) -> bool {
        weight_below.min(self.known - weight_below) >= self.min_side
    }

    /// What a cut saves at the least that saves so many bits, as a fixed-point number.
    pub fn at_least(&self, bits: f64, scale: &FixedPoint) -> i64 {
        scale.around(bits, self.margin).0
    }

    /// A cut that is further above a floor than this surely beats all cuts below the floor.
    pub fn too_close(&self) -> i64 {
        self.surely.saturating_mul(3).saturating_add(1)
    }
}

/// The best cut of some known rows, given in order, of a node of this weight, as yet without its column and threshold, and
/// how many of the rows are below it; None where no cut is worth its price. The limits are those of the column before,
/// which are mostly the same.
pub fn best_cut<S: Sides>(
    items: &[u64],
    gaps: &Gaps,
    sides: &mut S,
    weight: f64,
    limits: &mut Option<CutLimits>,
    context: &TreeContext<'_>,
) -> Option<(Candidate, usize)> {
    sides.begin(items);
    let known = sides.weight_of_known();
    if limits.as_ref().is_none_or(|limits| limits.known != known) {
        *limits = CutLimits::new(known, weight, context);
    }
    let limits = limits.as_mut()?;
    if !limits.set_range(items, sides) {
        return None;
    }
    match gaps {
        Gaps::All => sides.best(items, limits, &Gaps::are_different),
        Gaps::Single => sides.best(items, limits, &Gaps::are_singles_apart),
        Gaps::Double(numbers) => sides.best(items, limits, &|low: u32, high: u32| {
            are_doubles_apart(numbers[low as usize], numbers[high as usize])
        }),
    }
}

/// The best of all cuts; the sides have just begun.
pub fn scan<S: Sides>(
    items: &[u64],
    sides: &mut S,
    limits: &CutLimits,
    are_apart: &impl Fn(u32, u32) -> bool,
) -> Option<(Candidate, usize)> {
    let CutLimits { first, last, .. } = *limits;
    items[..first - 1].iter().for_each(|item| sides.pass(*item));
    let mut chain = Chain::new(limits);
    let mut tries = 0;
    for (below, pair) in (first..).zip(items[first - 1..=last].windows(2)) {
        sides.pass(pair[0]);
        let apart = are_apart(key_of(pair[0]), key_of(pair[1]));
        tries += u32::from(apart);
        if !S::IS_CHEAP && !apart {
            continue;
        }
        let saved = sides.saved();
        if saved > chain.bar && apart {
            chain.consider(sides, below, saved);
        }
    }
    chain.finish(sides, tries)
}

/// The best cut so far: how many rows are below it and what it saves.
#[derive(Debug)]
pub struct Chain<'a> {
    /// The rules of the search.
    pub limits: &'a CutLimits,
    /// A saving that is not above this does not beat the best; one that is deserves a closer look.
    pub bar: i64,
    /// The best cut: the rows below it, and what it saves.
    pub best: Option<(usize, i64)>,
}

impl<'a> Chain<'a> {
    /// No cut yet.
    pub fn new(limits: &'a CutLimits) -> Chain<'a> {
        Chain { limits, bar: i64::MIN, best: None }
    }

    /// Compares the present cut of the sides with the best one.
    #[cold]
    pub fn consider<S: Sides>(&mut self, sides: &mut S, below: usize, saved: i64) {
        if !self.limits.leaves_enough(sides.weight_below()) {
            return;
        }
        let is_better = match self.best {
            Some((_, best)) if saved.saturating_sub(best) <= self.limits.surely => {
                sides.exact() > sides.exact_of_best() + self.limits.tie
            }
            _ => true,
        };
        if is_better {
            sides.keep();
            self.best = Some((below, saved));
            self.bar = saved.saturating_add(self.limits.nearly);
        }
    }

    /// The best cut among so many, if it is worth its price.
    pub fn finish<S: Sides>(self, sides: &mut S, tries: u32) -> Option<(Candidate, usize)> {
        let (below, _) = self.best?;
        sides.restore();
        let CutLimits { weight, known, rules, .. } = self.limits;
        let low = sides.weight_below();
        let (gain, split_info) =
            gain_and_split_info(sides.exact(), tries, [weight - known, low, known - low], *weight, rules)?;
        Some((Candidate { split_info, ..Candidate::new(0, gain, SplitRule::threshold(f64::NAN, SHARE)) }, below))
    }
}
