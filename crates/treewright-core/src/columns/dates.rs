//! Dates that are written as text, and the numbers that are made of them: days since 1970-01-01, year, month, day,
//! weekday, hour. Times are read as the clock showed them: the zone is dropped.

use super::clock::{HOUR, read_clock, seconds_after};

/// The order of the parts in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateOrder {
    /// Year, month, day.
    YearFirst,
    /// Day, month, year.
    DayFirst,
    /// Month, day, year.
    MonthFirst,
}

impl DateOrder {
    /// The names that model files use.
    pub const NAMES: [(&'static str, DateOrder); 3] =
        [("ymd", DateOrder::YearFirst), ("dmy", DateOrder::DayFirst), ("mdy", DateOrder::MonthFirst)];

    /// Its name.
    pub fn name(self) -> &'static str {
        DateOrder::NAMES[self as usize].0
    }
}

/// A part of a date as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatePart {
    /// Whole days since 1970-01-01.
    Date,
    /// Days since 1970-01-01 with the time of day.
    Time,
    /// The year.
    Year,
    /// The month, from 0.
    Month,
    /// The day of the month.
    Day,
    /// The day of the week, Monday is 0.
    Weekday,
    /// The hour.
    Hour,
}

/// The months in the order of their numbers.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
/// The days of the week in the order of their numbers.
pub const WEEKDAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

impl DatePart {
    /// The names that model files use.
    pub const NAMES: [(&'static str, DatePart); 7] = [
        ("date", DatePart::Date),
        ("time", DatePart::Time),
        ("year", DatePart::Year),
        ("month", DatePart::Month),
        ("day", DatePart::Day),
        ("weekday", DatePart::Weekday),
        ("hour", DatePart::Hour),
    ];
    const OF_DATES: [DatePart; 5] = [DatePart::Date, DatePart::Year, DatePart::Month, DatePart::Day, DatePart::Weekday];
    const OF_TIMES: [DatePart; 6] =
        [DatePart::Time, DatePart::Year, DatePart::Month, DatePart::Day, DatePart::Weekday, DatePart::Hour];

    /// Its name.
    pub fn name(self) -> &'static str {
        DatePart::NAMES[self as usize].0
    }

    /// Whether it is the date itself, which has the name of its column.
    pub fn is_whole(self) -> bool {
        matches!(self, DatePart::Date | DatePart::Time)
    }

    /// The words that its numbers stand for; none for plain numbers.
    pub fn order(self) -> &'static [&'static str] {
        match self {
            DatePart::Month => &MONTHS,
            DatePart::Weekday => &WEEKDAYS,
            _ => &[],
        }
    }

    /// The parts that texts have: the hour only where some text is longer than a date.
    pub fn of<T: AsRef<str>>(mut texts: impl Iterator<Item = T>) -> &'static [DatePart] {
        let timed = texts.any(|text| text.as_ref().chars().count() > "2024-03-01".len());
        if timed { &DatePart::OF_TIMES } else { &DatePart::OF_DATES }
    }
}

/// A day of the calendar and a time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    year: u32,
    month: u32,
    day: u32,
    /// Microseconds of the day.
    time: i64,
}

impl Moment {
    /// A part as a number.
    pub fn number(&self, part: DatePart) -> f64 {
        let days = self.days();
        match part {
            DatePart::Date => days as f64,
            DatePart::Time => seconds_after(days, self.time) / 86400.0,
            DatePart::Year => f64::from(self.year),
            DatePart::Month => f64::from(self.month - 1),
            DatePart::Day => f64::from(self.day),
            DatePart::Weekday => (days + 3).rem_euclid(7) as f64,
            DatePart::Hour => (self.time / HOUR) as f64,
        }
    }

    /// Days since 1970-01-01 in the Gregorian calendar.
    fn days(&self) -> i64 {
        // Years begin in March, so that a leap day is the last day of its year.
        let year = i64::from(self.year) - i64::from(self.month <= 2);
        let month = (i64::from(self.month) + 9) % 12;
        let day_of_year = (153 * month + 2) / 5 + i64::from(self.day) - 1;
        let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
        era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
    }
}

/// How texts order day, month and year; None if they leave it open or some text is no date.
pub fn find_written<T: AsRef<str>>(texts: impl Iterator<Item = T>) -> Option<DateOrder> {
    let (mut day_first, mut month_first, mut year_first) = (true, true, true);
    for text in texts {
        let text = text.as_ref();
        if read_date(text, DateOrder::YearFirst).is_some() {
            continue;
        }
        year_first = false;
        day_first &= read_date(text, DateOrder::DayFirst).is_some();
        // 3.4.2024 begins with the day wherever it is written.
        let points = split_date(text).is_some_and(|(_, separator, _)| separator == '.');
        month_first &= !points && read_date(text, DateOrder::MonthFirst).is_some();
        if !day_first && !month_first {
            return None;
        }
    }
    match (year_first, day_first, month_first) {
        (true, _, _) => Some(DateOrder::YearFirst),
        (_, true, false) => Some(DateOrder::DayFirst),
        (_, false, true) => Some(DateOrder::MonthFirst),
        _ => None,
    }
}

/// The date that a text stands for; texts that begin with the year are read in any case.
pub fn read_date(text: &str, written: DateOrder) -> Option<Moment> {
    let ([first, second, third], _, time) = split_date(text.trim())?;
    let (year, month, day) = match (first.len(), third.len(), written) {
        (4, _, _) => (first, second, third),
        (_, 4, DateOrder::DayFirst) => (third, second, first),
        (_, 4, DateOrder::MonthFirst) => (third, first, second),
        _ => return None,
    };
    let (year, month, day) = (year.parse().ok()?, month.parse().ok()?, day.parse().ok()?);
    let time = time.map_or(Some(0), read_clock)?;
    let is_day = year >= 1 && (1..=12).contains(&month) && (1..=days_of_month(year, month)).contains(&day);
    is_day.then_some(Moment { year, month, day, time })
}

fn days_of_month(year: u32, month: u32) -> u32 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// One to four digits, two, four with one separator between them; the separator; behind a blank or a T, a time.
fn split_date(text: &str) -> Option<([&str; 3], char, Option<&str>)> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let (first, rest) = text.split_at(digits(text));
    let separator = rest.chars().next().filter(|letter| matches!(letter, '-' | '/' | '.'))?;
    let rest = &rest[1..];
    let (second, rest) = rest.split_at(digits(rest));
    let rest = rest.strip_prefix(separator)?;
    let (third, rest) = rest.split_at(digits(rest));
    let time = if rest.is_empty() { None } else { Some(rest.strip_prefix([' ', 'T'])?) };
    let fits = (1..=4).contains(&first.len()) && (1..=2).contains(&second.len()) && (1..=4).contains(&third.len());
    fits.then_some(([first, second, third], separator, time))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str, part: DatePart) -> Option<f64> {
        read_date(text, DateOrder::DayFirst).map(|moment| moment.number(part))
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        let days = [
            ("1970-01-01", 0.0),
            ("1969-12-31", -1.0),
            ("2024-03-01", 19783.0),
            ("2024-02-29 14:30", 19782.0),
            ("0001-01-01", -719_162.0),
            ("9999-12-31", 2_932_896.0),
            ("31/12/1999", 10956.0),
        ];
        for (text, days) in days {
            assert_eq!(number(text, DatePart::Date), Some(days), "{text}");
        }
        for text in ["2023-02-29", "0000-01-01", "2024-00-10", "32.1.2024", "2024-01", "24-01-01", "2024-01/02", ""] {
            assert_eq!(number(text, DatePart::Date), None, "{text}");
        }
    }

    #[test]
    fn parts_are_counted_from_their_first() {
        let text = "2024-02-29 14:30:00.5";
        let expected = [
            (DatePart::Time, (1_709_217_000.5) / 86400.0),
            (DatePart::Year, 2024.0),
            (DatePart::Month, 1.0),
            (DatePart::Day, 29.0),
            (DatePart::Weekday, 3.0),
            (DatePart::Hour, 14.0),
        ];
        for (part, value) in expected {
            assert_eq!(number(text, part), Some(value), "{part:?}");
        }
        for (at, (name, part)) in DatePart::NAMES.into_iter().enumerate() {
            assert_eq!((part as usize, part.name()), (at, name));
        }
    }

    #[test]
    fn the_order_is_found_where_there_is_one() {
        let find = |texts: &[&str]| find_written(texts.iter());
        assert_eq!(find(&["2024-03-01", "2024/03/02 10:00"]), Some(DateOrder::YearFirst));
        assert_eq!(find(&["31/01/2024", "01/02/2024"]), Some(DateOrder::DayFirst));
        assert_eq!(find(&["1/31/2024", "2/1/2024"]), Some(DateOrder::MonthFirst));
        assert_eq!(find(&["1.2.2024"]), Some(DateOrder::DayFirst));
        assert_eq!(find(&["3/4/2024"]), None);
        assert_eq!(find(&["31/01/2024", "1/31/2024"]), None);
        assert_eq!(find(&["no date"]), None);
    }
}
