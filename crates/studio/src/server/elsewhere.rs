//! Rooms and towns that come with the library, as pages that play a run back: the map, whom to follow, and why they do what they do.
//!
//! The pages are those of `repertoire rooms run --html` and `repertoire town run --html`. Each is made once, when somebody first asks
//! for it, on a thread where it delays nobody.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use axum::body::Bytes;
use repertoire_draw::{rooms, town as towns};
use repertoire_eval::town::Film;
use repertoire_worlds::rooms::World;
use repertoire_worlds::rooms::scenario::{SCENARIOS, scenario};
use repertoire_worlds::town::{DAY, Minds, TOWNS, Town, charter};

/// Minutes between two looks, inhabitants on the map, and those with a diary.
const EVERY: u32 = 10;
const SHOWN: usize = 400;
const DIARIES: usize = 24;
/// More inhabitants than this make a page slow.
const MOST: u32 = 2000;
/// Random seed of all of them.
const SEED: u64 = 1;

static MADE: LazyLock<Mutex<BTreeMap<String, Bytes>>> = LazyLock::new(Mutex::default);

/// The paths of all of them.
pub fn all() -> Vec<String> {
    let rooms = SCENARIOS.iter().map(|(name, _)| format!("/rooms/{name}"));
    rooms.chain(TOWNS.iter().map(|(name, _)| format!("/town/{name}"))).collect()
}

/// Whether there is such a page.
pub fn is_one(path: &str) -> bool {
    all().iter().any(|known| known == path)
}

/// The page of a path, which may take seconds to make. One at a time: the others wait for it.
pub fn page(path: &str) -> Option<Bytes> {
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(page) = made.get(path) {
        return Some(page.clone());
    }
    let page = match path.strip_prefix("/rooms/") {
        Some(name) => room(name)?,
        None => town(path.strip_prefix("/town/")?)?,
    };
    let page = Bytes::from(page);
    made.insert(path.to_owned(), page.clone());
    Some(page)
}

fn room(name: &str) -> Option<String> {
    let scenario = scenario(name)?;
    let steps = scenario.steps;
    let film = rooms::film::Film::run(&mut World::new(Arc::new(scenario), SEED), steps, true, |_| ());
    Some(rooms::page::page(&film))
}

/// A day of a town.
fn town(name: &str) -> Option<String> {
    let charter = charter(name)?;
    let inhabitants = charter.inhabitants.min(MOST);
    let mut town = Town::new(charter, inhabitants, SEED, Minds::default()).ok()?;
    let mut film = Film::new(&town, EVERY, SHOWN, DIARIES);
    film.look(&town);
    for _ in 0..DAY {
        town.tick();
        film.look(&town);
    }
    Some(towns::page::page(&town, &film))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_room_and_town_has_a_page_and_nothing_else_does() {
        for path in all().iter().filter(|path| path.contains("6.1.1") || path.contains("station")) {
            let page = page(path).expect("it ships");
            assert!(page.starts_with(b"<!doctype html>") || page.starts_with(b"<!DOCTYPE html>"), "{path}");
        }
        assert!(
            all().len() > 5
                && !is_one("/town/../etc")
                && !is_one("/rooms/")
                && page("/town/nowhere").is_none()
        );
    }
}
