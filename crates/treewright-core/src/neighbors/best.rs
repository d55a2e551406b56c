//! The k nearest rows found so far.
//!
//! Glossary. A *key* orders rows like their distance and is cheaper (the square, for Euclid). Of equal keys the smaller
//! row number is nearer; the answer therefore does not depend on the order in which rows are offered.

use std::cmp::Ordering;

/// A row and its key, which is never NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// How far, in the order of distances.
    pub key: f64,
    /// The row's number.
    pub row: u32,
}

impl Near {
    #[inline(always)]
    fn nearer(self, other: Near) -> bool {
        self.key < other.key || (self.key == other.key && self.row < other.row)
    }

    fn order(&self, other: &Near) -> Ordering {
        self.key.total_cmp(&other.key).then(self.row.cmp(&other.row))
    }
}

/// Up to so many rows are kept sorted, more in a heap with the farthest on top.
const MAX_SORTED: usize = 48;

/// At most k rows.
#[derive(Clone, Debug)]
pub struct Best {
    k: usize,
    list: Vec<Near>,
    limit: f64,
}

impl Best {
    /// Nothing yet; k is at least 1.
    pub fn new(k: usize) -> Best {
        Best { k, list: Vec::with_capacity(k), limit: f64::INFINITY }
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.list.clear();
        self.limit = f64::INFINITY;
    }

    /// A row with a larger key cannot be among the k; one with an equal key can.
    #[inline(always)]
    pub fn limit(&self) -> f64 {
        self.limit
    }

    /// Takes a row if it is among the k nearest so far.
    #[inline(always)]
    pub fn offer(&mut self, near: Near) {
        if self.k > MAX_SORTED {
            self.heap(near);
        } else if self.list.len() < self.k {
            self.list.push(near);
            self.insert(near);
            if self.list.len() == self.k {
                self.limit = self.list[self.k - 1].key;
            }
        } else if near.nearer(self.list[self.k - 1]) {
            self.insert(near);
            self.limit = self.list[self.k - 1].key;
        }
    }

    /// Puts a row in its place and drops the last of the list.
    #[inline(always)]
    fn insert(&mut self, near: Near) {
        let list = self.list.as_mut_slice();
        let mut at = list.len() - 1;
        while at > 0 && near.nearer(list[at - 1]) {
            list[at] = list[at - 1];
            at -= 1;
        }
        list[at] = near;
    }

    #[inline(never)]
    fn heap(&mut self, near: Near) {
        if self.list.len() < self.k {
            self.list.push(near);
            self.up(near);
        } else if near.nearer(self.list[0]) {
            self.down(near);
        } else {
            return;
        }
        if self.list.len() == self.k {
            self.limit = self.list[0].key;
        }
    }

    /// Lets the last of the heap rise to its place.
    fn up(&mut self, near: Near) {
        let mut at = self.list.len() - 1;
        while at > 0 && self.list[(at - 1) / 2].nearer(near) {
            self.list[at] = self.list[(at - 1) / 2];
            at = (at - 1) / 2;
        }
        self.list[at] = near;
    }

    /// Replaces the top of the heap and lets it sink to its place.
    fn down(&mut self, near: Near) {
        let heap = self.list.as_mut_slice();
        let mut at = 0;
        loop {
            let mut child = 2 * at + 1;
            if child >= heap.len() {
                break;
            }
            if child + 1 < heap.len() && heap[child].nearer(heap[child + 1]) {
                child += 1;
            }
            if !near.nearer(heap[child]) {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = near;
    }

    /// The rows found, nearest first; nothing may be offered afterwards but after [`Best::clear`].
    pub fn sorted(&mut self) -> &[Near] {
        if self.k > MAX_SORTED {
            self.list.sort_unstable_by(Near::order);
        }
        &self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_offers_does_not_show() {
        let all: Vec<Near> = (0..97u32).map(|row| Near { key: f64::from(row * 7 % 5), row }).collect();
        let mut right = all.clone();
        right.sort_by(Near::order);
        for k in [1, 2, 10, 97, 200] {
            for step in [1, 5, 96] {
                let mut best = Best::new(k);
                (0..97).for_each(|i| best.offer(all[i * step % 97]));
                assert_eq!(best.sorted(), &right[..k.min(97)]);
            }
        }
    }

    #[test]
    fn the_limit_is_the_farthest_of_the_k() {
        let mut best = Best::new(2);
        for (key, limit) in [(3.0, f64::INFINITY), (1.0, 3.0), (5.0, 3.0), (2.0, 2.0), (2.0, 2.0)] {
            best.offer(Near { key, row: 0 });
            assert_eq!(best.limit(), limit);
        }
        best.clear();
        assert_eq!(best.limit(), f64::INFINITY);
    }
}
