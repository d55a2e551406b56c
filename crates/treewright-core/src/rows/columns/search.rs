//! What the searches of large and small nodes share: the column they look at, and cuts between different numbers that have
//! the same code.

use super::contest::{Contest, Gap, Record, Top};
use super::node::{ABSENT, Cut, Kind, Ties};
use super::tally::{ColumnTally, NodeContext, SidePart, Which};
use crate::Result;
use crate::codes::spread::{Coder, Meaning};
use crate::data::strided::Strided;
use crate::split::monotone::Trend;
use crate::stats::criterion::Criterion;
use crate::sys::memory::collected;

/// One column of one node.
#[derive(Clone, Debug)]
pub struct Column<'a> {
    /// The codes of the node's rows.
    pub codes: &'a [u16],
    /// The rows of the table.
    pub rows: &'a [u32],
    /// The numbers of the table's column.
    pub numbers: &'a Strided<'a>,
    /// Codes to numbers; None where different numbers share a code.
    pub meaning: Option<&'a Meaning>,
    /// Numbers to codes; None for categories.
    pub coder: Option<&'a Coder>,
    /// What the codes are.
    pub kind: Kind,
    /// What the answers must do along the column, where it is constrained.
    pub trend: Option<Trend>,
}

impl Column<'_> {
    /// Whether each code is one number.
    pub fn is_exact(&self) -> bool {
        self.meaning.is_some()
    }

    /// The number of the row at a place.
    pub fn number(&self, place: usize) -> f64 {
        self.numbers.at(self.rows[place] as usize) + 0.0
    }
}

/// The search of one column of one node.
#[derive(Debug)]
pub struct Job<'a, T: ColumnTally> {
    /// The rows.
    pub context: &'a NodeContext<'a, T>,
    /// The column.
    pub column: &'a Column<'a>,
    /// The best cut of all columns so far.
    pub record: &'a Record,
}

/// Looks at all cuts among some rows, given as codes and places in order of their codes, in front of which stands `part`.
pub fn cuts_among<T: ColumnTally>(
    context: &NodeContext<'_, T>,
    column: &Column<'_>,
    items: &[(u16, u32)],
    mut part: T::Part,
    contest: &mut Contest<'_>,
) {
    for group in items.chunk_by(|a, b| a.0 == b.0) {
        let before = (!column.is_exact() && group.len() > 1).then(|| part.clone());
        group.iter().for_each(|&(_, place)| context.tally.add(context, &mut part, place as usize));
        if let Some(before) = before
            && context.tally.bound(context, &before, &part) as f32 >= contest.floor()
        {
            cuts_within(context, column, group, before, contest);
        }
        let left = part.rows();
        if context.allows(left)
            && let Some(saved) = context.tally.saved(context, &part, contest.floor())
            && is_allowed(context, column.trend, &part, contest)
        {
            contest.offer(saved, left as u32, Cut::behind(group[0].0));
        }
    }
}

/// Offers the cut behind some rows.
pub fn offer_part<T: ColumnTally>(context: &NodeContext<'_, T>, part: &T::Part, cut: Cut, contest: &mut Contest<'_>) {
    if let Some(saved) = context.tally.saved(context, part, f32::NEG_INFINITY) {
        contest.offer(saved, part.rows() as u32, cut);
    }
}

/// Whether both sides are heavy enough and their answers follow the column's trend. It says nothing of a question that
/// tells known from missing numbers.
pub fn is_allowed<T: ColumnTally>(
    context: &NodeContext<'_, T>,
    trend: Option<Trend>,
    part: &T::Part,
    contest: &Contest<'_>,
) -> bool {
    if trend.is_none() && context.min_weight <= 0.0 {
        return true;
    }
    let [low, high] = context.tally.sides(context, part);
    let criterion = context.tally.criterion();
    let follows = |trend: Trend| contest.is_apart(part.rows(), context.len) || trend.allows(criterion, &low, &high);
    criterion.weight(&low).min(criterion.weight(&high)) >= context.min_weight && trend.is_none_or(follows)
}

/// The best cut of a column with a trend: what other cuts save tells nothing of those that follow it, so each is looked
/// at. So it is in small nodes where sides have a least weight.
pub fn sweep<T: ColumnTally>(
    context: &NodeContext<'_, T>,
    column: &Column<'_>,
    record: &Record,
) -> Result<Option<Top>> {
    let mut absent = context.part(Which::Nothing);
    if column.kind == Kind::Gaps {
        context.tally.part(context, Which::Missing(column.codes), &mut absent);
    }
    let rows = absent.rows() as u32;
    let known = |(code, _): &(u16, u32)| rows == 0 || *code != ABSENT;
    let codes = column.codes[..context.len].iter().copied();
    let mut items: Vec<(u16, u32)> = collected(codes.zip(0..).filter(known))?;
    items.sort_unstable();
    let mut top = None;
    for left in [false, true].into_iter().take(1 + usize::from(rows > 0)) {
        let part = if left { absent.clone() } else { context.part(Which::Nothing) };
        let contest = &mut Contest::new(record, &mut top).beside(Gap { rows, left });
        cuts_among(context, column, &items, part, contest);
    }
    Ok(top)
}

/// Looks at the cuts between different numbers of one code.
#[cold]
fn cuts_within<T: ColumnTally>(
    context: &NodeContext<'_, T>,
    column: &Column<'_>,
    group: &[(u16, u32)],
    mut part: T::Part,
    contest: &mut Contest<'_>,
) {
    // Each number is read once: another thread may be writing to it.
    let mut numbers: Vec<(f64, u32)> = group.iter().map(|&(_, place)| (column.number(place as usize), place)).collect();
    numbers.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    for pair in numbers.windows(2) {
        context.tally.add(context, &mut part, pair[0].1 as usize);
        let left = part.rows();
        if pair[0].0 < pair[1].0 && context.allows(left) && is_allowed(context, column.trend, &part, contest) {
            let cut = Cut { ties: Ties::Between(pair[0].0, pair[1].0), ..Cut::behind(group[0].0) };
            offer_part(context, &part, cut, contest);
        }
    }
}
