//! What one cell looks like: a number, a date, or text, and the number it stands for.
//!
//! A number is digits with a decimal point, an optional sign and an optional exponent. `1_000`, `0x1F`, `inf`, `nan`,
//! `1,000` and `3,14` are text: reading them as numbers would be a guess about where the file comes from.

/// What a cell looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A number that loses nothing by being one.
    Number,
    /// A number with a leading zero (07030): as a number it would lose it.
    Zeros,
    /// A plus and seven digits or more: a telephone number.
    Phone,
    /// A whole number beyond 2^53: as a float it would lose digits.
    Large,
    /// A number beyond the largest float (1e999).
    Overflow,
    /// A calendar date, with or without a time.
    Date,
    /// Digits with a comma among them: a decimal comma or thousands.
    Comma,
    /// A number with a currency or percent sign, or with blanks or apostrophes between thousands.
    Amount,
    /// A word or a dash that often stands for a missing value (NA, null, None, n/a, nan, -).
    Word,
    /// Anything else.
    Text,
}

impl Shape {
    /// Whether the cell stands for a finite number.
    pub fn is_number(self) -> bool {
        matches!(self, Shape::Number | Shape::Zeros | Shape::Phone | Shape::Large)
    }
}

/// One cell, looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// What it looks like.
    pub shape: Shape,
    /// The number, or NaN.
    pub value: f64,
    /// A number written without a point or an exponent.
    pub is_integer: bool,
}

/// The largest number below which every whole number is a float.
const EXACT: u64 = 1 << 53;
const PHONE_DIGITS: usize = 7;
/// Powers of ten up to here, and mantissas of so many digits, are exact floats, so one division rounds correctly.
const EXACT_DIGITS: usize = 15;
const POWERS: [f64; EXACT_DIGITS + 1] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// Looks at a trimmed cell.
#[inline]
pub fn look(cell: &[u8]) -> Cell {
    match Digits::scan(cell) {
        Some(digits) => digits.cell(cell),
        None => look_at_text(cell),
    }
}

/// Looks at a trimmed cell that is not a number.
pub fn look_at_text(cell: &[u8]) -> Cell {
    Cell { shape: shape_of_text(cell), value: f64::NAN, is_integer: false }
}

/// Whether a cell is only a dash, as tables print a missing number.
fn is_dash(cell: &[u8]) -> bool {
    matches!(cell, b"-" | b"--") || cell == "–".as_bytes() || cell == "—".as_bytes()
}

/// The parts of a number, as written.
struct Digits {
    signed: Option<u8>,
    /// The digits as one whole number; exact while there are at most 19 of them.
    mantissa: u64,
    before: usize,
    after: usize,
    point: bool,
    exponent: bool,
    leading_zero: bool,
}

impl Digits {
    #[inline]
    fn scan(cell: &[u8]) -> Option<Digits> {
        let signed = cell.first().copied().filter(|byte| matches!(byte, b'+' | b'-'));
        let start = usize::from(signed.is_some());
        let mut mantissa = 0u64;
        let mut run = |from: usize| {
            let digits = cell.get(from..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_digit());
            let count = digits.map(|b| mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(b - b'0'))).count();
            from + count
        };
        let mut end = run(start);
        let before = end - start;
        let point = cell.get(end) == Some(&b'.');
        let mut after = 0;
        if point {
            let from = end + 1;
            end = run(from);
            after = end - from;
        }
        if before + after == 0 {
            return None;
        }
        let exponent = matches!(cell.get(end), Some(b'e' | b'E'));
        if exponent {
            let from = end + 1 + usize::from(matches!(cell.get(end + 1), Some(b'+' | b'-')));
            end = from + cell.get(from..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_digit()).count();
            if end == from {
                return None;
            }
        }
        let leading_zero = before > 1 && cell.get(start) == Some(&b'0');
        (end == cell.len()).then_some(Digits { signed, mantissa, before, after, point, exponent, leading_zero })
    }

    #[inline]
    fn value(&self, cell: &[u8]) -> f64 {
        if !self.exponent && self.before + self.after <= EXACT_DIGITS {
            let size = self.mantissa as f64 / POWERS[self.after];
            // Zero has one sign, so that "-0" and "0" are one value.
            return if self.signed == Some(b'-') { 0.0 - size } else { size };
        }
        let text = std::str::from_utf8(cell).unwrap_or_default();
        text.parse::<f64>().map_or(f64::NAN, |value| value + 0.0)
    }

    #[inline]
    fn cell(&self, cell: &[u8]) -> Cell {
        let is_integer = !self.point && !self.exponent;
        let value = self.value(cell);
        let shape = if !value.is_finite() {
            Shape::Overflow
        } else if self.leading_zero {
            Shape::Zeros
        } else if is_integer && self.signed == Some(b'+') && self.before >= PHONE_DIGITS {
            Shape::Phone
        } else if is_integer && (self.before > 19 || self.mantissa > EXACT) {
            Shape::Large
        } else {
            Shape::Number
        };
        Cell { shape, value: if shape == Shape::Overflow { f64::NAN } else { value }, is_integer }
    }
}

fn shape_of_text(cell: &[u8]) -> Shape {
    const WORDS: [&[u8]; 7] = [b"na", b"n/a", b"nan", b"null", b"none", b"#n/a", b"<na>"];
    if is_dash(cell) || WORDS.iter().any(|word| cell.eq_ignore_ascii_case(word)) {
        return Shape::Word;
    }
    // Dates and comma numbers start with a digit or a sign; most text does not.
    match cell.first() {
        Some(b'0'..=b'9') if is_date(cell) => Shape::Date,
        Some(b'0'..=b'9' | b'+' | b'-') if is_comma_number(cell) => Shape::Comma,
        // The first bytes of a digit, a sign, a dollar, and of other currencies in UTF-8.
        Some(b'0'..=b'9' | b'+' | b'-' | b'.' | b'(' | b'$' | 0xC2 | 0xE2) if is_amount(cell) => Shape::Amount,
        _ => Shape::Text,
    }
}

/// The signs of currencies and of per cent that may stand before or behind a number.
pub const UNITS: [char; 9] = ['$', '€', '£', '¥', '₹', '₽', '₩', '%', '‰'];
/// What may stand between thousands, besides a comma and a point: blanks, wide and narrow, and apostrophes.
pub const BETWEEN: [char; 5] = [' ', '\u{a0}', '\u{202f}', '\'', '’'];

/// `$1,542.58`, `-$5`, `12,5 %`, `1 234,50 €`, `1'234.50`, `($ 20)`: a number, and more than a number.
fn is_amount(cell: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(cell) else { return false };
    let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(text);
    let signed = inner.strip_prefix(['-', '+']).unwrap_or(inner);
    let bare = signed.trim_start_matches(UNITS).trim_end_matches(UNITS).trim_matches(BETWEEN);
    let bare = if bare.len() < signed.len() { bare.strip_prefix(['-', '+']).unwrap_or(bare) } else { bare };
    if !bare.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return false;
    }
    let mut groups = bare.split(BETWEEN);
    let first = groups.next().unwrap_or_default();
    let rest: Vec<&str> = groups.collect();
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    // Thousands are three digits each; the last group may have a fraction behind it. 030 123 456 is a telephone number.
    let grouped = rest.is_empty()
        || ((1..=3).contains(&first.len()) && digits(first) && !first.starts_with('0'))
            && rest.iter().enumerate().all(|(at, group)| {
                let end =
                    if at + 1 == rest.len() { group.find([',', '.']).unwrap_or(group.len()) } else { group.len() };
                end == 3 && digits(&group[..end])
            });
    let joined: String = bare.chars().filter(|letter| !BETWEEN.contains(letter)).collect();
    let number = Digits::scan(joined.as_bytes()).is_some() || is_comma_number(joined.as_bytes());
    grouped && number && (!rest.is_empty() || bare.len() < signed.len())
}

fn is_comma_number(cell: &[u8]) -> bool {
    let digits = cell.strip_prefix(b"-").or_else(|| cell.strip_prefix(b"+")).unwrap_or(cell);
    let ends = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    (digits.contains(&b',') || has_thousands(digits))
        && ends(digits.first())
        && ends(digits.last())
        && digits.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b'.'))
}

/// `1.000.000`: two points or more, with three digits behind each.
fn has_thousands(digits: &[u8]) -> bool {
    let lengths = || digits.split(|&byte| byte == b'.').map(<[u8]>::len);
    lengths().count() > 2
        && lengths().take(1).all(|first| (1..=3).contains(&first))
        && lengths().skip(1).all(|n| n == 3)
}

/// `2024-01-31`, `2024/01/31`, `31/01/2024`, `1/31/2024`, `31.1.2024`, each with or without a time behind it.
fn is_date(cell: &[u8]) -> bool {
    let (date, time) = match cell.iter().position(|byte| matches!(byte, b' ' | b'T')) {
        Some(at) => (&cell[..at], Some(&cell[at + 1..])),
        None => (cell, None),
    };
    let Some(&separator) = date.iter().find(|byte| !byte.is_ascii_digit()) else { return false };
    if !matches!(separator, b'-' | b'/' | b'.') || time.is_some_and(|time| !is_time(time)) {
        return false;
    }
    let mut parts = date.split(|&byte| byte == separator);
    let (Some(one), Some(two), Some(three), None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let number = |part: &[u8], most: usize| -> Option<u32> {
        let fits = (1..=most).contains(&part.len()) && part.iter().all(u8::is_ascii_digit);
        fits.then(|| part.iter().fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0')))
    };
    let day = |part| number(part, 2).filter(|day| (1..=31).contains(day));
    match (one.len(), three.len()) {
        (4, 1..=2) => number(one, 4).is_some() && day(two).is_some_and(|month| month <= 12) && day(three).is_some(),
        (1..=2, 4) => {
            let month = |part| day(part).is_some_and(|month| month <= 12);
            number(three, 4).is_some() && day(one).is_some() && day(two).is_some() && (month(one) || month(two))
        }
        _ => false,
    }
}

fn is_time(time: &[u8]) -> bool {
    let clock = |at: usize| time.get(at).is_some_and(u8::is_ascii_digit);
    let digits = clock(0) && clock(1) && time.get(2) == Some(&b':') && clock(3) && clock(4);
    digits && time[5..].iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b':' | b'.' | b'Z' | b'+' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> Shape {
        look(text.as_bytes()).shape
    }

    #[test]
    fn numbers_are_read_as_the_standard_library_reads_them() {
        let texts = "0 1 -1 +2 12.5 .5 5. 1e3 1E-3 -2.5e+10 0.1 0.30000000000000004 123456789012345 1e-999 \
                     1.7976931348623157e308 123456789.123456 9007199254740992 0.000000000000001 3.141592653589793238";
        for text in texts.split_whitespace() {
            let cell = look(text.as_bytes());
            assert_eq!(cell.shape, Shape::Number, "{text}");
            assert_eq!(cell.value.to_bits(), text.parse::<f64>().unwrap_or(f64::NAN).to_bits(), "{text}");
        }
    }

    #[test]
    fn the_fast_way_rounds_as_the_slow_one() {
        let mut seed = 1u64;
        for _ in 0..20_000 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let (mantissa, after) = (seed >> 20, (seed % 13) as usize);
            let digits = format!("{mantissa:014}");
            let text = format!(
                "{}.{}",
                &digits[..digits.len() - after].trim_start_matches('0'),
                &digits[digits.len() - after..]
            );
            if text != "." {
                assert_eq!(
                    look(text.as_bytes()).value.to_bits(),
                    text.parse::<f64>().unwrap_or(f64::NAN).to_bits(),
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn a_zero_has_no_sign() {
        for text in ["-0", "-0.0", "-0e5", "-.0"] {
            assert_eq!(look(text.as_bytes()).value.to_bits(), 0, "{text}");
        }
    }

    #[test]
    fn what_would_lose_something_as_a_number_is_told_apart() {
        assert_eq!(shape("07030"), Shape::Zeros);
        assert_eq!(shape("-01"), Shape::Zeros);
        assert_eq!(shape("00"), Shape::Zeros);
        assert_eq!(shape("0.5"), Shape::Number);
        assert_eq!(shape("+4915112345678"), Shape::Phone);
        assert_eq!(shape("+5"), Shape::Number);
        assert_eq!(shape("9007199254740993"), Shape::Large);
        assert_eq!(shape("-9007199254740993"), Shape::Large);
        assert_eq!(shape("18446744073709551617"), Shape::Large);
        assert_eq!(shape("1e999"), Shape::Overflow);
        assert_eq!(shape("-1e999"), Shape::Overflow);
    }

    #[test]
    fn other_ways_to_write_numbers_are_text() {
        for text in ["1_000", "0x1F", "inf", "infinity", "+", ".", "e5", "1e", "1e+", "1.2.3", "--1", "1 2", "١٢", "½"]
        {
            assert_eq!(shape(text), Shape::Text, "{text}");
        }
        for text in ["3,14", "1,000", "-1,000.5", "1.234,5"] {
            assert_eq!(shape(text), Shape::Comma, "{text}");
        }
        for text in
            ["$1,542.58", "-$5", "$-5", "12%", "12,5 %", "1 234,50 €", "€ 12", "1'234.50", "($ 20)", "1 234 567"]
        {
            assert_eq!(shape(text), Shape::Amount, "{text}");
        }
        for text in ["030 123 456", "12 34", "$", "%", "5 kg", "1 2345", "$a", "5%%x", "(5", "1.234 567", "€"] {
            assert_eq!(shape(text), Shape::Text, "{text}");
        }
        for text in ["nan", "NaN", "NA", "n/a", "None", "null", "#N/A", "<NA>", "-", "–"] {
            assert_eq!(shape(text), Shape::Word, "{text}");
        }
    }

    #[test]
    fn dates_are_dates() {
        let dates = "2024-01-31 2024/1/5 31/01/2024 1/31/2024 31.12.2024 2024-01-31T10:00 2024-01-31T10:00:05.123Z";
        for text in dates.split_whitespace().chain(["2024-01-31 10:00:00+02:00", "1/2/2024 09:30"]) {
            assert_eq!(shape(text), Shape::Date, "{text}");
        }
        for text in [
            "2024-13-01",
            "2024-00-10",
            "32/01/2024",
            "13/13/2024",
            "2024-01",
            "1-2-3",
            "2024-01-31 noon",
            "1.2.3.2024",
        ] {
            assert_eq!(shape(text), Shape::Text, "{text}");
        }
    }
}
