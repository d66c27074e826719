//! Profiles as TOML.
//!
//! ```toml
//! name = "brute"
//! preferences = { break = 1.5, unlock = 0.5 }   # 1 is neutral, more attracts, less repels, 0 forbids
//! opportunism = 6                               # thresholds exceed 1
//! inertia = 0.2
//! multi = true
//! ```

use std::collections::BTreeMap;

use repertoire_authored::{Mistake, Ordered, Spanned};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Combination, Profile};

/// Who a character is: parameters of its motivations.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProfileFile {
    /// What it is called.
    #[serde(default)]
    pub name: Option<String>,
    /// What it is, in a sentence.
    #[serde(default)]
    pub about: String,
    /// The family it belongs to.
    #[serde(default)]
    pub family: Option<String>,
    /// Whether goals matter as much as they say; usually true.
    #[serde(default)]
    pub influence: Option<bool>,
    /// Factors on how much goals matter, by the goal's name.
    #[serde(default)]
    #[schemars(with = "Ordered<f64>")]
    pub goals: Ordered<Spanned<f64>>,
    /// How much it likes to do things: 1 is neutral, more attracts, less repels, 0 forbids. `other` is for the rest; `move` is for
    /// each walk that an alternative needs, and counts only if it is here.
    #[serde(default)]
    #[schemars(with = "Ordered<f64>")]
    pub preferences: Ordered<Spanned<f64>>,
    /// How many steps things take this character. `other` is for the rest; `move` is counted only if it is here.
    #[serde(default)]
    #[schemars(with = "Ordered<f64>")]
    pub costs: Ordered<Spanned<f64>>,
    /// Alternatives that take longer are disliked; above 1.
    #[serde(default)]
    #[schemars(with = "Option<f64>")]
    pub time: Option<Spanned<f64>>,
    /// Alternatives with a longer way are disliked; above 1.
    #[serde(default)]
    #[schemars(with = "Option<f64>")]
    pub space: Option<Spanned<f64>>,
    /// Targets that are nearer attract; above 1.
    #[serde(default)]
    #[schemars(with = "Option<f64>")]
    pub opportunism: Option<Spanned<f64>>,
    /// How much more carrying on with what was begun is worth: 0.1 is a tenth; from 0 up.
    #[serde(default)]
    #[schemars(with = "Option<f64>")]
    pub inertia: Option<Spanned<f64>>,
    /// Deeds that serve several goals are worth more.
    #[serde(default)]
    pub multi: bool,
    /// What others' goals are worth: 0 never helps, 1 as much as one's own; from 0 up.
    #[serde(default)]
    #[schemars(with = "Option<f64>")]
    pub altruism: Option<Spanned<f64>>,
    /// How much the reputation of who asks counts; from 0 up.
    #[serde(default)]
    #[schemars(with = "Option<f64>")]
    pub reputation: Option<Spanned<f64>>,
    /// How evaluations are combined: `product` or `weakest`.
    #[serde(default)]
    pub combination: Combination,
}

/// The JSON schema of a profile file.
pub fn schema() -> schemars::Schema {
    schemars::schema_for!(ProfileFile)
}

/// Reads a profile.
pub fn read(text: &str) -> Result<Profile, Mistake> {
    let file: ProfileFile = repertoire_authored::read(text)?;
    check(text, &file)
}

/// Checks a profile that is part of another file.
pub fn check(text: &str, file: &ProfileFile) -> Result<Profile, Mistake> {
    let table = |entries: &Ordered<Spanned<f64>>, what: &str| -> Result<BTreeMap<String, f64>, Mistake> {
        let mut map = BTreeMap::new();
        for (name, value) in &entries.0 {
            let number = *value.get_ref();
            if !(number.is_finite() && number >= 0.0) {
                return Err(Mistake::at(
                    text,
                    value.span(),
                    format!("{what} of `{}` is {number}", name.get_ref()),
                    "write a number from 0 up",
                ));
            }
            map.insert(name.get_ref().clone(), number);
        }
        Ok(map)
    };
    let threshold = |written: &Option<Spanned<f64>>, what: &str| match written {
        None => Ok(None),
        Some(value) if value.get_ref().is_finite() && *value.get_ref() > 1.0 => Ok(Some(*value.get_ref())),
        Some(value) => Err(Mistake::at(
            text,
            value.span(),
            format!("the threshold of {what} is {}, and is the base of a logarithm", value.get_ref()),
            "write a number above 1, or leave it out to switch the motivation off",
        )),
    };
    let positive = |written: &Option<Spanned<f64>>, what: &str| match written {
        None => Ok(None),
        Some(value) if value.get_ref().is_finite() && *value.get_ref() >= 0.0 => Ok(Some(*value.get_ref())),
        Some(value) => Err(Mistake::at(
            text,
            value.span(),
            format!("{what} is {}", value.get_ref()),
            "write a number from 0 up, or leave it out to switch the motivation off",
        )),
    };
    Ok(Profile {
        name: file.name.clone().unwrap_or_else(|| "nameless".into()),
        about: file.about.clone(),
        family: file.family.clone(),
        influence: file.influence.unwrap_or(true),
        goals: table(&file.goals, "the factor")?,
        preferences: table(&file.preferences, "the preference")?,
        costs: table(&file.costs, "the cost")?,
        time: threshold(&file.time, "time")?,
        space: threshold(&file.space, "space")?,
        opportunism: threshold(&file.opportunism, "opportunism")?,
        inertia: positive(&file.inertia, "inertia")?,
        multi: file.multi,
        altruism: positive(&file.altruism, "altruism")?,
        reputation: positive(&file.reputation, "reputation")?,
        combination: file.combination,
    })
}

/// Writes a profile as TOML that [`read`] takes back.
pub fn write(profile: &Profile) -> String {
    let quote = |text: &str| format!("{:?}", text);
    let mut text = format!("name = {}\n", quote(&profile.name));
    if !profile.about.is_empty() {
        text += &format!("about = {}\n", quote(&profile.about));
    }
    if let Some(family) = &profile.family {
        text += &format!("family = {}\n", quote(family));
    }
    if !profile.influence {
        text += "influence = false\n";
    }
    let numbers = [
        ("time", profile.time),
        ("space", profile.space),
        ("opportunism", profile.opportunism),
        ("inertia", profile.inertia),
        ("altruism", profile.altruism),
        ("reputation", profile.reputation),
    ];
    for (name, value) in numbers {
        if let Some(value) = value {
            text += &format!("{name} = {value:?}\n");
        }
    }
    if profile.multi {
        text += "multi = true\n";
    }
    if profile.combination == Combination::Weakest {
        text += "combination = \"weakest\"\n";
    }
    for (name, table) in
        [("goals", &profile.goals), ("preferences", &profile.preferences), ("costs", &profile.costs)]
    {
        if !table.is_empty() {
            text += &format!("\n[{name}]\n");
            for (key, value) in table {
                text += &format!("{} = {value:?}\n", quote(key));
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_of_one_or_less_is_refused_with_its_line() {
        for wrong in ["1", "0.5", "-3", "inf", "nan"] {
            let mistake = read(&format!("name = \"x\"\nopportunism = {wrong}")).unwrap_err();
            assert_eq!(mistake.line, 2, "{wrong}");
            assert!(mistake.remedy.contains("above 1"), "{mistake}");
        }
        assert!(read("time = 1.0001").is_ok());
    }

    #[test]
    fn negative_preferences_are_refused() {
        let mistake = read("[preferences]\nbreak = -1").unwrap_err();
        assert_eq!(mistake.line, 2);
        assert!(mistake.what.contains("`break`"), "{mistake}");
    }

    #[test]
    fn what_is_written_is_read_back() {
        for name in super::super::PROFILES.iter().map(|(name, _)| *name) {
            let profile = super::super::profile(name).unwrap();
            assert_eq!(read(&write(&profile)).as_ref(), Ok(&profile), "{name}");
        }
    }
}
