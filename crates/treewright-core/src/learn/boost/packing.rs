//! The gradients of all rows as whole numbers, before a tree is grown from them, and what they add up to.
//!
//! Of many rows the words are coarse, and most stay the same from one tree to the next. The histograms of all rows are then
//! kept, and brought up to date by the rows whose word has changed. They are sums of whole numbers: nobody can tell.

use super::Boosting;
use super::sample::Sample;
use super::slopes::Largest;
use crate::learn::rows::bins::chunk::{Chunk, Spans};
use crate::learn::rows::bins::histogram::{self, Which};
use crate::learn::rows::bins::packed::{Grain, MOST_TIMES, Sum, Units, pack, repeated, replace};
use crate::learn::rows::bins::scan::merge;
use crate::learn::rows::bins::shelf::Sums;
use crate::pool::Cancel;
use std::cell::RefCell;
use std::sync::{Mutex, PoisonError};

/// Fewer rows are never coarse.
pub const MANY: usize = 1 << 16;
/// The least curvature of a child, of rows that weigh 1.
const LEAST_BEND: f64 = 1e-3;
/// Rows whose changes are listed before they are added up.
const LISTED: usize = 4096;

/// All that a tree is grown from.
#[derive(Debug)]
pub struct Packed {
    /// Where the rows of the root are.
    pub roots: Vec<Spans>,
    /// What the words mean.
    pub units: Units,
    /// The least curvature of a row, in units.
    pub least: u64,
    /// How many rows there are, each as often as it counts.
    pub weight: f64,
    /// The least curvature of a child.
    pub floor: f64,
    /// The histograms of the root, where they are known already.
    pub known: Option<Sums>,
}

/// Histograms of all rows that are kept from tree to tree, and the units of their words.
#[derive(Debug, Default)]
pub struct Kept {
    units: Option<Units>,
    sums: Vec<Sum>,
}

/// Rows whose words have changed, and by how much; and new words.
#[derive(Debug)]
struct Changes {
    rows: Box<[u16; LISTED]>,
    by: Box<[Sum; LISTED]>,
    fresh: Box<[u32; LISTED]>,
}

thread_local! {
    static CHANGES: RefCell<Changes> = RefCell::new(Changes {
        rows: Box::new([0; LISTED]),
        by: Box::new([0; LISTED]),
        fresh: Box::new([0; LISTED]),
    });
}

impl Boosting {
    /// Packs the gradients by one score and puts rows into the root.
    pub(super) fn pack(
        &self,
        sum: usize,
        sample: &Sample<'_>,
        reach: f64,
        largest: Largest,
        cancel: &Cancel,
    ) -> Packed {
        let roots = self.plant(sample, cancel);
        let members = roots.iter().map(|spans| spans[0].len()).sum();
        // The same rows in every round, and one tree a round: else nothing could be kept.
        let coarse = members >= MANY && self.plan.subsample >= 1.0 && self.plan.loss.sums() == 1;
        let coarse = coarse && self.store.is_various();
        let few = self.store.rows < MANY;
        let mut units = Units::new(largest.gradient, largest.curvature, largest.typical, members, coarse, few);
        units.most = (units.most as f64 * largest.weight) as u64;
        let known = if units.grain == Grain::Coarse {
            Some(self.repack(units, sum, reach, cancel))
        } else {
            self.pack_all(units, sum, reach, cancel);
            None
        };
        let flat = self.plan.loss.is_flat() && self.lesson.weights.is_none();
        let least = match units.grain {
            _ if flat => (units.curvature as u64).max(1),
            Grain::Coarse => 0,
            Grain::Fine | Grain::Random => 1,
        };
        let weight = self.times.as_ref().map_or(members as f64, |_| self.counted(&roots));
        // Where all weights are small, so is what they add up to.
        let heaviest = self.lesson.weights.as_ref().map_or(1.0, |weights| weights.iter().copied().fold(0.0, f64::max));
        Packed { roots, units, least, weight, floor: LEAST_BEND * heaviest.min(1.0), known }
    }

    /// How often the members of the root count together.
    fn counted(&self, roots: &[Spans]) -> f64 {
        let each = self.chunks.iter().zip(roots).map(|(chunk, spans)| {
            let chunk = chunk.read().unwrap_or_else(PoisonError::into_inner);
            chunk.members(*spans).iter().map(|&place| self.times_of(chunk.first + usize::from(place))).sum::<u64>()
        });
        each.sum::<u64>() as f64
    }

    /// Puts rows into the root.
    fn plant(&self, sample: &Sample<'_>, cancel: &Cancel) -> Vec<Spans> {
        let roots: Vec<Mutex<Spans>> = self.chunks.iter().map(|_| Mutex::new(Spans::default())).collect();
        self.each_chunk(cancel, |chunk| {
            let spans = sample.plant(chunk);
            *roots[chunk.first / self.length()].lock().unwrap_or_else(PoisonError::into_inner) = spans;
        });
        roots.into_iter().map(|spans| spans.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
    }

    /// Packs every row anew.
    fn pack_all(&self, units: Units, sum: usize, reach: f64, cancel: &Cancel) {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).units = None;
        let isa = self.plan.rules.isa;
        let salt = self.round.wrapping_mul(0x9E37_79B9).wrapping_add(self.plan.seed as u32) ^ (sum as u32) << 24;
        self.each_chunk(cancel, |chunk| {
            let mut words = std::mem::take(&mut chunk.words);
            self.blocks(chunk, sum, reach, |start, g, h| {
                self.weigh(chunk.first + start, g, h);
                let marks = &self.store.marks()[chunk.first + start..];
                let words = &mut words[start..start + g.len()];
                pack(isa, units, marks, salt, g, h, words);
                if let Some(times) = &self.times {
                    words
                        .iter_mut()
                        .zip(&times[chunk.first + start..])
                        .for_each(|(word, n)| *word = repeated(*word, *n));
                }
            });
            chunk.words = words;
        });
    }

    /// Packs every row, and gives the histograms of all.
    fn repack(&self, units: Units, sum: usize, reach: f64, cancel: &Cancel) -> Sums {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let Kept { units: before, sums } = &mut *kept;
        if *before != Some(units) {
            *before = Some(units);
            sums.clear();
            sums.resize(self.store.places, 0);
            self.each_chunk(cancel, |chunk| chunk.words.fill(0));
        }
        let rows = self.store.rows as u32;
        let changes = self.team.sums(self.store.places, self.chunks.len(), rows, cancel, |chunk, sums| {
            let mut chunk = self.chunks[chunk].write().unwrap_or_else(PoisonError::into_inner);
            CHANGES.with_borrow_mut(|changes| self.repack_chunk(&mut chunk, units, sum, reach, changes, sums));
        });
        merge(self.plan.rules.isa, sums, &changes);
        self.team.copy(sums)
    }

    fn repack_chunk(
        &self,
        chunk: &mut Chunk,
        units: Units,
        sum: usize,
        reach: f64,
        changes: &mut Changes,
        sums: &mut [Sum],
    ) {
        let (isa, mut words) = (self.plan.rules.isa, std::mem::take(&mut chunk.words));
        let (mut listed, count) = (0, words.len());
        self.blocks(chunk, sum, reach, |start, g, h| {
            let span = start..start + g.len();
            self.weigh(chunk.first + start, g, h);
            let fresh = &mut changes.fresh[..g.len()];
            pack(isa, units, &self.store.marks()[chunk.first + start..], 0, g, h, fresh);
            if self.lesson.held.is_some() {
                // Rows that are held out add nothing.
                let held = |(i, _): &(usize, &mut u32)| self.lesson.is_held(chunk.first + start + i);
                fresh.iter_mut().enumerate().filter(held).for_each(|(_, word)| *word = 0);
            }
            let (rows, by) = (&mut changes.rows[listed..], &mut changes.by[listed..]);
            listed += replace(isa, &mut words[span.clone()], fresh, start, rows, by);
            if listed + g.len() > LISTED || span.end == count {
                let which = Which::Changed(&changes.rows[..listed], &changes.by[..listed]);
                histogram::add(&self.store, &self.store.groups, chunk.first, which, sums);
                listed = 0;
            }
        });
        chunk.words = words;
    }
}

/// How often each row counts, if that is what weights say: small whole numbers, of few rows. What comes of them is then what
/// comes of rows that are there several times, to the last bit.
pub fn times(weights: Option<&[f64]>) -> Option<Vec<u8>> {
    let weights = weights.filter(|weights| weights.len() < MANY)?;
    let known = |weight: &f64| *weight >= 0.0 && *weight <= f64::from(MOST_TIMES) && weight.fract() == 0.0;
    weights.iter().all(known).then(|| weights.iter().map(|weight| *weight as u8).collect())
}
