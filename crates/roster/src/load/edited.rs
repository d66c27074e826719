//! Characters whose files somebody is editing: texts in place of files, and only files that may be read.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use repertoire_authored::{Mistake, Unavailable};
use repertoire_bayes::{sequence::shipped as behaviours, shipped as programs};
use repertoire_character::profile::{PROFILES, file as profiles};
use repertoire_mind::chameleon::Taught;
use repertoire_mind::fighter::{FighterDesign, Files, shipped};
use serde::{Deserialize, Serialize};

use super::beside::OUTSIDE;
use super::{LoadError, behaviour, program};

/// What a file that a character names holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NamedKind {
    /// Tables that say which task comes when.
    Behaviour,
    /// Motivations.
    Profile,
    /// What can be planned.
    Domain,
    /// A Bayesian program.
    Program,
}

impl NamedKind {
    /// The text that comes with the library under a name.
    fn shipped(self, name: &str) -> Option<&'static str> {
        match self {
            NamedKind::Behaviour => behaviours::text(name),
            NamedKind::Program => programs::text(name),
            NamedKind::Profile => PROFILES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text),
            NamedKind::Domain => None,
        }
    }

    /// Why there is no such thing: what there is, for a name; a file that is not beside the character's, for a file's.
    fn unknown(self, name: &str) -> String {
        let missing = || format!("there is no file `{name}` beside it");
        if name.contains(['.', '/', '\\']) {
            return missing();
        }
        let unknown = match self {
            NamedKind::Behaviour => super::behaviour(name).err(),
            NamedKind::Program => super::program(name).err(),
            NamedKind::Profile => super::profile(name).err(),
            NamedKind::Domain => None,
        };
        unknown.map_or_else(missing, |error| error.to_string())
    }

    /// Whether a text is such a file by itself; whether it fits a character is another question.
    ///
    /// # Errors
    /// On a mistake in the text, with its line.
    pub fn check(self, path: &Path, text: &str, edited: &Edited<'_>) -> Result<(), LoadError> {
        let mistake = |mistake: Mistake| LoadError::Mistake { path: path.to_owned(), mistake };
        match self {
            NamedKind::Behaviour => behaviour::KIND.load_where(path, text, edited.may_read).map(drop),
            NamedKind::Program => program::KIND.load_where(path, text, edited.may_read).map(drop),
            NamedKind::Profile => profiles::read(text).map(drop).map_err(mistake),
            NamedKind::Domain => text.parse::<repertoire_plan::Domain>().map(drop).map_err(mistake),
        }
    }
}

/// What stands in place of files, and which files may be read.
#[derive(Clone, Copy)]
pub struct Edited<'a> {
    /// Texts by the names under which the character names them.
    pub texts: &'a BTreeMap<String, String>,
    /// Whether a file may be read.
    pub may_read: &'a dyn Fn(&Path) -> bool,
}

/// A text that a character names, as it was used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedText {
    /// What it holds.
    pub kind: NamedKind,
    /// The name under which the character names it.
    pub name: String,
    /// The text.
    pub text: String,
    /// Its file; none if it comes with the library.
    pub file: Option<PathBuf>,
}

impl NamedText {
    /// Whether a text is what its file, or the library, has.
    pub fn is_original(&self, text: &str) -> bool {
        self.original().is_some_and(|original| original == text)
    }

    /// What its file, or the library, has; none if the file cannot be read any more.
    pub fn original(&self) -> Option<String> {
        match &self.file {
            Some(file) => std::fs::read_to_string(file).ok(),
            None => self.kind.shipped(&self.name).map(str::to_owned),
        }
    }
}

/// A fighter from a text that may not be saved yet, with the texts that it names, each once.
///
/// # Errors
/// On a mistake in the text or in one that it names, and where it names a file that may not be read.
pub fn fighter_edited(
    path: &Path,
    text: &str,
    edited: &Edited<'_>,
) -> Result<(Arc<FighterDesign>, Vec<NamedText>), LoadError> {
    let named = RefCell::new(Vec::<NamedText>::new());
    let file = |asked: &str| -> Result<Option<PathBuf>, Unavailable> {
        let beside = path.with_file_name(asked);
        match beside.is_file() {
            true if !(edited.may_read)(&beside) => Err(OUTSIDE.into()),
            is_there => Ok(is_there.then_some(beside)),
        }
    };
    let text_of = |kind: NamedKind, asked: &str| -> Result<(PathBuf, String), Unavailable> {
        let file = file(asked)?;
        let text = match (edited.texts.get(asked), &file) {
            (Some(text), _) => text.clone(),
            (None, Some(file)) => {
                std::fs::read_to_string(file).map_err(|why| format!("{}: {why}", file.display()))?
            }
            (None, None) => kind.shipped(asked).ok_or_else(|| kind.unknown(asked))?.to_owned(),
        };
        let mut named = named.borrow_mut();
        if named.iter().all(|one| (one.kind, one.name.as_str()) != (kind, asked)) {
            let (name, text, file) = (asked.to_owned(), text.clone(), file.clone());
            named.push(NamedText { kind, name, text, file });
        }
        Ok((file.unwrap_or_else(|| path.with_file_name(asked)), text))
    };
    let mut behaviour = |asked: &str| {
        let (path, text) = text_of(NamedKind::Behaviour, asked)?;
        let found = behaviour::KIND.load_where(&path, &text, edited.may_read);
        found.map_err(|error| error.to_string().into())
    };
    let mut program = |asked: &str| {
        let (path, text) = text_of(NamedKind::Program, asked)?;
        let found = program::KIND.load_where(&path, &text, edited.may_read);
        found.map_err(|error| error.to_string().into())
    };
    let at = |path: &Path, mistake: Mistake| format!("{}:{mistake}", path.display());
    let mut profile = |asked: &str| {
        let (path, text) = text_of(NamedKind::Profile, asked)?;
        profiles::read(&text).map_err(|mistake| at(&path, mistake).into())
    };
    let mut domain = |asked: &str| {
        let (path, text) = text_of(NamedKind::Domain, asked)?;
        text.parse().map_err(|mistake: Mistake| at(&path, mistake).into())
    };
    let mut taught = |asked: &str| match (file(asked)?, shipped::taught(asked)) {
        (None, Some(taught)) => Ok(taught),
        (None, None) => Err(format!("there is no file `{asked}` beside it").into()),
        (Some(path), _) => {
            let learned = super::teacher(&path).map_err(|error| error.to_string());
            let taught = learned.and_then(|learned| Taught::new(learned).map_err(|why| why.to_string()));
            taught.map(Arc::new).map_err(Into::into)
        }
    };
    let mut model = |asked: &str| match file(asked)? {
        Some(path) => super::belief_model(&path).map_err(|error| error.to_string().into()),
        None => Err(format!("there is no file `{asked}` beside it").into()),
    };
    let mut moments = |asked: &str| match file(asked)? {
        Some(path) => super::moments(&path).map(Arc::new).map_err(|error| error.to_string().into()),
        None => Err(format!("there is no file `{asked}` beside it").into()),
    };
    let mut files = Files {
        behaviour: &mut behaviour,
        taught: &mut taught,
        profile: &mut profile,
        domain: &mut domain,
        model: &mut model,
        moments: &mut moments,
        program: &mut program,
    };
    let design = FighterDesign::read(text, &mut files)
        .map_err(|mistake| LoadError::Mistake { path: path.to_owned(), mistake })?;
    Ok((design, named.into_inner()))
}

#[cfg(test)]
mod tests {
    use repertoire_mind::fighter::Hands;
    use repertoire_mind::moments::MomentWatcher;
    use repertoire_mind::{Command, Percept};

    use super::*;

    const FIGHTER: &str = "name = \"one\"\nabout = \"One.\"\n\n[decide]\nby = \"sequence\"\nfile = \"prudent\"\n\n[act]\nhands = \"native:3\"\n";

    #[test]
    fn texts_stand_in_place_of_files_and_are_told() {
        let (path, all) = (Path::new("nowhere/one.toml"), |_: &Path| true);
        let mut texts = BTreeMap::new();
        let read = |texts: &BTreeMap<String, String>, text: &str| {
            fighter_edited(path, text, &Edited { texts, may_read: &all })
        };
        let (design, named) = read(&texts, FIGHTER).expect("it is right");
        assert_eq!(named.len(), 1);
        assert_eq!(
            (named[0].kind, named[0].name.as_str(), &named[0].file),
            (NamedKind::Behaviour, "prudent", &None)
        );
        assert_eq!(named[0].text, behaviours::text("prudent").expect("shipped"));
        assert_eq!(
            format!("{design:?}"),
            format!("{:?}", super::super::fighter_text(path, FIGHTER).expect("the same"))
        );
        texts.insert("prudent".to_owned(), behaviours::text("aggressive").expect("shipped").to_owned());
        let (other, named) = read(&texts, FIGHTER).expect("it is right too");
        assert_ne!(format!("{design:?}"), format!("{other:?}"));
        assert_eq!(named[0].text, texts["prudent"]);
        texts.insert("prudent".to_owned(), "[tasks".to_owned());
        assert!(read(&texts, FIGHTER).is_err());
    }

    #[test]
    fn a_persons_hands_go_with_any_decider_and_a_native_bots_hands() {
        let folder = std::env::temp_dir().join(format!("hands-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("writable");
        let mut watcher = MomentWatcher::default();
        (0..5).for_each(|tick| {
            watcher.see(&Percept { tick, period_secs: 0.1, ..Percept::default() }, &Command::default());
        });
        let moments = watcher.finish().expect("there was play").write();
        std::fs::write(folder.join("ann.moments"), moments).expect("writable");
        let (path, texts) = (folder.join("one.toml"), BTreeMap::new());
        let read = |rest: &str| {
            let text = format!("name = \"one\"\n{rest}");
            fighter_edited(&path, &text, &Edited { texts: &texts, may_read: &|_| true })
                .map(|(design, _)| design.hands())
                .map_err(|error| error.to_string())
        };
        let hands = "[act]\nmoments = \"ann.moments\"\n";
        for decides in ["by = \"machine\"", "file = \"prudent\""] {
            assert_eq!(read(&format!("[decide]\n{decides}\n{hands}")), Ok(Hands::Native(3)), "{decides}");
        }
        for (rest, said) in [
            (format!("[decide]\nfile = \"prudent\"\n{hands}hands = \"program\"\n"), "native:3"),
            (format!("[decide]\nby = \"machine\"\n{}", hands.replace("ann", "bob")), "no file `bob.moments`"),
            (
                format!("[decide]\nby = \"machine\"\n{hands}[learn]\nhands = \"native:7\"\n"),
                "get better with practice",
            ),
        ] {
            let error = read(&rest).expect_err(said);
            assert!(error.contains(said) && error.contains("one.toml:"), "{error}");
        }
        std::fs::remove_dir_all(folder).expect("ours");
    }

    #[test]
    fn files_that_may_not_be_read_are_not_read() {
        let folder = std::env::temp_dir().join(format!("edited-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("inner")).expect("writable");
        std::fs::write(folder.join("secret.toml"), "a secret").expect("writable");
        let inner = folder.join("inner");
        let may_read = |path: &Path| {
            path.canonicalize().is_ok_and(|path| path.starts_with(inner.canonicalize().expect("there")))
        };
        let (texts, path) = (BTreeMap::new(), inner.join("one.toml"));
        let edited = Edited { texts: &texts, may_read: &may_read };
        let absolute = folder.join("secret.toml").display().to_string();
        for name in ["../secret.toml", &absolute] {
            let text = FIGHTER.replace("prudent", name);
            let error = fighter_edited(&path, &text, &edited).expect_err("outside").to_string();
            assert!(error.contains("outside") && !error.contains("a secret"), "{error}");
            // Nor by a behaviour that names another.
            let nested = behaviours::text("prudent").expect("shipped").to_owned()
                + &format!("\n[tasks.x]\nbehaviour = {name:?}\n");
            let error = NamedKind::Behaviour.check(&path, &nested, &edited).expect_err("outside").to_string();
            assert!(!error.contains("a secret"), "{error}");
        }
        std::fs::remove_dir_all(folder).expect("ours");
    }
}
