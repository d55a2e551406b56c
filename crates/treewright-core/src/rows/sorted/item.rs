//! A known number of a node: its key above, the place of its row in the node below. Items are ordered by their keys.

/// An item.
#[inline]
pub fn item(key: u32, place: u32) -> u64 {
    u64::from(key) << 32 | u64::from(place)
}

/// The key of an item.
#[inline]
pub fn key_of(item: u64) -> u32 {
    (item >> 32) as u32
}

/// The place of an item's row in its node.
#[inline]
pub fn place_of(item: u64) -> u32 {
    item as u32
}
