//! The studio in a real browser: Debian's chromium, headless, driven over the DevTools protocol. Passed over, with a line that says so,
//! where there is none.
//!
//! Pictures are kept in `target/studio`; `REPERTOIRE_WRITE_PICTURES=1` writes those of the guide anew.
#![allow(clippy::disallowed_methods, reason = "a browser is waited for by the clock")]

mod clips;
mod devtools;

use std::path::{Path, PathBuf};

use devtools::{Page, chromium};
use repertoire_studio::stage::cast::Setting;
use repertoire_studio::{Options, Studio};
use serde_json::json;

/// A studio with a folder of its own.
fn studio(name: &str, map: &str, contenders: &[&str]) -> (Studio, PathBuf) {
    let folder = std::env::temp_dir().join(format!("studio-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("writable");
    let contenders: Vec<String> = contenders.iter().map(|one| (*one).to_owned()).collect();
    let setting = Setting::find(map, &contenders, 7).expect("they ship");
    (Studio::open(Options::new(setting, folder.clone())).expect("a port is free"), folder)
}

fn browser() -> Option<PathBuf> {
    let found = chromium();
    if found.is_none() {
        eprintln!("SKIPPED: there is no chromium here; `cargo xtask setup` installs it");
    }
    found
}

/// Pictures that documents show.
const SHOWN: [&str; 4] = ["decision.png", "what-if.png", "play.png", "edit.png"];

/// Where a picture goes.
fn picture(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    match std::env::var_os("REPERTOIRE_WRITE_PICTURES") {
        Some(_) if SHOWN.contains(&name) => root.join(format!("docs/pictures/studio-{name}")),
        _ => root.join("target/studio").join(name),
    }
}

const READY: &str = "studio.frame && studio.hello && studio.frame.tick > 3";

#[test]
fn a_decision_is_watched_asked_about_and_taken_back() {
    let Some(program) = browser() else { return };
    let (studio, _folder) = studio("watch", "halls", &["hunter", "stalker", "survivor", "native:3"]);
    let mut page = Page::open(&program, &studio.url(), 1280, 720);
    page.wait(30, READY);
    page.shot(&picture("first.png"));
    page.eval("studio.link.say({do: 'speed', times: 8})");
    page.wait(60, "studio.frame.tick > 400");
    page.eval("studio.link.say({do: 'speed', times: 1})");
    page.click("#people tr[data-who='0']");
    page.wait(10, "studio.mind && studio.mind.who === 0");

    // Back to a moment at which the hunter lives.
    page.eval("studio.link.say({do: 'seek', tick: 350})");
    page.wait(10, "studio.frame.tick === 350 && !studio.frame.at.live && studio.frame.at.paused");
    for tick in 350..420 {
        page.eval(&format!("studio.link.say({{do: 'seek', tick: {tick}}})"));
        page.wait(10, &format!("studio.frame.tick === {tick} && studio.mind?.tick === {tick}"));
        if page.eval("studio.mind.alive && studio.mind.belief.length > 0") == json!(true) {
            break;
        }
    }
    let tick = page.eval("studio.frame.tick").as_u64().expect("a tick");
    page.wait(5, "document.querySelectorAll('.nats tbody tr').length > 4");
    let table = page.eval("JSON.stringify(studio.mind.report)");
    page.shot(&picture("decision.png"));

    // A step on and a step back show the same table: replayed to the bit.
    page.press("Period", ".");
    page.wait(10, &format!("studio.frame.tick === {}", tick + 1));
    page.press("Comma", ",");
    page.wait(10, &format!("studio.frame.tick === {tick} && studio.mind.tick === {tick}"));
    assert_eq!(page.eval("JSON.stringify(studio.mind.report)"), table);

    // Stage by stage inside the tick.
    page.press("BracketLeft", "[");
    page.wait(5, "document.querySelectorAll('.nats tr.later').length === 1");
    page.press("BracketRight", "]");
    page.wait(5, "document.querySelectorAll('.nats tr.later').length === 0");

    // Why not another task, what if, how often.
    let other = page.eval("studio.mind.report.tasks.find((task) => task !== studio.mind.report.task)");
    page.click("#tab-ask");
    page.eval(&format!("document.querySelector('#side select').value = {other}"));
    page.click("#side .panel:nth-child(2) button.main");
    page.wait(60, "/instead of|No single reading/.test(document.getElementById('side').textContent)");
    page.click("#what-if-health");
    page.wait(60, "studio.futures && studio.futures.was.ticks.length === 50");
    assert_eq!(
        page.eval("studio.futures.was.ticks[0][0].at + '' === studio.futures.would.ticks[0][0].at + ''"),
        json!(true)
    );
    assert_eq!(page.eval("studio.futures.would.ticks[0][0].health"), json!(25));
    page.shot(&picture("what-if.png"));
    page.eval("document.querySelector('#side .panel:nth-child(4) select').value = '100'");
    page.click("#how-often");
    page.wait(120, "/100 continuations/.test(document.getElementById('side').textContent)");
    page.shot(&picture("how-often.png"));

    // A link to the moment, in another page load.
    page.click("#link");
    page.wait(5, &format!("location.hash === '#t={tick}&follow=hunter'"));
    page.call("Page.reload", json!({}));
    page.wait(30, &format!("{READY} && studio.follow === 0 && studio.frame.tick === {tick}"));

    // Dark, first person, wide.
    page.click("#theme");
    page.press("KeyV", "v");
    page.wait(5, "studio.view === 'first'");
    page.size(1920, 1080);
    page.wait(5, "document.getElementById('first').width > 1000");
    page.shot(&picture("dark.png"));

    // Goes on from here; a breakpoint stops it.
    page.click("#go-on");
    page.wait(10, &format!("studio.frame.at.live && studio.frame.at.end < {}", tick + 60));
    page.eval("studio.link.say({do: 'break', stops: [{when: 'dies', who: null}]}); studio.link.say({do: 'speed', times: 8})");
    page.wait(120, "studio.frame.at.paused && /dies/.test(studio.frame.at.stop)");
}

#[test]
fn a_person_plays_scores_and_teaches_a_pupil_that_joins() {
    let Some(program) = browser() else { return };
    let (studio, folder) = studio("play", "yard", &["native:0", "native:0", "native:0"]);
    let mut page = Page::open(&program, &studio.url(), 1280, 720);
    page.wait(30, READY);
    // This person drags instead of handing over the mouse: the pages need it for their buttons afterwards, and whether a headless
    // browser hands it over differs from version to version.
    page.eval(
        "HTMLElement.prototype.requestPointerLock = () => Promise.reject(new Error('the mouse stays'))",
    );
    page.click("#tab-play");
    page.click("#join");
    page.wait(
        10,
        "studio.seat !== null && studio.view === 'first' && studio.frame.characters[studio.seat].a",
    );
    page.click("#teach");
    page.wait(10, "studio.frame.at.lesson");
    // Playing: the mouse is moved towards the opponent, keys run, the button fires. The person says what they do for a while.
    page.key(true, "Digit1", "1");
    page.wait(10, "studio.frame.at.lesson.label === 'attack'");
    let start = std::time::Instant::now();
    let (mut x, mut y) = (300.0, 300.0);
    page.mouse("mousePressed", x, y, true);
    page.key(true, "KeyW", "w");
    let mut pictured = false;
    while start.elapsed().as_secs() < 150 {
        // Who is in view is aimed at; else straight on, and another way where a wall is.
        let aim = page.eval(
            "(() => { const me = studio.frame.characters[studio.seat];
               if (!me.a) return null;
               const [yaw, pitch] = studio.looks;
               const far = (who) => Math.hypot(...studio.frame.characters[who].p.map((v, k) => v - me.p[k]));
               const near = studio.frame.characters.map((_, who) => who).filter((who) => who !== studio.seat && studio.frame.characters[who].a).sort((a, b) => far(a) - far(b));
               const seen = near.find((who) => studio.mind?.sees?.includes(who));
               if (seen === undefined && Math.hypot(...me.v) < 3) return [1.3, -pitch, 99, me.f];
               const it = studio.frame.characters[seen ?? near[0]] ?? me;
               const [dx, dy, dz] = it.p.map((v, k) => v + 0.12 * it.v[k] - me.p[k]);
               const turn = Math.atan2(Math.sin(Math.atan2(dy, dx) - yaw), Math.cos(Math.atan2(dy, dx) - yaw));
               return seen === undefined ? [0.1 * turn, -pitch, 99, me.f] : [turn, Math.atan2(dz - 0.6, Math.hypot(dx, dy)) - pitch, far(seen), me.f]; })()",
        );
        if let Some(aim) = aim.as_array() {
            let number = |at: usize| aim[at].as_f64().unwrap_or(0.0);
            // 0.0024 radians a pixel.
            let (dx, dy) =
                ((-number(0) / 0.0024).clamp(-220.0, 220.0), (-number(1) / 0.0024).clamp(-60.0, 60.0));
            if x + dx < 5.0 || x + dx > 560.0 || y + dy < 60.0 || y + dy > 400.0 {
                page.mouse("mouseReleased", x, y, false);
                (x, y) = (280.0, 250.0);
                page.mouse("mouseMoved", x, y, false);
                page.mouse("mousePressed", x, y, true);
            }
            (x, y) = ((x + dx).clamp(5.0, 560.0), (y + dy).clamp(60.0, 400.0));
            page.mouse("mouseMoved", x, y, true);
            if (4.0..12.0).contains(&number(2)) && !pictured && number(0).abs() < 0.2 {
                page.shot(&picture("play.png"));
                pictured = true;
            }
            if start.elapsed().as_secs() > 15 {
                page.key(false, "Digit1", "1");
            }
            if number(3) >= 1.0 && start.elapsed().as_secs() > 60 {
                break;
            }
        }
        std::thread::sleep(std::time::Duration::from_millis(60));
    }
    page.key(false, "KeyW", "w");
    page.mouse("mouseReleased", x, y, false);
    assert!(
        page.eval("studio.frame.characters[studio.seat].f").as_i64() >= Some(1),
        "a minute of play and no frag"
    );
    assert!(page.eval("studio.frame.at.lesson.ticks").as_i64() > Some(300), "the pupil saw too little");
    assert!(page.eval("studio.frame.at.lesson.told").as_i64() > Some(50), "the labels were not heard");
    page.press("KeyP", "p");
    page.wait(
        20,
        "studio.frame.at.lesson.pupil !== null && studio.frame.characters[studio.frame.at.lesson.pupil].a",
    );
    page.wait(20, "studio.frame.characters[studio.frame.at.lesson.pupil].s > 0 || studio.frame.characters[studio.frame.at.lesson.pupil].t !== ''");
    page.shot(&picture("teach.png"));
    // Teach at a past moment, see what changes, take it back; and ask where a task was learned from.
    page.eval("studio.link.say({do: 'seek', tick: studio.frame.at.end - 200})");
    page.wait(10, "!studio.frame.at.live");
    page.eval("document.getElementById('should').value = 'flee'");
    page.click("#correct");
    page.wait(20, "/decisions change/.test(document.getElementById('side').textContent)");
    page.shot(&picture("past.png"));
    page.eval("document.getElementById('should').value = 'attack'");
    page.click("#whence");
    page.wait(20, "/comes from [0-9.]+ s of your play/.test(document.getElementById('side').textContent)");
    // And where a single number of its tables comes from.
    page.eval("document.getElementById('which').value = JSON.stringify({reads: ['health', 'high']})");
    page.click("#whence");
    page.wait(
        20,
        "/P\\(health is high \\| attack\\) = [0-9.]+, which comes from/.test(document.getElementById('side').textContent)",
    );
    page.shot(&picture("whence.png"));
    page.eval("studio.link.say({do: 'resume'})");
    page.wait(10, "studio.frame.at.live && !studio.frame.at.paused");
    // The other kind, learned by imitation, after the first stretch.
    page.eval("document.querySelector('#side select').value = 'imitation'");
    page.wait(30, "studio.frame.at.lesson.ready.imitation");
    page.eval("studio.link.say({do: 'pupil', kind: 'imitation'})");
    page.wait(20, "studio.frame.characters.some((one) => one.n === 'pupil (imitation)' && one.a)");
    // A browser that reloads keeps its seat.
    let seat = page.eval("studio.seat");
    page.call("Page.reload", json!({}));
    page.wait(30, &format!("{READY} && studio.seat === {seat}"));
    page.eval("studio.link.say({do: 'leave'})");
    page.wait(10, &format!("studio.frame.characters[{seat}].out"));
    // What was played is recorded, and can be read.
    let recorded: Vec<_> = std::fs::read_dir(&folder)
        .expect("ours")
        .flatten()
        .filter(|file| file.path().extension().is_some_and(|e| e == "parquet"))
        .collect();
    assert!(!recorded.is_empty());
    for file in &recorded {
        let file = std::fs::File::open(file.path()).expect("readable");
        let recording = repertoire_trace::Recording::open(file).expect("a recording");
        assert!(recording.row_count() > 0 && recording.cut().is_none());
    }
}

/// How smooth and how prompt it is, here: by software, on whatever else this machine does. Printed; asserted is only what must hold even so.
#[test]
fn a_key_is_on_the_screen_within_a_few_frames() {
    let Some(program) = browser() else { return };
    let (studio, _folder) = studio("prompt", "yard", &["native:1"]);
    let mut page = Page::open(&program, &studio.url(), 640, 360);
    page.wait(30, READY);
    page.click("#tab-play");
    page.click("#join");
    page.wait(10, "studio.seat !== null && studio.view === 'first' && studio.drawn");
    // The mouse is taken where the browser allows it, and there is sound from then on.
    page.click("#first");
    page.wait(5, "studio.hasSound()");
    let has_mouse = page.eval("document.pointerLockElement === document.getElementById('first')");
    let frames = |page: &mut Page| {
        let before = page.eval("studio.drawn.frames").as_f64().expect("a number");
        std::thread::sleep(std::time::Duration::from_secs(3));
        (page.eval("studio.drawn.frames").as_f64().expect("a number") - before) / 3.0
    };
    let a_second = frames(&mut page);
    // From the moment of the key to the end of the first frame in which the own body is elsewhere.
    page.eval(
        "(() => { studio.prompt = []; let from = null;
           addEventListener('keydown', (event) => { if (!event.repeat && /Key[WS]/.test(event.code)) from = [event.timeStamp, studio.drawn.p]; }, true);
           studio.drawn.tell = (p, now) => { if (from && Math.hypot(p[0] - from[1][0], p[1] - from[1][1]) > 0.005) { studio.prompt.push(now - from[0]); from = null; } }; })()",
    );
    for turn in 0..20 {
        let (code, key) = if turn % 2 == 0 { ("KeyW", "w") } else { ("KeyS", "s") };
        page.key(true, code, key);
        std::thread::sleep(std::time::Duration::from_millis(250));
        page.key(false, code, key);
        std::thread::sleep(std::time::Duration::from_millis(350));
    }
    let mut took: Vec<f64> = page
        .eval("studio.prompt")
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(serde_json::Value::as_f64)
        .collect();
    took.sort_by(f64::total_cmp);
    assert!(took.len() >= 10, "{took:?}");
    let (median, most) = (took[took.len() / 2], took[took.len() - 1]);
    println!(
        "{a_second:.0} frames a second at 640 x 360 by software; from key to screen {median:.0} ms, at most {most:.0} ms of {}; mouse taken: {has_mouse}",
        took.len()
    );
    // A step of prediction, and three frames.
    assert!(median <= 33.4 + 3.0 * 1000.0 / a_second.max(1.0), "{median} ms at {a_second} frames a second");
}

/// A map of Quake is no part of this repository: `REPERTOIRE_QUAKE_MAP` names one.
#[test]
fn a_map_of_quake_is_seen_from_above_and_through_somebodys_eyes() {
    let Some(program) = browser() else { return };
    let Ok(map) = std::env::var("REPERTOIRE_QUAKE_MAP") else {
        eprintln!("SKIPPED: REPERTOIRE_QUAKE_MAP names no map of Quake");
        return;
    };
    let (studio, _folder) = studio("quake", &map, &["native:3", "native:3", "hunter"]);
    let mut page = Page::open(&program, &studio.url(), 1280, 720);
    page.wait(60, READY);
    assert!(page.eval("studio.hello.map.stage.faces.length").as_i64() > Some(100));
    page.click("#people tr[data-who='0']");
    page.wait(10, "studio.mind && studio.mind.who === 0");
    page.shot(&picture("quake-above.png"));
    page.press("KeyV", "v");
    page.wait(10, "studio.view === 'first'");
    std::thread::sleep(std::time::Duration::from_secs(2));
    page.shot(&picture("quake-first.png"));
    page.click("#tab-play");
    page.click("#join");
    page.wait(20, "studio.seat !== null && studio.frame.characters[studio.seat].a");
    let before = page.eval("studio.frame.characters[studio.seat].p");
    page.key(true, "KeyW", "w");
    page.wait(
        20,
        &format!("Math.hypot(...studio.frame.characters[studio.seat].p.map((v, k) => v - {before}[k])) > 1"),
    );
    page.key(false, "KeyW", "w");
    page.shot(&picture("quake-play.png"));
}

#[test]
fn an_edit_with_a_mistake_is_corrected_and_the_running_character_obeys() {
    let Some(program) = browser() else { return };
    let (studio, folder) = studio("edit", "yard", &["prudent", "native:3"]);
    let mut page = Page::open(&program, &studio.url(), 1280, 720);
    page.wait(30, READY);
    page.press("Digit0", "0");
    page.wait(10, "studio.mind?.who === 0");
    page.click("#tab-edit");
    page.wait(10, "document.querySelector('.editor textarea').value.length > 100");
    let set = |text: &str| {
        format!(
            "(() => {{ const t = document.querySelector('.editor textarea'); t.value = {text}; t.dispatchEvent(new Event('input')); }})()"
        )
    };
    let good =
        page.eval("document.querySelector('.editor textarea').value").as_str().expect("text").to_owned();
    // A word that is no key: marked at its line, with the remedy, and not applied.
    page.eval(&set(&format!("{:?}", format!("{good}\n[decyde]\nby = \"machine\"\n"))));
    page.wait(10, "document.querySelector('.editor b') && document.getElementById('apply').disabled");
    page.shot(&picture("mistake.png"));
    // Corrected to another decider: the running character obeys at once.
    let machine = "name = \"prudent\"\nabout = \"Decides as native bots do.\"\n\n[decide]\nby = \"machine\"\n\n[act]\nhands = \"native:3\"\n";
    page.eval(&set(&format!("{machine:?}")));
    page.wait(10, "!document.getElementById('apply').disabled && !document.querySelector('.editor b')");
    // Back in time, the other text gives another future.
    page.eval("studio.link.say({do: 'seek', tick: 5})");
    page.wait(10, "studio.frame.tick === 5 && studio.mind?.tick === 5");
    page.click("#futures");
    page.wait(60, "studio.futures && studio.futures.decides_otherwise[0] === 5 && studio.futures.was.hash !== studio.futures.would.hash");
    page.shot(&picture("table.png"));
    page.eval("studio.link.say({do: 'resume'})");
    page.wait(10, "studio.frame.at.live && !studio.frame.at.paused");
    page.click("#tab-edit");
    let before = page.eval("[studio.frame.at.end, studio.frame.characters[0].f]");
    page.click("#apply");
    page.wait(10, "/plays now/.test(document.getElementById('side').textContent)");
    page.wait(
        10,
        "!studio.frame.at.paused && studio.mind?.alive && studio.mind.report?.table[0]?.[0] === 'machine'",
    );
    assert!(page.eval("studio.frame.at.end").as_i64() >= before[0].as_i64(), "the match goes on");
    page.shot(&picture("edit.png"));
    assert_eq!(std::fs::read_dir(&folder).expect("ours").count(), 0, "nothing is written without a request");
    page.click("#save");
    page.wait(10, "/Saved to/.test(document.getElementById('side').textContent)");
    assert_eq!(std::fs::read_to_string(folder.join("prudent.toml")).expect("saved"), machine);
    // Outside of the folder nothing is written.
    let refused =
        page.eval("studio.link.ask({do: 'save', who: 0, file: '../outside.toml'}).then((is) => is.error)");
    assert!(refused.as_str().is_some_and(|why| why.contains("outside")), "{refused}");
}

#[test]
fn a_judge_plays_against_false_names_and_answers_a_questionnaire() {
    let Some(program) = browser() else { return };
    let (studio, folder) = studio("judge", "yard", &["hunter"]);
    let mut page = Page::open(&program, &studio.url(), 1280, 720);
    page.wait(30, READY);
    page.click("#tab-judge");
    page.eval("document.getElementById('judge-minutes').value = 0.1");
    page.click("#judge-begin");
    page.wait(20, "studio.frame.at.jury && studio.frame.characters.length === 4");
    // Nothing tells who is who.
    let names = page
        .eval("JSON.stringify([studio.hello.cast, studio.frame.characters.map((one) => [one.n, one.t])])");
    for told in ["hunter", "imitator", "native", "attack", "pick-up"] {
        assert!(!names.as_str().expect("text").contains(told), "{told} in {names}");
    }
    page.wait(40, "studio.frame.at.jury.over && document.getElementById('judge-send')");
    page.eval("for (const s of document.querySelectorAll('[data-opponent]')) s.value = 'rather-person'");
    page.shot(&picture("judge.png"));
    page.click("#judge-send");
    page.wait(10, "/Saved to/.test(document.getElementById('side').textContent)");
    let text = std::fs::read_to_string(folder.join("judgements.jsonl")).expect("written");
    let mut opponents: Vec<String> = text
        .lines()
        .map(|line| {
            serde_json::from_str::<serde_json::Value>(line).expect("JSON")["opponent"]
                .as_str()
                .expect("a name")
                .to_owned()
        })
        .collect();
    opponents.sort();
    assert_eq!(opponents, ["hunter", "imitator", "native:3"]);
}
