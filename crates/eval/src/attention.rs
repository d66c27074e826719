//! Is the attention of teachers found whose attention is known? Tencé 2011, section 3.4.3.3, could not learn it.
//!
//! Random teachers (three decisions, three high-level and three low-level stimuli) act in a random world; characters learn from
//! some of it and are judged by the rest, in nats per tick below what the teacher's own numbers reach. A second world adds a
//! low-level stimulus of 24 values to which nobody attends: it can explain what was learned from by memorising it.

use repertoire_authored::Mistake;
use repertoire_chameleon::learn::{from_params, from_scratch};
use repertoire_chameleon::synthetic::{World, play, teacher};
use repertoire_chameleon::{
    Attention, EmSettings, Impossible, LearnError, Model, Params, Pass, Pooling, Sequence, model,
};
use repertoire_prob::Stream;
use repertoire_prob::num::{ln, sqrt};
use serde::Serialize;
use serde_json::json;

use crate::shard::{self, Sharded, What};

/// How attention came about, in the order of [`AttentionTable::ways`].
pub const WAYS: [&str; 5] =
    ["uniform attention", "the teacher's attention", "learned", "learned, cross-fitted", "learned, pooled"];

/// The length of a sequence that is learned from, in ticks.
const LIFE_TICKS: usize = 100;

/// What to do.
///
/// ```
/// use repertoire_eval::attention::{AttentionExperiment, WAYS};
///
/// let small = AttentionExperiment { teachers: 1, ticks: 100, starts: 1, ..AttentionExperiment::default() };
/// let tables = small.run(&|| ())?;
/// assert_eq!((tables.len(), tables[0].ways.len()), (2, WAYS.len()));
/// // Nobody explains unseen play much better than the teacher's own numbers.
/// assert!(tables[0].ways[0].nats_below_teacher[0] < 0.2);
/// # Ok::<(), repertoire_eval::attention::AttentionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AttentionExperiment {
    /// Teachers to average over.
    pub teachers: u32,
    /// Ticks to learn from, in sequences of 100; as many again are judged on.
    pub ticks: u32,
    /// Random starts of each learning.
    pub starts: u32,
    /// Virtual counts on each value of an action.
    pub virtual_counts: f64,
    /// Random seed; the same seed repeats the run.
    pub seed: u64,
}

impl Default for AttentionExperiment {
    fn default() -> Self {
        AttentionExperiment { teachers: 8, ticks: 2000, starts: 3, virtual_counts: 0.5, seed: 1 }
    }
}

/// Why the experiment cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum AttentionError {
    /// Nobody teaches, nothing is seen, or nothing is learned.
    #[error("there are 0 {0}: at least 1 is needed")]
    None(&'static str),
    /// The settings of the learning make no sense.
    #[error(transparent)]
    Learn(#[from] LearnError),
    /// What was learned gives unseen play no probability.
    #[error(transparent)]
    Impossible(#[from] Impossible),
    /// The model of the random world cannot be read.
    #[error(transparent)]
    Model(#[from] Mistake),
}

/// The teachers of one world.
#[derive(Clone, Debug, PartialEq)]
pub struct AttentionTable {
    /// Whether the world has a stimulus to which nobody attends.
    pub distracted: bool,
    /// One for each of [`WAYS`].
    pub ways: Vec<AttentionWay>,
}

/// One way to come by attention.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AttentionWay {
    /// Which of [`WAYS`].
    pub attention: &'static str,
    /// For each teacher: nats per tick on unseen play, less what the teacher's own numbers reach.
    pub nats_below_teacher: Vec<f64>,
    /// For each teacher: the correlation of logarithms of high-level attention with the teacher's; not a number where attention
    /// does not vary.
    pub correlation: Vec<f64>,
}

impl AttentionExperiment {
    /// Both worlds, the plain one first. `done` hears of every teacher of either world.
    ///
    /// Fails if a count is 0, or learning refuses its settings.
    pub fn run(&self, done: &(dyn Fn() + Sync)) -> Result<Vec<AttentionTable>, AttentionError> {
        self.check()?;
        shard::run_all(self, done)
    }

    /// Whether there is anything to do.
    ///
    /// # Errors
    /// If a count is 0.
    pub fn check(&self) -> Result<(), AttentionError> {
        let counts = [("teachers", self.teachers), ("ticks", self.ticks), ("starts", self.starts)];
        match counts.into_iter().find(|(_, count)| *count == 0) {
            Some((name, _)) => Err(AttentionError::None(name)),
            None => Ok(()),
        }
    }

    /// Nats a tick below the teacher, and how alike attention is, for each way.
    fn lesson(&self, model: &Model, distracted: bool, one: u32) -> Result<Vec<Lesson>, AttentionError> {
        let layout = model.layout();
        let mut stream = Stream::new(self.seed, one.into(), "attention's teacher");
        let mut truth = teacher(layout, &mut stream);
        if distracted {
            let (first, last) = (layout.low_row(3, 0), layout.low_rows());
            truth.weights[0][first * 3..last * 3].fill(1e-6);
        }
        let lives = (self.ticks as usize).div_ceil(LIFE_TICKS);
        let mut watch = || (0..lives).map(|_| play(layout, &truth, World::default(), &mut stream)).collect();
        let (seen, unseen): (Vec<Sequence>, Vec<Sequence>) = (watch(), watch());
        let plain = EmSettings {
            attention: Attention::Fixed,
            virtual_counts: self.virtual_counts,
            starts: self.starts as usize,
            seed: self.seed,
            ..EmSettings::default()
        };
        let learned = EmSettings { attention: Attention::LEARNED, ..plain.clone() };
        let best = nats(model, &truth, &unseen)?;
        let mut found = Vec::new();
        for way in 0..WAYS.len() {
            let params = match way {
                0 => from_scratch(model, &seen, &plain, &|_| {})?.params,
                1 => {
                    // The same starts, with the teacher's attention.
                    let start = |k: u32| {
                        let mut stream = Stream::new(self.seed, k.into(), "chameleon start");
                        let random = Params::random(layout, &mut stream);
                        let start =
                            Params { theta: truth.theta.clone(), weights: truth.weights.clone(), ..random };
                        from_params(layout, start, &seen, &plain, &|_| {})
                    };
                    let runs = (0..self.starts).map(start).collect::<Result<Vec<_>, _>>()?;
                    let last = |run: &repertoire_chameleon::Run| {
                        run.log_likelihood.last().copied().unwrap_or(f64::MIN)
                    };
                    runs.into_iter()
                        .max_by(|a, b| last(a).total_cmp(&last(b)))
                        .map_or(truth.clone(), |run| run.params)
                }
                2 => from_scratch(model, &seen, &learned, &|_| {})?.params,
                3 => from_scratch(model, &seen, &EmSettings { folds: 5, ..learned.clone() }, &|_| {})?.params,
                _ => {
                    let pooling = Some(Pooling::default());
                    from_scratch(model, &seen, &EmSettings { pooling, ..learned.clone() }, &|_| {})?.params
                }
            };
            found.push((nats(model, &params, &unseen)? - best, correlation(&params.theta, &truth.theta)));
        }
        Ok(found)
    }
}

/// Nats per tick below the teacher, and the correlation of attention; none where attention does not vary.
type Lesson = (f64, Option<f64>);

/// Its pieces are teachers: those of the plain world, then those of the other. A piece has a lesson for each of [`WAYS`].
impl Sharded for AttentionExperiment {
    type Piece = Vec<Lesson>;
    type Whole = Vec<AttentionTable>;
    type Refused = AttentionError;

    fn what(&self) -> What {
        What {
            kind: "experiment attention".into(),
            seed: self.seed,
            settings: json!({ "teachers": self.teachers, "ticks": self.ticks, "starts": self.starts,
                "virtual_counts": self.virtual_counts }),
            total: 2 * u64::from(self.teachers),
        }
    }

    fn piece(&self, number: u64) -> Result<Vec<Lesson>, AttentionError> {
        let teachers = u64::from(self.teachers);
        let distracted = number >= teachers;
        self.lesson(&world(distracted)?, distracted, (number % teachers) as u32)
    }

    fn whole(&self, pieces: Vec<(u64, Vec<Lesson>)>) -> Result<Vec<AttentionTable>, AttentionError> {
        let empty =
            |attention| AttentionWay { attention, nats_below_teacher: Vec::new(), correlation: Vec::new() };
        let mut tables =
            [false, true].map(|distracted| AttentionTable { distracted, ways: WAYS.map(empty).to_vec() });
        for (number, lessons) in pieces {
            let table = &mut tables[usize::from(number >= u64::from(self.teachers))];
            for (way, (nats, correlation)) in table.ways.iter_mut().zip(lessons) {
                way.nats_below_teacher.push(nats);
                way.correlation.push(correlation.unwrap_or(f64::NAN));
            }
        }
        Ok(tables.to_vec())
    }
}

fn world(distracted: bool) -> Result<Model, AttentionError> {
    let mut text = String::from(
        "name = \"teacher\"\ndecisions = 3\n[high.a]\nedges = [1, 2]\n[high.b]\nedges = [1, 2]\n[high.c]\nedges = [1]\n\
         [low.p]\naxes = [{ of = \"yaw\", edges = [1, 2, 3] }]\n[low.q]\naxes = [{ of = \"yaw\", edges = [1, 2, 3] }]\n\
         [low.r]\naxes = [{ of = \"yaw\", edges = [1, 2] }]\n",
    );
    if distracted {
        let edges: Vec<String> = (1..24).map(|edge| edge.to_string()).collect();
        text += &format!("[low.noise]\naxes = [{{ of = \"noise\", edges = [{}] }}]\n", edges.join(", "));
    }
    text += "[reflexive.u]\nvalues = [\"0\", \"1\", \"2\"]\n[external.e]\nvalues = [\"0\", \"1\", \"2\", \"3\"]\n\
             [external.f]\nvalues = [\"0\", \"1\", \"2\"]\n";
    Ok(model::read(&text)?)
}

fn nats(model: &Model, params: &Params, sequences: &[Sequence]) -> Result<f64, AttentionError> {
    let mut pass = Pass::new();
    let (mut total, mut ticks) = (0.0, 0);
    for sequence in sequences {
        total += pass.forward(model.layout(), params, sequence)?;
        ticks += sequence.len();
    }
    Ok(total / ticks as f64)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Between logarithms; none if one of them does not vary.
fn correlation(a: &[f64], b: &[f64]) -> Option<f64> {
    let logs = |values: &[f64]| -> Vec<f64> { values.iter().map(|&x| ln(x.max(1e-100))).collect() };
    let (a, b) = (logs(a), logs(b));
    let (ma, mb) = (mean(&a), mean(&b));
    let sum = |f: &dyn Fn(f64, f64) -> f64| a.iter().zip(&b).map(|(&x, &y)| f(x - ma, y - mb)).sum::<f64>();
    let correlation = sum(&|x, y| x * y) / sqrt(sum(&|x, _| x * x) * sum(&|_, y| y * y));
    correlation.is_finite().then_some(correlation)
}
