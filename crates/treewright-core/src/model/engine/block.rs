//! A block of rows on its way through all trees.
//!
//! What must stay true: a row's sums receive the trees in their order, whichever form each of them goes by. A row that turns
//! out to be hard is put back to where it began and goes by the plain walk.

use super::cut_tree::CutTree;
use super::hops::{self, Hops};
use super::masks::{self, BLOCK, ENDS, Masks};
use super::plain;
use super::transpose;
use crate::data::strided::Floats;
use crate::data::survey::by_rows;
use crate::data::table::{Column, Table};
use crate::model::combine::{Combine, How, median};
use crate::model::forest::Forest;
#[cfg(target_arch = "x86_64")]
use crate::simd::Tier;
use crate::simd::{Isa, multiversion};
use std::ops::Range;

/// Trees of few ends whose words are added together.
const TOGETHER: usize = 8;

/// Room for a block, and what answers it.
pub(super) struct Block<'a> {
    forest: &'a Forest,
    hops: &'a Hops,
    masks: Option<&'a Masks>,
    trees: Range<usize>,
    isa: Isa,
    /// The columns that are read.
    read: Vec<u32>,
    /// `BLOCK` numbers a column; codes of categories as numbers. Empty before the first block that needs it.
    columns: Vec<f64>,
    /// The same for numbers of 32 bits, where a tier codes them faster; empty otherwise.
    singles: Vec<f32>,
    /// The rows of the table and the step between them, where they are numbers of 32 bits that lie together.
    matrix: Option<(&'a [f32], usize)>,
    bytes: Vec<u8>,
    /// Where each row ends in one tree.
    ends: Vec<u32>,
    /// Trees of few ends and one output whose words are not added yet, and where each row ends in them.
    pending: Range<usize>,
    few: Box<[[u8; BLOCK]; TOGETHER]>,
    easy: Vec<bool>,
    /// For a median: what each tree says of each row.
    says: Vec<f64>,
}

impl<'a> Block<'a> {
    pub fn new(
        forest: &'a Forest,
        hops: &'a Hops,
        masks: Option<&'a Masks>,
        trees: Range<usize>,
        table: &Table<'a>,
        isa: Isa,
    ) -> Block<'a> {
        let mut used = vec![false; forest.kinds().len()];
        for tree in trees.clone().filter(|&tree| masks.is_none_or(|masks| !masks.has(tree))) {
            hops.columns[tree].iter().for_each(|&column| used[column as usize] = true);
        }
        let by_hops = used.contains(&true);
        masks.into_iter().flat_map(Masks::columns).for_each(|&column| used[column as usize] = true);
        let median = if forest.combine().how == How::Median { trees.len() * BLOCK } else { 0 };
        let read: Vec<u32> = (0..used.len() as u32).filter(|&column| used[column as usize]).collect();
        let codes_singles = masks.is_some() && !by_hops && CutTree::suits(isa);
        Block {
            forest,
            hops,
            masks,
            trees,
            isa,
            columns: Vec::new(),
            singles: if codes_singles { vec![0.0; used.len() * BLOCK] } else { Vec::new() },
            matrix: if 2 * read.len() >= used.len() { rows_of_singles(table) } else { None },
            read,
            bytes: masks.map_or(Vec::new(), Masks::room),
            ends: vec![0; BLOCK],
            pending: 0..0,
            few: Box::new([[0; BLOCK]; TOGETHER]),
            easy: vec![true; BLOCK],
            says: vec![0.0; median],
        }
    }

    /// Adds what the trees say of the rows from `first` on: at most `BLOCK`, as many as there is room for.
    pub fn gather(&mut self, table: &Table<'_>, first: usize, sums: &mut [f64]) {
        let raw = self.forest.raw_outputs();
        let rows = sums.len() / raw;
        self.easy[..rows].fill(true);
        let before = sums.to_vec();
        let plain_numbers = self.code(table, first, rows);
        for tree in self.trees.clone() {
            self.one_tree(tree, plain_numbers, rows, sums);
        }
        self.add_few(rows, sums);
        if self.forest.combine().how == How::Median {
            self.take_medians(sums);
        }
        for row in (0..rows).filter(|&row| !self.easy[row]) {
            let sums = &mut sums[row * raw..(row + 1) * raw];
            sums.copy_from_slice(&before[row * raw..(row + 1) * raw]);
            plain(self.forest, table, &self.trees, first + row, sums);
        }
    }

    /// Reads the columns and writes their bytes; whether all are numbers and none is missing.
    fn code(&mut self, table: &Table<'_>, first: usize, rows: usize) -> bool {
        if let Some(masks) = self.masks.filter(|_| !self.singles.is_empty() && self.fill_singles(table, first, rows)) {
            masks.code_singles(self.isa, &self.singles, rows, &mut self.bytes);
            return true;
        }
        let plain_numbers = self.fill(table, first, rows);
        if let Some(masks) = self.masks {
            masks::code(self.isa, masks, &self.columns, rows, plain_numbers, &mut self.bytes, &mut self.easy[..rows]);
        }
        plain_numbers
    }

    fn one_tree(&mut self, tree: usize, no_missing: bool, rows: usize, sums: &mut [f64]) {
        let (combine, table) = (self.forest.combine(), &self.forest.trees()[tree]);
        let masks = self.masks.filter(|masks| masks.has(tree));
        // The common case: what the few ends say is looked up by their bytes.
        if let Some(masks) = masks.filter(|masks| masks.says(tree).is_some()) {
            if self.pending.len() == TOGETHER || self.pending.is_empty() {
                self.add_few(rows, sums);
                self.pending = tree..tree;
            }
            masks.ends(self.isa, tree, &self.bytes, &mut self.few[self.pending.len()]);
            self.pending.end += 1;
            return;
        }
        self.add_few(rows, sums);
        let ends = &mut self.ends[..rows];
        if let Some(masks) = masks {
            let (mut at, leaves) = ([0; BLOCK], masks.leaves(tree));
            masks.ends(self.isa, tree, &self.bytes, &mut at);
            ends.iter_mut().zip(at).for_each(|(end, at)| *end = leaves[at as usize]);
        } else {
            let easy = &mut self.easy[..rows];
            hops::ends(self.isa, self.hops, tree, &self.columns, BLOCK, no_missing, ends, easy);
        }
        if combine.how == How::Median {
            let (count, i) = (self.trees.len(), tree - self.trees.start);
            let says = self.says.chunks_exact_mut(count).zip(ends);
            says.for_each(|(says, end)| says[i] = table.value[*end as usize]);
        } else {
            add(self.isa, combine, tree, &table.value, table.outputs, ends, sums);
        }
    }

    /// Adds what the pending trees say, in their order.
    fn add_few(&mut self, rows: usize, sums: &mut [f64]) {
        let (combine, pending) = (self.forest.combine(), std::mem::take(&mut self.pending));
        let raw = combine.raw_outputs(1);
        let says = |tree: usize| self.masks.and_then(|masks| masks.says(tree)).unwrap_or(&[0.0; ENDS]);
        #[cfg(target_arch = "x86_64")]
        if self.isa.tier() == Tier::Avx512
            && raw == 1
            && pending.clone().all(|tree| self.masks.is_some_and(|masks| masks.leaves(tree).len() <= avx512::ENDS))
        {
            for (tree, ends) in pending.zip(self.few.iter()) {
                // SAFETY: an `Isa` of this tier exists only where the processor has these instructions.
                unsafe { avx512::add(says(tree), &ends[..rows], sums) };
            }
            return;
        }
        if raw == 1 && pending.len() == TOGETHER {
            return add_together(std::array::from_fn(|i| says(pending.start + i)), &self.few, sums);
        }
        for (tree, ends) in pending.zip(self.few.iter()) {
            let (says, target) = (says(tree), combine.targets.get(tree).map_or(0, |&target| target as usize));
            let sums = sums.iter_mut().skip(target).step_by(raw);
            sums.zip(&ends[..rows]).for_each(|(sum, &end)| *sum += says[usize::from(end) % ENDS]);
        }
    }

    fn take_medians(&self, sums: &mut [f64]) {
        let mut all = Vec::new();
        for (sum, says) in sums.iter_mut().zip(self.says.chunks_exact(self.trees.len())) {
            all.clear();
            all.extend(
                says.iter().zip(self.trees.clone()).map(|(&says, tree)| (says, self.forest.combine().scale(tree))),
            );
            *sum = median(&mut all);
        }
    }

    /// Reads numbers of 32 bits; false where there are others, or one is not finite.
    fn fill_singles(&mut self, table: &Table<'_>, first: usize, rows: usize) -> bool {
        if let Some((values, step)) = self.matrix.filter(|_| rows >= transpose::SIDE) {
            return transpose::columns_of(self.isa, &values[first * step..], step, rows, BLOCK, &mut self.singles);
        }
        self.read.iter().all(|&column| {
            let Column::Strided(strided) = table.columns()[column as usize] else { return false };
            let (Floats::Single(values), start, step) = strided.parts() else { return false };
            let to = &mut self.singles[column as usize * BLOCK..][..rows];
            copy(values, start, step, first, to);
            to.iter().fold(true, |all, x| all & x.is_finite())
        })
    }

    /// Reads the columns; whether all are numbers and none is missing.
    fn fill(&mut self, table: &Table<'_>, first: usize, rows: usize) -> bool {
        let mut plain = true;
        if self.columns.is_empty() {
            self.columns = vec![0.0; self.forest.kinds().len() * BLOCK];
        }
        for &column in &self.read {
            let to = &mut self.columns[column as usize * BLOCK..][..rows];
            match table.columns()[column as usize] {
                Column::Numeric(values) => to.copy_from_slice(&values[first..first + rows]),
                Column::Sparse(sparse) => sparse.fill(first, to),
                Column::Categorical { codes, .. } => {
                    to.iter_mut().zip(&codes[first..first + rows]).for_each(|(to, &code)| *to = f64::from(code));
                    continue;
                }
                Column::Strided(strided) => match strided.parts() {
                    (Floats::Single(values), start, step) => copy(values, start, step, first, to),
                    (Floats::Double(values), start, step) => copy(values, start, step, first, to),
                },
            }
            plain &= !to.iter().fold(false, |any, x| any | x.is_nan());
        }
        plain
    }
}

/// The numbers from the first row on, and the step to the next, where all are of 32 bits and those of a row lie together.
fn rows_of_singles<'a>(table: &Table<'a>) -> Option<(&'a [f32], usize)> {
    match by_rows(&table.strided()?)? {
        (Floats::Single(values), step) if table.columns().len() >= transpose::SIDE => Some((values, step)),
        _ => None,
    }
}

/// Every `step`-th number from row `first` on. The places were checked when the column was made.
fn copy<T: Copy + Into<U>, U>(values: &[T], start: usize, step: isize, first: usize, to: &mut [U]) {
    let begin = start.wrapping_add_signed(step.wrapping_mul(first as isize));
    if step > 0 {
        let from = values[begin..].iter().step_by(step as usize);
        to.iter_mut().zip(from).for_each(|(to, &x)| *to = x.into());
    } else {
        let place = |row: usize| begin.wrapping_add_signed(step.wrapping_mul(row as isize));
        to.iter_mut().enumerate().for_each(|(row, to)| *to = values[place(row)].into());
    }
}

multiversion! {
    /// Adds what a tree says at each row's end to the row's sums.
    fn add(combine: &Combine, tree: usize, values: &[f64], outputs: usize, ends: &[u32], sums: &mut [f64]) {
        let scale = combine.scale(tree);
        let raw = combine.raw_outputs(outputs);
        if combine.how == How::Vote {
            for (sums, &end) in sums.chunks_exact_mut(raw).zip(ends) {
                combine.vote(tree, &values[end as usize * outputs..][..outputs], sums);
            }
        } else if outputs == 1 {
            let target = combine.targets.get(tree).map_or(0, |&target| target as usize);
            for (sums, &end) in sums.chunks_exact_mut(raw).zip(ends) {
                sums[target] += scale * values[end as usize];
            }
        } else {
            for (sums, &end) in sums.chunks_exact_mut(raw).zip(ends) {
                let says = &values[end as usize * outputs..][..outputs];
                sums.iter_mut().zip(says).for_each(|(sum, says)| *sum += scale * says);
            }
        }
    }
}

/// Adds what some trees say at each row's ends to its one sum, which stays in a register. Without the instructions of a tier:
/// a processor reads eight numbers faster than it gathers them. The remainder spares a check.
fn add_together(says: [&[f64; ENDS]; TOGETHER], few: &[[u8; BLOCK]; TOGETHER], sums: &mut [f64]) {
    for (row, sum) in sums.iter_mut().take(BLOCK).enumerate() {
        for i in 0..TOGETHER {
            *sum += says[i][usize::from(few[i][row]) % ENDS];
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::{
        _mm_loadl_epi64, _mm512_add_pd, _mm512_cvtepu8_epi64, _mm512_loadu_pd, _mm512_mask_blend_pd,
        _mm512_permutex2var_pd, _mm512_set1_epi64, _mm512_storeu_pd, _mm512_test_epi64_mask,
    };

    /// Most ends whose numbers fit four registers.
    pub const ENDS: usize = 32;
    const LANES: usize = 8;

    /// Adds what one tree says to one sum a row, looked up in registers. Ends are below [`ENDS`].
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    pub fn add(says: &[f64; super::ENDS], ends: &[u8], sums: &mut [f64]) {
        // SAFETY: so many numbers are there.
        let says_of = |part: usize| unsafe { _mm512_loadu_pd(says[part * LANES..][..LANES].as_ptr()) };
        let [a, b, c, d] = [says_of(0), says_of(1), says_of(2), says_of(3)];
        let upper = _mm512_set1_epi64(ENDS as i64 / 2);
        let (eights, rest) = ends.as_chunks::<LANES>();
        let (sums, last) = sums.split_at_mut(eights.len() * LANES);
        for (ends, sums) in eights.iter().zip(sums.as_chunks_mut::<LANES>().0) {
            // SAFETY: eight bytes and eight numbers are there.
            unsafe {
                let ends = _mm512_cvtepu8_epi64(_mm_loadl_epi64(ends.as_ptr().cast()));
                let (low, high) = (_mm512_permutex2var_pd(a, ends, b), _mm512_permutex2var_pd(c, ends, d));
                let says = _mm512_mask_blend_pd(_mm512_test_epi64_mask(ends, upper), low, high);
                _mm512_storeu_pd(sums.as_mut_ptr(), _mm512_add_pd(_mm512_loadu_pd(sums.as_ptr()), says));
            }
        }
        last.iter_mut().zip(rest).for_each(|(sum, &end)| *sum += says[usize::from(end) % super::ENDS]);
    }
}
