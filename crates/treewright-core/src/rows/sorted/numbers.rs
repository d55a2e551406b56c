//! A column of numbers, sorted once for the whole table.

use super::columns::SpareItems;
use super::gaps::{Gaps, single_of};
use super::item::{item, key_of, place_of};
use crate::Result;
use crate::codes::ordered::{midpoint, ordered_bits, ordered_bits_f32};
use crate::codes::sorted::{Keyed, sort};
use crate::data::strided::{Floats, place};
use crate::data::table::Column;
use crate::model::tree::{SHARE, SplitRule};
use crate::split::priced_threshold::{are_doubles_apart, are_singles_apart, is_up_to_middle};
use crate::split::shared::{ShareRules, ThresholdAt};
use crate::split::sweep::sort_by_code;
use crate::sys::memory::{collected, room};
use crate::sys::pages;
use crate::sys::pool::Cancel;
use std::ops::Range;

/// From one sample of a column to the next.
const BETWEEN_SAMPLES: usize = 16;

/// A column of numbers and the order of its rows.
#[derive(Debug)]
pub struct NumericColumn<'a> {
    column: Column<'a>,
    /// The class of each row of the table.
    classes: &'a [u32],
    /// The rows of the table whose number is known, by number, then by row.
    order: Vec<u32>,
    /// The numbers of some of them, [`BETWEEN_SAMPLES`] apart, as they are compared: rows are far away.
    samples: Vec<f64>,
    /// Where a cut may be.
    pub gaps: Gaps,
    single: bool,
    known: usize,
    /// Whether single precision may hide differences.
    is_rounded: bool,
}

impl<'a> NumericColumn<'a> {
    /// A column that is not sorted yet.
    pub fn new(column: Column<'a>, classes: &'a [u32], single: bool) -> NumericColumn<'a> {
        NumericColumn {
            column,
            classes,
            order: Vec::new(),
            samples: Vec::new(),
            gaps: Gaps::All,
            single,
            known: 0,
            is_rounded: false,
        }
    }

    /// Takes up some rows; rows come in their order. Columns of a matrix are read in turn, some rows of each, since they lie
    /// beside each other. `items` has room for an item of each row.
    pub fn read(&mut self, rows: Range<u32>, items: &mut [u64]) {
        match self.column {
            _ if !self.single => {}
            Column::Numeric(values) => self.read_from(rows, items, |row| values[row]),
            // The form of the numbers is looked at once, not for each of them.
            Column::Strided(strided) => match strided.parts() {
                (Floats::Single(values), start, step) => {
                    self.read_from(rows, items, |row| f64::from(values[place(start, step, row)]) + 0.0)
                }
                (Floats::Double(values), start, step) => {
                    self.read_from(rows, items, |row| values[place(start, step, row)] + 0.0)
                }
            },
            column => self.read_from(rows, items, |row| column.number(row)),
        }
    }

    #[inline(always)]
    fn read_from(&mut self, rows: Range<u32>, items: &mut [u64], number: impl Fn(usize) -> f64) {
        let (mut known, mut is_rounded) = (self.known, self.is_rounded);
        for row in rows {
            let number = number(row as usize);
            let single = number as f32;
            is_rounded |= f64::from(single) != number || single.to_bits() == (-0f32).to_bits();
            items[known] = item(ordered_bits_f32(single + 0.0), row, self.classes[row as usize]);
            known += usize::from(!number.is_nan());
        }
        (self.known, self.is_rounded) = (known, is_rounded);
    }

    /// Sorts the column, all of whose rows were read. Returns how many items there are: the key and row of each known number
    /// in order.
    pub fn sort(&mut self, items: &mut [u64], spares: &SpareItems, cancel: &Cancel) -> Result<usize> {
        cancel.check()?;
        self.order = pages::room(self.column.len())?;
        match self.single {
            true => self.sort_singles(items, spares, cancel)?,
            false => self.sort_doubles(items, cancel)?,
        }
        let samples = items[..self.known].iter().zip(&self.order).step_by(BETWEEN_SAMPLES);
        self.samples = collected(samples.map(|(item, row)| self.compared(key_of(*item), *row)))?;
        Ok(self.known)
    }

    #[inline(always)]
    fn number(&self, row: u32) -> f64 {
        let number = self.column.number(row as usize);
        // A matrix has zeros of one sign only, as everywhere.
        if let Column::Strided(_) = self.column { number + 0.0 } else { number }
    }

    /// A row's number as it is compared, given the key of its items.
    fn compared(&self, key: u32, row: u32) -> f64 {
        if self.single { f64::from(single_of(key)) } else { self.number(row) }
    }

    fn sort_singles(&mut self, items: &mut [u64], spares: &SpareItems, cancel: &Cancel) -> Result<()> {
        let items = &mut items[..self.known];
        let mut room = spares.take(items.len())?;
        sort_by_code(items, &mut room[..items.len()]);
        spares.give(room);
        cancel.check()?;
        self.order.extend(items.iter().map(|item| place_of(*item)));
        let is_close = |low: u32, high: u32| low != high && !are_singles_apart(single_of(low), single_of(high));
        if items.windows(2).any(|pair| is_close(key_of(pair[0]), key_of(pair[1]))) {
            self.gaps = Gaps::Single;
        }
        if self.is_rounded {
            self.order_equal_singles(items);
        }
        Ok(())
    }

    /// Rows whose numbers are equal in single precision are ordered by their numbers in double precision.
    fn order_equal_singles(&mut self, items: &[u64]) {
        let (mut start, mut bits) = (0, Vec::new());
        for equal in items.chunk_by(|a, b| a >> 32 == b >> 32) {
            let rows = start..start + equal.len();
            start = rows.end;
            if equal.len() == 1 {
                continue;
            }
            bits.clear();
            bits.extend(self.order[rows.clone()].iter().map(|&row| (ordered_bits(self.number(row)), row)));
            if !bits.is_sorted() {
                bits.sort_unstable();
                self.order[rows].iter_mut().zip(&bits).for_each(|(row, (_, sorted))| *row = *sorted);
            }
        }
    }

    fn sort_doubles(&mut self, items: &mut [u64], cancel: &Cancel) -> Result<()> {
        let mut order: Vec<Keyed<u32>> = room(self.column.len())?;
        let known = (0..self.column.len() as u32).map(|row| (self.number(row), row)).filter(|(x, _)| !x.is_nan());
        order.extend(known.map(|(x, row)| Keyed::new(x, row)));
        let order = sort(order, cancel)?;
        cancel.check()?;
        let (mut compared, mut close): (Vec<f64>, bool) = (room(order.len())?, false);
        for (entry, item_of_row) in order.iter().zip(items) {
            let (number, row) = (entry.number(), entry.row);
            if compared.last() != Some(&number) {
                close |= compared.last().is_some_and(|last| !are_doubles_apart(*last, number));
                compared.push(number);
            }
            *item_of_row = item(compared.len() as u32 - 1, row, self.classes[row as usize]);
            self.order.push(row);
        }
        if close {
            self.gaps = Gaps::Double(compared);
        }
        self.known = order.len();
        Ok(())
    }

    /// How many rows, from the least number on, have a number as asked for.
    fn partition_point(&self, is_below: impl Fn(f64) -> bool) -> usize {
        let samples = self.samples.partition_point(|number| is_below(*number));
        let start = samples.saturating_sub(1) * BETWEEN_SAMPLES;
        let rows = &self.order[start..(samples * BETWEEN_SAMPLES).min(self.order.len())];
        if let Column::Strided(numbers) = &self.column {
            rows.iter().for_each(|row| numbers.ask(*row as usize));
        }
        let compared = |number: f64| if self.single { f64::from(number as f32) } else { number };
        start + rows.partition_point(|&row| is_below(compared(self.number(row))))
    }

    /// The question of a cut between two neighbors in their node, each given by its key and row.
    pub fn question(&self, low: (u32, u32), high: (u32, u32), rules: &ShareRules) -> SplitRule {
        let [a, b] = [low, high].map(|(key, row)| self.compared(key, row));
        // Behind the rows that are not above the lower number; before those that are not below the upper one.
        let behind = || self.partition_point(|number| number <= a);
        let before = || self.partition_point(|number| number < b);
        let at = |place: usize| self.order.get(place).map_or(f64::NAN, |&row| self.number(row));
        let cut = match rules.threshold {
            ThresholdAt::Midpoint => midpoint(at(behind().wrapping_sub(1)), at(before())),
            ThresholdAt::Value => {
                let is_below = is_up_to_middle(a, b, rules);
                let is_between = is_below(a) && !is_below(b);
                let below = self.partition_point(is_below);
                // Rows are far away: the other places are sought only where rounding has moved the middle out of the gap.
                // Another thread may be changing the numbers: then any answer will do.
                at(if is_between { below } else { below.min(before()).max(behind()) }.wrapping_sub(1))
            }
        };
        SplitRule::threshold(cut, SHARE)
    }
}
