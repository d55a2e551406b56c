//! Sums for every pair of columns of a set of groups.

use super::attributes::{Attribute, Attributes};
use super::sample::{Group, Sample};
use crate::limits::Limits;
use treewright_core::Result;
use treewright_core::prelude::{Isa, Tier};

/// Lists of columns are padded to a multiple of this.
const LANES: usize = 8;

/// Sums over the groups that have a one in two columns, or in one.
#[derive(Debug, Default)]
pub struct Pairs {
    /// The length of a row.
    pub stride: usize,
    /// The sums of the numbers, for each pair.
    pub sum: Vec<f64>,
    /// The sums of the weights.
    pub weight: Vec<f64>,
    /// The numbers of rows; only where leaves have a least size.
    pub rows: Vec<f64>,
    /// Everything.
    pub total: Group,
    room: CountRoom,
}

/// What counting uses again.
#[derive(Debug, Default)]
struct CountRoom {
    /// The pattern of each group of the list, attribute after attribute.
    patterns: Vec<u8>,
    narrow: CellRoom<2>,
    wide: CellRoom<4>,
}

/// Cells hold sum and weight, or these, the rows, and room that makes them a register.
#[derive(Debug)]
struct CellRoom<const N: usize> {
    values: Vec<[f64; N]>,
    cells: Vec<[f64; N]>,
    by_column: Vec<[f64; N]>,
}

impl<const N: usize> Default for CellRoom<N> {
    fn default() -> Self {
        CellRoom { values: Vec::new(), cells: Vec::new(), by_column: Vec::new() }
    }
}

impl Pairs {
    /// Counts the groups of a list. False: stopped before.
    pub fn count(
        &mut self,
        isa: Isa,
        sample: &Sample,
        attributes: &Attributes,
        list: &[u32],
        limits: &Limits<'_>,
    ) -> Result<bool> {
        let columns = sample.columns();
        self.stride = columns.next_multiple_of(LANES);
        let with_rows = sample.min_leaf > 1.0;
        for (list, is_used) in [(&mut self.sum, true), (&mut self.weight, true), (&mut self.rows, with_rows)] {
            let length = if is_used { columns * self.stride } else { 0 };
            list.try_reserve(length.saturating_sub(list.len()))?;
            list.resize(length, 0.0);
        }
        self.total = sample.total(list);
        if !with_rows {
            self.total.rows = self.total.weight;
        }
        let mut room = std::mem::take(&mut self.room);
        room.patterns.clear();
        for patterns in attributes.patterns.chunks_exact(sample.groups.len()) {
            room.patterns.extend(list.iter().map(|&group| patterns[group as usize]));
        }
        let groups = list.iter().map(|&group| &sample.groups[group as usize]);
        room.wide.values.clear();
        room.narrow.values.clear();
        match with_rows {
            true => room.wide.values.extend(groups.map(|group| [group.sum, group.weight, group.rows, 0.0])),
            false => room.narrow.values.extend(groups.map(|group| [group.sum, group.weight])),
        }
        let mut stopped = false;
        for first in 0..attributes.list.len() {
            stopped = limits.look();
            if stopped {
                break;
            }
            match with_rows {
                true => count_cells(isa, attributes, first, &room.patterns, &mut room.wide, self),
                false => count_cells(isa, attributes, first, &room.patterns, &mut room.narrow, self),
            }
        }
        self.room = room;
        Ok(!stopped)
    }

    #[inline(always)]
    fn set<const N: usize>(&mut self, i: usize, j: usize, cell: [f64; N]) {
        for place in [i * self.stride + j, j * self.stride + i] {
            (self.sum[place], self.weight[place]) = (cell[0], cell[1]);
            if N > 2 {
                self.rows[place] = cell[2];
            }
        }
    }

    /// The columns that are not constant; of those that divide the groups alike, the first.
    pub fn distinct_columns(&self, columns: usize) -> Vec<usize> {
        let sizes = if self.rows.is_empty() { &self.weight } else { &self.rows };
        let own: Vec<f64> = (0..columns).map(|j| sizes[j * self.stride + j]).collect();
        let total = self.total.rows;
        let mut live: Vec<usize> = Vec::new();
        for j in 0..columns {
            let is_alike = |&i: &usize| {
                let both = sizes[i * self.stride + j];
                both == own[i] && both == own[j] || both == 0.0 && own[i] + own[j] == total
            };
            if own[j] > 0.0 && own[j] < total && !live.iter().any(is_alike) {
                live.push(j);
            }
        }
        live
    }

    /// The sums over the groups that have a one in a column. Where leaves have no least size, a weight is as good as a
    /// number of rows.
    #[inline(always)]
    pub fn column(&self, j: usize) -> Group {
        let place = j * self.stride + j;
        let rows = if self.rows.is_empty() { &self.weight } else { &self.rows };
        Group { sum: self.sum[place], weight: self.weight[place], rows: rows[place], key: [0; 2] }
    }
}

fn count_cells<const N: usize>(
    isa: Isa,
    attributes: &Attributes,
    first: usize,
    patterns: &[u8],
    room: &mut CellRoom<N>,
    pairs: &mut Pairs,
) {
    match isa.tier() {
        // SAFETY: an `Isa` of these tiers exists only where the processor has these instructions.
        #[cfg(target_arch = "x86_64")]
        Tier::Avx512 | Tier::Avx2 => unsafe { count_cells_avx2(attributes, first, patterns, room, pairs) },
        _ => count_cells_portable(attributes, first, patterns, room, pairs),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn count_cells_avx2<const N: usize>(
    attributes: &Attributes,
    first: usize,
    patterns: &[u8],
    room: &mut CellRoom<N>,
    pairs: &mut Pairs,
) {
    count_cells_portable(attributes, first, patterns, room, pairs);
}

/// Fills the cells of an attribute with itself and with one after the other of those behind it.
#[inline(always)]
fn count_cells_portable<const N: usize>(
    attributes: &Attributes,
    i: usize,
    patterns: &[u8],
    room: &mut CellRoom<N>,
    pairs: &mut Pairs,
) {
    let count = room.values.len();
    let own = |attribute: usize| &patterns[attribute * count..(attribute + 1) * count];
    let first = &attributes.list[i];
    for (j, second) in attributes.list.iter().enumerate().skip(i) {
        room.cells.clear();
        room.cells.resize(first.patterns * second.patterns, [0.0; N]);
        for ((&first, &other), value) in own(i).iter().zip(own(j)).zip(&room.values) {
            add(&mut room.cells[usize::from(first) * second.patterns + usize::from(other)], value, 1.0);
        }
        match first.is_simple && second.is_simple {
            true => sum_simple_cells(first, second, room, pairs),
            false => sum_cells(first, second, room, pairs),
        }
    }
}

/// From the cells of a pair of attributes to the pairs of their columns, where each column adds one pattern.
#[inline(always)]
fn sum_simple_cells<const N: usize>(first: &Attribute, second: &Attribute, room: &mut CellRoom<N>, pairs: &mut Pairs) {
    let row = second.patterns;
    let sums = &mut room.by_column;
    sums.clear();
    sums.resize(row, [0.0; N]);
    for ((&kept, &i), cells) in first.keeps.iter().zip(&first.columns).zip(room.cells.chunks_exact(row)) {
        for (sum, cell) in sums.iter_mut().zip(cells) {
            for k in 0..N {
                sum[k] = kept * sum[k] + cell[k];
            }
        }
        let mut sum = [0.0; N];
        for ((&kept, &j), cell) in second.keeps.iter().zip(&second.columns).zip(&*sums) {
            for k in 0..N {
                sum[k] = kept * sum[k] + cell[k];
            }
            pairs.set(i, j, sum);
        }
    }
}

/// From the cells of a pair of attributes to the pairs of their columns.
#[inline(always)]
fn sum_cells<const N: usize>(first: &Attribute, second: &Attribute, room: &mut CellRoom<N>, pairs: &mut Pairs) {
    let row = second.patterns;
    room.by_column.clear();
    for recipe in &first.recipes {
        let place = room.by_column.len();
        if recipe.after_last {
            room.by_column.extend_from_within(place - row..);
        } else {
            room.by_column.resize(place + row, [0.0; N]);
        }
        let sums = &mut room.by_column[place..];
        for (patterns, sign) in [(&recipe.add, 1.0), (&recipe.remove, -1.0)] {
            for &pattern in patterns {
                let cells = &room.cells[usize::from(pattern) * row..][..row];
                sums.iter_mut().zip(cells).for_each(|(sum, cell)| add(sum, cell, sign));
            }
        }
    }
    for (&i, cells) in first.columns.iter().zip(room.by_column.chunks_exact(row)) {
        let mut sum = [0.0; N];
        for (recipe, &j) in second.recipes.iter().zip(&second.columns) {
            if !recipe.after_last {
                sum = [0.0; N];
            }
            for (patterns, sign) in [(&recipe.add, 1.0), (&recipe.remove, -1.0)] {
                for &pattern in patterns {
                    add(&mut sum, &cells[usize::from(pattern)], sign);
                }
            }
            pairs.set(i, j, sum);
        }
    }
}

#[inline(always)]
fn add<const N: usize>(sum: &mut [f64; N], cell: &[f64; N], sign: f64) {
    for k in 0..N {
        sum[k] += sign * cell[k];
    }
}
