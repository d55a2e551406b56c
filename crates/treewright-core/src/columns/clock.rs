//! The time of day behind a date, as ISO 8601 writes it: `14:30`, `14:30:05.25`, `1430`, each with or without a zone. It
//! is a number of microseconds.

/// Microseconds of a second.
const SECOND: i64 = 1_000_000;
/// Microseconds of an hour.
pub const HOUR: i64 = 3600 * SECOND;

/// Seconds since the beginning of 1970-01-01 at a time of a day, so many days later.
pub fn seconds_after(days: i64, time: i64) -> f64 {
    let micros = days * 24 * HOUR + time;
    if time % SECOND == 0 {
        return (micros / SECOND) as f64;
    }
    // The nearest float to the exact number: a sum of two floats would round twice.
    let (seconds, rest) = (micros.abs() / SECOND, micros.abs() % SECOND);
    let size = format!("{seconds}.{rest:06}").parse::<f64>().unwrap_or(f64::NAN);
    if micros < 0 { -size } else { size }
}

/// The time that a text stands for; a zone behind it is checked and dropped.
pub fn read_clock(text: &str) -> Option<i64> {
    let text = text.strip_prefix('T').unwrap_or(text);
    let zone = text.find(['Z', '+', '-']).unwrap_or(text.len());
    let (time, zone) = text.split_at(zone);
    let is_zone = match zone.strip_prefix(['+', '-']) {
        Some(offset) => read_time(offset).is_some(),
        None => zone.is_empty() || zone == "Z",
    };
    read_time(time).filter(|_| is_zone)
}

/// Hours, minutes, seconds and a fraction, with colons between all of them or none.
fn read_time(text: &str) -> Option<i64> {
    let (clock, fraction) = text.split_once(['.', ',']).map_or((text, None), |(clock, rest)| (clock, Some(rest)));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut fields = [None; 3];
    let mut rest = clock;
    let colons = clock.contains(':');
    for (at, field) in fields.iter_mut().enumerate() {
        if rest.is_empty() && at > 0 {
            break;
        }
        let pair = rest.get(..2).filter(|pair| digits(pair))?;
        *field = pair.parse::<i64>().ok();
        rest = &rest[2..];
        if colons && at < 2 && !rest.is_empty() {
            // A colon at the end has nothing behind it.
            rest = rest.strip_prefix(':').filter(|rest| !rest.is_empty())?;
        }
    }
    let [hour, minute, second] = fields;
    let fits = rest.is_empty() && (fraction.is_none() || (second.is_some() && fraction.is_some_and(digits)));
    let micro: i64 = fraction.map_or(Some(0), |fraction| format!("{fraction:0<6}").get(..6)?.parse().ok())?;
    let (hour, minute, second) = (hour?, minute.unwrap_or(0), second.unwrap_or(0));
    let time = hour * HOUR + (minute * 60 + second) * SECOND + micro;
    (fits && hour < 24 && minute < 60 && second < 60).then_some(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_iso_8601_writes_them() {
        let clock = |hour: i64, minute: i64, second: i64, micro: i64| {
            Some(((hour * 60 + minute) * 60 + second) * SECOND + micro)
        };
        let times = [
            ("14:30", clock(14, 30, 0, 0)),
            ("14", clock(14, 0, 0, 0)),
            ("1430", clock(14, 30, 0, 0)),
            ("143005", clock(14, 30, 5, 0)),
            ("14:30:05.25", clock(14, 30, 5, 250_000)),
            ("14:30:05,1234567", clock(14, 30, 5, 123_456)),
            ("14:30Z", clock(14, 30, 0, 0)),
            ("14:30:05+02:00", clock(14, 30, 5, 0)),
            ("00:00:00-0930", clock(0, 0, 0, 0)),
        ];
        for (text, time) in times {
            assert_eq!(read_clock(text), time, "{text}");
        }
        for text in [
            "",
            "1",
            "24:00",
            "14:60",
            "14:30:",
            "14:3",
            "14:30:05.",
            "14:30.5",
            "14:30+",
            "14:30+25:00",
            "noon",
            "14:30ZZ",
        ] {
            assert_eq!(read_clock(text), None, "{text}");
        }
    }

    #[test]
    fn seconds_are_rounded_once() {
        let last = 24 * HOUR - 1;
        assert_eq!(seconds_after(2_932_896, last), 253_402_300_799.999_999);
        assert_eq!(seconds_after(-1, last), -0.000_001);
    }
}
