// First person, with WebGL2: the level once, everything that moves as boxes. No textures, no libraries.

import { studio } from "./state.js";

const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById("first"));
/** @type {WebGL2RenderingContext | null} */ let gl = null;
/** @type {WebGLProgram} */ let program;
/** @type {Record<string, WebGLUniformLocation | null>} */ const uniforms = {};
/** @type {{array: WebGLVertexArrayObject, count: number} | null} */ let level = null;
/** @type {{array: WebGLVertexArrayObject, count: number} | null} */ let moving = null;
/** @type {{array: WebGLVertexArrayObject, count: number} | null} */ let box = null;
let levelFor = -1;
let liftsFor = "";

const VERTEX = `#version 300 es
layout(location=0) in vec3 position; layout(location=1) in vec3 normal; layout(location=2) in vec3 colour;
uniform mat4 view; uniform vec4 place; uniform vec3 size; uniform vec3 tint; uniform vec3 eye;
out vec3 shade; out float far;
void main() {
  float c = cos(place.w), s = sin(place.w);
  vec3 p = position * size;
  vec3 at = vec3(p.x * c - p.y * s, p.x * s + p.y * c, p.z) + place.xyz;
  vec3 n = vec3(normal.x * c - normal.y * s, normal.x * s + normal.y * c, normal.z);
  float light = 0.62 + 0.26 * dot(n, normalize(vec3(0.35, 0.5, 0.8))) + 0.12 * n.x;
  shade = colour * tint * light;
  far = length(at - eye);
  gl_Position = view * vec4(at, 1.0);
}`;
const FRAGMENT = `#version 300 es
precision mediump float;
in vec3 shade; in float far; uniform vec3 fog; out vec4 pixel;
void main() { pixel = vec4(mix(shade, fog, clamp((far - 12.0) / 70.0, 0.0, 0.85)), 1.0); }`;

function begin() {
  gl = canvas.getContext("webgl2", { antialias: true, powerPreference: "high-performance" });
  if (!gl) return false;
  program = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
    const shader = /** @type {WebGLShader} */ (gl.createShader(/** @type {number} */ (kind)));
    gl.shaderSource(shader, /** @type {string} */ (text));
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader) ?? "shader");
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  for (const name of ["view", "place", "size", "tint", "fog", "eye"]) uniforms[name] = gl.getUniformLocation(program, name);
  gl.enable(gl.DEPTH_TEST);
  const faces = [];
  for (const axis of [0, 1, 2]) {
    for (const side of [-0.5, 0.5]) {
      const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
      const corner = (/** @type {number} */ a, /** @type {number} */ b) => {
        const p = [0, 0, 0];
        [p[axis], p[u], p[v]] = [side, a, b];
        return p;
      };
      const normal = [0, 0, 0];
      normal[axis] = side * 2;
      for (const p of [corner(-0.5, -0.5), corner(0.5, -0.5), corner(0.5, 0.5), corner(-0.5, -0.5), corner(0.5, 0.5), corner(-0.5, 0.5)]) faces.push(...p, ...normal, 1, 1, 1);
    }
  }
  box = upload(faces);
  return true;
}

/** @param {number[]} numbers */
function upload(numbers) {
  const g = /** @type {WebGL2RenderingContext} */ (gl);
  const array = g.createVertexArray();
  g.bindVertexArray(array);
  g.bindBuffer(g.ARRAY_BUFFER, g.createBuffer());
  g.bufferData(g.ARRAY_BUFFER, new Float32Array(numbers), g.STATIC_DRAW);
  for (const place of [0, 1, 2]) {
    g.enableVertexAttribArray(place);
    g.vertexAttribPointer(place, 3, g.FLOAT, false, 36, place * 12);
  }
  return { array, count: numbers.length / 9 };
}

/** Floors, ceilings and walls; those of lifts apart. @param {boolean} ofLifts */
function shape(ofLifts) {
  const ground = /** @type {import("./ground.js").Ground} */ (studio.ground);
  /** @type {number[]} */ const numbers = [];
  const isLift = (/** @type {number | null} */ area) => area !== null && ground.lifts.includes(area);
  /** @param {number[][]} corners @param {number[]} normal @param {number[]} colour */
  const quad = ([a, b, c, d], normal, colour) => {
    for (const p of [a, b, c, a, c, d]) numbers.push(...p, ...normal, ...colour);
  };
  // Of a map of Quake the areas are only its plan from above.
  if (ground.map.stage) return polygons(ofLifts ? ground.map.stage.lifts.flatMap((/** @type {any} */ lift, /** @type {number} */ k) => lift.faces.map((/** @type {number[]} */ face) => face.map((cm, at) => (at % 3 === 2 ? cm + 100 * ((ground.heights[k] ?? lift.top) - lift.top) : cm)))) : ground.map.stage.faces);
  ground.areas.forEach((area, number) => {
    if (isLift(number) !== ofLifts) return;
    const tone = 0.5 + 0.28 * (((number * 37) % 11) / 11);
    const floor = area[4] > 0 ? [0.75, 0.3, 0.18] : [tone, tone * 0.97, tone * 0.9];
    for (const [x0, x1, x2, x3, y0, y1] of ground.slices(number)) {
      const corners = [[x0, y0], [x1, y0], [x3, y1], [x2, y1]];
      quad(corners.map(([x, y]) => [x, y, ground.floor(number, x, y)]), [0, 0, 1], floor);
      if (ground.ceiling(number) < 40) quad(corners.map(([x, y]) => [x, y, ground.ceiling(number)]), [0, 0, -1], [0.52, 0.55, 0.6]);
    }
  });
  for (const [ax, ay, bx, by, right, left, fence, exit] of ground.lines) {
    if ((isLift(right) || isLift(left)) !== ofLifts) continue;
    const long = Math.hypot(bx - ax, by - ay) || 1;
    const normal = [(by - ay) / long, -(bx - ax) / long, 0];
    const wall = (/** @type {number} */ al, /** @type {number} */ bl, /** @type {number} */ ah, /** @type {number} */ bh, /** @type {number[]} */ colour, /** @type {number[]} */ n) => {
      if (ah - al > 0.01 || bh - bl > 0.01) quad([[ax, ay, al], [bx, by, bl], [bx, by, bh], [ax, ay, ah]], n, colour);
    };
    const f = (/** @type {number} */ area) => [ground.floor(area, ax, ay), ground.floor(area, bx, by)];
    const stone = [0.66, 0.6, 0.52];
    if (left === null) {
      const [al, bl] = f(right);
      wall(al, bl, ground.ceiling(right), ground.ceiling(right), stone, normal);
      continue;
    }
    const [r, l] = [f(right), f(left)];
    const back = normal.map((value) => -value);
    wall(r[0], r[1], l[0], l[1], [0.6, 0.52, 0.42], normal);
    wall(l[0], l[1], r[0], r[1], [0.6, 0.52, 0.42], back);
    const [cr, cl] = [ground.ceiling(right), ground.ceiling(left)];
    wall(cl, cl, cr, cr, stone, normal);
    wall(cr, cr, cl, cl, stone, back);
    if (exit !== null) wall(r[0], r[1], r[0] + 2.4, r[1] + 2.4, [0.5, 0.38, 0.75], normal);
    if (fence) wall(Math.max(r[0], l[0]), Math.max(r[1], l[1]), Math.max(r[0], l[0]) + 1.1, Math.max(r[1], l[1]) + 1.1, [0.4, 0.4, 0.42], normal);
  }
  return numbers;
}

/** Flat polygons, in centimetres. @param {number[][]} faces @returns {number[]} */
function polygons(faces) {
  /** @type {number[]} */ const numbers = [];
  for (const face of faces) {
    const points = Array.from({ length: face.length / 3 }, (_, k) => [face[3 * k] / 100, face[3 * k + 1] / 100, face[3 * k + 2] / 100]);
    // Newell's normal: right for corners in a line too. Corners go round clockwise, seen from the front.
    const normal = [0, 0, 0];
    points.forEach((a, k) => {
      const b = points[(k + 1) % points.length];
      for (const axis of [0, 1, 2]) normal[axis] -= (a[(axis + 1) % 3] - b[(axis + 1) % 3]) * (a[(axis + 2) % 3] + b[(axis + 2) % 3]);
    });
    const long = Math.hypot(...normal) || 1;
    const n = normal.map((value) => value / long);
    const tone = 0.5 + 0.2 * (((Math.round(points[0][2] * 4) * 37) % 11 + 11) % 11) / 11;
    const colour = n[2] > 0.7 ? [tone, tone * 0.97, tone * 0.9] : n[2] < -0.7 ? [0.52, 0.55, 0.6] : [0.66, 0.6, 0.52];
    for (let k = 1; k + 1 < points.length; k++) for (const p of [points[0], points[k], points[k + 1]]) numbers.push(...p, ...n, ...colour);
  }
  return numbers;
}

/** @param {number[]} eye @param {number} yaw @param {number} pitch @param {number} ratio */
function camera(eye, yaw, pitch, ratio) {
  const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
  const ahead = [cy * cp, sy * cp, sp];
  const right = [sy, -cy, 0];
  const up = [-cy * sp, -sy * sp, cp];
  const dot = (/** @type {number[]} */ a) => -(a[0] * eye[0] + a[1] * eye[1] + a[2] * eye[2]);
  // 90 degrees across, as characters see.
  const wide = 1;
  const [near, far] = [0.08, 400];
  const [a, b] = [-(far + near) / (far - near), (-2 * far * near) / (far - near)];
  const rows = [right.map((v) => v / wide), up.map((v) => (v * ratio) / wide)];
  return new Float32Array([
    rows[0][0], rows[1][0], -ahead[0] * a, ahead[0],
    rows[0][1], rows[1][1], -ahead[1] * a, ahead[1],
    rows[0][2], rows[1][2], -ahead[2] * a, ahead[2],
    dot(right) / wide, (dot(up) * ratio) / wide, -dot(ahead) * a + b, dot(ahead),
  ]);
}

/** @param {string} hex */
const rgb = (hex) => [1, 3, 5].map((from) => parseInt(hex.slice(from, from + 2), 16) / 255);

/** @param {{p: number[], y: number, x: number}} seen the body whose eyes we see through @param {number | null} self */
export function drawFirst(seen, self) {
  if (!gl && !begin()) return;
  const g = /** @type {WebGL2RenderingContext} */ (gl);
  const ground = studio.ground;
  if (!ground || !studio.frame) return;
  ground.heights = studio.frame.lifts;
  if (levelFor !== studio.hello.number) {
    levelFor = studio.hello.number;
    level = upload(shape(false));
    liftsFor = "";
  }
  const lifts = ground.map.stage?.lifts ?? ground.lifts;
  if (lifts.length && liftsFor !== String(ground.heights)) {
    liftsFor = String(ground.heights);
    moving = upload(shape(true));
  } else if (!lifts.length) moving = null;
  const ratio = Math.min(studio.hello.lowRes ? 0.5 : 1.5, devicePixelRatio);
  const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  const dark = document.documentElement.dataset.theme === "dark";
  const fog = dark ? [0.1, 0.11, 0.13] : [0.78, 0.82, 0.86];
  g.viewport(0, 0, width, height);
  g.clearColor(fog[0], fog[1], fog[2], 1);
  g.clear(g.COLOR_BUFFER_BIT | g.DEPTH_BUFFER_BIT);
  g.useProgram(program);
  const eye = [seen.p[0], seen.p[1], seen.p[2] + 1.6];
  g.uniformMatrix4fv(uniforms.view, false, camera(eye, seen.y, seen.x, width / Math.max(1, height)));
  g.uniform3fv(uniforms.fog, fog);
  g.uniform3fv(uniforms.eye, eye);
  const draw = (/** @type {{array: WebGLVertexArrayObject, count: number}} */ mesh, /** @type {number[]} */ place, /** @type {number[]} */ size, /** @type {number[]} */ tint) => {
    g.uniform4fv(uniforms.place, place);
    g.uniform3fv(uniforms.size, size);
    g.uniform3fv(uniforms.tint, tint);
    g.bindVertexArray(mesh.array);
    g.drawArrays(g.TRIANGLES, 0, mesh.count);
  };
  const plain = dark ? [0.62, 0.64, 0.7] : [1, 1, 1];
  if (level) draw(level, [0, 0, 0, 0], [1, 1, 1], plain);
  if (moving) draw(moving, [0, 0, 0, 0], [1, 1, 1], plain);
  if (!box) return;
  const cube = box;
  const time = performance.now() / 1000;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  ground.map.items.forEach((/** @type {[string, number[]]} */ [item, p], /** @type {number} */ spot) => {
    if (studio.frame?.items[spot] !== "1") return;
    const tint = item === "health" ? [0.2, 0.8, 0.4] : item.startsWith("strong") ? [0.95, 0.4, 0.15] : [0.95, 0.75, 0.2];
    const size = item.endsWith("weapon") ? [0.9, 0.2, 0.25] : [0.4, 0.4, 0.4];
    draw(cube, [p[0], p[1], p[2] + 0.45, still ? 0 : time], size, tint);
    if (item === "health") draw(cube, [p[0], p[1], p[2] + 0.45, still ? 0 : time], [0.42, 0.14, 0.42], [1, 1, 1]);
  });
  studio.frame.characters.forEach((character, who) => {
    if (!character.a || who === self) return;
    const at = studio.between(who);
    if (!at) return;
    const tint = rgb(studio.colour(who));
    const step = still ? 0 : Math.sin(time * 10 + who) * 0.14 * Math.min(1, Math.hypot(character.v[0], character.v[1]) / 4);
    const [c, s] = [Math.cos(at.y), Math.sin(at.y)];
    const part = (/** @type {number} */ ahead, /** @type {number} */ side, /** @type {number} */ up, /** @type {number[]} */ size, /** @type {number[]} */ colour) =>
      draw(cube, [at.p[0] + ahead * c - side * s, at.p[1] + ahead * s + side * c, at.p[2] + up, at.y], size, colour);
    part(step, 0.16, 0.4, [0.24, 0.24, 0.8], tint.map((v) => v * 0.6));
    part(-step, -0.16, 0.4, [0.24, 0.24, 0.8], tint.map((v) => v * 0.6));
    part(0, 0, 1.08, [0.4, 0.64, 0.62], tint);
    part(0, 0, 1.56, [0.32, 0.32, 0.34], [0.95, 0.82, 0.7]);
    part(0.45, -0.28, 1.15, [0.7, 0.12, 0.16], [0.16, 0.17, 0.19]);
  });
  const ahead = Math.min(1, (performance.now() - studio.frame.arrived) / 100) * 0.1;
  for (const [p, v] of studio.frame.shots) draw(cube, [p[0] + v[0] * ahead, p[1] + v[1] * ahead, p[2] + v[2] * ahead, time * 6], [0.3, 0.3, 0.3], [1.6, 0.7, 0.25]);
  if (self !== null) drawHands(draw, cube, seen, studio.frame.characters[self]?.w ?? 0, still ? 0 : time);
}

/** The weapon in hand. @param {Function} draw @param {any} cube @param {{p: number[], y: number, x: number}} seen @param {number} weapon @param {number} time */
function drawHands(draw, cube, seen, weapon, time) {
  const [c, s, cp, sp] = [Math.cos(seen.y), Math.sin(seen.y), Math.cos(seen.x), Math.sin(seen.x)];
  const at = (/** @type {number} */ ahead, /** @type {number} */ right, /** @type {number} */ up) => [
    seen.p[0] + ahead * c * cp + right * s - up * c * sp,
    seen.p[1] + ahead * s * cp - right * c - up * s * sp,
    seen.p[2] + 1.6 + ahead * sp + up * cp,
  ];
  const sway = Math.sin(time * 2) * 0.004;
  const size = [[0.22, 0.03, 0.04], [0.4, 0.04, 0.05], [0.45, 0.08, 0.08]][weapon];
  const tint = [[0.25, 0.27, 0.3], [0.45, 0.3, 0.18], [0.25, 0.35, 0.25]][weapon];
  draw(cube, [...at(0.55, 0.26, -0.2 + sway), seen.y], size, tint);
  draw(cube, [...at(0.48, 0.26, -0.25 + sway), seen.y], [0.07, 0.05, 0.1], [0.9, 0.75, 0.62]);
}
