//! Numbers that are written with a currency or percent sign, thousands separators or a decimal comma.
//!
//! Whether a comma or a point is the decimal mark is decided for a whole column, and only where its texts leave no choice.

use crate::data::csv::cell::{BETWEEN, UNITS};

const CURRENCIES: [char; 7] = ['$', '€', '£', '¥', '₹', '₽', '₩'];

/// What stands before the fraction of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A point.
    Point,
    /// A comma.
    Comma,
}

impl Mark {
    /// The character.
    pub fn letter(self) -> char {
        match self {
            Mark::Point => '.',
            Mark::Comma => ',',
        }
    }

    /// The character that separates thousands.
    fn other(self) -> char {
        match self {
            Mark::Point => ',',
            Mark::Comma => '.',
        }
    }
}

/// The decimal mark with which every text is a number; None if both or none would do.
///
/// A point wins where no text has a comma, as in plain numbers; a sum of money has no three decimals.
pub fn decimal_mark<T: AsRef<str>>(texts: &[T]) -> Option<Mark> {
    let fits = |mark: Mark| texts.iter().all(|text| !read_amount(text.as_ref(), mark).is_nan());
    match (fits(Mark::Point), fits(Mark::Comma)) {
        (true, true) => {
            let mut commas = texts.iter().map(T::as_ref).filter(|text| text.contains(','));
            commas.all(|text| text.contains(CURRENCIES)).then_some(Mark::Point)
        }
        (true, false) => Some(Mark::Point),
        (false, true) => Some(Mark::Comma),
        (false, false) => None,
    }
}

/// The number that a text stands for, given its decimal mark; NaN if it is none.
pub fn read_amount(text: &str, mark: Mark) -> f64 {
    let mut inner = text.trim();
    let mut negative = inner.len() > 1 && inner.starts_with('(') && inner.ends_with(')');
    if negative {
        inner = inner[1..inner.len() - 1].trim();
    }
    // The sign of the number may stand before or behind that of the currency.
    for _ in 0..2 {
        if let Some(rest) = inner.strip_prefix('-') {
            negative = !negative;
            inner = rest;
        } else if let Some(rest) = inner.strip_prefix('+') {
            inner = rest;
        }
        inner = inner.trim_matches(BETWEEN).trim_matches(UNITS).trim_matches(BETWEEN);
    }
    let Some(joined) = join_groups(inner, mark) else { return f64::NAN };
    match joined.parse::<f64>() {
        Ok(number) if number.is_finite() && negative => 0.0 - number,
        Ok(number) if number.is_finite() => number,
        _ => f64::NAN,
    }
}

/// The digits with a decimal point and without separators; None where a group has not three digits.
fn join_groups(text: &str, mark: Mark) -> Option<String> {
    let (before, fraction) = text.split_once(mark.letter()).map_or((text, None), |(a, b)| (a, Some(b)));
    let separates = |letter: char| letter == mark.other() || BETWEEN.contains(&letter);
    let groups: Vec<&str> = before.split(separates).collect();
    let is_grouped = match groups.as_slice() {
        [first, rest @ ..] if !rest.is_empty() => {
            (1..=3).contains(&first.len()) && rest.iter().all(|group| group.len() == 3)
        }
        _ => true,
    };
    let integer = groups.concat();
    let digits = integer.len() + fraction.unwrap_or_default().len();
    let all = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_grouped || digits == 0 || !all(&integer) || !all(fraction.unwrap_or_default()) {
        return None;
    }
    Some(fraction.map_or(integer.clone(), |fraction| format!("{integer}.{fraction}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_numbers() {
        let cases = [
            ("$1,542.58", Mark::Point, 1542.58),
            ("($ 1 234.50)", Mark::Point, -1234.5),
            ("-12,5 %", Mark::Comma, -12.5),
            ("$-5", Mark::Point, -5.0),
            ("-(5)", Mark::Point, f64::NAN),
            ("1.234.567,5 €", Mark::Comma, 1_234_567.5),
            (".5", Mark::Point, 0.5),
            ("5.", Mark::Point, 5.0),
            ("(0)", Mark::Point, 0.0),
        ];
        for (text, mark, number) in cases {
            assert_eq!(read_amount(text, mark).to_bits(), number.to_bits(), "{text}");
        }
        for text in ["", "$", ".", "1,23", "12,3456", "1e5", "a", "()", "(", "1,,234", "١٢"] {
            assert!(read_amount(text, Mark::Point).is_nan(), "{text}");
        }
    }

    #[test]
    fn the_mark_is_found_where_there_is_one() {
        assert_eq!(decimal_mark(&["$1,542.58", "$20"]), Some(Mark::Point));
        assert_eq!(decimal_mark(&["3,5", "12,25 %"]), Some(Mark::Comma));
        assert_eq!(decimal_mark(&["1,234", "2,345"]), None);
        assert_eq!(decimal_mark(&["$1,234", "$2"]), Some(Mark::Point));
        assert_eq!(decimal_mark(&["12%", "5%"]), Some(Mark::Point));
        assert_eq!(decimal_mark(&["1,5", "1.5"]), None);
    }
}
