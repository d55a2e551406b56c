//! Python values to the core's, checked once: after this the core may index without fear.

use crate::enter::raise;
use numpy::{Element, PyArray1, PyArrayMethods, PyReadonlyArray1, PyUntypedArrayMethods};
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::borrow::Cow;
use treewright_core::prelude::{
    BinaryWords, Column, Combine, HOWS, Kind, LINKS, Recipe, ShareWords, SurrogateWords, Table, Target, Tree,
    TreeWords, copied,
};

/// What each feature holds: a number of levels, or None for numbers.
pub fn kinds(levels: &[Option<u32>]) -> Vec<Kind> {
    levels.iter().map(|levels| levels.map_or(Kind::Numeric, Kind::Categorical)).collect()
}

/// One borrowed numpy column.
pub enum Borrowed<'py> {
    Numeric(PyReadonlyArray1<'py, f64>),
    Codes(PyReadonlyArray1<'py, u32>, u32),
}

/// Borrows columns whose types must agree with their kinds.
pub fn borrow<'py>(kinds: &[Kind], columns: &[Bound<'py, PyAny>]) -> PyResult<Vec<Borrowed<'py>>> {
    if kinds.len() != columns.len() {
        let message = format!("{} columns given, {} expected", columns.len(), kinds.len());
        return Err(PyValueError::new_err(message));
    }
    let one = |(kind, column): (&Kind, &Bound<'py, PyAny>)| -> PyResult<Borrowed<'py>> {
        Ok(match kind {
            Kind::Numeric => Borrowed::Numeric(column.extract()?),
            Kind::Categorical(levels) => Borrowed::Codes(column.extract()?, *levels),
        })
    };
    kinds.iter().zip(columns).map(one).collect()
}

/// The table of borrowed columns.
pub fn table<'a>(py: Python<'_>, columns: &'a [Borrowed<'_>], rows: usize) -> PyResult<Table<'a>> {
    let one = |column: &'a Borrowed<'_>| -> PyResult<Column<'a>> {
        Ok(match column {
            Borrowed::Numeric(values) => Column::Numeric(values.as_slice()?),
            Borrowed::Codes(codes, levels) => Column::Categorical { codes: codes.as_slice()?, levels: *levels },
        })
    };
    let columns = columns.iter().map(one).collect::<PyResult<Vec<_>>>()?;
    Table::new(columns, rows).map_err(|error| raise(py, error))
}

/// One column whose values belong to the core.
pub enum Owned {
    Numeric(Vec<f64>),
    Codes(Vec<u32>, u32),
}

impl Owned {
    /// A copy of a column.
    pub fn of(column: &Column<'_>) -> treewright_core::Result<Owned> {
        Ok(match column {
            Column::Categorical { codes, levels } => Owned::Codes(copied(codes)?, *levels),
            numbers => Owned::Numeric(match numbers.numbers()? {
                Cow::Borrowed(values) => copied(values)?,
                Cow::Owned(values) => values,
            }),
        })
    }

    /// The column as the core reads it.
    pub fn column(&self) -> Column<'_> {
        match self {
            Owned::Numeric(values) => Column::Numeric(values),
            Owned::Codes(codes, levels) => Column::Categorical { codes, levels: *levels },
        }
    }
}

/// Bytes for Python.
pub fn bytes<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, bytes.len(), |to| {
        to.copy_from_slice(bytes);
        Ok(())
    })
}

/// A copy of an array: another thread may write to it while the core works. Too little memory is a `MemoryError`.
pub fn copy<T: Element + Copy>(array: &PyReadonlyArray1<'_, T>) -> PyResult<Vec<T>> {
    copied(array.as_slice()?).map_err(|error| raise(array.py(), error))
}

/// The same for an array that may not be there.
pub fn copy_some<T: Element + Copy>(array: Option<&PyReadonlyArray1<'_, T>>) -> PyResult<Option<Vec<T>>> {
    array.map(copy).transpose()
}

/// Copies borrowed columns.
pub fn own(columns: &[Borrowed<'_>]) -> PyResult<Vec<Owned>> {
    let one = |column: &Borrowed<'_>| -> PyResult<Owned> {
        Ok(match column {
            Borrowed::Numeric(values) => Owned::Numeric(copy(values)?),
            Borrowed::Codes(codes, levels) => Owned::Codes(copy(codes)?, *levels),
        })
    };
    columns.iter().map(one).collect()
}

/// Copies as a table of so many rows.
pub fn own_table(columns: &[Owned], rows: usize) -> treewright_core::Result<Table<'_>> {
    Table::new(columns.iter().map(Owned::column).collect(), rows)
}

/// The table to learn from: the copies of its columns, or where there are none, the one that is read in place.
pub fn own_or_read<'a>(copies: Option<&'a [Owned]>, read: Table<'a>) -> treewright_core::Result<Table<'a>> {
    match copies {
        Some(columns) => own_table(columns, read.rows()),
        None => Ok(read),
    }
}

/// The number of rows of borrowed columns (0 where there are none).
pub fn rows(columns: &[Borrowed<'_>]) -> usize {
    columns.first().map_or(0, |column| match column {
        Borrowed::Numeric(values) => values.len(),
        Borrowed::Codes(codes, _) => codes.len(),
    })
}

pub fn item<'py, T: FromPyObjectOwned<'py>>(dict: &Bound<'py, PyDict>, key: &str) -> PyResult<T> {
    let missing = || PyValueError::new_err(format!("\"{key}\" is missing"));
    let value = dict.get_item(key)?.ok_or_else(missing)?;
    value.extract().map_err(|_| PyTypeError::new_err(format!("\"{key}\" is of the wrong type")))
}

/// How trees combine, from words and lists; None is the mean.
pub fn combine(words: Option<&Bound<'_, PyDict>>) -> PyResult<Combine> {
    let Some(words) = words else { return Ok(Combine::mean()) };
    let (how, link): (String, String) = (item(words, "how")?, item(words, "link")?);
    let unknown = |word: &str| PyValueError::new_err(format!("trees do not combine by \"{word}\""));
    Ok(Combine {
        how: HOWS.iter().find(|(word, _)| *word == how).ok_or_else(|| unknown(&how))?.1,
        link: LINKS.iter().find(|(word, _)| *word == link).ok_or_else(|| unknown(&link))?.1,
        base: item(words, "base")?,
        scales: item(words, "scales")?,
        targets: item(words, "targets")?,
    })
}

/// The same the other way round.
pub fn combine_words<'py>(py: Python<'py>, combine: &Combine) -> PyResult<Bound<'py, PyDict>> {
    let words = PyDict::new(py);
    words.set_item("how", HOWS.iter().find(|(_, how)| *how == combine.how).map(|(word, _)| word))?;
    words.set_item("link", LINKS.iter().find(|(_, link)| *link == combine.link).map(|(word, _)| word))?;
    words.set_item("base", &combine.base)?;
    words.set_item("scales", &combine.scales)?;
    words.set_item("targets", &combine.targets)?;
    Ok(words)
}

/// A target whose values belong to the core.
pub enum OwnedTarget {
    Classes(Vec<u32>, usize),
    Numbers(Vec<f64>),
}

impl OwnedTarget {
    /// Copies the target: codes where there are classes, else numbers.
    pub fn new(target: &Bound<'_, PyAny>, classes: Option<usize>) -> PyResult<OwnedTarget> {
        Ok(match classes {
            Some(classes) => OwnedTarget::Classes(copy(&target.extract::<PyReadonlyArray1<'_, u32>>()?)?, classes),
            None => OwnedTarget::Numbers(copy(&target.extract::<PyReadonlyArray1<'_, f64>>()?)?),
        })
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        match self {
            OwnedTarget::Classes(codes, _) => codes.len(),
            OwnedTarget::Numbers(numbers) => numbers.len(),
        }
    }

    /// The target as the core reads it.
    pub fn as_target(&self) -> Target<'_> {
        match self {
            OwnedTarget::Classes(codes, classes) => Target::Classes { codes, classes: *classes },
            OwnedTarget::Numbers(numbers) => Target::Numbers(numbers),
        }
    }
}

/// A recipe from its words and numbers.
pub fn recipe(recipe: &Bound<'_, PyDict>) -> PyResult<Recipe> {
    tree_words(recipe)?.read().map_err(|error| raise(recipe.py(), error))
}

fn tree_words(recipe: &Bound<'_, PyDict>) -> PyResult<TreeWords> {
    let fractions: Option<Bound<'_, PyDict>> = item(recipe, "fractions")?;
    Ok(TreeWords {
        engine: recipe.get_item("engine")?.map_or_else(|| Ok("fastest".into()), |engine| engine.extract())?,
        criterion: item(recipe, "criterion")?,
        categorical: item(recipe, "categorical")?,
        choose: item(recipe, "choose")?,
        min_gain: item(recipe, "min_gain")?,
        max_depth: item(recipe, "max_depth")?,
        min_samples_split: item(recipe, "min_samples_split")?,
        max_p_value: optional(recipe, "max_p_value")?,
        sufficient_majority: optional(recipe, "sufficient_majority")?,
        fractions: fractions.as_ref().map(share_words).transpose()?,
        binary: recipe.get_item("binary")?.map(|words| binary_words(words.cast::<PyDict>()?)).transpose()?,
        threads: recipe.get_item("threads")?.map_or(Ok(1), |threads| threads.extract())?,
        plain: recipe.get_item("plain")?.map_or(Ok(false), |plain| plain.extract())?,
    })
}

/// A number that may be left out.
fn optional(words: &Bound<'_, PyDict>, name: &str) -> PyResult<Option<f64>> {
    Ok(words.get_item(name)?.map(|value| value.extract()).transpose()?.flatten())
}

fn binary_words(words: &Bound<'_, PyDict>) -> PyResult<BinaryWords> {
    let surrogates: Option<Bound<'_, PyDict>> = item(words, "surrogates")?;
    Ok(BinaryWords {
        missing: item(words, "missing")?,
        min_leaf: item(words, "min_leaf")?,
        min_leaf_share: item(words, "min_leaf_share")?,
        max_leaves: item(words, "max_leaves")?,
        monotone: item(words, "monotone")?,
        class_weights: item(words, "class_weights")?,
        class_prices: item(words, "class_prices")?,
        surrogates: surrogates.as_ref().map(surrogate_words).transpose()?,
    })
}

fn surrogate_words(words: &Bound<'_, PyDict>) -> PyResult<SurrogateWords> {
    Ok(SurrogateWords {
        max_surrogates: item(words, "max_surrogates")?,
        max_competitors: item(words, "max_competitors")?,
        of_known: item(words, "of_known")?,
        imperfect: item(words, "imperfect")?,
        undecided: item(words, "undecided")?,
        later_by_count: item(words, "later_by_count")?,
        vanishing: item(words, "vanishing")?,
        exhaustive: item(words, "exhaustive")?,
        orderly: item(words, "orderly")?,
        complexity: item(words, "complexity")?,
        costs: item(words, "costs")?,
    })
}

fn share_words(words: &Bound<'_, PyDict>) -> PyResult<ShareWords> {
    Ok(ShareWords {
        min_cases: item(words, "min_cases")?,
        tolerance: item(words, "tolerance")?,
        single: item(words, "single")?,
        threshold: item(words, "threshold")?,
        empty: item(words, "empty")?,
        collapse: item(words, "collapse")?,
        floor: item(words, "floor")?,
        min_ratio: optional(words, "min_ratio")?,
        total: optional(words, "total")?,
    })
}

/// A node table given column by column; the core checks what it means.
pub fn tree(columns: &Bound<'_, PyDict>, outputs: usize) -> PyResult<Tree> {
    fn column<T: numpy::Element + 'static>(columns: &Bound<'_, PyDict>, key: &str) -> PyResult<Vec<T>> {
        let array: Bound<'_, PyArray1<T>> = item(columns, key)?;
        Ok(array.readonly().to_vec()?)
    }
    // Counts of 32 bits are welcome too: tables that were written for earlier versions have them.
    let counts = match column::<u32>(columns, "count") {
        Ok(counts) => counts.into_iter().map(u64::from).collect(),
        Err(_) => column(columns, "count")?,
    };
    Ok(Tree {
        outputs,
        first_child: column(columns, "first_child")?,
        n_children: column(columns, "n_children")?,
        feature: column(columns, "feature")?,
        threshold: column(columns, "threshold")?,
        route_start: column(columns, "route_start")?,
        missing: column(columns, "missing")?,
        value: column(columns, "value")?,
        weight: column(columns, "weight")?,
        count: counts,
        cost: column(columns, "cost")?,
        gain: column(columns, "gain")?,
        route: column(columns, "route")?,
        spares: None,
    })
}
