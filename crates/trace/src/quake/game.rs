//! What a demo's messages add up to: players with names, states with health, events with an actor.

use std::collections::BTreeMap;

use super::block::{Block, Demo, For};
use super::bytes::{Broken, Bytes};
use super::entity::{Change, Entity};
use super::hidden;
use super::message::{self, Message, ServerData};
use super::player::{Changed, Whole};
use super::wire::Wire;
use crate::play::{
    EventKind, Input, Keys, Play, PlayEvent, Player, QUAKE_PER_METRE, State, Status, Thing, is_pickup,
    weapon_name,
};

const SLOTS: usize = 32;
const FRAMES: usize = 64;
/// Damage is told in words at most this often; a wholly damaged file would make millions.
const MOST_NOTES: usize = 20;
const STATS: usize = 32;
/// Levels of printed lines: what tells of deaths, and what people say.
const OBITUARY: u8 = 1;
const CHAT: u8 = 3;
const HEALTH: usize = 0;
const AMMO: usize = 3;
const ARMOUR: usize = 4;
const WEAPON: usize = 10;
const ITEMS: usize = 15;

/// A place on the server that a player takes.
#[derive(Clone, Debug, Default)]
struct Slot {
    user: i32,
    player: Option<u16>,
    frags: i16,
    stats: [i32; STATS],
    has_stats: bool,
    is_alive: Option<bool>,
    at: [f32; 3],
    angles: [f32; 3],
    effects: u8,
    has_position: bool,
}

/// What is known of everything that is no player, after some packet.
#[derive(Clone, Debug, Default)]
struct Frame {
    sequence: u32,
    entities: BTreeMap<u16, Entity>,
}

/// A match as it unfolds.
pub(super) struct Game {
    demo: Demo,
    play: Play,
    /// Levels that ended before this one.
    levels: Vec<Play>,
    wire: Option<Wire>,
    first_secs: Option<f64>,
    slots: Vec<Slot>,
    pov: Option<usize>,
    outgoing: u32,
    sounds: Vec<String>,
    baselines: BTreeMap<u16, Entity>,
    frames: Vec<Frame>,
    shown: BTreeMap<u16, Entity>,
    /// When the match began and ended, in seconds of the demo.
    begun: Option<f64>,
    over: Option<f64>,
    /// Changes of things are kept up to this number, so that a file made to waste memory cannot.
    most_things: usize,
    damaged_packets: usize,
    notes: Vec<String>,
    has_ended: bool,
}

/// Where a message comes from.
#[derive(Clone, Copy)]
struct Here {
    secs: f64,
    to: For,
    sequence: u32,
    acknowledged: u32,
}

impl Game {
    pub(super) fn new(demo: Demo, session: &str, length: usize) -> Self {
        let source = match demo {
            Demo::Client => "client demo",
            Demo::Server => "server demo",
        };
        let play = Play {
            source: source.to_owned(),
            session: session.to_owned(),
            units_per_metre: QUAKE_PER_METRE,
            ..Play::default()
        };
        Game {
            demo,
            play,
            levels: Vec::new(),
            wire: None,
            first_secs: None,
            slots: vec![Slot::default(); SLOTS],
            pov: None,
            outgoing: 0,
            sounds: Vec::new(),
            baselines: BTreeMap::new(),
            frames: vec![Frame::default(); FRAMES],
            shown: BTreeMap::new(),
            begun: None,
            over: None,
            most_things: length / 4,
            damaged_packets: 0,
            notes: Vec::new(),
            has_ended: false,
        }
    }

    pub(super) fn note(&mut self, note: String) {
        if self.notes.len() < MOST_NOTES {
            self.notes.push(note);
        }
    }

    /// Whether the server said good-bye.
    pub(super) fn has_ended(&self) -> bool {
        self.has_ended
    }

    pub(super) fn block(&mut self, secs: f64, block: Block<'_>) {
        let secs = secs - *self.first_secs.get_or_insert(secs);
        match block {
            Block::Skipped => {}
            Block::Sequences { outgoing } => self.outgoing = outgoing,
            Block::Input(keys) => {
                self.play.inputs.push(Input { secs, sequence: self.outgoing, keys });
                self.outgoing = self.outgoing.wrapping_add(1);
            }
            Block::Packet { to: For::Hidden, messages, .. } => self.harm(secs, messages),
            Block::Packet { to, sequence, acknowledged, messages } => {
                self.packet(Here { secs, to, sequence, acknowledged }, messages);
            }
        }
    }

    /// What was read, or why it is nothing.
    pub(super) fn finish(mut self) -> Result<Play, String> {
        if self.wire.is_none() {
            return Err(match self.notes.first() {
                Some(note) => format!("the server never says which level this is: {note}"),
                None => "the server never says which level this is".to_owned(),
            });
        }
        if self.damaged_packets > 0 {
            let packets = self.damaged_packets;
            self.notes
                .push(format!("{packets} packets were damaged; what followed the damage in each is lost"));
        }
        self.close_level();
        let count = self.levels.len();
        let longest =
            self.levels.into_iter().reduce(|a, b| if b.states.len() > a.states.len() { b } else { a });
        let Some(mut play) = longest.filter(|play| !play.states.is_empty()) else {
            return Err("nobody is seen in it".to_owned());
        };
        if count > 1 {
            self.notes.push(format!("the demo has {count} levels; the longest, {}, is kept", play.map));
        }
        play.notes = self.notes;
        Ok(play)
    }

    /// Reads a packet. What the status bar shows comes after the players, and belongs to them.
    fn packet(&mut self, here: Here, messages: &[u8]) {
        let first = self.play.states.len();
        self.messages(here, messages);
        // A level may have begun in this packet, and there may be fewer states than before.
        for state in self.play.states.iter_mut().skip(first) {
            let Some(slot) = self.slots.iter().find(|slot| slot.player == Some(state.player)) else {
                continue;
            };
            state.frags = slot.frags;
            if state.acknowledged.is_some() {
                state.status = Game::status(slot);
                state.is_alive &= state.status.is_none_or(|status| status.health > 0);
            }
        }
        self.lives(here.secs, first);
    }

    fn messages(&mut self, here: Here, messages: &[u8]) {
        let mut bytes = Bytes::new(messages);
        while !bytes.is_empty() {
            let wire =
                self.wire.unwrap_or(Wire { is_server_demo: self.demo == Demo::Server, ..Wire::default() });
            match message::next(&mut bytes, &wire) {
                Ok(Message::Disconnect) => {
                    self.has_ended = true;
                    return;
                }
                Ok(message) => self.message(here, message),
                Err(broken) => return self.damaged(here.secs, &broken),
            }
        }
    }

    fn damaged(&mut self, secs: f64, broken: &Broken) {
        self.damaged_packets += 1;
        if self.damaged_packets <= 3 {
            self.note(format!("the packet at {secs:.3} s is damaged: {broken}"));
        }
    }

    fn message(&mut self, here: Here, message: Message) {
        match message {
            Message::ServerData(data) => self.level(&data),
            Message::Stat { stat, value } => self.stat(here, stat, value),
            Message::Sound { entity, sound, .. } => self.sound(here, entity, sound),
            Message::Print { level, text } => self.print(here, level, text.trim_end()),
            Message::Command(text) => self.command(here, &text),
            Message::Intermission => self.end(here.secs),
            Message::Frags { slot, frags } => self.frags(here, slot, frags),
            Message::Damage { armour, blood, .. } => {
                let target = self.addressee(here).and_then(|slot| self.slots[slot].player);
                // Servers that tell who hurt whom would otherwise say it twice.
                if self.demo == Demo::Client {
                    let amount = i32::from(armour) + i32::from(blood);
                    self.event(here.secs, EventKind::Damage, [None, target], "unknown".to_owned(), amount);
                }
            }
            Message::UserInfo { slot, user, info } => self.user(slot, user, &info),
            Message::SetInfo { slot, key, value } => self.set_info(slot, &key, &value),
            Message::ServerInfo { key, value } => {
                if key == "status" && value.eq_ignore_ascii_case("standby") {
                    self.end(here.secs);
                }
                self.play.settings.insert(key, value);
            }
            Message::Player(player) => self.player(here, &player),
            Message::PlayerChange(player) => self.player_change(here, &player),
            Message::Entities { is_delta, from, changes } => self.entities(here, is_delta, from, &changes),
            Message::Baseline { number, entity } => {
                self.baselines.insert(number, entity);
            }
            Message::MuzzleFlash { entity } => self.shot(here, entity),
            Message::Models { first, names } => {
                extend(&mut self.play.models, first, names);
                if let Some(map) = self.play.models.get(1) {
                    self.play.map = map.trim_start_matches("maps/").trim_end_matches(".bsp").to_owned();
                }
            }
            Message::Sounds { first, names } => extend(&mut self.sounds, first, names),
            Message::MaxSpeed(speed) => self.play.physics.max_speed = speed,
            Message::Gravity(gravity) => self.play.physics.entity_gravity = gravity,
            _ => {}
        }
    }

    /// Counts time from the beginning of the match, and puts the level beside those before it.
    fn close_level(&mut self) {
        let mut play = std::mem::take(&mut self.play);
        show_keys(&mut play);
        if let Some(begun) = self.begun.take() {
            play.shift(-begun);
            let end = play.states.last().map_or(0.0, |last| last.secs);
            play.match_secs = Some(self.over.take().map_or(end, |over| over - begun));
        }
        if !play.states.is_empty() {
            self.levels.push(play);
        }
    }

    /// A level begins: all that belonged to the last one is over.
    fn level(&mut self, data: &ServerData) {
        let fresh = Play {
            source: self.play.source.clone(),
            session: self.play.session.clone(),
            units_per_metre: QUAKE_PER_METRE,
            ..Play::default()
        };
        self.close_level();
        self.play = fresh;
        self.wire = Some(data.wire);
        self.slots = vec![Slot::default(); SLOTS];
        self.pov = data.slot.map(usize::from).filter(|&slot| slot < SLOTS && !data.is_spectator);
        self.play.physics = data.physics;
        self.play.settings.insert("game".to_owned(), data.game.clone());
        self.play.settings.insert("level".to_owned(), data.level.clone());
        self.sounds.clear();
        self.baselines.clear();
        self.frames = vec![Frame::default(); FRAMES];
        self.shown.clear();
    }

    /// The slot that a packet is for: the one it names, or the player who records.
    fn addressee(&self, here: Here) -> Option<usize> {
        match here.to {
            For::One(slot) => Some(usize::from(slot)).filter(|&slot| slot < SLOTS),
            _ => self.pov,
        }
    }

    fn stat(&mut self, here: Here, stat: u8, value: i32) {
        let Some(slot) = self.addressee(here) else { return };
        let slot = &mut self.slots[slot];
        if let Some(place) = slot.stats.get_mut(usize::from(stat)) {
            *place = value;
            slot.has_stats = true;
        }
    }

    /// A match begins: what was before it was no match, even if it looked like one.
    fn begin(&mut self, secs: f64) {
        self.begun = Some(secs);
        self.over = None;
    }

    fn end(&mut self, secs: f64) {
        if self.begun.is_some() {
            self.over.get_or_insert(secs);
        }
    }

    /// A line of text. The servers of all common modes say in the same words that a match begins and is over.
    fn print(&mut self, here: Here, level: u8, text: &str) {
        if level == OBITUARY {
            self.event(here.secs, EventKind::Obituary, [None, None], text.to_owned(), 0);
        }
        let line = text.trim().to_ascii_lowercase();
        if level < CHAT && (line.starts_with("the match has begun") || line.starts_with("match begins")) {
            self.begin(here.secs);
        } else if level < CHAT && line.starts_with("the match is over") {
            self.end(here.secs);
        }
    }

    fn command(&mut self, here: Here, text: &str) {
        match text.trim() {
            "//ktx matchstart" => self.begin(here.secs),
            "//ktx matchend" => self.end(here.secs),
            _ => {}
        }
        let Some(info) = text.trim().strip_prefix("fullserverinfo ") else { return };
        for (key, value) in pairs(info.trim_matches('"')) {
            self.play.settings.insert(key.to_owned(), value.to_owned());
        }
    }

    fn user(&mut self, slot: u8, user: i32, info: &str) {
        let number = usize::from(slot);
        let Some(slot) = self.slots.get_mut(number) else { return };
        let info: BTreeMap<&str, &str> = pairs(info).collect();
        let Some(name) = info.get("name").filter(|name| !name.is_empty()) else {
            *slot = Slot::default();
            return;
        };
        let known = Player {
            name: (*name).to_owned(),
            team: info.get("team").copied().unwrap_or_default().to_owned(),
            is_pov: self.pov == Some(number),
            is_spectator: info.contains_key("*spectator"),
        };
        match slot.player.filter(|_| slot.user == user) {
            Some(player) => self.play.players[usize::from(player)] = known,
            None => {
                // A player who comes back is the same player.
                let players = &mut self.play.players;
                let taken: Vec<u16> = self.slots.iter().filter_map(|slot| slot.player).collect();
                let before = (0_u16..).zip(players.iter()).find(|(k, player)| {
                    player.name == known.name
                        && player.is_spectator == known.is_spectator
                        && !taken.contains(k)
                });
                let player = match before {
                    Some((player, _)) => player,
                    None => {
                        let Ok(player) = u16::try_from(players.len()) else { return };
                        players.push(known);
                        player
                    }
                };
                self.slots[number] = Slot { user, player: Some(player), ..Slot::default() };
            }
        }
    }

    fn set_info(&mut self, slot: u8, key: &str, value: &str) {
        let Some(player) = self.slots.get(usize::from(slot)).and_then(|slot| slot.player) else { return };
        let player = &mut self.play.players[usize::from(player)];
        match key {
            "name" => player.name = value.to_owned(),
            "team" => player.team = value.to_owned(),
            _ => {}
        }
    }

    fn frags(&mut self, here: Here, slot: u8, frags: i16) {
        let Some(slot) = self.slots.get_mut(usize::from(slot)) else { return };
        let change = i32::from(frags) - i32::from(slot.frags);
        let actor = slot.player;
        slot.frags = frags;
        if change != 0 && actor.is_some() {
            self.event(here.secs, EventKind::Frags, [actor, None], String::new(), change);
        }
    }

    /// The player that an entity's number stands for.
    fn player_of(&self, entity: u16) -> Option<u16> {
        self.slots.get(usize::from(entity).checked_sub(1)?)?.player
    }

    fn sound(&mut self, here: Here, entity: u16, sound: u16) {
        let Some(name) = self.sounds.get(usize::from(sound)) else { return };
        let actor = self.player_of(entity);
        let kind = if actor.is_some() && is_pickup(name) { EventKind::Pickup } else { EventKind::Sound };
        let name = name.clone();
        // An axe has no flash.
        if actor.is_some() && name == "weapons/ax1.wav" {
            self.event(here.secs, EventKind::Shot, [actor, None], "axe".to_owned(), 0);
        }
        self.event(here.secs, kind, [actor, None], name, 0);
    }

    fn shot(&mut self, here: Here, entity: u16) {
        let Some(actor) = self.player_of(entity) else { return };
        let slot = &self.slots[usize::from(entity) - 1];
        let weapon = if slot.has_stats { weapon_name(slot.stats[WEAPON] as u32) } else { "none" };
        self.event(here.secs, EventKind::Shot, [Some(actor), None], weapon.to_owned(), 0);
    }

    fn harm(&mut self, secs: f64, messages: &[u8]) {
        if self.wire.is_none() {
            return;
        }
        let Ok(found) = hidden::harm(messages) else { return };
        for one in found {
            let people = [self.player_of(one.attacker), self.player_of(one.victim)];
            self.event(
                secs,
                EventKind::Damage,
                people,
                hidden::how(one.kind).to_owned(),
                i32::from(one.damage),
            );
            if let Some(last) = self.play.events.last_mut() {
                last.is_splash = one.is_splash;
            }
        }
    }

    fn event(
        &mut self,
        secs: f64,
        kind: EventKind,
        [actor, target]: [Option<u16>; 2],
        what: String,
        amount: i32,
    ) {
        self.play.events.push(PlayEvent { secs, kind, actor, target, what, amount, is_splash: false });
    }

    /// What the status bar of a slot shows.
    fn status(slot: &Slot) -> Option<Status> {
        let small = |value: i32| value.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16;
        slot.has_stats.then(|| Status {
            health: small(slot.stats[HEALTH]),
            armour: small(slot.stats[ARMOUR]),
            ammo: small(slot.stats[AMMO]),
            items: slot.stats[ITEMS] as u32,
            weapon: slot.stats[WEAPON] as u32,
        })
    }

    /// Notes deaths and new lives among the states of a packet.
    fn lives(&mut self, secs: f64, first: usize) {
        for k in first..self.play.states.len() {
            let State { player, is_alive, .. } = self.play.states[k];
            let Some(slot) = self.slots.iter_mut().find(|slot| slot.player == Some(player)) else { continue };
            let kind = match (slot.is_alive.replace(is_alive), is_alive) {
                (Some(true), false) => EventKind::Death,
                (Some(false), true) => EventKind::Spawn,
                _ => continue,
            };
            self.event(secs, kind, [Some(player), None], String::new(), 0);
        }
    }

    fn player(&mut self, here: Here, seen: &Whole) {
        let number = usize::from(seen.slot);
        let Some(slot) = self.slots.get(number) else { return };
        let Some(player) = slot.player else { return };
        let is_pov = self.pov == Some(number);
        self.play.states.push(State {
            secs: here.secs,
            player,
            at: seen.at,
            velocity: Some(seen.velocity),
            keys: seen.command.unwrap_or_default(),
            has_keys: is_pov || seen.command.is_some(),
            is_alive: !seen.is_dead,
            frags: slot.frags,
            status: None,
            effects: seen.effects,
            acknowledged: is_pov.then_some(here.acknowledged),
        });
    }

    fn player_change(&mut self, here: Here, seen: &Changed) {
        let number = usize::from(seen.slot);
        let Some(slot) = self.slots.get_mut(number) else { return };
        for axis in 0..3 {
            slot.at[axis] = seen.at[axis].unwrap_or(slot.at[axis]);
            slot.angles[axis] = seen.angles[axis].unwrap_or(slot.angles[axis]);
        }
        slot.has_position |= seen.at.iter().any(Option::is_some);
        slot.effects = seen.effects.unwrap_or(slot.effects);
        let Some(player) = slot.player.filter(|_| slot.has_position) else { return };
        if self.play.players[usize::from(player)].is_spectator {
            return;
        }
        let status = Game::status(slot);
        let is_alive = !seen.is_dead && status.is_none_or(|status| status.health > 0);
        let [pitch_deg, yaw_deg, _] = slot.angles;
        self.play.states.push(State {
            secs: here.secs,
            player,
            at: slot.at,
            velocity: None,
            keys: Keys { pitch_deg, yaw_deg, ..Keys::default() },
            has_keys: false,
            is_alive,
            frags: slot.frags,
            status,
            effects: slot.effects,
            acknowledged: None,
        });
    }

    fn entities(&mut self, here: Here, is_delta: bool, from: u8, changes: &[Change]) {
        let mut entities = match (is_delta, self.demo) {
            (false, _) => BTreeMap::new(),
            // A server's demo always continues where it was.
            (true, Demo::Server) => self.shown.clone(),
            (true, Demo::Client) => {
                let frame = &self.frames[usize::from(from) % FRAMES];
                // The packet that it builds upon was lost.
                if frame.sequence as u8 != from {
                    return;
                }
                frame.entities.clone()
            }
        };
        for change in changes {
            if change.is_removed {
                entities.remove(&change.number);
                continue;
            }
            let before = entities.get(&change.number).or_else(|| self.baselines.get(&change.number));
            let after = change.apply(before.copied().unwrap_or_default());
            entities.insert(change.number, after);
        }
        self.show(here.secs, &entities);
        if self.demo == Demo::Client {
            self.frames[here.sequence as usize % FRAMES] = Frame { sequence: here.sequence, entities };
        }
    }

    /// Notes what is otherwise than before.
    fn show(&mut self, secs: f64, entities: &BTreeMap<u16, Entity>) {
        if self.most_things == 0 {
            return;
        }
        for (&entity, &Entity { model, at }) in entities {
            if self.shown.get(&entity) != Some(&Entity { model, at }) {
                self.play.things.push(Thing { secs, entity, model, at: Some(at) });
            }
        }
        for (&entity, &Entity { model, .. }) in &self.shown {
            if !entities.contains_key(&entity) {
                self.play.things.push(Thing { secs, entity, model, at: None });
            }
        }
        if self.play.things.len() > self.most_things {
            self.play.things.truncate(self.most_things);
            self.note("more things change than so short a file can tell of; the rest is left out".to_owned());
            self.most_things = 0;
        }
        self.shown.clone_from(entities);
    }
}

/// Gives each state of the recording player the keys of its own frame: the input follows the packet that it answers.
fn show_keys(play: &mut Play) {
    for state in play.states.iter_mut().filter(|state| state.acknowledged.is_some()) {
        let made = play.inputs.partition_point(|input| input.secs <= state.secs);
        if let Some(input) = play.inputs[..made].last() {
            state.keys = input.keys;
        }
    }
}

/// Puts names behind a first number. Lists begin at 1; 0 stands for nothing.
fn extend(list: &mut Vec<String>, first: usize, names: Vec<String>) {
    list.resize(first + 1, String::new());
    list.extend(names);
}

/// `\key\value\key\value`.
fn pairs(info: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut parts = info.trim_start_matches('\\').split('\\');
    std::iter::from_fn(move || Some((parts.next()?, parts.next()?)))
}
