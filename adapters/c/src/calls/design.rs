//! Designs: loading, learning, names.

use std::ffi::{CStr, c_char};
use std::sync::Arc;

use repertoire_authored::nearest;
use repertoire_bayes::sequence::labelled::Lives;
use repertoire_mind::game::Design;

use super::RepertoireDesign;
use crate::border::{Out, guard, name, name_or_none, text};
use crate::fault::{
    Fault, REPERTOIRE_ERROR_INDEX, REPERTOIRE_ERROR_NAME, REPERTOIRE_ERROR_NUMBER, RepertoireCode,
};
use crate::house::{self, Kind};
use crate::words::Word;

/// Which names of a design: its tasks.
pub const REPERTOIRE_TASKS: u32 = 0;
/// Its sensors, which have values.
pub const REPERTOIRE_SENSORS: u32 = 1;
/// Its needs.
pub const REPERTOIRE_NEEDS: u32 = 2;
/// The facts that its plans are about, which have values.
pub const REPERTOIRE_FACTS: u32 = 3;
/// The kinds of things that its tasks are about.
pub const REPERTOIRE_KINDS: u32 = 4;
/// Its profiles: kinds of individuals.
pub const REPERTOIRE_PROFILES: u32 = 5;
/// Others who have a say in its decisions.
pub const REPERTOIRE_VOICES: u32 = 6;

/// Loads a design from the text of its TOML file, `length` bytes of UTF-8. `file` is what messages call the text, usually
/// the name of the file, and may be NULL. Free it with repertoire_design_free.
///
/// A mistake in the text is REPERTOIRE_ERROR_MISTAKE, and the message names file, line, column, what is wrong and what
/// would be right.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repertoire_design_load(
    toml: *const c_char,
    length: usize,
    file: *const c_char,
    design: *mut RepertoireDesign,
) -> RepertoireCode {
    guard(|| {
        // SAFETY: the caller gives `length` bytes.
        let toml = unsafe { text(toml, length, "toml") }?;
        // SAFETY: the caller gives NULL or a name that ends with a NUL.
        let file = unsafe { name_or_none(file, "file") }?;
        // SAFETY: the caller gives room for a handle.
        let out = unsafe { Out::new(design, "design") }?;
        let design = Design::parse(toml).map_err(|mistake| Fault::mistake(&mistake, file))?;
        out.put(house::designs_mut().insert(Kind::new(design)?)?);
        Ok(())
    })
}

/// The same character with tables learned from watching others of its kind: a new design, made from a table of what was
/// sensed and done (comma-separated text, `length` bytes of UTF-8). The first line names the columns: sensors, `task`, and
/// optionally `life`, which begins a new life wherever it changes. An empty cell is a sensor that was not read. `file` is
/// what messages call the table, and may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repertoire_design_learn(
    design: RepertoireDesign,
    csv: *const c_char,
    length: usize,
    file: *const c_char,
    learned: *mut RepertoireDesign,
) -> RepertoireCode {
    guard(|| {
        // SAFETY: the caller gives `length` bytes.
        let csv = unsafe { text(csv, length, "csv") }?;
        // SAFETY: the caller gives NULL or a name that ends with a NUL.
        let file = unsafe { name_or_none(file, "file") }?;
        // SAFETY: the caller gives room for a handle.
        let out = unsafe { Out::new(learned, "learned") }?;
        let blank = Arc::clone(&house::kind(design)?.design);
        let lives = Lives::read(csv, blank.behaviour()).map_err(|mistake| Fault::mistake(&mistake, file))?;
        let learned =
            blank.learned(&lives).map_err(|error| Fault::new(REPERTOIRE_ERROR_NUMBER, error.to_string()))?;
        out.put(house::designs_mut().insert(Kind::new(learned)?)?);
        Ok(())
    })
}

/// Frees a design. Its minds live on.
#[unsafe(no_mangle)]
pub extern "C" fn repertoire_design_free(design: RepertoireDesign) -> RepertoireCode {
    guard(|| {
        let gone = house::designs_mut().remove(design)?;
        drop(gone); // after the lock
        Ok(())
    })
}

/// What the design is called. Names are never freed: they stay in place as long as the library is loaded.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repertoire_design_title(
    design: RepertoireDesign,
    title: *mut *const c_char,
) -> RepertoireCode {
    guard(|| {
        // SAFETY: the caller gives room for a pointer.
        let out = unsafe { Out::new(title, "title") }?;
        out.put(house::kind(design)?.words.title.as_ptr());
        Ok(())
    })
}

/// How many tasks (or whatever `of` says: REPERTOIRE_TASKS, REPERTOIRE_SENSORS, ...) a design has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repertoire_design_count(
    design: RepertoireDesign,
    of: u32,
    count: *mut u32,
) -> RepertoireCode {
    guard(|| {
        // SAFETY: the caller gives room for a number.
        let out = unsafe { Out::new(count, "count") }?;
        out.put(list(&*house::kind(design)?, of)?.len() as u32);
        Ok(())
    })
}

/// The name of a task (or whatever `of` says), by its number. Never freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repertoire_design_name(
    design: RepertoireDesign,
    of: u32,
    index: u32,
    name: *mut *const c_char,
) -> RepertoireCode {
    guard(|| {
        // SAFETY: the caller gives room for a pointer.
        let out = unsafe { Out::new(name, "name") }?;
        out.put(word(&*house::kind(design)?, of, index)?.name.as_ptr());
        Ok(())
    })
}

/// The number of a task (or whatever `of` says), by its name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repertoire_design_find(
    design: RepertoireDesign,
    of: u32,
    wanted: *const c_char,
    index: *mut u32,
) -> RepertoireCode {
    guard(|| {
        // SAFETY: the caller gives a name that ends with a NUL.
        let wanted = unsafe { name(wanted, "wanted") }?;
        // SAFETY: the caller gives room for a number.
        let out = unsafe { Out::new(index, "index") }?;
        let kind = house::kind(design)?;
        out.put(find(wanted, list(&kind, of)?.iter().map(|word| word.name), what(of))?);
        Ok(())
    })
}

/// How many values a sensor or fact has: `of` is REPERTOIRE_SENSORS or REPERTOIRE_FACTS.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repertoire_design_value_count(
    design: RepertoireDesign,
    of: u32,
    index: u32,
    count: *mut u32,
) -> RepertoireCode {
    guard(|| {
        // SAFETY: the caller gives room for a number.
        let out = unsafe { Out::new(count, "count") }?;
        out.put(word(&*house::kind(design)?, of, index)?.values.len() as u32);
        Ok(())
    })
}

/// The name of a value of a sensor or fact, by its number. Never freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repertoire_design_value_name(
    design: RepertoireDesign,
    of: u32,
    index: u32,
    value: u32,
    name: *mut *const c_char,
) -> RepertoireCode {
    guard(|| {
        // SAFETY: the caller gives room for a pointer.
        let out = unsafe { Out::new(name, "name") }?;
        let kind = house::kind(design)?;
        let values = &word(&kind, of, index)?.values;
        out.put(values.get(value as usize).ok_or_else(|| no_index("value", value, values.len()))?.as_ptr());
        Ok(())
    })
}

/// The number of a value of a sensor or fact, by its name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repertoire_design_value_find(
    design: RepertoireDesign,
    of: u32,
    index: u32,
    wanted: *const c_char,
    value: *mut u32,
) -> RepertoireCode {
    guard(|| {
        // SAFETY: the caller gives a name that ends with a NUL.
        let wanted = unsafe { name(wanted, "wanted") }?;
        // SAFETY: the caller gives room for a number.
        let out = unsafe { Out::new(value, "value") }?;
        let kind = house::kind(design)?;
        let word = word(&kind, of, index)?;
        let of = format!("value of `{}`", word.name.to_string_lossy());
        out.put(find(wanted, word.values.iter().copied(), &of)?);
        Ok(())
    })
}

/// What a list holds.
fn what(of: u32) -> &'static str {
    ["task", "sensor", "need", "fact", "kind of thing", "profile", "voice"]
        .get(of as usize)
        .unwrap_or(&"name")
}

fn list(kind: &Kind, of: u32) -> Result<&[Word], Fault> {
    let remedy = "pass REPERTOIRE_TASKS or another of these constants";
    let unknown =
        || Fault::new(REPERTOIRE_ERROR_INDEX, format!("{of} is no kind of names\n  remedy: {remedy}"));
    kind.words.lists.get(of as usize).map(Vec::as_slice).ok_or_else(unknown)
}

fn word(kind: &Kind, of: u32, index: u32) -> Result<&Word, Fault> {
    let words = list(kind, of)?;
    words.get(index as usize).ok_or_else(|| no_index(what(of), index, words.len()))
}

/// A number that the design does not have.
pub(super) fn no_index(what: &str, index: u32, count: usize) -> Fault {
    let message = match count {
        0 => format!("there is no {what} {index}: the design has none"),
        _ => format!("there is no {what} {index}\n  remedy: a number from 0 to {}", count - 1),
    };
    Fault::new(REPERTOIRE_ERROR_INDEX, message)
}

fn find(wanted: &str, names: impl Iterator<Item = &'static CStr>, what: &str) -> Result<u32, Fault> {
    let names: Vec<&str> = names.map(|name| name.to_str().unwrap_or_default()).collect();
    if let Some(index) = names.iter().position(|name| *name == wanted) {
        return Ok(index as u32);
    }
    let remedy = match nearest(wanted, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if names.is_empty() => "the design has none".to_owned(),
        None => format!("there are {}", names.join(", ")),
    };
    Err(Fault::new(REPERTOIRE_ERROR_NAME, format!("`{wanted}` is not a {what}\n  remedy: {remedy}")))
}
