//! `repertoire arena weapons`.

use anyhow::Result;
use clap::Args as ClapArgs;
use repertoire_mind::AMMUNITION;
use repertoire_mind::Item;
use repertoire_mind::arms::{ARENA, QUAKE, WeaponRules};
use serde_json::json;

use crate::output;

/// List the weapons with their numbers: the arena's three, and Quake's eight, which matches on its maps have
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// Answer as JSON, with every number
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<()> {
    if args.json {
        return output::json(&json!({ "arena": ARENA, "quake": QUAKE }));
    }
    let bold = anstyle::Style::new().bold();
    let mut text = format!(
        "{bold}{:16}  damage  every s  ammunition       flies m/s  burst m  range m  at 3, 10, 25 m (health a second){bold:#}\n",
        "weapon"
    );
    for row in ARENA.iter().chain(&QUAKE) {
        text += &line(row);
    }
    output::text(&text)
}

fn line(row: &WeaponRules) -> String {
    let mode = &row.modes[0];
    let or_none = |number: Option<f64>| number.map_or("-".to_owned(), |number| format!("{number:.1}"));
    let damage = match mode.pellets {
        1 => format!("{}", mode.damage),
        pellets => format!("{pellets} x {}", mode.damage),
    };
    let ammo = match (mode.ammo, row.ammo_kind) {
        (0, _) => "-".to_owned(),
        (shots, None) => format!("{shots} of its own"),
        (shots, Some(kind)) => format!("{shots} {}", Item::Ammo(AMMUNITION[usize::from(kind)])),
    };
    let flies = or_none(mode.projectile.map(|what| what.m_per_sec));
    let burst = or_none(mode.projectile.map(|what| what.splash_m).filter(|&splash_m| splash_m > 0.0));
    let worth = [3.0, 10.0, 25.0].map(|far| format!("{:.0}", row.health_per_sec(far))).join(", ");
    format!(
        "{:16}  {damage:>6}  {:>7.2}  {ammo:15}  {flies:>9}  {burst:>7}  {:>7}  {worth}\n",
        row.weapon.name(),
        mode.wait_secs,
        or_none(mode.range_m)
    )
}
