//! Commands on the maps of Debian's package `freedm`, which are not part of this repository.

use std::ffi::OsString;
use std::process::{Command, Output};

/// The file, or a loud word that the test did not run.
fn freedm() -> Option<OsString> {
    let path = std::env::var_os("REPERTOIRE_FREEDM").unwrap_or("/usr/share/games/doom/freedm.wad".into());
    if std::path::Path::new(&path).is_file() {
        return Some(path);
    }
    eprintln!(
        "SKIPPED: freedm.wad is not installed at {}; install Debian's package freedm or set REPERTOIRE_FREEDM",
        path.display()
    );
    None
}

fn repertoire(words: &[&OsString]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_repertoire")).arg("arena").args(words).output().expect("it runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_map_of_freedm_is_imported_checked_drawn_and_played() {
    let Some(wad) = freedm() else { return };
    let folder = std::env::temp_dir().join(format!("repertoire-freedm-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for what is written");
    let (map, picture) = (folder.join("map01.toml"), folder.join("map01.svg"));
    let words =
        ["import", "MAP01", "-o", "--svg", "check", "watch", "--map", "--seconds", "2"].map(OsString::from);
    let [import, map01, output, svg, check, watch, map_option, seconds, two] = &words;

    let listed = repertoire(&[import, &wad]);
    assert_eq!(text(&listed.stdout).lines().count(), 32, "{}", text(&listed.stderr));

    let imported = repertoire(&[
        import,
        &wad,
        map01,
        output,
        &map.clone().into_os_string(),
        svg,
        &picture.clone().into_os_string(),
    ]);
    let said = text(&imported.stdout);
    assert!(imported.status.success(), "{}", text(&imported.stderr));
    assert!(said.contains("can be played") && said.contains("Not as in Doom"), "{said}");
    assert!(std::fs::read_to_string(&picture).expect("written").ends_with("</svg>\n"));

    let map = map.into_os_string();
    let checked = repertoire(&[check, &map]);
    assert!(checked.status.success(), "{}", text(&checked.stderr));

    // The same match on the file as on the original: importing loses nothing.
    let mut direct = wad.clone();
    direct.push(":MAP01");
    let [on_file, on_wad] = [&map, &direct].map(|map| repertoire(&[watch, map_option, map, seconds, two]));
    assert!(text(&on_file.stdout).contains("state hash "), "{}", text(&on_file.stderr));
    assert_eq!(text(&on_file.stdout), text(&on_wad.stdout));
    std::fs::remove_dir_all(&folder).expect("it is ours");
}
