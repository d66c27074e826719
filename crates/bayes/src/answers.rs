//! Questions as people write them, answered together: with reasons, for every value of a variable, and with choices.
//!
//! [`Program::ask`](crate::Program::ask) answers one question. Here a known variable may stand without a value, which asks for
//! all of its values, and each answer says what it was drawn from, so that it can be shown, drawn or written as JSON.
//!
//! ```
//! use repertoire_bayes::{answers::Answers, shipped};
//!
//! let follow = shipped::program("target-following").expect("shipped");
//! let answers = Answers::of(&follow, &["P(Rotation | Direction)"], false)?;
//! let directions = follow.variable("Direction").expect("a variable").values().len();
//! assert_eq!(answers.all().len(), directions, "one for each direction");
//! # Ok::<(), repertoire_bayes::answers::AnswersError>(())
//! ```

use repertoire_prob::draw::{DrawError, sample_sharpened};
use repertoire_prob::num::exp;
use repertoire_prob::{Stream, Variable};
use serde::Serialize;

use crate::explain::{Explanation, explain};
use crate::syntax::{Conditional, SyntaxError};
use crate::{AskError, Program, Question, Workspace};

/// A question with all its known values, and its answer.
#[derive(Clone, Debug)]
pub struct PutAnswer {
    /// The question, with a value for every known variable.
    pub question: Conditional,
    /// The searched variables, by index.
    pub searched: Vec<u32>,
    /// The names of what is searched: values, or combinations of them.
    pub values: Vec<String>,
    /// The distribution over them, with reasons if these were asked for; none if what is known is impossible, which is an
    /// answer only where all values of a variable were asked for.
    pub explanation: Option<Explanation>,
}

/// The answers to several questions of one program.
#[derive(Clone, Debug)]
pub struct Answers<'a> {
    program: &'a Program,
    answers: Vec<PutAnswer>,
    explained: bool,
}

/// Why questions were not answered.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AnswersError {
    /// One is not written as a question.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// One has no answer.
    #[error("{question}: {why}")]
    Ask {
        /// Which, as it was written.
        question: String,
        /// Why.
        why: AskError,
    },
    /// One asks for more values of known variables than anybody would look at.
    #[error(
        "{question} is more than {MOST_ANSWERS} questions\n  remedy: give some of the known variables a value"
    )]
    TooMany {
        /// Which.
        question: String,
    },
}

/// A question for all values of its known variables may have this many answers.
pub const MOST_ANSWERS: usize = 256;

impl<'a> Answers<'a> {
    /// Answers questions such as `P(Rotation | Direction=left)`. With `explained` each known value's contribution is worked
    /// out too, which costs a question for each.
    pub fn of(
        program: &'a Program,
        questions: &[impl AsRef<str>],
        explained: bool,
    ) -> Result<Self, AnswersError> {
        let mut answers = Vec::new();
        for text in questions.iter().map(AsRef::as_ref) {
            let asked: Conditional = text.parse()?;
            let open = asked.given.iter().any(|(_, value)| value.is_none());
            for question in all_values(program, &asked)? {
                let answer = answer(program, question, explained)?;
                if answer.explanation.is_none() && !open {
                    return Err(AnswersError::Ask { question: text.to_owned(), why: AskError::Impossible });
                }
                answers.push(answer);
            }
        }
        Ok(Answers { program, answers, explained })
    }

    /// The program that was asked.
    pub fn program(&self) -> &'a Program {
        self.program
    }

    /// Every answer, in the order asked.
    pub fn all(&self) -> &[PutAnswer] {
        &self.answers
    }

    /// Draws `times` values from each answer after raising it to `power` (1 is plain chance). Each answer has a random
    /// stream of its own; one that is impossible gives none.
    pub fn choose(&self, times: u32, power: f64, seed: u64) -> Result<Vec<Vec<u32>>, DrawError> {
        let mut scratch = Vec::new();
        let mut all = Vec::new();
        for (index, answer) in self.answers.iter().enumerate() {
            let mut stream = Stream::new(seed, index as u64, "choose");
            let mut chosen = Vec::new();
            for explanation in
                answer.explanation.iter().flat_map(|it| std::iter::repeat_n(it, times as usize))
            {
                let value = sample_sharpened(&explanation.distribution, power, &mut scratch, &mut stream)?;
                chosen.push(value as u32);
            }
            all.push(chosen);
        }
        Ok(all)
    }

    /// The answers as plain data, with what was chosen from each if something was.
    pub fn written(&self, chosen: Option<&[Vec<u32>]>) -> WrittenAnswers<'_> {
        let one = |(index, answer): (usize, &'_ PutAnswer)| {
            answer.written(self.explained, chosen.map(|chosen| &chosen[index][..]))
        };
        WrittenAnswers {
            answers: self.answers.iter().enumerate().map(one).collect(),
            program: self.program.name(),
        }
    }
}

/// Answers as other programs read them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WrittenAnswers<'a> {
    /// In the order asked.
    pub answers: Vec<WrittenAnswer>,
    /// The program's name.
    pub program: &'a str,
}

/// One of them. What does not apply is left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WrittenAnswer {
    /// Each value with its probability.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Vec<(String, f64)>>,
    /// The values that were drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<Vec<String>>,
    /// What each known value speaks for and against.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contributions: Option<Vec<WrittenContribution>>,
    /// Whether what is known has probability 0.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub impossible: bool,
    /// `ln P(known)`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_p_known: Option<f64>,
    /// `P(known)`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p_known: Option<f64>,
    /// The question.
    pub question: String,
}

/// What one known value contributed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WrittenContribution {
    /// The known variable.
    pub known: String,
    /// How much it speaks for each searched value, in nats. Minus infinity (this value alone made it impossible) is
    /// written as null: JSON has no infinities.
    pub log_ratio: Vec<f64>,
    /// Its value.
    pub value: Option<String>,
    /// The answer if it were not known.
    pub without: Vec<f64>,
}

impl PutAnswer {
    fn written(&self, explained: bool, chosen: Option<&[u32]>) -> WrittenAnswer {
        let question = self.question.to_string();
        let Some(explanation) = &self.explanation else {
            return WrittenAnswer { question, impossible: true, ..WrittenAnswer::default() };
        };
        let reasons = || {
            let known = self.question.given.iter().zip(&explanation.contributions);
            known.map(|((name, value), reason)| WrittenContribution {
                known: name.clone(),
                log_ratio: reason.log_ratio.clone(),
                value: value.clone(),
                without: reason.without.clone(),
            })
        };
        let name = |&value: &u32| self.values[value as usize].clone();
        WrittenAnswer {
            answer: Some(self.values.iter().cloned().zip(explanation.distribution.iter().copied()).collect()),
            chosen: chosen.map(|chosen| chosen.iter().map(name).collect()),
            contributions: explained.then(|| reasons().collect()),
            impossible: false,
            log_p_known: Some(explanation.log_p_known),
            p_known: Some(exp(explanation.log_p_known)),
            question,
        }
    }
}

fn answer(program: &Program, question: Conditional, explained: bool) -> Result<PutAnswer, AnswersError> {
    let refuse = |why: AskError| AnswersError::Ask { question: question.to_string(), why };
    let compiled = Question::compile(program, &question).map_err(refuse)?;
    let values = program.known_values(&question).map_err(refuse)?;
    let searched = compiled.searched().to_vec();
    let answered = if explained {
        let known: Vec<(u32, u32)> = compiled.known().iter().copied().zip(values).collect();
        explain(program, &searched, &known)
    } else {
        let mut workspace = Workspace::new();
        compiled.ask(program, &values, &mut workspace).map(|answer| Explanation {
            distribution: answer.distribution.to_vec(),
            log_p_known: answer.log_p_known(),
            contributions: Vec::new(),
        })
    };
    let explanation = match answered {
        Ok(explanation) => Some(explanation),
        Err(AskError::Impossible) => None,
        Err(error) => return Err(refuse(error)),
    };
    Ok(PutAnswer { values: program.combinations(&searched), question, searched, explanation })
}

/// The question itself, or one for each value of the known variables that were given none.
fn all_values(program: &Program, asked: &Conditional) -> Result<Vec<Conditional>, AnswersError> {
    let mut questions = vec![asked.clone()];
    for (at, (name, value)) in asked.given.iter().enumerate() {
        let (None, Some(variable)) = (value, program.variable(name)) else { continue };
        questions = questions.iter().flat_map(|question| with_each(question, at, variable)).collect();
        if questions.len() > MOST_ANSWERS {
            return Err(AnswersError::TooMany { question: asked.to_string() });
        }
    }
    Ok(questions)
}

/// The question with each value of the variable that is known at a position.
fn with_each<'q>(
    question: &'q Conditional,
    at: usize,
    variable: &'q Variable,
) -> impl Iterator<Item = Conditional> + 'q {
    variable.values().iter().map(move |value| {
        let mut question = question.clone();
        question.given[at].1 = Some(value.clone());
        question
    })
}
