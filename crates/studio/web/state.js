// What the page knows: the match, the last frames, who is followed. Panels read it and listen to its events.

import { Link } from "./link.js";
import { Ground } from "./ground.js";

/** @typedef {{a: boolean, out: boolean, p: number[], v: number[], y: number, x: number, h: number, w: number, t: string, f: number, d: number, s: number, hit: number, n: string}} Character */
/** @typedef {{tick: number, at: any, characters: Character[], items: string, shots: number[][][], lifts: number[], events: any[], arrived: number}} Frame */

/** Colours that people who see few colours can tell apart (Okabe and Ito). */
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6bb1", "#7a7a7a", "#b2182b", "#4d9221"];
/** @type {Record<string, string>} */
const TASKS = { attack: "#c8553d", hunt: "#e08e45", flee: "#6a4c93", ambush: "#8a6552", health_search: "#3a9d5d", weapon_search: "#c9a227", explore: "#4f86c6", detect_danger: "#b56a9c", fetch: "#3a9d5d", wander: "#4f86c6", stand: "#8d99ae" };

class Studio extends EventTarget {
  link = new Link();
  /** @type {any} */ hello = null;
  /** @type {Ground | null} */ ground = null;
  /** @type {Frame | null} */ frame = null;
  /** @type {Frame | null} */ before = null;
  /** @type {any} */ mind = null;
  /** @type {any} */ mindBefore = null;
  /** @type {number | null} */ follow = null;
  /** @type {"top" | "first"} */ view = "top";
  /** @type {any} */ futures = null;
  /** The last frame in first person: where the own body was drawn, and how many there were. Whoever measures is told. @type {{p: number[], frames: number, tell: ((p: number[], now: number) => void) | null} | null} */ drawn = null;
  /** Whether there is sound. */ hasSound = () => false;
  /** Where the person at this browser looks: yaw and pitch. @type {[number, number]} */ looks = [0, 0];
  /** @type {{stretches: [number, string][][], deaths: [number, number][]}} */ history = { stretches: [], deaths: [] };

  /** A frame was drawn from the own eyes. @param {number[]} p */
  drew(p) {
    this.drawn = { p, frames: (this.drawn?.frames ?? 0) + 1, tell: this.drawn?.tell ?? null };
    this.drawn.tell?.(p, performance.now());
  }

  start() {
    const link = this.link;
    link.addEventListener("hello", (event) => this.#greet(/** @type {CustomEvent} */ (event).detail));
    link.addEventListener("frame", (event) => this.#take(/** @type {CustomEvent} */ (event).detail));
    link.addEventListener("mind", (event) => {
      this.mindBefore = this.mind;
      this.mind = /** @type {CustomEvent} */ (event).detail;
      this.#tell("mind");
    });
    link.addEventListener("refused", (event) => this.notice(/** @type {CustomEvent} */ (event).detail.what));
    link.addEventListener("closed", (event) => this.notice(`The connection was lost${/** @type {CustomEvent} */ (event).detail ? `: ${/** @type {CustomEvent} */ (event).detail}` : ""}. Trying again…`));
    link.open();
  }

  /** @param {any} hello */
  async #greet(hello) {
    const isNew = !this.hello || this.hello.mapName !== hello.mapName || this.hello.number !== hello.number;
    this.hello = hello;
    if (isNew) {
      this.ground = new Ground(hello.map, hello.rules);
      this.history = { stretches: [], deaths: [] };
      this.futures = null;
    }
    if (this.follow !== null) this.link.say({ do: "follow", who: this.follow });
    this.notice(null);
    this.#tell("hello");
    this.history = await this.link.ask({ do: "history" });
    this.#tell("history");
  }

  /** @param {Frame} frame */
  #take(frame) {
    if (this.hello && frame.at.number !== this.hello.number) this.link.say({ do: "hello" });
    frame.arrived = performance.now();
    this.before = this.frame;
    this.frame = frame;
    if (frame.at.live && !frame.at.paused) this.futures = null;
    this.#note(frame);
    this.#tell("frame");
  }

  /** Keeps the strip up to date without asking again. @param {Frame} frame */
  #note(frame) {
    if (!frame.at.live || (this.before && this.before.at.end > frame.at.end)) return this.#refresh(frame);
    frame.characters.forEach((character, who) => {
      const stretches = (this.history.stretches[who] ??= []);
      const last = stretches[stretches.length - 1];
      const task = character.a ? character.t : "";
      if ((!last || last[1] !== task) && (!last || last[0] < frame.tick)) stretches.push([frame.tick, task]);
    });
    for (const event of frame.events) if (event.event === "died") this.history.deaths.push([frame.tick, event.who]);
  }

  /** @param {Frame} frame */
  async #refresh(frame) {
    if (!this.before || this.before.at.end === frame.at.end) return;
    this.history = await this.link.ask({ do: "history" });
    this.#tell("history");
  }

  /** @param {string} name */
  #tell(name) {
    this.dispatchEvent(new Event(name));
  }

  /** @param {number | null} who */
  setFollow(who) {
    this.follow = who;
    this.mind = this.mindBefore = null;
    this.link.say({ do: "follow", who });
    this.#tell("follow");
    this.#tell("mind");
  }

  /** @param {string | null} text */
  notice(text) {
    const notice = /** @type {HTMLElement} */ (document.getElementById("notice"));
    notice.hidden = !text;
    notice.textContent = text ?? "";
  }

  /** The seat of the person at this browser. @returns {number | null} */
  get seat() {
    return this.hello?.seat ?? null;
  }

  /** Where a character is between the last two frames. @param {number} who @returns {{p: number[], y: number, x: number} | null} */
  between(who) {
    const now = this.frame?.characters[who];
    if (!this.frame || !now) return null;
    const then = this.before?.characters[who];
    const follows = this.before && this.frame.tick > this.before.tick && this.frame.tick - this.before.tick < 5;
    if (!then || !follows || this.frame.at.paused || !then.a || !now.a) return now;
    const period = (this.hello?.period ?? 0.1) * (this.frame.tick - /** @type {Frame} */ (this.before).tick) * 1000 / this.frame.at.speed;
    const part = Math.min(1.1, (performance.now() - this.frame.arrived) / period);
    const jumped = Math.hypot(now.p[0] - then.p[0], now.p[1] - then.p[1]) > 4;
    if (jumped) return now;
    const turn = Math.atan2(Math.sin(now.y - then.y), Math.cos(now.y - then.y));
    return { p: then.p.map((value, axis) => value + (now.p[axis] - value) * part), y: then.y + turn * part, x: then.x + (now.x - then.x) * part };
  }

  /** @param {number} who */
  colour(who) {
    return COLOURS[who % COLOURS.length];
  }

  /** @param {string} task */
  taskColour(task) {
    if (!task) return "transparent";
    if (TASKS[task]) return TASKS[task];
    let sum = 0;
    for (const letter of task) sum = (sum * 31 + letter.charCodeAt(0)) % 360;
    return `hsl(${sum} 45% 55%)`;
  }

  /** @param {number} who */
  name(who) {
    return this.frame?.characters[who]?.n ?? this.hello?.cast[who]?.name ?? `${who}`;
  }
}

export const studio = new Studio();

/** A time as minutes and seconds. @param {number} tick */
export function clock(tick) {
  const tenths = Math.round(tick * (studio.hello?.period ?? 0.1) * 10);
  return `${Math.floor(tenths / 600)}:${String(Math.floor(tenths / 10) % 60).padStart(2, "0")}.${tenths % 10}`;
}

/** Names of tasks are written with underscores in data. @param {string} name */
export const words = (name) => name.replaceAll("_", " ");

/** Makes an element. @param {string} tag @param {Record<string, any>} [set] @param {...(Node | string | null)} children @returns {any} */
export function make(tag, set = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(set)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && name !== "role" && name !== "list") /** @type {any} */ (element)[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}
