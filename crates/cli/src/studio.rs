//! `repertoire studio`: play, teach, watch, ask why, rewind and edit in a browser.

use std::net::IpAddr;

#[cfg(not(feature = "studio"))]
use repertoire_first::hand_over;

use crate::prelude::*;

/// Play, teach, watch, ask why, rewind and edit in a browser
#[derive(Debug, ClapArgs)]
#[command(
    long_about = "Play, teach, watch, ask why, rewind and edit in a browser.

Serves a page on this machine and prints its address; a browser is opened if there is one. The match can be rewound to any tick, \
every decision is explained, and anybody may join: press Play. Nothing is written except on request and the recordings of people \
who play (play-MAP-N.parquet in the folder).

The studio is not part of the usual build, which would take longer. `cargo run` builds it when it is first asked for; a program of \
your own build has it with `--features studio`.",
    after_help = "\
Examples:
  cargo run --release -- studio
  repertoire studio yard --contender hunter --contender native:3 --seed 7
  repertoire studio play-halls-1.parquet             look at a recording, tick by tick
  repertoire studio western                          a day of a town, to play back
  repertoire studio --contender scout=scout.toml     edits of scout.toml play at once
  repertoire studio --host 0.0.0.0 --port 8000       for other machines too; the address then holds a token"
)]
pub struct Args {
    /// What to open: a map by name or file (see `arena list`), a recording (.parquet), or a town or scenario of rooms that comes with
    /// repertoire [default: halls]
    #[arg(value_name = "MAP|RECORDING|TOWN|ROOMS")]
    what: Option<String>,

    /// Character to play, as in `tournament`; may be given several times [default: hunter, stalker, survivor, native:3]
    #[arg(long = "contender", value_name = "NAME[:LEVEL]")]
    contenders: Vec<String>,

    /// Random seed; the same seed gives the same match
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Port to serve on; 0 lets the system choose one
    #[arg(long, value_name = "P", default_value_t = 7373)]
    port: u16,

    /// Address to serve on. Beyond this machine (0.0.0.0, or an address of the network) a token is required, which is part of the
    /// printed address
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,

    /// Files are read and written below this folder only
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,

    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
}

/// Builds a studio and runs that, if cargo runs us; says how to get one otherwise.
#[cfg(not(feature = "studio"))]
pub(crate) fn run(args: &Args) -> Result<()> {
    let Args { what, contenders, seed, port, host, folder, no_open } = args;
    let _ = (what, contenders, seed, port, host, folder, no_open);
    // `cargo run` tells its programs where it is, and which package they are of.
    let told = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let (Some(cargo), Some(package)) = (told("CARGO"), told("CARGO_MANIFEST_DIR")) else {
        anyhow::bail!(
            "the studio is not in this build\n  remedy: in the sources, `cargo run --release -- studio` builds it and runs it"
        )
    };
    anstream::eprintln!(
        "The studio is not part of the usual build: cargo builds it now, which takes a minute or two, once."
    );
    let mut again = hand_over::by_cargo(&cargo, std::path::Path::new(&package), &["studio"]);
    again.args(std::env::args_os().skip(1));
    hand_over::in_our_place(again)
        .context("cargo could not be run again\n  remedy: cargo run --release --features studio -- studio")
}

#[cfg(feature = "studio")]
pub(crate) use served::run;

#[cfg(feature = "studio")]
mod served {
    use std::process::{Command, Stdio};

    use anyhow::{Context, Result, bail};
    use repertoire_studio::stage::cast::Setting;
    use repertoire_studio::{Options, Studio};

    use super::Args;
    use crate::output;

    /// The characters that play unless others are named: three with whole minds, and a native bot.
    const USUAL: [&str; 4] = ["hunter", "stalker", "survivor", "native:3"];

    pub(crate) fn run(args: &Args) -> Result<()> {
        if !args.folder.is_dir() {
            bail!(
                "--folder {}: there is no such folder\n  remedy: name one that exists",
                args.folder.display()
            );
        }
        // Rooms and towns are pages of their own, beside a match.
        let asked =
            |path: &String| args.what.as_deref().is_some_and(|what| path.ends_with(&format!("/{what}")));
        let elsewhere = repertoire_studio::server::elsewhere::all().into_iter().find(asked);
        let setting = setting(args, elsewhere.is_some())?;
        let options =
            Options { host: args.host, port: args.port, ..Options::new(setting, args.folder.clone()) };
        let studio = Studio::open(options).with_context(|| {
            format!("{}:{} cannot be served on\n  remedy: another --port, or --port 0", args.host, args.port)
        })?;
        let url = match elsewhere {
            Some(path) => format!("http://{}{path}", studio.address()),
            None => studio.url(),
        };
        output::text(&format!("The studio is at {url}\nCtrl-C ends it.\n"))?;
        if !args.host.is_loopback() {
            output::text(
                "Others may connect: whoever has the token in this address can play, edit and save files below the folder.\n",
            )?;
        }
        if !args.no_open {
            open(&url);
        }
        Ok(studio.wait()?)
    }

    fn setting(args: &Args, elsewhere: bool) -> Result<Setting> {
        let usual = || USUAL.map(str::to_owned).to_vec();
        let contenders = if args.contenders.is_empty() { usual() } else { args.contenders.clone() };
        let what = args.what.as_deref().filter(|_| !elsewhere).unwrap_or("halls");
        if what.ends_with(".parquet") || what.ends_with(".csv") {
            let file = std::fs::read(what).with_context(|| format!("{what} could not be read"))?;
            return Setting::recorded(file).with_context(|| what.to_owned());
        }
        Ok(Setting::find(what, &contenders, args.seed)?)
    }

    /// Opens a browser if there is one; its address was printed anyway.
    fn open(url: &str) {
        let program = match std::env::consts::OS {
            "macos" => "open",
            "windows" => "explorer",
            _ if std::env::var_os("DISPLAY").is_none() && std::env::var_os("WAYLAND_DISPLAY").is_none() => {
                return;
            }
            _ => "xdg-open",
        };
        let _ = Command::new(program)
            .arg(url)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
    }
}
