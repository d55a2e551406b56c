//! Connections to processes of lower rank, which may not listen yet, or behind whose address something else may answer.

use crate::link::{Channel, Link, Side};
use crate::mesh::{Place, Settings};
use crate::proof::{NONCE, PROOF, Purpose, Talk, hello, nonce};
use crate::socket::{Want, prepare, wait};
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use treewright_core::{Error, Result};

/// The longest wait for one connection; then it is tried again, and the flag is looked at.
const TRY: Duration = Duration::from_millis(900);
/// The first and the longest pause between two attempts.
const PAUSES: [Duration; 2] = [Duration::from_millis(5), Duration::from_millis(200)];

/// Connects to process `to` at its address, until the deadline or somebody sets the flag.
pub fn dial(
    place: &Place,
    settings: &Settings,
    to: usize,
    address: &str,
    deadline: Instant,
    stop: &AtomicBool,
) -> Result<Link> {
    let mut pause = PAUSES[0];
    loop {
        let failure = match try_once(place, settings, to, address, stop) {
            Ok(link) => return Ok(link),
            Err(error) => error,
        };
        if stop.load(Ordering::Acquire) {
            return Err(Error::Cancelled);
        }
        if Instant::now() + pause >= deadline {
            let message = format!("process {to} of the fit cannot be reached at {address}: {failure}");
            return Err(Error::PeerLost { rank: to, message });
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(PAUSES[1]);
    }
}

/// One attempt, at each of the addresses that a name may stand for.
fn try_once(place: &Place, settings: &Settings, to: usize, address: &str, stop: &AtomicBool) -> io::Result<Link> {
    let mut last = io::Error::new(ErrorKind::NotFound, "the name has no address");
    for address in address.to_socket_addrs()? {
        match greet(place, settings, to, &address, stop) {
            Ok(link) => return Ok(link),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Connects, proves that this process belongs to the fit, and checks that the other one does.
fn greet(place: &Place, settings: &Settings, to: usize, address: &SocketAddr, stop: &AtomicBool) -> io::Result<Link> {
    let stream = TcpStream::connect_timeout(address, TRY)?;
    prepare(&stream, settings.silence)?;
    let channel = settings.connecting(stream)?;
    let deadline = Instant::now() + settings.handshake_timeout;
    let greeting = hello(place, to, nonce()?);
    channel.write_short(&greeting)?;
    let answer: [u8; NONCE] = read(&channel, deadline, stop)?;
    let talk = Talk { secret: &place.secret, hello: &greeting, answer: &answer };
    expect(&read(&channel, deadline, stop)?, &talk, Purpose::Listens)?;
    channel.write_short(talk.hash(Purpose::Connects).as_bytes())?;
    expect(&read(&channel, deadline, stop)?, &talk, Purpose::Ready)?;
    Ok(Link::new(to, channel, &talk, Side::Connecting))
}

fn expect(proof: &[u8; PROOF], talk: &Talk<'_>, purpose: Purpose) -> io::Result<()> {
    if blake3::Hash::from_bytes(*proof) == talk.hash(purpose) {
        return Ok(());
    }
    Err(io::Error::new(ErrorKind::PermissionDenied, "it does not know the secret of the fit"))
}

/// Reads so many bytes.
fn read<const COUNT: usize>(channel: &Channel, deadline: Instant, stop: &AtomicBool) -> io::Result<[u8; COUNT]> {
    let (mut bytes, mut received) = ([0; COUNT], 0);
    while received < COUNT {
        match channel.read(&mut bytes[received..]) {
            Ok(0) => return Err(io::Error::new(ErrorKind::UnexpectedEof, "it has closed the connection")),
            Ok(count) => received += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() != ErrorKind::WouldBlock => return Err(error),
            Err(_) if Instant::now() >= deadline || stop.load(Ordering::Acquire) => {
                return Err(io::Error::new(ErrorKind::TimedOut, "it does not answer"));
            }
            Err(_) => wait([(channel.socket(), Want::Read)].into_iter(), TRY / 4)?,
        }
    }
    Ok(bytes)
}
