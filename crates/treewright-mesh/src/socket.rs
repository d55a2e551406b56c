//! What the operating system is asked for: options of a connection, and waiting for several connections at once.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::sockopt;
use std::io;
use std::net::TcpStream;
use std::time::Duration;

/// How often a machine that sends nothing is asked whether it is still there, before it counts as lost.
#[cfg(target_os = "linux")]
const PROBES: u32 = 4;

/// Prepares a connection: no call waits, small messages leave at once, and a machine that has been silent for so long is
/// noticed.
pub fn prepare(stream: &TcpStream, silence: Duration) -> io::Result<()> {
    stream.set_nonblocking(true)?;
    stream.set_nodelay(true)?;
    sockopt::set_socket_keepalive(stream, true)?;
    #[cfg(target_os = "linux")]
    {
        let part = (silence / (PROBES + 2)).max(Duration::from_secs(1));
        sockopt::set_tcp_keepidle(stream, part * 2)?;
        sockopt::set_tcp_keepintvl(stream, part)?;
        sockopt::set_tcp_keepcnt(stream, PROBES)?;
    }
    set_send_timeout(stream, silence)
}

/// How long sent bytes may stay unconfirmed, or a full receiver may take nothing, before the connection is lost. Systems
/// other than Linux decide for themselves.
pub fn set_send_timeout(stream: &TcpStream, timeout: Duration) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    sockopt::set_tcp_user_timeout(stream, u32::try_from(timeout.as_millis()).unwrap_or(u32::MAX))?;
    #[cfg(not(target_os = "linux"))]
    let _ = (stream, timeout);
    Ok(())
}

/// What a socket is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// Bytes have arrived.
    Read,
    /// There is room for bytes.
    Write,
}

/// Waits until one of the sockets is ready, or a limit has passed. An error of a socket counts as ready: reading or
/// writing will name it.
pub fn wait<'a>(sockets: impl Iterator<Item = (rustix::fd::BorrowedFd<'a>, Want)>, limit: Duration) -> io::Result<()> {
    let flags = |want| if want == Want::Read { PollFlags::IN } else { PollFlags::OUT };
    let mut waiting: Vec<PollFd<'a>> = sockets.map(|(fd, want)| PollFd::from_borrowed_fd(fd, flags(want))).collect();
    let limit = Timespec { tv_sec: limit.as_secs() as i64, tv_nsec: limit.subsec_nanos().into() };
    match poll(&mut waiting, Some(&limit)) {
        // A signal may end the waiting; the caller looks again.
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
