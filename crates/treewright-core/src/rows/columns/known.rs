//! The rows of a node that have a number in a column, as a set of their own: what a cut saves among them is added to what
//! it saves to take them from the others.
//!
//! Savings among known rows are shares of what these cost. A [`Frame`] turns them into shares of what the node costs.

use super::contest::{Contest, Record, Top};
use super::kernels::Isa;
use super::kernels::codes::at_most;
use super::kernels::partition::{Movable, SLOP};
use super::node::{ABSENT, Cut, Kind, Ties};
use super::scratch::lengthen;
use super::search::{Column, is_allowed, sweep};
use super::small::{SmallScratch, SmallSearch};
use super::tally::{ColumnTally, NodeContext, SidePart, Which};
use crate::Result;
use crate::stats::criterion::Criterion;
use crate::sys::memory::collected;

/// What becomes of rows that have no number in the column of a cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Absent {
    /// They go to one of the two sides.
    #[default]
    Side,
    /// They have a child of their own where they are enough for one; else they go to a side.
    Branch,
}

/// How savings among known rows become savings of the node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// What it saves to take the known rows from the others.
    pub base: f64,
    /// What the known rows cost, as a share of what the node costs.
    pub scale: f64,
    /// The tolerance of ties in one column, as a share of what the known rows cost, is that of the node.
    pub of_node: bool,
}

impl Frame {
    /// The share of the node's cost.
    pub fn saved(&self, saved: f64) -> f64 {
        self.base + self.scale * saved
    }
}

/// The known rows of one column of a node.
#[derive(Debug)]
pub struct KnownRows<T: ColumnTally> {
    codes: Vec<u16>,
    rows: Vec<u32>,
    targets: Vec<i64>,
    spare_codes: Vec<u16>,
    spare_rows: Vec<u32>,
    spare_targets: Vec<i64>,
    /// Which rows of the node they are.
    pub mask: Vec<u32>,
    len: usize,
    prepared: T::Prepared,
    /// What they add up to, and the others.
    pub totals: [T::Total; 2],
    /// What both cost.
    costs: [f64; 2],
}

impl<T: ColumnTally> Default for KnownRows<T> {
    fn default() -> KnownRows<T> {
        KnownRows {
            codes: Vec::new(),
            rows: Vec::new(),
            targets: Vec::new(),
            spare_codes: Vec::new(),
            spare_rows: Vec::new(),
            spare_targets: Vec::new(),
            mask: Vec::new(),
            len: 0,
            prepared: T::Prepared::default(),
            totals: [T::Total::default(), T::Total::default()],
            costs: [0.0; 2],
        }
    }
}

/// Copies values and moves those whose bit is set to the front.
fn take_known<V: Movable + Default>(
    isa: Isa,
    values: &[V],
    mask: &[u32],
    (out, spare): (&mut Vec<V>, &mut Vec<V>),
) -> Result<()> {
    out.clear();
    out.try_reserve(values.len())?;
    out.extend_from_slice(values);
    lengthen(spare, values.len() + SLOP)?;
    V::partition(isa, out, mask, spare);
    Ok(())
}

impl<T: ColumnTally> KnownRows<T> {
    /// Takes the known rows of a node; their numbers in the table too, where `with_rows` gives those of the node.
    pub fn gather(&mut self, context: &NodeContext<'_, T>, codes: &[u16], with_rows: Option<&[u32]>) -> Result<()> {
        let isa = context.isa;
        self.mask.clear();
        self.mask.resize(codes.len().div_ceil(32), 0);
        at_most(isa, codes, ABSENT - 1, &mut self.mask);
        self.len = self.mask.iter().map(|word| word.count_ones() as usize).sum();
        take_known(isa, codes, &self.mask, (&mut self.codes, &mut self.spare_codes))?;
        self.rows.clear();
        if let Some(rows) = with_rows {
            take_known(isa, rows, &self.mask, (&mut self.rows, &mut self.spare_rows))?;
        }
        if !context.targets.is_empty() {
            take_known(isa, context.targets, &self.mask, (&mut self.targets, &mut self.spare_targets))?;
        }
        let [known, others] = &mut self.totals;
        context.tally.divide(context.total, context.targets, &self.mask, [known, others])?;
        self.costs = [0, 1].map(|side| context.tally.cost(&self.totals[side]));
        let targets = self.targets.get(..self.len).unwrap_or(&[]);
        context.tally.prepare(isa, &self.totals[0], targets, &mut self.prepared)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Their targets; empty where places tell them.
    pub fn targets(&self) -> &[i64] {
        self.targets.get(..self.len).unwrap_or(&[])
    }

    /// The rows, as searches see them; the others are none of their business.
    pub fn context<'s>(&'s self, context: &NodeContext<'s, T>) -> NodeContext<'s, T> {
        NodeContext {
            total: &self.totals[0],
            prepared: &self.prepared,
            targets: self.targets(),
            len: self.len,
            cost: context.tally.own_cost(&self.totals[0], self.costs[0]),
            unknowns: Absent::Side,
            ..*context
        }
    }

    /// Their column.
    pub fn column<'c>(&'c self, column: &Column<'c>) -> Column<'c> {
        let rows = self.rows.get(..self.len).unwrap_or(&[]);
        Column { codes: &self.codes[..self.len], rows, kind: Kind::Numbers, ..*column }
    }

    /// How their savings become those of the node; None where they cost nothing, so that there is nothing to save.
    pub fn frame(&self, context: &NodeContext<'_, T>) -> Frame {
        let (cost, [known, others]) = (context.tally.cost(context.total), self.costs);
        let of_node = context.unknowns == Absent::Branch;
        let base = if of_node { (cost - known - others) / cost } else { 0.0 };
        Frame { base, scale: known / cost, of_node }
    }

    /// Whether there is nothing to save among them.
    pub fn is_pure(&self) -> bool {
        self.costs[0] == 0.0
    }

    /// Whether they are not to be counted into bins.
    pub fn is_small(&self, context: &NodeContext<'_, T>) -> bool {
        self.len < 2 * context.min_leaf
            || self.is_pure()
            || context.tally.fits_lanes(context.isa, &self.totals[0], self.len)
    }
}

impl<T: ColumnTally> NodeContext<'_, T> {
    /// Whether rows without a number stand aside from the cuts of a column, of which these are the absent ones.
    pub fn has_aside(&self, absent: &T::Part) -> bool {
        match self.unknowns {
            Absent::Side => false,
            Absent::Branch => {
                let heavy = || self.tally.criterion().weight(&self.tally.sides(self, absent)[0]) >= self.min_weight;
                absent.rows() >= self.min_leaf && (self.min_weight <= 0.0 || heavy())
            }
        }
    }

    /// Offers the question that tells these known rows from the others, which have a child of their own.
    pub fn offer_known(&self, known: &KnownRows<T>, inner: &Record, top: &mut Option<Top>) {
        let high = known.codes[..known.len].iter().copied().fold(0, u16::max);
        let heavy = || self.tally.weight(&known.totals[0]) >= self.min_weight;
        if self.unknowns == Absent::Branch && known.len >= self.min_leaf && (self.min_weight <= 0.0 || heavy()) {
            let cut = Cut { absent: Some(false), ..Cut::behind(high) };
            Contest::new(inner, top).offer(0.0, known.len as u32, cut);
        }
    }
}

/// The first cut of all that is allowed, where no cut saves anything.
pub fn first_cut<T: ColumnTally>(
    context: &NodeContext<'_, T>,
    column: &Column<'_>,
    record: &Record,
) -> Result<Option<Top>> {
    let mut items: Vec<(u16, f64, u32)> =
        collected(
            column.codes.iter().zip(0..).map(|(&code, place)| {
                (code, if column.is_exact() { 0.0 } else { column.number(place as usize) }, place)
            }),
        )?;
    items.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let (mut part, mut top) = (context.part(Which::Nothing), None);
    let mut contest = Contest::new(record, &mut top);
    for pair in items.windows(2) {
        context.tally.add(context, &mut part, pair[0].2 as usize);
        let left = part.rows();
        let differ = pair[0].0 != pair[1].0 || pair[0].1 < pair[1].1;
        if differ && context.allows(left) && is_allowed(context, column.trend, &part, &contest) {
            let ties = if pair[0].0 == pair[1].0 { Ties::Between(pair[0].1, pair[1].1) } else { Ties::Left };
            contest.offer(0.0, left as u32, Cut { ties, ..Cut::behind(pair[0].0) });
            break;
        }
    }
    Ok(top)
}

/// Scratch for the columns of small nodes.
#[derive(Debug)]
pub struct KnownScratch<T: ColumnTally> {
    /// The known rows.
    pub rows: KnownRows<T>,
    small: SmallScratch,
}

impl<T: ColumnTally> Default for KnownScratch<T> {
    fn default() -> KnownScratch<T> {
        KnownScratch { rows: KnownRows::default(), small: SmallScratch::default() }
    }
}

/// How many rows without a number stand aside from the cuts of a column; None where none does.
pub fn absent_aside<T: ColumnTally>(context: &NodeContext<'_, T>, codes: &[u16]) -> Result<Option<usize>> {
    let absent = codes.iter().filter(|code| **code == ABSENT).count();
    if absent == 0 || context.unknowns == Absent::Side {
        return Ok(None);
    }
    let enough = if context.min_weight > 0.0 {
        let part = context.part(Which::Missing(codes));
        context.has_aside(&part)
    } else {
        absent >= context.min_leaf
    };
    Ok(enough.then_some(absent))
}

/// The best cut among the known rows of a node, where these are few or need no search; some of them are known.
pub fn search_small<T: ColumnTally>(
    context: &NodeContext<'_, T>,
    column: &Column<'_>,
    record: &Record,
    scratch: &mut KnownScratch<T>,
) -> Result<Option<Top>> {
    let KnownScratch { rows, small } = scratch;
    rows.gather(context, column.codes, Some(column.rows))?;
    let (frame, known, column) = (rows.frame(context), rows.context(context), rows.column(column));
    let inner = record.within(&frame);
    let mut top = if rows.len() < 2 * context.min_leaf {
        None
    } else if rows.is_pure() {
        first_cut(&known, &column, &inner)?
    } else if column.trend.is_some() || context.min_weight > 0.0 {
        sweep(&known, &column, &inner)?
    } else {
        SmallSearch::new(&known, &inner, small).column(column.codes, column.is_exact(), || column.clone())
    };
    context.offer_known(rows, &inner, &mut top);
    let top = top.map(|top| top.of_node(&frame));
    if let Some(top) = &top {
        record.raise(top.saved);
    }
    Ok(top)
}
