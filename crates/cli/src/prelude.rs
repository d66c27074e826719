//! What most commands use.

pub(crate) use std::path::{Path, PathBuf};

pub(crate) use anyhow::{Context, Result, anyhow, bail, ensure};
pub(crate) use clap::{Args as ClapArgs, ValueEnum};
pub(crate) use repertoire::load;
pub(crate) use repertoire_draw::terminal;
pub(crate) use serde_json::json;

pub(crate) use crate::arena::{maps, or_usual, roster};
pub(crate) use crate::options::Answer;
pub(crate) use crate::output::Target;
pub(crate) use crate::shard::ShardArgs;
pub(crate) use crate::{Interrupted, clock, draw, output, progress, signals, subcommands};
