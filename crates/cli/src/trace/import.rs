//! `repertoire trace import`.

use repertoire::recordings;
use repertoire_eval::people::percepts;
use repertoire_trace::Recorder;
use repertoire_trace::compare::compare;
use repertoire_trace::play::Play;
use repertoire_trace::play_summary::PlaySummary;
use repertoire_trace::play_table;

use crate::prelude::*;

/// Turn a QuakeWorld demo, or people's play as CSV, into a recording
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Reads what a player's game recorded (.qwd: what they were told, and every key they pressed) and what a server recorded (.mvd:
everybody), protocols 26 to 28, with or without FTE's and MVD's extensions; also CSV with the columns t,x,y,z,yaw (X_20hz.csv
takes its events from X_events.csv beside it). All may be gzip. A demo that is cut off or damaged is read as far as it can be,
and a note says what is missing.

The recording is Parquet, one line for each state of a player, each input of the one who recorded, each change of a thing and
each event; `row` says which. Time counts from the beginning of the match, so that warming up is before 0:
  duckdb -c \"select name, count(*) from 'match.parquet' where row = 'shot' group by name\"

With --percepts the recording is one to learn from, as those of `repertoire record` are: ten times a second what each person whose
view is known could see, hear and feel on the map (--map), and what they did about it. `learn chameleon`, `learn sequence`,
`people compare` and `signature` take it; --player chooses a person.

With --compare every row of another reading of the same match is held against ours. Players are found by where they were, and the
clocks need not agree.

Examples:
  repertoire trace import match.qwd.gz                          who took part, without writing anything
  repertoire trace import match.qwd.gz -o match.parquet
  repertoire trace import match.qwd.gz --percepts --map dm6.bsp.gz -o person.parquet
  repertoire trace import match.mvd --compare match_20hz.csv.gz")]
pub struct Args {
    /// A demo (.qwd, .mvd), a CSV of states, or a recording that was imported before; plain or gzip
    file: PathBuf,

    /// Write the recording here (.parquet)
    #[arg(short, long, value_name = "FILE")]
    output: Option<Target>,

    /// Write a recording to learn from: what each person could perceive, and what they did
    #[arg(long, requires_all = ["map", "output"])]
    percepts: bool,

    /// With --percepts: the map it was played on (.bsp, plain or gzip)
    #[arg(long, value_name = "MAP.bsp", requires = "percepts")]
    map: Option<String>,

    /// Compare row by row with another reading of the same match
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,

    #[command(flatten)]
    answer: Answer,
}

pub(super) fn run(args: &Args) -> Result<()> {
    if let Some(output) = &args.output {
        super::source::refuse_other_than_parquet(output)?;
        output::refuse_overwriting(output, &args.file, "what is imported")?;
    }
    let plays = progress::during("{spinner} reading, {elapsed}", || load(&args.file))?;
    let reference = args.compare.as_deref().map(load).transpose()?.unwrap_or_default();
    let mut answers = Vec::new();
    let mut text = String::new();
    for play in &plays {
        let summary = PlaySummary::of(play);
        text += &terminal::play::summary(&summary);
        let with_other = |path: &PathBuf| {
            let (path, file) = (path.display(), args.file.display());
            reference.iter().find_map(|other| compare(play, other)).with_context(|| {
                format!("{path}: nobody in it was ever where somebody is in {file}\n  remedy: give another reading of the same match")
            })
        };
        let compared = args.compare.as_ref().map(with_other).transpose()?;
        text += &compared.as_ref().map(terminal::play::comparison).unwrap_or_default();
        answers.push(json!({ "play": summary, "comparison": compared }));
    }
    if let Some(output) = &args.output {
        let [play] = &plays[..] else {
            bail!(
                "{} holds {} matches, and a recording holds one\n  remedy: split it by its column `match`",
                args.file.display(),
                plays.len()
            );
        };
        match &args.map {
            Some(map) => text += &write_percepts(args, play, map, output)?,
            None => {
                output::replace(output, |out| play_table::write(play, out).map(drop).map_err(Into::into))?
            }
        }
    }
    args.answer.print(&answers, || text)
}

/// Writes what people could perceive and did, and says how much it is.
fn write_percepts(args: &Args, play: &Play, map: &str, output: &Target) -> Result<String> {
    output::refuse_overwriting(output, Path::new(map), "the map")?;
    let (_, level) = progress::during("{spinner} building navigation, {elapsed}", || maps::find(map))?;
    let (header, ticks) =
        progress::during("{spinner} seeing what they saw, {elapsed}", || percepts::recording(play, &level))
            .with_context(|| args.file.display().to_string())?;
    let told = terminal::play::percepts(&header, &ticks);
    output::replace(output, |out| {
        let mut recorder = Recorder::new(out, header.clone())?;
        for tick in &ticks {
            recorder.push(tick.clone())?;
        }
        recorder.finish().map(drop).map_err(Into::into)
    })?;
    Ok(told)
}

/// People's play from a file; what is missing of it is noted.
pub(crate) fn load(path: &Path) -> Result<Vec<Play>> {
    Ok(recordings::people(path, &note)?)
}
