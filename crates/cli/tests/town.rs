//! Towns on the command line: what a killed run leaves can be read and repeated, and saves are whole at every moment.

#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn repertoire(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_repertoire"));
    command.current_dir(folder).stdin(Stdio::null());
    command
}

fn run(folder: &Path, arguments: &[&str]) -> String {
    let Output { status, stdout, stderr } =
        repertoire(folder).args(arguments).output().expect("the command runs");
    assert!(status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&stderr));
    String::from_utf8_lossy(&stdout).into_owned()
}

fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("repertoire-town-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder to write to");
    folder
}

/// The hash that a run ends with.
fn hash(told: &str) -> &str {
    told.lines().find_map(|line| line.strip_prefix("state hash ")).expect("a hash")
}

#[test]
#[allow(clippy::disallowed_methods, reason = "waits for another process to write, which has no other clock")]
fn a_run_that_is_killed_leaves_a_recording_and_a_save_that_can_be_used() {
    let folder = folder("killed");
    for (round, least) in [20_000, 60_000, 150_000].into_iter().enumerate() {
        let (life, save) = (format!("life{round}.parquet"), format!("life{round}.town"));
        let mut long = repertoire(&folder)
            .args([
                "town",
                "run",
                "western",
                "--days",
                "3000",
                "--record",
                &life,
                "--save",
                &save,
                "--save-every",
                "1",
            ])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command starts");
        let mut polls = 0;
        let length = |name: &str| std::fs::metadata(folder.join(name)).map_or(0, |data| data.len());
        while length(&life) < least || length(&save) == 0 {
            polls += 1;
            assert!(polls < 60_000, "nothing was written in ten minutes");
            std::thread::sleep(Duration::from_millis(10));
        }
        long.kill().expect("it lives");
        long.wait().expect("it was killed");
        let replayed = run(&folder, &["town", "replay", &life]);
        assert!(replayed.contains("the same town at") && replayed.contains("it was "), "{replayed}");
        let resumed = run(&folder, &["town", "run", "--resume", &save, "--days", "0.1"]);
        assert!(resumed.contains("state hash"), "{resumed}");
    }
    std::fs::remove_dir_all(&folder).expect("it is ours");
}

#[test]
fn a_saved_town_goes_on_as_if_it_had_not_stopped() {
    let folder = folder("saved");
    let event = ["--event", "day 1 09:00 close store 4h"];
    let whole = run(&folder, &[&["town", "run", "western", "--days", "1.5"], &event[..]].concat());
    run(
        &folder,
        &[&["town", "run", "western", "--days", "0.31", "--save", "half.town"], &event[..]].concat(),
    );
    let rest = run(&folder, &["town", "run", "--resume", "half.town", "--days", "1.19", "--threads", "1"]);
    assert_eq!(hash(&whole), hash(&rest));
    let bad = repertoire(&folder)
        .args(["town", "run", "--resume", "half.town", "--seed", "3"])
        .output()
        .expect("it runs");
    assert_eq!(bad.status.code(), Some(2), "a seed and a resumed town contradict each other");
    std::fs::write(folder.join("half.town"), b"RPTOWN01 and then nothing").expect("written");
    let bad = repertoire(&folder).args(["town", "run", "--resume", "half.town"]).output().expect("it runs");
    let said = String::from_utf8_lossy(&bad.stderr).into_owned();
    assert!(bad.status.code() == Some(1) && said.contains("remedy"), "{said}");
    std::fs::remove_dir_all(&folder).expect("it is ours");
}
