//! What the nodes of a grown tree say in the end, from the rows of its leaves: splits are found with coarse gradients, but
//! what leaves say is exact. It is the loss's own best answer, or a Newton step from sums in whole units, whose order does
//! not matter.

use super::Boosting;
use super::gradients::GradientScale;
use crate::Result;
use crate::loss::Truth;
use crate::loss::groups::Groups;
use crate::model::tree::Tree;
use crate::rows::bins::chunk::{self, Chunk, Spans};
use crate::simd::multiversion;
use crate::split::monotone::Bounds;
use crate::stats::portable::add_everywhere;
use crate::sys::pool::Cancel;

impl Boosting {
    /// Fits the leaves of a tree that adds to one score, whose rows stand in these spans; `delta` is Huber's. Weights are
    /// added up too, where there are any; the branches then say the mean of their children.
    #[expect(clippy::too_many_arguments, reason = "everything about one tree")]
    pub(super) fn fit_leaves(
        &self,
        tree: &mut Tree,
        sum: usize,
        delta: f64,
        scale: GradientScale,
        spans: &[Vec<Spans>],
        bounds: &[Bounds],
        cancel: &Cancel,
    ) -> Result<()> {
        if !self.plan.loss.refits() {
            return self.newton(tree, scale, spans, bounds, cancel);
        }
        let leaves: Vec<usize> = (0..tree.len()).filter(|&node| tree.n_children[node] == 0).collect();
        let spans_of = |leaf: usize| spans[leaves[leaf]].as_slice();
        cancel.check()?;
        let results = if self.peers.size() > 1 {
            self.refit((0..leaves.len()).map(|leaf| self.rows_of(sum, spans_of(leaf))), delta)?
        } else {
            let refit = |leaf: usize| Some(self.refit([self.rows_of(sum, spans_of(leaf))].into_iter(), delta));
            let results = self.team.collect(leaves.len(), tree.count[0], cancel, refit);
            results.into_iter().flatten().collect::<Result<Vec<_>>>()?.concat()
        };
        for (&leaf, (value, weight)) in leaves.iter().zip(results) {
            tree.value[leaf] = value.clamp(bounds[leaf].low, bounds[leaf].high);
            tree.weight[leaf] = weight;
        }
        for node in (0..tree.len()).rev().filter(|&node| tree.n_children[node] > 0).collect::<Vec<_>>() {
            let children = tree.children(node);
            let weight: f64 = children.clone().map(|child| tree.weight[child]).sum();
            let sum: f64 = children.map(|child| tree.weight[child] * tree.value[child]).sum();
            tree.weight[node] = weight;
            if weight > 0.0 {
                tree.value[node] = sum / weight;
            }
        }
        Ok(())
    }

    /// What each of some leaves says and what its rows weigh; given are the errors and the weights of their rows.
    fn refit(&self, rows: impl Iterator<Item = (Vec<f64>, Vec<f64>)>, delta: f64) -> Result<Vec<(f64, f64)>> {
        let (errors, weights): (Vec<_>, Vec<_>) = rows.unzip();
        let weights = self.training.weights.as_ref().map(|_| weights);
        let groups = Groups::new(&*self.peers, errors, weights)?;
        Ok(self.plan.loss.refit(&groups, delta, self.plan.rules.l2)?.into_iter().zip(groups.weights()).collect())
    }

    /// A Newton step in every node.
    fn newton(
        &self,
        tree: &mut Tree,
        scale: GradientScale,
        spans: &[Vec<Spans>],
        bounds: &[Bounds],
        cancel: &Cancel,
    ) -> Result<()> {
        // A chunk's sum of numbers below 2^46 fits 63 bits.
        let unit = |largest: f64| libm::ldexp(1.0, (45 - libm::frexp(largest.max(f64::MIN_POSITIVE)).1).min(1000));
        let most = |of_one: f64| unit(of_one * scale.weight);
        let units = [most(scale.gradient), most(scale.hessian), unit(self.totals.heaviest)];
        let leaves: Vec<usize> = (0..tree.len()).filter(|&node| tree.n_children[node] == 0).collect();
        let parts: Vec<Vec<[i64; 3]>> = self.team.collect(self.chunks.len(), tree.count[0], cancel, |chunk| {
            let rows = chunk::read(&self.chunks[chunk]);
            leaves.iter().map(|&leaf| self.sums_of(&rows, spans[leaf][chunk], units)).collect()
        });
        // Gradients, hessians and weights of the rows of each node, in whole units.
        let mut sums: Vec<[i128; 3]> = vec![[0; 3]; tree.len()];
        for part in parts {
            for (&leaf, part) in leaves.iter().zip(part) {
                sums[leaf].iter_mut().zip(part).for_each(|(sum, part)| *sum += i128::from(part));
            }
        }
        cancel.check()?;
        // (Those of branches are still 0.)
        add_everywhere(&*self.peers, sums.as_flattened_mut())?;
        for node in (0..tree.len()).rev() {
            for child in tree.children(node) {
                let part = sums[child];
                sums[node].iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
            }
            let [gradient, hessian, weight] = [0, 1, 2].map(|i| sums[node][i] as f64 / units[i]);
            let bottom = hessian + self.plan.rules.l2;
            let step = if bottom > 0.0 { -gradient / bottom } else { 0.0 };
            let step = self.plan.loss.limit_step(step, gradient, hessian);
            tree.value[node] = step.clamp(bounds[node].low, bounds[node].high);
            if self.training.weights.is_some() {
                tree.weight[node] = weight;
            }
        }
        Ok(())
    }

    /// The sums of a leaf's training rows in one chunk.
    fn sums_of(&self, chunk: &Chunk, spans: Spans, units: [f64; 3]) -> [i64; 3] {
        let (g, h, rows) = (&chunk.gradients, &chunk.hessians, chunk.training_rows(spans));
        let Some(weights) = &self.training.weights else {
            let [gradient, hessian] = add_in_units(self.plan.rules.isa, g, h, rows, [units[0], units[1]]);
            return [gradient, hessian, 0];
        };
        let mut sums = [0i64; 3];
        for &place in rows {
            let weight = weights[chunk.first + usize::from(place)];
            sums[0] += (weight * f64::from(g[usize::from(place)]) * units[0]) as i64;
            sums[1] += (weight * f64::from(h[usize::from(place)]) * units[1]) as i64;
            sums[2] += (weight * units[2]) as i64;
        }
        sums
    }

    /// The errors and the weights of a leaf's training rows; no weights where rows have none.
    fn rows_of(&self, sum: usize, spans: &[Spans]) -> (Vec<f64>, Vec<f64>) {
        let training = &self.training;
        let count = spans.iter().map(|spans| spans[0].len()).sum();
        let (mut errors, mut weights) = (Vec::with_capacity(count), Vec::new());
        for (chunk, spans) in self.chunks.iter().zip(spans).filter(|(_, spans)| !spans[0].is_empty()) {
            let chunk = chunk::read(chunk);
            for &place in chunk.training_rows(*spans) {
                let row = chunk.first + usize::from(place);
                if let Truth::Numbers(numbers) = training.truth() {
                    errors.push(numbers[row] - chunk.scores[sum][usize::from(place)]);
                }
                weights.extend(training.weights.as_ref().map(|weights| weights[row]));
            }
        }
        (errors, weights)
    }
}

/// Rows that are added up side by side.
const LANES: usize = 8;

multiversion! {
    /// The sums of the gradients and Hessians of some rows, each in whole units: their order does not matter.
    fn add_in_units(gradients: &[f32], hessians: &[f32], rows: &[u16], units: [f64; 2]) -> [i64; 2] {
        let last = usize::from(rows.iter().copied().fold(0, u16::max));
        assert!(rows.is_empty() || last < gradients.len().min(hessians.len()));
        let (mut gradient, mut hessian) = ([0; LANES], [0; LANES]);
        for rows in rows.chunks(LANES) {
            let (mut g, mut h) = ([0.0; LANES], [0.0; LANES]);
            for (lane, &row) in rows.iter().enumerate() {
                // SAFETY: no row is behind the last, and that was compared.
                unsafe {
                    g[lane] = *gradients.get_unchecked(usize::from(row));
                    h[lane] = *hessians.get_unchecked(usize::from(row));
                }
            }
            add_lanes(&mut gradient, g, units[0]);
            add_lanes(&mut hessian, h, units[1]);
        }
        [gradient.iter().sum(), hessian.iter().sum()]
    }
}

#[inline(always)]
fn add_lanes(sums: &mut [i64; LANES], numbers: [f32; LANES], unit: f64) {
    /// The units are such that nothing comes near this but what is no number.
    const MAX: f64 = (1u64 << 62) as f64;
    for lane in 0..LANES {
        let number = f64::from(numbers[lane]) * unit;
        let number = if number.abs() < MAX { number } else { 0.0 };
        // SAFETY: the number is in the range of integers.
        sums[lane] += unsafe { number.to_int_unchecked::<i64>() };
    }
}
