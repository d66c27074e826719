"use strict";
const find = (id) => document.getElementById(id);
const clips = DATA.clips, store = "repertoire-clips-" + DATA.pack;
let answers = {};
try { answers = JSON.parse(localStorage.getItem(store) || "{}"); } catch { /* a page from disk may have no storage */ }
let shown = 0, secs = 0, last = 0;

/* Where everybody is between two frames: centimetres and tenths of a degree become metres and radians. */
function bodies(clip, secs) {
  const exact = Math.min(secs / DATA.frameSecs, clip.frames.length - 1);
  const k = Math.floor(exact), part = exact - k;
  const before = clip.frames[k], after = clip.frames[Math.min(k + 1, clip.frames.length - 1)];
  return before.map((a, who) => {
    const b = after[who] || a;
    if (!a) return null;
    const mix = (i) => (a[i] + (b[i] - a[i]) * part) / 100;
    const turn = ((b[3] - a[3] + 5400) % 3600 + 3600) % 3600 - 1800;
    return { x: mix(0), y: mix(1), z: mix(2), yaw: (a[3] + turn * part) / 10 * Math.PI / 180 };
  });
}

/* Through their eyes: flat faces with a depth buffer, others as pillars. */
const gl = find("eyes").getContext("webgl2", { antialias: true, preserveDrawingBuffer: true });
const SHADERS = [
  `#version 300 es
  in vec3 at; in vec3 tone; uniform vec3 eye; uniform vec2 look; uniform float aspect; out vec3 shade; out float far;
  void main() {
    vec3 d = at - eye;
    float ahead = d.x * look.x + d.y * look.y, side = d.x * look.y - d.y * look.x;
    shade = tone; far = length(d);
    gl_Position = vec4(side, d.z * aspect, ahead * 1.0002 - 0.1, ahead);
  }`,
  `#version 300 es
  precision mediump float;
  in vec3 shade; in float far; out vec4 colour;
  void main() { colour = vec4(shade * (0.35 + 0.65 / (1.0 + far * 0.04)), 1.0); }`];
let program = null, places = {};
const meshes = new Map();
function prepare() {
  program = gl.createProgram();
  SHADERS.forEach((text, k) => {
    const shader = gl.createShader(k ? gl.FRAGMENT_SHADER : gl.VERTEX_SHADER);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  });
  gl.linkProgram(program);
  for (const name of ["eye", "look", "aspect"]) places[name] = gl.getUniformLocation(program, name);
}
function corner(out, p, tone) { out.push(p[0], p[1], p[2], tone[0], tone[1], tone[2]); }
function fan(out, points, tone) {
  for (let k = 1; k + 1 < points.length; k++) {
    corner(out, points[0], tone); corner(out, points[k], tone); corner(out, points[k + 1], tone);
  }
}
function mesh(index) {
  if (meshes.has(index)) return meshes.get(index);
  const out = [], scene = DATA.scenes[index];
  for (const face of scene ? scene.faces : []) {
    const points = [];
    for (let k = 0; k < face.length; k += 3) points.push([face[k] / 100, face[k + 1] / 100, face[k + 2] / 100]);
    const [a, b, c] = points;
    const u = [b[0] - a[0], b[1] - a[1], b[2] - a[2]], v = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.hypot(...n) || 1;
    const light = 0.5 + 0.25 * Math.abs(n[0] / length) + 0.1 * Math.abs(n[1] / length);
    const flat = Math.abs(n[2] / length) > 0.7;
    fan(out, points, flat ? [0.42 * light, 0.40 * light, 0.36 * light] : [0.72 * light, 0.68 * light, 0.62 * light]);
  }
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(out), gl.STATIC_DRAW);
  meshes.set(index, { buffer, count: out.length / 6 });
  return meshes.get(index);
}
function pillar(out, body, eye) {
  const low = body.z - (1.6 - eye), high = low + 1.8, r = 0.4;
  const ring = [[-r, -r], [r, -r], [r, r], [-r, r]].map(([x, y]) => [body.x + x, body.y + y]);
  ring.forEach((a, k) => {
    const b = ring[(k + 1) % 4], tone = k % 2 ? [0.85, 0.42, 0.12] : [0.7, 0.32, 0.08];
    fan(out, [[a[0], a[1], low], [b[0], b[1], low], [b[0], b[1], high], [a[0], a[1], high]], tone);
  });
  fan(out, ring.map(([x, y]) => [x, y, high]), [0.95, 0.6, 0.3]);
}
function draw(buffer, count) {
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  ["at", "tone"].forEach((name, k) => {
    const place = gl.getAttribLocation(program, name);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 24, 12 * k);
  });
  gl.drawArrays(gl.TRIANGLES, 0, count);
}
let moving = null;
function eyes(clip, all) {
  if (!gl) return;
  if (!program) prepare();
  const canvas = gl.canvas, own = all[0], scene = DATA.scenes[clip.scene];
  const eye = scene ? scene.eye / 100 : 1.6;
  gl.viewport(0, 0, canvas.width, canvas.height);
  gl.disable(gl.SCISSOR_TEST);
  gl.clearColor(0.55, 0.66, 0.78, 1);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  gl.enable(gl.SCISSOR_TEST);
  gl.scissor(0, 0, canvas.width, canvas.height / 2);
  gl.clearColor(0.30, 0.29, 0.27, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.disable(gl.SCISSOR_TEST);
  gl.enable(gl.DEPTH_TEST);
  gl.useProgram(program);
  gl.uniform3f(places.eye, own.x, own.y, own.z + eye);
  gl.uniform2f(places.look, Math.cos(own.yaw), Math.sin(own.yaw));
  gl.uniform1f(places.aspect, canvas.width / canvas.height);
  const map = mesh(clip.scene);
  if (map.count) draw(map.buffer, map.count);
  const out = [];
  all.slice(1).forEach((body) => body && pillar(out, body, eye));
  moving = moving || gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, moving);
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(out), gl.DYNAMIC_DRAW);
  if (out.length) draw(moving, out.length / 6);
}

/* From above: walls, everybody as an arrow, and where the one to judge has been. */
const flat = find("above").getContext("2d");
function above(clip, all, secs) {
  const { width, height } = flat.canvas, scene = DATA.scenes[clip.scene];
  const ink = getComputedStyle(document.body).color;
  let box = [Infinity, Infinity, -Infinity, -Infinity];
  const grow = (x, y) => { box = [Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x), Math.max(box[3], y)]; };
  if (scene && scene.walls.length) for (const w of scene.walls) { grow(w[0] / 100, w[1] / 100); grow(w[2] / 100, w[3] / 100); }
  else for (const frame of clip.frames) for (const b of frame) if (b) grow(b[0] / 100, b[1] / 100);
  const scale = Math.min(width / (box[2] - box[0] + 2), height / (box[3] - box[1] + 2));
  const at = (x, y) => [width / 2 + (x - (box[0] + box[2]) / 2) * scale, height / 2 - (y - (box[1] + box[3]) / 2) * scale];
  flat.clearRect(0, 0, width, height);
  flat.strokeStyle = ink; flat.lineWidth = 1; flat.globalAlpha = 0.55;
  flat.beginPath();
  for (const w of scene ? scene.walls : []) { flat.moveTo(...at(w[0] / 100, w[1] / 100)); flat.lineTo(...at(w[2] / 100, w[3] / 100)); }
  flat.stroke();
  flat.globalAlpha = 1; flat.strokeStyle = "#1f6fd0"; flat.lineWidth = 2;
  flat.beginPath();
  const now = Math.floor(secs / DATA.frameSecs);
  for (let k = Math.max(0, now - 30); k <= Math.min(now, clip.frames.length - 1); k++) {
    const b = clip.frames[k][0];
    if (b) flat.lineTo(...at(b[0] / 100, b[1] / 100));
  }
  flat.stroke();
  all.forEach((body, who) => {
    if (!body) return;
    const [x, y] = at(body.x, body.y), size = 9;
    const tip = (turn, far) => [x + Math.cos(body.yaw + turn) * far, y - Math.sin(body.yaw + turn) * far];
    flat.beginPath(); flat.moveTo(...tip(0, size)); flat.lineTo(...tip(2.5, size)); flat.lineTo(...tip(-2.5, size)); flat.closePath();
    if (who === 0) { flat.fillStyle = "#1f6fd0"; flat.fill(); } else { flat.strokeStyle = "#c8500e"; flat.stroke(); }
  });
}

function frame(now) {
  const clip = clips[shown], length = (clip.frames.length - 1) * DATA.frameSecs;
  if (last) secs = Math.min(secs + (now - last) / 1000 * (find("slow").checked ? 0.5 : 1), length);
  last = now;
  const all = bodies(clip, secs);
  eyes(clip, all);
  above(clip, all, secs);
  find("time").value = secs / length;
  requestAnimationFrame(frame);
}

function open(index) {
  shown = Math.max(0, Math.min(clips.length - 1, index));
  secs = 0;
  const number = clips[shown].number, given = answers[number] || {};
  find("number").textContent = number;
  find("count").textContent = clips.length;
  document.querySelectorAll("input[name=verdict]").forEach((radio) => { radio.checked = radio.value === given.verdict; });
  find("because").value = given.because || "";
  find("back").disabled = shown === 0;
  find("next").textContent = shown + 1 < clips.length ? "Next" : "Done";
}
function keep() {
  const chosen = document.querySelector("input[name=verdict]:checked");
  if (chosen) answers[clips[shown].number] = { verdict: chosen.value, because: find("because").value };
  try { localStorage.setItem(store, JSON.stringify(answers)); } catch { /* kept until the page is closed */ }
  const left = clips.length - Object.keys(answers).length;
  find("said").textContent = left ? `${left} to go` : "All are judged: save your answers.";
}
function lines() {
  const judge = find("judge").value.trim();
  return clips.filter((clip) => answers[clip.number]).map((clip) =>
    JSON.stringify({ pack: DATA.pack, judge, clip: clip.number, ...answers[clip.number] }) + "\n").join("");
}
find("questions").addEventListener("submit", (event) => { event.preventDefault(); keep(); open(shown + 1); });
find("questions").addEventListener("change", keep);
find("back").addEventListener("click", () => { keep(); open(shown - 1); });
find("again").addEventListener("click", () => { secs = 0; });
find("save").addEventListener("click", () => {
  keep();
  const judge = find("judge").value.trim();
  if (!judge) { find("said").textContent = "A name first, so that your answers count once."; find("judge").focus(); return; }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([lines()], { type: "application/x-ndjson" }));
  link.download = `answers-${judge.replace(/[^\p{L}\p{N}]+/gu, "-")}.jsonl`;
  link.click();
  find("said").textContent = `Saved as ${link.download}. Send that file back.`;
});
open(0);
requestAnimationFrame(frame);
