//! Connections from processes of higher rank. Whoever else connects is dropped and delays nobody: all connections that
//! have not proven themselves are served by one thread in turn, each has a few seconds, and there is a limit to them.

use crate::link::{Channel, Link, Side};
use crate::mesh::{Place, Settings};
use crate::proof::{HELLO, Hello, NONCE, PROOF, Purpose, Talk, nonce, sender};
use crate::socket::{Want, prepare, wait};
use rustix::fd::AsFd;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Connections that may be open before they have proven themselves; then the oldest is dropped for the newest.
const MOST_PENDING: usize = 256;
/// Connections that are taken at once, before those that are there are looked at again.
const MOST_AT_ONCE: usize = 64;
/// How long the flag may go unseen.
const TICK: Duration = Duration::from_millis(100);

/// A port that waits for the other processes of a fit.
#[derive(Debug)]
pub struct Listener(TcpListener);

impl Listener {
    /// Listens at an address, and nowhere else; port 0 takes one that is free.
    pub fn bind(host: &str, port: u16) -> io::Result<Listener> {
        let listener = TcpListener::bind((host, port))?;
        listener.set_nonblocking(true)?;
        Ok(Listener(listener))
    }

    /// Where it listens.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.0.local_addr()
    }

    /// Waits for all of these processes, until the deadline or somebody sets a flag; returns those that have come.
    pub(crate) fn accept(
        &self,
        place: &Place,
        settings: &Settings,
        wanted: &BTreeSet<usize>,
        deadline: Instant,
        stops: &[&AtomicBool],
    ) -> BTreeMap<usize, Link> {
        let mut links = BTreeMap::new();
        let mut pending: VecDeque<Pending> = VecDeque::new();
        let stopped = || stops.iter().any(|stop| stop.load(Ordering::Acquire));
        while links.len() < wanted.len() && Instant::now() < deadline && !stopped() {
            let sockets = pending.iter().map(|guest| (guest.channel.socket(), Want::Read));
            // What cannot be waited for is looked at again all the same.
            if wait(sockets.chain([(self.0.as_fd(), Want::Read)]), TICK).is_err() {
                std::thread::sleep(TICK);
            }
            self.welcome(settings, &mut pending);
            let now = Instant::now();
            pending = pending
                .into_iter()
                .filter(|guest| now - guest.since < settings.handshake_timeout)
                .filter_map(|guest| match guest.advance(place, wanted) {
                    Outcome::Waiting(guest) => Some(guest),
                    Outcome::Dropped => None,
                    Outcome::Proven(link) => {
                        links.insert(link.rank, link);
                        None
                    }
                })
                .collect();
        }
        links
    }

    /// Takes connections that have been made.
    fn welcome(&self, settings: &Settings, pending: &mut VecDeque<Pending>) {
        for _ in 0..MOST_AT_ONCE {
            match self.0.accept() {
                Ok((stream, _)) => pending.extend(Pending::new(stream, settings)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(_) => {
                    // The process has too many open files: give some back and let others end.
                    pending.pop_front();
                    std::thread::sleep(Duration::from_millis(5));
                    return;
                }
            }
            if pending.len() > MOST_PENDING {
                pending.pop_front();
            }
        }
    }
}

/// What the other side has said so far.
enum Stage {
    Hello,
    Proof { rank: usize, hello: Hello, answer: [u8; NONCE] },
}

/// A connection that has not proven itself.
struct Pending {
    channel: Channel,
    since: Instant,
    stage: Stage,
    bytes: [u8; HELLO],
    received: usize,
}

/// What becomes of a connection.
enum Outcome {
    Waiting(Pending),
    Dropped,
    Proven(Link),
}

impl Pending {
    fn new(stream: TcpStream, settings: &Settings) -> Option<Pending> {
        prepare(&stream, settings.silence).ok()?;
        let channel = settings.listening(stream).ok()?;
        Some(Pending { channel, since: Instant::now(), stage: Stage::Hello, bytes: [0; HELLO], received: 0 })
    }

    /// Reads what has arrived, and answers it.
    fn advance(mut self, place: &Place, wanted: &BTreeSet<usize>) -> Outcome {
        loop {
            let length = if matches!(self.stage, Stage::Hello) { HELLO } else { PROOF };
            match self.channel.read(&mut self.bytes[self.received..length]) {
                Ok(0) => return Outcome::Dropped,
                Ok(count) => self.received += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Outcome::Waiting(self),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Outcome::Dropped,
            }
            if self.received < length {
                continue;
            }
            self.received = 0;
            let next = match self.stage {
                Stage::Hello => self.answer(place, wanted),
                Stage::Proof { rank, hello, answer } => {
                    let talk = Talk { secret: &place.secret, hello: &hello, answer: &answer };
                    return self.finish(rank, &talk).map_or(Outcome::Dropped, Outcome::Proven);
                }
            };
            match next {
                Some(stage) => self.stage = stage,
                None => return Outcome::Dropped,
            }
        }
    }

    /// Answers the hello of a process that is waited for.
    fn answer(&self, place: &Place, wanted: &BTreeSet<usize>) -> Option<Stage> {
        let hello = self.bytes;
        let rank = sender(&hello, place).filter(|rank| wanted.contains(rank))?;
        let answer = nonce().ok()?;
        let proof = Talk { secret: &place.secret, hello: &hello, answer: &answer }.hash(Purpose::Listens);
        let mut bytes = [0; NONCE + PROOF];
        bytes[..NONCE].copy_from_slice(&answer);
        bytes[NONCE..].copy_from_slice(proof.as_bytes());
        self.channel.write_short(&bytes).ok()?;
        Some(Stage::Proof { rank, hello, answer })
    }

    /// The link, if the proof is right.
    fn finish(self, rank: usize, talk: &Talk<'_>) -> Option<Link> {
        let proof = blake3::Hash::from_bytes(*self.bytes.first_chunk::<PROOF>()?);
        if proof != talk.hash(Purpose::Connects) {
            return None;
        }
        self.channel.write_short(talk.hash(Purpose::Ready).as_bytes()).ok()?;
        Some(Link::new(rank, self.channel, talk, Side::Listening))
    }
}
