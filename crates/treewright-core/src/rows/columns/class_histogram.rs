//! Histograms of classes: how many rows of each class have codes in each bin.

use super::bins::Bins;
use super::inherited::Inherited;
use super::kernels::Isa;
use super::kernels::histogram::{self, ClassCounts};
use super::node::ABSENT;
use super::segments::{Segment, places, size};
use crate::Result;

/// For each class of a node how many of its rows are in each bin, one place further on; after the estimates how many are
/// on its left.
#[derive(Debug, Default)]
pub struct ClassHistogram {
    /// A class that occurs each.
    pub below: Vec<ClassCounts>,
    /// Whether the counts of both classes are packed in the first.
    pub packed: bool,
}

impl ClassHistogram {
    /// Makes room for so many classes; what is there is to be overwritten.
    pub fn begin(&mut self, classes: usize) -> Result<&mut [ClassCounts]> {
        if self.below.len() < classes {
            // 16 KB a class: with many classes this is the largest piece of memory of all.
            self.below.try_reserve_exact(classes - self.below.len())?;
            self.below.resize(classes, [0; _]);
        }
        self.packed = false;
        Ok(&mut self.below[..classes])
    }

    /// A copy for the children of a node of so many rows and classes, if they could use it.
    pub fn keep(&self, rows: usize, classes: usize, bins: &Bins) -> Result<Option<Inherited>> {
        if self.packed || !Inherited::pays(rows, bins.count(), classes) {
            return Ok(None);
        }
        Inherited::of(bins, self.below[..classes].iter().map(|below| &below[1..])).map(Some)
    }

    /// Takes over what a node has inherited.
    pub fn recall(&mut self, inherited: &Inherited) -> Result<()> {
        let (bins, used) = (inherited.bins.count(), used(&inherited.bins));
        let below = self.begin(inherited.counts.len() / bins)?;
        for (below, counts) in below.iter_mut().zip(inherited.counts.chunks_exact(bins)) {
            below[0] = 0;
            below[1..=bins].copy_from_slice(counts);
            below[bins + 1..used].fill(0);
        }
        Ok(())
    }

    /// Divides the histogram of a node between its smaller and its larger child, where they could use theirs: counts the
    /// codes of the smaller one, of which the rest is the larger one's.
    pub fn subtract(
        &mut self,
        mut inherited: Inherited,
        node: &[Segment],
        [small, large]: [&[Segment]; 2],
        codes: &[u16],
    ) -> Result<[Option<Inherited>; 2]> {
        let (bins, (_, classes)) = (inherited.bins, size(node));
        let pays = |total: &[Segment]| {
            let (rows, own) = size(total);
            own == classes && Inherited::pays(rows, bins.count(), classes)
        };
        if !pays(large) {
            return Ok([None, None]);
        }
        let below = self.begin(classes)?;
        let place = |class: u32| places(node).find(|(_, segment, _)| segment.class == class);
        // (All forms count alike.)
        count(Isa::detect(), small, codes, &bins, below, |_, class| place(class).map_or(0, |(place, ..)| place));
        for (counts, below) in inherited.counts.chunks_exact_mut(bins.count()).zip(below.iter()) {
            counts.iter_mut().zip(&below[1..]).for_each(|(count, small)| *count -= small);
        }
        let counted = match pays(small) {
            true => Some(Inherited::of(&bins, below.iter().map(|below| &below[1..]))?),
            false => None,
        };
        Ok([counted, Some(inherited)])
    }
}

/// How far counts are in use. One more than the bins: bin `b` lies between the counts at `b` and `b + 1`. Kernels take 16
/// at a time.
fn used(bins: &Bins) -> usize {
    bins.count().next_multiple_of(16) + 16
}

/// Counts rows into bins, class by class; `place` tells where a class is among those of the node.
pub fn count(
    isa: Isa,
    total: &[Segment],
    codes: &[u16],
    bins: &Bins,
    below: &mut [ClassCounts],
    place: impl Fn(usize, u32) -> usize,
) {
    let used = used(bins);
    below.iter_mut().for_each(|below| below[..used].fill(0));
    for (at, segment, rows) in places(total) {
        histogram::count(isa, &codes[rows], bins, segment.times, &mut below[place(at, segment.class)]);
    }
}

/// Leaves out the rows without a number, so many of each class, all of which were counted into one bin, and adds up from
/// the left.
pub fn accumulate(isa: Isa, absent: &[u32], bins: &Bins, below: &mut [ClassCounts]) {
    let (used, bin) = (used(bins), bins.of(ABSENT) + 1);
    if bin < used {
        below.iter_mut().zip(absent).for_each(|(below, absent)| below[bin] -= absent);
    }
    below.iter_mut().for_each(|below| histogram::accumulate(isa, below, used));
}

/// Adds rows without a number, so many of each class, to all that is on the left.
pub fn shift(absent: &[u32], bins: &Bins, below: &mut [ClassCounts]) {
    for (below, absent) in below.iter_mut().zip(absent) {
        below[..used(bins)].iter_mut().for_each(|count| *count += absent);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn counted(total: &[Segment], codes: &[u16], bins: &Bins) -> Vec<u32> {
        let mut histogram = ClassHistogram::default();
        let (rows, classes) = size(total);
        count(Isa::detect(), total, codes, bins, histogram.begin(classes).unwrap(), |place, _| place);
        histogram.keep(rows, classes, bins).unwrap().unwrap().counts
    }

    #[test]
    fn what_remains_of_a_node_is_its_larger_child() {
        let noise = |i: u32| (i.wrapping_mul(2_654_435_761) >> 15) as u16;
        let segment = |class: u32, len: u32, times: u32| Segment { class, len, times };
        let node = [segment(1, 9000, 1), segment(4, 7000, 1), segment(4, 5000, 3)];
        let codes: Vec<u16> = (0..21_000).map(noise).collect();
        let bins = Bins::new(0, u16::MAX, 512);
        for turn in 2..9 {
            let goes = |i: &u32| noise(*i ^ 0x5555) % turn == 0;
            let side = |left: bool| -> (Vec<Segment>, Vec<u16>) {
                let rows = |(_, _, span): (usize, Segment, std::ops::Range<usize>)| {
                    (span.start as u32..span.end as u32).filter(|i| goes(i) == left).collect::<Vec<u32>>()
                };
                let parts: Vec<Vec<u32>> = places(&node).map(rows).collect();
                let total = node.iter().zip(&parts).map(|(old, rows)| Segment { len: rows.len() as u32, ..*old });
                (total.collect(), parts.iter().flatten().map(|&i| codes[i as usize]).collect())
            };
            let ((small, few), (large, many)) = (side(true), side(false));
            let inherited = Inherited { bins, counts: counted(&node, &codes, &bins) };
            let mut scratch = ClassHistogram::default();
            let [first, second] = scratch.subtract(inherited, &node, [&small, &large], &few).unwrap();
            assert_eq!(second.unwrap().counts, counted(&large, &many, &bins));
            let pays = Inherited::pays(few.len(), bins.count(), 2);
            assert_eq!(first.map(|first| first.counts), pays.then(|| counted(&small, &few, &bins)));
        }
    }
}
