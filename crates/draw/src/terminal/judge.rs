//! What judges said.

use std::collections::BTreeSet;

use repertoire_eval::judge::clips::Pack;
use repertoire_eval::judge::{ENOUGH_JUDGES, Judged};
use serde_json::{Value, json};

use super::table::Table;

fn players(pack: &Pack) -> BTreeSet<&str> {
    pack.key.clips.iter().map(|shown| shown.player.as_str()).collect()
}

/// That clips were packed: the files of the page and of the key.
pub fn packed(pack: &Pack, page: &str, key: &str) -> String {
    let (clips, players) = (pack.clips.len(), players(pack).len());
    format!("{clips} clips of {players} players are in {page}; {key} names them: keep it from the judges\n")
}

/// The same for other programs.
pub fn packed_as_json(pack: &Pack, page: &str, key: &str) -> Value {
    json!({ "page": page, "key": key, "pack": pack.key.pack, "clips": pack.clips.len(), "players": players(pack),
        "maps": pack.maps })
}

/// A line for each who was judged, then agreement and chance.
pub fn judged(judged: &Judged, is_person: &dyn Fn(&str) -> bool) -> String {
    let mut table =
        Table::by("player", ["is", "human-likeness", "95 %", "judges", "answers"].map(str::to_owned));
    for (player, humanness) in &judged.humanness {
        let percent = |share: f64| format!("{:.0} %", 100.0 * share);
        let (share, ends) = match &humanness.share {
            Some(share) => (percent(share.p), format!("{} to {}", percent(share.low), percent(share.high))),
            None => ("-".to_owned(), format!("fewer than {ENOUGH_JUDGES} judges")),
        };
        let is = if is_person(player) { "a person" } else { "a program" };
        table.named(
            player,
            [is.to_owned(), share, ends, humanness.judges.to_string(), humanness.judgements.to_string()],
        );
    }
    let mut text = format!("{table}\n");
    text += &format!("{} judges gave {} answers. ", judged.judges, judged.judgements);
    text += &match judged.agreement {
        Some(alpha) => format!("They agree with alpha {alpha:.2} (1 always, 0 as by chance). "),
        None => "No clip tells whether they agree. ".to_owned(),
    };
    text += &format!("A judge who cannot tell would give everybody {:.0} %.\n", 100.0 * judged.chance);
    if let Some(right) = &judged.right {
        text += &format!(
            "{:.0} % of answers are right ({:.0} to {:.0} %).\n",
            100.0 * right.p,
            100.0 * right.low,
            100.0 * right.high
        );
    }
    text
}
