//! Who sends what to whom: rounds for any number of processes, each with one message to one process and one from another.
//!
//! Process r thinks of the parts of all processes as a ring that begins at its own: part i belongs to process r + i. With
//! p processes, `reach` halves from p to 1 (rounded up). In the round from `reach` to `skip` = half of it, process r sends
//! its parts skip..reach to process r + skip, which knows them as its parts 0..reach - skip. After about log2(p) rounds
//! part 0 has met everything that is meant for it, and p - 1 parts were sent. In the opposite direction the same rounds
//! hand out parts to everybody. (Träff, "Optimal, non-pipelined reduce-scatter and allreduce algorithms", 2024; for powers
//! of two it is recursive halving and doubling.)

use std::collections::BTreeSet;

/// One round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    /// The parts that are known before a round of collecting, and after a round of handing out.
    pub reach: usize,
    /// The distance to the process that is sent to, or received from.
    pub skip: usize,
}

/// The rounds in which parts are collected, for so many processes; those of handing out are the same from the last on.
pub fn rounds(size: usize) -> Vec<Round> {
    let mut rounds = Vec::new();
    let mut reach = size;
    while reach > 1 {
        let skip = reach.div_ceil(2);
        rounds.push(Round { reach, skip });
        reach = skip;
    }
    rounds
}

/// The processes that one of `size` processes exchanges messages with, in rising order.
pub fn neighbors(rank: usize, size: usize) -> BTreeSet<usize> {
    rounds(size).iter().flat_map(|round| [above(rank, round.skip, size), below(rank, round.skip, size)]).collect()
}

/// The process that comes `distance` after another one.
pub fn above(rank: usize, distance: usize, size: usize) -> usize {
    (rank + distance) % size
}

/// The process that comes `distance` before another one.
pub fn below(rank: usize, distance: usize, size: usize) -> usize {
    (rank + size - distance) % size
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_neighbors_and_few_parts() {
        for size in 1..200 {
            let rounds = rounds(size);
            assert_eq!(rounds.len(), size.next_power_of_two().ilog2() as usize, "{size} processes");
            assert_eq!(rounds.iter().map(|round| round.reach - round.skip).sum::<usize>(), size - 1);
            for rank in 0..size {
                let mine = neighbors(rank, size);
                assert!(mine.len() <= 2 * rounds.len() && !mine.contains(&rank));
                assert!(mine.iter().all(|&other| neighbors(other, size).contains(&rank)));
            }
        }
    }
}
