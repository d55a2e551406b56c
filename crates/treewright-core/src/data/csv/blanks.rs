//! Fields separated by runs of blanks and tabs: each run becomes one blank, so that the tokeniser sees one delimiter.

/// The byte that each run becomes.
pub const BLANK: u8 = b' ';

enum BlankState {
    LineStart,
    Gap,
    Field,
    Quoted,
    QuoteInQuoted,
    Comment,
}

/// Joins runs of blanks outside quotes, over pieces of a file.
pub struct BlankRuns {
    state: BlankState,
    comment: Option<u8>,
}

impl BlankRuns {
    /// At the start of a file; lines that begin with `comment` stay as they are.
    pub fn new(comment: Option<u8>) -> BlankRuns {
        BlankRuns { state: BlankState::LineStart, comment }
    }

    /// The piece with runs joined, and without blanks at the ends of lines. It is at most one byte longer: a blank that
    /// the piece before ended with.
    pub fn join(&mut self, piece: &[u8]) -> Vec<u8> {
        let mut joined = Vec::with_capacity(piece.len() + 1);
        for &byte in piece {
            let is_blank = matches!(byte, b' ' | b'\t');
            let ends_line = matches!(byte, b'\n' | b'\r');
            self.state = match self.state {
                BlankState::Quoted => {
                    joined.push(byte);
                    if byte == b'"' { BlankState::QuoteInQuoted } else { BlankState::Quoted }
                }
                _ if ends_line => {
                    joined.push(byte);
                    BlankState::LineStart
                }
                BlankState::Comment => {
                    joined.push(byte);
                    BlankState::Comment
                }
                BlankState::LineStart if is_blank => BlankState::LineStart,
                _ if is_blank => BlankState::Gap,
                BlankState::LineStart if Some(byte) == self.comment => {
                    joined.push(byte);
                    BlankState::Comment
                }
                BlankState::LineStart | BlankState::Gap => {
                    if matches!(self.state, BlankState::Gap) {
                        joined.push(BLANK);
                    }
                    joined.push(byte);
                    if byte == b'"' { BlankState::Quoted } else { BlankState::Field }
                }
                BlankState::QuoteInQuoted if byte == b'"' => {
                    joined.push(byte);
                    BlankState::Quoted
                }
                BlankState::Field | BlankState::QuoteInQuoted => {
                    joined.push(byte);
                    BlankState::Field
                }
            };
        }
        joined
    }
}

/// Whether the first lines of a text are separated by runs of blanks: two lines or more, of equally many fields, at
/// least two. A last line that is cut off does not count.
pub fn are_delimiters(text: &[u8], comment: Option<u8>) -> bool {
    const LINES: usize = 50;
    let end = text.iter().rposition(|&byte| byte == b'\n').map_or(text.len(), |last| last + 1);
    let joined = BlankRuns::new(comment).join(&text[..end]);
    let mut widths = joined
        .split(|byte| matches!(byte, b'\n' | b'\r'))
        .filter(|line| !line.is_empty() && line.first().copied() != comment)
        .take(LINES)
        .map(count_fields);
    let first = widths.next().unwrap_or_default();
    let mut others = widths.peekable();
    first > 1 && others.peek().is_some() && others.all(|width| width == first)
}

fn count_fields(line: &[u8]) -> usize {
    let mut quoted = false;
    let ends = line.iter().filter(|&&byte| {
        quoted ^= byte == b'"';
        byte == BLANK && !quoted
    });
    ends.count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_become_one_blank() {
        let text = b"  a \t b\n1   2  \r\n\"x  y\"   \"say \"\"hi  you\"\"\"\n# a  b\n";
        let expected = b"a b\n1 2\r\n\"x  y\" \"say \"\"hi  you\"\"\"\n# a  b\n";
        for size in [1, 2, 3, 7, 100] {
            let mut runs = BlankRuns::new(Some(b'#'));
            let joined: Vec<u8> = text.chunks(size).flat_map(|piece| runs.join(piece)).collect();
            assert_eq!(joined, expected, "{size}");
        }
    }

    #[test]
    fn blanks_are_delimiters_where_every_line_has_as_many_fields() {
        assert!(are_delimiters(b"a b\n1  2\n", None));
        assert!(are_delimiters(b"# c\n a\tb\n1  2\n3 4", Some(b'#')));
        for text in ["play tennis\nyes\nno\n", "a\n1\n", "a b\n", "a b\n1 2 3\n", ""] {
            assert!(!are_delimiters(text.as_bytes(), None), "{text}");
        }
    }
}
