// Watch: who plays, the decision of who is followed as a table in nats, and what else is in its mind.

import { make, studio, words } from "./state.js";
import { panel } from "./help.js";

const people = make("table", { id: "people", "aria-label": "Characters" });
const table = make("div", { className: "scroll" });
const stages = make("div", { className: "row small" });
const mind = make("div", {});
/** Rows of the table that count, from the top; all if none. @type {number | null} */
let stage = null;
/** @type {(task: string) => void} */
let ask = () => {};

export const watch = [
  panel("people", "Who plays", people),
  panel("decision", "The decision", stages, table),
  panel("mind", "What is in its mind", mind),
];

/** @param {(task: string) => void} then what a click on a task does */
export const onTask = (then) => (ask = then);

/** @param {number} by */
export function stepStage(by) {
  const rows = studio.mind?.report?.table.length ?? 0;
  if (!rows) return;
  if (!studio.frame?.at.paused) studio.link.say({ do: "pause" });
  const next = (stage ?? rows) + by;
  stage = next >= rows ? null : Math.max(1, next);
  showDecision();
}

export function showPeople() {
  const frame = studio.frame;
  if (!frame) return;
  const rows = frame.characters.map((character, who) => ({ character, who })).filter(({ character }) => !character.out).sort((a, b) => b.character.f - a.character.f || a.who - b.who);
  const focused = document.activeElement?.closest?.("#people tr")?.getAttribute("data-who");
  const row = (/** @type {any} */ { character, who }) => make("tr", { "data-who": who, tabIndex: 0, "aria-selected": String(who === studio.follow), onclick: () => studio.setFollow(who === studio.follow ? null : who), onkeydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === "Enter") studio.setFollow(who); } },
    make("td", {}, make("i", { className: "dot", style: `background:${studio.colour(who)}` }), character.n + (who === studio.seat ? " (you)" : "")),
    make("td", { style: "text-align:left" }, character.a ? make("span", { className: "task", style: `border-left:4px solid ${studio.taskColour(character.t)}` }, words(character.t) || "–") : make("span", { className: "soft" }, "dead")),
    make("td", {}, String(character.a ? character.h : 0)), make("td", {}, String(character.f)), make("td", {}, String(character.d)), make("td", {}, character.s ? `${Math.round((100 * character.hit) / character.s)} %` : "–"));
  people.replaceChildren(make("thead", {}, make("tr", {}, ...["", "does", "health", "frags", "deaths", "hits"].map((title, k) => make("th", k === 1 ? { style: "text-align:left" } : {}, title)))), make("tbody", {}, ...rows.map(row)));
  if (focused) people.querySelector(`tr[data-who="${focused}"]`)?.focus();
}

/** @param {number[]} nats */
function softmax(nats) {
  const most = Math.max(...nats);
  const each = nats.map((value) => Math.exp(value - most));
  const all = each.reduce((sum, value) => sum + value, 0);
  return each.map((value) => value / all);
}

/** @param {number | null} nats */
const signed = (nats) => (nats === null ? "−∞" : `${nats < 0 ? "−" : "+"}${Math.abs(nats).toFixed(Math.abs(nats) < 9.95 ? 2 : 1)}`);

export function showDecision() {
  const said = studio.mind;
  stages.replaceChildren();
  if (studio.follow === null) return void table.replaceChildren(make("p", { className: "soft" }, "Follow a character to see why it does what it does: click one on the map, in the list, or press its number."));
  if (!said) return void table.replaceChildren(make("p", { className: "soft" }, "…"));
  if (!said.alive) return void table.replaceChildren(make("p", { className: "soft" }, `${studio.name(said.who)} is dead.`));
  const report = said.report;
  if (!report) return void table.replaceChildren(make("p", { className: "said" }, said.why));
  const before = studio.mindBefore?.who === said.who ? studio.mindBefore.report : null;
  const shown = stage ?? report.table.length;
  const sums = report.tasks.map((/** @type {string} */ _, /** @type {number} */ task) => report.table.slice(0, shown).reduce((/** @type {number} */ sum, /** @type {any} */ [, nats]) => sum + (nats[task] ?? -1e9), 0));
  const p = stage === null ? report.posterior : softmax(sums);
  const chosen = report.tasks.indexOf(report.task);
  const head = make("tr", {}, make("th", {}, "nats"), ...report.tasks.map((/** @type {string} */ task, /** @type {number} */ k) => make("th", { className: k === chosen ? "chosen" : "" }, make("button", { title: `Why not ${words(task)}?`, onclick: () => ask(task) }, words(task)))));
  const body = report.table.map((/** @type {[string, number[]]} */ [name, nats], /** @type {number} */ k) => {
    const was = before?.table.find((/** @type {[string, number[]]} */ [other]) => other === name);
    const most = Math.max(...nats.map((value) => value ?? -20));
    return make("tr", { className: k >= shown ? "later" : "" }, make("td", { title: name, className: was || !before ? "" : "changed" }, words(name)),
      ...nats.map((value, task) => make("td", { className: task === chosen ? "chosen" : "", style: shade((value ?? -20) - most) }, signed(value))));
  });
  const sum = make("tr", { className: "sum" }, make("td", {}, stage === null ? "probability" : `after ${shown} of ${report.table.length}`), ...p.map((/** @type {number} */ value, /** @type {number} */ task) => make("td", { className: task === chosen ? "chosen" : "" }, `${(100 * value).toFixed(value > 0.0995 ? 0 : 1)} %`)));
  table.replaceChildren(make("table", { className: "nats" }, make("thead", {}, head), make("tbody", {}, sum, ...body)));
  stages.append(make("button", { onclick: () => stepStage(-1), title: "One stage back ([)" }, "‹ stage"), make("button", { onclick: () => stepStage(1), title: "One stage on (])" }, "stage ›"),
    make("span", { className: "soft" }, stage === null ? `decides to ${words(report.task ?? "")}` : `stage ${shown} of ${report.table.length}: ${words(report.table[shown - 1][0])}`));
  if (report.contradiction) table.append(make("p", { className: "error" }, "Everything together ruled out every task: what it did before decided alone."));
}

/** How much worse than the best of its row, as a tint; the best is green. @param {number} behind */
function shade(behind) {
  const strength = behind === 0 ? 22 : Math.min(40, -behind * 14);
  return `background:color-mix(in srgb, var(${behind === 0 ? "--for" : "--against"}) ${strength}%, transparent)`;
}

/** What the followed character felt lately: ticks, and how strongly. @type {Map<string, [number, number][]>} */
const felt = new Map();
let [feltBy, feltIn] = [-1, -1];
/** A minute and a half of it. */
const LATELY = 900;

/** @param {any} said */
function remember(said) {
  if (feltBy !== said.who || feltIn !== studio.hello?.number) felt.clear();
  [feltBy, feltIn] = [said.who, studio.hello?.number ?? -1];
  for (const { need, felt: now } of said.report?.wants ?? []) {
    const past = felt.get(need) ?? [];
    // Whoever goes back in time has not felt yet what comes later.
    while (past.length && past[past.length - 1][0] >= said.tick) past.pop();
    past.push([said.tick, now]);
    felt.set(need, past.filter(([tick]) => tick > said.tick - LATELY));
  }
}

/** How a need was felt lately, as a line. @param {string} need */
function curve(need) {
  const past = felt.get(need) ?? [];
  const end = past[past.length - 1]?.[0] ?? 0;
  const points = past.map(([tick, now]) => `${(120 * (1 - (end - tick) / LATELY)).toFixed(1)},${(17 - 16 * now).toFixed(1)}`).join(" ");
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [key, value] of Object.entries({ viewBox: "0 0 120 18", width: "120", height: "18", role: "img", "aria-label": `${words(need)} over the last minute and a half`, class: "felt" })) picture.setAttribute(key, value);
  const line = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
  for (const [key, value] of Object.entries({ points, fill: "none", stroke: "currentColor", "stroke-width": "1" })) line.setAttribute(key, value);
  picture.append(line);
  return picture;
}

export function showMind() {
  const said = studio.mind;
  mind.replaceChildren();
  if (!said?.alive) return void mind.append(make("p", { className: "soft" }, studio.follow === null ? "Nobody is followed." : "Nothing now."));
  const report = said.report;
  if (report?.goal) {
    mind.append(make("p", {}, make("b", {}, "Plan "), `for ${words(report.goal)}`), make("ol", { className: "plan" }, ...report.plan.map((/** @type {string} */ step) => make("li", {}, words(step)))), make("p", { className: "soft small" }, report.reason ? `${words(report.plan[0])}: ${words(report.reason)}.` : ""));
  }
  remember(said);
  for (const { need, felt, matters } of report?.wants ?? []) {
    mind.append(curve(need), make("div", { className: "share" }, make("span", {}, words(need)), make("div", { className: "bar", title: "how strongly it is felt" }, make("i", { style: `width:${100 * felt}%` })), make("span", { className: "soft" }, `matters ${matters.toFixed(2)}`)));
  }
  const believed = said.belief.reduce((/** @type {number} */ sum, /** @type {number[]} */ [, p]) => sum + p, 0);
  const sees = said.sees.map((/** @type {number} */ who) => studio.name(who)).join(", ");
  const facts = [["sees", sees || "nobody"], ["hears", said.noises.map((/** @type {any[]} */ [sound]) => sound).join(", ") || "nothing"], ["has", `${said.own.health} health, ${["pistol", "shotgun", "rockets"][said.own.weapon]}${said.own.weapon ? ` (${said.own.ammo[said.own.weapon]})` : ""}`], ["does", `${said.command.fire === "none" ? "" : `fires (${said.command.fire}), `}${said.command.jump ? "jumps, " : ""}runs ${said.command.forward.toFixed(1)} ahead, ${said.command.lateral.toFixed(1)} left; turns ${(said.command.yaw * 57.3).toFixed(0)}°`]];
  if (said.attends.length) facts.push(["attends to", said.attends.slice(0, 4).map((/** @type {any[]} */ [what, , , share]) => `${words(what)} ${(100 * share).toFixed(0)} %`).join(", ")]);
  if (said.belief.length) facts.push(["believes", `${believed.toFixed(1)} opponents out of sight, at ${said.belief.length} places`]);
  for (const [name, what] of facts) mind.append(make("p", { className: "small" }, make("b", {}, `${name} `), what));
  for (const fact of report?.believes ?? []) mind.append(make("span", { className: "task" }, words(fact)), " ");
  if (report?.rests_on && report.rests_on[1] < 5) mind.append(make("p", { className: "soft small" }, `Rests on little: ${report.rests_on[0]} was seen ${report.rests_on[1].toFixed(0)} times while it did this.`));
  if (!report?.tasks) mind.append(make("p", { className: "said small" }, said.why));
}

studio.addEventListener("frame", () => { showPeople(); });
studio.addEventListener("follow", () => { stage = null; showPeople(); });
studio.addEventListener("mind", () => { if (!studio.frame?.at.paused) stage = null; showDecision(); showMind(); });
