//! `repertoire judge`: clips of recorded play for people to judge, and what they said.

use clap::Subcommand;
use repertoire_draw::judge::{Scene, page};
use repertoire_eval::judge::Judged;
use repertoire_eval::judge::clips::{self, Key, Packing};

use crate::arena::bsp;
use crate::prelude::*;

/// Ask people which players are human: clips on a web page, and what their answers say
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Pack(PackArgs),
    Read(ReadArgs),
}

/// Make a page of clips with a questionnaire, and the key that names the players
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
The page needs nothing but a browser, and does not name the players: send it to the judges, keep the key. Each judge watches the
clips, through the player's eyes and from above, says of each whether a person or a program played, and saves a file of answers to
send back. Clips are cut from single lives and shown in random order.

Any recording will do: those of `repertoire record`, QuakeWorld demos, what `trace import` made of them, CSV with positions. Say with
--person which of the recorded players are human. Fewer than five judges say nothing about a player.

Examples:
  repertoire record --contender hunter --contender native:3 --seconds 300 -o match.parquet
  repertoire judge pack match.parquet -o clips.html --key clips.key.json
  repertoire judge pack people.qwd.gz pupils.parquet --map dm6.bsp.gz --person Ann -o clips.html --key clips.key.json
  repertoire judge read --key clips.key.json answers-*.jsonl")]
struct PackArgs {
    /// Recorded play
    #[arg(required = true, value_name = "FILE")]
    recordings: Vec<PathBuf>,

    /// Write the page here
    #[arg(short, long, value_name = "OUT.html")]
    output: Target,

    /// Write the key here: which player each clip shows. Keep it from the judges
    #[arg(long, value_name = "KEY.json")]
    key: Target,

    /// Maps to show, where a recording does not have its own: a shipped one, a file of the arena, or a map of Quake (.bsp); may be
    /// given several times
    #[arg(long = "map", value_name = "NAME|FILE")]
    maps: Vec<String>,

    /// Name of a recorded player who is human; may be given several times
    #[arg(long = "person", value_name = "NAME")]
    people: Vec<String>,

    /// Clips of each player, at most
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1000))]
    each: u32,

    /// Seconds of a clip, from 2 to 120
    #[arg(long, value_name = "SECS", default_value_t = 15.0)]
    seconds: f64,

    /// Random seed; the same seed packs the same clips in the same order
    #[arg(long, default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    answer: Answer,
}

/// Read judges' answers: how human each player looks, whether judges agree, what guessing would give
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Human-likeness is the share of judges who took a player for a person, with Wilson's 95 % interval; a judge counts once for each
player, by the side that most of their answers take. Agreement is Krippendorff's alpha: 1 if judges of a clip always agree, 0 if they
agree as often as by chance. The chance level is the share of all answers that say \"person\".

Example:
  repertoire judge read --key clips.key.json answers-*.jsonl")]
struct ReadArgs {
    /// Files of answers, as the page saves them
    #[arg(required = true, value_name = "ANSWERS.jsonl")]
    answers: Vec<PathBuf>,

    /// The key that `judge pack` wrote
    #[arg(long, value_name = "KEY.json")]
    key: PathBuf,

    #[command(flatten)]
    answer: Answer,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    match &args.command {
        Command::Pack(args) => pack(args),
        Command::Read(args) => read(args),
    }
}

fn pack(args: &PackArgs) -> Result<()> {
    if !(2.0..=120.0).contains(&args.seconds) {
        bail!("--seconds {}: nobody can judge that\n  remedy: a number from 2 to 120", args.seconds);
    }
    output::refuse_overwriting_any(&args.output, &args.recordings, "a recording")?;
    output::refuse_overwriting_any(&args.key, &args.recordings, "a recording")?;
    let packing = Packing { each: args.each, seconds: args.seconds, people: &args.people, seed: args.seed };
    let pack = progress::during("{spinner} cutting clips, {elapsed}", || -> Result<_> {
        Ok(packing.pack(&movement::load(&args.recordings)?)?)
    })?;
    let known = scenes(args)?;
    let scenes: Vec<Option<Scene>> = pack.maps.iter().map(|map| known.get(map).cloned()).collect();
    for (map, _) in pack.maps.iter().zip(&scenes).filter(|(_, scene)| scene.is_none()) {
        anstream::eprintln!(
            "note: without the map {map} its clips show players and no walls; give it with --map"
        );
    }
    output::file(&args.output, &page(&pack, &scenes))?;
    output::file(&args.key, &(serde_json::to_string_pretty(&pack.key)? + "\n"))?;
    let (page, key) = (args.output.display().to_string(), args.key.display().to_string());
    args.answer.print(&terminal::judge::packed_as_json(&pack, &page, &key), || {
        terminal::judge::packed(&pack, &page, &key)
    })
}

/// The maps that are known: those given, those that recordings hold, those that come with the library.
fn scenes(args: &PackArgs) -> Result<BTreeMap<String, Scene>> {
    let mut scenes = BTreeMap::new();
    for name in maps::names() {
        scenes.insert(name.to_owned(), Scene::of_map(maps::find(name)?.1.map()));
    }
    for path in &args.recordings {
        // What is no recording of ours holds no map.
        let Ok(source) = Source::open(path) else { continue };
        let header = source.header();
        if let Ok(authored) = repertoire_worlds::arena::map::file::read(&header.map_source) {
            scenes.insert(header.map.clone(), Scene::of_map(&authored.map));
        }
    }
    for given in &args.maps {
        if maps::is_bsp(given) {
            for (name, map) in bsp::load(&[given])? {
                scenes.insert(name, Scene::of_bsp(&map));
            }
        } else {
            let (name, level) = maps::find(given)?;
            scenes.insert(name, Scene::of_map(level.map()));
        }
    }
    Ok(scenes)
}

fn read(args: &ReadArgs) -> Result<()> {
    let text = |path: &Path| {
        std::fs::read_to_string(path)
            .with_context(|| format!("{} could not be read\n  remedy: give a file of text", path.display()))
    };
    let key: Key = serde_json::from_str(&text(&args.key)?).map_err(|error| {
        anyhow!("{}: {error}\n  remedy: give the key that `judge pack --key` wrote", args.key.display())
    })?;
    let mut answers: Vec<clips::Answer> = Vec::new();
    for path in &args.answers {
        answers.extend(clips::Answer::read(&text(path)?).map_err(|(line, error)| {
            anyhow!(
                "{}:{line}: {error}\n  remedy: give files as the page of clips saves them",
                path.display()
            )
        })?);
    }
    if answers.is_empty() {
        bail!("there is no answer\n  remedy: give files as the page of clips saves them");
    }
    let judged = Judged::of(&key.judgements(&answers)?, |player| key.is_person(player));
    args.answer.print(&judged, || terminal::judge::judged(&judged, &|player| key.is_person(player)))
}
