//! One division of a list of points: its median, and the points below and above it.
//!
//! All numbers are whole, so nothing is rounded. The list is read once to find the median, by a sample that tells between
//! which numbers it lies, and once to move the points.

use crate::simd::{FLOATS, Simd, Work};

/// Lists of so few numbers are searched without a sample.
const FEW: usize = 512;
/// The largest sample.
const LARGEST: usize = 2048;

/// A search for the number at a place of a sorted column.
pub struct Nth<'a> {
    /// The column.
    pub keys: &'a [i32],
    /// The place.
    pub place: usize,
    /// Room for as many numbers.
    pub room: &'a mut [i32],
}

impl Work for Nth<'_> {
    type Out = (i32, usize);

    /// The number, and how many are smaller.
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> (i32, usize) {
        nth(simd, self.keys, self.place, self.room)
    }
}

/// A division: the `middle` points that are least in a column go to the left.
pub struct Cut<'a> {
    /// The column that decides.
    pub keys: &'a [i32],
    /// Columns to move.
    pub columns: &'a [i32],
    /// Where they go on the left, column after column.
    pub left: &'a mut [i32],
    /// Where they go on the right.
    pub right: &'a mut [i32],
    /// Points with a smaller number go to the left.
    pub pivot: i32,
    /// So many of the points at the pivot go to the left too, the first ones.
    pub ties: usize,
    /// How many go to the left.
    pub middle: usize,
}

impl Work for Cut<'_> {
    type Out = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Cut { keys, columns, left, right, pivot, mut ties, middle } = self;
        let count = keys.len();
        let mut sides = Sides { columns, count, left, right, middle, at: (0, 0) };
        let (chunks, rest) = keys.as_chunks::<FLOATS>();
        let pivots = simd.splat_i(pivot);
        for (i, chunk) in chunks.iter().enumerate() {
            let keys = simd.load_i(chunk);
            let mut low = !simd.ge_i(keys, pivots);
            if ties > 0 {
                let mut equal = simd.ge_i(keys, pivots) & simd.ge_i(pivots, keys);
                while equal != 0 && ties > 0 {
                    low |= equal & equal.wrapping_neg();
                    equal &= equal - 1;
                    ties -= 1;
                }
            }
            sides.sixteen(simd, i * FLOATS, low);
        }
        for (i, &key) in rest.iter().enumerate() {
            let tie = key == pivot && ties > 0;
            ties -= usize::from(tie);
            sides.one(count - rest.len() + i, key < pivot || tie);
        }
    }
}

/// Points on their way to both sides.
struct Sides<'a> {
    columns: &'a [i32],
    count: usize,
    left: &'a mut [i32],
    right: &'a mut [i32],
    middle: usize,
    /// How many each side has.
    at: (usize, usize),
}

impl Sides<'_> {
    #[inline(always)]
    fn sixteen<S: Simd>(&mut self, simd: S, from: usize, low: u16) {
        let (mut i, mut left, mut right) = (from, self.at.0, self.at.1);
        while let Some(chunk) = self.columns.get(i..).and_then(|rest| rest.first_chunk::<FLOATS>()) {
            let cells = simd.load_i(chunk);
            simd.store_some(cells, low, &mut self.left[left..]);
            simd.store_some(cells, !low, &mut self.right[right..]);
            i += self.count;
            left += self.middle;
            right += self.count - self.middle;
        }
        let moved = low.count_ones() as usize;
        self.at = (self.at.0 + moved, self.at.1 + FLOATS - moved);
    }

    #[inline(always)]
    fn one(&mut self, from: usize, low: bool) {
        let (side, at, size) = match low {
            true => (&mut *self.left, &mut self.at.0, self.middle),
            false => (&mut *self.right, &mut self.at.1, self.count - self.middle),
        };
        let cells = self.columns[from..].iter().step_by(self.count);
        side[*at..].iter_mut().step_by(size).zip(cells).for_each(|(to, &cell)| *to = cell);
        *at += 1;
    }
}

/// The number at a place of the sorted list, and how many are smaller. `room` holds as many numbers.
#[inline(always)]
fn nth<S: Simd>(simd: S, keys: &[i32], place: usize, room: &mut [i32]) -> (i32, usize) {
    if keys.len() > FEW {
        let (low, high) = between(keys, place);
        let (less, inside) = gather(simd, keys, low, high, room);
        if less <= place && place < less + inside {
            let (number, smaller) = selected(&mut room[..inside], place - less);
            return (number, less + smaller);
        }
    }
    room.copy_from_slice(keys);
    selected(room, place)
}

fn selected(numbers: &mut [i32], place: usize) -> (i32, usize) {
    let (below, &mut number, _) = numbers.select_nth_unstable(place);
    (number, below.iter().filter(|&&x| x < number).count())
}

/// Two numbers between which that at a place lies, most likely: six standard deviations of a sample apart.
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

/// Counts the numbers below `low` and gathers those from `low` to `high`.
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
    use crate::simd::{Isa, run};

    /// Each point carries its key twice and its number.
    fn divided(keys: &[i32], middle: usize, isa: Isa) -> Vec<i32> {
        let numbers: Vec<i32> = (0..).take(keys.len()).collect();
        let list = [keys, keys, &numbers].concat();
        let mut other = vec![-1; list.len()];
        let (pivot, less) = run(Nth { keys, place: middle, room: &mut other[..keys.len()] }, isa);
        let (left, right) = other.split_at_mut(3 * middle);
        run(Cut { keys, columns: &list, left, right, pivot, ties: middle - less, middle }, isa);
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
