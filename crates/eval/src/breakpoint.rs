//! Breakpoints: conditions on a decision or on what happened, at which a match that is watched stops.

use repertoire_mind::Event;
use repertoire_worlds::arena::game::Match;
use serde::{Deserialize, Serialize};

use crate::why_not::probability;

/// When to stop. `who` is a character's number; none means anybody.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "when", deny_unknown_fields)]
pub enum Breakpoint {
    /// A task becomes more probable than this.
    Probability {
        /// Of whom.
        who: Option<usize>,
        /// Which task.
        task: String,
        /// From 0 to 1.
        above: f64,
    },
    /// The two most probable tasks are nearly as probable as each other.
    CloseCall {
        /// Of whom.
        who: Option<usize>,
        /// Within so many nats.
        nats: f64,
    },
    /// Somebody dies.
    Dies {
        /// Who.
        who: Option<usize>,
    },
    /// Somebody dies by their own weapon.
    OwnWeapon {
        /// Who.
        who: Option<usize>,
    },
    /// Somebody begins another task.
    Begins {
        /// Who.
        who: Option<usize>,
        /// Which task.
        task: String,
    },
}

impl Breakpoint {
    /// Whom it stops for at this moment, and why in words: the match once everybody has decided. `before` holds what each was doing a
    /// tick before.
    pub fn hit(&self, game: &Match, before: &[String]) -> Option<(usize, String)> {
        let everybody = 0..game.world().len();
        let who = self.who();
        everybody.filter(|id| who.is_none_or(|who| who == *id)).find_map(|id| {
            let why = self.hit_by(game, id, before.get(id).map_or("", String::as_str))?;
            Some((id, format!("{}: {why}", game.contenders()[id].name)))
        })
    }

    fn who(&self) -> Option<usize> {
        match self {
            Breakpoint::Probability { who, .. }
            | Breakpoint::CloseCall { who, .. }
            | Breakpoint::Dies { who }
            | Breakpoint::OwnWeapon { who }
            | Breakpoint::Begins { who, .. } => *who,
        }
    }

    fn hit_by(&self, game: &Match, id: usize, before: &str) -> Option<String> {
        let world = game.world();
        let mind = &game.contenders()[id].mind;
        let alive = || world.is_alive(id).then_some(());
        match self {
            Breakpoint::Probability { task, above, .. } => {
                alive()?;
                let p = probability(&mind.report()?, task)?;
                (p > *above).then(|| format!("P({task}) is {p:.2}, above {above}"))
            }
            Breakpoint::CloseCall { nats, .. } => {
                alive()?;
                let mut p = mind.report()?.posterior;
                p.sort_by(|a, b| b.total_cmp(a));
                let (&[first, second, ..], true) = (&p[..], p.len() > 1) else { return None };
                let apart = repertoire_prob::num::ln(first) - repertoire_prob::num::ln(second);
                (apart < *nats).then(|| format!("the two best tasks are {apart:.3} nats apart"))
            }
            Breakpoint::Begins { task, .. } => {
                alive()?;
                (mind.task() == task && before != task).then(|| format!("begins {task}"))
            }
            Breakpoint::Dies { .. } | Breakpoint::OwnWeapon { .. } => {
                let died = world.events(id).iter().find_map(|event| match event {
                    Event::Died { by, weapon } => Some((*by, *weapon)),
                    _ => None,
                });
                let (by, weapon) = died?;
                let own = by == Some(id as u8) && weapon.is_some();
                match self {
                    Breakpoint::Dies { .. } => Some("dies".to_owned()),
                    _ => own.then(|| "dies by their own weapon".to_owned()),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::tests::played;

    #[test]
    fn each_stops_where_its_condition_holds_and_nowhere_else() {
        let timeline = played(300);
        let mut hits = [0; 4];
        let stops = [
            Breakpoint::Probability { who: Some(1), task: "attack".into(), above: 0.8 },
            Breakpoint::CloseCall { who: None, nats: 0.2 },
            Breakpoint::Dies { who: None },
            Breakpoint::Begins { who: Some(1), task: "attack".into() },
        ];
        let mut before: Vec<String> = vec![String::new(); 3];
        for tick in 0..300 {
            let game = timeline.decided_at(tick).expect("played");
            for (stop, hits) in stops.iter().zip(&mut hits) {
                *hits += usize::from(stop.hit(&game, &before).is_some());
            }
            let died = (0..3)
                .any(|id| game.world().events(id).iter().any(|event| matches!(event, Event::Died { .. })));
            assert_eq!(stops[2].hit(&game, &before).is_some(), died, "tick {tick}");
            let p = game.contenders()[1].mind.report().and_then(|report| probability(&report, "attack"));
            let is = game.world().is_alive(1) && p.is_some_and(|p| p > 0.8);
            assert_eq!(stops[0].hit(&game, &before).is_some(), is, "tick {tick}");
            before = game.contenders().iter().map(|one| one.mind.task().to_owned()).collect();
        }
        assert!(hits.iter().all(|&hits| hits > 0), "{hits:?}");
        assert!(hits[3] < hits[0], "a task begins less often than it goes on: {hits:?}");
    }

    #[test]
    fn they_are_written_as_json_and_strangers_are_refused() {
        let text = r#"{"when":"close-call","who":null,"nats":0.1}"#;
        let read: Breakpoint = serde_json::from_str(text).expect("good");
        assert_eq!(read, Breakpoint::CloseCall { who: None, nats: 0.1 });
        assert!(serde_json::from_str::<Breakpoint>(r#"{"when":"full-moon"}"#).is_err());
    }
}
