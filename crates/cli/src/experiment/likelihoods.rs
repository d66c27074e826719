//! `repertoire experiment likelihoods`: how learning by imitation proceeds.

use repertoire_chameleon::Attention;
use repertoire_draw::likelihoods as picture;
use repertoire_eval::likelihoods::Learnings;
use repertoire_eval::practice::Practice;

use crate::prelude::*;

/// Tencé 2011, figures 4.24 to 4.28: the parts of the likelihood over iterations, and what lives learned before are worth
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
A teacher plays. Lives of one length are each learned by themselves, all from the same random numbers; the parts of what EM raises are
noted before every iteration: m1 and m (decisions), n and o (actions), theta and lambda (attention), in nats. Then n lives are learned
together, and the table says how probable ten others are, as they are and after learning each of them from there.

Examples:
  repertoire experiment likelihoods
  repertoire experiment likelihoods --attention --svg likelihoods.svg
  repertoire experiment likelihoods --teacher native:3 --model arena --json")]
pub struct Args {
    /// Teacher, as a contender of `tournament`
    #[arg(long, default_value = "native:5", value_name = "CONTENDER")]
    teacher: String,
    /// Map on which the teacher plays
    #[arg(long, default_value = "halls", value_name = "NAME|FILE")]
    map: String,
    /// Model of what is learned: one that comes with repertoire, or a file
    #[arg(long, default_value = "thesis", value_name = "MODEL")]
    model: String,
    /// How many hidden decisions there are
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=256))]
    decisions: u16,
    /// Length of a life, in decisions; longer lives are cut to their end (the thesis's are 10 seconds)
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(5..=100_000))]
    ticks: u32,
    /// Lives that are learned one by one
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
    lives: u32,
    /// Iterations of each
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    iterations: u32,
    /// Length of the match that lives are taken from, in seconds of game time
    #[arg(long, default_value_t = 3000, value_name = "SECS", value_parser = clap::value_parser!(u32).range(10..=100_000))]
    seconds: u32,
    /// Learn attention too, which the thesis gave by hand
    #[arg(long)]
    attention: bool,
    /// Random seed; the same seed repeats the run
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Draw the curves to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Answer as JSON, with every iteration of every life
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let (_, level) = maps::find(&args.map)?;
    let learnings = Learnings {
        practice: Practice { level, match_secs: f64::from(args.seconds), seed: args.seed },
        teacher: roster::find(&args.teacher)?.make,
        model: load::model(&args.model)?.with_decisions(args.decisions.into())?,
        ticks: args.ticks as usize,
        lives: args.lives as usize,
        iterations: args.iterations as usize,
        attention: if args.attention { Attention::LEARNED } else { Attention::Fixed },
        seed: args.seed,
    };
    let template = "{bar:30} life {pos} of {len}, {elapsed} gone, {eta} to go";
    let learned = progress::with_bar(args.lives.into(), template, |bar| learnings.learn(&|| bar.inc(1)))?;
    output::file_if_asked(args.svg.as_ref(), || picture::picture(&learned))?;
    output::answer(args.json, &learned, || terminal::experiments::likelihoods(&learned))
}
