//! The best trees of two levels for two classes.
//!
//! With two classes the *net count* of a leaf is the weight of class 1 less that of class 0, and its gain is the absolute
//! value. Two leaves with net counts a and w - a gain |a| + |w - a| = max(|w|, 2a - w, w - 2a): only the largest and the
//! smallest a over all columns i matter. With a minimum leaf, a is taken as 0 where a leaf has too few rows: that is the
//! gain of one leaf.

use super::super::lanes::{Count, Lanes};
use super::super::sides::Side;
use super::BestPairs;

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

    /// The same where leaves need rows enough.
    ///
    /// # Safety
    /// See above.
    #[inline(always)]
    unsafe fn take_where_enough(&mut self, common: [L; 2], column: [L; 2], enough: &Enough<L>) {
        // SAFETY: see above.
        unsafe {
            let (net, rows) = (common[0], common[1]);
            let (rest, rest_rows) = (column[0].sub(net), column[1].sub(rows));
            let net = net.keep_where(rows, enough.ones.sub(rows), enough.least);
            let rest = rest.keep_where(rest_rows, enough.zeros.sub(rest_rows), enough.least);
            self.most_ones = self.most_ones.max(net);
            self.least_ones = self.least_ones.min(net);
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
            let gain = Self::gain(self.most_ones, self.least_ones, ones);
            gain.store(side.best_ones.as_mut_ptr().add(first));
            let gain = Self::gain(self.most_zeros, self.least_zeros, zeros);
            gain.store(side.best_zeros.as_mut_ptr().add(first));
        }
    }

    /// The most gain of two leaves with the net count of `all` together.
    ///
    /// # Safety
    /// See above.
    #[inline(always)]
    unsafe fn gain(most: L, least: L, all: L) -> L {
        // SAFETY: see above.
        unsafe { most.add(most).sub(all).max(all.sub(least.add(least))) }
    }
}

/// How many rows the roots have on either side, and a leaf must have.
#[derive(Clone, Copy)]
struct Enough<L> {
    ones: L,
    zeros: L,
    least: L,
}

impl<L: Lanes> Enough<L> {
    /// The rows of the roots from `first` on, which are counted in the second plane.
    ///
    /// # Safety
    /// The processor runs the tier of `L`; the side has these lanes.
    #[inline(always)]
    unsafe fn of(side: &Side<L::Count>, width: usize, first: usize, min_leaf: i32) -> Enough<L> {
        // SAFETY: see above.
        unsafe {
            let ones = L::load(side.ones.as_ptr().add(width + first));
            let all = L::splat(L::Count::from_i32(side.totals[1]));
            Enough { ones, zeros: all.sub(ones), least: L::splat(L::Count::from_i32(min_leaf)) }
        }
    }

    /// The net count and the number of the rows with a one in a column.
    ///
    /// # Safety
    /// See above; the column exists.
    #[inline(always)]
    unsafe fn counts_of(side: &Side<L::Count>, column: usize, width: usize) -> [L; 2] {
        // SAFETY: both planes have the column.
        unsafe { [L::splat(*side.ones.get_unchecked(column)), L::splat(*side.ones.get_unchecked(width + column))] }
    }
}

impl<C: Count> BestPairs<'_, C> {
    /// Two classes: N registers of roots from `first` on.
    ///
    /// # Safety
    /// The processor runs the tier of `L`; the lanes exist.
    #[inline(always)]
    pub(super) unsafe fn best_net<L: Lanes<Count = C>, const N: usize>(&mut self, first: usize) {
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

    /// Two classes and a minimum leaf: one register of roots from `first` on.
    ///
    /// # Safety
    /// The processor runs the tier of `L`; the lanes exist.
    #[inline(always)]
    pub(super) unsafe fn best_net_of_enough<L: Lanes<Count = C>>(&mut self, first: usize, min_leaf: i32) {
        let (width, columns) = (self.words.width, self.words.columns);
        // SAFETY: pairs and sides have room for both planes of all columns and lanes.
        unsafe {
            let mut small = Extremes::<L>::none();
            let mut large = Extremes::<L>::none();
            let enough_small = Enough::<L>::of(self.small, width, first, min_leaf);
            let enough_large = Enough::<L>::of(self.large, width, first, min_leaf);
            for column in 0..columns {
                let [[net], _, [rows]] = self.words.count_net::<L, 1>(Some(column), first);
                let in_node = self.pairs.as_ptr().add(column * width + first);
                let rest = [L::load(in_node).sub(net), L::load(in_node.add(columns * width)).sub(rows)];
                small.take_where_enough([net, rows], Enough::<L>::counts_of(self.small, column, width), &enough_small);
                large.take_where_enough(rest, Enough::<L>::counts_of(self.large, column, width), &enough_large);
            }
            small.write(self.small, first);
            large.write(self.large, first);
        }
    }
}
