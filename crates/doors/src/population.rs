//! `ask population`: plans for a whole population of a domain, in the domain's names.

use std::cell::RefCell;
use std::collections::BTreeMap;

use repertoire_plan::domain::{self, Domain};
use repertoire_plan::population::{Named, Town};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::door::{Keeps, line, only, question};
use crate::{DoorError, Library};

pub(super) struct Populations;

impl Keeps for Populations {
    const NAME: &'static str = "population";
    const ABOUT: &'static str = "plans for many characters of a domain at once";
    const EXAMPLE: &'static str = r#"{"domain":"western","characters":[{"class":"Sheriff","state":{"gun":"drawn"}},{"class":"Hunter","goal":"HuntGame"}]}"#;
    const LOAD_EXAMPLE: &'static str = r#"{"load":{"domain":"name = \"lamps\"\n[variables]\nlamp = [\"off\", \"on\"]\n[actions]\nlight = \"lamp: off -> on\"\n[goals]\nlit = \"lamp=on\"\n"},"as":"mine"}"#;
    const USE_EXAMPLE: &'static str = r#"{"use":"mine","characters":[{},{"state":{"lamp":"on"}}],"groups":[{"goal":"lit","states":[[0],[1]]}]}"#;
    type Request = Request;
    type Response = Response;
    type Thing = Thing;
    type Question = Question;
    type Kept = Kept;
    /// The last domain that came with its question.
    type Last = Option<(String, Kept)>;

    fn answer(request: Request, last: &mut Self::Last, library: &dyn Library) -> Result<String, DoorError> {
        let (thing, question) = request.split();
        let kept = match last.take() {
            Some((known, kept)) if known == thing.domain => kept,
            _ => Self::keep(Thing { domain: thing.domain.clone() }, library)?,
        };
        let (_, kept) = last.insert((thing.domain, kept));
        Self::ask(&[kept], question)
    }

    fn keep(thing: Thing, library: &dyn Library) -> Result<Kept, DoorError> {
        let domain = read(&thing.domain, library)?;
        let town = Town::new(&domain).map_err(|error| error.to_string())?;
        Ok(Kept { domain, town: RefCell::new(town) })
    }

    fn ask(used: &[&Kept], question: Question) -> Result<String, DoorError> {
        line(&only(used)?.answer(&question)?)
    }
}

/// A shipped domain, a text that is one, or a file.
fn read(domain: &str, library: &dyn Library) -> Result<Domain, DoorError> {
    if let Some(shipped) = domain::domain(domain) {
        return Ok(shipped);
    }
    if domain.contains('\n') {
        return Ok(domain::read(domain).map_err(|mistake| format!("`domain`:{mistake}"))?);
    }
    let text = library.text(domain);
    let text = text.map_err(|source| DoorError::File { name: domain.to_owned(), source })?;
    Ok(domain::read(&text).map_err(|mistake| format!("{domain}:{mistake}"))?)
}

/// A domain and a table of plans for each of its classes.
pub(crate) struct Kept {
    domain: Domain,
    town: RefCell<Town>,
}

question! {
    /// A population.
    load {
        /// A domain: the name of a shipped one, TOML text, or a file.
        domain: String,
    }
    ask {
        /// Characters by name.
        #[serde(default)]
        characters: Vec<CharacterRequest>,
        /// Many characters of one class and goal by numbers; they come after `characters`.
        #[serde(default)]
        groups: Vec<GroupRequest>,
    }
}

/// A character.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CharacterRequest {
    /// Its class; may be left out if there is one.
    #[serde(default)]
    class: Option<String>,
    /// What it wants; may be left out if its class wants one thing.
    #[serde(default)]
    goal: Option<String>,
    /// Values other than the usual start.
    #[serde(default)]
    state: BTreeMap<String, String>,
}

/// Characters of one class that want the same.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GroupRequest {
    /// Their class; may be left out if there is one.
    #[serde(default)]
    class: Option<String>,
    /// What they want; may be left out if their class wants one thing.
    #[serde(default)]
    goal: Option<String>,
    /// The state of each: the number of a value for each variable of the class (those that all share first).
    states: Vec<Vec<u16>>,
}

/// The answer.
#[derive(Serialize, JsonSchema)]
pub(super) struct Response {
    /// The distinct plans, as names of actions.
    plans: Vec<Vec<String>>,
    /// For each character the number of its plan; null if it has none.
    of: Vec<Option<u32>>,
    /// How many are proved to have no plan.
    unsolvable: usize,
    /// For how many the budget ran out first.
    gave_up: usize,
}

impl Kept {
    fn answer(&self, asked: &Question) -> Result<Response, String> {
        let town = &mut *self.town.borrow_mut();
        town.clear();
        let mut characters: Vec<(usize, u32)> = Vec::new();
        for (index, character) in asked.characters.iter().enumerate() {
            let state: Vec<(&str, &str)> =
                character.state.iter().map(|(variable, value)| (variable.as_str(), value.as_str())).collect();
            let named =
                Named { class: character.class.as_deref(), goal: character.goal.as_deref(), state: &state };
            let (class, key) =
                town.key_of(&self.domain, &named).map_err(|error| format!("character {index}: {error}"))?;
            characters.push((class, town.add(class, key)));
        }
        for (index, group) in asked.groups.iter().enumerate() {
            let named = Named { class: group.class.as_deref(), goal: group.goal.as_deref(), state: &[] };
            let (class, key) =
                town.key_of(&self.domain, &named).map_err(|error| format!("group {index}: {error}"))?;
            let (_, bits) = town.shape(class);
            let goal = key.checked_shr(bits).unwrap_or(0) as usize;
            for (at, state) in group.states.iter().enumerate() {
                let key = town
                    .key(class, goal, state)
                    .map_err(|error| format!("group {index}, state {at}: {error}"))?;
                characters.push((class, town.add(class, key)));
            }
        }
        town.plan_all();
        Ok(self.told(town, &characters))
    }

    fn told(&self, town: &Town, characters: &[(usize, u32)]) -> Response {
        let mut numbers: BTreeMap<(usize, &[u8]), u32> = BTreeMap::new();
        let mut response = Response { plans: Vec::new(), of: Vec::new(), unsolvable: 0, gave_up: 0 };
        for &(class, character) in characters {
            let handle = town.handles(class)[character as usize];
            let Some(plan) = town.plan_of(handle) else {
                let proved = town.is_unsolvable(handle);
                response.unsolvable += usize::from(proved);
                response.gave_up += usize::from(!proved);
                response.of.push(None);
                continue;
            };
            let next = response.plans.len() as u32;
            let number = *numbers.entry((class, plan)).or_insert(next);
            if number == next {
                let actions = &self.domain.classes[class].actions;
                let name = |&action: &u8| self.domain.actions[actions[usize::from(action)] as usize].clone();
                response.plans.push(plan.iter().map(name).collect());
            }
            response.of.push(Some(number));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use crate::door;

    #[test]
    fn plans_for_a_domain_of_the_users_own_by_name_and_by_number() {
        let mut session = door("population").unwrap().session();
        let (load, ask) = {
            let loading = session.door().loading.as_ref().unwrap();
            (loading.load_example, loading.use_example)
        };
        assert_eq!(session.answer(load).unwrap(), r#"{"loaded":"mine"}"#);
        for _ in 0..2 {
            assert_eq!(
                session.answer(ask).unwrap(),
                r#"{"plans":[["light"],[]],"of":[0,1,0,1],"unsolvable":0,"gave_up":0}"#
            );
        }
    }

    #[test]
    fn says_who_does_not_fit_and_what_would() {
        let door = door("population").unwrap();
        let wrong = |line: &str| door.answer(line).unwrap_err().to_string();
        let class = wrong(r#"{"domain":"western","characters":[{"class":"Sherif"}]}"#);
        assert!(
            class.contains("character 0: there is no class `Sherif`") && class.contains("Sheriff"),
            "{class}"
        );
        let value =
            wrong(r#"{"domain":"western","characters":[{"class":"Sheriff","state":{"gun":"lost"}}]}"#);
        assert!(value.contains("`lost` is not a value of `gun`"), "{value}");
        let state = wrong(r#"{"domain":"western","groups":[{"class":"Sheriff","states":[[9,9,9,9]]}]}"#);
        assert!(state.contains("group 0, state 0"), "{state}");
        let file = wrong(r#"{"domain":"nowhere.toml","characters":[]}"#);
        assert!(file.contains("nowhere.toml"), "{file}");
    }
}
