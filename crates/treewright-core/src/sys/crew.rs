//! Threads that stay with one piece of work of many short steps, such as a boosted tree: a hundred steps of ten
//! microseconds, which would be over before a sleeping thread had woken up. So a helper that waits for the next step looks
//! out for it a while before it sleeps.
//!
//! The threads belong to the crew, not to a pool: work that waits for other processes must not keep the threads of
//! [`super::pool`] from others, who may be what it waits for.

use super::memory;
use super::pool::{BYTES_OF_A_THREAD, Cancel};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// The bits of the state: a step is open to helpers; the work is over; one helper in the step; one step.
const OPEN: u64 = 1;
const OVER: u64 = 2;
const HELPER: u64 = 4;
const STEP: u64 = 1 << 24;
/// How often a helper looks for a step at once, and how often it then lets other threads go first, before it sleeps: some
/// hundred microseconds.
const LOOKS: u32 = 8_000;
const YIELDS: u32 = 200;

/// What the threads do in a step; the number is that of the thread.
type Work<'w> = dyn Fn(usize) + Sync + 'w;

/// A counter in a cache line of its own.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Next(AtomicUsize);

/// The caller's thread and its helpers.
pub struct Crew {
    threads: usize,
    state: AtomicU64,
    /// The work of the open step.
    work: UnsafeCell<Option<&'static Work<'static>>>,
    /// Whether somebody has a step at the moment.
    is_taken: AtomicBool,
    /// The next item of each thread's share.
    next: Vec<Next>,
    sleeping: AtomicUsize,
    door: Mutex<()>,
    bell: Condvar,
}

// SAFETY: `work` is written only by the thread that took the step, while it is closed and no helper is in it, and read only
// by helpers that the open step counts.
unsafe impl Sync for Crew {}

impl std::fmt::Debug for Crew {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "crew of {} threads", self.threads)
    }
}

impl Crew {
    /// So many threads, the caller's included.
    pub fn new(threads: usize) -> Crew {
        Crew {
            threads,
            state: AtomicU64::new(0),
            work: UnsafeCell::new(None),
            is_taken: AtomicBool::new(false),
            next: (0..threads).map(|_| Next::default()).collect(),
            sleeping: AtomicUsize::new(0),
            door: Mutex::new(()),
            bell: Condvar::new(),
        }
    }

    /// How many threads.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Does something that has steps; helpers are there as long as it lasts. Where the system has no threads to spare it is
    /// done without them.
    pub fn assemble<T>(&self, work: impl FnOnce() -> T) -> T {
        if self.threads <= 1 || !memory::can_hold(self.threads * BYTES_OF_A_THREAD) {
            return work();
        }
        self.state.store(0, Ordering::SeqCst);
        std::thread::scope(|scope| {
            for number in 1..self.threads {
                let builder = std::thread::Builder::new().name(format!("treewright-{number}"));
                if builder.spawn_scoped(scope, move || self.help(number)).is_err() {
                    break;
                }
            }
            // Also where the work panics: the scope waits for the helpers.
            let _end = AtEnd(|| {
                self.state.fetch_or(OVER, Ordering::SeqCst);
                self.wake();
            });
            work()
        })
    }

    /// Does the work of each item of `0..count` on up to so many threads. `work` is told which thread it is and which item.
    /// Each thread begins with a share that is the same in every step of as many items, since those are in its cache; then
    /// it helps with the others' shares. Items left when somebody asks to stop are not begun.
    pub fn claim(&self, threads: usize, count: usize, cancel: &Cancel, work: impl Fn(usize, usize) + Sync) {
        let threads = threads.min(count).min(self.threads);
        let begin = |share: usize| count * share / threads;
        if threads <= 1 || self.is_taken.swap(true, Ordering::Acquire) {
            (0..count).take_while(|_| cancel.check().is_ok()).for_each(|item| work(0, item));
            return;
        }
        (0..threads).for_each(|share| self.next[share].0.store(begin(share), Ordering::Relaxed));
        self.share(&|thread| {
            for share in (0..threads).map(|turn| (thread + turn) % threads).filter(|_| thread < threads) {
                loop {
                    // The next item that nobody has taken.
                    let item = self.next[share].0.fetch_add(1, Ordering::Relaxed);
                    if item >= begin(share + 1) || cancel.check().is_err() {
                        break;
                    }
                    work(thread, item);
                }
            }
        });
    }

    /// Does a step on all threads that are awake and free; the caller has taken it.
    fn share(&self, work: &Work<'_>) {
        // SAFETY: only the lifetime changes. Helpers use the work while they are in the step, and `close` waits for them,
        // also where the work panics. Nobody reads the place meanwhile: the step is not open yet.
        unsafe { *self.work.get() = Some(std::mem::transmute::<&Work<'_>, &'static Work<'static>>(work)) };
        self.state.fetch_add(STEP + OPEN, Ordering::SeqCst);
        let _end = AtEnd(|| self.close());
        self.wake();
        work(0);
    }

    /// Closes the step and waits for the helpers that are in it.
    fn close(&self) {
        let mut state = self.state.fetch_and(!OPEN, Ordering::AcqRel) & !OPEN;
        let mut looks = 0;
        while state % STEP >= HELPER {
            pause(looks);
            looks += 1;
            state = self.state.load(Ordering::Acquire);
        }
        self.is_taken.store(false, Ordering::Release);
    }

    /// Wakes helpers that sleep.
    fn wake(&self) {
        if self.sleeping.load(Ordering::SeqCst) > 0 {
            drop(self.door.lock());
            self.bell.notify_all();
        }
    }

    /// Helps with every step until the work is over.
    fn help(&self, number: usize) {
        let mut last = 0;
        loop {
            let state = self.wait_for_step(last);
            if state & OVER != 0 {
                return;
            }
            if self.state.compare_exchange(state, state + HELPER, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
                last = state / STEP;
                let _end = AtEnd(|| {
                    self.state.fetch_sub(HELPER, Ordering::Release);
                });
                // SAFETY: the step was open when it counted this helper, so whoever opened it waits.
                if let Some(work) = unsafe { *self.work.get() } {
                    work(number);
                }
            }
        }
    }

    /// The state once it has a step after the last one, or is over.
    fn wait_for_step(&self, last: u64) -> u64 {
        let is_news = |state: u64| state & OVER != 0 || (state & OPEN != 0 && state / STEP != last);
        for looks in 0..LOOKS + YIELDS {
            let state = self.state.load(Ordering::Acquire);
            if is_news(state) {
                return state;
            }
            pause(looks);
        }
        let mut door = self.door.lock().unwrap_or_else(PoisonError::into_inner);
        self.sleeping.fetch_add(1, Ordering::SeqCst);
        loop {
            // Whoever changes the state looks for sleepers afterwards: one of both sees the other.
            let state = self.state.load(Ordering::SeqCst);
            if is_news(state) {
                self.sleeping.fetch_sub(1, Ordering::SeqCst);
                return state;
            }
            door = self.bell.wait(door).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Waits a moment, after so many looks.
fn pause(looks: u32) {
    if looks < LOOKS { std::hint::spin_loop() } else { std::thread::yield_now() }
}

/// Does something at the end of a block, also where it panics.
struct AtEnd<F: Fn()>(F);

impl<F: Fn()> Drop for AtEnd<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_is_done_once_by_any_number_of_threads() {
        for threads in [1, 2, 3, 5] {
            let crew = Crew::new(threads);
            let counts: Vec<AtomicUsize> = (0..100).map(|_| AtomicUsize::new(0)).collect();
            let claim = |times: usize| {
                for time in 0..times {
                    crew.claim(threads, time % 101, &Cancel::default(), |thread, item| {
                        assert!(thread < threads);
                        counts[item].fetch_add(1, Ordering::Relaxed);
                        // A step within a step is done by who begins it.
                        crew.claim(threads, 2, &Cancel::default(), |_, _| ());
                    });
                }
            };
            claim(101);
            crew.assemble(|| claim(101));
            crew.assemble(|| {
                claim(101);
                // Long enough for helpers to sleep.
                std::thread::sleep(std::time::Duration::from_millis(20));
                claim(101);
            });
            let done: Vec<usize> = counts.into_iter().map(AtomicUsize::into_inner).collect();
            assert_eq!(done, (0..100).map(|item| 4 * (100 - item)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_panic_ends_the_work_and_is_seen() {
        for culprit in [0, 1] {
            let result = std::panic::catch_unwind(|| {
                let crew = Crew::new(2);
                crew.assemble(|| {
                    (0..1000).for_each(|_| {
                        crew.claim(2, 50, &Cancel::default(), |thread, _| assert_ne!(thread, culprit));
                        std::thread::yield_now();
                    });
                });
            });
            assert!(result.is_err());
        }
    }

    #[test]
    fn items_are_not_begun_once_the_work_is_canceled() {
        let cancel = Cancel::default();
        cancel.cancel();
        Crew::new(2).claim(2, 10, &cancel, |_, _| unreachable!());
    }
}
