//! Documents stay whole: every link leads somewhere, every page is in the book, and READMEs show code that is tested.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace")
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every file below the folder whose name ends so, hidden folders and build products left out, in order.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let path = entry.expect("a folder can be listed").path();
        let name = path.file_name().expect("an entry has a name").to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') && !["target", "node_modules"].contains(&name.as_str()) {
            found.extend(files(&path, ending));
        } else if path.is_file() && name.ends_with(ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The lines that are not inside a fenced block of code.
fn prose(document: &str) -> Vec<&str> {
    let mut fenced = false;
    let mut lines = Vec::new();
    for line in document.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            lines.push(line);
        }
    }
    lines
}

/// Where the links and pictures of a document lead.
fn links(document: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in prose(document) {
        // What stands between backticks is code, and code has no links.
        let outside: String = line.split('`').step_by(2).collect::<Vec<_>>().join("code");
        for rest in outside.split("](").skip(1) {
            found.extend(rest.split_once(')').map(|(target, _)| target.to_string()));
        }
    }
    found
}

/// The name by which a heading can be linked to, as GitHub and mdBook make it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn anchors(document: &str) -> BTreeSet<String> {
    let headings = prose(document).into_iter().filter(|line| line.starts_with('#'));
    headings.map(|line| anchor(line.trim_start_matches('#'))).collect()
}

/// What is wrong with a link in a document, if anything is.
fn broken(document: &Path, link: &str) -> Option<String> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (file, fragment) = link.split_once('#').unwrap_or((link, ""));
    let target =
        if file.is_empty() { document.to_path_buf() } else { document.with_file_name("").join(file) };
    let name = document.strip_prefix(root()).unwrap_or(document).display();
    if !target.exists() {
        return Some(format!("{name}: `{link}` leads nowhere"));
    }
    (!fragment.is_empty() && !anchors(&text(&target)).contains(fragment))
        .then(|| format!("{name}: `{link}`: the file has no such heading"))
}

#[test]
fn links_are_found_outside_code_and_checked() {
    let document =
        "# A heading, or two\n[x](y.md) `[no](z)` ![p](q.svg)\n```\n[no](w)\n```\n[z](#a-heading-or-two)";
    assert_eq!(links(document), ["y.md", "q.svg", "#a-heading-or-two"]);
    assert!(anchors(document).contains("a-heading-or-two"));
    let readme = root().join("README.md");
    assert_eq!(broken(&readme, "docs/ARCHITECTURE.md"), None);
    assert!(broken(&readme, "docs/nothing.md").is_some_and(|why| why.contains("leads nowhere")));
    assert!(broken(&readme, "docs/ARCHITECTURE.md#nowhere").is_some_and(|why| why.contains("heading")));
}

#[test]
fn every_relative_link_resolves() {
    let mut mistakes = Vec::new();
    for document in files(root(), ".md") {
        mistakes.extend(links(&text(&document)).iter().filter_map(|link| broken(&document, link)));
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

#[test]
fn every_page_is_in_the_book() {
    let docs = root().join("docs");
    let summary = docs.join("SUMMARY.md");
    let listed: BTreeSet<PathBuf> = links(&text(&summary)).iter().map(|link| docs.join(link)).collect();
    for page in files(&docs, ".md").into_iter().filter(|page| *page != summary) {
        assert!(listed.contains(&page), "{} is not in docs/SUMMARY.md", page.display());
    }
}

/// The folders of all packages that are published.
fn packages() -> Vec<PathBuf> {
    let manifests =
        ["crates", "adapters"].iter().flat_map(|folder| files(&root().join(folder), "Cargo.toml"));
    let folders = manifests.filter(|path| text(path).contains("publish.workspace = true"));
    folders.map(|path| path.with_file_name("")).collect()
}

/// Rust code as it can be compared: without the marks of a comment, and with the facade's paths as its parts' names.
fn bare(line: &str) -> String {
    let line = line.trim().trim_start_matches("//!").trim_start_matches("///").trim();
    line.replace("repertoire_", "repertoire::")
}

#[test]
fn readmes_show_code_that_is_tested() {
    let examples = files(&root().join("crates/repertoire/examples"), ".rs");
    let examples: BTreeSet<String> =
        examples.iter().flat_map(|path| text(path).lines().map(bare).collect::<Vec<_>>()).collect();
    let mut mistakes = Vec::new();
    // The repository's README shows the first page of the facade.
    let first = (root().join("README.md"), root().join("crates/repertoire"));
    let own = packages().into_iter().map(|package| (package.join("README.md"), package));
    for (readme, package) in own.chain([first]) {
        let sources = files(&package.join("src"), ".rs");
        let documented: BTreeSet<String> = sources
            .iter()
            .flat_map(|path| {
                let source = text(path);
                let comments = source.lines().filter(|line| line.trim_start().starts_with("//"));
                comments.map(bare).collect::<Vec<_>>()
            })
            .collect();
        let shown = text(&readme);
        let blocks = shown.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next());
        for line in blocks.flat_map(str::lines).map(bare) {
            if !documented.contains(&line) && !examples.contains(&line) {
                let name = readme.strip_prefix(root()).unwrap_or(&readme).display();
                mistakes.push(format!("{name}: `{line}` is in no tested example of the crate"));
            }
        }
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

/// `cargo package` without a build does not notice a file that is read from outside of the package.
#[test]
fn packages_hold_the_files_that_they_include() {
    for package in packages() {
        for source in files(&package.join("src"), ".rs") {
            let code = text(&source);
            // Unit tests may compare with the repository; packages are built without them.
            let is_test =
                source.components().any(|part| part.as_os_str().to_string_lossy().starts_with("tests"));
            let code = if is_test { "" } else { code.split("#[cfg(test)]").next().unwrap_or_default() };
            let included =
                ["include_str!(\"", "include_bytes!(\""].iter().flat_map(|word| code.split(word).skip(1));
            for (file, _) in included.filter_map(|rest| rest.split_once('"')) {
                let included = source.with_file_name("").join(file).canonicalize();
                let inside =
                    included.is_ok_and(|path| path.starts_with(package.canonicalize().expect("there")));
                assert!(inside, "{}: `{file}` is not in the package", source.display());
            }
        }
    }
}
