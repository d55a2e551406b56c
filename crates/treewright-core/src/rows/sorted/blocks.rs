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

use super::gaps::count_cuts;
use super::item::{class_bit, key_of};
use super::scan::{Chain, CutLimits};
use super::sides::Sides;
use super::two_classes::TwoClassCounts;
use crate::Result;
use crate::simd::{Isa, multiversion};
use crate::split::choose::Candidate;
use crate::split::priced_threshold::least_saved;
use crate::sys::memory::filled;
use std::ops::Range;

/// Rows whose classes are added up at once.
const PIECE: usize = 8;
/// Pieces of a block at the most.
const MOST_PIECES: usize = 16;
/// Shorter columns are faster scanned.
pub const FEWEST: usize = 64;
/// More than the six terms of a saving lose by rounding, twice.
const ROUNDING: i64 = 8;

/// The blocks of a column; memory that is used again for the next column.
#[derive(Debug, Default)]
pub struct Blocks {
    /// The rows of the second class in each piece.
    seconds: Vec<u8>,
    /// The cut behind each block.
    edges: Vec<Edge>,
    /// The pieces of a block.
    pieces: usize,
}

multiversion! {
    /// Adds up the classes of each piece, of which there is one at least, and counts the neighbors between which a cut may
    /// be, in one pass: long columns are far away.
    fn add_up_pieces<A: Fn(u32, u32) -> bool>(items: &[u64], are_apart: &A, seconds: &mut [u8]) -> u32 {
        let (mut cuts, mut pieces) = (0, 0);
        for (sum, neighbors) in seconds.iter_mut().zip(items.windows(PIECE + 1).step_by(PIECE)) {
            // Loops, because the closure of a sum would be compiled without the tier's instructions.
            let (mut bits, mut cuts_here) = (0, 0);
            for i in 0..PIECE {
                bits += class_bit(neighbors[i]);
                cuts_here += u64::from(are_apart(key_of(neighbors[i]), key_of(neighbors[i + 1])));
            }
            *sum = bits as u8;
            cuts += cuts_here;
            pieces += 1;
        }
        let rest = &items[pieces * PIECE..];
        seconds[pieces] = rest.iter().map(|item| class_bit(*item)).sum::<u64>() as u8;
        cuts as u32 + count_cuts(Isa::PORTABLE, rest, are_apart)
    }
}

/// So many pieces that the corners of a block are half a standard deviation away from its rows, about.
fn pieces_of_a_block(rows: usize) -> usize {
    let mut pieces = 1;
    while pieces < MOST_PIECES && (2 * pieces * PIECE).pow(2) <= rows {
        pieces *= 2;
    }
    pieces
}

impl Blocks {
    /// For columns of up to so many rows.
    pub fn new(rows: usize) -> Result<Blocks> {
        let pieces = if rows < FEWEST { 0 } else { rows.div_ceil(PIECE) };
        Ok(Blocks { seconds: filled(0, pieces)?, edges: filled(Edge::default(), pieces)?, pieces: 1 })
    }

    /// The best cut of a column; None where none is worth its price. The sides have just begun.
    pub fn search<A: Fn(u32, u32) -> bool>(
        &mut self,
        items: &[u64],
        sides: &mut TwoClassCounts<'_>,
        limits: &CutLimits,
        are_apart: &A,
    ) -> Option<(Candidate, usize)> {
        let (isa, first, last) = (Isa::detect(), limits.first, limits.last);
        let all = add_up_pieces(isa, items, are_apart, &mut self.seconds);
        // The first and the last rows are few.
        let tries = all - count_cuts(isa, &items[..first], are_apart) - count_cuts(isa, &items[last..], are_apart);
        self.pieces = pieces_of_a_block(items.len());
        let (none, floors) = (i64::MIN, self.floors(items, sides, limits, are_apart, tries));
        for floor in floors.into_iter().chain([none]) {
            if let Some(chain) = self.look(items, sides, limits, are_apart, floor) {
                return chain.finish(sides, tries);
            }
        }
        None
    }

    /// Floors, the highest first.
    fn floors<A: Fn(u32, u32) -> bool>(
        &mut self,
        items: &[u64],
        sides: &TwoClassCounts<'_>,
        limits: &CutLimits,
        are_apart: &A,
        tries: u32,
    ) -> Vec<i64> {
        let price = least_saved(tries, limits.weight, &limits.rules);
        let price = sides.saved_at([0, 0]).saturating_add(limits.at_least(price, sides.scale));
        let zone = limits.too_close();
        let edge =
            self.best_edge(items, sides, limits, are_apart).map(|saved| saved.saturating_sub(zone.saturating_mul(2)));
        match edge {
            Some(edge) if edge > price => vec![edge, price],
            _ => vec![price],
        }
    }

    /// Computes what the cuts between blocks save; the most that an admissible one saves, if the best one is.
    fn best_edge<A: Fn(u32, u32) -> bool>(
        &mut self,
        items: &[u64],
        sides: &TwoClassCounts<'_>,
        limits: &CutLimits,
        are_apart: &A,
    ) -> Option<i64> {
        let rows = items.len();
        let (mut below, mut seconds, mut best) = (0, 0, None);
        for (edge, pieces) in self.edges.iter_mut().zip(self.seconds[..rows.div_ceil(PIECE)].chunks(self.pieces)) {
            below = (below + pieces.len() * PIECE).min(rows);
            seconds += pieces.iter().map(|sum| usize::from(*sum)).sum::<usize>();
            *edge = Edge::new([below - seconds, seconds], sides);
            let is_better = best.is_none_or(|(best, _)| edge.saved > best);
            if is_better && below >= limits.first && below <= limits.last {
                best = Some((edge.saved, below));
            }
        }
        let (saved, below) = best?;
        let is_admissible = are_apart(key_of(items[below - 1]), key_of(items[below]));
        (is_admissible && limits.leaves_enough(sides.weight_of(below))).then_some(saved)
    }

    /// The best cut, found in blocks that may have one above the floor; None where a cut is too close above it.
    fn look<'a, A: Fn(u32, u32) -> bool>(
        &self,
        items: &[u64],
        sides: &mut TwoClassCounts<'_>,
        limits: &'a CutLimits,
        are_apart: &A,
        floor: i64,
    ) -> Option<Chain<'a>> {
        let mut chain = Chain::new(limits);
        chain.bar = floor;
        let blocks = items.len().div_ceil(PIECE).div_ceil(self.pieces);
        let mut start = Edge::new([0, 0], sides);
        for (block, end) in self.edges[..blocks].iter().enumerate() {
            let pieces = block * self.pieces..items.len().div_ceil(PIECE).min((block + 1) * self.pieces);
            if !self.look_between([&start, end], pieces, items, sides, &mut chain, (are_apart, floor)) {
                return None;
            }
            start = *end;
        }
        Some(chain)
    }

    /// The same between two edges, with so many pieces between them: in either half, if there may be a cut above the floor.
    /// False where one is too close above it.
    fn look_between<A: Fn(u32, u32) -> bool>(
        &self,
        [start, end]: [&Edge; 2],
        pieces: Range<usize>,
        items: &[u64],
        sides: &mut TwoClassCounts<'_>,
        chain: &mut Chain<'_>,
        rules: (&A, i64),
    ) -> bool {
        let needed = chain.bar.saturating_sub(ROUNDING);
        let may_have_a_cut = (end.rows() >= chain.limits.first && start.rows() < chain.limits.last)
            && (start.saved.max(end.saved) > needed
                || Edge::saved_between(start, end, sides) > needed
                || Edge::saved_between(end, start, sides) > needed);
        if !may_have_a_cut {
            return true;
        }
        if pieces.len() == 1 {
            sides.move_to(start.counts);
            return look_at_rows(items, start.rows()..end.rows(), sides, chain, rules);
        }
        let middle = pieces.start.midpoint(pieces.end);
        let (rows, seconds) = ((middle - pieces.start) * PIECE, self.seconds_of(pieces.start..middle));
        let edge = Edge::new([start.counts[0] + rows - seconds, start.counts[1] + seconds], sides);
        self.look_between([start, &edge], pieces.start..middle, items, sides, chain, rules)
            && self.look_between([&edge, end], middle..pieces.end, items, sides, chain, rules)
    }

    /// The rows of the second class in some pieces.
    fn seconds_of(&self, pieces: Range<usize>) -> usize {
        self.seconds[pieces].iter().map(|sum| usize::from(*sum)).sum()
    }
}

/// A cut between two blocks.
#[derive(Clone, Copy, Debug, Default)]
struct Edge {
    /// The rows of each class below it.
    counts: [usize; 2],
    /// The terms of each class on both sides.
    terms: [i64; 2],
    /// What it saves, less what is the same for all cuts.
    saved: i64,
}

impl Edge {
    fn new(counts: [usize; 2], sides: &TwoClassCounts<'_>) -> Edge {
        let terms = sides.terms_of_classes(counts);
        Edge { counts, terms, saved: terms[0] + terms[1] - sides.terms_of_rows(counts[0] + counts[1]) }
    }

    fn rows(&self) -> usize {
        self.counts[0] + self.counts[1]
    }

    /// What a cut would save with the rows of the first class that are below one edge and those of the second that are
    /// below another: two logarithms, since the others are known.
    fn saved_between(firsts: &Edge, seconds: &Edge, sides: &TwoClassCounts<'_>) -> i64 {
        firsts.terms[0] + seconds.terms[1] - sides.terms_of_rows(firsts.counts[0] + seconds.counts[1])
    }
}

/// Looks at the cuts behind some rows; false where one is too close above the floor. The present cut is before the first
/// row.
fn look_at_rows<A: Fn(u32, u32) -> bool>(
    items: &[u64],
    rows: Range<usize>,
    sides: &mut TwoClassCounts<'_>,
    chain: &mut Chain<'_>,
    (are_apart, floor): (&A, i64),
) -> bool {
    let CutLimits { first, last, .. } = *chain.limits;
    for place in rows.start..rows.end.min(last) {
        sides.pass(items[place]);
        let saved = sides.saved();
        if saved > chain.bar && place + 1 >= first && are_apart(key_of(items[place]), key_of(items[place + 1])) {
            if chain.best.is_none() && floor > i64::MIN && saved - floor <= chain.limits.too_close() {
                return false;
            }
            chain.consider(sides, place + 1, saved);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::super::gaps::Gaps;
    use super::super::item::item;
    use super::*;
    use crate::codes::ordered::ordered_bits_f32;

    /// One pass tells what two would, of any number of rows and on every tier.
    #[test]
    fn pieces_and_cuts_are_counted_together() {
        let number = |i: usize| (i / 3) as f32 * if i % 7 < 3 { 1e-6 } else { 0.5 };
        let mut numbers: Vec<f32> = (0..80).map(number).collect();
        numbers.sort_by(f32::total_cmp);
        let rows = (0u32..).zip(numbers);
        let items: Vec<u64> = rows.map(|(row, x)| item(ordered_bits_f32(x), row, (row * row / 5) & 1)).collect();
        for len in 1..=items.len() {
            let items = &items[..len];
            let seconds = |piece: &[u64]| piece.iter().map(|item| class_bit(*item)).sum::<u64>() as u8;
            let expected: Vec<u8> = items.chunks(PIECE).map(seconds).collect();
            let is_cut = |are_apart: &dyn Fn(u32, u32) -> bool| {
                let pairs = items.windows(2).filter(|pair| are_apart(key_of(pair[0]), key_of(pair[1])));
                pairs.count() as u32
            };
            for isa in Isa::all() {
                let mut found = vec![9; expected.len()];
                assert_eq!(add_up_pieces(isa, items, &Gaps::are_different, &mut found), is_cut(&Gaps::are_different));
                assert_eq!(found, expected);
                assert_eq!(
                    add_up_pieces(isa, items, &Gaps::are_singles_apart, &mut found),
                    is_cut(&Gaps::are_singles_apart)
                );
            }
        }
    }
}
