//! The pages, which are part of the program. In a debug build they are read from `web/`, so that an edit shows at the next reload.

use std::borrow::Cow;

use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "web/"]
struct Web;

/// A page by its path: its kind and its bytes. Paths that are not exactly those of a page find nothing.
pub fn find(path: &str) -> Option<(&'static str, Cow<'static, [u8]>)> {
    let name = match path.strip_prefix('/')? {
        "" => "index.html",
        name => name,
    };
    if name.contains("..") || name.contains('\\') || name.starts_with('/') {
        return None;
    }
    let kind = match name.rsplit_once('.')?.1 {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        _ => return None,
    };
    // What is embedded is listed; only what is on the list is read.
    Web::iter().any(|known| known == name).then(|| Web::get(name)).flatten().map(|file| (kind, file.data))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_are_found() {
        assert!(find("/").is_some_and(|(kind, _)| kind.starts_with("text/html")));
        for bad in [
            "",
            "//",
            "/../Cargo.toml",
            "/..%2fCargo.toml",
            "/Cargo.toml",
            "/src/lib.rs",
            "/index.html/..",
            "/\\index.html",
            "/./index.html",
        ] {
            assert!(find(bad).is_none(), "{bad}");
        }
    }
}
