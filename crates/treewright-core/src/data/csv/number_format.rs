//! Numbers that are written with a decimal comma or with separated thousands.

use super::cell::{Cell, look, look_at_text};

/// Blanks that stand between thousands: the common one, and the two that do not break a line.
const BLANKS: [char; 3] = [' ', '\u{a0}', '\u{202f}'];
const APOSTROPHES: [char; 2] = ['\'', '’'];

/// How numbers are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NumberFormat {
    /// Whether a comma, not a point, stands before the fraction.
    pub decimal_comma: bool,
    /// What stands between thousands; a blank and an apostrophe stand for their typographic variants too.
    pub thousands: Option<char>,
}

impl NumberFormat {
    /// Whether numbers have a decimal point and nothing between thousands.
    #[inline]
    pub fn is_usual(&self) -> bool {
        !self.decimal_comma && self.thousands.is_none()
    }

    /// Looks at a trimmed cell.
    pub fn look(&self, cell: &[u8]) -> Cell {
        match std::str::from_utf8(cell).ok().and_then(|text| self.rewrite(text)) {
            Some(plain) => look(plain.as_bytes()),
            None => look_at_text(cell),
        }
    }

    fn separates(&self, letter: char) -> bool {
        match self.thousands {
            None => false,
            Some(' ') => BLANKS.contains(&letter),
            Some('\'') => APOSTROPHES.contains(&letter),
            Some(thousands) => letter == thousands,
        }
    }

    /// The number with a decimal point and without thousands; None where it is not written in this format.
    fn rewrite(&self, text: &str) -> Option<String> {
        let (decimal, other) = if self.decimal_comma { (',', '.') } else { ('.', ',') };
        let (before, after) = text.split_once(decimal).map_or((text, None), |(a, b)| (a, Some(b)));
        let digits_end = before.find(['e', 'E']).unwrap_or(before.len());
        let (integer, exponent) = before.split_at(digits_end);
        if after.is_some_and(|after| after.contains([',', '.'])) || exponent.contains(other) {
            return None;
        }
        let mut plain = self.join_thousands(integer)?;
        plain.push_str(exponent);
        if let Some(after) = after {
            plain.push('.');
            plain.push_str(after);
        }
        Some(plain)
    }

    /// The whole part without its separators; None where a group has not three digits.
    fn join_thousands(&self, integer: &str) -> Option<String> {
        let (sign, digits) = integer.split_at(usize::from(integer.starts_with(['+', '-'])));
        let mut groups = digits.split(|letter| self.separates(letter));
        let first = groups.next().unwrap_or_default();
        let mut plain = format!("{sign}{first}");
        let mut separated = false;
        for group in groups {
            separated = true;
            if group.len() != 3 {
                return None;
            }
            plain.push_str(group);
        }
        let fits = plain.len() == sign.len() || plain[sign.len()..].bytes().all(|byte| byte.is_ascii_digit());
        (fits && (!separated || (1..=3).contains(&first.len()))).then_some(plain)
    }
}

#[cfg(test)]
mod tests {
    use super::super::cell::Shape;
    use super::*;

    fn value(format: NumberFormat, text: &str) -> Option<f64> {
        let cell = format.look(text.as_bytes());
        (cell.shape == Shape::Number).then_some(cell.value)
    }

    #[test]
    fn decimal_commas_are_points() {
        let format = NumberFormat { decimal_comma: true, thousands: None };
        for (text, number) in [("1,5", 1.5), ("-0,25", -0.25), ("7", 7.0), (",5", 0.5), ("1,5e3", 1500.0), ("2e3", 2e3)]
        {
            assert_eq!(value(format, text), Some(number), "{text}");
        }
        for text in ["1.5", "1.234,5", "1,2,3", "a,b", ",", "1,5.0", "1e3,5"] {
            assert_eq!(value(format, text), None, "{text}");
        }
    }

    #[test]
    fn thousands_come_in_groups_of_three() {
        let points = NumberFormat { decimal_comma: true, thousands: Some('.') };
        let commas = NumberFormat { decimal_comma: false, thousands: Some(',') };
        let blanks = NumberFormat { decimal_comma: true, thousands: Some(' ') };
        assert_eq!(value(points, "1.234.567,5"), Some(1_234_567.5));
        assert_eq!(value(points, "12"), Some(12.0));
        assert_eq!(value(points, "1.5"), None);
        assert_eq!(value(commas, "12,345.5"), Some(12_345.5));
        assert_eq!(value(commas, "-1,000"), Some(-1000.0));
        assert_eq!(value(blanks, "1\u{202f}234,5"), Some(1234.5));
        for text in ["1234,567", ",123", "1,23", "1,,234", "1.5,000", "1,0000"] {
            assert_eq!(value(commas, text), None, "{text}");
        }
        assert_eq!(commas.look(b"07,030").shape, Shape::Zeros);
        assert_eq!(commas.look(b"2024-01-31").shape, Shape::Date);
    }
}
