//! How both sides of a connection prove that they know the secret of the fit.
//!
//! The side that connects sends a [`Hello`] with a random number; the other one answers with a random number of its own
//! and a proof; then the first sends its proof, and the second says that it is satisfied. A proof is a keyed BLAKE3 hash,
//! which is a message authentication code, of everything that was said before, so that a recorded one is worth nothing.

use crate::mesh::Place;

/// Which program and version speaks.
const MAGIC: [u8; 8] = *b"twmesh\x00\x01";
/// Reads differently on a machine with another byte order; words are sent as they stand in memory.
const BYTE_ORDER: u32 = 0x0102_0304;

/// Bytes of a random number.
pub const NONCE: usize = 32;
/// Bytes of a proof.
pub const PROOF: usize = 32;
/// Bytes of a hello.
pub const HELLO: usize = 8 + 5 * 4 + 16 + NONCE;

/// What the side that connects says first.
pub type Hello = [u8; HELLO];

/// A hello of the process at `place` to process `to`.
pub fn hello(place: &Place, to: usize, nonce: [u8; NONCE]) -> Hello {
    let mut bytes = [0; HELLO];
    bytes[..HELLO - NONCE].copy_from_slice(&greeting(place, place.rank, to));
    bytes[HELLO - NONCE..].copy_from_slice(&nonce);
    bytes
}

/// The process that a hello to `place` comes from, if it belongs to this attempt of this fit.
pub fn sender(hello: &Hello, place: &Place) -> Option<usize> {
    let from = u32::from_ne_bytes(*hello[20..].first_chunk()?) as usize;
    let known = from < place.size && hello[..HELLO - NONCE] == greeting(place, from, place.rank);
    known.then_some(from)
}

/// A hello without its random number.
fn greeting(place: &Place, from: usize, to: usize) -> [u8; HELLO - NONCE] {
    let numbers = [BYTE_ORDER, place.attempt, place.size as u32, from as u32, to as u32];
    let mut bytes = [0; HELLO - NONCE];
    bytes[..8].copy_from_slice(&MAGIC);
    for (to, number) in bytes[8..28].as_chunks_mut::<4>().0.iter_mut().zip(numbers) {
        *to = number.to_ne_bytes();
    }
    bytes[28..].copy_from_slice(&place.fit);
    bytes
}

/// A number that nobody can foresee.
pub fn nonce() -> std::io::Result<[u8; NONCE]> {
    let mut bytes = [0; NONCE];
    getrandom::getrandom(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
    Ok(bytes)
}

/// What both sides have said: the hello, and the random number of the answer.
pub struct Talk<'a> {
    /// The secret of the fit.
    pub secret: &'a [u8; 32],
    /// What the side that connects has said.
    pub hello: &'a Hello,
    /// The random number of the other side.
    pub answer: &'a [u8; NONCE],
}

/// What a hash of the talk is for.
#[derive(Clone, Copy)]
pub enum Purpose {
    /// The side that listens knows the secret.
    Listens,
    /// The side that connects knows the secret.
    Connects,
    /// The side that listens is satisfied.
    Ready,
    /// The key for headers of messages from the side that connects.
    FromConnecting,
    /// The key for headers of messages from the side that listens.
    FromListening,
}

impl Talk<'_> {
    /// The hash for a purpose. Comparing two of them takes the same time wherever they differ.
    pub fn hash(&self, purpose: Purpose) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(self.secret);
        hasher.update(&[purpose as u8]).update(self.hello).update(self.answer);
        hasher.finalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(rank: usize) -> Place {
        Place { fit: [7; 16], attempt: 3, rank, size: 4, secret: [1; 32] }
    }

    #[test]
    fn a_hello_is_for_one_process_of_one_attempt_of_one_fit() {
        let said = hello(&place(2), 1, [9; NONCE]);
        assert_eq!(sender(&said, &place(1)), Some(2));
        assert_eq!(sender(&said, &place(0)), None);
        assert_eq!(sender(&said, &Place { attempt: 2, ..place(1) }), None);
        assert_eq!(sender(&said, &Place { fit: [8; 16], ..place(1) }), None);
        assert_eq!(sender(&said, &Place { size: 5, ..place(1) }), None);
        for byte in 0..HELLO - NONCE {
            let mut changed = said;
            changed[byte] ^= 0x40;
            assert_eq!(sender(&changed, &place(1)), None, "byte {byte}");
        }
    }

    #[test]
    fn hashes_depend_on_everything_that_was_said() {
        let (said, other) = (hello(&place(2), 1, [9; NONCE]), hello(&place(2), 1, [8; NONCE]));
        let talk = Talk { secret: &[1; 32], hello: &said, answer: &[5; NONCE] };
        let hash = talk.hash(Purpose::Connects);
        assert_ne!(hash, talk.hash(Purpose::Listens));
        assert_ne!(hash, Talk { hello: &other, ..talk }.hash(Purpose::Connects));
        assert_ne!(hash, Talk { answer: &[6; NONCE], ..talk }.hash(Purpose::Connects));
        assert_ne!(hash, Talk { secret: &[2; 32], ..talk }.hash(Purpose::Connects));
    }
}
