//! A known number of a node: its key above, then the place of its row in the node, and the lowest bit of the row's class.
//! Items are ordered by their keys.

/// Everything but the place.
pub const KEY_AND_BIT: u64 = (u32::MAX as u64) << 32 | 1;

/// An item. The place has 31 bits.
#[inline(always)]
pub fn item(key: u32, place: u32, class: u32) -> u64 {
    u64::from(key) << 32 | u64::from(place) << 1 | u64::from(class & 1)
}

/// The key of an item.
#[inline(always)]
pub fn key_of(item: u64) -> u32 {
    (item >> 32) as u32
}

/// The place of an item's row in its node.
#[inline(always)]
pub fn place_of(item: u64) -> u32 {
    item as u32 >> 1
}

/// The lowest bit of the class of an item's row: the whole class where there are two.
#[inline(always)]
pub fn class_bit(item: u64) -> u64 {
    item & 1
}

/// The item of the same row at another place.
#[inline(always)]
pub fn moved(item: u64, place: u32) -> u64 {
    item & KEY_AND_BIT | u64::from(place) << 1
}
