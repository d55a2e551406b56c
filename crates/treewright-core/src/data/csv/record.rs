//! The record in hand: pieces of a file in, one record after the other out, each checked.
//!
//! The bytes of a record stay in the buffer until the next one is asked for, so that a complaint can show them.

use super::blanks::{BLANK, BlankRuns};
use super::complaint::{self, Place};
use super::quotes::{self, Quotes};
use super::reader::{Delimiter, Options};
use crate::{Error, Result};
use csv_core::ReadRecordResult;

/// More fields than this is not a table.
const MOST_FIELDS: usize = 1_000_000;
/// How much of a file is looked at for its delimiter.
const HEAD: usize = 1 << 16;

/// What [`Records::step`] came to.
pub enum Step {
    /// A record is in hand.
    Record,
    /// Another piece of the file is needed.
    NeedsPiece,
    /// There are no more records.
    End,
}

/// The lines of a record, and those before it.
#[derive(Clone, Copy, Debug)]
pub struct RecordLines {
    /// The line it starts on.
    pub line: u64,
    /// The line it ends on.
    pub last: u64,
    /// How many blank lines stand before it.
    pub blank: u64,
    /// How many comment lines stand before it.
    pub comments: u64,
}

/// Cuts pieces of a file into records.
pub struct Records {
    /// How the file is written; the delimiter is found in its first bytes.
    pub options: Options,
    core: Option<csv_core::Reader>,
    /// Joins runs of blanks, where they separate fields.
    runs: Option<BlankRuns>,
    /// Whether the first line names the delimiter.
    pub names_delimiter: bool,
    /// The file from the start of the record in hand; `seen` of its bytes have gone through the tokeniser.
    buffer: Vec<u8>,
    start: usize,
    seen: usize,
    closed: bool,
    /// The unquoted text of the fields, and where each ends.
    text: Vec<u8>,
    text_len: usize,
    ends: Vec<usize>,
    ends_len: usize,
    /// The line of the next record's first byte, and how many bytes went before it.
    line: u64,
    offset: u64,
    after_return: bool,
}

impl Records {
    /// Records of a file that is written like this.
    pub fn new(options: Options) -> Records {
        Records {
            options,
            core: None,
            runs: None,
            names_delimiter: false,
            buffer: Vec::new(),
            start: 0,
            seen: 0,
            closed: false,
            text: vec![0; 1 << 12],
            text_len: 0,
            ends: vec![0; 1 << 6],
            ends_len: 0,
            line: 1,
            offset: 0,
            after_return: false,
        }
    }

    /// The delimiter, given or found.
    pub fn delimiter(&self) -> u8 {
        match self.options.delimiter {
            Delimiter::Find => b',',
            Delimiter::Byte(byte) => byte,
            Delimiter::Blanks => BLANK,
        }
    }

    /// Takes the next piece of the file; an empty one says that there are no more.
    pub fn feed(&mut self, piece: &[u8]) -> Result<()> {
        self.closed |= piece.is_empty();
        self.buffer.drain(..self.start);
        self.seen -= self.start;
        self.start = 0;
        self.buffer.try_reserve(piece.len() + 1)?;
        match &mut self.runs {
            Some(runs) => self.buffer.extend_from_slice(&runs.join(piece)),
            None => self.buffer.extend_from_slice(piece),
        }
        Ok(())
    }

    /// Goes on to the next record.
    pub fn step(&mut self) -> Result<Step> {
        loop {
            let Some(core) = &mut self.core else {
                if !self.closed && self.buffer.len() < HEAD {
                    return Ok(Step::NeedsPiece);
                }
                self.open()?;
                continue;
            };
            let input = &self.buffer[self.seen..];
            if input.is_empty() && !self.closed {
                return Ok(Step::NeedsPiece);
            }
            let (text, ends) = (&mut self.text[self.text_len..], &mut self.ends[self.ends_len..]);
            let (result, read, written, ended) = core.read_record(input, text, ends);
            self.seen += read;
            self.text_len += written;
            self.ends_len += ended;
            match result {
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull => self.more_text()?,
                ReadRecordResult::OutputEndsFull => self.more_ends()?,
                ReadRecordResult::Record => return Ok(Step::Record),
                ReadRecordResult::End => return Ok(Step::End),
            }
        }
    }

    /// Looks at the first bytes: the marks of encodings, and the delimiter.
    fn open(&mut self) -> Result<()> {
        let wide = match self.buffer.as_slice() {
            [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..] => Some("UTF-32"),
            [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => Some("UTF-16"),
            _ => None,
        };
        if let Some(name) = wide {
            return Err(complaint::wide_text(&self.options.label, name));
        }
        if self.buffer.starts_with(b"\xEF\xBB\xBF") {
            self.seen = 3;
            self.advance(self.line);
        }
        self.read_separator_line();
        let Options { comment, decimal_comma, delimiter, .. } = &mut self.options;
        if *delimiter == Delimiter::Find {
            *delimiter = quotes::find_delimiter(&self.buffer[self.start..], *comment, *decimal_comma);
        }
        let comment = *comment;
        if *delimiter == Delimiter::Blanks {
            let mut runs = BlankRuns::new(comment);
            let joined = runs.join(&self.buffer[self.start..]);
            self.buffer.splice(self.start.., joined);
            self.runs = Some(runs);
        }
        let core = csv_core::ReaderBuilder::new().delimiter(self.delimiter()).comment(comment).build();
        self.core = Some(core);
        Ok(())
    }

    /// Takes a first line such as `sep=;`, which Excel writes and reads: it names the delimiter.
    fn read_separator_line(&mut self) {
        let rest = &self.buffer[self.start..];
        let Some(end) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) else { return };
        let line = &rest[..end];
        let line = line.strip_prefix(b"\"").and_then(|line| line.strip_suffix(b"\"")).unwrap_or(line);
        let &[b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', delimiter] = line else { return };
        if !delimiter.is_ascii() || delimiter == b'"' {
            return;
        }
        let ends_with_two = rest[end..].starts_with(b"\r\n");
        self.seen = self.start + end + 1 + usize::from(ends_with_two);
        self.advance(self.line);
        self.names_delimiter = true;
        if self.options.delimiter == Delimiter::Find {
            self.options.delimiter = Delimiter::Byte(delimiter);
        }
    }

    fn more_text(&mut self) -> Result<()> {
        let before = self.ends[..self.ends_len].last().copied().unwrap_or_default();
        if self.text_len - before > self.options.longest_cell {
            return Err(self.long_cell());
        }
        let more = self.text.len();
        self.text.try_reserve(more)?;
        self.text.resize(more * 2, 0);
        Ok(())
    }

    fn more_ends(&mut self) -> Result<()> {
        if self.ends_len >= MOST_FIELDS {
            return Err(self.place(self.lines().line).wide(MOST_FIELDS));
        }
        let more = self.ends.len();
        self.ends.try_reserve(more)?;
        self.ends.resize(more * 2, 0);
        Ok(())
    }

    /// A cell grew beyond the limit: most often a quote that does not close.
    fn long_cell(&self) -> Error {
        let line = self.lines().line;
        match quotes::check(self.record(), self.delimiter()) {
            Quotes::Open(at) => self.place_at(at, line).open_quote(),
            _ => self.place(line).long_field(self.options.longest_cell),
        }
    }

    /// The line breaks and the comments before the record in hand, and the record.
    fn parts(&self) -> (&[u8], &[u8]) {
        let raw = &self.buffer[self.start..self.seen];
        raw.split_at(skip_lines(raw, self.options.comment))
    }

    /// The bytes of the record in hand.
    pub fn record(&self) -> &[u8] {
        self.parts().1
    }

    /// The number of fields of the record in hand.
    pub fn fields(&self) -> usize {
        self.ends_len
    }

    /// The fields of the record in hand.
    pub fn cells(&self) -> impl Iterator<Item = &[u8]> {
        let mut start = 0;
        self.ends[..self.ends_len].iter().map(move |&end| {
            let cell = &self.text[start..end];
            start = end;
            cell
        })
    }

    /// The place of the record in hand, which starts on this line.
    pub fn place(&self, line: u64) -> Place<'_> {
        Place { label: &self.options.label, line, record: self.record() }
    }

    /// The place of one byte of the record.
    fn place_at(&self, at: usize, line: u64) -> Place<'_> {
        let record = self.record();
        let before = &record[..at];
        let start = before.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).map_or(0, |last| last + 1);
        Place { label: &self.options.label, line: line + line_ends(before, false), record: &record[start..] }
    }

    fn lines(&self) -> RecordLines {
        let (blanks, record) = self.parts();
        let skipped = line_ends(blanks, self.after_return);
        let comments = count_comments(blanks, self.options.comment);
        let (line, blank) = (self.line + skipped, skipped - comments);
        // Only quotes can hide a line break inside a record, and most records have none.
        let inside = if record.contains(&b'"') { line_ends(record.trim_ascii_end(), false) } else { 0 };
        RecordLines { line, last: line + inside, blank, comments }
    }

    /// Checks the record in hand and says where it stands. The header's names, once known, tell columns apart.
    pub fn check(&self, names: Option<&[String]>) -> Result<RecordLines> {
        let lines = self.lines();
        let (blanks, record) = self.parts();
        let name = |field: usize| names.and_then(|names| names.get(field)).map(String::as_str);
        let offset = |at: usize| self.offset + (blanks.len() + at) as u64;
        if record.contains(&0) {
            let at = record.iter().position(|&byte| byte == 0).unwrap_or_default();
            return Err(self.place_at(at, lines.line).nul(offset(at)));
        }
        if let Err(error) = std::str::from_utf8(record) {
            let at = error.valid_up_to();
            let column = self.cells().position(|cell| std::str::from_utf8(cell).is_err()).and_then(name);
            return Err(self.place_at(at, lines.line).encoding(column, record[at], offset(at)));
        }
        if record.contains(&b'"') {
            match quotes::check(record, self.delimiter()) {
                Quotes::Fine => {}
                Quotes::Open(at) => return Err(self.place_at(at, lines.line).open_quote()),
                Quotes::Stray(at, field) => return Err(self.place_at(at, lines.line).stray_quote(name(field))),
            }
        }
        let longest = self.options.longest_cell;
        if self.text_len > longest && self.cells().any(|cell| cell.len() > longest) {
            return Err(self.place(lines.line).long_field(longest));
        }
        Ok(lines)
    }

    /// Lets go of the record in hand, which ends on this line.
    pub fn advance(&mut self, last: u64) {
        let end = self.buffer[self.start..self.seen].last();
        self.after_return = end == Some(&b'\r');
        self.line = last + u64::from(matches!(end, Some(b'\n' | b'\r')));
        self.offset += (self.seen - self.start) as u64;
        self.start = self.seen;
        (self.text_len, self.ends_len) = (0, 0);
    }
}

/// How many lines end here: a line feed, a carriage return, or both together are one end.
fn line_ends(text: &[u8], after_return: bool) -> u64 {
    let mut before = if after_return { b'\r' } else { 0 };
    let mut count = 0;
    for &byte in text {
        count += u64::from(byte == b'\r' || (byte == b'\n' && before != b'\r'));
        before = byte;
    }
    count
}

/// Where the first line begins that is neither blank nor a comment.
pub fn skip_lines(text: &[u8], comment: Option<u8>) -> usize {
    let is_break = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let mut at = 0;
    loop {
        at += text[at..].iter().take_while(|byte| is_break(byte)).count();
        if comment.is_none() || text.get(at).copied() != comment {
            return at;
        }
        at += text[at..].iter().take_while(|byte| !is_break(byte)).count();
    }
}

/// How many lines of a text of blank lines and comments are comments.
fn count_comments(text: &[u8], comment: Option<u8>) -> u64 {
    let is_comment = |line: &&[u8]| comment.is_some() && line.first().copied() == comment;
    text.split(|byte| matches!(byte, b'\n' | b'\r')).filter(is_comment).count() as u64
}
