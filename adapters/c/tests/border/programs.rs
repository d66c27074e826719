//! The C and C++ examples and the guide's first page, compiled and run as a game's author would; under valgrind and
//! AddressSanitizer too. Where a tool is missing, the test says so on standard error, past the test runner's capture.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const FLAGS: [&str; 4] = ["-Wall", "-Wextra", "-Werror", "-g"];

/// What the static library needs of the system; `rustc --print native-static-libs`.
const SYSTEM: [&str; 6] = ["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Where cargo has put the libraries that belong to this test.
fn libraries() -> PathBuf {
    std::env::current_exe().unwrap().parent().unwrap().to_path_buf()
}

/// An empty folder of that name.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("c").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Whether a tool is here; otherwise says what is not tested for lack of it.
fn is_here(tool: &str, what: &str) -> bool {
    let here = cfg!(target_os = "linux") && Command::new(tool).arg("--version").output().is_ok();
    if !here {
        skipped(what, &format!("install {tool} on Linux to run it"));
    }
    here
}

#[allow(clippy::explicit_write, reason = "what `eprintln!` writes is shown only if a test fails")]
fn skipped(what: &str, remedy: &str) {
    writeln!(std::io::stderr(), "\nSKIPPED: {what}; {remedy}\n").unwrap();
}

fn run(command: &mut Command) -> String {
    let Output { status, stdout, stderr } =
        command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{command:?}: {status}\n{stdout}\n{stderr}");
    stdout.into_owned()
}

/// Compiles an example against the shared library, or into one program with the static one.
fn compiled(compiler: &str, source: &str, name: &str, shared: bool, more: &[&str]) -> PathBuf {
    let program = folder(name).join("program");
    let mut command = Command::new(compiler);
    command.args(FLAGS).args(more).arg("-I").arg(root().join("include"));
    command.arg(root().join("examples").join(source)).arg("-o").arg(&program);
    if shared {
        let path = libraries();
        command.arg("-L").arg(&path).arg("-lrepertoire_c").arg(format!("-Wl,-rpath,{}", path.display()));
    } else {
        command.arg(libraries().join("librepertoire_c.a")).args(SYSTEM);
    }
    run(&mut command);
    program
}

fn check_c(printed: &str) {
    for wanted in ["meals", "need hunger", "did you mean `wolf`?", "bad.toml:1:8"] {
        assert!(printed.contains(wanted), "`{wanted}` is not in\n{printed}");
    }
}

#[test]
fn the_c_example_runs_with_either_library() {
    if is_here("gcc", "the C example") {
        check_c(&run(&mut Command::new(compiled(
            "gcc",
            "villagers.c",
            "shared",
            true,
            &["-std=c99", "-pedantic"],
        ))));
        check_c(&run(&mut Command::new(compiled("gcc", "villagers.c", "static", false, &["-std=c17"]))));
    }
}

#[test]
fn the_cpp_example_runs() {
    if is_here("g++", "the C++ example") {
        let printed = run(&mut Command::new(compiled(
            "g++",
            "villagers.cpp",
            "cpp",
            true,
            &["-std=c++17", "-pedantic"],
        )));
        assert!(
            printed.contains("decisions were to chase") && printed.contains("did you mean `seen`?"),
            "{printed}"
        );
    }
}

#[test]
fn the_library_can_be_unloaded_and_loaded_again() {
    if is_here("gcc", "loading and unloading the library") {
        let program = folder("unload").join("program");
        let mut command = Command::new("gcc");
        command.args(FLAGS).args(["-std=c99", "-pedantic", "-I"]).arg(root().join("include"));
        run(command.arg(root().join("examples/unload.c")).arg("-ldl").arg("-o").arg(&program));
        let library = libraries().join("librepertoire_c.so");
        assert!(run(Command::new(program).arg(library)).contains("three times"));
    }
}

#[test]
fn valgrind_finds_nothing_in_the_examples() {
    if is_here("valgrind", "the C examples under valgrind") && is_here("gcc", "the C example under valgrind")
    {
        let program = compiled("gcc", "villagers.c", "valgrind", true, &[]);
        let mut valgrind = Command::new("valgrind");
        valgrind.args([
            "--quiet",
            "--error-exitcode=99",
            "--leak-check=full",
            "--errors-for-leak-kinds=definite,indirect",
        ]);
        // Fewer ticks: every instruction takes dozens here.
        check_c(&run(valgrind.arg(program).arg("60")));
    }
}

#[test]
fn the_address_sanitizer_finds_nothing_in_the_examples() {
    if !is_here("gcc", "the C example under AddressSanitizer") {
        return;
    }
    let trial = folder("sanitizer").join("trial");
    std::fs::write(trial.with_extension("c"), "int main(void) { return 0; }\n").unwrap();
    let build = Command::new("gcc")
        .arg("-fsanitize=address")
        .arg(trial.with_extension("c"))
        .arg("-o")
        .arg(&trial)
        .output();
    let works = build.is_ok_and(|built| built.status.success())
        && Command::new(&trial).output().is_ok_and(|ran| ran.status.success());
    if !works {
        return skipped("the C example under AddressSanitizer", "install libasan for gcc to run it");
    }
    let more = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    let program = compiled("gcc", "villagers.c", "address", false, &more);
    check_c(
        &run(Command::new(program).env("ASAN_OPTIONS", "detect_leaks=1:detect_stack_use_after_return=1")),
    );
}

/// A fenced block of the guide: its language, the file it is to be saved as, and its text.
struct Block {
    language: String,
    file: Option<String>,
    text: String,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut before = "";
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let text: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            let file = before.strip_prefix("Save this as `").and_then(|rest| rest.split('`').next());
            blocks.push(Block {
                language: language.into(),
                file: file.map(str::to_owned),
                text: text.join("\n") + "\n",
            });
        } else if !line.is_empty() {
            before = line;
        }
    }
    blocks
}

/// Only the build is left out: the library is the one that was built for the tests.
#[test]
fn the_five_minutes_of_the_guide_work_word_for_word() {
    let repository = root().join("../..");
    let Ok(guide) = std::fs::read_to_string(repository.join("docs/guides/c.md")) else {
        return skipped("the guide's first page", "run the tests in the repository, where docs/ is");
    };
    if !is_here("gcc", "the guide's first page") || !is_here("pkg-config", "the guide's first page") {
        return;
    }
    let page =
        guide.split("\n## ").find(|part| part.starts_with("Five minutes")).expect("a page of five minutes");
    let (home, empty) = (folder("home"), folder("empty"));
    let shell = |text: &str, at: &Path| {
        let mut shell = Command::new("sh");
        shell
            .args(["-e", "-c", text])
            .current_dir(at)
            .env("HOME", &home)
            .env("REPERTOIRE_BUILT", libraries());
        run(&mut shell)
    };
    let (mut installed, mut printed, mut compared) = (false, String::new(), 0);
    for block in blocks(page) {
        match (block.language.as_str(), block.file) {
            (_, Some(file)) => std::fs::write(empty.join(file), block.text).unwrap(),
            ("sh", None) if !installed => {
                shell(&block.text, &repository);
                installed = true;
            }
            ("sh", None) => printed = shell(&block.text, &empty),
            ("text", None) => {
                assert_eq!(printed, block.text, "what the guide says that is printed");
                compared += 1;
            }
            (other, None) => panic!("a block of {other} that nobody is told to save"),
        }
    }
    assert!(installed && compared == 1, "the page installs the library and shows what is printed");
}
