//! The header of a message: which message of which call it is, how long it is, and a proof of both.

/// Bytes of a header.
pub const HEADER: usize = SIGNED + MAC;
const SIGNED: usize = 48;
const MAC: usize = 16;

/// What a call does. Processes that do not make the same calls get an error, never a wrong sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Kind {
    /// Words are added.
    Add = 1,
    /// Words are added, and each process keeps its part of the sums.
    AddParts,
    /// The largest of each word is kept.
    Max,
    /// Lengths of lists, before their bytes.
    Lengths,
    /// Bytes of all processes for all processes.
    Gather,
    /// Bytes of each process for each other one.
    Exchange,
    /// The sender takes no further part; the call is the number of the process that it has lost.
    Leave,
}

/// Which message it is. All fields but the last are known to the receiver before it arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The first bytes of the fit's identity.
    pub fit: u64,
    /// The number of the call, counted by each process for itself.
    pub call: u64,
    /// The number of the round within the call.
    pub round: u32,
    /// What the call does.
    pub kind: Kind,
    /// How large the whole call is, in words or bytes.
    pub total: u64,
    /// Bytes that follow the header.
    pub length: u64,
}

/// What is wrong with a header.
#[derive(Debug, PartialEq, Eq)]
pub enum Wrong {
    /// The bytes were not sent by the process at the other end, or have changed on the way.
    Damaged,
    /// The other process makes another call.
    Different,
    /// The other process has lost this one.
    Left(u64),
}

impl Header {
    /// The bytes of the header of a content with this checksum.
    pub fn seal(&self, checksum: u64, key: &[u8; 32]) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        let numbers = [self.fit, self.call, self.kind_and_round(), self.total, self.length, checksum];
        for (to, number) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(numbers) {
            *to = number.to_le_bytes();
        }
        let hash = blake3::keyed_hash(key, &bytes[..SIGNED]);
        bytes[SIGNED..].copy_from_slice(&hash.as_bytes()[..MAC]);
        bytes
    }

    /// The checksum in the bytes of a header, if they are of the expected message.
    pub fn open(&self, bytes: &[u8; HEADER], key: &[u8; 32]) -> Result<u64, Wrong> {
        let hash = blake3::keyed_hash(key, &bytes[..SIGNED]);
        let differences = hash.as_bytes().iter().zip(&bytes[SIGNED..]).fold(0, |all, (a, b)| all | (a ^ b));
        if differences != 0 {
            return Err(Wrong::Damaged);
        }
        let number = |place: usize| u64::from_le_bytes(bytes.as_chunks::<8>().0[place]);
        if number(0) != self.fit {
            return Err(Wrong::Damaged);
        }
        if number(2) == Kind::Leave as u64 {
            return Err(Wrong::Left(number(1)));
        }
        let received = [number(1), number(2), number(3), number(4)];
        let expected = [self.call, self.kind_and_round(), self.total, self.length];
        if received == expected { Ok(number(5)) } else { Err(Wrong::Different) }
    }

    fn kind_and_round(&self) -> u64 {
        u64::from(self.round) << 32 | self.kind as u64
    }
}

/// A checksum that finds accidental changes at several bytes a cycle.
pub fn checksum(bytes: &[u8]) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |lane: u64, word: [u8; 8]| (lane ^ u64::from_le_bytes(word)).wrapping_mul(ODD).rotate_left(29);
    let (blocks, rest) = bytes.as_chunks::<64>();
    // Eight lanes, since each step of one lane waits for the one before.
    let mut lanes: [u64; 8] = std::array::from_fn(|lane| lane as u64);
    for block in blocks {
        for (lane, word) in lanes.iter_mut().zip(block.as_chunks::<8>().0) {
            *lane = mix(*lane, *word);
        }
    }
    let mut sum = lanes.iter().fold(bytes.len() as u64, |sum, lane| mix(sum, lane.to_le_bytes()));
    for part in rest.chunks(8) {
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        sum = mix(sum, word);
    }
    sum
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const HEAD: Header = Header { fit: 1, call: 2, round: 3, kind: Kind::Add, total: 4, length: 5 };

    #[test]
    fn only_the_expected_header_opens() {
        let key = [3; 32];
        let bytes = HEAD.seal(99, &key);
        assert_eq!(HEAD.open(&bytes, &key), Ok(99));
        assert_eq!(HEAD.open(&bytes, &[4; 32]), Err(Wrong::Damaged));
        for byte in 0..HEADER {
            let mut changed = bytes;
            changed[byte] ^= 1;
            assert_eq!(HEAD.open(&changed, &key), Err(Wrong::Damaged), "byte {byte}");
        }
        let others = [
            Header { call: 3, ..HEAD },
            Header { round: 4, ..HEAD },
            Header { kind: Kind::Max, ..HEAD },
            Header { total: 5, ..HEAD },
            Header { length: 6, ..HEAD },
        ];
        for other in others {
            assert_eq!(HEAD.open(&other.seal(99, &key), &key), Err(Wrong::Different));
        }
        assert_eq!(HEAD.open(&Header { fit: 2, ..HEAD }.seal(99, &key), &key), Err(Wrong::Damaged));
        let left = Header { kind: Kind::Leave, call: 7, round: 0, ..HEAD };
        assert_eq!(HEAD.open(&left.seal(0, &key), &key), Err(Wrong::Left(7)));
    }

    #[test]
    fn a_checksum_sees_each_bit_and_the_length() {
        for length in [0, 1, 7, 8, 63, 64, 65, 200] {
            let bytes: Vec<u8> = (0..length).map(|i| (i * 7) as u8).collect();
            let sum = checksum(&bytes);
            for bit in 0..length * 8 {
                let mut changed = bytes.clone();
                changed[bit / 8] ^= 1 << (bit % 8);
                assert_ne!(checksum(&changed), sum, "bit {bit} of {length} bytes");
            }
            let longer: Vec<u8> = bytes.iter().copied().chain([0]).collect();
            assert_ne!(checksum(&longer), sum, "{length} bytes and a zero");
        }
    }
}
