// The socket to the stage: frames and answers in, asks out. It reconnects by itself, and a browser that reloads keeps its seat.

/** @typedef {{type: string, [key: string]: any}} Message */

/** The key by which the stage knows this browser again. */
const key = sessionStorage.getItem("studio-key") ?? crypto.getRandomValues(new Uint32Array(4)).join("-");
sessionStorage.setItem("studio-key", key);
const token = new URLSearchParams(location.search).get("token");

export class Link extends EventTarget {
  /** @type {WebSocket | null} */ #socket = null;
  #asked = 0;
  /** @type {Map<number, {done: (is: any) => void, fail: (why: Error) => void, progress?: (at: any) => void}>} */
  #waiting = new Map();
  #tries = 0;

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/socket?key=${key}${token ? `&token=${token}` : ""}`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#tries = 0;
      this.say({ do: "hello" });
      this.dispatchEvent(new Event("open"));
    };
    socket.onmessage = (event) => this.#hear(JSON.parse(event.data));
    socket.onclose = (event) => {
      for (const { fail } of this.#waiting.values()) fail(new Error("the connection was lost"));
      this.#waiting.clear();
      this.dispatchEvent(new CustomEvent("closed", { detail: event.reason }));
      this.#tries += 1;
      setTimeout(() => this.open(), Math.min(4000, 300 * this.#tries));
    };
  }

  /** @param {Message} message */
  #hear(message) {
    const waiting = message.ask === undefined ? undefined : this.#waiting.get(message.ask);
    if (message.type === "progress") return waiting?.progress?.(message);
    if (message.type !== "answer") return void this.dispatchEvent(new CustomEvent(message.type, { detail: message }));
    this.#waiting.delete(message.ask);
    if (message.error) waiting?.fail(new Error(message.error));
    else waiting?.done(message.is);
  }

  /** Says something that has no answer of its own. @param {object} ask */
  say(ask) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(ask));
  }

  /** Asks, and waits for the answer. @param {object} ask @param {(at: {done: number, of: number}) => void} [progress] @returns {Promise<any>} */
  ask(ask, progress) {
    const number = ++this.#asked;
    return new Promise((done, fail) => {
      this.#waiting.set(number, { done, fail, progress });
      this.say({ ...ask, ask: number });
    });
  }
}
