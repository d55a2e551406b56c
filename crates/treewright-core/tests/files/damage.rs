//! Accidents: a file that was cut, changed or glued is always noticed, and never by a crash.

use super::format::slug;
use super::make::{model, regression};
use super::unwatched::from_bytes;

#[test]
fn a_file_cut_anywhere_is_refused() {
    for bytes in [model(), regression()] {
        for length in 0..bytes.len() {
            let expected = if length < 9 { "model.not-a-model" } else { "model.damaged" };
            assert_eq!(slug(from_bytes(&bytes[..length])), expected, "cut at {length}");
        }
    }
}

#[test]
fn every_flipped_bit_is_noticed() {
    for mut bytes in [model(), regression()] {
        for bit in 0..bytes.len() * 8 {
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(slug(from_bytes(&bytes)), "model.damaged", "bit {bit}");
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        assert!(from_bytes(&bytes).is_ok());
    }
}

#[test]
fn a_file_with_something_behind_it_is_refused() {
    for tail in [&b"\0"[..], b" ", b"\n", &model()] {
        assert_eq!(slug(from_bytes(&[&model(), tail].concat())), "model.damaged");
    }
}
