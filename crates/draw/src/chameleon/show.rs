//! What a learned character attends to, decides and does, in words.

use repertoire_authored::nearest;
use repertoire_chameleon::Learned;
use repertoire_chameleon::layout::Level;
use repertoire_prob::num::significant;
use serde_json::{Value, json};

use super::overview::{self, Overview};
use super::polar::Picture;

/// More values of a stimulus than this are too many to tell.
const MOST_VALUES_TOLD: usize = 4;

/// A decision that attends to a value: what it then does.
#[derive(Clone, Debug)]
pub struct Row {
    /// The decision.
    pub decision: usize,
    /// The group of low-level attention.
    pub group: usize,
    /// The stimulus attended to.
    pub stimulus: String,
    /// Its value, in words.
    pub value: String,
    /// Expected ticks.
    pub ticks: f64,
    /// The row of its parameters.
    pub row: usize,
}

/// There is no low-level stimulus of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no low-level stimulus `{name}`\n  remedy: {remedy}")]
pub struct UnknownStimulus {
    /// What was asked for.
    pub name: String,
    /// Those that there are, and the nearest of them.
    pub remedy: String,
}

/// The number of a low-level stimulus by its name.
///
/// # Errors
/// If the character has none of that name.
pub fn kind_of(learned: &Learned, name: &str) -> Result<usize, UnknownStimulus> {
    let names: Vec<&str> = learned.model.low().iter().map(|low| low.name.as_str()).collect();
    if let Some(kind) = names.iter().position(|known| *known == name) {
        return Ok(kind);
    }
    let meant = nearest(name, names.iter().copied()).map(|near| format!("did you mean {near}? It has "));
    let remedy = meant.unwrap_or("it has ".to_owned()) + &names.join(", ");
    Err(UnknownStimulus { name: name.to_owned(), remedy })
}

/// Values by how much they were attended to, for every low-level group.
pub fn rows(learned: &Learned, decision: Option<usize>, kind: Option<usize>) -> Vec<Row> {
    let layout = learned.model.layout();
    let d = layout.decisions();
    let mut rows = Vec::new();
    for (group, used) in learned.counts().used.weights.iter().enumerate() {
        if layout.shape().groups[group] == Level::High {
            continue;
        }
        for (k, stimulus) in
            learned.model.low().iter().enumerate().filter(|(k, _)| kind.is_none_or(|kind| kind == *k))
        {
            for value in 0..stimulus.count() {
                let row = layout.low_row(k, value);
                for decision in (0..d).filter(|&one| decision.is_none_or(|decision| decision == one)) {
                    let ticks = used[row * d + decision];
                    if ticks > 0.5 {
                        let value = stimulus.label(value);
                        rows.push(Row {
                            decision,
                            group,
                            stimulus: stimulus.name.clone(),
                            value,
                            ticks,
                            row,
                        });
                    }
                }
            }
        }
    }
    rows.sort_by(|a, b| b.ticks.total_cmp(&a.ticks));
    rows
}

/// The picture of what is done then.
pub fn picture(learned: &Learned, row: &Row) -> Picture {
    let layout = learned.model.layout();
    let members = layout.members(row.group);
    let of = |f: usize| {
        if members.contains(&f) {
            learned.params().external(layout, f, row.row, row.decision)
        } else {
            vec![0.0; learned.model.external()[f].count()]
        }
    };
    Picture {
        title: vec![
            format!("decision {}, {}: {}", row.decision, learned.model.groups()[row.group], row.stimulus),
            row.value.clone(),
            format!("{} ticks", significant(row.ticks, 3)),
        ],
        actions: (0..learned.model.external().len()).map(of).collect(),
    }
}

/// What is said first: how much was learned from, how late it perceives, what decides.
pub fn head(learned: &Learned) -> String {
    let bold = anstyle::Style::new().bold();
    let counts = learned.counts();
    let mean = counts.log_likelihood / counts.ticks.max(1.0);
    let mut text = format!(
        "{bold}{}{bold:#}: {} decisions, learned from {} lives, {} ticks; {mean:.3} nats per tick\n",
        learned.model.name(),
        learned.model.decisions(),
        learned.lives,
        counts.ticks.round()
    );
    let delays: Vec<String> = (learned.delay.ticks.iter().enumerate())
        .filter(|(_, p)| **p >= 0.005)
        .map(|(ticks, p)| format!("{ticks} ({:.0} %)", p * 100.0))
        .collect();
    text += &format!("reaction time in ticks: {}\n\n", delays.join(", "));
    text += &format!("{bold}What decides{bold:#} (share of high-level attention)\n");
    let (mut lines, mut told) = (Vec::new(), Vec::new());
    for ((i, stimulus), share) in learned.model.high().iter().enumerate().zip(overview::high_shares(learned))
    {
        let weight = |value: usize| learned.params().theta[learned.model.layout().high_row(i, value)];
        let mut values: Vec<usize> = (0..stimulus.count()).collect();
        // Of many only those that are attended to most.
        if values.len() > MOST_VALUES_TOLD {
            values.sort_by(|&a, &b| weight(b).total_cmp(&weight(a)));
            values.truncate(MOST_VALUES_TOLD);
        }
        let one = |&value: &usize| format!("{} {}", stimulus.label(value), significant(weight(value), 2));
        told.push(values.iter().map(one).collect::<Vec<_>>().join("; "));
        lines.push(vec![stimulus.name.clone(), format!("{:.1} %", share * 100.0)]);
    }
    for (line, told) in crate::columns(&lines).lines().zip(told) {
        text += &format!("{line}  {told}\n");
    }
    text + "\n"
}

/// Each decision in a few lines.
pub fn table(found: &[Overview], only: Option<usize>) -> String {
    let bold = anstyle::Style::new().bold();
    let mut text = format!("{bold}Decisions{bold:#}\n");
    for (decision, one) in found.iter().enumerate().filter(|(k, _)| only.is_none_or(|only| only == *k)) {
        let follower =
            one.follower.map_or(String::new(), |(next, p)| format!(", then {next} ({:.0} %)", p * 100.0));
        text += &format!(
            "  {bold}{decision}{bold:#}  {:.1} % of the time, {} ticks at a stretch{follower}\n",
            one.share * 100.0,
            significant(one.stay.min(9999.0), 3)
        );
        for (group, shares) in &one.attends {
            let shares: Vec<String> = (shares.iter().take(4).filter(|(_, share)| *share >= 0.02))
                .map(|(name, share)| format!("{name} {:.0} %", share * 100.0))
                .collect();
            text += &format!("     {group} attends to {}\n", shares.join(", "));
        }
        let acts: Vec<String> = one
            .acts
            .iter()
            .map(|(action, value, p)| format!("{action} {value} {:.0} %", p * 100.0))
            .collect();
        text += &format!("     {}\n", acts.join(", "));
    }
    text
}

/// The likeliest actions for each value attended to.
pub fn distributions(learned: &Learned, rows: &[Row]) -> String {
    let bold = anstyle::Style::new().bold();
    let layout = learned.model.layout();
    let mut text = format!("\n{bold}What is done about what{bold:#}\n");
    for row in rows {
        let group = &learned.model.groups()[row.group];
        text += &format!(
            "  decision {}, {group}: {} ({}), {} ticks\n",
            row.decision,
            row.stimulus,
            row.value,
            significant(row.ticks, 3)
        );
        for &f in layout.members(row.group) {
            let action = &learned.model.external()[f];
            let p = learned.params().external(layout, f, row.row, row.decision);
            let mut order: Vec<usize> = (0..p.len()).collect();
            order.sort_by(|&a, &b| p[b].total_cmp(&p[a]));
            let best: Vec<String> = (order.iter().take(4).filter(|&&value| p[value] >= 0.01))
                .map(|&value| format!("{} {}", action.bins.label(value), significant(p[value], 2)))
                .collect();
            text += &format!("     {:8} {}\n", action.name, best.join(", "));
        }
    }
    text
}

/// The same as JSON: high-level attention, decisions (all, or only one), and the distributions of some rows.
pub fn to_json(learned: &Learned, found: &[Overview], only: Option<usize>, rows: &[Row]) -> Value {
    let layout = learned.model.layout();
    let counts = learned.counts();
    let high: Vec<_> = (learned.model.high().iter().enumerate().zip(overview::high_shares(learned)))
        .map(|((i, stimulus), share)| {
            let values: Vec<_> = (0..stimulus.count())
                .map(|v| {
                    let row = layout.high_row(i, v);
                    json!({ "value": stimulus.label(v), "attention": learned.params().theta[row], "met": counts.high_met[row] })
                })
                .collect();
            json!({ "stimulus": stimulus.name, "share": share, "values": values })
        })
        .collect();
    let decisions: Vec<_> = (found.iter().enumerate().filter(|(k, _)| only.is_none_or(|only| only == *k)))
        .map(|(decision, one)| {
            let attends: Vec<_> = (one.attends.iter())
                .map(|(group, shares)| {
                    let shares: Vec<_> =
                        shares.iter().map(|(kind, p)| json!({ "stimulus": kind, "share": p })).collect();
                    json!({ "group": group, "shares": shares })
                })
                .collect();
            let acts: Vec<_> = one
                .acts
                .iter()
                .map(|(action, value, p)| json!({ "action": action, "likeliest": value, "share": p }))
                .collect();
            json!({
                "decision": decision, "share": one.share, "ticks_at_a_stretch": one.stay,
                "follower": one.follower.map(|(next, p)| json!({ "decision": next, "share": p })),
                "attends": attends, "acts": acts,
            })
        })
        .collect();
    let distributions: Vec<_> = rows
        .iter()
        .map(|row| {
            let actions: Vec<_> = (layout.members(row.group).iter())
                .map(|&f| {
                    let action = &learned.model.external()[f];
                    let values: Vec<String> = (0..action.count()).map(|value| action.bins.label(value)).collect();
                    let p = learned.params().external(layout, f, row.row, row.decision);
                    json!({ "action": action.name, "values": values, "probabilities": p })
                })
                .collect();
            json!({ "decision": row.decision, "group": learned.model.groups()[row.group], "stimulus": row.stimulus,
                "value": row.value, "ticks": row.ticks, "actions": actions })
        })
        .collect();
    json!({
        "model": learned.model.name(), "lives": learned.lives, "ticks": counts.ticks,
        "log_likelihood": counts.log_likelihood, "delay": learned.delay.ticks, "curve": learned.curve,
        "high": high, "decisions": decisions, "distributions": distributions,
    })
}
