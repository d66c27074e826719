//! The names of a design, as C text that stays where it is.
//!
//! A name is kept once for the whole process and never freed, so that a pointer to it stays good even after its design
//! is gone. That costs as much memory as there are different names.

use std::collections::BTreeSet;
use std::ffi::{CStr, CString};
use std::sync::{Mutex, PoisonError};

use repertoire_mind::game::Design;

use crate::fault::{Fault, REPERTOIRE_ERROR_MISTAKE};

static KEPT: Mutex<BTreeSet<&'static CStr>> = Mutex::new(BTreeSet::new());

/// A name, and for sensors and facts those of its values.
#[derive(Debug)]
pub struct Word {
    pub name: &'static CStr,
    pub values: Vec<&'static CStr>,
}

/// All names of a design.
#[derive(Debug)]
pub struct Words {
    pub title: &'static CStr,
    /// In the order of [`crate::calls::REPERTOIRE_TASKS`] and what follows it.
    pub lists: [Vec<Word>; 7],
}

impl Words {
    pub fn of(design: &Design) -> Result<Self, Fault> {
        let behaviour = design.behaviour();
        let facts = design.planning().map(|plan| plan.domain.variables.iter().zip(&plan.domain.values));
        Ok(Words {
            title: keep(design.name())?,
            lists: [
                plain(behaviour.task_names())?,
                with_values(behaviour.sensors().iter().map(|sensor| (&sensor.name, &sensor.values)))?,
                plain(design.needs().iter().map(|need| need.name.as_str()))?,
                with_values(facts.into_iter().flatten())?,
                plain(design.kinds())?,
                plain(design.profiles())?,
                plain(design.voices().iter().map(|voice| voice.name.as_str()))?,
            ],
        })
    }
}

fn plain<'a>(names: impl Iterator<Item = &'a str>) -> Result<Vec<Word>, Fault> {
    names.map(|name| Ok(Word { name: keep(name)?, values: Vec::new() })).collect()
}

fn with_values<'a>(names: impl Iterator<Item = (&'a String, &'a Vec<String>)>) -> Result<Vec<Word>, Fault> {
    let word = |(name, values): (&String, &Vec<String>)| {
        let values = values.iter().map(|value| keep(value)).collect::<Result<_, _>>()?;
        Ok(Word { name: keep(name)?, values })
    };
    names.map(word).collect()
}

fn keep(name: &str) -> Result<&'static CStr, Fault> {
    let Ok(text) = CString::new(name) else {
        let message =
            format!("the name {name:?} has a NUL in it, where C would end it\n  remedy: write it without");
        return Err(Fault::new(REPERTOIRE_ERROR_MISTAKE, message));
    };
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = kept.get(text.as_c_str()) {
        return Ok(known);
    }
    let new: &'static CStr = Box::leak(text.into_boxed_c_str());
    kept.insert(new);
    Ok(new)
}
