//! The search of nodes of a sparse table: the histogram of a column is made of the node's stored codes, and zeros are what
//! is left of the node. Lists of codes are shared as in [`crate::rows::sparse`].

use super::criterion::BestSplit;
use super::packed::{AnySum, RUN, Sum, Wide, widen};
use super::{Bins, Node};
use crate::Result;
use crate::rows::sparse::stored::{ColumnLists, StoredTable, lower, upper};
use crate::sys::memory::filled;
use std::borrow::Cow;
use std::sync::Arc;

/// The most bins of a column.
const BINS: usize = 256;
/// The node of rows that learn nothing.
const ABSENT: u32 = u32::MAX;
/// A node has lists made of its own where those that it is in hold so many times its codes.
const SHRINK: usize = 4;
/// Columns that one thread searches at a time.
const COLUMNS_PER_PART: usize = 256;

/// The rows of a node: its number in the map of rows, and lists that hold its codes.
#[derive(Clone, Debug)]
pub struct StoredNode {
    id: u32,
    lists: Arc<ColumnLists>,
}

/// The map of rows, and what each adds.
#[derive(Debug)]
pub struct StoredRows<'a> {
    table: &'a StoredTable,
    node_of: Vec<u32>,
    words: Vec<u32>,
    next_id: u32,
    /// A place for each column, all 0.
    counts: Vec<u32>,
}

impl<'a> StoredRows<'a> {
    /// No row learns anything yet.
    pub fn new(table: &'a StoredTable) -> Result<StoredRows<'a>> {
        let (node_of, words) = (filled(ABSENT, table.rows())?, filled(0, table.rows())?);
        Ok(StoredRows { table, node_of, words, next_id: 1, counts: filled(0, table.width())? })
    }

    /// The histogram of a column in a node of this total.
    fn histogram<S: AnySum>(&self, node: &StoredNode, column: u32, items: &[u64], total: Wide, sums: &mut [S; BINS]) {
        sums.fill(S::default());
        let mut rest = S::narrowed(total);
        for &item in items {
            let row = lower(item) as usize;
            if self.node_of[row] == node.id {
                let word = S::narrowed(widen(self.words[row]).widened());
                let sum = &mut sums[upper(item) as usize % BINS];
                *sum = sum.plus(word);
                rest = rest.minus(word);
            }
        }
        let zero = &mut sums[self.table.zero(column) as usize % BINS];
        *zero = zero.plus(rest);
    }
}

impl Bins<'_> {
    /// Puts the training rows of all chunks into the root.
    pub(super) fn begin_stored(&mut self) -> Option<(StoredNode, Wide)> {
        let mut rows = self.stored.take()?;
        let mut total: Wide = 0;
        for (chunk, spans) in self.spans[0].iter().enumerate() {
            let chunk = self.chunk(chunk);
            for &place in chunk.training_rows(*spans) {
                let (row, word) = (chunk.first + usize::from(place), chunk.words[usize::from(place)]);
                rows.node_of[row] = 0;
                rows.words[row] = word;
                total = total.plus(widen(word).widened());
            }
        }
        let root = StoredNode { id: 0, lists: rows.table.lists().clone() };
        self.stored = Some(rows);
        Some((root, total))
    }

    /// Moves the rows of a node to its children, of which the first has so many training rows; the child with more rows
    /// keeps the node's number in the map.
    pub(super) fn divide_stored(&mut self, node: &StoredNode, numbers: [usize; 2], rows: [u64; 2]) -> [StoredNode; 2] {
        let few = usize::from(rows[1] < rows[0]);
        let Some(mut stored) = self.stored.take() else { return [node.clone(), node.clone()] };
        let id = stored.next_id;
        stored.next_id += 1;
        for (chunk, spans) in self.spans[numbers[few]].iter().enumerate().filter(|(_, spans)| !spans[0].is_empty()) {
            let chunk = self.chunk(chunk);
            for &place in chunk.training_rows(*spans) {
                stored.node_of[chunk.first + usize::from(place)] = id;
            }
        }
        self.stored = Some(stored);
        let mut children = [node.clone(), node.clone()];
        children[few].id = id;
        children
    }

    /// Finds the best question about a node.
    pub(super) fn search_stored(&mut self, node: &mut Node) -> Result<()> {
        self.shrink_lists(node)?;
        let (Some(rows), Some(of)) = (&self.stored, &node.stored) else { return Ok(()) };
        node.best = match node.context.rows > RUN {
            true => self.search_lists::<Wide>(rows, of, node)?,
            false => self.search_lists::<Sum>(rows, of, node)?,
        };
        Ok(())
    }

    /// Gives a node lists of its own where those that it is in hold much more.
    fn shrink_lists(&mut self, node: &mut Node) -> Result<()> {
        let Some(of) = &mut node.stored else { return Ok(()) };
        let Some(mut stored) = self.stored.take() else { return Ok(()) };
        let mut rows = Vec::new();
        for (chunk, spans) in self.spans[node.number].iter().enumerate().filter(|(_, spans)| !spans[0].is_empty()) {
            let chunk = self.chunk(chunk);
            rows.extend(chunk.training_rows(*spans).iter().map(|&place| (chunk.first + usize::from(place)) as u32));
        }
        let items: usize = rows.iter().map(|&row| stored.table.items_of(row).len()).sum();
        if items.saturating_mul(SHRINK) <= of.lists.len() {
            of.lists = Arc::new(stored.table.gather(rows, &mut stored.counts)?);
        }
        self.stored = Some(stored);
        Ok(())
    }

    fn search_lists<S: AnySum>(
        &self,
        rows: &StoredRows<'_>,
        of: &StoredNode,
        node: &Node,
    ) -> Result<Option<BestSplit>> {
        let (drawn, lists, total) = (self.drawn(node), &of.lists, node.context.total);
        let searched = |column: u32| drawn.as_ref().is_none_or(|drawn| drawn.binary_search(&(column as usize)).is_ok());
        // Of two sides, one is made of stored codes alone.
        let least = self.criterion.min_leaf as usize;
        let look = |first: usize| {
            let (mut sums, mut bests) = ([S::default(); BINS], Vec::new());
            for place in first..(first + COLUMNS_PER_PART).min(lists.width()) {
                let (column, items) = lists.at(place);
                if items.len() >= least && searched(column) {
                    rows.histogram(of, column, items, total, &mut sums);
                    bests.extend(self.one(&node.context, column as usize, &sums, 0.0, None));
                }
            }
            bests
        };
        let parts = (0..lists.width()).step_by(COLUMNS_PER_PART).collect();
        let bests = self.team.parts(parts, 0, lists.len(), &look).into_iter().flatten().collect();
        self.best(node, bests, |feature| {
            let mut sums = [S::default(); BINS];
            rows.histogram(of, feature as u32, lists.of(feature as u32), total, &mut sums);
            Cow::Owned(sums.to_vec())
        })
    }
}
