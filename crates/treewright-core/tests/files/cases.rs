//! Files of models that remember their rows: what is written comes back, and forged ones are refused.

use super::format::slug;
use super::fuzz::{Random, mutate, scribble};
use super::hostile::Change;
use super::make::{DOCUMENT, Parts, kinds, model, retype, seal, with_header};
use super::unwatched::{cases_to_bytes, from_bytes, open};
use safetensors::Dtype;
use treewright_core::prelude::{Cases, CasesTarget as Target, Contents, Kind, MISSING, UNSEEN};

const REGRESSION: &str =
    r#"{"estimator":"R","named":false,"params":{},"schema":{"columns":[{"kind":"numeric","name":""}],"target":null}}"#;

fn classes() -> Cases {
    let target = Target::Classes(vec![0, 1, 1], 2);
    Cases::new(kinds(), vec![1.5, f64::NAN, -0.0], vec![2, MISSING, 0], target, vec![0.5, 0.25]).unwrap()
}

fn file() -> Vec<u8> {
    cases_to_bytes(&classes(), DOCUMENT).unwrap()
}

fn numbers() -> Vec<u8> {
    let cases = Cases::new(vec![Kind::Numeric], vec![1.0, 2.0], vec![], Target::Numbers(vec![-3.0, 1e300]), vec![]);
    cases_to_bytes(&cases.unwrap(), REGRESSION).unwrap()
}

fn read(bytes: &[u8]) -> treewright_core::Result<Cases> {
    match open(bytes)? {
        (Contents::Cases(cases), _) => Ok(cases),
        (Contents::Forest(_), _) => panic!("these are trees"),
    }
}

/// Whatever is accepted must be the only bytes of its model.
fn use_if_accepted(bytes: &[u8]) -> bool {
    let Ok((Contents::Cases(cases), description)) = open(bytes) else { return false };
    assert_eq!(cases_to_bytes(&cases, &description.text).unwrap(), bytes);
    true
}

#[test]
fn what_is_written_comes_back() {
    let again = read(&file()).unwrap();
    // Debug tells NaN from numbers and −0 from 0; NaN does not equal itself.
    assert_eq!(format!("{again:?}"), format!("{:?}", classes()));
    assert!(use_if_accepted(&file()));
    assert!(use_if_accepted(&numbers()));
    assert_eq!(slug(from_bytes(&file())), "model.no-tree");
}

#[test]
fn every_nan_is_written_in_one_way() {
    let with = |nan| {
        let target = Target::Classes(vec![0, 1, 1], 2);
        let cases = Cases::new(kinds(), vec![1.5, nan, -0.0], vec![2, MISSING, 0], target, vec![0.5, 0.25]);
        cases_to_bytes(&cases.unwrap(), DOCUMENT).unwrap()
    };
    assert_eq!(with(-f64::NAN), file());
    assert_eq!(with(f64::from_bits(0x7ff8_0000_0000_0001)), file());
}

#[test]
fn impossible_cases_are_refused() {
    let changes: [(Change, &str); 21] = [
        (|p| p.set("classes", 0, 2u32.to_le_bytes()), "model.cases"),
        (|p| p.set("classes", 2, u32::MAX.to_le_bytes()), "model.cases"),
        (|p| p.set("codes", 0, 3u32.to_le_bytes()), "model.cases"),
        (|p| p.set("codes", 1, UNSEEN.to_le_bytes()), "model.cases"),
        (|p| p.set("numbers", 0, f64::INFINITY.to_le_bytes()), "model.cases"),
        (|p| p.set("numbers", 2, f64::NEG_INFINITY.to_le_bytes()), "model.cases"),
        (|p| p.set("numbers", 1, 0x7ff8_0000_0000_0001u64.to_le_bytes()), "model.layout"),
        (|p| p.set("numbers", 1, (-f64::NAN).to_le_bytes()), "model.layout"),
        (|p| p.set("errors", 0, (-0.25f64).to_le_bytes()), "model.cases"),
        (|p| p.set("errors", 1, f64::NAN.to_le_bytes()), "model.cases"),
        (|p| p.set("errors", 1, f64::INFINITY.to_le_bytes()), "model.cases"),
        (|p| p.tensors.retain(|tensor| tensor.0 != "errors"), "model.layout"),
        (|p| p.tensors.retain(|tensor| tensor.0 != "classes"), "model.layout"),
        (|p| p.tensors.retain(|tensor| tensor.0 != "codes"), "model.layout"),
        (|p| p.tensors.push(("code".to_string(), Dtype::U8, vec![1], vec![7])), "model.layout"),
        (|p| retype(p, "numbers", Dtype::F64, &[3, 1]), "model.layout"),
        (|p| retype(p, "numbers", Dtype::F64, &[3]), "model.layout"),
        (|p| retype(p, "numbers", Dtype::I64, &[1, 3]), "model.layout"),
        (|p| retype(p, "codes", Dtype::U32, &[3, 1]), "model.layout"),
        (|p| retype(p, "classes", Dtype::I32, &[3]), "model.layout"),
        (|p| retype(p, "errors", Dtype::F64, &[1, 2]), "model.layout"),
    ];
    for (i, (change, expected)) in changes.iter().enumerate() {
        let mut parts = Parts::of(&file());
        change(&mut parts);
        assert_eq!(slug(open(&parts.bytes())), *expected, "change {i}");
    }
}

#[test]
fn sizes_that_are_not_there_are_refused() {
    for shape in ["[1,4]", "[1,0]", "[18446744073709551615,3]", "[4294967296,4294967296]", "[0,3]", "[2,3]"] {
        let forged = with_header(&file(), |h| h.replace("\"shape\":[1,3]", &format!("\"shape\":{shape}")));
        assert_eq!(slug(open(&forged)), "model.layout", "{shape}");
    }
    // No rows at all, in every tensor.
    let mut parts = Parts::of(&file());
    for (name, dtype, shape) in [
        ("numbers", Dtype::F64, &[1, 0][..]),
        ("codes", Dtype::U32, &[1, 0]),
        ("classes", Dtype::U32, &[0]),
        ("errors", Dtype::F64, &[0]),
    ] {
        parts.data(name).clear();
        retype(&mut parts, name, dtype, shape);
    }
    assert_eq!(slug(open(&parts.bytes())), "model.cases");
}

#[test]
fn more_errors_than_neighbours_are_refused() {
    let mut parts = Parts::of(&file());
    parts.data("errors").extend_from_slice(&[0; 8]);
    retype(&mut parts, "errors", Dtype::F64, &[3]);
    assert_eq!(slug(open(&parts.bytes())), "model.cases");
}

#[test]
fn documents_of_other_models_are_refused() {
    let swapped = |bytes: Vec<u8>, from: &str, to: &str| {
        let mut parts = Parts::of(&bytes);
        assert!(parts.text.contains(from));
        parts.text = parts.text.replace(from, to);
        slug(open(&parts.bytes()))
    };
    assert_eq!(swapped(file(), r#"["a","b",3]"#, r#"["a","b"]"#), "model.cases");
    assert_eq!(swapped(file(), r#"{"kind":"numeric","name":"age"},"#, ""), "model.cases");
    assert_eq!(swapped(file(), r#"["no","yes"]"#, r#"["no"]"#), "model.cases");
    assert_eq!(swapped(file(), DOCUMENT, REGRESSION), "model.layout");
    assert_eq!(swapped(numbers(), REGRESSION, DOCUMENT), "model.layout");
    // Trees with the document of cases, and the other way round: both documents are those of the same schema.
    let mut parts = Parts::of(&file());
    parts.tensors = Parts::of(&model()).tensors;
    assert!(matches!(open(&parts.bytes()), Ok((Contents::Forest(_), _))));
    assert_eq!(slug(cases_to_bytes(&classes(), REGRESSION)), "model.document");
}

#[test]
fn damage_is_noticed_and_random_changes_do_no_harm() {
    let original = file();
    for cut in 0..original.len() {
        assert!(open(&original[..cut]).is_err());
    }
    let mut random = Random(4);
    let (mut accepted, parts) = (0, Parts::of(&original));
    for _ in 0..20_000 {
        let mut bytes = original.clone();
        mutate(&mut bytes, &mut random);
        assert!(bytes == original || open(&bytes).is_err());
        accepted += u32::from(use_if_accepted(&seal(bytes)));
        let mut parts = parts.clone();
        scribble(&mut parts, &mut random);
        accepted += u32::from(use_if_accepted(&parts.bytes()));
    }
    assert!(accepted > 100, "some changes are harmless numbers, so the way behind the checks was tried");
}
