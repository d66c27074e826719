//! `repertoire ... schema`: JSON schemas of the files that people write, for their editors.

use crate::prelude::*;

/// Prints the schema of a kind of file, named as in `schemas/`.
pub(crate) fn print(kind: &str) -> Result<()> {
    let Some(schema) = repertoire_doors::schemas::of_file(kind) else {
        bail!(
            "this program holds no schema of `{kind}`\n  remedy: `cargo xtask schemas`, and build it again"
        );
    };
    output::text(&format!("{schema}\n"))
}
