//! What the processes do together: sums, maxima, lists, and exchanges, in the rounds of `rounds.rs`.

use crate::link::Link;
use crate::message::{HEADER, Header, Kind};
use crate::rounds::{Round, above, below, rounds};
use crate::transfer::{Incoming, Outgoing, Watch, transfer};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use treewright_core::prelude::copied;
use treewright_core::{Error, Result};

/// A message up to here finds room in any receiver, so a receiver that confirms nothing is gone and not busy.
const SMALL: usize = 1 << 16;
/// Buffers beyond this are given back after a call.
const KEPT: usize = 1 << 22;

/// One call that all processes make together.
pub struct Call<'a> {
    /// The number of this process, and how many there are.
    pub rank: usize,
    /// See above.
    pub size: usize,
    /// The connections, by the number of the process.
    pub links: &'a BTreeMap<usize, Link>,
    /// The header of the messages; rounds and lengths are filled in.
    pub header: Header,
    /// Where messages arrive, and where they are put together.
    pub buffers: &'a mut Buffers,
    /// Set by whoever wants the work to end.
    pub closed: &'a AtomicBool,
    /// How long nothing may move, and how long a machine may be silent.
    pub timeout: Duration,
    /// See above.
    pub silence: Duration,
    /// What was sent and received, with headers.
    pub traffic: &'a mut Traffic,
}

/// Memory that is used again by the next call.
#[derive(Default)]
pub struct Buffers {
    incoming: Vec<u8>,
    outgoing: Vec<u8>,
}

impl Buffers {
    /// Gives back what only a very large call needs.
    pub fn shrink(&mut self) {
        for buffer in [&mut self.incoming, &mut self.outgoing] {
            if buffer.capacity() > KEPT {
                *buffer = Vec::new();
            }
        }
    }
}

/// Bytes on the wire, and the time that was waited for them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Traffic {
    /// Bytes that this process has sent.
    pub sent: u64,
    /// Bytes that it has received.
    pub received: u64,
    /// How long it has waited for others.
    pub waited: Duration,
}

impl Call<'_> {
    /// Replaces each word by what comes of the words of all processes. Calls with fewer bytes than `whole_below` send all words
    /// to everybody in half the rounds.
    pub fn reduce(&mut self, words: &mut [u64], whole_below: usize, join: impl Fn(u64, u64) -> u64) -> Result<()> {
        self.header.total = words.len() as u64;
        if self.size == 2 || size_of_val(words).saturating_mul(self.size - 1) <= whole_below {
            return self.reduce_whole(words, join);
        }
        let parts = divide(words.len(), self.size);
        self.collect(words, &parts, join)?;
        self.hand_out(words, &parts)
    }

    /// Each process gets the words of all others and joins them.
    fn reduce_whole(&mut self, words: &mut [u64], join: impl Fn(u64, u64) -> u64) -> Result<()> {
        let mut others: Vec<u8> = Vec::new();
        for Round { reach, skip } in rounds(self.size).into_iter().rev() {
            let (to, from) = (below(self.rank, skip, self.size), above(self.rank, skip, self.size));
            let length = (reach - skip) * size_of_val(words);
            if reach == 2 {
                self.swap(to, Content::Given(bytes_of(words)), from, length)?;
            } else {
                let outgoing = self.outgoing();
                outgoing.extend_from_slice(bytes_of(words));
                outgoing.extend_from_slice(&others[..length - size_of_val(words)]);
                self.swap(to, Content::Buffer, from, length)?;
            }
            if reach < self.size {
                others.try_reserve(length)?;
                others.extend_from_slice(&self.buffers.incoming[..length]);
            } else {
                join_all(words, &self.buffers.incoming[..length], &join);
            }
        }
        join_all(words, &others, &join);
        Ok(())
    }

    /// Joins the words of all processes; each process has those of its own part in the end, and anything in the others.
    pub fn collect(&mut self, words: &mut [u64], parts: &[Range<usize>], join: impl Fn(u64, u64) -> u64) -> Result<()> {
        for Round { reach, skip } in rounds(self.size) {
            let (to, from) = (above(self.rank, skip, self.size), below(self.rank, skip, self.size));
            self.pack(words, parts, skip..reach)?;
            let mine = 0..reach - skip;
            let length = mine.clone().map(|part| self.part(parts, part).len() * size_of::<u64>()).sum();
            self.swap(to, Content::Buffer, from, length)?;
            let mut arrived = self.buffers.incoming[..length].as_chunks::<8>().0.iter();
            for part in mine {
                let own = &mut words[self.part(parts, part)];
                own.iter_mut()
                    .zip(&mut arrived)
                    .for_each(|(word, other)| *word = join(*word, u64::from_ne_bytes(*other)));
            }
        }
        Ok(())
    }

    /// Gives the part of each process to all others.
    fn hand_out(&mut self, words: &mut [u64], parts: &[Range<usize>]) -> Result<()> {
        for Round { reach, skip } in rounds(self.size).into_iter().rev() {
            let (to, from) = (below(self.rank, skip, self.size), above(self.rank, skip, self.size));
            self.pack(words, parts, 0..reach - skip)?;
            let length = (skip..reach).map(|part| self.part(parts, part).len() * size_of::<u64>()).sum();
            self.swap(to, Content::Buffer, from, length)?;
            let mut arrived = self.buffers.incoming[..length].as_chunks::<8>().0.iter();
            for part in skip..reach {
                let own = &mut words[self.part(parts, part)];
                own.iter_mut().zip(&mut arrived).for_each(|(word, other)| *word = u64::from_ne_bytes(*other));
            }
        }
        Ok(())
    }

    /// The bytes of all processes, in the order of ranks.
    pub fn gather(&mut self, bytes: &[u8]) -> Result<Vec<Vec<u8>>> {
        self.header.kind = Kind::Lengths;
        let lengths = self.gather_known((bytes.len() as u64).to_ne_bytes().to_vec(), &vec![8; self.size])?;
        let lengths = lengths.iter().map(|bytes| number(bytes)).collect::<Result<Vec<_>>>()?;
        self.header.kind = Kind::Gather;
        self.header.total = lengths.iter().fold(0u64, |sum, &length| sum.wrapping_add(length as u64));
        self.gather_known(copied(bytes)?, &lengths)
    }

    /// The same where the lengths are known.
    fn gather_known(&mut self, bytes: Vec<u8>, lengths: &[usize]) -> Result<Vec<Vec<u8>>> {
        let mut ring = vec![bytes];
        for Round { reach, skip } in rounds(self.size).into_iter().rev() {
            let (to, from) = (below(self.rank, skip, self.size), above(self.rank, skip, self.size));
            self.put(ring[..reach - skip].iter())?;
            let arriving: Vec<usize> = (skip..reach).map(|part| lengths[above(self.rank, part, self.size)]).collect();
            self.swap(to, Content::Buffer, from, total(&arriving)?)?;
            ring.extend(cut(&self.buffers.incoming, &arriving)?);
        }
        ring.rotate_right(self.rank);
        Ok(ring)
    }

    /// Sends `parts[rank]` to each process; returns what each has sent to this one. A part may travel by way of others.
    pub fn exchange(&mut self, parts: &[Vec<u8>]) -> Result<Vec<Vec<u8>>> {
        let table: Vec<u8> = parts.iter().flat_map(|part| (part.len() as u64).to_ne_bytes()).collect();
        self.header.kind = Kind::Lengths;
        let table = self.gather_known(table, &vec![8 * self.size; self.size])?;
        self.header.kind = Kind::Exchange;
        let length = |from: usize, to: usize| number(&table[from][8 * to..8 * to + 8]);
        // What is on its way to the process i after this one, and how far each has come, which is the same everywhere.
        let mut slots = (0..self.size)
            .map(|i| Ok(vec![copied(&parts[above(self.rank, i, self.size)])?]))
            .collect::<Result<Vec<Vec<Vec<u8>>>>>()?;
        let mut traveled: Vec<Vec<usize>> = vec![vec![0]; self.size];
        for Round { reach, skip } in rounds(self.size) {
            let (to, from) = (above(self.rank, skip, self.size), below(self.rank, skip, self.size));
            self.put(slots[skip..reach].iter().flatten())?;
            slots.truncate(skip);
            let mut arriving = Vec::new();
            for (i, distances) in traveled[skip..reach].iter().enumerate() {
                for distance in distances {
                    arriving.push(length(below(from, *distance, self.size), above(self.rank, i, self.size))?);
                }
            }
            self.swap(to, Content::Buffer, from, total(&arriving)?)?;
            let mut arrived = cut(&self.buffers.incoming, &arriving)?.into_iter();
            let farther = traveled.split_off(skip);
            for ((slot, mine), theirs) in slots.iter_mut().zip(&mut traveled).zip(&farther) {
                slot.extend(arrived.by_ref().take(theirs.len()));
                mine.extend(theirs.iter().map(|distance| distance + skip));
            }
        }
        let arrived = slots.pop().unwrap_or_default();
        let mut received = vec![Vec::new(); self.size];
        for (distance, bytes) in traveled.iter().flatten().zip(arrived) {
            received[below(self.rank, *distance, self.size)] = bytes;
        }
        Ok(received)
    }

    /// The words of a part, counted from this process on.
    fn part(&self, parts: &[Range<usize>], part: usize) -> Range<usize> {
        parts[above(self.rank, part, self.size)].clone()
    }

    /// Puts the words of some parts together.
    fn pack(&mut self, words: &[u64], parts: &[Range<usize>], which: Range<usize>) -> Result<()> {
        let ranges: Vec<Range<usize>> = which.map(|part| self.part(parts, part)).collect();
        self.put(ranges.into_iter().map(|range| bytes_of(&words[range])))
    }

    /// Puts bytes together for the next message.
    fn put(&mut self, pieces: impl Iterator<Item = impl AsRef<[u8]>>) -> Result<()> {
        let outgoing = self.outgoing();
        for piece in pieces {
            outgoing.try_reserve(piece.as_ref().len())?;
            outgoing.extend_from_slice(piece.as_ref());
        }
        Ok(())
    }

    fn outgoing(&mut self) -> &mut Vec<u8> {
        self.buffers.outgoing.clear();
        &mut self.buffers.outgoing
    }

    /// Sends a message to one process while it receives one of a known length from another.
    fn swap(&mut self, to: usize, content: Content<'_>, from: usize, length: usize) -> Result<()> {
        let Buffers { incoming, outgoing } = &mut *self.buffers;
        let content = match content {
            Content::Given(bytes) => bytes,
            Content::Buffer => outgoing.as_slice(),
        };
        let (to, from) = (link(self.links, to)?, link(self.links, from)?);
        let limit = if content.len() <= SMALL { self.silence } else { self.silence.max(self.timeout) };
        to.set_send_timeout(limit).map_err(|error| Error::PeerLost { rank: to.rank, message: error.to_string() })?;
        let header = Header { length: content.len() as u64, ..self.header };
        let expected = Header { length: length as u64, ..self.header };
        let (outgoing, incoming) = (Outgoing::new(to, &header, content), Incoming::new(from, expected, incoming));
        let mut watch = Watch { closed: self.closed, timeout: self.timeout, waited: &mut self.traffic.waited };
        transfer(outgoing, incoming, &mut watch)?;
        self.traffic.sent += (HEADER + content.len()) as u64;
        self.traffic.received += (HEADER + length) as u64;
        self.header.round += 1;
        Ok(())
    }
}

/// What is sent.
enum Content<'a> {
    Given(&'a [u8]),
    /// What was put together.
    Buffer,
}

fn link(links: &BTreeMap<usize, Link>, rank: usize) -> Result<&Link> {
    let lost = || Error::PeerLost { rank, message: format!("process {rank} of the fit is not connected") };
    links.get(&rank).ok_or_else(lost)
}

/// Equal parts of so many words for so many processes.
fn divide(words: usize, size: usize) -> Vec<Range<usize>> {
    let bound = |part: usize| (words as u128 * part as u128 / size as u128) as usize;
    (0..size).map(|part| bound(part)..bound(part + 1)).collect()
}

/// Joins each word with those of several lists that follow each other.
fn join_all(words: &mut [u64], others: &[u8], join: impl Fn(u64, u64) -> u64) {
    for other in others.chunks_exact(size_of_val(words).max(1)) {
        let other = other.as_chunks::<8>().0;
        words.iter_mut().zip(other).for_each(|(word, other)| *word = join(*word, u64::from_ne_bytes(*other)));
    }
}

/// Words as they stand in memory; the greeting has found that all machines have the same byte order.
fn bytes_of(words: &[u64]) -> &[u8] {
    // SAFETY: the bytes are those of the borrowed words, and bytes have no requirements.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), size_of_val(words)) }
}

fn number(bytes: &[u8]) -> Result<usize> {
    let word = bytes.first_chunk().map(|bytes| u64::from_ne_bytes(*bytes)).unwrap_or(u64::MAX);
    // No process can hold more bytes than this.
    usize::try_from(word).ok().filter(|length| *length <= isize::MAX as usize).ok_or(Error::Memory)
}

fn total(lengths: &[usize]) -> Result<usize> {
    lengths.iter().try_fold(0usize, |sum, length| sum.checked_add(*length)).ok_or(Error::Memory)
}

/// Bytes cut into pieces of these lengths.
fn cut(bytes: &[u8], lengths: &[usize]) -> Result<Vec<Vec<u8>>> {
    let mut from = 0;
    let mut next = |length: &usize| {
        let piece = copied(&bytes[from..from + length]);
        from += length;
        piece
    };
    lengths.iter().map(&mut next).collect()
}
