//! Attacks: files with a right checksum and wrong contents. Each test changes one thing that a loader could trust.

use super::format::slug;
use super::make::{
    DOCUMENT, Parts, boosted, forest, kinds, model, regression, retype, seal, tree, tree_with_spares, with_header,
};
use super::unwatched::{from_bytes, to_bytes};
use safetensors::Dtype;
use treewright_core::prelude::{Forest, Leaf, SplitRule};

pub type Change = fn(&mut Parts);

fn refused(changes: &[Change], expected: &str) {
    for (i, change) in changes.iter().enumerate() {
        let mut parts = Parts::of(&model());
        change(&mut parts);
        assert_eq!(slug(from_bytes(&parts.bytes())), expected, "change {i}");
    }
}

fn nan(bits: u64) -> [u8; 8] {
    bits.to_le_bytes()
}

/// The nodes of the model are 0..5 (the tree), 5 (the stump) and 6..11 (the tree again).
#[test]
fn impossible_tables_are_refused() {
    refused(
        &[
            |p| p.set("first_child", 0, 0u32.to_le_bytes()),
            |p| p.set("first_child", 1, 1u32.to_le_bytes()),
            |p| p.set("first_child", 1, 2u32.to_le_bytes()),
            |p| p.set("first_child", 1, 4u32.to_le_bytes()),
            |p| p.set("first_child", 6, u32::MAX.to_le_bytes()),
            |p| p.set("first_child", 4, 1u32.to_le_bytes()),
            |p| p.set("n_children", 0, 1u16.to_le_bytes()),
            |p| p.set("n_children", 0, 4u16.to_le_bytes()),
            |p| p.set("n_children", 0, u16::MAX.to_le_bytes()),
            |p| p.set("n_children", 5, 2u16.to_le_bytes()),
            |p| p.set("count", 0, u64::MAX.to_le_bytes()),
            |p| p.set("feature", 0, 2u32.to_le_bytes()),
            |p| p.set("feature", 0, 0u32.to_le_bytes()),
            |p| p.set("feature", 1, 1u32.to_le_bytes()),
            |p| p.set("feature", 2, 1u32.to_le_bytes()),
            |p| p.set("threshold", 1, f64::NAN.to_le_bytes()),
            |p| p.set("threshold", 1, f64::NEG_INFINITY.to_le_bytes()),
            |p| p.set("threshold", 0, 1f64.to_le_bytes()),
            |p| p.set("route_start", 0, 1u32.to_le_bytes()),
            |p| p.set("route_start", 0, u32::MAX.to_le_bytes()),
            |p| p.set("missing", 0, 2u16.to_le_bytes()),
            |p| p.set("missing", 2, 0u16.to_le_bytes()),
            |p| p.set("route", 0, 2u16.to_le_bytes()),
            |p| p.set("route", 5, 65_530u16.to_le_bytes()),
            |p| p.set("value", 7, f64::NAN.to_le_bytes()),
            |p| p.set("value", 7, f64::NEG_INFINITY.to_le_bytes()),
            |p| p.set("weight", 3, (-1f64).to_le_bytes()),
            |p| p.set("cost", 3, f64::INFINITY.to_le_bytes()),
            |p| p.set("gain", 3, f64::NAN.to_le_bytes()),
            // Whole numbers that add up, but give nodes or routes to the wrong tree.
            |p| {
                p.set("trees", 0, 4u64.to_le_bytes());
                p.set("trees", 2, 2u64.to_le_bytes());
            },
            |p| {
                p.set("trees", 1, 2u64.to_le_bytes());
                p.set("trees", 3, 1u64.to_le_bytes());
            },
        ],
        "model.table",
    );
}

#[test]
fn questions_do_not_share_a_route() {
    let mut shared = tree();
    shared.ask(2, 1, &SplitRule::levels(3, false), 0.0);
    (0..3).for_each(|_| {
        shared.push(Leaf { value: &[0.5, 0.5], weight: 1.0, count: 1, cost: 0.0 });
    });
    assert!(Forest::new(kinds(), vec![shared.clone()]).is_ok());
    shared.route[..3].copy_from_slice(&[0, 1, 1]);
    shared.route.truncate(3);
    shared.route_start[2] = 0;
    assert_eq!(slug(Forest::new(kinds(), vec![shared])), "model.table");
}

/// The first tree has three spare questions, the second none.
#[test]
fn impossible_spares_are_refused() {
    let file = to_bytes(&forest(vec![tree_with_spares(), tree()]), DOCUMENT).unwrap();
    let changes: [(Change, &str); 12] = [
        (|p| p.set("spare_start", 0, 1u32.to_le_bytes()), "model.table"),
        (|p| p.set("spare_start", 1, u32::MAX.to_le_bytes()), "model.table"),
        (|p| p.set("spare_start", 2, 2u32.to_le_bytes()), "model.table"),
        (|p| p.set("spare_feature", 0, 9u32.to_le_bytes()), "model.table"),
        (|p| p.set("spare_route", 0, 2u16.to_le_bytes()), "model.table"),
        (|p| p.set("spare_route_start", 1, 1u32.to_le_bytes()), "model.table"),
        (|p| p.set("spare_threshold", 0, f64::INFINITY.to_le_bytes()), "model.table"),
        (|p| p.set("spare_threshold", 1, nan(0x7ff8_0000_0000_0001)), "model.layout"),
        (|p| p.set("trees", 2, 2u64.to_le_bytes()), "model.layout"),
        (|p| p.set("trees", 6, 1u64.to_le_bytes()), "model.layout"),
        (|p| p.tensors.retain(|tensor| tensor.0 != "spare_below"), "model.layout"),
        (|p| p.tensors.retain(|tensor| tensor.0 != "spare_start"), "model.layout"),
    ];
    for (i, (change, expected)) in changes.iter().enumerate() {
        let mut parts = Parts::of(&file);
        change(&mut parts);
        assert_eq!(slug(from_bytes(&parts.bytes())), *expected, "change {i}");
    }
}

/// Six trees, three sums.
#[test]
fn impossible_combinations_are_refused() {
    let changes: [(Change, &str); 20] = [
        (|p| p.set("base", 0, f64::NAN.to_le_bytes()), "model.table"),
        (|p| p.set("base", 2, f64::INFINITY.to_le_bytes()), "model.table"),
        (|p| p.set("scales", 5, f64::NEG_INFINITY.to_le_bytes()), "model.table"),
        (|p| p.set("scales", 0, nan(0x7ff8_0000_0000_0001)), "model.layout"),
        (|p| p.set("targets", 0, 3u32.to_le_bytes()), "model.table"),
        (|p| p.set("targets", 3, u32::MAX.to_le_bytes()), "model.table"),
        (|p| p.set("combine", 0, 4u16.to_le_bytes()), "model.layout"),
        (|p| p.set("combine", 1, u16::MAX.to_le_bytes()), "model.layout"),
        // A mean, a vote and a median have no base; a logistic link has one sum.
        (|p| p.set("combine", 0, 0u16.to_le_bytes()), "model.document"),
        (|p| p.set("combine", 0, 1u16.to_le_bytes()), "model.document"),
        (|p| p.set("combine", 1, 1u16.to_le_bytes()), "model.document"),
        // Lengths that are not those of the trees and sums.
        (|p| shorten(p, "base", 2), "model.document"),
        (|p| shorten(p, "base", 0), "model.document"),
        (|p| shorten(p, "scales", 5), "model.table"),
        (|p| shorten(p, "targets", 5), "model.table"),
        (|p| shorten(p, "targets", 0), "model.table"),
        (|p| shorten(p, "combine", 1), "model.layout"),
        // Second forms: all scales are 1, or a part is left out.
        (|p| (0..6).for_each(|i| p.set("scales", i, 1f64.to_le_bytes())), "model.layout"),
        (|p| p.tensors.retain(|tensor| tensor.0 != "targets"), "model.layout"),
        (|p| p.tensors.retain(|tensor| tensor.0 != "combine"), "model.layout"),
    ];
    assert!(from_bytes(&boosted()).is_ok());
    for (i, (change, expected)) in changes.iter().enumerate() {
        let mut parts = Parts::of(&boosted());
        change(&mut parts);
        assert_eq!(slug(from_bytes(&parts.bytes())), *expected, "change {i}");
    }
}

/// The mean is written by leaving everything out.
#[test]
fn a_mean_has_one_form() {
    let mut parts = Parts::of(&model());
    for (name, dtype) in [("base", Dtype::F64), ("scales", Dtype::F64), ("targets", Dtype::U32)] {
        parts.tensors.push((name.to_string(), dtype, vec![0], vec![]));
    }
    parts.tensors.push(("combine".to_string(), Dtype::U16, vec![2], vec![0; 4]));
    assert_eq!(slug(from_bytes(&parts.bytes())), "model.layout");
}

/// Cuts a list off.
fn shorten(parts: &mut Parts, name: &str, length: usize) {
    let tensor = parts.tensors.iter_mut().find(|tensor| tensor.0 == name).unwrap();
    tensor.3.truncate(tensor.3.len() / tensor.2[0] * length);
    tensor.2 = vec![length];
}

#[test]
fn sizes_that_do_not_add_up_are_refused() {
    refused(
        &[
            |p| p.set("trees", 0, 6u64.to_le_bytes()),
            |p| p.set("trees", 0, u64::MAX.to_le_bytes()),
            |p| p.set("trees", 1, u64::MAX.to_le_bytes()),
            |p| {
                p.set("trees", 0, 0u64.to_le_bytes());
                p.set("trees", 2, 6u64.to_le_bytes());
            },
            |p| p.set("trees", 3, 1u64.to_le_bytes()),
            |p| {
                p.data("trees").clear();
                retype(p, "trees", Dtype::U64, &[0, 2]);
            },
            |p| {
                p.data("value").clear();
                retype(p, "value", Dtype::F64, &[usize::MAX, 0]);
            },
            |p| {
                p.data("value").clear();
                retype(p, "value", Dtype::F64, &[0, usize::MAX]);
            },
            |p| retype(p, "value", Dtype::F64, &[22, 1]),
            |p| retype(p, "value", Dtype::F64, &[22]),
            |p| retype(p, "value", Dtype::F64, &[11, 2, 1]),
            |p| retype(p, "value", Dtype::I64, &[11, 2]),
            |p| retype(p, "trees", Dtype::U64, &[2, 3]),
            |p| retype(p, "trees", Dtype::U64, &[6]),
            |p| retype(p, "route", Dtype::I16, &[6]),
            |p| retype(p, "route", Dtype::U32, &[3]),
            |p| retype(p, "cost", Dtype::F64, &[1, 11]),
        ],
        "model.layout",
    );
}

#[test]
fn a_model_that_says_nothing_is_refused() {
    for (file, nodes, expected) in [(model(), 11, "model.document"), (regression(), 1, "model.table")] {
        let mut parts = Parts::of(&file);
        parts.data("value").clear();
        retype(&mut parts, "value", Dtype::F64, &[nodes, 0]);
        assert_eq!(slug(from_bytes(&parts.bytes())), expected);
    }
}

#[test]
fn unknown_missing_and_second_forms_are_refused() {
    refused(
        &[
            |p| p.tensors.push(("code".to_string(), Dtype::U8, vec![1], vec![7])),
            |p| p.tensors.push(("code".to_string(), Dtype::U8, vec![0], vec![])),
            |p| p.tensors.retain(|tensor| tensor.0 != "gain"),
            |p| p.tensors.retain(|tensor| tensor.0 != "trees"),
            |p| p.tensors.clear(),
            |p| p.tensors[2].0 = "Threshold".to_string(),
            |p| p.set("threshold", 0, nan(0x7ff8_0000_0000_0001)),
            |p| p.set("threshold", 0, nan(0xfff8_0000_0000_0000)),
            |p| p.text = p.text.replace(",\"version\"", ", \"version\""),
            |p| p.text = p.text.replace("\"since\":\"0.1\"", "\"since\":\"0.2\""),
            |p| p.text = p.text.replace("\"since\":\"0.1\",", ""),
            |p| p.text = p.text.replace("\"version\":2,", "\"version\":2,\"more\":0,"),
            |p| p.text = p.text.replace("\"version\":2,", "\"version\":2,\"version\":2,"),
            |p| p.text = p.text.replace("\"version\":2", "\"version\":\"2\""),
            |p| p.text = p.text.replace("\"version\":2", "\"version\":-1"),
            |p| p.text = p.text.replace("\"version\":2", "\"version\":2e0"),
            |p| p.text.push(' '),
            |p| p.text.truncate(p.text.len() - 1),
        ],
        "model.layout",
    );
    let headers: [fn(&str) -> String; 9] = [
        |h| format!("{h} "),
        |h| format!("{h}        "),
        |h| h.trim_end().to_string(),
        |h| h.replace("},\"cost\"", "}, \"cost\""),
        |h| h.replace("\"__metadata__\":{", "\"__metadata__\":{\"a\":\"b\","),
        |h| h.replacen("\"}", "\",\"other\":\"x\"}", 1),
        |h| h.replace("\"cost\":{", "\"cost\":{\"extra\":1,"),
        |h| h.replace("\"weight\"", "\"cost\""),
        |h| h.trim_end().replace("}}", "}},\"a\":[[[[") + " ",
    ];
    for (i, change) in headers.iter().enumerate() {
        let forged = with_header(&model(), change);
        let expected = if i == 4 { "model.not-a-model" } else { "model.layout" };
        assert_eq!(slug(from_bytes(&forged)), expected, "header {i}");
    }
}

#[test]
fn overlapping_shifted_and_huge_tensors_are_refused() {
    let offsets = |from: &'static str, to: &'static str| with_header(&model(), |h| h.replace(from, to));
    let model = String::from_utf8_lossy(&model()).into_owned();
    assert!(model.contains("\"data_offsets\":[136,224]"), "the cases below name real places");
    for to in ["[0,88]", "[136,223]", "[136,225]", "[137,225]", "[224,136]", "[136,18446744073709551615]", "[-1,224]"] {
        assert_eq!(slug(from_bytes(&offsets("[136,224]", to.to_string().leak()))), "model.layout", "{to}");
    }
    for shape in ["[4294967296,4294967296]", "[18446744073709551615,2]", "[1e3,2]", "[\"3\",2]", "[[[[]]]]"] {
        let forged =
            with_header(&super::make::model(), |h| h.replace("\"shape\":[3,2]", &format!("\"shape\":{shape}")));
        assert_eq!(slug(from_bytes(&forged)), "model.layout", "{shape}");
    }
}

#[test]
fn a_header_of_any_length_is_refused() {
    let bytes = model();
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap());
    for wrong in [0, 1, 9, length - 8, length + 8, 100_000_001, u64::from(u32::MAX), u64::MAX - 7, u64::MAX] {
        let forged = seal([&wrong.to_le_bytes()[..], &bytes[8..]].concat());
        assert_eq!(slug(from_bytes(&forged)), "model.layout", "{wrong}");
    }
}

#[test]
fn wrong_documents_are_refused() {
    let column = r#"{"kind":"numeric","name":"age"}"#;
    let long = "x".repeat((1 << 16) + 1);
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let changes = [
        (r#""estimator":"ID3Classifier","#, String::new()),
        (r#""ID3Classifier""#, "7".to_string()),
        (r#""ID3Classifier""#, format!("\"{long}\"")),
        (r#""params":{"min_gain":null},"#, String::new()),
        (r#"{"min_gain":null}"#, "[]".to_string()),
        (r#"{"min_gain":null}"#, format!(r#"{{"a":{deep}}}"#)),
        (r#""params""#, r#""more":1,"params""#.to_string()),
        (r#""params""#, r#""estimator":"ID3Classifier","params""#.to_string()),
        (r#""target":"play""#, r#""target":7"#.to_string()),
        (r#","target":"play""#, String::new()),
        (r#""target":"play""#, format!(r#""target":"{long}""#)),
        (r#""target":"play""#, r#""target":"\ud800""#.to_string()),
        (r#""named":true,"#, String::new()),
        ("true", "1".to_string()),
        (r#""str""#, r#""S1000000000""#.to_string()),
        (r#""classes_dtype":"str","#, String::new()),
        (r#""classes":["no","yes"],"#, String::new()),
        (r#"["no","yes"]"#, "[]".to_string()),
        (r#"["no","yes"]"#, r#"["no"]"#.to_string()),
        (r#"["no","yes"]"#, r#"["no","no"]"#.to_string()),
        (r#"["no","yes"]"#, r#"["no",null]"#.to_string()),
        (r#"["no","yes"]"#, r#"["no",["yes"]]"#.to_string()),
        (r#"["no","yes"]"#, r#"["no",{}]"#.to_string()),
        (r#"["no","yes"]"#, r#"["no","yes","maybe"]"#.to_string()),
        (r#"["no","yes"]"#, deep.clone()),
        (r#""target":"play""#, r#""costs":[[0,1]],"target":"play""#.to_string()),
        (r#""target":"play""#, r#""costs":[[0,1],[1]],"target":"play""#.to_string()),
        (r#""target":"play""#, r#""costs":[[0,1],[-1,0]],"target":"play""#.to_string()),
        (r#""target":"play""#, r#""costs":[[0,1],[1e999,0]],"target":"play""#.to_string()),
        (r#"["a","b",3]"#, r#"["a","b","b"]"#.to_string()),
        (r#"["a","b",3]"#, format!(r#"["a","b","{long}"]"#)),
        (r#""levels":["a","b",3],"#, String::new()),
        (column, r#"{"kind":"numeric","levels":[],"name":"age"}"#.to_string()),
        (column, r#"{"kind":"number","name":"age"}"#.to_string()),
        (column, r#"{"kind":"numeric"}"#.to_string()),
        (column, r#"{"name":"age"}"#.to_string()),
        (column, r#"{"kind":"numeric","name":"age","name":"b"}"#.to_string()),
        (column, r#"{"kind":"numeric","name":"Größe \"x\""}"#.to_string()),
        (column, format!(r#"{{"kind":"numeric","name":"{long}"}}"#)),
        (column, format!(r#"{column},{{"kind":"numeric","name":"b"}}"#).replace("age", "c") + ",7"),
        (column, "null".to_string()),
    ];
    for (i, (from, to)) in changes.iter().enumerate() {
        let document = DOCUMENT.replace(from, to);
        assert_ne!(document, DOCUMENT, "document {i}");
        assert_eq!(slug(to_bytes(&forest(vec![tree()]), &document)), "model.document", "document {i}");
        let mut parts = Parts::of(&model());
        parts.text = parts.text.replace(DOCUMENT, &document);
        assert_eq!(slug(from_bytes(&parts.bytes())), "model.document", "document {i}");
    }
}

#[test]
fn a_schema_of_other_columns_is_refused() {
    for (from, to) in [
        (r#"{"kind":"numeric","name":"age"},"#, ""),
        (r#"["a","b",3]"#, r#"["a","b"]"#),
        (r#"["a","b",3]"#, r#"["a","b",3,4]"#),
        (r#"["a","b",3]"#, "[]"),
    ] {
        let mut parts = Parts::of(&model());
        parts.text = parts.text.replace(from, to);
        assert_eq!(slug(from_bytes(&parts.bytes())), "model.table", "{to}");
    }
}
