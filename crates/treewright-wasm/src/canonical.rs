//! JSON in the one form that model files have: keys sorted, no spaces, numbers as Python writes them.

use crate::failure::{Failure, Result};
use crate::level::write_number;
use serde_json::Value;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};
use std::io::{self, Write};

/// Writes numbers as Python does.
struct PythonNumbers;

impl Formatter for PythonNumbers {
    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, number: f64) -> io::Result<()> {
        let text = write_number(number);
        let is_whole = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        writer.write_all(text.as_bytes())?;
        // A float has a point or an exponent, also where it is whole.
        if is_whole { writer.write_all(b".0") } else { Ok(()) }
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        CompactFormatter.write_string_fragment(writer, fragment)
    }
}

/// The text of a document. Its maps are sorted already.
pub fn canonical(document: &Value) -> Result<String> {
    let mut bytes = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut bytes, PythonNumbers);
    serde::Serialize::serialize(document, &mut serializer)
        .map_err(|error| Failure::new("internal", error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| Failure::new("internal", error.to_string()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn documents_are_written_as_python_writes_them() {
        let document = json!({"b": 1.0, "a": "é\"\u{1}", "c": [1, 1e16, 1.5e-7, null, true, -0.5]});
        assert_eq!(
            canonical(&document).unwrap(),
            "{\"a\":\"é\\\"\\u0001\",\"b\":1.0,\"c\":[1,1e+16,1.5e-07,null,true,-0.5]}"
        );
    }
}
