//! The page of clips for judges, in a real browser.

use std::io::Cursor;
use std::sync::Arc;

use repertoire_draw::judge::{Scene, page};
use repertoire_eval::judge::clips::{Answer, Packing};
use repertoire_eval::record;
use repertoire_mind::fighter::Fighter;
use repertoire_trace::{Format, Recorder, Source, movement};
use repertoire_worlds::arena::game::{Contender, Match};
use repertoire_worlds::arena::level::Level;
use repertoire_worlds::arena::map::{file, shipped::shipped};
use repertoire_worlds::arena::rules::Rules;

use crate::devtools::Page;
use crate::{browser, picture};

#[test]
fn clips_of_recorded_play_are_watched_and_judged() {
    let Some(program) = browser() else { return };
    let map = file::read(shipped("halls").expect("shipped")).expect("a map").map;
    let scene = Scene::of_map(&map);
    let level = Arc::new(Level::new(map).expect("playable"));
    let bots = [1, 5]
        .map(|skill| Contender { name: format!("native:{skill}"), mind: Box::new(Fighter::native(skill)) });
    let mut game = Match::new(level, Rules::default(), bots.into(), 3);
    let header = record::header(&game, "halls", 3).expect("plain rules");
    let mut recorder = Recorder::new(Vec::new(), header).expect("a recording");
    for _ in 0..1200 {
        recorder.push(record::tick(&mut game, false)).expect("a tick");
    }
    let bytes = recorder.finish().expect("a recording");
    let mut source = Source::open(Cursor::new(bytes), Format::Parquet).expect("its own");
    let recorded = movement::of_recording(&mut source, "match").expect("its own");
    let pack = Packing { each: 2, seconds: 5.0, people: &[], seed: 1 }.pack(&recorded).expect("they live");
    let written = page(&pack, &[Some(scene)]);
    assert!(!written.contains("native"), "nothing tells who is who");
    let path = std::env::temp_dir().join(format!("clips-{}.html", std::process::id()));
    std::fs::write(&path, written).expect("writable");

    let mut page = Page::open(&program, &format!("file://{}", path.display()), 1280, 900);
    page.wait(30, "typeof secs === 'number' && secs > 1.5");
    // Something is drawn in both views: more than a ground and a sky, more than an empty sheet.
    let tones = page.eval(
        "(() => { const c = document.createElement('canvas'); c.width = 64; c.height = 40; const d = c.getContext('2d');
         const count = (of) => { d.clearRect(0, 0, 64, 40); d.drawImage(of, 0, 0, 64, 40);
           const all = d.getImageData(0, 0, 64, 40).data, seen = new Set();
           for (let k = 0; k < all.length; k += 4) seen.add(all[k] * 65536 + all[k + 1] * 256 + all[k + 2]); return seen.size; };
         return [count(document.getElementById('eyes')), count(document.getElementById('above'))]; })()",
    );
    let tones: Vec<u64> = serde_json::from_value(tones).expect("two numbers");
    assert!(tones.iter().all(|tones| *tones > 8), "{tones:?} tones");
    page.shot(&picture("clips.png"));

    let clips = pack.clips.len();
    for number in 0..clips {
        let verdict = if number % 2 == 0 { "surely-program" } else { "rather-person" };
        page.click(&format!("input[value={verdict}]"));
        page.click("#next");
    }
    page.eval("document.getElementById('judge').value = 'a judge'");
    let lines = page.eval("lines()");
    let answers: Vec<Answer> = lines
        .as_str()
        .expect("text")
        .lines()
        .map(|line| serde_json::from_str(line).expect("an answer"))
        .collect();
    let judged = pack.key.judgements(&answers).expect("about these clips");
    assert_eq!(judged.len(), clips);
    assert_eq!(judged.iter().filter(|one| one.verdict.is_person()).count(), clips / 2);
    let _ = std::fs::remove_file(path);
}
