//! Rows as a list of entries: the clear way, for any criterion and any column.
//!
//! A node owns a span of one shared list; dividing it reorders that span so that each child owns a part of it. The
//! order of rows within a child stays as it was.

use super::Rows;
pub use super::coded::Coded;
use crate::data::table::{MISSING, Table};
use crate::grow::study;
use crate::grow::study::{Cuts, Figures, Study};
use crate::model::tree::{Leaf, MAX_CHILDREN, Question, Way};
use crate::split::choose::Candidate;
use crate::split::contest::{Missing, ROUNDING, Terms};
use crate::split::draw::{Draw, Lots, ROOT, child_key};
use crate::split::monotone::{Bounds, Trend};
use crate::split::{levels, subset, threshold};
use crate::stats::criterion::Criterion;
use crate::stats::weights::Weights;
use crate::sys::memory::{filled, room};
use crate::sys::pool::Cancel;
use crate::{Error, Result};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// One row of a node, with its weight in units (see [`crate::stats::weights`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The row of the table.
    pub row: u32,
    /// Its weight.
    pub weight: u64,
}

/// Which splits are searched.
#[derive(Clone, Debug, Default)]
pub struct Splits {
    /// Whether the levels of a categorical column are divided into two sets, else each has a branch.
    pub subsets: bool,
    /// Where missing values go; branches for each level know one way only.
    pub missing: Missing,
    /// The fewest rows of a child; not asked of branches for each level.
    pub min_leaf: u32,
    /// The least weight of a child; not asked of branches for each level.
    pub min_weight: f64,
    /// How columns and cuts are drawn; None looks at all columns for their best splits.
    pub draw: Option<Draw>,
    /// For each column whether the answers must rise with it (above 0), fall (below 0), or neither; empty for none.
    pub monotone: Vec<i8>,
}

/// The rows of one node.
#[derive(Clone, Debug)]
pub struct Node<S> {
    span: Range<usize>,
    stats: Vec<S>,
    bounds: Bounds,
    /// See [`crate::split::draw`].
    key: u64,
    /// The columns that may still be asked about, in their order.
    features: Rc<[u32]>,
}

/// The entries of all open nodes.
#[derive(Debug)]
pub struct Entries<'a, C: Criterion> {
    criterion: &'a C,
    columns: Arc<Vec<Coded<'a>>>,
    splits: Splits,
    list: Vec<Entry>,
    scratch: Vec<Entry>,
    lots: Lots,
    cancel: &'a Cancel,
    /// What one unit of the entries' weights is worth.
    unit: f64,
}

impl<'a, C: Criterion> Entries<'a, C> {
    /// All rows with a weight above 0.
    pub fn new(table: &Table<'a>, criterion: &'a C, weights: &Weights, cancel: &'a Cancel) -> Result<Entries<'a, C>> {
        Entries::coded(Arc::new(Coded::all(table, cancel)?), criterion, weights, cancel)
    }

    /// The same for columns that were coded before.
    pub fn coded(
        columns: Arc<Vec<Coded<'a>>>,
        criterion: &'a C,
        weights: &Weights,
        cancel: &'a Cancel,
    ) -> Result<Entries<'a, C>> {
        let mut list = room(weights.units.len())?;
        for (row, &weight) in weights.units.iter().enumerate() {
            if weight > 0 {
                list.push(Entry { row: row as u32, weight });
            }
        }
        let lots = Lots::new(columns.len());
        let (splits, unit) = (Splits::default(), weights.unit);
        Ok(Entries { criterion, columns, splits, list, scratch: Vec::new(), lots, cancel, unit })
    }

    /// The same rows with other splits.
    pub fn searching(self, splits: Splits) -> Entries<'a, C> {
        Entries { splits, ..self }
    }

    /// Checks that each level can have a branch, where it is to have one.
    fn check_levels(&self) -> Result<()> {
        let many = |column: &Coded<'_>| !column.is_numeric() && column.possible() > MAX_CHILDREN;
        match self.columns.iter().position(many) {
            Some(i) if !self.splits.subsets => {
                let levels = self.columns[i].levels();
                let message =
                    format!("column {i} has {levels} different values; at most {MAX_CHILDREN} can be branches");
                Err(Error::data("data.too-many-levels", message))
            }
            _ => Ok(()),
        }
    }

    /// What the answers must do along a column in a node, where it is constrained.
    fn trend(&self, feature: u32, bounds: Bounds) -> Option<Trend> {
        Trend::of(&self.splits.monotone, feature, bounds)
    }

    fn terms(&self, feature: u32, node: &Node<C::Stat>) -> Terms {
        let Splits { missing, min_leaf, min_weight, .. } = self.splits;
        let rounding = ROUNDING * self.criterion.cost(&node.stats);
        Terms { missing, min_leaf, min_weight, trend: self.trend(feature, node.bounds), rounding }
    }

    fn candidate(&self, feature: u32, node: &Node<C::Stat>) -> Result<Option<Candidate>> {
        // A column of half a million rows takes a tenth of a second.
        self.cancel.check()?;
        let column = &self.columns[feature as usize];
        let entries = &self.list[node.span.clone()];
        let cost = self.criterion.cost(&node.stats);
        let terms = self.terms(feature, node);
        let random = self.splits.draw.filter(|draw| draw.cuts).map(|draw| draw.cut(node.key, feature));
        let (law, cancel) = (self.criterion, self.cancel);
        let found = match random {
            Some(words) if column.is_numeric() => threshold::random(law, column, entries, terms, words)?,
            Some(words) => subset::random(law, column, entries, terms, words)?,
            None if column.is_numeric() => threshold::best(law, column, entries, terms)?,
            None if self.splits.subsets => subset::best(law, column, entries, terms, subset::Sets::default(), cancel)?,
            None => {
                let way = Way::levels(column.levels() as u16, column.has_missing());
                Some((levels::remaining_cost(law, column, entries)?, way))
            }
        };
        let gain = |left: f64| (cost - left) / law.weight(&node.stats);
        Ok(found.map(|(left, way)| Candidate::new(feature, gain(left), way)))
    }

    /// Orders the entries of a span by the child they go to, keeping their order, and returns the children's spans.
    fn order(
        &mut self,
        span: Range<usize>,
        children: usize,
        child_of: impl Fn(u32) -> usize,
    ) -> Result<Vec<Range<usize>>> {
        let mut ends = filled(0, children)?;
        let list = &mut self.list[span.clone()];
        list.iter().for_each(|entry| ends[child_of(entry.row)] += 1);
        let mut start = 0;
        let mut spans = Vec::with_capacity(children);
        for end in &mut ends {
            spans.push(span.start + start..span.start + start + *end);
            start += std::mem::replace(end, start);
        }
        // `ends` now holds where each child begins, and moves to where it ends.
        self.scratch.clear();
        self.scratch.try_reserve(list.len())?;
        self.scratch.extend_from_slice(list);
        for entry in &self.scratch {
            let at = &mut ends[child_of(entry.row)];
            list[*at] = *entry;
            *at += 1;
        }
        Ok(spans)
    }

    fn stats(&self, span: &Range<usize>) -> Result<Vec<C::Stat>> {
        let mut stats = filled(C::Stat::default(), self.criterion.width())?;
        self.list[span.clone()].iter().for_each(|e| self.criterion.add(&mut stats, e.row as usize, e.weight));
        Ok(stats)
    }
}

impl<C: Criterion> Study for Entries<'_, C> {
    fn open(&self, node: &Self::Node) -> Vec<u32> {
        node.features.to_vec()
    }

    fn cuts(&self, node: &Self::Node, feature: u32) -> Result<Cuts> {
        let column = &self.columns[feature as usize];
        if !column.is_numeric() {
            return Ok(Cuts::default());
        }
        let entries = &self.list[node.span.clone()];
        let cuts = threshold::all(self.criterion, column, entries, self.terms(feature, node))?;
        Ok(Cuts::of(cuts, self.criterion.cost(&node.stats), self.criterion.weight(&node.stats)))
    }

    fn each_its_own(&self, _: u32) -> Option<Way> {
        None // such a split is always a candidate
    }

    fn known(&self, _: &Self::Node, _: u32) -> Result<Option<[Self::Node; 2]>> {
        Ok(None) // missing values have a branch, or go with a side
    }

    fn sides(&self, node: &Self::Node, feature: u32, thresholds: &[f64]) -> Vec<[Figures; 2]> {
        let column = &self.columns[feature as usize];
        study::sides(self.criterion, &self.list[node.span.clone()], column.codes(), &column.first_above(thresholds))
    }

    fn rows(&self, node: &Self::Node) -> Vec<(u32, f64)> {
        study::weighed(&self.list[node.span.clone()], self.unit)
    }
}

impl<C: Criterion> Rows for Entries<'_, C> {
    type Node = Node<C::Stat>;

    fn outputs(&self) -> usize {
        self.criterion.outputs()
    }

    fn root(&mut self) -> Result<Self::Node> {
        self.check_levels()?;
        if self.list.is_empty() {
            return Err(Error::data("data.empty", "no row has a weight above zero"));
        }
        let span = 0..self.list.len();
        // A column with one possible value has nothing to ask.
        let features = (0..self.columns.len() as u32).filter(|&f| self.columns[f as usize].possible() > 1).collect();
        Ok(Node { stats: self.stats(&span)?, bounds: Bounds::default(), key: ROOT, span, features })
    }

    fn leaf<'v>(&self, node: &Self::Node, value: &'v mut [f64]) -> Leaf<'v> {
        if !node.span.is_empty() {
            self.criterion.value(&node.stats, value);
            node.bounds.clip(value);
        }
        Leaf {
            value,
            weight: self.criterion.weight(&node.stats),
            count: node.span.len() as u64,
            cost: self.criterion.cost(&node.stats),
        }
    }

    fn candidates(&mut self, node: &mut Self::Node, out: &mut Vec<Candidate>) -> Result<()> {
        let Some(draw) = self.splits.draw else {
            for &feature in node.features.iter() {
                out.extend(self.candidate(feature, node)?);
            }
            return Ok(());
        };
        let mut words = draw.lots(node.key);
        let mut wanted = draw.columns;
        while wanted > 0 || out.is_empty() {
            let Some(feature) = self.lots.next(&mut words) else { break };
            wanted = wanted.saturating_sub(1);
            if node.features.binary_search(&feature).is_ok() {
                out.extend(self.candidate(feature, node)?);
            }
        }
        self.lots.put_back();
        Ok(())
    }

    fn divide(&mut self, node: Self::Node, chosen: &Candidate) -> Result<Vec<Self::Node>> {
        let columns = Arc::clone(&self.columns);
        let column = &columns[chosen.feature as usize];
        let way = &chosen.way;
        // The rank of the first number above the cut, so that ranks can be compared instead of numbers.
        let above = match way.question {
            Question::Threshold(cut) => column.values().partition_point(|&value| value <= cut) as u32,
            Question::Route(_) => 0,
        };
        let child_of = |row: u32| match (&way.question, column.codes()[row as usize]) {
            (_, MISSING) => way.missing as usize,
            (Question::Threshold(_), code) => usize::from(code >= above),
            (Question::Route(route), code) => route[code as usize] as usize,
        };
        let spans = self.order(node.span, way.children as usize, child_of)?;
        let again = column.is_numeric() || self.splits.subsets;
        let features: Rc<[u32]> = node.features.iter().copied().filter(|&f| again || f != chosen.feature).collect();
        let stats = spans.iter().map(|span| self.stats(span)).collect::<Result<Vec<_>>>()?;
        let mut bounds = vec![node.bounds; spans.len()];
        if let (Some(trend), Question::Threshold(f64::MIN..=f64::MAX)) =
            (self.trend(chosen.feature, node.bounds), &way.question)
        {
            bounds[..2].copy_from_slice(&trend.divide(self.criterion, &stats[0], &stats[1]));
        }
        let parts = spans.into_iter().zip(stats).zip(bounds).enumerate();
        let child = |(i, ((span, stats), bounds))| Node {
            span,
            stats,
            bounds,
            key: child_key(node.key, i),
            features: features.clone(),
        };
        Ok(parts.map(child).collect())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::data::table::Column;
    use crate::stats::criterion::{ClassCriterion, Classes, Impurity};

    #[test]
    fn dividing_is_stable_and_leaves_the_rest_alone() {
        let codes = [0, 1, 2, 0, 1, 2, 0];
        let table = Table::new(vec![Column::Categorical { codes: &codes, levels: 3 }], 7).unwrap();
        let law = ClassCriterion::new(Impurity::Entropy, Classes { target: &[0; 7], classes: 1, unit: 1.0 });
        let cancel = Cancel::default();
        let weights = Weights::new(&[1.0, 0.0, 1.0, 2.0, 1.0, 1.0, 1.0]).unwrap();
        let mut entries = Entries::new(&table, &law, &weights, &cancel).unwrap();
        let spans = entries.order(1..5, 3, |row| codes[row as usize] as usize).unwrap();
        assert_eq!(spans, vec![1..2, 2..3, 3..5]);
        let rows: Vec<u32> = entries.list.iter().map(|e| e.row).collect();
        assert_eq!(rows, vec![0, 3, 4, 2, 5, 6]);
        assert_eq!(entries.list[1].weight, 2);
    }
}
