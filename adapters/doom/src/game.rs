//! A match in Doom: our characters, each through a bridge of its own, and the engine's bots.
//!
//! One tick, read from top to bottom: everybody looks at the state it was given, decides, and acts; all actions are sent
//! before any answer is awaited, because the engines of one match wait for each other.

use std::path::Path;

use glam::DVec3;
use repertoire_eval::tournament::Clock;
use repertoire_mind::{Command, Event, Fire, Percept};
use repertoire_prob::Stream;
use repertoire_trace::{Header, Row, Tick};
use repertoire_worlds::arena::game::{Contender, StuckMeter};

use crate::arsenal::Arsenal;
use crate::bridge::Bridge;
use crate::feed::{By, deaths};
use crate::ground::{Ground, metres};
use crate::hands::{Hands, Manner};
use crate::pictures::Pictures;
use crate::protocol::{Start, State, Variable};
use crate::senses::{Effort, Senses, period_secs};
use crate::tally::{BotTally, MatchResult, StillMeters, Tally, Timing};
use crate::{DoomError, Environment};

/// The engine's bots by name.
pub const BOTS: [&str; 15] = [
    "Rambo",
    "McClane",
    "MacGyver",
    "Plissken",
    "Machete",
    "Anderson",
    "Leone",
    "Predator",
    "Ripley",
    "T800",
    "Dredd",
    "Conan",
    "Bond",
    "Jones",
    "Blazkowicz",
];

/// The most players of a match: the engine reports the frags of no more.
pub const MOST_PLAYERS: usize = 8;

/// A match to be played.
#[derive(Clone, Debug, PartialEq)]
pub struct GameSettings {
    /// The map's name.
    pub map: String,
    /// How many of the engine's bots take part.
    pub bots: usize,
    /// How long, in seconds of the game.
    pub seconds: f64,
    /// Random seed, for the engine, the bots' names and our characters.
    pub seed: u64,
    /// How our hands play.
    pub manner: Manner,
    /// Whether pictures will be asked for.
    pub pictures: bool,
}

impl GameSettings {
    /// Whether such a match can be played: `minutes` is its length as it was asked for, `ours` how many of our characters play.
    ///
    /// # Errors
    /// If it lasts too long, if nobody can run that fast, or if too many take part.
    pub fn check(&self, minutes: f64, ours: usize) -> Result<(), DoomError> {
        if !(minutes > 0.0 && minutes <= 600.0) {
            return Err(DoomError::Minutes(minutes));
        }
        let speed = self.manner.run_m_per_sec;
        if !(speed > 0.0 && speed <= 20.0) {
            return Err(DoomError::Speed(speed));
        }
        if ours + self.bots > MOST_PLAYERS || self.bots > BOTS.len() {
            return Err(DoomError::TooMany { ours, bots: self.bots });
        }
        Ok(())
    }
}

/// One of our characters at its bridge.
struct Seat {
    contender: Contender,
    draw: Stream,
    bridge: Bridge,
    senses: Senses,
    hands: Hands,
    state: State,
    percept: Percept,
    command: Command,
    effort: Effort,
    events: Vec<Event>,
    tally: Tally,
    meter: StuckMeter,
    still: StuckMeter,
    is_alive: bool,
}

/// A match under way.
pub struct Game {
    ground: Ground,
    settings: GameSettings,
    seats: Vec<Seat>,
    bots: Vec<BotTally>,
    still: StillMeters,
    ticks: u64,
    timing: Timing,
    is_over: bool,
}

/// What our characters are called in the engine, which takes no punctuation.
fn call(seat: usize) -> String {
    format!("Repertoire{}", seat + 1)
}

/// Which bots take part: drawn without repetition.
fn choose_bots(count: usize, seed: u64) -> Vec<&'static str> {
    let mut names = BOTS.to_vec();
    let mut draw = Stream::new(seed, 0, "doom bots");
    (0..count.min(names.len())).map(|_| names.remove((draw.unit() * names.len() as f64) as usize)).collect()
}

impl Game {
    /// Starts a match. With several contenders the first one's engine is the host of the others'.
    pub fn start(
        environment: &Environment,
        ground: Ground,
        settings: GameSettings,
        contenders: Vec<Contender>,
    ) -> Result<Self, DoomError> {
        let bridges = Bridge::start_all(environment, contenders.len())?;
        let wad = environment.wad.canonicalize().unwrap_or_else(|_| environment.wad.clone());
        Self::over(bridges, &wad.display().to_string(), ground, settings, contenders)
    }

    /// Starts a match over bridges that are there.
    pub fn over(
        mut bridges: Vec<Bridge>,
        wad: &str,
        ground: Ground,
        settings: GameSettings,
        contenders: Vec<Contender>,
    ) -> Result<Self, DoomError> {
        let count = contenders.len();
        let bots = choose_bots(settings.bots, settings.seed);
        let mut chance = Stream::new(settings.seed, 0, "doom engine");
        let engine_seed = (chance.unit() * 4e9) as u32;
        let port = 20_000 + (chance.unit() * 20_000.0) as u32 + std::process::id() % 1000;
        for (number, bridge) in bridges.iter_mut().enumerate() {
            let name = call(number);
            let common = format!("+viz_nocheat 0 +viz_connect_timeout 20 +name {name}");
            let arguments = match number {
                0 if count == 1 => format!("-host 1 -deathmatch +sv_forcerespawn 1 {common}"),
                0 => format!("-host {count} -port {port} -deathmatch +sv_forcerespawn 1 {common}"),
                _ => format!("-join 127.0.0.1 -port {port} {common}"),
            };
            bridge.tell_start(&Start {
                wad: wad.to_owned(),
                map: settings.map.clone(),
                seed: engine_seed.wrapping_add(number as u32),
                arguments,
                bots: if number == 0 { bots.iter().map(|&bot| bot.to_owned()).collect() } else { Vec::new() },
                pictures: settings.pictures && number == 0,
            })?;
        }
        if contenders.iter().any(|contender| contender.mind.needs_sight()) {
            ground.level().learn_sight();
        }
        let others = count - 1 + bots.len();
        let period = period_secs(settings.manner.tics);
        let mut seats = Vec::with_capacity(count);
        for (number, (mut bridge, contender)) in bridges.into_iter().zip(contenders).enumerate() {
            let state = bridge.hear_start()?;
            let seed = settings.seed.wrapping_add(number as u64 * 0x9e37_79b9);
            seats.push(Seat {
                draw: Stream::new(settings.seed, number as u64, "mind"),
                senses: Senses::new(ground.clone(), others, period, seed),
                hands: Hands::new(settings.manner),
                tally: Tally { name: contender.name.clone(), ..Tally::default() },
                contender,
                bridge,
                state,
                percept: Percept::default(),
                command: Command::default(),
                effort: Effort::default(),
                events: Vec::new(),
                meter: StuckMeter::default(),
                still: StuckMeter::default(),
                is_alive: false,
            });
        }
        let bots = bots.into_iter().map(|name| BotTally { name: name.to_owned(), ..BotTally::default() });
        Ok(Game {
            ground,
            settings,
            seats,
            bots: bots.collect(),
            still: StillMeters::default(),
            ticks: 0,
            timing: Timing::default(),
            is_over: false,
        })
    }

    /// Whether the match has come to its end.
    pub fn is_over(&self) -> bool {
        self.is_over || self.played_secs() >= self.settings.seconds
    }

    /// Seconds of the game since it began.
    pub fn played_secs(&self) -> f64 {
        self.ticks as f64 * period_secs(self.settings.manner.tics)
    }

    /// One decision of everybody, and what follows until the next; with a picture of what the first then sees.
    pub fn tick(&mut self, clock: Option<Clock>, picture: Option<&str>) -> Result<(), DoomError> {
        let now = || clock.map_or(0, |clock| clock()) as f64 * 1e-9;
        let begin = now();
        let mut deciding = 0.0;
        let mut actions = Vec::with_capacity(self.seats.len());
        for seat in &mut self.seats {
            seat.senses.perceive(&seat.state, seat.effort, &mut seat.percept);
            seat.is_alive = !seat.state.is_dead();
            let before = now();
            seat.command = if seat.is_alive {
                let places = self.ground.level().places();
                seat.contender.mind.decide(&seat.percept, places, &mut seat.draw).sane()
            } else {
                Command::default()
            };
            deciding += now() - before;
            if seat.is_alive {
                seat.hands.get_away(&mut seat.command, &seat.percept);
            }
            seat.senses.decided(seat.command.weapon);
            let (mut action, effort) =
                seat.hands.obey(&seat.command, &seat.percept, &seat.state, &self.ground);
            seat.effort = effort;
            action.picture = None;
            actions.push(action);
        }
        if let Some(first) = actions.first_mut() {
            first.picture = picture.map(str::to_owned);
        }
        let sent = now();
        for (seat, action) in self.seats.iter_mut().zip(&actions) {
            seat.bridge.tell_action(action)?;
        }
        let answers: Vec<Result<Option<State>, DoomError>> =
            self.seats.iter_mut().map(|seat| seat.bridge.hear_state()).collect();
        let heard = now();
        for number in 0..self.seats.len() {
            self.count_still(number);
        }
        self.ticks += 1;
        for (number, answer) in answers.into_iter().enumerate() {
            match answer? {
                Some(state) => self.take_in(number, state),
                None => self.is_over = true,
            }
        }
        let end = now();
        self.timing.minds_secs += deciding;
        self.timing.adapter_secs += (sent - begin - deciding) + (end - heard);
        self.timing.total_secs += end - begin;
        Ok(())
    }

    /// Who stood still before this tick's actions.
    fn count_still(&mut self, number: usize) {
        let window = StuckMeter::window(period_secs(self.settings.manner.tics));
        let seat = &mut self.seats[number];
        let position = seat.percept.own.position;
        let wants = seat.is_alive && seat.command.wants_to_move();
        seat.tally.decisions += u32::from(seat.is_alive);
        seat.tally.stuck += seat.meter.count(wants, position, window) as u32;
        seat.tally.still += seat.still.count(seat.is_alive, position, window) as u32;
        if number == 0 {
            let ours: Vec<DVec3> = self.seats.iter().map(|seat| seat.percept.own.position).collect();
            let bodies = self.seats[0].state.there.iter().filter_map(|(class, id, x, y, z)| {
                let at = metres(*x, *y, *z);
                let is_bot = class == "DoomPlayer" && ours.iter().all(|own| own.distance(at) > 0.01);
                is_bot.then_some((*id, at))
            });
            self.still.count(self.ticks, bodies, window);
        }
    }

    /// What came of a tick for one of ours; the first also hears of everybody's deaths.
    fn take_in(&mut self, number: usize, state: State) {
        let names: Vec<String> = (0..self.seats.len()).map(call).collect();
        let mut players: Vec<&str> = names.iter().map(String::as_str).collect();
        players.extend(self.bots.iter().map(|bot| bot.name.as_str()));
        let first_bot = self.seats.len();
        let died = if state.said.is_empty() { Vec::new() } else { deaths(&state.said, &players) };
        let index = |name: &str| players.iter().position(|&player| player == name).unwrap_or(0);
        let died: Vec<(usize, Option<usize>, bool)> = died
            .iter()
            .map(|death| match death.by {
                By::Player(by) => (index(death.victim), Some(index(by)), false),
                By::Itself => (index(death.victim), None, true),
                By::World => (index(death.victim), None, false),
            })
            .collect();
        if number == 0 {
            for &(victim, by, own_weapon) in &died {
                if let Some(bot) = victim.checked_sub(first_bot).and_then(|bot| self.bots.get_mut(bot)) {
                    bot.deaths += 1;
                    bot.own_weapon += u32::from(own_weapon);
                    bot.by_world += u32::from(by.is_none() && !own_weapon);
                } else if let Some(seat) = self.seats.get_mut(victim) {
                    seat.tally.own_weapon += u32::from(own_weapon);
                    seat.tally.by_world += u32::from(by.is_none() && !own_weapon);
                }
            }
            for (k, bot) in self.bots.iter_mut().enumerate() {
                let variable = Variable::PLAYER1_FRAGCOUNT as usize + first_bot + k;
                bot.frags = state.own.get(variable).map_or(bot.frags, |&frags| frags as i32);
            }
        }
        let seat = &mut self.seats[number];
        seat.events.clear();
        seat.note_events(number, &state, &died);
        seat.tally.frags = state.get(Variable::FRAGCOUNT) as i32;
        seat.tally.deaths = state.get(Variable::DEATHCOUNT) as u32;
        seat.tally.damage = state.get(Variable::DAMAGECOUNT) as u32;
        seat.state = state;
    }

    /// What was played so far.
    pub fn result(&self) -> MatchResult {
        MatchResult {
            map: self.settings.map.clone(),
            seed: self.settings.seed,
            wanted_secs: self.settings.seconds,
            played_secs: self.played_secs(),
            ours: self.seats.iter().map(|seat| seat.tally.clone()).collect(),
            bots: self.bots.clone(),
            bots_still_share: self.still.share(),
            steps: self.ticks,
            broken: None,
            timing: (self.timing.total_secs > 0.0).then_some(self.timing),
        }
    }

    /// Plays on until the match is over; `each` is called after every decision. What ended it before its time is in the result.
    ///
    /// # Errors
    /// If `each` fails.
    pub fn play<E>(
        mut self,
        clock: Clock,
        each: &mut dyn FnMut(&Game) -> Result<(), E>,
    ) -> Result<MatchResult, E> {
        let mut broken = None;
        while !self.is_over() && broken.is_none() {
            match self.tick(Some(clock), None) {
                Ok(()) => each(&self)?,
                Err(error) => broken = Some(error.to_string()),
            }
        }
        Ok(MatchResult { broken, ..self.end() })
    }

    /// The same with a picture after every `every` decisions; `each` is given the picture's file then, and none otherwise.
    ///
    /// # Errors
    /// If `each` fails.
    pub fn play_with_pictures<E>(
        mut self,
        clock: Clock,
        every: u32,
        pictures: &Pictures,
        each: &mut impl FnMut(&Game, Option<&Path>) -> Result<(), E>,
    ) -> Result<MatchResult, E> {
        let (mut tick, mut broken) = (0, None);
        while !self.is_over() && broken.is_none() {
            let path = (tick % every == 0).then(|| pictures.path(tick / every));
            let picture = path.as_ref().map(|path| path.display().to_string());
            match self.tick(Some(clock), picture.as_deref()) {
                Ok(()) => each(&self, path.as_deref())?,
                Err(error) => broken = Some(error.to_string()),
            }
            tick += 1;
        }
        Ok(MatchResult { broken, ..self.end() })
    }

    /// Ends the match in good order.
    pub fn end(self) -> MatchResult {
        let result = self.result();
        self.seats.into_iter().for_each(|seat| seat.bridge.end());
        result
    }

    /// What one of ours last did, in a word, and why.
    pub fn task(&self, number: usize) -> (&str, String) {
        let mind = &self.seats[number].contender.mind;
        (mind.task(), mind.why())
    }

    /// What one of ours last perceived, if it lives.
    pub fn percept(&self, number: usize) -> Option<&Percept> {
        self.seats.get(number).filter(|seat| seat.is_alive).map(|seat| &seat.percept)
    }

    /// The bridge of one of ours, for what was said.
    pub fn bridge(&mut self, number: usize) -> &mut Bridge {
        &mut self.seats[number].bridge
    }

    /// The header of a recording of this match. Ours have rows; of the others is known what ours see.
    pub fn header(&self) -> Header {
        let ours = self.seats.iter().map(|seat| seat.contender.name.as_str());
        let names: Vec<&str> = ours.chain(self.bots.iter().map(|bot| bot.name.as_str())).collect();
        let period = period_secs(self.settings.manner.tics);
        let mut header = Header::new("doom", &self.settings.map, self.settings.seed, period, names);
        header.map_source = self.ground.source().to_owned();
        header.settings = serde_json::json!({
            "tics": self.settings.manner.tics,
            "run_m_per_sec": self.settings.manner.run_m_per_sec,
            "turn_per_sec": self.settings.manner.turn_per_sec,
            "bots": self.bots.len(),
        });
        header
    }

    /// The last tick, for a recording.
    pub fn recorded(&self, with_why: bool) -> Tick {
        let number = self.ticks.saturating_sub(1) as u32;
        let rows = self.seats.iter().enumerate().map(|(id, seat)| Row {
            character: id as u8,
            alive: seat.is_alive,
            percept: seat.is_alive.then(|| seat.percept.clone()),
            command: seat.is_alive.then_some(seat.command),
            lead: None,
            task: seat.is_alive.then(|| seat.contender.mind.task().to_owned()),
            why: (seat.is_alive && with_why).then(|| seat.contender.mind.why()),
            events: seat.events.clone(),
        });
        Tick { tick: number, state_hash: self.hash(), rows: rows.collect() }
    }

    /// A hash of what our characters' engines said last.
    pub fn hash(&self) -> u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        for seat in &self.seats {
            let numbers = seat.state.own.iter().map(|value| value.to_bits());
            for word in numbers.chain([seat.state.tic]) {
                for byte in word.to_le_bytes() {
                    hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
                }
            }
        }
        hash
    }
}

impl Seat {
    /// What happened to it, and what it did, from one state to the next.
    fn note_events(&mut self, number: usize, next: &State, died: &[(usize, Option<usize>, bool)]) {
        let before = &self.state;
        let (was_dead, is_dead) = (before.is_dead(), next.is_dead());
        let position = self.percept.own.position;
        if was_dead && !is_dead {
            let at = [Variable::POSITION_X, Variable::POSITION_Y, Variable::POSITION_Z].map(|k| next.get(k));
            self.events.push(Event::Spawned { position: metres(at[0], at[1], at[2]) });
        }
        if !was_dead && Arsenal::of(next).total() < Arsenal::of(before).total() {
            self.events.push(Event::Fired { weapon: self.percept.own.weapon, fire: Fire::Primary });
        }
        let hurt = next.get(Variable::DAMAGE_TAKEN) - before.get(Variable::DAMAGE_TAKEN);
        if !was_dead && hurt > 0.0 {
            self.events.push(Event::Hurt { by: None, damage: hurt });
        }
        if !was_dead && is_dead {
            let by = died.iter().find(|death| death.0 == number);
            let by = by.and_then(|&(_, by, own_weapon)| if own_weapon { Some(number) } else { by });
            self.events.push(Event::Died { by: by.map(|by| by as u8), weapon: None });
        }
        for &(victim, by, _) in died {
            if by == Some(number) && victim != number {
                self.events.push(Event::Frag { victim: victim as u8 });
            }
        }
        if !was_dead && (next.said.contains("You got") || next.said.contains("Picked up")) {
            let spots = self.senses.ground().level().places().spots().iter().enumerate();
            let far = |at: DVec3| at.truncate().distance(position.truncate());
            let nearest = spots.min_by(|a, b| far(a.1.position).total_cmp(&far(b.1.position)));
            if let Some((spot, place)) = nearest.filter(|(_, place)| far(place.position) < 2.5) {
                self.events.push(Event::PickedUp { spot: spot as u16, item: place.item });
            }
        }
    }
}
