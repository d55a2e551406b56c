//! What the searches of all columns of a node share: how often its rows count, class by class and row by row.

use super::kernels::Isa;
use super::kernels::duo::{self, DUO_TIMES};
use super::kernels::formula::Formula;
use super::kernels::pairs::{self, PAIR_TIMES, Weights};
use super::segments::{Segment, places, size, times_of};
use crate::Result;

/// How often the rows of a node count, class by class.
#[derive(Debug, Default)]
pub struct PreparedCounts {
    /// For each class that occurs, in their order.
    pub(super) classes: Vec<u32>,
    /// Which classes these are.
    pub(super) labels: Vec<u32>,
    /// See [`Formula::factor`].
    pub(super) factors: Vec<f64>,
    pub(super) all: usize,
    /// What each row counts, where [`Tally::pairs`](super::tally::Tally::pairs) is used, and the sum of its squares.
    pub(super) weights: Weights,
    pub(super) squares: u32,
    /// For each row the place of its class and how often it counts, where segments are so short that looking for a
    /// row's takes long; else empty.
    pub(super) rows: Vec<(u32, u32)>,
    /// What each row of two classes counts, where [`duo`] is used; else empty.
    pub(super) packed: Vec<u32>,
}

/// Nodes of two classes of at most so many rows are counted class by class at once; in larger ones segments are long.
const DUO: usize = 1 << 10;

/// Segments of fewer rows, on average, are short.
const SHORT: usize = 64;

/// Whether rows are so few, and of two classes, that they are compared pair by pair.
pub fn are_pairs(isa: Isa, total: &[Segment]) -> bool {
    let (rows, classes) = size(total);
    classes == 2 && rows <= pairs::max_rows(isa) && times_of(total) <= PAIR_TIMES
}

impl PreparedCounts {
    /// Packs what each row counts.
    fn pack(&mut self, total: &[Segment]) {
        self.weights.0.fill(0);
        self.squares = 0;
        for (place, segment, rows) in places(total) {
            let times = segment.times as u16;
            self.weights.0[rows].fill(if place == 0 { times } else { times << 8 | times });
            self.squares += segment.len * segment.times * segment.times;
        }
    }

    /// Prepares the searches of a node.
    pub fn fill(&mut self, isa: Isa, formula: &Formula<'_>, total: &[Segment]) -> Result<()> {
        self.classes.clear();
        self.labels.clear();
        self.factors.clear();
        for (place, segment, _) in places(total) {
            if place == self.classes.len() {
                self.classes.push(0);
                self.labels.push(segment.class);
                self.factors.push(formula.factor(segment.class));
            }
            self.classes[place] += segment.len * segment.times;
        }
        self.all = self.classes.iter().map(|&times| times as usize).sum();
        let rows: usize = total.iter().map(|segment| segment.len as usize).sum();
        self.rows.clear();
        self.packed.clear();
        let two = formula.is_plain_gini() && self.classes.len() == 2;
        if two && are_pairs(isa, total) {
            self.pack(total);
        } else if two && self.all <= DUO_TIMES && rows <= DUO {
            for (place, segment, _) in places(total) {
                let weight = duo::pack(place == 1, segment.times);
                self.packed.extend(std::iter::repeat_n(weight, segment.len as usize));
            }
        } else if rows < SHORT * total.len() {
            self.rows.try_reserve(rows)?;
            for (place, segment, _) in places(total) {
                self.rows.extend(std::iter::repeat_n((place as u32, segment.times), segment.len as usize));
            }
        }
        Ok(())
    }
}
