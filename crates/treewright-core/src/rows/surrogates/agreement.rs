//! The cut of a column that sends most of a node's rows as the node's own question does: one pass over its numbers in
//! order.
//!
//! With the rows that were sent to the first child counted as positive and those of the second as negative weight, a
//! cut's agreement follows from one sum over the rows below it. Where the cut is, is asked for only if it is kept.

use crate::Result;
use crate::rows::sorted::item::{key_of, place_of};
use crate::split::surrogate::MIN_ROWS;
use crate::stats::entry::Entry;
use crate::sys::memory::collected;

/// What the cut that agrees most agrees with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// The weight that agrees.
    pub agree: u64,
    /// The weight of known rows that was sent to either child.
    pub sent: [u64; 2],
    /// The largest sum, where the cut sends the rows below it to the first child, or could do so,
    most: Option<i64>,
    /// and the smallest, for the second child.
    least: Option<i64>,
}

/// The rows of a node by their places, as its own question sends them: positive weight to the first child, negative to the
/// second, 0 to none.
#[derive(Debug)]
pub enum SentRows {
    /// All rows weigh the same, so many units: [`TO_FIRST`], [`TO_SECOND`] or 0.
    Alike(Vec<u16>, u64),
    /// In units.
    Weighed(Vec<i64>),
}

/// What one row adds to the sums of both children: the first one's in the lower byte, the second one's in the upper.
const TO_FIRST: u16 = 1;
const TO_SECOND: u16 = 1 << 8;

/// The weight of a row and the child that it was sent to.
trait SentWeight: Copy {
    /// Positive for the first child, negative for the second.
    fn signed(self) -> i64;
    /// The weight that was sent to either child.
    fn add_up(items: &[u64], sent: &[Self]) -> [i64; 2];
}

impl SentWeight for u16 {
    #[inline(always)]
    fn signed(self) -> i64 {
        i64::from(self & 255) - i64::from(self >> 8)
    }

    /// One addition counts for both children.
    #[inline(always)]
    fn add_up(items: &[u64], sent: &[u16]) -> [i64; 2] {
        let mut sums = [0, 0];
        for items in items.chunks(255) {
            let both: u32 = items.iter().map(|item| u32::from(sent[place_of(*item) as usize])).sum();
            sums = [sums[0] + i64::from(both & 255), sums[1] + i64::from(both >> 8)];
        }
        sums
    }
}

impl SentWeight for i64 {
    #[inline(always)]
    fn signed(self) -> i64 {
        self
    }

    fn add_up(items: &[u64], sent: &[i64]) -> [i64; 2] {
        let weights = items.iter().map(|item| sent[place_of(*item) as usize]);
        weights.fold([0, 0], |[first, second], weight| [first + weight.max(0), second + (-weight).max(0)])
    }
}

impl SentRows {
    /// The rows of a node; `units` is the weight of each where all weigh the same.
    pub fn new(entries: &[Entry], sides: &[u16], units: Option<u64>) -> Result<SentRows> {
        let Some(units) = units else {
            let signed = |(entry, side): (&Entry, &u16)| match side {
                0 => entry.weight as i64,
                1 => -(entry.weight as i64),
                _ => 0,
            };
            return Ok(SentRows::Weighed(collected(entries.iter().zip(sides).map(signed))?));
        };
        let one = |side: &u16| [TO_FIRST, TO_SECOND].get(usize::from(*side)).copied().unwrap_or(0);
        Ok(SentRows::Alike(collected(sides.iter().map(one))?, units))
    }

    /// What the best cut of a column agrees with; None where no cut is better than the heavier side alone. At least
    /// [`MIN_ROWS`] rows that were sent are on either side of it.
    pub fn best(&self, items: &[u64]) -> Option<Agreement> {
        match self {
            SentRows::Alike(signs, units) => best_agreement(items, signs).map(|rows| Agreement {
                agree: rows.agree * units,
                sent: rows.sent.map(|rows| rows * units),
                ..rows
            }),
            SentRows::Weighed(weights) => best_agreement(items, weights),
        }
    }

    /// The first of the best cuts: how many known rows are below it, and their child.
    pub fn find(&self, items: &[u64], agreement: &Agreement) -> Option<(usize, u16)> {
        match self {
            SentRows::Alike(signs, _) => find_cut(items, signs, agreement),
            SentRows::Weighed(weights) => find_cut(items, weights, agreement),
        }
    }
}

/// Rows that are passed at once where none of their cuts can be the best.
const BLOCK: usize = 32;

#[inline]
fn weight_of<W: SentWeight>(item: u64, sent: &[W]) -> i64 {
    sent[place_of(item) as usize].signed()
}

/// The fewest and the most rows that may be below a cut.
fn range<W: SentWeight>(items: &[u64], sent: &[W]) -> Option<(usize, usize)> {
    let nth = MIN_ROWS as usize - 1;
    let mut counted = (0..items.len()).filter(|&i| weight_of(items[i], sent) != 0);
    let first = counted.nth(nth)? + 1;
    let mut counted = (0..items.len()).rev().filter(|&i| weight_of(items[i], sent) != 0);
    counted.nth(nth).filter(|&last| first <= last).map(|last| (first, last))
}

fn best_agreement<W: SentWeight>(items: &[u64], sent: &[W]) -> Option<Agreement> {
    let (first, last) = range(items, sent)?;
    let mut sums = W::add_up(&items[..first - 1], sent);
    let (mut most, mut least) = (i64::MIN, i64::MAX);
    for start in (first - 1..last).step_by(BLOCK) {
        let pairs = &items[start..=(start + BLOCK).min(last)];
        let [rise, fall] = W::add_up(&pairs[..pairs.len() - 1], sent);
        // On its way through these rows the sum rises and falls by no more than this.
        let mut sum = sums[0] - sums[1];
        if sum + rise > most || sum - fall < least {
            for pair in pairs.windows(2) {
                sum += weight_of(pair[0], sent);
                // No branch that a processor would have to guess.
                let is_cut = key_of(pair[0]) != key_of(pair[1]);
                most = most.max(if is_cut { sum } else { most });
                least = least.min(if is_cut { sum } else { least });
            }
        }
        sums = [sums[0] + rise, sums[1] + fall];
    }
    let [rise, fall] = W::add_up(&items[last..], sent);
    let sent = [sums[0] + rise, sums[1] + fall];
    if most < least {
        // There was no cut.
        return None;
    }
    let (forward, backward) = (sent[1] + most, sent[0] - least);
    let agree = forward.max(backward);
    (agree > sent[0].max(sent[1])).then(|| Agreement {
        agree: agree as u64,
        sent: sent.map(|weight| weight as u64),
        most: (forward == agree).then_some(most),
        least: (backward == agree).then_some(least),
    })
}

fn find_cut<W: SentWeight>(items: &[u64], sent: &[W], agreement: &Agreement) -> Option<(usize, u16)> {
    let (first, last) = range(items, sent)?;
    let mut sum: i64 = items[..first - 1].iter().map(|item| weight_of(*item, sent)).sum();
    for (cut, pair) in (first..).zip(items[first - 1..=last].windows(2)) {
        sum += weight_of(pair[0], sent);
        if key_of(pair[0]) != key_of(pair[1]) {
            if agreement.most == Some(sum) {
                return Some((cut, 0));
            }
            if agreement.least == Some(sum) {
                return Some((cut, 1));
            }
        }
    }
    None
}
