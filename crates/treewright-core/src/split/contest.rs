//! The contest among the ways to divide a node's rows in two by one column: each is offered once, and of those that are as
//! good as the best, but for rounding, the first wins.
//!
//! A splitter offers divisions of the rows whose value is known; where the rows go whose value is missing is decided
//! here, once for numbers and categories alike. Ties go to the earlier offer, and within it to missing values on the
//! second side.
//!
//! Glossary: a *part* is a set of rows by its statistics; the *low* and *high* parts are the two sides of a division.

use super::unknowns::Unknowns;
use crate::Result;
use crate::split::monotone::Trend;
use crate::stats::criterion::{Criterion, merge};
use crate::sys::memory::{filled, room};

/// What every division must respect.
#[derive(Clone, Copy, Debug, Default)]
pub struct DivisionRules {
    /// Where rows with a missing value go.
    pub unknowns: Unknowns,
    /// The fewest rows of a child.
    pub min_leaf: u32,
    /// The least weight of a child.
    pub min_weight: f64,
    /// How the answers of the sides must compare, where the column is constrained.
    pub trend: Option<Trend>,
    /// By how much costs may differ that are equally good; see [`crate::tolerance::ROUNDING`].
    pub rounding: f64,
}

/// A set of rows.
#[derive(Clone, Debug, Default)]
pub struct Part<S> {
    /// Its statistics.
    pub stats: Vec<S>,
    /// How many rows it has.
    pub count: u32,
}

impl<S: Copy + Default + std::ops::AddAssign + std::ops::SubAssign> Part<S> {
    /// No rows.
    pub fn empty(width: usize) -> Result<Part<S>> {
        Ok(Part { stats: filled(S::default(), width)?, count: 0 })
    }

    /// Adds another set.
    pub fn join(&mut self, other: &Part<S>) {
        merge(&mut self.stats, &other.stats);
        self.count += other.count;
    }

    /// Takes a subset out.
    pub fn leave(&mut self, part: &Part<S>) {
        crate::stats::criterion::remove(&mut self.stats, &part.stats);
        self.count -= part.count;
    }

    /// No rows, described by so many integers.
    pub fn reset(&mut self, width: usize) -> Result<()> {
        self.stats.clear();
        self.stats.try_reserve(width)?;
        self.stats.resize(width, S::default());
        self.count = 0;
        Ok(())
    }
}

/// The best division so far.
#[derive(Clone, Debug)]
pub struct Winner<T> {
    /// What is left of the node's cost.
    pub cost: f64,
    /// What was offered.
    pub offer: T,
    /// How many children it makes.
    pub children: u16,
    /// The child of a missing value; None where the node has none.
    pub missing: Option<u16>,
    /// The heavier of the first two children; None where both weigh the same.
    pub heavier: Option<u16>,
}

/// The contest of one column in one node.
#[derive(Debug)]
pub struct Contest<'a, C: Criterion, T> {
    criterion: &'a C,
    rules: DivisionRules,
    absent: &'a Part<C::Stat>,
    /// What the missing rows cost alone.
    apart: f64,
    joined: Part<C::Stat>,
    /// The first that is as good as the best so far, but for rounding.
    best: Option<Winner<T>>,
    /// Later ones that are as good too, each better than the one before it; one of them wins if the best is beaten by a
    /// little. Hardly ever there.
    later: Vec<Winner<T>>,
    log: Option<Vec<(T, f64)>>,
}

impl<'a, C: Criterion, T> Contest<'a, C, T> {
    /// Opens a contest in a node of which the `absent` rows lack the value. Where there are none, nothing need describe
    /// them.
    pub fn new(criterion: &'a C, rules: DivisionRules, absent: &'a Part<C::Stat>) -> Result<Contest<'a, C, T>> {
        let mut rules = rules;
        // A branch of their own would have too few rows.
        let some = absent.count > 0;
        let few = absent.count < rules.min_leaf || (some && criterion.weight(&absent.stats) < rules.min_weight);
        if matches!(rules.unknowns, Unknowns::Branch) && few {
            rules.unknowns = Unknowns::Side;
        }
        let apart = if some { criterion.cost(&absent.stats) } else { 0.0 };
        let joined = Part { stats: room(absent.stats.len())?, count: 0 };
        Ok(Contest { criterion, rules, absent, apart, joined, best: None, later: Vec::new(), log: None })
    }

    /// The same contest, which remembers all that is offered: at most so many divisions.
    pub fn logged(self, offers: usize) -> Result<Contest<'a, C, T>> {
        Ok(Contest { log: Some(room(offers)?), ..self })
    }

    /// Everything admissible that was offered, and what it leaves of the node's cost.
    pub fn log(self) -> Vec<(T, f64)> {
        self.log.unwrap_or_default()
    }

    /// Offers a division of the known rows.
    pub fn offer(&mut self, low: &Part<C::Stat>, high: &Part<C::Stat>, what: impl Fn() -> T) {
        if self.absent.count == 0 {
            self.enter(low, high, 2, None, &what);
        } else if matches!(self.rules.unknowns, Unknowns::Side) {
            let mut joined = std::mem::take(&mut self.joined);
            for (side, child) in [(high, 1), (low, 0)] {
                joined.clone_from(side);
                joined.join(self.absent);
                let (low, high) = if child == 0 { (&joined, high) } else { (low, &joined) };
                self.enter(low, high, 2, Some(child), &what);
            }
            self.joined = joined;
        } else {
            self.enter(low, high, 3, Some(2), &what);
        }
    }

    /// Offers all known rows on one side and the missing ones on the other.
    pub fn offer_known(&mut self, known: &Part<C::Stat>, what: impl Fn() -> T) {
        let trend = self.rules.trend.take();
        if self.absent.count > 0 && known.count > 0 && !matches!(self.rules.unknowns, Unknowns::Level) {
            self.enter(known, self.absent, 2, Some(1), &what);
        }
        self.rules.trend = trend;
    }

    /// The least cost that an admissible division left so far; infinite before the first.
    pub fn least(&self) -> f64 {
        self.later.last().or(self.best.as_ref()).map_or(f64::INFINITY, |least| least.cost)
    }

    /// The best division that was offered.
    pub fn winner(self) -> Option<Winner<T>> {
        self.best
    }

    /// The rules, which may differ from those asked for where the node has few missing values.
    pub fn rules(&self) -> &DivisionRules {
        &self.rules
    }

    fn enter(
        &mut self,
        low: &Part<C::Stat>,
        high: &Part<C::Stat>,
        children: u16,
        missing: Option<u16>,
        what: &dyn Fn() -> T,
    ) {
        let criterion = self.criterion;
        let (below, above) = (criterion.weight(&low.stats), criterion.weight(&high.stats));
        let rules = &self.rules;
        if low.count.min(high.count) < rules.min_leaf || below.min(above) < rules.min_weight {
            return;
        }
        if self.rules.trend.is_some_and(|trend| !trend.allows(criterion, &low.stats, &high.stats)) {
            return;
        }
        let apart = if children == 3 { self.apart } else { 0.0 };
        let cost = criterion.cost(&low.stats) + criterion.cost(&high.stats) + apart;
        if let Some(log) = &mut self.log {
            log.push((what(), cost));
        }
        if self.later.last().or(self.best.as_ref()).is_some_and(|least| cost >= least.cost) {
            return;
        }
        let heavier = (below != above).then_some(u16::from(above > below));
        let offered = Winner { cost, offer: what(), children, missing, heavier };
        if self.later.is_empty() && self.best.as_ref().is_none_or(|best| best.cost > cost + self.rules.rounding) {
            // As below, without the list, whose memory would take longer than the comparisons.
            self.best = Some(offered);
            return;
        }
        self.later.push(offered);
        while self.best.as_ref().is_none_or(|best| best.cost > cost + self.rules.rounding) {
            self.best = Some(self.later.remove(0));
        }
    }
}
