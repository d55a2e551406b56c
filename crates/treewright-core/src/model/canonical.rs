//! The one form of a JSON text: what Python's `json.dumps` writes with sorted keys, without spaces and with all
//! characters as they are. It is checked without building any value, so a hostile text costs no memory.
//!
//! Everything here takes text that was parsed before: its grammar is right.

use super::document::bad;
use crate::Result;
use std::borrow::Cow;
use std::ops::Range;

/// How deep values may nest: Python's reader and writer recurse.
const DEEPEST: usize = 100;
/// The most digits that Python turns into a whole number.
const MOST_DIGITS: usize = 4300;

/// What a text is made of, besides commas and colons.
enum Token {
    Open,
    Close,
    String,
    Number,
    /// `true`, `false` or `null`.
    Word,
}

/// The tokens of a text with their places; spaces are left out.
fn tokens(text: &str) -> impl Iterator<Item = (Token, Range<usize>)> {
    let text = text.as_bytes();
    let mut end = 0;
    std::iter::from_fn(move || {
        let is_between = |byte: &u8| matches!(byte, b',' | b':' | b' ' | b'\t' | b'\n' | b'\r');
        let start = end + text[end..].iter().position(|byte| !is_between(byte))?;
        let until = |end: fn(&u8) -> bool| {
            let rest = &text[start..];
            start + rest.iter().position(end).unwrap_or(rest.len())
        };
        let (token, token_end) = match text[start] {
            b'[' | b'{' => (Token::Open, start + 1),
            b']' | b'}' => (Token::Close, start + 1),
            b'"' => (Token::String, string_end(text, start)),
            b'-' | b'0'..=b'9' => {
                (Token::Number, until(|byte| !matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')))
            }
            _ => (Token::Word, until(|byte| !byte.is_ascii_lowercase()).max(start + 1)),
        };
        end = token_end;
        Some((token, start..end))
    })
}

/// Where the string that starts with a quote ends, the closing quote included.
fn string_end(text: &[u8], start: usize) -> usize {
    let mut escaped = false;
    let length = text[start + 1..].iter().position(|&byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    length.map_or(text.len(), |length| start + length + 2)
}

/// Refuses a text that says something in a second way.
pub(super) fn check(text: &str) -> Result<()> {
    let other = || bad("it is not in its one form");
    let bytes = text.as_bytes();
    // The last key of each open object; an array has none.
    let mut open: Vec<Option<Range<usize>>> = Vec::new();
    let mut end = 0;
    for (token, place) in tokens(text) {
        let between = &bytes[end..place.start];
        if !matches!(between, b"" | b"," | b":") {
            return Err(other());
        }
        let token_text = &text[place.clone()];
        let right = match token {
            Token::Open if open.len() == DEEPEST => return Err(bad("it nests too deep")),
            Token::Open => {
                open.push(None);
                true
            }
            Token::Close => open.pop().is_some(),
            Token::String if bytes.get(place.end) == Some(&b':') => {
                let last = open.last_mut().and_then(|last| last.replace(place.clone()));
                has_one_form(token_text) && last.is_none_or(|last| unquoted(&text[last]) < unquoted(token_text))
            }
            Token::String => has_one_form(token_text),
            Token::Number => is_pythons(token_text),
            Token::Word => true,
        };
        if !right {
            return Err(other());
        }
        end = place.end;
    }
    if end == bytes.len() { Ok(()) } else { Err(other()) }
}

/// The characters of a string in quotes.
fn unquoted(string: &str) -> Cow<'_, str> {
    match string.contains('\\') {
        true => Cow::Owned(serde_json::from_str(string).unwrap_or_default()),
        false => Cow::Borrowed(&string[1..string.len() - 1]),
    }
}

/// Whether a string escapes what has to be escaped, in the shortest way, and nothing else.
fn has_one_form(string: &str) -> bool {
    let mut rest = &string[1..string.len() - 1];
    while let Some(at) = rest.find('\\') {
        let escape = &rest[at..];
        let Some(length) = escape_length(escape.as_bytes()) else { return false };
        rest = &escape[length..];
    }
    true
}

/// The length of the escape at the start of a text; None where the character is written in another way.
pub(super) fn escape_length(text: &[u8]) -> Option<usize> {
    match text.get(1)? {
        b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't' => Some(2),
        b'u' => {
            let digits = text.get(2..6)?;
            let code = |digit: u8| if digit.is_ascii_uppercase() { None } else { char::from(digit).to_digit(16) };
            let value = digits.iter().try_fold(0, |value, &digit| Some(value * 16 + code(digit)?))?;
            let has_short_form = matches!(value, 8 | 9 | 10 | 12 | 13);
            (value < 0x20 && !has_short_form).then_some(6)
        }
        _ => None,
    }
}

/// Whether Python writes a number like this.
fn is_pythons(number: &str) -> bool {
    if !number.contains(['.', 'e', 'E']) {
        return number != "-0" && number.len() <= MOST_DIGITS;
    }
    number.parse().is_ok_and(|value: f64| value.is_finite() && python_form(value) == number)
}

/// A number as Python's `repr` writes it.
fn python_form(value: f64) -> String {
    let scientific = shortest(value);
    let Some((written, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !(-4..16).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{written}e{sign}{:02}", exponent.abs());
    }
    let sign = if written.starts_with('-') { "-" } else { "" };
    let digits: String = written.chars().filter(char::is_ascii_digit).collect();
    let Ok(before) = usize::try_from(exponent + 1) else {
        return format!("{sign}0.{}{digits}", "0".repeat(exponent.unsigned_abs() as usize - 1));
    };
    if before < digits.len() {
        let (integer, part) = digits.split_at(before);
        return if before == 0 { format!("{sign}0.{part}") } else { format!("{sign}{integer}.{part}") };
    }
    format!("{sign}{digits}{}.0", "0".repeat(before - digits.len()))
}

/// The fewest digits that are read as this number. Where two are equally near, Python takes the one that ends in an even
/// digit and Rust does not; rounding to so many digits does.
fn shortest(value: f64) -> String {
    let short = format!("{value:e}");
    let digits = short.bytes().take_while(|&byte| byte != b'e').filter(u8::is_ascii_digit).count();
    let exact = format!("{value:.*e}", digits.saturating_sub(1));
    if exact.parse() == Ok(value) { exact } else { short }
}

/// The places of the elements of an array; None where there are more than `most`, or it is no array.
pub(super) fn elements(array: &str, most: usize) -> Option<Vec<Range<usize>>> {
    let (mut places, mut depth, mut start) = (Vec::new(), 0, 0);
    if !array.starts_with('[') {
        return None;
    }
    for (token, place) in tokens(array) {
        match token {
            Token::Open => depth += 1,
            Token::Close => depth -= 1,
            _ => {}
        }
        // The bracket of the array itself, or an element that begins inside it.
        match (depth, &token) {
            (0, _) => return Some(places),
            (1, Token::Open) if place.start == 0 => continue,
            (2, Token::Open) => start = place.start,
            (1, Token::Close) => places.push(start..place.end),
            (1, _) => places.push(place),
            _ => {}
        }
        if places.len() > most {
            return None;
        }
    }
    None
}

/// About how many bytes Python needs for the values of a text, and how deep they nest. It errs on the greater side.
pub(super) fn weigh(text: &str) -> (usize, usize) {
    let (mut bytes, mut depth, mut deepest) = (0, 0usize, 0);
    for (token, place) in tokens(text) {
        bytes += match token {
            Token::Open if text.as_bytes()[place.start] == b'{' => 256,
            Token::Open => 88,
            Token::Close => 0,
            // A character outside of ASCII may make every character four bytes wide; a key needs room in its object.
            Token::String => 160 + place.len() * if text[place.clone()].is_ascii() { 1 } else { 4 },
            Token::Number => 48 + place.len() / 2,
            Token::Word => 16,
        };
        match token {
            Token::Open => depth += 1,
            Token::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    (bytes, deepest)
}

/// Whether values nest deeper than a model's ever do.
pub(super) fn nests_too_deep(text: &str) -> bool {
    weigh(text).1 >= DEEPEST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_python_writes_them() {
        let cases =
            ["0", "-7", "0.0", "-0.0", "1.5", "1e-05", "0.0001", "0.05", "1e+16", "1000000000000000.0", "5e-324"];
        // Halfway between two decimals of as many digits.
        assert!(is_pythons("193.63284301757812") && is_pythons("-217.54507446289062"));
        assert!(cases.iter().all(|text| is_pythons(text)), "{cases:?}");
        assert!(is_pythons("1.7976931348623157e+308") && is_pythons("123456789012345678901234567890"));
        for text in ["-0", "1.0e0", "1e5", "1E5", "1e-5", "0.00001", "1.50", "1e16", "1e999", "0.1000000000000000055"] {
            assert!(!is_pythons(text), "{text}");
        }
    }

    #[test]
    fn one_form_is_accepted_and_no_other() {
        for text in [r#"{"a":[1,2.5,"x\n\u001f\"é",true,null],"b":{}}"#, r#"[{"a":1},{"a":2}]"#, "[]", "3"] {
            assert!(check(text).is_ok(), "{text}");
        }
        for text in [
            r#"{"a": 1}"#,
            r#"{"b":1,"a":1}"#,
            r#"{"a":1,"a":1}"#,
            r#"["\u0041"]"#,
            r#"["\/"]"#,
            r#"["\u001F"]"#,
            r#"["\u000a"]"#,
            "[1 ]",
            "[] ",
            &"[".repeat(DEEPEST + 1),
        ] {
            assert!(check(text).is_err(), "{text}");
        }
    }

    #[test]
    fn elements_are_those_of_the_array_itself() {
        let text = r#"[1,[2,[3]],{"a":[4]},"],[",null]"#;
        let places = elements(text, 5).unwrap_or_default();
        let texts: Vec<&str> = places.into_iter().map(|place| &text[place]).collect();
        assert_eq!(texts, ["1", "[2,[3]]", r#"{"a":[4]}"#, "\"],[\"", "null"]);
        assert!(elements(text, 4).is_none());
        assert_eq!(elements("[]", 0), Some(vec![]));
        assert!(elements("{}", 9).is_none());
    }
}
