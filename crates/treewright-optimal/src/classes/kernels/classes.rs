//! The best trees of two levels for several classes, with or without a minimum leaf.

use super::super::lanes::{Count, Lanes};
use super::super::sides::Side;
use super::BestPairs;

impl<C: Count> BestPairs<'_, C> {
    /// Several classes, with or without a minimum leaf: one register of roots from `first` on.
    ///
    /// # Safety
    /// The processor runs the tier of `L`; the lanes exist.
    #[inline(always)]
    pub(super) unsafe fn best_classes<L: Lanes<Count = C>>(&mut self, first: usize, classes: usize, min_leaf: i32) {
        let width = self.words.width;
        // SAFETY: pairs and sides have room for all planes, columns and lanes.
        unsafe {
            let mut gains = [
                Branches::<L>::leaves(self.small, classes, width, first),
                Branches::<L>::leaves(self.large, classes, width, first),
            ];
            for column in 0..self.words.columns {
                let mut branches = [Branches::<L>::none(); 2];
                for class in 0..classes {
                    let (common, rest) = self.common_counts::<L>(class, column, first);
                    branches[0].add_class(self.small, class, column, width, first, common);
                    branches[1].add_class(self.large, class, column, width, first, rest);
                }
                if min_leaf > 1 {
                    let (common, rest) = self.common_counts::<L>(classes, column, first);
                    branches[0].drop_small(self.small, classes, column, width, first, common, min_leaf);
                    branches[1].drop_small(self.large, classes, column, width, first, rest, min_leaf);
                }
                for side in 0..2 {
                    gains[side].improve(branches[side]);
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
            for leaf in 0..2 {
                self.ones[leaf] = self.ones[leaf].keep_where(rows.ones[0], rows.ones[1], least);
                self.zeros[leaf] = self.zeros[leaf].keep_where(rows.zeros[0], rows.zeros[1], least);
            }
        }
    }

    /// Keeps the larger gains.
    ///
    /// # Safety
    /// See above.
    #[inline(always)]
    unsafe fn improve(&mut self, branches: Branches<L>) {
        // SAFETY: see above.
        unsafe {
            self.ones[0] = self.ones[0].max(branches.ones[0].add(branches.ones[1]));
            self.zeros[0] = self.zeros[0].max(branches.zeros[0].add(branches.zeros[1]));
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
