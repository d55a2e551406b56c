//! Trees with the least cost of all trees of their depth, and a proof that none is better.
