// Ask: why not, what if, how often, and where to stop.

import { clock, make, studio, words } from "./state.js";
import { panel } from "./help.js";
import { onMap } from "./top.js";

const tasks = make("select", { "aria-label": "Task" });
const why = make("div", {});
const futures = make("div", { "aria-live": "polite" });
const often = make("div", { "aria-live": "polite" });
const health = make("input", { type: "number", min: 1, max: 100, value: 25, style: "width:70px", "aria-label": "Health" });
const length = make("select", { "aria-label": "How long" }, ...[3, 5, 10, 20].map((secs) => make("option", { value: secs * 10, selected: secs === 5 }, `${secs} s`)));
const count = make("select", { "aria-label": "How many" }, ...[100, 300, 1000].map((n) => make("option", { value: n, selected: n === 1000 }, `${n} times`)));
const kind = make("select", { "aria-label": "Stop when" }, make("option", { value: "probability" }, "P(task) is above"), make("option", { value: "close-call" }, "two best tasks within (nats)"), make("option", { value: "begins" }, "a task begins"), make("option", { value: "dies" }, "somebody dies"), make("option", { value: "own-weapon" }, "somebody dies by their own rocket"));
const stopTask = make("select", { "aria-label": "Task" });
const limit = make("input", { type: "number", step: 0.05, value: 0.8, style: "width:70px", "aria-label": "Limit" });
const stops = make("div", {});
/** @type {any[]} */ let set = [];

/** The moment and the character that questions are about. */
function subject() {
  if (studio.follow === null) throw new Error("Follow a character first.");
  if (!studio.frame?.at.paused) studio.link.say({ do: "pause" });
  return { tick: studio.frame?.tick ?? 0, who: studio.follow };
}

/** @param {HTMLElement} into @param {() => Promise<Node[]>} work */
async function answered(into, work) {
  into.replaceChildren(make("p", { className: "soft" }, "Working it out…"));
  try {
    into.replaceChildren(...(await work()));
  } catch (error) {
    into.replaceChildren(make("p", { className: "error" }, String(/** @type {Error} */ (error).message)));
  }
}

/** @param {string} task */
export function whyNot(task) {
  tasks.value = task;
  return answered(why, async () => {
    const { tick, who } = subject();
    const is = await studio.link.ask({ do: "why-not", tick, who, task });
    if (is.did === task) return [make("p", {}, `It did ${words(task)} at ${clock(tick)}.`)];
    const nodes = [make("p", {}, `At ${clock(tick)} ${studio.name(who)} did `, make("b", {}, words(is.did)), `, not ${words(task)}.`)];
    const report = is.report;
    const [a, b] = [report?.tasks.indexOf(is.did) ?? -1, report?.tasks.indexOf(task) ?? -1];
    if (a >= 0 && b >= 0) {
      const rows = report.table.map((/** @type {any} */ [name, nats]) => [name, (nats[b] ?? -20) - (nats[a] ?? -20)]).filter((/** @type {any} */ [, ratio]) => Math.abs(ratio) > 0.05).sort((/** @type {any} */ x, /** @type {any} */ y) => Math.abs(y[1]) - Math.abs(x[1])).slice(0, 6);
      for (const [name, ratio] of rows) nodes.push(make("p", { className: `small ${ratio > 0 ? "good" : "error"}` }, `${words(name)}: ${ratio > 0 ? "for" : "against"} ${words(task)}, ${Math.exp(Math.min(14, Math.abs(ratio))).toFixed(1)} times`));
      nodes.push(make("p", { className: "soft small" }, `P(${words(task)}) was ${(100 * report.posterior[b]).toFixed(1)} %, P(${words(is.did)}) ${(100 * report.posterior[a]).toFixed(1)} %.`));
    }
    if (!is.changes.length) nodes.push(make("p", {}, `No single reading would have led to it (${is.tried} were tried).`));
    else nodes.push(make("p", {}, make("b", {}, "It would have, if")));
    is.changes.slice(0, 5).forEach((/** @type {any} */ change, /** @type {number} */ nth) => nodes.push(make("div", { className: "row small" }, make("span", { className: "grow" }, `${words(change.reading)} were ${change.becomes} instead of ${change.was}`), make("button", { onclick: () => whatIf({ what: "reading", task, nth }) }, "Try"))));
    return nodes;
  });
}

/** @param {object} change */
export function whatIf(change) {
  return answered(futures, async () => {
    const { tick, who } = subject();
    const is = await studio.link.ask({ do: "what-if", tick, who, change, ticks: Number(length.value) });
    studio.futures = is;
    const last = is.was.ticks.length - 1;
    const row = (/** @type {number} */ id) => make("tr", {}, make("td", {}, make("i", { className: "dot", style: `background:${studio.colour(id)}` }), studio.name(id)),
      make("td", {}, is.decides_otherwise[id] === null ? "never" : clock(is.decides_otherwise[id])), make("td", {}, is.is_elsewhere[id] === null ? "never" : clock(is.is_elsewhere[id])),
      make("td", {}, `${is.was.ticks[last][id].frags} → ${is.would.ticks[last][id].frags}`));
    const died = (/** @type {any} */ future) => future.deaths.map((/** @type {any[]} */ [at, id]) => `${studio.name(id)} at ${clock(at)}`).join(", ") || "nobody";
    const same = is.was.hash === is.would.hash;
    return [make("p", {}, same ? "Nothing changes." : "Two futures; dashed is what would happen."), make("table", {}, make("thead", {}, make("tr", {}, ...["", "decides otherwise", "elsewhere", "frags"].map((t) => make("th", {}, t)))), make("tbody", {}, ...is.was.ticks[0].map((/** @type {any} */ _, /** @type {number} */ id) => row(id)))),
      make("p", { className: "small" }, make("b", {}, "dies as it is: "), died(is.was)), make("p", { className: "small" }, make("b", {}, "would die: "), died(is.would)),
      make("div", { className: "row" }, make("button", { onclick: () => { studio.futures = null; futures.replaceChildren(); } }, "Clear"))];
  });
}

/** @param {any} share */
function interval({ p, low, high }) {
  return make("div", { className: "interval" }, make("i", { style: `left:${100 * low}%;width:${100 * (high - low)}%` }), make("b", { style: `left:calc(${100 * p}% - 1px)` }));
}

function howOften() {
  return answered(often, async () => {
    if (!studio.frame?.at.paused) studio.link.say({ do: "pause" });
    const bar = make("i", { style: "width:0" });
    often.replaceChildren(make("div", { className: "bar" }, bar), make("div", { className: "row" }, make("button", { onclick: () => studio.link.say({ do: "cancel" }) }, "Enough")));
    const is = await studio.link.ask({ do: "how-often", tick: studio.frame?.tick ?? 0, ticks: Number(length.value), continuations: Number(count.value) }, ({ done, of }) => (bar.style.width = `${(100 * done) / of}%`));
    const nodes = [make("p", { className: "soft small" }, `${is.continuations} continuations of ${(is.ticks / 10).toFixed(0)} s`)];
    is.fates.forEach((/** @type {any} */ fate, /** @type {number} */ who) => {
      if (studio.frame?.characters[who]?.out) return;
      nodes.push(make("p", {}, make("i", { className: "dot", style: `background:${studio.colour(who)}` }), make("b", {}, studio.name(who))));
      for (const [name, share] of [["dies", fate.dies], ["kills", fate.kills]]) nodes.push(make("div", { className: "share" }, make("span", {}, name), interval(share), make("span", {}, `${(100 * share.p).toFixed(0)} % (${(100 * share.low).toFixed(0)}–${(100 * share.high).toFixed(0)})`)));
    });
    return nodes;
  });
}

function showStops() {
  stops.replaceChildren(...set.map((stop, k) => make("div", { className: "row small" }, make("span", { className: "grow" }, said(stop)), make("button", { "aria-label": "Remove", onclick: () => { set.splice(k, 1); send(); } }, "✕"))));
}

/** @param {any} stop */
function said(stop) {
  const who = stop.who === null ? "anybody" : studio.name(stop.who);
  return { probability: `P(${words(stop.task ?? "")}) of ${who} above ${stop.above}`, "close-call": `two best tasks of ${who} within ${stop.nats} nats`, begins: `${who} begins ${words(stop.task ?? "")}`, dies: `${who} dies`, "own-weapon": `${who} dies by their own weapon` }[/** @type {string} */ (stop.when)] ?? "";
}

function send() {
  studio.link.say({ do: "break", stops: set });
  showStops();
}

function addStop() {
  const who = studio.follow;
  const [when, value] = [kind.value, Number(limit.value)];
  set.push({ probability: { when, who, task: stopTask.value, above: value }, "close-call": { when, who, nats: value }, begins: { when, who, task: stopTask.value }, dies: { when, who }, "own-weapon": { when, who } }[/** @type {string} */ (when)]);
  send();
}

const place = make("button", { onclick: () => {
  studio.notice("Click where it should stand.");
  document.getElementById("top")?.addEventListener("click", (event) => {
    event.stopImmediatePropagation();
    studio.notice(null);
    const [x, y] = onMap(event.clientX, event.clientY);
    whatIf({ what: "position", x, y });
  }, { once: true, capture: true });
} }, "it stood elsewhere…");

export const ask = [
  panel("why", "Why not?", make("div", { className: "row" }, tasks, make("button", { className: "main", onclick: () => whyNot(tasks.value) }, "Why not?")), why),
  panel("whatif", "What if…", make("div", { className: "row" }, "look ahead", length), make("div", { className: "row" }, make("button", { id: "what-if-health", onclick: () => whatIf({ what: "health", health: Number(health.value) }) }, "its health were"), health, place), futures),
  panel("often", "How often?", make("div", { className: "row" }, count, make("button", { id: "how-often", className: "main", onclick: howOften }, "Play it on")), often),
  panel("stops", "Breakpoints", make("div", { className: "row" }, kind, stopTask, limit, make("button", { onclick: addStop }, "Add")), stops),
];

let known = "";
studio.addEventListener("mind", () => {
  const names = studio.mind?.report?.tasks ?? [];
  if (!names.length || String(names) === known) return;
  known = String(names);
  for (const select of [tasks, stopTask]) select.replaceChildren(...names.map((/** @type {string} */ task) => make("option", { value: task }, words(task))));
});
studio.addEventListener("hello", () => { set = studio.hello.stops; showStops(); });
