//! The rows of one process of a run, taken part by part so that a part may be released when it is coded. Each part is read
//! three times: looked at, sampled, coded. Between these steps the processes agree on what follows from all rows: which
//! rows are held out, which are the sample that columns are cut by, and the cuts.

use super::{Boosting, Plan, Start, TrainingData};
use crate::codes::bins::Coder;
use crate::data::table::{Column, Kind, MISSING, Table, UNSEEN};
use crate::model::tree::Tree;
use crate::peers::Peers;
use crate::rows::bins::coding::{SAMPLE, cut_sample, has_gaps, samples};
use crate::rows::bins::store::Store;
use crate::stats::portable::add_everywhere;
use crate::stats::target::Target;
use crate::stats::{merged_order, order};
use crate::sys::pool::Cancel;
use crate::{Error, Result};
use std::sync::Arc;

/// The rows of one process.
#[derive(Debug)]
pub struct PeerRows {
    plan: Plan,
    kinds: Vec<Kind>,
    peers: Arc<dyn Peers>,
    training: TrainingData,
    step: Step,
    /// Keys of the rows by their features, and by their target too where rows are drawn or held out.
    keys: Vec<u64>,
    keys_to_draw: Vec<u64>,
    total_rows: u64,
}

/// How far the rows have come.
#[derive(Debug)]
enum Step {
    Looking,
    /// Reading again what the cuts follow from.
    Sampling {
        /// The sampled rows, ascending.
        rows: Vec<u32>,
        /// The row that the next part begins with.
        next: usize,
        /// The sampled numbers of each column, and how often each level occurs.
        numbers: Vec<Vec<f64>>,
        counts: Vec<Vec<u64>>,
        /// Whether a value of each column is missing.
        gaps: Vec<bool>,
    },
    Coding {
        store: Store,
        next: usize,
    },
}

impl PeerRows {
    /// No rows yet.
    pub fn new(plan: Plan, kinds: Vec<Kind>, peers: Arc<dyn Peers>) -> PeerRows {
        PeerRows {
            plan,
            kinds,
            peers,
            training: TrainingData::default(),
            step: Step::Looking,
            keys: Vec::new(),
            keys_to_draw: Vec::new(),
            total_rows: 0,
        }
    }

    /// The processes of the run.
    pub fn peers(&self) -> &Arc<dyn Peers> {
        &self.peers
    }

    /// How many rows this process has.
    pub fn rows(&self) -> usize {
        self.training.rows()
    }

    /// How many rows all processes have, once they have agreed on a sample.
    pub fn total_rows(&self) -> u64 {
        self.total_rows
    }

    fn threads(&self) -> usize {
        self.plan.threads_for(self.rows() * self.kinds.len())
    }

    /// Looks at the next part of the rows.
    pub fn look(
        &mut self,
        table: &Table<'_>,
        target: Target<'_>,
        weights: Option<&[f64]>,
        cancel: &Cancel,
    ) -> Result<()> {
        if !matches!(self.step, Step::Looking) {
            return Err(out_of_order());
        }
        let rows = table.rows();
        self.check_part(table, target, weights)?;
        self.keys.extend(order::keys_of_features(table, self.plan.threads_for(rows * self.kinds.len()), cancel)?);
        if self.plan.subsample < 1.0 || self.plan.patience.is_some() {
            self.keys_to_draw.extend(order::keys(table, target)?);
        }
        if let Some(weights) = weights {
            self.training.weights.get_or_insert_default().extend_from_slice(weights);
        }
        match target {
            Target::Numbers(numbers) => self.training.numbers.extend_from_slice(numbers),
            Target::Classes { codes, .. } => self.training.classes.extend_from_slice(codes),
        }
        Ok(())
    }

    /// Checks that a part fits the run and the parts before.
    fn check_part(&self, table: &Table<'_>, target: Target<'_>, weights: Option<&[f64]>) -> Result<()> {
        if table.columns().iter().any(|column| matches!(column, Column::Sparse(_))) {
            let message = "a sparse table cannot be divided among processes; pass its columns as dense arrays";
            return Err(Error::data("fit.peers", message));
        }
        let rows = table.rows();
        let classes = self.plan.loss.sums().max(2) as u32;
        let fits_target = match target {
            Target::Numbers(numbers) => numbers.len() == rows && numbers.iter().all(|y| y.is_finite()),
            Target::Classes { codes, .. } => codes.len() == rows && codes.iter().all(|&code| code < classes),
        };
        let is_weight = |weight: &f64| weight.is_finite() && *weight >= 0.0;
        let fits = fits_target
            && matches!(target, Target::Classes { .. }) == self.plan.loss.is_of_classes()
            && table.columns().len() == self.kinds.len()
            && weights.is_none_or(|weights| weights.len() == rows && weights.iter().all(is_weight))
            && (self.rows() == 0 || weights.is_some() == self.training.weights.is_some())
            && self.rows() + rows <= u32::MAX as usize;
        if fits { Ok(()) } else { Err(Error::data("recipe.boost", "the recipe does not fit the table")) }
    }

    /// Makes sure that all processes have weights or none; one without rows does as the others do.
    fn agree_on_weights(&mut self) -> Result<()> {
        let mut words = [u64::from(self.training.weights.is_some()), 0];
        words[1] = u64::from(self.training.weights.is_none() && self.rows() > 0);
        self.peers.max(&mut words)?;
        if words == [1, 1] {
            return Err(Error::data("data.weights", "some processes of the fit have weights and others have none"));
        }
        if words[0] == 1 {
            self.training.weights.get_or_insert_default();
        }
        Ok(())
    }

    /// Holds out a share of all rows, class by class where there are classes; returns which of this process.
    pub fn hold_out(&mut self, share: f64, seed: u64) -> Result<&[bool]> {
        if !matches!(self.step, Step::Looking) || self.keys_to_draw.len() != self.rows() {
            return Err(out_of_order());
        }
        self.agree_on_weights()?;
        let tickets = merged_order::tickets(&*self.peers, &self.keys_to_draw, self.training.weights.as_deref(), None)?;
        let codes = (self.training.classes.as_slice(), self.plan.loss.sums().max(2));
        let classes = self.plan.loss.is_of_classes().then_some(codes);
        let held = merged_order::hold_out(&*self.peers, &tickets, classes, share, seed)?;
        Ok(self.training.held.insert(held))
    }

    /// Agrees on the rows that columns are cut by.
    pub fn choose_sample(&mut self) -> Result<()> {
        if !matches!(self.step, Step::Looking) {
            return Err(out_of_order());
        }
        self.agree_on_weights()?;
        let held = self.training.held.as_deref();
        let is_held = |row: &usize| held.is_some_and(|held| held[*row]);
        let learning = (0..self.rows()).filter(|row| !is_held(row)).count();
        let mut totals = [self.rows() as u64, learning as u64];
        add_everywhere(&*self.peers, &mut totals)?;
        if totals[1] == 0 {
            return Err(Error::data("data.no-rows", "there are no rows to learn from"));
        }
        self.total_rows = totals[0];
        let keys = std::mem::take(&mut self.keys);
        let rows = merged_order::sample(&*self.peers, &keys, held, SAMPLE)?;
        let levels = |kind: &Kind| match kind {
            Kind::Categorical(levels) => vec![0; *levels as usize],
            Kind::Numeric => Vec::new(),
        };
        self.step = Step::Sampling {
            rows,
            next: 0,
            numbers: vec![Vec::new(); self.kinds.len()],
            counts: self.kinds.iter().map(levels).collect(),
            gaps: vec![false; self.kinds.len()],
        };
        Ok(())
    }

    /// Takes the sampled rows of the next part, and counts its levels.
    pub fn sample(&mut self, table: &Table<'_>, cancel: &Cancel) -> Result<()> {
        let all = self.rows();
        let Step::Sampling { rows, next, numbers, counts, gaps } = &mut self.step else { return Err(out_of_order()) };
        let (start, end) = (*next, *next + table.rows());
        if end > all || table.columns().len() != counts.len() {
            return Err(out_of_order());
        }
        let place = |end: usize| rows.partition_point(|&row| (row as usize) < end);
        let here: Vec<u32> = rows[place(start)..place(end)].iter().map(|&row| row - start as u32).collect();
        let columns: Vec<(usize, &Column<'_>)> = table.columns().iter().enumerate().collect();
        for (all, part) in numbers.iter_mut().zip(samples(&columns, &here)?) {
            all.extend(part);
        }
        let held = self.training.held.as_deref();
        for (((index, column), gap), counts) in columns.iter().zip(gaps).zip(counts) {
            cancel.check()?;
            let Column::Categorical { codes, .. } = column else {
                *gap = *gap || has_gaps(table, *index);
                continue;
            };
            *gap = *gap || codes.contains(&MISSING);
            let learns = |row: usize| held.is_none_or(|held| !held[start + row]);
            let known = codes.iter().enumerate().filter(|(row, code)| **code < UNSEEN && learns(*row));
            known.for_each(|(_, &code)| counts[code as usize] += 1);
        }
        *next = end;
        Ok(())
    }

    /// Agrees on where columns are cut.
    pub fn cut(&mut self) -> Result<()> {
        let all = self.rows();
        let Step::Sampling { next, numbers, counts, gaps, .. } = &mut self.step else { return Err(out_of_order()) };
        if *next != all {
            return Err(out_of_order());
        }
        let mut counts: Vec<u64> = counts.concat();
        add_everywhere(&*self.peers, &mut counts)?;
        let mut gaps: Vec<u64> = gaps.iter().map(|gap| u64::from(*gap)).collect();
        self.peers.max(&mut gaps)?;
        let cuts = merge_cuts(&*self.peers, std::mem::take(numbers), self.plan.max_bins)?;
        let mut counts = counts.into_iter().map(|count| count as usize);
        let coder = |((kind, cuts), gap): ((&Kind, Vec<f64>), u64)| match kind {
            Kind::Numeric => Coder::from_cuts(cuts, gap == 1),
            Kind::Categorical(levels) => {
                let counts: Vec<usize> = counts.by_ref().take(*levels as usize).collect();
                Coder::from_levels(&counts, gap == 1, self.plan.max_bins)
            }
        };
        let coders = self.kinds.iter().zip(cuts).zip(gaps).map(coder).collect();
        self.step = Step::Coding { store: Store::blank(all, coders)?, next: 0 };
        Ok(())
    }

    /// Codes the next part.
    pub fn code(&mut self, table: &Table<'_>, cancel: &Cancel) -> Result<()> {
        let (all, threads) = (self.rows(), self.threads());
        let Step::Coding { store, next } = &mut self.step else { return Err(out_of_order()) };
        if *next + table.rows() > all || table.columns().len() != self.kinds.len() {
            return Err(out_of_order());
        }
        store.fill(table, *next, threads, cancel)?;
        *next += table.rows();
        Ok(())
    }

    /// A run on these rows; it goes on after some trees, if there are any, with the losses that were noted then.
    pub fn start(
        self,
        base: Option<Vec<f64>>,
        trees: Vec<Tree>,
        losses: &[Vec<f64>],
        cancel: &Cancel,
    ) -> Result<Boosting> {
        let (all, threads) = (self.rows(), self.threads());
        let PeerRows { plan, kinds, peers, training, step, keys_to_draw, .. } = self;
        let Step::Coding { mut store, next } = step else { return Err(out_of_order()) };
        let rules = &plan.rules;
        let fits = next == all
            && !kinds.is_empty()
            && rules.interactions.fit(kinds.len())
            && (rules.monotone.is_empty() || rules.monotone.len() == kinds.len())
            && base.as_ref().is_none_or(|base| base.len() == plan.loss.sums())
            && (2..=255).contains(&plan.max_bins);
        if !fits {
            return Err(Error::data("recipe.boost", "the recipe does not fit the table"));
        }
        store.finish(threads, cancel)?;
        let mut tickets = Vec::new();
        if plan.subsample < 1.0 {
            let (weights, held) = (training.weights.as_deref(), training.held.as_deref());
            tickets = merged_order::tickets(&*peers, &keys_to_draw, weights, held)?;
        }
        let start = Start { base, scores: None, rounds: 0 };
        let mut run = Boosting::of_store(store, training, tickets, start, plan, peers)?;
        if trees.is_empty() {
            run.note()?;
        } else {
            let team = Arc::clone(&run.team);
            team.crew.assemble(|| run.resume(trees, losses, cancel))?;
        }
        Ok(run)
    }
}

fn out_of_order() -> Error {
    Error::data("fit.peers", "the steps of a fit in several processes are out of order")
}

/// Where each column is cut. The processes share the columns: each gets the samples of its columns from all, cuts them,
/// and tells the others.
fn merge_cuts(peers: &dyn Peers, numbers: Vec<Vec<f64>>, max_bins: usize) -> Result<Vec<Vec<f64>>> {
    let (size, columns) = (peers.size(), numbers.len());
    let own = |rank: usize| (rank..columns).step_by(size);
    let parts: Vec<Vec<u8>> = (0..size).map(|rank| write_lists(own(rank).map(|column| &numbers[column]))).collect();
    drop(numbers);
    let mut samples = vec![Vec::new(); own(peers.rank()).count()];
    for sent in peers.exchange(&parts)? {
        samples.iter_mut().zip(read_lists(&sent)?).for_each(|(all, part): (&mut Vec<f64>, _)| all.extend(part));
    }
    let cut: Vec<Vec<f64>> = samples.iter().map(|numbers| cut_sample(numbers, max_bins)).collect::<Result<_>>()?;
    let mut cuts = vec![Vec::new(); columns];
    for (rank, sent) in peers.gather(&write_lists(cut.iter()))?.iter().enumerate() {
        own(rank).zip(read_lists(sent)?).for_each(|(column, list)| cuts[column] = list);
    }
    Ok(cuts)
}

/// Lists of numbers, each behind its length.
fn write_lists<'a>(lists: impl Iterator<Item = &'a Vec<f64>>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for list in lists {
        bytes.extend_from_slice(&(list.len() as u64).to_le_bytes());
        list.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
    }
    bytes
}

fn read_lists(bytes: &[u8]) -> Result<Vec<Vec<f64>>> {
    let torn = || Error::data("fit.peers", "another process of the fit has sent half a list");
    let (mut words, mut lists) = (bytes.as_chunks::<8>().0, Vec::new());
    while let Some((length, rest)) = words.split_first() {
        let (list, behind) = rest.split_at_checked(u64::from_le_bytes(*length) as usize).ok_or_else(torn)?;
        lists.push(list.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect());
        words = behind;
    }
    Ok(lists)
}
