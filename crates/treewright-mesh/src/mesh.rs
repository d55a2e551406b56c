//! The processes of a fit that are connected with each other.

use crate::collectives::{Buffers, Call, Traffic};
use crate::dial::dial;
use crate::link::{Alarm, Channel, Link};
use crate::listener::Listener;
use crate::message::{Header, Kind};
use crate::rounds::neighbors;
use std::collections::BTreeMap;
use std::net::TcpStream;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use treewright_core::prelude::Peers;
use treewright_core::{Error, Result};

/// Which process of which fit this one is.
#[derive(Clone)]
pub struct Place {
    /// The identity of the fit.
    pub fit: [u8; 16],
    /// How often the fit was begun again.
    pub attempt: u32,
    /// The number of this process, from 0.
    pub rank: usize,
    /// How many processes take part.
    pub size: usize,
    /// What only processes of the fit know.
    pub secret: [u8; 32],
}

impl Place {
    /// The identity that a name stands for.
    pub fn fit(name: &str) -> [u8; 16] {
        let mut fit = [0; 16];
        fit.copy_from_slice(&blake3::hash(name.as_bytes()).as_bytes()[..16]);
        fit
    }
}

/// How long to wait, and for what.
#[derive(Clone)]
pub struct Settings {
    /// How long no byte may come from a process that is waited for.
    pub timeout: Duration,
    /// How long a machine may confirm nothing.
    pub silence: Duration,
    /// How long all processes may take to connect.
    pub connect_timeout: Duration,
    /// How long one connection may take to prove itself.
    pub handshake_timeout: Duration,
    /// Sums go to everybody as a whole, in half the rounds, while a process sends at most so many bytes.
    pub whole_bytes: usize,
    /// Certificates, where connections are encrypted.
    #[cfg(feature = "tls")]
    pub certificates: Option<crate::tls::Certificates>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            timeout: Duration::from_secs(300),
            silence: Duration::from_secs(30),
            connect_timeout: Duration::from_secs(60),
            handshake_timeout: Duration::from_secs(5),
            whole_bytes: 1 << 17,
            #[cfg(feature = "tls")]
            certificates: None,
        }
    }
}

impl Settings {
    /// The side of a connection that has listened.
    pub(crate) fn listening(&self, stream: TcpStream) -> std::io::Result<Channel> {
        #[cfg(feature = "tls")]
        if let Some(certificates) = &self.certificates {
            return Ok(Channel::encrypted(stream, certificates.listening()?));
        }
        Ok(Channel::plain(stream))
    }

    /// The side that has connected.
    pub(crate) fn connecting(&self, stream: TcpStream) -> std::io::Result<Channel> {
        #[cfg(feature = "tls")]
        if let Some(certificates) = &self.certificates {
            return Ok(Channel::encrypted(stream, certificates.connecting()?));
        }
        Ok(Channel::plain(stream))
    }
}

/// What a process has sent and waited so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counters {
    /// Calls that all processes have made together.
    pub calls: u64,
    /// Bytes sent, with headers.
    pub bytes_sent: u64,
    /// Bytes received, with headers.
    pub bytes_received: u64,
    /// Seconds in which this process has waited for others.
    pub seconds_waited: f64,
}

struct State {
    links: BTreeMap<usize, Link>,
    buffers: Buffers,
    /// Why no further call can be made.
    failed: Option<Failure>,
}

/// The first error, which every later call repeats.
#[derive(Clone)]
enum Failure {
    Lost { rank: usize, message: String },
    Data { slug: &'static str, message: String },
    Cancelled,
}

impl Failure {
    fn error(&self) -> Error {
        match self.clone() {
            Failure::Lost { rank, message } => Error::PeerLost { rank, message },
            Failure::Data { slug, message } => Error::Data { slug, message },
            Failure::Cancelled => Error::Cancelled,
        }
    }
}

/// One process of a fit, connected with others.
pub struct Mesh {
    place: Place,
    settings: Settings,
    /// Held during a call.
    state: Mutex<State>,
    closed: Arc<AtomicBool>,
    alarms: Vec<Alarm>,
    traffic: Mutex<(u64, Traffic)>,
}

impl Mesh {
    /// Connects with the other processes: waits for those of higher rank, and connects to those of lower rank. `closed`
    /// ends that, and everything else, from any thread; the port is closed afterwards.
    pub fn connect(
        listener: Listener,
        place: Place,
        addresses: &[String],
        settings: Settings,
        closed: Arc<AtomicBool>,
    ) -> Result<Mesh> {
        if place.rank >= place.size || addresses.len() != place.size || place.size > u32::MAX as usize {
            let (rank, given) = (place.rank, addresses.len());
            let message = format!("process {rank} of {} with {given} addresses cannot take part in a fit", place.size);
            return Err(Error::data("fit.peers", message));
        }
        let links = connect_all(&listener, &place, addresses, &settings, &closed)?;
        let alarms = links.values().map(Link::alarm).collect();
        let state = Mutex::new(State { links, buffers: Buffers::default(), failed: None });
        Ok(Mesh { place, settings, state, closed, alarms, traffic: Mutex::default() })
    }

    /// What was sent and waited so far.
    pub fn counters(&self) -> Counters {
        let (calls, traffic) = *self.traffic.lock().unwrap_or_else(PoisonError::into_inner);
        Counters {
            calls,
            bytes_sent: traffic.sent,
            bytes_received: traffic.received,
            seconds_waited: traffic.waited.as_secs_f64(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes one call together with the other processes. After an error there is no other call.
    fn call<T>(&self, kind: Kind, work: impl FnOnce(&mut Call<'_>) -> Result<T>) -> Result<T> {
        let mut state = self.state();
        if let Some(failure) = &state.failed {
            return Err(failure.error());
        }
        let (calls, mut traffic) = *self.traffic.lock().unwrap_or_else(PoisonError::into_inner);
        let State { links, buffers, .. } = &mut *state;
        let mut call = Call {
            rank: self.place.rank,
            size: self.place.size,
            links,
            header: self.header(kind, calls),
            buffers,
            closed: &self.closed,
            timeout: self.settings.timeout,
            silence: self.settings.silence,
            traffic: &mut traffic,
        };
        let result = work(&mut call);
        buffers.shrink();
        *self.traffic.lock().unwrap_or_else(PoisonError::into_inner) = (calls + 1, traffic);
        result.map_err(|error| self.fail(&mut state, error))
    }

    fn header(&self, kind: Kind, call: u64) -> Header {
        let fit = u64::from_le_bytes(self.place.fit[..8].try_into().unwrap_or_default());
        Header { fit, call, round: 0, kind, total: 0, length: 0 }
    }

    /// Tells the neighbors what has happened and closes all connections, so that every process of the fit learns of it.
    fn fail(&self, state: &mut State, error: Error) -> Error {
        let failure = if self.closed.load(Ordering::Acquire) {
            Failure::Cancelled
        } else {
            match error {
                Error::PeerLost { rank, message } => Failure::Lost { rank, message },
                Error::Data { slug, message } => Failure::Data { slug, message },
                // Memory, for example, which this process lacks: for the others it is this one that is lost.
                error => {
                    state.links.clear();
                    state.failed = Some(Failure::Cancelled);
                    return error;
                }
            }
        };
        if let Failure::Lost { rank, .. } = &failure {
            let header = self.header(Kind::Leave, *rank as u64);
            for link in state.links.values().filter(|link| !link.midway.get() && link.rank != *rank) {
                // The connection ends anyway.
                let _ = link.channel.write_short(&header.seal(0, &link.send_key));
            }
        }
        state.links.clear();
        state.failed.insert(failure).error()
    }
}

impl Peers for Mesh {
    fn rank(&self) -> usize {
        self.place.rank
    }

    fn size(&self) -> usize {
        self.place.size
    }

    fn add(&self, words: &mut [u64]) -> Result<()> {
        self.call(Kind::Add, |call| call.reduce(words, self.settings.whole_bytes, u64::wrapping_add))
    }

    fn max(&self, words: &mut [u64]) -> Result<()> {
        self.call(Kind::Max, |call| call.reduce(words, self.settings.whole_bytes, u64::max))
    }

    fn gather(&self, bytes: &[u8]) -> Result<Vec<Vec<u8>>> {
        self.call(Kind::Gather, |call| call.gather(bytes))
    }

    fn exchange(&self, parts: &[Vec<u8>]) -> Result<Vec<Vec<u8>>> {
        if parts.len() != self.place.size {
            return Err(Error::data("fit.peers", "an exchange needs one part for each process of the fit"));
        }
        self.call(Kind::Exchange, |call| call.exchange(parts))
    }

    fn add_parts(&self, words: &mut [u64], parts: &[Range<usize>]) -> Result<()> {
        let ends = parts.iter().map(|part| part.end);
        let starts = parts.iter().map(|part| part.start);
        let follow = starts.eq([0].into_iter().chain(ends).take(parts.len()));
        let covered = parts.last().is_some_and(|part| part.end == words.len());
        if parts.len() != self.place.size || !follow || !covered || parts.iter().any(|part| part.start > part.end) {
            return Err(Error::data("fit.peers", "parts of a sum must follow each other and cover all words"));
        }
        self.call(Kind::AddParts, |call| {
            call.header.total = words.len() as u64;
            call.collect(words, parts, u64::wrapping_add)
        })
    }

    fn leave(&self) {
        self.closed.store(true, Ordering::Release);
        self.alarms.iter().for_each(Alarm::ring);
        // A call that is under way ends by itself, and then closes the connections.
        if let Ok(mut state) = self.state.try_lock() {
            state.links.clear();
            state.failed.get_or_insert(Failure::Cancelled);
        }
    }
}

impl Drop for Mesh {
    fn drop(&mut self) {
        self.leave();
    }
}

/// Connects with all neighbors.
fn connect_all(
    listener: &Listener,
    place: &Place,
    addresses: &[String],
    settings: &Settings,
    closed: &AtomicBool,
) -> Result<BTreeMap<usize, Link>> {
    let deadline = Instant::now() + settings.connect_timeout;
    let mut lower = neighbors(place.rank, place.size);
    let higher = lower.split_off(&place.rank);
    let (failed, stop) = (AtomicBool::new(false), || closed.load(Ordering::Acquire));
    std::thread::scope(|scope| {
        let accept = || listener.accept(place, settings, &higher, deadline, &[closed, &failed]);
        let waiting = std::thread::Builder::new().spawn_scoped(scope, accept).map_err(|_| Error::Memory)?;
        let mut links = BTreeMap::new();
        for &rank in &lower {
            match dial(place, settings, rank, &addresses[rank], deadline, closed) {
                Ok(link) => _ = links.insert(rank, link),
                Err(error) => {
                    failed.store(true, Ordering::Release);
                    return Err(error);
                }
            }
        }
        links.extend(waiting.join().map_err(|_| Error::data("fit.peers", "a thread of the mesh has failed"))?);
        if stop() {
            return Err(Error::Cancelled);
        }
        match higher.iter().find(|rank| !links.contains_key(rank)) {
            None => Ok(links),
            Some(&rank) => {
                let limit = settings.connect_timeout;
                let message = format!("process {rank} of the fit has not connected within {limit:?}");
                Err(Error::PeerLost { rank, message })
            }
        }
    })
}
