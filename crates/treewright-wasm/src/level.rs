//! A category or a class: a text, or a number where numbers are categories.

use serde::{Serialize, Serializer};

/// Numbers from here on are not written digit by digit.
const LARGE: f64 = 1e16;
/// Numbers below this are written with an exponent.
const SMALL: f64 = 1e-4;

/// A category or a class.
#[derive(Clone, Debug, PartialEq)]
pub enum Level {
    /// A text.
    Text(String),
    /// A number.
    Number(f64),
}

impl Level {
    /// How it is written in every view.
    pub fn label(&self) -> String {
        match self {
            Level::Text(text) => text.clone(),
            Level::Number(number) => write_number(*number),
        }
    }
}

impl Serialize for Level {
    /// As a model file has it: a number stays a number.
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Level::Text(text) => to.serialize_str(text),
            Level::Number(number) => to.serialize_f64(*number),
        }
    }
}

/// A number as Python writes it: the fewest digits that mean it, whole numbers without a point.
pub fn write_number(number: f64) -> String {
    let size = number.abs();
    if number == number.trunc() && size < LARGE {
        return format!("{}", number as i64);
    }
    if !number.is_finite() {
        return if number.is_nan() {
            "nan"
        } else if number > 0.0 {
            "inf"
        } else {
            "-inf"
        }
        .to_owned();
    }
    if (SMALL..LARGE).contains(&size) {
        return format!("{number}");
    }
    let text = format!("{number:e}");
    match text.split_once('e') {
        Some((digits, exponent)) => {
            let (sign, power) = exponent.strip_prefix('-').map_or(('+', exponent), |power| ('-', power));
            format!("{digits}e{sign}{power:0>2}")
        }
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_python_writes_them() {
        let cases = [
            (3.0, "3"),
            (0.1, "0.1"),
            (1e16, "1e+16"),
            (1.5e-5, "1.5e-05"),
            (-2.5, "-2.5"),
            (1e300, "1e+300"),
            (0.0001, "0.0001"),
        ];
        for (number, text) in cases {
            assert_eq!(write_number(number), text);
        }
    }
}
