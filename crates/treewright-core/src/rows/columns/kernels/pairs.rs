//! Up to 128 rows of two classes at once: for each the cut behind it, and what it saves under Gini's index.
//!
//! What a row counts is packed: how often in the upper byte if it is of the second class, how often in the lower byte in
//! any case. One addition a row then counts both, for the cuts of all rows that are not smaller. All forms do the same
//! operations on the same numbers; lanes behind the last row hold the greatest code and count nothing, so nothing is on the
//! right of their cut and it is never allowed.
//!
//! With `n` and `N` for all rows and those of the second class, `m` and `l` for those on the left, a cut saves
//! `2 (l n - m N)^2 / (n m (n - m))` of the node's cost; see [`super::gini`].

use crate::simd::{Isa, Tier};
use crate::tolerance::ESTIMATE_TIE;

/// The most rows that the kernel takes at once.
pub const PAIRS: usize = 128;
/// How often the rows may count in all: a byte has to hold it.
pub const PAIR_TIMES: usize = 255;

/// How many rows are compared with each other sooner than counted into bins.
pub fn max_rows(isa: Isa) -> usize {
    if isa.tier() == Tier::Avx512 { PAIRS } else { PAIRS / 2 }
}

/// What the rows of a node count, packed; nothing behind the last row.
#[derive(Clone, Debug)]
pub struct Weights(pub [u16; PAIRS]);

impl Default for Weights {
    fn default() -> Weights {
        Weights([0; PAIRS])
    }
}

/// What is asked of all columns of a node.
#[derive(Clone, Copy, Debug)]
pub struct PairQuery<'a> {
    /// What its rows count.
    pub weights: &'a Weights,
    /// How many rows.
    pub rows: usize,
    /// How often they count, in all and those of the second class.
    pub times: [u32; 2],
    /// The fewest rows on each side of a cut.
    pub min_leaf: usize,
    /// What one unit of `e^2 / (m (n - m))` saves, as a share of the node's cost.
    pub scale: f32,
    /// What all pairs of rows, each with itself too, multiply to if no two have the same code.
    pub untied: u32,
}

/// What came of one column.
#[derive(Clone, Debug)]
pub struct Pairs {
    /// The code of each row.
    pub codes: [u16; PAIRS],
    /// What is on the left of the cut behind each row, packed.
    pub left: [u16; PAIRS],
    /// What that cut saves; less than 0 where it is not allowed.
    pub saved: [f32; PAIRS],
    /// The largest of them.
    pub most: f32,
    /// Whether rows have the same code.
    pub tied: bool,
    /// Whether all of them have.
    pub constant: bool,
}

impl Default for Pairs {
    fn default() -> Pairs {
        let (codes, left, saved) = ([0; PAIRS], [0; PAIRS], [0.0; PAIRS]);
        Pairs { codes, left, saved, most: -1.0, tied: false, constant: false }
    }
}

/// Estimates the cuts of one column, whose codes may go on behind the rows. Tells the lanes whose cut saves as much as
/// the column's best, but for rounding, if that is not below the floor. Codes, counts and savings are written for the lanes
/// of rows, and only if there is such a lane.
pub fn scan(isa: Isa, query: &PairQuery<'_>, codes: &[u16], floor: f32, pairs: &mut Pairs) -> u128 {
    assert!((1..=max_rows(isa)).contains(&query.rows) && codes.len() >= query.rows);
    dispatch!(isa, pairs::scan(query, codes, floor, pairs), scan_portable(query, &codes[..query.rows], floor, pairs))
}

/// The limit that estimates must reach; more than any if none does.
#[inline(always)]
pub(super) fn limit(most: f32, floor: f32) -> f32 {
    if most < floor.max(0.0) { f32::INFINITY } else { floor.max(most - most * ESTIMATE_TIE) }
}

/// Lanes that the portable form works on together: compilers turn such a block into whole registers of any length.
const BLOCK: usize = 16;

/// The portable form. It works on as many blocks as there are rows.
fn scan_portable(query: &PairQuery<'_>, codes: &[u16], floor: f32, pairs: &mut Pairs) -> u128 {
    pairs.constant = codes.iter().fold(true, |same, &code| same & (code == codes[0]));
    if pairs.constant {
        pairs.tied = true;
        pairs.most = -1.0;
        return 0;
    }
    let blocks = query.rows.div_ceil(BLOCK);
    let lanes = &mut pairs.codes[..blocks * BLOCK];
    lanes.fill(u16::MAX);
    lanes[..query.rows].copy_from_slice(codes);
    let (mut most, mut products) = ([-1f32; BLOCK], 0);
    for block in 0..blocks {
        let lanes = &pairs.codes.as_chunks::<BLOCK>().0[block];
        let (left, allowed) = if query.min_leaf > 1 {
            let (left, rows) = count_block::<true>(lanes, codes, &query.weights.0);
            let (least, last) = (query.min_leaf as u16, (query.rows - query.min_leaf) as u16);
            (left, rows.map(|rows| (rows >= least) & (rows <= last)))
        } else {
            let (left, _) = count_block::<false>(lanes, codes, &query.weights.0);
            // Where any row on a side is enough, how often rows count tells as much as how many there are.
            (left, left.map(|left| (left & 255 > 0) & (left & 255 < query.times[0] as u16)))
        };
        let weights = &query.weights.0.as_chunks::<BLOCK>().0[block];
        products += (0..BLOCK).map(|i| u32::from(left[i] & 255) * u32::from(weights[i] & 255)).sum::<u32>();
        let saved = &mut pairs.saved.as_chunks_mut::<BLOCK>().0[block];
        estimate_block(query, &left, &allowed, saved);
        (0..BLOCK).for_each(|i| most[i] = if saved[i] > most[i] { saved[i] } else { most[i] });
        pairs.left.as_chunks_mut::<BLOCK>().0[block] = left;
    }
    pairs.tied = products != query.untied;
    pairs.most = most.into_iter().fold(-1.0, |a, b| if b > a { b } else { a });
    let limit = limit(pairs.most, floor);
    if limit == f32::INFINITY {
        return 0;
    }
    (0..query.rows).fold(0, |hits, lane| hits | u128::from(pairs.saved[lane] >= limit) << lane)
}

/// What is on the left of the cut behind each lane, packed; if `COUNTED` also how many rows.
#[inline(always)]
fn count_block<const COUNTED: bool>(
    lanes: &[u16; BLOCK],
    codes: &[u16],
    weights: &[u16; PAIRS],
) -> ([u16; BLOCK], [u16; BLOCK]) {
    let (mut left, mut rows) = ([0u16; BLOCK], [0u16; BLOCK]);
    for (&code, &weight) in codes.iter().zip(weights) {
        for i in 0..BLOCK {
            // All bits or none: with a mask in place of a branch the loop becomes three instructions a register.
            let inside = u16::from(lanes[i] >= code).wrapping_neg();
            left[i] = left[i].wrapping_add(weight & inside);
            if COUNTED {
                rows[i] = rows[i].wrapping_sub(inside);
            }
        }
    }
    (left, rows)
}

/// What the cuts of a block save; less than 0 where they are not allowed.
#[inline(always)]
fn estimate_block(query: &PairQuery<'_>, left: &[u16; BLOCK], allowed: &[bool; BLOCK], saved: &mut [f32; BLOCK]) {
    let (all, second) = (query.times[0] as f32, query.times[1] as f32);
    for i in 0..BLOCK {
        let (m, l) = (f32::from(left[i] & 255), f32::from(left[i] >> 8));
        let e = l * all - m * second;
        let sides = m * (all - m);
        let saving = e * e / if sides > 1.0 { sides } else { 1.0 } * query.scale;
        saved[i] = if allowed[i] { saving } else { -1.0 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_tiers_give_equal_bits() {
        for rows in 2..=PAIRS {
            for turn in 0..24usize {
                let most = [1, 2, 9, 200, 65_536][turn % 5];
                let codes: Vec<u16> =
                    (0..134).map(|i| ((i + turn * 97) * 7919 % 10_007 * most / 10_007) as u16).collect();
                let mut weights = Weights::default();
                for (i, weight) in weights.0[..rows].iter_mut().enumerate() {
                    let times = if turn % 2 == 0 { 1 } else { 1 + (i * 5 + turn) as u16 % 3 };
                    let times = if rows > 64 { 1 } else { times };
                    *weight = times | if (i * 3 + turn) % 7 < 3 { times << 8 } else { 0 };
                }
                let sum = |shift: u32| weights.0.iter().map(|w| u32::from(w >> shift & 255)).sum::<u32>();
                let times = [sum(0), sum(8)];
                let square = |w: &u16| u32::from(w & 255).pow(2);
                let untied = (times[0] * times[0] + weights.0.iter().map(square).sum::<u32>()) / 2;
                let min_leaf = 1 + turn % 3 / 2;
                let query = PairQuery { weights: &weights, rows, times, min_leaf, scale: 0.01, untied };
                let mut sorted = codes[..rows].to_vec();
                sorted.sort_unstable();
                sorted.dedup();
                for floor in [f32::NEG_INFINITY, 0.05] {
                    let mut runs = Isa::all().filter(|&isa| rows <= max_rows(isa)).map(|isa| {
                        let mut pairs = Pairs::default();
                        let hits = scan(isa, &query, &codes, floor, &mut pairs);
                        assert_eq!(pairs.tied, sorted.len() < rows);
                        assert_eq!(pairs.constant, sorted.len() == 1);
                        let lanes = if hits == 0 { 0 } else { rows };
                        let saved: Vec<u32> = pairs.saved[..lanes].iter().map(|saved| saved.to_bits()).collect();
                        (hits, pairs.most.to_bits(), pairs.codes[..lanes].to_vec(), pairs.left[..lanes].to_vec(), saved)
                    });
                    let first = runs.next();
                    assert!(runs.all(|run| Some(run) == first));
                }
            }
        }
    }
}
