//! The targets of leaves as bytes, and back: as few bytes as a place needs, and every byte checked.
//!
//! In order, all little-endian: the number of places, whether they have weights, the bytes of a place; the targets; the
//! weights; for each node how many rows it has, seven bits to a byte; the places of all rows.

use super::leaf_targets::LeafTargets;
use crate::model::forest::Forest;
use crate::sys::memory::room;
use crate::{Error, Result};

impl LeafTargets {
    /// The bytes.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let width = width_of(self.values.len());
        let numbers = self.values.len() + self.weights.len();
        let mut bytes = room(6 + 8 * numbers + 2 * self.starts.len() + width * self.members.len())?;
        bytes.extend_from_slice(&(self.values.len() as u32).to_le_bytes());
        bytes.push(u8::from(!self.weights.is_empty()));
        bytes.push(width as u8);
        self.values.iter().for_each(|value| bytes.extend_from_slice(&value.to_le_bytes()));
        self.weights.iter().for_each(|weight| bytes.extend_from_slice(&weight.to_le_bytes()));
        for pair in self.starts.windows(2) {
            let mut rest = pair[1] - pair[0];
            while rest >= 0x80 {
                bytes.push(rest as u8 | 0x80);
                rest >>= 7;
            }
            bytes.push(rest as u8);
        }
        self.members.iter().for_each(|place| bytes.extend_from_slice(&place.to_le_bytes()[..width]));
        Ok(bytes)
    }

    /// The targets of the leaves of a forest in bytes that [`LeafTargets::to_bytes`] made; any others are refused.
    pub fn from_bytes(mut bytes: &[u8], forest: &Forest) -> Result<LeafTargets> {
        let bytes = &mut bytes;
        let places = u32::from_le_bytes(take(bytes, 4)?.try_into().map_err(|_| bad())?) as usize;
        let (weighted, width) = (take(bytes, 1)?[0], usize::from(take(bytes, 1)?[0]));
        if places == 0 || weighted > 1 || width != width_of(places) {
            return Err(bad());
        }
        let mut values = room(places.min(bytes.len() / 8))?;
        for chunk in take(bytes, places.checked_mul(8).ok_or_else(bad)?)?.chunks_exact(8) {
            values.push(f64::from_le_bytes(chunk.try_into().map_err(|_| bad())?));
        }
        let mut weights = Vec::new();
        if weighted == 1 {
            for chunk in take(bytes, 8 * places)?.chunks_exact(8) {
                weights.push(u64::from_le_bytes(chunk.try_into().map_err(|_| bad())?));
            }
        }
        let mut starts = room(forest.nodes() + 1)?;
        starts.push(0);
        for _ in 0..forest.nodes() {
            let last = starts.last().copied().unwrap_or(0);
            starts.push(take_count(bytes)?.checked_add(last).ok_or_else(bad)?);
        }
        let total = starts.last().copied().unwrap_or(0);
        if total.checked_mul(width as u64) != Some(bytes.len() as u64) {
            return Err(bad());
        }
        let mut members = room(total as usize)?;
        for chunk in bytes.chunks_exact(width) {
            let mut place = [0; 4];
            place[..width].copy_from_slice(chunk);
            members.push(u32::from_le_bytes(place));
        }
        let targets = LeafTargets { values, weights, starts, members };
        if targets.is_sound(forest) { Ok(targets) } else { Err(bad()) }
    }

    /// Whether places ascend and are those of rows that every tree has.
    fn is_sound(&self, forest: &Forest) -> bool {
        let weight = |place: usize| self.weights.get(place).copied().unwrap_or(1);
        let ascends = |place: usize| {
            let (a, b) = (self.values[place - 1], self.values[place]);
            a < b || (a == b && weight(place - 1) < weight(place))
        };
        let total = self.weights.iter().try_fold(0u64, |sum, weight| sum.checked_add(*weight));
        let mut ends = Vec::new();
        let mut node = 0;
        for tree in forest.trees() {
            node += tree.len();
            ends.push(self.starts[node]);
        }
        let rows = ends.first().copied().unwrap_or(0);
        let in_order = |pair: &[u64]| {
            let places = &self.members[pair[0] as usize..pair[1] as usize];
            places.is_sorted()
        };
        // Weights of rows add up to less than 2^52, and no place has more rows than all.
        total.is_some_and(|total| total < 1 << 52)
            && self.values.iter().all(|value| value.is_finite())
            && self.weights.iter().all(|&weight| weight > 0)
            && (1..self.values.len()).all(ascends)
            && rows > 0
            && rows <= u64::from(u32::MAX)
            && ends.iter().zip(1u64..).all(|(&end, trees)| end == trees * rows)
            && self.members.iter().all(|&place| (place as usize) < self.values.len())
            && self.starts.windows(2).all(in_order)
    }
}

/// Takes so many bytes from the front of others.
fn take<'b>(bytes: &mut &'b [u8], count: usize) -> Result<&'b [u8]> {
    let (front, rest) = bytes.split_at_checked(count).ok_or_else(bad)?;
    *bytes = rest;
    Ok(front)
}

/// Takes a number of at most 32 bits, seven to a byte, in as few bytes as it needs.
fn take_count(bytes: &mut &[u8]) -> Result<u64> {
    let mut count = 0;
    for shift in (0..35).step_by(7) {
        let byte = take(bytes, 1)?[0];
        count |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return if byte == 0 && shift > 0 { Err(bad()) } else { Ok(count) };
        }
    }
    Err(bad())
}

/// The bytes of a place, of so many.
fn width_of(places: usize) -> usize {
    (1..4).find(|&width| places <= 1 << (8 * width)).unwrap_or(4)
}

fn bad() -> Error {
    Error::model("model.document", "the targets of the model's leaves are wrong")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::data::table::{Column, Kind, Table};
    use crate::model::tree::Tree;
    use crate::sys::pool::Cancel;

    /// One question about one column: at most 1.5, or above.
    fn stump() -> Tree {
        let mut tree = Tree::new(1);
        for (children, first, threshold) in [(2u16, 1u32, 1.5), (0, 0, f64::NAN), (0, 0, f64::NAN)] {
            tree.n_children.push(children);
            tree.first_child.push(first);
            tree.feature.push(0);
            tree.threshold.push(threshold);
            tree.missing.push(if children > 0 { 0 } else { crate::model::tree::STOP });
            tree.route_start.push(0);
            tree.value.push(0.0);
            tree.weight.push(1.0);
            tree.count.push(1);
            tree.cost.push(0.0);
            tree.gain.push(0.0);
        }
        tree
    }

    fn make_targets(weights: Option<&[f64]>) -> (Forest, LeafTargets) {
        let forest = Forest::new(vec![Kind::Numeric], vec![stump(), stump()]).unwrap();
        let x = [1.0, 1.0, 1.0, 2.0, 2.0];
        let table = Table::new(vec![Column::Numeric(&x)], 5).unwrap();
        let y = [3.0, 1.0, 2.0, 7.0, 5.0];
        let targets = LeafTargets::new(&forest, &table, &y, weights, 1, &Cancel::default()).unwrap();
        (forest, targets)
    }

    #[test]
    fn quantiles_are_those_of_the_leaf() {
        let x = [0.0, 9.0];
        let table = Table::new(vec![Column::Numeric(&x)], 2).unwrap();
        let (forest, targets) = make_targets(None);
        let found = targets.quantiles(&forest, &table, &[0.0, 0.5, 0.7, 1.0], 1, &Cancel::default()).unwrap();
        assert_eq!(found, [1.0, 2.0, 3.0, 3.0, 5.0, 5.0, 7.0, 7.0]);
        let (forest, targets) = make_targets(Some(&[4.0, 1.0, 1.0, 1.0, 1.0]));
        let found = targets.quantiles(&forest, &table, &[0.5], 1, &Cancel::default()).unwrap();
        assert_eq!(found, [3.0, 5.0]);
    }

    #[test]
    fn bytes_are_read_back_and_no_others() {
        for weights in [None, Some(&[4.0, 1.0, 1.5, 1.0, 1.0][..])] {
            let (forest, targets) = make_targets(weights);
            let bytes = targets.to_bytes().unwrap();
            assert_eq!(LeafTargets::from_bytes(&bytes, &forest).unwrap(), targets);
            for end in 0..bytes.len() {
                assert!(LeafTargets::from_bytes(&bytes[..end], &forest).is_err());
            }
            for at in 0..bytes.len() {
                for bit in 0..8 {
                    let mut changed = bytes.clone();
                    changed[at] ^= 1 << bit;
                    if let Ok(read) = LeafTargets::from_bytes(&changed, &forest) {
                        assert_eq!(read.to_bytes().unwrap(), changed);
                    }
                }
            }
        }
    }
}
