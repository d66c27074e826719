//! The papers' experiments as tables.

use anstyle::Style;
use repertoire_eval::attention::{AttentionExperiment, AttentionTable, WAYS};
use repertoire_eval::dujardin::{Parameters, Told, departures, points};
use repertoire_eval::le_hy::Recovery;
use repertoire_eval::minds::Worth;
use repertoire_eval::tence::{Judged, Outcome};
use repertoire_prob::num::sqrt;

use super::table::{Table, counted, percent};

/// Whether the attention of known teachers is found.
pub fn attention(experiment: &AttentionExperiment, tables: &[AttentionTable]) -> String {
    let bold = Style::new().bold();
    let mut table = Table::new(&["attention", "plain", "distracted", "correlation with the teacher's"]);
    for (way, name) in WAYS.iter().enumerate() {
        let correlation = mean(&tables[0].ways[way].correlation);
        let mut line: Vec<String> =
            tables.iter().map(|table| with_error(&table.ways[way].nats_below_teacher)).collect();
        line.push(if correlation.is_finite() { format!("{correlation:.2}") } else { "-".to_owned() });
        table.named(name, line);
    }
    format!(
        "{bold}Nats a tick on unseen play, against the teacher's own numbers{bold:#} ({} teachers, {} ticks each)\n\n\
         {table}\nThe last column: logarithms of high-level attention in the plain world. ± is the standard error over teachers.\n",
        experiment.teachers, experiment.ticks
    )
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The mean, with the standard error of several.
fn with_error(values: &[f64]) -> String {
    let centre = mean(values);
    if values.len() < 2 {
        return format!("{centre:.3}");
    }
    let spread: f64 = values.iter().map(|value| (value - centre) * (value - centre)).sum();
    let n = values.len() as f64;
    format!("{centre:.3} ± {:.3}", sqrt(spread / (n - 1.0) / n))
}

/// What each subject's duels came to: on all maps, or on some of them.
pub fn minds(title: &str, subjects: &[(String, Worth)]) -> String {
    let bold = Style::new().bold();
    let columns =
        ["wins", "95 %", "lead", "suicides", "avoidable deaths", "found again (s)", "items a minute"];
    let mut table = Table::by("subject", columns.map(str::to_owned));
    for (name, worth) in subjects {
        let between = format!("{:.0} to {:.0} %", 100.0 * worth.wins_low, 100.0 * worth.wins_high);
        table.named(
            name,
            [
                percent(worth.wins, 0),
                between,
                format!("{:.1}", worth.lead),
                format!("{:.2}", worth.suicides.mean),
                format!("{:.2}", worth.avoidable_deaths),
                format!("{:.1}", worth.found_again_secs),
                format!("{:.1}", worth.items_per_minute.mean),
            ],
        );
    }
    format!("{bold}{title}{bold:#}\n\n{table}\n")
}

/// How far pupils decide from their teachers, against the length of the demonstration.
pub fn recoveries(recoveries: &[Recovery]) -> String {
    let bold = Style::new().bold();
    let lengths = recoveries.first().into_iter().flat_map(|one| &one.points);
    let mut table = Table::by("teacher, method", lengths.map(|(secs, _)| format!("{secs} s")));
    for recovery in recoveries {
        let name = format!("{}, {}", recovery.teacher, recovery.method.name());
        table.named(&name, recovery.points.iter().map(|(_, apart)| format!("{apart:.3}")));
    }
    format!(
        "{bold}How far decisions are from the teacher's, by how much of its play they saw{bold:#}\n\n{table}\n\
         Total variation between the two distributions over tasks, averaged over the situations of another match: 0 the\n\
         same, 1 never the same. ± is the 95 % interval over demonstrations.\n"
    )
}

/// Characters learned by imitation beside their teachers: how they explain them, play, move and behave.
pub fn imitation(outcome: &Outcome) -> String {
    let bold = Style::new().bold();
    format!(
        "{bold}How each explains its teacher, and plays{bold:#}\n\n{}\n\
         ln P a decision: of the lesson, and of a match not learned from. ± is the 95 % interval over matches.\n\n\
         {bold}How far each moves from each teacher, in degrees{bold:#} (velocity to facing, facing, velocity)\n\n{}\n\
         Means over pairs of matches; a teacher and itself: over its different matches. * the nearest by their sum. In the\n\
         teacher's range: pairs of a match of each that are no farther apart than the teacher's two farthest matches.\n\n\
         {bold}Habits{bold:#}\n\n{}",
        playing(&outcome.judged),
        distances(&outcome.judged),
        habits(&outcome.judged)
    )
}

fn playing(judged: &[Judged]) -> Table {
    let mut table = Table::new(&[
        "",
        "lesson",
        "other match",
        "frags/min",
        "deaths",
        "suicides",
        "accuracy",
        "shots",
        "items",
        "stuck",
    ]);
    for one in judged {
        let nats = |value: Option<f64>| value.map_or(String::new(), |nats| format!("{nats:.3}"));
        let plays = &one.plays;
        table.row(vec![
            one.name.clone(),
            nats(one.explains_lesson),
            nats(one.explains_other),
            format!("{:.2}", plays.frags_per_minute),
            format!("{:.2}", plays.deaths_per_minute),
            format!("{:.2}", plays.suicides_per_minute),
            percent(plays.accuracy, 0),
            format!("{:.0}", plays.shots_per_minute),
            format!("{:.1}", plays.items_per_minute),
            percent(plays.stuck_share, 2),
        ]);
    }
    table
}

fn distances(judged: &[Judged]) -> Table {
    let teachers = judged.iter().filter(|one| one.teacher.is_none()).map(|one| one.name.clone());
    let mut table = Table::by("", teachers.chain(["in the teacher's range".to_owned()]));
    for one in judged {
        let nearest = nearest(one);
        let cell = |(teacher, [a, b, c]): (usize, &[f64; 3])| {
            format!("{a:.1} {b:.1} {c:.1}{}", if nearest == Some(teacher) { " *" } else { "" })
        };
        let mut line: Vec<String> = one.apart_deg.iter().enumerate().map(cell).collect();
        let in_range = one.within_teachers_range;
        line.push(in_range.map_or(String::new(), |shares| shares.map(|share| percent(share, 0)).join(" ")));
        table.named(&one.name, line);
    }
    table
}

/// The teacher whose signatures are nearest, adding up all three.
fn nearest(one: &Judged) -> Option<usize> {
    let sum = |teacher: usize| one.apart_deg[teacher].iter().sum::<f64>();
    (0..one.apart_deg.len()).min_by(|&a, &b| sum(a).total_cmp(&sum(b)))
}

fn habits(judged: &[Judged]) -> Table {
    let mut table = Table::new(&[
        "",
        "view still",
        "bursts/min",
        "burst",
        "turning",
        "strafing",
        "backwards",
        "stopped",
        "jumps/min",
    ]);
    for one in judged {
        let habits = &one.habits;
        table.row(vec![
            one.name.clone(),
            percent(habits.view_still, 0),
            format!("{:.0}", habits.bursts_per_minute),
            format!("{:.2} s, {:.0}°", habits.burst_secs, habits.burst_deg),
            format!("{:.0}°/s", habits.turning_deg_per_sec),
            percent(habits.strafing, 0),
            percent(habits.backwards, 0),
            percent(habits.stopped, 0),
            format!("{:.1}", habits.jumps_per_minute),
        ]);
    }
    table
}

/// Whether the story of experiment 6.2 comes out on maps it was not made for, and why not where it does not.
pub fn dujardin(all: &[(Parameters, Vec<Told>)]) -> String {
    let bold = Style::new().bold();
    let mut text = String::new();
    for (parameters, told) in all {
        let from = match parameters {
            Parameters::Shipped => "as in the scenario 6.2",
            Parameters::Drawn => "drawn for each map",
        };
        let as_told = told.iter().filter(|told| told.departs.is_none()).count();
        let maps = counted(told.len(), "map", "maps");
        text += &format!(
            "{bold}The told order came out on {as_told} of {maps}{bold:#}; what the paper leaves open is {from}\n\n"
        );
        let mut table = Table::new(&["point of the story", "maps", "share"]);
        for (point, so, of) in points(told) {
            let share = if of == 0 { "-".to_owned() } else { percent(so as f64 / of as f64, 0) };
            table.named(point, [format!("{so} of {of}"), share]);
        }
        text += &format!("{table}\n");
        let mut table = Table::new(&["where it departs, and why", "after", "maps"]);
        for (departs, count) in departures(told) {
            table.named(&departs.why, [format!("{} of 8 deeds", departs.after), count.to_string()]);
        }
        text += &format!("{table}\n");
    }
    text
}
