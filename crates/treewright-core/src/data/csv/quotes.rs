//! Where quotes open and close: to find the delimiter, and to find what `csv-core` would read as *something*.
//!
//! A quote opens a field only as its first byte. Inside, a quote is written twice; a single one closes the field, and only
//! blanks may stand between it and the next delimiter. `"5" disk"` is therefore a stray quote, not the text `5 disk"`.

use super::blanks;
use super::reader::Delimiter;
use super::record::skip_lines;

/// The delimiters that are looked for, the likelier first.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// What is wrong with the quotes of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quotes {
    /// Nothing.
    Fine,
    /// The quote at this byte is still open at the end.
    Open(usize),
    /// After the closing quote at this byte, in this field, the text goes on.
    Stray(usize, usize),
}

enum QuoteState {
    Start,
    Plain,
    Quoted(usize),
    Closed(usize),
    Trailing(usize),
}

/// Looks at the quotes of one record, given with its line terminator or without.
pub fn check(record: &[u8], delimiter: u8) -> Quotes {
    let (mut state, mut field) = (QuoteState::Start, 0);
    for (at, &byte) in record.iter().enumerate() {
        let ends = byte == delimiter || byte == b'\n' || byte == b'\r';
        state = match state {
            QuoteState::Quoted(open) => {
                if byte == b'"' {
                    QuoteState::Closed(at)
                } else {
                    QuoteState::Quoted(open)
                }
            }
            _ if ends => {
                field += usize::from(byte == delimiter);
                QuoteState::Start
            }
            QuoteState::Start if byte == b'"' => QuoteState::Quoted(at),
            QuoteState::Start | QuoteState::Plain => QuoteState::Plain,
            QuoteState::Closed(_) if byte == b'"' => QuoteState::Quoted(at),
            QuoteState::Closed(close) | QuoteState::Trailing(close) if byte == b' ' || byte == b'\t' => {
                QuoteState::Trailing(close)
            }
            QuoteState::Closed(close) | QuoteState::Trailing(close) => return Quotes::Stray(close, field),
        };
    }
    match state {
        QuoteState::Quoted(open) => Quotes::Open(open),
        _ => Quotes::Fine,
    }
}

/// The most frequent delimiter of the first line that is no comment, outside quotes. Where there is none, it is runs of
/// blanks if they divide every line alike, and otherwise a comma. Where numbers have decimal commas, any other delimiter
/// is likelier.
pub fn find_delimiter(text: &[u8], comment: Option<u8>, decimal_comma: bool) -> Delimiter {
    let first = skip_lines(text, comment);
    let mut counts = [0usize; DELIMITERS.len()];
    let (mut quoted, mut start) = (false, true);
    for &byte in &text[first..] {
        if quoted || (start && byte == b'"') {
            quoted ^= byte == b'"';
            start = false;
            continue;
        }
        if matches!(byte, b'\n' | b'\r') {
            break;
        }
        let delimiter = DELIMITERS.iter().position(|&delimiter| delimiter == byte);
        start = delimiter.is_some();
        if let Some(count) = delimiter.and_then(|at| counts.get_mut(at)) {
            *count += 1;
        }
    }
    let others = counts[1..].iter().any(|&count| count > 0);
    if decimal_comma && others {
        counts[0] = 0;
    }
    let most = counts.iter().max().copied().unwrap_or_default();
    if !others && (most == 0 || decimal_comma) && blanks::are_delimiters(text, comment) {
        return Delimiter::Blanks;
    }
    let most_frequent = DELIMITERS.into_iter().zip(counts).find(|&(_, count)| count == most);
    Delimiter::Byte(most_frequent.map_or(b',', |(delimiter, _)| delimiter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_quotes_are_fine() {
        let good = [
            "a,b",
            "\"a\",\"b,c\"\r\n",
            "\"say \"\"hi\"\"\",x",
            "5\" disk,x",
            "\"a\" ,b",
            "\"two\nlines\",x\n",
            "\"\"",
        ];
        for record in good {
            assert_eq!(check(record.as_bytes(), b','), Quotes::Fine, "{record:?}");
        }
    }

    #[test]
    fn bad_quotes_are_found_where_they_are() {
        assert_eq!(check(b"a,\"b\nc,d\n", b','), Quotes::Open(2));
        assert_eq!(check(b"\"a\"\"", b','), Quotes::Open(3));
        assert_eq!(check(b"x,\"5\" disk\",y", b','), Quotes::Stray(4, 1));
        assert_eq!(check(b"\"say \\\"hi\\\"\"", b','), Quotes::Stray(6, 0));
    }

    #[test]
    fn the_delimiter_is_the_most_frequent_of_the_first_line() {
        let delimiter = |text: &[u8]| find_delimiter(text, Some(b'#'), false);
        let byte = Delimiter::Byte;
        assert_eq!(delimiter(b"a,b,c\n1;2;3;4;5"), byte(b','));
        assert_eq!(delimiter(b"a;b;c\n"), byte(b';'));
        assert_eq!(delimiter(b"a\tb\n"), byte(b'\t'));
        assert_eq!(delimiter(b"a|b|c,d"), byte(b'|'));
        assert_eq!(delimiter(b"\"a,b,c\";d\n"), byte(b';'));
        assert_eq!(delimiter(b"5\" disk;b\n"), byte(b';'));
        assert_eq!(delimiter(b"\n\na;b\n"), byte(b';'));
        assert_eq!(delimiter(b"# by me, here\na;b\n"), byte(b';'));
        assert_eq!(delimiter(b"a,b;c\n"), byte(b','));
        assert_eq!(delimiter(b"one\n1,2"), byte(b','));
        assert_eq!(delimiter(b"play tennis\nyes\n"), byte(b','));
        assert_eq!(delimiter(b"a b\n1   2\n"), Delimiter::Blanks);
        assert_eq!(delimiter(b""), byte(b','));
        assert_eq!(find_delimiter(b"1,5;2,5;x", None, true), byte(b';'));
        assert_eq!(find_delimiter(b"\"1,5\",x", None, true), byte(b','));
        assert_eq!(find_delimiter(b"1,5 x\n2,5 y\n", None, true), Delimiter::Blanks);
    }
}
