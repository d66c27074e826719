//! A page of clips for judges: recorded play in first person and from above, with the questionnaire.
//!
//! The page needs nothing but itself, says nothing of who is who, and keeps answers in the browser until the judge saves them as a
//! file of lines of JSON ([`repertoire_eval::judge::clips::Answer`]).

mod scene;

use repertoire_eval::judge::clips::{Clip, FRAME_SECS, Pack};
use serde_json::{Value, json};

pub use scene::Scene;

use crate::html::Page;

/// The page. `scenes` are the maps of the pack in its order, where they are known.
pub fn page(pack: &Pack, scenes: &[Option<Scene>]) -> String {
    let scenes: Vec<Value> =
        scenes.iter().map(|scene| scene.as_ref().map_or(Value::Null, Scene::json)).collect();
    let data = json!({
        "pack": pack.key.pack,
        "frameSecs": FRAME_SECS,
        "scenes": scenes,
        "clips": pack.clips.iter().map(clip).collect::<Vec<_>>(),
    });
    let body = include_str!("body.html").to_owned();
    let script = format!("const DATA = {data};\n{}", include_str!("page.js"));
    Page { title: "A person, or a program?".to_owned(), style: include_str!("style.css"), body, script }
        .finish()
}

/// Centimetres and tenths of a degree: small numbers make a small page.
fn clip(clip: &Clip) -> Value {
    let cm = |m: f64| (100.0 * m).round() as i64;
    let frames = clip.frames.iter().map(|frame| {
        let bodies = frame.iter().map(|body| match body {
            None => Value::Null,
            Some(body) => {
                json!([cm(body.at[0]), cm(body.at[1]), cm(body.at[2]), (10.0 * body.yaw_deg).round() as i64])
            }
        });
        bodies.collect::<Value>()
    });
    json!({ "number": clip.number, "scene": clip.map, "frames": frames.collect::<Vec<_>>() })
}
