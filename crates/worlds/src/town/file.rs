//! The shape of a town's file: what people write, before it is checked.

use repertoire_authored::{Ordered, Spanned};
use repertoire_plan::domain;
use schemars::JsonSchema;
use serde::Deserialize;

/// What a town's file holds beside its planning domain.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct TownFile {
    /// What the town is called.
    pub name: String,
    /// What it is, in a sentence or two.
    #[serde(default)]
    pub about: String,
    /// How many live here unless told otherwise.
    #[schemars(with = "u32")]
    pub inhabitants: Spanned<u32>,
    /// How many cells of the map somebody walks in a minute.
    #[serde(default = "usual_pace")]
    #[schemars(with = "u32")]
    pub pace: Spanned<u32>,
    /// The map, drawn as text: `#` is a wall, `.` and blanks are ground, other signs are those of places. Without it, or for more
    /// inhabitants than its homes hold, a map is generated.
    #[schemars(with = "Option<String>")]
    pub map: Option<Spanned<String>>,
    /// How many live in one home: from, to.
    #[serde(default = "usual_household")]
    #[schemars(with = "[u32; 2]")]
    pub household: Spanned<Vec<u32>>,
    /// Coins that everybody has at first.
    #[serde(default)]
    pub coins: u16,
    /// Kinds of places. `home` must be one of them.
    pub places: Ordered<PlaceFile>,
    /// Where actions can be done, how long they take, and what they use and make there.
    pub ways: Vec<WayFile>,
    /// What grows until a goal eases it.
    pub needs: Ordered<NeedFile>,
    /// Why each goal is pursued, and what happens when it is met.
    pub aims: Ordered<AimFile>,
    /// Who lives here: a section for each class.
    pub people: Ordered<PeopleFile>,
    /// Families of profiles: how much needs matter to their members, and how patient they are.
    #[serde(default)]
    pub families: Ordered<FamilyFile>,
    /// Variables that are beliefs about places.
    #[serde(default)]
    pub beliefs: Ordered<BeliefFile>,
    /// Variables that are the same for the whole town, and heard of.
    #[serde(default)]
    pub news: Ordered<NewsFile>,
    /// What happens, and when.
    #[serde(default)]
    pub events: Vec<EventFile>,
}

/// The keys of a town's file that are not those of its domain.
pub(super) const KEYS: [&str; 16] = [
    "name",
    "about",
    "inhabitants",
    "pace",
    "map",
    "household",
    "coins",
    "places",
    "ways",
    "needs",
    "aims",
    "people",
    "families",
    "beliefs",
    "news",
    "events",
];

fn usual_pace() -> Spanned<u32> {
    Spanned::new(0..0, 8)
}

fn usual_household() -> Spanned<Vec<u32>> {
    Spanned::new(0..0, vec![1, 5])
}

/// A kind of place.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PlaceFile {
    /// Its sign on the map.
    #[schemars(with = "String")]
    pub sign: Spanned<String>,
    /// In generated towns there is one for this many inhabitants. Homes are as many as the households.
    #[schemars(with = "Option<u32>")]
    pub every: Option<Spanned<u32>>,
    /// How many it serves at a time, the others wait in line; any number without this.
    #[schemars(with = "Option<u32>")]
    pub serves: Option<Spanned<u32>>,
    /// When it is open, such as `08:00-18:00`; always without this. Everybody knows the hours.
    #[schemars(with = "Option<String>")]
    pub open: Option<Spanned<String>>,
    /// What it has in stock.
    #[serde(default)]
    pub stock: Ordered<StockFile>,
}

/// Something that a place has in stock.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StockFile {
    /// How much there is at first.
    pub starts: u32,
    /// How much there can be.
    #[schemars(with = "u32")]
    pub most: Spanned<u32>,
    /// One comes by itself every this many minutes; none without this.
    pub minutes: Option<u32>,
}

/// A way to do one or more actions.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WayFile {
    /// The actions.
    #[serde(rename = "do")]
    #[schemars(with = "Vec<String>")]
    pub actions: Vec<Spanned<String>>,
    /// Where: a kind of place (the nearest that will do), `home` or `work`.
    #[schemars(with = "String")]
    pub at: Spanned<String>,
    /// How many minutes it takes: one number, or from and to.
    #[schemars(with = "Vec<u32>")]
    pub takes: Spanned<Vec<u32>>,
    /// What it takes from the stock of the place.
    #[serde(default)]
    #[schemars(with = "Ordered<u32>")]
    pub uses: Ordered<Spanned<u32>>,
    /// What it adds to the stock of the place when it is done.
    #[serde(default)]
    #[schemars(with = "Ordered<u32>")]
    pub makes: Ordered<Spanned<u32>>,
    /// What it adds to the stock of one's home when it is done.
    #[serde(default)]
    #[schemars(with = "Ordered<u32>")]
    pub brings: Ordered<Spanned<u32>>,
    /// How many coins it costs.
    #[serde(default)]
    pub costs: u16,
}

/// A need: between 0 and 1, growing by itself.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NeedFile {
    /// How many hours it takes to grow from nothing to the full.
    #[schemars(with = "f64")]
    pub hours: Spanned<f64>,
    /// How much it matters: from, to. Drawn once for each inhabitant, unless their family says otherwise.
    #[schemars(with = "Option<[f64; 2]>")]
    pub matters: Option<Spanned<Vec<f64>>>,
    /// When it is felt more, such as `21:00-05:00`.
    #[schemars(with = "Option<String>")]
    pub strong: Option<Spanned<String>>,
    /// How many times as much it is felt then.
    #[schemars(with = "Option<f64>")]
    pub times: Option<Spanned<f64>>,
}

/// Why a goal is pursued: for a need, or because it is always worth as much.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AimFile {
    /// The need that it serves.
    #[schemars(with = "Option<String>")]
    pub need: Option<Spanned<String>>,
    /// What it is always worth, where it serves no need. A need that is fully felt and matters 1 is worth 1.
    #[schemars(with = "Option<f64>")]
    pub worth: Option<Spanned<f64>>,
    /// By how much it eases needs when it is met; its own need by 1 without this.
    #[serde(default)]
    #[schemars(with = "Ordered<f64>")]
    pub eases: Ordered<Spanned<f64>>,
    /// What becomes of variables when it is met, such as `meal=none`, so that it can be pursued again.
    #[schemars(with = "Option<String>")]
    pub then: Option<Spanned<String>>,
    /// How many coins it earns.
    #[serde(default)]
    pub pays: u16,
}

/// The people of a class.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PeopleFile {
    /// How many there are, in proportion to the other classes.
    #[schemars(with = "f64")]
    pub share: Spanned<f64>,
    /// The kind of place they work at.
    #[schemars(with = "Option<String>")]
    pub work: Option<Spanned<String>>,
    /// The families they come from; all without this.
    #[schemars(with = "Option<Vec<String>>")]
    pub families: Option<Vec<Spanned<String>>>,
}

/// A family of profiles.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FamilyFile {
    /// How much each need matters: from, to.
    #[serde(default)]
    #[schemars(with = "Ordered<[f64; 2]>")]
    pub matters: Ordered<Spanned<Vec<f64>>>,
    /// How many minutes they wait in line: from, to.
    #[schemars(with = "Option<[u32; 2]>")]
    pub patience: Option<Spanned<Vec<u32>>>,
}

/// A variable that says what somebody believes of places.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct BeliefFile {
    /// The kinds of places that it is about; all without this.
    #[schemars(with = "Option<Vec<String>>")]
    pub about: Option<Vec<Spanned<String>>>,
    /// Its value while nothing else was met.
    #[schemars(with = "String")]
    pub usual: Spanned<String>,
    /// Its value after finding nothing left there.
    #[schemars(with = "Option<String>")]
    pub empty: Option<Spanned<String>>,
    /// Its value after finding it closed.
    #[schemars(with = "Option<String>")]
    pub closed: Option<Spanned<String>>,
    /// Its value after finding more people in line than one has patience for.
    #[schemars(with = "Option<String>")]
    pub full: Option<Spanned<String>>,
    /// Its value after finding it too dear.
    #[schemars(with = "Option<String>")]
    pub dear: Option<Spanned<String>>,
    /// Its value after fleeing from a fire there.
    #[schemars(with = "Option<String>")]
    pub fire: Option<Spanned<String>>,
}

/// A variable that is the same for the whole town.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewsFile {
    /// How probable it is, each time somebody decides what to do, that they hear of a change.
    #[schemars(with = "f64")]
    pub heard: Spanned<f64>,
}

/// Something that happens.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EventFile {
    /// When, such as `day 1 14:00`; days are counted from 1.
    #[schemars(with = "String")]
    pub at: Spanned<String>,
    /// What: `dry well 6h`, `close saloon 3h`, `fire forge 2h`, `price store x3 1d`, `tell outlaw=free`; with `50%` for every
    /// second place of the kind.
    #[schemars(with = "String")]
    pub what: Spanned<String>,
}

/// The JSON schema of a town's file.
pub fn schema() -> schemars::Schema {
    let mut whole = schemars::schema_for!(TownFile);
    let domain = domain::schema();
    let theirs = domain.get("properties").and_then(|all| all.as_object()).cloned().unwrap_or_default();
    if let Some(all) = whole.get_mut("properties").and_then(|all| all.as_object_mut()) {
        for key in domain::CLASS_KEYS {
            if let Some(property) = theirs.get(key) {
                all.insert(key.to_owned(), property.clone());
            }
        }
    }
    let mut definitions = whole.get("$defs").and_then(|all| all.as_object()).cloned().unwrap_or_default();
    if let Some(more) = domain.get("$defs").and_then(|all| all.as_object()) {
        for (name, definition) in more {
            definitions.entry(name.clone()).or_insert_with(|| definition.clone());
        }
    }
    whole.insert("$defs".into(), definitions.into());
    whole.insert("additionalProperties".into(), false.into());
    whole
}
