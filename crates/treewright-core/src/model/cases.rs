//! Rows with their target: what a model that only remembers holds.
//!
//! Glossary. A *case* is a training row. The *errors* are those of leaving one case out, for one neighbor, two, and so
//! on, where somebody measured them.
//!
//! In a file the columns lie one after the other: numbers, then codes; a target of classes is codes, any other numbers.

use super::number_bytes::{append, layout, take, take_in_one_form, tensors};
use super::tree::Kind;
use crate::data::table::{MISSING, UNSEEN};
use crate::{Error, Result};
use safetensors::tensor::{Dtype, Metadata, TensorInfo};

/// What is known of each case.
#[derive(Clone, Debug, PartialEq)]
pub enum CasesTarget {
    /// A class each, of so many.
    Classes(Vec<u32>, usize),
    /// A number each.
    Numbers(Vec<f64>),
}

/// Cases. Sound by construction: codes are levels or missing, numbers are finite or missing.
#[derive(Clone, Debug, PartialEq)]
pub struct Cases {
    kinds: Vec<Kind>,
    rows: usize,
    /// Numeric columns, one after the other.
    numbers: Vec<f64>,
    /// Categorical columns, one after the other.
    codes: Vec<u32>,
    target: CasesTarget,
    errors: Vec<f64>,
}

/// The dimensions of cases; they fix every tensor's type, shape and place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CaseShape {
    numbers: usize,
    codes: usize,
    rows: usize,
    errors: usize,
    classes: bool,
}

impl Cases {
    /// Checks everything. This is the door: what passes may be searched.
    pub fn new(
        kinds: Vec<Kind>,
        numbers: Vec<f64>,
        codes: Vec<u32>,
        target: CasesTarget,
        errors: Vec<f64>,
    ) -> Result<Cases> {
        let rows = match &target {
            CasesTarget::Classes(classes, _) => classes.len(),
            CasesTarget::Numbers(values) => values.len(),
        };
        let cases = Cases { kinds, rows, numbers, codes, target, errors };
        cases.check().map(|()| cases)
    }

    fn check(&self) -> Result<()> {
        let n_numbers = self.kinds.iter().filter(|kind| **kind == Kind::Numeric).count();
        let cells = |columns: usize| columns.checked_mul(self.rows);
        if self.rows == 0 || self.kinds.is_empty() || self.rows >= UNSEEN as usize {
            return Err(bad("there are no cases, no columns, or too many cases"));
        }
        if cells(n_numbers) != Some(self.numbers.len()) || cells(self.kinds.len() - n_numbers) != Some(self.codes.len())
        {
            return Err(bad("the columns are not as long as the target"));
        }
        if self.numbers.iter().any(|x| x.is_infinite()) {
            return Err(bad("a number is infinite"));
        }
        let levels = self.kinds.iter().filter_map(|kind| if let Kind::Categorical(n) = kind { Some(*n) } else { None });
        for (codes, levels) in self.codes.chunks_exact(self.rows).zip(levels) {
            if codes.iter().any(|&code| code >= levels && code != MISSING) {
                return Err(bad("a code is not among the levels of its column"));
            }
        }
        let sound = match &self.target {
            CasesTarget::Classes(codes, classes) => codes.iter().all(|&code| (code as usize) < *classes),
            CasesTarget::Numbers(values) => values.iter().all(|x| x.is_finite()),
        };
        if !sound {
            return Err(bad("the target of a case is not among the classes, or not a number"));
        }
        if self.errors.len() >= self.rows || !self.errors.iter().all(|e| e.is_finite() && *e >= 0.0) {
            return Err(bad("the errors are not numbers of at least 0, fewer than the cases"));
        }
        Ok(())
    }

    /// What each column holds.
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// How many numbers an answer has.
    pub fn outputs(&self) -> usize {
        match &self.target {
            CasesTarget::Classes(_, classes) => *classes,
            CasesTarget::Numbers(_) => 1,
        }
    }

    /// How many cases there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// A column of numbers: the `place`-th of these.
    pub fn numbers(&self, place: usize) -> Option<&[f64]> {
        self.numbers.chunks_exact(self.rows).nth(place)
    }

    /// A column of codes: the `place`-th of these.
    pub fn codes(&self, place: usize) -> Option<&[u32]> {
        self.codes.chunks_exact(self.rows).nth(place)
    }

    /// The target.
    pub fn target(&self) -> &CasesTarget {
        &self.target
    }

    /// The errors of leaving one out, by the number of neighbors.
    pub fn errors(&self) -> &[f64] {
        &self.errors
    }
}

impl CaseShape {
    /// The dimensions of cases.
    pub fn of(cases: &Cases) -> CaseShape {
        CaseShape {
            numbers: cases.numbers.len() / cases.rows,
            codes: cases.codes.len() / cases.rows,
            rows: cases.rows,
            errors: cases.errors.len(),
            classes: matches!(cases.target, CasesTarget::Classes(..)),
        }
    }

    /// The dimensions that a file states; None where it holds something else.
    pub fn read(metadata: &Metadata) -> Option<CaseShape> {
        let dimensions = |name: &str| metadata.info(name).map(|info| info.shape.as_slice());
        let (&[numbers, rows], &[codes, _], &[errors]) =
            (dimensions("numbers")?, dimensions("codes")?, dimensions("errors")?)
        else {
            return None;
        };
        Some(CaseShape { numbers, codes, rows, errors, classes: metadata.info("classes").is_some() })
    }

    /// The tensors, end to end, in the order of the file: wide types first, then by name.
    pub fn tensors(&self) -> Result<Vec<(String, TensorInfo)>> {
        let target = if self.classes { ("classes", Dtype::U32) } else { ("values", Dtype::F64) };
        let list = [
            ("errors", Dtype::F64, vec![self.errors]),
            ("numbers", Dtype::F64, vec![self.numbers, self.rows]),
            (target.0, target.1, vec![self.rows]),
            ("codes", Dtype::U32, vec![self.codes, self.rows]),
        ];
        tensors(list.into_iter())
    }

    /// The cases in the data part of a file, which is as long as the tensors say; so many classes, or None for numbers.
    pub fn decode(&self, kinds: Vec<Kind>, outputs: Option<usize>, mut data: &[u8]) -> Result<Cases> {
        let (mut errors, mut cells, mut values) = (Vec::new(), Vec::new(), Vec::new());
        let (mut classes, mut codes) = (Vec::new(), Vec::new());
        let count = |columns: usize| columns.checked_mul(self.rows).ok_or_else(|| layout("its columns are too large"));
        take(&mut errors, self.errors, &mut data)?;
        take_in_one_form(&mut cells, count(self.numbers)?, &mut data)?;
        if self.classes {
            take(&mut classes, self.rows, &mut data)?;
        } else {
            take(&mut values, self.rows, &mut data)?;
        }
        take(&mut codes, count(self.codes)?, &mut data)?;
        let target = match (self.classes, outputs) {
            (true, Some(outputs)) => CasesTarget::Classes(classes, outputs),
            (false, None) => CasesTarget::Numbers(values),
            _ => return Err(layout("its target is not the one of its document")),
        };
        Cases::new(kinds, cells, codes, target, errors)
    }
}

/// Appends the data of all tensors.
pub(super) fn encode(cases: &Cases, out: &mut Vec<u8>) {
    append(&cases.errors, out);
    append(&cases.numbers, out);
    match &cases.target {
        CasesTarget::Classes(codes, _) => append(codes, out),
        CasesTarget::Numbers(values) => append(values, out),
    }
    append(&cases.codes, out);
}

fn bad(what: &str) -> Error {
    Error::model("model.cases", format!("these are no cases to learn from: {what}"))
}
