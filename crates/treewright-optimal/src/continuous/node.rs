//! The rows of a node in the order of every column, with the code that they have in every other column.
//!
//! That takes columns x columns x rows codes, and makes both things that a search does fast: which rows are on the left
//! of a cut is one comparison of a stretch of codes, in every order; and a part of a node is what is kept of the stretches.

use super::codes::{Code, Instructions, REGISTER, keep_portable};
use super::table::{Rules, Table};
use std::ops::Range;
use treewright_core::Result;
use treewright_core::prelude::memory;

/// Rows in the order of every column.
#[derive(Debug)]
pub struct Node<T> {
    /// The columns that may be asked about at this node; below it, all are.
    pub features: Range<usize>,
    /// The number of columns.
    pub columns: usize,
    /// The number of rows.
    pub count: usize,
    /// What a tree costs.
    pub rules: Rules,
    words: usize,
    codes: Vec<T>,
    sorted: Vec<T>,
    positive: Vec<u64>,
    negative: Vec<u64>,
    ends: Vec<u64>,
    rows: Vec<u32>,
    weight_before: Vec<i64>,
}

/// Which rows of a node: those below a cut of a column, or the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part<T> {
    /// The column.
    pub feature: usize,
    /// The least code on the right.
    pub cut: T,
    /// 0 for the rows below the cut, 1 for the others.
    pub side: usize,
}

impl<T: Code> Node<T> {
    /// A node without rows, to be filled.
    pub fn empty(table: &Table<T>) -> Node<T> {
        Node {
            features: 0..0,
            columns: table.columns(),
            count: 0,
            rules: table.rules,
            words: 0,
            codes: Vec::new(),
            sorted: Vec::new(),
            positive: Vec::new(),
            negative: Vec::new(),
            ends: Vec::new(),
            rows: Vec::new(),
            weight_before: Vec::new(),
        }
    }

    /// All rows of a table; some of its columns may be asked about.
    pub fn all_rows(table: &Table<T>, features: Range<usize>) -> Result<Node<T>> {
        let mut node = Node::empty(table);
        node.resize(table.rows(), features)?;
        for order in 0..node.columns {
            let rows = &table.order[order];
            for feature in node.features.clone() {
                let place = node.stretch(feature, order);
                copy_codes(&table.codes[feature], rows, &mut node.codes[place..place + 64 * node.words]);
            }
            let place = order * node.words;
            copy_codes(&table.codes[order], rows, &mut node.sorted[64 * place..64 * (place + node.words)]);
            for (rows, word) in rows.chunks(64).zip(&mut node.positive[place..]) {
                let bit = |(i, &row): (usize, &u32)| u64::from(table.class[row as usize] == 1) << i;
                *word = rows.iter().enumerate().map(bit).sum();
            }
            if !table.rules.signs {
                node.rows[64 * place..64 * place + rows.len()].copy_from_slice(rows);
            }
        }
        node.finish(table);
        Ok(node)
    }

    /// Fills the node with a part of the table, of which `all_rows` holds all rows, for the same features.
    pub fn fill(
        &mut self,
        instructions: Instructions,
        table: &Table<T>,
        all_rows: &Node<T>,
        part: Part<T>,
    ) -> Result<()> {
        let below =
            table.order[part.feature].partition_point(|&row| table.codes[part.feature][row as usize] < part.cut);
        self.resize(if part.side == 0 { below } else { all_rows.count - below }, all_rows.features.clone())?;
        let mut members = memory::filled(0, all_rows.words)?;
        for order in 0..self.columns {
            all_rows.find_members(instructions, table, part, order, &mut members);
            for feature in self.features.clone() {
                let to = self.stretch(feature, order);
                let room = &mut self.codes[to..to + 64 * self.words + REGISTER];
                T::keep(instructions, all_rows.codes(feature, order), &members, room);
                room[self.count..64 * self.words].fill(T::PAD);
            }
            let (from, to) = (order * all_rows.words, order * self.words);
            let room = &mut self.sorted[64 * to..64 * (to + self.words) + REGISTER];
            T::keep(instructions, &all_rows.sorted[64 * from..64 * (from + all_rows.words)], &members, room);
            room[self.count..64 * self.words].fill(T::PAD);
            let signs = &all_rows.positive[from..from + all_rows.words];
            keep_bits(signs, &members, &mut self.positive[to..to + self.words]);
            if !self.rules.signs {
                let rows = &all_rows.rows[64 * from..64 * from + all_rows.count];
                keep_portable(rows, &members, &mut self.rows[64 * to..]);
            }
        }
        self.finish(table);
        Ok(())
    }

    /// The bits of the rows of a part in an order.
    fn find_members(
        &self,
        instructions: Instructions,
        table: &Table<T>,
        part: Part<T>,
        order: usize,
        members: &mut [u64],
    ) {
        if self.features.contains(&part.feature) {
            T::find_below(instructions, self.codes(part.feature, order), part.cut, members);
        } else {
            let codes = &table.codes[part.feature];
            for (rows, word) in table.order[order].chunks(64).zip(&mut *members) {
                let bit = |(i, &row): (usize, &u32)| u64::from(codes[row as usize] < part.cut) << i;
                *word = rows.iter().enumerate().map(bit).sum();
            }
        }
        if part.side == 1 {
            for (i, word) in members.iter_mut().enumerate() {
                *word = !*word & valid_bits(self.count, i);
            }
        }
    }

    fn resize(&mut self, count: usize, features: Range<usize>) -> Result<()> {
        self.count = count;
        self.words = count.div_ceil(64);
        self.features = features;
        let words = self.columns * self.words;
        set_length(&mut self.codes, 64 * words * self.features.len() + REGISTER, T::PAD)?;
        set_length(&mut self.sorted, 64 * words + REGISTER, T::PAD)?;
        for bits in [&mut self.positive, &mut self.negative, &mut self.ends] {
            set_length(bits, words, 0)?;
        }
        if !self.rules.signs {
            set_length(&mut self.rows, 64 * words + 1, 0)?;
            set_length(&mut self.weight_before, self.columns * (count + 1), 0)?;
        }
        Ok(())
    }

    /// What follows from codes, signs and rows.
    fn finish(&mut self, table: &Table<T>) {
        for order in 0..self.columns {
            let first = order * self.words;
            for word in 0..self.words {
                let valid = valid_bits(self.count, word);
                self.negative[first + word] = valid & !self.positive[first + word];
                let codes = &self.sorted[64 * (first + word)..64 * (first + word) + 65];
                let last = 64 * word + 64 >= self.count;
                let ends = (0..63 + usize::from(!last))
                    .fold(u64::from(last) << 63, |bits, i| bits | u64::from(codes[i] != codes[i + 1]) << i);
                self.ends[first + word] = ends | !valid;
            }
            if !self.rules.signs {
                let before = &mut self.weight_before[order * (self.count + 1)..][..self.count + 1];
                before[0] = 0;
                for i in 0..self.count {
                    before[i + 1] = before[i] + i64::from(table.weight[self.rows[64 * first + i] as usize]);
                }
            }
        }
    }

    fn stretch(&self, feature: usize, order: usize) -> usize {
        (order * self.features.len() + feature - self.features.start) * 64 * self.words
    }

    /// The codes of the rows in a column, in the order of another; padded to whole words.
    #[inline]
    pub fn codes(&self, feature: usize, order: usize) -> &[T] {
        let place = self.stretch(feature, order);
        &self.codes[place..place + 64 * self.words]
    }

    /// The codes of a column in its own order.
    pub fn sorted(&self, order: usize) -> &[T] {
        &self.sorted[64 * order * self.words..][..self.count]
    }

    /// The number of words of 64 rows.
    pub fn words(&self) -> usize {
        self.words
    }

    /// In an order: the bits of the rows of the second class, those of the first, and the last row of each code. Behind
    /// the last row, neither class and every end.
    #[inline]
    pub fn bits(&self, order: usize) -> [&[u64]; 3] {
        let range = order * self.words..(order + 1) * self.words;
        [&self.positive[range.clone()], &self.negative[range.clone()], &self.ends[range]]
    }

    /// The rows in an order; only where signs do not tell all.
    pub fn rows(&self, order: usize) -> &[u32] {
        &self.rows[64 * order * self.words..][..self.count]
    }

    /// The weight of the rows of an order between two places.
    pub fn weight_between(&self, order: usize, from: usize, to: usize) -> i64 {
        if self.rules.signs {
            return (to - from) as i64;
        }
        let before = &self.weight_before[order * (self.count + 1)..];
        before[to] - before[from]
    }

    /// The place of an order that is nearest to another and ends a code, of the places from `low` to `high`; a place is
    /// the number of rows on the left of a cut.
    pub fn nearest_cut(&self, order: usize, near: usize, low: usize, high: usize) -> Option<usize> {
        let ends = self.bits(order)[2];
        next_end(ends, near - 1, high - 1).or_else(|| last_end(ends, low - 1, near - 1)).map(|row| row + 1)
    }
}

/// The first bit of a list from one place to another, both included.
fn next_end(bits: &[u64], from: usize, to: usize) -> Option<usize> {
    let end = (from / 64..=to / 64).find_map(|place| {
        let above = if place == from / 64 { u64::MAX << (from % 64) } else { u64::MAX };
        let word = bits[place] & above;
        (word != 0).then(|| 64 * place + word.trailing_zeros() as usize)
    });
    end.filter(|&end| end <= to)
}

/// The last bit of a list from one place up to another, which is not included.
fn last_end(bits: &[u64], from: usize, to: usize) -> Option<usize> {
    (from / 64..=to / 64).rev().find_map(|place| {
        let below = if place == to / 64 { (1 << (to % 64)) - 1 } else { u64::MAX };
        let above = if place == from / 64 { u64::MAX << (from % 64) } else { u64::MAX };
        let word = bits[place] & below & above;
        (word != 0).then(|| 64 * place + 63 - word.leading_zeros() as usize)
    })
}

/// The bits of a word that stand for rows.
fn valid_bits(count: usize, word: usize) -> u64 {
    match count - 64 * word {
        64.. => u64::MAX,
        rows => (1 << rows) - 1,
    }
}

fn copy_codes<T: Code>(codes: &[T], rows: &[u32], copy: &mut [T]) {
    for (copy, &row) in copy.iter_mut().zip(rows) {
        *copy = codes[row as usize];
    }
}

/// Moves the bits of the members together.
fn keep_bits(bits: &[u64], members: &[u64], chosen: &mut [u64]) {
    chosen.fill(0);
    let mut count = 0;
    for (&bits, &members) in bits.iter().zip(members) {
        let (gathered, width) = (gather_bits(bits, members), members.count_ones() as usize);
        if width > 0 {
            chosen[count / 64] |= gathered << (count % 64);
            if count % 64 + width > 64 {
                chosen[count / 64 + 1] = gathered >> (64 - count % 64);
            }
        }
        count += width;
    }
}

/// The bits at the places of a mask, moved together.
fn gather_bits(bits: u64, mut mask: u64) -> u64 {
    let (mut gathered, mut place) = (0, 0);
    while mask != 0 {
        let lowest = mask & mask.wrapping_neg();
        gathered |= u64::from(bits & lowest != 0) << place;
        place += 1;
        mask ^= lowest;
    }
    gathered
}

/// Makes a vector so long; what it held stays.
fn set_length<V: Clone>(values: &mut Vec<V>, length: usize, value: V) -> Result<()> {
    values.try_reserve_exact(length.saturating_sub(values.len()))?;
    values.resize(length, value);
    Ok(())
}
