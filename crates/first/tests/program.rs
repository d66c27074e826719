//! The first program as a newcomer meets it: it plays, and hands over what it does not have.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn first() -> Command {
    let mut first = Command::new(env!("CARGO_BIN_EXE_repertoire-first"));
    // As if nobody's cargo ran it.
    first.env_remove("CARGO").env_remove("CARGO_MANIFEST_DIR");
    first
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder with a copy of the first program in it.
fn alone(name: &str) -> (PathBuf, PathBuf) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("writable");
    let program = folder.join(format!("repertoire-first{}", std::env::consts::EXE_SUFFIX));
    std::fs::copy(env!("CARGO_BIN_EXE_repertoire-first"), &program).expect("it was built");
    (folder, program)
}

fn run(mut command: Command) -> Output {
    command.output().expect("it starts")
}

#[test]
fn it_plays_a_tournament_and_explains_a_decision() {
    let mut small = first();
    small.args(["tournament", "--map", "yard", "--matches", "1", "--frags", "3", "--seed", "2"]);
    let done = run(small);
    let said = text(&done.stdout);
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert!(said.contains("1 match to 3 frags on yard (seed 2)") && said.contains("\nWhy? "), "{said}");
}

#[test]
fn a_mistake_is_answered_as_by_the_whole_program() {
    let mut wrong = first();
    wrong.args(["tournament", "--contender", "orc", "--contender", "native:3"]);
    let done = run(wrong);
    assert_eq!(done.status.code(), Some(1));
    assert!(text(&done.stderr).contains("native:LEVEL"), "{}", text(&done.stderr));
    let mut unknown = first();
    unknown.args(["tournament", "--mathces", "3"]);
    let done = run(unknown);
    assert_eq!(done.status.code(), Some(2));
    let said = text(&done.stderr);
    assert!(said.contains("--matches") && said.contains("Usage: repertoire tournament"), "{said}");
}

#[test]
fn alone_it_says_where_the_rest_is() {
    let (_, program) = alone("alone");
    let mut other = Command::new(program);
    other.env_remove("CARGO").env_remove("CARGO_MANIFEST_DIR").args(["arena", "list"]);
    let done = run(other);
    assert_eq!(done.status.code(), Some(1));
    assert!(
        text(&done.stderr).contains("remedy: in the sources, `cargo build --release`"),
        "{}",
        text(&done.stderr)
    );
}

/// What lies beside it as `repertoire` gets every other command, word for word, and its exit code is ours.
#[cfg(unix)]
#[test]
fn what_it_does_not_have_goes_to_the_program_beside_it() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, program) = alone("beside");
    let whole = folder.join("repertoire");
    std::fs::write(&whole, "#!/bin/sh\nprintf '<%s>' \"$@\"\nexit 3\n").expect("writable");
    std::fs::set_permissions(&whole, std::fs::Permissions::from_mode(0o755)).expect("ours");
    for words in
        [&["arena", "watch", "--map", "my map"][..], &["tournament", "--html", "page.html"], &["--help"], &[]]
    {
        let mut other = Command::new(&program);
        other.env_remove("CARGO").env_remove("CARGO_MANIFEST_DIR").args(words);
        let done = run(other);
        let expected: String = if words.is_empty() {
            "<>".into()
        } else {
            words.iter().map(|word| format!("<{word}>")).collect()
        };
        assert_eq!((text(&done.stdout), done.status.code()), (expected, Some(3)));
    }
}
