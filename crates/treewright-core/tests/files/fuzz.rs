//! Random changes. Without the right checksum every one is refused; with it, each ends in an error or in a model that
//! can be used and whose bytes are those that were read. The random numbers are the same in every run.

use super::make::{Parts, model, regression, seal};
use super::unwatched::{from_bytes, to_bytes};
use treewright_core::prelude::{Cancel, Column, Kind, MISSING, Table, UNSEEN};

/// Steele, Lea and Flood's SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    pub fn byte(&mut self) -> u8 {
        [0, 1, 2, 0x7f, 0x80, 0xff, b'"', b'\\', b'0', b'9', self.below(256) as u8][self.below(11)]
    }
}

/// Changes, inserts, removes or repeats a few bytes.
pub fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len().max(1));
        let end = (at + random.below(9)).min(bytes.len());
        match random.below(8) {
            0 => bytes.insert(at.min(bytes.len()), random.byte()),
            1 => drop(bytes.drain(at.min(end)..end)),
            2 => bytes.splice(at..at, bytes[at.min(end)..end].to_vec()).for_each(drop),
            3 => bytes.truncate(at),
            _ if at < bytes.len() => bytes[at] = random.byte(),
            _ => {}
        }
    }
}

/// Writes over a few numbers of the tensors.
pub fn scribble(parts: &mut Parts, random: &mut Random) {
    for _ in 0..=random.below(3) {
        let tensor = random.below(parts.tensors.len());
        let data = &mut parts.tensors[tensor].3;
        let at = random.below(data.len());
        let width = [1, 2, 4, 8][random.below(4)];
        let start = at / width * width;
        let byte = random.byte();
        let end = (start + width).min(data.len());
        data[start..end].fill(byte);
    }
}

/// Whatever is accepted must be usable, and be the only bytes of its model.
fn use_if_accepted(bytes: &[u8]) -> bool {
    let Ok((forest, document)) = from_bytes(bytes) else { return false };
    assert_eq!(to_bytes(&forest, &document).unwrap(), bytes);
    let numbers = [f64::NEG_INFINITY, -0.0, 2.5, f64::INFINITY, f64::NAN];
    let codes: Vec<Vec<u32>> = forest
        .kinds()
        .iter()
        .map(|kind| match kind {
            Kind::Categorical(levels) if *levels > 0 => vec![0, levels - 1, levels / 2, MISSING, UNSEEN],
            _ => vec![MISSING; 5],
        })
        .collect();
    let columns = forest.kinds().iter().zip(&codes).map(|(kind, codes)| match kind {
        Kind::Numeric => Column::Numeric(&numbers),
        Kind::Categorical(levels) => Column::Categorical { codes, levels: *levels },
    });
    let table = Table::new(columns.collect(), 5).unwrap();
    assert_eq!(forest.predict(&table, &Cancel::default()).unwrap().len(), 5 * forest.outputs());
    for tree in 0..forest.trees().len() {
        assert_eq!(forest.apply(tree, &table, &Cancel::default()).unwrap().len(), 5);
    }
    true
}

#[test]
fn random_changes_are_refused() {
    let mut random = Random(1);
    for original in [model(), regression()] {
        for _ in 0..25_000 {
            let mut bytes = original.clone();
            mutate(&mut bytes, &mut random);
            assert!(bytes == original || from_bytes(&bytes).is_err());
        }
    }
}

#[test]
fn random_changes_with_a_right_checksum_do_no_harm() {
    let mut random = Random(2);
    let accepted = (0..25_000).filter(|_| {
        let mut bytes = model();
        mutate(&mut bytes, &mut random);
        use_if_accepted(&seal(bytes))
    });
    assert!(accepted.count() > 100, "some changes are harmless numbers, so the way behind the checks was tried");
}

#[test]
fn random_numbers_in_a_sound_layout_do_no_harm() {
    let mut random = Random(3);
    let parts = Parts::of(&model());
    let accepted = (0..25_000).filter(|_| {
        let mut parts = parts.clone();
        scribble(&mut parts, &mut random);
        use_if_accepted(&parts.bytes())
    });
    assert!(accepted.count() > 100);
}
