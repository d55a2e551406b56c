//! Buffers of the searches of one holder, kept from node to node.

use super::class_tile::TileScratch;
use super::contest::Top;
use super::inherited::NodeHistograms;
use super::known::KnownScratch;
use super::large::{LargeScratch, LargeSearch};
use super::levels::LevelScratch;
use super::moves::Unmoved;
use super::node::{Live, Split};
use super::random::Ends;
use super::small::SmallScratch;
use super::tally::ColumnTally;
use super::tile::{Tile, TileNumbers};
use super::tile_rows::TileBuffers;
use super::{deferred, store};
use crate::Result;
use crate::split::sampling::FeatureSampler;
use std::collections::HashMap;
use std::sync::Mutex;

/// What the searches of a node's columns need.
#[derive(Debug)]
pub struct SearchScratch<T: ColumnTally> {
    /// The columns to draw from, and those that are looked at.
    pub(super) sampler: FeatureSampler,
    pub(super) drawn: Vec<Live>,
    /// The ends of those.
    pub(super) ends: Vec<Ends>,
    /// The best cut of each column.
    pub(super) tops: Vec<(usize, Top)>,
    /// Columns that turned out constant.
    pub(super) constant: Vec<usize>,
    /// What was learnt of each column of a large node, and scratch of threads that are not at work.
    pub(super) searches: Vec<LargeSearch>,
    pub(super) of_threads: Mutex<Vec<LargeScratch<T>>>,
    pub(super) small: SmallScratch,
    pub(super) levels: LevelScratch<T>,
    pub(super) known: KnownScratch<T>,
    /// The numbers of the tile at hand.
    pub(super) numbers: TileNumbers,
    /// Rows that are told apart by their numbers.
    pub(super) places: Vec<(u16, u32)>,
    /// The rows on the left of a cut.
    pub(super) part: T::Part,
}

/// What searches and divisions need from node to node.
#[derive(Debug)]
pub struct Scratch<T: ColumnTally> {
    pub(super) search: SearchScratch<T>,
    pub(super) prepared: T::Prepared,
    pub(super) tile: Tile,
    pub(super) class_tile: TileScratch,
    pub(super) tile_buffers: TileBuffers<T>,
    pub(super) mask: Vec<u32>,
    pub(super) spares: store::Spares,
    pub(super) rows: Vec<u32>,
    pub(super) targets: Vec<i64>,
    pub(super) deferred: deferred::DeferredThresholds,
    pub(super) splits: Vec<Box<Split<T::Total>>>,
    /// Nodes whose rows were not moved yet, by their first rows.
    pub(super) unmoved: HashMap<usize, Unmoved<T>>,
    /// The histograms of nodes that are not divided yet, by their first rows.
    pub(super) histograms: HashMap<usize, NodeHistograms>,
}

impl<T: ColumnTally> Scratch<T> {
    /// Scratch for so many columns.
    pub fn new(columns: usize) -> Scratch<T> {
        Scratch {
            search: SearchScratch {
                sampler: FeatureSampler::new(columns),
                drawn: Vec::new(),
                ends: Vec::new(),
                tops: Vec::new(),
                constant: Vec::new(),
                searches: Vec::new(),
                of_threads: Mutex::default(),
                small: SmallScratch::default(),
                levels: LevelScratch::default(),
                known: KnownScratch::default(),
                numbers: TileNumbers::default(),
                places: Vec::new(),
                part: T::Part::default(),
            },
            prepared: T::Prepared::default(),
            tile: Tile::default(),
            class_tile: TileScratch::default(),
            tile_buffers: TileBuffers::default(),
            mask: Vec::new(),
            spares: store::Spares::default(),
            rows: Vec::new(),
            targets: Vec::new(),
            deferred: deferred::DeferredThresholds::default(),
            splits: Vec::new(),
            unmoved: HashMap::new(),
            histograms: HashMap::new(),
        }
    }
}

/// Makes a scratch buffer at least so long.
pub fn lengthen<N: Clone + Default>(buffer: &mut Vec<N>, len: usize) -> Result<()> {
    buffer.try_reserve(len.saturating_sub(buffer.len()))?;
    buffer.resize(buffer.len().max(len), N::default());
    Ok(())
}
