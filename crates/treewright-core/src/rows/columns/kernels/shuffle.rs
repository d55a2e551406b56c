//! The stable partition for tiers that cannot compress a register: a table turns a mask into a shuffle that moves the chosen
//! lanes to the front ([`crate::simd`] has the tables). Written once, over registers of any tier.

use super::partition::SLOP;

/// A register of some values.
///
/// # Safety
/// The methods need the tier's instructions, and as many values behind a pointer as a register holds.
pub trait Register: Copy {
    /// What a lane holds.
    type Value: Copy + Default;
    /// How many lanes there are: a divisor of 32.
    const WIDTH: usize;

    /// # Safety
    /// See [`Register`].
    unsafe fn load(from: *const Self::Value) -> Self;
    /// # Safety
    /// See [`Register`].
    unsafe fn store(self, to: *mut Self::Value);
    /// Moves the lanes of a mask to the front, in their order; what stands behind them means nothing. No bit of the mask is
    /// beyond the lanes.
    ///
    /// # Safety
    /// See [`Register`].
    unsafe fn pack(self, mask: u32) -> Self;
}

/// See [`super::partition::Movable::partition`]. Values that stay in front move down over what was read already, the others
/// wait in the spare; whole registers are written to both.
///
/// # Safety
/// The processor must have the instructions of `R`; `mask` must have a bit for each value and `spare` room for all values
/// and [`SLOP`] more.
#[inline(always)]
pub unsafe fn partition<R: Register>(values: &mut [R::Value], mask: &[u32], spare: &mut [R::Value]) {
    const { assert!(R::WIDTH <= 16) };
    let (width, full, len) = (R::WIDTH, (1u32 << R::WIDTH) - 1, values.len());
    let tail_start = len / width * width;
    let (from, wait) = (values.as_mut_ptr(), spare.as_mut_ptr());
    let (mut left, mut right) = (0, 0);
    // The last register, which is loaded before anything is overwritten: it overlaps the one before it.
    let has_tail = len > width && tail_start < len;
    // SAFETY: there are more values than a register holds.
    let tail = has_tail.then(|| unsafe { R::load(from.add(len - width)) });
    for start in (0..tail_start).step_by(width) {
        let front = (mask[start / 32] >> (start % 32)) & full;
        // SAFETY: a whole register is loaded. `left` and `right` are at most `start`: in front, all values up to the end of
        // what is written were loaded already; the spare has room for a whole register behind each value.
        unsafe {
            let lanes = R::load(from.add(start));
            lanes.pack(front).store(from.add(left));
            lanes.pack(front ^ full).store(wait.add(right));
        }
        let to_front = front.count_ones() as usize;
        left += to_front;
        right += width - to_front;
    }
    if let Some(lanes) = tail {
        // Only the upper lanes are new.
        let skipped = width - (len - tail_start);
        let here = full << skipped & full;
        let front = (mask[tail_start / 32] >> (tail_start % 32)) << skipped & here;
        let to_front = front.count_ones() as usize;
        let mut packed = [R::Value::default(); 16];
        // SAFETY: no register is longer than the array; the spare has room for a whole register behind each value.
        unsafe {
            lanes.pack(front).store(packed.as_mut_ptr());
            lanes.pack(here & !front).store(wait.add(right));
        }
        // In front there may be less room than a register.
        values[left..left + to_front].copy_from_slice(&packed[..to_front]);
        left += to_front;
        right += len - tail_start - to_front;
    } else {
        for i in tail_start..len {
            let (value, bit) = (values[i], (mask[i / 32] >> (i % 32) & 1) as usize);
            values[left] = value;
            spare[right] = value;
            left += bit;
            right += 1 - bit;
        }
    }
    copy_back::<R>(&mut values[left..], &spare[..right]);
}

/// Copies values, a register at a time: for the few values of most nodes that is faster than a call.
#[inline(always)]
fn copy_back<R: Register>(to: &mut [R::Value], from: &[R::Value]) {
    let mut at = 0;
    let len = to.len().min(from.len());
    while at + R::WIDTH <= len {
        // SAFETY: both have a whole register from here on; the caller of `partition` knows the instructions.
        unsafe { R::load(from.as_ptr().add(at)).store(to.as_mut_ptr().add(at)) };
        at += R::WIDTH;
    }
    to[at..len].iter_mut().zip(&from[at..len]).for_each(|(to, value)| *to = *value);
}

/// See [`super::partition::Movable::gather`].
///
/// # Safety
/// The processor must have the instructions of `R`; there must be a value for each member.
#[inline(always)]
pub unsafe fn gather<R: Register>(values: &[R::Value], members: u64, out: &mut [R::Value; SLOP]) {
    let (width, full) = (R::WIDTH, (1u64 << R::WIDTH) - 1);
    let (mut rest, mut start, mut at) = (members, 0, 0);
    while rest != 0 && start + width <= values.len() {
        let here = (rest & full) as u32;
        // SAFETY: a whole register is there. `at` is at most `start`, and there is room for a register behind that.
        unsafe { R::load(values.as_ptr().add(start)).pack(here).store(out.as_mut_ptr().add(at)) };
        at += here.count_ones() as usize;
        start += width;
        rest >>= width;
    }
    // The last values are fewer than a register.
    while rest != 0 {
        out[at] = values[start + rest.trailing_zeros() as usize];
        rest &= rest - 1;
        at += 1;
    }
}
