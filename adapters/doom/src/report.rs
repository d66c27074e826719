//! Matches and tournaments as tables for a terminal.

use std::collections::BTreeMap;

use anstyle::Style;
use repertoire_draw::terminal::table::{Table, percent};
use repertoire_trace::Header;
use serde_json::{Value, json};

use crate::MatchResult;
use crate::demo::{Agreement, Imported};
use crate::tournament::{Fixture, Standing, Tournament};

/// A match: what each of ours and each of the engine's bots did in it.
pub fn of_match(result: &MatchResult) -> String {
    let bold = Style::new().bold();
    let mut table =
        Table::new(&["player", "frags", "deaths", "by own weapon", "by the world", "stuck", "still"]);
    let share = |part: u32, whole: u32| percent(f64::from(part) / f64::from(whole.max(1)), 1);
    for ours in &result.ours {
        table.row(vec![
            ours.name.clone(),
            ours.frags.to_string(),
            ours.deaths.to_string(),
            ours.own_weapon.to_string(),
            ours.by_world.to_string(),
            share(ours.stuck, ours.decisions),
            share(ours.still, ours.decisions),
        ]);
    }
    for (k, bot) in result.bots.iter().enumerate() {
        let still = percent(result.bots_still_share, 1) + " (all)";
        table.row(vec![
            format!("{} (Doom's)", bot.name),
            bot.frags.to_string(),
            bot.deaths.to_string(),
            bot.own_weapon.to_string(),
            bot.by_world.to_string(),
            String::new(),
            if k == 0 { still } else { String::new() },
        ]);
    }
    let mut text = format!(
        "{bold}{:.0} s on {} (seed {}){bold:#}\n\n{table}",
        result.played_secs, result.map, result.seed
    );
    if let Some(timing) = &result.timing {
        text += &format!(
            "\n{:.0} steps a second through the bridge; our minds took {} of the time, percepts and keys {}\n",
            result.steps as f64 / timing.total_secs,
            percent(timing.minds_secs / timing.total_secs, 1),
            percent(timing.adapter_secs / timing.total_secs, 1)
        );
    }
    text
}

/// A tournament: how ours fared beside the bots of the same matches, on all maps and on each.
pub fn of_tournament(tournament: &Tournament, results: &BTreeMap<Fixture, MatchResult>) -> String {
    let bold = Style::new().bold();
    let standings = tournament.standings(results);
    let played: usize = standings.iter().map(|standing| standing.matches).sum();
    let mut text = format!(
        "{bold}{played} matches of {} min against {} of Doom's bots on {} maps (seed {}){bold:#}\n\n{}\n\
         {bold}How they moved and died{bold:#} (a match; shares of their lives)\n\n{}",
        tournament.minutes(),
        tournament.settings.bots,
        tournament.maps.len(),
        tournament.settings.seed,
        frags(&standings),
        lives(&standings)
    );
    if tournament.maps.len() > 1 {
        let by_map = by_map(tournament, results, &standings);
        text += &format!("\n{bold}Lead over a bot on each map{bold:#}\n\n{by_map}");
    }
    text += "\nThree seconds spent within a metre are `still`; `stuck` is the part of them in which it wanted to move.\n";
    let broken = results.values().filter(|result| result.broken.is_some()).count();
    if broken > 0 {
        text += &format!("{broken} matches broke off and do not count.\n");
    }
    text
}

/// A tournament for other programs, with every match; `minutes` is the length of one, as it was asked for.
pub fn tournament_as_json(
    tournament: &Tournament,
    results: &BTreeMap<Fixture, MatchResult>,
    minutes: f64,
) -> Value {
    json!({
        "maps": tournament.maps.iter().map(|(name, _)| name).collect::<Vec<_>>(),
        "matches_on_each_map": tournament.matches,
        "minutes": minutes,
        "bots": tournament.settings.bots,
        "seed": tournament.settings.seed,
        "broken": results.values().filter(|result| result.broken.is_some()).count(),
        "standings": tournament.standings(results),
        "matches": results.values().collect::<Vec<_>>(),
    })
}

/// A recording that was made of the rows of Doom's own bots.
pub fn of_import(
    file: &str,
    header: &Header,
    map: &str,
    imported: &Imported,
    agreement: Agreement,
) -> String {
    format!(
        "{file}: {} decisions of {} bots ({:.0} s) on {map}\nwhere the engine says that one bot sees another, our map is free of walls in {:.1} % of {} cases\n",
        imported.decisions,
        header.characters.len(),
        imported.decisions as f64 * header.period_secs,
        100.0 * agreement.share(),
        agreement.engine_sees
    )
}

/// The same for other programs.
pub fn import_as_json(file: &str, header: &Header, imported: &Imported, agreement: Agreement) -> Value {
    json!({
        "file": file,
        "decisions": imported.decisions,
        "seconds": imported.decisions as f64 * header.period_secs,
        "players_in_view": imported.in_view,
        "sights_of_the_engine": agreement.engine_sees,
        "free_in_our_map": agreement.share(),
    })
}

fn frags(standings: &[Standing]) -> Table {
    let mut table =
        Table::new(&["character", "frags", "a bot", "lead", "over the best", "wins", "deaths", "a bot"]);
    for standing in standings {
        table.row(vec![
            standing.name.clone(),
            format!("{:.1}", standing.frags),
            format!("{:.1}", standing.bot_frags),
            format!("{:.1}", standing.lead),
            format!("{:.1}", standing.lead_over_best),
            format!("{} of {}", standing.wins, standing.matches),
            format!("{:.1}", standing.deaths),
            format!("{:.1}", standing.bot_deaths),
        ]);
    }
    table
}

fn lives(standings: &[Standing]) -> Table {
    let mut table = Table::new(&[
        "character",
        "own weapon",
        "a bot",
        "world",
        "a bot",
        "still",
        "bots",
        "stuck",
        "steps/s",
        "mind",
    ]);
    for standing in standings {
        table.row(vec![
            standing.name.clone(),
            format!("{:.2}", standing.own_weapon),
            format!("{:.2}", standing.bot_own_weapon),
            format!("{:.2}", standing.by_world),
            format!("{:.2}", standing.bot_by_world),
            percent(standing.still_share, 1),
            percent(standing.bot_still_share, 1),
            percent(standing.stuck_share, 1),
            format!("{:.0}", standing.steps_per_sec),
            percent(standing.mind_share, 1),
        ]);
    }
    table
}

fn by_map(
    tournament: &Tournament,
    results: &BTreeMap<Fixture, MatchResult>,
    standings: &[Standing],
) -> Table {
    let mut table = Table::by("character", tournament.maps.iter().map(|(name, _)| name.clone()));
    for total in standings {
        let contender = tournament.contenders.iter().position(|entry| entry.name == total.name);
        let on = |map: usize| {
            let own = results
                .iter()
                .filter(|(fixture, _)| Some(fixture.contender) == contender && fixture.map == map);
            format!("{:.1}", Standing::of("", own.map(|(_, result)| result)).lead)
        };
        table.named(&total.name, (0..tournament.maps.len()).map(on));
    }
    table
}
