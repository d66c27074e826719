//! The papers' experiments as tables.

use anstyle::Style;
use repertoire_bayes::sequence::file::to_toml;
use repertoire_chameleon::partial::Partial;
use repertoire_eval::attention::{AttentionExperiment, AttentionTable, WAYS};
use repertoire_eval::attractors::Turned;
use repertoire_eval::dujardin::{Parameters, Told, departures, points};
use repertoire_eval::le_hy::line_up::{LINE_UPS, TABLE_3_11};
use repertoire_eval::le_hy::senses::{Agreement, Senses};
use repertoire_eval::le_hy::{LeHyResults, Recovery};
use repertoire_eval::likelihoods::Learned;
use repertoire_eval::minds::{Group, MindExperiment, SubjectWorth};
use repertoire_eval::tence::{Judged, Outcome};
use repertoire_mind::student::Method;
use repertoire_prob::num::sqrt;
use serde::Serialize;
use serde_json::{Value, json};

use super::behaviour::describe;
use super::table::{Table, counted, percent};
use super::tournament;

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

/// The same for other programs: a row for each world and way.
pub fn attention_as_json(tables: &[AttentionTable]) -> Value {
    let rows = tables.iter().flat_map(|table| {
        table.ways.iter().map(|way| {
            json!({ "distracted": table.distracted, "attention": way.attention,
                "nats_a_tick_below_the_teacher": way.nats_below_teacher,
                "correlation_of_high_level_attention": way.correlation })
        })
    });
    rows.collect()
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

/// What each subject's duels against an opponent came to, on the maps of tuning and on others.
pub fn mind_groups(opponent: &str, experiment: &MindExperiment, groups: &[Group]) -> String {
    let mut text = String::new();
    for Group { maps, subjects } in groups {
        let title = format!(
            "Duels against {opponent} to {} frags, {} on each of {maps}",
            experiment.frags, experiment.duels
        );
        text += &minds(&title, subjects);
        text.push('\n');
    }
    text + "± is the 95 % interval; that of wins is in its own column.\n"
}

/// The same for other programs, with every duel.
pub fn mind_groups_as_json(
    opponent: &str,
    experiment: &MindExperiment,
    groups: &[Group],
    each: &impl Serialize,
) -> Value {
    json!({ "opponent": opponent, "duels": experiment.duels, "frags": experiment.frags, "seed": experiment.seed,
        "groups": groups, "each": each })
}

/// What each subject's duels came to: on all maps, or on some of them.
fn minds(title: &str, subjects: &[SubjectWorth]) -> String {
    let bold = Style::new().bold();
    let columns =
        ["wins", "95 %", "lead", "suicides", "avoidable deaths", "found again (s)", "items a minute"];
    let mut table = Table::by("subject", columns.map(str::to_owned));
    for SubjectWorth { subject, worth } in subjects {
        let between = format!("{:.0} to {:.0} %", 100.0 * worth.wins_low, 100.0 * worth.wins_high);
        table.named(
            subject,
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

/// How learning by imitation proceeds: parts of the likelihood over iterations, then what lives are worth for others.
pub fn likelihoods(learned: &Learned) -> String {
    let bold = Style::new().bold();
    let last = learned.parts.first().map_or(0, |parts| parts.len().saturating_sub(1));
    let mut parts = Table::by(
        "iterations",
        Partial::NAMES.iter().map(|name| (*name).to_owned()).chain(["in all".to_owned()]),
    );
    for at in [0, 1, 2, 5, 10, 20, 50, 100, 200].into_iter().filter(|&at| at < last).chain([last]) {
        let mean = |of: &dyn Fn(&Partial) -> f64| {
            learned.parts.iter().map(|life| of(&life[at])).sum::<f64>() / learned.parts.len().max(1) as f64
        };
        let each = (0..Partial::NAMES.len()).map(|k| format!("{:.1}", mean(&|parts| parts.parts()[k])));
        parts.named(&at.to_string(), each.chain([format!("{:.1}", mean(&Partial::total))]));
    }
    let mut merged = Table::new(&["learned from", "as it is", "after learning it", "iterations"]);
    for one in &learned.merged {
        let numbers = [one.before, one.after, one.iterations].map(|number| format!("{number:.1}"));
        merged.named(&counted(one.lives, "life", "lives"), numbers);
    }
    format!(
        "{bold}Lives learned one by one: parts of what is raised, means over {}, in nats{bold:#}\n\n{parts}\n\
         m1 the first decision, m the others, n reflexive and o external actions, theta and lambda attention.\n\n\
         {bold}ln P of a life that was not learned from{bold:#}\n\n{merged}",
        counted(learned.parts.len(), "life", "lives")
    )
}

/// Where to turn among several things, by coherence and by attention: every third direction.
pub fn attractors(turned: &Turned) -> String {
    let names = (1..=turned.alone.len()).map(|k| format!("thing {k}"));
    let mut table = Table::by("degrees", names.chain(["coherence".to_owned(), "attention".to_owned()]));
    for (at, deg) in turned.directions_deg.iter().enumerate().skip(1).step_by(3) {
        let curves = turned.alone.iter().chain([&turned.coherence, &turned.attention]);
        table.named(&format!("{deg:.0}"), curves.map(|p| format!("{:.4}", p[at])));
    }
    let [coherence, attention] = turned.towards.map(|share| percent(share, 0));
    format!("{table}\nTowards one of the things: {coherence} by coherence, {attention} by attention.\n")
}

/// All of Le Hy's experiment: the table where it was played, the thesis's line-up, how well teachers are recovered.
pub fn le_hy(results: &LeHyResults) -> String {
    let table = results.table.as_ref().map(table_4_31).unwrap_or_default();
    table + &line_ups(&results.line_ups) + &recoveries(&results.recoveries)
}

/// The same for other programs.
pub fn le_hy_as_json(results: &LeHyResults) -> Value {
    json!({ "table": results.table, "line_ups": results.line_ups, "recovery": results.recoveries,
        "methods": Method::ALL.map(Method::name) })
}

/// Written, learned and native characters against each other, beside what the thesis found.
fn table_4_31(outcome: &repertoire_eval::tournament::Outcome) -> String {
    tournament::report(outcome)
        + "\nLe Hy 2007, table 4.31 (Unreal Tournament, human teachers): written aggressive 8.0, prudent 12.2, uniform 43.2;\n\
           labels aggressive 45.7; heuristic aggressive 4.4, prudent 13.9; incremental aggressive 8.5; native 3/8 11.0.\n\n"
}

/// The thesis's own line-up, under both readings of the sensors.
fn line_ups(outcomes: &[repertoire_eval::tournament::Outcome]) -> String {
    let bold = Style::new().bold();
    let mut text = String::new();
    for ((reading, _), outcome) in LINE_UPS.iter().zip(outcomes) {
        let printed = TABLE_3_11.map(|score| format!("{score:.1}")).join(", ");
        text += &format!(
            "{bold}Table 3.11, {reading}{bold:#}\n\n{}\nThe thesis: aggressive, prudent, uniform, native 3/8: {printed}.\n\n",
            tournament::report(outcome)
        );
    }
    text
}

/// What finer sensors and sound change in what is learned, for other programs.
pub fn senses_as_json(senses: &Senses, teacher: &str) -> Value {
    json!({ "finer": to_toml(&senses.finer), "agreement": senses.agreement, "noise": senses.noise,
        "teacher": teacher })
}

/// What finer sensors and sound change in what is learned: the tables with the finer ones, then what they are worth.
pub fn senses(senses: &Senses) -> String {
    describe(&senses.finer) + &worth_of_senses(senses)
}

fn worth_of_senses(senses: &Senses) -> String {
    let bold = Style::new().bold();
    let mut agree = Table::new(&["method", "seven sensors", "finer"]);
    for Agreement { method, plain, finer } in &senses.agreement {
        agree.named(method, [percent(*plain, 1), percent(*finer, 1)]);
    }
    let mut noise = Table::by("P(noise | task)", senses.noise.iter().map(|noise| noise.task.clone()));
    noise.named("the teacher hears", senses.noise.iter().map(|noise| format!("{:.3}", noise.heard)));
    noise.named("the teacher is deaf", senses.noise.iter().map(|noise| format!("{:.3}", noise.deaf)));
    format!(
        "{bold}How often the pupil's most probable task is the teacher's, in another match{bold:#}\n\n{agree}\n\
         {bold}How probable a noise is during each task, learned by rules{bold:#}\n\n{noise}\n\
         The thesis (table 4.13, attack, weapon, health, explore, flee, danger): with sound 0.58, 0.47, 0.34, 0.47, 0.52, 0.09; \
         without 0.77, 0.63, 0.74, 0.73, 0.77, 0.86.\n"
    )
}

/// How far pupils decide from their teachers, against the length of the demonstration.
fn recoveries(recoveries: &[Recovery]) -> String {
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

/// The told story on drawn maps, for other programs: what holds of it, where it departs, and each map.
pub fn dujardin_as_json(all: &[(Parameters, Vec<Told>)]) -> Value {
    let rows = all.iter().map(|(parameters, told)| {
        let points = points(told);
        let points = points.iter().map(|(point, so, of)| json!({ "point": point, "so": so, "of": of }));
        let departures = departures(told);
        let departures = departures
            .iter()
            .map(|(departs, maps)| json!({ "after": departs.after, "why": departs.why, "maps": maps }));
        json!({ "parameters": parameters, "as_told": told.iter().filter(|told| told.departs.is_none()).count(),
            "points": points.collect::<Vec<_>>(), "departures": departures.collect::<Vec<_>>(), "maps": told })
    });
    rows.collect()
}
