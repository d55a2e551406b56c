//! Out of bag: what a forest says of its own training rows, each row answered by the trees that have not seen it.
//!
//! Rows are shared out in chunks of one size, and the trees of a row are asked in their order: no bit depends on threads.
//!
//! Glossary. The *curve* is the error of these answers after each tree: the share of wrong classes, or the mean of squared
//! errors, over the rows that a tree so far has not seen.

use super::sample::Samples;
use crate::Result;
use crate::data::table::Table;
use crate::model::forest::Forest;
use crate::model::tree::first_largest;
use crate::model::walk::value_of_row;
use crate::stats::numbers::ExactSum;
use crate::stats::target::Target;
use crate::sys::pool;
use crate::sys::pool::Cancel;

/// The answers out of bag.
#[derive(Clone, Debug, Default)]
pub struct OutOfBag {
    /// The mean of what the trees say that have not seen a row: as many numbers a row as a tree says. Not a number where
    /// every tree has seen the row.
    pub says: Vec<f64>,
    /// How many trees have not seen each row.
    pub trees: Vec<u32>,
    /// The error after each tree; not a number where no row has an answer yet.
    pub curve: Vec<f64>,
}

/// Rows of a chunk.
const CHUNK: usize = 1 << 11;

/// Asks each tree about the rows that are not in its sample.
pub fn out_of_bag(
    forest: &Forest,
    samples: &Samples,
    table: &Table<'_>,
    target: Target<'_>,
    threads: usize,
    cancel: &Cancel,
) -> Result<OutOfBag> {
    forest.check_columns(table)?;
    let numbers = (0..forest.trees().len() as u32).collect();
    let absent = pool::each(threads, numbers, |tree| -> Result<Vec<u64>> {
        cancel.check()?;
        Ok(unseen(&samples.times(tree)?))
    })?;
    let absent = absent.into_iter().collect::<Result<Vec<_>>>()?;
    let starts = (0..table.rows()).step_by(CHUNK).collect();
    let nothing = ExactSum::new(worst(forest, target), table.rows());
    let parts =
        pool::each(threads, starts, |start: usize| part(forest, &absent, table, target, start, nothing, cancel))?;
    let mut all = OutOfBag::default();
    let (mut errors, mut rows) = (vec![nothing; absent.len()], vec![0u64; absent.len()]);
    for part in parts {
        let (says, trees, curve) = part?;
        all.says.extend(says);
        all.trees.extend(trees);
        for ((errors, rows), (error, known)) in errors.iter_mut().zip(&mut rows).zip(curve) {
            errors.join(error);
            *rows += known;
        }
    }
    all.curve = errors.iter().zip(&rows).map(|(error, &rows)| error.real() / rows as f64).collect();
    Ok(all)
}

/// A bit for each row that does not count.
fn unseen(times: &[u32]) -> Vec<u64> {
    let word = |rows: &[u32]| rows.iter().zip(0..).fold(0, |bits, (&times, bit)| bits | u64::from(times == 0) << bit);
    times.chunks(64).map(word).collect()
}

/// The answers of one chunk, the trees behind each, and after each tree the errors and the rows that have an answer.
#[expect(clippy::type_complexity, reason = "one caller, who takes it apart")]
fn part(
    forest: &Forest,
    absent: &[Vec<u64>],
    table: &Table<'_>,
    target: Target<'_>,
    start: usize,
    nothing: ExactSum,
    cancel: &Cancel,
) -> Result<(Vec<f64>, Vec<u32>, Vec<(ExactSum, u64)>)> {
    let (rows, outputs) = (CHUNK.min(table.rows() - start), forest.tree_outputs());
    let (mut all_says, mut trees) = (vec![0.0; rows * outputs], vec![0; rows]);
    let mut curve = Vec::with_capacity(absent.len());
    let mut own = vec![0.0; outputs];
    let mut error = vec![0.0; rows];
    let mut known = 0;
    for (tree, absent) in forest.trees().iter().zip(absent) {
        cancel.check()?;
        for (i, error) in error.iter_mut().enumerate() {
            let row = start + i;
            if absent[row / 64] >> (row % 64) & 1 == 0 {
                continue;
            }
            let sums = &mut all_says[i * outputs..(i + 1) * outputs];
            let says = value_of_row(tree, table.columns(), row, &mut own);
            sums.iter_mut().zip(says).for_each(|(sum, says)| *sum += says);
            known += u64::from(trees[i] == 0);
            trees[i] += 1;
            *error = error_of(target, row, sums, trees[i]);
        }
        let mut sum = nothing;
        error.iter().for_each(|error| sum.add(*error));
        curve.push((sum, known));
    }
    for (sums, &trees) in all_says.chunks_exact_mut(outputs).zip(&trees) {
        sums.iter_mut().for_each(|sum| *sum /= f64::from(trees));
    }
    Ok((all_says, trees, curve))
}

/// The most that a row can cost.
fn worst(forest: &Forest, target: Target<'_>) -> f64 {
    let Target::Numbers(numbers) = target else { return 1.0 };
    let values = forest.trees().iter().flat_map(|tree| &tree.value).chain(numbers);
    let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), &x| (low.min(x), high.max(x)));
    (high - low) * (high - low)
}

/// What the sums of so many trees cost a row.
fn error_of(target: Target<'_>, row: usize, sums: &[f64], trees: u32) -> f64 {
    match target {
        Target::Classes { codes, .. } => f64::from(u8::from(first_largest(sums) != codes[row] as usize)),
        Target::Numbers(numbers) => (sums[0] / f64::from(trees) - numbers[row]).powi(2),
    }
}
