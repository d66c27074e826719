//! Recorded play: what every character perceived, commanded and lived through, tick by tick.
//!
//! A recording is a Parquet file that pandas, polars and DuckDB read: flat columns with readable names, lists of
//! structures for what varies in number, and the map, the seed and the settings beside them, so that a match can be
//! played again from its file alone. Percepts come back bit for bit: learning from a recording is learning live.
//!
//! | module       | what it holds                                                            |
//! |--------------|--------------------------------------------------------------------------|
//! | [`header`]   | which match this was                                                     |
//! | [`row`]      | one tick, and one character's part in it                                 |
//! | `columns`    | which value stands in which column: the one table that all formats share |
//! | [`parquet`]  | [`Recorder`] and [`Recording`]                                           |
//! | [`csv`]      | the same columns as text                                                 |
//! | [`source`]   | a recording in either format                                             |
//! | [`movement`] | who was where, from our recordings and from other games' CSV             |
//! | [`nav`]      | other games' navigation meshes and lines of sight                        |
//! | [`rounds`]   | rounds of play on such a map, to track opponents by                      |
//! | [`observations`] | CSV with a column for each variable, to teach Bayesian programs      |
//! | [`characters`] | CSV with a line for each character, to plan for                        |
//! | [`summary`]  | a recording in figures                                                   |
//! | [`play`]       | people's play in other games: states, inputs, events                      |
//! | [`quake`], [`play_csv`], [`play_table`] | such play from QuakeWorld demos, from CSV, and as Parquet |
//! | [`compare`]    | two readings of one match, row by row                                  |
//! | [`snapshots`] | everybody at one moment                                                 |
//!
//! A recording that was cut off in the middle can be read up to the cut; see [`parquet`].
//!
//! ```
//! use repertoire_trace::{Header, Recorder, Recording, Row, Tick};
//!
//! let mut recorder = Recorder::new(Vec::new(), Header::new("arena", "duel", 42, 0.1, ["native:3"]))?;
//! let row = Row { alive: false, ..Row::of(0) };
//! recorder.push(Tick { tick: 0, state_hash: 7, rows: vec![row] })?;
//! let file: Vec<u8> = recorder.finish()?;
//!
//! let mut recording = Recording::open(std::io::Cursor::new(file))?;
//! assert_eq!(recording.header().seed, 42);
//! for tick in recording.ticks() {
//!     assert_eq!(tick?.state_hash, 7);
//! }
//! # Ok::<(), repertoire_trace::TraceError>(())
//! ```

pub mod characters;
mod check;
mod columns;
pub mod compare;
pub mod csv;
pub mod error;
pub mod header;
pub mod movement;
pub mod nav;
pub mod observations;
pub mod parquet;
pub mod play;
pub mod play_csv;
pub mod play_summary;
pub mod play_table;
pub mod quake;
pub mod rounds;
pub mod row;
pub mod snapshots;
pub mod source;
pub mod summary;

pub use csv::{CsvReader, CsvWriter};
pub use error::{CsvMistake, TraceError};
pub use header::{Character, FORMAT, Header, NoCharacter};
pub use parquet::{Column, ColumnType, Cut, Recorder, Recording, Table, TableRecorder, Ticks};
pub use row::{Row, Tick};
pub use source::{CopyError, Format, Source};
