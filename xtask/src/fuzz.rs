//! `cargo xtask fuzz`: the long run of the readers' fuzz test.
//!
//! The same test runs short under `cargo test`; this one is in release, with as many inputs as asked for.

use crate::{Error, shell};

const DEFAULT_INPUTS: u64 = 1_000_000;

/// The chore.
pub fn run(options: &[String]) -> Result<(), Error> {
    let inputs = match options {
        [] => DEFAULT_INPUTS,
        [option, count] if option == "--inputs" => count
            .parse()
            .map_err(|_| Error::Usage(format!("--inputs takes a whole number, not `{count}`")))?,
        _ => return Err(Error::Usage(format!("`fuzz` takes only --inputs N, not `{}`", options.join(" ")))),
    };
    let test = ["test", "--release", "-p", "repertoire-cli", "--test", "fuzz_readers", "--", "--nocapture"];
    Ok(shell::run(shell::cargo(test).env("REPERTOIRE_FUZZ_INPUTS", inputs.to_string()))?)
}
