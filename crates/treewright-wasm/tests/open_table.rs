//! Files are opened by the rules of the core: roles, features and notes, and rows are read as in training.

#![allow(clippy::unwrap_used, reason = "a test")]

use serde_json::{Value, json};
use treewright_wasm::engine::{Engine, Reply};

fn call(engine: &mut Engine, request: Value, file: &str) -> Result<Value, String> {
    match engine.call(request.to_string().as_bytes(), file.as_bytes()) {
        Ok(Reply::Document(document)) => Ok(serde_json::from_slice(&document).unwrap()),
        Ok(Reply::Bytes(_)) => Err("bytes".to_owned()),
        Err(failure) => Err(failure.slug),
    }
}

fn open(engine: &mut Engine, file: &str, options: Value) -> Result<Value, String> {
    call(engine, json!({"call": "open", "as": 1, "name": "t.csv", "options": options}), file)
}

/// A table with an identifier, amounts, dates, sizes and a word for missing values.
fn orders() -> String {
    let size = |i: usize| ["S", "M", "L"][i % 3];
    let row = |i: usize| {
        let price = if i == 7 { "NA".to_owned() } else { format!("\"$1,{:03}.50\"", 17 * i % 40) };
        format!(
            "C{i},{price},2024-0{}-1{},{},{}\n",
            1 + i / 10,
            i % 10,
            size(i),
            if i % 3 > 1 && i > 9 { "yes" } else { "no" }
        )
    };
    let rows: String = (0..30).map(row).collect();
    format!("id,price,signup,size,churn\n{rows}")
}

#[test]
fn columns_have_the_roles_of_the_rules() {
    let mut engine = Engine::default();
    let table = open(&mut engine, &orders(), json!({})).unwrap();
    let columns: Vec<(&str, &str)> = table["columns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|column| (column["kind"].as_str().unwrap(), column["role"].as_str().unwrap()))
        .collect();
    let expected = [
        ("categorical", "ignored"),
        ("numeric", "feature"),
        ("date", "ignored"),
        ("categorical", "feature"),
        ("categorical", "target"),
    ];
    assert_eq!(columns, expected);
    assert_eq!(table["columns"][0]["note"], "\"id\" has a different value in each of 30 rows: ignored.");
    assert_eq!(table["columns"][1]["missing"], 1);
    assert_eq!(table["notes"], json!(["\"NA\" is read as missing: 1 cell of 1 column."]));
    assert_eq!(table["classes"], json!(["no", "yes"]));
    assert_eq!(table["features"][1]["levels"], json!(["L", "M", "S"]));
}

#[test]
fn rows_without_a_target_take_their_categories_with_them() {
    let mut engine = Engine::default();
    let table = open(&mut engine, "c,y\na,p\nb,q\nz,\na,q\n", json!({})).unwrap();
    assert_eq!(table["features"][0]["levels"], json!(["a", "b"]));
    assert_eq!(table["columns"][0]["levels"].as_array().unwrap().len(), 3);
}

#[test]
fn rare_categories_count_as_one_where_a_learner_pools_them() {
    let row = |i: usize| {
        format!(
            "{},{}\n",
            if i % 5 < 2 { "AB"[i % 5..=i % 5].to_owned() } else { format!("x{i}") },
            if i.is_multiple_of(5) { "yes" } else { "no" }
        )
    };
    let file = format!("city,answer\n{}", (0..250).map(row).collect::<String>());
    let mut engine = Engine::default();
    open(&mut engine, &file, json!({})).unwrap();
    let levels = |engine: &mut Engine, algorithm: &str| {
        let spec = json!({"table": 1, "algorithm": algorithm, "params": {}});
        let state = call(engine, json!({"call": "start", "as": 2, "spec": spec}), "").unwrap();
        state["features"][0]["levels"].as_array().unwrap().len()
    };
    assert_eq!((levels(&mut engine, "cart"), levels(&mut engine, "c45"), levels(&mut engine, "id3")), (3, 3, 152));
}

#[test]
fn refusals_have_the_slugs_of_the_package() {
    let mut engine = Engine::default();
    assert_eq!(open(&mut engine, "a,b\n1,x\n2,x\ny,z\n", json!({})), Err("data.mixed-column".to_owned()));
    assert_eq!(open(&mut engine, "a,b\n", json!({})), Err("data.no-rows".to_owned()));
    assert_eq!(open(&mut engine, "a,b\n1,x\n", json!({"target": "c"})), Err("data.no-such-column".to_owned()));
    assert_eq!(open(&mut engine, "a,b\nx,1\ny,2\n", json!({})), Err("fit.no-features".to_owned()));
}
