//! Threads of one process as the processes of a fit, each with its own rows: how tests run a fit of several processes.

use super::Peers;
use crate::error::{Error, Result};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Where the threads wait for each other.
#[derive(Debug, Default)]
struct Meeting {
    /// What the processes do together, which must be the same everywhere: the kind of call and, where lengths must agree,
    /// how many words there are.
    call: Option<(&'static str, Option<usize>)>,
    /// What each thread has brought to the meeting that is under way.
    parts: Vec<Option<Vec<u8>>>,
    /// How many meetings have ended, and what was brought to the last of them.
    ended: u64,
    last: Arc<Vec<Vec<u8>>>,
    /// The first that left.
    left: Option<usize>,
}

/// One of several threads. Each handle is used by one thread at a time.
#[derive(Debug)]
pub struct ThreadPeers {
    rank: usize,
    size: usize,
    shares_columns: bool,
    room: Arc<(Mutex<Meeting>, Condvar)>,
}

impl ThreadPeers {
    /// A handle for each of so many threads; with `shares_columns` each searches some columns, as many processes would.
    pub fn new(size: usize, shares_columns: bool) -> Vec<ThreadPeers> {
        let meeting = Meeting { parts: vec![None; size], ..Meeting::default() };
        let room = Arc::new((Mutex::new(meeting), Condvar::new()));
        (0..size).map(|rank| ThreadPeers { rank, size, shares_columns, room: Arc::clone(&room) }).collect()
    }

    fn meeting(&self) -> MutexGuard<'_, Meeting> {
        self.room.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Brings something to the next meeting; returns what everybody has brought.
    fn meet(&self, name: &'static str, words: Option<usize>, bytes: Vec<u8>) -> Result<Arc<Vec<Vec<u8>>>> {
        let mut meeting = self.meeting();
        if let Some(rank) = meeting.left {
            return Err(lost(rank));
        }
        if *meeting.call.get_or_insert((name, words)) != (name, words) {
            drop(meeting);
            self.leave();
            return Err(Error::data("fit.peers", "the processes of the fit do not make the same calls"));
        }
        meeting.parts[self.rank] = Some(bytes);
        let number = meeting.ended;
        if meeting.parts.iter().all(Option::is_some) {
            meeting.last = Arc::new(meeting.parts.iter_mut().filter_map(Option::take).collect());
            meeting.call = None;
            meeting.ended += 1;
            self.room.1.notify_all();
            return Ok(Arc::clone(&meeting.last));
        }
        let waits = |meeting: &mut Meeting| meeting.ended == number && meeting.left.is_none();
        let meeting = self.room.1.wait_while(meeting, waits).unwrap_or_else(PoisonError::into_inner);
        match meeting.left {
            Some(rank) if meeting.ended == number => Err(lost(rank)),
            // The next meeting cannot end without this thread.
            _ => Ok(Arc::clone(&meeting.last)),
        }
    }

    /// Replaces each word by what comes of the words of all threads.
    fn reduce(&self, name: &'static str, words: &mut [u64], join: impl Fn(u64, u64) -> u64) -> Result<()> {
        let bytes = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let all = self.meet(name, Some(words.len()), bytes)?;
        for (rank, part) in all.iter().enumerate().filter(|(rank, _)| *rank != self.rank) {
            debug_assert!(rank < self.size);
            let others = part.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes));
            words.iter_mut().zip(others).for_each(|(word, other)| *word = join(*word, other));
        }
        Ok(())
    }
}

impl Peers for ThreadPeers {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn add(&self, words: &mut [u64]) -> Result<()> {
        self.reduce("add", words, u64::wrapping_add)
    }

    fn max(&self, words: &mut [u64]) -> Result<()> {
        self.reduce("max", words, u64::max)
    }

    fn gather(&self, bytes: &[u8]) -> Result<Vec<Vec<u8>>> {
        Ok(self.meet("gather", None, bytes.to_vec())?.to_vec())
    }

    fn shares_columns(&self) -> bool {
        self.shares_columns
    }

    fn leave(&self) {
        self.meeting().left.get_or_insert(self.rank);
        self.room.1.notify_all();
    }
}

impl Drop for ThreadPeers {
    fn drop(&mut self) {
        self.leave();
    }
}

fn lost(rank: usize) -> Error {
    Error::PeerLost { rank, message: format!("process {rank} of the fit has ended before the fit did") }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::thread;

    /// Runs the same work in several threads.
    fn together<T: Send>(size: usize, work: impl Fn(ThreadPeers) -> T + Sync) -> Vec<T> {
        let work = &work;
        thread::scope(|scope| {
            let threads: Vec<_> =
                ThreadPeers::new(size, false).into_iter().map(|peer| scope.spawn(move || work(peer))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        })
    }

    #[test]
    fn everybody_gets_the_same() {
        let results = together(5, |peer| {
            let rank = peer.rank() as u64;
            let (mut sum, mut most) = ([rank, u64::MAX, 1], [rank, 7, 10 - rank]);
            for _ in 0..100 {
                (sum, most) = ([rank, u64::MAX, 1], [rank, 7, 10 - rank]);
                peer.add(&mut sum).unwrap();
                peer.max(&mut most).unwrap();
            }
            let parts: Vec<Vec<u8>> = (0..5).map(|to| vec![rank as u8; to]).collect();
            (sum, most, peer.gather(&vec![9; peer.rank()]).unwrap(), peer.exchange(&parts).unwrap())
        });
        for (rank, (sum, most, all, sent)) in results.into_iter().enumerate() {
            assert_eq!((sum, most), ([10, u64::MAX - 4, 5], [4, 7, 10]));
            assert_eq!(all, (0..5).map(|rank| vec![9; rank]).collect::<Vec<_>>());
            assert_eq!(sent, (0..5).map(|from| vec![from; rank]).collect::<Vec<_>>());
        }
    }

    #[test]
    fn nobody_waits_for_a_thread_that_has_left() {
        let results = together(3, |peer| {
            peer.add(&mut [1]).unwrap();
            if peer.rank() == 1 { Ok(()) } else { peer.add(&mut [1]) }
        });
        for rank in [0, 2] {
            assert!(matches!(results[rank], Err(Error::PeerLost { rank: 1, .. })));
        }
    }

    #[test]
    fn different_calls_are_an_error_and_no_sum() {
        let results =
            together(2, |peer| if peer.rank() == 0 { peer.add(&mut [1, 2]) } else { peer.add(&mut [1, 2, 3]) });
        assert!(results.iter().all(Result::is_err));
        let results = together(2, |peer| if peer.rank() == 0 { peer.max(&mut [1]) } else { peer.add(&mut [1]) });
        assert!(results.iter().all(Result::is_err));
    }
}
