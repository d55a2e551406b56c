//! What holds for a whole tree: what is added up, the numbers of the table, limits and constraints.

use super::kernels::Isa;
use super::known::Absent;
use super::light::LeafLimits;
use super::node::Side;
use super::store::Source;
use super::tally::{ColumnTally, NodeContext};
use crate::model::tree::Question;
use crate::split::choose::Candidate;
use crate::split::monotone::{Bounds, Trend};
use crate::split::sampling::FeatureSampling;
use crate::sys::pool::Cancel;

/// What holds for all nodes of a tree.
#[derive(Debug)]
pub struct Settings<'a, T: ColumnTally> {
    /// What is added up.
    pub tally: &'a T,
    /// The numbers of the table.
    pub source: &'a Source<'a>,
    /// How little a child may have.
    pub min_leaf: LeafLimits,
    /// What becomes of rows without a number.
    pub unknowns: Absent,
    /// The instructions to use.
    pub isa: Isa,
    /// Looked at between columns of large nodes.
    pub cancel: &'a Cancel,
    /// How columns are drawn; None looks at all.
    pub draw: Option<FeatureSampling>,
    /// For each column whether the answers must rise with it (above 0), fall (below 0), or neither; empty for none.
    pub monotone: &'a [i8],
}

impl<T: ColumnTally> Settings<'_, T> {
    /// Whether cuts are drawn, not searched.
    pub(super) fn draws_cuts(&self) -> bool {
        self.draw.is_some_and(|draw| draw.cuts)
    }

    /// The rows of a node, as searches see them.
    pub(super) fn context<'s>(
        &'s self,
        (total, cost, len): (&'s T::Total, f64, usize),
        prepared: &'s T::Prepared,
        targets: &'s [i64],
    ) -> NodeContext<'s, T> {
        let (cost, isa) = (self.tally.own_cost(total, cost), self.isa);
        let LeafLimits { rows: min_leaf, weight: min_weight, of_levels: min_levels } = self.min_leaf;
        NodeContext {
            tally: self.tally,
            total,
            prepared,
            targets,
            len,
            cost,
            min_leaf,
            min_weight,
            min_levels,
            unknowns: self.unknowns,
            isa,
        }
    }

    /// What the answers below both children must not leave.
    pub(super) fn bounds(&self, bounds: Bounds, chosen: &Candidate, sides: &[Side<T::Total>; 2]) -> [Bounds; 2] {
        let trend = Trend::of(self.monotone, chosen.feature, bounds);
        match (trend, &chosen.way.question) {
            // (A threshold may be deferred yet.)
            (Some(trend), Question::Threshold(cut)) if *cut != f64::INFINITY => {
                let criterion = self.tally.criterion();
                self.tally.with_stats(&sides[0].total, |low| {
                    self.tally.with_stats(&sides[1].total, |high| trend.divide(criterion, low, high))
                })
            }
            _ => [bounds; 2],
        }
    }
}
