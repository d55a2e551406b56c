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

/// What is the same for all rules, and buffers for one rule after another.
#[derive(Debug)]
pub struct Generalizer<'a> {
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
    /// All rows.
    pub every: Bits,
    /// The rows that meet the conditions before one.
    pub before: Bits,
    /// The rows that meet the conditions from each on, with room for those of the longest rule and one more.
    pub after: Vec<Bits>,
}

impl Generalizer<'_> {
    /// The shares of errors seen and expected of a rule for this class that matches rows of this weight, so much of it
    /// rightly. A rule that matches nothing is expected to do as badly as always answering the class.
    fn errors(&self, class: usize, (weight, right): (u64, u64)) -> (f64, f64) {
        if weight == 0 {
            return (0.0, self.blind[class]);
        }
        let (all, wrong) = (self.scale.real(weight), self.scale.real(weight - right));
        (wrong / all, self.estimate.total(all, wrong) / all)
    }

    /// The rule that is left of a path to a leaf of this class; None where nothing useful is left.
    ///
    /// As long as some condition can go without more errors, expected or seen, the one goes whose absence promises the
    /// fewest errors: it need not be that one. Of equals the last.
    pub fn generalize(&mut self, class: usize, path: &[usize]) -> Option<Rule> {
        let mut conditions = path.to_vec();
        loop {
            let (full, without) = self.errors_without_each(class, &conditions);
            let (seen, expected) = full;
            let idle = without.iter().any(|other| other.1 <= expected || other.0 <= seen);
            let best =
                (0..without.len()).reduce(|best, next| if without[next].1 <= without[best].1 { next } else { best });
            match best {
                Some(drop) if idle => conditions.remove(drop),
                _ => {
                    let useful = !conditions.is_empty() && expected < self.blind[class];
                    return useful.then_some(Rule { class, conditions, expected });
                }
            };
        }
    }

    /// The errors of all conditions together, and without each of them.
    fn errors_without_each(&mut self, class: usize, conditions: &[usize]) -> ((f64, f64), Vec<(f64, f64)>) {
        let all_rows = &self.conditions.rows;
        let n = conditions.len();
        for i in (0..n).rev() {
            let (front, back) = self.after.split_at_mut(i + 1);
            let rest = back.first().filter(|_| i + 1 < n).unwrap_or(&self.every);
            front[i].set_both(&all_rows[conditions[i]], rest);
        }
        self.before.set_both(&self.every, &self.every);
        let mut without = Vec::with_capacity(n);
        for (i, &condition) in conditions.iter().enumerate() {
            let rest = if i + 1 < n { &self.after[i + 1] } else { &self.every };
            without.push(self.errors(class, self.scale.both(&self.before, rest, &self.classes[class])));
            self.before.keep(&all_rows[condition]);
        }
        (self.errors(class, self.scale.both(&self.before, &self.every, &self.classes[class])), without)
    }
}
