//! The tokenising, the lines and the columns, from bytes to values.

use super::cell::Shape;
use super::column::{self, WantedKind};
use super::encode::{ModelColumn, encode};
use super::facts::Facts;
use super::{CellRules, Chunk, Delimiter, NumberFormat, Options, Reader, Text, TypedValues};
use crate::data::table::{MISSING, UNSEEN};
use crate::sys::pool::Cancel;
use crate::{Error, Result};

fn options() -> Options {
    Options {
        label: "t.csv".to_owned(),
        delimiter: Delimiter::Find,
        header: true,
        comment: None,
        decimal_comma: false,
        drop_ragged: false,
        longest_cell: 1 << 20,
    }
}

/// Feeds the file in pieces of so many bytes and reads chunks of so many rows.
fn chunks(options: Options, file: &[u8], piece: usize, rows: usize) -> Result<(Reader, Vec<Chunk>)> {
    let mut reader = Reader::new(options);
    let mut pieces = file.chunks(piece);
    let mut chunks = Vec::new();
    loop {
        match reader.read(rows, &Cancel::default())? {
            None => reader.feed(pieces.next().unwrap_or_default())?,
            Some(chunk) if chunk.rows == 0 => return Ok((reader, chunks)),
            Some(chunk) => chunks.push(chunk),
        }
    }
}

fn rows(file: &[u8], piece: usize, size: usize) -> Result<Vec<(u64, Vec<String>)>> {
    let (_, chunks) = chunks(options(), file, piece, size)?;
    let mut rows = Vec::new();
    for chunk in chunks {
        let columns: Vec<Vec<String>> = chunk
            .columns
            .iter()
            .map(|text| text.cells().map(|cell| String::from_utf8_lossy(cell).into_owned()).collect())
            .collect();
        for row in 0..chunk.rows {
            rows.push((chunk.line(row), columns.iter().map(|column| column[row].clone()).collect()));
        }
    }
    Ok(rows)
}

fn columns(file: &[u8], wanted: WantedKind) -> Result<Vec<(Facts, TypedValues<'static>)>> {
    let (mut reader, mut chunks) = chunks(options(), file, 1 << 16, 3)?;
    let wanted = vec![wanted; reader.header()?.map_or(0, <[String]>::len)];
    column::read(&mut chunks, &wanted, &rules(false), &Cancel::default())
}

fn rules(words: bool) -> CellRules {
    CellRules::new(&["", "?"], words, NumberFormat::default())
}

fn complaint(file: &[u8]) -> String {
    match chunks(options(), file, 1 << 16, 100) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn pieces_and_chunks_of_any_size_give_the_same_rows() -> Result<()> {
    let file = b"\xEF\xBB\xBFa,b\r\n1,\"x\r\ny\"\r\n\r\n2,\"say \"\"hi\"\"\"\n3,z\r4,\n\n";
    let whole = rows(file, file.len(), 100)?;
    let lines: Vec<u64> = whole.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [2, 5, 6, 7]);
    assert_eq!(whole[0].1, ["1", "x\r\ny"]);
    assert_eq!(whole[1].1, ["2", "say \"hi\""]);
    assert_eq!(whole[3].1, ["4", ""]);
    for piece in 1..=file.len() {
        for size in 1..5 {
            assert_eq!(rows(file, piece, size)?, whole, "pieces of {piece}, chunks of {size}");
        }
    }
    Ok(())
}

#[test]
fn lines_count_every_kind_of_line_end() -> Result<()> {
    for end in ["\n", "\r\n", "\r"] {
        let file = ["a,b", "1,2", "", "3,4", "5,\"6", "7\"", "8,9"].join(end);
        let lines: Vec<u64> = rows(file.as_bytes(), 4, 2)?.into_iter().map(|(line, _)| line).collect();
        assert_eq!(lines, [2, 4, 5, 7], "{end:?}");
    }
    Ok(())
}

#[test]
fn what_the_tokeniser_would_pass_over_is_refused_with_its_line() {
    for (file, words) in [
        (&b""[..], "t.csv is empty"),
        (b"\n\n", "t.csv is empty"),
        (b"a,b\n1,2\n3\n", "t.csv line 3 has 1 field, the header has 2"),
        (b"a,b\n1,2,\n", "a trailing comma?"),
        (b"a,b\n1,\"2\n3,4\n", "t.csv line 2 opens a quote that is never closed"),
        (b"a,b\n1,\"2\"x\n", "t.csv line 2, column \"b\": the text goes on after its closing quote"),
        (b"a,b\n1,\"x\nz\xff\"\n", "t.csv line 3, column \"b\" is not UTF-8: byte 0xFF at offset 10"),
        (b"a,b\n\n1,\0\n", "t.csv line 3 holds a NUL byte at offset 7"),
        (b"a,,c\n1,2,3\n", "column 2 of the header has no name"),
        (b"a,b,a\n1,2,3\n", "columns 1 and 3 are both called \"a\""),
        (b"\xff\xfea\0", "t.csv is UTF-16, not UTF-8"),
        (b"\xff\xfe\0\0a\0", "t.csv is UTF-32, not UTF-8"),
    ] {
        let said = complaint(file);
        assert!(said.contains(words), "{words:?} is not in {said:?}");
    }
}

#[test]
fn a_quote_that_swallows_the_file_is_found_early() {
    let mut file = b"a,b\n1,2\n3,\"4\n".to_vec();
    file.extend(b"5,6\n".repeat(1 << 18));
    let mut reader = Reader::new(Options { longest_cell: 1 << 10, ..options() });
    let mut fed = 0;
    let error = file.chunks(1 << 12).find_map(|piece| {
        fed += piece.len();
        reader.feed(piece).and_then(|()| reader.read(1 << 20, &Cancel::default())).err()
    });
    let said = error.map_or(String::new(), |error| error.to_string());
    assert!(said.contains("t.csv line 3 opens a quote that is never closed"), "{said}");
    assert!(fed <= 1 << 17, "{fed} bytes were read");
}

#[test]
fn a_long_cell_without_quotes_is_refused() {
    let file = [b"a\n".to_vec(), vec![b'x'; 5000]].concat();
    for (limit, refused) in [(4999, true), (5000, false)] {
        let read = chunks(Options { longest_cell: limit, ..options() }, &file, 512, 10);
        assert_eq!(read.is_err(), refused, "{limit}");
    }
}

#[test]
fn ragged_rows_can_be_dropped_and_are_counted() -> Result<()> {
    let (reader, chunks) =
        chunks(Options { drop_ragged: true, ..options() }, b"a,b\n1,2\n3\n  \n\n4,5,6\n7,8\n", 3, 10)?;
    assert_eq!((reader.dropped, reader.blank_lines), (2, 2));
    assert_eq!(chunks.iter().map(|chunk| chunk.rows).sum::<usize>(), 2);
    Ok(())
}

#[test]
fn a_hundred_thousand_columns_are_a_table() -> Result<()> {
    let names: Vec<String> = (0..100_000).map(|i| format!("c{i}")).collect();
    let file = format!("{}\n{}\n", names.join(","), vec!["1.5"; names.len()].join(","));
    let read = columns(file.as_bytes(), WantedKind::Free)?;
    assert_eq!(read.len(), names.len());
    assert!(read.iter().all(|column| matches!(&column.1, TypedValues::Numbers(v) if v[..] == [1.5])));
    Ok(())
}

#[test]
fn cancelling_is_heard() {
    let file = [b"a,b\n".to_vec(), b"1,2\n".repeat(1 << 16)].concat();
    let mut reader = Reader::new(options());
    let cancel = Cancel::default();
    cancel.cancel();
    let read = reader.feed(&file).and_then(|()| reader.read(usize::MAX, &cancel));
    assert!(matches!(read, Err(Error::Cancelled)));
}

#[test]
fn whole_columns_decide_what_they_are() -> Result<()> {
    let file = b"n,zip,mix,t,none\n1,07030,1, b ,\n2.5,1,x,a,?\n?,2,3,b,\n,3,4,?,\n";
    let read = columns(file, WantedKind::Free)?;
    let [(n_facts, n), (zip_facts, zip), (mix_facts, _), (t_facts, t), (_, none)] = read.as_slice() else {
        return Err(Error::data("test", "five columns"));
    };
    assert!(matches!(n, TypedValues::Numbers(v) if v[..2] == [1.0, 2.5] && v[2..].iter().all(|x| x.is_nan())));
    assert_eq!((n_facts.missing.as_slice(), n_facts.integers), (&[1, 1][..], 1));
    assert!(
        matches!(zip, TypedValues::Codes(codes, levels) if codes[..] == [0, 1, 2, 3] && levels.cells().next() == Some(b"07030"))
    );
    assert_eq!(zip_facts.count(Shape::Zeros), 1);
    assert_eq!(mix_facts.examples(&[Shape::Text]), [&(3, "x".to_owned())]);
    assert!(
        matches!(t, TypedValues::Codes(codes, levels) if codes[..] == [1, 0, 1, MISSING] && levels.cells().eq([b"a", b"b"]))
    );
    assert_eq!(t_facts.padded, 1);
    assert!(matches!(none, TypedValues::Numbers(v) if v.iter().all(|x| x.is_nan())));
    Ok(())
}

#[test]
fn wishes_are_granted_where_they_can_be() -> Result<()> {
    let file = b"zip,n,t\n07030,1,x\n2,2,y\n";
    let numbers = columns(file, WantedKind::Numbers)?;
    assert!(matches!(&numbers[0].1, TypedValues::Numbers(v) if v[..] == [7030.0, 2.0]));
    assert!(matches!(&numbers[2].1, TypedValues::Codes(..)));
    let codes = columns(file, WantedKind::Codes)?;
    assert!(codes.iter().all(|column| matches!(column.1, TypedValues::Codes(..))));
    Ok(())
}

#[test]
fn large_whole_numbers_stay_text_but_large_measurements_do_not() -> Result<()> {
    let read = columns(b"id,x\n9007199254740993,9007199254740993\n1,0.5\n", WantedKind::Free)?;
    assert!(
        matches!(&read[0].1, TypedValues::Codes(_, levels) if levels.cells().any(|level| level == b"9007199254740993"))
    );
    assert!(matches!(&read[1].1, TypedValues::Numbers(_)));
    Ok(())
}

#[test]
fn many_cells_on_many_threads_are_the_same() -> Result<()> {
    let mut file = b"a,b\n".to_vec();
    for i in 0..200_000u32 {
        file.extend(format!("{},k{}\n", f64::from(i) / 8.0, i % 1000).into_bytes());
    }
    let read = columns(&file, WantedKind::Free)?;
    assert!(matches!(&read[0].1, TypedValues::Numbers(v) if v.iter().enumerate().all(|(i, x)| *x == i as f64 / 8.0)));
    let TypedValues::Codes(codes, levels) = &read[1].1 else { return Err(Error::data("test", "codes")) };
    let levels: Vec<&[u8]> = levels.cells().collect();
    assert!(levels.is_sorted() && levels.len() == 1000);
    assert!(codes.iter().enumerate().all(|(i, code)| levels[*code as usize] == format!("k{}", i % 1000).as_bytes()));
    Ok(())
}

#[test]
fn a_known_model_reads_by_value() -> Result<()> {
    let (_, chunks) = chunks(options(), b"w,n,k\nweak,1,1.0\n strong,?,2\nfoggy,07,x\n?,1e3,\n", 7, 10)?;
    let codes = |pairs: &[(&str, u32)]| pairs.iter().map(|&(text, code)| (text.to_owned(), code)).collect();
    let numbers = [(1.0f64.to_bits(), 0), (2.0f64.to_bits(), 1)].into_iter().collect();
    let column = |position, name: &str, levels| ModelColumn { position, name: name.to_owned(), levels };
    let columns = [
        column(0, "w", Some((codes(&[("weak", 0), ("strong", 1)]), Default::default()))),
        column(1, "n", None),
        column(2, "k", Some((codes(&[("1", 0), ("2", 1)]), numbers))),
    ];
    let encode = |columns: &[ModelColumn]| encode("t.csv", columns, &rules(true), &chunks[0], &Cancel::default());
    let read = encode(&columns)?;
    let foggy = [("foggy".to_owned(), 1)];
    assert!(
        matches!(&read[0], (TypedValues::Codes(codes, _), unseen) if codes[..] == [0, 1, UNSEEN, MISSING] && unseen[..] == foggy)
    );
    assert!(matches!(&read[1].0, TypedValues::Numbers(v) if v[0] == 1.0 && v[1].is_nan() && v[2..] == [7.0, 1000.0]));
    assert!(matches!(&read[2].0, TypedValues::Codes(codes, _) if codes[..] == [0, 1, UNSEEN, MISSING]));
    let said = encode(&[column(2, "k", None)]).err().map_or(String::new(), |error| error.to_string());
    assert!(said.contains("t.csv line 4: \"x\" is not a number, and \"k\" was numeric in training"), "{said}");
    Ok(())
}

/// Rows with their lines.
type Rows = Vec<(u64, Vec<String>)>;

fn cells(options: Options, file: &str) -> Result<(Vec<String>, Rows)> {
    let mut rows = Vec::new();
    let (mut reader, chunks) = chunks(options, file.as_bytes(), 5, 2)?;
    for chunk in chunks {
        for row in 0..chunk.rows {
            let cell = |text: &Text| text.cells().nth(row).map(|cell| String::from_utf8_lossy(cell).into_owned());
            rows.push((chunk.line(row), chunk.columns.iter().filter_map(cell).collect()));
        }
    }
    Ok((reader.header()?.unwrap_or_default().to_vec(), rows))
}

fn texts(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

#[test]
fn a_file_without_a_header_has_numbered_names() -> Result<()> {
    let (names, rows) = cells(Options { header: false, ..options() }, "5,x\n6,y\n")?;
    assert_eq!(names, texts(&["c1", "c2"]));
    assert_eq!(rows, [(1, texts(&["5", "x"])), (2, texts(&["6", "y"]))]);
    Ok(())
}

#[test]
fn comments_are_left_out_and_lines_are_counted_with_them() -> Result<()> {
    let file = "# by me, today\n\n#, ; \"\na;b\n1;#2\n# end\r\n\n3;4\n";
    let commented = Options { comment: Some(b'#'), ..options() };
    let (names, rows) = cells(commented.clone(), file)?;
    assert_eq!(names, texts(&["a", "b"]));
    assert_eq!(rows, [(5, texts(&["1", "#2"])), (8, texts(&["3", "4"]))]);
    let (reader, _) = chunks(commented, file.as_bytes(), 3, 10)?;
    assert_eq!((reader.comment_lines, reader.blank_lines), (3, 1));
    assert!(complaint(file.as_bytes()).contains("\u{1f}comment\u{1f}#"));
    Ok(())
}

#[test]
fn a_first_line_may_name_the_delimiter() -> Result<()> {
    for first in ["sep=;\r\n", "\"sep=;\"\n", "SEP=;\r", "\u{feff}sep=;\n"] {
        let (names, rows) = cells(options(), &format!("{first}a,b;c\n1,5;x\n"))?;
        assert_eq!(names, texts(&["a,b", "c"]), "{first:?}");
        assert_eq!(rows, [(3, texts(&["1,5", "x"]))], "{first:?}");
    }
    let (names, _) = cells(options(), "sep=;,b\n1,2\n")?;
    assert_eq!(names, texts(&["sep=;", "b"]));
    Ok(())
}

#[test]
fn runs_of_blanks_separate_fields() -> Result<()> {
    let file = " a   b\t c \n1  \"x  y\"  3\n\n  4 5   6";
    for delimiter in [Delimiter::Find, Delimiter::Blanks] {
        // Detection needs a first line with blanks only.
        let text = if delimiter == Delimiter::Find { file.replace('\t', " ") } else { file.to_owned() };
        let (names, rows) = cells(Options { delimiter, ..options() }, &text)?;
        assert_eq!(names, texts(&["a", "b", "c"]));
        assert_eq!(rows, [(2, texts(&["1", "x  y", "3"])), (4, texts(&["4", "5", "6"]))]);
    }
    Ok(())
}

#[test]
fn a_first_column_without_a_name_is_called_index() -> Result<()> {
    assert_eq!(cells(options(), ",a,b\n0,1,2\n")?.0, texts(&["index", "a", "b"]));
    assert_eq!(cells(options(), "\"\",index,b\n0,1,2\n")?.0, texts(&["index_", "index", "b"]));
    assert!(complaint(b"a,,b\n0,1,2\n").contains("column 2 of the header has no name"));
    Ok(())
}

#[test]
fn words_for_a_missing_value_are_missing_where_the_column_allows_it() -> Result<()> {
    let file =
        b"n,text,none,date\n1,a,None,2024-01-31\nNA,NA,x,-\nnull,Null,-,NULL\nNaN,b,None,2024-02-01\nNONE,null,y,nan\n";
    let (mut reader, mut chunks) = chunks(options(), file, 1 << 16, 2)?;
    let wanted = vec![WantedKind::Free; reader.header()?.map_or(0, <[String]>::len)];
    let columns = column::read(&mut chunks, &wanted, &rules(true), &Cancel::default())?;
    let words = |column: usize| -> Vec<(&str, usize)> {
        columns[column].0.words.iter().map(|(word, count)| (word.as_str(), *count)).collect()
    };
    assert_eq!(words(0), [("NA", 1), ("NONE", 1), ("NaN", 1), ("null", 1)]);
    assert_eq!(words(1), [("NA", 1), ("null", 1)]);
    assert_eq!(words(2), []);
    assert_eq!(words(3), [("-", 1), ("NULL", 1), ("nan", 1)]);
    let levels: Vec<Vec<String>> = columns
        .iter()
        .map(|(_, values)| match values {
            TypedValues::Numbers(_) => Vec::new(),
            TypedValues::Codes(_, levels) => {
                levels.cells().map(|cell| String::from_utf8_lossy(cell).into_owned()).collect()
            }
        })
        .collect();
    let expected =
        [texts(&[]), texts(&["Null", "a", "b"]), texts(&["-", "None", "x", "y"]), texts(&["2024-01-31", "2024-02-01"])];
    assert_eq!(levels, expected);
    assert_eq!(columns[1].0.count(Shape::Word), 1);
    let (_, mut codes) = self::chunks(options(), b"c\nNA\nDE\nUS\n", 1 << 16, 2)?;
    let codes = column::read(&mut codes, &[WantedKind::Free], &rules(true), &Cancel::default())?;
    assert!(codes[0].0.words.is_empty());
    Ok(())
}
