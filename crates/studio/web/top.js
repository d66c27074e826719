// The map from above, on a canvas: floors, items, characters; belief, attention and futures of who is followed.

import { studio } from "./state.js";

const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById("top"));
const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
/** @type {HTMLCanvasElement | null} */ let paper = null;
let paperFor = "";
/** Pixels a metre, and where the map's corner is. */
let scale = 1;
let left = 0;
let bottom = 0;

/** @param {string} name */
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** @param {number} x @param {number} y @returns {[number, number]} */
const at = (x, y) => [left + x * scale, bottom - y * scale];

/** Where a point of the page is on the map. @param {number} clientX @param {number} clientY @returns {[number, number]} */
export function onMap(clientX, clientY) {
  const box = canvas.getBoundingClientRect();
  const ratio = canvas.width / box.width;
  return [((clientX - box.left) * ratio - left) / scale, (bottom - (clientY - box.top) * ratio) / scale];
}

/** Who is at a point of the page. @param {number} clientX @param {number} clientY @returns {number | null} */
export function whoAt(clientX, clientY) {
  const [x, y] = onMap(clientX, clientY);
  let best = 1.6;
  /** @type {number | null} */ let who = null;
  studio.frame?.characters.forEach((character, number) => {
    const far = Math.hypot(character.p[0] - x, character.p[1] - y);
    if (character.a && far < best) [best, who] = [far, number];
  });
  return who;
}

/** @param {string} low @param {string} high @param {number} part */
function mix(low, high, part) {
  const channels = (/** @type {string} */ hex) => [1, 3, 5].map((from) => parseInt(hex.slice(from, from + 2), 16));
  const [a, b] = [channels(low), channels(high)];
  return `rgb(${a.map((value, k) => Math.round(value + (b[k] - value) * part)).join(",")})`;
}

function drawPaper() {
  const ground = studio.ground;
  if (!ground) return;
  const ratio = Math.min(2, devicePixelRatio);
  const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
  const theme = document.documentElement.dataset.theme ?? "";
  const wanted = `${width}x${height} ${theme} ${studio.hello.number} ${studio.hello.mapName}`;
  if (wanted === paperFor && paper) return;
  paperFor = wanted;
  [canvas.width, canvas.height] = [width, height];
  const pad = 26 * ratio;
  const topPad = 54 * ratio;
  const [w, h] = [ground.high[0] - ground.low[0], ground.high[1] - ground.low[1]];
  scale = Math.min((width - 2 * pad) / w, (height - pad - topPad) / h);
  left = (width - w * scale) / 2 - ground.low[0] * scale;
  bottom = topPad + (height - topPad - pad + h * scale) / 2 + ground.low[1] * scale;
  paper = document.createElement("canvas");
  [paper.width, paper.height] = [width, height];
  const draw = /** @type {CanvasRenderingContext2D} */ (paper.getContext("2d"));
  const heights = ground.areas.map((area) => area[0] + area[1] * (ground.low[0] + w / 2) + area[2] * (ground.low[1] + h / 2));
  const [low, high] = [Math.min(...heights), Math.max(...heights)];
  ground.areas.forEach((area, number) => {
    const part = high > low ? (heights[number] - low) / (high - low) : 0.6;
    draw.fillStyle = draw.strokeStyle = area[4] > 0 ? mix("#b4442c", "#e0a08f", 0.4) : mix(colour("--floor-low"), colour("--floor-high"), part);
    for (const [x0, x1, x2, x3, y0, y1] of ground.slices(number)) {
      draw.beginPath();
      for (const [x, y] of [at(x0, y0), at(x1, y0), at(x3, y1), at(x2, y1)]) draw.lineTo(x, y);
      draw.closePath();
      draw.fill();
      draw.stroke();
    }
  });
  for (const [ax, ay, bx, by, right, leftArea, fence, exit] of ground.lines) {
    const isWall = leftArea === null;
    const step = isWall ? 9 : Math.abs(ground.floor(right, ax, ay) - ground.floor(leftArea, ax, ay));
    if (!isWall && step < 0.05 && !fence && exit === null) continue;
    draw.strokeStyle = exit !== null ? "#8c6bb1" : colour("--wall");
    draw.globalAlpha = isWall ? 1 : exit !== null ? 0.9 : Math.min(0.6, 0.15 + step / 4);
    draw.lineWidth = (isWall ? 2 : 1) * ratio;
    draw.beginPath();
    draw.moveTo(...at(ax, ay));
    draw.lineTo(...at(bx, by));
    draw.stroke();
  }
}

/** @param {string} item */
const sign = (item) => (item === "health" ? ["+", "#1e8f4e"] : item.endsWith("weapon") ? [item.startsWith("strong") ? "R" : "S", "#a4570b"] : ["·", "#a4570b"]);

function drawItems() {
  const frame = studio.frame;
  const size = Math.max(9, scale * 0.9);
  studio.ground?.map.items.forEach((/** @type {[string, number[]]} */ [item, p], /** @type {number} */ spot) => {
    const there = frame?.items[spot] === "1";
    const [letter, ink] = sign(item);
    const [x, y] = at(p[0], p[1]);
    context.globalAlpha = there ? 1 : 0.25;
    context.fillStyle = colour("--card");
    context.strokeStyle = ink;
    context.lineWidth = 1.5;
    context.beginPath();
    context.arc(x, y, letter === "·" ? size * 0.35 : size * 0.6, 0, 7);
    context.fill();
    context.stroke();
    context.fillStyle = ink;
    context.font = `700 ${size * 0.85}px sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    if (letter !== "·") context.fillText(letter, x, y + 1);
  });
  context.globalAlpha = 1;
}

function drawBelief() {
  const mind = studio.mind;
  if (!mind?.belief?.length || !studio.ground) return;
  const heat = colour("--heat");
  for (const [place, p] of mind.belief) {
    const [x, y] = at(studio.ground.map.places[place][0], studio.ground.map.places[place][1]);
    const radius = scale * 1.9;
    const glow = context.createRadialGradient(x, y, 0, x, y, radius);
    const strength = Math.min(0.75, 0.15 + Math.sqrt(p) * 0.75);
    glow.addColorStop(0, `rgba(${heat}, ${strength})`);
    glow.addColorStop(1, `rgba(${heat}, 0)`);
    context.fillStyle = glow;
    context.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
  }
  // The truth: where those are who are not seen.
  studio.frame?.characters.forEach((other, who) => {
    if (who === mind.who || !other.a || mind.sees?.includes(who)) return;
    const [x, y] = at(other.p[0], other.p[1]);
    context.strokeStyle = `rgb(${heat})`;
    context.setLineDash([4, 4]);
    context.lineWidth = 2;
    context.beginPath();
    context.arc(x, y, scale * 1.1 + 4, 0, 7);
    context.stroke();
    context.setLineDash([]);
  });
}

function drawAttention() {
  const mind = studio.mind;
  const own = mind?.alive && studio.between(mind.who);
  if (!own || !studio.frame) return;
  const [x, y] = at(own.p[0], own.p[1]);
  context.lineCap = "round";
  for (const [spot, present] of mind.items ?? []) {
    const p = studio.ground?.map.items[spot][1];
    context.globalAlpha = present ? 0.45 : 0.15;
    context.strokeStyle = "#a4570b";
    context.lineWidth = 1;
    line(x, y, ...at(p[0], p[1]));
  }
  for (const who of mind.sees ?? []) {
    const other = studio.between(who);
    if (!other) continue;
    context.globalAlpha = 0.9;
    context.strokeStyle = studio.colour(who);
    context.lineWidth = 2.5;
    line(x, y, ...at(other.p[0], other.p[1]));
  }
  // A learned mind attends to some things more than to others: the thicker, the more.
  context.strokeStyle = studio.colour(mind.who);
  for (const [, yaw, far, share] of mind.attends ?? []) {
    context.globalAlpha = 0.25 + 0.6 * share;
    context.lineWidth = 1 + 7 * share;
    line(x, y, ...at(own.p[0] + Math.min(far, 60) * Math.cos(own.y + yaw), own.p[1] + Math.min(far, 60) * Math.sin(own.y + yaw)));
  }
  context.globalAlpha = 0.5;
  context.strokeStyle = colour("--ink");
  for (const [, yaw, loud] of mind.noises ?? []) {
    context.lineWidth = 1 + 3 * loud;
    context.beginPath();
    context.arc(x, y, scale * 2.2, -(own.y + yaw) - 0.25, -(own.y + yaw) + 0.25);
    context.stroke();
  }
  context.globalAlpha = 0.13;
  context.fillStyle = studio.colour(mind.who);
  context.beginPath();
  context.moveTo(x, y);
  context.arc(x, y, scale * 14, -own.y - Math.PI / 4, -own.y + Math.PI / 4);
  context.fill();
  context.globalAlpha = 1;
}

/** @param {number} ax @param {number} ay @param {number} bx @param {number} by */
function line(ax, ay, bx, by) {
  context.beginPath();
  context.moveTo(ax, ay);
  context.lineTo(bx, by);
  context.stroke();
}

function drawFutures() {
  if (!studio.futures) return;
  for (const [future, dash, width] of /** @type {[any, number[], number][]} */ ([[studio.futures.was, [], 2], [studio.futures.would, [7, 5], 3]])) {
    future.ticks[0].forEach((/** @type {any} */ _, /** @type {number} */ who) => {
      context.strokeStyle = studio.colour(who);
      context.lineWidth = width;
      context.setLineDash(dash);
      context.globalAlpha = 0.85;
      context.beginPath();
      let pen = false;
      for (const tick of future.ticks) {
        const { alive, at: p } = tick[who];
        if (!alive) pen = false;
        else if (pen) context.lineTo(...at(p[0], p[1]));
        else {
          context.moveTo(...at(p[0], p[1]));
          pen = true;
        }
      }
      context.stroke();
    });
  }
  context.setLineDash([]);
  context.globalAlpha = 1;
}

function drawCharacters() {
  const frame = studio.frame;
  if (!frame) return;
  const radius = Math.max(5, scale * 0.55);
  for (const [p] of frame.shots) {
    context.fillStyle = "#e24a18";
    context.beginPath();
    context.arc(...at(p[0], p[1]), Math.max(2.5, scale * 0.2), 0, 7);
    context.fill();
  }
  frame.characters.forEach((character, who) => {
    if (character.out) return;
    const seen = studio.between(who);
    if (!seen) return;
    const [x, y] = at(seen.p[0], seen.p[1]);
    if (!character.a) {
      context.strokeStyle = studio.colour(who);
      context.lineWidth = 2;
      line(x - radius * 0.6, y - radius * 0.6, x + radius * 0.6, y + radius * 0.6);
      line(x - radius * 0.6, y + radius * 0.6, x + radius * 0.6, y - radius * 0.6);
      return;
    }
    context.fillStyle = studio.colour(who);
    context.beginPath();
    context.moveTo(x + Math.cos(seen.y) * radius * 2, y - Math.sin(seen.y) * radius * 2);
    context.arc(x, y, radius, -seen.y + 0.7, -seen.y - 0.7 + 2 * Math.PI);
    context.fill();
    context.lineWidth = who === studio.follow ? 3 : 1.5;
    context.strokeStyle = who === studio.follow ? colour("--ink") : "#fff";
    context.beginPath();
    context.arc(x, y, radius, 0, 7);
    context.stroke();
    const bar = radius * 2.4;
    context.fillStyle = "#0006";
    context.fillRect(x - bar / 2, y - radius - 8, bar, 3.5);
    context.fillStyle = character.h > 50 ? "#2ea56a" : character.h > 25 ? "#d79a1b" : "#cc3d2b";
    context.fillRect(x - bar / 2, y - radius - 8, (bar * character.h) / 100, 3.5);
    context.font = "600 12px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "bottom";
    context.lineWidth = 3;
    context.strokeStyle = colour("--card");
    context.fillStyle = colour("--ink");
    context.strokeText(character.n, x, y - radius - 10);
    context.fillText(character.n, x, y - radius - 10);
  });
}

export function drawTop() {
  drawPaper();
  if (!paper) return;
  context.globalAlpha = 1;
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.drawImage(paper, 0, 0);
  const shows = (/** @type {string} */ id) => /** @type {HTMLInputElement} */ (document.getElementById(id)).checked;
  if (shows("show-belief")) drawBelief();
  drawItems();
  if (shows("show-attention")) drawAttention();
  drawFutures();
  drawCharacters();
}
