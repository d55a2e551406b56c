//! The inner loops. Each has a plain form that runs anywhere; most are compiled a second time for processors with
//! AVX-512, and a few that no compiler finds on its own are written out for them. Both forms give equal bits.
//!
//! This folder is the only place of this holder with `unsafe` code.

pub mod entropy;
pub mod gini;
pub mod histogram;
pub mod partition;
pub mod route;
pub mod squares;

/// Rows that the kernels for small nodes take at once.
pub const LANES: usize = 32;

/// The instructions in use. [`Isa::detect`] is the only way to get the wide ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Isa {
    wide: bool,
}

impl Isa {
    /// What any processor can do.
    pub const PLAIN: Isa = Isa { wide: false };

    /// The best that this processor can do.
    pub fn detect() -> Isa {
        #[cfg(target_arch = "x86_64")]
        {
            let wide = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vbmi2")
                && is_x86_feature_detected!("popcnt")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2");
            Isa { wide }
        }
        #[cfg(not(target_arch = "x86_64"))]
        Isa::PLAIN
    }

    /// Whether the wide instructions are there.
    pub fn is_wide(self) -> bool {
        self.wide
    }
}

/// A function that is compiled twice: for any processor and for one with wide instructions. The first argument says which
/// runs. Floating point is not touched: no operation is fused or reordered, so the bits are equal.
macro_rules! twins {
    ($(#[$doc:meta])* $vis:vis fn $name:ident($($arg:ident: $type:ty),* $(,)?) $(-> $out:ty)? $body:block) => {
        $(#[$doc])*
        #[allow(clippy::too_many_arguments)]
        $vis fn $name(isa: $crate::learn::rows::columns::kernels::Isa, $($arg: $type),*) $(-> $out)? {
            #[inline(always)]
            #[allow(clippy::too_many_arguments)]
            fn plain($($arg: $type),*) $(-> $out)? $body

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,popcnt,bmi1,bmi2")]
            #[allow(clippy::too_many_arguments)]
            fn wide($($arg: $type),*) $(-> $out)? {
                plain($($arg),*)
            }

            #[cfg(target_arch = "x86_64")]
            if isa.is_wide() {
                // SAFETY: `Isa::detect` has seen that the processor has these instructions.
                return unsafe { wide($($arg),*) };
            }
            let _ = isa;
            plain($($arg),*)
        }
    };
}
pub(crate) use twins;

use super::counts::{Formula, Shape};
use super::tally::Scan;

/// Marks the edges and bins at which no cut is allowed. A bin that loses an edge so must be looked into even if its rows
/// are all of one class, for which kernels think its edges are enough.
fn forbid<F: Formula>(set: &Shape<'_>, below: &[u32], stride: usize, scan: &mut Scan) {
    let rows = |at: usize| below.chunks_exact(stride).map(|below| below[at] as usize).sum::<usize>();
    let (least, most) = (set.min_leaf, set.rows - set.min_leaf);
    let forbid = |bin: usize, scan: &mut Scan| {
        let (before, after) = (rows(bin), rows(bin + 1));
        if after < least || after > most {
            scan.edges[bin] = -1.0;
        }
        if after <= least || before >= most {
            scan.bounds[bin] = -1.0;
        } else if (before < least || after > most) && set.min_leaf > 1 {
            let counts = |at: usize| below.chunks_exact(stride).map(|below| below[at]).collect::<Vec<u32>>();
            scan.bounds[bin] = F::bound(set, &counts(bin), &counts(bin + 1)) as f32;
        }
    };
    // Only bins near the ends can be concerned.
    for bin in 0..scan.edges.len() {
        forbid(bin, scan);
        if rows(bin + 1) > least {
            break;
        }
    }
    for bin in (0..scan.edges.len()).rev() {
        forbid(bin, scan);
        if rows(bin) < most {
            break;
        }
    }
}
