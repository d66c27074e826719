//! Recordings from files: `repertoire::recordings`, with notes on standard error.

pub(crate) use repertoire::recordings::{Source, format_of, read, refuse_other_than_parquet};

/// Says something on standard error.
pub(crate) fn note(said: &str) {
    anstream::eprintln!("note: {said}");
}

/// Says on standard error that a part of a recording is missing, if one is.
pub(crate) fn note_cut(source: &Source) {
    source.cut_in_words().iter().for_each(|cut| note(cut));
}
