//! Cutting numbers by the length of their description: U. M. Fayyad and K. B. Irani, "Multi-interval discretization of
//! continuous-valued attributes for classification learning", IJCAI 1993.
//!
//! A set of N rows with k classes and entropy E is cut where the entropy that is left is least, if the gain exceeds
//! (log₂(N − 1) + log₂(3^k − 2) − kE + k₁E₁ + k₂E₂) / N, and both parts are cut again in the same way.

use super::classes::totals;
use super::logs::Logs;
use super::rows::Row;
use super::search::by_entropy;
use crate::codes::sorted::Keyed;

/// How many entries lie below each cut, ascending; `per` units of weight are one row.
pub fn cuts<R: Row>(entries: &[Keyed<R>], classes: usize, per: f64, logs: &Logs) -> Vec<usize> {
    let mut cuts = Vec::new();
    let mut todo = vec![(0, entries.len())];
    while let Some((start, end)) = todo.pop() {
        let part = &entries[start..end];
        if let Some(cut) = pays(part, classes, per, logs) {
            cuts.push(start + cut);
            todo.extend([(start, start + cut), (start + cut, end)]);
        }
    }
    cuts.sort_unstable();
    cuts
}

/// Where a set is cut; None where no cut pays.
fn pays<R: Row>(part: &[Keyed<R>], classes: usize, per: f64, logs: &Logs) -> Option<usize> {
    let all = totals(part, classes);
    if all.iter().filter(|&&n| n > 0).count() < 2 {
        return None;
    }
    let cut = by_entropy(part, &all, logs)?;
    let low = totals(&part[..cut], classes);
    let high: Vec<u64> = all.iter().zip(&low).map(|(all, low)| all - low).collect();
    let [(n, k, e), (n1, k1, e1), (n2, k2, e2)] = [&all, &low, &high].map(|counts| describe(counts, logs));
    let gain = e - (n1 * e1 + n2 * e2) / n;
    let rows = n / per;
    let delta = libm::log2(libm::pow(3.0, k.min(600.0)) - 2.0) - (k * e - k1 * e1 - k2 * e2);
    (gain > (libm::log2(rows - 1.0) + delta) / rows).then_some(cut)
}

/// How many rows a set has, of how many classes, with which entropy.
fn describe(counts: &[u64], logs: &Logs) -> (f64, f64, f64) {
    let rows: u64 = counts.iter().sum();
    let classes = counts.iter().filter(|&&n| n > 0).count() as f64;
    let sum: i64 = counts.iter().map(|&n| logs.of(n)).sum();
    (rows as f64, classes, logs.real(logs.of(rows) - sum) / rows as f64)
}
