//! The rows of a node by class: they stand in the order of their classes, so that where a row stands tells its class.

use super::kernels::histogram::count_bits;
use super::tile;
use crate::Result;
use crate::simd::{Isa, multiversion};

/// The rows of one class in a node that count so many times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// The class.
    pub class: u32,
    /// How many rows.
    pub len: u32,
    /// How often each of them counts.
    pub times: u32,
}

/// Segments with the place of their class among those that occur, and where their rows begin and end.
pub fn places(segments: &[Segment]) -> impl Iterator<Item = (usize, Segment, std::ops::Range<usize>)> {
    let (mut start, mut place, mut last) = (0, 0, None);
    segments.iter().map(move |&segment| {
        place += usize::from(last.is_some_and(|class| class != segment.class));
        last = Some(segment.class);
        let rows = start..start + segment.len as usize;
        start = rows.end;
        (place, segment, rows)
    })
}

/// How many rows and classes a node has.
pub fn size(total: &[Segment]) -> (usize, usize) {
    let rows = total.iter().map(|segment| segment.len as usize).sum();
    (rows, places(total).last().map_or(0, |(place, ..)| place + 1))
}

/// How often the rows of a node count.
pub fn times_of(total: &[Segment]) -> usize {
    total.iter().map(|segment| segment.len as usize * segment.times as usize).sum()
}

/// The segments of both children when bit `i` of the mask sends row `i` to the left.
pub fn divide(total: &[Segment], mask: &[u32], sides: [&mut Vec<Segment>; 2]) -> Result<()> {
    let [left, right] = sides;
    for side in [&mut *left, &mut *right] {
        side.clear();
        side.try_reserve(total.len())?;
    }
    share_out(Isa::detect(), total, mask, left, right);
    Ok(())
}

multiversion! {
    /// Adds what each segment has on both sides. (Without an instruction for it, to count bits takes longer than all else.)
    fn share_out(total: &[Segment], mask: &[u32], left: &mut Vec<Segment>, right: &mut Vec<Segment>) {
        let few = (mask.len() <= 2).then(|| mask.iter().rev().fold(0, |bits, &word| bits << 32 | u64::from(word)));
        let mut start = 0;
        for segment in total {
            let end = start + segment.len as usize;
            let len = match few {
                Some(bits) => (bits >> start.min(63) & tile::all(segment.len as usize)).count_ones(),
                None => count_bits(mask, start..end),
            };
            left.extend((len > 0).then_some(Segment { len, ..*segment }));
            right.extend((len < segment.len).then_some(Segment { len: segment.len - len, ..*segment }));
            start = end;
        }
    }
}

multiversion! {
    /// Adds for each class how often its rows count that are in a set of up to 64 rows.
    pub fn add_members(segments: &[Segment], set: u64, counts: &mut [u32]) {
        for (place, segment, span) in places(segments) {
            counts[place] += (set >> span.start.min(63) & tile::all(span.len())).count_ones() * segment.times;
        }
    }
}

/// The 32 bits of a mask from a place on.
pub fn bits_from(mask: &[u32], at: usize) -> u32 {
    let (low, high) = (mask[at / 32], mask.get(at / 32 + 1).copied().unwrap_or(0));
    ((u64::from(high) << 32 | u64::from(low)) >> (at % 32)) as u32
}
