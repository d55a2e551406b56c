//! Threads that stand for the processes of a fit, connected by real sockets.

#![allow(clippy::unwrap_used, dead_code)]

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use treewright_core::Result;
use treewright_mesh::{Listener, Mesh, Place, Settings};

/// Settings for tests: nothing waits for long.
pub fn quick() -> Settings {
    let seconds = Duration::from_secs;
    Settings {
        timeout: seconds(20),
        connect_timeout: seconds(20),
        handshake_timeout: seconds(1),
        ..Settings::default()
    }
}

/// The place of one of the processes of a fit.
pub fn place(rank: usize, size: usize) -> Place {
    Place { fit: Place::fit("a fit"), attempt: 0, rank, size, secret: [5; 32] }
}

/// Ports for so many processes, and their addresses.
pub fn listen(size: usize, host: &str) -> (Vec<Listener>, Vec<String>) {
    let listeners: Vec<Listener> = (0..size).map(|_| Listener::bind(host, 0).unwrap()).collect();
    let addresses = listeners.iter().map(|listener| listener.address().unwrap().to_string()).collect();
    (listeners, addresses)
}

/// Connects with the others.
pub fn join(listener: Listener, place: Place, addresses: &[String], settings: &Settings) -> Result<Mesh> {
    Mesh::connect(listener, place, addresses, settings.clone(), Arc::new(AtomicBool::new(false)))
}

/// Does the same in each of so many processes; returns what each gets, in the order of ranks.
pub fn together<T: Send>(size: usize, settings: &Settings, work: impl Fn(Mesh) -> T + Sync) -> Vec<T> {
    let (listeners, addresses) = listen(size, "127.0.0.1");
    let (work, addresses) = (&work, &addresses);
    std::thread::scope(|scope| {
        let run = |(rank, listener)| {
            scope.spawn(move || work(join(listener, place(rank, size), addresses, settings).unwrap()))
        };
        let threads: Vec<_> = listeners.into_iter().enumerate().map(run).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}
