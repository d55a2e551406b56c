//! Rows that can be searched: which search is the quickest, and which queries it can take.

use super::blocks::{self, Blocks};
use super::bytes;
use super::distance::{Distance, Power};
use super::job::{Job, Request};
use super::packed::Packed;
use super::rows::{Rows, largest};
use super::tree::Tree;
use super::{brute_force, careful, mixed, plain, probe, tree_search};
use crate::simd::{Isa, multiplies_bytes};
use crate::sys::pages::zeros;
use crate::sys::pool::Cancel;
use crate::{Error, Result};

/// So few rows are compared one after the other before a filter pays.
const MIN_FILTERED_ROWS: usize = 64;

/// A way to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// The quickest of the others that can serve the rows.
    Quickest,
    /// Row after row.
    Plain,
    /// See [`Tree`].
    Tree,
    /// See [`super::singles`].
    Singles,
    /// See [`super::bytes`].
    Bytes,
    /// See [`Blocks`].
    Mixed,
}

#[derive(Debug)]
enum Engine {
    Plain,
    Tree(Tree),
    Singles(Packed<f32>),
    Bytes(Packed<i32>),
    Mixed(Blocks),
}

/// Rows, their distance, and what makes the search quick.
#[derive(Debug)]
pub struct Index {
    rows: Rows,
    distance: Distance,
    engine: Engine,
    isa: Isa,
}

/// The answers: k rows for each query, nearest first, and their distances.
#[derive(Clone, Debug, PartialEq)]
pub struct Nearest {
    /// How many rows each query has.
    pub k: usize,
    /// Row numbers, query after query.
    pub rows: Vec<u32>,
    /// Their distances.
    pub distances: Vec<f64>,
}

impl Index {
    /// Prepares rows. A search that cannot serve them is replaced by the plain one.
    pub fn new(rows: Rows, distance: Distance, search: Search, isa: Isa, cancel: &Cancel) -> Result<Index> {
        let (numbers, codes) = rows.columns();
        if distance.weights.len() != numbers + codes || rows.is_empty() || distance.weights.is_empty() {
            return Err(Error::data("data.lengths", "there are no rows, or not a weight for each of their columns"));
        }
        let engine = match choose(&rows, distance.power, search, isa, cancel)? {
            Search::Tree => Engine::Tree(Tree::new(&rows, distance.power == Power::Two, isa, cancel)?),
            Search::Singles => Engine::Singles(Packed::new(&rows, isa)?),
            Search::Bytes => Engine::Bytes(Packed::new(&rows, isa)?),
            Search::Mixed => Engine::Mixed(Blocks::new(&rows, &distance)?),
            Search::Quickest | Search::Plain => Engine::Plain,
        };
        Ok(Index { rows, distance, engine, isa })
    }

    /// The search that is used.
    pub fn used(&self) -> Search {
        match self.engine {
            Engine::Plain => Search::Plain,
            Engine::Tree(_) => Search::Tree,
            Engine::Singles(_) => Search::Singles,
            Engine::Bytes(_) => Search::Bytes,
            Engine::Mixed(_) => Search::Mixed,
        }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// There is at least one row.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The k nearest rows of each query, or all rows where there are fewer.
    pub fn search(&self, queries: &Rows, k: usize, cancel: &Cancel) -> Result<Nearest> {
        if queries.columns() != self.rows.columns() && !queries.is_empty() || k == 0 {
            return Err(Error::data("data.columns", "the queries have other columns than the rows, or k is 0"));
        }
        let k = k.min(self.rows.len());
        let places = queries.len().checked_mul(k).ok_or(Error::Memory)?;
        let mut nearest = Nearest { k, rows: zeros(places)?, distances: zeros(places)? };
        let jobs = Job::list(k, &mut nearest.rows, &mut nearest.distances)?;
        let (easy, hard) = match self.takes_all(queries) {
            true => (jobs, Vec::new()),
            false => jobs.into_iter().partition(|job| self.takes(queries, job.query)),
        };
        let request = Request { rows: &self.rows, distance: &self.distance, queries, k, cancel };
        plain::search(request, hard)?;
        self.search_filtered(request, easy)?;
        search_again(request, &mut nearest)?;
        Ok(nearest)
    }

    /// Whether it is clear without a look at each that the quick search can answer all queries.
    fn takes_all(&self, queries: &Rows) -> bool {
        let size = self.rows.size();
        let sane = |size: f64| size > 0.0 && careful::is_sane(size);
        matches!(self.engine, Engine::Tree(_)) && queries.is_complete() && sane(size) && sane(queries.size().max(size))
    }

    /// Whether the quick search can answer a query.
    fn takes(&self, queries: &Rows, query: usize) -> bool {
        let numbers = queries.numbers_of(query);
        let size = largest(numbers).max(self.rows.size());
        let complete = || !numbers.iter().any(|x| x.is_nan());
        careful::is_sane(size)
            && match &self.engine {
                Engine::Plain => false,
                Engine::Tree(_) => complete(),
                Engine::Singles(packed) => complete() && packed.takes(numbers),
                Engine::Bytes(packed) => complete() && packed.takes(numbers),
                Engine::Mixed(_) => size < blocks::LARGEST / 2.0,
            }
    }

    /// Answers queries by the engine.
    fn search_filtered(&self, request: Request<'_>, jobs: Vec<Job<'_>>) -> Result<()> {
        match &self.engine {
            _ if jobs.is_empty() => Ok(()),
            Engine::Plain => Ok(()),
            Engine::Tree(tree) => tree_search::search(tree, request, jobs, self.isa),
            Engine::Singles(packed) => brute_force::search(packed, request, jobs, self.isa),
            Engine::Bytes(packed) => brute_force::search(packed, request, jobs, self.isa),
            Engine::Mixed(blocks) => mixed::search(blocks, request, jobs, self.isa),
        }
    }
}

/// Searches again for answers in which squares vanished.
fn search_again(request: Request<'_>, nearest: &mut Nearest) -> Result<()> {
    let Request { rows, distance, queries, k, .. } = request;
    if !nearest.distances.iter().step_by(k).any(|&distance| careful::is_vanishing(distance)) {
        return Ok(());
    }
    let mut jobs = Job::list(k, &mut nearest.rows, &mut nearest.distances)?;
    for job in &mut jobs {
        let (near, apart) = job.answer();
        job.doubtful = careful::is_doubtful(distance, rows, queries, job.query, near, apart);
    }
    jobs.retain(|job| job.doubtful);
    plain::search(request, jobs)
}

/// The search to use: the one asked for if it can serve the rows, else the plain one.
fn choose(rows: &Rows, power: Power, wanted: Search, isa: Isa, cancel: &Cancel) -> Result<Search> {
    let can = |search: Search| can(rows, power, search);
    let search = match wanted {
        Search::Quickest if rows.len() < MIN_FILTERED_ROWS => Search::Plain,
        Search::Quickest if !can(Search::Tree) => Search::Mixed,
        Search::Quickest if can(Search::Singles) => {
            let bytes = can(Search::Bytes) && multiplies_bytes(isa);
            match probe::is_worth_it(rows, bytes, isa, cancel)? {
                true => Search::Tree,
                false if bytes => Search::Bytes,
                false => Search::Singles,
            }
        }
        Search::Quickest => Search::Tree,
        other => other,
    };
    Ok(if can(search) { search } else { Search::Plain })
}

/// Whether a search can serve rows.
fn can(rows: &Rows, power: Power, search: Search) -> bool {
    let sane = careful::is_sane(rows.size());
    let complete = sane && rows.is_complete();
    match search {
        Search::Tree => complete && !matches!(power, Power::Any(_)),
        Search::Singles => complete && power == Power::Two,
        Search::Bytes => complete && power == Power::Two && rows.columns().0 <= bytes::MAX_COLUMNS,
        Search::Mixed => sane && matches!(power, Power::One | Power::Two) && rows.size() < blocks::LARGEST / 2.0,
        Search::Quickest | Search::Plain => true,
    }
}
