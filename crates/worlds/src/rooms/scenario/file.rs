//! Reading scenarios.

use std::collections::BTreeMap;
use std::sync::Arc;

use repertoire_authored::{Mistake, Ordered, Spanned, Unavailable, inside, nearest};
use repertoire_character::expression::{
    Condition, Fault, Object, Scope, Term, Test, Who, parse_action, parse_condition,
};
use repertoire_character::laws::{InteractionFile, KindFile, LawsPart, Raw, build};
use repertoire_character::profile::file::check;
use repertoire_character::profile::{self};
use repertoire_character::{Goal, Influence, KindId, Laws, PlaceId, Profile, Roster, ThingId, Value};
use repertoire_mind::game::Design;
use serde::Deserialize;

use super::format::{CharacterFile, GoalFile, ProfileRef, Refused, ScenarioFile, SignFile};
use super::{Part, Scenario, Start, shipped};
use crate::rooms::grid::Grid;
use crate::rooms::mind::{MOTIVATIONS, Reads, RoomMind, WAIT, Word};

/// The JSON schema of a scenario file.
pub fn schema() -> schemars::Schema {
    schemars::schema_for!(ScenarioFile)
}

/// More places than this are a mistake.
const MOST_PLACES: usize = 250_000;
/// What a character sees if nothing is said.
const USUAL_SIGHT: f64 = 8.0;
/// After how many steps a place is worth another look, where others act and nothing is said.
const USUAL_LOOKS_AGAIN: u32 = 40;
/// How long a scenario runs if nothing is said.
const USUAL_STEPS: u32 = 200;

/// Reads a scenario. `load` finds the text of a profile that does not come with the library.
pub fn read(
    text: &str,
    load: &mut dyn FnMut(&str) -> Result<String, Unavailable>,
) -> Result<Scenario, Refused> {
    let file: ScenarioFile = repertoire_authored::read(text)?;
    let mut laws = laws_of(text, &file)?;
    let map = read_map(text, &file.map)?;
    let grid = map.grid;
    let mut maker = Maker { text, things: Vec::new(), roster: Vec::new() };
    maker.place_things(&file, &map.signs, &mut laws)?;
    let bodies = maker.place_characters(&file, &map.signs, &mut laws)?;
    let mut characters = Vec::new();
    let mut notes = Vec::new();
    for ((name, written), thing) in file.character.0.iter().zip(bodies) {
        let mut part = maker.character(name, written, thing, &mut laws, load, &mut notes)?;
        if written.looks_again.is_none() && file.character.0.len() > 1 {
            part.looks_again = Some(USUAL_LOOKS_AGAIN);
        }
        characters.push(part);
    }
    if characters.is_empty() {
        let what = "nobody acts in this scenario";
        return Err(Mistake::at(text, 0..0, what, "add [character.NAME] with at = \"@\" and goals").into());
    }
    notes.extend(idle_interactions(&laws, &characters, &maker.roster));
    notes.extend(nameless(&laws, &maker.roster));
    Ok(Scenario {
        name: file.name,
        about: file.about,
        steps: file.steps.unwrap_or(USUAL_STEPS),
        laws: Arc::new(laws),
        grid: Arc::new(grid),
        roster: Arc::new(Roster { things: maker.roster }),
        things: maker.things,
        characters,
        notes,
    })
}

/// Names a profile's parameters that a scenario's laws do not know.
pub fn check_profile(profile: &Profile, laws: &Laws) -> Option<String> {
    let unknown = profile.unknown_deeds(laws);
    if unknown.is_empty() {
        return None;
    }
    Some(format!(
        "profile `{}` speaks of {}, which cannot be done here: of no consequence",
        profile.name,
        unknown.join(", ")
    ))
}

fn laws_of(text: &str, file: &ScenarioFile) -> Result<Laws, Refused> {
    #[derive(Deserialize)]
    struct Shipped {
        #[serde(default)]
        interaction: Ordered<InteractionFile>,
        #[serde(default)]
        kind: Ordered<KindFile>,
    }
    let usual = vec![Spanned::new(0..0, "table-3".to_owned())];
    let mut bases = Vec::new();
    for name in file.uses.as_ref().unwrap_or(&usual) {
        let Some((_, base)) = shipped::LAWS.iter().find(|(known, _)| known == name.get_ref()) else {
            let known: Vec<&str> = shipped::LAWS.iter().map(|(known, _)| *known).collect();
            return Err(Mistake::at(
                text,
                name.span(),
                format!("there are no laws `{}`", name.get_ref()),
                format!("use one of {}", known.join(", ")),
            )
            .into());
        };
        // A test reads them all: what is shipped is right.
        let read: Shipped = repertoire_authored::read(base)?;
        bases.push((*base, read));
    }
    let mut parts: Vec<LawsPart<'_>> = bases
        .iter()
        .map(|(text, read)| LawsPart { text, interactions: &read.interaction, kinds: &read.kind })
        .collect();
    let own = parts.len();
    parts.push(LawsPart { text, interactions: &file.interaction, kinds: &file.kind });
    build(&parts).map_err(|(part, mistake)| match part == own {
        true => Refused::Here(mistake),
        false => {
            Refused::There(format!("with what this scenario changes, the laws it uses are wrong: {mistake}"))
        }
    })
}

/// Where a line and column of a text is, in bytes.
fn byte_of(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let within = text[before..].chars().take(column.saturating_sub(1)).map(char::len_utf8);
    before + within.sum::<usize>()
}

/// A map as it is drawn: letters with their places.
struct Drawn {
    grid: Grid,
    signs: BTreeMap<char, Vec<PlaceId>>,
}

fn read_map(text: &str, written: &Spanned<String>) -> Result<Drawn, Mistake> {
    let rows: Vec<&str> =
        written.get_ref().lines().map(str::trim_end).skip_while(|row| row.is_empty()).collect();
    let height = rows.iter().rposition(|row| !row.is_empty()).map_or(0, |last| last + 1);
    let width = rows.iter().map(|row| row.chars().count()).max().unwrap_or(0);
    let wrong = |what: &str, remedy: &str| Mistake::at(text, written.span(), what, remedy);
    if width == 0 || height == 0 {
        return Err(wrong("the map is empty", "draw it with # for walls and . for the floor"));
    }
    if width * height > MOST_PLACES {
        return Err(wrong("the map is too large", "draw fewer than 250,000 places"));
    }
    let mut walls = vec![true; width * height];
    let mut signs: BTreeMap<char, Vec<PlaceId>> = BTreeMap::new();
    for (y, row) in rows[..height].iter().enumerate() {
        for (x, letter) in row.chars().enumerate() {
            let at = y * width + x;
            walls[at] = letter == '#';
            if !matches!(letter, '#' | '.' | ' ') {
                signs.entry(letter).or_default().push(at as PlaceId);
            }
        }
    }
    Ok(Drawn { grid: Grid::new(width as u32, height as u32, walls), signs })
}

struct Maker<'a> {
    text: &'a str,
    things: Vec<Start>,
    roster: Vec<(KindId, repertoire_character::NameId)>,
}

impl Maker<'_> {
    fn find_kind(&self, written: &Spanned<String>, laws: &Laws) -> Result<KindId, Mistake> {
        if let Some(kind) = laws.find_kind(written.get_ref()) {
            return Ok(kind);
        }
        let known: Vec<&str> =
            (0..laws.kinds.len()).map(|kind| laws.kind_name(KindId(kind as u16))).collect();
        let remedy = match nearest(written.get_ref(), known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("declare [kind.{}], or use one of {}", written.get_ref(), known.join(", ")),
        };
        Err(Mistake::at(
            self.text,
            written.span(),
            format!("there is no kind `{}`", written.get_ref()),
            remedy,
        ))
    }

    fn values(
        &self,
        kind: KindId,
        with: &Ordered<Spanned<Raw>>,
        laws: &mut Laws,
    ) -> Result<Vec<Value>, Mistake> {
        let mut values: Vec<Value> = laws.kind(kind).properties.iter().map(|&(_, usual)| usual).collect();
        for (name, raw) in &with.0 {
            let slot = laws.find_property(name.get_ref()).and_then(|id| laws.kind(kind).slot(id));
            let Some(slot) = slot else {
                let own: Vec<&str> =
                    laws.kind(kind).properties.iter().map(|&(id, _)| laws.property_name(id)).collect();
                let remedy = match nearest(name.get_ref(), own.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None if own.is_empty() => "it has no properties".into(),
                    None => format!("one of {}", own.join(", ")),
                };
                let what = format!("`{}` has no property `{}`", laws.kind_name(kind), name.get_ref());
                return Err(Mistake::at(self.text, name.span(), what, remedy));
            };
            let value = raw.get_ref().value(&mut laws.words);
            if !value.is_like(values[slot]) || matches!(value, Value::Number(x) if !x.is_finite()) {
                return Err(Mistake::at(
                    self.text,
                    raw.span(),
                    format!("`{}` is {}", name.get_ref(), values[slot].sort()),
                    format!("write {}", values[slot].sort()),
                ));
            }
            values[slot] = value;
        }
        Ok(values)
    }

    fn add(
        &mut self,
        kind: KindId,
        name: &str,
        place: PlaceId,
        values: Vec<Value>,
        laws: &mut Laws,
    ) -> ThingId {
        let id = ThingId(self.things.len() as u32);
        self.things.push(Start { place, values });
        self.roster.push((kind, laws.words.intern(name)));
        id
    }

    fn is_taken(&self, name: &str, laws: &Laws) -> bool {
        laws.words.find(name).is_some_and(|word| self.roster.iter().any(|&(_, taken)| taken == word))
    }

    fn place_things(
        &mut self,
        file: &ScenarioFile,
        signs: &BTreeMap<char, Vec<PlaceId>>,
        laws: &mut Laws,
    ) -> Result<(), Refused> {
        let mut written: BTreeMap<char, &SignFile> = BTreeMap::new();
        for (sign, what) in &file.signs.0 {
            let mut letters = sign.get_ref().chars();
            let (Some(letter), None) = (letters.next(), letters.next()) else {
                return Err(
                    Mistake::at(self.text, sign.span(), "a sign is one letter", "write one letter").into()
                );
            };
            if !signs.contains_key(&letter) {
                return Err(Mistake::at(
                    self.text,
                    sign.span(),
                    format!("`{letter}` is nowhere on the map"),
                    "put it on the map, or leave the sign out",
                )
                .into());
            }
            written.insert(letter, what);
        }
        let actors: Vec<char> =
            file.character.0.iter().filter_map(|(_, who)| who.at.get_ref().chars().next()).collect();
        // Names that are given come first, so that numbers go round them.
        for (letter, places) in signs.iter().filter(|(letter, _)| !actors.contains(letter)) {
            let (kind, with, given) = match written.get(letter) {
                Some(sign) => (self.find_kind(&sign.kind, laws)?, Some(&sign.with), sign.name.as_ref()),
                None => {
                    let kind = laws.kinds.iter().position(|kind| kind.sign == *letter);
                    let Some(kind) = kind else {
                        return Err(Mistake::at(
                            self.text,
                            file.map.span(),
                            format!("nothing says what `{letter}` on the map is"),
                            format!("add {letter:?} = {{ kind = \"...\" }} to [signs]"),
                        )
                        .into());
                    };
                    (KindId(kind as u16), None, None)
                }
            };
            if let Some(given) =
                given.filter(|given| places.len() > 1 || self.is_taken(given.get_ref(), laws))
            {
                return Err(Mistake::at(
                    self.text,
                    given.span(),
                    format!("there is more than one thing `{}`", given.get_ref()),
                    "give each its own sign and name, or leave the name out",
                )
                .into());
            }
            for &place in places {
                let nothing = Ordered::default();
                let values = self.values(kind, with.unwrap_or(&nothing), laws)?;
                let name = match given {
                    Some(given) => given.get_ref().clone(),
                    None => self.free_name(laws.kind_name(kind), laws),
                };
                self.add(kind, &name, place, values, laws);
            }
        }
        Ok(())
    }

    /// `apple`, `apple2`, `apple3`: the first name of a kind that is not taken.
    fn free_name(&self, kind: &str, laws: &Laws) -> String {
        let names = std::iter::once(kind.to_owned()).chain((2..).map(|number| format!("{kind}{number}")));
        names.into_iter().find(|name| !self.is_taken(name, laws)).unwrap_or_default()
    }

    fn place_characters(
        &mut self,
        file: &ScenarioFile,
        signs: &BTreeMap<char, Vec<PlaceId>>,
        laws: &mut Laws,
    ) -> Result<Vec<ThingId>, Refused> {
        let mut bodies = Vec::new();
        for (name, written) in &file.character.0 {
            let person = Spanned::new(written.at.span(), "person".to_owned());
            let kind = self.find_kind(written.kind.as_ref().unwrap_or(&person), laws)?;
            let letter = written.at.get_ref().chars().next();
            let places = letter.and_then(|letter| signs.get(&letter)).map_or(&[][..], Vec::as_slice);
            let &[place] = places else {
                return Err(Mistake::at(
                    self.text,
                    written.at.span(),
                    format!("`{}` is {} times on the map", written.at.get_ref(), places.len()),
                    "put it on the map once",
                )
                .into());
            };
            if self.is_taken(name.get_ref(), laws) {
                return Err(Mistake::at(
                    self.text,
                    name.span(),
                    format!("something else is called `{}`", name.get_ref()),
                    "give the character another name",
                )
                .into());
            }
            let values = self.values(kind, &written.with, laws)?;
            bodies.push(self.add(kind, name.get_ref(), place, values, laws));
        }
        Ok(bodies)
    }

    fn character(
        &self,
        name: &Spanned<String>,
        written: &CharacterFile,
        thing: ThingId,
        laws: &mut Laws,
        load: &mut dyn FnMut(&str) -> Result<String, Unavailable>,
        notes: &mut Vec<String>,
    ) -> Result<Part, Refused> {
        let positive = |number: &Option<Spanned<f64>>, usual: f64| match number {
            None => Ok(usual),
            Some(number) if number.get_ref().is_finite() && *number.get_ref() > 0.0 => Ok(*number.get_ref()),
            Some(number) => {
                Err(Mistake::at(self.text, number.span(), "this must be above 0", "write a number above 0"))
            }
        };
        let sight = positive(&written.sight, USUAL_SIGHT)?;
        let kind = self.roster[thing.index()].0;
        let each_step = match &written.each_step {
            None => Vec::new(),
            Some(action) => {
                let properties = laws.properties.clone();
                let mut scope = Scope {
                    words: &mut laws.words,
                    properties: &properties,
                    target: false,
                    item: false,
                    distance: false,
                };
                parse_action(action.get_ref(), &mut scope).map_err(|fault| self.misplaced(action, fault))?
            }
        };
        let profile = match &written.profile {
            None => Profile::default(),
            Some(ProfileRef::Own(own)) => {
                let mut read = check(self.text, own)?;
                if own.name.is_none() {
                    read.name = name.get_ref().clone();
                }
                read
            }
            Some(ProfileRef::Name(named)) => match profile::profile(named) {
                Some(known) => known,
                None => {
                    let text = load(named).map_err(|why| Refused::There(why.to_string()))?;
                    profile::file::read(&text)
                        .map_err(|mistake| Refused::There(format!("{named}:{mistake}")))?
                }
            },
        };
        notes.extend(check_profile(&profile, laws));
        let mut goals = Vec::new();
        for (goal_name, goal) in &written.goals.0 {
            goals.push(self.goal(goal_name, goal, thing, kind, laws)?);
        }
        let mut heard_of = Vec::new();
        for (other, factor) in &written.heard_of.0 {
            let word = laws.words.find(other.get_ref());
            let at = word.and_then(|word| self.roster.iter().position(|&(_, name)| name == word));
            let (Some(at), true) = (at, factor.get_ref().is_finite() && *factor.get_ref() >= 0.0) else {
                return Err(Mistake::at(
                    self.text,
                    other.span(),
                    format!("nobody is called `{}`, or the number is below 0", other.get_ref()),
                    "name a character of this scenario, and a number from 0 up",
                )
                .into());
            };
            heard_of.push((ThingId(at as u32), *factor.get_ref()));
        }
        let looks_again = match &written.looks_again {
            Some(steps) if *steps.get_ref() == 0 => {
                let what = "a place in view is looked at in every step anyway";
                return Err(
                    Mistake::at(self.text, steps.span(), what, "write a number of steps from 1 up").into()
                );
            }
            steps => steps.as_ref().map(|steps| *steps.get_ref()),
        };
        let mind = self.mind(name, written, laws, load)?;
        Ok(Part {
            name: name.get_ref().clone(),
            thing,
            sight,
            view_deg: positive(&written.view, 360.0)?,
            hearing: positive(&written.hearing, sight)?,
            knows: written.knows,
            looks_again,
            each_step,
            goals,
            profile,
            mind,
            heard_of,
        })
    }

    /// The mind of a character, tied to what can be done and known here.
    fn mind(
        &self,
        name: &Spanned<String>,
        written: &CharacterFile,
        laws: &mut Laws,
        load: &mut dyn FnMut(&str) -> Result<String, Unavailable>,
    ) -> Result<Option<RoomMind>, Refused> {
        let wrong =
            |span, what: String, remedy: String| Refused::Here(Mistake::at(self.text, span, what, remedy));
        let Some(mind) = &written.mind else {
            return match written.senses.0.first() {
                Some((sensor, _)) => {
                    let what = format!("`{}` has senses and no mind to use them", name.get_ref());
                    Err(wrong(
                        sensor.span(),
                        what,
                        "add mind = \"FILE.toml\", or take the senses away".into(),
                    ))
                }
                None => Ok(None),
            };
        };
        let design = match mind.get_ref().contains('\n') {
            true => Design::parse(mind.get_ref()).map_err(|mistake| {
                let at = byte_of(mind.get_ref(), mistake.line, mistake.column);
                wrong(inside(self.text, mind, at..at), mistake.what, mistake.remedy)
            })?,
            false => {
                let text = load(mind.get_ref()).map_err(|why| Refused::There(why.to_string()))?;
                Design::parse(&text)
                    .map_err(|mistake| Refused::There(format!("{}:{mistake}", mind.get_ref())))?
            }
        };
        let mut reads = Vec::new();
        for (word, values) in &written.senses.0 {
            reads.push(self.reads(word, values, &design, laws)?);
        }
        if !design.voices().iter().any(|voice| voice.name == MOTIVATIONS) {
            let what = "motivations have no say in this mind".to_owned();
            return Err(wrong(
                mind.span(),
                what,
                format!("add opinions.{MOTIVATIONS} = {{ weight = 1.0 }} to it"),
            ));
        }
        let tied = RoomMind::new(design, laws, reads).map_err(|task| {
            let known: Vec<&str> = laws.deed_names().chain([WAIT]).collect();
            let remedy = match nearest(&task, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("tasks here are {}", known.join(", ")),
            };
            wrong(mind.span(), format!("nobody can do the task `{task}` here"), remedy)
        })?;
        Ok(Some(tied))
    }

    /// How one of a mind's sensors or facts is read.
    fn reads(
        &self,
        word: &Spanned<String>,
        values: &Ordered<Spanned<String>>,
        design: &Design,
        laws: &mut Laws,
    ) -> Result<Reads, Mistake> {
        let behaviour = design.behaviour();
        let domain = design.planning().map(|planning| &planning.domain);
        let facts = domain.map_or(&[][..], |domain| &domain.variables);
        let sensor = behaviour.sensor(word.get_ref());
        let fact = facts.iter().position(|fact| fact == word.get_ref());
        let (what, known) = match (sensor, fact, domain) {
            (Some(sensor), _, _) => (Word::Sensor(sensor), &behaviour.sensors()[sensor].values),
            (None, Some(fact), Some(domain)) => (Word::Fact(fact), &domain.values[fact]),
            _ => {
                let sensors = behaviour.sensors().iter().map(|sensor| sensor.name.as_str());
                let known: Vec<&str> = sensors.chain(facts.iter().map(String::as_str)).collect();
                let what = format!("the mind has no sensor and no fact `{}`", word.get_ref());
                return Err(Mistake::at(
                    self.text,
                    word.span(),
                    what,
                    format!("it has {}", known.join(", ")),
                ));
            }
        };
        let mut cases = Vec::new();
        for (value, condition) in &values.0 {
            let Some(at) = known.iter().position(|known| known == value.get_ref()) else {
                let what = format!("`{}` has no value `{}`", word.get_ref(), value.get_ref());
                return Err(Mistake::at(
                    self.text,
                    value.span(),
                    what,
                    format!("it has {}", known.join(", ")),
                ));
            };
            cases.push((at, self.condition(condition, laws)?));
        }
        Ok(Reads { what, values: cases })
    }

    fn misplaced(&self, written: &Spanned<String>, fault: Fault) -> Mistake {
        Mistake::at(self.text, inside(self.text, written, fault.span), fault.what, fault.remedy)
    }

    fn condition(&self, written: &Spanned<String>, laws: &mut Laws) -> Result<Condition, Mistake> {
        let properties = laws.properties.clone();
        let mut scope = Scope {
            words: &mut laws.words,
            properties: &properties,
            target: false,
            item: false,
            distance: true,
        };
        parse_condition(written.get_ref(), &mut scope).map_err(|fault| self.misplaced(written, fault))
    }

    fn term(&self, written: &Spanned<String>, laws: &mut Laws) -> Result<Term, Mistake> {
        let compared = Spanned::new(written.span(), format!("{} >= 0", written.get_ref()));
        match self.condition(&compared, laws)? {
            Condition::Test(Test::Compare(term, ..)) => Ok(term),
            Condition::Test(Test::Distance(a, b, ..)) => Ok(Term::Distance(a, b)),
            _ => Err(Mistake::at(self.text, written.span(), "this is no number", "write actor.energy")),
        }
    }

    fn goal(
        &self,
        name: &Spanned<String>,
        written: &GoalFile,
        thing: ThingId,
        kind: KindId,
        laws: &mut Laws,
    ) -> Result<Goal, Mistake> {
        let want = self.condition(&written.want, laws)?;
        self.check_goal(&want, kind, written, laws)?;
        let given = [written.influence.is_some(), written.sigmoid.is_some(), written.points.is_some()];
        if given.iter().filter(|given| **given).count() > 1 {
            let what = format!("goal `{}` says more than once how much it matters", name.get_ref());
            return Err(Mistake::at(self.text, name.span(), what, "keep one of influence, sigmoid, points"));
        }
        let positive = |number: &Spanned<f64>| match number.get_ref() {
            value if value.is_finite() && *value >= 0.0 => Ok(*value),
            _ => Err(Mistake::at(
                self.text,
                number.span(),
                "this must not be below 0",
                "write a number from 0 up",
            )),
        };
        let influence = if let Some(sigmoid) = &written.sigmoid {
            let (centre, slope) = (*sigmoid.centre.get_ref(), *sigmoid.slope.get_ref());
            if slope == 0.0 || !slope.is_finite() || !centre.is_finite() {
                return Err(Mistake::at(
                    self.text,
                    sigmoid.slope.span(),
                    "the sigmoid divides by its slope",
                    "write a number other than 0",
                ));
            }
            let of = self.term(&sigmoid.of, laws)?;
            Influence::Sigmoid { of, max: positive(&sigmoid.max)?, centre, slope }
        } else if let Some(lines) = &written.points {
            let points = lines.points.get_ref().clone();
            let rising = points.windows(2).all(|pair| pair[0].0 < pair[1].0);
            let fine = points.iter().all(|(x, y)| x.is_finite() && y.is_finite() && *y >= 0.0);
            if points.is_empty() || !rising || !fine {
                return Err(Mistake::at(
                    self.text,
                    lines.points.span(),
                    "these points are no function",
                    "write pairs by increasing state, with values from 0 up: [[0, 30], [20, 0]]",
                ));
            }
            Influence::Points { of: self.term(&lines.of, laws)?, points }
        } else {
            Influence::Constant(written.influence.as_ref().map_or(Ok(1.0), positive)?)
        };
        Ok(Goal { name: name.get_ref().clone(), want, influence, whose: thing, asks: written.asks })
    }

    /// Whether everything a goal speaks of exists.
    fn check_goal(
        &self,
        want: &Condition,
        kind: KindId,
        written: &GoalFile,
        laws: &Laws,
    ) -> Result<(), Mistake> {
        let thing_named = |word| self.roster.iter().find(|&&(_, name)| name == word).map(|&(kind, _)| kind);
        let nobody = |word| {
            let word = laws.words.word(word);
            let names = self.roster.iter().map(|&(_, name)| laws.words.word(name));
            let kinds = laws.kinds.iter().map(|kind| laws.words.word(kind.name));
            let all: Vec<&str> = names.chain(kinds).collect();
            let remedy = match nearest(word, all.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "name a thing on the map, or a kind".into(),
            };
            Mistake::at(self.text, written.want.span(), format!("nothing is called `{word}`"), remedy)
        };
        let has = |who: &Who, property| {
            let owner = match who {
                Who::Actor => kind,
                Who::Named(word) => thing_named(*word).ok_or_else(|| nobody(*word))?,
                _ => return Ok(()),
            };
            if laws.kind(owner).slot(property).is_some() {
                return Ok(());
            }
            let (owner, property) = (laws.kind_name(owner), laws.property_name(property));
            let what = format!("`{owner}` has no property `{property}`");
            let remedy = format!("add {property} = ... to the properties of [kind.{owner}]");
            Err(Mistake::at(self.text, written.want.span(), what, remedy))
        };
        for test in want.tests() {
            match test {
                Test::Compare(left, _, right) => {
                    for term in [left, right] {
                        if let Term::Property(who, property) = term {
                            has(who, *property)?;
                        }
                    }
                }
                Test::Owns(who, object, _) => {
                    if let Who::Named(word) = who
                        && thing_named(*word).is_none()
                    {
                        return Err(nobody(*word));
                    }
                    if let Object::Word(word) = object
                        && thing_named(*word).is_none()
                        && laws.kind_named(*word).is_none()
                    {
                        return Err(nobody(*word));
                    }
                }
                Test::Distance(a, b, ..) => {
                    for who in [a, b] {
                        if let Who::Named(word) = who
                            && thing_named(*word).is_none()
                            && laws.kind_named(*word).is_none()
                        {
                            return Err(nobody(*word));
                        }
                    }
                    if ![a, b].contains(&&Who::Actor) {
                        return Err(Mistake::at(
                            self.text,
                            written.want.span(),
                            "nobody can walk for others",
                            "one of the two must be the actor: distance(actor, bed) <= 1",
                        ));
                    }
                }
            }
        }
        Ok(())
    }
}

/// Interactions that nobody here performs, or nothing here undergoes: perhaps forgotten.
fn idle_interactions(
    laws: &Laws,
    characters: &[Part],
    roster: &[(KindId, repertoire_character::NameId)],
) -> Vec<String> {
    let mut notes = Vec::new();
    for (index, interaction) in laws.interactions.iter().enumerate() {
        let id = repertoire_character::InteractionId(index as u16);
        let performed =
            characters.iter().any(|part| laws.kind(roster[part.thing.index()].0).performs.contains(&id));
        let undergone = roster.iter().any(|&(kind, _)| laws.kind(kind).undergoes.contains(&id));
        let any_kind = laws.kinds.iter().any(|kind| kind.undergoes.contains(&id));
        if interaction.is_alone {
            if !performed {
                notes.push(format!("nobody here performs `{}`", interaction.name));
            }
        } else if !any_kind {
            notes.push(format!("no kind undergoes `{}`", interaction.name));
        } else if undergone && !performed {
            notes.push(format!("nobody here performs `{}`", interaction.name));
        }
    }
    notes
}

/// Names in interactions that nothing here has, or whose thing lacks the property: what is done to them has no effect.
fn nameless(laws: &Laws, roster: &[(KindId, repertoire_character::NameId)]) -> Vec<String> {
    let mut notes = Vec::new();
    for interaction in &laws.interactions {
        for (word, property) in interaction.names() {
            let (name, called) = (&interaction.name, laws.words.word(word));
            let kind = roster.iter().find(|&&(_, known)| known == word).map(|&(kind, _)| kind);
            let note = match (kind, property) {
                (None, None) if laws.kind_named(word).is_some() => continue,
                (None, _) => format!("`{name}` speaks of `{called}`, and nothing here is called that"),
                (Some(kind), Some(property)) if laws.kind(kind).slot(property).is_none() => format!(
                    "`{name}` speaks of `{}` of `{called}`, and its kind `{}` has no such property",
                    laws.property_name(property),
                    laws.kind_name(kind)
                ),
                _ => continue,
            };
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }
    notes
}
