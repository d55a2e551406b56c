//! The core for a browser: a call as JSON and a file as bytes in, a document as JSON or a file as bytes out.
//!
//! [`engine::Engine`] does everything and is an ordinary Rust type, so that its tests need no browser. Only the functions
//! at the end of this file are special to WebAssembly: memory for the page to write into, one function for all calls, and
//! where the answer is. There is no bindings generator: the page needs forty lines to use them.

#![allow(dead_code, reason = "calls that follow use it")]

mod cases;
mod curve;
mod distribution;
mod documents;
pub mod engine;
pub mod failure;
mod figures;
mod folds;
mod growing;
mod level;
mod params;
mod pruning;
mod recipes;
mod source;
mod spec;
mod table;
mod training;
mod work;

#[cfg(target_family = "wasm")]
mod exports;
