//! Running other programs: each is printed before it runs, so that a reader of a log can run it by hand.

use std::fmt::Write as _;
use std::process::{Command, Stdio};
use std::time::Instant;

/// The cargo that runs this chore, so that a pinned toolchain stays pinned.
pub fn cargo<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Command {
    command(&std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string()), arguments)
}

/// A program of this workspace, which lies where this chore does.
pub fn built<'a>(name: &str, arguments: impl IntoIterator<Item = &'a str>) -> Result<Command, String> {
    let here =
        std::env::current_exe().map_err(|error| format!("cannot tell where this program is: {error}"))?;
    let program = here.with_file_name(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    Ok(command(&program.to_string_lossy(), arguments))
}

/// A program with its arguments, at the root of the repository.
pub fn command<'a>(program: &str, arguments: impl IntoIterator<Item = &'a str>) -> Command {
    let mut command = Command::new(program);
    command.args(arguments);
    command
}

/// The command as a person would type it.
pub fn describe(command: &Command) -> String {
    let mut text = String::new();
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            let _ = write!(text, "{}={} ", name.display(), value.display());
        }
    }
    let program = command.get_program();
    let is_cargo = std::env::var_os("CARGO").is_some_and(|cargo| cargo == program);
    let _ = write!(text, "{}", if is_cargo { "cargo".as_ref() } else { program }.display());
    for argument in command.get_args() {
        let _ = write!(text, " {}", argument.display());
    }
    text
}

/// Prints the command as a heading.
pub fn announce(command: &Command) {
    println!("\n==> {}", describe(command));
}

/// Announces the command and runs it; what it prints is seen as it comes.
pub fn run(command: &mut Command) -> Result<(), String> {
    announce(command);
    let status = command.status().map_err(|error| format!("cannot run `{}`: {error}", describe(command)))?;
    if status.success() { Ok(()) } else { Err(format!("`{}` failed: {status}", describe(command))) }
}

/// The same, but kills it when it takes longer than so many seconds.
#[allow(
    clippy::disallowed_methods,
    reason = "a chore must not wait for ever for a network; no result depends on it"
)]
pub fn run_within(command: &mut Command, seconds: u64) -> Result<(), String> {
    announce(command);
    let mut child =
        command.spawn().map_err(|error| format!("cannot run `{}`: {error}", describe(command)))?;
    for _ in 0..seconds * 5 {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(format!("`{}` failed: {status}", describe(command))),
            Ok(None) => std::thread::sleep(std::time::Duration::from_millis(200)),
            Err(error) => return Err(format!("cannot wait for `{}`: {error}", describe(command))),
        }
    }
    // Either it is gone by now or it is killed: both are the end of it.
    let _ = child.kill();
    let _ = child.wait();
    Err(format!("`{}` took longer than {seconds} s", describe(command)))
}

/// Announces the command, runs it and returns what it printed; its complaints are seen as they come.
pub fn run_for_output(command: &mut Command) -> Result<Vec<u8>, String> {
    announce(command);
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot run `{}`: {error}", describe(command)))?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        print!("{}", String::from_utf8_lossy(&output.stdout));
        Err(format!("`{}` failed: {}", describe(command), output.status))
    }
}

/// What a quiet look at the machine answers (`id -u`, `valgrind --version`), or nothing if it cannot.
pub fn probe(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
}

/// Runs the work and says how many seconds it took.
#[allow(clippy::disallowed_methods, reason = "a chore reports how long it took; no result depends on it")]
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}
