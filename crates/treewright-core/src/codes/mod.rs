//! Numbers become ordered codes. No targets, no nodes.

pub mod ordered;
pub mod ranks;
pub mod sorted;
pub mod spread;
