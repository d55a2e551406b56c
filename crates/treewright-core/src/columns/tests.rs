//! Whole tables through all rules.

use super::column::Choice;
use super::file_notes::FileFacts;
use super::open::{OpenTable, TableOptions};
use super::reading::{Decisions, ReadTable, read_text};
use super::refusal::Stop;
use super::target::TargetValues;
use crate::data::csv::TypedValues;
use crate::data::csv::column::WantedKind;
use crate::data::csv::{CellRules, Delimiter, NumberFormat, Options, Reader};
use crate::sys::pool::Cancel;
use crate::{Error, Result};

fn read(text: &str, choices: &[Choice], date_parts: bool) -> Result<ReadTable<'static>, Stop> {
    let mut reader = Reader::new(Options {
        label: "t.csv".to_owned(),
        delimiter: Delimiter::Find,
        header: true,
        comment: None,
        decimal_comma: false,
        drop_ragged: false,
        longest_cell: 1 << 20,
    });
    reader.feed(text.as_bytes())?;
    reader.feed(b"")?;
    let header = reader.header()?.unwrap_or_default().to_vec();
    let mut chunks = Vec::new();
    while let Some(chunk) = reader.read(2, &Cancel::default())?.filter(|chunk| chunk.rows > 0) {
        chunks.push(chunk);
    }
    let missing = vec![String::new(), "?".to_owned()];
    let rules = CellRules::new(&missing, true, NumberFormat::default());
    let file = FileFacts { header: true, missing, ..FileFacts::default() };
    let free = vec![Choice::default(); header.len()];
    let choices = if choices.is_empty() { &free } else { choices };
    let decisions = Decisions { label: "t.csv", choices, date_parts, can_ignore: true };
    read_text(&header, chunks, (&rules, &file), decisions, reader.unnamed_index, &Cancel::default())
}

fn roles(text: &str) -> String {
    match read(text, &[], false) {
        Ok(table) => {
            let role = |read: &super::roles::ReadColumn<'_>| {
                format!("{}{}", read.read_as.name(), if read.ignored { "!" } else { "" })
            };
            table.columns.iter().map(role).collect::<Vec<_>>().join(" ")
        }
        Err(stop) => Error::from(stop).to_string(),
    }
}

#[test]
fn columns_get_their_roles() {
    let text = "zip,n,flag,price,when,note,empty,same\n\
                07030,1,0,$5,2024-01-31,a,,x\n08540,2,1,$6,2024-02-01,b,,x\n07030,1,1,\"$1,200\",2024-02-02,a,NA,x\n";
    assert_eq!(roles(text), "categorical numeric categorical numeric date! categorical empty! categorical");
    assert_eq!(roles("Day,Wind\nD1,Weak\nD2,Strong\n"), "identifier! identifier!");
    assert_eq!(roles(",a\n1,x\n2,x\n"), "identifier! categorical");
}

#[test]
fn mixed_columns_are_refused_with_advice() {
    let said = roles("n\n1\n2\nx\n");
    let expected = "\"n\" is numeric in 2 rows but not in 1\nline 4: \"x\"\nmissing: \"x\"\ncategorical: \"n\"  \
                    [data.mixed-column]";
    assert_eq!(said, expected);
    assert!(roles("n\n1\n1e999\n").contains("[data.number-too-large]"));
    let many: String = (0..1001).flat_map(|i| [format!("v{i}\n"), format!("v{i}\n")]).collect();
    assert!(roles(&format!("n\n{many}")).starts_with("\"n\" has 1,001 different values in 2,002 rows"));
}

#[test]
fn notes_are_sentences() -> Result<(), Stop> {
    let table = read(",zip;x\n1,07030;NA\n2,08540;5\n", &[], false)?;
    let said: Vec<String> = table.notes().iter().map(|(_, reason)| reason.sentence.to_string()).collect();
    assert_eq!(
        said,
        [
            "the first column has no name: read as row numbers, called \"index\" and ignored.",
            "\"zip;x\" has a different value in each of 2 rows: ignored.",
        ]
    );
    Ok(())
}

#[test]
fn dates_become_parts_and_declared_levels_keep_their_order() -> Result<(), Stop> {
    let free = Choice::default();
    let sizes = Choice {
        wanted: WantedKind::Free,
        levels: Some(["S", "M", "L"].map(str::to_owned).to_vec()),
        ordered: true,
        ..Choice::default()
    };
    let text = "day,size\n2024-01-31 10:00,L\n2024-02-01,S\n";
    let table = read(text, &[free.clone(), sizes.clone()], true)?;
    let names: Vec<&str> = table.columns.iter().map(|read| read.column.name.as_str()).collect();
    assert_eq!(names, ["day", "day year", "day month", "day day", "day weekday", "day hour", "size"]);
    assert_eq!(table.sources, [0, 0, 0, 0, 0, 0, 1]);
    assert_eq!(table.columns[6].read_as.name(), "ordered");
    let refused = read("day,size\n2024-01-31,L\nx,XL\n", &[free, sizes], true).err().map(Error::from);
    let expected = "t.csv line 3: \"XL\" is not among the declared levels of \"size\"\nlevels: S, M, L  [data.levels]";
    assert_eq!(refused.map(|error| error.to_string()).as_deref(), Some(expected));
    Ok(())
}

#[test]
fn some_rows_have_only_their_own_categories() -> Result<(), Stop> {
    let options = TableOptions { target: Some("y".to_owned()), ..TableOptions::default() };
    let opened = OpenTable::read(b"c,n,y\nb,1,p\na,2,q\nc,3,p\nb,,p\n", &options, &Cancel::default())?;
    let features = opened.features_of(&[0, 2, 3], false)?;
    let [TypedValues::Codes(codes, levels), TypedValues::Numbers(numbers)] =
        [&features[0].values, &features[1].values].map(Clone::clone)
    else {
        return Err(Error::data("test", "kinds").into());
    };
    assert_eq!((codes.to_vec(), levels.texts().collect::<Vec<_>>().join(" ")), (vec![0, 1, 0], "b c".to_owned()));
    assert!(numbers[0] == 1.0 && numbers[2].is_nan());
    assert_eq!(opened.features(false)?.len(), 2);
    assert_eq!(opened.target_values()?, TargetValues::Classes(vec![0, 1, 0, 0], vec!["p".to_owned(), "q".to_owned()]));
    assert_eq!(opened.cells(3, 9), [["b", "", "p"]]);
    Ok(())
}
