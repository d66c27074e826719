// The shape of a map in the browser: floors for pictures, and where a body can go for prediction.

/** @typedef {[number, number, number, number, number, number | null, boolean, number | null]} Line from x y, to x y, area right, area left, fence, exit */

const ROW_M = 2;
const RADIUS_M = 0.5;
const HEIGHT_M = 1.75;
const STEP_M = 0.75;
const AIR_STEP_M = 0.35;

export class Ground {
  /** @type {Line[]} */ lines;
  /** @type {number[][]} floor, slope x, slope y, ceiling, harm */ areas;
  /** @type {number[]} areas that are lifts */ lifts;
  /** @type {number[]} where they are now */ heights;
  low = [Infinity, Infinity];
  high = [-Infinity, -Infinity];
  /** @type {Map<number, Line[]>} */ #rows = new Map();
  /** @type {Map<string, Line[]>} */ #cells = new Map();

  /** @param {any} map @param {any} rules */
  constructor(map, rules) {
    this.map = map;
    this.rules = rules;
    this.lines = map.lines;
    this.areas = map.areas;
    this.lifts = map.lifts;
    this.heights = map.lifts.map((/** @type {number} */ area) => map.areas[area][0]);
    for (const line of this.lines) {
      for (const end of [0, 2]) {
        for (const axis of [0, 1]) {
          this.low[axis] = Math.min(this.low[axis], /** @type {number} */ (line[end + axis]));
          this.high[axis] = Math.max(this.high[axis], /** @type {number} */ (line[end + axis]));
        }
      }
      const [ax, ay, bx, by] = line;
      for (let row = Math.floor(Math.min(ay, by) / ROW_M); row <= Math.floor(Math.max(ay, by) / ROW_M); row++) {
        if (!this.#rows.has(row)) this.#rows.set(row, []);
        this.#rows.get(row)?.push(line);
      }
      const reach = RADIUS_M + 0.6;
      for (let cx = Math.floor((Math.min(ax, bx) - reach) / ROW_M); cx <= Math.floor((Math.max(ax, bx) + reach) / ROW_M); cx++) {
        for (let cy = Math.floor((Math.min(ay, by) - reach) / ROW_M); cy <= Math.floor((Math.max(ay, by) + reach) / ROW_M); cy++) {
          const cell = `${cx},${cy}`;
          if (!this.#cells.has(cell)) this.#cells.set(cell, []);
          this.#cells.get(cell)?.push(line);
        }
      }
    }
  }

  /** The height of an area's floor at a point. @param {number} area @param {number} x @param {number} y */
  floor(area, x, y) {
    const lift = this.lifts.indexOf(area);
    if (lift >= 0) return this.heights[lift];
    const [height, slopeX, slopeY] = this.areas[area];
    return height + slopeX * x + slopeY * y;
  }

  /** @param {number} area */
  ceiling(area) {
    return this.areas[area][3];
  }

  /** The area at a point: on this side of the first line to the east. @param {number} x @param {number} y @returns {number | null} */
  areaAt(x, y) {
    let nearest = Infinity;
    /** @type {number | null} */ let area = null;
    for (const line of this.#rows.get(Math.floor(y / ROW_M)) ?? []) {
      const [ax, ay, bx, by, right, left] = line;
      if (ay > y === by > y) continue;
      const at = ax + ((y - ay) / (by - ay)) * (bx - ax);
      if (at < x || at > nearest) continue;
      const isRight = (bx - ax) * (y - ay) - (by - ay) * (x - ax) <= 0;
      const side = isRight ? right : left;
      if (at === nearest && area !== null) continue;
      nearest = at;
      area = side;
    }
    return area;
  }

  /** Each area as level slices: x at the lower left, lower right, upper left, upper right, and the two y. @param {number} area @returns {number[][]} */
  slices(area) {
    const edges = this.lines.filter((line) => (line[4] === area) !== (line[5] === area) && line[1] !== line[3]);
    const ys = [...new Set(edges.flatMap((line) => [line[1], line[3]]))].sort((a, b) => a - b);
    const slices = [];
    for (let k = 0; k + 1 < ys.length; k++) {
      const [y0, y1] = [ys[k], ys[k + 1]];
      const middle = (y0 + y1) / 2;
      const x = (/** @type {Line} */ line, /** @type {number} */ y) => line[0] + ((y - line[1]) / (line[3] - line[1])) * (line[2] - line[0]);
      const crossing = edges.filter((line) => Math.min(line[1], line[3]) <= y0 && Math.max(line[1], line[3]) >= y1);
      crossing.sort((a, b) => x(a, middle) - x(b, middle));
      for (let pair = 0; pair + 1 < crossing.length; pair += 2) {
        const [l, r] = [crossing[pair], crossing[pair + 1]];
        slices.push([x(l, y0), x(r, y0), x(l, y1), x(r, y1), y0, y1]);
      }
    }
    return slices;
  }

  /** Whether a line stops a body. @param {Line} line @param {number} x @param {number} y @param {number} feet @param {boolean} onGround */
  #bars(line, x, y, feet, onGround) {
    const [, , , , right, left, fence] = line;
    if (left === null || fence) return true;
    const floor = Math.max(this.floor(right, x, y), this.floor(left, x, y));
    const ceiling = Math.min(this.ceiling(right), this.ceiling(left));
    return floor - feet > (onGround ? STEP_M : AIR_STEP_M) || ceiling - Math.max(floor, feet) < HEIGHT_M;
  }

  /**
   * One step of a body, as the arena moves it, near enough that the server seldom has to correct it.
   * @param {{x: number, y: number, z: number, vx: number, vy: number, vz: number, ground: boolean}} body
   * @param {number} wishX @param {number} wishY @param {boolean} jump @param {number} secs @param {number[][]} others
   */
  move(body, wishX, wishY, jump, secs, others) {
    const rules = this.rules;
    const most = secs * (body.ground ? rules.ground_m_per_sec2 : rules.air_m_per_sec2);
    let [cx, cy] = body.ground || wishX || wishY ? [wishX - body.vx, wishY - body.vy] : [0, 0];
    const change = Math.hypot(cx, cy);
    if (change > most) [cx, cy] = [(cx / change) * most, (cy / change) * most];
    body.vx += cx;
    body.vy += cy;
    if (jump && body.ground) {
      body.vz = rules.jump_m_per_sec;
      body.ground = false;
    }
    let [x, y] = [body.x + body.vx * secs, body.y + body.vy * secs];
    for (let push = 0; push < 6; push++) {
      let free = true;
      for (const line of this.#cells.get(`${Math.floor(x / ROW_M)},${Math.floor(y / ROW_M)}`) ?? []) {
        const [ax, ay, bx, by] = line;
        const [lx, ly] = [bx - ax, by - ay];
        const part = Math.max(0, Math.min(1, ((x - ax) * lx + (y - ay) * ly) / (lx * lx + ly * ly)));
        const [nx, ny] = [ax + lx * part, ay + ly * part];
        const far = Math.hypot(x - nx, y - ny);
        if (far >= RADIUS_M - 1e-4 || !this.#bars(line, nx, ny, body.z, body.ground)) continue;
        if (far > 1e-6) [x, y] = [nx + ((x - nx) / far) * RADIUS_M, ny + ((y - ny) / far) * RADIUS_M];
        free = false;
      }
      for (const [ox, oy, oz] of others) {
        const far = Math.hypot(x - ox, y - oy);
        if (Math.abs(oz - body.z) >= HEIGHT_M || far >= 2 * RADIUS_M || far < 1e-6) continue;
        [x, y] = [ox + ((x - ox) / far) * 2 * RADIUS_M, oy + ((y - oy) / far) * 2 * RADIUS_M];
        free = false;
      }
      if (free) break;
    }
    if (this.areaAt(x, y) === null) [x, y] = [body.x, body.y];
    const [realX, realY] = [(x - body.x) / secs, (y - body.y) / secs];
    if (realX * realX + realY * realY < body.vx * body.vx + body.vy * body.vy) [body.vx, body.vy] = [realX, realY];
    [body.x, body.y] = [x, y];
    const area = this.areaAt(x, y);
    const floor = area === null ? body.z : this.floor(area, x, y);
    if (body.ground && floor >= body.z - STEP_M) {
      body.z = floor;
      body.vz = 0;
      return;
    }
    body.ground = false;
    body.vz -= rules.gravity_m_per_sec2 * secs;
    body.z += body.vz * secs;
    if (area !== null && body.z + HEIGHT_M > this.ceiling(area)) [body.z, body.vz] = [this.ceiling(area) - HEIGHT_M, Math.min(0, body.vz)];
    if (body.z <= floor) [body.z, body.vz, body.ground] = [floor, 0, true];
  }
}
