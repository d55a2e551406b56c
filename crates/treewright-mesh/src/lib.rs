//! Sockets between the processes of one fit: each adds its integers to those of the others.
