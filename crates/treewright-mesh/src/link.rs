//! One connection to another process: bytes in and out without waiting, encrypted where that was asked for.

use crate::proof::{Purpose, Talk};
use crate::socket;
use rustix::fd::{AsFd, BorrowedFd};
use std::cell::Cell;
use std::io::{self, ErrorKind, IoSlice, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Weak};
use std::time::Duration;

/// The bytes of a connection. Reading and writing give [`ErrorKind::WouldBlock`] where they would have to wait.
pub struct Channel {
    stream: Arc<TcpStream>,
    #[cfg(feature = "tls")]
    session: Option<std::cell::RefCell<crate::tls::Session>>,
}

impl Channel {
    /// A connection without encryption.
    pub fn plain(stream: TcpStream) -> Channel {
        Channel {
            stream: Arc::new(stream),
            #[cfg(feature = "tls")]
            session: None,
        }
    }

    /// A connection that is encrypted.
    #[cfg(feature = "tls")]
    pub fn encrypted(stream: TcpStream, session: crate::tls::Session) -> Channel {
        Channel { session: Some(session.into()), ..Channel::plain(stream) }
    }

    /// Reads what has arrived; 0 where the other side has closed the connection.
    pub fn read(&self, bytes: &mut [u8]) -> io::Result<usize> {
        #[cfg(feature = "tls")]
        if let Some(session) = &self.session {
            return session.borrow_mut().read(&self.stream, bytes);
        }
        (&*self.stream).read(bytes)
    }

    /// Writes as much as there is room for.
    pub fn write(&self, parts: &[IoSlice<'_>]) -> io::Result<usize> {
        #[cfg(feature = "tls")]
        if let Some(session) = &self.session {
            return session.borrow_mut().write(&self.stream, parts);
        }
        (&*self.stream).write_vectored(parts)
    }

    /// Hands everything that was written to the operating system.
    pub fn flush(&self) -> io::Result<()> {
        #[cfg(feature = "tls")]
        if let Some(session) = &self.session {
            return session.borrow_mut().flush(&self.stream);
        }
        Ok(())
    }

    /// Writes a few bytes to a connection that has room for them.
    pub fn write_short(&self, bytes: &[u8]) -> io::Result<()> {
        if self.write(&[IoSlice::new(bytes)])? == bytes.len() {
            // Encrypted bytes that wait leave with the next ones.
            match self.flush() {
                Err(error) if error.kind() != ErrorKind::WouldBlock => Err(error),
                _ => Ok(()),
            }
        } else {
            Err(ErrorKind::WouldBlock.into())
        }
    }

    /// What can be waited for.
    pub fn socket(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}

/// Which side of a connection this process is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// It has connected.
    Connecting,
    /// It has listened.
    Listening,
}

/// A connection to a process that has proven to belong to the fit.
pub struct Link {
    /// The number of that process.
    pub rank: usize,
    /// Its bytes.
    pub channel: Channel,
    /// The keys of headers that are sent, and of those that are received.
    pub send_key: [u8; 32],
    /// See above.
    pub receive_key: [u8; 32],
    /// Whether a message has been sent in part.
    pub midway: Cell<bool>,
    send_timeout: Cell<Duration>,
}

impl Link {
    /// A link after both sides have proven themselves.
    pub fn new(rank: usize, channel: Channel, talk: &Talk<'_>, side: Side) -> Link {
        let connecting = *talk.hash(Purpose::FromConnecting).as_bytes();
        let listening = *talk.hash(Purpose::FromListening).as_bytes();
        let (send_key, receive_key) = match side {
            Side::Connecting => (connecting, listening),
            Side::Listening => (listening, connecting),
        };
        let (midway, send_timeout) = (Cell::new(false), Cell::new(Duration::ZERO));
        Link { rank, channel, send_key, receive_key, midway, send_timeout }
    }

    /// How long the other process may leave bytes where they are before the connection is lost.
    pub fn set_send_timeout(&self, timeout: Duration) -> io::Result<()> {
        if self.send_timeout.replace(timeout) != timeout {
            socket::set_send_timeout(&self.channel.stream, timeout)?;
        }
        Ok(())
    }

    /// What another thread needs in order to wake this one.
    pub fn alarm(&self) -> Alarm {
        Alarm(Arc::downgrade(&self.channel.stream))
    }
}

/// Ends the waiting for a connection, from any thread.
pub struct Alarm(Weak<TcpStream>);

impl Alarm {
    /// Whoever waits for the connection sees that it is closed.
    pub fn ring(&self) {
        if let Some(stream) = self.0.upgrade() {
            // It may be closed already.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}
