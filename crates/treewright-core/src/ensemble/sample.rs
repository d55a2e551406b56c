//! Samples of rows: how often each row counts in each tree of a forest.
//!
//! A sample is a function of the seed, the number of its tree and the rows themselves, not of their order: rows are drawn
//! from a list that is ordered by what they hold. Where the others weigh 1, a row of weight 3 is three times in that list,
//! as three equal rows are; only the ratios of the weights matter.
//! Samples are drawn again whenever they are asked for, which costs a thousandth of growing a tree; nobody keeps them.
//!
//! Glossary. A *slot* is a place of that list.

use crate::data::table::Table;
use crate::rng::Stream;
use crate::stats::order;
use crate::stats::target::Target;
use crate::tolerance::{WEIGHT_UNIT, WHOLE_QUOTIENT};
use crate::{Error, Result};

/// How rows are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowSampling {
    /// Every row once.
    #[default]
    All,
    /// So many draws, each of any row: the bootstrap.
    Bootstrap,
    /// So many draws in all, the same number from each class.
    Balanced,
    /// So many different rows.
    Subset,
}

/// The samples of all trees.
#[derive(Clone, Debug)]
pub struct Samples {
    how: RowSampling,
    rows: usize,
    draws: usize,
    seed: u64,
    /// The rows that are drawn from: of each class where classes are balanced, else all.
    slots: Vec<Vec<u32>>,
    /// How often each row is there, where all are taken; empty for once.
    copies: Vec<u32>,
    /// Where the caller says how often rows count: tree after tree, a number a row.
    counts: Option<Vec<u32>>,
}

/// All that samples depend on.
#[derive(Clone, Debug)]
pub struct SampleSource<'a> {
    /// How many rows there are.
    pub rows: usize,
    /// The key of each, see [`order::keys`]; none where all rows are taken.
    pub keys: Vec<u64>,
    /// The class of each, and how many classes there are; read where classes are balanced.
    pub classes: Option<(&'a [u32], usize)>,
    /// What the rows weigh. Weights that are multiples of one number ([`copies`]) say how often a row is there to be
    /// drawn; others multiply what was drawn.
    pub weights: Option<&'a [f64]>,
}

impl Samples {
    /// Samples of so many draws; None draws as many as there are slots.
    pub fn new(how: RowSampling, source: &SampleSource<'_>, draws: Option<usize>, seed: u64) -> Result<Samples> {
        let rows = source.rows;
        let copies = source.weights.filter(|_| how == RowSampling::All).and_then(copies).unwrap_or_default();
        let slots =
            if how == RowSampling::All { vec![Vec::new()] } else { source.slots(how == RowSampling::Balanced)? };
        let (all, least) = (slots.iter().map(Vec::len).sum::<usize>(), slots.iter().map(Vec::len).min().unwrap_or(0));
        // Balanced samples take from each class as many as the smallest has.
        let draws = draws.unwrap_or(if how == RowSampling::Balanced { least * slots.len() } else { all });
        let fits = match how {
            RowSampling::All => true,
            RowSampling::Bootstrap | RowSampling::Balanced => draws >= slots.len(),
            RowSampling::Subset => draws > 0 && draws <= all,
        };
        if rows == 0 || rows > u32::MAX as usize || draws >= 1 << 31 || !fits {
            return Err(Error::data("recipe.samples", "so many rows cannot be drawn from these"));
        }
        Ok(Samples { how, rows, draws, seed, slots, copies, counts: None })
    }

    /// Samples that the caller has drawn: tree after tree, how often each row counts.
    pub fn of_counts(rows: usize, times: Vec<u32>) -> Result<Samples> {
        let size = |sample: &[u32]| sample.iter().map(|&times| u64::from(times)).sum::<u64>();
        let sizes: Vec<u64> = if rows > 0 { times.chunks(rows).map(size).collect() } else { Vec::new() };
        let draws = sizes.iter().copied().max().unwrap_or(0);
        if rows == 0 || !times.len().is_multiple_of(rows) || sizes.contains(&0) || draws >= 1 << 31 {
            return Err(Error::data("recipe.samples", "a sample has no row, or too many"));
        }
        let (how, draws) = (RowSampling::Bootstrap, draws as usize);
        Ok(Samples { how, rows, draws, seed: 0, slots: Vec::new(), copies: Vec::new(), counts: Some(times) })
    }

    /// Whether there is a sample for this tree.
    pub fn has(&self, tree: u32) -> bool {
        self.counts.as_ref().is_none_or(|times| (tree as usize) < times.len() / self.rows)
    }

    /// How often all rows count in a sample.
    pub fn size(&self) -> usize {
        match self.how {
            RowSampling::All if !self.copies.is_empty() => self.copies.iter().map(|&copies| copies as usize).sum(),
            RowSampling::All => self.rows,
            _ => self.draws,
        }
    }

    /// How often each row counts in a tree.
    pub fn times(&self, tree: u32) -> Result<Vec<u32>> {
        let mut times = Vec::new();
        times.try_reserve_exact(self.rows)?;
        if let Some(counts) = &self.counts {
            let start = tree as usize * self.rows;
            times.extend_from_slice(&counts[start..start + self.rows]);
            return Ok(times);
        }
        if !self.copies.is_empty() {
            times.extend_from_slice(&self.copies);
        }
        times.resize(self.rows, u32::from(self.how == RowSampling::All));
        let stream = Stream::new(self.seed, tree);
        for (class, slots) in self.slots.iter().enumerate() {
            let mut words = stream.words(class as u64);
            // Where the draws cannot be shared out evenly, the first classes get one more.
            let draws = (self.draws + self.slots.len() - 1 - class) / self.slots.len();
            match self.how {
                RowSampling::All => {}
                RowSampling::Bootstrap | RowSampling::Balanced => {
                    let mut words = stream.many_words(class as u64);
                    (0..draws).for_each(|_| times[slots[words.below(slots.len() as u32) as usize] as usize] += 1);
                }
                RowSampling::Subset => {
                    let mut order = slots.clone();
                    for i in 0..draws {
                        order.swap(i, i + words.below((slots.len() - i) as u32) as usize);
                        times[order[i] as usize] += 1;
                    }
                }
            }
        }
        Ok(times)
    }
}

impl<'a> SampleSource<'a> {
    /// The rows of a table, to be drawn from in this way.
    pub fn new(
        how: RowSampling,
        table: &Table<'_>,
        target: Target<'a>,
        weights: Option<&'a [f64]>,
    ) -> Result<SampleSource<'a>> {
        let keys = if how == RowSampling::All { Vec::new() } else { order::keys(table, target)? };
        let classes = match target {
            Target::Classes { codes, classes } => Some((codes, classes)),
            Target::Numbers(_) => None,
        };
        Ok(SampleSource { rows: table.rows(), keys, classes, weights })
    }

    /// The rows that are drawn from, by class where asked for.
    fn slots(&self, by_class: bool) -> Result<Vec<Vec<u32>>> {
        let order = order::by_key(&self.keys, self.weights, None);
        let counts = self.weights.and_then(copies);
        let copies = |row: u32| counts.as_ref().map_or(1, |counts| counts[row as usize] as usize);
        let classes = self.classes.filter(|_| by_class);
        if by_class && classes.is_none() {
            return Err(Error::data("recipe.samples", "only classes can be balanced"));
        }
        let mut slots = vec![Vec::new(); classes.map_or(1, |(_, classes)| classes)];
        for row in order {
            let class = classes.map_or(0, |(codes, _)| codes[row as usize] as usize);
            slots[class].try_reserve(copies(row))?;
            slots[class].extend(std::iter::repeat_n(row, copies(row)));
        }
        slots.retain(|rows| !rows.is_empty());
        Ok(slots)
    }
}

/// How often each row is there, where the weights are whole multiples of one number and are not too many in that unit;
/// None where they are not. Only the ratios of the weights matter: 100 each is 1 each, and 1.5, 3 and 4.5 are 1, 2 and 3.
pub fn copies(weights: &[f64]) -> Option<Vec<u32>> {
    let unit = unit_of(weights)?;
    let counts: Vec<f64> = weights.iter().map(|weight| weight / unit).collect();
    let is_count = |count: &f64| (count - count.round()).abs() <= WHOLE_QUOTIENT;
    let few = counts.iter().all(is_count) && counts.iter().map(|count| count.round()).sum::<f64>() < MOST_COPIES;
    few.then(|| counts.iter().map(|count| count.round() as u32).collect())
}

/// Rows that are there more often than this, all together, are weighed and not repeated.
const MOST_COPIES: f64 = (1 << 30) as f64;

/// The largest number of which all weights are multiples, but for rounding; None where it would be tiny.
fn unit_of(weights: &[f64]) -> Option<f64> {
    let mut sizes: Vec<f64> = weights.iter().copied().filter(|weight| *weight > 0.0).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    sizes.dedup();
    let (Some(&least), Some(&largest)) = (sizes.first(), sizes.last()) else { return Some(1.0) };
    let slack = largest * WEIGHT_UNIT;
    let mut unit = least;
    for &size in &sizes {
        let (mut large, mut small) = (size, unit);
        loop {
            if small < largest / MOST_COPIES {
                return None;
            }
            let rest = large % small;
            if rest <= slack || small - rest <= slack {
                break;
            }
            (large, small) = (small, rest);
        }
        unit = small;
    }
    Some(largest / (largest / unit).round())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::data::table::Column;

    fn samples_of(
        how: RowSampling,
        table: &Table<'_>,
        codes: &[u32],
        weights: Option<&[f64]>,
        draws: Option<usize>,
        seed: u64,
    ) -> Result<Samples> {
        let source = SampleSource::new(how, table, Target::Classes { codes, classes: 2 }, weights)?;
        Samples::new(how, &source, draws, seed)
    }

    #[test]
    fn samples_have_the_rows_they_should() {
        let target: Vec<u32> = (0..1000).map(|row| u32::from(row % 10 == 0)).collect();
        let numbers: Vec<f64> = (0..1000).map(f64::from).collect();
        let table = Table::new(vec![Column::Numeric(&numbers)], 1000).unwrap();
        let samples = |how, draws| samples_of(how, &table, &target, None, draws, 5).unwrap();
        let sum = |times: &[u32]| times.iter().sum::<u32>();
        assert_eq!(samples(RowSampling::All, None).times(3).unwrap(), vec![1; 1000]);
        let bootstrap = samples(RowSampling::Bootstrap, None);
        let times = bootstrap.times(3).unwrap();
        assert_eq!(sum(&times), 1000);
        let absent = times.iter().filter(|&&times| times == 0).count();
        assert!((320..420).contains(&absent), "{absent}");
        assert_eq!(times, bootstrap.times(3).unwrap());
        assert_ne!(times, bootstrap.times(4).unwrap());
        let times = samples(RowSampling::Balanced, Some(201)).times(0).unwrap();
        let of = |class: u32| (0..1000).filter(|&row| target[row] == class).map(|row| times[row]).sum::<u32>();
        assert_eq!((of(0), of(1)), (101, 100));
        assert_eq!(sum(&samples(RowSampling::Balanced, None).times(0).unwrap()), 200);
        let times = samples(RowSampling::Subset, Some(300)).times(9).unwrap();
        assert!(times.iter().all(|&times| times <= 1) && sum(&times) == 300);
    }

    #[test]
    fn a_weight_is_so_many_rows_in_any_order() {
        let (numbers, codes) = ([0.5, 1.5, 2.5, -0.0], [0, 1, 1, 0]);
        let (repeated, of) = ([2.5, 0.0, 0.5, 2.5, 1.5, 2.5], [1, 0, 0, 1, 1, 1]);
        let once = Table::new(vec![Column::Numeric(&numbers)], 4).unwrap();
        let often = Table::new(vec![Column::Numeric(&repeated)], 6).unwrap();
        for how in [RowSampling::Bootstrap, RowSampling::Balanced, RowSampling::Subset] {
            let weights = [1.0, 1.0, 3.0, 1.0];
            let samples = samples_of(how, &once, &codes, Some(&weights), Some(5), 1).unwrap();
            let others = samples_of(how, &often, &of, None, Some(5), 1).unwrap();
            for tree in 0..20 {
                let (a, b) = (samples.times(tree).unwrap(), others.times(tree).unwrap());
                assert_eq!([a[0], a[1], a[2], a[3]], [b[2], b[4], b[0] + b[3] + b[5], b[1]]);
            }
        }
    }

    #[test]
    fn only_the_ratios_of_weights_say_how_often_a_row_is_there() {
        let counts = [1.0, 2.0, 3.0, 0.0, 7.0];
        for unit in [1.0, 100.0, 1.5, 0.1, 1e-9, 3e12, 1.0 / 3.0] {
            let weights: Vec<f64> = counts.iter().map(|count| count * unit).collect();
            assert_eq!(copies(&weights), Some(vec![1, 2, 3, 0, 7]), "{unit}");
        }
        assert_eq!(copies(&[100.0; 3]), Some(vec![1; 3]));
        assert_eq!(copies(&[4.0, 6.0]), Some(vec![2, 3]));
        assert_eq!(copies(&[0.0; 2]), Some(vec![0; 2]));
        for others in [[1.0, std::f64::consts::SQRT_2], [1.0, 1e-12], [1.0, 3e9], [0.123_456_789, 0.987_654_321_01]] {
            assert_eq!(copies(&others), None, "{others:?}");
        }
    }

    #[test]
    fn impossible_samples_are_refused() {
        let (numbers, codes) = ([1.0; 5], [0; 5]);
        let table = Table::new(vec![Column::Numeric(&numbers)], 5).unwrap();
        assert!(samples_of(RowSampling::Subset, &table, &codes, None, Some(6), 0).is_err());
        assert!(samples_of(RowSampling::Bootstrap, &table, &codes, None, Some(0), 0).is_err());
        assert!(Samples::of_counts(3, vec![1, 0, 2, 0, 0, 0]).is_err());
        let samples = Samples::of_counts(3, vec![1, 0, 2, 0, 1, 0]).unwrap();
        assert_eq!(samples.times(1).unwrap(), [0, 1, 0]);
        assert!(samples.has(1) && !samples.has(2));
    }
}
