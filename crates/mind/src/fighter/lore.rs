//! What a kind of fighter knows before it plays, and how its hands work: part of its design, and of no state.

use std::sync::Arc;

use repertoire_authored::{Mistake, Spanned, Unavailable};
use repertoire_bayes::Program;
use repertoire_belief::Model;

use super::file::Files;
use crate::Beliefs;
use crate::belief::Habits;
use crate::memory::Memory;
use crate::tasks::{Manners, Observer, Preference};

/// What a kind of fighter knows, and how its hands work.
#[derive(Clone, Debug, Default)]
pub(super) struct Lore {
    /// How players walk some maps.
    pub habits: Option<Arc<Habits>>,
    /// Whether it learns how opponents walk from those it sees.
    pub watches: bool,
    /// Whether it knows of an item only once it has seen where that lies.
    pub newcomer: bool,
    /// Whether the weapon that everybody begins with counts as one.
    pub any_weapon: bool,
    /// How tasks are carried out; none for the usual manner.
    pub manners: Option<Arc<Manners>>,
    /// Whom of several it fights; none for the nearest.
    pub preference: Option<Arc<Preference>>,
}

/// What a file says of that.
pub(super) struct Written<'f> {
    pub models: &'f [Spanned<String>],
    pub player: Option<&'f str>,
    pub items: Option<&'f Spanned<String>>,
    pub watches: bool,
    pub weapon: Option<&'f Spanned<String>>,
    pub manner: Option<&'f Spanned<String>>,
    pub exploration: Option<&'f Spanned<String>>,
    pub flight: Option<&'f Spanned<String>>,
    pub opponent: Option<&'f Spanned<String>>,
}

impl Written<'_> {
    /// Reads what is named.
    pub fn read(&self, text: &str, files: &mut Files<'_>) -> Result<Lore, Mistake> {
        let newcomer = match self.items {
            None => false,
            Some(items) => match items.get_ref().as_str() {
                "seen" => true,
                "known" => false,
                other => {
                    let what = format!("items are not `{other}`");
                    return Err(Mistake::at(text, items.span(), what, "write \"known\" or \"seen\""));
                }
            },
        };
        let any_weapon = match self.weapon.map(|weapon| (weapon, weapon.get_ref().as_str())) {
            None | Some((_, "better")) => false,
            Some((_, "any")) => true,
            Some((weapon, other)) => {
                let what = format!("`{other}` does not say which weapons count");
                return Err(Mistake::at(text, weapon.span(), what, "write \"better\" or \"any\""));
            }
        };
        Ok(Lore {
            any_weapon,
            habits: self.habits(text, files)?,
            watches: self.watches,
            newcomer,
            manners: self.manners(text, files)?,
            preference: self.preference(text, files)?,
        })
    }

    fn habits(&self, text: &str, files: &mut Files<'_>) -> Result<Option<Arc<Habits>>, Mistake> {
        let mut habits = Habits::new();
        for named in self.models {
            let model: Model = had(text, named, "model of how players walk", (files.model)(named.get_ref()))?;
            if let Some(player) = self.player.filter(|player| Habits::player(&model, player).is_none()) {
                let what = format!("the model `{}` has not met `{player}`", named.get_ref());
                let remedy = format!("it has met {}", model.players.join(", "));
                return Err(Mistake::at(text, named.span(), what, remedy));
            }
            habits = habits.with(&model, self.player);
        }
        Ok((!self.models.is_empty()).then(|| Arc::new(habits)))
    }

    fn manners(&self, text: &str, files: &mut Files<'_>) -> Result<Option<Arc<Manners>>, Mistake> {
        let mut program = |named: &Spanned<String>| -> Result<Program, Mistake> {
            had(text, named, "program", (files.program)(named.get_ref()))
        };
        let refused = |named: &Spanned<String>, why: String| refused(text, named, &why);
        let mut manners = Manners::default();
        if let Some(named) = self.manner {
            manners = Manners::of(&program(named)?).map_err(|why| refused(named, why.to_string()))?;
        }
        if let Some(named) = self.exploration {
            let opinions = program(named)?;
            manners = manners.exploring_by(&opinions).map_err(|why| refused(named, why.to_string()))?;
        }
        if let Some(named) = self.flight {
            let opinions = program(named)?;
            manners = manners.fleeing_by(&opinions).map_err(|why| refused(named, why.to_string()))?;
        }
        let any = self.manner.or(self.exploration).or(self.flight);
        Ok(any.map(|_| Arc::new(manners)))
    }

    fn preference(&self, text: &str, files: &mut Files<'_>) -> Result<Option<Arc<Preference>>, Mistake> {
        let Some(named) = self.opponent else { return Ok(None) };
        let program: Program = had(text, named, "program", (files.program)(named.get_ref()))?;
        let preference = Preference::of(&program).map_err(|why| refused(text, named, &why.to_string()))?;
        Ok(Some(Arc::new(preference)))
    }
}

/// A program that is there and cannot be used for this.
fn refused(text: &str, named: &Spanned<String>, why: &str) -> Mistake {
    let (what, remedy) = why.split_once("\n  remedy: ").unwrap_or((why, "name another program"));
    Mistake::at(text, named.span(), what, remedy)
}

fn had<T>(
    text: &str,
    named: &Spanned<String>,
    kind: &str,
    found: Result<T, Unavailable>,
) -> Result<T, Mistake> {
    found.map_err(|why| {
        let what = format!("the {kind} `{}` cannot be had: {why}", named.get_ref());
        Mistake::at(text, named.span(), what, "name a file beside this one")
    })
}

impl Lore {
    /// What is believed before anybody was seen.
    pub fn beliefs(&self) -> Beliefs {
        let beliefs = self.with_habits(Beliefs::new());
        if self.watches { beliefs.watching() } else { beliefs }
    }

    /// A belief that was saved, knowing again what the design knows.
    pub fn with_habits(&self, beliefs: Beliefs) -> Beliefs {
        match &self.habits {
            Some(habits) => beliefs.with_habits(Arc::clone(habits)),
            None => beliefs,
        }
    }

    /// What is remembered before anything was seen.
    pub fn memory(&self) -> Memory {
        self.preferring(if self.newcomer { Memory::of_newcomer() } else { Memory::default() })
    }

    /// A memory that was saved, choosing again as the design chooses.
    pub fn preferring(&self, memory: Memory) -> Memory {
        memory.preferring(self.preference.clone())
    }

    /// What tasks act upon, before anything was seen.
    pub fn observer(&self) -> Observer {
        self.observing(if self.newcomer { Observer::of_newcomer() } else { Observer::default() })
    }

    /// An observer that was saved, choosing again as the design chooses.
    pub fn observing(&self, observer: Observer) -> Observer {
        observer.preferring(self.preference.clone())
    }

    /// How tasks are carried out.
    pub fn manners(&self) -> &Manners {
        self.manners.as_deref().unwrap_or(Manners::usual())
    }
}
