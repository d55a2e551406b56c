//! Sockets between the processes of one fit: each adds its integers to those of the others.
//!
//! | file | holds |
//! | --- | --- |
//! | `mesh.rs` | the [`Mesh`]: the processes of a fit as [`Peers`](treewright_core::prelude::Peers) |
//! | `listener.rs`, `dial.rs` | connections from processes of higher rank, and to those of lower rank |
//! | `proof.rs` | both sides of a connection prove that they know the secret of the fit |
//! | `link.rs`, `tls.rs`, `socket.rs` | one connection, with encryption where it is asked for |
//! | `message.rs` | the header of a message, and what is checked of it |
//! | `transfer.rs` | sending and receiving at the same time |
//! | `rounds.rs`, `collectives.rs` | who sends what to whom; sums, maxima, lists and exchanges |
//!
//! What is promised: a connection belongs to a process that knows the secret, of this fit and this attempt. Each message
//! has a number, and the header is authenticated with a key of the connection and direction, so that no message can be
//! repeated, left out, or taken for another one. The content has a checksum, which finds damage and not intent: whoever
//! can change packets on the way between two processes can change numbers. Encryption protects from that, too.

mod collectives;
mod dial;
mod link;
mod listener;
mod mesh;
mod message;
mod proof;
mod rounds;
mod socket;
#[cfg(feature = "tls")]
mod tls;
mod transfer;

pub use listener::Listener;
pub use mesh::{Counters, Mesh, Place, Settings};
#[cfg(feature = "tls")]
pub use tls::Certificates;
