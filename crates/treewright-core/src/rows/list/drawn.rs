//! Nodes whose rows lie in several processes and whose columns, or cuts, are drawn. All processes draw the same.

use super::{List, ListNode};
use crate::Result;
use crate::split::choose::Candidate;
use crate::split::sampling::FeatureSampling;
use crate::split::{subset, threshold};
use crate::stats::criterion::{AnyCriterion, Criterion};

impl<C: Criterion> List<'_, C> {
    /// The splits of drawn columns: of all that are wanted at once, then of one after the other until one has a split.
    pub(super) fn drawn_splits_everywhere(
        &mut self,
        node: &ListNode<C::Stat>,
        sampling: &FeatureSampling,
        out: &mut Vec<Candidate>,
    ) -> Result<()> {
        let mut words = sampling.feature_words(node.start.key);
        let mut wanted = sampling.columns;
        while wanted > 0 || out.is_empty() {
            let drawn: Vec<u32> = (0..wanted.max(1)).map_while(|_| self.sampler.next(&mut words)).collect();
            if drawn.is_empty() {
                break;
            }
            wanted = 0;
            let may_ask = |feature: &u32| node.start.features.binary_search(feature).is_ok();
            let features: Vec<u32> = drawn.into_iter().filter(may_ask).collect();
            match sampling.cuts {
                true => self.random_splits_everywhere(node, &features, sampling, out)?,
                false => self.divisions_everywhere(node, &features, out)?,
            }
        }
        self.sampler.reset();
        Ok(())
    }

    /// A random split of each of some columns.
    fn random_splits_everywhere(
        &self,
        node: &ListNode<C::Stat>,
        features: &[u32],
        sampling: &FeatureSampling,
        out: &mut Vec<Candidate>,
    ) -> Result<()> {
        let levels = self.totals_of_levels(node, features)?;
        let mut bins = self.bin_sums(node, features)?.into_iter();
        for (&feature, levels) in features.iter().zip(levels) {
            self.cancel.check()?;
            let mut words = sampling.cut_words(node.start.key, feature);
            let rules = self.division_rules(feature, node, self.criterion.cost(&node.stats));
            let division = if let Some(totals) = levels {
                let summed = totals.by(self.criterion);
                let criterion: AnyCriterion<'_, C::Stat> = &summed;
                subset::random(&criterion, &totals.column, &totals.entries()?, rules, words)?
            } else {
                let Some(sums) = bins.next() else { break };
                let (low, high) = sums.range().unwrap_or((0.0, 0.0));
                let cut = if low < high { threshold::between(low, high, &mut words) } else { f64::INFINITY };
                let totals = self.totals_of_bins(feature, node, &sums, &sums.have_inside(cut)?)?;
                let summed = totals.by(self.criterion);
                let criterion: AnyCriterion<'_, C::Stat> = &summed;
                threshold::at(&criterion, &totals.column, &totals.entries()?, rules, cut, low < high)?
            };
            out.extend(division.map(|division| self.divided(feature, node, division)));
        }
        Ok(())
    }
}
