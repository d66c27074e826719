//! Do pupils pass for their teachers? Bots teach, four ways to learn are tried, and classifiers tell pupil from teacher.
//!
//! A teacher plays on a map, always against the same three native bots: a match to learn from, several that everybody is compared
//! with, and as many as a control. Each pupil takes the teacher's place in as many matches of its own. Told apart are windows of 4 s of the
//! pupil's matches and of the teacher's ([`crate::telling`]); no two matches share a seed, and whole matches are held out.
//!
//! Why several: what happens in a match lasts. Aggressive on `keep` turned by 12 degrees a decision in one match and by 20 in the next, from
//! beginning to end, and trees that had seen other minutes of the two told one from the other (0.71 against itself). What is peculiar to a
//! match cannot be learned if the whole of it is held out.
//!
//! | way        | what is learned                                             | what is the same program as the teacher's       |
//! |------------|-------------------------------------------------------------|-------------------------------------------------|
//! | chameleon  | attention, decisions and actions                            | reflexes                                         |
//! | sequence   | which task comes when, tasks recognised, not told           | of behaviours, what each task does                |
//! | moments    | hands, moment by moment                                     | of native bots, decisions                         |
//! | skill      | seven numbers of hands                                      | of native bots, everything else                  |

use std::str::FromStr;
use std::sync::Arc;

use repertoire_bayes::sequence::shipped;
use repertoire_chameleon::{Attention, Model};
use repertoire_mind::fighter::{Fighter, FighterDesign, SkillWatcher};
use repertoire_mind::moments::MomentWatcher;
use repertoire_mind::student::{Method, Student};
use repertoire_worlds::arena::level::Level;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::Entry;
use crate::practice::{Make, player};
use crate::shard::{self, Sharded, What};
use crate::telling::{Giveaway, Instant, Told, Trail, Window, giveaways, tell_apart, windows};
use crate::tence::{Failed, Lessons, Play, connected};

/// A pupil that is told from its teacher no better than this passes.
pub const PASSES: f64 = 0.60;
/// The level of the bot that decides for hands learned moment by moment.
const DECIDES: u8 = 3;
/// Series of matches of a teacher and its pupils: to learn from, to compare with, as a control; then one of each pupil.
const LESSON: u64 = 0;
const OTHER: u64 = 1;
const CONTROL: u64 = 2;
const PUPILS: u64 = 3;
/// The numbers of series are this far apart.
const SERIES: u64 = 64;
/// The most matches that may be played of each.
pub const MOST_MATCHES: u64 = SERIES;

/// A way to learn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// `learn chameleon`.
    Chameleon,
    /// `learn sequence --method batch`.
    Sequence,
    /// `learn moments`.
    Moments,
    /// `learn skill`.
    Skill,
}

impl Way {
    /// All of them.
    pub const ALL: [Way; 4] = [Way::Chameleon, Way::Sequence, Way::Moments, Way::Skill];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Way::Chameleon => "chameleon",
            Way::Sequence => "sequence",
            Way::Moments => "moments",
            Way::Skill => "skill",
        }
    }
}

/// A name that is no way to learn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no way to learn called so\n  remedy: use {}", Way::ALL.map(Way::name).join(", "))]
pub struct NoWay;

impl FromStr for Way {
    type Err = NoWay;

    fn from_str(name: &str) -> Result<Self, NoWay> {
        Way::ALL.into_iter().find(|way| way.name() == name).ok_or(NoWay)
    }
}

/// What to do.
pub struct Pass {
    /// Maps, by name.
    pub maps: Vec<(String, Arc<Level>)>,
    /// Who teaches.
    pub teachers: Vec<Entry>,
    /// How pupils learn.
    pub ways: Vec<Way>,
    /// The words of CHAMELEON pupils.
    pub model: Model,
    /// The length of the match that is learned from, and of each other, in seconds of the game.
    pub lesson_secs: f64,
    /// See [`Pass::lesson_secs`].
    pub match_secs: f64,
    /// How many matches everybody plays, 2 to [`MOST_MATCHES`]: whole ones are held out.
    pub matches: u64,
    /// Random seed; the same seed repeats the run.
    pub seed: u64,
}

/// A pupil held against its teacher.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tried {
    /// How it learned.
    pub way: Way,
    /// How well it is told from its teacher; none if nothing could be learned or compared.
    pub told: Option<Told>,
    /// The numbers that alone tell the two apart best: the teacher's mean first.
    pub gives_away: Vec<Giveaway>,
}

/// A teacher on a map.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Who taught.
    pub teacher: String,
    /// Where.
    pub map: String,
    /// The teacher against itself: as much as chance gives.
    pub itself: Option<Told>,
    /// Its pupils.
    pub pupils: Vec<Tried>,
}

impl Tried {
    /// Whether neither classifier tells it from its teacher.
    pub fn passes(&self) -> bool {
        self.told.is_some_and(|told| told.trees.max(told.logistic) <= PASSES)
    }
}

impl Pass {
    /// Teaches and compares, and calls `done` after each teacher on a map. The seed determines everything.
    ///
    /// # Errors
    /// If nothing can be learned.
    pub fn run(&self, done: &(dyn Fn() + Sync)) -> Result<Vec<Row>, Failed> {
        shard::run_all(self, done)
    }

    /// Teachers on maps.
    pub fn total(&self) -> u64 {
        (self.maps.len() * self.teachers.len()) as u64
    }

    fn row(&self, teacher: &Entry, map: &str, level: &Arc<Level>) -> Result<Row, Failed> {
        let lessons = Lessons {
            level: Arc::clone(level),
            teachers: Vec::new(),
            model: self.model.clone(),
            lesson_secs: self.lesson_secs,
            match_secs: self.match_secs,
            matches: 1,
            iterations: 100,
            seed: self.seed,
        };
        let seen = |make: &Make, series: u64| -> Vec<Window> {
            let of_match = |number: u64| {
                let play = lessons.record(make, series * SERIES + number, self.match_secs);
                let instants =
                    play.0.iter().map(|(percept, command)| Instant::of(percept, command)).collect();
                let (player, session, map) = (String::new(), String::new(), map.to_owned());
                let found = windows(&Trail { player, session, map, is_person: false, instants }, false);
                found.into_iter().map(move |window| Window { block: number as usize, ..window })
            };
            (0..self.matches).flat_map(of_match).collect()
        };
        let lesson = lessons.record(&teacher.make, LESSON, self.lesson_secs);
        let other: Vec<Window> = seen(&teacher.make, OTHER);
        let mut pupils = Vec::new();
        for (way, number) in Way::ALL.into_iter().zip(PUPILS..).filter(|(way, _)| self.ways.contains(way)) {
            let Some(make) = pupil(&lessons, way, &lesson)? else {
                pupils.push(Tried { way, told: None, gives_away: Vec::new() });
                continue;
            };
            let played = seen(&make, number);
            let gives_away = giveaways(&other, &played, false, 3);
            pupils.push(Tried { way, told: tell_apart(&other, &played), gives_away });
        }
        let itself = tell_apart(&other, &seen(&teacher.make, CONTROL));
        Ok(Row { teacher: teacher.name.clone(), map: map.to_owned(), itself, pupils })
    }
}

/// Somebody who learned from a lesson; none if there was nothing to learn this way.
fn pupil(lessons: &Lessons, way: Way, lesson: &Play) -> Result<Option<Make>, Failed> {
    let places = lessons.level.places();
    let plays = |design: Arc<FighterDesign>| -> Make { Arc::new(move || Box::new(Fighter::new(&design))) };
    Ok(match way {
        Way::Chameleon => {
            let mut learned = lessons.imitator_of(lesson, Attention::LEARNED, true)?;
            lessons.sharpen(&mut learned, lesson)?;
            Some(player(&learned)?)
        }
        Way::Sequence => {
            let uniform = shipped::behaviour("uniform").unwrap_or_else(|| unreachable!("uniform is shipped"));
            let mut student = Student::new(connected(&uniform), Method::Batch);
            lesson.show(places, &mut student);
            let taught = student.finish("pupil", &mut |_| ()).ok();
            taught.map(|taught| plays(crate::le_hy::design(&taught.behaviour)))
        }
        Way::Moments => {
            let mut watcher = MomentWatcher::default();
            lesson.show(places, &mut watcher);
            let moments = watcher.finish().map(Arc::new);
            moments.map(|moments| plays(FighterDesign::native(DECIDES).with_person("pupil", &moments)))
        }
        Way::Skill => {
            let mut watcher = SkillWatcher::default();
            lesson.show(places, &mut watcher);
            watcher.finish().map(|skill| plays(FighterDesign::native(DECIDES).with_skill(skill)))
        }
    })
}

/// Its pieces are teachers on maps.
impl Sharded for Pass {
    type Piece = Row;
    type Whole = Vec<Row>;
    type Refused = Failed;

    fn what(&self) -> What {
        let teachers: Vec<_> = self.teachers.iter().map(|teacher| &teacher.name).collect();
        What {
            kind: "experiment pass".into(),
            seed: self.seed,
            settings: json!({ "maps": shard::maps(&self.maps), "teachers": teachers, "model": self.model.text(),
                "decisions": self.model.decisions(), "lesson_secs": self.lesson_secs, "match_secs": self.match_secs,
                "matches": self.matches, "ways": self.ways }),
            total: self.total(),
        }
    }

    fn piece(&self, number: u64) -> Result<Row, Failed> {
        let (teacher, map) = (number as usize / self.maps.len(), number as usize % self.maps.len());
        let (name, level) = &self.maps[map];
        self.row(&self.teachers[teacher], name, level)
    }

    fn whole(&self, pieces: Vec<(u64, Row)>) -> Result<Vec<Row>, Failed> {
        Ok(pieces.into_iter().map(|(_, row)| row).collect())
    }
}

#[cfg(test)]
mod tests {
    use repertoire_chameleon::model;
    use repertoire_worlds::arena::map::{file, shipped::shipped};

    use super::*;

    #[test]
    fn a_pupil_of_a_native_bots_skill_passes_and_a_behaviour_does_not() {
        let map = file::read(shipped("yard").expect("it ships")).expect("it is a map").map;
        let level = Arc::new(Level::new(map).expect("it can be played"));
        let make: Make = Arc::new(|| Box::new(Fighter::native(5)));
        let pass = Pass {
            maps: vec![("yard".to_owned(), level)],
            teachers: vec![Entry { name: "native:5".to_owned(), make }],
            model: model::shipped("arena").expect("it ships").with_decisions(2).expect("two will do"),
            ways: Way::ALL.to_vec(),
            lesson_secs: 400.0,
            match_secs: 130.0,
            matches: 3,
            seed: 4,
        };
        let rows = pass.run(&|| ()).expect("it can be learned");
        assert_eq!((rows.len(), rows[0].pupils.len()), (1, Way::ALL.len()));
        let trees = |way: Way| {
            let tried = rows[0].pupils.iter().find(|tried| tried.way == way).expect("each is tried");
            tried.told.expect("there are windows").trees
        };
        assert!(trees(Way::Skill) < 0.68, "the same program and numbers: {}", trees(Way::Skill));
        assert!(trees(Way::Sequence) > 0.9, "other hands: {}", trees(Way::Sequence));
        assert!(!rows[0].pupils[1].gives_away.is_empty());
    }
}
