//! What the nodes of a grown tree say in the end, from the rows of its leaves: splits are found with coarse gradients, but
//! what leaves say is exact. It is the loss's own best answer, or a Newton step from sums in whole units, whose order does
//! not matter.

use super::Boosting;
use super::gradients::Largest;
use crate::Result;
use crate::loss::Truth;
use crate::loss::merged::Groups;
use crate::loss::refit::weight_of;
use crate::model::tree::Tree;
use crate::rows::bins::chunk::{Chunk, Spans};
use crate::simd::multiversion;
use crate::split::monotone::Bounds;
use crate::stats::merged::add_signed;
use crate::sys::pool::Cancel;
use std::sync::{Mutex, PoisonError};

/// What leaves are fitted with.
#[derive(Clone, Copy, Debug)]
pub struct Fit<'a> {
    /// The run: its rows, its loss.
    pub run: &'a Boosting,
    /// Huber's delta of this round.
    pub delta: f64,
    /// The score that the tree adds to.
    pub sum: usize,
    /// How large gradients and hessians are.
    pub largest: Largest,
}

/// Gradients, hessians and weights of a leaf's rows, in whole units.
type LeafSums = [i128; 3];

impl Fit<'_> {
    /// Fits the leaves of a tree whose rows stand in these spans. Weights are added up too, where there are any; the branches
    /// then say the mean of their children.
    pub fn leaves(&self, tree: &mut Tree, spans: &[Vec<Spans>], bounds: &[Bounds], cancel: &Cancel) -> Result<()> {
        if !self.run.plan.loss.refits() {
            return self.newton(tree, spans, bounds, cancel);
        }
        let leaves: Vec<usize> = (0..tree.len()).filter(|&node| tree.n_children[node] == 0).collect();
        let results = if self.run.peers.size() > 1 {
            self.refit_merged(&leaves, spans, cancel)?
        } else {
            self.refit(&leaves, spans, tree.count[0], cancel)?
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

    /// What each leaf says, and what its rows weigh.
    fn refit(&self, leaves: &[usize], spans: &[Vec<Spans>], rows: u64, cancel: &Cancel) -> Result<Vec<(f64, f64)>> {
        let results: Vec<Mutex<Result<(f64, f64)>>> = leaves.iter().map(|_| Mutex::new(Ok((0.0, 0.0)))).collect();
        self.run.team.each(leaves.len(), rows, cancel, |leaf| {
            let fitted = self.leaf(&spans[leaves[leaf]]);
            *results[leaf].lock().unwrap_or_else(PoisonError::into_inner) = fitted;
        });
        results.into_iter().map(|result| result.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
    }

    /// The same from the rows of all processes.
    fn refit_merged(&self, leaves: &[usize], spans: &[Vec<Spans>], cancel: &Cancel) -> Result<Vec<(f64, f64)>> {
        let rows: Vec<_> = leaves.iter().map(|&leaf| self.rows_of(&spans[leaf])).collect();
        cancel.check()?;
        let (errors, weights): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
        let weights = self.run.training.weights.as_ref().map(|_| weights);
        let groups = Groups::new(&*self.run.peers, errors, weights)?;
        let answers = self.run.plan.loss.refit_groups(&groups, self.delta, self.run.plan.rules.l2)?;
        Ok(answers.into_iter().zip(groups.weights()).collect())
    }

    /// A Newton step in every node.
    fn newton(&self, tree: &mut Tree, spans: &[Vec<Spans>], bounds: &[Bounds], cancel: &Cancel) -> Result<()> {
        let (chunks, training) = (&self.run.chunks, &self.run.training);
        // A chunk's sum of numbers below 2^46 fits 63 bits.
        let unit = |largest: f64| libm::ldexp(1.0, (45 - libm::frexp(largest.max(f64::MIN_POSITIVE)).1).min(1000));
        let weight = self.run.totals.heaviest;
        let most = |of_one: f64| unit(of_one * self.largest.weight);
        let units = [most(self.largest.gradient), most(self.largest.hessian), unit(weight)];
        let leaves: Vec<usize> = (0..tree.len()).filter(|&node| tree.n_children[node] == 0).collect();
        let parts: Vec<Mutex<Vec<[i64; 3]>>> = chunks.iter().map(|_| Mutex::new(Vec::new())).collect();
        self.run.team.each(chunks.len(), tree.count[0], cancel, |chunk| {
            let rows = chunks[chunk].read().unwrap_or_else(PoisonError::into_inner);
            let sums = leaves.iter().map(|&leaf| self.sums_of(&rows, spans[leaf][chunk], units)).collect();
            *parts[chunk].lock().unwrap_or_else(PoisonError::into_inner) = sums;
        });
        let mut sums: Vec<LeafSums> = vec![[0; 3]; tree.len()];
        for part in parts {
            let part = part.into_inner().unwrap_or_else(PoisonError::into_inner);
            for (&leaf, part) in leaves.iter().zip(part) {
                sums[leaf].iter_mut().zip(part).for_each(|(sum, part)| *sum += i128::from(part));
            }
        }
        cancel.check()?;
        // (Those of branches are still 0.)
        add_signed(&*self.run.peers, sums.as_flattened_mut())?;
        for node in (0..tree.len()).rev() {
            for child in tree.children(node) {
                let part = sums[child];
                sums[node].iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
            }
            let [gradient, hessian, weight] = [0, 1, 2].map(|i| sums[node][i] as f64 / units[i]);
            let bottom = hessian + self.run.plan.rules.l2;
            let step = if bottom > 0.0 { -gradient / bottom } else { 0.0 };
            let step = self.run.plan.loss.limit_step(step, gradient, hessian);
            tree.value[node] = step.clamp(bounds[node].low, bounds[node].high);
            if training.weights.is_some() {
                tree.weight[node] = weight;
            }
        }
        Ok(())
    }

    /// The sums of a leaf's training rows in one chunk.
    fn sums_of(&self, chunk: &Chunk, spans: Spans, units: [f64; 3]) -> [i64; 3] {
        let (g, h, rows) = (&chunk.gradients, &chunk.hessians, chunk.training_rows(spans));
        let Some(weights) = &self.run.training.weights else {
            let [gradient, hessian] = add_in_units(self.run.plan.rules.isa, g, h, rows, [units[0], units[1]]);
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

    /// What a leaf says and what its rows weigh.
    fn leaf(&self, spans: &[Spans]) -> Result<(f64, f64)> {
        let (plan, (errors, weights)) = (&self.run.plan, self.rows_of(spans));
        let row_weights = self.run.training.weights.as_ref().map(|_| weights.as_slice());
        let weight = weight_of(row_weights, errors.len())?;
        Ok((plan.loss.refit(&errors, row_weights, self.delta, plan.rules.l2)?, weight))
    }

    /// The errors and the weights of a leaf's training rows; no weights where rows have none.
    fn rows_of(&self, spans: &[Spans]) -> (Vec<f64>, Vec<f64>) {
        let training = &self.run.training;
        let count = spans.iter().map(|spans| spans[0].len()).sum();
        let (mut errors, mut weights) = (Vec::with_capacity(count), Vec::new());
        for (chunk, spans) in self.run.chunks.iter().zip(spans).filter(|(_, spans)| !spans[0].is_empty()) {
            let chunk = chunk.read().unwrap_or_else(PoisonError::into_inner);
            for &place in chunk.training_rows(*spans) {
                let row = chunk.first + usize::from(place);
                if let Truth::Numbers(numbers) = training.truth() {
                    errors.push(numbers[row] - chunk.scores[self.sum][usize::from(place)]);
                }
                weights.extend(training.weights.as_ref().map(|weights| weights[row]));
            }
        }
        (errors, weights)
    }
}

multiversion! {
    /// The sums of the gradients and Hessians of some rows, each in whole units: their order does not matter.
    fn add_in_units(gradients: &[f32], hessians: &[f32], rows: &[u16], units: [f64; 2]) -> [i64; 2] {
        const LANES: usize = 8;
        let in_units = |x: f32, unit: f64| (f64::from(x) * unit) as i64;
        let (mut gradient, mut hessian) = ([0; LANES], [0; LANES]);
        let (eights, rest) = rows.as_chunks::<LANES>();
        for eight in eights {
            let (g, h) = (eight.map(|row| gradients[usize::from(row)]), eight.map(|row| hessians[usize::from(row)]));
            for lane in 0..LANES {
                gradient[lane] += in_units(g[lane], units[0]);
                hessian[lane] += in_units(h[lane], units[1]);
            }
        }
        for &row in rest {
            gradient[0] += in_units(gradients[usize::from(row)], units[0]);
            hessian[0] += in_units(hessians[usize::from(row)], units[1]);
        }
        [gradient.iter().sum(), hessian.iter().sum()]
    }
}
