//! Stopping work, and the threads it runs on.
//!
//! The pool is private, made at the first use, and belongs to the process that made it: after a fork the child finds
//! another process id, leaves the parent's pool alone (its threads do not exist there) and makes its own.

use crate::{Error, Result, memory};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
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

struct Pool {
    process: u32,
    threads: usize,
    pool: Arc<rayon::ThreadPool>,
}

static POOL: Mutex<Option<Pool>> = Mutex::new(None);

/// How many threads this process may use: its CPU affinity and quota are respected.
pub fn available() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The pool of this process with so many threads (0: all available ones).
pub fn pool(threads: usize) -> Result<Arc<rayon::ThreadPool>> {
    let threads = if threads == 0 { available() } else { threads };
    let mut slot = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    match slot.take() {
        // A pool inherited through a fork: its threads are not here, so its destructor would wait for ever.
        Some(old) if old.process != std::process::id() => std::mem::forget(old),
        Some(old) if old.threads == threads => {
            let pool = Arc::clone(&old.pool);
            *slot = Some(old);
            return Ok(pool);
        }
        _ => {}
    }
    let built = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|i| format!("treewright-{i}"))
        .build()
        .map_err(|_| Error::Memory)?;
    let pool = Arc::new(built);
    *slot = Some(Pool { process: std::process::id(), threads, pool: Arc::clone(&pool) });
    Ok(pool)
}

/// Does the same work with each item on up to so many threads (0: all available ones). Items are begun in their order; the
/// results stand in it too.
pub fn each<T: Send, R: Send>(threads: usize, items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Result<Vec<R>> {
    let threads = if threads == 0 { available() } else { threads };
    if threads == 1 || items.len() <= 1 {
        return Ok(items.into_iter().map(work).collect());
    }
    let count = items.len();
    let items: Vec<Mutex<Option<T>>> = items.into_iter().map(|item| Mutex::new(Some(item))).collect();
    let results: Vec<Mutex<Option<R>>> = (0..count).map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    let worker = || {
        while let Some(i) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&i| i < count) {
            let item = items[i].lock().unwrap_or_else(PoisonError::into_inner).take();
            let result = item.map(&work);
            *results[i].lock().unwrap_or_else(PoisonError::into_inner) = result;
        }
    };
    pool(threads)?.scope(|scope| (0..threads).for_each(|_| scope.spawn(|_| worker())));
    let results = results.into_iter().map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner));
    Ok(results.flatten().collect())
}

/// Does the work of each item of `0..count` on up to so many workers of the pool that the caller runs in: each takes the
/// next item that nobody has taken. `work` is told which worker it is and which item. Items left when somebody asks to
/// stop are not begun.
pub fn claim(workers: usize, count: usize, cancel: &Cancel, work: impl Fn(usize, usize) + Sync) {
    let next = AtomicUsize::new(0);
    let run = |worker: usize| {
        while let Some(item) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&item| item < count) {
            if cancel.check().is_err() {
                return;
            }
            work(worker, item);
        }
    };
    let run = &run;
    let workers = workers.min(count);
    if workers <= 1 {
        return run(0);
    }
    rayon::scope(|scope| {
        (1..workers).for_each(|worker| scope.spawn(move |_| run(worker)));
        run(0);
    });
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
}
