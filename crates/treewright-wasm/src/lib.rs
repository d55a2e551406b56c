//! The core for a browser: a call as JSON and a file as bytes in, a document as JSON or a file as bytes out.
//!
//! [`engine::Engine`] does everything and is an ordinary Rust type, so that its tests need no browser. Only the functions
//! at the end of this file are special to WebAssembly: memory for the page to write into, one function for all calls, and
//! where the answer is. There is no bindings generator: the page needs forty lines to use them.

mod adaboost;
mod baselines;
mod boosting;
mod canonical;
mod cases;
mod compare;
mod curve;
mod describe;
mod distribution;
mod documents;
pub mod engine;
mod ensembles;
mod exact_sum;
pub mod failure;
mod figures;
mod folds;
mod growing;
mod level;
mod model;
mod model_file;
mod neighbors;
mod options;
mod other_algorithms;
mod params;
mod pruning;
mod recipes;
mod spec;
mod table;
mod training;
mod tree_columns;
mod work;

#[cfg(target_family = "wasm")]
mod exports;
