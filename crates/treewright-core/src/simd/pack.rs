//! Tables that move the chosen lanes of a register to its front, in their order, for tiers that have a table shuffle but no
//! instruction for that. Entry `m` belongs to the mask `m`; places behind the chosen lanes repeat lane 0.

/// For lanes of 32 bits, eight of them: the number of the lane that goes to each place, as a byte.
pub(crate) static PACK_BYTES: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut lane, mut place) = (0, 0);
        while lane < 8 {
            if mask >> lane & 1 == 1 {
                table[mask][place] = lane as u8;
                place += 1;
            }
            lane += 1;
        }
        mask += 1;
    }
    table
};

/// For lanes of so many bytes: the bytes that go to each place.
const fn widen<const BYTES: usize, const MASKS: usize>(size: usize) -> [[u8; BYTES]; MASKS] {
    let mut table = [[0; BYTES]; MASKS];
    let mut mask = 0;
    while mask < MASKS {
        let mut byte = 0;
        while byte < BYTES {
            table[mask][byte] = size as u8 * PACK_BYTES[mask][byte / size] + (byte % size) as u8;
            byte += 1;
        }
        mask += 1;
    }
    table
}

/// For lanes of 16 bits, eight of them.
pub(crate) static PACK_HALVES: [[u8; 16]; 256] = widen(2);

/// For lanes of 32 bits, four of them.
#[cfg(target_arch = "aarch64")]
pub(crate) static PACK_WORDS: [[u8; 16]; 16] = widen(4);

/// For lanes of 64 bits, four of them: the two lanes of 32 bits that go to each place.
#[cfg(target_arch = "x86_64")]
pub(crate) static PACK_QUADS: [[u32; 8]; 16] = {
    let mut table = [[0; 8]; 16];
    let mut mask = 0;
    while mask < 16 {
        let mut place = 0;
        while place < 4 {
            let lane = PACK_BYTES[mask][place] as u32;
            (table[mask][2 * place], table[mask][2 * place + 1]) = (2 * lane, 2 * lane + 1);
            place += 1;
        }
        mask += 1;
    }
    table
};
