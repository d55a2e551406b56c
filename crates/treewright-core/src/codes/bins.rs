//! Codes of 8 bits: numbers between two cuts share one, and so do levels that are rare.

use super::cuts::{BLOCK, CutSearch};
use crate::data::strided::{Floats, place};
use crate::data::table::Column;
use crate::simd::Isa;

/// How the cells of one column become codes.
#[derive(Clone, Debug)]
pub enum Coder {
    /// Numbers: the code is how many cuts lie below.
    Cuts {
        /// Ascending.
        cuts: Vec<f64>,
        /// The same, ready for searching.
        search: CutSearch,
        /// Whether any number is missing.
        gaps: bool,
    },
    /// Categories.
    Levels {
        /// The code of each level.
        codes: Vec<u8>,
        /// How many codes.
        bins: usize,
        /// Whether any category is missing.
        gaps: bool,
    },
}

impl Coder {
    /// Codes of numbers, given where they are cut and whether any is missing.
    pub fn from_cuts(cuts: Vec<f64>, gaps: bool) -> Coder {
        Coder::Cuts { search: CutSearch::new(&cuts), cuts, gaps }
    }

    /// Codes of levels, given how often each occurs: one each, or where there are too many the most frequent ones and one
    /// for all others.
    pub fn from_levels(counts: &[usize], gaps: bool, max_bins: usize) -> Coder {
        let levels = counts.len();
        if levels <= max_bins {
            return Coder::Levels { codes: (0..levels).map(|level| level as u8).collect(), bins: levels.max(1), gaps };
        }
        let mut order: Vec<usize> = (0..levels).collect();
        order.sort_unstable_by_key(|&level| (std::cmp::Reverse(counts[level]), level));
        let mut kept = order[..max_bins - 1].to_vec();
        kept.sort_unstable();
        let mut codes = vec![(max_bins - 1) as u8; levels];
        kept.iter().enumerate().for_each(|(code, &level)| codes[level] = code as u8);
        Coder::Levels { codes, bins: max_bins, gaps }
    }

    fn known(&self) -> usize {
        match self {
            Coder::Cuts { cuts, .. } => cuts.len() + 1,
            Coder::Levels { bins, .. } => *bins,
        }
    }

    fn gaps(&self) -> bool {
        match self {
            Coder::Cuts { gaps, .. } | Coder::Levels { gaps, .. } => *gaps,
        }
    }

    /// How many codes, that of missing values included.
    pub fn bins(&self) -> usize {
        self.known() + usize::from(self.gaps())
    }

    /// The code of missing values; None where the column has none.
    pub fn missing(&self) -> Option<u8> {
        self.gaps().then(|| self.known() as u8)
    }

    /// Codes the rows of a column from one on, as many as there is room for: at most [`BLOCK`].
    pub fn encode(&self, isa: Isa, column: &Column<'_>, first: usize, out: &mut [u8]) {
        let missing = self.missing().unwrap_or(0);
        match (self, column) {
            (Coder::Cuts { search, .. }, Column::Numeric(values)) => {
                search.doubles(isa, &values[first..first + out.len()], missing, out);
            }
            (Coder::Cuts { search, .. }, Column::Sparse(values)) => {
                let block = &mut [0f64; BLOCK][..out.len()];
                values.fill(first, block);
                search.doubles(isa, block, missing, out);
            }
            (Coder::Cuts { search, .. }, Column::Strided(values)) => match values.parts() {
                (Floats::Single(values), start, step) => {
                    let block = &mut [0f32; BLOCK][..out.len()];
                    read(values, (start, step), first, block);
                    search.singles(isa, block, missing, out);
                }
                (Floats::Double(values), start, step) => {
                    let block = &mut [0f64; BLOCK][..out.len()];
                    read(values, (start, step), first, block);
                    search.doubles(isa, block, missing, out);
                }
            },
            (Coder::Levels { codes, .. }, Column::Categorical { codes: levels, .. }) => {
                let code = |level: u32| codes.get(level as usize).copied().unwrap_or(missing);
                out.iter_mut().zip(&levels[first..]).for_each(|(out, &level)| *out = code(level));
            }
            // A table does not change the kinds of its columns.
            _ => out.fill(0),
        }
    }
}

/// Reads the numbers of a strided column from a row on.
#[inline(always)]
fn read<F: Copy>(values: &[F], (start, step): (usize, isize), first: usize, out: &mut [F]) {
    (first..).zip(out).for_each(|(row, out)| *out = values[place(start, step, row)]);
}
