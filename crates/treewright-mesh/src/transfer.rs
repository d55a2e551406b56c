//! Sending one message and receiving another at the same time, so that two processes that send much never wait for each
//! other to receive.

use crate::link::Link;
use crate::message::{HEADER, Header, Wrong, checksum};
use crate::socket::{Want, wait};
use std::io::{ErrorKind, IoSlice};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use treewright_core::{Error, Result};

/// How long a look at the flag may wait. Closing wakes whoever waits; this is for the moment between a look and a wait.
const TICK: Duration = Duration::from_millis(200);
/// How long a process looks again and again before it sleeps: waking up takes about as long, and the other is often nearly
/// there.
const SPIN: Duration = Duration::from_micros(30);
/// A buffer grows by at most this much ahead of what has arrived.
const STEP: usize = 1 << 20;

/// A message that is sent.
pub struct Outgoing<'a> {
    link: &'a Link,
    header: [u8; HEADER],
    content: &'a [u8],
    sent: usize,
    done: bool,
}

impl<'a> Outgoing<'a> {
    /// A message on its way to the process at the other end of a link.
    pub fn new(link: &'a Link, header: &Header, content: &'a [u8]) -> Outgoing<'a> {
        let header = header.seal(checksum(content), &link.send_key);
        link.midway.set(true);
        Outgoing { link, header, content, sent: 0, done: false }
    }

    /// Sends what there is room for.
    fn advance(&mut self) -> Result<bool> {
        let before = self.sent;
        while self.sent < HEADER + self.content.len() {
            let head = &self.header[self.sent.min(HEADER)..];
            let rest = &self.content[self.sent.saturating_sub(HEADER)..];
            match self.link.channel.write(&[IoSlice::new(head), IoSlice::new(rest)]) {
                Ok(count) => self.sent += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(self.sent > before),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(closed(self.link.rank, &error)),
            }
        }
        match self.link.channel.flush() {
            Ok(()) => self.done = true,
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(self.sent > before),
            Err(error) => return Err(closed(self.link.rank, &error)),
        }
        self.link.midway.set(false);
        Ok(true)
    }
}

/// A message that is received.
pub struct Incoming<'a> {
    link: &'a Link,
    expected: Header,
    header: [u8; HEADER],
    checksum: u64,
    /// Where the content arrives, from the beginning. It may be longer.
    content: &'a mut Vec<u8>,
    received: usize,
}

impl<'a> Incoming<'a> {
    /// The message that is expected from the process at the other end of a link.
    pub fn new(link: &'a Link, expected: Header, content: &'a mut Vec<u8>) -> Incoming<'a> {
        Incoming { link, expected, header: [0; HEADER], checksum: 0, content, received: 0 }
    }

    fn length(&self) -> usize {
        self.expected.length as usize
    }

    fn is_done(&self) -> bool {
        self.received == HEADER + self.length()
    }

    /// Takes what has arrived.
    fn advance(&mut self) -> Result<bool> {
        let (link, before) = (self.link, self.received);
        while !self.is_done() {
            let place = if self.received < HEADER { &mut self.header[self.received..] } else { self.room()? };
            match link.channel.read(place) {
                Ok(0) => return Err(closed(link.rank, &ErrorKind::UnexpectedEof.into())),
                Ok(count) => self.received += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(self.received > before),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(closed(self.link.rank, &error)),
            }
            if before < HEADER && self.received == HEADER {
                self.checksum = self.open()?;
            }
        }
        if checksum(&self.content[..self.length()]) != self.checksum {
            return Err(damaged(self.link.rank));
        }
        Ok(true)
    }

    /// The place of the next bytes of the content. It grows with what arrives, and not by what a message says of itself.
    fn room(&mut self) -> Result<&mut [u8]> {
        let (length, from) = (self.length(), self.received - HEADER);
        if from == self.content.len() {
            let more = (length - from).min(from.max(STEP));
            self.content.try_reserve_exact(more)?;
            self.content.resize(from + more, 0);
        }
        let to = self.content.len().min(length);
        Ok(&mut self.content[from..to])
    }

    /// Checks the header, before anything is made of the bytes behind it.
    fn open(&self) -> Result<u64> {
        let rank = self.link.rank;
        self.expected.open(&self.header, &self.link.receive_key).map_err(|wrong| match wrong {
            Wrong::Damaged => damaged(rank),
            Wrong::Left(lost) => {
                let message = format!("process {lost} of the fit is lost, as process {rank} has reported");
                Error::PeerLost { rank: lost as usize, message }
            }
            Wrong::Different => Error::data(
                "fit.peers",
                format!(
                    "process {rank} of the fit does not make the same call as this one; all processes of a fit need the \
                     same parameters and the same version of treewright"
                ),
            ),
        })
    }
}

/// What ends a wait before its message has come, and how long was waited.
pub struct Watch<'a> {
    /// Set by whoever wants the work to end.
    pub closed: &'a AtomicBool,
    /// How long nothing may move.
    pub timeout: Duration,
    /// Where the time that was waited is added.
    pub waited: &'a mut Duration,
}

/// Sends and receives at the same time, until both are done.
pub fn transfer(mut outgoing: Outgoing<'_>, mut incoming: Incoming<'_>, watch: &mut Watch<'_>) -> Result<()> {
    let mut since = Instant::now();
    loop {
        let sent = !outgoing.done && outgoing.advance()?;
        let received = !incoming.is_done() && incoming.advance()?;
        if outgoing.done && incoming.is_done() {
            return Ok(());
        }
        let now = Instant::now();
        if sent || received {
            since = now;
        }
        if now - since > watch.timeout {
            return Err(silent(&outgoing, &incoming, watch.timeout));
        }
        if watch.closed.load(Ordering::Acquire) {
            return Err(Error::Cancelled);
        }
        if now - since < SPIN {
            std::hint::spin_loop();
            *watch.waited += now.elapsed();
            continue;
        }
        let write = (!outgoing.done).then(|| (outgoing.link.channel.socket(), Want::Write));
        let read = (!incoming.is_done()).then(|| (incoming.link.channel.socket(), Want::Read));
        wait(write.into_iter().chain(read), TICK.min(watch.timeout))
            .map_err(|error| closed(incoming.link.rank, &error))?;
        *watch.waited += now.elapsed();
    }
}

/// Nothing has moved for too long.
fn silent(outgoing: &Outgoing<'_>, incoming: &Incoming<'_>, timeout: Duration) -> Error {
    let (rank, what) = if incoming.is_done() { (outgoing.link.rank, "received") } else { (incoming.link.rank, "sent") };
    let message = format!("process {rank} of the fit has {what} nothing for {:?}", timeout);
    Error::PeerLost { rank, message }
}

fn closed(rank: usize, error: &std::io::Error) -> Error {
    let reason = match error.kind() {
        ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset | ErrorKind::BrokenPipe => String::new(),
        _ => format!(" ({error})"),
    };
    Error::PeerLost { rank, message: format!("the connection to process {rank} of the fit is closed{reason}") }
}

fn damaged(rank: usize) -> Error {
    Error::PeerLost { rank, message: format!("a message of process {rank} of the fit was damaged on its way") }
}
