//! A run of a town as curves over time, positions to play back, and the day of a single inhabitant.

use repertoire_worlds::town::{Census, Phase, Reason, Town};
use serde::Serialize;

/// A run watched.
#[derive(Clone, Debug)]
pub struct Film {
    /// How many ticks lie between two looks.
    pub every: u32,
    /// How many are where, and pursue what, at each look.
    pub census: Vec<Census>,
    /// Where the followed inhabitants are at each look: cells, one after the other.
    pub positions: Vec<Vec<(f32, f32)>>,
    /// Who is followed.
    pub followed: Vec<u32>,
    /// What each of those with a diary did.
    pub diaries: Vec<(u32, Vec<Spell>)>,
    /// Events that have happened, as words.
    pub events: Vec<(u32, String)>,
}

/// Something that an inhabitant did for a while.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spell {
    /// From this tick on.
    pub from: u32,
    /// Until this one.
    pub to: u32,
    /// The goal, if there was one.
    pub goal: Option<String>,
    /// What they did, in words.
    pub doing: String,
    /// Whether they walked, waited, acted or had nothing to do.
    pub what: &'static str,
    /// Why: need, plan, and what last went wrong.
    pub why: String,
}

impl Film {
    /// Watches a town that is about to run: at most `most` inhabitants are followed on the map, spread over all of them, and
    /// the first `diaries` of those keep a diary.
    pub fn new(town: &Town, every: u32, most: usize, diaries: usize) -> Self {
        let step = town.len().div_ceil(most.max(1)).max(1);
        let followed: Vec<u32> = (0..town.len()).step_by(step).map(|who| who as u32).collect();
        let spread = (followed.len() / diaries.max(1)).max(1);
        let diaries = followed.iter().step_by(spread).take(diaries).map(|&who| (who, Vec::new())).collect();
        Film {
            every: every.max(1),
            census: Vec::new(),
            positions: Vec::new(),
            followed,
            diaries,
            events: Vec::new(),
        }
    }

    /// Looks at the town, after every tick.
    pub fn look(&mut self, town: &Town) {
        for (who, spells) in &mut self.diaries {
            note(town, *who, spells);
        }
        if town.now().is_multiple_of(self.every) {
            self.census.push(town.census());
            let at = |&who: &u32| {
                let (x, y) = town.seen(who).at;
                (x as f32, y as f32)
            };
            self.positions.push(self.followed.iter().map(at).collect());
        }
    }
}

/// Adds to a diary what somebody does now.
pub fn note(town: &Town, who: u32, spells: &mut Vec<Spell>) {
    let (seen, now) = (town.seen(who), town.now());
    let what = match seen.phase {
        Phase::Walking => "walks",
        Phase::Acting if seen.waits => "waits",
        Phase::Acting => "acts",
        Phase::Refused => "turned away",
        Phase::Idle => "idle",
    };
    let class = &town.charter().classes[usize::from(seen.class)];
    let goal = seen.goal.map(|goal| class.goals[usize::from(goal)].name.clone());
    let action = seen.action.map_or("nothing", |action| class.actions[usize::from(action)].name.as_str());
    let kind = |place: u32| {
        town.charter().kinds[usize::from(town.places().places[place as usize].kind)].name.as_str()
    };
    let doing = match (what, seen.to) {
        ("walks", Some(to)) => format!("walks to the {} for {action}", kind(to)),
        ("waits", _) => format!("waits at the {} for {action}", kind(seen.place)),
        ("acts", _) => format!("{action} at the {}", kind(seen.place)),
        ("turned away", _) => format!("turned away at the {}", kind(seen.place)),
        _ => format!("nothing to do at the {}", kind(seen.place)),
    };
    if let Some(last) = spells.last_mut() {
        last.to = now;
        if last.doing == doing && last.goal == goal {
            return;
        }
    }
    spells.push(Spell { from: now, to: now, goal, doing, what, why: town.why(who).to_string() });
}

/// How often a plan failed, by reason, those that never happened left out.
pub fn failures(town: &Town) -> Vec<(&'static str, u64)> {
    let reasons = Reason::ALL.iter().zip(town.tally().failed);
    reasons.filter(|(_, count)| *count > 0).map(|(reason, count)| (reason.name(), count)).collect()
}
