//! What other algorithms would choose in a node, with their default parameters.

use crate::failure::Result;
use crate::level::Level;
use crate::params::Params;
use crate::recipes::tree_words;
use crate::spec::Algorithm;
use crate::table::{Cells, FeatureColumn, Rows};
use treewright_core::prelude::{Cancel, Candidate, Forest, StudyRequest, grow_tree, study_tree};

/// Larger nodes are not searched again.
const MAX_CELLS: usize = 1 << 21;
/// Gains that are equal to so many digits are tied.
const DIGITS: f64 = 1e11;

/// What another algorithm would do in a node.
pub struct OtherChoice {
    /// The algorithm.
    pub name: &'static str,
    /// The column that it would ask about.
    pub feature: Option<u32>,
}

/// What each algorithm but one would do.
pub fn choices(
    rows: &Rows,
    weights: &[f64],
    total: f64,
    without: Algorithm,
    cancel: &Cancel,
) -> Result<Vec<OtherChoice>> {
    let mut choices = Vec::new();
    if rows.target.classes().is_empty() || rows.count == 0 || rows.count * rows.features.len() > MAX_CELLS {
        return Ok(choices);
    }
    for (name, algorithm) in [("id3", Algorithm::Id3), ("c45", Algorithm::C45), ("cart", Algorithm::Cart)] {
        if algorithm == without {
            continue;
        }
        let read = |feature: &FeatureColumn| match algorithm {
            Algorithm::Id3 => feature.with(one_level_per_value(&feature.cells)),
            _ => feature.with(numbers_again(&feature.cells)),
        };
        let rows = Rows { features: rows.features.iter().map(read).collect(), ..rows.clone() };
        let feature = choice(&rows, weights, total, algorithm, cancel)?;
        choices.push(OtherChoice { name, feature });
    }
    Ok(choices)
}

fn choice(rows: &Rows, weights: &[f64], total: f64, algorithm: Algorithm, cancel: &Cancel) -> Result<Option<u32>> {
    let mut words = tree_words(algorithm, &Params::default(), rows)?;
    if let Some(shares) = &mut words.fractions {
        shares.total = Some(total);
    }
    let recipe = words.read()?;
    words.min_samples_split = u32::MAX;
    let table = rows.table()?;
    let leaf = grow_tree(&words.read()?, &table, rows.target.target(), Some(weights), cancel)?;
    let forest = Forest::grown(table.kinds(), vec![leaf])?;
    let request = StudyRequest { forest: &forest, nodes: Some(&[0]), cuts: 1, rows: 0, as_asked: false, cancel };
    let reports = study_tree(&recipe, &table, rows.target.target(), Some(weights), &request)?;
    let Some(report) = reports.first() else { return Ok(None) };
    let rounded = |number: f64| (number * DIGITS).round_ties_even() / DIGITS;
    let candidates: Vec<Candidate> = report
        .columns
        .iter()
        .filter_map(|column| column.candidate.clone())
        .map(|split| Candidate { gain: rounded(split.gain), split_info: rounded(split.split_info), ..split })
        .collect();
    let shares: f64 = report.node.value.iter().map(|share| share * share).sum();
    let best = recipe.chooser.rank(&candidates, 1.0 - shares).best;
    Ok(best.map(|place| candidates[place].feature))
}

/// A level for each value in the node, as ID3 reads a column.
fn one_level_per_value(cells: &Cells) -> Cells {
    let Cells::Codes(codes, levels) = cells.to_levels() else { return cells.clone() };
    let mut present = vec![false; levels.len()];
    codes.iter().for_each(|&code| {
        if let Some(there) = present.get_mut(code as usize) {
            *there = true;
        }
    });
    let kept: Vec<usize> = (0..levels.len()).filter(|&code| present[code]).collect();
    let mut place = vec![0; levels.len()];
    kept.iter().enumerate().for_each(|(at, &code)| place[code] = at as u32);
    let codes = codes.iter().map(|&code| place.get(code as usize).copied().unwrap_or(code)).collect();
    Cells::Codes(codes, kept.iter().map(|&code| levels[code].clone()).collect())
}

/// Levels that are numbers as numbers again.
fn numbers_again(cells: &Cells) -> Cells {
    let Cells::Codes(codes, levels) = cells else { return cells.clone() };
    let numbers: Vec<f64> = levels
        .iter()
        .filter_map(|level| if let Level::Number(number) = level { Some(*number) } else { None })
        .collect();
    if levels.is_empty() || numbers.len() < levels.len() {
        return cells.clone();
    }
    Cells::Numbers(codes.iter().map(|&code| numbers.get(code as usize).copied().unwrap_or(f64::NAN)).collect())
}
