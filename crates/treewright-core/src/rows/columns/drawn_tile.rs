//! Random cuts below a node of few rows: a column takes three passes over registers. The cuts are those of
//! [`super::random`].

use super::class_tile::{ClassNode, ClassTile, TileCut, TileGroup, TileScratch, add, shape};
use super::kernels::Isa;
use super::kernels::numbers::{NumberLanes, at_most, range};
use crate::Result;
use crate::simd::multiversion;
use crate::split::sampling::FeatureSampling;
use crate::split::threshold::at_share;
use crate::tolerance::TIE;

/// In nodes whose rows count at most so often, a cut often saves all there is: columns are drawn one by one.
const FEW: u32 = 3;

impl ClassTile<'_> {
    /// The best of random cuts, one a column, and its place among them.
    pub(super) fn search_drawn(
        &mut self,
        draw: &FeatureSampling,
        node: &ClassNode,
    ) -> Result<Option<(usize, TileCut)>> {
        self.scratch.cuts.clear();
        self.scratch.lefts.clear();
        let few = self.scratch.classes.iter().sum::<u32>() <= FEW;
        let (mut words, mut wanted) = (draw.feature_words(node.key), draw.columns);
        // More, one by one, where none of them tells the rows apart; none more where one of them saves all there is.
        while (wanted > 0 || self.scratch.cuts.is_empty()) && self.scratch.cuts.iter().all(|cut| cut.saved < 1.0) {
            let now = if few { 1 } else { wanted.max(1) };
            self.scratch.columns.clear();
            self.scratch.columns.extend((0..now).map_while(|_| self.sampler.next(&mut words)));
            if self.scratch.columns.is_empty() {
                break;
            }
            wanted = wanted.saturating_sub(now);
            draw.cut_shares(self.settings.isa, node.key, &self.scratch.columns, &mut self.scratch.shares);
            self.draw_cuts(node)?;
        }
        self.sampler.reset();
        let cuts = &self.scratch.cuts;
        let most = cuts.iter().map(|cut| cut.saved).fold(f64::NEG_INFINITY, f64::max);
        Ok(cuts.iter().copied().enumerate().find(|(_, cut)| cut.saved >= most - TIE))
    }

    /// Draws a cut of each column that was chosen.
    fn draw_cuts(&mut self, node: &ClassNode) -> Result<()> {
        let (isa, cost) = (self.settings.isa, self.own_cost(node));
        let TileScratch { groups, classes, lefts, labels, factors, columns, shares, cuts, .. } = &mut *self.scratch;
        for &column in &*columns {
            self.numbers.column(self.settings.source, self.block.rows, self.start, column)?;
        }
        let first = cuts.len();
        let rules = (node.members, self.settings.min_leaf);
        cut(isa, isa, self.numbers.all(), (columns, shares), rules, groups, cuts, lefts);
        let shape = shape(&self.settings, (classes, labels, factors), cost);
        for (cut, left) in cuts[first..].iter_mut().zip(lefts[first * classes.len()..].chunks_exact(classes.len())) {
            cut.saved = self.settings.counts.saved_by(&shape, left);
        }
        Ok(())
    }
}

multiversion! {
    /// Cuts the numbers of some columns, each at its share of the way from the least to the greatest; adds the cuts that
    /// leave rows enough on both sides, and how often each class counts on the left.
    fn cut(
        tier: Isa,
        numbers: &[NumberLanes],
        columns: (&[u32], &[f64]),
        node: (u64, u32),
        groups: &[TileGroup],
        cuts: &mut Vec<TileCut>,
        lefts: &mut Vec<u32>,
    ) {
        let (members, min_leaf) = node;
        let classes = groups.last().map_or(0, |group| group.place + 1);
        for (&column, &share) in columns.0.iter().zip(columns.1) {
            let numbers = &numbers[column as usize];
            let (least, greatest) = range(tier, numbers, members);
            if least < greatest {
                let threshold = at_share(least, greatest, share);
                let left = at_most(tier, numbers, members, threshold);
                if left.count_ones() >= min_leaf && (members ^ left).count_ones() >= min_leaf {
                    cuts.push(TileCut { column, threshold, left, saved: 0.0 });
                    lefts.resize(lefts.len() + classes, 0);
                    let end = lefts.len() - classes;
                    add(groups, left, &mut lefts[end..]);
                }
            }
        }
    }
}
