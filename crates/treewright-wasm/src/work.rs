//! The calculation behind the choice in a node, from the core's report on it.

use crate::documents::{CandidateDocument, CutDocument, NodeWork, Num, SplitDocument};
use crate::figures::{group_of, split_of};
use treewright_core::prelude::{AVERAGE_GAIN, Candidate, Recipe, Report, STOP, Studied};

/// What a page is told of a node. `taken` is the column that the tree asks about there.
pub fn node_work(node: u32, report: &Report, recipe: &Recipe, taken: Option<u32>, classes: bool) -> NodeWork {
    let candidates: Vec<Candidate> = report.columns.iter().filter_map(|column| column.candidate.clone()).collect();
    let impurity = if report.node.weight > 0.0 { report.node.cost / report.node.weight } else { 0.0 };
    let ranking = recipe.chooser.rank(&candidates, impurity);
    let best = ranking.best.map(|place| candidates[place].feature);
    let tied: Vec<u32> = ranking.tied.iter().map(|&place| candidates[place].feature).collect();
    let competes: Vec<u32> =
        candidates.iter().zip(&ranking.competes).filter(|(_, yes)| **yes).map(|(c, _)| c.feature).collect();
    let verdict = |column: &Studied| match &column.candidate {
        _ if taken == Some(column.feature) => {
            if best == taken && column.asked.is_none() {
                "chosen"
            } else {
                "by_hand"
            }
        }
        None if column.cuts.tries > 0 => "no_gain",
        None => "too_few_rows",
        Some(_) if taken.is_none() && report.chosen == Some(column.feature) => "chosen",
        Some(_) if tied.contains(&column.feature) => "tied",
        Some(_) if !competes.contains(&column.feature) => "below_average",
        Some(_) => "less",
    };
    let chosen = taken.or(report.chosen);
    NodeWork {
        node,
        group: group_of(&report.node, classes),
        candidates: report.columns.iter().map(|column| candidate(column, verdict(column), classes)).collect(),
        chosen: chosen.and_then(|feature| report.columns.iter().position(|column| column.feature == feature)),
        reason: None,
        average_gain: ranking.average,
        slack: ranking.average.map(|_| AVERAGE_GAIN),
    }
}

fn candidate(column: &Studied, verdict: &'static str, classes: bool) -> CandidateDocument {
    let found = column.candidate.as_ref();
    // What the node asks by hand need not be the column's best split.
    let written = column.asked.as_ref().or(found);
    let (gain, information) = written.map_or((0.0, 0.0), |written| (written.gain, written.split_info));
    let children: Vec<_> = column.children.iter().map(|child| group_of(child, classes)).collect();
    let known = group_of(&column.known, classes);
    let total: f64 = column.children.iter().map(|child| child.cost).sum();
    let numeric = column.cuts.tries > 0;
    CandidateDocument {
        split: column.way.as_ref().map_or_else(|| no_split(column), |rule| split_of(column.feature, rule)),
        admissible: found.is_some(),
        unknown: column.unknown.as_ref().map(|unknown| group_of(unknown, classes)),
        remaining: if known.weight > 0.0 { total / known.weight } else { 0.0 },
        known,
        children,
        gain,
        split_information: information,
        gain_ratio: if information > 0.0 { gain / information } else { 0.0 },
        verdict,
        price: numeric.then_some(column.cuts.price),
        cuts: numeric.then(|| cuts(column, classes)),
        tried: numeric.then_some(column.cuts.tries),
    }
}

/// The thresholds that were tried, with both sides.
fn cuts(column: &Studied, classes: bool) -> Vec<CutDocument> {
    let pairs = column.cuts.list.iter().zip(&column.sides);
    let one = pairs.map(|(cut, [low, high])| CutDocument {
        below: cut.below,
        above: cut.above,
        threshold: cut.threshold,
        gain: cut.gain,
        sides: [group_of(low, classes), group_of(high, classes)],
    });
    one.collect()
}

/// A column without any split: its best cut, where it has one that does not gain enough.
fn no_split(column: &Studied) -> SplitDocument {
    let best = column.cuts.list.iter().reduce(|best, next| if next.gain > best.gain { next } else { best });
    SplitDocument { feature: column.feature, threshold: best.map(|cut| Num(cut.threshold)), route: None, missing: STOP }
}
