//! Where the engine puts pictures: a folder of the user's, or one that goes with the match.

use std::path::{Path, PathBuf};

use crate::DoomError;

/// A folder of numbered pictures. One that nobody asked for is removed with this.
#[derive(Debug)]
pub struct Pictures {
    folder: PathBuf,
    is_ours: bool,
}

impl Pictures {
    /// Makes the folder that is given, or one among the system's temporary files.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn new(given: Option<&Path>) -> Result<Self, DoomError> {
        let absolute = |folder: &Path| {
            std::path::absolute(folder)
                .map_err(|source| DoomError::NoFolder { folder: folder.to_owned(), source })
        };
        let folder = match given {
            Some(folder) => absolute(folder)?,
            None => std::env::temp_dir().join(format!("repertoire-pictures-{}", std::process::id())),
        };
        std::fs::create_dir_all(&folder)
            .map_err(|source| DoomError::NoFolder { folder: folder.clone(), source })?;
        Ok(Pictures { folder, is_ours: given.is_none() })
    }

    /// The file of a picture.
    pub fn path(&self, number: u32) -> PathBuf {
        self.folder.join(format!("{number:05}.png"))
    }
}

impl Drop for Pictures {
    fn drop(&mut self) {
        if self.is_ours {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_nobody_asked_for_goes_with_its_pictures() {
        let pictures = Pictures::new(None).expect("temporary files can be made");
        let path = pictures.path(7);
        assert!(path.ends_with("00007.png") && path.parent().is_some_and(Path::is_dir));
        drop(pictures);
        assert!(path.parent().is_some_and(|folder| !folder.exists()));
    }
}
