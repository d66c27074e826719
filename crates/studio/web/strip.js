// The strip under the picture: what everybody did when, and the slider over the whole match.

import { clock, studio, words } from "./state.js";

const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById("strip"));
const NAMES = 118;

/** Ticks across the strip. */
const span = () => Math.max(300, studio.frame?.at.end ?? 0);

export function drawStrip() {
  const frame = studio.frame;
  if (!frame) return;
  const ratio = Math.min(2, devicePixelRatio);
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (canvas.width !== Math.round(width * ratio)) [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
  const draw = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const style = getComputedStyle(document.documentElement);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(name);
  draw.setTransform(ratio, 0, 0, ratio, 0, 0);
  draw.clearRect(0, 0, width, height);
  const shown = frame.characters.map((character, who) => ({ character, who })).filter(({ character }) => !character.out);
  const rows = Math.max(1, shown.length);
  const high = Math.min(20, (height - 16) / rows);
  const x = (/** @type {number} */ tick) => NAMES + (tick / span()) * (width - NAMES - 6);
  draw.font = "12px system-ui, sans-serif";
  draw.textBaseline = "middle";
  shown.forEach(({ character, who }, row) => {
    const y = 14 + row * high;
    draw.fillStyle = studio.colour(who);
    draw.beginPath();
    draw.arc(6, y + high / 2, 4, 0, 7);
    draw.fill();
    draw.fillStyle = colour(who === studio.follow ? "--ink" : "--soft");
    draw.fillText(character.n.length > 15 ? `${character.n.slice(0, 14)}…` : character.n, 15, y + high / 2 + 0.5);
    draw.fillStyle = colour("--fill");
    draw.fillRect(NAMES, y + 1.5, width - NAMES - 6, high - 3);
    const stretches = studio.history.stretches[who] ?? [];
    stretches.forEach(([from, task], k) => {
      const until = stretches[k + 1]?.[0] ?? frame.at.end + 1;
      draw.fillStyle = studio.taskColour(task);
      const [left, right] = [x(from), x(until)];
      draw.fillRect(left, y + 1.5, Math.max(0.6, right - left), high - 3);
      if (right - left > 54 && task) {
        draw.fillStyle = "#fff";
        draw.fillText(words(task), left + 4, y + high / 2 + 0.5, right - left - 6);
      }
    });
    draw.fillStyle = colour("--ink");
    for (const [tick, dead] of studio.history.deaths) if (dead === who) draw.fillRect(x(tick) - 1, y, 2, high);
  });
  draw.fillStyle = colour("--soft");
  const step = [50, 100, 300, 600, 1200, 3000, 6000, 18000].find((ticks) => span() / ticks < 14) ?? 36000;
  draw.font = "11px system-ui, sans-serif";
  for (let tick = 0; tick <= span(); tick += step) draw.fillText(clock(tick).replace(/\.0$/, ""), x(tick), 6);
  draw.fillStyle = colour("--accent");
  draw.fillRect(x(frame.tick) - 1, 0, 2.5, height);
  canvas.setAttribute("aria-valuemax", String(frame.at.end));
  canvas.setAttribute("aria-valuenow", String(frame.tick));
  canvas.setAttribute("aria-valuetext", `${clock(frame.tick)} of ${clock(frame.at.end)}`);
}

let asked = -1;
/** @param {PointerEvent} event */
function seek(event) {
  const box = canvas.getBoundingClientRect();
  const part = (event.clientX - box.left - NAMES) / (box.width - NAMES - 6);
  const tick = Math.round(Math.max(0, Math.min(1, part)) * span());
  if (tick !== asked && tick <= (studio.frame?.at.end ?? 0)) studio.link.say({ do: "seek", tick: (asked = tick) });
}

canvas.addEventListener("pointerdown", (event) => {
  canvas.setPointerCapture(event.pointerId);
  asked = -1;
  seek(event);
});
canvas.addEventListener("pointermove", (event) => {
  if (event.buttons) seek(event);
});
canvas.addEventListener("keydown", (event) => {
  const by = { ArrowLeft: -1, ArrowRight: 1, PageUp: -100, PageDown: 100 }[event.key];
  if (by) studio.link.say({ do: "step", by });
  else if (event.key === "Home") studio.link.say({ do: "seek", tick: 0 });
  else if (event.key === "End") studio.link.say({ do: "seek", tick: studio.frame?.at.end ?? 0 });
  else return;
  event.preventDefault();
  event.stopPropagation();
});
