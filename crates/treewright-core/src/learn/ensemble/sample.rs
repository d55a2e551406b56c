//! Samples of rows: how often each row counts in each tree of a forest.
//!
//! A sample is a function of the seed and the number of its tree alone. It is drawn again whenever it is asked for, which
//! costs a thousandth of growing the tree; nobody keeps it.

use crate::rng::Stream;
use crate::{Error, Result};

/// How rows are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Every row once.
    All,
    /// So many draws, each of any row: the bootstrap.
    Bootstrap,
    /// So many draws in all, the same number from each class.
    Balanced,
    /// So many different rows.
    Subset,
}

/// The words for drawing rows, in the order of [`How`].
pub const WORDS: &[&str] = &["all", "bootstrap", "balanced", "subset"];
/// The ways that the words stand for.
pub const HOWS: &[How] = &[How::All, How::Bootstrap, How::Balanced, How::Subset];

/// The samples of all trees.
#[derive(Clone, Debug)]
pub struct Samples {
    how: How,
    rows: usize,
    draws: usize,
    seed: u64,
    /// The rows of each class; empty unless classes are balanced.
    classes: Vec<Vec<u32>>,
    /// Where the caller says how often rows count: tree after tree, a number a row.
    given: Option<Vec<u32>>,
}

impl Samples {
    /// Samples of so many draws; `target` are the classes of the rows, where they are to be balanced.
    pub fn new(how: How, rows: usize, draws: usize, seed: u64, target: Option<(&[u32], usize)>) -> Result<Samples> {
        let mut classes = Vec::new();
        if let (How::Balanced, Some((target, count))) = (how, target) {
            classes.resize(count, Vec::new());
            (0..).zip(target).for_each(|(row, &class)| classes[class as usize].push(row));
            classes.retain(|rows| !rows.is_empty());
        }
        let fits = match how {
            How::All => true,
            How::Bootstrap => draws > 0,
            How::Balanced => draws >= classes.len() && !classes.is_empty(),
            How::Subset => draws > 0 && draws <= rows,
        };
        if rows == 0 || rows > u32::MAX as usize || draws > u32::MAX as usize || !fits {
            return Err(Error::data("recipe.samples", "so many rows cannot be drawn from these"));
        }
        Ok(Samples { how, rows, draws, seed, classes, given: None })
    }

    /// Samples that the caller has drawn: tree after tree, how often each row counts.
    pub fn given(rows: usize, times: Vec<u32>) -> Result<Samples> {
        let empty = |sample: &[u32]| sample.iter().all(|&times| times == 0);
        let large = |sample: &[u32]| sample.iter().map(|&times| u64::from(times)).sum::<u64>() >= 1 << 31;
        let fits = rows > 0 && times.len().is_multiple_of(rows);
        if !fits || times.chunks(rows).any(|sample| empty(sample) || large(sample)) {
            return Err(Error::data("recipe.samples", "a sample has no row, or too many"));
        }
        Ok(Samples { how: How::All, rows, draws: rows, seed: 0, classes: Vec::new(), given: Some(times) })
    }

    /// Whether there is a sample for this tree.
    pub fn has(&self, tree: u32) -> bool {
        self.given.as_ref().is_none_or(|times| (tree as usize) < times.len() / self.rows)
    }

    /// How often all rows count in a sample.
    pub fn size(&self) -> usize {
        if self.how == How::All { self.rows } else { self.draws }
    }

    /// How often each row counts in a tree.
    pub fn times(&self, tree: u32) -> Result<Vec<u32>> {
        let mut times = Vec::new();
        times.try_reserve_exact(self.rows)?;
        if let Some(given) = &self.given {
            let start = tree as usize * self.rows;
            times.extend_from_slice(&given[start..start + self.rows]);
            return Ok(times);
        }
        times.resize(self.rows, u32::from(self.how == How::All));
        let stream = Stream::new(self.seed, tree);
        match self.how {
            How::All => {}
            How::Bootstrap => {
                let mut words = stream.words(0);
                (0..self.draws).for_each(|_| times[words.below(self.rows as u32) as usize] += 1);
            }
            How::Balanced => {
                for (class, rows) in self.classes.iter().enumerate() {
                    let mut words = stream.words(class as u64);
                    // Where the draws cannot be shared out evenly, the first classes get one more.
                    let draws = (self.draws + self.classes.len() - 1 - class) / self.classes.len();
                    (0..draws).for_each(|_| times[rows[words.below(rows.len() as u32) as usize] as usize] += 1);
                }
            }
            How::Subset => {
                let mut words = stream.words(0);
                let mut order: Vec<u32> = (0..self.rows as u32).collect();
                for i in 0..self.draws {
                    let place = i + words.below((self.rows - i) as u32) as usize;
                    order.swap(i, place);
                    times[order[i] as usize] = 1;
                }
            }
        }
        Ok(times)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn samples_have_the_rows_they_should() {
        let target: Vec<u32> = (0..1000).map(|row| u32::from(row % 10 == 0)).collect();
        let samples = |how, draws| Samples::new(how, 1000, draws, 5, Some((&target, 2))).unwrap();
        let sum = |times: &[u32]| times.iter().sum::<u32>();
        assert_eq!(samples(How::All, 1000).times(3).unwrap(), vec![1; 1000]);
        let bootstrap = samples(How::Bootstrap, 1000);
        let times = bootstrap.times(3).unwrap();
        assert_eq!(sum(&times), 1000);
        let absent = times.iter().filter(|&&times| times == 0).count();
        assert!((320..420).contains(&absent), "{absent}");
        assert_eq!(times, bootstrap.times(3).unwrap());
        assert_ne!(times, bootstrap.times(4).unwrap());
        let times = samples(How::Balanced, 201).times(0).unwrap();
        let of = |class: u32| (0..1000).filter(|&row| target[row] == class).map(|row| times[row]).sum::<u32>();
        assert_eq!((of(0), of(1)), (101, 100));
        let times = samples(How::Subset, 300).times(9).unwrap();
        assert!(times.iter().all(|&times| times <= 1) && sum(&times) == 300);
    }

    #[test]
    fn impossible_samples_are_refused() {
        assert!(Samples::new(How::Subset, 5, 6, 0, None).is_err());
        assert!(Samples::new(How::Bootstrap, 5, 0, 0, None).is_err());
        assert!(Samples::given(3, vec![1, 0, 2, 0, 0, 0]).is_err());
        let given = Samples::given(3, vec![1, 0, 2, 0, 1, 0]).unwrap();
        assert_eq!(given.times(1).unwrap(), [0, 1, 0]);
        assert!(given.has(1) && !given.has(2));
    }
}
