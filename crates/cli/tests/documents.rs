//! Documents say what is so.

use std::path::Path;

use repertoire_bayes::file;
use repertoire_character::profile;
use repertoire_plan::domain;
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::map::file as map;
use repertoire_worlds::rooms::scenario;

fn text(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_published_schemas_are_those_of_what_is_read() {
    for (name, schema) in [
        ("program", file::schema()),
        ("domain", domain::schema()),
        ("behaviour", repertoire_bayes::sequence::file::schema()),
        ("map", map::schema()),
        ("scenario", scenario::schema()),
        ("profile", profile::file::schema()),
        ("family", profile::family::schema()),
        ("belief-model", repertoire_belief::model::schema()),
        ("chameleon-model", repertoire_chameleon::model::schema()),
        ("chameleon-character", repertoire_chameleon::file::schema()),
        ("places", repertoire_topology::places::schema()),
    ] {
        let now = serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n";
        assert_eq!(text(&format!("schemas/{name}.schema.json")), now, "run `cargo xtask schemas`");
    }
}

#[test]
fn programs_in_the_guide_can_be_read() {
    let guide = text("docs/guides/programs.md");
    let blocks = guide.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
    let programs: Vec<&str> = blocks.filter(|block| block.starts_with("name =")).collect();
    assert!(!programs.is_empty());
    for program in programs {
        file::read(program, &mut |name| Err(format!("`{name}` is not there").into()))
            .unwrap_or_else(|mistake| panic!("{mistake}"));
    }
}

#[test]
fn domains_in_the_guide_can_be_read() {
    let guide = text("docs/guides/planning.md");
    let blocks = guide.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
    let domains: Vec<&str> = blocks.filter(|block| block.starts_with("name =")).collect();
    assert!(!domains.is_empty());
    for text in domains {
        domain::read(text).unwrap_or_else(|mistake| panic!("{mistake}"));
    }
}

#[test]
fn models_in_the_guide_can_be_read() {
    let guide = text("docs/guides/chameleon.md");
    let models: Vec<&str> =
        guide.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(!models.is_empty());
    for text in models {
        repertoire_chameleon::model::read(text).unwrap_or_else(|mistake| panic!("{mistake}"));
    }
}

#[test]
fn maps_in_the_guide_can_be_played() {
    let guide = text("docs/guides/arena.md");
    let blocks = guide.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
    let maps: Vec<&str> = blocks.filter(|block| block.starts_with("name =")).collect();
    assert!(!maps.is_empty());
    for text in maps {
        let authored = map::read(text).unwrap_or_else(|mistake| panic!("{mistake}"));
        Level::new(authored.map).unwrap_or_else(|faults| panic!("{faults:?}"));
    }
}

#[test]
fn scenarios_and_profiles_in_the_guide_can_be_read() {
    let guide = text("docs/guides/characters.md");
    let blocks: Vec<&str> =
        guide.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    let mut load = |name: &str| Err(format!("{name} is not there").into());
    let scenarios = blocks.iter().filter(|block| block.contains("map ="));
    let profiles = blocks.iter().filter(|block| block.contains("[preferences]"));
    assert!(scenarios.clone().count() == 1 && profiles.clone().count() == 1);
    for text in scenarios {
        scenario::read(text, &mut load).unwrap_or_else(|refused| panic!("{refused}"));
        // Laws can be put into any scenario, if somebody has what they speak of.
        let laws = blocks.iter().find(|block| block.contains("[interaction.drink]")).expect("there");
        let person = "[kind.person]\nperforms = [\"drink\", \"take\", \"eat\", \"open\", \"break\", \"unlock\"]\nproperties = { energy = 1, thirst = 1 }\n";
        let both = format!("{text}\n{laws}\n{person}");
        scenario::read(&both, &mut load).unwrap_or_else(|refused| panic!("{refused}"));
    }
    for text in profiles {
        profile::file::read(text).unwrap_or_else(|mistake| panic!("{mistake}"));
    }
}

#[test]
fn every_form_and_every_door_is_in_its_guide() {
    let guide = text("docs/guides/programs.md");
    for form in [
        "table",
        "weights",
        "uniform",
        "one_hot",
        "gaussian",
        "sigmoid",
        "agreement",
        "histogram",
        "question",
    ] {
        assert!(guide.contains(&format!("| `{form}` |")), "{form}");
    }
    let doors = text("docs/guides/doors.md");
    for door in &repertoire_doors::DOORS {
        assert!(doors.contains(&format!("| `{}` |", door.name)), "{}", door.name);
    }
}
