//! The rows of one node as words of columns, and the best trees of two levels on either side of each of its columns.

use super::kernels::{BestPairs, CountColumns, CountPairs, Words};
use super::key_sums::KeySums;
use super::lanes::{Count, WORD, run};
use super::list_rows::list_rows;
use super::packing::{Picker, transpose};
use super::rows::Rows;
use super::sides::{Counting, Part, Side, padded};
use super::table::Key;
use super::two_levels::Cheapest;
use crate::cost::Costs;
use treewright_core::prelude::Isa;

/// Weights of pairs of columns are kept up to so many columns: beyond, bounds cost more than they save.
const MOST_RELATED: usize = 2048;

/// What a search asks of all its nodes.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// The processor.
    pub isa: Isa,
    /// How rows are counted.
    pub counting: Counting,
    /// What errors and leaves cost.
    pub costs: Costs,
    /// The fewest rows in a leaf, at least 1.
    pub min_leaf: i32,
}

/// A node and the memory for its counts, used for one node after the other.
#[derive(Debug, Default)]
pub struct Node<C> {
    /// The columns that divide the rows of the node each in its own way.
    pub columns: Vec<u32>,
    /// The keys of the rows with a one in each of them.
    pub keys: Vec<Key>,
    /// The key of all rows.
    pub key: Key,
    /// The counts of all rows.
    pub all: Side<C>,
    /// The weights of the rows that two columns have in common; empty if they are not kept.
    pub common_weights: Vec<C>,
    /// The number of columns with padding: the length of a line of `common_weights`.
    pub width: usize,
    sums: KeySums,
    slots: Vec<u32>,
    picker: Picker,
    masks: Vec<u64>,
    mask_words: usize,
    words: Vec<u16>,
    parts: Vec<Part>,
    pairs: Vec<C>,
    small: Side<C>,
    large: Side<C>,
    small_words: Vec<u16>,
    small_parts: Vec<Part>,
    list: Vec<u32>,
}

impl<C: Count> Node<C> {
    /// Finds the columns that divide these rows.
    pub fn find_columns(&mut self, setting: &Setting, rows: &Rows, own: &[u32]) {
        self.key = rows.key(own);
        self.sums.fill(setting.isa, &rows.bits, &rows.keys, own);
        self.columns.clear();
        self.keys.clear();
        let size = (2 * rows.bits.columns()).next_power_of_two();
        self.slots.clear();
        self.slots.resize(size, u32::MAX);
        for column in 0..rows.bits.columns() {
            let ones = self.sums.get(column);
            let zeros = self.key.without(ones);
            if ones == Key::default() || zeros == Key::default() || self.is_known(ones.min(zeros)) {
                continue;
            }
            self.columns.push(column as u32);
            self.keys.push(ones);
        }
    }

    /// Whether an earlier column of the node divides its rows in this way; if not, it is noted.
    fn is_known(&mut self, division: Key) -> bool {
        let mask = self.slots.len() - 1;
        let mut place = (division.0[0] >> 32) as usize & mask;
        loop {
            match self.slots[place] {
                u32::MAX => {
                    self.slots[place] = self.keys.len() as u32;
                    return false;
                }
                other => {
                    let other = self.keys[other as usize];
                    if other == division || self.key.without(other) == division {
                        return true;
                    }
                }
            }
            place = (place + 1) & mask;
        }
    }

    /// Turns the rows into words and counts each column. [`Node::find_columns`] comes first. Columns with too few rows on a
    /// side are dropped: they divide neither this node nor any below it.
    pub fn load(&mut self, setting: &Setting, rows: &Rows, own: &[u32]) {
        self.load_columns(setting, rows, own);
        if setting.min_leaf <= 1 {
            return;
        }
        let useful: Vec<bool> = (0..self.columns.len()).map(|column| self.may_divide(setting, column)).collect();
        if useful.contains(&false) {
            let mut keep = useful.iter();
            self.columns.retain(|_| keep.next() == Some(&true));
            let mut keep = useful.iter();
            self.keys.retain(|_| keep.next() == Some(&true));
            self.load_columns(setting, rows, own);
        }
    }

    fn load_columns(&mut self, setting: &Setting, rows: &Rows, own: &[u32]) {
        self.width = padded(self.columns.len());
        self.mask_words = self.width.div_ceil(64);
        self.picker.set(&self.columns, rows.bits.row_words());
        self.masks.resize(own.len() * self.mask_words, 0);
        let bits_of_rows = own.iter().map(|&row| rows.bits.row(row as usize));
        self.picker.pick_rows(setting.isa, bits_of_rows, self.mask_words, &mut self.masks);
        rows.parts(own, &mut self.parts);
        let words: usize = self.parts.iter().map(Part::words).sum();
        self.words.resize(words * self.width, 0);
        let (mut first, mut word) = (0, 0);
        for part in &self.parts {
            self.list.clear();
            self.list.extend(first as u32..(first + part.rows) as u32);
            let to = &mut self.words[word * self.width..];
            // SAFETY: the list has the rows of the node only.
            unsafe { transpose(setting.isa, &self.masks, self.mask_words, &self.list, self.width, to) };
            first += part.rows;
            word += part.words();
        }
        let planes = setting.counting.planes();
        for side in [&mut self.all, &mut self.small, &mut self.large] {
            side.resize(planes, self.width);
        }
        self.all.set_totals(setting.counting, &self.parts);
        let words = Words {
            words: &self.words,
            parts: &self.parts,
            columns: self.columns.len(),
            width: self.width,
            counting: setting.counting,
        };
        run(setting.isa, CountColumns { words, side: &mut self.all });
    }

    /// Counts the columns from..to against all others. All columns must be counted, in their order, before
    /// [`Node::solve_two_levels`] and [`Node::solve_sides`].
    pub fn count_pairs(&mut self, setting: &Setting, from: usize, to: usize) {
        let columns = self.columns.len();
        if from == 0 {
            let related = if columns <= MOST_RELATED { columns * self.width } else { 0 };
            self.pairs.resize(setting.counting.planes() * columns * self.width, C::default());
            self.common_weights.resize(related, C::default());
        }
        let words =
            Words { words: &self.words, parts: &self.parts, columns, width: self.width, counting: setting.counting };
        run(setting.isa, CountPairs { words, from, to, pairs: &mut self.pairs, weights: &mut self.common_weights });
    }

    /// The least cost of a tree of two levels, and its root; the roots' gains are in `whole`.
    pub fn solve_two_levels(&mut self, setting: &Setting) -> i32 {
        self.small.clear();
        let words = self.no_words(setting);
        run(setting.isa, BestPairs { words, pairs: &self.pairs, small: &mut self.small, large: &mut self.all });
        run(setting.isa, Cheapest { side: &self.all, columns: self.columns.len(), setting })
    }

    fn no_words(&self, setting: &Setting) -> Words<'static> {
        Words { words: &[], parts: &[], columns: self.columns.len(), width: self.width, counting: setting.counting }
    }

    /// The first root of a tree of two levels that has this cost, after [`Node::solve_two_levels`].
    pub fn root_of_two_levels(&self, setting: &Setting, cost: i32) -> Option<usize> {
        let cheapest = Cheapest { side: &self.all, columns: self.columns.len(), setting };
        (0..self.columns.len()).find(|&column| cheapest.cost_of_root(column) == Some(cost))
    }

    /// The least costs of trees of two levels for the rows with a zero and with a one in a column. The smaller side is
    /// counted, the other follows.
    pub fn solve_sides(&mut self, setting: &Setting, column: usize) -> [i32; 2] {
        let counts_ones = 2 * Into::<i32>::into(self.all.weights[column]) <= self.all.weight;
        self.load_small(setting, column, counts_ones);
        self.large.set_rest(&self.all, &self.small);
        let words = Words {
            words: &self.small_words,
            parts: &self.small_parts,
            columns: self.columns.len(),
            width: self.width,
            counting: setting.counting,
        };
        run(setting.isa, BestPairs { words, pairs: &self.pairs, small: &mut self.small, large: &mut self.large });
        let columns = self.columns.len();
        let small = run(setting.isa, Cheapest { side: &self.small, columns, setting });
        let large = run(setting.isa, Cheapest { side: &self.large, columns, setting });
        if counts_ones { [large, small] } else { [small, large] }
    }

    /// Loads the rows on one side of a column as words, and counts their columns.
    fn load_small(&mut self, setting: &Setting, column: usize, ones: bool) {
        self.small_parts.clear();
        let (mut first, mut word, mut small_word) = (0, 0, 0);
        for part in &self.parts {
            let words = &self.words[word * self.width..][..part.words() * self.width];
            list_rows(setting.isa, words, self.width, column, ones, first, part.rows, &mut self.list);
            first += part.rows;
            word += part.words();
            if self.list.is_empty() {
                continue;
            }
            let small = Part { rows: self.list.len(), ..*part };
            let end = (small_word + small.words()) * self.width;
            if self.small_words.len() < end {
                self.small_words.resize(end, 0);
            }
            let to = &mut self.small_words[small_word * self.width..end];
            // SAFETY: the list has the rows of the node only.
            unsafe { transpose(setting.isa, &self.masks, self.mask_words, &self.list, self.width, to) };
            small_word += small.words();
            self.small_parts.push(small);
        }
        self.small.set_totals(setting.counting, &self.small_parts);
        let words = Words {
            words: &self.small_words,
            parts: &self.small_parts,
            columns: self.columns.len(),
            width: self.width,
            counting: setting.counting,
        };
        run(setting.isa, CountColumns { words, side: &mut self.small });
    }

    /// Whether both sides of a column have rows enough.
    fn may_divide(&self, setting: &Setting, column: usize) -> bool {
        // The rows are counted in the last plane.
        let ones: i32 = self.all.ones[(setting.counting.planes() - 1) * self.width + column].into();
        ones >= setting.min_leaf && self.all.rows - ones >= setting.min_leaf
    }

    /// The cost of a root with two leaves.
    pub fn cost_of_one_level(&self, setting: &Setting, column: usize) -> i32 {
        Cheapest { side: &self.all, columns: self.columns.len(), setting }.cost_of_two_leaves(column)
    }

    /// The gain of the whole node below a root, after [`Node::solve_two_levels`].
    pub fn gain_of_root(&self, column: usize) -> i32 {
        self.all.best_ones[column].into() + self.all.best_zeros[column].into()
    }

    /// The words of 16 rows in the node.
    pub fn size_in_words(&self) -> usize {
        self.words.len() / WORD
    }
}
