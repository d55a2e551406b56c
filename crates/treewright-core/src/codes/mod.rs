//! Numbers become ordered codes. No targets, no nodes.

pub mod spread;
