//! Recordings to test with: a match that could have been, and anything at all.

#![allow(dead_code, reason = "each test uses a part of this")]

use parquet::file::metadata::{
    FileMetaData, KeyValue, ParquetMetaDataBuilder, ParquetMetaDataReader, ParquetMetaDataWriter,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use repertoire_mind::{
    Command, DVec3, Event, Fire, Hit, Item, Noise, Own, Percept, SeenCharacter, SeenItem, Sound, Weapon,
};
use repertoire_prob::Stream;
use repertoire_prob::stream::unit;
use repertoire_trace::{Character, CsvReader, CsvWriter, Header, Recorder, Recording, Row, Tick, TraceError};

/// A recording as a file's bytes.
pub fn record(header: &Header, ticks: &[Tick], group_ticks: std::ops::RangeInclusive<u32>) -> Vec<u8> {
    let mut recorder =
        Recorder::new(Vec::new(), header.clone()).expect("a good header").group_ticks(group_ticks);
    for tick in ticks {
        recorder.push(tick.clone()).expect("a good tick");
    }
    recorder.finish().expect("memory can be written to")
}

/// A file's bytes as a recording.
pub fn read(file: &[u8]) -> Result<(Header, Vec<Tick>), TraceError> {
    let mut recording = Recording::open(std::io::Cursor::new(file))?;
    let ticks = recording.ticks().collect::<Result<_, _>>()?;
    Ok((recording.header().clone(), ticks))
}

pub fn to_csv(header: &Header, ticks: &[Tick]) -> String {
    let mut writer = CsvWriter::new(Vec::new(), header).expect("a good header");
    for tick in ticks {
        writer.push(tick.clone()).expect("a good tick");
    }
    String::from_utf8(writer.finish().expect("memory can be written to")).expect("CSV is text")
}

pub fn from_csv(text: &str) -> Result<(Header, Vec<Tick>), TraceError> {
    let mut reader = CsvReader::open(text.as_bytes())?;
    let ticks = reader.by_ref().collect::<Result<_, _>>()?;
    Ok((reader.header().clone(), ticks))
}

/// The file as another program would have written it: without our seal and checksums, with a change in what it says.
pub fn rewrite(file: &[u8], change: impl Fn(&str, String) -> Option<String>) -> Vec<u8> {
    let length_at = file.len() - 8;
    let length = u32::from_le_bytes(file[length_at..length_at + 4].try_into().expect("four bytes")) as usize;
    let metadata =
        ParquetMetaDataReader::decode_metadata(&file[length_at - length..length_at]).expect("a footer");
    let facts = metadata.file_metadata();
    let pairs = facts.key_value_metadata().expect("it has some").iter().filter_map(|pair| {
        let value = change(&pair.key, pair.value.clone()?)?;
        Some(KeyValue::new(pair.key.clone(), value))
    });
    let changed = FileMetaData::new(
        1,
        facts.num_rows(),
        Some("another program".to_owned()),
        Some(pairs.collect()),
        facts.schema_descr_ptr(),
        None,
    );
    let metadata =
        ParquetMetaDataBuilder::new(changed).set_row_groups(metadata.row_groups().to_vec()).build();
    let mut rewritten = file[..length_at - length - 16].to_vec();
    let mut footer = Vec::new();
    ParquetMetaDataWriter::new(&mut footer, &metadata).finish().expect("memory can be written to");
    rewritten.extend(footer);
    rewritten
}

/// Equal bit for bit: `==` takes -0.0 for 0.0, debug output does not.
#[track_caller]
pub fn assert_same(a: &[Tick], b: &[Tick]) {
    assert_eq!(a, b);
    assert_eq!(format!("{a:?}"), format!("{b:?}"));
}

/// A match that could have been: bodies wander, see each other, shoot, die and come back.
pub fn play(ticks: u32, characters: u8, seed: u64) -> (Header, Vec<Tick>) {
    let mut draw = Stream::new(seed, 0, "a match that could have been");
    let names: Vec<String> = (0..characters).map(|id| format!("native:{id}")).collect();
    let mut header = Header::new("arena", "yard", seed, 0.1, names.iter().map(String::as_str));
    header.map_source = "name = \"yard\"\n# a \"flat\" one\n".to_owned();
    header.settings = serde_json::json!({ "frags": 100 });
    let mut bodies: Vec<Own> = (0..characters).map(|id| spawn(id, 1, &mut draw)).collect();
    let played = (0..ticks).map(|tick| {
        let rows = (0..characters).map(|id| play_row(tick, id, &mut bodies, &mut draw)).collect();
        Tick { tick, state_hash: u64::from(tick).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed, rows }
    });
    let played = played.collect();
    (header, played)
}

fn spawn(id: u8, life: u32, draw: &mut Stream) -> Own {
    Own {
        life,
        position: DVec3::new(unit(draw) * 40.0, unit(draw) * 40.0, f64::from(id)),
        eye_m: 1.6,
        on_ground: true,
        health: 100.0,
        weapons: [true, false, false],
        ready: true,
        ..Own::default()
    }
}

fn play_row(tick: u32, id: u8, bodies: &mut [Own], draw: &mut Stream) -> Row {
    let index = usize::from(id);
    let mut events = Vec::new();
    if bodies[index].health <= 0.0 {
        let alive = unit(draw) < 0.05;
        if alive {
            bodies[index] = spawn(id, bodies[index].life + 1, draw);
            events.push(Event::Spawned { position: bodies[index].position });
        }
        return Row { alive: false, events, ..Row::of(id) };
    }
    let own = &mut bodies[index];
    let turn = unit(draw) - 0.5;
    own.yaw += turn;
    own.velocity = DVec3::new(unit(draw) * 8.0, unit(draw) * 8.0, 0.0);
    own.position += own.velocity * 0.1;
    if unit(draw) < 0.01 {
        own.health -= 40.0;
        events.push(Event::Hurt { by: Some((id + 1) % 2), damage: 40.0 });
    }
    if own.health <= 0.0 {
        events.push(Event::Died { by: Some((id + 1) % 2), weapon: Some(Weapon::Strong) });
    }
    let percept = perceive(tick, id, bodies, draw);
    let command =
        Command { yaw: turn, forward: 1.0, fire: Fire::ALL[tick as usize % 3], ..Command::default() };
    let task = if turn > 0.0 { "roam" } else { "attack" };
    Row { percept: Some(percept), command: Some(command), task: Some(task.to_owned()), events, ..Row::of(id) }
}

fn perceive(tick: u32, id: u8, bodies: &[Own], draw: &mut Stream) -> Percept {
    let seen = |(other, body): (usize, &Own)| SeenCharacter {
        id: other as u8,
        position: body.position,
        velocity: body.velocity,
        weapon: Some(body.weapon),
    };
    let mut percept = Percept { tick, period_secs: 0.1, own: bodies[usize::from(id)], ..Percept::default() };
    let others = bodies.iter().enumerate().filter(|(other, _)| *other != usize::from(id));
    percept.characters = others.filter(|_| unit(draw) < 0.2).map(seen).collect();
    percept.items = (0..(unit(draw) * 6.0) as u16)
        .map(|spot| SeenItem {
            spot,
            item: Item::ALL[usize::from(spot) % Item::ALL.len()],
            position: DVec3::new(f64::from(spot), 3.5, 0.0),
            present: spot % 2 == 0,
        })
        .collect();
    if unit(draw) < 0.3 {
        percept.noises = vec![Noise { sound: Sound::Shot, yaw: unit(draw), loudness: unit(draw) }];
    }
    percept.rays_m = std::array::from_fn(|_| unit(draw) * 30.0);
    percept
}

/// Any number that a percept may hold, the strangest most of all.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(0.0),
        Just(-0.0),
        Just(f64::MAX),
        Just(f64::MIN),
        Just(f64::MIN_POSITIVE),
        Just(5e-324),
        Just(-2.2e-310),
        Just(0.1 + 0.2),
        any::<f64>().prop_filter("is finite", |number| number.is_finite()),
    ]
}

fn point() -> impl Strategy<Value = DVec3> {
    (number(), number(), number()).prop_map(|(x, y, z)| DVec3::new(x, y, z))
}

fn weapon() -> impl Strategy<Value = Weapon> {
    proptest::sample::select(&Weapon::ALL[..])
}

fn item() -> impl Strategy<Value = Item> {
    prop_oneof![Just(Item::Health), weapon().prop_map(Item::Weapon), weapon().prop_map(Item::Ammo)]
}

fn fire() -> impl Strategy<Value = Fire> {
    proptest::sample::select(&Fire::ALL[..])
}

/// Texts with everything that CSV and JSON stumble over.
pub fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z]{0,8}", Just("a, \"b\"\r\n# c: d".to_owned()), Just(" ü\t'\\ ".to_owned()), ".{0,12}"]
}

fn own() -> impl Strategy<Value = Own> {
    let body = (any::<u32>(), point(), point(), number(), number(), number(), any::<bool>(), number());
    let arms = (weapon(), any::<[bool; 3]>(), any::<[u32; 3]>(), any::<bool>(), any::<i32>());
    (body, arms).prop_map(|(body, (weapon, weapons, ammo, ready, frags))| {
        let (life, position, velocity, eye_m, yaw, pitch, on_ground, health) = body;
        Own {
            life,
            position,
            velocity,
            eye_m,
            yaw,
            pitch,
            on_ground,
            health,
            weapon,
            weapons,
            ammo,
            ready,
            frags,
            pack: Default::default(),
        }
    })
}

fn percept() -> impl Strategy<Value = Percept> {
    let character = (any::<u8>(), point(), point(), option::of(weapon()))
        .prop_map(|(id, position, velocity, weapon)| SeenCharacter { id, position, velocity, weapon });
    let item = (any::<u16>(), item(), point(), any::<bool>())
        .prop_map(|(spot, item, position, present)| SeenItem { spot, item, position, present });
    let noise = (proptest::sample::select(&Sound::ALL[..]), number(), number())
        .prop_map(|(sound, yaw, loudness)| Noise { sound, yaw, loudness });
    let hit = (number(), number()).prop_map(|(damage, yaw)| Hit { damage, yaw });
    let rays = vec(number(), 8).prop_map(|rays| std::array::from_fn(|ray| rays[ray]));
    (own(), vec(character, 0..4), vec(item, 0..4), vec(noise, 0..4), vec(hit, 0..3), rays).prop_map(
        |(own, characters, items, noises, hits, rays_m)| Percept {
            own,
            characters,
            items,
            noises,
            hits,
            rays_m,
            ..Percept::default()
        },
    )
}

fn command() -> impl Strategy<Value = Command> {
    (number(), number(), number(), number(), any::<bool>(), fire(), option::of(weapon())).prop_map(
        |(yaw, pitch, forward, lateral, jump, fire, weapon)| Command {
            yaw,
            pitch,
            forward,
            lateral,
            jump,
            fire,
            weapon,
        },
    )
}

fn event() -> impl Strategy<Value = Event> {
    let by = || option::of(any::<u8>());
    prop_oneof![
        point().prop_map(|position| Event::Spawned { position }),
        (weapon(), fire()).prop_map(|(weapon, fire)| Event::Fired { weapon, fire }),
        (any::<u8>(), weapon(), number()).prop_map(|(victim, weapon, damage)| Event::Struck {
            victim,
            weapon,
            damage
        }),
        (by(), number()).prop_map(|(by, damage)| Event::Hurt { by, damage }),
        (by(), option::of(weapon())).prop_map(|(by, weapon)| Event::Died { by, weapon }),
        any::<u8>().prop_map(|victim| Event::Frag { victim }),
        (any::<u16>(), item()).prop_map(|(spot, item)| Event::PickedUp { spot, item }),
        point().prop_map(|position| Event::Teleported { position }),
    ]
}

fn row() -> impl Strategy<Value = Row> {
    let word = || option::of(text().prop_filter("empty is none", |text| !text.is_empty()));
    (any::<bool>(), option::of(percept()), option::of(command()), word(), word(), vec(event(), 0..4))
        .prop_map(|(alive, percept, command, task, why, events)| Row {
            character: 0,
            alive,
            percept: percept.filter(|_| alive),
            command: command.filter(|_| alive),
            lead: None,
            task,
            why,
            events,
        })
}

/// Any recording: three characters at most, any of them absent at times, ticks with gaps.
pub fn recording(ticks: usize) -> impl Strategy<Value = (Header, Vec<Tick>)> {
    let tick = (1u32..3, any::<u64>(), vec(option::of(row()), 3));
    let header = (text(), text(), text(), any::<u64>(), vec(text(), 3));
    (header, vec(tick, 0..ticks)).prop_map(|((map, map_source, settings, seed, names), ticks)| {
        let ids = [0, 7, 255];
        let characters =
            ids.iter().zip(names).map(|(&id, name)| Character { id, name, led: false }).collect();
        let header = Header {
            map_source,
            characters,
            settings: serde_json::json!({ "a": settings, "b": [1, 2.5, null] }),
            ..Header::new("arena", &map, seed, 0.1, [])
        };
        let mut number = 0;
        let ticks = ticks.into_iter().filter_map(|(step, state_hash, rows)| {
            number += step;
            let rows = rows.into_iter().zip(ids).filter_map(|(row, id)| {
                let mut row = Row { character: id, ..row? };
                if let Some(percept) = &mut row.percept {
                    (percept.tick, percept.period_secs) = (number, 0.1);
                }
                Some(row)
            });
            let rows: Vec<Row> = rows.collect();
            (!rows.is_empty()).then_some(Tick { tick: number, state_hash, rows })
        });
        (header, ticks.collect())
    })
}
