use super::*;
use std::sync::Arc;

use repertoire_eval::{Entry, Tournament};
use repertoire_mind::fighter::Fighter;
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::map::file;

const ROOM: &str = r#"
name = "room"
[[area]]
name = "hall"
ceiling = 4
rect = [0, 0, 16, 12]
[[start]]
at = [2, 3]
[[start]]
at = [14, 3]
[[start]]
at = [8, 10]
"#;

fn entry(name: &str, level: u8) -> Entry {
    Entry { name: name.into(), make: Arc::new(move || Box::new(Fighter::native(level))) }
}

fn small(contenders: Vec<Entry>) -> Tournament {
    let level = Arc::new(Level::new(file::read(ROOM).expect("read").map).expect("playable"));
    let levels = vec![("room".into(), level.clone()), ("room".into(), level)];
    Tournament { matches: 3, frags: 5, ..Tournament::new(levels, contenders) }
}

/// Names with everything that could break out of a page.
const NASTY: &str = "</title><script src='//example.com/x'>&\"";

fn made() -> (Outcome, String) {
    let tournament = small(vec![entry(NASTY, 3), entry("hunter", 5), entry("stone", 0)]);
    let outcome = tournament.run(&|_| (), Some(|| 0)).expect("a tournament that can be played");
    let maps: Vec<&Map> = tournament.levels.iter().map(|(_, level)| level.map()).collect();
    let page = page(&outcome, &maps, "repertoire tournament --contender '<x>'");
    (outcome, page)
}

/// Goes through all tags, or says which is closed by another.
fn well_formed(page: &str) -> Result<usize, String> {
    let (mut open, mut count): (Vec<&str>, usize) = (Vec::new(), 0);
    for piece in page.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').ok_or_else(|| format!("`{piece}` is not closed"))?;
        let name = tag.split([' ', '/']).find(|word| !word.is_empty()).unwrap_or_default();
        // In a style sheet it means "child of".
        if text.contains('>') && name != "style" {
            return Err(format!("a bare > in `{text}`"));
        }
        count += 1;
        if let Some(closed) = tag.strip_prefix('/') {
            if open.pop() != Some(closed) {
                return Err(format!("</{closed}> closes something else"));
            }
        } else if !tag.ends_with('/') && !["!doctype", "meta"].contains(&name) {
            open.push(name);
        }
        if tag.matches('"').count() % 2 == 1 {
            return Err(format!("a quote is open in <{tag}>"));
        }
    }
    if open.is_empty() { Ok(count) } else { Err(format!("left open: {open:?}")) }
}

#[test]
fn the_page_is_well_formed_and_names_everybody() {
    let (outcome, page) = made();
    let tags = well_formed(&page).unwrap_or_else(|wrong| panic!("{wrong}"));
    assert!(tags > 200, "{tags}");
    for name in &outcome.settings.contenders {
        assert!(page.matches(&escape(name)).count() >= 4, "{name}");
    }
    for map in ["room", "room#2"] {
        assert_eq!(page.matches(&format!("<h3>{map}</h3>")).count(), 2);
    }
    assert_eq!(page.matches("<polyline").count(), 6 * 3);
    assert_eq!(page.matches("aria-label=\"where ").count(), 2 * 3);
    assert!(page.contains("--contender &#39;&lt;x&gt;&#39;"));
    assert!(!page.contains("NaN") && !page.contains("inf,"));
}

#[test]
fn the_page_needs_nothing_from_elsewhere_and_runs_nothing() {
    let (_, page) = made();
    // The nasty name is there as text only.
    let without_names = page.replace(&escape(NASTY), "");
    for foreign in [
        "http:",
        "https:",
        "//",
        "<script",
        "<link",
        "<img",
        "@import",
        "url(",
        " src=",
        " onload=",
        " onclick=",
    ] {
        assert!(!without_names.contains(foreign), "{foreign}");
    }
    assert!(!page.contains("<script") && page.contains("&lt;script"));
}
