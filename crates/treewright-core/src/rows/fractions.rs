//! Rows of which a fraction may be in a node: a row that cannot answer a question goes to every child, divided in
//! proportion to the rows that can.
//!
//! Weights are integers of a very small unit, so the fractions of a row add up to the row exactly. A split is admissible
//! only if two children are large enough; numeric cuts pay for having been chosen among many.
//!
//! Glossary: *known* rows can answer the question at hand, *unknown* ones have a missing value there.

use super::Rows;
use super::entries::Entry;
use crate::data::table::{Column, MISSING, Table};
use crate::grow::study;
use crate::grow::study::{Cuts, Figures, Study};
use crate::model::tree::{Leaf, MAX_CHILDREN, Question, SHARE, Way, first_largest};
use crate::rows::deal::{Dealt, apart, deal, present};
use crate::split::choose::Candidate;
use crate::split::shared::{EmptyLeaf, ShareRules, SharedSplit, have_many_levels};
use crate::split::{cut, groups, values};
use crate::stats::criterion::{ClassCriterion, Classes, Criterion, Impurity};
use crate::stats::weights::Weights;
use crate::sys::memory::filled;
use crate::sys::pool::Cancel;
use crate::{Error, Result};
use std::rc::Rc;

/// A column as the splitters read it.
#[derive(Debug)]
pub enum Coded<'a> {
    /// Levels.
    Levels {
        /// The level of each row, or missing.
        codes: &'a [u32],
        /// How many levels there are.
        levels: u32,
        /// Whether there are so many that the gain says little.
        wide: bool,
    },
    /// Numbers.
    Ranks(cut::Ranks),
}

impl Coded<'_> {
    fn codes(&self) -> &[u32] {
        match self {
            Coded::Levels { codes, .. } => codes,
            Coded::Ranks(ranks) => &ranks.codes,
        }
    }
}

/// The rows of one node.
#[derive(Clone, Debug)]
pub struct Node {
    entries: Vec<Entry>,
    stats: Vec<u64>,
    /// The columns that may still be asked about, in their order.
    features: Rc<[u32]>,
}

/// All rows, their columns and the rules.
#[derive(Debug)]
pub struct Fractions<'a> {
    law: ClassCriterion<'a>,
    rules: ShareRules,
    columns: Vec<Coded<'a>>,
    weights: &'a Weights,
    cancel: &'a Cancel,
}

impl<'a> Fractions<'a> {
    /// Codes the columns. The weights should be fine ([`Weights::fine`]).
    pub fn new(
        table: &Table<'a>,
        classes: Classes<'a>,
        weights: &'a Weights,
        rules: ShareRules,
        cancel: &'a Cancel,
    ) -> Result<Fractions<'a>> {
        let own = weights.units.iter().sum::<u64>() as f64 * weights.unit;
        let total = rules.total.unwrap_or(own);
        let mut columns = Vec::with_capacity(table.columns().len());
        for (i, column) in table.columns().iter().enumerate() {
            cancel.check()?;
            columns.push(match *column {
                Column::Numeric(_) | Column::Strided(_) => {
                    Coded::Ranks(cut::Ranks::new(&column.numbers()?, rules.compare_as_f32, cancel)?)
                }
                Column::Categorical { levels, .. } if levels as usize >= MAX_CHILDREN => {
                    let message =
                        format!("column {i} has {levels} different values; at most {MAX_CHILDREN} can be branches");
                    return Err(Error::data("data.too-many-levels", message));
                }
                Column::Categorical { codes, levels } => Coded::Levels { codes, levels, wide: false },
            });
        }
        let levels = |column: &Coded<'_>| if let Coded::Levels { levels, .. } = column { Some(*levels) } else { None };
        let many = have_many_levels(columns.iter().map(levels), total, &rules)?;
        for (column, many) in columns.iter_mut().zip(many) {
            if let Coded::Levels { wide, .. } = column {
                *wide = many;
            }
        }
        let law = ClassCriterion::new(Impurity::Entropy, classes);
        Ok(Fractions { law, rules, columns, weights, cancel })
    }

    /// Sends entries on their ways from a question; those that cannot answer go to every child in fractions.
    fn deal(&self, feature: u32, way: &Way, entries: &[Entry]) -> Result<Dealt> {
        let column = &self.columns[feature as usize];
        let above = match (&way.question, column) {
            (Question::Threshold(cut), Coded::Ranks(ranks)) => ranks.above(*cut),
            _ => 0,
        };
        let codes = column.codes();
        let child_of = |row: u32| match (&way.question, codes[row as usize]) {
            (_, MISSING) => SHARE,
            (Question::Threshold(_), code) => u16::from(code >= above),
            (Question::Route(route), code) => route[code as usize],
        };
        deal(way.children, entries, child_of, self.cancel)
    }

    /// The class weights of a set of entries.
    fn stats(&self, entries: &[Entry]) -> Result<Vec<u64>> {
        let mut stats = filled(0, self.law.width())?;
        entries.iter().for_each(|entry| self.law.add(&mut stats, entry.row as usize, entry.weight));
        Ok(stats)
    }

    fn candidate(&self, feature: u32, node: &Node) -> Result<Option<Candidate>> {
        let weight = self.law.weight(&node.stats);
        let (found, wide) = match &self.columns[feature as usize] {
            Coded::Ranks(ranks) => (cut::best(&self.law, ranks, &node.entries, weight, &self.rules)?, false),
            Coded::Levels { codes, levels, wide } => {
                let values = values::Values::new(&self.law, codes, *levels, &node.entries)?;
                let found = match self.rules.groups {
                    Some(score) if *levels > 2 => {
                        groups::best(&self.law, values, weight, (&self.rules, score), self.cancel)?
                    }
                    _ => values.each_its_own(&self.law, weight, &self.rules)?,
                };
                (found, *wide)
            }
        };
        let candidate = |found: SharedSplit| Candidate {
            feature,
            gain: found.gain,
            way: found.way,
            split_info: found.split_info,
            wide,
        };
        Ok(found.map(candidate))
    }

    /// Whether a question about this column can be of use again below it.
    fn again(&self, feature: u32) -> bool {
        match &self.columns[feature as usize] {
            Coded::Ranks(_) => true,
            Coded::Levels { levels, .. } => self.rules.groups.is_some() && *levels > 2,
        }
    }
}

impl Study for Fractions<'_> {
    fn open(&self, node: &Node) -> Vec<u32> {
        node.features.to_vec()
    }

    fn cuts(&self, node: &Node, feature: u32) -> Result<Cuts> {
        match &self.columns[feature as usize] {
            Coded::Ranks(ranks) => cut::all(&self.law, ranks, &node.entries, self.law.weight(&node.stats), &self.rules),
            Coded::Levels { .. } => Ok(Cuts::default()),
        }
    }

    fn each_its_own(&self, feature: u32) -> Option<Way> {
        match &self.columns[feature as usize] {
            Coded::Levels { levels, .. } => Some(Way { missing: SHARE, ..Way::levels(*levels as u16, false) }),
            Coded::Ranks(_) => None,
        }
    }

    fn known(&self, node: &Node, feature: u32) -> Result<Option<[Node; 2]>> {
        let codes = self.columns[feature as usize].codes();
        let [known, unknown] = apart(&node.entries, |entry| codes[entry.row as usize] != MISSING)?;
        let part = |entries: Vec<Entry>| -> Result<Node> {
            Ok(Node { stats: self.stats(&entries)?, entries, features: node.features.clone() })
        };
        Ok(Some([part(known)?, part(unknown)?]))
    }

    fn sides(&self, node: &Node, feature: u32, thresholds: &[f64]) -> Vec<[Figures; 2]> {
        match &self.columns[feature as usize] {
            Coded::Ranks(ranks) => {
                let above: Vec<u32> = thresholds.iter().map(|cut| ranks.above(*cut)).collect();
                study::sides(&self.law, &node.entries, &ranks.codes, &above)
            }
            Coded::Levels { .. } => Vec::new(),
        }
    }

    fn rows(&self, node: &Node) -> Vec<(u32, f64)> {
        study::weighed(&node.entries, self.weights.unit)
    }
}

impl Rows for Fractions<'_> {
    type Node = Node;

    fn outputs(&self) -> usize {
        self.law.outputs()
    }

    fn root(&mut self) -> Result<Node> {
        let entries = present(self.weights)?;
        if entries.is_empty() {
            return Err(Error::data("data.empty", "no row has a weight above zero"));
        }
        let features = (0..self.columns.len() as u32).collect();
        Ok(Node { stats: self.stats(&entries)?, entries, features })
    }

    fn leaf<'v>(&self, node: &Node, value: &'v mut [f64]) -> Leaf<'v> {
        if !node.entries.is_empty() {
            self.law.value(&node.stats, value);
        } else if self.rules.empty == EmptyLeaf::Majority {
            let first = first_largest(value);
            value.iter_mut().enumerate().for_each(|(class, share)| *share = f64::from(class == first));
        }
        Leaf {
            value,
            weight: self.law.weight(&node.stats),
            count: node.entries.len() as u64,
            cost: self.law.cost(&node.stats),
        }
    }

    fn candidates(&mut self, node: &mut Node, out: &mut Vec<Candidate>) -> Result<()> {
        let (weight, tolerance) = (self.law.weight(&node.stats), self.rules.tolerance);
        let largest = node.stats.iter().copied().max().unwrap_or(0) as f64 * self.weights.unit;
        if weight >= 2.0 * self.rules.min_cases - tolerance && weight - largest > tolerance {
            for &feature in node.features.iter() {
                // A column of a million rows takes a tenth of a second.
                self.cancel.check()?;
                out.extend(self.candidate(feature, node)?);
            }
        }
        Ok(())
    }

    fn divide(&mut self, node: Node, chosen: &Candidate) -> Result<Vec<Node>> {
        let dealt = self.deal(chosen.feature, &chosen.way, &node.entries)?;
        let again = self.again(chosen.feature);
        let features: Rc<[u32]> = node.features.iter().copied().filter(|&f| again || f != chosen.feature).collect();
        let child = |entries: Vec<Entry>| -> Result<Node> {
            Ok(Node { stats: self.stats(&entries)?, entries, features: features.clone() })
        };
        dealt.children.into_iter().map(child).collect()
    }
}
