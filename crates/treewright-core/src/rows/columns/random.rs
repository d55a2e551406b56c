//! Random cuts of extremely randomized trees: one cut a column, drawn between the least and the greatest number of the
//! node, and judged as any other cut.
//!
//! No column is searched. A column costs one pass for the range of its codes and one for the rows below the cut; numbers
//! are read only where different numbers share the code of the least, of the greatest, or of the cut.

use super::Terms;
use super::contest::{Contest, Gap, Record, Top};
use super::kernels::codes::{known_range, range, select};
use super::node::{ABSENT, Cut, Kind};
use super::search::{Column, is_allowed};
use super::tally::{Set, Tally};
use crate::codes::spread::{Coder, Meaning};
use crate::rng::Words;
use crate::split::threshold::between;

/// What the codes of one column mean.
#[derive(Clone, Copy, Debug)]
pub struct Codes<'a> {
    /// Numbers to codes.
    pub coder: &'a Coder,
    /// Codes to numbers; None where different numbers share a code.
    pub meaning: Option<&'a Meaning>,
}

/// A cut that was drawn, or why there is none.
#[derive(Debug)]
pub enum Drawn {
    /// The cut.
    Cut(Top),
    /// All rows of the node have one value.
    Constant,
    /// The cut leaves too few rows on a side, or the constraint of the column forbids it.
    Refused,
}

/// Draws a cut of a numeric column; `places` is scratch.
pub fn draw_cut<T: Tally>(
    terms: &Terms<'_, T>,
    set: &Set<'_, T>,
    (column, codes): (&Column<'_>, Codes<'_>),
    record: &Record,
    words: &mut Words,
    places: &mut Vec<(u16, u32)>,
) -> Drawn {
    let tally = terms.tally;
    let gaps = column.kind == Kind::Gaps;
    let (low, high) = if gaps { known_range(set.isa, column.codes) } else { range(set.isa, column.codes) };
    if gaps && low == ABSENT {
        return Drawn::Constant; // every value is missing
    }
    let mut absent = tally.nothing(set);
    if gaps {
        tally.absent(set, column.codes, &mut absent);
    }
    let rows = T::count(&absent) as u32;
    let mut number = |code: u16, greatest: bool| match codes.meaning {
        Some(meaning) => meaning.number(code),
        None => {
            places.clear();
            select(set.isa, column.codes, code, code, places);
            let numbers = places.iter().map(|&(_, place)| column.number(place as usize));
            if greatest { numbers.fold(f64::NEG_INFINITY, f64::max) } else { numbers.fold(f64::INFINITY, f64::min) }
        }
    };
    let (least, greatest) = (number(low, false), number(high, true));
    let mut part = tally.nothing(set);
    let mut top = None;
    if least < greatest {
        let cut = between(least, greatest, words);
        let code = codes.coder.code_of(cut);
        // Numbers with a smaller code are smaller than the cut; those with its code must be compared.
        if codes.meaning.is_some() {
            tally.below(set, column.codes, code.saturating_add(1), &mut part);
        } else {
            tally.below(set, column.codes, code, &mut part);
            places.clear();
            select(set.isa, column.codes, code, code, places);
            for &(_, place) in places.iter() {
                if column.number(place as usize) <= cut {
                    tally.add(set, &mut part, place as usize);
                }
            }
        }
        let cut = Cut { within: Some((cut, cut)), ..Cut::behind(code) };
        for left in [false, true].into_iter().take(1 + usize::from(rows > 0)) {
            if left {
                T::join(&mut part, &absent);
            }
            let contest = Contest::new(record, &mut top).beside(Gap { rows, left });
            offer(tally, set, column, &part, cut, contest);
        }
    } else if rows > 0 {
        // All known numbers are one: only missing values can be told from them.
        tally.below(set, column.codes, ABSENT, &mut part);
        let contest = Contest::new(record, &mut top).beside(Gap { rows, left: false });
        offer(tally, set, column, &part, Cut::behind(high), contest);
    } else {
        return Drawn::Constant;
    }
    top.map_or(Drawn::Refused, Drawn::Cut)
}

fn offer<T: Tally>(
    tally: &T,
    set: &Set<'_, T>,
    column: &Column<'_>,
    part: &T::Part,
    cut: Cut,
    mut contest: Contest<'_>,
) {
    let left = T::count(part);
    if set.allows(left) && is_allowed(tally, set, column, part, &contest) {
        contest.offer(tally.saved(set, part), left as u32, cut);
    }
}
