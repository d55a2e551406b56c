//! Reading and writing that nobody stops, and one test of what happens when somebody does.

use super::make::{DOCUMENT, forest, model, tree};
use treewright_core::prelude::{Cancel, Cases, Contents, Forest, file};
use treewright_core::{Error, Result};

pub fn to_bytes(forest: &Forest, document: &str) -> Result<Vec<u8>> {
    file::to_bytes(forest, document, &Cancel::default())
}

pub fn cases_to_bytes(cases: &Cases, document: &str) -> Result<Vec<u8>> {
    file::cases_to_bytes(cases, document, &Cancel::default())
}

pub fn from_bytes(bytes: &[u8]) -> Result<(Forest, String)> {
    file::from_bytes(bytes, &Cancel::default())
}

pub fn open(bytes: &[u8]) -> Result<(Contents, file::Description)> {
    file::open(bytes, &Cancel::default())
}

#[test]
fn reading_and_writing_stop_when_asked_to() {
    let cancel = Cancel::default();
    cancel.cancel();
    assert!(matches!(file::open(&model(), &cancel), Err(Error::Cancelled)));
    assert!(matches!(file::to_bytes(&forest(vec![tree()]), DOCUMENT, &cancel), Err(Error::Cancelled)));
}
