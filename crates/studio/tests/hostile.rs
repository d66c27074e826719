//! The server against browsers that mean no good, and against very many of them.
#![allow(clippy::disallowed_methods, reason = "a server is waited for by the clock")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use repertoire_studio::stage::cast::Setting;
use repertoire_studio::{Options, Studio};
use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

fn open(name: &str, contenders: &[&str]) -> (Studio, PathBuf) {
    let folder = std::env::temp_dir().join(format!("studio-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("writable");
    let contenders: Vec<String> = contenders.iter().map(|one| (*one).to_owned()).collect();
    let setting = Setting::find("yard", &contenders, 7).expect("they ship");
    (Studio::open(Options::new(setting, folder.clone())).expect("a port is free"), folder)
}

type Socket = WebSocket<TcpStream>;

fn connect(address: SocketAddr, origin: &str) -> Option<Socket> {
    connect_as(address, origin, "0123456789")
}

/// A browser that the studio knows by its key.
fn seat(address: SocketAddr, key: &str) -> Socket {
    connect_as(address, &format!("http://{address}"), key).expect("our own page may connect")
}

fn connect_as(address: SocketAddr, origin: &str, key: &str) -> Option<Socket> {
    let stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(20))).ok()?;
    let request = tungstenite::http::Request::builder()
        .uri(format!("ws://{address}/socket?key={key}"))
        .header("Host", address.to_string())
        .header("Origin", origin)
        .header("Connection", "Upgrade")
        .header("Upgrade", "websocket")
        .header("Sec-WebSocket-Version", "13")
        .header("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")
        .body(())
        .expect("a request");
    tungstenite::client(request, stream).ok().map(|(socket, _)| socket)
}

fn friend(address: SocketAddr) -> Socket {
    connect(address, &format!("http://{address}")).expect("our own page may connect")
}

fn ask(socket: &mut Socket, question: &Value) -> Value {
    socket.send(Message::text(question.to_string())).expect("it listens");
    loop {
        let Message::Text(text) = socket.read().expect("it answers") else { continue };
        let answer: Value = serde_json::from_str(&text).expect("JSON");
        if answer["type"] == "answer" {
            return answer["is"].clone();
        }
    }
}

/// The status and the text of a raw request.
fn raw(address: SocketAddr, request: &[u8]) -> String {
    let Ok(mut stream) = TcpStream::connect(address) else { return String::new() };
    let _ = stream.set_read_timeout(Some(Duration::from_millis(1500)));
    let _ = stream.write_all(request);
    let mut text = Vec::new();
    let _ = stream.read_to_end(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}

/// A studio in a process of its own, which ends with this.
struct Served {
    process: std::process::Child,
    address: SocketAddr,
    folder: PathBuf,
}

impl Served {
    fn open(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("studio-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("writable");
        let process = std::process::Command::new(std::env::current_exe().expect("ours"))
            .args(["--exact", "serves_if_it_is_told_to", "--nocapture"])
            .env("STUDIO_SERVES", &folder)
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("it starts");
        let mut served = Served { process, address: ([127, 0, 0, 1], 0).into(), folder };
        let (start, told) = (Instant::now(), served.folder.join("address"));
        while served.address.port() == 0 {
            assert!(start.elapsed() < Duration::from_secs(60), "it does not serve");
            if let Ok(address) = std::fs::read_to_string(&told) {
                served.address = address.parse().expect("an address");
                std::fs::remove_file(&told).expect("ours");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        served
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Not a test: what runs in that process.
#[test]
fn serves_if_it_is_told_to() {
    let Some(folder) = std::env::var_os("STUDIO_SERVES").map(PathBuf::from) else { return };
    let setting = Setting::find("yard", &["native:3", "native:1", "prudent"].map(str::to_owned), 7);
    let studio =
        Studio::open(Options::new(setting.expect("they ship"), folder.clone())).expect("a port is free");
    std::fs::write(folder.join("address.part"), studio.address().to_string()).expect("writable");
    std::fs::rename(folder.join("address.part"), folder.join("address")).expect("writable");
    studio.wait().expect("it serves");
}

/// Megabytes of a process.
fn memory_mb(process: u32) -> Option<f64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    text.split(' ').nth(1)?.parse::<f64>().ok().map(|pages| pages * 4096.0 / 1e6)
}

#[test]
fn ten_thousand_hostile_frames_and_requests_read_nothing_and_end_nobody_else() {
    let served = Served::open("hostile");
    let (address, process) = (served.address, served.process.id());
    let mut watcher = friend(address);
    let before = memory_mb(process);
    // Pages that are none, names that are not ours.
    for path in [
        "/../Cargo.toml",
        "/..%2f..%2fetc/passwd",
        "/%2e%2e/Cargo.toml",
        "//etc/passwd",
        "/web/../src/lib.rs",
        "/socket",
        "/index.html%00.js",
        "/\\..\\x",
    ] {
        let text = raw(
            address,
            format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").as_bytes(),
        );
        assert!(
            !text.contains("root:") && !text.contains("[package]") && !text.contains("200 OK"),
            "{path}: {text}"
        );
    }
    for host in ["evil.example", "127.0.0.1:1", ""] {
        let text =
            raw(address, format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").as_bytes());
        assert!(text.starts_with("HTTP/1.1 4"), "{host}: {text}");
    }
    for origin in ["http://evil.example", "null", "https://127.0.0.1.evil.example"] {
        assert!(connect(address, origin).is_none(), "{origin}");
    }
    raw(address, &[b"GET / HTTP/1.1\r\nX: ".as_slice(), &vec![b'a'; 1_000_000]].concat());
    // Frames: each bad one ends its own client only.
    let mut sent = 0;
    let large = "x".repeat(400_000);
    let bad = [
        "",
        "{}",
        "null",
        "[[[[",
        "{\"do\":\"seek\",\"tick\":-1}",
        "{\"do\":\"format-disk\"}",
        "{\"do\":\"input\",\"seq\":1}",
        "\u{0}\u{1}",
        large.as_str(),
    ];
    let start = Instant::now();
    while sent < 10_000 && start.elapsed() < Duration::from_secs(120) {
        let Some(mut enemy) = connect(address, &format!("http://{address}")) else { continue };
        match sent % 11 {
            // A flood: far more than the rate allows.
            10 => {
                for _ in 0..400 {
                    sent += usize::from(enemy.send(Message::text("{\"do\":\"history\",\"ask\":1}")).is_ok());
                }
            }
            9 => {
                let _ = enemy.send(Message::binary(vec![0xff; 5000]));
            }
            kind => {
                let _ = enemy.send(Message::text(bad[kind]));
            }
        }
        sent += 1;
        let ended = (0..3000)
            .any(|_| !matches!(enemy.read(), Ok(Message::Text(_) | Message::Ping(_) | Message::Pong(_))));
        assert!(ended, "a client that says {sent} is still served");
    }
    assert!(sent >= 10_000, "only {sent} in time");
    // Good form, bad content: numbers that are none, files outside, characters that are not there.
    for question in [
        json!({"do": "save", "ask": 1, "who": 0, "file": "../../outside.toml"}),
        json!({"do": "save", "ask": 1, "who": 0, "file": "/etc/passwd"}),
        json!({"do": "text", "ask": 1, "who": 200}),
        json!({"do": "check", "ask": 1, "who": 0, "text": "[[[["}),
    ] {
        let answer = ask(&mut watcher, &question);
        assert!(!answer.to_string().contains("root:"), "{answer}");
    }
    for order in [
        json!({"do": "new", "map": "../../../etc/passwd", "contenders": [], "seed": 1, "join": null}),
        json!({"do": "speed", "times": 1e300}),
        json!({"do": "step", "by": i32::MIN}),
        json!({"do": "resume"}),
    ] {
        watcher.send(Message::text(order.to_string())).expect("it listens");
    }
    let one = ask(&mut watcher, &json!({"do": "figures", "ask": 2}));
    std::thread::sleep(Duration::from_millis(700));
    let other = ask(&mut watcher, &json!({"do": "figures", "ask": 3}));
    assert!(other["end"].as_u64() > one["end"].as_u64(), "the match goes on: {one} {other}");
    assert_eq!(std::fs::read_dir(&served.folder).expect("ours").count(), 0, "nothing was written");
    if let (Some(before), Some(after)) = (before, memory_mb(process)) {
        println!("from {before:.0} to {after:.0} MB");
        assert!(after < before + 120.0, "from {before:.0} to {after:.0} MB");
    }
}

#[test]
fn a_match_with_the_studio_attached_ends_with_the_hash_of_one_without() {
    let contenders = ["hunter", "prudent", "native:3"];
    let (studio, _folder) = open("hash", &contenders);
    let mut watcher = friend(studio.address());
    for order in [json!({"do": "follow", "who": 0}), json!({"do": "speed", "times": 16})] {
        watcher.send(Message::text(order.to_string())).expect("it listens");
    }
    // Looking back, asking and pausing change nothing.
    ask(&mut watcher, &json!({"do": "history", "ask": 1}));
    std::thread::sleep(Duration::from_secs(2));
    watcher.send(Message::text(json!({"do": "seek", "tick": 7}).to_string())).expect("it listens");
    ask(&mut watcher, &json!({"do": "why-not", "ask": 2, "tick": 7, "who": 1, "task": "flee"}));
    watcher.send(Message::text(json!({"do": "resume"}).to_string())).expect("it listens");
    std::thread::sleep(Duration::from_secs(1));
    watcher.send(Message::text(json!({"do": "pause"}).to_string())).expect("it listens");
    let figures = ask(&mut watcher, &json!({"do": "figures", "ask": 3}));
    let end = figures["end"].as_u64().expect("a tick");
    assert!(end > 100, "{figures}");
    let written: Vec<String> = contenders.iter().map(|one| (*one).to_owned()).collect();
    let setting = Setting::find("yard", &written, 7).expect("they ship");
    let cast = setting.parts.iter().map(|part| repertoire_worlds::arena::game::Contender {
        name: part.entry.name.clone(),
        mind: (part.entry.make)(),
    });
    let mut game = repertoire_worlds::arena::game::Match::new(
        setting.level.clone(),
        Default::default(),
        cast.collect(),
        7,
    );
    (0..end).for_each(|_| game.tick());
    assert_eq!(figures["hash"], json!(format!("{:016x}", game.world().hash())));
}

/// Waits for a frame that is as wanted.
fn frame(socket: &mut Socket, mut wanted: impl FnMut(&Value) -> bool) -> Value {
    let start = Instant::now();
    loop {
        assert!(start.elapsed() < Duration::from_secs(20), "no such frame came");
        let Message::Text(text) = socket.read().expect("it sends") else { continue };
        let frame: Value = serde_json::from_str(&text).expect("JSON");
        if frame["type"] == "frame" && wanted(&frame) {
            return frame;
        }
    }
}

/// Panics at its fifteenth decision.
struct Bomb(u32);

impl repertoire_mind::Mind for Bomb {
    fn decide(
        &mut self,
        _: &repertoire_mind::Percept,
        _: &repertoire_mind::Places,
        _: &mut repertoire_prob::Stream,
    ) -> repertoire_mind::Command {
        self.0 += 1;
        assert!(self.0 < 15, "the bomb went off");
        repertoire_mind::Command::default()
    }
    fn task(&self) -> &str {
        "tick"
    }
    fn why(&self) -> String {
        String::new()
    }
    fn save(&self) -> Value {
        json!(self.0)
    }
    fn restore(&mut self, saved: &Value) -> Result<(), repertoire_mind::RestoreError> {
        self.0 = serde_json::from_value(saved.clone())?;
        Ok(())
    }
}

#[test]
fn a_panic_inside_a_match_is_reported_and_the_server_goes_on() {
    let folder = std::env::temp_dir();
    let mut setting = Setting::find("yard", &["native:1".to_owned()], 7).expect("it ships");
    setting.parts[0].entry.make = std::sync::Arc::new(|| Box::new(Bomb(0)));
    let studio = Studio::open(Options::new(setting, folder)).expect("a port is free");
    let mut watcher = friend(studio.address());
    let stopped = frame(&mut watcher, |frame| frame["at"]["stop"].is_string());
    assert!(stopped["at"]["stop"].as_str().is_some_and(|why| why.contains("the bomb went off")), "{stopped}");
    assert_eq!(stopped["at"]["paused"], json!(true));
    // The past is still there, and another match can be started.
    watcher.send(Message::text(json!({"do": "seek", "tick": 4}).to_string())).expect("it listens");
    frame(&mut watcher, |frame| frame["tick"] == 4);
    let another = json!({"do": "new", "map": "yard", "contenders": ["native:3"], "seed": 2, "join": null});
    watcher.send(Message::text(another.to_string())).expect("it listens");
    frame(&mut watcher, |frame| frame["at"]["number"] == 2 && frame["tick"].as_u64() > Some(20));
}

#[test]
fn two_people_play_in_one_match_and_a_client_that_reads_nothing_delays_nobody() {
    let (studio, _folder) = open("two", &["native:0"]);
    let address = studio.address();
    let _silent: Vec<Socket> = (0..20).map(|_| friend(address)).collect();
    let (mut ann, mut ben) = (seat(address, "ann-ann-ann"), seat(address, "ben-ben-ben"));
    for (socket, name) in [(&mut ann, "Ann"), (&mut ben, "Ben")] {
        socket.send(Message::text(json!({"do": "join", "name": name}).to_string())).expect("it listens");
    }
    let begin = frame(&mut ann, |frame| {
        frame["characters"]
            .as_array()
            .is_some_and(|all| all.len() == 3 && all[1]["a"] == true && all[2]["a"] == true)
    });
    let hands = |seq: u32, forward: f64| {
        json!({"do": "input", "seq": seq, "yaw": 0.3, "pitch": 0, "forward": forward, "lateral": 0, "jump": false, "fire": 0, "weapon": null}).to_string()
    };
    ann.send(Message::text(hands(1, 1.0))).expect("it listens");
    ben.send(Message::text(hands(9, -1.0))).expect("it listens");
    let from = begin["tick"].as_u64().expect("a tick");
    let later = frame(&mut ann, |frame| frame["tick"].as_u64() >= Some(from + 15));
    for id in [1, 2] {
        assert_ne!(
            begin["characters"][id]["p"], later["characters"][id]["p"],
            "{} stands still",
            later["characters"][id]["n"]
        );
        assert!(
            (later["characters"][id]["y"].as_f64().expect("a yaw") - 0.3).abs() < 0.01
                || later["characters"][id]["a"] == false
        );
    }
    let obeyed = later["at"]["people"].as_array().expect("people").clone();
    assert!(
        obeyed.contains(&json!([1, 1])) && obeyed.contains(&json!([2, 9])) || obeyed.contains(&json!([1, 9])),
        "{obeyed:?}"
    );
    let late = ask(&mut ben, &json!({"do": "figures", "ask": 1}));
    assert!(late["lateMs"]["p50"].as_f64() < Some(50.0), "{late}");
}

#[test]
fn a_judge_meets_a_second_person_under_a_false_name() {
    let (studio, folder) = open("second", &["native:3"]);
    let (mut judge, mut other) =
        (seat(studio.address(), "judge-judge"), seat(studio.address(), "other-other"));
    let say =
        |socket: &mut Socket, what: Value| socket.send(Message::text(what.to_string())).expect("it listens");
    let opponents = ["native:1", "person", "prudent"];
    say(
        &mut judge,
        json!({"do": "judge", "judge": "Ann", "opponents": opponents, "round": 1, "secs": 2.0, "seed": 3}),
    );
    // It waits until the person is there, and nothing tells which of the three that is.
    frame(&mut judge, |frame| {
        frame["at"]["paused"] == true
            && frame["at"]["stop"].as_str().is_some_and(|why| why.contains("waits for a person"))
    });
    for who in 0..4 {
        say(&mut judge, json!({"do": "follow", "who": who}));
    }
    say(&mut other, json!({"do": "join", "name": "Ben"}));
    let mut told = Vec::new();
    let over = frame(&mut judge, |frame| {
        told.push(frame.to_string());
        frame["at"]["jury"]["over"] == true
    });
    assert!(told.len() > 5 && over["at"]["people"] == json!([]));
    say(&mut judge, json!({"do": "hello"}));
    let hello = loop {
        let Message::Text(text) = judge.read().expect("it answers") else { continue };
        let hello: Value = serde_json::from_str(&text).expect("JSON");
        assert!(hello["type"] != "mind" || hello["who"] == 3, "{hello}");
        if hello["type"] == "hello" {
            break hello;
        }
    };
    told.push(hello["cast"].to_string());
    for text in &told {
        for word in ["Ben", "native", "prudent", "\"person\":true"] {
            assert!(!text.contains(word), "{word} in {text}");
        }
    }
    let said: Vec<Value> =
        (0..3).map(|who| json!({"who": who, "verdict": "rather-person", "because": ""})).collect();
    let is = ask(&mut judge, &json!({"do": "verdict", "ask": 1, "said": said}));
    let mut truth: Vec<&str> =
        is["truth"].as_array().expect("a list").iter().filter_map(|one| one["opponent"].as_str()).collect();
    truth.sort_unstable();
    assert_eq!(truth, opponents);
    std::fs::remove_dir_all(folder).expect("ours");
}

#[test]
fn a_file_that_changes_on_disk_is_picked_up_and_one_with_a_mistake_is_not() {
    let folder = std::env::temp_dir().join(format!("studio-disk-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("writable");
    let file = folder.join("scout.toml");
    let text = |level: u8| {
        format!(
            "name = \"scout\"\nabout = \"A bot.\"\n\n[decide]\nby = \"machine\"\n\n[act]\nhands = \"native:{level}\"\n"
        )
    };
    std::fs::write(&file, text(3)).expect("writable");
    let setting = Setting::find("yard", &[format!("scout={}", file.display()), "native:1".to_owned()], 7)
        .expect("good files");
    let studio = Studio::open(Options::new(setting, folder.clone())).expect("a port is free");
    let mut watcher = friend(studio.address());
    frame(&mut watcher, |frame| frame["tick"].as_u64() > Some(3));
    std::fs::write(&file, "name = \"scout\"\n[decyde]\n").expect("writable");
    frame(&mut watcher, |frame| {
        frame["at"]["stop"].as_str().is_some_and(|why| why.contains("has a mistake"))
    });
    std::fs::write(&file, text(5)).expect("writable");
    frame(&mut watcher, |frame| frame["at"]["stop"].as_str().is_some_and(|why| why.contains("plays now")));
    let is = ask(&mut watcher, &json!({"do": "text", "ask": 1, "who": 0}));
    assert_eq!(is["playing"], json!(text(5)));
    std::fs::remove_dir_all(folder).expect("ours");
}

const NAMES_ONE: &str = "name = \"scout\"\nabout = \"One.\"\n\n[decide]\nby = \"sequence\"\nfile = \"calm.toml\"\n\n[act]\nhands = \"native:3\"\n";

/// A scout whose behaviour is a file beside its own.
fn scout(name: &str) -> (Studio, PathBuf, String) {
    let folder = std::env::temp_dir().join(format!("studio-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("writable");
    let calm = repertoire_bayes::sequence::shipped::text("prudent").expect("shipped").to_owned();
    std::fs::write(folder.join("calm.toml"), &calm).expect("writable");
    std::fs::write(folder.join("scout.toml"), NAMES_ONE).expect("writable");
    let written = [format!("scout={}", folder.join("scout.toml").display()), "native:1".to_owned()];
    let setting = Setting::find("yard", &written, 7).expect("good files");
    (Studio::open(Options::new(setting, folder.clone())).expect("a port is free"), folder, calm)
}

#[test]
fn the_files_that_a_character_names_are_edited_saved_and_picked_up() {
    let (studio, folder, calm) = scout("named");
    let mut editor = friend(studio.address());
    let is = ask(&mut editor, &json!({"do": "text", "ask": 1, "who": 0}));
    assert_eq!(is["files"], json!([{ "name": "calm.toml", "kind": "behaviour", "edited": false }]));
    let part =
        |what: &str, text: &str| json!({"do": what, "ask": 1, "who": 0, "part": "calm.toml", "text": text});
    let is = ask(&mut editor, &json!({"do": "text", "ask": 1, "who": 0, "part": "calm.toml"}));
    assert_eq!(
        (&is["playing"], &is["schema"]["properties"]["tasks"]["type"]),
        (&json!(calm), &json!("array"))
    );
    // A mistake is told at its own line, and not at the line that names the file.
    let wrong = calm.replacen("health = [\"low\"", "healht = [\"low\"", 1);
    let line = 1 + wrong.lines().position(|line| line.contains("healht")).expect("there");
    let is = ask(&mut editor, &part("check", &wrong));
    assert!(is["good"] == false && is["mistake"]["line"].as_u64() >= Some(line as u64), "{is}");
    assert_eq!(ask(&mut editor, &part("apply", &wrong))["good"], false);
    // A right one plays at once, and is on the disk only when that was asked for.
    let other = calm.replacen("about = ", "about = \"Changed.\" # ", 1);
    assert_eq!(ask(&mut editor, &part("apply", &other))["good"], true);
    assert_eq!(
        ask(&mut editor, &json!({"do": "text", "ask": 1, "who": 0, "part": "calm.toml"}))["playing"],
        json!(other)
    );
    assert_eq!(std::fs::read_to_string(folder.join("calm.toml")).expect("there"), calm);
    let save = |file: &str| json!({"do": "save", "ask": 1, "who": 0, "part": "calm.toml", "file": file});
    let is = ask(&mut editor, &save("calmer.toml"));
    assert!(is["then"].as_str().is_some_and(|then| then.contains("calmer.toml")), "{is}");
    assert_eq!(std::fs::read_to_string(folder.join("calmer.toml")).expect("saved"), other);
    let own = folder.join("calm.toml").display().to_string();
    assert!(ask(&mut editor, &save(&own))["saved"].is_string());
    assert_eq!(std::fs::read_to_string(&own).expect("saved"), other);
    let is = ask(&mut editor, &json!({"do": "text", "ask": 1, "who": 0}));
    assert_eq!(is["files"][0]["edited"], false);
    // In another match, where it has another number, its files are watched too.
    let seats = ["native:1", "scout=scout.toml"];
    let another = json!({"do": "new", "map": "yard", "contenders": seats, "seed": 2, "join": null});
    editor.send(Message::text(another.to_string())).expect("it listens");
    frame(&mut editor, |frame| frame["characters"][1]["n"] == "scout" && frame["tick"].as_u64() > Some(8));
    std::fs::write(&own, calm.replacen("about = ", "about = \"Once more.\" # ", 1)).expect("writable");
    frame(&mut editor, |frame| {
        frame["at"]["stop"]
            .as_str()
            .is_some_and(|why| why.contains("scout: calm.toml changed on disk: it plays"))
    });
    let first = json!({"do": "new", "map": "yard", "contenders": ["scout=scout.toml", "native:1"], "seed": 7, "join": null});
    editor.send(Message::text(first.to_string())).expect("it listens");
    frame(&mut editor, |frame| frame["characters"][0]["n"] == "scout" && frame["tick"].as_u64() > Some(8));
    // Changed by another program.
    std::fs::write(&own, &calm).expect("writable");
    frame(&mut editor, |frame| {
        frame["at"]["stop"]
            .as_str()
            .is_some_and(|why| why.contains("scout: calm.toml changed on disk: it plays"))
    });
    assert_eq!(
        ask(&mut editor, &json!({"do": "text", "ask": 1, "who": 0, "part": "calm.toml"}))["playing"],
        json!(calm)
    );
    std::fs::remove_dir_all(folder).expect("ours");
}

#[test]
fn a_text_that_names_files_elsewhere_reads_nothing() {
    let (studio, folder, calm) = scout("elsewhere");
    let secret = folder.with_extension("secret.toml");
    std::fs::write(&secret, "root:x:0:0").expect("writable");
    let mut spy = friend(studio.address());
    let names = [
        secret.display().to_string(),
        format!("../{}", secret.file_name().expect("a name").to_string_lossy()),
    ];
    for name in names {
        for text in [
            NAMES_ONE.replace("calm.toml", &name),
            format!("{NAMES_ONE}\n[want]\nprofile = {name:?}\n"),
            format!("{NAMES_ONE}\n[plan]\ndomain = {name:?}\n"),
            format!("{NAMES_ONE}\n[imitate]\nteacher = {name:?}\n"),
        ] {
            for what in ["check", "apply"] {
                let is = ask(&mut spy, &json!({"do": what, "ask": 1, "who": 0, "text": text}));
                assert!(is["good"] == false && !is.to_string().contains("root:"), "{text}: {is}");
            }
        }
        let nested = format!("{calm}\n[tasks.rest]\nbehaviour = {name:?}\n");
        let is =
            ask(&mut spy, &json!({"do": "check", "ask": 1, "who": 0, "part": "calm.toml", "text": nested}));
        assert!(is["good"] == false && !is.to_string().contains("root:"), "{is}");
    }
    std::fs::remove_file(secret).expect("ours");
    std::fs::remove_dir_all(folder).expect("ours");
}

#[test]
fn a_kill_loses_nothing_that_was_reported_as_saved() {
    let text = |level: usize| {
        format!(
            "name = \"saved\"\nabout = \"{}\"\n\n[decide]\nby = \"machine\"\n\n[act]\nhands = \"native:{}\"\n",
            "long ".repeat(5000),
            level % 8
        )
    };
    for turn in 0..5u64 {
        let served = Served::open("kill");
        let (address, process) = (served.address, rustix::process::Pid::from_child(&served.process));
        let mut editor = friend(address);
        // Somebody plays, so that a recording is being written too.
        let _ = editor.send(Message::text(json!({"do": "join", "name": "ann"}).to_string()));
        let mut saved = Vec::new();
        let killed = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(700 + 130 * turn));
            rustix::process::kill_process(process, rustix::process::Signal::KILL).expect("it lives");
        });
        for number in 0.. {
            let apply = json!({"do": "apply", "ask": 1, "who": 0, "text": text(number)}).to_string();
            let save =
                json!({"do": "save", "ask": 2, "who": 0, "file": format!("{number}.toml")}).to_string();
            let said = [apply, save].into_iter().try_for_each(|one| editor.send(Message::text(one)));
            let mut is_saved = || loop {
                let Message::Text(text) = editor.read().ok()? else { continue };
                let answer: Value = serde_json::from_str(&text).ok()?;
                if answer["ask"] == 2 {
                    return answer["is"]["saved"].as_str().map(|_| ());
                }
            };
            if said.is_err() || is_saved().is_none() {
                break;
            }
            saved.push(number);
            // Not more than a client may say.
            std::thread::sleep(Duration::from_millis(15));
        }
        killed.join().expect("it was killed");
        assert!(!saved.is_empty(), "nothing was saved before the kill");
        for number in &saved {
            let there = std::fs::read_to_string(served.folder.join(format!("{number}.toml")))
                .expect("reported as saved");
            assert_eq!(there, text(*number), "{number}");
        }
        println!("turn {turn}: {} files were reported as saved, and are whole", saved.len());
    }
}

#[test]
fn a_recording_is_opened_and_looked_at_tick_by_tick() {
    let (level, bots) = (repertoire::maps::find("yard").expect("shipped").1, ["native:3", "native:1"]);
    let entries = bots.map(|one| repertoire::roster::find(one).expect("shipped"));
    let mut timeline = repertoire_eval::timeline::Timeline::new(
        level,
        repertoire_worlds::arena::rules::Rules::default(),
        entries.to_vec(),
        7,
    );
    let header = repertoire_eval::record::header(timeline.game(), "yard", 7).expect("a header");
    let mut recorder = repertoire_trace::Recorder::new(Vec::new(), header).expect("a recorder");
    for _ in 0..80 {
        timeline.decide(&[]);
        recorder.push(timeline.advance_recorded()).expect("it is written");
    }
    let file = recorder.finish().expect("a file");
    let folder = std::env::temp_dir().join(format!("studio-recorded-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("writable");
    let setting = Setting::recorded(file).expect("a recording");
    let studio = Studio::open(Options::new(setting, folder.clone())).expect("a port is free");
    let mut watcher = friend(studio.address());
    // It is opened at its end, and every tick of it can be seen.
    frame(&mut watcher, |frame| frame["at"]["end"].as_u64() >= Some(80));
    for tick in [3, 40, 79] {
        watcher.send(Message::text(json!({"do": "seek", "tick": tick}).to_string())).expect("it listens");
        let seen = frame(&mut watcher, |frame| frame["tick"] == json!(tick));
        let at = timeline.at(tick).expect("it has a past").world().look(0).position;
        let shown: Vec<f64> = seen["characters"][0]["p"]
            .as_array()
            .expect("a place")
            .iter()
            .filter_map(Value::as_f64)
            .collect();
        assert!(
            (shown[0] - at.x).abs() < 0.01 && (shown[1] - at.y).abs() < 0.01,
            "tick {tick}: {shown:?} and {at}"
        );
    }
    std::fs::remove_dir_all(folder).expect("ours");
}

/// A minute of a thousand clients. Run it by hand, in release: `cargo test --release -p repertoire-studio --test hostile -- --ignored`.
#[test]
#[ignore = "a measurement of a minute, for a quiet machine"]
fn a_thousand_clients_make_no_tick_late() {
    let served = Served::open("load");
    let address = served.address;
    let clients: Vec<_> = (0..1000).map(|_| friend(address)).collect();
    let mut control: Vec<f64> = Vec::new();
    let frames: u64 = std::thread::scope(|scope| {
        // What the machine does to a thread that only sleeps: on a busy one every tick is late, whoever watches.
        let asleep = scope.spawn(|| {
            let start = Instant::now();
            (1..600u32)
                .map(|tick| {
                    let due = Duration::from_millis(100) * tick;
                    std::thread::sleep(due.saturating_sub(start.elapsed()));
                    start.elapsed().saturating_sub(due).as_secs_f64() * 1e3
                })
                .collect::<Vec<f64>>()
        });
        let readers: Vec<_> = clients
            .into_iter()
            .map(|mut socket| {
                std::thread::Builder::new()
                    .stack_size(128 * 1024)
                    .spawn_scoped(scope, move || {
                        let (start, mut frames) = (Instant::now(), 0u64);
                        while start.elapsed() < Duration::from_secs(60) {
                            frames += u64::from(matches!(socket.read(), Ok(Message::Text(_))));
                        }
                        frames
                    })
                    .expect("a thread")
            })
            .collect();
        let frames = readers.into_iter().map(|reader| reader.join().expect("it reads")).sum();
        control = asleep.join().expect("it sleeps");
        frames
    });
    let figures = ask(&mut friend(address), &json!({"do": "figures", "ask": 1}));
    control.sort_by(f64::total_cmp);
    let asleep = control[control.len() * 99 / 100];
    println!(
        "{frames} frames read by 1000 clients; {figures}; a thread that only sleeps: p99 {asleep:.1} ms late"
    );
    assert!(frames > 400_000, "{frames} frames");
    assert!(figures["lateMs"]["p99"].as_f64().is_some_and(|late| late <= 5.0 + asleep), "{figures}");
}
