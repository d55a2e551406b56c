//! A column of numbers as bytes: little-endian, one after the other.

use super::columns::{layout, sizes_disagree};
use crate::Result;

/// NaN in a file: one pattern, so that equal tables have equal bytes.
pub(super) const NAN_BITS: u64 = 0x7ff8_0000_0000_0000;

/// A column to be written.
pub(super) enum Read<'a> {
    F64(&'a [f64]),
    U64(&'a [u64]),
    U32(&'a [u32]),
    U16(&'a [u16]),
}

/// A column to be read into.
pub(super) enum Write<'a> {
    F64(&'a mut Vec<f64>),
    U64(&'a mut Vec<u64>),
    /// Numbers that earlier versions wrote in half as many bytes.
    FromU32(&'a mut Vec<u64>),
    U32(&'a mut Vec<u32>),
    U16(&'a mut Vec<u16>),
}

/// Appends a column.
pub(super) fn write(column: Read<'_>, out: &mut Vec<u8>) {
    match column {
        Read::F64(values) => values.iter().for_each(|x| {
            let bits = if x.is_nan() { NAN_BITS } else { x.to_bits() };
            out.extend_from_slice(&bits.to_le_bytes());
        }),
        Read::U64(values) => values.iter().for_each(|x| out.extend_from_slice(&x.to_le_bytes())),
        Read::U32(values) => values.iter().for_each(|x| out.extend_from_slice(&x.to_le_bytes())),
        Read::U16(values) => values.iter().for_each(|x| out.extend_from_slice(&x.to_le_bytes())),
    }
}

/// Moves `entries` numbers from the front of `data` into a column.
pub(super) fn read(column: Write<'_>, entries: usize, data: &mut &[u8]) -> Result<()> {
    match column {
        Write::F64(to) => {
            numbers(data, entries, to, f64::from_le_bytes)?;
            if to.iter().any(|x| x.is_nan() && x.to_bits() != NAN_BITS) {
                return Err(layout("it writes NaN in a second way"));
            }
            Ok(())
        }
        Write::U64(to) => numbers(data, entries, to, u64::from_le_bytes),
        Write::FromU32(to) => numbers(data, entries, to, |bytes| u64::from(u32::from_le_bytes(bytes))),
        Write::U32(to) => numbers(data, entries, to, u32::from_le_bytes),
        Write::U16(to) => numbers(data, entries, to, u16::from_le_bytes),
    }
}

/// Moves `entries` numbers from the front of `data` into `to`. The bytes are there before the memory is asked for.
pub(super) fn numbers<T, const N: usize>(
    data: &mut &[u8],
    entries: usize,
    to: &mut Vec<T>,
    read: fn([u8; N]) -> T,
) -> Result<()> {
    let split = entries.checked_mul(N).and_then(|bytes| data.split_at_checked(bytes));
    let (front, rest) = split.ok_or_else(sizes_disagree)?;
    to.try_reserve_exact(entries)?;
    to.extend(front.chunks_exact(N).map(|chunk| number(chunk, read)));
    *data = rest;
    Ok(())
}

/// The number in as many bytes as it takes.
pub(super) fn number<T, const N: usize>(chunk: &[u8], read: fn([u8; N]) -> T) -> T {
    let mut bytes = [0; N];
    bytes.copy_from_slice(chunk);
    read(bytes)
}
