//! `repertoire belief fit`: how people move on a map, from recorded play.

use repertoire::recordings::ground;
use repertoire_belief::Model;
use repertoire_belief::model::FitSettings;
use repertoire_draw::terminal::belief::Fitted;
use repertoire_trace::rounds::STEP_SECS;

use crate::prelude::*;

/// Learn a model of how players move on a map from recorded play
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
PLAY is CSV with the columns round, t, player, side, alive, live, nav_area (or x, y, z) and bomb_planted. Files may be gzip.
The model holds the places, the regions they are grouped into, the recorded paths and the settings by which tables are
made of them; `repertoire belief evaluate` reads it.

Matches of the arena that `repertoire record` wrote are play too, with the map as places; each character is a side of its own. So are
QuakeWorld demos and their CSV; of a client demo the player's own ways count, and those of others while the server sent them.

Examples:
  repertoire belief fit --places de_dust2.nav.json.gz --play rounds.csv.gz -o dust2.json
  repertoire belief fit --places halls --play match.parquet -o halls.json")]
pub struct Args {
    /// The places: a navigation mesh as JSON, or a map of the arena
    #[arg(long, value_name = "NAV")]
    places: PathBuf,

    /// Recorded play to learn from: CSV, a demo, or a recording of `repertoire record`; may be given several times
    #[arg(long, value_name = "PLAY", required = true)]
    play: Vec<PathBuf>,

    /// Write the model to this file; `-` is standard output
    #[arg(short, long, value_name = "MODEL")]
    output: PathBuf,

    /// How many regions the places are grouped into; more regions fit more detail and need more play [default:
    /// one for 40 seconds of a player's life, between 150 and 400; 150 for people's deathmatches]
    #[arg(long, value_name = "N")]
    regions: Option<usize>,

    /// How fast players run, in the map's units per second [default: 250, or the arena's speed]
    #[arg(long, value_name = "SPEED", allow_negative_numbers = true)]
    run_speed: Option<f64>,

    /// Seconds from one moment of the play to the next; moments between are left out. Shorter steps follow fast players better
    /// and need play recorded at that rate; the model keeps its step [default: 1]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    step: Option<f64>,

    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<()> {
    output::refuse_overwriting_any(&args.output, args.play.iter().chain([&args.places]), "what is read")?;
    let places = ground::places(&args.places)?;
    let play = ground::rounds(&args.play, &places, args.step.unwrap_or(STEP_SECS), &note)?;
    let mut settings = FitSettings::for_play(&play);
    settings.run_speed = args.run_speed.or(places.run_speed).unwrap_or(settings.run_speed);
    ensure!(
        settings.run_speed.is_finite() && settings.run_speed > 0.0,
        "--run-speed {}: nobody runs so\n  remedy: units of the map a second, above 0",
        settings.run_speed
    );
    if let Some(regions) = args.regions {
        if regions == 0 {
            bail!("0 regions hold no place\n  remedy: ask for at least 1");
        }
        settings.regions = regions;
    }
    let model = progress::during("{spinner} learning, {elapsed}", || {
        Model::fit(&places.map, places.places, &play, settings)
    })?;
    if model.lives.is_empty() {
        bail!(
            "nobody lives while a round is live in this play\n  remedy: give rounds with live = 1 and alive = 1"
        );
    }
    output::file(&args.output, &(serde_json::to_string(&model)? + "\n"))?;
    let told = Fitted { file: &args.output.display().to_string(), model: &model, rounds: play.rounds.len() };
    match args.json || !output::is_stdout(&args.output) {
        true => output::answer(args.json, &told.to_json(), || told.text()),
        false => Ok(()),
    }
}
