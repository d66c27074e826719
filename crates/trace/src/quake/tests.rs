//! Demos made here, byte by byte, so that everything is tested without other people's files.

use proptest::prelude::*;

use crate::play::{EventKind, Play};
use crate::play_table;

/// How numbers are written.
#[derive(Clone, Copy, Default)]
struct Style {
    is_float: bool,
    words: &'static [u32],
}

const FLOAT: Style = Style { is_float: true, words: &[0x5845_5446, 0x8000] };
const FTE: Style = Style { is_float: false, words: &[0x3144_564d, 2, 0x5845_5446, 0x2000_0000] };

fn coordinate(out: &mut Vec<u8>, style: Style, value: f32) {
    match style.is_float {
        true => out.extend(value.to_le_bytes()),
        false => out.extend(((value * 8.0) as i16).to_le_bytes()),
    }
}

fn text(out: &mut Vec<u8>, text: &str) {
    out.extend(text.bytes());
    out.push(0);
}

fn server_data(style: Style, is_server: bool) -> Vec<u8> {
    let mut out = vec![11];
    style.words.iter().chain(&[28]).for_each(|word| out.extend(word.to_le_bytes()));
    out.extend(1_i32.to_le_bytes());
    text(&mut out, "qw");
    match is_server {
        true => out.extend(0_f32.to_le_bytes()),
        false => out.push(0),
    }
    text(&mut out, "The Test");
    for number in [800_f32, 100.0, 320.0, 500.0, 10.0, 0.7, 10.0, 4.0, 4.0, 1.0] {
        out.extend(number.to_le_bytes());
    }
    out.push(45);
    out.push(0);
    ["maps/test.bsp", "*1", "progs/missile.mdl", "", ""].iter().for_each(|name| text(&mut out, name));
    out.push(46);
    out.push(0);
    ["items/armor1.wav", "misc/talk.wav", "", ""].iter().for_each(|name| text(&mut out, name));
    for (slot, name) in [(0_u8, "anna"), (1, "ben")] {
        out.extend([40, slot]);
        out.extend(i32::from(slot + 7).to_le_bytes());
        text(&mut out, &format!("\\name\\{name}\\team\\red"));
    }
    out
}

fn user(slot: u8, user: i32, info: &str) -> Vec<u8> {
    let mut out = vec![40, slot];
    out.extend(user.to_le_bytes());
    text(&mut out, info);
    out
}

fn player(style: Style, slot: u8, at: [f32; 3], is_dead: bool) -> Vec<u8> {
    let mut out = vec![42, slot];
    let flags: u16 =
        if slot == 0 { 1 << 2 } else { 1 | (1 << 1) | (1 << 2) } | if is_dead { 1 << 9 } else { 0 };
    out.extend(flags.to_le_bytes());
    at.into_iter().for_each(|value| coordinate(&mut out, style, value));
    out.push(0);
    if slot != 0 {
        out.extend([5, 0b1000_0000]);
        out.extend(0x4000_i16.to_le_bytes());
        out.push(13);
    }
    out.extend(320_i16.to_le_bytes());
    out
}

struct Client {
    bytes: Vec<u8>,
    sequence: u32,
}

impl Client {
    fn packet(&mut self, secs: f32, messages: &[u8]) {
        self.bytes.extend(secs.to_le_bytes());
        self.bytes.push(1);
        self.bytes.extend((messages.len() as u32 + 8).to_le_bytes());
        self.bytes.extend(self.sequence.to_le_bytes());
        self.bytes.extend(self.sequence.to_le_bytes());
        self.bytes.extend(messages);
        self.sequence += 1;
    }

    fn input(&mut self, secs: f32, yaw: f32, buttons: u8) {
        self.bytes.extend(secs.to_le_bytes());
        self.bytes.extend([0, 13, 0, 0, 0]);
        [0.0, yaw, 0.0].iter().for_each(|angle: &f32| self.bytes.extend(angle.to_le_bytes()));
        [400_i16, 0, 0].iter().for_each(|key| self.bytes.extend(key.to_le_bytes()));
        self.bytes.extend([buttons, 0]);
        self.bytes.extend([0; 12]);
    }
}

/// A short match: warming up, a shot, armour, a rocket, a death, somebody leaves and somebody else comes.
fn client_demo(style: Style) -> Vec<u8> {
    let mut demo = Client { bytes: Vec::new(), sequence: 1 };
    demo.packet(100.0, &server_data(style, false));
    demo.packet(100.1, &player(style, 0, [1.0, 2.0, 3.0], false));
    let mut begin = vec![8, 2];
    text(&mut begin, "The match has begun!\n");
    demo.packet(101.0, &begin);
    for step in 0..20_u8 {
        let secs = 101.0 + f32::from(step) * 0.0625;
        let mut messages = player(style, 0, [f32::from(step) * 4.0, 0.0, 24.0], false);
        messages.extend(player(style, 1, [100.0, f32::from(step), 24.0], step >= 10));
        messages.extend([3, 0, 100 - step, 38, 10]);
        messages.extend(32_i32.to_le_bytes());
        match step {
            // Whether it flies is said with the packet before it as a base.
            0 => messages.extend([47, 0, 0]),
            5 => {
                messages.extend([39, 1, 0]);
                let word = 60_u16 | (1 << 9) | (1 << 15);
                messages.extend([48, 7]);
                messages.extend(word.to_le_bytes());
                messages.extend([4, 3]);
                coordinate(&mut messages, style, 50.0);
                messages.extend([0, 0]);
            }
            6 => {
                messages.extend([6]);
                messages.extend((2_u16 << 3).to_le_bytes());
                messages.push(1);
                [0.0; 3].iter().for_each(|value| coordinate(&mut messages, style, *value));
            }
            10 => {
                messages.extend([14, 0, 1, 0, 8, 1]);
                text(&mut messages, "ben rides anna's rocket\n");
            }
            12 => messages.extend(user(1, 8, "")),
            13 => messages.extend(user(1, 12, "\\name\\carl")),
            _ => {}
        }
        if step < 5 {
            messages.extend([48, (demo.sequence - 1) as u8, 0, 0]);
        }
        demo.packet(secs, &messages);
        demo.input(secs, f32::from(step), 1 | (step & 2));
    }
    demo.bytes
}

fn server_demo() -> Vec<u8> {
    let mut out = Vec::new();
    let mut block = |ms: u8, kind: u8, messages: &[u8]| {
        out.extend([ms, kind]);
        if kind & 7 == 3 {
            out.extend(0_u32.to_le_bytes());
        }
        out.extend((messages.len() as u32).to_le_bytes());
        out.extend(messages);
    };
    block(0, 6, &server_data(Style::default(), true));
    block(10, 5 | (1 << 3), &[3, 0, 90]);
    for step in 0..10_u8 {
        let mut messages = Vec::new();
        for slot in 0..2_u8 {
            messages.extend([42, slot, if step == 0 { 0b0001_0111 } else { 0b0001_0001 }, 0, 0]);
            messages.extend((i16::from(step) * 8).to_le_bytes());
            if step == 0 {
                messages.extend([8, 0, 16, 0]);
            }
            messages.extend((i16::from(step) * 182).to_le_bytes());
        }
        block(25, 1, &messages);
        if step == 4 {
            let mut harm = 8_u32.to_le_bytes().to_vec();
            [7_u16, 7 | (1 << 15), 1, 2, 55].iter().for_each(|number| harm.extend(number.to_le_bytes()));
            block(0, 3, &harm);
        }
    }
    out
}

fn read(bytes: &[u8]) -> Play {
    super::read(bytes, "test").expect("a demo")
}

#[test]
fn a_clients_demo_becomes_states_inputs_and_events() {
    for style in [Style::default(), FLOAT, FTE] {
        let play = read(&client_demo(style));
        assert_eq!((play.map.as_str(), play.notes.len(), play.inputs.len()), ("test", 0, 20));
        let names: Vec<&str> = play.players.iter().map(|player| player.name.as_str()).collect();
        assert_eq!(names, ["anna", "ben", "carl"]);
        assert_eq!(play.pov(), Some(0));
        // The match begins at 0; warming up was before it.
        assert!((play.states[0].secs + 0.9).abs() < 1e-3 && !play.is_in_match(play.states[0].secs));
        let anna: Vec<_> = play.states.iter().filter(|state| state.player == 0).collect();
        let last = anna[anna.len() - 1];
        assert_eq!((last.at, last.velocity), ([76.0, 0.0, 24.0], Some([320.0, 0.0, 0.0])));
        assert_eq!((last.keys.yaw_deg, last.keys.is_jumping()), (19.0, true));
        assert_eq!(last.status.map(|status| (status.health, status.weapon)), Some((81, 32)));
        let of = |kind| play.events.iter().filter(move |event| event.kind == kind).collect::<Vec<_>>();
        assert_eq!(of(EventKind::Shot)[0].what, "rl");
        assert_eq!((of(EventKind::Pickup)[0].actor, of(EventKind::Death)[0].actor), (Some(1), Some(1)));
        assert_eq!((of(EventKind::Frags)[0].actor, of(EventKind::Obituary).len()), (Some(0), 1));
        assert!(play.states.iter().any(|state| state.player == 2), "who joined is somebody else");
    }
}

#[test]
fn a_servers_demo_has_everybody_and_who_hurt_whom() {
    let play = read(&server_demo());
    assert_eq!((play.states.len(), play.source.as_str()), (20, "server demo"));
    let last = play.states[19];
    assert_eq!((last.at, last.status.map(|status| status.health)), ([9.0, 1.0, 2.0], Some(90)));
    let harm = play.events.iter().find(|event| event.kind == EventKind::Damage).expect("harm");
    assert_eq!((harm.actor, harm.target, harm.amount, harm.is_splash), (Some(0), Some(1), 55, true));
    assert_eq!(harm.what, "rl");
}

#[test]
fn a_rocket_is_seen_flying_where_the_packet_before_is_known() {
    let play = read(&client_demo(Style::default()));
    let rocket = play.things.iter().find(|thing| thing.entity == 60).expect("a rocket");
    assert_eq!(play.models[usize::from(rocket.model)], "progs/missile.mdl");
    assert_eq!(rocket.at, Some([50.0, 0.0, 0.0]));
}

#[test]
fn written_and_read_again_it_is_the_same() {
    for demo in [client_demo(FLOAT), server_demo()] {
        let play = read(&demo);
        let file = play_table::write(&play, Vec::new()).unwrap();
        assert!(play_table::is_play(&file) && !super::is_demo(&file));
        assert_eq!(play_table::read(&file).unwrap().0, play);
    }
}

#[test]
fn cut_at_any_byte_it_is_read_up_to_the_cut_or_refused() {
    for demo in [client_demo(Style::default()), server_demo()] {
        let whole = read(&demo);
        let mut most = 0;
        for cut in 0..demo.len() {
            match super::read(&demo[..cut], "cut") {
                Ok(play) => {
                    assert!(play.states.len() >= most && play.states.len() <= whole.states.len());
                    most = play.states.len();
                }
                Err(error) => assert!(error.to_string().contains("remedy"), "{error}"),
            }
        }
        assert!(most + 2 >= whole.states.len(), "almost whole is read almost whole");
    }
}

#[test]
fn foreign_files_are_refused_with_their_kind() {
    for (bytes, word) in [
        (&b""[..], "empty"),
        (b"HL2DEMO\0and so on", "another game"),
        (b"-1\n\x01\x02\x03\x04\x05\x06", "original Quake"),
        (b"PK\x03\x04 some archive or other that is none", "no QuakeWorld demo"),
        (b"t,x,y,z,yaw\n1,2,3,4,5\n", "no QuakeWorld demo"),
    ] {
        let error = super::read(bytes, "foreign").expect_err("foreign").to_string();
        assert!(error.contains(word) && error.contains("remedy"), "{error}");
    }
}

proptest! {
    #[test]
    fn damaged_bytes_never_panic(
        which in 0..3_usize,
        hits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
    ) {
        let mut demo = match which {
            0 => client_demo(Style::default()),
            1 => client_demo(FTE),
            _ => server_demo(),
        };
        for (place, byte) in hits {
            let place = place.index(demo.len());
            demo[place] = byte;
        }
        if let Ok(play) = super::read(&demo, "damaged") {
            prop_assert!(play.states.len() <= demo.len());
            prop_assert!(play.states.iter().all(|state| usize::from(state.player) < play.players.len()));
        }
    }

    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        let _ = super::read(&bytes, "random");
    }
}
