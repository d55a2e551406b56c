//! Criteria of classes that have kernels: which kernel estimates what cuts save, chosen once for a column or a cut.

use super::histogram::ClassCounts;
use super::{entropy, factors, gini};
use crate::rows::columns::shape::Shape;
use crate::rows::columns::tally::{LaneQuery, LaneScan, Scan};
use crate::stats::criterion::{ClassCriterion, ClassFactors, Impurity};

/// An impurity that has kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// See [`entropy`].
    Entropy,
    /// See [`gini`].
    Gini,
}

/// The impurities that have kernels. Trees of the others are grown by the list engine.
const KERNELS: [(Impurity, Kernel); 2] = [(Impurity::Entropy, Kernel::Entropy), (Impurity::Gini, Kernel::Gini)];

/// A criterion of classes whose impurity has kernels.
#[derive(Clone, Copy, Debug)]
pub struct Formula<'a> {
    /// The criterion.
    pub criterion: &'a ClassCriterion<'a>,
    /// Its kernels.
    pub kernel: Kernel,
}

impl<'a> Formula<'a> {
    /// The kernels of a criterion; None where it has none.
    pub fn of(criterion: &'a ClassCriterion<'a>) -> Option<Formula<'a>> {
        let (_, kernel) = KERNELS.iter().find(|(impurity, _)| *impurity == criterion.impurity())?;
        Some(Formula { criterion, kernel: *kernel })
    }

    fn factors(&self) -> Option<&'a ClassFactors> {
        self.criterion.factors()
    }

    /// Whether all classes count alike under the Gini index: for it there are kernels of two classes.
    pub fn is_plain_gini(&self) -> bool {
        self.kernel == Kernel::Gini && self.factors().is_none()
    }

    /// How much a row of a class counts, against the class that counts least.
    pub fn factor(&self, class: u32) -> f64 {
        self.factors().map_or(1.0, |factors| factors.in_cost(class) / factors.least_in_cost())
    }

    /// Estimates all edges and bounds. `below` holds for each class how many rows are on the left of each bin and of the
    /// end.
    pub fn scan(&self, shape: &Shape<'_>, below: &[ClassCounts], scan: &mut Scan) {
        match (self.kernel, self.factors()) {
            (Kernel::Gini, None) => gini::scan(shape, below, scan),
            (Kernel::Gini, Some(_)) => factors::scan(shape, below, scan),
            (Kernel::Entropy, None) => entropy::scan(shape, below, scan),
            (Kernel::Entropy, Some(_)) => {
                let room = scan.room();
                let (edges, bounds) = (&mut room.edges[..room.bins], &mut room.bounds[..room.bins]);
                entropy::bins(shape.isa, shape.classes, shape.factors, below, shape.cost, edges, bounds);
            }
        }
    }

    /// Estimates the cut behind each lane, and tells the lanes of interest.
    pub fn scan_lanes(&self, shape: &Shape<'_>, codes: &[u16], query: &LaneQuery, scan: &mut LaneScan) -> u32 {
        match (self.kernel, self.factors()) {
            (Kernel::Gini, None) => gini::scan_lanes(shape, codes, query, scan),
            (Kernel::Gini, Some(_)) => factors::scan_lanes(shape, codes, query, scan),
            (Kernel::Entropy, None) => entropy::scan_lanes(shape, codes, query, scan),
            (Kernel::Entropy, Some(_)) => entropy::each_lane(shape, codes, query, scan, |left| self.saved(shape, left)),
        }
    }

    /// Whether estimates of lanes compare as savings do, where rows count so often.
    pub fn lanes_are_exact(&self, rows: usize, classes: usize) -> bool {
        self.is_plain_gini() && gini::lanes_are_exact(rows, classes)
    }

    /// See [`Tally::noise`](crate::rows::columns::tally::Tally::noise).
    pub fn noise(&self, shape: &Shape<'_>) -> f64 {
        self.factors().map_or(0.0, |_| factors::noise(shape))
    }

    /// What a cut saves.
    #[inline]
    pub fn saved(&self, shape: &Shape<'_>, left: &[u32]) -> f64 {
        match (self.kernel, self.factors()) {
            (Kernel::Gini, None) => gini::saved(shape, left),
            (Kernel::Entropy, None) => entropy::saved(shape, left),
            (_, Some(class_factors)) => factors::saved(self.criterion, class_factors, shape, left),
        }
    }

    /// More than any cut between two saves.
    pub fn bound(&self, shape: &Shape<'_>, before: &[u32], after: &[u32]) -> f64 {
        match (self.kernel, self.factors()) {
            (Kernel::Gini, None) => gini::bound(shape, before, after),
            (Kernel::Gini, Some(_)) => factors::bound(shape, before, after),
            (Kernel::Entropy, _) => entropy::bound(shape, before, after),
        }
    }
}
