//! The one error type. Each kind is something a caller can act on; the binding maps each to one Python exception.

/// What can go wrong in the core.
#[derive(Debug)]
pub enum Error {
    /// The caller's values do not fit together. The sentence is for the user; the slug names it for programs.
    Data {
        /// A stable name such as `data.ragged-row`.
        slug: &'static str,
        /// One or more lines: what, where, what was seen, and [`hint`]s.
        message: String,
    },
    /// The bytes are not a model that this version reads.
    Model {
        /// A stable name such as `model.damaged`.
        slug: &'static str,
        /// One sentence.
        message: String,
    },
    /// Another process of the fit has ended, or cannot be reached.
    PeerLost {
        /// The number of that process.
        rank: usize,
        /// One sentence.
        message: String,
    },
    /// The caller asked the work to stop.
    Cancelled,
    /// An allocation was refused.
    Memory,
}

/// A result, mostly with the core's error.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// The caller's values do not fit together.
    pub fn data(slug: &'static str, message: impl Into<String>) -> Error {
        Error::Data { slug, message: message.into() }
    }

    /// The bytes are not a model that this version reads.
    pub fn model(slug: &'static str, message: impl Into<String>) -> Error {
        Error::Model { slug, message: message.into() }
    }
}

/// A line of a message that names an option and a value for it: `option`, `value` and a remark, each after a unit
/// separator. The Python package writes it as `--option value` or as `option="value"`, whichever the reader can type.
pub fn hint(option: &str, value: &str, remark: &str) -> String {
    format!("\u{1f}{option}\u{1f}{value}\u{1f}{remark}")
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Data { slug, message } | Error::Model { slug, message } => {
                write!(f, "{message}  [{slug}]")
            }
            Error::PeerLost { message, .. } => write!(f, "{message}  [fit.peer-lost]"),
            Error::Cancelled => write!(f, "the work was cancelled"),
            Error::Memory => write!(f, "out of memory"),
        }
    }
}

impl std::error::Error for Error {}

impl From<std::collections::TryReserveError> for Error {
    fn from(_: std::collections::TryReserveError) -> Error {
        Error::Memory
    }
}
