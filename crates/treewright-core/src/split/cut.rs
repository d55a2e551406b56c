//! The best cut of a numeric column when a cut must leave enough rows on both sides and pay for being chosen.
//!
//! Candidates lie between neighbouring known numbers of the node. Their price, the bits it takes to name one of them, is
//! the same for all cuts of a column, so it moves the column's rank but never the cut.

use super::shared::{ShareRules, SharedSplit, ThresholdAt, split_info};
use crate::Result;
use crate::data::table::MISSING;
use crate::grow::study::{Cut, Cuts};
use crate::model::tree::{SHARE, Way};
use crate::rows::coded::ordered_bits;
use crate::rows::entries::Entry;
use crate::split::threshold::midpoint;
use crate::stats::criterion::{ClassCriterion, Criterion, merge, remove};
use crate::sys::memory::{collected, copied, filled, room};
use crate::sys::pool::Cancel;

/// Numbers closer than this are not told apart by a cut.
const GAP: f64 = 1e-5;

/// The numbers of a column as ranks.
#[derive(Debug)]
pub struct Ranks {
    /// The rank of each row's number among the different ones, or missing.
    pub codes: Vec<u32>,
    /// The number that each rank stands for, as it is compared: rounded to single precision where the rules say so.
    compared: Vec<f64>,
    /// The least and the greatest number of the table with that rank.
    least: Vec<f64>,
    greatest: Vec<f64>,
}

impl Ranks {
    /// Ranks the numbers of the whole training table.
    pub fn new(numbers: &[f64], single: bool, cancel: &Cancel) -> Result<Ranks> {
        let seen = |x: f64| if single { f64::from(x as f32) } else { x };
        let mut order: Vec<(u64, u32)> = room(numbers.len())?;
        let known = numbers.iter().zip(0u32..).filter(|(x, _)| !x.is_nan());
        order.extend(known.map(|(x, row)| (ordered_bits(*x), row)));
        order.sort_unstable();
        cancel.check()?;
        let different = |pair: &[(u64, u32)]| pair[0].0 != pair[1].0;
        let most = order.windows(2).filter(|pair| different(pair)).count() + 1;
        let (compared, least, greatest) = (room(most)?, room(most)?, room(most)?);
        let mut ranks = Ranks { codes: filled(MISSING, numbers.len())?, compared, least, greatest };
        for (_, row) in order {
            let number = numbers[row as usize];
            if ranks.compared.last() != Some(&seen(number)) {
                ranks.compared.push(seen(number));
                ranks.least.push(number);
                ranks.greatest.push(number);
            }
            if let Some(greatest) = ranks.greatest.last_mut() {
                *greatest = number;
            }
            ranks.codes[row as usize] = ranks.compared.len() as u32 - 1;
        }
        Ok(ranks)
    }

    /// The first rank above a cut.
    pub fn above(&self, cut: f64) -> u32 {
        self.greatest.partition_point(|&number| number <= cut) as u32
    }

    fn apart(&self, low: u32, high: u32, single: bool) -> bool {
        let (low, high) = (self.compared[low as usize], self.compared[high as usize]);
        if single { low < f64::from(high as f32 - GAP as f32) } else { low + GAP < high }
    }

    /// The number that a question between two neighbouring ranks of the node compares with.
    fn threshold(&self, low: u32, high: u32, rules: &ShareRules) -> f64 {
        let (a, b) = (self.compared[low as usize], self.compared[high as usize]);
        match rules.threshold {
            ThresholdAt::Midpoint => midpoint(self.greatest[low as usize], self.least[high as usize]),
            ThresholdAt::Value => {
                let middle = if rules.compare_as_f32 { f64::from((a as f32 + b as f32) / 2.0) } else { (a + b) / 2.0 };
                let below = |x: &f64| if rules.compare_as_f32 { *x <= middle } else { *x < middle + rules.tolerance };
                let ranks = self.compared.partition_point(below).clamp(low as usize + 1, high as usize);
                self.greatest[ranks - 1]
            }
        }
    }
}

/// The best cut of a node of this weight; None where no admissible cut is worth its price.
pub fn best(
    law: &ClassCriterion<'_>,
    ranks: &Ranks,
    entries: &[Entry],
    weight: f64,
    rules: &ShareRules,
) -> Result<Option<SharedSplit>> {
    let Some(mut search) = Search::new(law, ranks, entries, weight, rules)? else { return Ok(None) };
    search.run(|_, _| ())?;
    let Some((cut, low)) = search.best else { return Ok(None) };
    let known = law.weight(&search.known);
    let gain = (search.saved / weight) - search.price();
    if gain <= rules.tolerance {
        return Ok(None);
    }
    let way = Way::threshold(ranks.threshold(cut.0, cut.1, rules), SHARE);
    let split_info = split_info([weight - known, low, known - low].into_iter(), weight);
    Ok(Some(SharedSplit { gain, split_info, way }))
}

/// Every admissible cut of a node of this weight, ascending, and the price of choosing among them.
pub fn all(
    law: &ClassCriterion<'_>,
    ranks: &Ranks,
    entries: &[Entry],
    weight: f64,
    rules: &ShareRules,
) -> Result<Cuts> {
    let Some(mut search) = Search::new(law, ranks, entries, weight, rules)? else { return Ok(Cuts::default()) };
    let mut found = room(search.order.len())?;
    search.run(|cut, saved| found.push((cut, saved)))?;
    let list = found.into_iter().map(|((low, high), saved)| Cut {
        below: ranks.compared[low as usize],
        above: ranks.compared[high as usize],
        threshold: ranks.threshold(low, high, rules),
        gain: saved / weight,
    });
    let list: Vec<Cut> = collected(list)?;
    Ok(Cuts { price: search.price(), tries: search.tries, admissible: list.len(), least: search.least, list })
}

/// One pass of the cut through the sorted known rows.
struct Search<'a> {
    law: &'a ClassCriterion<'a>,
    ranks: &'a Ranks,
    rules: &'a ShareRules,
    /// Known rows, sorted: rank, then position among the entries.
    order: Vec<(u32, u32)>,
    entries: &'a [Entry],
    known: Vec<u64>,
    /// The weight of all rows of the node, unknown ones too.
    weight: f64,
    /// The weight that each side must have.
    least: f64,
    tries: u32,
    saved: f64,
    /// The ranks around the best cut, and the weight below it.
    best: Option<((u32, u32), f64)>,
}

impl<'a> Search<'a> {
    fn new(
        law: &'a ClassCriterion<'a>,
        ranks: &'a Ranks,
        entries: &'a [Entry],
        all: f64,
        rules: &'a ShareRules,
    ) -> Result<Option<Search<'a>>> {
        let mut known = filled(0, law.width())?;
        let mut order = room(entries.len())?;
        for (i, entry) in entries.iter().enumerate() {
            let rank = ranks.codes[entry.row as usize];
            if rank != MISSING {
                law.add(&mut known, entry.row as usize, entry.weight);
                order.push((rank, i as u32));
            }
        }
        let weight = law.weight(&known);
        if weight < 2.0 * rules.min_cases - rules.tolerance {
            return Ok(None);
        }
        order.sort_unstable();
        let tenth = 0.1 * weight / law.width() as f64;
        let least = if tenth <= rules.min_cases { rules.min_cases } else { tenth.min(25.0) };
        let (weight, tries, saved) = (all, 0, 0.0);
        Ok(Some(Search { law, ranks, rules, order, entries, known, weight, least, tries, saved, best: None }))
    }

    /// The bits it takes to name one of the cuts, per unit of weight.
    fn price(&self) -> f64 {
        if self.tries > 1 { libm::log2(f64::from(self.tries)) / self.weight } else { 0.0 }
    }

    /// Tries all cuts; `seen` is told the ranks around each and what it saves.
    fn run(&mut self, mut seen: impl FnMut((u32, u32), f64)) -> Result<()> {
        let law = self.law;
        let (total, tolerance) = (law.weight(&self.known), self.rules.tolerance);
        let before = law.cost(&self.known);
        let mut low = filled(0, law.width())?;
        let mut high = copied(&self.known)?;
        let mut run = filled(0, law.width())?;
        for i in 0..self.order.len().saturating_sub(1) {
            let ((rank, at), (next, _)) = (self.order[i], self.order[i + 1]);
            let entry = self.entries[at as usize];
            law.add(&mut run, entry.row as usize, entry.weight);
            if rank == next {
                continue;
            }
            merge(&mut low, &run);
            remove(&mut high, &run);
            run.fill(0);
            let below = law.weight(&low);
            if below > total - self.least + tolerance {
                break;
            }
            if below < self.least - tolerance || !self.ranks.apart(rank, next, self.rules.compare_as_f32) {
                continue;
            }
            self.tries += 1;
            if below.min(total - below) < self.rules.min_cases - tolerance {
                continue;
            }
            let saved = before - law.cost(&low) - law.cost(&high);
            seen((rank, next), saved);
            if self.best.is_none() || saved > self.saved + tolerance * self.weight {
                (self.saved, self.best) = (saved, Some(((rank, next), below)));
            }
        }
        Ok(())
    }
}
