//! Questions from the command line and their answers: charts, reasons, choices.

use anyhow::{Result, anyhow, bail};
use repertoire_bayes::explain::{Explanation, explain};
use repertoire_bayes::syntax::Conditional;
use repertoire_bayes::{AskError, Program, Question, Workspace};
use repertoire_prob::num::significant;
use repertoire_prob::{Stream, draw as choose};
use serde_json::{Map, Value, json};

use super::describe::names;
use crate::draw::{self, Chart};
use crate::output;

/// A question with all its known values, and its answer.
struct Answer {
    question: Conditional,
    searched: Vec<u32>,
    values: Vec<String>,
    /// `None` if what is known is impossible, which is an answer when every value was asked for.
    explanation: Option<Explanation>,
}

/// The answers to all questions of one command.
pub(super) struct Answers<'a> {
    program: &'a Program,
    answers: Vec<Answer>,
    explain: bool,
}

/// A question for all values of its known variables may make this many charts.
const MOST_CHARTS: usize = 256;

impl<'a> Answers<'a> {
    pub fn of(program: &'a Program, questions: &[String], explain: bool) -> Result<Self> {
        let mut answers = Vec::new();
        for text in questions {
            let asked: Conditional = text.parse().map_err(|error| anyhow!("{error}"))?;
            let open = asked.given.iter().any(|(_, value)| value.is_none());
            for question in all_values(program, &asked)? {
                let answer = answer(program, question, explain)?;
                if answer.explanation.is_none() && !open {
                    bail!("{text}: {}", AskError::Impossible);
                }
                answers.push(answer);
            }
        }
        Ok(Answers { program, answers, explain })
    }

    /// Draws values by chance; the stream of each answer is its own.
    pub fn choose(&self, times: u32, power: f64, seed: u64) -> Result<Vec<Vec<u32>>> {
        if !(power >= 0.0 && power.is_finite()) {
            bail!("--power is {power}: it must be finite and not negative");
        }
        let mut scratch = Vec::new();
        let mut all = Vec::new();
        for (index, answer) in self.answers.iter().enumerate() {
            let mut stream = Stream::new(seed, index as u64, "choose");
            let distribution = answer.explanation.as_ref().map(|explanation| &explanation.distribution);
            let mut chosen = Vec::new();
            for p in distribution.into_iter().flat_map(|p| std::iter::repeat_n(p, times as usize)) {
                chosen.push(choose::sample_sharpened(p, power, &mut scratch, &mut stream)? as u32);
            }
            all.push(chosen);
        }
        Ok(all)
    }

    /// The charts to draw.
    pub fn charts(&self) -> Vec<Chart> {
        let possible = self.answers.iter().filter_map(|answer| Some((answer, answer.explanation.as_ref()?)));
        possible
            .map(|(answer, explanation)| Chart {
                title: answer.question.to_string(),
                labels: answer.values.clone(),
                probabilities: explanation.distribution.clone(),
                edges_deg: match answer.searched[..] {
                    [id] => {
                        let bins = self.program.variables()[id as usize].bins();
                        bins.filter(|bins| bins.unit == "degrees").map(|bins| bins.edges.clone())
                    }
                    _ => None,
                },
            })
            .collect()
    }

    pub fn print(&self, chosen: Option<&[Vec<u32>]>) -> Result<()> {
        let mut text = String::new();
        let mut charts = self.charts().into_iter();
        for (index, answer) in self.answers.iter().enumerate() {
            let Some(explanation) = &answer.explanation else {
                text += &format!("{}\n  has probability 0, so there is no answer\n\n", answer.question);
                continue;
            };
            if let Some(chart) = charts.next() {
                text += &draw::terminal::bars(&chart);
            }
            if !answer.question.given.is_empty() {
                text += &format!("  P(known) = {}\n", known(explanation));
            }
            if self.explain && !explanation.contributions.is_empty() {
                text += &self.reasons(answer, explanation);
            }
            if let Some(chosen) = chosen.map(|chosen| &chosen[index]) {
                text += &choices(answer, chosen);
            }
            text.push('\n');
        }
        output::text(&text)
    }

    /// What each known value speaks for and against, in nats.
    fn reasons(&self, answer: &Answer, explanation: &Explanation) -> String {
        let shown = |nats: f64| if nats == 0.0 { "0".to_owned() } else { format!("{nats:+.2}") };
        let head = std::iter::once("known".to_owned()).chain(answer.values.iter().cloned());
        let mut lines = vec![head.collect::<Vec<_>>()];
        for (contribution, (name, value)) in explanation.contributions.iter().zip(&answer.question.given) {
            let label = format!("{name}={}", value.as_deref().unwrap_or_default());
            lines.push(
                std::iter::once(label).chain(contribution.log_ratio.iter().map(|&r| shown(r))).collect(),
            );
        }
        let why =
            "  What each known value adds to the others (log-ratio in nats; + speaks for it, - against)\n";
        why.to_owned() + &draw::columns(&lines)
    }

    pub fn to_json(&self, chosen: Option<&[Vec<u32>]>) -> Value {
        let answers: Vec<Value> = self
            .answers
            .iter()
            .enumerate()
            .map(|(index, answer)| answer.to_json(self.explain, chosen.map(|chosen| &chosen[index][..])))
            .collect();
        json!({ "program": self.program.name(), "answers": answers })
    }
}

impl Answer {
    fn to_json(&self, explain: bool, chosen: Option<&[u32]>) -> Value {
        let mut object = Map::new();
        object.insert("question".into(), self.question.to_string().into());
        let Some(explanation) = &self.explanation else {
            object.insert("impossible".into(), true.into());
            return object.into();
        };
        let answer: Vec<Value> =
            self.values.iter().zip(&explanation.distribution).map(|(value, p)| json!([value, p])).collect();
        object.insert("answer".into(), answer.into());
        object.insert("p_known".into(), repertoire_prob::num::exp(explanation.log_p_known).into());
        object.insert("log_p_known".into(), explanation.log_p_known.into());
        if explain {
            // Minus infinity (this value alone made it impossible) is null: JSON has no infinities.
            let reasons = self.question.given.iter().zip(&explanation.contributions).map(|((name, value), reason)| {
                json!({ "known": name, "value": value, "log_ratio": reason.log_ratio, "without": reason.without })
            });
            object.insert("contributions".into(), reasons.collect());
        }
        if let Some(chosen) = chosen {
            object
                .insert("chosen".into(), chosen.iter().map(|&at| self.values[at as usize].clone()).collect());
        }
        object.into()
    }
}

fn known(explanation: &Explanation) -> String {
    let p = repertoire_prob::num::exp(explanation.log_p_known);
    if p > 0.0 { significant(p, 4) } else { format!("exp({})", significant(explanation.log_p_known, 6)) }
}

fn choices(answer: &Answer, chosen: &[u32]) -> String {
    let mut counts = vec![0u32; answer.values.len()];
    chosen.iter().for_each(|&at| counts[at as usize] += 1);
    let shown: Vec<&str> = chosen.iter().take(20).map(|&at| answer.values[at as usize].as_str()).collect();
    let rest = if chosen.len() > 20 { " ..." } else { "" };
    let tally = answer.values.iter().zip(&counts).filter(|(_, count)| **count > 0);
    let tally: Vec<String> = tally.map(|(value, count)| format!("{value} {count}")).collect();
    format!("  chosen: {}{rest}\n  in all: {}\n", shown.join(" "), tally.join(", "))
}

fn answer(program: &Program, question: Conditional, with_reasons: bool) -> Result<Answer> {
    let ask_error = |error: AskError| anyhow!("{question}: {error}");
    let id = |name: &String| -> Result<u32> {
        match program.id(name) {
            Some(id) => Ok(id as u32),
            // The question is compiled below, which has the better words for it.
            None => {
                Err(ask_error(program.ask(&question.to_string()).err().unwrap_or(AskError::NothingSearched)))
            }
        }
    };
    let searched: Vec<u32> = question.left.iter().map(id).collect::<Result<_>>()?;
    let ids: Vec<u32> = question.given.iter().map(|(name, _)| id(name)).collect::<Result<_>>()?;
    let values = program.known_values(&question).map_err(ask_error)?;
    let known: Vec<(u32, u32)> = ids.into_iter().zip(values).collect();
    let answered =
        if with_reasons { explain(program, &searched, &known) } else { plain(program, &searched, &known) };
    let explanation = match answered {
        Ok(explanation) => Some(explanation),
        Err(AskError::Impossible) => None,
        Err(error) => return Err(ask_error(error)),
    };
    Ok(Answer { values: names(program, &searched), question, searched, explanation })
}

/// The answer without its reasons, which would each cost a question.
fn plain(program: &Program, searched: &[u32], known: &[(u32, u32)]) -> Result<Explanation, AskError> {
    let (ids, values): (Vec<u32>, Vec<u32>) = known.iter().copied().unzip();
    let question = Question::of_ids(program, searched, &ids)?;
    let mut workspace = Workspace::new();
    let answer = question.ask(program, &values, &mut workspace)?;
    let distribution = answer.distribution.to_vec();
    Ok(Explanation { distribution, log_p_known: answer.log_p_known(), contributions: Vec::new() })
}

/// The question itself, or one for each value of the known variables that were given none.
fn all_values(program: &Program, asked: &Conditional) -> Result<Vec<Conditional>> {
    let mut questions = vec![asked.clone()];
    for (at, (name, value)) in asked.given.iter().enumerate() {
        if let (None, Some(variable)) = (value, program.variable(name)) {
            let each = |question: Conditional| {
                variable.values().iter().map(move |value| {
                    let mut question = question.clone();
                    question.given[at].1 = Some(value.clone());
                    question
                })
            };
            questions = questions.into_iter().flat_map(each).collect();
            if questions.len() > MOST_CHARTS {
                bail!(
                    "{asked} is more than {MOST_CHARTS} questions\n  remedy: give some of the known variables a value"
                );
            }
        }
    }
    Ok(questions)
}
