//! Model files: what is written comes back, and no bytes whatever do harm.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod cases;
mod damage;
mod format;
mod fuzz;
mod hostile;
mod make;
mod memory;
mod unwatched;
