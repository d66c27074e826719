//! What browsers are shown: a frame for everybody, and the reasons of a character for those who follow it.

use axum::extract::ws::Utf8Bytes;
use repertoire_mind::{DVec3, Event};
use repertoire_worlds::arena::game::Match;
use repertoire_worlds::quake::{Stage, UNITS_PER_METRE, Vec3};
use serde::Serialize;
use serde_json::{Value, json};

/// A tick as it is sent: texts that all clients share.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// For everybody.
    pub common: Utf8Bytes,
    /// For those who follow a character, by its number; empty for those whom nobody follows.
    pub minds: Vec<Utf8Bytes>,
}

/// What of the stage is shown with each tick.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Standing {
    /// Which match, so that a browser knows when to ask for everything again.
    pub number: u32,
    /// The tick that the match has reached.
    pub end: u32,
    /// Whether this is it, or a look back.
    pub live: bool,
    /// Whether the clock stands.
    pub paused: bool,
    /// Seconds of the match in a second.
    pub speed: f64,
    /// Why it stopped, if something stopped it.
    pub stop: Option<String>,
    /// Browsers that are connected.
    pub clients: usize,
    /// People in the match: number and the last message that was obeyed.
    pub people: Vec<(usize, u32)>,
    /// What is being judged.
    pub jury: Value,
    /// What is being learned.
    pub lesson: Value,
}

/// Three digits behind the point are a millimetre.
fn short(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

fn vector(vector: DVec3) -> [f64; 3] {
    [short(vector.x), short(vector.y), short(vector.z)]
}

/// The frame for everybody, of a match in which all have decided.
/// What people say they do stands for their task.
pub fn common(game: &Match, standing: &Standing, label: &dyn Fn(usize) -> Option<&'static str>) -> Utf8Bytes {
    let world = game.world();
    let character = |id: usize| {
        let (look, tally) = (world.look(id), world.tally(id));
        json!({
            "a": look.alive, "out": world.is_retired(id), "p": vector(look.position), "v": vector(look.velocity),
            "y": short(look.yaw), "x": short(look.pitch), "h": look.health.ceil(), "w": look.weapon.index(),
            "t": if look.alive { label(id).unwrap_or_else(|| game.contenders()[id].mind.task()) } else { "" },
            "f": tally.frags, "d": tally.deaths, "s": tally.shots, "hit": tally.hits,
            "n": game.contenders()[id].name,
        })
    };
    let items: String = (0..world.level().map().items.len())
        .map(|spot| if world.is_there(spot) { '1' } else { '0' })
        .collect();
    let events: Vec<Value> =
        (0..world.len()).flat_map(|id| world.events(id).iter().map(move |event| said(id, event))).collect();
    let frame = json!({
        "type": "frame", "tick": world.tick(), "at": standing,
        "characters": (0..world.len()).map(character).collect::<Vec<_>>(),
        "items": items,
        "shots": world.in_flight().map(|(at, v)| [vector(at), vector(v)]).collect::<Vec<_>>(),
        "lifts": world.scene().lifts_m.iter().map(|&height| short(height)).collect::<Vec<_>>(),
        "events": events,
    });
    frame.to_string().into()
}

fn said(id: usize, event: &Event) -> Value {
    let mut value = json!(event);
    value["who"] = json!(id);
    value
}

/// Places with less than this many opponents are not sent.
const LEAST_BELIEF: f64 = 0.004;

/// The reasons of one character.
pub fn mind(game: &Match, id: usize) -> Utf8Bytes {
    let (world, percept) = (game.world(), &game.percepts()[id]);
    let mind = &game.contenders()[id].mind;
    if !world.is_alive(id) {
        return json!({ "type": "mind", "who": id, "tick": world.tick(), "alive": false }).to_string().into();
    }
    let belief: Vec<(usize, f64)> = mind
        .belief()
        .iter()
        .enumerate()
        .filter(|(_, p)| **p > LEAST_BELIEF)
        .map(|(place, &p)| (place, short(p)))
        .collect();
    let command = &game.commands()[id];
    let message = json!({
        "type": "mind", "who": id, "tick": world.tick(), "alive": true,
        "task": mind.task(), "why": mind.why(), "report": mind.report(), "belief": belief,
        "attends": mind.attention().iter().map(|one| (&one.what, short(one.yaw), short(one.distance_m), short(one.share))).collect::<Vec<_>>(),
        "sees": percept.characters.iter().map(|seen| seen.id).collect::<Vec<_>>(),
        "items": percept.items.iter().map(|seen| (seen.spot, seen.present)).collect::<Vec<_>>(),
        "noises": percept.noises.iter().map(|noise| (noise.sound.name(), short(noise.yaw), short(noise.loudness))).collect::<Vec<_>>(),
        "hits": percept.hits.iter().map(|hit| (short(hit.damage), short(hit.yaw))).collect::<Vec<_>>(),
        "own": { "health": percept.own.health.ceil(), "weapon": percept.own.weapon.index(), "weapons": percept.own.weapons,
            "ammo": percept.own.ammo, "ready": percept.own.ready },
        "command": { "yaw": short(command.yaw), "pitch": short(command.pitch), "forward": short(command.forward),
            "lateral": short(command.lateral), "jump": command.jump, "fire": command.fire.name(),
            "weapon": command.weapon.map(|weapon| weapon.name()) },
    });
    message.to_string().into()
}

/// The map, once for each match.
pub fn map(game: &Match) -> Value {
    let level = game.world().level();
    let (map, places) = (level.map(), level.places());
    let lifts: Vec<usize> =
        map.areas.iter().enumerate().filter(|(_, area)| area.lift.is_some()).map(|(at, _)| at).collect();
    json!({
        "name": map.name,
        "areas": map.areas.iter().map(|area| json!([short(area.floor.height_m), area.floor.slope.x, area.floor.slope.y,
            short(area.ceiling_m), area.harm_per_sec])).collect::<Vec<_>>(),
        "lifts": lifts,
        "lines": map.lines.iter().map(|line| json!([line.a.x, line.a.y, line.b.x, line.b.y, line.right,
            line.left, line.fence, line.teleport])).collect::<Vec<_>>(),
        "items": map.items.iter().enumerate().map(|(spot, item)| json!([item.item.name(), vector(level.item(spot).1)])).collect::<Vec<_>>(),
        "exits": map.exits.iter().map(|exit| json!([exit.at.x, exit.at.y, exit.yaw])).collect::<Vec<_>>(),
        "places": places.points().iter().map(|&point| vector(point)).collect::<Vec<_>>(),
        "stage": map.stage.as_deref().map(faces),
    })
}

/// A map of Quake, where rooms lie above rooms: polygons in centimetres, and of lifts where they are built.
fn faces(stage: &Stage) -> Value {
    let metres = |x: f32| f64::from(x) / f64::from(UNITS_PER_METRE);
    let flat = |face: &[Vec3]| -> Vec<i64> {
        face.iter().flatten().map(|&x| (100.0 * metres(x)).round() as i64).collect()
    };
    let lift = |number: usize| {
        json!({ "top": short(metres(stage.lifts[number].top)),
        "faces": stage.lift_faces(number).iter().map(|face| flat(face)).collect::<Vec<_>>() })
    };
    json!({
        "faces": stage.faces().map(|face| flat(&face)).collect::<Vec<_>>(),
        "lifts": (0..stage.lifts.len()).map(lift).collect::<Vec<_>>(),
    })
}
