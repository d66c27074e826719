// Play and teach: hands to commands, prediction of the own body, feedback, sound; what the pupil learns.

import { clock, make, studio, words } from "./state.js";
import { panel } from "./help.js";

const hud = /** @type {HTMLElement} */ (document.getElementById("hud"));
const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById("first"));
const TASKS = ["attack", "weapon_search", "health_search", "explore", "flee", "detect_danger"];
/** @type {Set<string>} */ const keys = new Set();
let [yaw, pitch, fire, seq] = [0, 0, 0, 0];
/** @type {number | null} */ let weapon = null;
let [sent, stepped, hurt, hit] = [0, 0, 0, 0];
let wasAlive = false;
/** The predicted body. @type {{x: number, y: number, z: number, vx: number, vy: number, vz: number, ground: boolean} | null} */
let body = null;
/** Where the body was predicted to be lately. @type {{at: number, x: number, y: number, z: number}[]} */
let trail = [];
/** @type {AudioContext | null} */ let audio = null;
const STEP = 1 / 30;

/** Whether the person at this browser plays now. */
export const playing = () => studio.seat !== null && studio.frame?.at.live;

studio.hasSound = () => audio?.state === "running";

/** @param {number} pitchHz @param {number} secs @param {OscillatorType | "noise"} kind @param {number} loud */
function sound(pitchHz, secs, kind, loud) {
  if (!audio) return;
  const gain = audio.createGain();
  gain.gain.setValueAtTime(loud, audio.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + secs);
  gain.connect(audio.destination);
  if (kind === "noise") {
    const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * secs), audio.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let k = 0; k < samples.length; k++) samples[k] = Math.random() * 2 - 1;
    const filter = audio.createBiquadFilter();
    filter.frequency.value = pitchHz;
    const source = audio.createBufferSource();
    source.buffer = buffer;
    source.connect(filter).connect(gain);
    source.start();
    return;
  }
  const tone = audio.createOscillator();
  tone.type = kind;
  tone.frequency.setValueAtTime(pitchHz, audio.currentTime);
  tone.frequency.exponentialRampToValueAtTime(Math.max(30, pitchHz / 2), audio.currentTime + secs);
  tone.connect(gain);
  tone.start();
  tone.stop(audio.currentTime + secs);
}

/** @param {any} event */
function hear(event) {
  const own = event.who === studio.seat;
  const there = studio.frame?.characters[event.who]?.p;
  const far = body && there ? Math.hypot(there[0] - body.x, there[1] - body.y) : 20;
  const loud = own ? 0.25 : Math.max(0, 0.2 * (1 - far / 45));
  if (event.event === "fired" && loud) sound(event.weapon === "strong" ? 300 : event.weapon === "medium" ? 900 : 1800, event.weapon === "weak" ? 0.12 : 0.3, "noise", loud);
  if (!own) return;
  if (event.event === "struck") { hit = performance.now(); sound(1400, 0.08, "triangle", 0.25); }
  if (event.event === "hurt") { hurt = performance.now(); sound(140, 0.2, "sawtooth", 0.2); }
  if (event.event === "picked-up") sound(880, 0.15, "sine", 0.25);
  if (event.event === "frag") { sound(660, 0.12, "square", 0.12); setTimeout(() => sound(990, 0.2, "square", 0.12), 110); }
  if (event.event === "died") sound(110, 0.7, "sawtooth", 0.25);
}

/** The server's word on where the own body is, taken in without a jerk. */
function correct() {
  const seat = studio.seat;
  const own = seat === null ? undefined : studio.frame?.characters[seat];
  if (!own) return;
  if (own.a && !wasAlive) {
    [yaw, pitch] = [own.y, 0];
    body = null;
  }
  wasAlive = own.a;
  if (!own.a) return void (body = null);
  const then = trail.find((one) => one.at >= performance.now() - 60) ?? trail[trail.length - 1];
  const off = body && then ? [own.p[0] - then.x, own.p[1] - then.y, own.p[2] - then.z] : null;
  if (!body || !off || Math.hypot(...off) > 2.5) {
    body = { x: own.p[0], y: own.p[1], z: own.p[2], vx: own.v[0], vy: own.v[1], vz: own.v[2], ground: true };
    trail = [];
    return;
  }
  const part = Math.hypot(...off) > 0.6 ? 0.5 : 0.12;
  body.x += off[0] * part;
  body.y += off[1] * part;
  body.z += off[2] * part;
  for (const one of trail) [one.x, one.y, one.z] = [one.x + off[0] * part, one.y + off[1] * part, one.z + off[2] * part];
}

/** What the hands do now. */
function wish() {
  const axis = (/** @type {string[]} */ plus, /** @type {string[]} */ minus) => Number(plus.some((k) => keys.has(k))) - Number(minus.some((k) => keys.has(k)));
  return { forward: axis(["KeyW", "ArrowUp"], ["KeyS", "ArrowDown"]), lateral: axis(["KeyA"], ["KeyD"]), jump: keys.has("Space") };
}

/** Moves the own body on, and says what the hands do. @returns {{p: number[], y: number, x: number} | null} */
export function predict() {
  const now = performance.now();
  if (!playing() || !studio.frame) return null;
  const hands = wish();
  studio.looks = [yaw, pitch];
  if (now - sent > 33) {
    sent = now;
    studio.link.say({ do: "input", seq: ++seq, yaw, pitch, ...hands, fire, weapon });
    weapon = null;
  }
  // Where rooms lie above rooms the browser does not know where a body can go: the own one is shown as others are, a tick late.
  if (studio.ground?.map.stage && studio.seat !== null) {
    const there = studio.between(studio.seat);
    return there && { p: there.p, y: yaw, x: pitch };
  }
  if (!body || !studio.ground || studio.frame.at.paused) return body && { p: [body.x, body.y, body.z], y: yaw, x: pitch };
  if (now - stepped > 300) stepped = now;
  const others = studio.frame.characters.filter((one, who) => one.a && who !== studio.seat).map((one) => one.p);
  while (now - stepped >= STEP * 1000) {
    stepped += STEP * 1000;
    const [c, s] = [Math.cos(yaw), Math.sin(yaw)];
    let [x, y] = [hands.forward * c - hands.lateral * s, hands.forward * s + hands.lateral * c];
    const fast = Math.hypot(x, y);
    if (fast > 1) [x, y] = [x / fast, y / fast];
    const run = studio.ground.rules.run_m_per_sec;
    studio.ground.move(body, x * run, y * run, hands.jump, STEP, others);
    trail.push({ at: now, x: body.x, y: body.y, z: body.z });
    if (trail.length > 20) trail.shift();
  }
  const part = (now - stepped) / 1000;
  return { p: [body.x + body.vx * part, body.y + body.vy * part, body.z], y: yaw, x: pitch };
}

/** @param {number} by */
function change(by) {
  const own = studio.seat === null ? 0 : studio.frame?.characters[studio.seat]?.w ?? 0;
  weapon = (own + by + 3) % 3;
}

canvas.addEventListener("click", () => {
  if (!playing()) return;
  audio ??= new AudioContext();
  if (document.pointerLockElement !== canvas) canvas.requestPointerLock?.()?.catch?.(() => {});
});
canvas.addEventListener("mousemove", (event) => {
  if (!playing() || (document.pointerLockElement !== canvas && !event.buttons)) return;
  yaw -= event.movementX * 0.0024;
  pitch = Math.max(-1.4, Math.min(1.4, pitch - event.movementY * 0.0024));
});
canvas.addEventListener("mousedown", (event) => { if (playing()) fire = event.button === 2 ? 2 : 1; });
addEventListener("mouseup", () => (fire = 0));
canvas.addEventListener("contextmenu", (event) => event.preventDefault());
canvas.addEventListener("wheel", (event) => { if (playing()) { change(Math.sign(event.deltaY)); event.preventDefault(); } }, { passive: false });
addEventListener("blur", () => { keys.clear(); fire = 0; });

/** A key while playing; whether it was one of ours. @param {KeyboardEvent} event @param {boolean} down */
export function playKey(event, down) {
  if (!playing() || studio.view !== "first" || /** @type {HTMLElement} */ (event.target).closest?.("input, select, textarea")) return false;
  const task = /^Digit([1-6])$/.exec(event.code);
  if (task) {
    if (!event.repeat) studio.link.say({ do: "label", task: down ? Number(task[1]) : null });
    return true;
  }
  if (down && event.code === "KeyQ") change(-1);
  if (down && event.code === "KeyE") change(1);
  if (down && event.code === "KeyP" && !event.repeat) joinPupil();
  if (/^(Key[WASDQEP]|Arrow(Up|Down)|Space)$/.test(event.code)) {
    if (down) keys.add(event.code);
    else keys.delete(event.code);
    return true;
  }
  return false;
}

export function drawHud() {
  const seat = studio.seat;
  hud.hidden = !playing() || studio.view !== "first";
  if (hud.hidden || seat === null) return;
  const own = studio.frame?.characters[seat];
  if (!own) return;
  const now = performance.now();
  const said = studio.frame?.at.lesson?.label;
  const mine = studio.mind?.who === seat ? studio.mind.own : null;
  const key = [own.a, own.h, own.w, own.f, mine?.ammo, said, now - hit < 150, now - hurt < 300, document.pointerLockElement === canvas].join();
  if (hud.dataset.key === key) return;
  hud.dataset.key = key;
  hud.replaceChildren(
    make("div", { className: `cross${now - hit < 150 ? " hit" : ""}` }), make("div", { className: "hurt", style: `opacity:${now - hurt < 300 ? 0.8 : 0}` }),
    make("div", { className: "health" }, make("small", {}, "health"), String(own.a ? own.h : 0)),
    make("div", { className: "arms" }, make("small", {}, `${own.f} frags`), `${["pistol", "shotgun", "rockets"][own.w]}${own.w && mine ? ` ${mine.ammo[own.w]}` : ""}`),
    studio.frame?.at.lesson ? make("div", { className: "labels" }, ...TASKS.map((task, k) => make("span", { className: said === task ? "said" : "" }, `${k + 1} ${words(task)}`))) : "",
    own.a ? "" : make("div", { className: "dead" }, "You will be back in a second"),
    own.a && document.pointerLockElement !== canvas ? make("div", { className: "lock" }, "Click to take the mouse") : "");
}

const lesson = make("div", {});
const kind = make("select", { "aria-label": "Which pupil" }, make("option", { value: "sequence" }, "tasks (Le Hy)"), make("option", { value: "imitation" }, "imitation (CHAMELEON)"));
const joinPupil = () => studio.link.say({ do: "pupil", kind: kind.value });
const name = make("input", { type: "text", value: "you", maxLength: 24, style: "width:110px", "aria-label": "Your name" });
const join = make("button", { id: "join", className: "main", onclick: () => { studio.link.say({ do: "join", name: name.value }); enter(); } }, "Enter this match");
const leave = make("button", { id: "leave", onclick: () => studio.link.say({ do: "leave" }) }, "Leave");
const teach = make("button", { id: "teach", className: "main", onclick: () => { studio.link.say({ do: "teach" }); canvas.focus(); } }, "Begin to teach");
const pupil = make("button", { id: "pupil", onclick: joinPupil }, "The pupil joins (P)");
const scores = make("p", { className: "soft" });

function enter() {
  document.querySelector("[data-view=first]")?.dispatchEvent(new Event("click"));
  canvas.focus();
}

const revised = make("div", { "aria-live": "polite" });
const should = make("select", { id: "should", "aria-label": "Task" }, ...TASKS.map((task) => make("option", { value: task }, words(task))));
/** @type {object | null} */ let undo = null;

/** @param {any} revision @param {any} back */
async function revise(revision, back) {
  const is = await studio.link.ask({ do: "revise", revision });
  undo = back;
  const list = (is.first ?? []).map((/** @type {any} */ one) => make("p", { className: "small" }, `${clock(one.tick)}: ${words(one.was)} → ${words(one.becomes)}`));
  revised.replaceChildren(make("p", { className: is.error ? "error" : "" }, is.error ?? `${is.changed} of ${is.of} decisions change.`), ...list, undo ? make("button", { onclick: () => revise(undo, null) }, "Undo") : "");
}

/** The second of the match that is looked at. */
const second = () => ({ from: studio.frame?.tick ?? 0, to: (studio.frame?.tick ?? 0) + 10 });

/** The number that is asked about: everything of a task, a value of a sensor, or the task before it. */
const which = make("select", { id: "which", "aria-label": "Which number of it" });
const numbers = () => {
  const is = studio.frame?.at.lesson;
  if (!is || which.childElementCount > 1) return;
  const all = [make("option", { value: "{}" }, "all of it")];
  for (const [sensor, values] of is.sensors ?? []) for (const value of values) all.push(make("option", { value: JSON.stringify({ reads: [sensor, value] }) }, `when ${words(sensor)} is ${words(value)}`));
  for (const task of is.tasks) all.push(make("option", { value: JSON.stringify({ after: task }) }, `after ${words(task)}`));
  which.replaceChildren(...all);
};

async function whence() {
  const what = JSON.parse(which.value || "{}");
  const is = await studio.link.ask({ do: "revise", revision: { what: "provenance", task: should.value, ...what } });
  const number = what.reads ? `P(${words(what.reads[0])} is ${words(what.reads[1])} | ${words(should.value)})` : `P(${words(should.value)} | ${words(what.after ?? "")} before)`;
  const said = is.number == null ? `What is known of ${words(should.value)}` : `${number} = ${is.number.toFixed(3)}, which`;
  revised.replaceChildren(make("p", { className: is.error ? "error" : "" }, is.error ?? `${said} comes from ${is.seconds.toFixed(1)} s of your play:`), ...(is.from ?? []).map((/** @type {number[]} */ [tick, ticks]) => make("div", { className: "row small" }, make("button", { onclick: () => studio.link.say({ do: "seek", tick }) }, clock(tick)), make("span", { className: "grow" }, `${(ticks / 10).toFixed(1)} s`), make("button", { onclick: () => revise({ what: "forget", from: tick, to: tick + 10, forget: true }, { what: "forget", from: tick, to: tick + 10, forget: false }) }, "Forget"))));
}

const past = panel("past", "Teach at a past moment", make("div", { className: "row" }, "in this second you should have done", should), make("div", { className: "row" }, make("button", { id: "correct", onclick: () => revise({ what: "correct", ...second(), task: should.value }, { what: "correct", ...second(), task: null }) }, "Correct"), make("button", { id: "whence", onclick: whence }, "Where does it know this from?"), which), revised);

export const play = [
  panel("play", "Play", make("div", { className: "row" }, name, join, leave), make("p", { className: "small" }, "WASD run · mouse look · click fire · space jump · Q E weapon · Esc lets go of the mouse"), scores),
  panel("teach", "Teach", make("div", { className: "row" }, teach, kind, pupil), lesson),
  past,
];

function showLesson() {
  const is = studio.frame?.at.lesson;
  [join.hidden, name.hidden, leave.hidden] = [studio.seat !== null, studio.seat !== null, studio.seat === null];
  teach.disabled = studio.seat === null;
  scores.textContent = studio.hello?.recording ?? "";
  if (!is) {
    pupil.disabled = true;
    return void lesson.replaceChildren(make("p", { className: "soft" }, studio.seat === null ? "Enter the match first: a pupil learns from what you do." : "Begin to teach, then play. Hold 1 to 6 to say what you are doing."));
  }
  numbers();
  pupil.disabled = !is.ready[kind.value];
  pupil.textContent = is.pupil === null ? "The pupil joins (P)" : "Take up what was learned (P)";
  const bars = is.tasks.map((/** @type {string} */ task, /** @type {number} */ k) => make("div", { className: "share" }, make("span", {}, words(task)), make("div", { className: "bar" }, make("i", { style: `width:${100 * (is.recognised[k] ?? 0)}%;background:${studio.taskColour(task)}` })), make("span", { className: "soft" }, is.label === task ? "said" : `${Math.round(100 * (is.recognised[k] ?? 0))} %`)));
  const curve = is.curve.map((/** @type {number[]} */ [, nats]) => nats.toFixed(2)).slice(-6).join(", ");
  const lives = is.surprise.map((/** @type {number} */ nats) => nats.toFixed(2)).slice(-6).join(", ");
  lesson.replaceChildren(make("p", {}, `${(is.ticks / 10).toFixed(0)} s learned, ${(is.told / 10).toFixed(0)} s of them told`), ...bars,
    make("p", { className: "small" }, make("b", {}, "tasks: "), curve ? `ln P per tick, each 25 s before they were learned: ${curve}` : "a first figure after 25 s"),
    make("p", { className: "small" }, make("b", {}, "imitation: "), lives ? `ln P per tick of each stretch before it was learned: ${lives}` : "a first figure after a life or half a minute"),
    is.alike ? make("p", { className: "small" }, make("b", {}, "moves: "), is.alike.pupil ? `the pupil is ${degrees(is.alike.pupil)} from you, and you are ${degrees(is.alike.itself)} from yourself at another time (velocity to facing, facing, velocity)` : `you are ${degrees(is.alike.itself)} from yourself at another time; the pupil has not moved for ten seconds yet`) : "",
    is.failed ? make("p", { className: "error" }, is.failed) : "");
}

/** @param {number[]} apart */
const degrees = (apart) => `${apart.map((angle) => angle.toFixed(1)).join(", ")}°`;

studio.addEventListener("frame", () => {
  correct();
  if (playing()) studio.frame?.events.forEach(hear);
  showLesson();
});
studio.addEventListener("hello", () => {
  if (studio.seat !== null && studio.follow !== studio.seat) studio.setFollow(studio.seat);
  showLesson();
});
