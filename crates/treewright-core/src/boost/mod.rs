//! Gradient boosting: a loop around [`grow`](super::grow) that changes targets. Each tree is grown on the gradients of a loss
//! at what the trees before it say, and added with a small factor.
//!
//! What it must not know: how splits are searched. What it owns: the scores of all rows, the sample of each round, and when
//! to stop. Nothing in it depends on the number of threads: sums are integers, chance is counted.
//!
//! Glossary. A *round* is one tree for each score: one tree, or one for each of several classes. Rows that are *held* out are
//! scored but never learnt from. A row's scores are the *base* and what the trees add to it.

pub mod exact;
pub mod gradients;
pub mod leaves;
pub mod packing;
pub mod peer_rows;
pub mod plan;
mod replay;
pub mod sample;
pub mod stop;
pub mod totals;
pub mod training_data;

use self::plan::check;
pub use self::plan::{Plan, Start};
use self::sample::RoundSample;
use self::stop::LossHistory;
use self::totals::Totals;
pub use self::training_data::TrainingData;
use super::grow::{Limits, grow};
use super::loss::Loss;
use super::rows::bins::Bins;
use super::rows::bins::chunk::{self, Chunk};
use super::rows::bins::histogram_pool::Team;
use super::rows::bins::store::Store;
use crate::Result;
use crate::data::table::Table;
use crate::model::combine::Combine;
use crate::model::forest::Forest;
use crate::model::tree::{Kind, Tree};
use crate::peers::{Alone, Peers};
use crate::rng::Stream;
use crate::split::choose::Chooser;
use crate::sys::pool::Cancel;
use std::sync::{Arc, RwLock};

/// Streams of random numbers: rows of a round, columns of a tree.
const ROWS_OF: u32 = 0;
const COLUMNS_OF: u32 = 1 << 31;

/// The model of a run's trees; where rounds were too many, of those before.
pub fn model(
    plan: &Plan,
    base: Vec<f64>,
    mut trees: Vec<Tree>,
    progress: &LossHistory,
    kinds: Vec<Kind>,
) -> Result<Forest> {
    let sums = plan.loss.sums();
    let rounds = trees.len() / sums;
    trees.truncate(progress.best().map_or(rounds, |best| best.min(rounds)) * sums);
    let combine = Combine {
        scales: vec![plan.rate; trees.len()],
        targets: (0..sums as u32).cycle().take(trees.len()).collect(),
        ..Combine::sum(base, plan.loss.link())
    };
    Forest::grown_and_combined(kinds, trees, combine)
}

/// A run on bins.
#[derive(Debug)]
pub struct Boosting {
    plan: Plan,
    training: TrainingData,
    store: Store,
    chunks: Vec<RwLock<Chunk>>,
    team: Arc<Team>,
    base: Vec<f64>,
    trees: Vec<Tree>,
    round: u32,
    progress: LossHistory,
    /// How often each row counts, where that is what the weights of few rows say.
    repetitions: Option<Vec<u8>>,
    /// A number for each row to be drawn by; empty where every round learns from all rows.
    tickets: Vec<u64>,
    /// The other processes that hold rows.
    peers: Arc<dyn Peers>,
    totals: Totals,
    /// Whether the gradients of the next tree are computed already.
    has_gradients: bool,
}

impl Boosting {
    /// The trees so far.
    pub fn trees(&self) -> &[Tree] {
        &self.trees
    }

    /// Codes the table and scores its rows.
    pub fn new(
        table: &Table<'_>,
        training: TrainingData,
        start: Start,
        plan: Plan,
        cancel: &Cancel,
    ) -> Result<Boosting> {
        check(table, &training, &start, &plan)?;
        let threads = plan.threads_for(table.rows() * table.columns().len());
        let store = Store::new(table, training.held.as_deref(), plan.max_bins, threads, cancel)?;
        let tickets = training.tickets(table, plan.subsample)?;
        let mut run = Boosting::of_store(store, training, tickets, start, plan, Arc::new(Alone))?;
        run.note()?;
        Ok(run)
    }

    /// Scores the rows of a table that is coded already.
    fn of_store(
        store: Store,
        training: TrainingData,
        tickets: Vec<u64>,
        start: Start,
        plan: Plan,
        peers: Arc<dyn Peers>,
    ) -> Result<Boosting> {
        let (rows, sums) = (store.rows, plan.loss.sums());
        let totals = Totals::new(&training, &*peers)?;
        let base = match start.base {
            Some(base) => base,
            None => training.start(plan.loss, &*peers)?,
        };
        let length = length_of(rows);
        let mut chunks = Vec::new();
        for first in (0..rows).step_by(length) {
            let mut chunk = Chunk::new(first, length.min(rows - first), sums)?;
            for (sum, scores) in chunk.scores.iter_mut().enumerate() {
                match &start.scores {
                    Some(given) => scores.iter_mut().zip(first..).for_each(|(to, row)| *to = given[row * sums + sum]),
                    None => scores.fill(base[sum]),
                }
            }
            chunks.push(RwLock::new(chunk));
        }
        let threads = plan.threads_for(rows * store.features.len());
        let team = Arc::new(Team::new(threads, store.features.len(), plan.rules.isa));
        let progress = LossHistory::new(plan.patience, plan.tell);
        let (trees, round) = (Vec::new(), start.rounds);
        let repetitions = packing::repetitions(training.weights.as_deref(), &totals);
        Ok(Boosting {
            plan,
            training,
            store,
            chunks,
            team,
            base,
            trees,
            round,
            progress,
            repetitions,
            tickets,
            peers,
            totals,
            has_gradients: false,
        })
    }

    /// Adds rounds; returns whether it is time to stop.
    pub fn advance(&mut self, rounds: u32, cancel: &Cancel) -> Result<bool> {
        let team = Arc::clone(&self.team);
        team.crew.assemble(|| self.rounds(rounds, cancel))
    }

    fn rounds(&mut self, rounds: u32, cancel: &Cancel) -> Result<bool> {
        for _ in 0..rounds {
            cancel.check()?;
            let stream = Stream::new(self.plan.seed, ROWS_OF + self.round);
            let sample = RoundSample::new(&self.training, &self.tickets, self.plan.subsample, stream);
            let delta = self.huber_delta()?;
            self.norms(cancel);
            let trees = (0..self.plan.loss.sums()).map(|sum| self.tree(sum, &sample, delta, cancel));
            let trees = trees.collect::<Result<Vec<_>>>()?;
            self.trees.extend(trees);
            self.has_gradients = self.gradients_follow_scores();
            self.round += 1;
            if self.note()? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn note(&mut self) -> Result<bool> {
        let length = self.length();
        let chunks: Vec<_> = self.chunks.iter().map(chunk::read).collect();
        let score = |row: usize, sum: usize| chunks[row / length].scores[sum][row % length];
        self.progress.note(self.plan.loss, &self.training, &*self.peers, score)
    }

    /// The model of the trees so far.
    pub fn finish(self, kinds: Vec<Kind>) -> Result<Forest> {
        model(&self.plan, self.base, self.trees, &self.progress, kinds)
    }

    /// The model of the trees of the last round alone, without the base that their sum begins with.
    pub fn last_round(&self, kinds: Vec<Kind>) -> Result<Forest> {
        let sums = self.plan.loss.sums();
        let trees = self.trees[self.trees.len().saturating_sub(sums)..].to_vec();
        model(&self.plan, vec![0.0; sums], trees, &LossHistory::new(None, false), kinds)
    }

    /// The processes of the run.
    pub fn peers(&self) -> &Arc<dyn Peers> {
        &self.peers
    }

    /// See [`LossHistory::losses`]; NaN where nobody asked.
    pub fn losses(&self) -> &[Vec<f64>] {
        self.progress.losses()
    }

    /// Huber's delta of this round.
    fn huber_delta(&self) -> Result<f64> {
        let Loss::Huber(_) = self.plan.loss else { return Ok(f64::INFINITY) };
        let numbers = &self.training.numbers;
        let (mut errors, mut weights) = (Vec::new(), Vec::new());
        for chunk in &self.chunks {
            let chunk = chunk::read(chunk);
            for (row, score) in (chunk.first..).zip(&chunk.scores[0]).filter(|(row, _)| !self.training.is_held(*row)) {
                errors.push(numbers[row] - score);
                weights.extend(self.training.weights.as_ref().map(|weights| weights[row]));
            }
        }
        let weights = self.training.weights.as_ref().map(|_| weights);
        self.plan.loss.huber_delta(&*self.peers, &errors, weights)
    }

    /// What the scores of each row have in common, for losses of several.
    fn norms(&self, cancel: &Cancel) {
        if let Loss::Softmax(_) = self.plan.loss {
            self.each_chunk(cancel, |chunk| {
                let Chunk { scores, norms, .. } = chunk;
                norms.resize(scores[0].len(), 0.0);
                Loss::norms(&scores.iter().map(Vec::as_slice).collect::<Vec<_>>(), norms);
            });
        }
    }

    fn each_chunk(&self, cancel: &Cancel, work: impl Fn(&mut Chunk) + Sync) {
        let rows = self.store.rows as u64;
        self.team.each(self.chunks.len(), rows, cancel, |chunk| {
            work(&mut chunk::write(&self.chunks[chunk]));
        });
    }

    /// Grows one tree and adds it to the scores.
    fn tree(&self, sum: usize, sample: &RoundSample<'_>, delta: f64, cancel: &Cancel) -> Result<Tree> {
        if !self.has_gradients {
            self.each_chunk(cancel, |chunk| self.compute_gradients(chunk, sum, delta));
        }
        let scale = self.gradient_scale(cancel)?;
        let root = self.pack(sum, sample, scale, cancel)?;
        cancel.check()?;
        let number = self.round.wrapping_mul(self.plan.loss.sums() as u32).wrapping_add(sum as u32);
        let stream = Stream::new(self.plan.seed, COLUMNS_OF | number);
        let (store, rules) = (&self.store, &self.plan.rules);
        let peers = &*self.peers;
        let mut bins = Bins::new(store, &self.chunks, root, &self.team, rules, stream, peers, cancel)?;
        let limits = Limits {
            max_depth: rules.max_depth,
            min_samples_split: 2,
            max_leaves: rules.max_leaves,
            max_p_value: None,
            sufficient_majority: None,
        };
        let mut tree = grow(&mut bins, &Chooser::Gain { min_gain: None }, &limits, cancel)?;
        let (spans, bounds) = bins.finish();
        self.fit_leaves(&mut tree, sum, delta, scale, &spans, &bounds, cancel)?;
        let steps: Vec<(usize, f64)> = (0..tree.len())
            .filter(|&node| tree.n_children[node] == 0)
            .map(|node| (node, self.plan.rate * tree.value[node]))
            .collect();
        self.team.each(self.chunks.len(), self.store.rows as u64, cancel, |chunk| {
            let mut rows = chunk::write(&self.chunks[chunk]);
            steps.iter().for_each(|&(node, step)| rows.add_to_scores(sum, spans[node][chunk], step));
            // While the scores are near.
            if self.gradients_follow_scores() {
                self.compute_gradients(&mut rows, sum, delta);
            }
        });
        cancel.check()?;
        Ok(tree)
    }

    /// Rows of a chunk.
    fn length(&self) -> usize {
        length_of(self.store.rows)
    }
}

/// How many rows a chunk has, in a table of so many: all have about as many.
fn length_of(rows: usize) -> usize {
    let chunks = rows.div_ceil((rows / 32).clamp(1 << 13, chunk::MAX_ROWS)).max(1);
    rows.div_ceil(chunks).max(1)
}
