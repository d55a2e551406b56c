//! The format itself: what comes back, what the bytes are, and what is said of files that are something else.

use super::make::{
    DOCUMENT, Parts, boosted, forest, kinds, model, regression, stump, tree, tree_with_spares, with_header,
};
use super::unwatched::{from_bytes, to_bytes};
use treewright_core::prelude::{Cancel, Column, Forest, Kind, Leaf, MISSING, SplitRule, Table, Tree};
use treewright_core::{Error, Result};

pub fn slug<T>(result: Result<T>) -> &'static str {
    match result {
        Err(Error::Model { slug, .. }) => slug,
        Err(_) => "another error",
        Ok(_) => "no error",
    }
}

fn message<T>(result: Result<T>) -> String {
    match result {
        Err(error) => error.to_string(),
        Ok(_) => "no error".to_string(),
    }
}

#[test]
fn what_is_written_comes_back() {
    let spare = tree_with_spares;
    for trees in [
        vec![tree()],
        vec![stump()],
        vec![tree(), stump(), tree(), stump()],
        vec![spare()],
        vec![tree(), spare(), stump(), spare()],
    ] {
        let forest = forest(trees);
        let bytes = to_bytes(&forest, DOCUMENT).unwrap();
        let (again, document) = from_bytes(&bytes).unwrap();
        assert_eq!((again.kinds(), document.as_str()), (forest.kinds(), DOCUMENT));
        assert_eq!(to_bytes(&again, &document).unwrap(), bytes);
        let ages = [1.0, 2.5, 3.0, f64::NAN, 9.0];
        let codes = [0, 0, 0, 0, MISSING];
        let columns = vec![Column::Numeric(&ages), Column::Categorical { codes: &codes, levels: 3 }];
        let table = Table::new(columns, 5).unwrap();
        let says = |forest: &Forest| forest.predict(&table, &Cancel::default()).unwrap();
        assert_eq!(says(&again), says(&forest));
        assert_eq!(again.trees()[0].value, forest.trees()[0].value);
        let roles = |forest: &Forest| -> Vec<_> {
            forest.trees().iter().map(|tree| tree.spares.as_ref().map(|spares| spares.role.clone())).collect()
        };
        assert_eq!(roles(&again), roles(&forest));
    }
}

#[test]
fn how_trees_combine_comes_back() {
    let (forest, document) = from_bytes(&boosted()).unwrap();
    assert_eq!(to_bytes(&forest, &document).unwrap(), boosted());
    assert_eq!((forest.tree_outputs(), forest.raw_outputs(), forest.outputs()), (1, 3, 3));
    assert_eq!((forest.combine().base[2], forest.combine().targets[4]), (0.5, 1));
}

#[test]
fn signs_of_zero_come_back_and_every_nan_is_written_in_one_way() {
    let (forest, _) = from_bytes(&regression()).unwrap();
    assert!(forest.trees()[0].value[0].is_sign_negative());
    let mut odd = tree();
    odd.threshold[0] = f64::from_bits(0xfff8_0000_0000_0123);
    assert_eq!(
        to_bytes(&super::make::forest(vec![odd]), DOCUMENT).unwrap(),
        to_bytes(&super::make::forest(vec![tree()]), DOCUMENT).unwrap()
    );
}

#[test]
fn safetensors_reads_it_and_would_write_the_same_bytes() {
    let spares = to_bytes(&super::make::forest(vec![tree_with_spares(), tree()]), DOCUMENT).unwrap();
    for bytes in [model(), regression(), spares, boosted()] {
        assert_eq!(Parts::of(&bytes).bytes(), bytes);
        assert_eq!(u64::from_le_bytes(bytes[..8].try_into().unwrap()) % 8, 0);
    }
}

/// The bytes are a promise to every later version. If this fails, the format changed: it needs a new version number.
#[test]
fn the_bytes_are_those_of_version_2() {
    let sum = |bytes: Vec<u8>| blake3::hash(&bytes).to_hex()[..16].to_string();
    assert_eq!((sum(model()).as_str(), sum(regression()).as_str()), ("ec61a91f3ae43b27", "36325ca89b333941"));
    let spares = to_bytes(&forest(vec![tree_with_spares(), tree()]), DOCUMENT).unwrap();
    assert_eq!((sum(spares).as_str(), sum(boosted()).as_str()), ("9348421c24205c76", "842bda630f1728d5"));
}

#[test]
fn a_document_that_is_not_the_forests_is_not_written() {
    let one = forest(vec![tree()]);
    assert_eq!(slug(to_bytes(&one, "{}")), "model.document");
    assert_eq!(slug(to_bytes(&one, &DOCUMENT.replace(r#""b","#, ""))), "model.document");
    assert_eq!(slug(to_bytes(&one, &DOCUMENT.replace(r#""no","#, ""))), "model.document");
    let long = DOCUMENT.replace("play", &"x".repeat((1 << 16) + 1));
    assert!(message(to_bytes(&one, &long)).contains("65537 bytes"));
    let most = DOCUMENT.replace("play", &"x".repeat(1 << 16));
    assert_eq!(from_bytes(&to_bytes(&one, &most).unwrap()).unwrap().1, most);
}

/// A message is one line a user can read, whatever the file says.
#[test]
fn words_of_a_file_are_made_printable() {
    let odd = format!("\u{1b}[31m\\n{}", "x".repeat(5000));
    for document in [DOCUMENT.replace("params", &odd), DOCUMENT.replace("numeric", &odd)] {
        let said = message(to_bytes(&forest(vec![tree()]), &document));
        assert!(said.len() < 400 && !said.contains(['\n', '\u{1b}']), "{said}");
    }
}

#[test]
fn a_document_larger_than_a_header_is_refused() {
    let levels: Vec<String> = (0..1700).map(|i| format!("\"{i}{}\"", "y".repeat(60_000))).collect();
    let document = format!(
        r#"{{"estimator":"R","named":false,"params":{{}},"schema":{{"columns":[{{"kind":"categorical","levels":[{}],"name":""}}],"target":null}}}}"#,
        levels.join(",")
    );
    let forest = Forest::new(vec![Kind::Categorical(1700)], vec![stump()]).unwrap();
    assert_eq!(slug(to_bytes(&forest, &document)), "model.too-large");
}

#[test]
fn a_newer_version_is_named_with_our_own() {
    let newer = |since: &str| {
        with_header(&model(), |h| {
            h.replace(r#"\"version\":2,\"since\":\"0.1\""#, &format!(r#"\"version\":4,{since}\"new\":[]"#))
        })
    };
    let said = message(from_bytes(&newer(r#"\"since\":\"3.1\","#)));
    let own = env!("CARGO_PKG_VERSION");
    assert!(said.contains("treewright 3.1 or later (its format is version 4)"), "{said}");
    assert!(said.contains(&format!("this is treewright {own} (reads versions up to 2)")), "{said}");
    for odd in ["", r#"\"since\":\"<b>\","#] {
        let said = message(from_bytes(&newer(odd)));
        assert!(said.contains("needs a newer treewright (its format is version 4)"), "{said}");
    }
    let zero = with_header(&model(), |h| h.replace(r#"\"version\":2"#, r#"\"version\":0"#));
    assert_eq!(slug(from_bytes(&zero)), "model.layout");
}

#[test]
fn other_files_are_named() {
    let safetensors = with_header(&model(), |h| h.replace("treewright", "elsewhere").replace("checksum", "x"));
    let cases: [(&[u8], &str, &str); 16] = [
        (b"", "model.not-a-model", "is empty"),
        (b"\x80\x04\x95\x10", "model.pickle", "pickle"),
        (b"\x80\x02}q\x00.", "model.pickle", "because they can run code"),
        (b"PK\x03\x04\x14\x00", "model.not-a-model", "zip archive"),
        (b"PK\x05\x06", "model.not-a-model", "zip archive"),
        (b"\x1f\x8b\x08", "model.not-a-model", "compressed (gzip)"),
        (b"x\x9c\x03\x00", "model.not-a-model", "compressed (zlib)"),
        (b" {\"estimator\": 1}", "model.not-a-model", "is JSON"),
        (b"[1, 2]", "model.not-a-model", "is JSON"),
        (b"age,play\n3,yes\n", "model.not-a-model", "is text"),
        ("Größe, \u{20ac}\n".as_bytes(), "model.not-a-model", "is text"),
        (b"Gr\xc3", "model.not-a-model", "is text"),
        (b"\x00\x01\x02\x03", "model.not-a-model", "something else"),
        (b"caf\xe9 au lait", "model.not-a-model", "something else"),
        (b"\x10\x00\x00\x00\x00\x00\x00\x00{\"a\":", "model.not-a-model", "safetensors"),
        (&safetensors, "model.not-a-model", "safetensors"),
    ];
    for (bytes, expected, words) in cases {
        let said = message(from_bytes(bytes));
        assert_eq!(slug(from_bytes(bytes)), expected, "{said}");
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn a_chain_of_a_hundred_thousand_questions_comes_back() {
    let mut chain = Tree::new(2);
    let push = |tree: &mut Tree| tree.push(Leaf { value: &[0.5, 0.5], weight: 1.0, count: 1, cost: 0.0 });
    let mut last = push(&mut chain);
    for depth in 0..100_000 {
        chain.ask(last, 0, &SplitRule::threshold(f64::from(depth), 1), 0.0);
        push(&mut chain);
        last = push(&mut chain);
    }
    let bytes = to_bytes(&Forest::new(kinds(), vec![chain]).unwrap(), DOCUMENT).unwrap();
    let (forest, _) = from_bytes(&bytes).unwrap();
    let columns = vec![Column::Numeric(&[1e9]), Column::Categorical { codes: &[0], levels: 3 }];
    let ends = forest.apply(0, &Table::new(columns, 1).unwrap(), &Cancel::default()).unwrap();
    assert_eq!(ends, [last as u32]);
}
