//! Experiment 6.2 of Dujardin and Routier, on maps drawn at random: does the story come out as they tell it?
//!
//! The paper tells one run on one map, of which it prints a picture without coordinates. Here many maps are drawn under its
//! description and nothing is fitted to any of them. What the description fixes: the object in a room at the top left behind a
//! locked glass door, the key in an open room at the top right, two apples and an axe somewhere, a character that sees
//! nothing at the start but one apple to its right, preferences of 1.5 for breaking and 0.5 for unlocking, the sigmoid of
//! figure 10. What it leaves open is either as in the scenario `6.2` that comes with the library, which was made to tell the
//! story on its own map, or drawn for each map ([`Parameters`]).
//!
//! Differs from the paper: it shows one run; how often it comes out was not asked.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt::Write as _;
use std::sync::Arc;

use repertoire_character::Standing;
use repertoire_prob::Stream;
use repertoire_worlds::rooms::scenario::read;
use repertoire_worlds::rooms::{Act, Scenario, World};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::shard::{self, Sharded, What};

/// What is done, in the order in which the paper tells it.
pub const STORY: [&str; 8] = [
    "take(apple)",
    "eat(apple)",
    "fail to open(glass-door)",
    "take(axe)",
    "take(apple2)",
    "eat(apple2)",
    "break(glass-door)",
    "take(object)",
];

/// Longer than this nobody needs on maps of this size.
const MOST_STEPS: u32 = 1000;
/// A map that shows something else at the start is drawn again, at most this often.
const MOST_DRAWS: u64 = 10_000;

/// Where what the paper leaves open comes from: the importance of the object, the range of sight, how much energy there is at
/// the start, how fast it falls and what an apple gives, the level below which it is hungry, opportunism and inertia.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Parameters {
    /// As in the scenario `6.2`.
    Shipped,
    /// Drawn for each map.
    Drawn,
}

/// The numbers that the paper does not give.
struct Open {
    object: f64,
    sight: f64,
    energy: f64,
    falls: f64,
    apple: f64,
    apple2: f64,
    hungry: f64,
    opportunism: f64,
    inertia: f64,
}

impl Open {
    fn new(parameters: Parameters, stream: &mut Stream) -> Self {
        let mut between = |low: f64, high: f64| low + (high - low) * stream.unit();
        match parameters {
            Parameters::Shipped => Open {
                object: 8.0,
                sight: 7.0,
                energy: 15.8,
                falls: 0.25,
                apple: 10.0,
                apple2: 40.0,
                hungry: 11.0,
                opportunism: 8.0,
                inertia: 0.05,
            },
            Parameters::Drawn => {
                let hungry = between(8.0, 14.0);
                Open {
                    object: between(4.0, 12.0),
                    sight: between(5.0, 9.0).floor(),
                    energy: hungry + between(1.0, 12.0),
                    falls: between(0.1, 0.5),
                    apple: between(8.0, 40.0),
                    apple2: between(8.0, 40.0),
                    hungry,
                    opportunism: between(4.0, 12.0),
                    inertia: between(0.02, 0.2),
                }
            }
        }
    }
}

/// A map under the paper's description: rows of letters. None if what was drawn does not fit together.
fn draw_map(stream: &mut Stream) -> Option<Vec<String>> {
    let mut below = |n: usize| (stream.unit() * n as f64) as usize;
    let (width, height) = (26 + below(11), 16 + below(7));
    let mut cells = vec![vec!['.'; width]; height];
    for (y, row) in cells.iter_mut().enumerate() {
        for (x, cell) in row.iter_mut().enumerate() {
            if x == 0 || y == 0 || x == width - 1 || y == height - 1 {
                *cell = '#';
            }
        }
    }
    // The two rooms, from the corner to (right, bottom) and from (left, bottom) to the other corner.
    let (right, bottom) = (5 + below(5), 4 + below(3));
    let (left, other) = (width - 6 - below(5), 4 + below(3));
    (0..=bottom).for_each(|y| cells[y][right] = '#');
    (0..=right).for_each(|x| cells[bottom][x] = '#');
    (0..=other).for_each(|y| cells[y][left] = '#');
    (left..width).for_each(|x| cells[other][x] = '#');
    cells[bottom][1 + below(right - 1)] = 'G';
    cells[other][left + 1 + below(width - left - 2)] = '.';
    cells[1 + below(bottom - 1)][1 + below(right - 1)] = 'o';
    cells[1 + below(other - 1)][left + 1 + below(width - left - 2)] = 'k';
    // Below them a wall across with one or two gaps, and a wall down with a gap, above or under it.
    let lowest = bottom.max(other) + 3;
    let across = lowest + below((height - 3).checked_sub(lowest)?.max(1));
    (1..width - 1).for_each(|x| cells[across][x] = '#');
    for _ in 0..1 + below(2) {
        let gap = 1 + below(width - 3);
        (cells[across][gap], cells[across][gap + 1]) = ('.', '.');
    }
    let column = 8 + below(width - 16);
    let (from, to) = if below(2) == 0 { (bottom.max(other) + 2, across) } else { (across + 1, height - 1) };
    (from..to).for_each(|y| cells[y][column] = '#');
    if from < to {
        cells[from + below(to - from)][column] = '.';
    }
    // Who acts stands in the open, with an apple to the right; the rest lies anywhere outside of the rooms.
    let is_outside = |x: usize, y: usize| !(y <= bottom && x <= right || y <= other && x >= left);
    let free = |cells: &Vec<Vec<char>>| -> Vec<(usize, usize)> {
        let all = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        all.filter(|&(x, y)| cells[y][x] == '.' && is_outside(x, y)).collect()
    };
    let open = free(&cells);
    let (x, y) = open[below(open.len())];
    let apple = (x + 3 + below(5), (y + below(3)).checked_sub(1)?);
    if apple.0 >= width - 1 || cells[apple.1][apple.0] != '.' || !is_outside(apple.0, apple.1) {
        return None;
    }
    cells[y][x] = '@';
    cells[apple.1][apple.0] = 'a';
    for sign in ['x', 'A'] {
        let open = free(&cells);
        let (x, y) = open[below(open.len())];
        cells[y][x] = sign;
    }
    Some(cells.into_iter().map(|row| row.into_iter().collect()).collect())
}

/// A scenario under the paper's description; the same number gives the same one.
pub fn scenario(seed: u64, number: u64, parameters: Parameters) -> Arc<Scenario> {
    let mut numbers = Stream::new(seed, number, "dujardin numbers");
    let open = Open::new(parameters, &mut numbers);
    for draw in 0..MOST_DRAWS {
        let mut stream = Stream::new(seed, number * MOST_DRAWS + draw, "dujardin map");
        let Some(rows) = draw_map(&mut stream) else { continue };
        let text = written(&rows, &open);
        let mut load = |name: &str| Err(format!("`{name}` does not come with the library").into());
        let found = read(&text, &mut load).unwrap_or_else(|refused| unreachable!("{refused}\n{text}"));
        let found = Arc::new(found);
        // At point 1 it perceives the apple and nothing else.
        let mut world = World::new(found.clone(), 0);
        world.step();
        let seen: Vec<&str> = world.residents()[0]
            .character
            .memory
            .beliefs()
            .iter()
            .map(|belief| found.roster.label(belief.thing, &found.laws))
            .collect();
        let is_told = seen.len() == 2 && seen.contains(&"apple");
        if is_told && repertoire_worlds::rooms::world::hopeless_goals(&found).is_empty() {
            return found;
        }
    }
    unreachable!("one map in {MOST_DRAWS} shows the apple and nothing else")
}

fn written(rows: &[String], open: &Open) -> String {
    let mut text = String::from("name = \"6.2 at random\"\nmap = \"\"\"\n");
    for row in rows {
        let _ = writeln!(text, "{row}");
    }
    let _ = write!(
        text,
        "\"\"\"\n[signs]\nG = {{ kind = \"glass-door\", with = {{ locked = true }} }}\n\
         a = {{ kind = \"apple\", with = {{ energy = {} }} }}\n\
         A = {{ kind = \"apple\", name = \"apple2\", with = {{ energy = {} }} }}\n\
         [character.a]\nat = \"@\"\nsight = {}\nwith = {{ energy = {} }}\neach_step = \"actor.energy.add(-{})\"\n\
         [character.a.goals]\no = {{ want = \"actor.own(object)\", influence = {} }}\n\
         survive = {{ want = \"actor.energy >= {}\", sigmoid = {{ of = \"actor.energy\", max = 30, centre = 10, slope = 2 }} }}\n\
         [character.a.profile]\nname = \"brutal\"\npreferences = {{ break = 1.5, unlock = 0.5 }}\nopportunism = {}\n\
         inertia = {}\nmulti = true\n",
        open.apple,
        open.apple2,
        open.sight,
        open.energy,
        open.falls,
        open.object,
        open.hungry,
        open.opportunism,
        open.inertia
    );
    text
}

/// What became of the story on one map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Told {
    /// The number of the map.
    pub map: u64,
    /// What was done, without the ways.
    pub done: Vec<String>,
    /// Where it first departs from the story, and why; none if it does not.
    pub departs: Option<Departs>,
    /// Whether the object was had in the end.
    pub ends_well: bool,
    /// Steps until then, or until nothing more could be done.
    pub steps: u32,
}

/// Where a run departs from the story.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Departs {
    /// How much of [`STORY`] came out before.
    pub after: usize,
    /// Why, in words.
    pub why: String,
}

/// The story on one map.
pub fn tell(seed: u64, map: u64, parameters: Parameters) -> Told {
    let scenario = scenario(seed, map, parameters);
    let mut world = World::new(scenario.clone(), seed);
    let mut done = Vec::new();
    let mut steps = 0;
    let has_object = |world: &World| world.residents()[0].character.standing(0) == Standing::Met;
    while steps < MOST_STEPS && !has_object(&world) {
        for entry in world.step() {
            if matches!(entry.act, Act::Do(_) | Act::Fail(_)) {
                done.push(entry.act.label(&scenario.laws, &scenario.roster));
            }
        }
        steps += 1;
    }
    let after = done.iter().zip(STORY).take_while(|(done, told)| done == told).count();
    let departs = (done.len() != STORY.len() || after != STORY.len())
        .then(|| Departs { after, why: why(STORY.get(after).copied(), done.get(after).map(String::as_str)) });
    Told { map, done, departs, ends_well: has_object(&world), steps }
}

/// Why something else was done than the story tells.
fn why(told: Option<&str>, done: Option<&str>) -> String {
    let said = match (told, done) {
        (Some("take(apple)"), Some("fail to open(glass-door)")) => "it came to the door before it was hungry",
        (Some("take(apple)"), Some("take(apple2)")) => "the other apple was nearer when it was hungry",
        (Some("fail to open(glass-door)"), Some("take(apple2)")) => {
            "it was hungry again before it came to the door"
        }
        (Some("fail to open(glass-door)"), Some("take(axe)")) => {
            "it knew of the axe when it came to the door, and would rather break it than try it"
        }
        (Some("take(apple)"), Some("take(axe)")) => "it knew of the door and the axe before it was hungry",
        (Some("take(axe)"), Some("take(key)")) => "the key was worth more than exploring for an axe",
        (Some("take(axe)"), Some("take(apple2)")) => {
            "it was hungry, and found the other apple, before the axe"
        }
        (Some("take(axe)"), Some("take(apple)")) => {
            "it was hungry again, and knew an apple, before it found the axe"
        }
        (Some("take(apple2)"), Some("break(glass-door)")) => {
            "it was not hungry again on the way from the axe to the door"
        }
        (Some(told), Some(done)) => return format!("{done} where the story has {told}"),
        (Some(told), None) => return format!("it ended before {told}"),
        (None, _) => "it went on after the object was had",
    };
    said.to_owned()
}

/// The story on many maps.
///
/// ```
/// use repertoire_eval::dujardin::{Parameters, StoryExperiment};
///
/// let [(shipped, told), _] = StoryExperiment { maps: 3, seed: 1 }.run(&|| ());
/// assert_eq!((shipped, told.len()), (Parameters::Shipped, 3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoryExperiment {
    /// How many maps.
    pub maps: u32,
    /// Random seed; the same seed repeats the run.
    pub seed: u64,
}

/// What was told on each map, by where what the paper leaves open comes from.
pub type Stories = [(Parameters, Vec<Told>); 2];

const BOTH: [Parameters; 2] = [Parameters::Shipped, Parameters::Drawn];

impl StoryExperiment {
    /// All maps, on all cores; `done` hears of each.
    pub fn run(&self, done: &(dyn Fn() + Sync)) -> Stories {
        let Ok(stories) = shard::run_all(self, done);
        stories
    }
}

/// Its pieces are stories: on every map with the parameters of the scenario, then on every map with drawn ones.
impl Sharded for StoryExperiment {
    type Piece = Told;
    type Whole = Stories;
    type Refused = Infallible;

    fn what(&self) -> What {
        What {
            kind: "experiment dujardin".into(),
            seed: self.seed,
            settings: json!({ "maps": self.maps }),
            total: BOTH.len() as u64 * u64::from(self.maps),
        }
    }

    fn piece(&self, number: u64) -> Result<Told, Infallible> {
        let maps = u64::from(self.maps);
        Ok(tell(self.seed, number % maps, BOTH[(number / maps) as usize]))
    }

    fn whole(&self, pieces: Vec<(u64, Told)>) -> Result<Stories, Infallible> {
        let mut stories = BOTH.map(|parameters| (parameters, Vec::new()));
        for (number, told) in pieces {
            stories[(number / u64::from(self.maps)) as usize].1.push(told);
        }
        Ok(stories)
    }
}

/// How often each departure happened, the most frequent first.
pub fn departures(told: &[Told]) -> Vec<(Departs, usize)> {
    let mut counts = BTreeMap::<Departs, usize>::new();
    for departs in told.iter().filter_map(|told| told.departs.clone()) {
        *counts.entry(departs).or_default() += 1;
    }
    let mut all: Vec<(Departs, usize)> = counts.into_iter().collect();
    all.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    all
}

/// The points of the story, each with the share of maps in which it holds; of those to which it applies.
pub fn points(told: &[Told]) -> Vec<(&'static str, usize, usize)> {
    let at = |told: &Told, label: &str| told.done.iter().position(|done| done == label);
    let count = |applies: &dyn Fn(&Told) -> bool, is_so: &dyn Fn(&Told) -> bool| {
        let all: Vec<&Told> = told.iter().filter(|told| applies(told)).collect();
        (all.iter().filter(|told| is_so(told)).count(), all.len())
    };
    let always = |_: &Told| true;
    let locked = |told: &Told| at(told, "fail to open(glass-door)").is_some();
    let armed = |told: &Told| at(told, "take(axe)").is_some();
    let order = |told: &Told, first: &str, then: &str| {
        at(told, first).is_some() && at(told, first) < at(told, then).or(Some(usize::MAX))
    };
    let broke = |told: &Told| at(told, "break(glass-door)").is_some();
    let points: [(&str, (usize, usize)); 6] = [
        (
            "hunger interrupts exploring: it eats the apple before it comes to the door",
            count(&always, &|told| order(told, "eat(apple)", "fail to open(glass-door)")),
        ),
        ("it finds the door locked by trying it", count(&always, &locked)),
        (
            "then it never fetches the key, which it dislikes to use",
            count(&locked, &|told| at(told, "take(key)").is_none()),
        ),
        (
            "it eats again between the axe and the door",
            count(&armed, &|told| {
                order(told, "take(axe)", "eat(apple2)") && order(told, "eat(apple2)", "break(glass-door)")
            }),
        ),
        ("whoever has the axe breaks the door", count(&armed, &broke)),
        ("it has the object in the end", count(&always, &|told| told.ends_well)),
    ];
    points.into_iter().map(|(name, (is_so, of))| (name, is_so, of)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_are_under_the_description_and_the_same_for_the_same_number() {
        for number in 0..20 {
            let one = scenario(1, number, Parameters::Drawn);
            let two = scenario(1, number, Parameters::Drawn);
            assert_eq!((&one.things, &one.grid), (&two.things, &two.grid));
            let place = |name: &str| {
                let at = one.roster.named(one.laws.words.find(name).expect("there")).expect("a thing");
                one.grid.xy(one.things[at.index()].place)
            };
            let (width, height) = (one.grid.width(), one.grid.height());
            assert!(place("object").0 < width / 2 && place("object").1 < height / 2);
            assert!(place("key").0 > width / 2 && place("key").1 < height / 2);
            assert!(place("apple").0 > place("a").0, "to the right");
        }
        assert_ne!(scenario(1, 0, Parameters::Drawn).grid, scenario(1, 1, Parameters::Drawn).grid);
    }

    #[test]
    fn most_of_the_story_holds_on_maps_it_was_not_made_for() {
        let [(_, told), _] = StoryExperiment { maps: 40, seed: 1 }.run(&|| ());
        let points = points(&told);
        let share = |at: usize| points[at].1 as f64 / points[at].2 as f64;
        // What does not depend on where things lie comes out nearly always.
        assert!(share(4) == 1.0 && share(5) > 0.9, "{points:?}");
        // Every departure is accounted for.
        let departed: usize = departures(&told).iter().map(|(_, count)| count).sum();
        assert_eq!(departed, told.iter().filter(|told| told.done != STORY).count());
        assert_eq!(tell(1, 7, Parameters::Shipped), told[7]);
    }
}
