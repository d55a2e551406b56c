//! Rows that can be searched: which search is the quickest, and which queries it can take.

use super::blocks::{self, Blocks};
use super::bytes::{self, Bytes};
use super::distance::{Distance, Power};
use super::job::{Job, Request};
use super::packed::Packed;
use super::rows::{Facts, Rows, largest};
use super::singles::Singles;
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
    /// See [`Singles`].
    Singles,
    /// See [`Bytes`].
    Bytes,
    /// See [`Blocks`].
    Mixed,
}

#[derive(Debug)]
enum Engine {
    Plain,
    Tree(Tree),
    Singles(Singles),
    Bytes(Bytes),
    Mixed(Blocks),
}

/// Rows, their distance, and what makes the search quick.
#[derive(Debug)]
pub struct Index {
    rows: Rows,
    distance: Distance,
    engine: Engine,
    isa: Isa,
    /// The largest absolute number.
    size: f64,
}

/// The answers: k rows for each query, nearest first, and their distances.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
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
        let facts = rows.facts();
        let engine = match choose(&rows, facts, &distance, search, isa, cancel)? {
            Search::Tree => Engine::Tree(Tree::new(&rows, distance.power == Power::Two, isa, cancel)?),
            Search::Singles => Engine::Singles(Singles::new(&rows)?),
            Search::Bytes => Engine::Bytes(Bytes::new(&rows, isa)?),
            Search::Mixed => Engine::Mixed(Blocks::new(&rows, &distance)?),
            Search::Quickest | Search::Plain => Engine::Plain,
        };
        Ok(Index { rows, distance, engine, isa, size: facts.size })
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
    pub fn search(&self, queries: &Rows, k: usize, cancel: &Cancel) -> Result<Found> {
        if queries.columns() != self.rows.columns() && !queries.is_empty() || k == 0 {
            return Err(Error::data("data.columns", "the queries have other columns than the rows, or k is 0"));
        }
        let k = k.min(self.rows.len());
        let places = queries.len().checked_mul(k).ok_or(Error::Memory)?;
        let mut nearest = Found { k, rows: zeros(places)?, distances: zeros(places)? };
        let jobs = Job::list(k, &mut nearest.rows, &mut nearest.distances)?;
        let (easy, hard) = match self.takes_all(queries) {
            true => (jobs, Vec::new()),
            false => jobs.into_iter().partition(|job| self.takes(queries, job.query)),
        };
        let request = Request { rows: &self.rows, size: self.size, distance: &self.distance, queries, k, cancel };
        plain::search(request, hard)?;
        self.search_filtered(request, easy)?;
        search_again(request, &mut nearest)?;
        Ok(nearest)
    }

    /// Whether it is clear without a look at each that the quick search can answer all queries.
    fn takes_all(&self, queries: &Rows) -> bool {
        let facts = queries.facts();
        let sane = |size: f64| size > 0.0 && careful::is_sane(size);
        matches!(self.engine, Engine::Tree(_)) && facts.complete && sane(self.size) && sane(facts.size.max(self.size))
    }

    /// Whether the quick search can answer a query.
    fn takes(&self, queries: &Rows, query: usize) -> bool {
        let numbers = queries.numbers_of(query);
        let size = largest(numbers).max(self.size);
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
            Engine::Tree(tree) => tree_search::Search { tree, request }.run(jobs, self.isa),
            Engine::Singles(packed) => brute_force::Search { packed, request }.run(jobs, self.isa),
            Engine::Bytes(packed) => brute_force::Search { packed, request }.run(jobs, self.isa),
            Engine::Mixed(blocks) => mixed::Search { blocks, request }.run(jobs, self.isa),
        }
    }
}

/// Searches again for answers in which squares vanished.
fn search_again(request: Request<'_>, nearest: &mut Found) -> Result<()> {
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
fn choose(rows: &Rows, facts: Facts, distance: &Distance, asked: Search, isa: Isa, cancel: &Cancel) -> Result<Search> {
    let columns = rows.columns().0;
    let can = |search: Search| can(columns, facts, distance.power, search);
    let search = match asked {
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

/// Whether a search can serve rows with so many numbers.
fn can(columns: usize, facts: Facts, power: Power, search: Search) -> bool {
    let sane = careful::is_sane(facts.size);
    match search {
        Search::Tree => sane && facts.complete && !matches!(power, Power::Any(_)),
        Search::Singles => sane && facts.complete && power == Power::Two,
        Search::Bytes => sane && facts.complete && power == Power::Two && columns <= bytes::COLUMNS,
        Search::Mixed => sane && matches!(power, Power::One | Power::Two) && facts.size < blocks::LARGEST / 2.0,
        Search::Quickest | Search::Plain => true,
    }
}
