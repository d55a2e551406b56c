//! Small trees: every question is asked of a whole block of rows at once, as a comparison of bytes.
//!
//! A tree is a list of steps: "the rows that stand at end `p` and whose byte in slot `s` exceeds `c` move to end `k`". No step
//! depends on where a row is, so a block of rows goes through a tree in as many byte operations as the tree has leaves,
//! 64 rows each: less than one walk's wait for memory.
//!
//! Glossary. A *slot* is a row of bytes, one for each row of the block: the codes of a column under some of its cuts, with
//! missing values below or above all of them, or its levels, which a step looks up in a table of children, or, for a column
//! of too many levels, the child that each takes at one question. An *end* is a leaf, by its place in the order in which the
//! steps make them. A row is *hard* here when a byte cannot say where it goes.

use super::cut_tree::GROUP;
use super::grid::Grid;
use super::levels::{LEVELS, TablePlace, Tables};
use super::steps::{self, SIGN, Step};
use crate::data::table::{Kind, MISSING, UNSEEN};
use crate::model::combine::How;
use crate::model::forest::Forest;
use crate::model::tree::Tree;
use crate::simd::{Isa, multiversion};
use std::collections::BTreeMap;
use std::ops::Range;

/// Rows of a block.
pub(super) const BLOCK: usize = 512;
/// Most ends of a tree that goes by steps.
pub(super) const ENDS: usize = 64;
/// Most cuts of a slot.
const CUTS: usize = 255;
/// Most slots: their bytes for a block stay in the second cache.
const SLOTS: usize = 2048;
/// Instead of a child in a slot of categories: the row is hard.
const NO_CHILD: u8 = u8::MAX;

/// How the bytes of a slot are made.
#[derive(Clone, Debug)]
enum Slot {
    /// Codes under a grid of the column (by its number in `grids`), missing ones above all cuts or below.
    Number { grid: usize, missing_high: bool },
    /// The level itself, of so many; then missing values.
    Level(u32),
    /// The child of each level, then of missing values.
    Child(Vec<u8>),
}

/// The trees of a model that go by steps.
#[derive(Debug)]
pub(super) struct Masks {
    /// The slots with their columns.
    slots: Vec<(u32, Slot)>,
    grids: Vec<Grid>,
    tables: Tables,
    steps: Vec<Step>,
    /// The steps of each tree; nothing for one that does not go by steps.
    trees: Vec<Option<Range<usize>>>,
    /// The leaves of each tree, by ends.
    leaves: Vec<Vec<u32>>,
    /// What each tree adds to one sum, by ends; nothing for trees that do not go by steps or do more than that.
    says: Vec<Option<Box<[f64; ENDS]>>>,
    /// Columns where a missing value makes a row hard.
    delicate: Vec<bool>,
    /// The columns that slots read.
    columns: Vec<u32>,
}

/// What is known while the masks are made.
struct MasksBuilder<'a> {
    kinds: &'a [Kind],
    /// The sorted cuts of each column.
    cuts: Vec<Vec<f64>>,
    /// The slots of each column's grids: a grid's number, then the slots with missing values below and above.
    of_column: Vec<Vec<(usize, [Option<u32>; 2])>>,
    /// The slots of each column's levels.
    levels: Vec<Option<u32>>,
    /// Where the tables of these bytes are.
    tables: BTreeMap<Vec<u8>, TablePlace>,
    masks: Masks,
}

impl Masks {
    /// Nothing where no tree goes by steps. Trees for which there are no slots left do not.
    pub fn new(forest: &Forest) -> Option<Masks> {
        let (kinds, trees) = (forest.kinds(), forest.trees());
        let small: Vec<bool> = trees.iter().map(|tree| goes_by_steps(kinds, tree)).collect();
        let mut cuts = vec![Vec::new(); kinds.len()];
        for (tree, _) in trees.iter().zip(&small).filter(|(_, small)| **small) {
            let asks = (0..tree.len()).filter(|&node| !tree.is_leaf(node) && !tree.threshold[node].is_nan());
            asks.for_each(|node| cuts[tree.feature[node] as usize].push(tree.threshold[node]));
        }
        for cuts in &mut cuts {
            cuts.sort_unstable_by(f64::total_cmp);
            cuts.dedup();
        }
        let masks = Masks {
            slots: Vec::new(),
            grids: Vec::new(),
            tables: Tables::default(),
            steps: Vec::new(),
            trees: Vec::new(),
            leaves: Vec::new(),
            says: Vec::new(),
            delicate: vec![false; kinds.len()],
            columns: Vec::new(),
        };
        let of_column = vec![Vec::new(); kinds.len()];
        let levels = vec![None; kinds.len()];
        let mut builder = MasksBuilder { kinds, cuts, of_column, levels, tables: BTreeMap::new(), masks };
        builder.make_grids();
        for (tree, small) in trees.iter().zip(small) {
            builder.push(tree, small);
        }
        let mut masks = builder.masks;
        let combine = forest.combine();
        let adds = matches!(combine.how, How::Mean | How::Sum) && forest.tree_outputs() == 1;
        let says = |tree: usize| {
            let mut says = Box::new([0.0; ENDS]);
            let of_leaf = |leaf: u32| combine.scale(tree) * trees[tree].value[leaf as usize];
            says.iter_mut().zip(&masks.leaves[tree]).for_each(|(says, &leaf)| *says = of_leaf(leaf));
            (adds && masks.has(tree)).then_some(says)
        };
        masks.says = (0..trees.len()).map(says).collect();
        masks.columns = masks.slots.iter().map(|(column, _)| *column).collect();
        masks.columns.sort_unstable();
        masks.columns.dedup();
        (!masks.steps.is_empty()).then_some(masks)
    }

    /// Whether a tree goes by steps.
    pub fn has(&self, tree: usize) -> bool {
        self.trees[tree].is_some()
    }

    /// The leaves of a tree, by ends.
    pub fn leaves(&self, tree: usize) -> &[u32] {
        &self.leaves[tree]
    }

    /// What a tree adds to one sum, by ends, where it does nothing else.
    pub fn says(&self, tree: usize) -> Option<&[f64; ENDS]> {
        self.says[tree].as_deref()
    }

    /// The steps of each tree, where all trees go by steps.
    pub fn steps(&self) -> Option<Vec<&[Step]>> {
        self.trees.iter().map(|steps| steps.clone().map(|steps| &self.steps[steps])).collect()
    }

    /// The number of slots.
    pub fn slots(&self) -> usize {
        self.slots.len()
    }

    /// Writes the bytes of one row of numbers; false where a byte cannot say it.
    #[inline(always)]
    pub fn code_row(&self, row: &[f64], bytes: &mut [u8]) -> bool {
        let mut easy = true;
        for ((column, slot), byte) in self.slots.iter().zip(bytes) {
            let x = row[*column as usize];
            let &Slot::Number { grid, missing_high } = slot else { return false };
            let grid = &self.grids[grid];
            *byte = grid.code_one(x, if missing_high { grid.count() } else { 0 });
            easy &= !(x.is_nan() && self.delicate[*column as usize]);
        }
        easy
    }

    /// The columns that are read.
    pub fn columns(&self) -> &[u32] {
        &self.columns
    }

    /// Room for the bytes of a block.
    pub fn room(&self) -> Vec<u8> {
        vec![0; self.slots.len() * BLOCK]
    }

    /// Writes the bytes of all slots, from columns of `BLOCK` numbers each; rows that no byte can describe are not easy. The
    /// highest bit of each byte is turned: SSE2 and AVX2 compare bytes only with a sign.
    #[inline(always)]
    fn code(&self, columns: &[f64], rows: usize, no_missing: bool, bytes: &mut [u8], easy: &mut [bool]) {
        for ((column, slot), bytes) in self.slots.iter().zip(bytes.chunks_exact_mut(BLOCK)) {
            let start = *column as usize * BLOCK;
            let numbers = &columns[start..start + rows];
            let delicate = self.delicate[*column as usize];
            match slot {
                Slot::Number { grid, missing_high } => {
                    let grid = &self.grids[*grid];
                    let missing = if *missing_high && !no_missing { grid.count() } else { 0 };
                    grid.code(numbers, missing, bytes);
                    if !no_missing && delicate {
                        easy.iter_mut().zip(numbers).for_each(|(easy, x)| *easy &= !x.is_nan());
                    }
                }
                Slot::Level(levels) => {
                    for ((byte, easy), &code) in bytes.iter_mut().zip(&mut *easy).zip(numbers) {
                        let code = code as u32;
                        *byte = code.min(*levels) as u8;
                        *easy &= code != UNSEEN && !(delicate && code == MISSING);
                    }
                    continue;
                }
                Slot::Child(children) => {
                    for ((byte, easy), &code) in bytes.iter_mut().zip(&mut *easy).zip(numbers) {
                        *byte = match code as u32 {
                            MISSING => children[children.len() - 1],
                            UNSEEN => NO_CHILD,
                            code => children[code as usize],
                        };
                        *easy &= *byte != NO_CHILD;
                    }
                }
            }
            bytes[..rows].iter_mut().for_each(|byte| *byte ^= SIGN);
        }
    }

    /// The same from columns of numbers of 32 bits, none of them missing. Only for tiers that search cuts this way, and where
    /// no column has levels.
    pub fn code_singles(&self, isa: Isa, columns: &[f32], rows: usize, bytes: &mut [u8]) {
        // What lies behind the rows is coded too, and nobody reads it.
        let rows = rows.next_multiple_of(GROUP);
        for ((column, slot), bytes) in self.slots.iter().zip(bytes.chunks_exact_mut(BLOCK)) {
            let Slot::Number { grid, .. } = slot else { return };
            let numbers = &columns[*column as usize * BLOCK..][..rows];
            self.grids[*grid].singles.code(isa, numbers, &mut bytes[..rows]);
        }
    }

    /// The end of each row of a block in a tree that goes by steps.
    pub fn ends(&self, isa: Isa, tree: usize, bytes: &[u8], ends: &mut [u8; BLOCK]) {
        let steps = self.trees[tree].clone().map_or(&[][..], |steps| &self.steps[steps]);
        steps::ends(isa, &self.tables, steps, bytes, ends);
    }
}

multiversion! {
    /// Writes the bytes of all slots: see [`Masks`].
    pub(super) fn code(masks: &Masks, columns: &[f64], rows: usize, no_missing: bool, bytes: &mut [u8], easy: &mut [bool]) {
        masks.code(columns, rows, no_missing, bytes, easy);
    }
}

/// Whether a tree is small enough, and every level leads somewhere from every question.
fn goes_by_steps(kinds: &[Kind], tree: &Tree) -> bool {
    let leaves = tree.n_children.iter().filter(|&&n| n == 0).count();
    let leads = |node: usize| match kinds[tree.feature[node] as usize] {
        Kind::Numeric => true,
        Kind::Categorical(levels) => {
            let start = tree.route_start[node] as usize;
            tree.route[start..start + levels as usize].iter().all(|&child| child < tree.n_children[node])
        }
    };
    leaves <= ENDS && tree.branches().all(leads)
}

impl MasksBuilder<'_> {
    fn make_grids(&mut self) {
        for (cuts, grids) in self.cuts.iter().zip(&mut self.of_column) {
            for part in cuts.chunks(CUTS) {
                grids.push((self.masks.grids.len(), [None, None]));
                self.masks.grids.push(Grid::new(part));
            }
        }
    }

    fn push(&mut self, tree: &Tree, small: bool) {
        let room = self.masks.tables.have_room(ENDS) && self.masks.slots.len() + ENDS <= SLOTS;
        if !small || !room {
            self.masks.trees.push(None);
            self.masks.leaves.push(Vec::new());
            return;
        }
        let first = self.masks.steps.len();
        // The end that a node's rows stand at when its question comes; children come after their parent.
        let mut end_of = vec![None; tree.len()];
        end_of[0] = Some(0u8);
        let mut ends = 1u8;
        let mut leaves = vec![0u32];
        for node in 0..tree.len() {
            // Only hard rows come to the child of missing values alone.
            let Some(from) = end_of[node] else { continue };
            if tree.is_leaf(node) {
                leaves[from as usize] = node as u32;
                continue;
            }
            let (slot, cut, table) = self.slot(tree, node);
            let ways = if cut.is_some() { 2 } else { tree.n_children[node] };
            let mut at = from;
            for child in 0..ways {
                end_of[tree.first_child[node] as usize + child as usize] = Some(at);
                if child + 1 < ways {
                    // All rows of later children move on; the next step takes the next child's from the same end.
                    self.masks.steps.push(Step::new(slot, cut.unwrap_or(child as u8), table, at, ends));
                    at = ends;
                    ends += 1;
                    leaves.push(0);
                }
            }
        }
        self.masks.trees.push(Some(first..self.masks.steps.len()));
        self.masks.leaves.push(leaves);
    }

    /// The slot that answers a node's question, and the cut; without one the byte is the child, or the table says it.
    fn slot(&mut self, tree: &Tree, node: usize) -> (u32, Option<u8>, Option<TablePlace>) {
        let column = tree.feature[node];
        let missing = tree.missing[node];
        let next = self.masks.slots.len() as u32;
        if let Kind::Categorical(levels) = self.kinds[column as usize] {
            return self.category_slot(tree, node, levels);
        }
        let place = self.cuts[column as usize].partition_point(|cut| *cut < tree.threshold[node]);
        let high = missing == 1 && tree.spares.is_none();
        // A third child, a stop, a division, a spare question: bytes cannot say it.
        self.masks.delicate[column as usize] |= missing > 1 || tree.spares.is_some();
        let (grid, slots) = &mut self.of_column[column as usize][place / CUTS];
        let slot = *slots[usize::from(high)].get_or_insert_with(|| {
            self.masks.slots.push((column, Slot::Number { grid: *grid, missing_high: high }));
            next
        });
        (slot, Some((place % CUTS) as u8), None)
    }

    fn category_slot(&mut self, tree: &Tree, node: usize, levels: u32) -> (u32, Option<u8>, Option<TablePlace>) {
        let column = tree.feature[node];
        let next = self.masks.slots.len() as u32;
        let start = tree.route_start[node] as usize;
        let child = |child: u16| if child < tree.n_children[node] { child as u8 } else { NO_CHILD };
        let route = tree.route[start..start + levels as usize].iter();
        let missing = if tree.spares.is_some() { NO_CHILD } else { child(tree.missing[node]) };
        let children = route.map(|&to| child(to)).chain([missing]);
        if levels > LEVELS {
            self.masks.slots.push((column, Slot::Child(children.collect())));
            return (next, None, None);
        }
        self.masks.delicate[column as usize] |= missing == NO_CHILD;
        let table = self.masks.tables.place(&mut self.tables, children.map(|child| child ^ SIGN).collect());
        let slot = *self.levels[column as usize].get_or_insert_with(|| {
            self.masks.slots.push((column, Slot::Level(levels)));
            next
        });
        (slot, None, table)
    }
}
