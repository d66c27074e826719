//! What a killed `record` leaves: it can be read and recovered, and the next `record` to the same file cleans it up.

#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn repertoire(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_repertoire"));
    command.current_dir(folder).stdin(Stdio::null());
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    repertoire(folder).args(arguments).output().expect("the command runs")
}

fn parts(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.filter(|path| path.extension().is_some_and(|extension| extension == "part")).collect()
}

#[test]
#[allow(clippy::disallowed_methods, reason = "waits for another process to write, which has no other clock")]
fn what_a_killed_record_leaves_is_read_recovered_and_removed() {
    let folder = std::env::temp_dir().join(format!("repertoire-parts-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder to write to");
    let short = ["record", "--map", "yard", "--seconds", "1", "-o", "match.parquet"];
    assert!(run(&folder, &short).status.success());
    let whole = std::fs::read(folder.join("match.parquet")).expect("a recording");

    // A long one over it, killed when some of it is written.
    let mut long = repertoire(&folder)
        .args(["record", "--map", "yard", "--seconds", "100000", "-o", "match.parquet"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command starts");
    let is_long = |part: &PathBuf| std::fs::metadata(part).is_ok_and(|data| data.len() > 100_000);
    let mut polls = 0;
    while !parts(&folder).iter().any(is_long) {
        polls += 1;
        assert!(polls < 6000, "nothing was written in ten minutes");
        std::thread::sleep(Duration::from_millis(100));
    }
    long.kill().expect("it lives");
    long.wait().expect("it was killed");
    assert_eq!(std::fs::read(folder.join("match.parquet")).expect("the old one"), whole);

    // Every command reads the part, and it becomes a whole recording again.
    let [part] = &parts(&folder)[..] else { panic!("one part: {:?}", parts(&folder)) };
    let part = part.file_name().expect("a name").to_str().expect("text").to_owned();
    let info = run(&folder, &["trace", "info", &part]);
    let told = String::from_utf8_lossy(&info.stdout).into_owned();
    assert!(info.status.success() && told.contains("was cut off"), "{told}");
    let recovered = run(&folder, &["trace", "recover", &part, "-o", "saved.parquet"]);
    let told = String::from_utf8_lossy(&recovered.stdout).into_owned();
    assert!(
        recovered.status.success() && told.starts_with("saved.parquet: ") && told.contains(" saved; "),
        "{told}"
    );
    let replayed = run(&folder, &["replay", "saved.parquet"]);
    assert!(replayed.status.success(), "{}", String::from_utf8_lossy(&replayed.stderr));

    // The next to the same file removes it, and says so.
    let again = run(&folder, &short);
    let said = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(again.status.success() && said.contains(&format!("removed {part}")), "{said}");
    assert_eq!(parts(&folder), Vec::<PathBuf>::new());
    std::fs::remove_dir_all(&folder).expect("it is ours");
}
