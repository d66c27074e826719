//! Why a line was not answered.

use thiserror::Error;

/// Why a line was not answered. The message is what [`Session::reply`](crate::Session::reply) puts after `"error"`.
#[derive(Debug, Error)]
pub enum DoorError {
    /// The line is not text.
    #[error("the line is not UTF-8: {0}")]
    NotUtf8(#[from] std::str::Utf8Error),
    /// There is nothing on the line.
    #[error("the line is empty; an example of what is read here: {example}")]
    Empty {
        /// A line that this door answers.
        example: &'static str,
    },
    /// The line is not JSON, or lacks a key, or has one that this door does not know.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// The question is well-formed and cannot be answered; the message says what would be right.
    #[error("{0}")]
    Refused(String),
    /// `use` names something that was never loaded in this session.
    #[error(
        "nothing is loaded as `{name}`; {}",
        if .loaded.is_empty() { "load it first, with {\"load\": ..., \"as\": NAME}".to_owned() }
        else { format!("loaded are {}", .loaded.join(", ")) }
    )]
    NotLoaded {
        /// The name that was used.
        name: String,
        /// The names that could have been, at most ten of them.
        loaded: Vec<String>,
    },
    /// A file that `load` names could not be read.
    #[error("{name} could not be read: {source}")]
    File {
        /// As the line names it.
        name: String,
        /// What went wrong.
        source: std::io::Error,
    },
}

// The parts say what is wrong in a sentence; this gives it its type at the border.
impl From<String> for DoorError {
    fn from(what: String) -> Self {
        DoorError::Refused(what)
    }
}
