//! The most that any division of numbers into so many clusters explains: no tree with so many leaves explains more.
//!
//! A tree divides its groups into leaves; dividing them in the best way, by their means, cannot explain less. The best
//! clusters of numbers are stretches of their order.

use super::sample::{Group, Sample};

/// The most that clusters explain, less the cost of a leaf for each: `most` clusters or fewer. The list ascends by mean.
pub fn bound_score(sample: &Sample, list: &[u32], most: usize) -> f64 {
    let mut before = vec![Group::default()];
    let mut sum = Group::default();
    for &group in list {
        sum.add(&sample.groups[group as usize]);
        before.push(sum);
    }
    let explained = |from: usize, to: usize| {
        let (from, to) = (&before[from], &before[to]);
        let (sum, weight) = (to.sum - from.sum, to.weight - from.weight);
        if weight > 0.0 { sum * sum / weight } else { 0.0 }
    };
    let count = list.len();
    let mut best: Vec<f64> = (0..=count).map(|to| explained(0, to)).collect();
    let mut bound = best[count] - sample.leaf;
    for clusters in 2..=most.min(count) {
        let mut next = best.clone();
        // The best start of the last cluster never moves down as the end moves up.
        let mut jobs = vec![(clusters, count, clusters - 1, count - 1)];
        while let Some((low, high, first, last)) = jobs.pop() {
            let to = low.midpoint(high);
            let (mut at, mut most) = (first, f64::NEG_INFINITY);
            for (from, before) in best.iter().enumerate().take(to.min(last + 1)).skip(first) {
                let score = before + explained(from, to);
                if score > most {
                    (at, most) = (from, score);
                }
            }
            next[to] = next[to].max(most);
            if low < to {
                jobs.push((low, to - 1, first, at));
            }
            if to < high {
                jobs.push((to + 1, high, at, last));
            }
        }
        best = next;
        bound = bound.max(best[count] - clusters as f64 * sample.leaf);
    }
    bound
}

/// The most that any tree explains: every group a leaf of its own. At least one leaf has its cost.
pub fn bound_by_groups(sample: &Sample, list: &[u32]) -> f64 {
    list.iter().map(|&group| sample.groups[group as usize].explained()).sum::<f64>() - sample.leaf
}
