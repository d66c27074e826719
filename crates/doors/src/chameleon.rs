//! `ask chameleon`: attention, decisions and actions learned from sequences.

use std::borrow::Cow;

use repertoire_chameleon::learn::{Expectation, LearnError};
use repertoire_chameleon::maximise::log_prior;
use repertoire_chameleon::posterior::posteriors;
use repertoire_chameleon::{Attention, Layout, Params, Pass, Sequence, maximise};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::nested::Shaped;
use crate::door::{Keeps, line, only, question};
use crate::{DoorError, Library};

pub(super) struct Chameleon;

impl Keeps for Chameleon {
    const NAME: &'static str = "chameleon";
    const ABOUT: &'static str = "a character that attends, decides and acts, learned from sequences of play";
    const EXAMPLE: &'static str = r#"{"cards":{"H":[2],"L":[2],"R":[2],"E":[2],"D":2},"params":{"theta":[[1,1]],"lam":[[[1,1],[1,1]]],"m1":[[[0.6,0.4],[0.5,0.5]]],"m":[[[[0.9,0.1],[0.2,0.8]],[[0.7,0.3],[0.4,0.6]]]],"n":[[[[[0.8,0.2],[0.3,0.7]],[[0.5,0.5],[0.1,0.9]]]]],"o":[[[[[0.9,0.1],[0.2,0.8]],[[0.6,0.4],[0.5,0.5]]]]]},"sequences":[{"H":[[0],[1],[1]],"L":[[0],[1],[0]],"K":[[1],[1],[0]],"R":[[0],[1],[1]],"E":[[0],[0],[1]]}],"iterations":2,"attention":"ml"}"#;
    const LOAD_EXAMPLE: &'static str = r#"{"load":{"cards":{"H":[2],"L":[2],"R":[2],"E":[2],"D":2},"params":{"theta":[[1,1]],"lam":[[[1,1],[1,1]]],"m1":[[[0.6,0.4],[0.5,0.5]]],"m":[[[[0.9,0.1],[0.2,0.8]],[[0.7,0.3],[0.4,0.6]]]],"n":[[[[[0.8,0.2],[0.3,0.7]],[[0.5,0.5],[0.1,0.9]]]]],"o":[[[[[0.9,0.1],[0.2,0.8]],[[0.6,0.4],[0.5,0.5]]]]]}},"as":"mine"}"#;
    const USE_EXAMPLE: &'static str = r#"{"use":"mine","sequences":[{"H":[[0],[1],[1]],"L":[[0],[1],[0]],"R":[[0],[1],[1]],"E":[[0],[0],[1]]}],"iterations":0}"#;
    type Request = Request;
    type Response = Response;
    type Thing = Thing;
    type Question = Question;
    type Kept = Character;
    type Last = ();

    fn answer(request: Request, (): &mut (), _: &dyn Library) -> Result<String, DoorError> {
        let (thing, question) = request.split();
        let attention = check(&question)?;
        line(&learned(&Character::new(thing)?, &question, attention, true)?)
    }

    fn keep(thing: Thing, _: &dyn Library) -> Result<Character, DoorError> {
        Ok(Character::new(thing)?)
    }

    fn ask(used: &[&Character], question: Question) -> Result<String, DoorError> {
        let attention = check(&question)?;
        line(&learned(only(used)?, &question, attention, question.iterations > 0)?)
    }
}

question! {
    /// Numbers to start from, and what was observed.
    load {
        /// How many values everything has.
        cards: Cards,
        /// The numbers to start from.
        params: Tables,
    }
    ask {
        /// What was observed, life by life.
        sequences: Vec<Observed>,
        /// How often to re-estimate; 0 only tells what the numbers say of the sequences.
        iterations: usize,
        /// Whether attention stays ("fixed") or is learned: by maximum likelihood ("ml"), or with a Gamma prior ({"gamma": [a, b]}).
        #[serde(default)]
        attention: AttentionRequest,
    }
}

/// A character's numbers, checked.
pub(super) struct Character {
    cards: Cards,
    layout: Layout,
    params: Params,
}

/// How many values everything has.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Cards {
    /// High-level stimuli.
    #[serde(rename = "H")]
    high: Vec<usize>,
    /// Low-level stimuli.
    #[serde(rename = "L")]
    low: Vec<usize>,
    /// Reflexive actions.
    #[serde(rename = "R")]
    reflexive: Vec<usize>,
    /// External actions.
    #[serde(rename = "E")]
    external: Vec<usize>,
    /// Decisions.
    #[serde(rename = "D")]
    decisions: usize,
}

type List2 = Vec<Vec<f64>>;
type List3 = Vec<List2>;
type List4 = Vec<List3>;
type List5 = Vec<List4>;

/// Attention, decisions and actions.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    /// Attention to high-level stimuli: [i][h].
    theta: List2,
    /// Attention to low-level stimuli: [j][d][l].
    lam: List3,
    /// P(first decision): [i][h][d].
    m1: List3,
    /// P(decision | the one before): [i][h][d_prev][d].
    m: List4,
    /// P(reflexive action): [u][i][h][d][r].
    n: List5,
    /// P(external action): [f][j][l][d][e].
    o: List5,
}

/// One life.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Observed {
    /// High-level stimuli: [t][i].
    #[serde(rename = "H")]
    high: Vec<Vec<u32>>,
    /// Low-level stimuli: [t][j]; anything where not known.
    #[serde(rename = "L")]
    low: Vec<Vec<Option<i64>>>,
    /// Which low-level stimuli are known: [t][j], 1 or true where they are; all of them if left out.
    #[serde(rename = "K")]
    known: Option<Vec<Vec<Known>>>,
    /// Reflexive actions: [t][u].
    #[serde(rename = "R")]
    reflexive: Vec<Vec<u32>>,
    /// External actions: [t][f].
    #[serde(rename = "E")]
    external: Vec<Vec<u32>>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Known {
    Word(bool),
    Number(f64),
}

#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum AttentionRequest {
    /// It stays as it is.
    #[default]
    Fixed,
    /// Learned by maximum likelihood.
    Ml,
    /// Learned with a Gamma(a, b) prior on every weight.
    Gamma([f64; 2]),
}

/// The learned numbers.
#[derive(Serialize, JsonSchema)]
pub(super) struct Response {
    /// ln P(actions | stimuli) of all sequences, before each iteration and after the last.
    log_likelihood: Vec<f64>,
    /// With a Gamma prior: the same plus the logarithm of the prior up to a constant, which is what never falls; null for minus
    /// infinity.
    #[serde(skip_serializing_if = "Option::is_none")]
    log_posterior: Option<Vec<f64>>,
    /// The numbers; left out where a loaded character was not learned further.
    #[serde(skip_serializing_if = "Option::is_none")]
    params: Option<Tables>,
    /// With no iterations: P(D_t = d, I_t = i | the whole sequence), [s][t][d][i].
    #[serde(skip_serializing_if = "Option::is_none")]
    gamma_d_i: Option<Vec<Shaped>>,
    /// With no iterations: P(D_t = d, J_t = j | the whole sequence), [s][t][d][j]; 0 where j is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    gamma_d_j: Option<Vec<Shaped>>,
    /// With no iterations: P(D_t = d | actions up to t), [s][t][d].
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha_d: Option<Vec<Shaped>>,
}

/// One line is one answer: whoever wants more goes on from it.
const MOST_ITERATIONS: usize = 100_000;
/// So many cells of posteriors are kept in one answer at most.
const MOST_CELLS: usize = 1 << 26;

fn check(asked: &Question) -> Result<Attention, String> {
    if asked.iterations > MOST_ITERATIONS {
        return Err(format!(
            "{} iterations: at most {MOST_ITERATIONS} in one line, go on from its answer",
            asked.iterations
        ));
    }
    Ok(match asked.attention {
        AttentionRequest::Fixed => Attention::Fixed,
        AttentionRequest::Ml => Attention::LIKELIEST,
        AttentionRequest::Gamma([shape, rate])
            if (1.0..=1e9).contains(&shape) && (0.0..=1e9).contains(&rate) =>
        {
            Attention::Learned { shape, rate }
        }
        AttentionRequest::Gamma([a, b]) => {
            return Err(format!(
                "a Gamma prior of [{a}, {b}]: a is at least 1, b at least 0, both at most 1e9"
            ));
        }
    })
}

impl Character {
    fn new(Thing { cards, params }: Thing) -> Result<Self, String> {
        let layout =
            Layout::plain(cards.decisions, &cards.high, &cards.low, &cards.reflexive, &cards.external)
                .map_err(|error| error.to_string())?;
        let params = Flat { layout: &layout, cards: &cards }.read(&params)?;
        params.check(&layout).map_err(|error| error.to_string())?;
        Ok(Character { cards, layout, params })
    }
}

/// Learns from the sequences; says the character's numbers only if they are asked for.
fn learned(
    character: &Character,
    asked: &Question,
    attention: Attention,
    with_numbers: bool,
) -> Result<Response, String> {
    let Character { cards, layout, params } = character;
    // Copied only when learning changes it.
    let mut params = Cow::Borrowed(params);
    let mut sequences = Vec::with_capacity(asked.sequences.len());
    let mut cells = 0usize;
    for (s, observed) in asked.sequences.iter().enumerate() {
        let sequence = observed.read(layout).map_err(|error| format!("sequence {s}, {error}"))?;
        cells += sequence.len() * layout.decisions() * (cards.high.len() + cards.low.len() + 2);
        sequences.push(sequence);
    }
    if cells > MOST_CELLS {
        return Err("the sequences are too long for one line".to_owned());
    }
    let impossible = |error: LearnError| error.to_string();
    let mut expectation = Expectation::new(layout, &sequences, 0);
    let prior = matches!(asked.attention, AttentionRequest::Gamma(_));
    let (mut log_likelihood, mut log_posterior) = (Vec::new(), Vec::new());
    for iteration in 0..=asked.iterations {
        let now = expectation.gather(layout, &params).map_err(impossible)?;
        log_likelihood.push(now);
        log_posterior.push(now + log_prior(&params, attention));
        if iteration < asked.iterations {
            maximise(layout, params.to_mut(), expectation.total(), 0.0, attention);
        }
    }
    let (mut gamma_d_i, mut gamma_d_j, mut alpha_d) = (None, None, None);
    if asked.iterations == 0 {
        let (mut high, mut low, mut filtered) = (Vec::new(), Vec::new(), Vec::new());
        let mut pass = Pass::new();
        for sequence in &sequences {
            let found =
                posteriors(layout, &params, sequence, &mut pass).map_err(|error| error.to_string())?;
            let (ticks, d) = (sequence.len(), layout.decisions());
            high.push(Shaped::new(&[ticks, d, cards.high.len()], found.high));
            low.push(Shaped::new(
                &[ticks, d, cards.low.len()],
                found.groups.into_iter().next().unwrap_or_default(),
            ));
            filtered.push(Shaped::new(&[ticks, d], found.filtered));
        }
        (gamma_d_i, gamma_d_j, alpha_d) = (Some(high), Some(low), Some(filtered));
    }
    let params = with_numbers.then(|| Flat { layout, cards }.write(&params));
    let log_posterior = prior.then_some(log_posterior);
    Ok(Response { log_likelihood, log_posterior, params, gamma_d_i, gamma_d_j, alpha_d })
}

impl Observed {
    fn read(&self, layout: &Layout) -> Result<Sequence, String> {
        let ticks = self.high.len();
        let lengths = [("L", self.low.len()), ("R", self.reflexive.len()), ("E", self.external.len())];
        let known = self.known.as_ref().map(|known| ("K", known.len()));
        if let Some((name, length)) = lengths.into_iter().chain(known).find(|(_, length)| *length != ticks) {
            return Err(format!("{name} has {length} ticks, H has {ticks}"));
        }
        let mut sequence = Sequence::new(layout);
        for t in 0..ticks {
            let at = |error: String| format!("tick {t}: {error}");
            let high = narrow(&self.high[t]).map_err(at)?;
            let reflexive = narrow(&self.reflexive[t]).map_err(at)?;
            let external = narrow(&self.external[t]).map_err(at)?;
            let actions = layout.shape().external.len();
            if external.len() != actions {
                return Err(at(format!("{} values for {actions} external actions", external.len())));
            }
            let mut low: Vec<Option<u16>> = Vec::with_capacity(self.low[t].len());
            if let Some(known) = &self.known
                && known[t].len() != self.low[t].len()
            {
                return Err(at(format!("{} values of K for {} of L", known[t].len(), self.low[t].len())));
            }
            for (j, value) in self.low[t].iter().enumerate() {
                let known = match self.known.as_ref().map(|known| known[t][j]) {
                    None | Some(Known::Word(true) | Known::Number(1.0)) => true,
                    Some(Known::Word(false) | Known::Number(0.0)) => false,
                    Some(Known::Number(other)) => return Err(at(format!("K holds {other}: write 0 or 1"))),
                };
                low.push(match (known, value) {
                    (false, _) => None,
                    (true, Some(value)) => {
                        let narrow = u16::try_from(*value).map_err(|_| format!("L holds {value}"));
                        Some(narrow.map_err(at)?)
                    }
                    (true, None) => {
                        return Err(at(format!("low-level stimulus {j} is known and has no value")));
                    }
                });
            }
            sequence
                .push(layout, &high, &low, &reflexive, |f, _| external[f])
                .map_err(|error| at(error.to_string()))?;
        }
        Ok(sequence)
    }
}

fn narrow(values: &[u32]) -> Result<Vec<u16>, String> {
    let one = |&value: &u32| u16::try_from(value).map_err(|_| format!("{value} is no value"));
    values.iter().map(one).collect()
}

/// Between nested lists and the flat tables, whose decision comes last.
struct Flat<'a> {
    layout: &'a Layout,
    cards: &'a Cards,
}

impl Flat<'_> {
    fn read(&self, tables: &Tables) -> Result<Params, String> {
        let mut params = Params::uniform(self.layout);
        let d = self.cards.decisions;
        let (high, low) = (&self.cards.high, &self.cards.low);
        sized("theta", &tables.theta, high.len())?;
        sized("lam", &tables.lam, low.len())?;
        sized("m1", &tables.m1, high.len())?;
        sized("m", &tables.m, high.len())?;
        sized("n", &tables.n, self.cards.reflexive.len())?;
        sized("o", &tables.o, self.cards.external.len())?;
        for (i, &values) in high.iter().enumerate() {
            sized(&format!("theta[{i}]"), &tables.theta[i], values)?;
            sized(&format!("m1[{i}]"), &tables.m1[i], values)?;
            sized(&format!("m[{i}]"), &tables.m[i], values)?;
            for h in 0..values {
                let row = self.layout.high_row(i, h);
                params.theta[row] = tables.theta[i][h];
                let first = sized(&format!("m1[{i}][{h}]"), &tables.m1[i][h], d)?;
                params.first[row * d..(row + 1) * d].copy_from_slice(first);
                for (before, next) in sized(&format!("m[{i}][{h}]"), &tables.m[i][h], d)?.iter().enumerate() {
                    let next = sized(&format!("m[{i}][{h}][{before}]"), next, d)?;
                    params.next[(row * d + before) * d..][..d].copy_from_slice(next);
                }
            }
        }
        for (j, &values) in low.iter().enumerate() {
            for (decision, lam) in sized(&format!("lam[{j}]"), &tables.lam[j], d)?.iter().enumerate() {
                for (l, &weight) in sized(&format!("lam[{j}][{decision}]"), lam, values)?.iter().enumerate() {
                    params.weights[0][self.layout.low_row(j, l) * d + decision] = weight;
                }
            }
        }
        for (u, &count) in self.cards.reflexive.iter().enumerate() {
            self.read_action(
                &format!("n[{u}]"),
                &tables.n[u],
                high,
                count,
                |i, h| self.layout.high_row(i, h),
                &mut params.reflexive[u],
            )?;
        }
        for (f, &count) in self.cards.external.iter().enumerate() {
            self.read_action(
                &format!("o[{f}]"),
                &tables.o[f],
                low,
                count,
                |j, l| self.layout.low_row(j, l),
                &mut params.external[f],
            )?;
        }
        Ok(params)
    }

    /// `[stimulus][value][d][action]` into `[row][action][d]`.
    fn read_action(
        &self,
        name: &str,
        table: &List4,
        stimuli: &[usize],
        count: usize,
        row: impl Fn(usize, usize) -> usize,
        into: &mut [f64],
    ) -> Result<(), String> {
        let d = self.cards.decisions;
        for (s, (table, &values)) in sized(name, table, stimuli.len())?.iter().zip(stimuli).enumerate() {
            for (v, table) in sized(&format!("{name}[{s}]"), table, values)?.iter().enumerate() {
                for (decision, p) in sized(&format!("{name}[{s}][{v}]"), table, d)?.iter().enumerate() {
                    let p = sized(&format!("{name}[{s}][{v}][{decision}]"), p, count)?;
                    for (action, &p) in p.iter().enumerate() {
                        into[(row(s, v) * count + action) * d + decision] = p;
                    }
                }
            }
        }
        Ok(())
    }

    fn write(&self, params: &Params) -> Tables {
        let d = self.cards.decisions;
        let high = |i: usize, h: usize| self.layout.high_row(i, h);
        let rows = |f: &dyn Fn(usize) -> List2| -> List4 {
            let values = |(i, &values): (usize, &usize)| (0..values).map(|h| f(high(i, h))).collect();
            self.cards.high.iter().enumerate().map(values).collect()
        };
        let action =
            |table: &[f64], count: usize, stimuli: &[usize], row: &dyn Fn(usize, usize) -> usize| -> List4 {
                let cell = |s, v, decision, action| table[(row(s, v) * count + action) * d + decision];
                let distribution =
                    |s, v, decision| (0..count).map(|action| cell(s, v, decision, action)).collect();
                let value = |s, v| (0..d).map(|decision| distribution(s, v, decision)).collect();
                let stimulus = |(s, &values): (usize, &usize)| (0..values).map(|v| value(s, v)).collect();
                stimuli.iter().enumerate().map(stimulus).collect()
            };
        let low = |j: usize, l: usize| self.layout.low_row(j, l);
        let lam = |(j, &values): (usize, &usize)| -> List2 {
            let weight = |decision: usize, l: usize| params.weights[0][low(j, l) * d + decision];
            (0..d).map(|decision| (0..values).map(|l| weight(decision, l)).collect()).collect()
        };
        let theta = |(i, &values): (usize, &usize)| (0..values).map(|h| params.theta[high(i, h)]).collect();
        let first = |(i, &values): (usize, &usize)| -> List2 {
            (0..values).map(|h| params.first[high(i, h) * d..][..d].to_vec()).collect()
        };
        Tables {
            theta: self.cards.high.iter().enumerate().map(theta).collect(),
            lam: self.cards.low.iter().enumerate().map(lam).collect(),
            m1: self.cards.high.iter().enumerate().map(first).collect(),
            m: rows(&|row| {
                params.next[row * d * d..][..d * d].chunks_exact(d).map(<[f64]>::to_vec).collect()
            }),
            n: params
                .reflexive
                .iter()
                .zip(&self.cards.reflexive)
                .map(|(table, &count)| action(table, count, &self.cards.high, &high))
                .collect(),
            o: params
                .external
                .iter()
                .zip(&self.cards.external)
                .map(|(table, &count)| action(table, count, &self.cards.low, &low))
                .collect(),
        }
    }
}

fn sized<'t, T>(name: &str, list: &'t [T], expected: usize) -> Result<&'t [T], String> {
    if list.len() == expected {
        Ok(list)
    } else {
        Err(format!("{name} has {} entries, {expected} are needed", list.len()))
    }
}
