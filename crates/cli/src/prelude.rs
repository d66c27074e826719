//! What most commands use.

pub(crate) use std::collections::BTreeMap;
pub(crate) use std::io::IsTerminal;
pub(crate) use std::path::{Path, PathBuf};
pub(crate) use std::sync::Arc;
pub(crate) use std::time::Duration;

pub(crate) use anyhow::{Context, Result, anyhow, bail, ensure};
pub(crate) use clap::{Args as ClapArgs, ValueEnum};
pub(crate) use repertoire::load;
pub(crate) use repertoire_draw::terminal;
pub(crate) use serde_json::json;

pub(crate) use crate::arena::{maps, or_usual, roster};
pub(crate) use crate::options::{Answer, one_of};
pub(crate) use crate::output::Target;
pub(crate) use crate::shard::ShardArgs;
pub(crate) use crate::trace::source::{Source, note, refuse_other_than_parquet};
pub(crate) use crate::{Interrupted, clock, draw, movement, output, progress, signals, subcommands};
