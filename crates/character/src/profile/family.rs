//! Families of profiles: a type of behaviour, as ranges of parameters to draw members from.
//!
//! ```toml
//! name = "brute"
//! opportunism = [4, 12]
//! [preferences]
//! break = [1.3, 2.0]
//! unlock = [0.3, 0.8]
//! ```
//!
//! A parameter may also be one number, which all members share. Ours: the paper names families as a perspective
//! (section 7) and leaves them open.

use std::ops::Range;

use repertoire_authored::{Mistake, Ordered, Spanned};
use repertoire_prob::Stream;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Combination, Profile};

/// One number, or the least and the most.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
enum SpanFile {
    /// The same for all members.
    One(f64),
    /// From the first to the second.
    Between(f64, f64),
}

/// A family of profiles.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FamilyFile {
    /// What it is called.
    name: String,
    /// What its members have in common.
    #[serde(default)]
    about: String,
    /// Factors on goals.
    #[serde(default)]
    #[schemars(with = "Ordered<SpanFile>")]
    goals: Ordered<Spanned<SpanFile>>,
    /// Preferences.
    #[serde(default)]
    #[schemars(with = "Ordered<SpanFile>")]
    preferences: Ordered<Spanned<SpanFile>>,
    /// Costs.
    #[serde(default)]
    #[schemars(with = "Ordered<SpanFile>")]
    costs: Ordered<Spanned<SpanFile>>,
    /// Threshold of time, above 1.
    #[serde(default)]
    #[schemars(with = "Option<SpanFile>")]
    time: Option<Spanned<SpanFile>>,
    /// Threshold of space, above 1.
    #[serde(default)]
    #[schemars(with = "Option<SpanFile>")]
    space: Option<Spanned<SpanFile>>,
    /// Threshold of opportunism, above 1.
    #[serde(default)]
    #[schemars(with = "Option<SpanFile>")]
    opportunism: Option<Spanned<SpanFile>>,
    /// Bonus of inertia.
    #[serde(default)]
    #[schemars(with = "Option<SpanFile>")]
    inertia: Option<Spanned<SpanFile>>,
    /// Altruism.
    #[serde(default)]
    #[schemars(with = "Option<SpanFile>")]
    altruism: Option<Spanned<SpanFile>>,
    /// Weight of reputation.
    #[serde(default)]
    #[schemars(with = "Option<SpanFile>")]
    reputation: Option<Spanned<SpanFile>>,
    /// Whether serving several goals counts.
    #[serde(default)]
    multi: bool,
}

/// A range of a parameter.
type Span = (f64, f64);

/// A type of behaviour.
#[derive(Clone, Debug, PartialEq)]
pub struct Family {
    /// Its name.
    pub name: String,
    /// What its members have in common.
    pub about: String,
    tables: [Vec<(String, Span)>; 3],
    numbers: [Option<Span>; 6],
    multi: bool,
}

/// The JSON schema of a family file.
pub fn schema() -> schemars::Schema {
    schemars::schema_for!(FamilyFile)
}

/// Reads a family.
pub fn read(text: &str) -> Result<Family, Mistake> {
    let file: FamilyFile = repertoire_authored::read(text)?;
    let span = |written: &Spanned<SpanFile>, least: f64, open: bool| -> Result<Span, Mistake> {
        let (from, to) = match *written.get_ref() {
            SpanFile::One(both) => (both, both),
            SpanFile::Between(from, to) => (from, to),
        };
        let low_enough = if open { from > least } else { from >= least };
        let wrong = |remedy: String, span: Range<usize>| {
            Err(Mistake::at(text, span, format!("{from} to {to} is no range for this"), remedy))
        };
        if !(from.is_finite() && to.is_finite() && low_enough) {
            let above = if open { "above" } else { "from" };
            return wrong(format!("write numbers {above} {least}"), written.span());
        }
        if from > to {
            return wrong("put the smaller number first".into(), written.span());
        }
        Ok((from, to))
    };
    let table = |entries: &Ordered<Spanned<SpanFile>>| -> Result<Vec<(String, Span)>, Mistake> {
        entries.0.iter().map(|(name, value)| Ok((name.get_ref().clone(), span(value, 0.0, false)?))).collect()
    };
    let number = |written: &Option<Spanned<SpanFile>>, least: f64, open: bool| match written {
        None => Ok(None),
        Some(written) => span(written, least, open).map(Some),
    };
    Ok(Family {
        name: file.name,
        about: file.about,
        tables: [table(&file.goals)?, table(&file.preferences)?, table(&file.costs)?],
        numbers: [
            number(&file.time, 1.0, true)?,
            number(&file.space, 1.0, true)?,
            number(&file.opportunism, 1.0, true)?,
            number(&file.inertia, 0.0, false)?,
            number(&file.altruism, 0.0, false)?,
            number(&file.reputation, 0.0, false)?,
        ],
        multi: file.multi,
    })
}

impl Family {
    /// Members by number, `NAME-1` first; each has a random stream of its own, so that more of them change none.
    pub fn members(&self, count: u32, seed: u64) -> Vec<Profile> {
        let member = |number: u32| {
            let mut stream = Stream::new(seed, u64::from(number), "member");
            self.draw(&format!("{}-{}", self.name, number + 1), &mut stream)
        };
        (0..count).map(member).collect()
    }

    /// A member, drawn evenly from the ranges.
    pub fn draw(&self, name: &str, stream: &mut Stream) -> Profile {
        let mut between = |(from, to): Span| from + (to - from) * stream.unit();
        let [goals, preferences, costs] = self
            .tables
            .each_ref()
            .map(|table| table.iter().map(|(key, span)| (key.clone(), between(*span))).collect());
        let [time, space, opportunism, inertia, altruism, reputation] =
            self.numbers.map(|span| span.map(&mut between));
        Profile {
            name: name.to_owned(),
            about: String::new(),
            family: Some(self.name.clone()),
            influence: true,
            goals,
            preferences,
            costs,
            time,
            space,
            opportunism,
            inertia,
            multi: self.multi,
            altruism,
            reputation,
            combination: Combination::Product,
        }
    }

    /// Whether a profile could be a member: everything in its range, and nothing beside.
    pub fn contains(&self, profile: &Profile) -> bool {
        let tables = [&profile.goals, &profile.preferences, &profile.costs];
        let fits = tables.iter().zip(&self.tables).all(|(own, spans)| {
            own.len() == spans.len()
                && spans
                    .iter()
                    .all(|(key, (from, to))| own.get(key).is_some_and(|value| (from..=to).contains(&value)))
        });
        let numbers = [
            profile.time,
            profile.space,
            profile.opportunism,
            profile.inertia,
            profile.altruism,
            profile.reputation,
        ];
        let inside = numbers.iter().zip(&self.numbers).all(|pair| match pair {
            (None, None) => true,
            (Some(value), Some((from, to))) => (*from..=*to).contains(value),
            _ => false,
        });
        fits && inside && self.multi == profile.multi
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BRUTES: &str = "name = \"brute\"\nopportunism = [4, 12]\ninertia = 0.2\n[preferences]\nbreak = [1.3, 2.0]\nunlock = [0.3, 0.8]\n";

    #[test]
    fn members_are_of_the_family_and_differ() {
        let family = read(BRUTES).unwrap();
        let mut stream = Stream::new(1, 0, "family");
        let members: Vec<Profile> = (0..50).map(|k| family.draw(&format!("m{k}"), &mut stream)).collect();
        assert!(members.iter().all(|member| family.contains(member)));
        assert!(members.windows(2).all(|pair| pair[0].preferences != pair[1].preferences));
        assert!(!family.contains(&Profile::default()));
    }

    #[test]
    fn a_range_below_its_threshold_or_upside_down_is_refused() {
        assert!(read("name = \"x\"\ntime = [1, 3]").unwrap_err().remedy.contains("above 1"));
        assert!(read("name = \"x\"\nspace = [9, 3]").unwrap_err().remedy.contains("smaller"));
        assert!(read("name = \"x\"\n[preferences]\nbreak = -1").unwrap_err().line == 3);
    }
}
