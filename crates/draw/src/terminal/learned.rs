//! What was learned from play: a behaviour from a teacher's tasks, a manner, moments or a skill from a player's hands, and what is
//! done again.

use repertoire_bayes::sequence::labelled::Lives;
use repertoire_mind::fighter::Skill;
use repertoire_mind::moments::Moments;
use repertoire_mind::replay::Replay;
use repertoire_mind::student::{Method, Summary, TaughtBehaviour};
use repertoire_mind::tasks::apprentice::Apprentice;
use repertoire_mind::tasks::{Elementary, MotorTables};
use serde_json::{Value, json};

use super::table::counted;

/// A behaviour that was learned, and from what.
#[derive(Clone, Copy, Debug)]
pub struct Sequence<'a> {
    /// What was learned.
    pub learned: &'a TaughtBehaviour,
    /// How.
    pub method: Method,
    /// Observations that its counts had before.
    pub before: u64,
    /// Whose play it was learned from.
    pub players: &'a [String],
    /// Where it is written to.
    pub file: &'a str,
}

impl Sequence<'_> {
    /// The summary for other programs.
    pub fn to_json(&self) -> Value {
        let summary = &self.learned.summary;
        let shares = self.learned.task_shares();
        json!({
            "file": self.file,
            "method": self.method.name(),
            "players": self.players,
            "observations": summary.observations,
            "observations_before": self.before,
            "lives": summary.lives,
            "unlabelled": summary.unlabelled,
            "contradictions": summary.contradictions,
            "edited_columns": summary.edited_columns,
            "task_shares": shares.iter().map(|(name, share)| json!({ "task": name, "share": share })).collect::<Vec<_>>(),
            "log_likelihood": summary.curve.iter().map(|(at, mean)| json!([at, mean])).collect::<Vec<_>>(),
        })
    }

    /// The summary in words.
    pub fn text(&self) -> String {
        let summary = &self.learned.summary;
        let mut text = format!(
            "{}: {} observations of {} lives of {}, by {}\n",
            self.learned.behaviour.name(),
            summary.observations,
            summary.lives,
            self.players.join(", "),
            self.method.name()
        );
        if self.before > 0 {
            text += &format!("went on from {} observations\n", self.before);
        }
        if summary.edited_columns > 0 {
            let columns = summary.edited_columns;
            text += &format!("{columns} columns were edited by hand; their counts follow the edit\n");
        }
        if summary.unlabelled > 0 {
            let unlabelled = summary.unlabelled;
            text += &format!(
                "{unlabelled} observations had no task that the behaviour knows, and were left out\n"
            );
        }
        if summary.contradictions > 0 {
            text += &format!("{} commands were impossible for every task\n", summary.contradictions);
        }
        let unit = if self.method == Method::Batch { "iteration" } else { "observation" };
        if !summary.curve.is_empty() {
            text += &format!("\nlog-likelihood of an observation, after {unit}\n");
        }
        for (at, mean) in thinned(&summary.curve) {
            text += &format!("  {at:>8}  {mean:>9.4}\n");
        }
        text += "\nshare of the tasks\n";
        for (name, share) in self.learned.task_shares() {
            text += &format!("  {name:<16} {:>5.1} %\n", share * 100.0);
        }
        text + &format!("\n`repertoire behaviour show {0}` shows the tables; written to {0}\n", self.file)
    }
}

/// At most a dozen points of a curve, the last among them.
fn thinned(curve: &[(u64, f64)]) -> Vec<(u64, f64)> {
    let step = curve.len().div_ceil(12).max(1);
    let mut points: Vec<(u64, f64)> = curve.iter().copied().step_by(step).collect();
    if let Some(&last) = curve.last()
        && points.last() != Some(&last)
    {
        points.push(last);
    }
    points
}

/// That nothing was learned from some recordings, and why: for a behaviour that began as `start`.
pub fn nothing(summary: &Summary, from: &str, start: &str) -> String {
    if summary.unlabelled > 0 {
        return format!(
            "none of the {} labels in {from} is a task of {start}\n  remedy: learn from a character with a behaviour, or use --method incremental",
            summary.unlabelled
        );
    }
    format!("there was nothing to learn in {from}\n  remedy: name a player that lives in the recording")
}

/// A behaviour that was learned from a table of a game's own.
pub fn table(name: &str, lives: &Lives, file: &str) -> String {
    let (ticks, count) = (lives.len(), lives.lives());
    format!("{name}: learned from {ticks} ticks of {count} lives; written to {file}\n")
}

/// A manner that was learned, and from whose play.
pub struct Manner<'a> {
    /// The learner, with the program it made.
    pub apprentice: &'a Apprentice,
    /// Whose play it was learned from.
    pub players: &'a [String],
    /// Where it is written to.
    pub file: &'a str,
}

impl Manner<'_> {
    /// Each task: its ticks, and the largest difference of its tables from the usual ones.
    fn tasks(&self) -> Vec<(&'static str, f64, f64)> {
        let manners = self.apprentice.manners();
        let task = |task: Elementary| {
            let differs = manners.tables(task).differs_from(MotorTables::usual());
            (task.name(), self.apprentice.ticks_of(task), differs)
        };
        Elementary::ALL.into_iter().map(task).collect()
    }

    /// The summary for other programs.
    pub fn to_json(&self) -> Value {
        let (ticks, told) = self.apprentice.seen();
        let task = |(task, ticks, differs): (&str, f64, f64)| json!({ "task": task, "ticks": ticks, "largest_difference": differs });
        let tasks: Vec<Value> = self.tasks().into_iter().map(task).collect();
        json!({ "file": self.file, "players": self.players, "ticks": ticks, "told": told, "tasks": tasks })
    }

    /// The summary in words.
    pub fn text(&self) -> String {
        let (ticks, told) = self.apprentice.seen();
        let mut text = format!(
            "{ticks} ticks of {}; the task was told in {told}\n\n  task             ticks  largest difference from the usual tables\n",
            self.players.join(", ")
        );
        for (task, ticks, differs) in self.tasks() {
            text += &format!("  {task:<15} {ticks:>6.0}  {differs:.2}\n");
        }
        text + &format!("\nwritten to {}\n", self.file)
    }
}

/// Moments of somebody's play that were learned.
#[derive(Clone, Copy, Debug)]
pub struct Hands<'a> {
    /// What was learned.
    pub moments: &'a Moments,
    /// Whose play it was learned from.
    pub players: &'a [String],
    /// Where it is written to.
    pub file: &'a str,
}

impl Hands<'_> {
    /// The summary for other programs.
    pub fn to_json(&self) -> Value {
        json!({ "file": self.file, "players": self.players, "moments": self.moments.len() })
    }

    /// The summary in words.
    pub fn text(&self) -> String {
        let (count, players) = (self.moments.len(), self.players.join(", "));
        format!("{count} moments of {players}\nwritten to {}\n", self.file)
    }
}

/// Somebody's part in a recording that was taken, to be done again.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// What is done again.
    pub replay: &'a Replay,
    /// Whose part it was.
    pub player: &'a str,
    /// Where it is written to.
    pub file: &'a str,
}

impl Part<'_> {
    /// The summary for other programs.
    pub fn to_json(&self) -> Value {
        let replay = self.replay;
        json!({ "file": self.file, "player": self.player, "moments": replay.len(), "seconds": replay.seconds(),
            "lives": replay.lives() })
    }

    /// The summary in words.
    pub fn text(&self) -> String {
        let replay = self.replay;
        let (count, secs, lives) = (replay.len(), replay.seconds(), counted(replay.lives(), "life", "lives"));
        format!("{count} moments of {} in {secs:.1} s, {lives}\nwritten to {}\n", self.player, self.file)
    }
}

/// How good somebody is, in the numbers that hands of native bots go by.
pub fn skill(skill: &Skill) -> String {
    format!(
        "aim wanders by {:.1} degrees, reacts after {:.1} s, turns {:.0} degrees a second, runs at {:.0} % of full speed\n\
         aims ahead by {:.0} % of how far the target will move; standing in a fight, starts to run again in {:.0} % of decisions\n",
        skill.aim_error.to_degrees(),
        skill.reaction_secs,
        skill.turn_per_sec.to_degrees(),
        100.0 * skill.speed,
        100.0 * skill.lead,
        100.0 * skill.dodging,
    )
}
