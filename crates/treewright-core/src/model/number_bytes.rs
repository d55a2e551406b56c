//! A column of numbers as bytes: little-endian, one after the other; and the errors of bytes that hold no columns of ours.

use super::document::printable;
use crate::{Error, Result};
use safetensors::tensor::{Dtype, TensorInfo};

/// NaN in a file: one pattern, so that equal tables have equal bytes.
pub(super) const NAN_BITS: u64 = 0x7ff8_0000_0000_0000;

/// A number of a column.
pub(super) trait Number: Copy {
    /// How many bytes it takes.
    const BYTES: usize;

    /// Appends its bytes.
    fn append(self, out: &mut Vec<u8>);

    /// The number in as many bytes as it takes.
    fn read(bytes: &[u8]) -> Self;

    /// Whether files have this bit pattern.
    fn has_one_form(self) -> bool {
        true
    }
}

macro_rules! integer {
    ($type:ty) => {
        impl Number for $type {
            const BYTES: usize = size_of::<$type>();

            fn append(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }

            #[inline]
            fn read(bytes: &[u8]) -> $type {
                let mut own = [0; size_of::<$type>()];
                own.copy_from_slice(bytes);
                <$type>::from_le_bytes(own)
            }
        }
    };
}

integer!(u16);
integer!(u32);
integer!(u64);

impl Number for f64 {
    const BYTES: usize = size_of::<f64>();

    fn append(self, out: &mut Vec<u8>) {
        if self.is_nan() { NAN_BITS } else { self.to_bits() }.append(out);
    }

    #[inline]
    fn read(bytes: &[u8]) -> f64 {
        f64::from_bits(u64::read(bytes))
    }

    fn has_one_form(self) -> bool {
        !self.is_nan() || self.to_bits() == NAN_BITS
    }
}

/// Appends a column.
pub(super) fn append<T: Number>(column: &[T], out: &mut Vec<u8>) {
    column.iter().for_each(|number| number.append(out));
}

/// Moves `entries` numbers from the front of `data` into a column. The bytes are there before the memory is asked for.
pub(super) fn take<T: Number>(column: &mut Vec<T>, entries: usize, data: &mut &[u8]) -> Result<()> {
    let split = entries.checked_mul(T::BYTES).and_then(|bytes| data.split_at_checked(bytes));
    let (front, rest) = split.ok_or_else(sizes_disagree)?;
    column.try_reserve_exact(entries)?;
    column.extend(front.chunks_exact(T::BYTES).map(T::read));
    *data = rest;
    Ok(())
}

/// The same for a column of a file, which has one NaN only.
pub(super) fn take_in_one_form<T: Number>(column: &mut Vec<T>, entries: usize, data: &mut &[u8]) -> Result<()> {
    take(column, entries, data)?;
    if column.iter().all(|number| number.has_one_form()) {
        Ok(())
    } else {
        Err(layout("it writes NaN in a second way"))
    }
}

/// Tensors end to end.
pub(super) fn tensors(
    list: impl Iterator<Item = (&'static str, Dtype, Vec<usize>)>,
) -> Result<Vec<(String, TensorInfo)>> {
    let mut end = 0usize;
    let tensors = list.map(|(name, dtype, shape)| {
        let start = end;
        let entries = shape.iter().try_fold(1usize, |product, &n| product.checked_mul(n))?;
        end = entries.checked_mul(dtype.bitsize() / 8)?.checked_add(start)?;
        Some((name.to_string(), TensorInfo { dtype, shape, data_offsets: (start, end) }))
    });
    tensors.collect::<Option<_>>().ok_or_else(|| layout("its columns are too large"))
}

pub(super) fn sizes_disagree() -> Error {
    layout("the sizes of its trees do not add up to its columns")
}

/// The error for bytes with a right checksum that no treewright wrote.
pub(super) fn layout(what: &str) -> Error {
    Error::model("model.layout", format!("this file is not laid out as a model: {}", printable(what)))
}
