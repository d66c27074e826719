//! `cargo xtask fuzz`: the long run of the fuzz tests of the readers and of the calls for C.
//!
//! The same tests run short under `cargo test`; these are in release, with as many inputs as asked for.

use crate::{Error, shell};

const DEFAULT_INPUTS: u64 = 1_000_000;

/// A call takes less time than reading a file.
const CALLS_PER_INPUT: u64 = 10;

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
    shell::run(shell::cargo(test).env("REPERTOIRE_FUZZ_INPUTS", inputs.to_string()))?;
    let test = ["test", "--release", "-p", "repertoire-c", "--test", "fuzz", "--", "--nocapture"];
    let calls = inputs.saturating_mul(CALLS_PER_INPUT).to_string();
    Ok(shell::run(shell::cargo(test).env("REPERTOIRE_FUZZ_CALLS", calls))?)
}
