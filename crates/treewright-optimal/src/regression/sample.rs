//! The rows of a regression: equal rows as one, their sums as whole numbers.

use crate::bits::BitMatrix;
use crate::problem::{Problem, Target};
use treewright_core::prelude::memory;
use treewright_core::{Error, Result};

/// Sums stay below this, so that they are exact in a `f64`, in any order.
const EXACT: f64 = (1u64 << 52) as f64;

/// Rows that no column tells apart. Numbers are differences from the center, in whole steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Group {
    /// The sum of the weighted numbers: a whole number.
    pub sum: f64,
    /// The sum of the weights.
    pub weight: f64,
    /// The number of rows.
    pub rows: f64,
    /// A key of 128 bits; those of a set add up to its key.
    pub key: [u64; 2],
}

impl Group {
    /// Adds another group to this one.
    #[inline(always)]
    pub fn add(&mut self, other: &Group) {
        self.sum += other.sum;
        self.weight += other.weight;
        self.rows += other.rows;
        self.key[0] = self.key[0].wrapping_add(other.key[0]);
        self.key[1] = self.key[1].wrapping_add(other.key[1]);
    }

    /// What one leaf explains: the sum of squares of the numbers less that of their distances from the mean.
    #[inline(always)]
    pub fn explained(&self) -> f64 {
        if self.weight > 0.0 { self.sum * self.sum / self.weight } else { 0.0 }
    }
}

/// A table of groups, by ascending mean.
pub struct Sample {
    /// The groups.
    pub groups: Vec<Group>,
    /// The columns that tell groups apart, no two alike: column `names[j]` of the caller.
    pub names: Vec<usize>,
    /// Words of a row of `bits`.
    pub width: usize,
    /// The bits of each group, group after group.
    pub bits: Vec<u64>,
    /// The sum of squares of all numbers, in squared steps.
    pub squares: f64,
    /// The length of a step.
    pub step: f64,
    /// The center.
    pub center: f64,
    /// What a leaf costs, in squared steps.
    pub leaf: f64,
    /// The fewest rows of a leaf.
    pub min_leaf: f64,
    /// Differences of costs up to this count as none.
    pub tolerance: f64,
}

impl Sample {
    /// The groups of a problem's rows.
    pub fn new(problem: &Problem<'_>, matrix: &BitMatrix) -> Result<Sample> {
        let Target::Numbers(numbers) = problem.target else {
            return Err(Error::data("data.target", "a regression tree predicts numbers"));
        };
        let used: Vec<usize> = memory::collected((0..numbers.len()).filter(|&row| problem.weight(row) > 0))?;
        let (center, step) = choose_steps(problem, used.iter().map(|&row| numbers[row]));
        let names = distinct_columns(matrix, &used)?;
        let width = names.len().div_ceil(64).max(1);
        let mut sample = Sample {
            groups: Vec::new(),
            names,
            width,
            bits: Vec::new(),
            squares: 0.0,
            step,
            center,
            leaf: problem.leaf_cost / step / step,
            min_leaf: problem.min_leaf.max(1) as f64,
            tolerance: 0.0,
        };
        let steps: Vec<i64> =
            memory::collected(numbers.iter().map(|number| ((number - center) / step).round() as i64))?;
        let square = |&row: &usize| i128::from(problem.weight(row)) * i128::from(steps[row]).pow(2);
        sample.squares = used.iter().map(square).sum::<i128>() as f64;
        sample.tolerance = 1e-10 * sample.squares;
        sample.add_groups(problem, matrix, &steps, used)?;
        Ok(sample)
    }

    /// Sorts the rows by their bits, and the groups of equal ones by their mean.
    fn add_groups(
        &mut self,
        problem: &Problem<'_>,
        matrix: &BitMatrix,
        steps: &[i64],
        mut rows: Vec<usize>,
    ) -> Result<()> {
        let mut packed = memory::filled(0u64, steps.len() * self.width)?;
        for (row, words) in packed.chunks_exact_mut(self.width).enumerate() {
            for (j, &name) in self.names.iter().enumerate() {
                words[j / 64] |= u64::from(matrix.get(row, name)) << (j % 64);
            }
        }
        let words_of = |row: usize| &packed[row * self.width..(row + 1) * self.width];
        rows.sort_by(|&a, &b| words_of(a).cmp(words_of(b)).then(a.cmp(&b)));
        let mut groups: Vec<(Group, usize)> = Vec::new();
        for row in rows {
            let weight = f64::from(problem.weight(row));
            let key = [0, 1].map(|half| mix(2 * row as u64 + half));
            let own = Group { sum: weight * steps[row] as f64, weight, rows: 1.0, key };
            match groups.last_mut() {
                Some((group, first)) if words_of(*first) == words_of(row) => group.add(&own),
                _ => groups.push((own, row)),
            }
        }
        let mean = |group: &Group| if group.weight > 0.0 { group.sum / group.weight } else { 0.0 };
        groups.sort_by(|a, b| mean(&a.0).total_cmp(&mean(&b.0)).then(a.1.cmp(&b.1)));
        self.bits = memory::collected(groups.iter().flat_map(|&(_, row)| words_of(row).iter().copied()))?;
        self.groups = memory::collected(groups.into_iter().map(|(group, _)| group))?;
        Ok(())
    }

    /// Some groups with some columns; `names` are columns of this sample.
    pub fn restrict(&self, list: &[u32], names: Vec<usize>) -> Result<Sample> {
        let width = names.len().div_ceil(64).max(1);
        let mut bits = memory::filled(0u64, list.len() * width)?;
        for (words, &group) in bits.chunks_exact_mut(width).zip(list) {
            for (j, &name) in names.iter().enumerate() {
                words[j / 64] |= u64::from(self.bit(group, name)) << (j % 64);
            }
        }
        let groups = memory::collected(list.iter().map(|&group| self.groups[group as usize]))?;
        Ok(Sample { groups, names, width, bits, ..*self })
    }

    /// The groups of a list without a one in a column, and those with one.
    pub fn divide(&self, list: &[u32], column: usize) -> [Vec<u32>; 2] {
        let mut sides = [(); 2].map(|()| Vec::with_capacity(list.len()));
        for &group in list {
            sides[usize::from(self.bit(group, column))].push(group);
        }
        sides
    }

    /// Whether a group has a one in a column.
    #[inline(always)]
    pub fn bit(&self, group: u32, column: usize) -> bool {
        self.bits[group as usize * self.width + column / 64] >> (column % 64) & 1 == 1
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.names.len()
    }

    /// All groups of a list together.
    pub fn total(&self, list: &[u32]) -> Group {
        let mut total = Group::default();
        list.iter().for_each(|&group| total.add(&self.groups[group as usize]));
        total
    }

    /// A cost in squared steps in squared units of the target.
    pub fn in_units(&self, cost: f64) -> f64 {
        cost * self.step * self.step
    }

    /// The mean of a group in units of the target.
    pub fn mean(&self, group: &Group) -> f64 {
        if group.weight > 0.0 { self.center + group.sum / group.weight * self.step } else { self.center }
    }
}

/// A center among the numbers, and the length of a step: a power of two, so small that rounding to whole steps changes
/// next to nothing, and so large that sums of steps are exact.
fn choose_steps(problem: &Problem<'_>, numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let (least, most) = numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
    let reach = most / 2.0 - least / 2.0;
    if reach <= 0.0 {
        return (if least.is_finite() { least } else { 0.0 }, 1.0);
    }
    let weight = problem.total_weight().max(1) as f64;
    let step = (reach / EXACT * weight).max(f64::MIN_POSITIVE);
    let step = 2f64.powi(step.log2().ceil() as i32 + 1);
    let middle = least / 2.0 + most / 2.0;
    // On the grid of the steps, whole numbers stay whole.
    let center = (middle / step).round() * step;
    (if center.is_finite() { center } else { middle }, step)
}

/// The columns that are not constant; of equal or opposite ones, the first.
fn distinct_columns(matrix: &BitMatrix, used: &[usize]) -> Result<Vec<usize>> {
    let mut seen = std::collections::HashSet::new();
    let mut names = Vec::new();
    for column in 0..if used.is_empty() { 0 } else { matrix.columns() } {
        let mut bits = memory::filled(0u64, used.len().div_ceil(64))?;
        // Turned so that the first row has a 0: equal and opposite columns look alike.
        let turned = matrix.get(used[0], column);
        for (i, &row) in used.iter().enumerate() {
            bits[i / 64] |= u64::from(matrix.get(row, column) != turned) << (i % 64);
        }
        if bits.iter().any(|&word| word != 0) && seen.insert(bits) {
            names.push(column);
        }
    }
    Ok(names)
}

/// A number whose bits look random.
fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
