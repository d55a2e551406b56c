//! Whether a text is a number, as people write it in a header.

/// Whether a text is a number, with or without blanks around it and underscores between digits.
pub fn is_number_text(text: &str) -> bool {
    let text = text.trim();
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let joins = |at: usize| at > 0 && is_digit(at - 1) && is_digit(at + 1);
    if !(0..bytes.len()).filter(|&at| bytes[at] == b'_').all(joins) {
        return false;
    }
    text.replace('_', "").parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_header() {
        for text in ["1e3", " 5 ", "-1.5", "nan", "inf", "1_000", "Infinity", ".5", "5."] {
            assert!(is_number_text(text), "{text}");
        }
        for text in ["1,5", "", "_1", "1_", "1__0", "e5", "0x1F", "a"] {
            assert!(!is_number_text(text), "{text}");
        }
    }
}
