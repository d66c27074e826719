//! Characters that come with the library, each a file, and the teacher that some follow.
//!
//! `native` and `individual` are templates: `native:5` is the one with hands of level 5, `individual:brute` the other with that
//! profile. `thesis-prudent` and its likes play the thesis's tables as the thesis's characters did: with the weapon of the beginning
//! counted as one, and with hands that are not Bayesian programs. `prudent`, `aggressive` and `uniform` are behaviours of the thesis, whose files are in `repertoire-bayes`. The rest use the
//! whole mind; they differ in what they want, in what they plan for, and in their tables.
//!
//! The teacher was learned from ten minutes of native:5 on halls:
//! `repertoire learn chameleon --live native:5 --map halls --seconds 600 --decisions 6 -o imitator.character`.

use std::sync::{Arc, LazyLock};

use repertoire_authored::Mistake;
use repertoire_bayes::Program;
use repertoire_bayes::sequence::shipped as behaviours;
use repertoire_chameleon::Learned;
use repertoire_character::profile;

use super::{FighterDesign, Files};
use crate::chameleon::Taught;

/// Name and text of each fighter with a whole mind.
pub const FIGHTERS: [(&str, &str); 5] = [
    ("hunter", include_str!("../../fighters/hunter.toml")),
    ("stalker", include_str!("../../fighters/stalker.toml")),
    ("survivor", include_str!("../../fighters/survivor.toml")),
    ("mimic", include_str!("../../fighters/mimic.toml")),
    ("veteran", include_str!("../../fighters/veteran.toml")),
];

/// Name and text of each of those with less than that.
const OTHERS: [(&str, &str); 6] = [
    ("native", include_str!("../../fighters/native.toml")),
    ("individual", include_str!("../../fighters/individual.toml")),
    ("imitator", include_str!("../../fighters/imitator.toml")),
    ("thesis-prudent", include_str!("../../fighters/thesis-prudent.toml")),
    ("thesis-aggressive", include_str!("../../fighters/thesis-aggressive.toml")),
    ("thesis-uniform", include_str!("../../fighters/thesis-uniform.toml")),
];

/// The names of all characters.
pub fn names() -> impl Iterator<Item = &'static str> {
    let behaviours = behaviours::BEHAVIOURS.iter().map(|(name, _)| *name);
    FIGHTERS.iter().chain(&OTHERS).map(|(name, _)| *name).chain(behaviours)
}

/// The text of a shipped character.
pub fn text(name: &str) -> Option<&'static str> {
    let own = FIGHTERS.iter().chain(&OTHERS).find(|(known, _)| *known == name).map(|(_, text)| *text);
    own.or_else(|| behaviours::text(name))
}

/// The bytes of a shipped teacher: a character learned by imitation.
pub fn teacher(name: &str) -> Option<&'static [u8]> {
    (name == "imitator").then_some(include_bytes!("../../fighters/imitator.character"))
}

/// A shipped teacher, unpacked once for all who follow it.
pub fn taught(name: &str) -> Option<Arc<Taught>> {
    static IMITATOR: LazyLock<Option<Arc<Taught>>> = LazyLock::new(|| {
        let learned = Learned::from_bytes(teacher("imitator")?).ok()?;
        Taught::new(learned).ok().map(Arc::new)
    });
    IMITATOR.clone().filter(|_| teacher(name).is_some())
}

/// A shipped character; none if none has this name.
///
/// ```
/// use repertoire_mind::fighter::shipped;
/// let hunter = shipped::design("hunter").expect("shipped");
/// assert!(hunter.believes() && shipped::design("orc").is_none());
/// ```
pub fn design(name: &str) -> Option<Arc<FighterDesign>> {
    // A test reads every one of them.
    text(name).map(|text| read(text).unwrap_or_else(|mistake| unreachable!("{name}: {mistake}")))
}

/// Reads a character's file that names only what is shipped.
///
/// # Errors
/// With the line of whatever is wrong, and what would be right.
pub fn read(text: &str) -> Result<Arc<FighterDesign>, Mistake> {
    let missing = || "it does not come with the library, and this text is read without a folder to look in";
    FighterDesign::read(
        text,
        &mut Files {
            behaviour: &mut |name| behaviours::behaviour(name).ok_or_else(|| missing().into()),
            taught: &mut |name| taught(name).ok_or_else(|| missing().into()),
            profile: &mut |name| profile::profile(name).ok_or_else(|| missing().into()),
            domain: &mut |_| Err(missing().into()),
            model: &mut |_| Err(missing().into()),
            moments: &mut |_| Err(missing().into()),
            program: &mut |name| Program::shipped(name).ok_or_else(|| missing().into()),
        },
    )
}
