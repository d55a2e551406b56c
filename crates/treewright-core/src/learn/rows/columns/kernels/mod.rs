//! The inner loops. Each has a plain form that runs anywhere; most are compiled a second time for processors with
//! AVX-512, and a few that no compiler finds on its own are written out for them. Both forms give equal bits.
//!
//! This folder is the only place of this holder with `unsafe` code; see [`crate::wide`] for how functions are compiled
//! twice.

pub mod entropy;
pub mod gini;
pub mod histogram;
pub mod partition;
pub mod route;
pub mod squares;

/// Rows that the kernels for small nodes take at once.
pub const LANES: usize = 32;

pub use crate::wide::Isa;

use super::counts::{Formula, Shape};
use super::tally::{LaneScan, Scan, Wish};
use histogram::Counts;

/// Marks the edges and bins at which no cut is allowed. A bin that loses an edge so must be looked into even if its rows
/// are all of one class, for which kernels think its edges are enough.
fn forbid<F: Formula>(set: &Shape<'_>, below: &[Counts], scan: &mut Scan) {
    let rows = |at: usize| below.iter().map(|below| below[at] as usize).sum::<usize>();
    let (least, most) = (set.min_leaf, set.rows - set.min_leaf);
    let (edges, bounds) = scan.both();
    let bins = edges.len();
    let mut forbid = |bin: usize| {
        let (before, after) = (rows(bin), rows(bin + 1));
        if after < least || after > most {
            edges[bin] = -1.0;
        }
        if after <= least || before >= most {
            bounds[bin] = -1.0;
        } else if (before < least || after > most) && set.min_leaf > 1 {
            let counts = |at: usize| below.iter().map(|below| below[at]).collect::<Vec<u32>>();
            bounds[bin] = F::bound(set, &counts(bin), &counts(bin + 1)) as f32;
        }
        (before, after)
    };
    // Only bins near the ends can be concerned.
    for bin in 0..bins {
        if forbid(bin).1 > least {
            break;
        }
    }
    for bin in (0..bins).rev() {
        if forbid(bin).0 < most {
            break;
        }
    }
}

/// The first codes, followed by the greatest code.
#[inline(always)]
fn load(codes: &[u16], rows: usize) -> [u16; LANES] {
    let mut lanes = [u16::MAX; LANES];
    if let Some(codes) = codes.first_chunk::<LANES>() {
        for i in 0..LANES {
            lanes[i] = if i < rows { codes[i] } else { u16::MAX };
        }
    } else {
        lanes[..rows].copy_from_slice(&codes[..rows]);
    }
    lanes
}

/// The lanes whose cut is allowed and of interest. Behind the last row nothing is on the right: those are never allowed.
#[inline(always)]
fn interesting(scan: &LaneScan, wish: &Wish) -> u32 {
    let (least, most) = (wish.min_leaf as u16, (wish.rows - wish.min_leaf) as u16);
    let mut hits = 0;
    for i in 0..LANES {
        let allowed = scan.left[i] >= least && scan.left[i] <= most;
        hits |= u32::from(scan.saved[i] >= wish.floor && allowed) << i;
    }
    hits
}
