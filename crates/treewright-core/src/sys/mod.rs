//! What the operating system gives: memory with a reserve, large pages, threads, crews of threads, and the flag that cancels work.

pub mod crew;
pub mod memory;
pub mod pages;
pub mod pool;
