//! `repertoire doom setup`: Python with ViZDoom, and FreeDM's maps.

use repertoire_doom::Environment;

use crate::prelude::*;

/// Install what Doom needs: a Python environment with ViZDoom, and FreeDM's maps
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Everything goes into one folder; nothing else is touched, and root is not needed. What is already there is left as it is.
To undo the setup, delete the folder.

ViZDoom is a tool that you install: parts of its engine are under licences that forbid commercial use. Repertoire neither
contains nor links it, and speaks with it through a pipe.

Examples:
  repertoire doom setup
  repertoire doom setup --dir /opt/doom          then: repertoire doom match --dir /opt/doom ...")]
pub struct Args {
    /// Folder to install into [default: the user's data folder, repertoire/doom]
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
    /// The Python to make the environment with
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    python: PathBuf,
    #[command(flatten)]
    answer: Answer,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let folder = args.dir.clone().unwrap_or_else(Environment::usual_folder);
    // A relative folder would be another one from elsewhere.
    let folder = std::path::absolute(&folder).unwrap_or(folder);
    let bar = progress::turning("{spinner} {msg}");
    let made = repertoire_doom::setup::setup(&folder, &args.python, &mut |step| {
        bar.suspend(|| anstream::eprintln!("{step}"));
        bar.set_message(step.to_owned());
    });
    bar.finish_and_clear();
    let made = made.map_err(|error| anyhow!("{error}"))?;
    let (python, wad) = (made.python.display().to_string(), made.wad.display().to_string());
    let report = json!({ "python": python, "wad": wad, "folder": folder.display().to_string() });
    let elsewhere = args.dir.as_ref().map_or(String::new(), |_| format!(" --dir {}", folder.display()));
    let vizdoom = repertoire_doom::setup::VIZDOOM;
    args.answer.print(&report, || format!(
        "ready: {python} with {vizdoom}, maps of {wad}\nnow: repertoire doom match --contender aggressive{elsewhere}\n"
    ))
}
