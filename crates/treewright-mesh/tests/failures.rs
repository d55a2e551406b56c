//! What other connections may do without disturbing a fit, and what becomes of a fit whose processes are lost.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::{join, listen, place, quick, together};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use treewright_core::Error;
use treewright_core::prelude::Peers;
use treewright_mesh::{Mesh, Place, Settings};

#[test]
fn a_lost_process_is_noticed_by_all() {
    let started = Instant::now();
    let errors = together(5, &quick(), |mesh| {
        let mut sum = vec![1; 10];
        mesh.add(&mut sum).unwrap();
        if mesh.rank() == 3 {
            return None;
        }
        let first = mesh.add(&mut sum).unwrap_err();
        // And there is no way back.
        assert!(mesh.gather(&[]).is_err());
        Some(first)
    });
    assert!(started.elapsed() < Duration::from_secs(5));
    for error in errors.into_iter().flatten() {
        assert!(matches!(error, Error::PeerLost { .. }), "{error}");
    }
}

#[test]
fn different_calls_are_an_error_and_never_a_wrong_sum() {
    type Step = fn(&Mesh) -> treewright_core::Result<()>;
    let pairs: [(Step, Step); 3] = [
        (|mesh| mesh.add(&mut [1; 5]), |mesh| mesh.add(&mut [1; 6])),
        (|mesh| mesh.add(&mut [1; 5]), |mesh| mesh.max(&mut [1; 5])),
        (|mesh| mesh.add(&mut [1]), |mesh| mesh.gather(&[1; 8]).map(|_| ())),
    ];
    for (one, other) in pairs {
        let errors = together(2, &quick(), |mesh| if mesh.rank() == 0 { one(&mesh) } else { other(&mesh) });
        assert!(errors.iter().all(Result::is_err));
        assert!(errors.iter().any(|error| matches!(error, Err(Error::Data { slug: "fit.peers", .. }))));
    }
}

#[test]
fn who_does_not_belong_is_dropped() {
    let (listeners, addresses) = listen(2, "127.0.0.1");
    let target: std::net::SocketAddr = addresses[0].parse().unwrap();
    let guests = std::thread::spawn(move || {
        let mut kept = Vec::new();
        for number in 0..140 {
            // The queue of the system ends somewhere, too.
            let Ok(mut stream) = TcpStream::connect_timeout(&target, Duration::from_millis(20)) else { continue };
            let garbage: &[u8] = [&b"GET / HTTP/1.1\r\n\r\n"[..], &[0xff; 300], b"", b"twmesh\x00\x01"][number % 4];
            let _ = stream.write_all(garbage);
            kept.push(stream);
        }
        kept
    });
    // The real one comes last, when all guests are there.
    let kept = guests.join().unwrap();
    let settings = Settings { handshake_timeout: Duration::from_secs(20), ..quick() };
    let mut listeners = listeners.into_iter();
    let (first, second) = (listeners.next().unwrap(), listeners.next().unwrap());
    std::thread::scope(|scope| {
        let work = |mesh: Mesh| {
            let mut sum = [mesh.rank() as u64 + 1];
            mesh.add(&mut sum).unwrap();
            assert_eq!(sum, [3]);
        };
        let (settings, addresses) = (&settings, &addresses);
        scope.spawn(move || work(join(first, place(0, 2), addresses, settings).unwrap()));
        scope.spawn(move || work(join(second, place(1, 2), addresses, settings).unwrap()));
    });
    drop(kept);
}

#[test]
fn a_wrong_secret_fit_or_attempt_does_not_connect() {
    let others = [
        Place { secret: [6; 32], ..place(1, 2) },
        Place { fit: Place::fit("another fit"), ..place(1, 2) },
        Place { attempt: 1, ..place(1, 2) },
    ];
    for other in others {
        let settings = Settings { connect_timeout: Duration::from_millis(300), ..quick() };
        let (mut listeners, addresses) = listen(2, "127.0.0.1");
        let second = listeners.pop().unwrap();
        let first = listeners.pop().unwrap();
        std::thread::scope(|scope| {
            let (settings, addresses) = (&settings, &addresses);
            let waiting = scope.spawn(move || join(first, place(0, 2), addresses, settings).map(|_| ()));
            let error = join(second, other, addresses, settings).map(|_| ()).unwrap_err();
            assert!(matches!(error, Error::PeerLost { rank: 0, .. }), "{error}");
            assert!(matches!(waiting.join().unwrap(), Err(Error::PeerLost { rank: 1, .. })));
        });
    }
}

/// A process that has proven itself with the bytes of somebody else's talk would be a replay.
#[test]
fn a_recorded_talk_is_worth_nothing() {
    // A go-between records what the real process 1 says to process 0 ...
    let (mut listeners, addresses) = listen(2, "127.0.0.1");
    let between = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let detour = [between.local_addr().unwrap().to_string(), addresses[1].clone()];
    let second = listeners.pop().unwrap();
    let first = listeners.pop().unwrap();
    let target = addresses[0].clone();
    let settings = &quick();
    let recorded = std::thread::scope(|scope| {
        let recorder = scope.spawn(move || {
            let (mut client, _) = between.accept().unwrap();
            let mut server = TcpStream::connect(target).unwrap();
            let (mut said, mut answer) = ([0u8; 76], [0u8; 64]);
            client.read_exact(&mut said).unwrap();
            server.write_all(&said).unwrap();
            server.read_exact(&mut answer).unwrap();
            client.write_all(&answer).unwrap();
            let (mut proof, mut ready) = ([0u8; 32], [0u8; 32]);
            client.read_exact(&mut proof).unwrap();
            server.write_all(&proof).unwrap();
            server.read_exact(&mut ready).unwrap();
            client.write_all(&ready).unwrap();
            (said, proof)
        });
        let addresses = &addresses;
        scope.spawn(move || join(first, place(0, 2), addresses, settings).map(|_| ()).unwrap());
        scope.spawn(move || join(second, place(1, 2), &detour, settings).map(|_| ()).unwrap());
        recorder.join().unwrap()
    });
    // ... and says it again to the next process 0 with the same secret.
    let (mut listeners, addresses) = listen(2, "127.0.0.1");
    let first = listeners.remove(0);
    let target = addresses[0].clone();
    let replay = std::thread::spawn(move || {
        let mut stream = TcpStream::connect(target).unwrap();
        stream.write_all(&recorded.0).unwrap();
        stream.read_exact(&mut [0; 64]).unwrap();
        stream.write_all(&recorded.1).unwrap();
        let mut rest = Vec::new();
        // The connection is closed and nothing is said.
        stream.read_to_end(&mut rest).map_or(0, |count| count)
    });
    let settings = Settings { connect_timeout: Duration::from_millis(600), ..quick() };
    assert!(matches!(join(first, place(0, 2), &addresses, &settings), Err(Error::PeerLost { rank: 1, .. })));
    assert_eq!(replay.join().unwrap(), 0);
}

#[test]
fn closing_wakes_whoever_waits() {
    together(2, &quick(), |mesh| {
        if mesh.rank() == 1 {
            std::thread::sleep(Duration::from_millis(800));
            return;
        }
        let waker = Duration::from_millis(100);
        let started = Instant::now();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(waker);
                mesh.leave();
            });
            assert!(matches!(mesh.add(&mut [1]), Err(Error::Cancelled)));
        });
        assert!(started.elapsed() < Duration::from_millis(600));
    });
}

#[test]
fn connecting_can_be_stopped() {
    let (mut listeners, addresses) = listen(3, "127.0.0.1");
    let stop = Arc::new(AtomicBool::new(false));
    let waker = Arc::clone(&stop);
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        waker.store(true, Ordering::Release);
    });
    let started = Instant::now();
    let result = Mesh::connect(listeners.remove(1), place(1, 3), &addresses, quick(), stop);
    assert!(matches!(result, Err(Error::Cancelled)));
    assert!(started.elapsed() < Duration::from_secs(1));
    thread.join().unwrap();
}

#[test]
fn a_process_that_stops_reading_is_given_up() {
    let settings = Settings { timeout: Duration::from_millis(500), ..quick() };
    together(2, &settings, |mesh| {
        if mesh.rank() == 1 {
            std::thread::sleep(Duration::from_millis(1500));
            return;
        }
        let error = mesh.add(&mut vec![1; 5 << 20]).unwrap_err();
        assert!(matches!(error, Error::PeerLost { rank: 1, .. }), "{error}");
    });
}
