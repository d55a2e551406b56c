//! Joining the values of a categorical column into groups, each a branch.
//!
//! Pairs of groups are joined as long as the score of the split rises. What is joined with what depends on the order of
//! the values; the rules are the original program's, written down in full in the documentation of C4.5.
//!
//! Glossary: a *group* is a set of levels that share a branch; the *rest* are levels that hardly occur in the node: they
//! take no part in the scores and share one branch more.

use super::choose::Candidate;
use super::levels::LevelStats;
use super::shared::{ShareRules, split_info};
use crate::Result;
use crate::model::tree::{Question, SHARE, SplitRule};
use crate::stats::criterion::{Criterion, merge};
use crate::sys::memory::{copied, room};
use crate::sys::pool::Cancel;
use std::ops::AddAssign;

/// What joining tries to raise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupScore {
    /// The ratio of gain to split information.
    Ratio,
    /// The gain.
    Gain,
}

/// Weights and split information of at most this count as nothing; a score that cannot be computed is this far below 0.
const NOTHING: f64 = 1e-3;
/// A level of at most this weight hardly occurs.
const MAX_RARE_WEIGHT: f64 = 0.5;
/// A group is pure if at most this weight is of other classes.
const MAX_IMPURE_WEIGHT: f64 = 0.1;
/// A join must raise the ratio by this much.
const MIN_RISE: f64 = 1e-5;

#[derive(Clone, Debug)]
struct Group<S> {
    levels: Vec<u16>,
    stats: Vec<S>,
}

/// What a division of the known rows into groups is worth.
#[derive(Clone, Copy, Debug)]
struct GroupingFigures {
    gain: f64,
    split_info: f64,
    score: f64,
}

struct Joiner<'a, C> {
    criterion: &'a C,
    rules: &'a ShareRules,
    score: GroupScore,
    weight: f64,
    known_cost: f64,
    unknown: f64,
    cancel: &'a Cancel,
}

/// The best grouping of the values of a column, as yet without its number, in a node; None where no admissible one is worth
/// anything.
pub fn best<C: Criterion>(
    criterion: &C,
    levels: &LevelStats<C::Stat>,
    weight: f64,
    (rules, score): (&ShareRules, GroupScore),
    cancel: &Cancel,
) -> Result<Option<Candidate>> {
    let known = levels.known()?;
    if criterion.weight(&known) < NOTHING {
        return Ok(None);
    }
    let unknown = criterion.weight(levels.missing());
    let joiner = Joiner { criterion, rules, score, weight, known_cost: criterion.cost(&known), unknown, cancel };
    let mut all: Vec<Group<C::Stat>> = room(levels.len())?;
    for (level, stats) in (0u16..).zip(levels.each()) {
        all.push(Group { levels: vec![level], stats: copied(stats)? });
    }
    let mut current = joiner.judge(&all);
    let (mut groups, rest): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|group| joiner.weight_of(group) > MAX_RARE_WEIGHT);
    if joiner.join_pure(&mut groups) {
        current = joiner.judge(&groups);
    }
    current = joiner.join_best(&mut groups, current)?;
    if current.score <= 0.0 || !joiner.admissible(&groups, rules.min_cases) {
        return Ok(None);
    }
    let rest: Vec<u16> = rest.into_iter().flat_map(|group| group.levels).collect();
    let gain = joiner.gain(&groups);
    let way = route(groups.into_iter().map(|group| group.levels).collect(), rest, levels.len());
    Ok(Some(Candidate { split_info: current.split_info, ..Candidate::new(0, gain, way) }))
}

/// The question of a grouping; the branch of the rest is the last one.
fn route(mut groups: Vec<Vec<u16>>, rest: Vec<u16>, levels: usize) -> SplitRule {
    if !rest.is_empty() {
        groups.push(rest);
    }
    let mut route = vec![SHARE; levels];
    for (child, group) in (0u16..).zip(&groups) {
        group.iter().for_each(|&level| route[level as usize] = child);
    }
    SplitRule { question: Question::Route(route), children: groups.len() as u16, missing: SHARE }
}

impl<C: Criterion> Joiner<'_, C> {
    fn weight_of(&self, group: &Group<C::Stat>) -> f64 {
        self.criterion.weight(&group.stats)
    }

    fn admissible(&self, groups: &[Group<C::Stat>], least: f64) -> bool {
        groups.iter().filter(|group| self.weight_of(group) >= least - self.rules.tolerance).count() >= 2
    }

    fn gain(&self, groups: &[Group<C::Stat>]) -> f64 {
        (self.known_cost - groups.iter().map(|group| self.criterion.cost(&group.stats)).sum::<f64>()) / self.weight
    }

    /// While joining, a split is admissible already if two groups weigh 1.
    fn judge(&self, groups: &[Group<C::Stat>]) -> GroupingFigures {
        let gain = if self.admissible(groups, 1.0) { self.gain(groups) } else { -NOTHING };
        let parts = groups.iter().map(|group| self.weight_of(group)).chain(std::iter::once(self.unknown));
        let split_info = split_info(parts, self.weight);
        let score = match self.score {
            GroupScore::Ratio if gain >= 0.0 && split_info > NOTHING => gain / split_info,
            GroupScore::Gain if split_info > 0.0 => gain,
            _ => -NOTHING,
        };
        GroupingFigures { gain, split_info, score }
    }

    /// The groups after two of them were joined.
    fn joined(&self, groups: &[Group<C::Stat>], g: usize, h: usize) -> Result<Vec<Group<C::Stat>>> {
        let mut joined = room(groups.len())?;
        for group in groups {
            joined.push(Group { levels: copied(&group.levels)?, stats: copied(&group.stats)? });
        }
        join(&mut joined, g, h);
        Ok(joined)
    }

    /// The first class of weight 0.1 or more, if hardly anything is outside it.
    fn pure_class(&self, group: &Group<C::Stat>) -> Option<usize> {
        let class = (0..self.criterion.outputs())
            .find(|&class| self.criterion.class_weight(&group.stats, class) >= MAX_IMPURE_WEIGHT)?;
        self.pure_in(group, class).then_some(class)
    }

    fn pure_in(&self, group: &Group<C::Stat>, class: usize) -> bool {
        self.weight_of(group) - self.criterion.class_weight(&group.stats, class) <= MAX_IMPURE_WEIGHT
    }

    /// Joins the groups that are pure in the same class; says whether it joined any.
    fn join_pure(&self, groups: &mut Vec<Group<C::Stat>>) -> bool {
        let before = groups.len();
        let mut g = 0;
        while g < groups.len() {
            if let Some(class) = self.pure_class(&groups[g]) {
                let mut h = g + 1;
                while h < groups.len() {
                    // After a join another group has taken this place, and its turn.
                    if self.pure_in(&groups[h], class) { join(groups, g, h) } else { h += 1 }
                }
            }
            g += 1;
        }
        groups.len() < before
    }

    fn join_best(&self, groups: &mut Vec<Group<C::Stat>>, mut current: GroupingFigures) -> Result<GroupingFigures> {
        let wanted = current.gain / 2.0;
        while groups.len() > 2 {
            let large =
                groups.iter().filter(|g| self.weight_of(g) >= self.rules.min_cases - self.rules.tolerance).count();
            let spared = (large < 3).then(|| self.heaviest(groups));
            let greedy = self.score == GroupScore::Gain || large < 2;
            let best = self.best_pair(groups, spared, wanted, greedy)?;
            match best {
                Some((pair, worth)) if greedy || worth.score >= current.score + MIN_RISE => {
                    join(groups, pair.0, pair.1);
                    current = worth;
                }
                _ => break,
            }
        }
        Ok(current)
    }

    fn heaviest(&self, groups: &[Group<C::Stat>]) -> usize {
        let heavier = |best: usize, next: usize| {
            if self.weight_of(&groups[next]) > self.weight_of(&groups[best]) { next } else { best }
        };
        (0..groups.len()).reduce(heavier).unwrap_or(0)
    }

    /// Of equal pairs the last; a gain of half the first one is preferred but not demanded.
    fn best_pair(
        &self,
        groups: &[Group<C::Stat>],
        spared: Option<usize>,
        wanted: f64,
        greedy: bool,
    ) -> Result<Option<((usize, usize), GroupingFigures)>> {
        let mut best: Option<((usize, usize), GroupingFigures)> = None;
        let (mut best_score, mut best_gain) = (0.0, -NOTHING);
        for g in 0..groups.len() {
            for h in g + 1..groups.len() {
                if spared == Some(g) || spared == Some(h) {
                    continue;
                }
                // Judging a pair takes a step for each group and class.
                self.cancel.check()?;
                let worth = self.judge(&self.joined(groups, g, h)?);
                let takes_over = (worth.gain >= wanted && best_gain < wanted)
                    || worth.score >= best_score
                    || (best.is_none() && greedy);
                if takes_over {
                    (best_score, best_gain) = (worth.score, worth.gain);
                    best = Some(((g, h), worth));
                }
            }
        }
        Ok(best)
    }
}

/// Joins group `h` to group `g`; the last group takes the place of `h`.
fn join<S: Copy + AddAssign>(groups: &mut Vec<Group<S>>, g: usize, h: usize) {
    let gone = groups.swap_remove(h);
    merge(&mut groups[g].stats, &gone.stats);
    groups[g].levels.extend(gone.levels);
}
