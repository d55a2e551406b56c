//! The best division of a categorical column's levels into two sets.
//!
//! Of two classes, and of numbers, the best sets are found exactly by ordering the levels by the share of the second
//! class, or by the mean, and trying every beginning of that order (Breiman et al. 1984, 4.2; for any concave cost). Of
//! more classes, every division is tried while the node has few levels; with many, the levels are ordered along the
//! first principal component of their class shares (Coppersmith, Hong and Hosking 1999), which is close to the best.
//! Where a child needs more than one row, the best admissible sets need not be a beginning of the order: then, too,
//! every division of few levels is tried.
//!
//! What must stay true: levels stand in their order, and ties keep it; the first level that occurs in the node is in
//! the first set; levels that do not occur go with the heavier set.

use super::contest::{Contest, Missing, Part, Terms, Winner};
use super::principal::scores;
use crate::data::table::MISSING;
use crate::learn::criterion::Criterion;
use crate::learn::rows::entries::{Coded, Entry};
use crate::model::tree::{Question, STOP, Way};
use crate::rng::Words;

/// What levels become that do not occur in the node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unused {
    /// They go with the heavier set.
    #[default]
    Heavier,
    /// The question does not answer them.
    Unanswered,
}

/// How the levels of a node are divided.
#[derive(Clone, Copy, Debug)]
pub struct Sets {
    /// What becomes of levels that do not occur.
    pub unused: Unused,
    /// The most levels of which every division is tried.
    pub exhaustive: usize,
    /// Whether two classes, and numbers, are left to the order even where a child needs more than one row.
    pub orderly: bool,
}

impl Default for Sets {
    fn default() -> Sets {
        Sets { unused: Unused::Heavier, exhaustive: 10, orderly: false }
    }
}

/// The rows of a node by their level: those that occur, in the order of the levels.
struct Levels<S> {
    codes: Vec<u32>,
    parts: Vec<Part<S>>,
}

/// What is left of the node's cost after the best division, and the division; None where nothing can be told apart.
pub fn best<C: Criterion>(
    law: &C,
    column: &Coded<'_>,
    entries: &[Entry],
    terms: Terms,
    sets: Sets,
) -> Option<(f64, Way)> {
    held(law, column, entries, terms, sets.unused, |levels, contest| {
        search(law, levels, &sets, contest);
        true
    })
}

/// A random division into two sets, each with a level that occurs; all such divisions are as likely.
pub fn random<C: Criterion>(
    law: &C,
    column: &Coded<'_>,
    entries: &[Entry],
    terms: Terms,
    mut words: Words,
) -> Option<(f64, Way)> {
    held(law, column, entries, terms, Unused::Heavier, |levels, contest| {
        let count = levels.codes.len();
        if count < 2 {
            return true;
        }
        let mut second = vec![false; count];
        while second.iter().all(|&side| side == second[0]) {
            second.iter_mut().for_each(|side| *side = words.word() >> 31 == 1);
        }
        let (mut low, mut high) = (Part::empty(law.width()), Part::empty(law.width()));
        let sides = levels.parts.iter().zip(&second);
        sides.for_each(|(part, second)| if *second { high.join(part) } else { low.join(part) });
        contest.offer(&low, &high, || second.clone());
        false
    })
}

/// Holds the contest of a column, in which `search` offers divisions and says whether missing values may be told from
/// all others besides.
fn held<C: Criterion>(
    law: &C,
    column: &Coded<'_>,
    entries: &[Entry],
    terms: Terms,
    unused: Unused,
    search: impl FnOnce(&Levels<C::Stat>, &mut Contest<'_, C, Vec<bool>>) -> bool,
) -> Option<(f64, Way)> {
    let (mut levels, absent) = tally(law, column, entries);
    let none = Part::empty(law.width());
    // A direction for missing values is one more level to place.
    let probe: Contest<'_, C, ()> = Contest::new(law, terms, &absent);
    let placed = probe.terms().missing == Missing::Direction && absent.count > 0;
    if placed {
        levels.codes.push(MISSING);
        levels.parts.push(absent.clone());
    }
    let mut contest = Contest::new(law, terms, if placed { &none } else { &absent });
    if search(&levels, &mut contest) && !placed {
        let mut known = Part::empty(law.width());
        levels.parts.iter().for_each(|part| known.join(part));
        contest.offer_known(&known, || vec![false; levels.codes.len()]);
    }
    let found = contest.winner()?;
    Some((found.cost, way(&levels.codes, &found, column.levels(), unused)))
}

/// Adds up the rows of each level that occurs, and those without a value; what it costs does not depend on how many
/// levels the column has.
fn tally<C: Criterion>(law: &C, column: &Coded<'_>, entries: &[Entry]) -> (Levels<C::Stat>, Part<C::Stat>) {
    let mut order: Vec<(u32, Entry)> = entries.iter().map(|&e| (column.codes()[e.row as usize], e)).collect();
    order.sort_unstable_by_key(|(code, entry)| (*code, entry.row));
    let mut levels = Levels { codes: Vec::new(), parts: Vec::new() };
    let mut absent = Part::empty(law.width());
    // The code of a missing value is the greatest of all.
    for run in order.chunk_by(|a, b| a.0 == b.0) {
        let mut part = Part::empty(law.width());
        run.iter().for_each(|(_, entry)| law.add(&mut part.stats, entry.row as usize, entry.weight));
        part.count = run.len() as u32;
        if run[0].0 == MISSING {
            absent = part;
        } else {
            levels.codes.push(run[0].0);
            levels.parts.push(part);
        }
    }
    (levels, absent)
}

/// Offers divisions; each is told as whether a level is in the second set.
fn search<C: Criterion>(law: &C, levels: &Levels<C::Stat>, sets: &Sets, contest: &mut Contest<'_, C, Vec<bool>>) {
    let count = levels.codes.len();
    if count < 2 {
        return;
    }
    let ordered = law.outputs() <= 2 && (sets.orderly || contest.terms().min_leaf <= 1);
    if !ordered && count <= sets.exhaustive {
        return every(law, levels, contest);
    }
    let scores = scores(law, &levels.parts);
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| scores[a].total_cmp(&scores[b]));
    let (mut low, mut high) = (Part::empty(law.width()), Part::empty(law.width()));
    levels.parts.iter().for_each(|part| high.join(part));
    for (i, &level) in order.iter().enumerate().take(count - 1) {
        low.join(&levels.parts[level]);
        high.leave(&levels.parts[level]);
        contest.offer(&low, &high, || {
            let mut second = vec![true; count];
            order[..=i].iter().for_each(|&level| second[level] = false);
            second
        });
    }
}

/// All divisions, in the order in which one level at a time changes sides; the last level never does.
fn every<C: Criterion>(law: &C, levels: &Levels<C::Stat>, contest: &mut Contest<'_, C, Vec<bool>>) {
    let moving = levels.codes.len() - 1;
    let mut second = vec![true; levels.codes.len()];
    let (mut low, mut high) = (Part::empty(law.width()), Part::empty(law.width()));
    levels.parts.iter().for_each(|part| high.join(part));
    for step in 1u32..1 << moving {
        let level = step.trailing_zeros() as usize;
        let (from, to) = if second[level] { (&mut high, &mut low) } else { (&mut low, &mut high) };
        from.leave(&levels.parts[level]);
        to.join(&levels.parts[level]);
        second[level] = !second[level];
        contest.offer(&low, &high, || second.clone());
    }
}

/// The question of a division. `codes` may end with the missing value, which was placed like a level.
fn way(codes: &[u32], found: &Winner<Vec<bool>>, levels: u32, unused: Unused) -> Way {
    // The first level that occurs is in the first set; a branch of missing values stays the third.
    let turned = u16::from(found.offer[0]);
    let child = |side: u16| if side < 2 { side ^ turned } else { side };
    let sides = codes.iter().zip(found.offer.iter().map(|&second| child(u16::from(second))));
    let heavier = found.heavier.map_or(1, child);
    // A set of missing values alone takes no other value.
    let named = sides.clone().any(|(&code, side)| code != MISSING && side == heavier);
    let elsewhere = match unused {
        Unused::Unanswered => STOP,
        Unused::Heavier if named => heavier,
        Unused::Heavier => 1 - heavier,
    };
    let mut route = vec![elsewhere; levels as usize];
    let mut missing = found.missing.map_or(heavier, child);
    for (&code, side) in sides {
        match route.get_mut(code as usize) {
            Some(entry) => *entry = side,
            None => missing = side,
        }
    }
    Way { question: Question::Route(route), children: found.children, missing }
}
