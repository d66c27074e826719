//! Scenario files as they are written: plain serde structures, checked by the reader.

use std::fmt;

use repertoire_authored::{Mistake, Ordered, Spanned};
use repertoire_character::laws::{InteractionFile, KindFile, Raw};
use repertoire_character::profile::file::ProfileFile;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Visitor};

use super::Knows;

/// A scenario: a map, what lies on it, who acts in it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ScenarioFile {
    /// What it is called.
    pub(super) name: String,
    /// What it shows.
    #[serde(default)]
    pub(super) about: String,
    /// Laws that come with repertoire to start from; usually `table-3`.
    #[serde(default, rename = "use")]
    #[schemars(with = "Option<Vec<String>>")]
    pub(super) uses: Option<Vec<Spanned<String>>>,
    /// How many steps it usually runs.
    #[serde(default)]
    pub(super) steps: Option<u32>,
    /// The map, a letter for each place: `#` a wall, `.` the floor, anything else a sign.
    #[schemars(with = "String")]
    pub(super) map: Spanned<String>,
    /// What the letters of the map are, where they are not the signs of kinds.
    #[serde(default)]
    pub(super) signs: Ordered<SignFile>,
    /// More interactions, or other ones.
    #[serde(default)]
    pub(super) interaction: Ordered<InteractionFile>,
    /// More kinds, or other ones.
    #[serde(default)]
    pub(super) kind: Ordered<KindFile>,
    /// Who acts.
    #[serde(default)]
    pub(super) character: Ordered<CharacterFile>,
}

/// What a letter of the map is.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SignFile {
    /// Its kind.
    #[schemars(with = "String")]
    pub(super) kind: Spanned<String>,
    /// Its name, if there is one of it.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub(super) name: Option<Spanned<String>>,
    /// Properties that differ from the usual ones.
    #[serde(default)]
    #[schemars(with = "Ordered<Raw>")]
    pub(super) with: Ordered<Spanned<Raw>>,
}

/// Who acts.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CharacterFile {
    /// Its letter on the map.
    #[schemars(with = "String")]
    pub(super) at: Spanned<String>,
    /// Its kind; usually `person`.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub(super) kind: Option<Spanned<String>>,
    /// How far it sees, in places.
    #[serde(default)]
    #[schemars(with = "Option<f64>")]
    pub(super) sight: Option<Spanned<f64>>,
    /// How wide it sees, in degrees; usually all around.
    #[serde(default)]
    #[schemars(with = "Option<f64>")]
    pub(super) view: Option<Spanned<f64>>,
    /// How far it hears others ask for help; usually as far as it sees.
    #[serde(default)]
    #[schemars(with = "Option<f64>")]
    pub(super) hearing: Option<Spanned<f64>>,
    /// What it knows at the start.
    #[serde(default)]
    pub(super) knows: Knows,
    /// After how many steps a place that it saw is worth another look while it searches; usually 40 where others act too, and
    /// never where it is alone.
    #[serde(default)]
    #[schemars(with = "Option<u32>")]
    pub(super) looks_again: Option<Spanned<u32>>,
    /// Properties that differ from the usual ones.
    #[serde(default)]
    #[schemars(with = "Ordered<Raw>")]
    pub(super) with: Ordered<Spanned<Raw>>,
    /// What happens to it each step: `actor.energy.add(-1)`.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub(super) each_step: Option<Spanned<String>>,
    /// What it wants.
    #[serde(default)]
    pub(super) goals: Ordered<GoalFile>,
    /// Who it is: the name of a profile, or its parameters.
    #[serde(default)]
    pub(super) profile: Option<ProfileRef>,
    /// A mind in which motivations are one voice among others: a file beside this one, or its text. Its tasks are interactions,
    /// `move`, `explore` and `wait`, and its opinions have `motivations`.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub(super) mind: Option<Spanned<String>>,
    /// How the mind's sensors and facts are read: for each of their values a condition, `near = "distance(actor, wolf) <= 3"`. The
    /// first that holds is read.
    #[serde(default)]
    #[schemars(with = "Ordered<Ordered<String>>")]
    pub(super) senses: Ordered<Ordered<Spanned<String>>>,
    /// What is said of others: a factor on their reputation, by name; 1 is neutral.
    #[serde(default)]
    #[schemars(with = "Ordered<f64>")]
    pub(super) heard_of: Ordered<Spanned<f64>>,
}

/// What somebody wants.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GoalFile {
    /// What should be so: `actor.own(apple1)`.
    #[schemars(with = "String")]
    pub(super) want: Spanned<String>,
    /// How much it matters, always the same; usually 1.
    #[serde(default)]
    #[schemars(with = "Option<f64>")]
    pub(super) influence: Option<Spanned<f64>>,
    /// How much it matters, falling as in figure 10.
    #[serde(default)]
    pub(super) sigmoid: Option<SigmoidFile>,
    /// How much it matters, along straight lines.
    #[serde(default)]
    pub(super) points: Option<PointsFile>,
    /// Whether others are asked to help.
    #[serde(default)]
    pub(super) asks: bool,
}

/// A sigmoid: `max / (1 + exp((of - centre) / slope))`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SigmoidFile {
    /// What it depends on: `actor.energy`.
    #[schemars(with = "String")]
    pub(super) of: Spanned<String>,
    /// The most.
    #[schemars(with = "f64")]
    pub(super) max: Spanned<f64>,
    /// Where it is half of that.
    #[schemars(with = "f64")]
    pub(super) centre: Spanned<f64>,
    /// How gently it falls; not 0.
    #[schemars(with = "f64")]
    pub(super) slope: Spanned<f64>,
}

/// Straight lines between points.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PointsFile {
    /// What it depends on.
    #[schemars(with = "String")]
    pub(super) of: Spanned<String>,
    /// Pairs of state and value, by increasing state.
    #[schemars(with = "Vec<(f64, f64)>")]
    pub(super) points: Spanned<Vec<(f64, f64)>>,
}

/// A profile by name, or written out.
#[derive(Debug)]
pub(super) enum ProfileRef {
    Name(String),
    Own(Box<ProfileFile>),
}

impl<'de> Deserialize<'de> for ProfileRef {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameOrTable;
        impl<'de> Visitor<'de> for NameOrTable {
            type Value = ProfileRef;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a profile, or a table of its parameters")
            }
            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<ProfileRef, E> {
                Ok(ProfileRef::Name(name.to_owned()))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ProfileRef, A::Error> {
                let file = ProfileFile::deserialize(MapAccessDeserializer::new(map))?;
                Ok(ProfileRef::Own(Box::new(file)))
            }
        }
        deserializer.deserialize_any(NameOrTable)
    }
}

impl JsonSchema for ProfileRef {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ProfileOrName".into()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let own = generator.subschema_for::<ProfileFile>();
        schemars::json_schema!({ "anyOf": [{ "type": "string" }, own] })
    }
}

/// Why a scenario is refused: a mistake in it, or in a file it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// In the scenario itself.
    Here(Mistake),
    /// In something it names.
    There(String),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Here(mistake) => mistake.fmt(f),
            Refused::There(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Refused {}

impl From<Mistake> for Refused {
    fn from(mistake: Mistake) -> Self {
        Refused::Here(mistake)
    }
}
