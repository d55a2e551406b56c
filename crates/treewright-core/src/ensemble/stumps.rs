//! Stumps, one after the other, of rows whose weights change: the best single cut of all columns, exactly.
//!
//! Numbers are coded and gathered into bins once. For each bin the weight of each class is kept from round to round, and
//! only rows whose weight has changed are added. A round looks at the cuts between bins, bounds what any cut inside a bin
//! could save, and opens the few bins where that matters; the rows of a bin are sorted when it is opened first.
//!
//! What must stay true: weights are integers, so neither threads nor the order of the rows can show. The winner is that of
//! [`contest`](crate::rows::columns::contest), as in a tree of depth 1 by any holder of rows.

use crate::Result;
use crate::codes::ordered::midpoint;
use crate::data::strided::Strided;
use crate::data::table::Table;
use crate::rows::columns::contest::{Contest, Record, Top, winner};
use crate::rows::columns::node::{Cut, Ties};
use crate::rows::columns::store::code;
use crate::stats::criterion::{ClassCriterion, Classes, Criterion, Impurity};
use crate::sys::pool;
use crate::sys::pool::Cancel;
use crate::tolerance::{STUMP_SLACK, TIE};

/// A row whose weight has changed: the row, its class, and by how much.
pub type Change = (u32, u32, i64);

/// The most bins of a column.
const BINS: usize = 256;
/// The columns of a table, ready to be cut again and again.
#[derive(Debug)]
pub struct Stumps<'t> {
    columns: Vec<StumpColumn<'t>>,
    /// The weight of each class.
    total: Vec<u64>,
    threads: usize,
}

/// A stump.
#[derive(Clone, Debug)]
pub struct Stump {
    /// The column that it asks about.
    pub column: usize,
    /// The number that it compares with.
    pub threshold: f64,
    /// The class weights on its left.
    pub left: Vec<u64>,
    /// How many rows are on its left.
    pub rows: u64,
    /// The bin that it ends with or in, and whether it divides that bin.
    bin: u8,
    divides: bool,
}

impl Stump {
    /// A stump that knows no bins.
    pub fn new(column: usize, threshold: f64, left: Vec<u64>, rows: u64) -> Stump {
        Stump { column, threshold, left, rows, bin: 0, divides: true }
    }
}

/// A search for stumps of rows whose weights change.
pub trait FindStump: Sync {
    /// Takes over changed weights, or all of them, and finds the best stump; None where no column can be cut.
    fn next(
        &mut self,
        changes: &[Vec<Change>],
        afresh: bool,
        units: &[u64],
        target: &[u32],
        cancel: &Cancel,
    ) -> Result<Option<Stump>>;
    /// The weight of each class, as of the last search.
    fn total(&self) -> &[u64];
    /// Whether a row is on the left of a stump.
    fn is_left(&self, stump: &Stump, row: usize) -> bool;
}

/// One column.
#[derive(Debug)]
struct StumpColumn<'t> {
    numbers: Strided<'t>,
    /// The bin of each row.
    bins: Vec<u8>,
    /// Rows in the order of their bins, and where each bin begins; within a bin in the order of their numbers once it
    /// was opened.
    order: Vec<u32>,
    starts: Vec<u32>,
    opened: Vec<bool>,
    /// The least and the greatest number of each bin.
    ends: Vec<(f64, f64)>,
    /// The weight of each class in each bin.
    weights: Vec<u64>,
    top: Option<Top>,
    /// For each bin, more than any cut inside it saves.
    bounds: Vec<f64>,
}

/// What a search is told of the rows.
struct RoundWeights<'a> {
    criterion: ClassCriterion<'a>,
    total: Vec<u64>,
    cost: f64,
    units: &'a [u64],
    target: &'a [u32],
}

impl<'t> Stumps<'t> {
    /// Codes a table; None where a column is not one of finite numbers.
    pub fn new(
        table: &Table<'t>,
        target: &[u32],
        classes: usize,
        threads: usize,
        cancel: &Cancel,
    ) -> Result<Option<Stumps<'t>>> {
        let order = (0..table.rows() as u32).collect();
        let Some((source, mut memory)) = code(table, false, order, Vec::new(), threads, cancel)? else {
            return Ok(None);
        };
        let block = memory.block();
        let jobs = block.codes.iter().zip(source.columns).collect();
        let columns = pool::each(threads, jobs, |(codes, numbers)| {
            cancel.check()?;
            StumpColumn::new(codes, numbers, classes)
        })?;
        let columns = columns.into_iter().collect::<Result<Vec<_>>>()?;
        debug_assert_eq!(target.len(), table.rows());
        Ok(Some(Stumps { columns, total: vec![0; classes], threads }))
    }

    fn each(&mut self, cancel: &Cancel, work: impl Fn(&mut StumpColumn<'t>) + Sync) -> Result<()> {
        let done = pool::each(self.threads, self.columns.iter_mut().collect(), |column| -> Result<()> {
            cancel.check()?;
            work(column);
            Ok(())
        })?;
        done.into_iter().collect()
    }
}

impl FindStump for Stumps<'_> {
    fn total(&self) -> &[u64] {
        &self.total
    }

    fn next(
        &mut self,
        changes: &[Vec<Change>],
        afresh: bool,
        units: &[u64],
        target: &[u32],
        cancel: &Cancel,
    ) -> Result<Option<Stump>> {
        let classes = self.total.len();
        if afresh {
            self.total.fill(0);
            units.iter().zip(target).for_each(|(&units, &class)| self.total[class as usize] += units);
        } else {
            for &(_, class, change) in changes.iter().flatten() {
                let total = &mut self.total[class as usize];
                *total = total.wrapping_add_signed(change);
            }
        }
        let total = self.total.clone();
        let criterion = ClassCriterion::new(Impurity::Gini, Classes { target, classes, unit: 1.0 });
        let cost = criterion.cost(&total);
        if cost == 0.0 {
            return Ok(None);
        }
        let (round, record) = (RoundWeights { criterion, total, cost, units, target }, Record::default());
        self.each(cancel, |column| {
            column.reweigh(changes, afresh, units, target, classes);
            column.between(&round, &record);
        })?;
        self.each(cancel, |column| column.inside(&round, &record))?;
        let tops =
            self.columns.iter().enumerate().filter_map(|(place, column)| column.top.as_ref().map(|top| (place, top)));
        let Some((place, top)) = winner(&record, tops) else { return Ok(None) };
        Ok(Some(self.columns[place].stump(place, &top, &round)))
    }

    #[inline]
    fn is_left(&self, stump: &Stump, row: usize) -> bool {
        let column = &self.columns[stump.column];
        match column.bins[row].cmp(&stump.bin) {
            std::cmp::Ordering::Equal if stump.divides => column.numbers.at(row) <= stump.threshold,
            order => order.is_le(),
        }
    }
}

impl<'t> StumpColumn<'t> {
    fn new(codes: &[u16], numbers: Strided<'t>, classes: usize) -> Result<StumpColumn<'t>> {
        let mut counts = vec![0u32; 1 << 16];
        codes.iter().for_each(|&code| counts[code as usize] += 1);
        // Codes are never divided among bins; a bin is full once it has its share of the rows.
        let full = codes.len().div_ceil(BINS - 2).max(1) as u32;
        let (mut bin_of, mut starts, mut held) = (vec![0u8; 1 << 16], vec![0u32], 0);
        let mut end = 0;
        for (code, &count) in counts.iter().enumerate() {
            if count > 0 && held > 0 && (held >= full || held + count > 2 * full) && starts.len() < BINS {
                starts.push(end);
                held = 0;
            }
            bin_of[code] = (starts.len() - 1) as u8;
            held += count;
            end += count;
        }
        starts.push(end);
        let bins: Vec<u8> = codes.iter().map(|&code| bin_of[code as usize]).collect();
        let count = starts.len() - 1;
        let mut order = Vec::new();
        order.try_reserve_exact(codes.len())?;
        order.resize(codes.len(), 0);
        let (mut next, mut ends) = (starts.clone(), vec![(f64::INFINITY, f64::NEG_INFINITY); count]);
        for (row, &bin) in (0..).zip(&bins) {
            let (place, end) = (&mut next[bin as usize], &mut ends[bin as usize]);
            order[*place as usize] = row;
            *place += 1;
            let number = numbers.at(row as usize) + 0.0;
            *end = (end.0.min(number), end.1.max(number));
        }
        let weights = vec![0; count * classes];
        let (opened, bounds) = (vec![false; count], vec![-1.0; count]);
        Ok(StumpColumn { numbers, bins, order, starts, opened, ends, weights, top: None, bounds })
    }

    fn reweigh(&mut self, changes: &[Vec<Change>], afresh: bool, units: &[u64], target: &[u32], classes: usize) {
        let weights = &mut self.weights;
        if afresh {
            weights.fill(0);
            for ((&bin, &units), &class) in self.bins.iter().zip(units).zip(target) {
                weights[bin as usize * classes + class as usize] += units;
            }
            return;
        }
        for changes in changes {
            for &(row, class, change) in changes {
                let place = self.bins[row as usize] as usize * classes + class as usize;
                weights[place] = weights[place].wrapping_add_signed(change);
            }
        }
    }

    /// Offers the cuts between bins and bounds those inside.
    fn between(&mut self, round: &RoundWeights<'_>, record: &Record) {
        self.top = None;
        let classes = round.total.len();
        let bins = self.bounds.len();
        let mut below = vec![0u64; classes];
        let mut estimates = vec![-1.0; bins];
        let (mut before, mut after) = (vec![0u64; classes], -1.0);
        for (bin, held) in self.weights.chunks_exact(classes).enumerate() {
            let edge = after;
            before.copy_from_slice(&below);
            below.iter_mut().zip(held).for_each(|(sum, held)| *sum += held);
            after = if bin + 1 < bins { round.estimate(&below) } else { -1.0 };
            estimates[bin] = after;
            let single = self.ends[bin].0 == self.ends[bin].1;
            self.bounds[bin] = if single { -1.0 } else { round.bound(&before, held, edge.max(after)) };
        }
        let most = estimates.iter().copied().fold(-1.0, f64::max);
        let floor = most - 4.0 * STUMP_SLACK;
        below.fill(0);
        for (bin, held) in self.weights.chunks_exact(classes).enumerate() {
            below.iter_mut().zip(held).for_each(|(sum, held)| *sum += held);
            if estimates[bin] >= floor && estimates[bin] >= 0.0 {
                let cut = Cut::behind(bin as u16);
                let rows = self.starts[bin + 1];
                Contest::new(record, &mut self.top).offer(round.saved(&below), rows, cut);
            }
        }
    }

    /// Opens the bins in which a cut could be the best.
    fn inside(&mut self, round: &RoundWeights<'_>, record: &Record) {
        let classes = round.total.len();
        let mut below = vec![0u64; classes];
        for bin in 0..self.bounds.len() {
            let floor = record.saved().map_or(-1.0, |saved| saved - 2.0 * TIE - STUMP_SLACK);
            if self.bounds[bin] >= floor && self.bounds[bin] >= 0.0 {
                self.open(bin, below.clone(), round, record, floor);
            }
            let held = &self.weights[bin * classes..(bin + 1) * classes];
            below.iter_mut().zip(held).for_each(|(sum, held)| *sum += held);
        }
    }

    fn open(&mut self, bin: usize, mut below: Vec<u64>, round: &RoundWeights<'_>, record: &Record, floor: f64) {
        let span = self.starts[bin] as usize..self.starts[bin + 1] as usize;
        let (numbers, rows) = (&self.numbers, &mut self.order[span.clone()]);
        if !std::mem::replace(&mut self.opened[bin], true) {
            rows.sort_unstable_by(|a, b| {
                let number = |row: &u32| numbers.at(*row as usize) + 0.0;
                number(a).total_cmp(&number(b)).then(a.cmp(b))
            });
        }
        let mut contest = Contest::new(record, &mut self.top);
        let least = round.min_squares(floor);
        for (place, pair) in (span.start as u32 + 1..).zip(rows.windows(2)) {
            let row = pair[0] as usize;
            below[round.target[row] as usize] += round.units[row];
            if !round.keeps(&below, least) {
                continue;
            }
            let (low, high) = (numbers.at(row) + 0.0, numbers.at(pair[1] as usize) + 0.0);
            if low < high {
                let cut = Cut { ties: Ties::Between(low, high), ..Cut::behind(bin as u16) };
                contest.offer(round.saved(&below), place, cut);
            }
        }
    }

    /// The stump of a cut.
    fn stump(&self, column: usize, top: &Top, round: &RoundWeights<'_>) -> Stump {
        let bin = top.cut.code as usize;
        let (low, high, divides) = match top.cut.ties {
            Ties::Between(low, high) => (low, high, true),
            _ => (self.ends[bin].1, self.ends[bin + 1].0, false),
        };
        let classes = round.total.len();
        let mut left = vec![0; classes];
        let full_bins = if divides { bin } else { bin + 1 };
        for held in self.weights[..full_bins * classes].chunks_exact(classes) {
            left.iter_mut().zip(held).for_each(|(sum, held)| *sum += held);
        }
        for &row in &self.order[self.starts[full_bins] as usize..top.left as usize] {
            left[round.target[row as usize] as usize] += round.units[row as usize];
        }
        Stump { column, threshold: midpoint(low, high), left, rows: top.left.into(), bin: bin as u8, divides }
    }
}

impl RoundWeights<'_> {
    /// What a cut saves of the node's cost.
    fn saved(&self, left: &[u64]) -> f64 {
        let right: Vec<u64> = self.total.iter().zip(left).map(|(total, left)| total - left).collect();
        (self.cost - (self.criterion.cost(left) + self.criterion.cost(&right))) / self.cost
    }

    /// The weight on both sides of a cut, and the sum of squares of class weights on both.
    #[inline]
    fn squares(&self, left: &[u64]) -> ([f64; 2], [f64; 2]) {
        let (mut weights, mut squares) = ([0.0; 2], [0.0; 2]);
        for (&left, &total) in left.iter().zip(&self.total) {
            for (side, weight) in [left as f64, (total - left) as f64].into_iter().enumerate() {
                weights[side] += weight;
                squares[side] += weight * weight;
            }
        }
        (weights, squares)
    }

    /// The same but for [`STUMP_SLACK`], quickly.
    #[inline]
    fn estimate(&self, left: &[u64]) -> f64 {
        let ([m, n], [low, high]) = self.squares(left);
        let side = |squares: f64, size: f64| if size > 0.0 { size - squares / size } else { 0.0 };
        1.0 - (side(low, m) + side(high, n)) / self.cost
    }

    /// What a cut that saves so much of the node's cost keeps: the sum, over both sides, of squares of class weights over
    /// the side's weight.
    fn min_squares(&self, saved: f64) -> f64 {
        self.total.iter().sum::<u64>() as f64 - self.cost * (1.0 - saved)
    }

    /// Whether a cut keeps at least so much, but for [`STUMP_SLACK`], without a division.
    #[inline]
    fn keeps(&self, left: &[u64], least: f64) -> bool {
        let ([m, n], [low, high]) = self.squares(left);
        low * n + high * m >= least * (m * n)
    }

    /// More than any cut saves that has `below` on its left and some of `held`. What is left of the node's cost is
    /// concave in the weights of the classes and in their sum, taken as independent: the least is at a corner. `edges` is
    /// the better of the cuts at both ends.
    fn bound(&self, below: &[u64], held: &[u64], edges: f64) -> f64 {
        let mixed = held.iter().filter(|&&held| held > 0).count();
        if mixed < 2 {
            // Along one class alone, a cut inside is worse than one at an end.
            return -1.0;
        }
        if below.len() == 2 {
            let corner = |first: u64, second: u64| self.estimate(&[below[0] + first, below[1] + second]);
            // The other two corners are cuts between bins.
            return corner(held[0], 0).max(corner(0, held[1])).max(edges) + STUMP_SLACK;
        }
        let (n, all) = (self.total.iter().sum::<u64>() as f64, below.iter().sum::<u64>() as f64);
        let corner = |m: f64| {
            let m = m.clamp(1.0, n - 1.0);
            let class = |((&total, &a), &h): ((&u64, &u64), &u64)| {
                let squares = |x: f64| x * x / m + (total as f64 - x) * (total as f64 - x) / (n - m);
                squares(a as f64).max(squares((a + h) as f64))
            };
            n - self.total.iter().zip(below).zip(held).map(class).sum::<f64>()
        };
        let left = corner(all).min(corner(all + held.iter().sum::<u64>() as f64));
        1.0 - left / self.cost + STUMP_SLACK
    }
}
