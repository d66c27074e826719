//! `repertoire learn chameleon`: a character that attends, decides and acts, from the play of teachers.

use indicatif::{ProgressBar, ProgressStyle};
use repertoire::corpus::lesson::{self, Em};
use repertoire::corpus::{Subject, Taught};
use repertoire_chameleon::{Attention, EmSettings, Pooling};
use repertoire_draw::terminal::imitated::{self, Imitated};
use repertoire_eval::practice::{Moves, Practice, Teacher};
use repertoire_mind::chameleon::imitation::LONGEST_DELAY;
use repertoire_mind::chameleon::{Imitation, ImitationSettings, Imitator, Pace, Reaction};

use super::corpus;
use super::play::Teachers;
use crate::chameleon::load;
use crate::prelude::*;

/// Learn a character that attends, decides and acts (CHAMELEON) from the play of teachers
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Each life of the teacher is a sequence of stimuli and actions. What the teacher attended to and decided is never visible, and is
inferred as whatever explains the play best (Tencé 2011, chapter 3).

With --practise the pupil then plays trial matches against native bots on the map of the (first) recording, with several powers
of attention for view and legs, and keeps those with which it moves most like its teacher: see `repertoire signature`.

The result plays: `repertoire tournament --contender NAME=FILE`. It can go on learning (--start), from other teachers too. With
--live it is learned life by life while the teacher plays.

Examples:
  repertoire record --contender native:5 --contender native:3 --map halls --seconds 900 -o play.parquet
  repertoire learn chameleon --from play.parquet --player native:5 --decisions 10 -o pupil.character
  repertoire learn chameleon --from play.parquet --player native:5 --practise -o pupil.character
  repertoire learn chameleon --from play.parquet --player native:5 --delay auto --keep-aside 0.1 -o pupil.character
  repertoire learn chameleon --from play.parquet --choose-decisions 2..12 -o pupil.character
  repertoire learn chameleon --from more.parquet --start pupil.character -o pupil.character
  repertoire learn chameleon --live native:5 --seconds 600 -o like5.character
  repertoire chameleon show pupil.character
  repertoire tournament --contender pupil=pupil.character --contender native:5 --contender native:3")]
pub struct Args {
    #[command(flatten)]
    teachers: Teachers,
    /// Stimuli and actions to learn in terms of: a model's name or TOML file [default: arena]
    #[arg(long, value_name = "NAME|FILE", conflicts_with = "start")]
    model: Option<String>,
    /// Number of hidden decisions; more fit longer play [default: the model's]
    #[arg(long, conflicts_with_all = ["start", "choose_decisions"], value_parser = clap::value_parser!(u16).range(1..=256))]
    decisions: Option<u16>,
    /// Try several numbers of decisions and take the one that explains lives kept aside best: 2..12, or 4,8,12
    #[arg(long, value_name = "A..B", conflicts_with = "start")]
    choose_decisions: Option<String>,
    /// Learn attention, or keep the one that the model's author wrote
    #[arg(long, value_enum, default_value_t = AttentionArg::Learned)]
    attention: AttentionArg,
    /// The teacher's reaction time in ticks; auto finds it, as a distribution over lives
    #[arg(long, default_value = "0", value_name = "TICKS|auto")]
    delay: String,
    /// With --delay auto: the longest reaction time to try, in ticks
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=100))]
    longest_delay: u16,
    /// A learned character to go on from
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,
    /// Share of the lives (of a folder: of its recordings) to judge by instead of learning from them, between 0 and 1
    #[arg(long, value_name = "SHARE")]
    keep_aside: Option<f64>,
    /// Random starts, of which the likeliest is kept; more take longer and seldom help
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=1000))]
    starts: u16,
    /// Most iterations of EM
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    iterations: u32,
    /// Stop once an iteration gains less than this in log-likelihood, in nats per tick
    #[arg(long, default_value_t = 1e-4, value_name = "NATS")]
    least_gain: f64,
    /// Smoothing: how many ticks of evidence each value borrows from its neighbours (0 turns it off)
    #[arg(long, default_value_t = 5.0, value_name = "TICKS")]
    pooling: f64,
    /// With --pooling 0: virtual counts on each value of an action
    #[arg(long, default_value_t = 0.5, value_name = "COUNT")]
    virtual_counts: f64,
    /// Explain each of this many parts of the play by what was learned from the others, against memorising (0 turns it off)
    #[arg(long, default_value_t = 0, value_name = "PARTS")]
    cross_fit: usize,
    /// Keep how the teacher carried out what they decided, too, and do those moments again: nearer to how they move, but the pupil takes
    /// about six times as long to play, and fights a little worse
    #[arg(long)]
    hands: bool,
    /// Then play trial matches, and attend as sharply as makes the pupil move most like its teacher
    #[arg(long)]
    practise: bool,
    /// File to write the character to; - for standard output
    #[arg(short, long, value_name = "FILE")]
    output: Target,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum AttentionArg {
    Fixed,
    Learned,
}

/// Seconds of the game that a trial match takes.
const TRIAL_SECS: f64 = 600.0;

pub(crate) fn run(args: &Args) -> Result<()> {
    for from in &args.teachers.from {
        output::refuse_overwriting(&args.output, from, "a recording to learn from")?;
    }
    let settings = settings(args)?;
    if corpus::is_asked(&args.teachers) {
        return learn_corpus(args, &settings);
    }
    let most = settings.em.iterations;
    // Whether practice is possible is said before anything is learned.
    let level = args.practise.then(|| args.teachers.level()).transpose()?;
    let imitator = match args.start.as_deref().map(load::learned_character).transpose()? {
        Some(start) => Imitator::going_on(&start, settings),
        None => {
            let model = load::model(args.model.as_deref().unwrap_or("arena"))?;
            let decisions = args.decisions.map_or(model.decisions(), usize::from);
            let model = model.with_decisions(decisions);
            Imitator::new(&model.map_err(|error| anyhow!("--decisions {decisions}: {error}"))?, settings)
        }
    }?;
    let bar = ProgressBar::no_length()
        .with_style(ProgressStyle::with_template("{spinner} {pos} ticks seen, {elapsed} gone{msg}")?);
    let show = |said: String| {
        bar.set_message(format!(", {said}"));
        bar.tick();
    };
    let (found, taken) = clock::time(|| -> Result<_> {
        let mut watch = (imitator, args.practise.then(Moves::default));
        let taught_by = args.teachers.show(&mut watch, &bar)?;
        Ok((watch.0.finish(&|step| show(imitated::step(step, most)))?, watch.1, taught_by))
    });
    let (mut found, moves, taught_by) = found?;
    if let (Some(level), Some(moves)) = (level, moves) {
        let teacher = Teacher::of(&moves.0, TRIAL_SECS).context(
            "the teacher never moved: there is nothing to compare with\n  remedy: leave out --practise",
        )?;
        let practice = Practice { level, match_secs: TRIAL_SECS, seed: args.teachers.seed };
        found.learned.sharpness =
            practice.sharpness(&found.learned, &teacher, &|what| show(what.to_owned()))?;
    }
    bar.finish_and_clear();
    let written = output::file_of_bytes(&args.output, &found.learned.to_bytes());
    // What was learned is told even where it cannot be written.
    tell(args, &found, &taught_by, taken.as_secs_f64()).and(written)
}

/// Learns from folders of recordings, one after the other.
fn learn_corpus(args: &Args, settings: &ImitationSettings) -> Result<()> {
    let Reaction::Fixed(delay) = settings.reaction else { bail!("{}", all_at_once("--delay auto")) };
    for (is_given, name) in [
        (args.choose_decisions.is_some(), "--choose-decisions"),
        (args.cross_fit > 1, "--cross-fit"),
        (args.practise, "--practise"),
        (args.hands, "--hands"),
    ] {
        if is_given {
            bail!("{}", all_at_once(name));
        }
    }
    let model = args.model.clone().unwrap_or_else(|| "arena".to_owned());
    let (decisions, em) = (args.decisions.map(usize::from), Em::from(&settings.em));
    let (start, keep_aside) = (args.start.as_deref().map(lesson::start).transpose()?, args.keep_aside);
    let subject = Subject::Chameleon { model, decisions, delay, em, start, keep_aside };
    let (done, taken) = clock::time(|| {
        let mut found = None;
        corpus::learn(&args.teachers, subject, &args.output, |outcome| {
            let Taught::Character(character) = outcome.taught else { bail!("nothing was learned") };
            output::file_of_bytes(&args.output, &character.learned.to_bytes())?;
            found = Some((character, outcome.players));
            Ok(())
        })?;
        Ok::<_, anyhow::Error>(found)
    });
    let Some((character, players)) = done? else { return Ok(()) };
    tell(args, &character, &players, taken.as_secs_f64())
}

fn all_at_once(option: &str) -> String {
    format!(
        "{option} needs all play at once, and a folder is streamed\n  remedy: leave it out, or name the recordings one by one"
    )
}

fn settings(args: &Args) -> Result<ImitationSettings> {
    if let Some(share) = args.keep_aside
        && !(share > 0.0 && share < 1.0)
    {
        bail!(
            "--keep-aside {share}: nothing or all would be learned from\n  remedy: a number between 0 and 1"
        );
    }
    for (name, value) in [
        ("--pooling", args.pooling),
        ("--virtual-counts", args.virtual_counts),
        ("--least-gain", args.least_gain),
    ] {
        if !(0.0..=1e6).contains(&value) {
            bail!("{name} {value} means nothing\n  remedy: a number from 0 to 1000000");
        }
    }
    if args.teachers.live.is_some()
        && (args.choose_decisions.is_some() || args.delay == "auto" || args.keep_aside.is_some())
    {
        bail!(
            "--live learns while the teacher plays: nothing can be tried again\n  remedy: record the play, and leave --choose-decisions, --delay auto and --keep-aside to learning --from it"
        );
    }
    let reaction = match (args.delay.as_str(), args.delay.parse()) {
        ("auto", _) => Reaction::Found { longest: args.longest_delay.into() },
        (_, Ok(ticks)) if ticks <= LONGEST_DELAY => Reaction::Fixed(ticks),
        (other, _) => bail!(
            "--delay {other}: that is no reaction time\n  remedy: ticks from 0 to {LONGEST_DELAY}, or auto"
        ),
    };
    let em = EmSettings {
        iterations: args.iterations as usize,
        least_gain: args.least_gain,
        virtual_counts: args.virtual_counts,
        attention: match args.attention {
            AttentionArg::Fixed => Attention::Fixed,
            AttentionArg::Learned => Attention::LEARNED,
        },
        starts: args.starts.into(),
        seed: args.teachers.seed,
        pooling: (args.pooling > 0.0).then(|| Pooling { weight: args.pooling, ..Pooling::default() }),
        folds: args.cross_fit,
    };
    let pace = if args.teachers.live.is_some() { Pace::LifeByLife } else { Pace::AtTheEnd };
    let decisions = args.choose_decisions.as_deref().map(candidates).transpose()?.unwrap_or_default();
    let (keep_aside, hands) = (args.keep_aside, args.hands);
    Ok(ImitationSettings { em, pace, reaction, decisions, keep_aside, hands })
}

fn candidates(written: &str) -> Result<Vec<usize>> {
    let wrong = || {
        anyhow!(
            "--choose-decisions {written}: these are no numbers of decisions\n  remedy: a range such as 2..12, or a list such as 4,8,12, from 1 to 256"
        )
    };
    let number = |text: &str| {
        let number = text.trim().parse::<usize>().ok().filter(|number| (1..=256).contains(number));
        number.ok_or_else(wrong)
    };
    let candidates: Vec<usize> = match written.split_once("..") {
        Some((least, most)) => (number(least)?..=number(most)?).collect(),
        None => written.split(',').map(number).collect::<Result<_>>()?,
    };
    if candidates.is_empty() { Err(wrong()) } else { Ok(candidates) }
}

fn tell(args: &Args, found: &Imitation, players: &[String], secs: f64) -> Result<()> {
    let is_fixed = args.attention == AttentionArg::Fixed;
    let file = &args.output.display().to_string();
    let told = Imitated { found, players, secs, is_live: args.teachers.live.is_some(), is_fixed, file };
    if args.json && output::is_stdout(&args.output) {
        // The character itself is on standard output.
        anstream::eprintln!("{:#}", told.to_json());
        return Ok(());
    }
    output::answer_beside(&args.output, args.json, &told.to_json(), || told.text())
}
