//! The inner loops: counts of all pairs of columns, and the best two-level trees of two sets of rows at once.
//!
//! For each candidate root j (a lane) and each column i below it, the common count of i and j in the smaller set is
//! counted; in the larger set it follows from the count of the whole node. From the common count follow all four leaves
//! of i below j = 1 and below j = 0.
//!
//! With two classes the *net count* of a leaf is the weight of class 1 less that of class 0, and its gain is the absolute
//! value. Two leaves with net counts a and w - a gain |a| + |w - a| = max(|w|, 2a - w, w - 2a): only the largest and the
//! smallest a over all columns i matter.

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
    unsafe fn count<L: Lanes, const N: usize>(&self, plane: usize, one: Option<usize>, first: usize) -> [L; N] {
        // SAFETY: the words of all parts are there, each with all columns.
        unsafe {
            let mut counts = [L::splat(L::Count::default()); N];
            let mut words = self.words.as_ptr();
            for part in self.parts {
                let (one, step) = match one {
                    Some(column) => (words.add(column), self.width),
                    None => (&raw const ALL_ROWS, 0),
                };
                if let Some((negative, shift)) = self.counting.factor(plane, part) {
                    let common = L::count_common::<N>(one, step, words.add(first), self.width, part.words());
                    for (count, common) in counts.iter_mut().zip(common) {
                        let common = if shift > 0 { common.shift_left(shift) } else { common };
                        *count = if negative { count.sub(common) } else { count.add(common) };
                    }
                }
                words = words.add(part.words() * self.width);
            }
            counts
        }
    }

    /// The weight of those rows.
    ///
    /// # Safety
    /// As of `count`.
    #[inline(always)]
    unsafe fn weigh<L: Lanes>(&self, one: Option<usize>, first: usize) -> L {
        // SAFETY: as above.
        unsafe {
            let mut counts = L::splat(L::Count::default());
            let mut words = self.words.as_ptr();
            for part in self.parts {
                let (one, step) = match one {
                    Some(column) => (words.add(column), self.width),
                    None => (&raw const ALL_ROWS, 0),
                };
                let [common] = L::count_common::<1>(one, step, words.add(first), self.width, part.words());
                counts = counts.add(common.shift_left(part.shift));
                words = words.add(part.words() * self.width);
            }
            counts
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
                for plane in 0..words.counting.planes() {
                    let [count] = words.count::<L::Half, 1>(plane, None, first);
                    count.store(side.ones.as_mut_ptr().add(plane * words.width + first));
                }
                words.weigh::<L::Half>(None, first).store(side.weights.as_mut_ptr().add(first));
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
        let width = words.width;
        for column in from..to {
            // The counts are symmetric: blocks before the column's own are copied.
            let start = column / L::Half::LANES * L::Half::LANES;
            for plane in 0..words.counting.planes() {
                let pairs = &mut pairs[plane * words.columns * width..][..words.columns * width];
                for other in 0..start {
                    pairs[column * width + other] = pairs[other * width + column];
                }
                for first in (start..width).step_by(L::Half::LANES) {
                    // SAFETY: the lanes of a half register divide the width.
                    unsafe {
                        let [count] = words.count::<L::Half, 1>(plane, Some(column), first);
                        count.store(pairs.as_mut_ptr().add(column * width + first));
                    }
                }
            }
            if !weights.is_empty() {
                for other in 0..start {
                    weights[column * width + other] = weights[other * width + column];
                }
                for first in (start..width).step_by(L::Half::LANES) {
                    // SAFETY: as above.
                    unsafe {
                        let weight = words.weigh::<L::Half>(Some(column), first);
                        weight.store(weights.as_mut_ptr().add(column * width + first));
                    }
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
                Counting::Net => {
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

/// The largest and the smallest net counts of a column below each root, in the rows with a one and with a zero.
#[derive(Clone, Copy)]
struct Extremes<L> {
    most_ones: L,
    least_ones: L,
    most_zeros: L,
    least_zeros: L,
}

impl<L: Lanes> Extremes<L> {
    /// Starts with 0, which stands for no further question.
    ///
    /// # Safety
    /// The processor runs the tier of `L`, as in all functions here.
    #[inline(always)]
    unsafe fn none() -> Extremes<L> {
        // SAFETY: see above.
        let zero = unsafe { L::splat(L::Count::default()) };
        Extremes { most_ones: zero, least_ones: zero, most_zeros: zero, least_zeros: zero }
    }

    /// Takes a column with this net count in common with each root, and this net count in all.
    ///
    /// # Safety
    /// See above.
    #[inline(always)]
    unsafe fn take(&mut self, common: L, column: L) {
        // SAFETY: see above.
        unsafe {
            let rest = column.sub(common);
            self.most_ones = self.most_ones.max(common);
            self.least_ones = self.least_ones.min(common);
            self.most_zeros = self.most_zeros.max(rest);
            self.least_zeros = self.least_zeros.min(rest);
        }
    }

    /// Writes the gains of the roots from `first` on.
    ///
    /// # Safety
    /// See above; the side has these lanes.
    #[inline(always)]
    unsafe fn write(self, side: &mut Side<L::Count>, first: usize) {
        // SAFETY: see above.
        unsafe {
            let ones = L::load(side.ones.as_ptr().add(first));
            let zeros = L::splat(L::Count::from_i32(side.totals[0])).sub(ones);
            let gain = |most: L, least: L, all: L| most.add(most).sub(all).max(all.sub(least.add(least)));
            gain(self.most_ones, self.least_ones, ones).store(side.best_ones.as_mut_ptr().add(first));
            gain(self.most_zeros, self.least_zeros, zeros).store(side.best_zeros.as_mut_ptr().add(first));
        }
    }
}

impl<C: Count> BestPairs<'_, C> {
    /// Two classes: N registers of roots from `first` on.
    ///
    /// # Safety
    /// The processor runs the tier of `L`; the lanes exist.
    #[inline(always)]
    unsafe fn best_net<L: Lanes<Count = C>, const N: usize>(&mut self, first: usize) {
        // SAFETY: pairs and sides have room for all columns and lanes.
        unsafe {
            let mut small = [Extremes::<L>::none(); N];
            let mut large = [Extremes::<L>::none(); N];
            for column in 0..self.words.columns {
                let common: [L; N] = self.words.count::<L, N>(0, Some(column), first);
                let in_small = L::splat(*self.small.ones.get_unchecked(column));
                let in_large = L::splat(*self.large.ones.get_unchecked(column));
                let in_node = self.pairs.as_ptr().add(column * self.words.width + first);
                for block in 0..N {
                    small[block].take(common[block], in_small);
                    large[block].take(L::load(in_node.add(block * L::LANES)).sub(common[block]), in_large);
                }
            }
            for block in 0..N {
                small[block].write(self.small, first + block * L::LANES);
                large[block].write(self.large, first + block * L::LANES);
            }
        }
    }

    /// Several classes, with or without a minimum leaf: one register of roots from `first` on.
    ///
    /// # Safety
    /// The processor runs the tier of `L`; the lanes exist.
    #[inline(always)]
    unsafe fn best_classes<L: Lanes<Count = C>>(&mut self, first: usize, classes: usize, min_leaf: i32) {
        let width = self.words.width;
        // SAFETY: pairs and sides have room for all planes, columns and lanes.
        unsafe {
            let mut gains = [
                Branches::<L>::leaves(self.small, classes, width, first),
                Branches::<L>::leaves(self.large, classes, width, first),
            ];
            for column in 0..self.words.columns {
                let mut found = [Branches::<L>::none(); 2];
                for class in 0..classes {
                    let (common, rest) = self.common_counts::<L>(class, column, first);
                    found[0].add_class(self.small, class, column, width, first, common);
                    found[1].add_class(self.large, class, column, width, first, rest);
                }
                if min_leaf > 1 {
                    let (common, rest) = self.common_counts::<L>(classes, column, first);
                    found[0].drop_small(self.small, classes, column, width, first, common, min_leaf);
                    found[1].drop_small(self.large, classes, column, width, first, rest, min_leaf);
                }
                for (gains, found) in gains.iter_mut().zip(found) {
                    gains.improve(found);
                }
            }
            gains[0].write(self.small, first);
            gains[1].write(self.large, first);
        }
    }

    /// The common counts of a column with a register of roots, in the smaller and in the larger set.
    ///
    /// # Safety
    /// As above.
    #[inline(always)]
    unsafe fn common_counts<L: Lanes<Count = C>>(&self, plane: usize, column: usize, first: usize) -> (L, L) {
        // SAFETY: as above.
        unsafe {
            let [common] = self.words.count::<L, 1>(plane, Some(column), first);
            let row = (plane * self.words.columns + column) * self.words.width;
            (common, L::load(self.pairs.as_ptr().add(row + first)).sub(common))
        }
    }
}

/// The gains of the four leaves below each root: with a one and a zero at the root, and one and zero below.
#[derive(Clone, Copy)]
struct Branches<L> {
    ones: [L; 2],
    zeros: [L; 2],
}

impl<L: Lanes> Branches<L> {
    /// No gain.
    ///
    /// # Safety
    /// The processor runs the tier of `L` and the sides have the lanes, as in all functions here.
    #[inline(always)]
    unsafe fn none() -> Branches<L> {
        // SAFETY: see above.
        let zero = unsafe { L::splat(L::Count::default()) };
        Branches { ones: [zero; 2], zeros: [zero; 2] }
    }

    /// The gain of no further question, as that of the first leaf.
    ///
    /// # Safety
    /// See above.
    #[inline(always)]
    unsafe fn leaves(side: &Side<L::Count>, classes: usize, width: usize, first: usize) -> Branches<L> {
        // SAFETY: see above.
        unsafe {
            let mut gains = Branches::<L>::none();
            for class in 0..classes {
                let ones = L::load(side.ones.as_ptr().add(class * width + first));
                let all = L::splat(L::Count::from_i32(side.totals[class]));
                gains.ones[0] = gains.ones[0].max(ones);
                gains.zeros[0] = gains.zeros[0].max(all.sub(ones));
            }
            gains
        }
    }

    /// Takes the counts of a class: `common` of the column and the roots.
    ///
    /// # Safety
    /// See above.
    #[inline(always)]
    unsafe fn add_class(
        &mut self,
        side: &Side<L::Count>,
        class: usize,
        column: usize,
        width: usize,
        first: usize,
        common: L,
    ) {
        // SAFETY: see above.
        unsafe {
            let leaves = four_leaves(side, class, column, width, first, common);
            self.ones = [self.ones[0].max(leaves.ones[0]), self.ones[1].max(leaves.ones[1])];
            self.zeros = [self.zeros[0].max(leaves.zeros[0]), self.zeros[1].max(leaves.zeros[1])];
        }
    }

    /// Drops the gains of leaves with too few rows, given the numbers of rows.
    ///
    /// # Safety
    /// See above.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    unsafe fn drop_small(
        &mut self,
        side: &Side<L::Count>,
        plane: usize,
        column: usize,
        width: usize,
        first: usize,
        common: L,
        min_leaf: i32,
    ) {
        // SAFETY: see above.
        unsafe {
            let least = L::splat(L::Count::from_i32(min_leaf));
            let rows = four_leaves(side, plane, column, width, first, common);
            self.ones = self.ones.map(|gain| gain.keep_where(rows.ones[0], rows.ones[1], least));
            self.zeros = self.zeros.map(|gain| gain.keep_where(rows.zeros[0], rows.zeros[1], least));
        }
    }

    /// Keeps the larger gains.
    ///
    /// # Safety
    /// See above.
    #[inline(always)]
    unsafe fn improve(&mut self, found: Branches<L>) {
        // SAFETY: see above.
        unsafe {
            self.ones[0] = self.ones[0].max(found.ones[0].add(found.ones[1]));
            self.zeros[0] = self.zeros[0].max(found.zeros[0].add(found.zeros[1]));
        }
    }

    /// Writes the gains of the roots from `first` on.
    ///
    /// # Safety
    /// See above.
    #[inline(always)]
    unsafe fn write(self, side: &mut Side<L::Count>, first: usize) {
        // SAFETY: see above.
        unsafe {
            self.ones[0].store(side.best_ones.as_mut_ptr().add(first));
            self.zeros[0].store(side.best_zeros.as_mut_ptr().add(first));
        }
    }
}

/// The counts of one plane in the four leaves of a column below each root.
///
/// # Safety
/// The processor runs the tier of `L`; the side has the lanes.
#[inline(always)]
unsafe fn four_leaves<L: Lanes>(
    side: &Side<L::Count>,
    plane: usize,
    column: usize,
    width: usize,
    first: usize,
    common: L,
) -> Branches<L> {
    // SAFETY: see above.
    unsafe {
        let roots = L::load(side.ones.as_ptr().add(plane * width + first));
        let column = L::splat(*side.ones.get_unchecked(plane * width + column));
        let all = L::splat(L::Count::from_i32(side.totals[plane]));
        let only_root = roots.sub(common);
        let only_column = column.sub(common);
        Branches { ones: [common, only_root], zeros: [only_column, all.sub(roots).sub(only_column)] }
    }
}
