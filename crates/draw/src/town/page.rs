//! A run of a town as one page of HTML to play back: the map, crowds over time, one inhabitant's day with the reasons.
//!
//! The page needs nothing but itself.

use repertoire_eval::town::Film;
use repertoire_worlds::town::{At, Town};
use serde_json::{Value, json};

use super::picture::{self, CHART_HEIGHT, INNER, SHEET_WIDTH};
use crate::html::Page;
use crate::svg::{SERIES, escape, inline, line};

/// The page.
pub fn page(town: &Town, film: &Film) -> String {
    let charter = town.charter();
    let rounded = |value: f64| (value * 10.0).round() / 10.0;
    let positions: Vec<Value> = film
        .positions
        .iter()
        .map(|all| {
            let at = |&(x, y): &(f32, f32)| {
                let (x, y) = picture::pixel(town, f64::from(x), f64::from(y));
                [rounded(x), rounded(y)]
            };
            json!(all.iter().flat_map(at).collect::<Vec<f64>>())
        })
        .collect();
    // Texts repeat from spell to spell: each is kept once.
    let mut texts: Vec<String> = Vec::new();
    let mut number = |text: &str| match texts.iter().rposition(|known| known == text) {
        Some(at) => at,
        None => {
            texts.push(text.to_owned());
            texts.len() - 1
        }
    };
    let goals = town.goal_names();
    let diaries: Vec<Value> = film
        .diaries
        .iter()
        .map(|(who, spells)| {
            let class = &charter.classes[usize::from(town.seen(*who).class)].name;
            let spells: Vec<Value> = spells
                .iter()
                .map(|spell| {
                    let goal =
                        spell.goal.as_ref().and_then(|goal| goals.iter().position(|name| name == goal));
                    json!([spell.from, spell.to, goal, number(&spell.doing), spell.what, number(&spell.why)])
                })
                .collect();
            json!({ "who": who, "class": class, "spells": spells })
        })
        .collect();
    let classes: Vec<u8> = film.followed.iter().map(|&who| town.seen(who).class).collect();
    let ticks: Vec<u32> = film.census.iter().map(|census| census.tick).collect();
    let events: Vec<Value> =
        film.events.iter().map(|(at, words)| json!([at, format!("{}: {words}", At(*at))])).collect();
    let class_names: Vec<&str> = charter.classes.iter().map(|class| class.name.as_str()).collect();
    let data = json!({ "ticks": ticks, "positions": positions, "classes": classes, "classNames": class_names,
        "followed": film.followed, "diaries": diaries, "texts": texts, "goals": goals, "events": events,
        "inner": [INNER.0, INNER.1], "series": SERIES.map(|(light, _)| light) });
    let now =
        || line((0.0, 30.0), (0.0, CHART_HEIGHT - 60.0)).class("now").class("frame").set("stroke-width", 1.5);
    let chart = |name: &str, drawn| {
        inline(0.0, 0.0, SHEET_WIDTH, CHART_HEIGHT, name).size(12.0).with(drawn).with(now())
    };
    let map = inline(0.0, 0.0, SHEET_WIDTH - 40.0, picture::map_height(town), "the map")
        .with(picture::map(town, false));
    // The people are drawn by the script, over the map.
    let map = map.to_string().replace("</svg>", "<g id=\"people\"></g></svg>");
    let shown = match film.followed.len() == town.len() {
        true => "everybody is on the map".to_owned(),
        false => format!("{} of {} inhabitants are on the map", film.followed.len(), town.len()),
    };
    let body = format!(
        "<p>{} {} inhabitants, seed {}; {shown}.</p>\n<div class=\"bar\"><button id=\"play\">play</button><input id=\"at\" \
         type=\"range\" min=\"0\" value=\"0\" aria-label=\"time\"><span id=\"time\"></span></div>\n<figure>{map}<figcaption \
         id=\"legend\"></figcaption></figure>\n<p id=\"news\"></p>\n<figure>{}</figure>\n<figure>{}</figure>\n<h2>The day of one \
         inhabitant</h2>\n<div class=\"bar\"><label>follow <select id=\"who\"></select></label></div>\n<svg id=\"day\" \
         viewBox=\"0 0 {SHEET_WIDTH} 90\"></svg>\n<pre id=\"why\"></pre>\n",
        escape(&charter.about),
        town.len(),
        town.seed(),
        chart("where everybody is", picture::places_chart(town, film)),
        chart("what they pursue", picture::goals_chart(town, film)),
    );
    let script = format!("const town = {data};\n{SCRIPT}");
    Page { title: format!("{}, until {}", charter.name, At(town.now())), style: STYLE, body, script }.finish()
}

const STYLE: &str = "\
.bar { display: flex; gap: 1rem; align-items: center; margin: 1rem 0 } .bar input { flex: 1 }
#time { min-width: 8em } #news { min-height: 1.4em } figure { margin: 0 0 1rem } svg { width: 100%; height: auto }
pre { white-space: pre-wrap; min-height: 14em } #legend span { margin-right: 1em } #day rect { cursor: pointer }
";

const SCRIPT: &str = "
const $ = id => document.getElementById(id), last = town.ticks.length - 1, two = n => String(n).padStart(2, '0');
const esc = s => s.replace(/[&<>]/g, c => ({'&':'&amp;','<':'&lt;','>':'&gt;'}[c]));
const clock = t => `day ${Math.floor(t / 1440) + 1} ${two(Math.floor(t % 1440 / 60))}:${two(t % 60)}`;
$('at').max = last;
$('legend').innerHTML = town.classNames.map((c, i) => `<span style='color:${town.series[i % 8]}'>● ${esc(c)}</span>`).join('');
town.diaries.forEach((d, i) => $('who').add(new Option(`${d.class} ${d.who}`, i)));
const X = t => { const [l, r] = town.inner, a = town.ticks[0], b = town.ticks[last]; return l + (r - l) * (t - a) / Math.max(1, b - a); };
function day() {
  const d = town.diaries[+$('who').value]; let s = '';
  d.spells.forEach(([from, to, goal, doing, what], i) => {
    const c = goal === null ? '#999' : town.series[goal % 8], thin = what !== 'acts';
    s += `<rect data-i='${i}' x='${X(from)}' y='${thin ? 34 : 18}' width='${Math.max(0.8, X(Math.max(to, from + 1)) - X(from))}' height='${thin ? 12 : 44}' fill='${what === 'waits' ? '#c33' : c}' fill-opacity='${what === 'walks' ? .55 : .9}'><title>${esc(clock(from) + ': ' + town.texts[doing] + (goal === null ? '' : ' (' + town.goals[goal] + ')'))}</title></rect>`; });
  const used = [...new Set(d.spells.map(e => e[2]).filter(g => g !== null))];
  let x = town.inner[0]; used.forEach(g => { s += `<text x='${x}' y='84' font-size='12' fill='${town.series[g % 8]}'>■ ${esc(town.goals[g])}</text>`; x += 22 + 7.2 * town.goals[g].length; });
  s += `<line id='dnow' y1='10' y2='68' stroke='currentColor'/>`;
  $('day').innerHTML = s;
  $('day').onclick = e => { const i = e.target.dataset && e.target.dataset.i; if (i !== undefined) { const t = d.spells[i][0]; let k = town.ticks.findIndex(a => a >= t); $('at').value = k < 0 ? last : k; show(); } };
}
function show() {
  const k = +$('at').value, t = town.ticks[k], p = town.positions[k], d = town.diaries[+$('who').value];
  let s = ''; for (let i = 0; i < town.classes.length; i++)
    s += `<circle cx='${p[2 * i]}' cy='${p[2 * i + 1]}' r='${d && town.followed[i] === d.who ? 6 : 2.6}' fill='${town.series[town.classes[i] % 8]}' ${d && town.followed[i] === d.who ? \"stroke='#000' stroke-width='1.5'\" : ''}/>`;
  $('people').innerHTML = s; $('time').textContent = clock(t);
  const news = town.events.filter(e => e[0] <= t).pop(); $('news').textContent = news ? news[1] : '';
  document.querySelectorAll('.now').forEach(n => { n.setAttribute('x1', X(t)); n.setAttribute('x2', X(t)); });
  const dn = $('dnow'); if (dn) { dn.setAttribute('x1', X(t)); dn.setAttribute('x2', X(t)); }
  const spell = d && d.spells.filter(e => e[0] <= t).pop(); $('why').textContent = spell ? town.texts[spell[5]] : '';
}
$('at').oninput = show; $('who').onchange = () => { day(); show(); };
let timer = null;
$('play').onclick = () => { if (timer) { clearInterval(timer); timer = null; $('play').textContent = 'play'; return; }
  $('play').textContent = 'stop'; if (+$('at').value >= last) $('at').value = 0;
  timer = setInterval(() => { if (+$('at').value >= last) { $('play').click(); return; } $('at').value = +$('at').value + 1; show(); }, 100); };
if (town.diaries.length) day();
show();
";
