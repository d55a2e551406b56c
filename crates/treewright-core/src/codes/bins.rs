//! Codes of 8 bits: numbers between two cuts share one, and so do levels that are rare.

use super::cuts::{BLOCK, Search};
use super::{Coding, Pick, for_each_number};
use crate::data::strided::Floats;
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
        search: Search,
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
        Coder::Cuts { search: Search::new(&cuts), cuts, gaps }
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
}

impl Coding for Coder {
    type Code = u8;

    /// At most [`BLOCK`] rows.
    fn encode(&self, isa: Isa, column: &Column<'_>, rows: Pick<'_>, out: &mut [u8]) {
        let missing = self.missing().unwrap_or(0);
        match (self, column, rows) {
            (Coder::Cuts { search, .. }, Column::Numeric(values), Pick::From(first)) => {
                search.doubles(isa, &values[first..first + out.len()], missing, out);
            }
            (Coder::Cuts { search, .. }, Column::Strided(values), _)
                if matches!(values.parts().0, Floats::Single(_)) =>
            {
                let mut block = [0f32; BLOCK];
                let block = &mut block[..out.len()];
                for_each_number(column, rows, block, |x, out| *out = x as f32);
                search.singles(isa, block, missing, out);
            }
            (Coder::Cuts { search, .. }, Column::Numeric(_) | Column::Strided(_) | Column::Sparse(_), _) => {
                let mut block = [0f64; BLOCK];
                let block = &mut block[..out.len()];
                for_each_number(column, rows, block, |x, out| *out = x);
                search.doubles(isa, block, missing, out);
            }
            (Coder::Levels { codes, .. }, Column::Categorical { codes: levels, .. }, _) => {
                let code = |level: u32| codes.get(level as usize).copied().unwrap_or(missing);
                match rows {
                    Pick::From(first) => {
                        out.iter_mut().zip(&levels[first..]).for_each(|(out, &level)| *out = code(level))
                    }
                    Pick::These(rows) => {
                        out.iter_mut().zip(rows).for_each(|(out, &row)| *out = code(levels[row as usize]));
                    }
                }
            }
            // A table does not change the kinds of its columns.
            _ => out.fill(0),
        }
    }

    fn missing(&self) -> Option<u8> {
        self.gaps().then(|| self.known() as u8)
    }
}
