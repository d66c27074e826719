//! Characters as assets: one TOML file each, `NAME.character.toml`.

use std::sync::Arc;

use bevy_asset::io::Reader;
use bevy_asset::{Asset, AssetLoader, LoadContext};
use bevy_reflect::TypePath;
use repertoire::prelude::{Design, Mistake};

/// A kind of character: what it senses, does, needs and knows, and how it decides.
#[derive(Asset, TypePath, Clone, Debug)]
pub struct Character {
    /// The design, checked.
    pub design: Arc<Design>,
}

impl Character {
    /// Reads a character's text.
    ///
    /// # Errors
    /// With the line of whatever is wrong, and what would be right.
    pub fn parse(text: &str) -> Result<Self, Mistake> {
        Ok(Character { design: Design::parse(text)? })
    }
}

/// Why a file is no character.
#[derive(Debug, thiserror::Error)]
pub enum LoadCharacterError {
    /// It cannot be read.
    #[error("{path} could not be read: {why}")]
    Unreadable {
        /// Which file.
        path: String,
        /// What the system said.
        why: std::io::Error,
    },
    /// It is not text.
    #[error("{path} is not UTF-8")]
    NotText {
        /// Which file.
        path: String,
    },
    /// Somebody wrote something wrong in it.
    #[error("{path}:{mistake}")]
    Mistake {
        /// Which file.
        path: String,
        /// Where in it, what is wrong, and what would be right.
        mistake: Mistake,
    },
}

/// Loads `*.character.toml`.
#[derive(Default, TypePath)]
pub struct CharacterLoader;

impl AssetLoader for CharacterLoader {
    type Asset = Character;
    type Settings = ();
    type Error = LoadCharacterError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        context: &mut LoadContext<'_>,
    ) -> Result<Character, LoadCharacterError> {
        let path = context.path().to_string();
        let mut bytes = Vec::new();
        if let Err(why) = reader.read_to_end(&mut bytes).await {
            return Err(LoadCharacterError::Unreadable { path, why });
        }
        let Ok(text) = std::str::from_utf8(&bytes) else { return Err(LoadCharacterError::NotText { path }) };
        Character::parse(text).map_err(|mistake| LoadCharacterError::Mistake { path, mistake })
    }

    fn extensions(&self) -> &[&str] {
        &["character.toml"]
    }
}
