//! Files of recorded movement: `repertoire::recordings`, with notes on standard error.

use repertoire::recordings;
pub(crate) use repertoire_trace::movement::{Recorded, by_map};

use crate::prelude::*;
use crate::trace::source::note;

/// All recordings of some files, in the order of the files.
pub(crate) fn load(paths: &[impl AsRef<Path>]) -> Result<Vec<Recorded>> {
    Ok(recordings::movement(paths, &note)?)
}
