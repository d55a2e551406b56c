//! A run of neighboring rows and all that changes about them while trees grow: which node they are in, their gradients,
//! their scores. Chunks share nothing, so any thread may work on any of them, and what comes of it does not depend on how
//! long they are.
//!
//! Glossary. A node's *training rows* are the ones it learns from. Other rows (left out of a sample, or held out for
//! validation) are led through the tree beside them and never added up. A *span* is where a node's rows stand in the chunk's
//! list.

use super::histogram;
use super::packed::Sum;
use super::sides::Side;
use super::store::Store;
use crate::Result;
use crate::rows::columns::kernels::partition::{Movable, SLOP};
use crate::simd::Isa;
use crate::sys::memory::filled;
use std::cell::RefCell;
use std::ops::Range;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// The most rows of a chunk: a row's place in it has 16 bits.
pub const MAX_ROWS: usize = 1 << 16;

/// Where the rows of a node stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The first of them.
    pub start: u32,
    /// Behind the last of them.
    pub end: u32,
}

impl Span {
    /// How many.
    pub fn len(&self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    fn of<'r>(&self, rows: &'r [u16]) -> &'r [u16] {
        &rows[self.start as usize..self.end as usize]
    }
}

/// Training rows and other rows.
pub type Spans = [Span; 2];

/// A run of rows.
#[derive(Debug, Default)]
pub struct Chunk {
    /// The first row.
    pub first: usize,
    /// Packed gradients and Hessians, one word a row.
    pub words: Vec<u32>,
    /// The gradients of one score before they are packed, one a row.
    pub gradients: Vec<f32>,
    /// The Hessians.
    pub hessians: Vec<f32>,
    /// What the model says so far: one list for each sum.
    pub scores: Vec<Vec<f64>>,
    /// What the losses keep of a round, one number a row; empty where they keep nothing.
    pub norms: Vec<f32>,
    rows: Vec<u16>,
}

thread_local! {
    /// Room for moving rows, for a mask, and for the codes of a sparse column: one for each thread, since there are many
    /// more chunks.
    static SCRATCH: RefCell<(Vec<u16>, Vec<u32>, Vec<u8>)> = const { RefCell::new((Vec::new(), Vec::new(), Vec::new())) };
}

/// A chunk, to look at.
pub fn read(chunk: &RwLock<Chunk>) -> RwLockReadGuard<'_, Chunk> {
    chunk.read().unwrap_or_else(PoisonError::into_inner)
}

/// A chunk, to change.
pub fn write(chunk: &RwLock<Chunk>) -> RwLockWriteGuard<'_, Chunk> {
    chunk.write().unwrap_or_else(PoisonError::into_inner)
}

impl Chunk {
    /// The chunk of so many rows from `first` on.
    pub fn new(first: usize, count: usize, sums: usize) -> Result<Chunk> {
        let mut chunk = Chunk { first, ..Chunk::default() };
        chunk.words = filled(0, count)?;
        chunk.gradients = filled(0.0, count)?;
        chunk.hessians = filled(0.0, count)?;
        chunk.rows.try_reserve_exact(count)?;
        for _ in 0..sums {
            chunk.scores.push(filled(0.0, count)?);
        }
        Ok(chunk)
    }

    /// How many rows.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Puts all rows into the root: those for which `member` says so, and the others beside them.
    pub fn assign_to_root(&mut self, member: impl Fn(usize) -> bool) -> Spans {
        self.rows.clear();
        let count = self.len();
        self.rows.extend((0..count).filter(|&row| member(row)).map(|row| row as u16));
        let training = self.rows.len();
        if training < count {
            self.rows.extend((0..count).filter(|&row| !member(row)).map(|row| row as u16));
        }
        [Span { start: 0, end: training as u32 }, Span { start: training as u32, end: count as u32 }]
    }

    /// Puts all rows into the root as training rows.
    pub fn assign_all_to_root(&mut self) -> Spans {
        self.rows.clear();
        self.rows.extend((0..self.words.len()).map(|row| row as u16));
        let count = self.len() as u32;
        [Span { start: 0, end: count }, Span { start: count, end: count }]
    }

    /// Divides the rows of a node; the spans of its first child come back, the second's stand behind them.
    pub fn divide(&mut self, store: &Store, isa: Isa, feature: usize, side: &Side, spans: Spans) -> Spans {
        SCRATCH.with_borrow_mut(|(spare, mask, codes)| {
            let codes = store.column_from(feature, self.first, self.words.len(), codes);
            spans.map(|span| {
                if span.is_empty() {
                    return span;
                }
                let every = span.len() == self.words.len();
                let rows = &mut self.rows[span.start as usize..span.end as usize];
                let front = if every {
                    // The root: its rows are in their order.
                    side.mask_all(isa, &codes[..rows.len()], mask)
                } else {
                    // SAFETY: the list holds places of this chunk, and the store has bytes to spare behind the last code.
                    unsafe { side.mask(isa, codes, rows, mask) }
                };
                if spare.len() < rows.len() + SLOP {
                    spare.resize(rows.len() + SLOP, 0);
                }
                u16::partition(isa, rows, mask, spare);
                Span { start: span.start, end: span.start + front }
            })
        })
    }

    /// Adds the training rows of a node to the histograms of some groups.
    pub fn add(&self, store: &Store, groups: Range<usize>, spans: Spans, sums: &mut [Sum]) {
        let rows = (spans[0].len() < self.len()).then(|| spans[0].of(&self.rows));
        // What the kernels rely on, whoever calls: a comparison or two for each chunk of a node.
        assert!(self.first + self.len() <= store.rows && self.rows.len() == self.len());
        assert!(sums.len() >= store.places_of(groups.clone()).len());
        // SAFETY: the groups are the store's, and their places and the rows were compared above. The list is private and
        // holds each number below its length once, so all of its rows have a word.
        unsafe { histogram::add(store, &store.groups[groups], self.first, &self.words, rows, sums) };
    }

    /// Adds the training rows of a node to the counts of one column's bins.
    pub fn count(&self, store: &Store, feature: usize, spans: Spans, counts: &mut [u64; 256]) {
        let mut codes = Vec::new();
        let codes = store.column_from(feature, self.first, self.words.len(), &mut codes);
        spans[0].of(&self.rows).iter().for_each(|&row| counts[usize::from(codes[usize::from(row)])] += 1);
    }

    /// The training rows of a node, by their place in the chunk.
    pub fn training_rows(&self, spans: Spans) -> &[u16] {
        spans[0].of(&self.rows)
    }

    /// Adds a number to one score of each row of a node.
    pub fn add_to_scores(&mut self, sum: usize, spans: Spans, by: f64) {
        let scores = &mut self.scores[sum];
        for span in spans {
            span.of(&self.rows).iter().for_each(|&row| scores[usize::from(row)] += by);
        }
    }
}
