//! Dropping conditions from a rule while it is not expected to make more errors without them.

use super::bits::{Bits, Scale};
use super::condition::Conditions;
use crate::prune::estimate::Estimate;

/// A rule: rows that meet all its conditions are of its class.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The class it answers.
    pub class: usize,
    /// The numbers of its conditions, in the order of the tree's questions.
    pub conditions: Vec<usize>,
    /// The share of errors to expect of it on new rows.
    pub expected: f64,
}

/// What is the same for all rules.
#[derive(Debug)]
pub struct Judge<'a> {
    /// All conditions with their rows.
    pub conditions: &'a Conditions,
    /// What sets of rows weigh.
    pub scale: &'a Scale<'a>,
    /// The rows of each class.
    pub classes: &'a [Bits],
    /// The share of errors of always answering each class, a little pessimistic.
    pub blind: &'a [f64],
    /// How errors are estimated.
    pub estimate: Estimate,
}

/// How a set of conditions does.
#[derive(Clone, Copy, Debug)]
struct Score {
    weight: u64,
    seen: f64,
    expected: f64,
}

impl Judge<'_> {
    fn score(&self, class: usize, weight: u64, right: u64) -> Score {
        if weight == 0 {
            return Score { weight, seen: 0.0, expected: self.blind[class] };
        }
        let (all, wrong) = (self.scale.real(weight), self.scale.real(weight - right));
        Score { weight, seen: wrong / all, expected: self.estimate.total(all, wrong) / all }
    }

    /// The rule that is left of a path to a leaf of this class; None where nothing useful is left.
    ///
    /// As long as some condition can go without more errors, expected or seen, the one goes whose absence promises the
    /// fewest errors: it need not be that one. Of equals the last.
    pub fn generalize(&self, class: usize, path: &[usize], room: &mut Room) -> Option<Rule> {
        let mut conditions = path.to_vec();
        loop {
            let (full, without) = self.scores(class, &conditions, room);
            let idle = without.iter().any(|score| score.expected <= full.expected || score.seen <= full.seen);
            let best = without.iter().enumerate().reduce(
                |best, next| {
                    if next.1.expected <= best.1.expected { next } else { best }
                },
            );
            match best {
                Some((drop, _)) if idle => conditions.remove(drop),
                _ => {
                    let useful = !conditions.is_empty() && full.weight > 0 && full.expected < self.blind[class];
                    return useful.then_some(Rule { class, conditions, expected: full.expected });
                }
            };
        }
    }

    /// How all conditions do together, and without each of them.
    fn scores(&self, class: usize, conditions: &[usize], room: &mut Room) -> (Score, Vec<Score>) {
        let rows = |i: usize| &self.conditions.rows[conditions[i]];
        let n = conditions.len();
        let every = &room.every;
        // `after[i]` holds the rows that meet the conditions from i on.
        for i in (0..n).rev() {
            let (front, back) = room.after.split_at_mut(i + 1);
            front[i].set_both(rows(i), back.first().filter(|_| i + 1 < n).unwrap_or(every));
        }
        room.before.set_both(every, every);
        let mut without = Vec::with_capacity(n);
        for i in 0..n {
            let rest = if i + 1 < n { &room.after[i + 1] } else { every };
            let (weight, right) = self.scale.both(&room.before, rest, &self.classes[class]);
            without.push(self.score(class, weight, right));
            room.before.keep(rows(i));
        }
        let (weight, right) = self.scale.both(&room.before, every, &self.classes[class]);
        (self.score(class, weight, right), without)
    }
}

/// Scratch for one rule after another.
#[derive(Debug)]
pub struct Room {
    every: Bits,
    before: Bits,
    after: Vec<Bits>,
}

impl Room {
    /// For so many rows and so many conditions at most.
    pub fn new(rows: usize, conditions: usize) -> Room {
        let every = Bits::all(rows);
        Room { before: every.clone(), after: vec![every.clone(); conditions + 1], every }
    }
}
