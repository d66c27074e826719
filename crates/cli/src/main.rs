//! The `repertoire` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    repertoire_cli::main()
}
