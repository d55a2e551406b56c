//! Moving the rows of a node to the side they go to. Rows keep their order on both sides.

use super::Isa;

/// Moves values whose bit is set to the front, the others behind them. `spare` has room for all of them.
pub fn partition<T: Copy>(_isa: Isa, values: &mut [T], mask: &[u32], spare: &mut [T]) {
    plain(values, mask, spare);
}

fn plain<T: Copy>(values: &mut [T], mask: &[u32], spare: &mut [T]) {
    let spare = &mut spare[..values.len()];
    let (mut left, mut right) = (0, 0);
    for i in 0..values.len() {
        // Both are written and one is kept: no branch that cannot be foreseen.
        let (value, bit) = (values[i], (mask[i / 32] >> (i % 32) & 1) as usize);
        values[left] = value;
        spare[right] = value;
        left += bit;
        right += 1 - bit;
    }
    values[left..].copy_from_slice(&spare[..right]);
}
