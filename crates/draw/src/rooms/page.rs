//! A run as one page of HTML to play back: the world, what each character knows, its reasoning, the curves.
//!
//! The page needs nothing but itself.

use serde_json::{Value, json};

use super::film::Film;
use super::picture;
use crate::html::Page;
use crate::svg::{SERIES, escape, inline, line};

/// The page.
pub fn page(film: &Film) -> String {
    let grid = &film.scenario.grid;
    let walls: String =
        (0..grid.len() as u32).map(|place| if grid.is_wall(place) { '#' } else { '.' }).collect();
    // Texts and maps repeat from step to step: each is kept once.
    let mut texts: Vec<String> = Vec::new();
    let mut number = |text: &str| match texts.iter().rposition(|known| known == text) {
        Some(at) => at,
        None => {
            texts.push(text.to_owned());
            texts.len() - 1
        }
    };
    let mut roles: Vec<Value> = Vec::new();
    for role in &film.roles {
        let shots: Vec<Value> = role
            .shots
            .iter()
            .map(|shot| {
                let beliefs: Vec<Value> =
                    shot.beliefs.iter().map(|(sign, at, name)| json!([sign, at[0], at[1], name])).collect();
                let own: Vec<String> = shot.own.iter().map(|(name, value)| format!("{name} {value}")).collect();
                json!({ "a": shot.at, "w": number(&shot.action), "y": number(&shot.why), "k": number(&shot.known),
                    "t": number(&shot.trees), "b": beliefs, "c": shot.carries, "o": number(&own.join(", ")) })
            })
            .collect();
        roles.push(json!({ "name": role.name, "profile": role.profile, "shots": shots }));
    }
    let things: Vec<Value> = film
        .things
        .iter()
        .map(|things| things.iter().map(|(sign, at, name)| json!([sign, at[0], at[1], name])).collect())
        .collect();
    let data = json!({ "width": grid.width(), "height": grid.height(), "walls": walls, "roles": roles,
        "things": things, "texts": texts, "inner": picture::CHART_INNER, "series": SERIES.map(|(light, _)| light) });
    let [_, top, _, bottom] = picture::CHART_INNER;
    let charts: String = film
        .roles
        .iter()
        .map(|role| {
            let now = line((0.0, top), (0.0, bottom)).class("now").class("frame").set("stroke-width", 1.5);
            let name = format!("what everything was worth to {}", role.name);
            let chart = inline(0.0, 0.0, picture::CHART_WIDTH, picture::CHART_HEIGHT, &name)
                .class("chart")
                .size(12.0);
            format!("<figure>{}</figure>\n", chart.with(picture::chart(role)).with(now))
        })
        .collect();
    let body = format!(
        "<p>{}</p>\n<div class=\"bar\"><button id=\"play\">play</button><input id=\"at\" type=\"range\" min=\"0\" \
         value=\"0\" aria-label=\"step\"><span id=\"step\"></span><label>as <select id=\"who\"></select></label></div>\n\
         <div class=\"two\"><figure><svg id=\"world\"></svg><figcaption>the world</figcaption></figure><figure><svg \
         id=\"memory\"></svg><figcaption>what it knows and believes</figcaption></figure></div>\n<p id=\"said\"></p>\n\
         <pre id=\"tree\"></pre>\n{charts}",
        escape(&film.scenario.about)
    );
    let script = format!("const film = {data};\n{SCRIPT}");
    Page { title: film.scenario.name.clone(), style: STYLE, body, script }.finish()
}

const STYLE: &str = "\
.bar { display: flex; gap: 1rem; align-items: center; margin: 1rem 0 } .bar input { flex: 1 }
.two { display: flex; flex-wrap: wrap; gap: 1rem } .two figure { flex: 1; min-width: 300px }
pre { overflow: auto; max-height: 22rem; white-space: pre } #said { min-height: 3.2em } figure { margin-bottom: 1rem }
";

const SCRIPT: &str = "
const $ = id => document.getElementById(id), C = 18, colours = film.series;
const last = film.things.length - 2, esc = s => s.replace(/[&<>]/g, c => ({'&':'&amp;','<':'&lt;','>':'&gt;'}[c]));
film.roles.forEach((r, i) => $('who').add(new Option(r.name + ' (' + r.profile + ')', i)));
$('at').max = last;
function cells(letter) { let s = ''; for (let p = 0; p < film.walls.length; p++) { const f = letter(p); if (f)
  s += `<rect x='${p % film.width * C}' y='${Math.floor(p / film.width) * C}' width='${C}' height='${C}' fill='${f}'/>`; } return s; }
const sign = ([c, x, y, n]) => `<text x='${(x + .5) * C}' y='${(y + .5) * C + 4}' text-anchor='middle' font-size='13' font-weight='600' fill='#1d1915'>${esc(c)}<title>${esc(n)}</title></text>`;
const dot = (x, y, k) => `<circle cx='${(x + .5) * C}' cy='${(y + .5) * C}' r='7' fill='${k}' fill-opacity='.85'/>`;
function show(t) {
  const who = +$('who').value, shot = film.roles[who].shots[t], box = `0 0 ${film.width * C} ${film.height * C}`;
  $('world').setAttribute('viewBox', box); $('memory').setAttribute('viewBox', box);
  let s = `<rect width='100%' height='100%' fill='#f4f1ea'/>` + cells(p => film.walls[p] === '#' ? '#4a4a4a' : '');
  film.roles.forEach((r, i) => { s += `<polyline fill='none' stroke='${colours[i % 8]}' stroke-dasharray='3 3' points='${r.shots.slice(0, t + 1).map(h => (h.a[0] + .5) * C + ',' + (h.a[1] + .5) * C).join(' ')}'/>`; });
  s += film.things[t + 1].map(sign).join('');
  film.roles.forEach((r, i) => { const h = r.shots[t]; if (h && film.texts[h.w] !== 'gone') s += dot(h.a[0], h.a[1], colours[i % 8]); });
  $('world').innerHTML = s;
  const known = film.texts[shot.k];
  $('memory').innerHTML = `<rect width='100%' height='100%' fill='#f4f1ea'/>` + cells(p => known[p] === '#' ? '#4a4a4a' : known[p] === ' ' ? '#1c1c1c' : '') + shot.b.map(sign).join('') + dot(shot.a[0], shot.a[1], colours[who % 8]);
  $('step').textContent = 'step ' + t;
  $('said').innerHTML = `<b>${esc(film.texts[shot.w])}</b> ${esc(film.texts[shot.o])}${shot.c.length ? '; has ' + esc(shot.c.join(', ')) : ''}<br>${esc(film.texts[shot.y])}`;
  $('tree').textContent = film.texts[shot.t];
  const [l, , r] = film.inner, x = l + (r - l) * t / Math.max(1, last);
  document.querySelectorAll('.now').forEach(n => { n.setAttribute('x1', x); n.setAttribute('x2', x); });
}
$('at').oninput = $('who').onchange = () => show(+$('at').value);
let timer = null;
$('play').onclick = () => { if (timer) { clearInterval(timer); timer = null; $('play').textContent = 'play'; return; }
  $('play').textContent = 'stop'; if (+$('at').value >= last) $('at').value = 0;
  timer = setInterval(() => { if (+$('at').value >= last) { $('play').click(); return; } $('at').value = +$('at').value + 1; show(+$('at').value); }, 150); };
show(0);
";
