//! The committed header is what cbindgen writes from the sources, and names everything that the library exports.

use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Everything under `src/calls`, and the codes.
fn sources() -> Vec<PathBuf> {
    let calls = std::fs::read_dir(root().join("src/calls")).unwrap().map(|entry| entry.unwrap().path());
    calls.chain([root().join("src/fault.rs")]).collect()
}

fn written() -> String {
    let config = cbindgen::Config::from_file(root().join("cbindgen.toml")).unwrap();
    // It finds the modules of `calls` by itself.
    let builder = cbindgen::Builder::new().with_config(config);
    let builder = builder.with_src(root().join("src/fault.rs")).with_src(root().join("src/calls/mod.rs"));
    let mut header = Vec::new();
    builder.generate().unwrap().write(&mut header);
    String::from_utf8(header).unwrap()
}

#[test]
fn the_header_is_what_cbindgen_writes() {
    let path = root().join("include/repertoire.h");
    let written = written();
    if std::env::var_os("REPERTOIRE_WRITE_HEADER").is_some() {
        std::fs::write(&path, &written).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    let first = committed.lines().zip(written.lines()).position(|(old, new)| old != new);
    let first = first.unwrap_or(committed.lines().count().min(written.lines().count()));
    assert!(
        committed == written,
        "include/repertoire.h differs from the sources from line {} on; write it anew with \
         REPERTOIRE_WRITE_HEADER=1 cargo test -p repertoire-c --test border header",
        first + 1
    );
}

#[test]
fn every_exported_call_is_in_the_header() {
    let header = std::fs::read_to_string(root().join("include/repertoire.h")).unwrap();
    let mut found = 0;
    for source in sources() {
        let text = std::fs::read_to_string(source).unwrap();
        for after in text.split("#[unsafe(no_mangle)]").skip(1) {
            let name = after.split("fn ").nth(1).and_then(|rest| rest.split('(').next()).unwrap();
            assert!(header.contains(&format!("{name}(")), "{name} is not in the header");
            found += 1;
        }
    }
    assert_eq!(
        found,
        header.matches("repertoire_").count() - mentioned(&header),
        "the header has calls of its own"
    );
}

/// How often comments speak of calls.
fn mentioned(header: &str) -> usize {
    let mut comment = false;
    let mut count = 0;
    for line in header.lines() {
        comment |= line.trim_start().starts_with("/*");
        let says = comment || line.trim_start().starts_with("//");
        count += if says { line.matches("repertoire_").count() } else { 0 };
        comment &= !line.contains("*/");
    }
    count
}
