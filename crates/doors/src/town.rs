//! `ask town`: a town that lives, from one line to the next.

use std::cell::RefCell;
use std::sync::Arc;

use repertoire_worlds::town::{
    Account, At, Charter, Event, Minds, Past, Town, Why, charter, check, moment, read,
};
use schemars::JsonSchema;
use serde::Serialize;

use crate::door::{Keeps, line, only, question};
use crate::{DoorError, Library};

pub(super) struct Towns;

/// The most that may live in a town behind a door, and the most minutes of inhabitants that one line may run: a day of a million.
const MOST: u32 = 1_000_000;
const MOST_WORK: u64 = 1_440_000_000;
/// Bytes for the past of a town.
const ROOM: usize = 256 << 20;

impl Keeps for Towns {
    const NAME: &'static str = "town";
    const ABOUT: &'static str = "let a town live: what came of it, and why anybody does what they do; loaded, it goes on from line to line, and back";
    const EXAMPLE: &'static str =
        r#"{"town":"western","inhabitants":60,"seed":1,"at":"day 1 10:30","why":[17]}"#;
    const LOAD_EXAMPLE: &'static str = r#"{"load":{"town":"western","inhabitants":60,"seed":1},"as":"mine"}"#;
    const USE_EXAMPLE: &'static str =
        r#"{"use":"mine","at":"day 1 12:00","events":["day 1 11:00 dry well 6h"],"why":[3]}"#;
    type Request = Request;
    type Response = Response;
    type Thing = Thing;
    type Question = Question;
    type Kept = Kept;
    type Last = ();

    fn answer(request: Request, _: &mut (), library: &dyn Library) -> Result<String, DoorError> {
        let (thing, question) = request.split();
        Self::ask(&[&Self::keep(thing, library)?], question)
    }

    fn keep(thing: Thing, library: &dyn Library) -> Result<Kept, DoorError> {
        let found = find(&thing.town, library)?;
        let inhabitants = thing.inhabitants.unwrap_or(found.inhabitants);
        if inhabitants == 0 || inhabitants > MOST {
            return Err(format!("`inhabitants` is {inhabitants}: 1 to {MOST} are answered here").into());
        }
        let mut minds = Minds::default();
        for without in thing.without {
            match without {
                Without::Plans => minds.plan = false,
                Without::Replans => minds.replan = false,
                Without::Families => minds.families = false,
            }
        }
        let town = Town::new(found, inhabitants, thing.seed.unwrap_or(1), minds);
        let town = town.map_err(|error| error.to_string())?;
        let past = Past::new(&town, 60, ROOM);
        Ok(Kept(RefCell::new((town, past))))
    }

    fn ask(used: &[&Kept], question: Question) -> Result<String, DoorError> {
        line(&only(used)?.answer(&question)?)
    }
}

/// A shipped town, a text that is one, or a file; one that cannot work is refused.
fn find(town: &str, library: &dyn Library) -> Result<Arc<Charter>, DoorError> {
    if let Some(shipped) = charter(town) {
        return Ok(shipped);
    }
    let (text, name) = match town.contains('\n') {
        true => (town.to_owned(), "`town`"),
        false => {
            let text = library.text(town);
            (text.map_err(|source| DoorError::File { name: town.to_owned(), source })?, town)
        }
    };
    let charter = read(&text).map_err(|mistake| format!("{name}:{mistake}"))?;
    match check(&charter).first() {
        Some(mistake) => Err(format!("{name}:{mistake}").into()),
        None => Ok(Arc::new(charter)),
    }
}

/// A town as it is now, and its past.
pub(crate) struct Kept(RefCell<(Town, Past)>);

/// What can be taken away from inhabitants.
#[derive(Clone, Copy, Debug, serde::Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Without {
    /// They do what gets nearest to the goal in one step.
    Plans,
    /// They put a goal off when its plan fails.
    Replans,
    /// They are all the same.
    Families,
}

question! {
    /// A town.
    load {
        /// A town: the name of a shipped one, TOML text, or a file.
        town: String,
        /// How many live there; the town says what is usual.
        #[serde(default)]
        inhabitants: Option<u32>,
        /// The seed; usually 1.
        #[serde(default)]
        seed: Option<u64>,
        /// What to take away from its inhabitants: `plans`, `replans`, `families`.
        #[serde(default)]
        without: Vec<Without>,
    }
    ask {
        /// Until when it lives, such as `day 1 10:30` or a number of minutes as text; a moment in the past goes back to it. Left
        /// out, no time passes.
        #[serde(default)]
        at: Option<String>,
        /// Events by hand, each with its moment, such as `day 1 14:00 dry well 6h`.
        #[serde(default)]
        events: Vec<String>,
        /// Who explains what they do, by their numbers.
        #[serde(default)]
        why: Vec<u32>,
    }
}

/// The answer.
#[derive(Serialize, JsonSchema)]
pub(super) struct Response {
    /// What came of the run so far.
    account: Account,
    /// For each inhabitant that was asked about: needs, goal, plan with the reason of each step, and what last went wrong.
    why: Vec<Why>,
}

impl Kept {
    fn answer(&self, asked: &Question) -> Result<Response, String> {
        let (town, past) = &mut *self.0.borrow_mut();
        let to = match &asked.at {
            None => town.now(),
            Some(written) => moment(written)
                .filter(|to| *to < 1 << 30)
                .ok_or_else(|| format!("`at` is `{written}`, which is no moment: write `day 1 10:30`"))?,
        };
        if let Some(who) = asked.why.iter().find(|who| **who as usize >= town.len()) {
            return Err(format!(
                "`why` has {who}: nobody has this number; they go from 0 to {}",
                town.len() - 1
            ));
        }
        let work = u64::from(to.saturating_sub(town.now())) * town.len() as u64;
        if work > MOST_WORK {
            return Err(format!("`at` is {}: too far for one line; go there in several", At(to)));
        }
        let read = |written: &String| Event::with_moment(written, town.charter());
        let events: Result<Vec<Event>, _> = asked.events.iter().map(read).collect();
        let events = events.map_err(|error| format!("`events`: {error}"))?;
        if to < town.now() {
            *town = past.at(town, to).ok_or("the town was not there yet")?;
        }
        events.into_iter().for_each(|event| town.add(event));
        while town.now() < to {
            town.tick();
            past.look(town);
        }
        Ok(Response { account: town.account(), why: asked.why.iter().map(|who| town.why(*who)).collect() })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use crate::door;

    fn answers(lines: &[&str]) -> Vec<Result<Value, String>> {
        let mut session = door("town").expect("there is such a door").session();
        let answer = |line: &&str| session.answer(line).map_err(|error| error.to_string());
        lines
            .iter()
            .map(answer)
            .map(|line| line.map(|line| serde_json::from_str(&line).expect("JSON")))
            .collect()
    }

    fn hash(answer: &Result<Value, String>) -> &str {
        answer.as_ref().expect("an answer")["account"]["state_hash"].as_str().expect("a hash")
    }

    #[test]
    fn a_loaded_town_goes_on_and_back_and_is_what_one_question_gives() {
        let all = answers(&[
            r#"{"load":{"town":"western","inhabitants":60,"seed":4},"as":"w"}"#,
            r#"{"use":"w","at":"day 1 09:00"}"#,
            r#"{"use":"w","at":"day 1 15:00"}"#,
            r#"{"use":"w","at":"day 1 09:00"}"#,
            r#"{"town":"western","inhabitants":60,"seed":4,"at":"540"}"#,
        ]);
        assert_eq!(hash(&all[1]), hash(&all[3]));
        assert_eq!(hash(&all[1]), hash(&all[4]));
        assert_ne!(hash(&all[1]), hash(&all[2]));
    }

    #[test]
    fn what_is_refused_changes_nothing() {
        let all = answers(&[
            r#"{"load":{"town":"western","inhabitants":60},"as":"w"}"#,
            r#"{"use":"w","at":"day 1 09:00"}"#,
            r#"{"use":"w","at":"noonish"}"#,
            r#"{"use":"w","at":"day 1 10:00","why":[60]}"#,
            r#"{"use":"w","at":"day 1 10:00","events":["day 1 09:30 flood well"]}"#,
            r#"{"use":"w","at":"100000000"}"#,
            r#"{"use":"w"}"#,
        ]);
        for (refused, says) in [(2, "no moment"), (3, "from 0 to 59"), (4, "remedy"), (5, "too far")] {
            let error = all[refused].as_ref().expect_err("it is refused");
            assert!(error.contains(says), "{error}");
        }
        assert_eq!(hash(&all[1]), hash(&all[6]));
    }
}
