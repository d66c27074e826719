//! Files that are no recordings: each is refused with what is wrong and what would be right.

mod common;

use std::sync::Arc;

use common::{from_csv, play, read, record, rewrite, to_csv};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::FileReader;
use parquet::file::serialized_reader::SerializedFileReader;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::printer::print_schema;
use repertoire_trace::FORMAT;

fn refusal(file: &[u8]) -> String {
    read(file).expect_err("it is no recording").to_string()
}

/// A file of a schema, without rows.
fn parquet(schema: &str, pairs: Option<Vec<KeyValue>>) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(schema).expect("a schema"));
    let properties = Arc::new(WriterProperties::builder().set_key_value_metadata(pairs).build());
    let writer = SerializedFileWriter::new(Vec::new(), schema, properties).expect("memory");
    writer.into_inner().expect("memory can be written to")
}

/// A recording without rows, whose schema was changed.
fn with_schema(from: &str, to: &str) -> Vec<u8> {
    let (header, _) = play(0, 1, 0);
    let file = bytes::Bytes::from(record(&header, &[], 1..=1));
    let reader = SerializedFileReader::new(file).expect("what a recorder wrote");
    let facts = reader.metadata().file_metadata();
    let mut schema = Vec::new();
    print_schema(&mut schema, facts.schema());
    let schema = String::from_utf8(schema).expect("a schema is text");
    assert!(schema.contains(from), "{from}");
    parquet(&schema.replace(from, to), facts.key_value_metadata().cloned())
}

#[test]
fn files_that_are_no_recordings_are_refused() {
    let (header, ticks) = play(3, 1, 0);
    let good = record(&header, &ticks, 1..=1);
    let changed = |key: &'static str, value: &'static str| {
        rewrite(&good, |name, before| Some(if name == key { value.to_owned() } else { before }))
    };
    let files = [
        ("text", b"tick,character\n0,1\n".to_vec()),
        ("nothing", Vec::new()),
        ("the beginning of one", good[..100].to_vec()),
        ("another schema", parquet("message m { required int32 price; }", None)),
        ("a column of another type", with_schema("OPTIONAL DOUBLE own_yaw", "OPTIONAL INT32 own_yaw")),
        ("a member that is missing", with_schema("REQUIRED DOUBLE loudness;", "")),
        (
            "a list that is none",
            with_schema(
                "REPEATED group list {\n      REQUIRED group element {\n        REQUIRED DOUBLE damage",
                "REQUIRED group list {\n      REQUIRED group element {\n        REQUIRED DOUBLE damage",
            ),
        ),
        ("our columns without our facts", rewrite(&good, |_, _| None)),
        ("a fact that is missing", rewrite(&good, |key, value| (key != "seed").then_some(value))),
        ("a newer version", changed("format", "repertoire-trace 2")),
        ("another format", changed("format", "replay 1")),
        ("no seed", changed("seed", "many")),
        ("nobody", changed("characters", "[]")),
        ("a character that takes no part", changed("characters", r#"[{"id":9,"name":"a"}]"#)),
    ];
    let refusals = files.map(|(name, file)| format!("== {name}\n{}\n", refusal(&file)));
    insta::assert_snapshot!(refusals.concat());
}

#[test]
fn mistakes_in_text_are_answered_with_line_and_column() {
    let (header, ticks) = play(3, 2, 0);
    let good = to_csv(&header, &ticks);
    assert!(from_csv(&good).is_ok());
    let replace = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        good.replacen(from, to, 1)
    };
    let first_row = good.lines().position(|line| line.starts_with("0,0,")).expect("a row");
    let in_row = |from: &str, to: &str| {
        let rows = good.lines().enumerate().map(|(at, line)| match at == first_row {
            true => {
                assert!(line.contains(from), "{from} in {line}");
                line.replacen(from, to, 1) + "\n"
            }
            false => line.to_owned() + "\n",
        });
        rows.collect::<String>()
    };
    let texts = [
        (
            "no facts",
            good.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect(),
        ),
        ("a newer version", replace(FORMAT, "repertoire-trace 2")),
        ("another format", replace(FORMAT, "replay 1")),
        ("a seed that is none", replace("# seed: 0", "# seed: none")),
        ("a seed below 0", replace("# seed: 0", "# seed: -1")),
        ("a fact that is missing", replace("# seed: 0\n", "")),
        ("a column that is missing", replace("own_yaw,", "own_jaw,")),
        ("a number that is none", in_row(",100.0,", ",full,")),
        ("a number that is missing", in_row(",100.0,", ",,")),
        ("a word that is none", in_row(",weak,", ",laser,")),
        ("a number too large", in_row("0,0,true", "0,256,true")),
        ("no true or false", in_row("0,0,true", "0,0,yes")),
        ("a character that takes no part", in_row("0,0,true", "0,7,true")),
        ("another order", in_row("0,0,true", "1,0,true")),
        ("a percept of the dead", in_row("0,0,true", "0,0,false")),
        ("no list", in_row("[]", "[")),
        ("an unknown member", in_row("[]", "\"[{\"\"size\"\":1}]\"")),
        ("a member that is missing", in_row("[]", "\"[{\"\"yaw\"\":1}]\"")),
        ("an event that lacks a fact", in_row("[],[]", "[],\"[{\"\"event\"\":\"\"frag\"\"}]\"")),
        ("cut off", good[..good.len() - 30].to_owned()),
    ];
    let refusals = texts.map(|(name, text): (_, String)| {
        format!(
            "== {name}\n{}\n",
            from_csv(&text).err().map_or("accepted".to_owned(), |error| error.to_string())
        )
    });
    insta::assert_snapshot!(refusals.concat());
}

#[test]
fn columns_of_text_may_be_in_another_order_among_others() {
    let (header, ticks) = play(3, 2, 0);
    let text = to_csv(&header, &ticks);
    let turned = text.lines().map(|line| match line.starts_with('#') {
        true => format!("{line}\n"),
        false => {
            let (tick, rest) = line.split_once(',').expect("many columns");
            format!("mine,{rest},{tick}\n")
        }
    });
    let (_, read) = from_csv(&turned.collect::<String>()).expect("all columns are there");
    common::assert_same(&read, &ticks);
}
