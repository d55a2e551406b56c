//! Nearest neighbors: the vote of the nearest rows, or their mean.

use crate::exact_sum::exact_sum;
use crate::failure::{Failure, Result};
use crate::params::Params;
use crate::recipes::class_factors;
use crate::table::{Cells, Rows, TargetColumn};
use treewright_core::prelude::{Cancel, Cases, CasesTarget, Index, Isa, Rows as CoreRows, neighbors, thread_pool};

/// Numbers whose sums could be infinite.
const LARGE: f64 = 1e280;
/// Errors that differ by no more than this share are equal.
const EQUAL: f64 = 1e-12;
/// Neighbors that are held at a time.
const MAX_IN_MEMORY: usize = 1 << 21;

const PARAMS: [&str; 7] = ["n_neighbors", "weights", "metric", "p", "scale", "max_neighbors", "n_jobs"];
const METRICS: [&str; 9] =
    ["auto", "euclidean", "manhattan", "chebyshev", "minkowski", "cosine", "hamming", "heom", "gower"];
const OTHER_NAMES: [(&str, &str); 6] = [
    ("l1", "manhattan"),
    ("cityblock", "manhattan"),
    ("l2", "euclidean"),
    ("infinity", "chebyshev"),
    ("linf", "chebyshev"),
    ("p", "minkowski"),
];

/// The training rows, and how the nearest are found.
pub struct NeighborModel {
    metric: String,
    divisors: Vec<f64>,
    index: Index,
    /// How many neighbors decide.
    pub k: usize,
    votes: &'static str,
    factors: Vec<f64>,
    target: TargetColumn,
    /// The errors of leaving one out, by the number of neighbors.
    errors: Vec<f64>,
}

impl NeighborModel {
    /// Stores the rows.
    pub fn fit(params: &Params, rows: &Rows, cancel: &Cancel) -> Result<NeighborModel> {
        let own: &[&str] = if rows.target.classes().is_empty() { &[] } else { &["class_weight"] };
        params.refuse_others("k nearest neighbors", &[&PARAMS[..], own].concat())?;
        let power = params.number("p", 1.0, f64::INFINITY)?.unwrap_or(2.0);
        let metric = resolve_metric(params, rows)?;
        let scale = match params.0.get("scale") {
            Some(value) if value.is_null() => "none",
            _ => params.choice("scale", &["auto", "range", "standard"])?,
        };
        let scale = if scale == "auto" && matches!(metric.as_str(), "heom" | "gower") { "range" } else { scale };
        let divisors: Vec<f64> = rows.features.iter().map(|feature| divisor(&feature.cells, scale)).collect();
        let columns = rows.features.iter().map(|feature| &feature.cells);
        let (numbers, codes) = columns.fold((0, 0), |(numbers, codes), cells| match cells {
            Cells::Numbers(_) => (numbers + 1, codes),
            Cells::Codes(..) => (numbers, codes + 1),
        });
        let weights = vec![1.0; numbers + codes + usize::from(metric == "cosine")];
        let distance = neighbors::distance(&metric, power, weights)?;
        let cells: Vec<&Cells> = rows.features.iter().map(|feature| &feature.cells).collect();
        let arranged = arrange(&cells, rows.count, &divisors, &metric)?;
        let index = thread_pool(1)?
            .install(|| Index::new(arranged, distance, neighbors::search("auto")?, Isa::detect(), cancel))?;
        let is_auto = params.0.get("n_neighbors").is_some_and(|value| value.as_str() == Some("auto"));
        let mut fitted = NeighborModel {
            metric,
            divisors,
            index,
            k: if is_auto { 1 } else { params.integer("n_neighbors", 1, u64::MAX)?.unwrap_or(5) as usize },
            votes: params.choice("weights", &["uniform", "distance", "squared_distance"])?,
            factors: class_factors(params, rows)?,
            target: rows.target.clone(),
            errors: Vec::new(),
        };
        let most = params.integer("max_neighbors", 1, u64::MAX)?.unwrap_or(50) as usize;
        if is_auto {
            fitted.errors = fitted.leave_one_out(&cells, rows.count, most, cancel)?;
            fitted.k = fitted.best_k();
        }
        Ok(fitted)
    }

    /// The smallest number of neighbors with the smallest error.
    fn best_k(&self) -> usize {
        let limit = self.errors.iter().copied().fold(f64::INFINITY, f64::min) * (1.0 + EQUAL);
        self.errors.iter().position(|&error| error <= limit).map_or(1, |place| place + 1)
    }

    /// The shares of the classes, or the mean, of each row.
    pub fn predict(&self, table: &[Cells], rows: usize, cancel: &Cancel) -> Result<Vec<f64>> {
        let outputs = self.target.classes().len().max(1);
        let k = self.k.min(self.index.len());
        let mut says = Vec::with_capacity(rows * outputs);
        let step = (MAX_IN_MEMORY / k.max(1)).max(1);
        let mut first = 0;
        while first < rows {
            let last = (first + step).min(rows);
            let piece: Vec<u32> = (first as u32..last as u32).collect();
            let part: Vec<Cells> = table.iter().map(|cells| cells.take(&piece)).collect();
            let queries = arrange(&part.iter().collect::<Vec<_>>(), piece.len(), &self.divisors, &self.metric)?;
            let nearest = thread_pool(1)?.install(|| self.index.search(&queries, k, cancel))?;
            for query in 0..piece.len() {
                let span = query * nearest.k..(query + 1) * nearest.k;
                says.extend(
                    self.decide(&nearest.rows[span.clone()], &nearest.distances[span]).pop().unwrap_or_default(),
                );
            }
            first = last;
        }
        Ok(says)
    }

    /// What the nearest one, the nearest two and so on say of a row.
    fn decide(&self, near: &[u32], distances: &[f64]) -> Vec<Vec<f64>> {
        let weights = weigh(distances, self.votes);
        match &self.target {
            TargetColumn::Classes(codes, classes) => {
                let (mut votes, mut total) = (vec![0.0; classes.len()], 0.0);
                let one = |(&row, weight): (&u32, f64)| {
                    let code = codes[row as usize] as usize;
                    let weight = weight * self.factors.get(code).copied().unwrap_or(1.0);
                    votes[code] += weight;
                    total += weight;
                    votes.iter().map(|vote| vote / total).collect()
                };
                near.iter().zip(weights).map(one).collect()
            }
            TargetColumn::Numbers(numbers) => {
                let largest = near.iter().fold(0.0, |most: f64, &row| most.max(numbers[row as usize].abs()));
                let unit = if largest > LARGE { 2.0_f64.powi(-64) } else { 1.0 };
                let (mut sum, mut total) = (0.0, 0.0);
                let one = |(&row, weight): (&u32, f64)| {
                    sum += weight * (numbers[row as usize] * unit);
                    total += weight;
                    vec![sum / total / unit]
                };
                near.iter().zip(weights).map(one).collect()
            }
        }
    }

    /// The error for one neighbor, two, and so on, where each row is left out in turn.
    fn leave_one_out(&self, cells: &[&Cells], rows: usize, most: usize, cancel: &Cancel) -> Result<Vec<f64>> {
        let most = most.min(rows.saturating_sub(1));
        if most == 0 {
            return Ok(Vec::new());
        }
        let queries = arrange(cells, rows, &self.divisors, &self.metric)?;
        let nearest = thread_pool(1)?.install(|| self.index.search(&queries, most + 1, cancel))?;
        let mut errors: Vec<Vec<f64>> = vec![Vec::with_capacity(rows); most];
        for row in 0..rows {
            let span = row * nearest.k..(row + 1) * nearest.k;
            let (near, distances) = without_itself(row as u32, &nearest.rows[span.clone()], &nearest.distances[span]);
            let says = self.decide(&near, &distances);
            errors.iter_mut().zip(&says).for_each(|(errors, says)| errors.push(self.error(row, says)));
        }
        Ok(errors.into_iter().map(|errors| exact_sum(errors) / rows as f64).collect())
    }

    fn error(&self, row: usize, says: &[f64]) -> f64 {
        match &self.target {
            TargetColumn::Classes(codes, _) => {
                let best = (0..says.len()).reduce(|best, next| if says[next] > says[best] { next } else { best });
                if best == Some(codes[row] as usize) { 0.0 } else { 1.0 }
            }
            TargetColumn::Numbers(numbers) => {
                let difference = says[0] - numbers[row];
                (difference * difference).min(f64::MAX / numbers.len() as f64)
            }
        }
    }

    /// The rows as a model file holds them.
    pub fn cases(&self, rows: &Rows) -> Result<Cases> {
        let kinds = rows.table()?.kinds();
        let (mut numbers, mut codes) = (Vec::new(), Vec::new());
        for feature in &rows.features {
            match &feature.cells {
                Cells::Numbers(values) => numbers.extend_from_slice(values),
                Cells::Codes(values, _) => codes.extend_from_slice(values),
            }
        }
        let target = match &self.target {
            TargetColumn::Classes(codes, classes) => CasesTarget::Classes(codes.clone(), classes.len()),
            TargetColumn::Numbers(numbers) => CasesTarget::Numbers(numbers.clone()),
        };
        Ok(Cases::new(kinds, numbers, codes, target, self.errors.clone())?)
    }
}

fn resolve_metric(params: &Params, rows: &Rows) -> Result<String> {
    let metric = params.0.get("metric").and_then(|value| value.as_str()).unwrap_or("auto");
    let known = OTHER_NAMES.iter().find(|(name, _)| *name == metric).map_or(metric, |(_, metric)| metric);
    if !METRICS.contains(&known) {
        return params.choice("metric", &METRICS).map(str::to_owned);
    }
    let has_text = |cells: &Cells| matches!(cells, Cells::Codes(_, levels) if !levels.is_empty());
    let text = rows.features.iter().find(|feature| has_text(&feature.cells));
    let has_gap = |cells: &Cells| match cells {
        Cells::Numbers(numbers) => numbers.iter().any(|number| number.is_nan()),
        Cells::Codes(_, levels) => levels.is_empty(),
    };
    let gap = rows.features.iter().find(|feature| has_gap(&feature.cells));
    match (known, text, gap) {
        ("auto", None, None) => Ok("euclidean".to_owned()),
        ("auto", ..) => Ok("heom".to_owned()),
        (metric, Some(text), _) if !matches!(metric, "heom" | "gower" | "hamming") => {
            let message =
                format!("the metric '{metric}' compares numbers, and column \"{}\" holds categories", text.name);
            Err(Failure::new("fit.metric", message).with_hint("metric: heom\nmetric: gower"))
        }
        ("cosine", _, Some(gap)) => {
            let message = format!("column \"{}\" has missing values, and a row with a gap has no direction", gap.name);
            Err(Failure::new("data.missing", message))
        }
        (metric, ..) => Ok(metric.to_owned()),
    }
}

/// What the numbers of a column are divided by.
fn divisor(cells: &Cells, scale: &str) -> f64 {
    let Cells::Numbers(numbers) = cells else { return 1.0 };
    let known: Vec<f64> = numbers.iter().copied().filter(|number| !number.is_nan()).collect();
    let divisor = match scale {
        "range" => {
            let low = known.iter().copied().fold(f64::INFINITY, f64::min);
            let high = known.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            if known.is_empty() { 0.0 } else { (high - low).min(f64::MAX) }
        }
        "standard" if !known.is_empty() => variance(&known).sqrt(),
        _ => 1.0,
    };
    if divisor == 0.0 { 1.0 } else { divisor }
}

fn variance(numbers: &[f64]) -> f64 {
    let count = numbers.len() as f64;
    let mean = exact_sum(numbers.iter().copied()) / count;
    let variance = exact_sum(numbers.iter().map(|number| (number - mean) * (number - mean))) / count;
    if variance.is_finite() { variance } else { f64::MAX }
}

/// Rows as the core compares them.
fn arrange(cells: &[&Cells], rows: usize, divisors: &[f64], metric: &str) -> Result<CoreRows> {
    let mut codes: Vec<&[u32]> = Vec::new();
    let mut columns: Vec<(&[f64], f64)> = Vec::new();
    for (cells, &divisor) in cells.iter().zip(divisors) {
        match cells {
            Cells::Numbers(numbers) => columns.push((numbers, divisor)),
            Cells::Codes(values, _) => codes.push(values),
        }
    }
    let width = columns.len() + usize::from(metric == "cosine");
    let mut numbers = Vec::with_capacity(rows * width);
    for row in 0..rows {
        let scaled = columns.iter().map(|(column, divisor)| (column[row] / divisor).clamp(-f64::MAX, f64::MAX));
        match metric {
            "cosine" => numbers.extend(unit_vector(scaled.collect())?),
            _ => numbers.extend(scaled),
        }
    }
    Ok(CoreRows::new(rows, numbers, &codes)?)
}

/// A vector of length 1, with one more number that is 1 for a row of zeros only.
fn unit_vector(numbers: Vec<f64>) -> Result<Vec<f64>> {
    if numbers.iter().any(|number| number.is_nan()) {
        let message = "a row has missing values, and a row with a gap has no direction";
        return Err(Failure::new("data.missing", message));
    }
    let size = numbers.iter().fold(0.0, |most: f64, number| most.max(number.abs()));
    let is_zero = size == 0.0;
    let moderate: Vec<f64> = numbers.iter().map(|number| number / if is_zero { 1.0 } else { size }).collect();
    let square: f64 = moderate.iter().map(|number| number * number).sum();
    let length = if is_zero { 1.0 } else { square.sqrt() };
    let mut unit: Vec<f64> = moderate.iter().map(|number| number / length).collect();
    unit.push(if is_zero { 1.0 } else { 0.0 });
    Ok(unit)
}

/// The weight of each neighbor relative to the nearest.
fn weigh(distances: &[f64], how: &str) -> Vec<f64> {
    let nearest = distances.first().copied().unwrap_or(0.0);
    let ratio = |distance: &f64| {
        let ratio = nearest / distance;
        if ratio.is_nan() { 1.0 } else { ratio }
    };
    match how {
        "uniform" => vec![1.0; distances.len()],
        "distance" => distances.iter().map(ratio).collect(),
        _ => distances.iter().map(|distance| ratio(distance) * ratio(distance)).collect(),
    }
}

/// The neighbors without the row itself; where others at distance 0 pushed it out, without the last.
fn without_itself(row: u32, near: &[u32], distances: &[f64]) -> (Vec<u32>, Vec<f64>) {
    let own = near.iter().position(|&other| other == row).unwrap_or(near.len().saturating_sub(1));
    let rest = |place: &usize| *place != own;
    let places: Vec<usize> = (0..near.len()).filter(rest).collect();
    (places.iter().map(|&place| near[place]).collect(), places.iter().map(|&place| distances[place]).collect())
}
