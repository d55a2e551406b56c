//! The best cut among rows of two classes, found by looking closely at a few blocks of rows.
//!
//! What a cut saves is a convex function of the rows of each class below it. So no cut inside a block saves more than the
//! best corner of the box between the counts at the start and at the end of the block. A block whose corners save less
//! than what is needed is passed over; to count its classes takes one addition for eight rows.
//!
//! Two things say what is needed before any block was looked at: the price of a cut, and what the best cut between two
//! blocks saves. Cuts below such a *floor* cannot be chosen, but they take part in the chain of
//! [`super::scan`] and could keep a cut that saves hardly more from being taken. Where a cut is so close above the floor,
//! the search is repeated with the next lower one, at last with none.

use super::gaps::{Apart, count_cuts};
use super::item::{class_bit, key_of};
use super::scan::{Bounds, Chain, Cut};
use super::sides::Sides;
use super::two_classes::CountsOfTwo;
use crate::Result;
use crate::simd::{Isa, multiversion};
use crate::split::priced_threshold::least_saved;
use crate::sys::memory::filled;

/// Rows whose classes are added up at once.
const PIECE: usize = 8;
/// Pieces of a block at the most.
const MOST_PIECES: usize = 8;
/// Shorter columns are faster scanned.
pub const FEWEST: usize = 64;
/// More than the six terms of a saving lose by rounding, twice.
const ROUNDING: i64 = 8;

/// The blocks of a column; memory that is used again for the next column.
#[derive(Debug, Default)]
pub struct Blocks {
    /// The rows of the second class in each piece.
    seconds: Vec<u8>,
    /// What the cut behind each block saves.
    edges: Vec<i64>,
    /// The pieces of a block.
    pieces: usize,
}

multiversion! {
    /// Adds up the classes of each piece.
    fn add_up_pieces(items: &[u64], seconds: &mut [u8]) {
        let (whole, rest) = items.as_chunks::<PIECE>();
        for (sum, piece) in seconds.iter_mut().zip(whole) {
            let mut bits = 0;
            for item in piece {
                bits += class_bit(*item);
            }
            *sum = bits as u8;
        }
        if let Some(sum) = seconds.get_mut(whole.len()) {
            *sum = rest.iter().map(|item| class_bit(*item)).sum::<u64>() as u8;
        }
    }
}

/// So many pieces that the corners of a block are a quarter of a standard deviation away from its rows, about.
fn pieces_of_a_block(rows: usize) -> usize {
    let mut pieces = 1;
    while pieces < MOST_PIECES && (4 * pieces * PIECE).pow(2) <= rows {
        pieces *= 2;
    }
    pieces
}

/// What is known of a column before its blocks are looked at.
struct Column<'a, A> {
    items: &'a [u64],
    apart: &'a A,
    bounds: &'a Bounds,
    /// The fewest and the most rows below an admissible cut.
    first: usize,
    last: usize,
}

impl Blocks {
    /// For columns of up to so many rows.
    pub fn new(rows: usize) -> Result<Blocks> {
        let pieces = if rows < FEWEST { 0 } else { rows.div_ceil(PIECE) };
        Ok(Blocks { seconds: filled(0, pieces)?, edges: filled(0, pieces)?, pieces: 1 })
    }

    /// The best cut of a column; None where none is worth its price. The sides have just begun.
    pub fn search<A: Apart>(
        &mut self,
        items: &[u64],
        sides: &mut CountsOfTwo<'_>,
        bounds: &Bounds,
        apart: &A,
    ) -> Option<Cut> {
        let (first, last) = bounds.range(items, sides)?;
        let column = Column { items, apart, bounds, first, last };
        let isa = Isa::detect();
        let tries = count_cuts(isa, &items[first - 1..=last], apart);
        add_up_pieces(isa, items, &mut self.seconds);
        self.pieces = pieces_of_a_block(items.len());
        let (none, floors) = (i64::MIN, self.floors(&column, sides, tries));
        for floor in floors.into_iter().chain([none]) {
            if let Some(chain) = self.look(&column, sides, floor) {
                return chain.finish(sides, tries);
            }
        }
        None
    }

    /// Floors, the highest first.
    fn floors<A: Apart>(&mut self, column: &Column<'_, A>, sides: &CountsOfTwo<'_>, tries: u32) -> Vec<i64> {
        let (bounds, scale) = (column.bounds, sides.scale());
        let price = least_saved(tries, bounds.weight, &bounds.rules);
        let price = sides.saved_at([0, 0]).saturating_add(scale.around(price, bounds.known).0);
        let zone = too_close(&Chain::new(bounds, sides));
        let edge = self.best_edge(column, sides).map(|saved| saved.saturating_sub(zone.saturating_mul(2)));
        match edge {
            Some(edge) if edge > price => vec![edge, price],
            _ => vec![price],
        }
    }

    /// Computes what the cuts between blocks save; the most that an admissible one saves, if the best one is.
    fn best_edge<A: Apart>(&mut self, column: &Column<'_, A>, sides: &CountsOfTwo<'_>) -> Option<i64> {
        let (rows, apart) = (column.items.len(), column.apart);
        let (mut below, mut seconds, mut best) = (0, 0, None);
        for (edge, pieces) in self.edges.iter_mut().zip(self.seconds[..rows.div_ceil(PIECE)].chunks(self.pieces)) {
            below = (below + pieces.len() * PIECE).min(rows);
            seconds += pieces.iter().map(|sum| usize::from(*sum)).sum::<usize>();
            *edge = sides.saved_at([below - seconds, seconds]);
            let is_better = best.is_none_or(|(best, _)| *edge > best);
            if is_better && below >= column.first && below <= column.last {
                best = Some((*edge, below));
            }
        }
        let (saved, below) = best?;
        let is_admissible = apart.is_apart(key_of(column.items[below - 1]), key_of(column.items[below]));
        (is_admissible && column.bounds.leaves_enough(sides.weight_of(below))).then_some(saved)
    }

    /// The best cut, found in blocks that may have one above the floor; None where a cut is too close above it.
    fn look<'a, A: Apart>(&self, column: &Column<'a, A>, sides: &mut CountsOfTwo<'_>, floor: i64) -> Option<Chain<'a>> {
        let rows = column.items.len();
        let mut chain = Chain::new(column.bounds, sides);
        chain.bar = floor;
        let (mut start, mut edge_before) = ([0, 0], sides.saved_at([0, 0]));
        for (edge, pieces) in self.edges.iter().zip(self.seconds[..rows.div_ceil(PIECE)].chunks(self.pieces)) {
            let before = start[0] + start[1];
            if before >= column.last {
                break;
            }
            let below = (before + pieces.len() * PIECE).min(rows);
            let seconds = start[1] + pieces.iter().map(|sum| usize::from(*sum)).sum::<usize>();
            let end = [below - seconds, seconds];
            let needed = chain.bar.saturating_sub(ROUNDING);
            let may_have_a_cut = below >= column.first
                && (edge_before > needed
                    || *edge > needed
                    || sides.saved_at([start[0], end[1]]) > needed
                    || sides.saved_at([end[0], start[1]]) > needed);
            if may_have_a_cut {
                sides.move_to(start);
                if !look_at_rows(column, before..below, sides, &mut chain, floor) {
                    return None;
                }
            }
            (start, edge_before) = (end, *edge);
        }
        Some(chain)
    }
}

/// Looks at the cuts behind some rows; false where one is too close above the floor. The present cut is before the first
/// row.
fn look_at_rows<A: Apart>(
    column: &Column<'_, A>,
    rows: std::ops::Range<usize>,
    sides: &mut CountsOfTwo<'_>,
    chain: &mut Chain<'_>,
    floor: i64,
) -> bool {
    let Column { items, apart, .. } = *column;
    for place in rows.start..rows.end.min(column.last) {
        sides.pass(items[place]);
        let saved = sides.saved();
        if saved > chain.bar
            && place + 1 >= column.first
            && apart.is_apart(key_of(items[place]), key_of(items[place + 1]))
        {
            if chain.best.is_none() && floor > i64::MIN && saved - floor <= too_close(chain) {
                return false;
            }
            chain.consider(sides, place + 1, saved);
        }
    }
    true
}

/// A cut that is further above the floor than this surely beats all cuts below the floor.
fn too_close(chain: &Chain<'_>) -> i64 {
    chain.surely.saturating_mul(3).saturating_add(1)
}
