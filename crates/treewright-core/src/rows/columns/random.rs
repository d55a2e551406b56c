//! Random cuts of extremely randomized trees: one cut a column, drawn between the least and the greatest number of the
//! node, and judged as any other cut.
//!
//! No column is searched. A column costs one pass for the range of its codes and one for the rows below the cut; numbers
//! are read only where different numbers share the code of the least, of the greatest, or of the cut. In a tile the numbers
//! themselves are at hand ([`TileNumbers`](super::tile::TileNumbers)) and no code is looked at.

use super::contest::{Contest, Gap, Record, Top};
use super::kernels::Isa;
use super::kernels::codes::{known_range, range, select};
use super::kernels::numbers::{self, NumberLanes};
use super::kernels::partition::places_of;
use super::known;
use super::known::KnownScratch;
use super::node::{ABSENT, Cut, Kind, Ties};
use super::search::{Column, is_allowed, offer_part};
use super::tally::{ColumnTally, NodeContext, SidePart, Tally, Which};
use crate::Result;
use crate::rng::Words;
use crate::split::monotone::Trend;
use crate::split::threshold::between;

/// A cut that was drawn, or why there is none.
#[derive(Debug)]
pub enum RandomCut {
    /// The cut.
    Cut(Top),
    /// All rows of the node have one value.
    Constant,
    /// The cut leaves too few rows on a side, or the constraint of the column forbids it.
    Refused,
}

/// Where a column of a node begins and ends.
#[derive(Debug, Default)]
pub struct Ends {
    /// The least and the greatest code.
    low: u16,
    high: u16,
    /// Places of the rows that have these codes, where different numbers share a code.
    places: Vec<(u16, u32)>,
}

impl Ends {
    /// Finds the ends, and asks for the numbers there: other columns are looked at until they arrive.
    pub fn find(&mut self, isa: Isa, column: &Column<'_>) {
        let gaps = column.kind == Kind::Gaps;
        (self.low, self.high) = if gaps { known_range(isa, column.codes) } else { range(isa, column.codes) };
        self.places.clear();
        if column.is_exact() || (gaps && self.low == ABSENT) {
            return;
        }
        select(isa, column.codes, self.low, self.low, &mut self.places);
        if self.low < self.high {
            select(isa, column.codes, self.high, self.high, &mut self.places);
        }
        self.places.iter().for_each(|&(_, place)| column.numbers.ask(column.rows[place as usize] as usize));
    }

    /// The least and the greatest number.
    fn numbers(&self, column: &Column<'_>) -> (f64, f64) {
        if let Some(meaning) = column.meaning {
            return (meaning.number(self.low), meaning.number(self.high));
        }
        let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
        for number in self.places.iter().map(|&(_, place)| column.number(place as usize)) {
            (least, greatest) = (least.min(number), greatest.max(number));
        }
        (least, greatest)
    }
}

/// Scratch: rows that are told apart by their numbers; for columns in which rows stand aside that have no number; and the
/// rows on the left of a cut.
type DrawScratch<'s, T> = (&'s mut Vec<(u16, u32)>, &'s mut KnownScratch<T>, &'s mut <T as Tally>::Part);

/// Draws a cut of a numeric column, whose ends were found.
pub fn draw_cut<T: ColumnTally>(
    context: &NodeContext<'_, T>,
    (column, ends): (&Column<'_>, &Ends),
    record: &Record,
    words: &mut Words,
    (places, known, part): DrawScratch<'_, T>,
) -> Result<RandomCut> {
    if column.kind == Kind::Gaps
        && let Some(absent) = known::absent_aside(context, column.codes)?
        && absent < context.len
    {
        return draw_known(context, column, record, words, (places, known, part));
    }
    let Some(coder) = column.coder else { return Ok(RandomCut::Refused) };
    let gaps = column.kind == Kind::Gaps;
    if gaps && ends.low == ABSENT {
        return Ok(RandomCut::Constant); // every value is missing
    }
    let absent = gaps.then(|| context.part(Which::Missing(column.codes)));
    let rows = absent.as_ref().map_or(0, SidePart::rows) as u32;
    let (least, greatest) = ends.numbers(column);
    let mut top = None;
    if least < greatest {
        let cut = between(least, greatest, words);
        let code = coder.code_of(cut);
        add_at_most(context, column, (cut, code), part, places);
        let cut = Cut { ties: Ties::AtMost(cut), ..Cut::behind(code) };
        for left in [false, true].into_iter().take(1 + usize::from(rows > 0)) {
            if let (true, Some(absent)) = (left, &absent) {
                part.join(absent);
            }
            let contest = Contest::new(record, &mut top).beside(Gap { rows, left });
            offer(context, column.trend, part, cut, contest);
        }
    } else if rows > 0 {
        // All known numbers are one: only missing values can be told from them.
        context.tally.part(context, Which::Below(column.codes, ABSENT), part);
        let contest = Contest::new(record, &mut top).beside(Gap { rows, left: false });
        offer(context, column.trend, part, Cut::behind(ends.high), contest);
    } else {
        return Ok(RandomCut::Constant);
    }
    Ok(top.map_or(RandomCut::Refused, RandomCut::Cut))
}

/// The same where rows without a number stand aside.
fn draw_known<T: ColumnTally>(
    context: &NodeContext<'_, T>,
    column: &Column<'_>,
    record: &Record,
    words: &mut Words,
    (places, known_scratch, part): DrawScratch<'_, T>,
) -> Result<RandomCut> {
    let mut rows = std::mem::take(&mut known_scratch.rows);
    rows.gather(context, column.codes, Some(column.rows))?;
    let (frame, inner) = (rows.frame(context), Record::default());
    let (known, mut ends) = (rows.column(column), Ends::default());
    ends.find(context.isa, &known);
    let drawn = draw_cut(&rows.context(context), (&known, &ends), &inner, words, (places, &mut *known_scratch, part))?;
    let constant = matches!(drawn, RandomCut::Constant);
    let mut top = match drawn {
        // Nothing is to be saved, whatever the cut.
        RandomCut::Cut(top) if rows.is_pure() => Some(Top::saving_nothing(top)),
        RandomCut::Cut(top) => Some(top),
        RandomCut::Refused | RandomCut::Constant => None,
    };
    if constant {
        context.offer_known(&rows, &inner, &mut top);
    }
    known_scratch.rows = rows;
    Ok(top.map_or(RandomCut::Refused, |top| {
        let top = top.of_node(&frame);
        record.raise(top.saved);
        RandomCut::Cut(top)
    }))
}

/// The part of the rows with at most a number, of which the code is known; `places` is scratch.
fn add_at_most<T: ColumnTally>(
    context: &NodeContext<'_, T>,
    column: &Column<'_>,
    (number, code): (f64, u16),
    part: &mut T::Part,
    places: &mut Vec<(u16, u32)>,
) {
    if column.is_exact() {
        context.tally.part(context, Which::Below(column.codes, code.saturating_add(1)), part);
        return;
    }
    // Numbers with a smaller code are smaller; those with the same code must be compared.
    context.tally.part(context, Which::Below(column.codes, code), part);
    places.clear();
    select(context.isa, column.codes, code, code, places);
    for place in places.iter().map(|&(_, place)| place as usize) {
        if column.number(place) <= number {
            context.tally.add(context, part, place);
        }
    }
}

fn offer<T: ColumnTally>(
    context: &NodeContext<'_, T>,
    trend: Option<Trend>,
    part: &T::Part,
    cut: Cut,
    mut contest: Contest<'_>,
) {
    let left = part.rows();
    if context.allows(left) && is_allowed(context, trend, part, &contest) {
        offer_part(context, part, cut, &mut contest);
    }
}

/// The rows of a node of a tile, and a column's numbers of all rows of the tile.
#[derive(Clone, Copy, Debug)]
pub struct TileColumn<'a> {
    /// Lane by lane; NaN where a number is missing.
    pub numbers: &'a NumberLanes,
    /// The lanes of the node's rows.
    pub members: u64,
    /// What the answers must do along the column, where it is constrained.
    pub trend: Option<Trend>,
}

impl TileColumn<'_> {
    /// The lanes with at most this number; those without a number are not among them.
    pub fn at_most(&self, isa: Isa, number: f64) -> u64 {
        numbers::at_most(isa, self.numbers, self.members, number)
    }

    /// The lanes that have no number.
    pub fn absent(&self, isa: Isa) -> u64 {
        self.members ^ self.at_most(isa, f64::INFINITY)
    }
}

/// Draws a cut of a numeric column in a node of a tile; `part` is scratch.
pub fn draw_cut_in_tile<T: ColumnTally>(
    context: &NodeContext<'_, T>,
    column: TileColumn<'_>,
    record: &Record,
    words: &mut Words,
    part: &mut T::Part,
) -> RandomCut {
    let absent = column.absent(context.isa);
    let (least, greatest) = numbers::range(context.isa, column.numbers, column.members ^ absent);
    if least >= greatest && (absent == 0 || absent == column.members) {
        return RandomCut::Constant;
    }
    // Where all known numbers are one, only missing values can be told from them.
    let apart = least >= greatest;
    let cut = if apart { f64::INFINITY } else { between(least, greatest, words) };
    let (below, rows, mut top) = (column.at_most(context.isa, cut), absent.count_ones(), None);
    for left in [false, true].into_iter().take(1 + usize::from(rows > 0 && !apart)) {
        let chosen = below | if left { absent } else { 0 };
        context.tally.part(context, Which::Chosen(places_of(context.isa, chosen, column.members)), part);
        let contest = Contest::new(record, &mut top).beside(Gap { rows, left });
        offer(context, column.trend, part, Cut { ties: Ties::AtMost(cut), ..Cut::behind(0) }, contest);
    }
    top.map_or(RandomCut::Refused, RandomCut::Cut)
}
