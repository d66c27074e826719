//! What was learned by imitation: a character's summary, and how far learning it is.

use repertoire_chameleon::model::Action;
use repertoire_chameleon::{Learned, Steadiness};
use repertoire_mind::chameleon::{Imitation, Step};
use serde_json::{Value, json};

/// A character that was learned by imitation, and from what.
#[derive(Clone, Copy, Debug)]
pub struct Imitated<'a> {
    /// What was learned.
    pub found: &'a Imitation,
    /// Whose play it was learned from.
    pub players: &'a [String],
    /// How long that took.
    pub secs: f64,
    /// Whether it was learned while it played.
    pub is_live: bool,
    /// Whether its attention is its author's.
    pub is_fixed: bool,
    /// Where it is written to.
    pub file: &'a str,
}

impl Imitated<'_> {
    /// The summary in words.
    pub fn text(&self) -> String {
        let found = self.found;
        let learned = &found.learned;
        let mut text = format!(
            "{}: {} decisions learned from {} lives of {}, {} ticks, in {:.1} s\n",
            learned.model.name(),
            learned.model.decisions(),
            found.lives,
            self.players.join(", "),
            found.ticks,
            self.secs,
        );
        if learned.lives as usize > found.lives {
            text += &format!("went on from {} lives\n", learned.lives as usize - found.lives);
        }
        text += &format!("{:.4} nats per tick", found.nats_per_tick);
        if let Some((lives, nats)) = found.kept_aside {
            text += &format!("; {nats:.4} on {lives} lives kept aside");
        }
        text += "\n";
        text += &how_it_plays(learned);
        let mut table = |title: &str, head: [&str; 3], rows: Vec<Vec<String>>| {
            if !rows.is_empty() {
                let head = head.map(str::to_owned).to_vec();
                let lines: Vec<Vec<String>> = [head].into_iter().chain(rows).collect();
                text += &format!("\n{title}\n{}", crate::columns(&lines));
            }
        };
        let tried = found.decisions_tried.iter().map(|one| {
            vec![
                one.decisions.to_string(),
                format!("{:.4}", one.learned_from),
                format!("{:.4}", one.kept_aside),
            ]
        });
        let head = ["decisions", "learned from", "kept aside"];
        table("nats per tick against the number of decisions", head, tried.collect());
        let delays = found.delay_curve.iter().enumerate().map(|(ticks, nats)| {
            let share = learned.delay.ticks.get(ticks).copied().unwrap_or(0.0);
            vec![ticks.to_string(), format!("{nats:.4}"), format!("{:.1} %", share * 100.0)]
        });
        let title = "nats per tick against the reaction time, and the share of lives with it";
        table(title, ["ticks", "nats per tick", "share"], delays.collect());
        text += if self.is_live {
            "\nnats per tick of each life before it was learned from\n"
        } else {
            "\nlog-likelihood, after iteration\n"
        };
        let step = learned.curve.len().div_ceil(12).max(1);
        let last = learned.curve.len().saturating_sub(1);
        for (iteration, value) in
            learned.curve.iter().enumerate().filter(|(k, _)| k % step == 0 || *k == last)
        {
            text += &format!("  {iteration:>6}  {value:>12.3}\n");
        }
        if self.file != "-" {
            text += &format!("\n`repertoire chameleon show {}` shows what it learned\n", self.file);
        }
        text
    }

    /// The summary for other programs.
    pub fn to_json(&self) -> Value {
        let found = self.found;
        let learned = &found.learned;
        json!({
            "file": self.file,
            "model": learned.model.name(),
            "decisions": learned.model.decisions(),
            "attention": if self.is_fixed { "fixed" } else { "learned" },
            "players": self.players,
            "lives": found.lives,
            "ticks": found.ticks,
            "lives_in_all": learned.lives,
            "log_likelihood": learned.curve,
            "nats_a_tick": found.nats_per_tick,
            "kept_aside": found.kept_aside.map(|(lives, nats)| json!({ "lives": lives, "nats_a_tick": nats })),
            "delay": learned.delay.ticks,
            "sharpness": learned.sharpness,
            "steadiness": learned.steadiness,
            "body": learned.body,
            "delay_curve": (!found.delay_curve.is_empty()).then_some(&found.delay_curve),
            "decisions_tried": found.decisions_tried.iter().map(|one| {
                json!({ "decisions": one.decisions, "nats_a_tick": one.learned_from, "kept_aside_nats_a_tick": one.kept_aside })
            }).collect::<Vec<_>>(),
            "seconds": self.secs,
        })
    }
}

/// A step of learning, of at most `most` iterations.
pub fn step(step: Step, most: usize) -> String {
    match step {
        Step::Iteration { start, iteration, log_likelihood } => {
            let start = start + 1;
            format!(
                "start {start}, iteration {iteration} of at most {most}, log-likelihood {log_likelihood:.1}"
            )
        }
        Step::Delay { ticks, nats_per_tick } => {
            format!("a reaction time of {ticks} ticks: {nats_per_tick:.4} nats per tick")
        }
        Step::Decisions { decisions, nats_per_tick } => {
            format!("{decisions} decisions: {nats_per_tick:.4} nats per tick on lives kept aside")
        }
    }
}

fn how_it_plays(learned: &Learned) -> String {
    let sharp = &learned.sharpness;
    let groups = learned.model.groups().iter().zip(&sharp.groups);
    let groups: String = groups.map(|(group, power)| format!(" ({group} {power})")).collect();
    let mut text = format!(
        "plays with attention, decisions and actions to the power of {}{groups}, {} and {}\n",
        sharp.attention, sharp.decision, sharp.action,
    );
    let named = |(number, action): (f64, &Action)| format!("{} {number:.1}", action.name);
    let actions = learned.model.external();
    if learned.steadiness != Steadiness::default() {
        let held = learned.steadiness.external.iter().copied().zip(actions).map(named);
        let held = held.collect::<Vec<_>>().join(", ");
        text += &format!("holds attention for {:.1} ticks, {held}\n", learned.steadiness.attention);
    }
    let reach =
        learned.body.reach.iter().zip(actions).filter_map(|(most, action)| Some((*most.as_ref()?, action)));
    let reach: Vec<String> = reach.map(named).collect();
    if !reach.is_empty() {
        let legs = if learned.body.by_keys { "; it runs in the eight directions of keys" } else { "" };
        text += &format!("most degrees that its body turns per tick: {}{legs}\n", reach.join(", "));
    }
    text
}
