//! One division of a list of points: its widest column, the median of that, and the points below and above it.
//!
//! All keys are whole numbers, so nothing is rounded. The list is read once to find the median, by a sample that tells
//! between which keys it lies, and once to move the points.

use crate::simd::{FLOATS, Simd, multiversion};

/// Lists of so few keys are searched without a sample.
const SMALL: usize = 512;
/// The largest sample.
const LARGEST: usize = 2048;
/// Keys among which the pivot of a selection is chosen.
const PIVOTS: usize = 9;
/// So few keys are sorted.
const SORTED: usize = 32;
/// Points whose sides are decided before their cells are moved.
const BLOCK: usize = 2048;

multiversion! {
    /// The first of the widest columns of a list, as far as about `looked_at` of its points tell, and how wide it is; `number`
    /// says what the number of a key is.
    pub fn widest(keys: &[i32], columns: usize, looked_at: usize, number: impl Fn(i32) -> f64) -> (usize, f64) {
        let count = keys.len() / columns;
        let mut widest = (0, 0.0);
        for (column, keys) in keys.chunks_exact(count).enumerate() {
            let (low, high) = limits(keys, (count / looked_at).max(1));
            let width = number(high) - number(low);
            if width > widest.1 {
                widest = (column, width);
            }
        }
        widest
    }
}

/// The least and the greatest of some keys: sixteen of every `step` times sixteen, and the last few.
#[inline(always)]
fn limits(keys: &[i32], step: usize) -> (i32, i32) {
    let (chunks, rest) = keys.as_chunks::<FLOATS>();
    let (mut low, mut high) = ([i32::MAX; FLOATS], [i32::MIN; FLOATS]);
    for chunk in chunks.iter().step_by(step) {
        for i in 0..FLOATS {
            low[i] = if chunk[i] < low[i] { chunk[i] } else { low[i] };
            high[i] = if chunk[i] > high[i] { chunk[i] } else { high[i] };
        }
    }
    let low = low.iter().chain(rest).fold(i32::MAX, |low, &x| low.min(x));
    (low, high.iter().chain(rest).fold(i32::MIN, |high, &x| high.max(x)))
}

multiversion! {
    /// The `middle` points with the least `keys` go to the left. What moves are `columns`, those of the left side go to `left`,
    /// column after column: points with a smaller key than the pivot, and so many of those at the pivot, the first ones.
    pub fn cut<S: Simd>(
        simd: S,
        keys: &[i32],
        columns: &[i32],
        left: &mut [i32],
        right: &mut [i32],
        pivot: i32,
        ties: usize,
        middle: usize,
    ) {
        let (count, mut ties) = (keys.len(), ties);
        let mut masks = [0; BLOCK / FLOATS];
        let (mut at_left, mut at_right) = (0, 0);
        for start in (0..count).step_by(BLOCK) {
            let end = count.min(start + BLOCK);
            decide(simd, &keys[start..end], pivot, &mut ties, &mut masks);
            let sides = left.chunks_exact_mut(middle).zip(right.chunks_exact_mut(count - middle));
            let mut moved = 0;
            for (column, (left, right)) in columns.chunks_exact(count).zip(sides) {
                moved = divide(simd, &column[start..end], &masks, &mut left[at_left..], &mut right[at_right..]);
            }
            at_left += moved;
            at_right += end - start - moved;
        }
    }
}

/// Which of at most [`BLOCK`] points go to the left, sixteen a mask.
#[inline(always)]
fn decide<S: Simd>(simd: S, keys: &[i32], pivot: i32, ties: &mut usize, masks: &mut [u16; BLOCK / FLOATS]) {
    let pivots = simd.splat_i(pivot);
    let (chunks, rest) = keys.as_chunks::<FLOATS>();
    for (mask, chunk) in masks.iter_mut().zip(chunks) {
        let keys = simd.load_i(chunk);
        let high = simd.ge_i(keys, pivots);
        *mask = !high;
        if *ties > 0 {
            let mut equal = high & simd.ge_i(pivots, keys);
            while equal != 0 && *ties > 0 {
                *mask |= equal & equal.wrapping_neg();
                equal &= equal - 1;
                *ties -= 1;
            }
        }
    }
    if !rest.is_empty() {
        let mut low = 0;
        for (i, &key) in rest.iter().enumerate() {
            let tie = key == pivot && *ties > 0;
            *ties -= usize::from(tie);
            low |= u16::from(key < pivot || tie) << i;
        }
        masks[chunks.len()] = low;
    }
}

/// Moves the cells of a column to both sides; gives how many went to the left.
#[inline(always)]
fn divide<S: Simd>(simd: S, cells: &[i32], masks: &[u16], left: &mut [i32], right: &mut [i32]) -> usize {
    let (mut at_left, mut at_right) = (0, 0);
    let (chunks, rest) = cells.as_chunks::<FLOATS>();
    for (chunk, &low) in chunks.iter().zip(masks) {
        let cells = simd.load_i(chunk);
        simd.store_some(cells, low, &mut left[at_left..]);
        simd.store_some(cells, !low, &mut right[at_right..]);
        let moved = low.count_ones() as usize;
        at_left += moved;
        at_right += FLOATS - moved;
    }
    for (i, &cell) in rest.iter().enumerate() {
        if masks[chunks.len()] >> i & 1 != 0 {
            left[at_left] = cell;
            at_left += 1;
        } else {
            right[at_right] = cell;
            at_right += 1;
        }
    }
    at_left
}

multiversion! {
    /// The key at a place of the sorted list, and how many are smaller. `room` holds as many keys.
    pub fn nth<S: Simd>(simd: S, keys: &[i32], place: usize, room: &mut [i32]) -> (i32, usize) {
        if keys.len() > SMALL {
            let (low, high) = between(keys, place);
            let (less, inside) = gather(simd, keys, low, high, room);
            if less <= place && place < less + inside {
                let (key, smaller) = select(simd, &mut room[..inside], place - less);
                return (key, less + smaller);
            }
        }
        room.copy_from_slice(keys);
        select(simd, room, place)
    }
}

/// The same, and only the keys on the side of the place are looked at again and again, until few are left.
#[inline(always)]
fn select<S: Simd>(simd: S, keys: &mut [i32], mut place: usize) -> (i32, usize) {
    let (mut count, mut smaller) = (keys.len(), 0);
    while count > SORTED {
        let pivot = pivot(&keys[..count], place);
        let (less, equal) = compare(simd, &keys[..count], pivot);
        if place < less {
            count = keep(simd, &mut keys[..count], i32::MIN, pivot - 1);
        } else if place < less + equal {
            return (pivot, smaller + less);
        } else {
            place -= less + equal;
            smaller += less + equal;
            count = keep(simd, &mut keys[..count], pivot + 1, i32::MAX);
        }
    }
    let (below, &mut key, _) = keys[..count].select_nth_unstable(place);
    (key, smaller + below.iter().filter(|&&x| x < key).count())
}

/// A key that lies near a place of the sorted list: the one at its share of a few.
#[inline(always)]
fn pivot(keys: &[i32], place: usize) -> i32 {
    let mut few: [i32; PIVOTS] = std::array::from_fn(|i| keys[(2 * i + 1) * keys.len() / (2 * PIVOTS)]);
    for i in 1..PIVOTS {
        for j in (0..i).rev() {
            (few[j], few[j + 1]) = (few[j].min(few[j + 1]), few[j].max(few[j + 1]));
        }
    }
    few[place * PIVOTS / keys.len()]
}

/// How many keys are smaller than another, and how many equal it.
#[inline(always)]
fn compare<S: Simd>(simd: S, keys: &[i32], pivot: i32) -> (usize, usize) {
    let (mut not_less, mut not_more) = (0, 0);
    let (chunks, rest) = keys.as_chunks::<FLOATS>();
    let pivots = simd.splat_i(pivot);
    for chunk in chunks {
        let keys = simd.load_i(chunk);
        not_less += simd.ge_i(keys, pivots).count_ones() as usize;
        not_more += simd.ge_i(pivots, keys).count_ones() as usize;
    }
    for &key in rest {
        not_less += usize::from(key >= pivot);
        not_more += usize::from(key <= pivot);
    }
    (keys.len() - not_less, not_less + not_more - keys.len())
}

/// Moves the keys from `low` to `high` to the front; gives how many there are.
#[inline(always)]
fn keep<S: Simd>(simd: S, keys: &mut [i32], low: i32, high: i32) -> usize {
    let (lows, highs) = (simd.splat_i(low), simd.splat_i(high));
    let (mut count, mut from) = (0, 0);
    while let Some(chunk) = keys[from..].first_chunk::<FLOATS>() {
        let sixteen = simd.load_i(chunk);
        let within = simd.ge_i(sixteen, lows) & simd.ge_i(highs, sixteen);
        simd.store_some(sixteen, within, &mut keys[count..]);
        count += within.count_ones() as usize;
        from += FLOATS;
    }
    for i in from..keys.len() {
        if (low..=high).contains(&keys[i]) {
            keys[count] = keys[i];
            count += 1;
        }
    }
    count
}

/// Two keys between which that at a place lies, most likely: six standard deviations of a sample apart.
#[inline(always)]
fn between(keys: &[i32], place: usize) -> (i32, i32) {
    let size = match keys.len() {
        n if n > 1 << 16 => LARGEST,
        n if n > 1 << 13 => 256,
        _ => 64,
    };
    let mut sample = [0; LARGEST];
    let sample = &mut sample[..size];
    sample.iter_mut().enumerate().for_each(|(i, x)| *x = keys[i * keys.len() / size]);
    sample.sort_unstable();
    let share = place as f64 / keys.len() as f64;
    let (at, apart) = (share * size as f64, 3.0 * (size as f64 * share * (1.0 - share)).sqrt() + 1.0);
    let low = if at < apart { i32::MIN } else { sample[(at - apart) as usize] };
    (low, sample.get((at + apart) as usize).copied().unwrap_or(i32::MAX))
}

/// Counts the keys below `low` and gathers those from `low` to `high`.
#[inline(always)]
fn gather<S: Simd>(simd: S, keys: &[i32], low: i32, high: i32, room: &mut [i32]) -> (usize, usize) {
    let (mut less, mut inside) = (0, 0);
    let (chunks, rest) = keys.as_chunks::<FLOATS>();
    let (lows, highs) = (simd.splat_i(low), simd.splat_i(high));
    for chunk in chunks {
        let keys = simd.load_i(chunk);
        let above = simd.ge_i(keys, lows);
        let within = above & simd.ge_i(highs, keys);
        simd.store_some(keys, within, &mut room[inside..]);
        less += FLOATS - above.count_ones() as usize;
        inside += within.count_ones() as usize;
    }
    for &key in rest {
        less += usize::from(key < low);
        if (low..=high).contains(&key) {
            room[inside] = key;
            inside += 1;
        }
    }
    (less, inside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Isa;

    /// Each point carries its key twice and its number.
    fn divided(keys: &[i32], middle: usize, isa: Isa) -> Vec<i32> {
        let numbers: Vec<i32> = (0..).take(keys.len()).collect();
        let list = [keys, keys, &numbers].concat();
        let mut other = vec![-1; list.len()];
        let (pivot, less) = nth(isa, keys, middle, &mut other[..keys.len()]);
        let (left, right) = other.split_at_mut(3 * middle);
        cut(isa, keys, &list, left, right, pivot, middle - less, middle);
        other
    }

    #[test]
    fn the_least_go_to_the_left_and_points_stay_whole() {
        for (count, different) in
            [(2, 1), (17, 5), (100, 1000), (513, 3), (3000, 1 << 20), (20_000, 7), (100_000, 9999)]
        {
            let keys: Vec<i32> =
                (0..count as i64).map(|i| (i * 2_654_435_761 % 1_000_003 % different - different / 2) as i32).collect();
            let mut sorted = keys.clone();
            sorted.sort_unstable();
            for middle in [1, count / 3 + 1, count / 2, count - 1] {
                let expected = divided(&keys, middle, Isa::PORTABLE);
                Isa::all().for_each(|isa| assert_eq!(divided(&keys, middle, isa), expected));
                let sides = expected.split_at(3 * middle);
                for (side, right) in [(sides.0, &sorted[..middle]), (sides.1, &sorted[middle..])] {
                    let columns: Vec<&[i32]> = side.chunks_exact(right.len()).collect();
                    let mut own = columns[0].to_vec();
                    own.sort_unstable();
                    assert_eq!(own, right);
                    assert!(columns[0] == columns[1]);
                    assert!(columns[2].iter().zip(columns[0]).all(|(&i, &key)| keys[i as usize] == key));
                }
            }
        }
    }
}
