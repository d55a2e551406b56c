//! Where a column of numbers is cut into bins, and which bin a number falls into.
//!
//! A number's code is how many cuts lie below it, so `x <= cuts[c]` and `code(x) <= c` are one question: the threshold that
//! a tree prints is the one that its training rows were divided by. What is not here: the bins of categories, which need
//! no cuts, and missing numbers, whose code is the caller's business.

use super::ordered::midpoint;
use super::spread::Number;
use crate::simd::{Isa, multiversion};

/// Room for the most cuts, and a search that never looks outside: 8 halvings of 256 places.
pub const PLACES: usize = 256;

/// Cuts between the different numbers of a sorted sample, at most `bins - 1`: each difference where there are few, else
/// such that bins hold about as many numbers.
pub fn cuts(sorted: impl IntoIterator<Item = f64>, bins: usize) -> Vec<f64> {
    let mut runs: Vec<(f64, usize)> = Vec::new();
    for x in sorted {
        match runs.last_mut() {
            Some((value, count)) if *value == x => *count += 1,
            _ => runs.push((x, 1)),
        }
    }
    cuts_of_runs(&runs, bins)
}

/// The same of different numbers, ascending, and how often each is there.
pub fn cuts_of_runs(runs: &[(f64, usize)], bins: usize) -> Vec<f64> {
    if runs.len() <= bins {
        return runs.windows(2).map(|pair| midpoint(pair[0].0, pair[1].0)).collect();
    }
    let (mut cuts, mut here, mut rest) =
        (Vec::with_capacity(bins), 0, runs.iter().map(|(_, count)| count).sum::<usize>());
    for pair in runs.windows(2) {
        let left = bins - cuts.len();
        if left == 1 {
            break;
        }
        here += pair[0].1;
        // What each of the bins that are left should hold. A number that fills one alone begins one.
        let share = rest as f64 / left as f64;
        let full = here as f64 >= share || (pair[1].1 as f64 >= share && here as f64 >= share / 2.0);
        if full {
            cuts.push(midpoint(pair[0].0, pair[1].0));
            rest -= here;
            here = 0;
        }
    }
    cuts
}

/// The cuts of one column, ready for searching.
#[derive(Clone, Debug)]
pub struct CutSearch {
    double: Box<[f64; PLACES]>,
    single: Box<[f32; PLACES]>,
}

impl CutSearch {
    /// From at most 255 ascending cuts.
    pub fn new(cuts: &[f64]) -> CutSearch {
        let (mut double, mut single) = (Box::new([f64::INFINITY; PLACES]), Box::new([f32::INFINITY; PLACES]));
        for (place, &cut) in cuts.iter().take(PLACES - 1).enumerate() {
            double[place] = cut;
            // The greatest single at or below the cut: no number of single precision lies between the two.
            let near = cut as f32;
            single[place] = if f64::from(near) > cut { near.next_down() } else { near };
        }
        CutSearch { double, single }
    }

    /// The codes of some numbers; a missing one gets `missing`.
    pub fn singles(&self, isa: Isa, numbers: &[f32], missing: u8, codes: &mut [u8]) {
        search(isa, &self.single, numbers, missing, codes);
    }

    /// The same in double precision.
    pub fn doubles(&self, isa: Isa, numbers: &[f64], missing: u8, codes: &mut [u8]) {
        search(isa, &self.double, numbers, missing, codes);
    }
}

/// Numbers that are searched side by side.
pub const BLOCK: usize = 128;

multiversion! {
    fn search<N: Number>(cuts: &[N; PLACES], numbers: &[N], missing: u8, codes: &mut [u8]) {
        for (numbers, codes) in numbers.chunks(BLOCK).zip(codes.chunks_mut(BLOCK)) {
            let mut places = [0u32; BLOCK];
            let places = &mut places[..numbers.len()];
            for step in [128u32, 64, 32, 16, 8, 4, 2, 1] {
                for (place, x) in places.iter_mut().zip(numbers) {
                    // The mask changes nothing, and shows the compiler that no place is outside.
                    let below = cuts[(*place + step - 1) as usize & (PLACES - 1)] < *x;
                    *place += if below { step } else { 0 };
                }
            }
            for ((code, place), x) in codes.iter_mut().zip(places.iter()).zip(numbers) {
                *code = if (*x).into().is_nan() { missing } else { *place as u8 };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(count: usize, number: impl Fn(u64) -> f64) -> Vec<f64> {
        let mut state = 1u64;
        let mut numbers: Vec<f64> = (0..count)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                number(state >> 33)
            })
            .collect();
        numbers.sort_unstable_by(f64::total_cmp);
        numbers
    }

    #[test]
    fn few_numbers_have_a_bin_each() {
        assert_eq!(cuts([1.0, 1.0, 2.0, 4.0], 255), vec![1.5, 3.0]);
        assert_eq!(cuts([7.0; 5], 255), Vec::<f64>::new());
        assert_eq!(cuts([], 255), Vec::<f64>::new());
        let adjacent = [1.0, 1.0f64.next_up()];
        assert_eq!(cuts(adjacent, 2), vec![1.0]);
    }

    #[test]
    fn bins_hold_about_as_many_numbers_and_a_frequent_one_its_own() {
        let even = sorted(100_000, |x| x as f64);
        let found = cuts(even.iter().copied(), 255);
        assert_eq!(found.len(), 254);
        let mut last = 0;
        for cut in &found {
            let below = even.partition_point(|x| x <= cut);
            assert!((below - last).abs_diff(100_000 / 255) < 60);
            last = below;
        }
        let zeros = sorted(100_000, |x| if x % 4 > 0 { 0.0 } else { x as f64 });
        let found = cuts(zeros.iter().copied(), 255);
        assert!(found.len() == 254 && found[0] > 0.0 && zeros.partition_point(|x| *x <= found[0]) < 75_500);
    }

    #[test]
    fn a_code_is_the_number_of_cuts_below_in_both_precisions() {
        let found = cuts(sorted(5000, |x| (x % 100_000) as f64 / 7.0 - 5000.0), 255);
        let search = CutSearch::new(&found);
        let mut singles: Vec<f32> =
            sorted(3001, |x| (x % 110_000) as f64 / 7.0 - 5500.0).iter().map(|x| *x as f32).collect();
        singles.extend(found.iter().flat_map(|cut| [*cut as f32, (*cut as f32).next_up(), (*cut as f32).next_down()]));
        singles.extend([f32::NAN, f32::INFINITY, f32::NEG_INFINITY]);
        let doubles: Vec<f64> = singles.iter().map(|x| f64::from(*x)).collect();
        let expected: Vec<u8> = doubles
            .iter()
            .map(|x| if x.is_nan() { 77 } else { found.iter().filter(|cut| *cut < x).count() as u8 })
            .collect();
        for isa in Isa::all() {
            let mut codes = vec![0; singles.len()];
            search.singles(isa, &singles, 77, &mut codes);
            assert_eq!(codes, expected);
            codes.fill(0);
            search.doubles(isa, &doubles, 77, &mut codes);
            assert_eq!(codes, expected);
        }
    }
}
