//! The inner loops: counts of all pairs of columns, and the best two-level trees of two sets of rows at once.
//!
//! For each candidate root j (a lane) and each column i below it, the common count of i and j in the smaller set is
//! counted; in the larger set it follows from the count of the whole node. From the common count follow all four leaves
//! of i below j = 1 and below j = 0.
//!
//! Loops over registers use indices: an iterator or a closure that is not inlined is compiled without the instructions.
#![allow(clippy::needless_range_loop)]

mod classes;
mod net;

use super::lanes::{Count, Lanes, Work};
use super::sides::{Counting, Part, Side};

static ALL_ROWS: u16 = u16::MAX;

/// The words of some rows: word after word, and in each word the columns side by side.
#[derive(Clone, Copy)]
pub struct Words<'a> {
    /// The words; those of a part follow those of the part before.
    pub words: &'a [u16],
    /// The parts.
    pub parts: &'a [Part],
    /// The number of columns.
    pub columns: usize,
    /// The number of columns with padding.
    pub width: usize,
    /// How they are counted.
    pub counting: Counting,
}

impl Words<'_> {
    /// The counts of one plane: of the rows that column `one` has in common with each of N registers of columns.
    ///
    /// # Safety
    /// The processor runs the tier of `L`; the columns exist.
    #[inline(always)]
    pub(super) unsafe fn count<L: Lanes, const N: usize>(
        &self,
        plane: usize,
        one: Option<usize>,
        first: usize,
    ) -> [L; N] {
        // SAFETY: the words of all parts are there, each with all columns.
        unsafe {
            let mut counts = [L::splat(L::Count::default()); N];
            let mut words = self.words.as_ptr();
            for part in self.parts {
                let (one, step) = self.place_of(one, words);
                if let Some((negative, shift)) = self.counting.factor(plane, part) {
                    let common = L::count_common::<N>(one, step, words.add(first), self.width, part.words());
                    for block in 0..N {
                        let common = if shift > 0 { common[block].shift_left(shift) } else { common[block] };
                        counts[block] = if negative { counts[block].sub(common) } else { counts[block].add(common) };
                    }
                }
                words = words.add(part.words() * self.width);
            }
            counts
        }
    }

    /// Two classes: the net count, the weight and the number of those rows, counted once for N registers of columns.
    ///
    /// # Safety
    /// As of `count`.
    #[inline(always)]
    pub(super) unsafe fn count_net<L: Lanes, const N: usize>(&self, one: Option<usize>, first: usize) -> [[L; N]; 3] {
        // SAFETY: as above.
        unsafe {
            let [mut net, mut weight, mut rows] = [[L::splat(L::Count::default()); N]; 3];
            let mut words = self.words.as_ptr();
            for part in self.parts {
                let (one, step) = self.place_of(one, words);
                let common = L::count_common::<N>(one, step, words.add(first), self.width, part.words());
                for block in 0..N {
                    let weighed = if part.shift > 0 { common[block].shift_left(part.shift) } else { common[block] };
                    net[block] = if part.class == 0 { net[block].sub(weighed) } else { net[block].add(weighed) };
                    weight[block] = weight[block].add(weighed);
                    if part.counted {
                        rows[block] = rows[block].add(common[block]);
                    }
                }
                words = words.add(part.words() * self.width);
            }
            [net, weight, rows]
        }
    }

    /// Where a column is in these words, and the distance to the next word; for no column, words full of ones.
    ///
    /// # Safety
    /// The column exists.
    #[inline(always)]
    unsafe fn place_of(&self, column: Option<usize>, words: *const u16) -> (*const u16, usize) {
        match column {
            // SAFETY: see above.
            Some(column) => (unsafe { words.add(column) }, self.width),
            None => (&raw const ALL_ROWS, 0),
        }
    }

    /// Writes the counts of all planes and the weight for a register of columns; `plane_step` counts apart. Without room for
    /// the weight it is left out.
    ///
    /// # Safety
    /// The processor runs the tier of `L`; there is room for all lanes of all planes.
    #[inline(always)]
    unsafe fn write_counts<L: Lanes>(
        &self,
        one: Option<usize>,
        first: usize,
        counts: *mut L::Count,
        plane_step: usize,
        weights: Option<*mut L::Count>,
    ) {
        // SAFETY: see above.
        unsafe {
            let mut weight = L::splat(L::Count::default());
            match self.counting {
                Counting::Net { min_leaf } => {
                    let [[net], [weighed], [rows]] = self.count_net::<L, 1>(one, first);
                    net.store(counts);
                    if min_leaf > 1 {
                        rows.store(counts.add(plane_step));
                    }
                    weight = weighed;
                }
                Counting::Classes { classes, .. } => {
                    for plane in 0..self.counting.planes() {
                        let [count] = self.count::<L, 1>(plane, one, first);
                        count.store(counts.add(plane * plane_step));
                        if plane < classes {
                            weight = weight.add(count);
                        }
                    }
                }
            }
            if let Some(weights) = weights {
                weight.store(weights);
            }
        }
    }
}

/// Counts the rows with a one in each column, by plane, and their weight.
pub struct CountColumns<'a, C> {
    /// The rows.
    pub words: Words<'a>,
    /// Where the counts go.
    pub side: &'a mut Side<C>,
}

impl<C: Count> Work<C> for CountColumns<'_, C> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<L: Lanes<Count = C>>(self) {
        let CountColumns { words, side } = self;
        // SAFETY: the lanes of a half register divide the width, and the side has room for all planes.
        unsafe {
            for first in (0..words.width).step_by(L::Half::LANES) {
                let counts = side.ones.as_mut_ptr().add(first);
                let weights = side.weights.as_mut_ptr().add(first);
                words.write_counts::<L::Half>(None, first, counts, words.width, Some(weights));
            }
        }
    }
}

/// Counts the common rows of the columns from..to with all columns, by plane; and their weight where there is room.
pub struct CountPairs<'a, C> {
    /// The rows.
    pub words: Words<'a>,
    /// The first column.
    pub from: usize,
    /// Behind the last column.
    pub to: usize,
    /// The counts: plane, column, other column.
    pub pairs: &'a mut [C],
    /// Their weights, or nothing.
    pub weights: &'a mut [C],
}

impl<C: Count> Work<C> for CountPairs<'_, C> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<L: Lanes<Count = C>>(self) {
        let CountPairs { words, from, to, pairs, weights } = self;
        let (width, plane_step) = (words.width, words.columns * words.width);
        for column in from..to {
            let line = column * width;
            // The counts are symmetric: blocks before the column's own are copied.
            let start = column / L::Half::LANES * L::Half::LANES;
            for pairs in pairs.chunks_exact_mut(plane_step).chain(weights.chunks_exact_mut(plane_step)) {
                for other in 0..start {
                    pairs[line + other] = pairs[other * width + column];
                }
            }
            for first in (start..width).step_by(L::Half::LANES) {
                // SAFETY: the lanes of a half register divide the width.
                unsafe {
                    let counts = pairs.as_mut_ptr().add(line + first);
                    let weights = if weights.is_empty() { None } else { Some(weights.as_mut_ptr().add(line + first)) };
                    words.write_counts::<L::Half>(Some(column), first, counts, plane_step, weights);
                }
            }
        }
    }
}

/// Finds the best gains below every root column in two sets of rows that together are a node.
pub struct BestPairs<'a, C> {
    /// The smaller set.
    pub words: Words<'a>,
    /// The counts of pairs in the node: plane, column, other column.
    pub pairs: &'a [C],
    /// The smaller set: its counts are known, its gains are written.
    pub small: &'a mut Side<C>,
    /// The other set.
    pub large: &'a mut Side<C>,
}

impl<C: Count> Work<C> for BestPairs<'_, C> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<L: Lanes<Count = C>>(mut self) {
        let width = self.words.width;
        let mut first = 0;
        // SAFETY: the blocks cover the width, which is a multiple of half a register.
        unsafe {
            match self.words.counting {
                Counting::Net { min_leaf } if min_leaf > 1 => {
                    while width - first >= L::LANES {
                        self.best_net_of_enough::<L>(first, min_leaf);
                        first += L::LANES;
                    }
                    while first < width {
                        self.best_net_of_enough::<L::Half>(first, min_leaf);
                        first += L::Half::LANES;
                    }
                }
                Counting::Net { .. } => {
                    while L::PAIRS && width - first >= 2 * L::LANES {
                        self.best_net::<L, 2>(first);
                        first += 2 * L::LANES;
                    }
                    while width - first >= L::LANES {
                        self.best_net::<L, 1>(first);
                        first += L::LANES;
                    }
                    while first < width {
                        self.best_net::<L::Half, 1>(first);
                        first += L::Half::LANES;
                    }
                }
                Counting::Classes { classes, min_leaf } => {
                    while width - first >= L::LANES {
                        self.best_classes::<L>(first, classes, min_leaf);
                        first += L::LANES;
                    }
                    while first < width {
                        self.best_classes::<L::Half>(first, classes, min_leaf);
                        first += L::Half::LANES;
                    }
                }
            }
        }
    }
}
