//! Weights of classes, where rows weigh differently and not only by how often they count. Rows stand in the order of
//! their classes, as in [`super::counts`]; their weights, integers of a small unit, move with them in the place of
//! targets.
//!
//! Estimates are made from weights in double precision, told in the smallest weight of all rows: a side that has a row
//! weighs at least 1. What decides is the criterion's own cost of integers, as with any other holder.

use super::bins::MOST;
use super::kernels::Isa;
use super::kernels::codes::count_below;
use super::kernels::formula::Formula;
use super::kernels::histogram::{count_bits, low_bits};
use super::kernels::lanes::LANES;
use super::kernels::lanes::{interesting, is_constant, load};
use super::kernels::weighed::{self, WeightShape};
use super::light::{forbid_few_rows, rows_below};
use super::node::ABSENT;
use super::segments::bits_from;
use super::tally::{Inherit, LaneScan, Leaves, Look, NodeContext, Scan, SidePart, SmallNodes, Tally, Which};
use super::tile;
use crate::Result;
use crate::stats::criterion::{ClassCriterion, Criterion};
use crate::sys::memory::filled;
use crate::tolerance::WEIGHT_NOISE;
use std::ops::Range;

/// The rows of one class in a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Portion {
    /// The class.
    pub class: u32,
    /// How many rows.
    pub len: u32,
    /// What they weigh, in units.
    pub weight: u64,
}

/// Weights of classes under a criterion.
#[derive(Debug)]
pub struct Weighed<'a> {
    formula: Formula<'a>,
    /// The least that a row counts.
    least: f64,
}

/// What a node's rows weigh.
#[derive(Debug, Default)]
pub struct PreparedWeights {
    /// For each class that occurs by how much a unit counts, against the least that a row does.
    factors: Vec<f64>,
    /// What all its rows count.
    classes: Vec<f64>,
    /// For each row of a small node the place of its class.
    places: Vec<u32>,
}

/// The rows on the left of a cut.
#[derive(Clone, Debug, Default)]
pub struct WeightPart {
    /// What they weigh, for each class that occurs.
    left: Vec<u64>,
    rows: usize,
}

/// For each class of a node, what its rows on the left of each bin weigh.
#[derive(Debug, Default)]
pub struct WeightHistogram {
    units: Vec<Vec<u64>>,
    below: Vec<Vec<f64>>,
}

impl<'a> Weighed<'a> {
    /// Rows in the order of their classes, of which each class has so many; `units` are their weights.
    pub fn new(formula: Formula<'a>, classes: &[(u32, u32)], units: &[i64]) -> (Weighed<'a>, Vec<Portion>) {
        let (mut start, mut least) = (0, f64::INFINITY);
        let mut portion = |&(class, len): &(u32, u32)| {
            let span = start..start + len as usize;
            start = span.end;
            let lightest = units[span.clone()].iter().copied().min().unwrap_or(i64::MAX);
            least = least.min(lightest as f64 * formula.criterion.unit_in_cost(class));
            Portion { class, len, weight: units[span].iter().map(|&units| units as u64).sum() }
        };
        let total = classes.iter().map(&mut portion).collect();
        (Weighed { formula, least }, total)
    }

    fn with_stats_of<R>(&self, total: &[Portion], use_them: impl FnOnce(&[u64]) -> R) -> R {
        let width = self.formula.criterion.width();
        let mut few = [0; 8];
        let mut many = if width > few.len() { vec![0; width] } else { Vec::new() };
        let stats = if width > few.len() { &mut many[..] } else { &mut few[..width] };
        total.iter().for_each(|portion| stats[portion.class as usize] = portion.weight);
        use_them(stats)
    }

    fn shape<'s>(&self, context: &NodeContext<'s, Self>) -> WeightShape<'s> {
        let PreparedWeights { classes, .. } = context.prepared;
        let weight = classes.iter().sum::<f64>();
        // Each product of a class's weight and the rest of a side is rounded, however little the node costs.
        WeightShape {
            classes,
            weight,
            cost: context.cost,
            noise: WEIGHT_NOISE * weight / context.cost,
            kernel: self.formula.kernel,
        }
    }
}

/// The classes of a node with the places of their rows.
fn spans(total: &[Portion]) -> impl Iterator<Item = (Portion, Range<usize>)> {
    let mut start = 0;
    total.iter().map(move |&portion| {
        let rows = start..start + portion.len as usize;
        start = rows.end;
        (portion, rows)
    })
}

impl<'a> Leaves for Weighed<'a> {
    type Criterion = ClassCriterion<'a>;
    type Total = Vec<Portion>;

    fn with_stats<R>(&self, total: &Vec<Portion>, use_them: impl FnOnce(&[u64]) -> R) -> R {
        self.with_stats_of(total, use_them)
    }

    fn criterion(&self) -> &ClassCriterion<'a> {
        self.formula.criterion
    }
}

impl<'a> Tally for Weighed<'a> {
    type Prepared = PreparedWeights;
    type Histogram = WeightHistogram;
    type Part = WeightPart;

    fn own_cost(&self, _: &Vec<Portion>, cost: f64) -> f64 {
        cost / self.least
    }

    fn rows_of_weight(&self, _: &Vec<Portion>, _: f64) -> Option<usize> {
        None
    }

    fn prepare(&self, _: Isa, total: &Vec<Portion>, targets: &[i64], prepared: &mut PreparedWeights) -> Result<()> {
        prepared.factors.clear();
        prepared
            .factors
            .extend(total.iter().map(|portion| self.formula.criterion.unit_in_cost(portion.class) / self.least));
        prepared.classes.clear();
        prepared
            .classes
            .extend(total.iter().zip(&prepared.factors).map(|(portion, factor)| portion.weight as f64 * factor));
        prepared.places.clear();
        if targets.len() <= LANES {
            let each = (0..).zip(total).flat_map(|(place, portion)| std::iter::repeat_n(place, portion.len as usize));
            prepared.places.extend(each);
        }
        Ok(())
    }

    fn sides(&self, context: &NodeContext<'_, Self>, part: &WeightPart) -> [Vec<u64>; 2] {
        let mut sides = [vec![0; self.formula.criterion.width()], vec![0; self.formula.criterion.width()]];
        for (portion, &left) in context.total.iter().zip(&part.left) {
            sides[0][portion.class as usize] = left;
            sides[1][portion.class as usize] = portion.weight - left;
        }
        sides
    }

    fn by_code(
        &self,
        context: &NodeContext<'_, Self>,
        codes: &[u16],
        last: u16,
        stats: &mut [u64],
        counts: &mut [u32],
    ) {
        let width = self.formula.criterion.width();
        for (portion, rows) in spans(context.total) {
            for (&code, &units) in codes[rows.clone()].iter().zip(&context.targets[rows]) {
                let place = usize::from(code.min(last));
                stats[place * width + portion.class as usize] += units as u64;
                counts[place] += 1;
            }
        }
    }

    fn histogram(&self, look: &Look<'_, Self>, out: &mut WeightHistogram) -> Result<()> {
        let Look { context, codes, bins, .. } = *look;
        while out.below.len() < context.total.len() {
            out.units.push(filled(0, MOST + 1)?);
            out.below.push(filled(0.0, MOST + 1)?);
        }
        for (units, (_, rows)) in out.units.iter_mut().zip(spans(context.total)) {
            units[..=bins.count()].fill(0);
            weighed::count(&codes[rows.clone()], &context.targets[rows], bins, units);
        }
        Ok(())
    }

    fn estimate(&self, look: &Look<'_, Self>, histogram: &mut WeightHistogram, scan: &mut Scan) {
        let Look { context, bins, gap, absent, .. } = *look;
        let (classes, used, missing) = (context.total.len(), bins.count() + 1, bins.of(ABSENT) + 1);
        for place in 0..classes {
            let (units, below) = (&mut histogram.units[place], &mut histogram.below[place]);
            if gap.left {
                units[..used].iter_mut().for_each(|units| *units += absent.left[place]);
            } else {
                // All rows without a number were counted into one bin.
                units[missing] -= if gap.rows > 0 && missing < used { absent.left[place] } else { 0 };
                weighed::accumulate(&mut units[..used]);
            }
            weighed::convert(context.isa, &units[..used], context.prepared.factors[place], &mut below[..used]);
        }
        let room = scan.room();
        let (edges, bounds) = (&mut room.edges[..bins.count()], &mut room.bounds[..bins.count()]);
        weighed::bins(context.isa, &self.shape(context), &histogram.below[..classes], edges, bounds);
        let rows = (context.len, context.min_leaf);
        forbid_few_rows(rows, |bin| rows_below(look, bin), scan, |_| Some(f32::INFINITY));
    }

    fn at_edge(&self, look: &Look<'_, Self>, edge: usize, histogram: &WeightHistogram, part: &mut WeightPart) {
        part.left.clear();
        part.left.extend(histogram.units[..look.context.total.len()].iter().map(|units| units[edge + 1]));
        part.rows = rows_below(look, edge + 1);
    }

    fn noise(&self, context: &NodeContext<'_, Self>) -> f32 {
        self.shape(context).noise as f32
    }

    fn add(&self, context: &NodeContext<'_, Self>, part: &mut WeightPart, row: usize) {
        if let Some(place) = spans(context.total).position(|(_, rows)| row < rows.end) {
            part.left[place] += context.targets[row] as u64;
            part.rows += 1;
        }
    }

    fn saved(&self, context: &NodeContext<'_, Self>, part: &WeightPart, _: f32) -> Option<f64> {
        let side = |weight: &dyn Fn(u64, u64) -> u64| {
            let mut few = [Portion { class: 0, len: 0, weight: 0 }; 8];
            let portions = context.total.iter().zip(&part.left);
            let each = portions.map(|(&all, &left)| Portion { weight: weight(all.weight, left), ..all });
            match few.get_mut(..context.total.len()) {
                Some(few) => {
                    few.iter_mut().zip(each).for_each(|(to, from)| *to = from);
                    self.with_stats_of(few, |stats| self.formula.criterion.cost(stats))
                }
                None => self.with_stats_of(&each.collect::<Vec<_>>(), |stats| self.formula.criterion.cost(stats)),
            }
        };
        let cost = side(&|all, _| all);
        Some((cost - (side(&|_, left| left) + side(&|all, left| all - left))) / cost)
    }

    fn bound(&self, context: &NodeContext<'_, Self>, before: &WeightPart, after: &WeightPart) -> f64 {
        let weigh = |part: &WeightPart| -> Vec<f64> {
            part.left.iter().zip(&context.prepared.factors).map(|(&left, factor)| left as f64 * factor).collect()
        };
        self.shape(context).bound(&weigh(before), &weigh(after))
    }

    fn divide(
        &self,
        total: &Vec<Portion>,
        targets: &[i64],
        mask: &[u32],
        [left, right]: [&mut Vec<Portion>; 2],
    ) -> Result<()> {
        for side in [&mut *left, &mut *right] {
            side.clear();
            side.try_reserve(total.len())?;
        }
        for (portion, rows) in spans(total) {
            let len = count_bits(mask, rows.clone());
            let mut weight = 0;
            for at in rows.clone().step_by(32) {
                let mut word = bits_from(mask, at) & low_bits(rows.end - at);
                while word != 0 {
                    weight += targets[at + word.trailing_zeros() as usize] as u64;
                    word &= word - 1;
                }
            }
            let sides = [(&mut *left, len, weight), (&mut *right, portion.len - len, portion.weight - weight)];
            for (side, len, weight) in sides {
                side.extend((len > 0).then_some(Portion { class: portion.class, len, weight }));
            }
        }
        Ok(())
    }

    fn part(&self, context: &NodeContext<'_, Self>, which: Which<'_>, part: &mut WeightPart) {
        part.left.clear();
        part.rows = 0;
        match which {
            Which::Nothing | Which::Chosen(_) => part.left.resize(context.total.len(), 0),
            Which::Below(codes, code) => {
                part.rows = count_below(context.isa, codes, code) as usize;
                let span = |(_, rows): (Portion, Range<usize>)| {
                    let inside = codes[rows.clone()].iter().zip(&context.targets[rows]).filter(|(c, _)| **c < code);
                    inside.map(|(_, &units)| units as u64).sum::<u64>()
                };
                part.left.extend(spans(context.total).map(span));
            }
            Which::Missing(codes) => {
                self.part(context, Which::Below(codes, ABSENT), part);
                part.rows = context.len - part.rows;
                part.left.iter_mut().zip(context.total).for_each(|(left, portion)| *left = portion.weight - *left);
            }
        }
        if let Which::Chosen(rows) = which {
            tile::lanes(rows).for_each(|row| self.add(context, part, row));
        }
    }
}

impl SmallNodes for Weighed<'_> {
    fn scan_lanes(&self, context: &NodeContext<'_, Self>, codes: &[u16], floor: f32, scan: &mut LaneScan) -> u32 {
        let query = context.query(floor);
        if is_constant(codes, &query, scan) {
            return 0;
        }
        scan.codes = load(codes, query.rows);
        let PreparedWeights { factors, places, .. } = context.prepared;
        let (left, saved) = (&mut scan.left, &mut scan.saved);
        weighed::lanes(context.isa, &self.shape(context), factors, places, context.targets, &scan.codes, left, saved);
        interesting(scan, &query)
    }
}

impl Inherit for Weighed<'_> {}

impl SidePart for WeightPart {
    fn join(&mut self, other: &WeightPart) {
        self.left.iter_mut().zip(&other.left).for_each(|(left, more)| *left += more);
        self.rows += other.rows;
    }

    fn rows(&self) -> usize {
        self.rows
    }
}
