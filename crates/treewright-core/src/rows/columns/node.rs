//! The rows of one node, and what is known of them until it is split.

use super::deferred::DeferredThresholds;
use super::kernels::Isa;
use super::kernels::codes::{around, at_most, select};
use super::large::LargeSearch;
use super::search::Column;
use crate::codes::ordered::midpoint;
use crate::model::tree::SplitRule;
use crate::split::monotone::Bounds;
use std::sync::Arc;

/// What the codes of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Numbers, none of which is missing.
    Numbers,
    /// Numbers; [`ABSENT`] stands for a missing one.
    Gaps,
    /// Categories, so many levels; a greater code is a missing one.
    Levels(u16),
}

/// The code of a missing value.
pub const ABSENT: u16 = u16::MAX;

/// A column that may still be asked about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Live {
    /// The column.
    pub column: u32,
    /// No row of the node has a smaller code.
    pub low: u16,
    /// No row of the node has a greater code.
    pub high: u16,
}

impl Live {
    /// A column whose rows all have one number, where it cannot leave the list.
    pub fn constant(column: u32) -> Live {
        Live { column, low: 1, high: 0 }
    }

    /// Whether it is such a column. Its codes are not kept in order.
    pub fn is_constant(&self) -> bool {
        self.low > self.high
    }
}

/// Where a column is cut.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cut {
    /// Rows with a smaller code go left, with a greater one right.
    pub code: u16,
    /// Which rows with this code go left.
    pub ties: Ties,
    /// Whether rows without a number go left; None where the node has none, or they have a child of their own.
    pub absent: Option<bool>,
    /// Whether rows without a number have a child of their own.
    pub apart: bool,
}

/// Which rows go left of those that have the code of a cut.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Ties {
    /// All of them.
    #[default]
    Left,
    /// Those with at most the first number. It and the second are the numbers next to the cut.
    Between(f64, f64),
    /// Those with at most this number, which was drawn and is the threshold.
    AtMost(f64),
}

impl Cut {
    /// Behind a code.
    pub fn behind(code: u16) -> Cut {
        Cut { code, ties: Ties::Left, absent: None, apart: false }
    }

    /// A division of categories, which is told elsewhere.
    pub const LEVELS: Cut = Cut { code: 0, ties: Ties::Left, absent: None, apart: false };

    /// Notes in the mask which rows of a column go left; `places` is scratch.
    pub fn route(&self, isa: Isa, column: &Column<'_>, mask: &mut Vec<u32>, places: &mut Vec<(u16, u32)>) {
        mask.clear();
        mask.resize(column.codes.len().div_ceil(32), 0);
        at_most(isa, column.codes, self.code, mask);
        if self.absent == Some(true) {
            for (codes, word) in column.codes.chunks(32).zip(mask.iter_mut()) {
                *word |= codes.iter().zip(0..).fold(0, |bits, (&code, i)| bits | u32::from(code == ABSENT) << i);
            }
        }
        if let Ties::Between(last, _) | Ties::AtMost(last) = self.ties {
            places.clear();
            select(isa, column.codes, self.code, self.code, places);
            for place in places.iter().map(|&(_, place)| place as usize) {
                if column.number(place) > last {
                    mask[place / 32] &= !(1 << (place % 32));
                }
            }
        }
    }

    /// The question of the cut, which compares with this number.
    pub fn way(&self, threshold: f64) -> SplitRule {
        let way = SplitRule::threshold(threshold, u16::from(self.absent == Some(false)));
        if self.apart { SplitRule { children: 3, missing: 2, ..way } } else { way }
    }

    /// The number that the question of the cut compares with, or a promise of it; `places` is scratch.
    pub fn threshold(
        &self,
        isa: Isa,
        (name, column): (u32, &Column<'_>),
        places: &mut Vec<(u16, u32)>,
        deferred: &mut DeferredThresholds,
    ) -> f64 {
        match self.ties {
            Ties::Left => {}
            Ties::Between(below, above) => return midpoint(below, above),
            Ties::AtMost(drawn) => return drawn,
        }
        let (below, above) = around(isa, column.codes, self.code);
        if above == ABSENT && self.absent.is_some() {
            // Every number is at most infinity, a missing one is not.
            return f64::INFINITY;
        }
        if let Some(meaning) = column.meaning {
            return midpoint(meaning.number(below), meaning.number(above));
        }
        places.clear();
        select(isa, column.codes, below, below, places);
        let low = places.len();
        select(isa, column.codes, above, above, places);
        if let [(_, below), (_, above)] = places[..] {
            return deferred.defer(name, column.rows[below as usize], column.rows[above as usize]);
        }
        let mut numbers = places.iter().map(|&(_, place)| column.number(place as usize));
        let below = numbers.by_ref().take(low).fold(f64::NEG_INFINITY, f64::max);
        midpoint(below, numbers.fold(f64::INFINITY, f64::min))
    }
}

/// The rows of one node: a span of its holder's block, or some rows of a tile. A *tile* is a span of so few rows that they
/// are not moved any more: nodes below are sets of them.
#[derive(Clone, Debug)]
pub struct Node<T> {
    /// The first row of the span or of the tile.
    pub start: usize,
    /// How many rows.
    pub len: usize,
    /// Which rows of the tile; none where the node is a span.
    pub members: u64,
    /// What they weigh.
    pub weight: f64,
    /// What they cost as a leaf.
    pub cost: f64,
    /// What they add up to.
    pub total: T,
    /// The columns that are not known to be constant, in their order; where columns are drawn, all of them.
    pub live: Arc<[Live]>,
    /// What its answers, and those below it, must not leave.
    pub bounds: Bounds,
    /// See [`crate::split::sampling`].
    pub key: u64,
    /// The first row of its parent's span; none for the root of a holder.
    pub parent: Option<usize>,
    /// The division that was offered.
    pub split: Option<Box<Split<T>>>,
}

impl<T: Clone + Default> Node<T> {
    /// The same rows, as far as views of them ask.
    pub fn without_split(&self) -> Node<T> {
        let Node { start, len, members, weight, cost, bounds, key, parent, .. } = *self;
        let live = Arc::clone(&self.live);
        Node { start, len, members, weight, cost, total: T::default(), live, bounds, key, parent, split: None }
    }
}

impl<T> Node<T> {
    /// Leaves columns that are constant out of the list, if that makes it much shorter: the node's children and theirs go on
    /// with it. `constant` are their places; tells where the column at `place` then is.
    pub fn leave_out(&mut self, constant: &[usize], place: usize) -> usize {
        if constant.len() * 4 < self.live.len() {
            return place;
        }
        let mut rest = constant.iter().copied().peekable();
        let kept = (0..self.live.len()).filter(|place| rest.next_if_eq(place).is_none());
        self.live = kept.map(|place| self.live[place]).collect();
        place - constant.partition_point(|&other| other < place)
    }

    /// Notes the ranges of codes that searches have seen and leaves constant columns out; tells where the column at `place`
    /// then is.
    pub fn note_ranges(&mut self, searches: &[LargeSearch], place: usize) -> usize {
        let changed = |(old, search): (&Live, &LargeSearch)| search.constant || search.codes != (old.low, old.high);
        if !self.live.iter().zip(searches).any(changed) {
            return place;
        }
        let known = self.live.iter().zip(searches).filter(|(_, search)| !search.constant);
        self.live = known.map(|(old, search)| Live { low: search.codes.0, high: search.codes.1, ..*old }).collect();
        place - searches[..place].iter().filter(|search| search.constant).count()
    }
}

/// How a node's rows are divided.
#[derive(Clone, Debug, Default)]
pub struct Split<T> {
    /// The place of the column among the live ones.
    pub place: usize,
    /// Where it is cut.
    pub cut: Cut,
    /// Both sides.
    pub sides: [Side<T>; 2],
    /// The rows without a number, where they have a child of their own.
    pub apart: Option<Side<T>>,
}

/// The rows of a child.
#[derive(Clone, Debug, Default)]
pub struct Side<T> {
    /// What they add up to.
    pub total: T,
    /// What they weigh.
    pub weight: f64,
    /// What they cost as a leaf.
    pub cost: f64,
    /// How many there are.
    pub len: usize,
    /// Where the node is in a tile, which rows of it they are.
    pub members: u64,
}
