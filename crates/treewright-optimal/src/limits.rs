//! When a search has to stop, and who hears of its progress.

use crate::problem::{Problem, Report};
use crate::solution::Ending;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use treewright_core::prelude::Cancel;
use treewright_core::{Error, Result};

const RUNNING: u8 = 0;
const LATE: u8 = 1;
const CANCELLED: u8 = 2;
const NO_MEMORY: u8 = 3;

/// The clock of a search, shared by its threads.
pub struct Limits<'a> {
    start: Instant,
    deadline: Option<Instant>,
    cancel: &'a Cancel,
    state: AtomicU8,
}

impl<'a> Limits<'a> {
    /// Starts the clock.
    pub fn start(problem: &Problem<'a>) -> Limits<'a> {
        let start = Instant::now();
        // A limit beyond what a clock can count to is none.
        let seconds = problem.time_limit.and_then(|limit| Duration::try_from_secs_f64(limit).ok());
        let deadline = seconds.and_then(|seconds| start.checked_add(seconds));
        Limits { start, deadline, cancel: problem.cancel, state: AtomicU8::new(RUNNING) }
    }

    /// The seconds since the start.
    pub fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Whether the time is limited.
    pub fn has_deadline(&self) -> bool {
        self.deadline.is_some()
    }

    /// Whether somebody has found that the search has to stop: one relaxed load.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.state.load(Ordering::Relaxed) != RUNNING
    }

    /// Looks at the clock and the flags, some 50 ns, and says whether the search has to stop.
    pub fn look(&self) -> bool {
        if self.is_stopped() {
            return true;
        }
        let state = match self.cancel.check() {
            Err(Error::Cancelled) => CANCELLED,
            Err(_) => NO_MEMORY,
            Ok(()) if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) => LATE,
            Ok(()) => return false,
        };
        self.state.store(state, Ordering::Relaxed);
        true
    }

    /// Why the search ended; an error if there was not enough memory.
    pub fn ending(&self) -> Result<Ending> {
        match self.state.load(Ordering::Relaxed) {
            RUNNING => Ok(Ending::Proven),
            LATE => Ok(Ending::TimeLimit),
            CANCELLED => Ok(Ending::Cancelled),
            _ => Err(Error::Memory),
        }
    }
}

/// A stretch of a search: it ends with the limits, or earlier.
pub struct Watch<'a> {
    limits: &'a Limits<'a>,
    pause: Option<Instant>,
    paused: AtomicBool,
}

impl<'a> Watch<'a> {
    /// Until the limits.
    pub fn new(limits: &'a Limits<'a>) -> Watch<'a> {
        Watch { limits, pause: None, paused: AtomicBool::new(false) }
    }

    /// At most until so many seconds after the start.
    pub fn until(limits: &'a Limits<'a>, seconds: f64) -> Watch<'a> {
        let pause = limits.start.checked_add(Duration::try_from_secs_f64(seconds).unwrap_or_default());
        Watch { limits, pause, paused: AtomicBool::new(false) }
    }

    /// Looks at the clock and says whether to stop.
    #[inline]
    pub fn look(&self) -> bool {
        if self.paused.load(Ordering::Relaxed) {
            return true;
        }
        let stops = self.limits.look() || self.pause.is_some_and(|pause| Instant::now() >= pause);
        if stops {
            self.paused.store(true, Ordering::Relaxed);
        }
        stops
    }
}

/// The best cost and the lower bound over time: the first never rises, the second never falls.
pub struct Progress<'a> {
    report: Option<Report<'a>>,
    steps: Mutex<Vec<(f64, f64, f64)>>,
}

impl<'a> Progress<'a> {
    /// Nothing is known yet.
    pub fn new(problem: &Problem<'a>) -> Progress<'a> {
        Progress { report: problem.report, steps: Mutex::new(Vec::new()) }
    }

    /// Notes a tree of this cost and a bound, if either is better than before.
    pub fn note(&self, limits: &Limits<'_>, best: f64, bound: f64) {
        let mut steps = self.steps.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, best_before, bound_before) = steps.last().copied().unwrap_or((0.0, f64::INFINITY, f64::NEG_INFINITY));
        let (best, bound) = (best.min(best_before), bound.max(bound_before));
        if best < best_before || bound > bound_before {
            let step = (limits.seconds(), best, bound);
            steps.push(step);
            if let Some(report) = self.report {
                report(step.0, step.1, step.2);
            }
        }
    }

    /// The steps so far.
    pub fn steps(&self) -> Vec<(f64, f64, f64)> {
        self.steps.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
