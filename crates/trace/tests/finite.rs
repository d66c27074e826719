//! Numbers that are infinite or none are refused, in every column and every format.

mod common;

use std::io::Cursor;

use common::{from_csv, play, record, to_csv};
use parquet::data_type::DoubleType;
use repertoire_trace::{Header, Recorder, Recording, Tick, TraceError, movement};

/// The columns that hold one number a row, by where they stand in a CSV.
const NUMBERS: [&str; 22] = [
    "own_x",
    "own_y",
    "own_z",
    "own_vx",
    "own_vy",
    "own_vz",
    "own_eye_m",
    "own_yaw",
    "own_pitch",
    "own_health",
    "ray_0",
    "ray_1",
    "ray_2",
    "ray_3",
    "ray_4",
    "ray_5",
    "ray_6",
    "ray_7",
    "command_yaw",
    "command_pitch",
    "command_forward",
    "command_lateral",
];

fn small() -> (Header, Vec<Tick>) {
    play(4, 2, 3)
}

#[test]
fn a_csv_with_such_a_number_is_refused_with_line_tick_and_column() {
    let (header, ticks) = small();
    let text = to_csv(&header, &ticks);
    let lines: Vec<&str> = text.lines().collect();
    let head = lines.iter().position(|line| line.starts_with("tick,")).expect("the columns' names");
    for column in NUMBERS {
        for wrong in ["NaN", "inf", "-inf"] {
            let mut rows = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
            let at = rows.headers().expect("names").iter().position(|name| name == column).expect(column);
            let mut records: Vec<csv::StringRecord> = rows.records().map(|row| row.expect("a row")).collect();
            // The third row: character 0 in tick 1.
            let changed = records[2].iter().enumerate().map(|(k, cell)| if k == at { wrong } else { cell });
            records[2] = changed.collect();
            let mut out = csv::Writer::from_writer(Vec::new());
            records.iter().for_each(|row| out.write_record(row).expect("memory"));
            let rows = String::from_utf8(out.into_inner().expect("memory")).expect("text");
            let changed = format!("{}\n{rows}", lines[..=head].join("\n"));
            let refused = from_csv(&changed).expect_err("such a number").to_string();
            let said = refused.contains(&format!("line {}, column `{column}`", head + 4))
                && refused.contains("tick 1")
                && refused.contains("not a finite number")
                && refused.contains("remedy:");
            assert!(said, "{column} {wrong}: {refused}");
        }
    }
}

/// A recording as another program would write it, with the third number of one column changed.
fn with_number(header: &Header, ticks: &[Tick], column: &str, number: f64) -> Vec<u8> {
    use parquet::file::properties::WriterProperties;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::types::Type;
    use std::sync::Arc;

    let file = record(header, ticks, 50..=600);
    let reader = SerializedFileReader::new(bytes::Bytes::from(file)).expect("a Parquet file");
    let facts = reader.metadata().file_metadata();
    let schema: Arc<Type> = Arc::new(facts.schema().clone());
    let properties = WriterProperties::builder()
        .set_key_value_metadata(facts.key_value_metadata().cloned().map(|pairs| {
            let ours = ["complete", "checksums", "ticks", "seal"];
            pairs.into_iter().filter(|pair| !ours.contains(&pair.key.as_str())).collect()
        }))
        .build();
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).expect("a writer");
    let group = reader.get_row_group(0).expect("a group");
    let mut out = writer.next_row_group().expect("a group");
    let descr = facts.schema_descr();
    for k in 0..descr.num_columns() {
        let mut chunk = out.next_column().expect("a column").expect("as many as there are");
        macro_rules! copy {
            ($type:ty, $change:expr) => {{
                use parquet::column::reader::get_typed_column_reader;
                let mut values = Vec::new();
                let (mut defs, mut reps) = (Vec::new(), Vec::new());
                let mut from =
                    get_typed_column_reader::<$type>(group.get_column_reader(k).expect("a column"));
                from.read_records(1000, Some(&mut defs), Some(&mut reps), &mut values).expect("its values");
                #[allow(clippy::redundant_closure_call)]
                ($change)(&mut values);
                let defs = (descr.column(k).max_def_level() > 0).then_some(&defs[..]);
                let reps = (descr.column(k).max_rep_level() > 0).then_some(&reps[..]);
                chunk.typed::<$type>().write_batch(&values, defs, reps).expect("memory");
            }};
        }
        match descr.column(k).physical_type() {
            parquet::basic::Type::BOOLEAN => copy!(parquet::data_type::BoolType, |_: &mut Vec<bool>| ()),
            parquet::basic::Type::INT32 => copy!(parquet::data_type::Int32Type, |_: &mut Vec<i32>| ()),
            parquet::basic::Type::INT64 => copy!(parquet::data_type::Int64Type, |_: &mut Vec<i64>| ()),
            parquet::basic::Type::BYTE_ARRAY => {
                copy!(parquet::data_type::ByteArrayType, |_: &mut Vec<parquet::data_type::ByteArray>| ())
            }
            parquet::basic::Type::DOUBLE => copy!(DoubleType, |values: &mut Vec<f64>| {
                if descr.column(k).path().parts() == [column] {
                    values[2] = number;
                }
            }),
            other => panic!("no column has the type {other}"),
        }
        chunk.close().expect("memory");
    }
    out.close().expect("memory");
    writer.into_inner().expect("memory")
}

#[test]
fn a_parquet_file_with_such_a_number_is_refused_with_row_tick_and_column() {
    let (header, ticks) = small();
    for column in NUMBERS {
        let file = with_number(&header, &ticks, column, f64::NAN);
        let mut recording = Recording::open(Cursor::new(file)).expect("a recording");
        let error = recording.ticks().find_map(Result::err).unwrap_or_else(|| panic!("{column} was taken"));
        let TraceError::NotFinite { row: 2, tick: 1, character: 0, column: found, .. } = &error else {
            panic!("{column}: {error}")
        };
        assert_eq!(found, column);
        assert!(error.to_string().contains("remedy:"), "{error}");
    }
}

#[test]
fn a_recorder_refuses_such_a_number_and_goes_on() {
    let (header, ticks) = small();
    let mut recorder = Recorder::new(Vec::new(), header).expect("a good header");
    let mut lost = ticks[0].clone();
    lost.rows[1].command.as_mut().expect("the living command").forward = f64::NEG_INFINITY;
    let refused = recorder.push(lost).expect_err("minus infinity").to_string();
    assert!(refused.contains("tick 0 cannot be kept: `command_forward` of character 1 is -inf"), "{refused}");
    recorder.push(ticks[0].clone()).expect("a refused tick leaves no mark");
}

#[test]
fn movement_of_other_games_with_such_a_number_is_refused_with_line_and_column() {
    for (row, column) in
        [("NaN,1,2,3,4", "t"), ("0,inf,2,3,4", "x"), ("0,1,nan,3,4", "y"), ("0,1,2,3,-inf", "yaw")]
    {
        let text = format!("t,x,y,z,yaw\n0,1,2,3,4\n{row}\n");
        let refused = movement::read(text.into_bytes(), "walk").expect_err(row).to_string();
        assert!(refused.contains("line 3") && refused.contains(&format!("for `{column}`")), "{refused}");
    }
}
