//! What bytes that are no model of ours seem to be, so that the refusal can say so. Nothing here opens anything.

use crate::Error;

/// Compressed files that people meet, by their first bytes. (zlib's second byte depends on the level.)
const COMPRESSED: [(&[u8], &str); 8] = [
    (b"\x1f\x8b", "gzip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\0", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"\x04\x22\x4d\x18", "lz4"),
    (b"\x78\x01", "zlib"),
    (b"\x78\x9c", "zlib"),
    (b"\x78\xda", "zlib"),
];

/// The error for bytes that do not begin as a model file does.
pub(super) fn refuse(bytes: &[u8]) -> Error {
    if let [0x80, 0..=5, ..] = bytes {
        let message = "this file is a pickle file; treewright does not open pickles because they can run code\n\
                       in Python, where you trust the file:  treewright.save(model, \"model.tree\")";
        return Error::model("model.pickle", message);
    }
    Error::model("model.not-a-model", format!("this file {}, not a treewright model", looks(bytes)))
}

fn looks(bytes: &[u8]) -> String {
    let text = bytes.trim_ascii_start();
    if bytes.is_empty() {
        return "is empty".to_string();
    }
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
        return "is a zip archive".to_string();
    }
    if let Some((_, name)) = COMPRESSED.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return format!("is compressed ({name})");
    }
    if text.starts_with(b"{") || text.starts_with(b"[") {
        return "is JSON".to_string();
    }
    if bytes.get(8) == Some(&b'{') {
        return "is a safetensors file of something else".to_string();
    }
    if is_text(bytes) { "is text".to_string() } else { "holds something else".to_string() }
}

/// Whether the first bytes could be written text; the last character may be cut off.
fn is_text(bytes: &[u8]) -> bool {
    let front = &bytes[..bytes.len().min(1024)];
    let valid = match std::str::from_utf8(front) {
        Ok(text) => text,
        Err(e) if e.error_len().is_none() => std::str::from_utf8(&front[..e.valid_up_to()]).unwrap_or_default(),
        Err(_) => return false,
    };
    valid.chars().all(|c| !c.is_control() || c.is_ascii_whitespace())
}
