//! Parameters of learners as a page gives them, checked in the words of the Python estimators.

use crate::failure::{Failure, Result};
use serde_json::{Map, Value};

/// The largest count that the core knows; a limit beyond it has no effect.
const MAX_COUNT: u64 = u32::MAX as u64;

/// Parameters by name; those that are not there have their default.
#[derive(Clone, Debug, Default)]
pub struct Params(pub Map<String, Value>);

impl Params {
    /// The value of a parameter; null is as good as nothing.
    fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    /// Refuses parameters that a learner does not have.
    pub fn refuse_others(&self, learner: &str, known: &[&str]) -> Result<()> {
        match self.0.keys().find(|name| !known.contains(&name.as_str())) {
            None => Ok(()),
            Some(name) => Err(Failure::usage(format!("{learner} has no parameter {name:?}"))
                .with_hint(format!("it has: {}", known.join(", ")))),
        }
    }

    /// One of some words, the first by default.
    pub fn choice<'a>(&self, name: &str, choices: &[&'a str]) -> Result<&'a str> {
        let Some(value) = self.get(name) else {
            return choices.first().copied().ok_or_else(|| Failure::usage(format!("{name} has no value")));
        };
        let choice = choices.iter().find(|known| value.as_str() == Some(known));
        choice.copied().ok_or_else(|| {
            let known: Vec<String> = choices.iter().map(|choice| format!("'{choice}'")).collect();
            Failure::usage(format!("{name} must be one of {}; got {value}", known.join(", ")))
        })
    }

    /// A word, or nothing.
    pub fn word(&self, name: &str, choices: &[&str]) -> Result<Option<String>> {
        if self.get(name).is_none() { Ok(None) } else { self.choice(name, choices).map(|word| Some(word.to_owned())) }
    }

    /// A number within bounds, or nothing.
    pub fn number(&self, name: &str, least: f64, most: f64) -> Result<Option<f64>> {
        let Some(value) = self.get(name) else { return Ok(None) };
        match value.as_f64().filter(|number| (least..=most).contains(number)) {
            Some(number) => Ok(Some(number)),
            None => Err(out_of_bounds(name, value, "a number", least, most)),
        }
    }

    /// A whole number within bounds, or nothing.
    pub fn integer(&self, name: &str, least: u64, most: u64) -> Result<Option<u64>> {
        let Some(value) = self.get(name) else { return Ok(None) };
        match as_integer(value).filter(|number| (least..=most).contains(number)) {
            Some(number) => Ok(Some(number.min(MAX_COUNT))),
            None => Err(out_of_bounds(name, value, "a whole number", least as f64, most as f64)),
        }
    }

    /// A count that fits 32 bits, or nothing.
    pub fn count(&self, name: &str, least: u64) -> Result<Option<u32>> {
        Ok(self.integer(name, least, u64::MAX)?.map(|number| number as u32))
    }

    /// A number of rows, which may be given as a share of all of them, or nothing.
    pub fn rows(&self, name: &str, rows: usize, least: u64) -> Result<Option<u32>> {
        match self.get(name) {
            Some(value) if value.is_f64() => {
                let share = value.as_f64().unwrap_or(0.0);
                if !(share > 0.0 && share <= 1.0) {
                    return Err(Failure::usage(format!(
                        "{name} must be a whole number of at least {least}, or a share above 0 and at most 1; got {value}"
                    )));
                }
                Ok(Some(((share * rows as f64).ceil() as u64).max(least).min(MAX_COUNT) as u32))
            }
            _ => self.count(name, least),
        }
    }

    /// Yes or no.
    pub fn flag(&self, name: &str, default: bool) -> Result<bool> {
        match self.get(name) {
            None => Ok(default),
            Some(value) => {
                value.as_bool().ok_or_else(|| Failure::usage(format!("{name} must be true or false; got {value}")))
            }
        }
    }
}

/// A number without a fraction. JavaScript writes 3 for 3.0, so a float is none.
fn as_integer(value: &Value) -> Option<u64> {
    value.as_u64()
}

fn out_of_bounds(name: &str, value: &Value, kind: &str, least: f64, most: f64) -> Failure {
    let bounds = if most.is_infinite() || most >= u64::MAX as f64 {
        format!("of at least {least}")
    } else {
        format!("between {least} and {most}")
    };
    Failure::usage(format!("{name} must be {kind} {bounds}; got {value}"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use serde_json::json;

    fn params(value: Value) -> Params {
        Params(value.as_object().unwrap().clone())
    }

    #[test]
    fn values_are_checked_and_defaults_are_none() {
        let given = params(json!({"max_depth": 3, "share": 0.25, "none": null, "word": "b", "bad": -1}));
        assert_eq!(given.count("max_depth", 1).unwrap(), Some(3));
        assert_eq!(given.count("none", 1).unwrap(), None);
        assert_eq!(given.rows("share", 9, 1).unwrap(), Some(3));
        assert_eq!(given.rows("max_depth", 9, 1).unwrap(), Some(3));
        assert_eq!(given.choice("word", &["a", "b"]).unwrap(), "b");
        assert_eq!(given.choice("none", &["a", "b"]).unwrap(), "a");
        for failure in [given.count("bad", 1).unwrap_err(), given.count("share", 1).unwrap_err()] {
            assert_eq!(failure.slug, "usage.parameter");
        }
        assert!(given.refuse_others("x", &["max_depth"]).is_err());
    }
}
