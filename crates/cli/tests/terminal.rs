//! Live shows give the terminal back when they are asked to stop. Needs `script` (util-linux), which makes a terminal.
#![cfg(target_os = "linux")]

use std::process::{Command, Stdio};

/// What a command writes to a terminal of 100 by 40 that is sent a signal after a while; none without `script`.
fn shown(words: &str, signal: &str) -> Option<String> {
    if Command::new("script").arg("--version").output().is_err() {
        eprintln!("SKIPPED: `script` is not installed; install util-linux");
        return None;
    }
    let repertoire = env!("CARGO_BIN_EXE_repertoire");
    // `exec` keeps the process id, so that the shell in the background knows whom to signal.
    let line = format!("stty cols 100 rows 40; (sleep 2; kill -{signal} $$) & exec {repertoire} {words}");
    let output = Command::new("script")
        .args(["--quiet", "--return", "--command", &line, "/dev/null"])
        .env("SHELL", "/bin/sh")
        .env("TERM", "xterm-256color")
        .stdin(Stdio::null())
        .output()
        .expect("script runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{words} {signal}: {}\n{text}", output.status);
    Some(text)
}

/// The screen that was there before is back, with a cursor, and the result is printed on it.
fn assert_given_back(shown: &str, result: &str) {
    let after = |code: &str| shown.rfind(code).unwrap_or_else(|| panic!("{code:?} in {shown:?}"));
    assert!(after("\x1b[?1049h") < after("\x1b[?1049l"), "the alternate screen is left: {shown:?}");
    assert!(after("\x1b[?25l") < after("\x1b[?25h"), "the cursor is shown: {shown:?}");
    assert!(after("\x1b[?1049l") < after(result), "{shown:?}");
}

#[test]
fn a_match_that_is_watched_ends_at_a_signal_and_gives_the_terminal_back() {
    for signal in ["TERM", "INT"] {
        let Some(shown) = shown("arena watch --map yard --contender native:1 --contender native:2", signal)
        else {
            return;
        };
        assert_given_back(&shown, "state hash");
    }
}

#[test]
fn rooms_that_are_watched_end_at_a_signal_and_give_the_terminal_back() {
    for signal in ["TERM", "INT"] {
        // Steps an hour apart: a signal must not wait for the next.
        let Some(shown) = shown("rooms run 6.2 --watch --pause 3600000", signal) else { return };
        assert_given_back(&shown, "steps");
    }
}
