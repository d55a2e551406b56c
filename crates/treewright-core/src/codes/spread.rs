//! Numbers to codes of 16 bits that stand in the same order: a smaller code is a smaller number.
//!
//! Three ways, the first that serves:
//! - whole numbers within 65,536 of each other: the distance to the least;
//! - few different numbers: their rank;
//! - anything else: a place among 65,536, spread after a sample so that each holds about as many rows.
//!
//! The first two are *exact*, one number a code. In the third, different numbers may share a code, and whoever must tell
//! them apart looks at the numbers themselves. No column is sorted: a code costs one look-up.
//!
//! Glossary. The *key* of a number is its single-precision bits, turned so that they compare like the number; its upper
//! half is a *cell*.

use super::distinct::{BitsHasher, are_few, distinct_numbers};
use super::ordered::ordered_bits_f32;
use crate::Result;
use crate::data::strided::{Floats, Strided, place};
use crate::data::survey::{BLOCK, Summary};
use crate::simd::{Isa, multiversion};
use crate::sys::pool::Cancel;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

/// How many codes there are.
pub const CODES: usize = 1 << 16;
/// Rows looked at to spread codes.
const SAMPLED_ROWS: usize = 1 << 14;
/// A column with at most so many different numbers in the sample is tried as ranks.
const MAX_RANKED_IN_SAMPLE: usize = SAMPLED_ROWS / 4;

/// How the numbers of one column become codes.
#[derive(Debug)]
pub struct Coder {
    how: How,
    /// Whether numbers are missing: these have the greatest code, and no other has it.
    gaps: bool,
}

#[derive(Debug)]
enum How {
    /// The distance to the least number.
    Whole {
        /// The least number.
        low: f64,
    },
    /// The rank among the different numbers.
    Rank {
        /// The different numbers, ascending.
        values: Vec<f64>,
        /// The rank of each, by its bits.
        ranks: HashMap<u64, u16, BuildHasherDefault<BitsHasher>>,
    },
    /// A place that was spread after a sample.
    Spread {
        /// Subtracted first; 0 for numbers of single precision.
        center: f64,
        /// Multiplied next; a power of two.
        scale: f64,
        /// For each cell its first code and how many it has: 16 bits each.
        cells: Box<[u32; CODES]>,
    },
}

impl Coder {
    /// The way for a column, of which some numbers are missing where there are `gaps`. The summary is of the others.
    pub fn new(column: &Strided<'_>, summary: &Summary, gaps: bool, cancel: &Cancel) -> Result<Coder> {
        How::new(column, summary, gaps, cancel).map(|how| Coder { how, gaps })
    }

    /// Whether numbers are missing.
    pub fn gaps(&self) -> bool {
        self.gaps
    }

    /// The number that each code stands for; None where a code may stand for several.
    pub fn meaning(&self) -> Option<Meaning> {
        match &self.how {
            How::Whole { low } => Some(Meaning::Whole { low: *low }),
            How::Rank { values, .. } => Some(Meaning::Listed(values.clone())),
            How::Spread { .. } => None,
        }
    }

    /// The code of a number from the least of the column to the greatest, which need not occur in it. Rows with smaller
    /// codes have smaller numbers, those with greater codes greater ones.
    pub fn code_of(&self, number: f64) -> u16 {
        let code = match &self.how {
            How::Whole { low } => (number - low) as u16,
            How::Rank { values, .. } => values.partition_point(|value| *value <= number).saturating_sub(1) as u16,
            How::Spread { center, scale, cells } => code_in(cells, single(number, *center, *scale)),
        };
        if self.gaps { code.min(u16::MAX - 1) } else { code }
    }

    /// Codes some rows of the column, at most [`BLOCK`].
    pub fn encode(&self, isa: Isa, column: &Strided<'_>, rows: &[u32], codes: &mut [u16]) {
        match column.parts() {
            (Floats::Single(values), start, step) => self.encode_rows(isa, values, (start, step), rows, codes),
            (Floats::Double(values), start, step) => self.encode_rows(isa, values, (start, step), rows, codes),
        }
    }

    fn encode_rows<N: Number>(
        &self,
        isa: Isa,
        values: &[N],
        (start, step): (usize, isize),
        rows: &[u32],
        codes: &mut [u16],
    ) {
        let numbers = &mut [N::default(); BLOCK][..rows.len()];
        rows.iter().zip(&mut *numbers).for_each(|(&row, number)| *number = values[place(start, step, row as usize)]);
        self.encode_numbers(isa, numbers, codes);
    }

    /// The codes of some numbers of the column, at most [`BLOCK`].
    pub fn encode_numbers<N: Number>(&self, isa: Isa, numbers: &[N], codes: &mut [u16]) {
        match &self.how {
            How::Rank { ranks, .. } => {
                // A number that was not there before was written by another thread meanwhile: any code will do.
                let rank = |x: f64| ranks.get(&(x + 0.0).to_bits()).copied().unwrap_or(0);
                codes.iter_mut().zip(numbers).for_each(|(code, &x)| *code = rank(x.into()));
            }
            How::Whole { low } => N::distances(isa, *low, numbers, codes),
            How::Spread { center, scale, cells } => {
                let mut room = [0.0; BLOCK];
                look_up(isa, cells, N::singles(numbers, (*center, *scale), &mut room), codes);
            }
        }
        if self.gaps {
            for (code, &x) in codes.iter_mut().zip(numbers) {
                *code = if x.into().is_nan() { u16::MAX } else { (*code).min(u16::MAX - 1) };
            }
        }
    }
}

/// Numbers as a matrix holds them.
pub trait Number: Copy + Default + PartialOrd + Into<f64> {
    /// The distance of whole numbers from the least.
    fn distances(isa: Isa, low: f64, numbers: &[Self], codes: &mut [u16]);
    /// The numbers in single precision, moved to a center and scaled; `room` may be used.
    fn singles<'n>(numbers: &'n [Self], moved: (f64, f64), room: &'n mut [f32; BLOCK]) -> &'n [f32];
}

impl Number for f32 {
    fn distances(isa: Isa, low: f64, numbers: &[f32], codes: &mut [u16]) {
        distance(isa, low as f32, numbers, codes);
    }

    /// They are as they were: for them the center is 0 and the scale 1.
    fn singles<'n>(numbers: &'n [f32], _: (f64, f64), _: &'n mut [f32; BLOCK]) -> &'n [f32] {
        numbers
    }
}

impl Number for f64 {
    fn distances(_: Isa, low: f64, numbers: &[f64], codes: &mut [u16]) {
        codes.iter_mut().zip(numbers).for_each(|(code, x)| *code = (x - low) as u16);
    }

    fn singles<'n>(numbers: &'n [f64], (center, scale): (f64, f64), room: &'n mut [f32; BLOCK]) -> &'n [f32] {
        room.iter_mut().zip(numbers).for_each(|(room, x)| *room = single(*x, center, scale));
        &room[..numbers.len()]
    }
}

/// Numbers of a column, evenly spread, about as many as asked for: all that are there must be few.
fn sample(column: &Strided<'_>, gaps: bool) -> Vec<f64> {
    if !gaps {
        let step = (column.len() / SAMPLED_ROWS).max(1);
        return (0..column.len()).step_by(step).map(|row| column.at(row) + 0.0).collect();
    }
    let known = || (0..column.len()).map(|row| column.at(row) + 0.0).filter(|x| !x.is_nan());
    let step = (known().count() / SAMPLED_ROWS).max(1);
    known().step_by(step).collect()
}

impl How {
    fn new(column: &Strided<'_>, summary: &Summary, gaps: bool, cancel: &Cancel) -> Result<How> {
        let codes = CODES - usize::from(gaps);
        if summary.integral && summary.high - summary.low < codes as f64 {
            return Ok(How::Whole { low: summary.low + 0.0 });
        }
        let mut sample = sample(column, gaps);
        if sample.is_empty() {
            // Only if another thread has changed the numbers meanwhile.
            return Ok(How::Whole { low: 0.0 });
        }
        let values = if are_few(&sample, MAX_RANKED_IN_SAMPLE) { distinct_numbers(column, cancel)? } else { None };
        if let Some(values) = values {
            let ranks = values.iter().zip(0..).map(|(x, rank)| (x.to_bits(), rank)).collect();
            return Ok(How::Rank { values, ranks });
        }
        Ok(How::spread(column, &mut sample))
    }

    /// Spreads codes after a sample.
    fn spread(column: &Strided<'_>, sample: &mut [f64]) -> How {
        let (center, scale) = match column.parts().0 {
            Floats::Single(_) => (0.0, 1.0),
            Floats::Double(_) => middle(sample),
        };
        let mut cells = Box::new([0u32; CODES]);
        for x in sample.iter() {
            cells[(key(single(*x, center, scale)) >> 16) as usize] += 1;
        }
        let (mut seen, mut first) = (0u64, 0u32);
        for cell in cells.iter_mut() {
            // Most cells are empty, and a division takes long.
            let mut next = first;
            if *cell > 0 {
                seen += u64::from(*cell);
                next = (seen * (CODES as u64 - 1) / sample.len() as u64) as u32;
            }
            *cell = first << 16 | (next - first);
            first = next;
        }
        How::Spread { center, scale, cells }
    }
}

/// The code of one number.
#[inline(always)]
fn code_in(cells: &[u32; CODES], number: f32) -> u16 {
    let key = key(number);
    let cell = cells[(key >> 16) as usize];
    ((cell >> 16) + (((key & 0xffff) * (cell & 0xffff)) >> 16)) as u16
}

multiversion! {
    /// The distance of each number from the least. Whole numbers of single precision less than 2^16 apart: it is exact.
    fn distance(low: f32, numbers: &[f32], codes: &mut [u16]) {
        for (code, number) in codes.iter_mut().zip(numbers) {
            *code = (number - low) as i32 as u16;
        }
    }
}

multiversion! {
    /// The code of each number.
    fn look_up(cells: &[u32; CODES], numbers: &[f32], codes: &mut [u16]) {
        for (code, number) in codes.iter_mut().zip(numbers) {
            *code = code_in(cells, *number);
        }
    }
}

/// What exact codes stand for.
#[derive(Clone, Debug, PartialEq)]
pub enum Meaning {
    /// The least number and the code.
    Whole {
        /// The least number.
        low: f64,
    },
    /// A list of numbers.
    Listed(Vec<f64>),
}

impl Meaning {
    /// The number of a code.
    pub fn number(&self, code: u16) -> f64 {
        match self {
            Meaning::Whole { low } => low + f64::from(code),
            Meaning::Listed(values) => values[code as usize],
        }
    }
}

/// Where numbers are moved and scaled to before they lose precision: single precision is finest around 0 and ends at
/// 2^127, so the middle of the numbers goes to 0 and most of them come near 1. What is farther out shares the last code.
fn middle(sample: &mut [f64]) -> (f64, f64) {
    let last = sample.len() - 1;
    let mut at = |place: usize| *sample.select_nth_unstable_by(place, f64::total_cmp).1;
    let [least, low, center, high, most] = [0, last / 4, last / 2, last - last / 4, last].map(&mut at);
    let reach = |low: f64, high: f64| (center - low).max(high - center);
    let reach = Some(reach(low, high)).filter(|most| *most > 0.0).unwrap_or(reach(least, most));
    let (_, size) = libm::frexp(reach.min(f64::MAX));
    (center, libm::ldexp(1.0, (-size).clamp(-1000, 1000)))
}

/// A number in single precision after moving and scaling. Each step keeps the order.
#[inline]
fn single(x: f64, center: f64, scale: f64) -> f32 {
    ((x - center) * scale) as f32
}

/// The key of a number; both zeros have one.
#[inline(always)]
fn key(x: f32) -> u32 {
    ordered_bits_f32(x + 0.0)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::codes::all_columns::code_all;
    use crate::data::survey::survey;

    fn codes(values: &[f64]) -> (Vec<u16>, Option<Meaning>) {
        let (column, cancel) = (Strided::of_slice(values), Cancel::default());
        let summary = survey(&[column], values.len(), 1, &cancel).unwrap();
        let coder = Coder::new(&column, &summary[0], false, &cancel).unwrap();
        let meaning = coder.meaning();
        let order: Vec<u32> = (0..values.len() as u32).collect();
        let mut out = vec![0; values.len()];
        code_all(&[column], &[coder], &order, vec![&mut out], 2, &cancel).unwrap();
        (out, meaning)
    }

    /// Numbers that look random but are always the same.
    fn noise(count: usize) -> impl Iterator<Item = f64> {
        let mut state = 1u64;
        std::iter::repeat_with(move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        })
        .take(count)
    }

    #[test]
    fn exact_codes_give_their_numbers_back() {
        let whole: Vec<f64> = noise(50_000).map(|x| (x * 60_000.0).floor() - 3e9).collect();
        let tenths: Vec<f64> = noise(50_000).map(|x| (x * 3000.0).floor() / 10.0).collect();
        let rare: Vec<f64> = (0..50_000).map(|i| if i == 777 { 0.1 } else { f64::from(i % 3) / 3.0 }).collect();
        for values in [whole, tenths, rare, vec![-0.0, 0.0, 0.5], vec![7.25; 10]] {
            let (codes, meaning) = codes(&values);
            let meaning = meaning.unwrap();
            assert!(codes.iter().zip(&values).all(|(&code, x)| meaning.number(code) == *x));
        }
    }

    #[test]
    fn codes_keep_the_order_whatever_the_scale() {
        let columns: Vec<Vec<f64>> = vec![
            noise(40_000).collect(),
            noise(40_000).map(|x| (x - 0.5).powi(9) * 1e300).collect(),
            noise(40_000).map(|x| x * 1e-300).collect(),
            noise(40_000).map(|x| 1.7e9 + x).collect(),
            noise(40_000).map(|x| if x < 0.5 { x } else { -1e9 * x }).collect(),
            noise(40_000).map(|x| if x < 0.001 { f64::MAX * (x - 0.0005) * 1000.0 } else { x }).collect(),
        ];
        for values in columns {
            let (codes, meaning) = codes(&values);
            assert!(meaning.is_none());
            let mut pairs: Vec<(f64, u16)> = values.iter().copied().zip(codes.iter().copied()).collect();
            pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
            assert!(pairs.windows(2).all(|pair| pair[0].1 <= pair[1].1));
            let used = 1 + pairs.windows(2).filter(|pair| pair[0].1 < pair[1].1).count();
            assert!(used > 10_000, "{used} codes in use");
        }
    }
}
