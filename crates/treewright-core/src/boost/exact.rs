//! Boosting with exact splits, as Friedman described it: each tree is a regression tree of the gradients, grown by squared
//! error between any two values; then each leaf takes the loss's own best step.
//!
//! Slower than bins, and closer to the book: where no two cuts are equally good it makes the trees that others make who do
//! the same. Rows that a round does not learn from have no weight in it.

use super::sample::RoundSample;
use super::stop::LossHistory;
use super::{COLUMNS_OF, Plan, ROWS_OF, Start, TrainingData};
use crate::Result;
use crate::data::table::Table;
use crate::grow::Limits;
use crate::loss::Loss;
use crate::loss::groups::Groups;
use crate::model::tree::Tree;
use crate::model::walk::reach;
use crate::peers::Alone;
use crate::recipe::coded_table::{CodedTable, Codes};
use crate::recipe::{CriterionKind, Engine, Finish, Recipe};
use crate::rng::Stream;
use crate::simd::Isa;
use crate::split::choose::Chooser;
use crate::split::sampling::FeatureSampling;
use crate::split::subset::SubsetRules;
use crate::split::unknowns::Unknowns;
use crate::stats::numbers::ExactSum;
use crate::sys::pool::Cancel;

/// A run with exact splits. The table stays with the caller.
#[derive(Debug)]
pub struct Exact {
    /// What the run depends on.
    pub plan: Plan,
    /// The rows.
    pub training: TrainingData,
    /// Where the sums begin.
    pub base: Vec<f64>,
    /// The trees so far.
    pub trees: Vec<Tree>,
    /// The losses so far.
    pub progress: LossHistory,
    round: u32,
    scores: Vec<Vec<f64>>,
    codes: Option<Codes>,
    /// A number for each row to be drawn by; empty where every round learns from all rows.
    tickets: Vec<u64>,
}

impl Exact {
    /// Scores the rows.
    pub fn new(table: &Table<'_>, training: TrainingData, start: Start, plan: Plan) -> Result<Exact> {
        super::check(table, &training, &start, &plan)?;
        let (rows, sums) = (table.rows(), plan.loss.sums());
        let base = match start.base {
            Some(base) => base,
            None => training.start(plan.loss, &Alone)?,
        };
        let scores = (0..sums)
            .map(|sum| match &start.scores {
                Some(given) => (0..rows).map(|row| given[row * sums + sum]).collect(),
                None => vec![base[sum]; rows],
            })
            .collect();
        let progress = LossHistory::new(plan.patience, plan.tell);
        let tickets = training.tickets(table, plan.subsample)?;
        let (trees, round, codes) = (Vec::new(), start.rounds, None);
        let mut run = Exact { plan, training, base, trees, progress, round, scores, codes, tickets };
        run.note()?;
        Ok(run)
    }

    /// Adds rounds; returns whether it is time to stop.
    pub fn advance(&mut self, table: &Table<'_>, rounds: u32, cancel: &Cancel) -> Result<bool> {
        let recipe = self.recipe();
        let coded = CodedTable::new(&recipe, table, self.codes.take(), cancel)?;
        let stop = self.rounds(table, &coded, rounds, cancel)?;
        self.codes = coded.into_codes();
        Ok(stop)
    }

    fn rounds(&mut self, table: &Table<'_>, coded: &CodedTable<'_>, rounds: u32, cancel: &Cancel) -> Result<bool> {
        for _ in 0..rounds {
            cancel.check()?;
            let stream = Stream::new(self.plan.seed, ROWS_OF + self.round);
            let sample = RoundSample::new(&self.training, &self.tickets, self.plan.subsample, stream);
            let weights = self.drawn_weights(&sample, table.rows());
            let delta = self.huber_delta(&weights)?;
            let mut raises = Vec::new();
            for (sum, (targets, hessians)) in self.gradients(delta).iter().enumerate() {
                let mut tree = coded.grow(targets, &weights, self.draw(sum))?;
                let leaves: Vec<usize> = (0..table.rows()).map(|row| reach(&tree, table.columns(), row)).collect();
                self.fit(&mut tree, &leaves, sum, &weights, targets, hessians, delta)?;
                raises.push(leaves.into_iter().map(|leaf| self.plan.rate * tree.value[leaf]).collect::<Vec<f64>>());
                self.trees.push(tree);
            }
            for (scores, raises) in self.scores.iter_mut().zip(raises) {
                scores.iter_mut().zip(raises).for_each(|(score, raise)| *score += raise);
            }
            self.round += 1;
            if self.note()? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What each row weighs in a round. A tree needs a row, so a draw is never empty.
    fn drawn_weights(&self, sample: &RoundSample<'_>, rows: usize) -> Vec<f64> {
        let mut weights: Vec<f64> = (0..rows).map(|row| if sample.has(row) { self.weight(row) } else { 0.0 }).collect();
        if weights.iter().all(|&weight| weight == 0.0)
            && let Some(row) = sample.nearest(rows, |row| self.weight(row) > 0.0)
        {
            weights[row] = self.weight(row);
        }
        weights
    }

    fn weight(&self, row: usize) -> f64 {
        self.training.weights.as_ref().map_or(1.0, |weights| weights[row])
    }

    fn note(&mut self) -> Result<bool> {
        let scores = &self.scores;
        self.progress.note(self.plan.loss, &self.training, &Alone, |row, sum| scores[sum][row])
    }

    /// Huber's delta of a round whose rows have these weights.
    fn huber_delta(&self, weights: &[f64]) -> Result<f64> {
        let (loss, truth) = (self.plan.loss, self.training.truth());
        let Loss::Huber(_) = loss else { return Ok(f64::INFINITY) };
        let learnt: Vec<usize> = (0..weights.len()).filter(|&row| weights[row] > 0.0).collect();
        let errors: Vec<f64> = learnt.iter().map(|&row| truth.number(row) - self.scores[0][row]).collect();
        let weights: Vec<f64> = learnt.iter().map(|&row| weights[row]).collect();
        loss.huber_delta(&Alone, &errors, Some(weights))
    }

    /// For each score the negative gradients and the Hessians of all rows, before any tree of the round changes a score.
    fn gradients(&self, delta: f64) -> Vec<(Vec<f64>, Vec<f64>)> {
        let (loss, truth, rows) = (self.plan.loss, self.training.truth(), self.training.rows());
        let mut by_score = vec![(vec![0.0; rows], vec![0.0; rows]); loss.sums()];
        let mut scores = vec![0.0; loss.sums()];
        for row in 0..rows {
            scores.iter_mut().zip(&self.scores).for_each(|(to, from)| *to = from[row]);
            for (sum, (targets, hessians)) in by_score.iter_mut().enumerate() {
                let (gradient, hessian) = loss.gradient(truth.number(row), &scores, sum, delta);
                targets[row] = -gradient;
                hessians[row] = hessian;
            }
        }
        by_score
    }

    /// How the nodes of the next tree draw columns; None looks at all of them.
    fn draw(&self, sum: usize) -> Option<FeatureSampling> {
        let number = self.round.wrapping_mul(self.plan.loss.sums() as u32).wrapping_add(sum as u32);
        let stream = Stream::new(self.plan.seed, COLUMNS_OF | number);
        self.plan.rules.max_features.map(|columns| FeatureSampling { stream, columns: columns.max(1), cuts: false })
    }

    /// The recipe of each tree.
    fn recipe(&self) -> Recipe {
        let rules = &self.plan.rules;
        Recipe {
            criterion: CriterionKind::SquaredError,
            class_weights: Vec::new(),
            class_prices: Vec::new(),
            subsets: Some(SubsetRules::default()),
            unknowns: Unknowns::Side,
            chooser: Chooser::Share { min_gain: (rules.min_gain > 0.0).then_some(rules.min_gain) },
            limits: Limits {
                max_depth: rules.max_depth,
                min_samples_split: 2,
                max_leaves: rules.max_leaves,
                max_p_value: None,
                sufficient_majority: None,
            },
            min_leaf: rules.min_leaf,
            min_leaf_share: 0.0,
            monotone: rules.monotone.clone(),
            finish: Finish::default(),
            threads: self.plan.threads,
            isa: Isa::detect(),
            engine: Engine::Fastest,
        }
    }

    /// What each leaf says, from its rows: the loss's own best answer, or a Newton step. Branches say the mean of theirs.
    #[expect(clippy::too_many_arguments, reason = "everything about one tree")]
    fn fit(
        &self,
        tree: &mut Tree,
        leaves: &[usize],
        sum: usize,
        weights: &[f64],
        targets: &[f64],
        hessians: &[f64],
        delta: f64,
    ) -> Result<()> {
        let mut rows_of = vec![Vec::new(); tree.len()];
        for (row, &leaf) in leaves.iter().enumerate().filter(|(row, _)| weights[*row] > 0.0) {
            rows_of[leaf].push(row);
        }
        let l2 = self.plan.rules.l2;
        for node in (0..tree.len()).rev() {
            if tree.n_children[node] > 0 {
                let weight: f64 = tree.children(node).map(|child| tree.weight[child]).sum();
                let sum: f64 = tree.children(node).map(|child| tree.weight[child] * tree.value[child]).sum();
                tree.value[node] = if weight > 0.0 { sum / weight } else { 0.0 };
                continue;
            }
            // The tree of squared errors says means, and keeps them within their bounds.
            if !self.plan.rules.monotone.is_empty() {
                continue;
            }
            let rows = &rows_of[node];
            tree.value[node] = if self.plan.loss.refits() {
                let errors: Vec<f64> =
                    rows.iter().map(|&row| self.training.truth().number(row) - self.scores[sum][row]).collect();
                let weights: Vec<f64> = rows.iter().map(|&row| weights[row]).collect();
                let groups = Groups::new(&Alone, vec![errors], Some(vec![weights]))?;
                self.plan.loss.refit(&groups, delta, l2)?[0]
            } else {
                let top = ExactSum::of(rows.iter().map(|&row| weights[row] * targets[row]));
                let bottom = ExactSum::of(rows.iter().map(|&row| weights[row] * hessians[row]));
                // Of K scores one is redundant; the step is that much shorter.
                let sums = self.plan.loss.sums() as f64;
                let share = if sums > 1.0 { (sums - 1.0) / sums } else { 1.0 };
                let step = if bottom + l2 > 1e-150 { share * top / (bottom + l2) } else { 0.0 };
                self.plan.loss.limit_step(step, -top, bottom)
            };
        }
        Ok(())
    }
}
