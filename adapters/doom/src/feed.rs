//! The feed of deaths: who died, by whom, of what; read from the sentences that the engine shows to every player.
//!
//! The sentences are the engine's and FreeDM's. A sentence with two players in it is a kill; the victim comes first but
//! for two of them. A sentence with one player is a death without a killer: by the own weapon, or by the world.

/// A death, by the names of players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Death<'a> {
    /// Who died.
    pub victim: &'a str,
    /// By whom.
    pub by: By<'a>,
}

/// What a player died of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By<'a> {
    /// Another player.
    Player(&'a str),
    /// Its own weapon.
    Itself,
    /// A fall, a harmful floor, something that crushes.
    World,
}

/// Sentences in which the killer comes first.
const KILLER_FIRST: [&str; 2] = [" punched ", " swapped two barrels upside "];
/// What is said of who dies by the own weapon.
const OWN_WEAPON: [&str; 4] =
    ["should have stood back", "killed ", "in the wrong spot", "looks in the mirror"];
/// What is said of who dies by the world.
const WORLD: [&str; 10] = [
    "fell too far",
    "squished",
    "can't swim",
    "mutated",
    "melted",
    "went boom",
    "died",
    "suicides",
    "tried to leave",
    "discovered",
];

/// The deaths that a text tells of, among players of these names.
pub fn deaths<'a>(said: &str, players: &[&'a str]) -> Vec<Death<'a>> {
    said.lines().filter_map(|line| death(line, players)).collect()
}

fn death<'a>(line: &str, players: &[&'a str]) -> Option<Death<'a>> {
    let first = *players
        .iter()
        .find(|name| line.strip_prefix(**name).is_some_and(|rest| rest.starts_with([' ', '\''])))?;
    let rest = &line[first.len()..];
    let second = players.iter().copied().find(|name| is_word(rest, name));
    match second {
        Some(second) if KILLER_FIRST.iter().any(|words| rest.starts_with(words)) => {
            Some(Death { victim: second, by: By::Player(first) })
        }
        Some(second) => Some(Death { victim: first, by: By::Player(second) }),
        None if OWN_WEAPON.iter().any(|words| rest.contains(words)) => {
            Some(Death { victim: first, by: By::Itself })
        }
        None if WORLD.iter().any(|words| rest.contains(words)) => {
            Some(Death { victim: first, by: By::World })
        }
        None => None,
    }
}

/// Whether a name stands in a text as a word.
fn is_word(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        before.is_some_and(|c| !c.is_alphanumeric()) && after.is_none_or(|c| !c.is_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_tell_who_died_of_whom() {
        let players = ["Rambo", "Ripley", "T800", "ours"];
        let said = "You got the double-barrelled shotgun!\n\
                    Ripley swapped two barrels upside Rambo's head.\n\
                    ours was perforated by T800's minigun.\n\
                    T800 had its ass kicked by ours's SKAG!\n\
                    Rambo punched ours to death.\n\
                    Ripley should have stood back.\n\
                    Rambo fell too far.\n\
                    Rambo joined the game.\n\
                    Nobody was perforated by T800's minigun.\n";
        let by = |victim, by| Death { victim, by };
        assert_eq!(
            deaths(said, &players),
            [
                by("Rambo", By::Player("Ripley")),
                by("ours", By::Player("T800")),
                by("T800", By::Player("ours")),
                by("ours", By::Player("Rambo")),
                by("Ripley", By::Itself),
                by("Rambo", By::World),
            ]
        );
        assert!(deaths("", &players).is_empty() && deaths("Ramboo died.", &players).is_empty());
    }
}
