//! What loading costs: no number in a file makes the loader ask for memory that the file's own size does not justify.

use super::make::{DOCUMENT, Parts, forest, kinds, model, tree, with_header};
use super::unwatched::{from_bytes, to_bytes};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use treewright_core::prelude::{Forest, Leaf, SplitRule, Tree};

/// Counts what the current thread holds; tests run in threads of their own.
struct Counting;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn count(bytes: isize) {
    // A thread that is ending has no counters any more, and nobody asks it.
    let _ = HELD.try_with(|held| {
        held.set(held.get() + bytes);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(held.get())));
    });
}

// SAFETY: every call goes to the system's allocator unchanged; the counters are plain numbers that allocate nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller keeps the contract of `alloc`, which is the system's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller keeps the contract of `dealloc`; the place came from the system's allocator.
        unsafe { System.dealloc(place, layout) }
    }
}

/// The most bytes held at once while the file is loaded, its own bytes not counted.
fn peak(bytes: &[u8]) -> usize {
    let before = HELD.get();
    PEAK.set(before);
    let loaded = from_bytes(bytes);
    let peak = (PEAK.get() - before) as usize;
    drop(loaded);
    peak
}

#[test]
fn a_large_model_is_held_once() {
    let mut large = Tree::new(2);
    let push = |tree: &mut Tree| tree.push(Leaf { value: &[0.5, 0.5], weight: 1.0, count: 1, cost: 0.0 });
    push(&mut large);
    for node in 0..50_000 {
        large.ask(node, 0, &SplitRule::threshold(0.5, 1), 0.0);
        push(&mut large);
        push(&mut large);
    }
    let bytes = to_bytes(&Forest::new(kinds(), vec![large]).unwrap(), DOCUMENT).unwrap();
    assert!(bytes.len() > 5_000_000);
    assert!(peak(&bytes) < bytes.len() * 11 / 10, "{} for {}", peak(&bytes), bytes.len());
}

#[test]
fn many_trees_cost_little_more_than_their_bytes() {
    let bytes = to_bytes(&forest((0..2000).map(|_| tree()).collect()), DOCUMENT).unwrap();
    assert!(peak(&bytes) < bytes.len() * 5 / 2, "{} for {}", peak(&bytes), bytes.len());
}

#[test]
fn forged_sizes_buy_no_memory() {
    let numbers = vec!["1"; 1 << 20].join(",");
    let long = with_header(&model(), |h| h.replace("\"shape\":[3,2]", &format!("\"shape\":[{numbers}]")));
    let mut counts = Parts::of(&model());
    counts.set("trees", 0, (1u64 << 40).to_le_bytes());
    let mut empty = Parts::of(&model());
    *empty.data("trees") = vec![0; 16 << 16];
    for (name, _, shape, _) in &mut empty.tensors {
        if name == "trees" {
            *shape = vec![1 << 16, 2];
        }
    }
    for bytes in [long, counts.bytes(), empty.bytes()] {
        assert!(from_bytes(&bytes).is_err());
        assert!(peak(&bytes) < bytes.len() * 2 + (1 << 16), "{} for {}", peak(&bytes), bytes.len());
    }
}
