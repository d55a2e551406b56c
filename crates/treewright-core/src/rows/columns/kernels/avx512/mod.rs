//! Kernels written out for AVX-512. Every function is compiled for the features it names, which an `Isa` of the tier proves.

pub mod codes;
pub mod duo;
pub mod gini;
pub mod histogram;
pub mod lanes;
pub mod numbers;
pub mod pairs;
pub mod partition;
