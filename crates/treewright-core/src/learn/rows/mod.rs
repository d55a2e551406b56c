//! How the rows of a node are held, searched and divided.

pub mod entries;
