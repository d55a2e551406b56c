//! The decisions about a table that its owner did not make, as data; `sentences` puts them into words.

use super::amounts::Mark;
use super::dates::Part;

/// Some texts of a column, and whether there are others like them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examples {
    /// The first of them.
    pub texts: Vec<String>,
    /// Whether there are more.
    pub more: bool,
}

impl Examples {
    /// The first `few` of some texts.
    pub fn of<T: AsRef<str>>(texts: &[T], few: usize) -> Examples {
        let first = texts.iter().take(few).map(|text| text.as_ref().to_owned()).collect();
        Examples { texts: first, more: texts.len() > few }
    }
}

/// Why numbers are read as categories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lossy {
    /// They begin with a zero.
    Zeros,
    /// They are telephone numbers.
    Phone,
    /// They have more digits than a float.
    Large,
}

/// A decision about a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// Words that are missing here, with their rows.
    MissingWords(Vec<(String, usize)>),
    /// Numbers that would lose something, read as categories.
    Lossy(Lossy, Examples),
    /// Only 0 and 1, read as categories.
    ZeroOne,
    /// Numbers with signs or a comma, read as numbers.
    Amounts {
        /// One of them.
        example: String,
        /// Their decimal mark.
        mark: Mark,
    },
    /// Numbers with signs or a comma, kept as text because the decimal mark is open.
    OpenMark {
        /// Whether most have a sign; otherwise a comma.
        signs: bool,
        /// Some of them.
        examples: Examples,
    },
    /// Some numbers among texts.
    NumbersAmongText {
        /// Rows with a number.
        numbers: usize,
        /// Rows with another text.
        texts: usize,
    },
    /// Words that often stand for a missing value, kept as text.
    WordsKept {
        /// The words.
        words: Vec<String>,
        /// The rows that hold them.
        rows: usize,
        /// What the option to read them as missing has to list.
        missing: Vec<String>,
    },
    /// Dates whose order of day and month is open.
    OpenDateOrder,
    /// Dates as numbers, with these parts.
    DateParts(&'static [Part]),
    /// Ignored because the user said so.
    IgnoredAsAsked,
    /// Missing in every row, ignored.
    Empty,
    /// Dates, ignored.
    Dates,
    /// So many different texts that are numbers with an open decimal mark, ignored.
    ManyAmounts(usize),
    /// A different value in each of so many rows, ignored.
    Identifier {
        /// The rows.
        rows: usize,
        /// Whether the values are numbers.
        numbers: bool,
    },
    /// Sentences, ignored.
    Sentences {
        /// Different texts.
        texts: usize,
        /// The rows.
        rows: usize,
    },
    /// Text with few rows for each value, used.
    NearlyUnique {
        /// Different texts.
        texts: usize,
        /// The rows.
        rows: usize,
    },
    /// The same value in every row.
    Constant,
    /// The first column has no name, ignored.
    NoName,
}

/// A decision about a text file as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileReason {
    /// The delimiter that the first lines show; None for blanks.
    Delimiter(Option<char>),
    /// So many rows of another length, left out.
    Ragged(usize),
    /// So many blank lines, left out.
    BlankLines(usize),
    /// So many comment lines, left out.
    CommentLines(usize),
    /// A text that is missing everywhere.
    Missing {
        /// The text.
        marker: String,
        /// Its cells.
        cells: usize,
        /// The columns that hold it.
        columns: usize,
    },
    /// Words that are missing where a column allows it.
    MissingWords {
        /// The words.
        words: Vec<String>,
        /// Their cells.
        cells: usize,
        /// The columns that hold them.
        columns: usize,
    },
    /// Columns with blanks around texts.
    Padded(Examples),
    /// The only name begins with #.
    CommentAsName(String),
    /// The names look like values.
    ValuesAsNames(Examples),
}
