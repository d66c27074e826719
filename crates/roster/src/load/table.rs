//! Tables of what characters of a game's own were seen doing.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use repertoire_bayes::sequence::Behaviour;
use repertoire_bayes::sequence::labelled::Lives;

use super::{LoadError, text};

/// The longest first line of a table.
const LONGEST_HEADING: u64 = 65_536;

/// A table (CSV) of what was sensed and done, in the words of a behaviour.
///
/// Fails if the file cannot be read, or has a mistake in it.
pub fn lives(path: &Path, behaviour: &Behaviour) -> Result<Lives, LoadError> {
    Lives::read(&text(path)?, behaviour)
        .map_err(|mistake| LoadError::Mistake { path: path.to_owned(), mistake })
}

/// Whether a file is such a table, by its first line: a recording is none, nor is a file that cannot be read.
pub fn is_table(path: &Path, behaviour: &Behaviour) -> bool {
    let mut heading = String::new();
    let file = File::open(path).map(|file| BufReader::new(file.take(LONGEST_HEADING)));
    let read = file.and_then(|mut file| file.read_line(&mut heading));
    read.is_ok() && Lives::is_table(&heading, behaviour)
}

#[cfg(test)]
mod tests {
    use repertoire_bayes::sequence::shipped;

    use super::*;

    #[test]
    fn a_file_is_a_table_if_its_first_line_says_so() {
        let folder = std::env::temp_dir().join(format!("table-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        let behaviour = shipped::behaviour("prudent").expect("it ships");
        let path = |name: &str, content: &[u8]| {
            let path = folder.join(name);
            std::fs::write(&path, content).expect("it can be written");
            path
        };
        let task = &behaviour.tasks()[0].name;
        let table = path("diary.csv", format!("task\n{task}\n{task}\n").as_bytes());
        assert!(is_table(&table, &behaviour));
        assert_eq!(lives(&table, &behaviour).map(|lives| lives.len()).ok(), Some(2));
        assert!(!is_table(&path("match.parquet", b"PAR1\xff\n"), &behaviour));
        assert!(!is_table(&folder.join("nowhere.csv"), &behaviour));
        let wrong =
            lives(&path("wrong.csv", b"task\ndance\n"), &behaviour).map(|_| ()).expect_err("no such task");
        assert!(wrong.to_string().contains("wrong.csv:2"), "{wrong}");
        std::fs::remove_dir_all(&folder).expect("it can be removed");
    }
}
