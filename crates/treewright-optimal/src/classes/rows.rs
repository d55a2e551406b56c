//! The rows of a problem as the search sees them: only columns that differ, rows sorted by class and weight, rows that
//! cancel each other left out.

use super::key_sums::KeySums;
use super::lanes::{PAD, WORD};
use super::packing::{Picker, transpose};
use super::sides::Part;
use super::table::{Key, scramble};
use crate::bits::BitMatrix;
use crate::problem::Problem;
use treewright_core::Result;
use treewright_core::prelude::Isa;

/// The rows of a problem. A weight is the sum of powers of two: a row of weight 5 is held twice, with 1 and with 4.
#[derive(Debug)]
pub struct Rows {
    /// The bits of each row.
    pub bits: BitMatrix,
    /// The column of the problem for each column here.
    pub columns: Vec<u32>,
    /// Runs of rows of the same class and weight: where each ends, and what they are.
    pub runs: Vec<(u32, Part)>,
    /// The key of each row.
    pub keys: Vec<Key>,
    /// The weight that every tree misclassifies, on rows that were left out.
    pub base: i32,
    /// The number of classes, at least 2.
    pub classes: usize,
}

/// A row to be held: where its bits are, its class, and its weight.
struct Held {
    row: u32,
    class: u32,
    weight: u32,
}

impl Rows {
    /// Takes the rows of a problem with classes.
    pub fn new(problem: &Problem<'_>, bits: &BitMatrix, codes: &[u32], classes: usize, isa: Isa) -> Result<Rows> {
        let columns = distinct_columns(bits, isa);
        let packed = pick_columns(bits, &columns, isa)?;
        let mut held: Vec<Held> = (0..codes.len())
            .map(|row| Held { row: row as u32, class: codes[row], weight: problem.weight(row) })
            .filter(|held| held.weight > 0)
            .collect();
        let classes = classes.max(2);
        let mut base = 0;
        if problem.min_leaf <= 1 {
            (held, base) = merge_equal(&packed, held, classes);
        }
        Rows::arrange(&packed, columns, &held, classes, base)
    }

    /// Sorts the rows into runs.
    fn arrange(packed: &BitMatrix, columns: Vec<u32>, held: &[Held], classes: usize, base: i32) -> Result<Rows> {
        // One bucket for each class, power of two, and whether the row was held before.
        let buckets = |own: &Held| {
            let (class, mut left, lowest) = (own.class as usize, own.weight, own.weight.trailing_zeros());
            std::iter::from_fn(move || {
                let shift = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some((class * 32 + shift as usize) * 2 + usize::from(shift != lowest))
            })
        };
        let mut starts = vec![0u32; classes * 64 + 1];
        for bucket in held.iter().flat_map(buckets) {
            starts[bucket + 1] += 1;
        }
        let mut runs: Vec<(u32, Part)> = Vec::new();
        for bucket in 0..classes * 64 {
            let count = starts[bucket + 1];
            starts[bucket + 1] += starts[bucket];
            if count > 0 {
                let (class, shift) = (bucket / 64, (bucket / 2 % 32) as u32);
                runs.push((starts[bucket + 1], Part { class, shift, counted: bucket % 2 == 0, rows: 0 }));
            }
        }
        let total = starts[classes * 64] as usize;
        let mut bits = BitMatrix::zeros(total, packed.columns())?;
        for own in held {
            for bucket in buckets(own) {
                bits.row_mut(starts[bucket] as usize).copy_from_slice(packed.row(own.row as usize));
                starts[bucket] += 1;
            }
        }
        let keys = (0..total).map(Key::of_row).collect();
        Ok(Rows { bits, columns, runs, keys, base, classes })
    }

    /// All rows.
    pub fn all(&self) -> Vec<u32> {
        (0..self.keys.len() as u32).collect()
    }

    /// How many of these rows belong to each run. The rows are sorted.
    pub fn parts(&self, rows: &[u32], parts: &mut Vec<Part>) {
        parts.clear();
        let mut first = 0;
        for &(end, part) in &self.runs {
            let last = first + rows[first..].partition_point(|&row| row < end);
            if last > first {
                parts.push(Part { rows: last - first, ..part });
            }
            first = last;
        }
    }

    /// The key of a set of rows.
    pub fn key(&self, rows: &[u32]) -> Key {
        rows.iter().fold(Key::default(), |sum, &row| sum.with(self.keys[row as usize]))
    }

    /// The rows with a zero and those with a one.
    pub fn divide(&self, rows: &[u32], column: usize) -> [Vec<u32>; 2] {
        let mut sides = [Vec::with_capacity(rows.len()), Vec::with_capacity(rows.len())];
        let (zeros, ones) = sides.split_at_mut(1);
        let (zeros, ones) = (zeros[0].spare_capacity_mut(), ones[0].spare_capacity_mut());
        let (mut zero_count, mut one_count) = (0, 0);
        for &row in rows {
            let one = self.bits.get(row as usize, column);
            zeros[zero_count].write(row);
            ones[one_count].write(row);
            zero_count += usize::from(!one);
            one_count += usize::from(one);
        }
        // SAFETY: so many numbers were written.
        unsafe {
            sides[0].set_len(zero_count);
            sides[1].set_len(one_count);
        }
        sides
    }
}

/// The columns that divide the rows each in its own way: the first of each that are equal or complementary, and none that
/// is constant.
fn distinct_columns(bits: &BitMatrix, isa: Isa) -> Vec<u32> {
    let keys: Vec<Key> = (0..bits.rows()).map(Key::of_row).collect();
    let rows: Vec<u32> = (0..bits.rows() as u32).collect();
    let mut sums = KeySums::default();
    sums.fill(isa, bits, &keys, &rows);
    let all = keys.iter().fold(Key::default(), |sum, &key| sum.with(key));
    let mut order: Vec<(Key, u32)> = (0..bits.columns())
        .map(|column| (sums.get(column).min(all.without(sums.get(column))), column as u32))
        .collect();
    order.sort_unstable();
    let words = std::cell::LazyCell::new(|| ColumnWords::new(bits, &rows, isa));
    // Equal keys are a sign only: the columns themselves decide.
    let mut distinct: Vec<(Key, u32)> = Vec::new();
    for (key, column) in order {
        let mut like = distinct.iter().rev().take_while(|(other, _)| *other == key);
        let is_new = !like.any(|&(_, other)| words.divide_alike(column as usize, Some(other as usize)));
        if is_new && !(key == Key::default() && words.divide_alike(column as usize, None)) {
            distinct.push((key, column));
        }
    }
    let mut columns: Vec<u32> = distinct.into_iter().map(|(_, column)| column).collect();
    columns.sort_unstable();
    columns
}

/// All columns as words of 16 rows, to compare them.
struct ColumnWords {
    words: Vec<u16>,
    width: usize,
    rows: usize,
}

impl ColumnWords {
    fn new(bits: &BitMatrix, rows: &[u32], isa: Isa) -> ColumnWords {
        let width = bits.columns().next_multiple_of(PAD);
        let mut words = vec![0; rows.len().div_ceil(WORD) * width];
        // SAFETY: all rows are there, and so is room for their words.
        unsafe { transpose(isa, bits.words(), bits.row_words(), rows, width, &mut words) };
        ColumnWords { words, width, rows: rows.len() }
    }

    /// Whether two columns are equal in all rows or different in all rows; the second may be a column of zeros.
    fn divide_alike(&self, column: usize, other: Option<usize>) -> bool {
        let (mut equal, mut opposite) = (true, true);
        for (place, words) in self.words.chunks_exact(self.width.max(1)).enumerate() {
            let used = ((1u32 << (self.rows - place * WORD).min(WORD)) - 1) as u16;
            let differs = words[column] ^ other.map_or(0, |other| words[other]);
            equal &= differs == 0;
            opposite &= differs == used;
            if !equal && !opposite {
                return false;
            }
        }
        true
    }
}

fn pick_columns(bits: &BitMatrix, columns: &[u32], isa: Isa) -> Result<BitMatrix> {
    if columns.len() == bits.columns() {
        return Ok(bits.clone());
    }
    let mut packed = BitMatrix::zeros(bits.rows(), columns.len())?;
    let width = packed.row_words();
    if width > 0 {
        let mut picker = Picker::default();
        picker.set(columns, bits.row_words());
        picker.pick_rows(isa, (0..bits.rows()).map(|row| bits.row(row)), width, packed.words_mut());
    }
    Ok(packed)
}

/// Adds up equal rows: with two classes only the difference of their weights is left, and the smaller weight is an error
/// of every tree. Rows are merged where that leaves at most half of them; otherwise rows of weight 1 stay single.
fn merge_equal(bits: &BitMatrix, held: Vec<Held>, classes: usize) -> (Vec<Held>, i32) {
    let group = group_equal(bits, &held);
    let groups = group.iter().copied().max().map_or(0, |last| last as usize + 1);
    let weighted = held.iter().any(|own| own.weight != 1);
    if classes == 2 {
        return cancel_opposites(held, &group, groups, weighted);
    }
    let mut first: Vec<u32> = vec![u32::MAX; groups * classes];
    let mut merged: Vec<Held> = Vec::new();
    for (own, &group) in held.iter().zip(&group) {
        let place = &mut first[group as usize * classes + own.class as usize];
        if *place == u32::MAX {
            *place = merged.len() as u32;
            merged.push(Held { ..*own });
        } else {
            merged[*place as usize].weight += own.weight;
        }
    }
    if weighted || 2 * merged.len() <= held.len() { (merged, 0) } else { (held, 0) }
}

fn cancel_opposites(held: Vec<Held>, group: &[u32], groups: usize, weighted: bool) -> (Vec<Held>, i32) {
    let mut weights = vec![[0u32; 2]; groups];
    for (own, &group) in held.iter().zip(group) {
        weights[group as usize][own.class as usize] += own.weight;
    }
    let base: u32 = weights.iter().map(|[a, b]| a.min(b)).sum();
    let mut left = weights.iter().map(|[a, b]| a.abs_diff(*b)).collect::<Vec<u32>>();
    let merges = weighted || 2 * left.iter().filter(|&&weight| weight > 0).count() <= held.len();
    let mut remaining = Vec::with_capacity(held.len());
    for (own, &group) in held.iter().zip(group) {
        let [a, b] = weights[group as usize];
        let left = &mut left[group as usize];
        if *left > 0 && own.class == u32::from(b > a) {
            let weight = if merges { *left } else { 1 };
            remaining.push(Held { weight, ..*own });
            *left -= weight;
        }
    }
    (remaining, base as i32)
}

/// The number of the group of equal rows that each row belongs to, in the order of their first rows.
fn group_equal(bits: &BitMatrix, held: &[Held]) -> Vec<u32> {
    let size = (2 * held.len()).next_power_of_two();
    let mut slots = vec![u32::MAX; size];
    let mut groups: Vec<u32> = Vec::with_capacity(held.len());
    let mut next = 0;
    for own in held {
        let row = bits.row(own.row as usize);
        let mut place = row.iter().fold(0, |hash: u64, &word| scramble(hash ^ word)) as usize & (size - 1);
        loop {
            let other = slots[place];
            if other == u32::MAX {
                slots[place] = groups.len() as u32;
                groups.push(next);
                next += 1;
                break;
            }
            if bits.row(held[other as usize].row as usize) == row {
                groups.push(groups[other as usize]);
                break;
            }
            place = (place + 1) & (size - 1);
        }
    }
    groups
}
