//! Buffers of the searches of one holder, kept from node to node.

use super::contest::Top;
use super::moves::Unmoved;
use super::node::{Live, Split};
use super::tally::ColumnTally;
use super::tile::{Tile, TileNumbers};
use super::{deferred, drawn_tile, inherited, known, large, levels, random, small, store};
use crate::Result;
use crate::split::sampling::FeatureSampler;
use std::collections::HashMap;
use std::sync::Mutex;

/// What searches and divisions need from node to node.
#[derive(Debug)]
pub struct Scratch<T: ColumnTally> {
    pub(super) prepared: T::Prepared,
    pub(super) tops: Vec<(usize, Top)>,
    pub(super) constant: Vec<usize>,
    pub(super) searches: Vec<large::Search>,
    pub(super) scratches: Mutex<Vec<large::Scratch<T>>>,
    pub(super) lots: FeatureSampler,
    pub(super) drawn: Vec<Live>,
    pub(super) levels: levels::Scratch<T>,
    pub(super) known: known::Scratch<T>,
    pub(super) mask: Vec<u32>,
    pub(super) spares: store::Spares,
    pub(super) rows: Vec<u32>,
    pub(super) targets: Vec<i64>,
    pub(super) tile: Tile,
    pub(super) places: Vec<(u16, u32)>,
    pub(super) numbers: TileNumbers,
    pub(super) part: T::Part,
    pub(super) ends: Vec<random::Ends>,
    pub(super) drawn_tile: drawn_tile::Scratch,
    pub(super) deferred: deferred::DeferredThresholds,
    pub(super) small: small::Scratch,
    pub(super) splits: Vec<Box<Split<T::Total>>>,
    /// Nodes whose rows were not moved yet, by their first rows.
    pub(super) unmoved: HashMap<usize, Unmoved<T>>,
    pub(super) histograms: inherited::Waiting,
}

impl<T: ColumnTally> Default for Scratch<T> {
    fn default() -> Scratch<T> {
        Scratch {
            prepared: T::Prepared::default(),
            tops: Vec::new(),
            constant: Vec::new(),
            searches: Vec::new(),
            scratches: Mutex::default(),
            lots: FeatureSampler::default(),
            drawn: Vec::new(),
            levels: levels::Scratch::default(),
            known: known::Scratch::default(),
            mask: Vec::new(),
            spares: store::Spares::default(),
            rows: Vec::new(),
            targets: Vec::new(),
            tile: Tile::default(),
            places: Vec::new(),
            numbers: TileNumbers::default(),
            part: T::Part::default(),
            ends: Vec::new(),
            drawn_tile: drawn_tile::Scratch::default(),
            deferred: deferred::DeferredThresholds::default(),
            small: small::Scratch::default(),
            splits: Vec::new(),
            unmoved: HashMap::new(),
            histograms: inherited::Waiting::new(),
        }
    }
}

/// Makes a scratch buffer at least so long.
pub fn lengthen<N: Clone + Default>(buffer: &mut Vec<N>, len: usize) -> Result<()> {
    buffer.try_reserve(len.saturating_sub(buffer.len()))?;
    buffer.resize(buffer.len().max(len), N::default());
    Ok(())
}
