//! Numbers as names of categories and classes: `3`, `0.1`, `1e-05`.

/// Whole numbers from here on are written with an exponent.
const LARGE: f64 = 1e16;

/// Writes a number as every view does: whole numbers without a point, others with the fewest digits that mean them alone.
pub fn write_number(number: f64) -> String {
    if number.fract() == 0.0 && number.abs() < LARGE {
        return format!("{}", number as i64);
    }
    let scientific = format!("{number:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    match exponent.parse::<i32>() {
        Ok(power) if (-4..16).contains(&power) => format!("{number}"),
        Ok(power) => format!("{digits}e{}{:02}", if power < 0 { '-' } else { '+' }, power.abs()),
        Err(_) => scientific,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_shortly() {
        let numbers = [3.0, -2.0, 0.1, 1e-5, 1.25e-7, 1e16, 1.5e300, 123456.75, 0.0001, 9007199254740993.0];
        let texts =
            ["3", "-2", "0.1", "1e-05", "1.25e-07", "1e+16", "1.5e+300", "123456.75", "0.0001", "9007199254740992"];
        assert_eq!(numbers.map(write_number), texts);
    }
}
