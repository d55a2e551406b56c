//! Which rows of a node a cut sends to the left.

use crate::wide::twins;

twins! {
    /// Sets bit `i` of the mask where code `i` is at most `code`.
    pub fn at_most(codes: &[u16], code: u16, mask: &mut [u32]) {
        for (codes, word) in codes.chunks(32).zip(mask) {
            let mut bits = 0;
            for (i, &c) in codes.iter().enumerate() {
                bits |= u32::from(c <= code) << i;
            }
            *word = bits;
        }
    }
}

twins! {
    /// The greatest code that is at most `code`, and the least that is greater.
    pub fn around(codes: &[u16], code: u16) -> (u16, u16) {
        let (mut below, mut above) = (0, u16::MAX);
        for &c in codes {
            below = below.max(if c <= code { c } else { 0 });
            above = above.min(if c <= code { u16::MAX } else { c });
        }
        (below, above)
    }
}
