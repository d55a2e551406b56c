//! Stratified folds and held-out rows, along an order that follows from what rows hold, as the Python package makes them.

use crate::failure::Result;
use crate::level::Level;
use crate::table::{Cells, Rows, TargetColumn};
use std::borrow::Cow;
use treewright_core::prelude::{Table, order};

/// The rows in an order that depends on their content and a seed, not on their position or on the order of levels.
pub fn row_order(rows: &Rows, weights: Option<&[f64]>, seed: u64) -> Result<Vec<u32>> {
    let ranked: Vec<Cow<'_, Cells>> = rows.features.iter().map(|feature| ranked(&feature.cells)).collect();
    let table = Table::new(ranked.iter().map(|cells| cells.column()).collect(), rows.count)?;
    Ok(order::shuffled(&table, rows.target.target(), weights, seed)?)
}

/// Codes that do not depend on the order of the levels.
fn ranked(cells: &Cells) -> Cow<'_, Cells> {
    let Cells::Codes(codes, levels) = cells else { return Cow::Borrowed(cells) };
    let mut order: Vec<usize> = (0..levels.len()).collect();
    order.sort_by(|&a, &b| compare(&levels[a], &levels[b]));
    if order.is_sorted() {
        return Cow::Borrowed(cells);
    }
    let mut ranks = vec![0; levels.len()];
    order.iter().enumerate().for_each(|(rank, &level)| ranks[level] = rank as u32);
    let codes = codes.iter().map(|&code| ranks.get(code as usize).copied().unwrap_or(code)).collect();
    Cow::Owned(Cells::Codes(codes, levels.clone()))
}

/// Numbers before texts, each ascending.
fn compare(one: &Level, other: &Level) -> std::cmp::Ordering {
    match (one, other) {
        (Level::Number(one), Level::Number(other)) => one.total_cmp(other),
        (Level::Text(one), Level::Text(other)) => one.cmp(other),
        (Level::Number(_), Level::Text(_)) => std::cmp::Ordering::Less,
        (Level::Text(_), Level::Number(_)) => std::cmp::Ordering::Greater,
    }
}

/// The rows by class, in their order within a class: then every n-th row is a stratified sample.
fn by_class(target: &TargetColumn, mut order: Vec<u32>) -> Vec<u32> {
    if let TargetColumn::Classes(codes, _) = target {
        order.sort_by_key(|&row| codes[row as usize]);
    }
    order
}

/// Divides the rows into stratified parts along their order; each row is in one part, ascending.
pub fn folds(target: &TargetColumn, order: Vec<u32>, parts: usize) -> Vec<Vec<u32>> {
    let rows = by_class(target, order);
    let part = |first: usize| {
        let mut part: Vec<u32> = rows.iter().skip(first).step_by(parts).copied().collect();
        part.sort_unstable();
        part
    };
    (0..parts).map(part).collect()
}

/// Rows to hold out along their order: at least one, and not all.
pub fn held_out(target: &TargetColumn, order: Vec<u32>, share: f64) -> Vec<u32> {
    let rows = order.len();
    let sorted = by_class(target, order);
    let count = ((share * rows as f64).round_ties_even() as usize).clamp(1, rows.saturating_sub(1).max(1));
    let mut held: Vec<u32> = (0..count).map(|i| sorted[(2 * i + 1) * rows / (2 * count)]).collect();
    held.sort_unstable();
    held
}

/// Divides the rows as Weka stratifies them: sort by class by swapping, then take every n-th row.
pub fn weka_folds(codes: &[u32], parts: usize) -> Vec<Vec<u32>> {
    let mut order: Vec<u32> = (0..codes.len() as u32).collect();
    let mut place = 1;
    while place < order.len() {
        let wanted = codes[order[place - 1] as usize];
        let first = place;
        for other in first..order.len() {
            if codes[order[other] as usize] == wanted {
                order.swap(place, other);
                place += 1;
            }
        }
        place += 1;
    }
    folds(&TargetColumn::Numbers(Vec::new()), order, parts)
}

/// All rows but these, which ascend.
pub fn without(count: usize, part: &[u32]) -> Vec<u32> {
    let mut left_out = vec![false; count];
    part.iter().for_each(|&row| left_out[row as usize] = true);
    (0..count as u32).filter(|&row| !left_out[row as usize]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_those_of_python() {
        let target = TargetColumn::Classes(vec![0, 1, 0, 1], vec![Level::Number(0.0), Level::Number(1.0)]);
        assert_eq!(folds(&target, vec![2, 0, 3, 1], 2), [vec![2, 3], vec![0, 1]]);
        assert_eq!(held_out(&TargetColumn::Numbers(vec![0.0; 10]), (0..10).collect(), 0.3).len(), 3);
        assert_eq!(weka_folds(&[0, 1, 0, 1, 1], 2), [vec![0, 1, 4], vec![2, 3]]);
        assert_eq!(without(4, &[1, 2]), [0, 3]);
    }
}
