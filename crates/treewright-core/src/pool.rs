//! Stopping work, and the threads it runs on.
//!
//! The pool is private, made at the first use, and belongs to the process that made it: after a fork the child finds
//! another process id, leaves the parent's pool alone (its threads do not exist there) and makes its own.

use crate::{Error, Result};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A flag that asks work to stop. Looking at it costs one relaxed load: look once a node and once every 64k rows.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Asks the work to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// An error once somebody has asked.
    #[inline]
    pub fn check(&self) -> Result<()> {
        if self.0.load(Ordering::Relaxed) { Err(Error::Cancelled) } else { Ok(()) }
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
