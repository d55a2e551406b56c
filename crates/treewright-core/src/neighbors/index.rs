//! Rows that can be searched: which search is the quickest, and which queries it can take.

use super::blocks::{self, Blocks};
use super::bytes::{self, Bytes};
use super::distance::{Distance, Power};
use super::job::Job;
use super::packed::Packed;
use super::rows::{Facts, Rows, largest};
use super::singles::Singles;
use super::tree::Tree;
use super::{brute, careful, guided, mixed, plain, probe};
use crate::simd::{Isa, multiplies_bytes};
use crate::sys::pages::zeros;
use crate::sys::pool::Cancel;
use crate::{Error, Result};

/// So few rows are compared one after the other before a filter pays.
const FEW_ROWS: usize = 64;

/// The words for searches; the first is the quickest that can.
pub const SEARCHES: [&str; 6] = ["auto", "plain", "tree", "singles", "bytes", "mixed"];

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
    pub fn new(rows: Rows, distance: Distance, search: &str, isa: Isa, cancel: &Cancel) -> Result<Index> {
        let (numbers, codes) = rows.columns();
        if distance.weights.len() != numbers + codes || rows.is_empty() || distance.weights.is_empty() {
            return Err(Error::data("data.lengths", "there are no rows, or not a weight for each of their columns"));
        }
        let facts = rows.facts();
        let engine = match choose(&rows, facts, &distance, search, isa, cancel)? {
            "tree" => Engine::Tree(Tree::new(&rows, distance.power == Power::Two, isa, cancel)?),
            "singles" => Engine::Singles(Singles::new(&rows)?),
            "bytes" => Engine::Bytes(Bytes::new(&rows, isa)?),
            "mixed" => Engine::Mixed(Blocks::new(&rows, &distance)?),
            _ => Engine::Plain,
        };
        Ok(Index { rows, distance, engine, isa, size: facts.size })
    }

    /// The search that is used.
    pub fn search_word(&self) -> &'static str {
        match self.engine {
            Engine::Plain => "plain",
            Engine::Tree(_) => "tree",
            Engine::Singles(_) => "singles",
            Engine::Bytes(_) => "bytes",
            Engine::Mixed(_) => "mixed",
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
        let mut found = Found { k, rows: zeros(places)?, distances: zeros(places)? };
        let jobs = Job::list(k, &mut found.rows, &mut found.distances)?;
        let (easy, hard) = match self.takes_all(queries) {
            true => (jobs, Vec::new()),
            false => jobs.into_iter().partition(|job| self.takes(queries, job.query)),
        };
        plain::search(&self.rows, self.size, &self.distance, queries, k, hard, cancel)?;
        self.quick(queries, k, easy, cancel)?;
        self.again(queries, k, &mut found, cancel)?;
        Ok(found)
    }

    /// Looks again for answers in which squares vanished.
    fn again(&self, queries: &Rows, k: usize, found: &mut Found, cancel: &Cancel) -> Result<()> {
        let Index { rows, distance, size, .. } = self;
        if !found.distances.iter().step_by(k).any(|&nearest| careful::is_vanishing(nearest)) {
            return Ok(());
        }
        let mut jobs = Job::list(k, &mut found.rows, &mut found.distances)?;
        for job in &mut jobs {
            let (near, apart) = job.answer();
            job.doubtful = careful::is_doubtful(distance, rows, queries, job.query, near, apart);
        }
        jobs.retain(|job| job.doubtful);
        plain::search(rows, *size, distance, queries, k, jobs, cancel)
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

    fn quick(&self, queries: &Rows, k: usize, jobs: Vec<Job<'_>>, cancel: &Cancel) -> Result<()> {
        let Index { rows, distance, isa, .. } = self;
        match &self.engine {
            _ if jobs.is_empty() => Ok(()),
            Engine::Plain => Ok(()),
            Engine::Tree(tree) => guided::Search { tree, distance, queries, k, cancel }.run(jobs, *isa),
            Engine::Singles(packed) => brute::Search { packed, rows, distance, queries, k, cancel }.run(jobs, *isa),
            Engine::Bytes(packed) => brute::Search { packed, rows, distance, queries, k, cancel }.run(jobs, *isa),
            Engine::Mixed(blocks) => mixed::Search { blocks, rows, distance, queries, k, cancel }.run(jobs, *isa),
        }
    }
}

/// The search to use: the one asked for if it can, the quickest for "auto".
fn choose(
    rows: &Rows,
    facts: Facts,
    distance: &Distance,
    asked: &str,
    isa: Isa,
    cancel: &Cancel,
) -> Result<&'static str> {
    let Some(&asked) = SEARCHES.iter().find(|&&word| word == asked) else {
        return Err(Error::data("usage.search", format!("there is no search {asked:?}")));
    };
    let columns = rows.columns().0;
    let can = |word: &str| can(columns, facts, distance.power, word);
    let word = match asked {
        "auto" if rows.len() < FEW_ROWS => "plain",
        "auto" if !can("tree") => "mixed",
        "auto" if can("singles") => {
            let bytes = can("bytes") && multiplies_bytes(isa);
            match probe::is_worth_it(rows, bytes, isa, cancel)? {
                true => "tree",
                false if bytes => "bytes",
                false => "singles",
            }
        }
        "auto" => "tree",
        word => word,
    };
    Ok(if can(word) { word } else { "plain" })
}

/// Whether a search can serve rows with so many numbers.
fn can(columns: usize, facts: Facts, power: Power, word: &str) -> bool {
    let sane = careful::is_sane(facts.size);
    match word {
        "tree" => sane && facts.complete && !matches!(power, Power::Any(_)),
        "singles" => sane && facts.complete && power == Power::Two,
        "bytes" => sane && facts.complete && power == Power::Two && columns <= bytes::COLUMNS,
        "mixed" => sane && matches!(power, Power::One | Power::Two) && facts.size < blocks::LARGEST / 2.0,
        _ => true,
    }
}
