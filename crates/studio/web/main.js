// The page: tabs, time, keys, links, and the loop that draws.

import { clock, make, studio } from "./state.js";
import { drawTop, whoAt } from "./top.js";
import { drawFirst } from "./first.js";
import { drawStrip } from "./strip.js";
import { onTask, stepStage, watch } from "./watch.js";
import { ask, whyNot } from "./ask.js";
import { drawHud, play, playKey, playing, predict } from "./play.js";
import { edit, openEditor } from "./edit.js";
import { help } from "./help.js";
import { judge } from "./judge.js";

const by = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));
/** @type {Record<string, HTMLElement[]>} */
const SIDES = { watch, play, ask: [...watch.slice(1, 2), ...ask], edit, judge };

/** @param {string} name */
function tab(name) {
  for (const button of document.querySelectorAll("[role=tab]")) {
    const is = button.getAttribute("data-tab") === name;
    button.setAttribute("aria-selected", String(is));
    /** @type {HTMLElement} */ (button).tabIndex = is ? 0 : -1;
    if (is) by("side").setAttribute("aria-labelledby", button.id);
  }
  by("side").replaceChildren(...SIDES[name]);
  by("side").scrollTop = 0;
  if (name === "edit") openEditor();
  if (name === "play" && studio.seat === null) by("side").querySelector("#join")?.focus();
}
by("tabs").addEventListener("click", (/** @type {Event} */ event) => {
  const name = /** @type {HTMLElement} */ (event.target).dataset.tab;
  if (name) tab(name);
});
by("tabs").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const at = tabs.indexOf(/** @type {Element} */ (document.activeElement));
  const next = { ArrowRight: at + 1, ArrowLeft: at - 1 }[event.key];
  if (next === undefined) return;
  const button = /** @type {HTMLElement} */ (tabs[(next + tabs.length) % tabs.length]);
  button.focus();
  button.click();
});
addEventListener("studio-tab", (event) => tab(/** @type {CustomEvent} */ (event).detail));
onTask((task) => { tab("ask"); whyNot(task); });

/** @param {"top" | "first"} view */
function show(view) {
  studio.view = view;
  for (const button of document.querySelectorAll("[data-view]")) button.setAttribute("aria-pressed", String(button.getAttribute("data-view") === view));
  by("top").style.visibility = view === "top" ? "visible" : "hidden";
  by("first").style.visibility = view === "first" ? "visible" : "hidden";
}
for (const button of document.querySelectorAll("[data-view]")) button.addEventListener("click", () => {
  const view = /** @type {"top" | "first"} */ (button.getAttribute("data-view"));
  if (view === "first" && studio.follow === null) studio.setFollow(studio.seat ?? 0);
  show(view);
});
by("top").addEventListener("click", (/** @type {MouseEvent} */ event) => { const who = whoAt(event.clientX, event.clientY); if (who !== null) studio.setFollow(who); });

const running = () => !studio.frame?.at.paused;
by("play").onclick = () => studio.link.say({ do: running() ? "pause" : "resume" });
by("back").onclick = () => studio.link.say({ do: "step", by: -1 });
by("forth").onclick = () => studio.link.say({ do: "step", by: 1 });
by("go-on").onclick = () => studio.link.say({ do: "go-on" });
by("to-end").onclick = () => studio.link.say({ do: "seek", tick: studio.frame?.at.end ?? 0 });
by("speed").onchange = () => studio.link.say({ do: "speed", times: Number(by("speed").value) });
by("help").onclick = () => help("");
by("link").onclick = async () => {
  const link = moment();
  history.replaceState(null, "", link);
  try {
    await navigator.clipboard.writeText(location.href);
    studio.notice("A link to this moment is on the clipboard.");
  } catch {
    studio.notice("The address of this page is now a link to this moment.");
  }
  setTimeout(() => studio.notice(null), 2500);
};
document.querySelector("footer [data-help]")?.addEventListener("click", () => help("time"));
const moment = () => `#t=${studio.frame?.tick ?? 0}${studio.follow === null ? "" : `&follow=${encodeURIComponent(studio.name(studio.follow))}`}`;

/** Goes where the address says. */
function visit() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const follow = wanted.get("follow");
  const who = (studio.hello?.cast ?? []).findIndex((/** @type {any} */ one) => one.name === follow);
  if (follow !== null) studio.setFollow(who >= 0 ? who : Number(follow) || 0);
  if (wanted.has("t")) studio.link.say({ do: "seek", tick: Math.max(0, Number(wanted.get("t")) || 0) });
}
addEventListener("hashchange", visit);

const themes = matchMedia("(prefers-color-scheme: dark)");
/** @param {string} theme */
const paint = (theme) => (document.documentElement.dataset.theme = theme);
paint(localStorage.getItem("studio-theme") ?? (themes.matches ? "dark" : "light"));
by("theme").onclick = () => localStorage.setItem("studio-theme", paint(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));

function newMatch() {
  const dialog = by("dialog");
  const map = make("select", { id: "new-map" }, ...studio.hello.maps.map((/** @type {string} */ name) => make("option", { selected: name === studio.hello.mapName }, name)));
  const who = make("input", { type: "text", id: "new-contenders", style: "width:100%", value: studio.hello.cast.filter((/** @type {any} */ one) => !one.person && one.written !== "").map((/** @type {any} */ one) => one.written).filter((/** @type {string} */ one) => !one.startsWith("pupil")).join(" ") });
  const seed = make("input", { type: "number", id: "new-seed", value: studio.hello.seed, min: 0, style: "width:110px" });
  const start = (/** @type {string | null} */ join) => {
    dialog.close();
    studio.link.say({ do: "new", map: map.value, contenders: who.value.split(/[\s,]+/).filter(Boolean), seed: Number(seed.value) || 0, join });
    if (join) { tab("play"); show("first"); by("first").focus(); }
  };
  dialog.replaceChildren(make("h2", {}, "New match"), make("p", { className: "row" }, make("label", {}, "Map ", map), make("label", {}, "Seed ", seed)), make("p", {}, make("label", {}, "Characters, with spaces between them", who)),
    make("p", { className: "soft small" }, `There are ${studio.hello.characters.join(", ")}; native:0 to native:7; NAME=FILE for a file of your own; +belief behind any of them.`),
    make("div", { className: "row" }, make("button", { className: "main", id: "new-play", onclick: () => start("you") }, "Play in it"), make("button", { id: "new-watch", onclick: () => start(null) }, "Watch it"), make("button", { onclick: () => dialog.close() }, "Cancel")),
    make("h2", { style: "margin-top:18px" }, "Rooms and towns"), make("p", { className: "small" }, "A run of each, to play back, follow somebody and read why:"), make("p", { className: "row" }, ...studio.hello.elsewhere.map((/** @type {string} */ path) => make("a", { href: path, target: "_blank", className: "task" }, path.slice(1).replace("/", " ")))));
  dialog.showModal();
}
by("new").onclick = newMatch;

function welcome() {
  if (localStorage.getItem("studio-met") || studio.follow !== null) return by("empty").replaceChildren();
  const done = () => { localStorage.setItem("studio-met", "1"); by("empty").replaceChildren(); };
  by("empty").replaceChildren(make("h2", {}, "A match is being played"), make("ol", {}, make("li", {}, "Click a character: its decision appears on the right, reason by reason."), make("li", {}, "Drag on the strip below to go back to any moment, and ask there: why not, what if, how often."), make("li", {}, "Press Play & teach to fight them yourself, and to raise a pupil.")),
    make("div", { className: "row" }, make("button", { className: "main", onclick: () => { done(); studio.setFollow(0); } }, "Follow the first one"), make("button", { onclick: done }, "I know")));
}

addEventListener("keydown", (event) => {
  if (playKey(event, true)) return event.preventDefault();
  if (/** @type {HTMLElement} */ (event.target).closest?.("input, select, textarea, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
  const button = /** @type {HTMLElement} */ (event.target).closest?.("button, [role=tab]");
  if (event.key === " " && !button) by("play").click();
  else if (event.key === ",") by("back").click();
  else if (event.key === ".") by("forth").click();
  else if (event.key === "[") stepStage(-1);
  else if (event.key === "]") stepStage(1);
  else if (event.key === "?") help("");
  else if (event.key === "v" || event.key === "V") /** @type {HTMLElement} */ (document.querySelector(`[data-view=${studio.view === "top" ? "first" : "top"}]`))?.click();
  else if (/^[0-9]$/.test(event.key) && Number(event.key) < (studio.frame?.characters.length ?? 0)) studio.setFollow(Number(event.key));
  else return;
  event.preventDefault();
});
addEventListener("keyup", (event) => playKey(event, false));

let first = true;
studio.addEventListener("hello", () => {
  by("match").textContent = `${studio.hello.mapName} · seed ${studio.hello.seed}`;
  if (first) visit();
  first = false;
  welcome();
});
studio.addEventListener("follow", () => by("empty").replaceChildren());
/** @type {string | null} */ let stopped = null;
studio.addEventListener("frame", () => {
  const at = studio.frame?.at;
  by("play").querySelector("path").setAttribute("d", running() ? "M4 3h3v10H4zM9 3h3v10H9z" : "M4 2v12l9-6z");
  by("time").textContent = clock(studio.frame?.tick ?? 0);
  by("where").textContent = at.live ? (at.paused ? "paused" : `${at.clients} watching`) : `of ${clock(at.end)}, looking back`;
  by("go-on").hidden = by("to-end").hidden = at.live;
  if (document.activeElement !== by("speed")) by("speed").value = String(at.speed);
  if (at.stop !== stopped) studio.notice((stopped = at.stop));
});

function loop() {
  const own = predict();
  if (studio.view === "first" && studio.follow !== null) {
    const mine = playing() && studio.follow === studio.seat ? own : null;
    const seen = mine ?? studio.between(studio.follow);
    if (seen) drawFirst(seen, studio.follow);
    if (mine) studio.drew(mine.p);
  } else drawTop();
  drawHud();
  drawStrip();
  requestAnimationFrame(loop);
}
Object.assign(window, { studio });
tab("watch");
show("top");
studio.start();
requestAnimationFrame(loop);
