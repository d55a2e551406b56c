//! The calculation behind the choice in a node, from the core's report on it.

use crate::documents::{CandidateDocument, CutDocument, Group, NodeWork, Num, SplitDocument};
use crate::figures::{group_of, split_of};
use treewright_core::prelude::{AVERAGE_GAIN, Candidate, ColumnStudy, Figures, NodeStudy, Recipe, SHARE, STOP};

/// Scores that differ by no more than this are tied.
const TIE: f64 = 1e-9;

/// A node, what is known of it, and how its numbers are read.
pub struct NodeReport<'a> {
    /// The number of the node for the page.
    pub node: u32,
    /// What the core says.
    pub report: &'a NodeStudy,
    /// How the tree is grown.
    pub recipe: &'a Recipe,
    /// The column that the tree asks about here.
    pub taken: Option<u32>,
    /// The algorithm, in the words of pages.
    pub algorithm: &'static str,
    /// Whether classes are predicted.
    pub classes: bool,
    /// Whether the impurity is an entropy.
    pub entropy: bool,
    /// Whether rows with a missing value are shared out.
    pub shares: bool,
    /// Whether the choice goes by the gain ratio.
    pub by_ratio: bool,
}

impl NodeReport<'_> {
    /// What a page is told.
    pub fn work(&self) -> NodeWork {
        let report = self.report;
        // A pure node has nothing to choose.
        let columns: &[ColumnStudy] = if report.node.cost > 0.0 { &report.columns } else { &[] };
        let candidates: Vec<Candidate> = columns.iter().filter_map(|column| column.candidate.clone()).collect();
        let impurity = if report.node.weight > 0.0 { report.node.cost / report.node.weight } else { 0.0 };
        let ranking = self.recipe.chooser.rank(&candidates, impurity);
        let feature = |place: &usize| candidates[*place].feature;
        let ranked = Ranked {
            best: ranking.best.as_ref().map(feature),
            tied: ranking.tied.iter().map(feature).collect(),
            competes: (0..candidates.len())
                .filter(|&place| ranking.competes[place])
                .map(|place| feature(&place))
                .collect(),
        };
        let mut listed: Vec<CandidateDocument> =
            columns.iter().map(|column| self.candidate(column, self.verdict(column, &ranked))).collect();
        self.sort(&mut listed, &ranked);
        let chosen = self.taken.or(report.chosen);
        let place = |feature: u32| listed.iter().position(|candidate| candidate.split.feature == feature);
        let own = ranked.best.and_then(place).map(|place| (self.algorithm, place));
        NodeWork {
            node: self.node,
            group: group_of(&report.node, self.classes),
            chosen: chosen.and_then(place),
            would_choose: own.into_iter().collect(),
            candidates: listed,
            reason: None,
            average_gain: ranking.average,
            slack: ranking.average.map(|_| AVERAGE_GAIN),
        }
    }

    fn verdict(&self, column: &ColumnStudy, ranked: &Ranked) -> &'static str {
        let feature = column.feature;
        match &column.candidate {
            _ if self.taken == Some(feature) && ranked.best == self.taken && column.asked.is_none() => "chosen",
            _ if self.taken == Some(feature) => "by_hand",
            None if column.cuts.list.is_empty() => "too_few_rows",
            None => "no_gain",
            Some(_) if !ranked.competes.contains(&feature) => "below_average",
            Some(_) if ranked.tied.contains(&feature) && ranked.best != Some(feature) => "tied",
            Some(_) if self.taken.is_none() && ranked.best == Some(feature) => "chosen",
            Some(_) => "less",
        }
    }

    fn candidate(&self, column: &ColumnStudy, verdict: &'static str) -> CandidateDocument {
        let known = group_of(&column.known, self.classes);
        let unknown = column.unknown.as_ref().map(|unknown| group_of(unknown, self.classes));
        let mut sides: Vec<&Figures> = column.children.iter().collect();
        let mut split = column.way.as_ref().map(|rule| split_of(column.feature, rule));
        // No adjusted gain is positive: the best threshold is listed.
        let places = 0..column.cuts.list.len();
        let best = places.reduce(|a, b| if column.cuts.list[b].gain > column.cuts.list[a].gain { b } else { a });
        if let (true, Some(best)) = (sides.is_empty(), best) {
            sides = column.sides.get(best).map_or(Vec::new(), |[low, high]| vec![low, high]);
            split = Some(self.no_split(column.feature, Some(column.cuts.list[best].threshold)));
        }
        let weight = self.report.node.weight;
        let left = sides.iter().map(|side| side.cost).sum::<f64>();
        let remaining = if known.weight > 0.0 { left / known.weight } else { 0.0 };
        let gain = if sides.is_empty() { 0.0 } else { (column.known.cost - left) / weight - column.cuts.price };
        let parts = sides.iter().map(|side| side.weight).chain(unknown.as_ref().map(|group| group.weight));
        let information = if self.entropy && !sides.is_empty() { entropy_of(&parts.collect::<Vec<_>>()) } else { 0.0 };
        let admissible = column.candidate.is_some();
        let numeric = !column.cuts.list.is_empty();
        CandidateDocument {
            split: split.unwrap_or_else(|| self.no_split(column.feature, None)),
            admissible,
            known,
            unknown,
            children: sides.iter().map(|side| group_of(side, self.classes)).collect(),
            remaining,
            gain,
            split_information: information,
            gain_ratio: if admissible && information > 0.0 { gain / information } else { 0.0 },
            verdict,
            price: numeric.then_some(column.cuts.price),
            cuts: numeric.then(|| self.cuts(column)),
            tried: numeric.then_some(column.cuts.admissible as u32),
        }
    }

    /// The thresholds that were tried, with both sides.
    fn cuts(&self, column: &ColumnStudy) -> Vec<CutDocument> {
        let pairs = column.cuts.list.iter().zip(&column.sides);
        let side = |figures: &Figures| -> Group { group_of(figures, self.classes) };
        let one = pairs.map(|(cut, [low, high])| CutDocument {
            below: cut.below,
            above: cut.above,
            threshold: cut.threshold,
            gain: cut.gain,
            sides: [side(low), side(high)],
        });
        one.collect()
    }

    /// What would be asked of a column that has no admissible split.
    fn no_split(&self, feature: u32, threshold: Option<f64>) -> SplitDocument {
        let missing = if self.shares { SHARE } else { STOP };
        SplitDocument { feature, threshold: threshold.map(Num), route: None, missing }
    }

    /// The best first: those that compete by their score, then the others; tied ones in the order of the columns.
    fn sort(&self, listed: &mut [CandidateDocument], ranked: &Ranked) {
        let tied_score = |candidate: &CandidateDocument| {
            let score = if self.by_ratio { candidate.gain_ratio } else { candidate.gain };
            if ranked.tied.contains(&candidate.split.feature) { f64::INFINITY } else { score }
        };
        let key = |candidate: &CandidateDocument| match candidate.admissible {
            true if ranked.competes.contains(&candidate.split.feature) => (0, tied_score(candidate)),
            true => (1, candidate.gain),
            false => (2, candidate.gain),
        };
        listed.sort_by(|a, b| {
            let ((first, one), (second, other)) = (key(a), key(b));
            first.cmp(&second).then(other.total_cmp(&one)).then(a.split.feature.cmp(&b.split.feature))
        });
        // Runs of scores that count as equal stand in the order of the columns.
        let mut start = 0;
        for end in 1..=listed.len() {
            let (group, best) = key(&listed[start]);
            if end == listed.len() || key(&listed[end]).0 != group || best - key(&listed[end]).1 > TIE {
                listed[start..end].sort_by_key(|candidate| candidate.split.feature);
                start = end;
            }
        }
    }
}

/// How the chooser ranks columns.
struct Ranked {
    best: Option<u32>,
    tied: Vec<u32>,
    competes: Vec<u32>,
}

/// The entropy of parts, in bits.
fn entropy_of(weights: &[f64]) -> f64 {
    let total: f64 = weights.iter().sum();
    let term = |weight: &f64| if *weight > 0.0 { -(weight / total) * (weight / total).log2() } else { 0.0 };
    weights.iter().map(term).sum()
}
