//! `repertoire doom` with a real Doom where one is installed, and what is said where none is.
//!
//! The tests that need Doom look for what `repertoire doom setup` made (or REPERTOIRE_DOOM_PYTHON and REPERTOIRE_FREEDM) and
//! say loudly when they do not run; `adapters/doom/tests/conversation.rs` plays a recorded match again in any case.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use repertoire_doom::{Environment, setup};

/// What a real match needs, or a loud word that a test did not run.
fn doom() -> Option<Environment> {
    let found = Environment::find(None, None, None);
    if found.check().is_ok() && setup::has_vizdoom(&found.python) {
        return Some(found);
    }
    eprintln!(
        "SKIPPED: Doom is not installed (looked for {} and {}); run `repertoire doom setup` or `cargo xtask setup`",
        found.python.display(),
        found.wad.display()
    );
    None
}

fn repertoire() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_repertoire"));
    command.arg("doom").stdin(Stdio::null());
    command
}

fn run(words: &[&str]) -> Output {
    repertoire().args(words).output().expect("it runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[allow(clippy::disallowed_methods, reason = "waits for processes of the system, which have no other clock")]
fn wait(millis: u64) {
    std::thread::sleep(Duration::from_millis(millis));
}

/// A folder of a test's own.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("repertoire-test-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }
    fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn what_is_missing_is_said_in_one_line_with_what_to_do() {
    let folder = Folder::new("missing");
    let wad = folder.file("some.wad");
    fs::write(&wad, b"PWAD").expect("written");
    let no_vizdoom = folder.file("python");
    fs::write(&no_vizdoom, "#!/bin/sh\nexec python3 -S \"$@\"\n").expect("written");
    let said = |words: &[&str]| {
        let output = run(words);
        assert_eq!(output.status.code(), Some(1), "{words:?}");
        assert!(output.stdout.is_empty());
        text(&output.stderr)
    };
    let no_python =
        said(&["match", "--contender", "aggressive", "--python", &folder.file("none/python"), "--wad", &wad]);
    assert!(
        no_python.contains("there is no Python at") && no_python.contains("repertoire doom setup"),
        "{no_python}"
    );
    let no_wad = said(&[
        "match",
        "--contender",
        "aggressive",
        "--python",
        &no_vizdoom,
        "--wad",
        &folder.file("none.wad"),
    ]);
    assert!(
        no_wad.contains("there is no file of maps at") && no_wad.contains("repertoire doom setup"),
        "{no_wad}"
    );
    let bad_wad = said(&["match", "--contender", "aggressive", "--python", &no_vizdoom, "--wad", &wad]);
    assert!(bad_wad.contains("some.wad"), "{bad_wad}");
    let nobody = said(&["match", "--contender", "agressive"]);
    assert!(nobody.contains("did you mean `aggressive`?"), "{nobody}");
}

#[cfg(unix)]
#[test]
fn a_python_without_vizdoom_is_told_from_one_that_is_broken() {
    use std::os::unix::fs::PermissionsExt;
    let wad = Environment::find(None, None, None).wad;
    if !wad.is_file() {
        eprintln!("SKIPPED: there is no {}; install Debian's package freedm", wad.display());
        return;
    }
    let folder = Folder::new("pythons");
    let program = |name: &str, lines: &str| {
        let path = folder.file(name);
        fs::write(&path, lines).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("ours");
        path
    };
    let match_with = |python: &str| {
        let output = run(&["match", "--contender", "aggressive", "--python", python]);
        assert_eq!(output.status.code(), Some(1));
        text(&output.stderr)
    };
    if Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success()) {
        let bare = program("bare", "#!/bin/sh\nexec python3 -S \"$@\"\n");
        let said = match_with(&bare);
        assert!(said.contains("has no ViZDoom") && said.contains("repertoire doom setup"), "{said}");
    }
    let said = match_with(&program("broken", "#!/bin/sh\nexit 3\n"));
    assert!(said.contains("ended with code 3") && said.contains("remedy"), "{said}");
    let said = match_with(&program(
        "other",
        "#!/bin/sh\necho '{\"bridge\":99,\"vizdoom\":\"9\",\"variables\":[],\"buttons\":[]}'\n",
    ));
    assert!(said.contains("speaks protocol 99"), "{said}");
}

#[test]
fn a_short_match_is_played_and_recorded_and_learned_from() {
    if doom().is_none() {
        return;
    }
    let folder = Folder::new("short");
    let recording = folder.file("match.parquet");
    let words = ["record", "--contender", "aggressive", "--minutes", "0.5", "--map", "MAP07", "--json", "-o"];
    let output = repertoire().args(words).arg(&recording).output().expect("it runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let result: repertoire_doom::MatchResult = serde_json::from_slice(&output.stdout).expect("a result");
    assert!((result.played_secs - 30.0).abs() < 0.1 && result.broken.is_none(), "{result:?}");
    assert_eq!((result.ours.len(), result.bots.len()), (1, 4));
    assert!(result.ours[0].decisions > 200, "{result:?}");

    // The same seed gives the same match.
    let again = repertoire().args(words).arg(folder.file("again.parquet")).output().expect("it runs");
    let again: repertoire_doom::MatchResult = serde_json::from_slice(&again.stdout).expect("a result");
    assert_eq!((&again.ours, &again.bots), (&result.ours, &result.bots));

    let pupil = folder.file("pupil.toml");
    let learned = Command::new(env!("CARGO_BIN_EXE_repertoire"))
        .args([
            "learn",
            "sequence",
            "--from",
            &recording,
            "--player",
            "aggressive",
            "--method",
            "labels",
            "-o",
            &pupil,
        ])
        .output()
        .expect("it runs");
    assert!(learned.status.success(), "{}", text(&learned.stderr));
    let played = run(&["match", "--contender", &pupil, "--minutes", "0.1", "--map", "MAP07"]);
    assert!(played.status.success() && text(&played.stdout).contains("pupil"), "{}", text(&played.stderr));
}

#[test]
fn a_film_is_an_animated_picture() {
    if doom().is_none() {
        return;
    }
    let folder = Folder::new("film");
    let film = folder.file("film.png");
    let output = run(&["watch", "--minutes", "0.05", "--map", "MAP07", "-o", &film]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let bytes = fs::read(&film).expect("written");
    assert!(bytes.starts_with(b"\x89PNG") && bytes.windows(4).any(|four| four == b"acTL"));
}

/// Processes of a process group: number and command line.
fn group(leader: u32) -> Vec<(u32, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").expect("Linux").filter_map(Result::ok) {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
        let is_member = fields.get(2).and_then(|group| group.parse().ok()) == Some(leader);
        if is_member && fields.first() != Some(&"Z") {
            let words = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            found.push((pid, text(&words).replace('\0', " ")));
        }
    }
    found
}

/// The bridge of a command: its child.
fn bridge_of(command: u32) -> Option<u32> {
    for entry in fs::read_dir("/proc").expect("Linux").filter_map(Result::ok) {
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
        if fields.get(1).and_then(|parent| parent.parse().ok()) == Some(command)
            && fields.first() != Some(&"Z")
        {
            return entry.file_name().to_str().and_then(|name| name.parse().ok());
        }
    }
    None
}

fn instance_in(words: &str) -> Option<String> {
    let rest = words.split("+viz_instance_id ").nth(1)?;
    rest.split_whitespace().next().map(str::to_owned)
}

fn kill(pid: u32) {
    let _ = Command::new("kill").args(["-KILL", &pid.to_string()]).status();
}

/// Waits until nothing of a group is left; what is, after ten seconds.
fn left_behind(leader: u32, instance: Option<&str>, folder_of: u32) -> Vec<String> {
    let mut left = Vec::new();
    for _ in 0..200 {
        left = group(leader).into_iter().map(|(pid, words)| format!("process {pid}: {words}")).collect();
        let shared = fs::read_dir("/dev/shm").into_iter().flatten().filter_map(Result::ok);
        let shared = shared.map(|entry| entry.file_name().to_string_lossy().into_owned());
        left.extend(shared.filter(|name| instance.is_some_and(|instance| name.ends_with(instance))));
        let folders = fs::read_dir(std::env::temp_dir()).into_iter().flatten().filter_map(Result::ok);
        let folders = folders.map(|entry| entry.file_name().to_string_lossy().into_owned());
        left.extend(folders.filter(|name| name.starts_with(&format!("repertoire-doom-{folder_of}-"))));
        if left.is_empty() {
            break;
        }
        wait(50);
    }
    left
}

fn ended_within(child: &mut Child, millis: u64) -> bool {
    for _ in 0..millis / 20 {
        if child.try_wait().expect("ours").is_some() {
            return true;
        }
        wait(20);
    }
    false
}

/// `REPERTOIRE_DOOM_KILLS=50 cargo test -p repertoire-cli --test doom` kills as often as the report says.
#[cfg(target_os = "linux")]
#[test]
fn whoever_is_killed_the_match_ends_clearly_and_nothing_stays_behind() {
    if doom().is_none() {
        return;
    }
    let kills: u32 =
        std::env::var("REPERTOIRE_DOOM_KILLS").ok().and_then(|count| count.parse().ok()).unwrap_or(6);
    let mut chance = 0x2545_f491_4f6c_dd1du64;
    let mut told = [0; 3];
    for number in 0..kills {
        chance ^= chance << 13;
        chance ^= chance >> 7;
        chance ^= chance << 17;
        let mut command = repertoire()
            .args(["match", "--contender", "aggressive", "--minutes", "30", "--json", "--map", "MAP07"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it runs");
        // From before the engine is there until well into the match.
        let mut bridge = None;
        for _ in 0..500 {
            bridge = bridge_of(command.id()).filter(|&bridge| !group(bridge).is_empty());
            if bridge.is_some() {
                break;
            }
            wait(5);
        }
        let bridge = bridge.expect("a bridge within seconds");
        wait(chance % 3500);
        let members = group(bridge);
        let engine = members.iter().find(|(_, words)| words.contains("+viz_instance_id"));
        let instance = engine.and_then(|(_, words)| instance_in(words));
        let victim = number as usize % 3;
        match (victim, engine) {
            (0, _) => kill(bridge),
            (1, Some(engine)) => kill(engine.0),
            (1, None) => kill(bridge),
            _ => kill(command.id()),
        }
        assert!(ended_within(&mut command, 20_000), "kill {number}: the command goes on");
        let number_of_command = command.id();
        let output = command.wait_with_output().expect("ours");
        let said = text(&output.stderr);
        if victim < 2 {
            assert_eq!(output.status.code(), Some(1), "kill {number}: {said}");
            assert!(said.contains("remedy"), "kill {number}: {said}");
            if said.contains("broke off") {
                let result: repertoire_doom::MatchResult =
                    serde_json::from_slice(&output.stdout).expect("what was played is told");
                assert!(result.broken.is_some());
                told[victim] += 1;
            }
        }
        let left = left_behind(bridge, instance.as_deref(), number_of_command);
        assert!(left.is_empty(), "kill {number} of {victim} left behind: {left:?}; {said}");
    }
    println!("{kills} kills; results so far were told {told:?} times");
}

#[cfg(target_os = "linux")]
#[test]
fn a_tournament_that_is_killed_goes_on_from_its_results() {
    if doom().is_none() {
        return;
    }
    let folder = Folder::new("resume");
    let results = folder.file("results.jsonl");
    let words =
        ["tournament", "--contender", "aggressive", "--map", "MAP07", "--matches", "4", "--minutes", "0.2"];
    let mut command = repertoire()
        .args(words)
        .args(["--at-a-time", "1", "--results", &results])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it runs");
    let lines = || fs::read_to_string(&results).unwrap_or_default().lines().count();
    for _ in 0..3000 {
        if lines() >= 2 {
            break;
        }
        wait(10);
    }
    kill(command.id());
    command.wait().expect("ours");
    let kept = fs::read_to_string(&results).unwrap_or_default();
    assert!((2..=4).contains(&kept.lines().count()), "{kept}");
    let output = repertoire().args(words).args(["--results", &results]).output().expect("it runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let all = fs::read_to_string(&results).expect("there");
    assert!(all.starts_with(&kept) && all.lines().count() == 4, "{all}");
    assert!(text(&output.stdout).contains("4 matches"), "{}", text(&output.stdout));
}

#[test]
fn the_setup_says_what_is_there() {
    let Some(environment) = doom() else { return };
    // Only where setup made it: it must find everything in place, and fetch nothing.
    let Some(folder) = environment.python.parent().and_then(Path::parent).and_then(Path::parent) else {
        return;
    };
    if Environment::python_in(folder) != environment.python {
        return;
    }
    let output = repertoire().args(["setup", "--dir"]).arg(folder).output().expect("it runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("is there, with ViZDoom"), "{}", text(&output.stderr));
}
