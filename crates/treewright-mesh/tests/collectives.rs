//! Every process gets the same sums, maxima and lists, for any number of processes and both ways to add.

#![allow(clippy::unwrap_used)]

mod common;

use common::{quick, together};
use treewright_core::prelude::Peers;
use treewright_mesh::Settings;

const SIZES: [usize; 11] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 17, 20];
/// Everything as a whole, and everything in parts.
const WAYS: [usize; 2] = [usize::MAX, 0];

/// Numbers that differ by process and place, some near the end of the range.
fn words(rank: usize, count: usize) -> Vec<u64> {
    (0..count as u64)
        .map(|place| (rank as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(place as u32))
        .collect()
}

#[test]
fn sums_and_maxima_are_those_of_all_processes() {
    for size in SIZES {
        for whole_bytes in WAYS {
            for count in [0, 1, 5, size, 700] {
                let settings = Settings { whole_bytes, ..quick() };
                let results = together(size, &settings, |mesh| {
                    let (mut sum, mut most) = (words(mesh.rank(), count), words(mesh.rank(), count));
                    mesh.add(&mut sum).unwrap();
                    mesh.max(&mut most).unwrap();
                    (sum, most)
                });
                let all: Vec<Vec<u64>> = (0..size).map(|rank| words(rank, count)).collect();
                let at = |place: usize| all.iter().map(move |words| words[place]);
                let sum: Vec<u64> = (0..count).map(|place| at(place).fold(0, u64::wrapping_add)).collect();
                let most: Vec<u64> = (0..count).map(|place| at(place).max().unwrap()).collect();
                assert!(results.iter().all(|result| *result == (sum.clone(), most.clone())), "{size}, {count} words");
            }
        }
    }
}

#[test]
fn each_process_gets_its_part_of_a_sum() {
    for size in SIZES {
        // Uneven parts, some of them empty.
        let ends: Vec<usize> = (0..size)
            .scan(0, |end, rank| {
                *end += rank % 4 * 3;
                Some(*end)
            })
            .collect();
        let parts: Vec<_> =
            (0..size).map(|rank| if rank == 0 { 0..ends[0] } else { ends[rank - 1]..ends[rank] }).collect();
        let count = ends[size - 1];
        let results = together(size, &quick(), |mesh| {
            let mut sum = words(mesh.rank(), count);
            mesh.add_parts(&mut sum, &parts).unwrap();
            sum[parts[mesh.rank()].clone()].to_vec()
        });
        let sum = |place: usize| (0..size).fold(0, |sum: u64, rank| sum.wrapping_add(words(rank, count)[place]));
        assert_eq!(results.concat(), (0..count).map(sum).collect::<Vec<_>>(), "{size} processes");
    }
}

#[test]
fn lists_come_in_the_order_of_ranks() {
    for size in SIZES {
        let list = |rank: usize| vec![rank as u8; rank * 37 % 101];
        let results = together(size, &quick(), |mesh| mesh.gather(&list(mesh.rank())).unwrap());
        let all: Vec<Vec<u8>> = (0..size).map(list).collect();
        assert!(results.iter().all(|result| *result == all), "{size} processes");
    }
}

#[test]
fn each_process_gets_what_was_sent_to_it() {
    let part = |from: usize, to: usize| vec![(from * 16 + to) as u8; (from * 7 + to * 3) % 50];
    for size in SIZES {
        let results = together(size, &quick(), |mesh| {
            let parts: Vec<Vec<u8>> = (0..size).map(|to| part(mesh.rank(), to)).collect();
            mesh.exchange(&parts).unwrap()
        });
        for (to, result) in results.iter().enumerate() {
            assert_eq!(*result, (0..size).map(|from| part(from, to)).collect::<Vec<_>>(), "{size} processes");
        }
    }
}

#[test]
fn calls_follow_each_other_and_are_counted() {
    let counters = together(4, &quick(), |mesh| {
        for number in 0..50u64 {
            let mut sum = vec![number; 100];
            mesh.add(&mut sum).unwrap();
            assert_eq!(sum, vec![number * 4; 100]);
            assert_eq!(mesh.gather(&number.to_le_bytes()).unwrap(), vec![number.to_le_bytes(); 4]);
        }
        mesh.counters()
    });
    for counted in counters {
        assert_eq!(counted.calls, 100);
        assert_eq!(counted.bytes_sent, counted.bytes_received);
        // A sum of 100 words: 3 x 800 bytes in 2 messages; lengths and lists: 3 x 8 bytes in 2 messages each.
        assert_eq!(counted.bytes_sent, 50 * (3 * 800 + 2 * 64) + 50 * 2 * (3 * 8 + 2 * 64));
    }
}

#[test]
fn large_messages_do_not_wait_for_each_other() {
    for size in [2, 3] {
        together(size, &quick(), |mesh| {
            let mut sum = vec![1; 5 << 20];
            mesh.add(&mut sum).unwrap();
            assert!(sum.iter().all(|&word| word == size as u64));
            assert!(mesh.gather(&vec![7; 20 << 20]).unwrap().iter().all(|list| list.len() == 20 << 20));
        });
    }
}
