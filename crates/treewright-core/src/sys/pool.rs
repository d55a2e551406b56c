//! Stopping work, and the threads it runs on.
//!
//! Pools are private, made at their first use, one for each number of threads, and belong to the process that made them:
//! after a fork the child finds another process id, leaves the parent's pools alone (their threads do not exist there) and
//! makes its own.

use crate::sys::memory;
use crate::{Error, Result};
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A flag that asks work to stop. Looking at it costs two relaxed loads: look once a node and once every 64k rows.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Asks the work to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// An error once somebody has asked, or memory is short.
    #[inline]
    pub fn check(&self) -> Result<()> {
        if self.0.load(Ordering::Relaxed) {
            return Err(Error::Cancelled);
        }
        memory::enough()
    }
}

/// Threads that were started for work on so many of them. Pools are never dropped: their threads sleep between calls.
struct Pool {
    /// The process that started them; a child that was forked has none of them.
    process: u32,
    threads: usize,
    pool: rayon::ThreadPool,
    next: *const Pool,
}

/// The pools, the newest first: a list that only grows, at its head, by one exchange. There is no lock that a fork could
/// find taken.
static POOLS: AtomicPtr<Pool> = AtomicPtr::new(std::ptr::null_mut());

/// Address space that starting a thread takes, and a little more.
pub(super) const BYTES_OF_A_THREAD: usize = 1 << 22;

/// What [`available`] found when it looked last; 0 before.
static AVAILABLE: AtomicUsize = AtomicUsize::new(0);

/// How many threads this process may use: its CPU affinity and quota are respected.
pub fn available() -> usize {
    match AVAILABLE.load(Ordering::Relaxed) {
        0 => look_up_available(),
        known => known,
    }
}

/// Asks the system again how many threads this process may use, which costs some ten microseconds.
pub fn look_up_available() -> usize {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    AVAILABLE.store(threads, Ordering::Relaxed);
    threads
}

/// So many threads (0: all available ones), but never more than are available.
pub fn bounded(threads: usize) -> usize {
    if threads == 1 {
        return 1;
    }
    let most = available();
    if threads == 0 { most } else { threads.min(most) }
}

/// The pool of this process with so many threads (0: all available ones, and never more).
pub fn pool(threads: usize) -> Result<&'static rayon::ThreadPool> {
    let threads = bounded(threads);
    let process = process_id();
    let mut head = POOLS.load(Ordering::Acquire);
    if let Some(pool) = find(head, process, threads) {
        return Ok(pool);
    }
    let pool = start_pool(threads)?;
    let mut new = Box::new(Pool { process, threads, pool, next: head });
    loop {
        let place = Box::into_raw(new);
        match POOLS.compare_exchange(head, place, Ordering::AcqRel, Ordering::Acquire) {
            // SAFETY: the pool was just added to the list, and nothing in it is ever freed or changed.
            Ok(_) => return Ok(unsafe { &(*place).pool }),
            Err(newer) => {
                // SAFETY: the pointer came from the box above and was not published.
                new = unsafe { Box::from_raw(place) };
                head = newer;
                // Another thread may have been quicker to make the same pool; ours ends its threads.
                if let Some(pool) = find(head, process, threads) {
                    return Ok(pool);
                }
                new.next = head;
            }
        }
    }
}

fn start_pool(threads: usize) -> Result<rayon::ThreadPool> {
    // A thread that finds no memory for itself ends the process: its stack, and what the system keeps beside it.
    if !memory::can_hold(threads * BYTES_OF_A_THREAD) {
        return Err(Error::Memory);
    }
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads).thread_name(|i| format!("treewright-{i}"));
    // A web page has one thread, and the pool is that thread.
    let builder = if cfg!(target_family = "wasm") { builder.use_current_thread() } else { builder };
    builder.build().map_err(|_| Error::Memory)
}

/// The number of this process; WebAssembly knows none, and cannot fork.
fn process_id() -> u32 {
    if cfg!(target_family = "wasm") { 0 } else { std::process::id() }
}

/// The pool of a process with so many threads, if the list from `head` on has it.
fn find(head: *const Pool, process: u32, threads: usize) -> Option<&'static rayon::ThreadPool> {
    // SAFETY: what is in the list was boxed, then published by a release store, and is never freed or changed.
    let mut entry: Option<&'static Pool> = unsafe { head.as_ref() };
    while let Some(pool) = entry {
        if pool.process == process && pool.threads == threads {
            return Some(&pool.pool);
        }
        // SAFETY: as above.
        entry = unsafe { pool.next.as_ref() };
    }
    None
}

/// Does the same work with each item on up to so many threads (0: all available ones), never more than are available or
/// than there are items. Items are begun in their order; the results stand in it too.
pub fn each<T: Send, R: Send>(threads: usize, items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Result<Vec<R>> {
    let count = items.len();
    let workers = if count <= 1 { 1 } else { bounded(threads) };
    let mut results: Vec<Option<R>> = Vec::new();
    results.resize_with(count, || None);
    // An item goes with the place of its result.
    let jobs = Mutex::new(items.into_iter().zip(&mut results));
    let worker = |_: usize| {
        let take = || jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
        while let Some((item, result)) = take() {
            *result = Some(work(item));
        }
    };
    match workers {
        1 => worker(0),
        _ => spawn(Some(pool(workers)?), workers.min(count), &worker),
    }
    // Each item has its result.
    Ok(results.into_iter().map_while(|result| result).collect())
}

/// A list of so many numbers, zeros at first, that threads fill in parts: `work` gets the place of a part's first number, and
/// the part. The memory of a part is first touched by the thread that fills it.
pub fn fill(
    threads: usize,
    length: usize,
    part: usize,
    work: impl Fn(usize, &mut [f64]) -> Result<()> + Sync,
) -> Result<Vec<f64>> {
    let mut list: Vec<f64> = memory::room(length)?;
    let parts = (0..).step_by(part.max(1)).zip(list.spare_capacity_mut()[..length].chunks_mut(part.max(1))).collect();
    let done = each(threads, parts, |(first, numbers): (usize, &mut [MaybeUninit<f64>])| {
        numbers.fill(MaybeUninit::new(0.0));
        // SAFETY: all numbers of the part were just written.
        work(first, unsafe { &mut *(std::ptr::from_mut(numbers) as *mut [f64]) })
    })?;
    done.into_iter().collect::<Result<()>>()?;
    // SAFETY: every part was written.
    unsafe { list.set_len(length) };
    Ok(list)
}

/// Does the work of each item of `0..count` on up to so many workers of the pool that the caller runs in: each takes the
/// next item that nobody has taken. `work` is told which worker it is and which item. Items left when somebody asks to
/// stop are not begun.
pub fn claim(workers: usize, count: usize, cancel: &Cancel, work: impl Fn(usize, usize) + Sync) {
    let next = AtomicUsize::new(0);
    let run = |worker: usize| {
        loop {
            // The next item that nobody has taken.
            let item = next.fetch_add(1, Ordering::Relaxed);
            if item >= count || cancel.check().is_err() {
                return;
            }
            work(worker, item);
        }
    };
    match workers.min(count) {
        0 | 1 => run(0),
        workers => spawn(None, workers, &run),
    }
}

/// Runs so many workers, numbered from 0, in a pool, or in the one that the caller runs in, and waits for them. A worker
/// is a `dyn` function, so that the pool's code is compiled once: a call for each worker costs nothing.
fn spawn(pool: Option<&rayon::ThreadPool>, workers: usize, worker: &(dyn Fn(usize) + Sync)) {
    fn start<'w>(scope: &rayon::Scope<'w>, workers: usize, worker: &'w (dyn Fn(usize) + Sync)) {
        (1..workers).for_each(|number| scope.spawn(move |_| worker(number)));
        worker(0);
    }
    match pool {
        Some(pool) => pool.scope(|scope| start(scope, workers, worker)),
        None => rayon::scope(|scope| start(scope, workers, worker)),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn results_stand_in_the_order_of_the_items() {
        for threads in [1, 2, 3, 8] {
            let squares = each(threads, (0..100u64).collect(), |i| i * i).unwrap();
            assert_eq!(squares, (0..100u64).map(|i| i * i).collect::<Vec<_>>());
        }
        assert_eq!(each(2, Vec::<u8>::new(), |i| i).unwrap(), Vec::<u8>::new());
    }
    #[test]
    fn threads_are_bounded_and_pools_are_made_once() {
        let most = available();
        assert_eq!([bounded(0), bounded(1), bounded(usize::MAX)], [most, 1, most]);
        assert_eq!(pool(usize::MAX).unwrap().current_num_threads(), most);
        let both = [pool(1).unwrap(), pool(most).unwrap()];
        std::thread::scope(|scope| {
            for i in 0..8 {
                scope.spawn(move || assert!(std::ptr::eq(pool([1, usize::MAX][i % 2]).unwrap(), both[i % 2])));
            }
        });
    }
}
