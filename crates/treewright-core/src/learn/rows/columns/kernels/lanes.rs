//! Up to 32 rows at once: for each the cut behind it, and how many rows or which sum that leaves on the left.
//!
//! The plain and the wide form do the same operations on the same numbers in the same order; lanes behind the last row
//! hold the greatest code, so nothing is on the right of their cut and it is never allowed.

use super::histogram::low_bits;
use crate::learn::rows::columns::counts::Shape;
use crate::learn::rows::columns::tally::{LaneScan, Lanes, Wish};
use crate::wide::Isa;

/// Rows that the kernels for small nodes take at once.
pub const LANES: usize = 32;

/// How often the rows of a small node may count in all: `2 TIMES^4` is less than 2^24.
pub const TIMES: usize = 53;

/// The first codes, followed by the greatest code.
pub fn load(codes: &[u16], rows: usize) -> Lanes {
    let mut lanes = [u16::MAX; LANES];
    lanes[..rows].copy_from_slice(&codes[..rows]);
    lanes
}

/// The lanes whose cut is allowed and of interest.
pub fn interesting(scan: &LaneScan, wish: &Wish) -> u32 {
    let allowed = wish.min_leaf..=wish.rows - wish.min_leaf;
    let hit = |i: &usize| scan.saved[*i] >= wish.floor && allowed.contains(&usize::from(scan.left[*i]));
    (0..LANES).filter(hit).fold(0, |hits, i| hits | 1 << i)
}

/// Whether all rows have the same code: then every cut leaves all rows on the left, and nothing is estimated.
pub fn is_constant(codes: &[u16], wish: &Wish, scan: &mut LaneScan) -> bool {
    scan.constant = codes[..wish.rows].iter().all(|code| *code == codes[0]);
    if scan.constant {
        (scan.codes, scan.left) = (load(codes, wish.rows), [wish.rows as u16; LANES]);
    }
    scan.constant
}

/// Gini's index of few rows; see [`super::gini`] for the formula. The sum of `(l n - m N)^2` is put together from the sums
/// of `l^2`, `l N` and `N^2`: all are small integers, exact in single precision if rows count at most [`TIMES`] in all.
pub fn gini(isa: Isa, set: &Shape<'_>, scale: f32, codes: &[u16], wish: &Wish, scan: &mut LaneScan) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if isa.is_wide() && wish.rows <= LANES && codes.len() >= wish.rows {
        // SAFETY: `Isa::detect` has seen the instructions; the rows are as many as they must be.
        return unsafe { wide::gini(set, scale, codes, wish, scan) };
    }
    let _ = isa;
    if is_constant(codes, wish, scan) {
        return 0;
    }
    scan.codes = load(codes, wish.rows);
    scan.left = [0; LANES];
    let (mut squares, mut products, mut all) = ([0f32; LANES], [0f32; LANES], 0f32);
    let (mut place, mut times) = (0, [0f32; LANES]);
    for (class, total) in set.segments.chunk_by(|a, b| a.class == b.class).zip(set.classes) {
        let (mut weight, total) = ([0u16; LANES], *total as f32);
        for segment in class {
            let mut count = [0u16; LANES];
            for code in &scan.codes[place..place + segment.len as usize] {
                (0..LANES).for_each(|i| count[i] += u16::from(scan.codes[i] >= *code));
            }
            for i in 0..LANES {
                scan.left[i] += count[i];
                weight[i] = weight[i].wrapping_add(count[i].wrapping_mul(segment.times as u16));
            }
            place += segment.len as usize;
        }
        for i in 0..LANES {
            let weight = f32::from(weight[i]);
            times[i] += weight;
            squares[i] += weight * weight;
            products[i] += weight * total;
        }
        all += total * total;
    }
    let rows = set.rows as f32;
    for i in 0..LANES {
        let left = times[i];
        let sum = rows * rows * squares[i] - 2.0 * rows * left * products[i] + left * left * all;
        scan.saved[i] = sum / (left * (rows - left)).max(1.0) * scale;
    }
    interesting(scan, wish)
}

/// The form of a sum that [`squares`] estimates with.
#[derive(Clone, Copy, Debug)]
pub struct Sum {
    /// How often all rows count.
    pub rows: f32,
    /// How far a sum may be off.
    pub lean: f32,
    /// What one unit saves, as a share of the node's cost.
    pub scale: f32,
}

/// Squared error of few rows; see [`super::squares`] for the formula. Targets are counted from their mean.
pub fn squares(
    isa: Isa,
    targets: &[f32],
    times: &[f32],
    form: Sum,
    codes: &[u16],
    wish: &Wish,
    scan: &mut LaneScan,
) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if isa.is_wide() && wish.rows <= LANES && codes.len().min(targets.len()).min(times.len()) >= wish.rows {
        // SAFETY: `Isa::detect` has seen the instructions; the rows are as many as they must be.
        return unsafe { wide::squares(targets, times, form, codes, wish, scan) };
    }
    let _ = isa;
    if is_constant(codes, wish, scan) {
        return 0;
    }
    scan.codes = load(codes, wish.rows);
    (scan.left, scan.saved) = ([0; LANES], [0.0; LANES]);
    let mut counts = [0f32; LANES];
    for (code, (target, times)) in scan.codes[..wish.rows].iter().zip(targets.iter().zip(times)) {
        for (i, count) in counts.iter_mut().enumerate() {
            if scan.codes[i] >= *code {
                scan.left[i] += 1;
                scan.saved[i] += target;
                *count += times;
            }
        }
    }
    for (i, left) in counts.into_iter().enumerate() {
        let e = scan.saved[i].abs() + form.lean;
        scan.saved[i] = e * e * (form.scale / (left * (form.rows - left)).max(1.0));
    }
    interesting(scan, wish)
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use super::{LANES, LaneScan, Shape, Sum, Wish, low_bits};
    use std::arch::x86_64::*;

    /// 32 numbers: the lower and the upper 16 lanes.
    type Pair = [__m512; 2];

    /// The first codes, followed by the greatest code.
    ///
    /// # Safety
    /// There must be so many rows, at most 32.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    unsafe fn load(codes: &[u16], rows: usize) -> __m512i {
        // SAFETY: the load is masked to the rows, which are there.
        unsafe { _mm512_mask_loadu_epi16(_mm512_set1_epi16(-1), low_bits(rows), codes.as_ptr().cast()) }
    }

    /// See [`super::is_constant`].
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn is_constant(lanes: __m512i, wish: &Wish, scan: &mut LaneScan) -> bool {
        let first = _mm512_broadcastw_epi16(_mm512_castsi512_si128(lanes));
        scan.constant = _mm512_mask_cmpneq_epu16_mask(low_bits(wish.rows), lanes, first) == 0;
        if scan.constant {
            scan.left = [wish.rows as u16; LANES];
            // SAFETY: the array is as long as the register.
            unsafe { _mm512_storeu_epi16(scan.codes.as_mut_ptr().cast(), lanes) };
        }
        scan.constant
    }

    /// Adds to each lane how many of some codes are not greater.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn count(lanes: __m512i, codes: &[u16], mut counts: __m512i) -> __m512i {
        for &code in codes {
            let inside = _mm512_cmpge_epu16_mask(lanes, _mm512_set1_epi16(code as i16));
            counts = _mm512_sub_epi16(counts, _mm512_movm_epi16(inside));
        }
        counts
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn floats(counts: __m512i) -> Pair {
        [_mm512_castsi512_si256(counts), _mm512_extracti64x4_epi64::<1>(counts)]
            .map(|half| _mm512_cvtepi32_ps(_mm512_cvtepu16_epi32(half)))
    }

    /// `left * (rows - left)`, at least 1.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn sides(left: __m512, rows: __m512) -> __m512 {
        _mm512_max_ps(_mm512_mul_ps(left, _mm512_sub_ps(rows, left)), _mm512_set1_ps(1.0))
    }

    /// Writes the estimates and tells the lanes of interest.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn finish(lanes: __m512i, left: __m512i, saved: Pair, wish: &Wish, scan: &mut LaneScan) -> u32 {
        let floor = _mm512_set1_ps(wish.floor);
        let hits = saved.map(|half| u32::from(_mm512_cmp_ps_mask::<_CMP_GE_OQ>(half, floor)));
        let (least, most) = (wish.min_leaf as u16 as i16, (wish.rows - wish.min_leaf) as u16 as i16);
        let allowed = _mm512_cmpge_epu16_mask(left, _mm512_set1_epi16(least))
            & _mm512_cmple_epu16_mask(left, _mm512_set1_epi16(most));
        // SAFETY: each of the arrays is as long as the registers that are written to it.
        unsafe {
            _mm512_storeu_epi16(scan.codes.as_mut_ptr().cast(), lanes);
            _mm512_storeu_epi16(scan.left.as_mut_ptr().cast(), left);
            _mm512_storeu_ps(scan.saved.as_mut_ptr(), saved[0]);
            _mm512_storeu_ps(scan.saved.as_mut_ptr().add(LANES / 2), saved[1]);
        }
        (hits[0] | hits[1] << 16) & allowed
    }

    /// # Safety
    /// The processor must have these instructions; there must be at most 32 rows and a code for each.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    pub unsafe fn gini(set: &Shape<'_>, scale: f32, codes: &[u16], wish: &Wish, scan: &mut LaneScan) -> u32 {
        // SAFETY: as asked for.
        let lanes = unsafe { load(codes, wish.rows) };
        if is_constant(lanes, wish, scan) {
            return 0;
        }
        let (mut left, zero) = (_mm512_setzero_si512(), _mm512_setzero_ps());
        let (mut squares, mut products, mut m, mut all) = ([zero; 2], [zero; 2], [zero; 2], 0f32);
        let mut rest = &codes[..wish.rows];
        let mut segments = set.segments.iter().peekable();
        for &total in set.classes {
            let mut weight = _mm512_setzero_si512();
            let mut class = None;
            while let Some(segment) = segments.next_if(|next| class.is_none_or(|class| class == next.class)) {
                class = Some(segment.class);
                let (here, behind) = rest.split_at(segment.len as usize);
                rest = behind;
                let counts = count(lanes, here, _mm512_setzero_si512());
                left = _mm512_add_epi16(left, counts);
                let counts = _mm512_mullo_epi16(counts, _mm512_set1_epi16(segment.times as i16));
                weight = _mm512_add_epi16(weight, counts);
            }
            let (weight, total) = (floats(weight), total as f32);
            for half in 0..2 {
                m[half] = _mm512_add_ps(m[half], weight[half]);
                squares[half] = _mm512_add_ps(squares[half], _mm512_mul_ps(weight[half], weight[half]));
                products[half] = _mm512_add_ps(products[half], _mm512_mul_ps(weight[half], _mm512_set1_ps(total)));
            }
            all += total * total;
        }
        let n = set.rows as f32;
        let (rows, scale) = (_mm512_set1_ps(n), _mm512_set1_ps(scale));
        let saved = [0, 1].map(|half| {
            let own = _mm512_mul_ps(_mm512_set1_ps(n * n), squares[half]);
            let twice = _mm512_mul_ps(_mm512_mul_ps(_mm512_set1_ps(2.0 * n), m[half]), products[half]);
            let theirs = _mm512_mul_ps(_mm512_mul_ps(m[half], m[half]), _mm512_set1_ps(all));
            let sum = _mm512_add_ps(_mm512_sub_ps(own, twice), theirs);
            _mm512_mul_ps(_mm512_div_ps(sum, sides(m[half], rows)), scale)
        });
        finish(lanes, left, saved, wish, scan)
    }

    /// # Safety
    /// The processor must have these instructions; there must be at most 32 rows and a code and a target for each.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    pub unsafe fn squares(
        targets: &[f32],
        times: &[f32],
        form: Sum,
        codes: &[u16],
        wish: &Wish,
        scan: &mut LaneScan,
    ) -> u32 {
        // SAFETY: as asked for.
        let lanes = unsafe { load(codes, wish.rows) };
        if is_constant(lanes, wish, scan) {
            return 0;
        }
        let (rows, zero) = (_mm512_set1_ps(form.rows), _mm512_setzero_ps());
        let repeated = form.rows != wish.rows as f32;
        let (mut left, mut sums, mut all) = (_mm512_setzero_si512(), [zero; 2], [zero; 2]);
        for (&code, (&target, &times)) in codes[..wish.rows].iter().zip(targets.iter().zip(times)) {
            let inside = _mm512_cmpge_epu16_mask(lanes, _mm512_set1_epi16(code as i16));
            left = _mm512_sub_epi16(left, _mm512_movm_epi16(inside));
            let (target, times) = (_mm512_set1_ps(target), _mm512_set1_ps(times));
            for (half, inside) in [inside as u16, (inside >> 16) as u16].into_iter().enumerate() {
                sums[half] = _mm512_mask_add_ps(sums[half], inside, sums[half], target);
                if repeated {
                    all[half] = _mm512_mask_add_ps(all[half], inside, all[half], times);
                }
            }
        }
        if !repeated {
            all = floats(left);
        }
        let (lean, scale) = (_mm512_set1_ps(form.lean), _mm512_set1_ps(form.scale));
        let saved = [0, 1].map(|half| {
            let e = _mm512_add_ps(_mm512_abs_ps(sums[half]), lean);
            _mm512_mul_ps(_mm512_mul_ps(e, e), _mm512_div_ps(scale, sides(all[half], rows)))
        });
        finish(lanes, left, saved, wish, scan)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::rows::columns::counts::Segment;

    #[test]
    fn both_forms_give_equal_bits() {
        for rows in 2..=LANES {
            for turn in 0..20usize {
                let most = [3, 50, 65_536][turn % 3];
                let codes: Vec<u16> =
                    (0..40).map(|i| ((i + turn * 97) * 7919 % 10_007 * most / 10_007) as u16).collect();
                let targets: Vec<f32> = (0..rows).map(|i| ((i * 31 + turn) % 17) as f32 * 1e5 - 7e5).collect();
                let cuts = [rows / 3, rows / 3 + rows / 4, rows];
                let times = |place: usize| [1, 1 + (place + turn) as u32 % 5][turn % 2];
                let segments: Vec<Segment> = [(0, 0, cuts[0]), (1, cuts[0], cuts[1]), (1, cuts[1], rows)]
                    .into_iter()
                    .map(|(class, start, end)| Segment { class, len: (end - start) as u32, times: times(start) })
                    .filter(|segment| segment.len > 0)
                    .collect();
                let of_class = |class: u32| {
                    let segments = segments.iter().filter(move |segment| segment.class == class);
                    segments.map(|segment| segment.len * segment.times).sum::<u32>()
                };
                let classes: Vec<u32> = (0..2).map(of_class).filter(|times| *times > 0).collect();
                let all = classes.iter().sum::<u32>() as usize;
                let wish = Wish { rows, min_leaf: 1 + turn % 2, floor: 0.1 };
                let weights: Vec<f32> = (0..rows).map(|i| [1.0, (1 + i % 4) as f32][turn % 2]).collect();
                let form = Sum { rows: weights.iter().sum(), lean: 7.5, scale: 1e-11 };
                let runs = [Isa::PLAIN, Isa::detect()].map(|isa| {
                    let (mut a, mut b) = (LaneScan::default(), LaneScan::default());
                    let (labels, factors) = (&[0, 1][..], &[1.0, 1.0][..]);
                    let set = Shape {
                        segments: &segments,
                        classes: &classes,
                        labels,
                        factors,
                        units: 1,
                        rows: all,
                        cost: 1.0,
                        isa,
                    };
                    let hits = gini(isa, &set, 0.01, &codes, &wish, &mut a);
                    let more = squares(isa, &targets, &weights, form, &codes, &wish, &mut b);
                    (hits, more, a.left, a.codes, a.saved.map(f32::to_bits), b.left, b.saved.map(f32::to_bits))
                });
                assert_eq!(runs[0], runs[1]);
            }
        }
    }
}
