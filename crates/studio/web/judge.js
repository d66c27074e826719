// Judge: opponents under false names, and a questionnaire.

import { clock, make, studio } from "./state.js";
import { panel } from "./help.js";

const SCALE = [["surely-program", "surely a program"], ["rather-program", "rather a program"], ["rather-person", "rather a person"], ["surely-person", "surely a person"]];
const name = make("input", { type: "text", value: "judge", maxLength: 24, style: "width:110px", "aria-label": "Your name" });
const who = make("input", { type: "text", value: "hunter imitator native:3", className: "grow", style: "width:100%", "aria-label": "Opponents" });
const minutes = make("input", { type: "number", id: "judge-minutes", value: 5, min: 0.05, step: "any", style: "width:70px", "aria-label": "Minutes" });
const form = make("div", { "aria-live": "polite" });
let round = 0;
let asked = false;

function begin() {
  round = round % 2 + 1;
  asked = false;
  studio.link.say({ do: "judge", judge: name.value, opponents: who.value.split(/[\s,]+/).filter(Boolean), round, secs: 60 * Number(minutes.value), seed: crypto.getRandomValues(new Uint32Array(1))[0] });
  form.replaceChildren(make("p", {}, `Match ${round} of 2. Play; you will be asked when time is up.`));
  /** @type {HTMLElement} */ (document.querySelector("[data-view=first]")).click();
  document.getElementById("first")?.focus();
}

export const judge = [
  panel("judge", "Judge", make("p", {}, "Who of them is a person? Two matches, then a question about each opponent."), make("div", { className: "row" }, make("label", {}, "You are ", name), make("label", {}, "Minutes ", minutes)), make("label", { className: "small" }, "Opponents (their names will be hidden; `person` is somebody at another browser)", who), make("div", { className: "row" }, make("button", { id: "judge-begin", className: "main", onclick: begin }, "Begin a match")), form),
];

/** @param {number} opponents */
function question(opponents) {
  asked = true;
  if (document.pointerLockElement) document.exitPointerLock();
  dispatchEvent(new CustomEvent("studio-tab", { detail: "judge" }));
  const rows = Array.from({ length: opponents }, (_, id) => {
    const scale = make("select", { "aria-label": `What is ${studio.name(id)}?`, "data-opponent": id }, make("option", { value: "" }, "choose…"), ...SCALE.map(([value, text]) => make("option", { value }, text)));
    const because = make("input", { type: "text", maxLength: 500, placeholder: "because…", style: "width:100%", "aria-label": `Why do you think so of ${studio.name(id)}?` });
    return { id, scale, because };
  });
  const send = async () => {
    if (rows.some(({ scale }) => !scale.value)) return void form.append(make("p", { className: "error" }, "Say something about everybody."));
    const is = await studio.link.ask({ do: "verdict", said: rows.map(({ id, scale, because }) => ({ who: id, verdict: scale.value, because: because.value })) });
    if (is.error) return void form.append(make("p", { className: "error" }, is.error));
    const said = is.truth.map((/** @type {any} */ one) => make("p", {}, make("b", {}, one.alias), ` was ${one.opponent}; you said ${one.verdict.replace("-", " a ")}.`));
    const all = Object.entries(is.humanness).map(([opponent, human]) => make("div", { className: "share" }, make("span", {}, opponent), make("span", {}, human.share ? `taken for a person by ${(100 * human.share.p).toFixed(0)} % (${(100 * human.share.low).toFixed(0)}–${(100 * human.share.high).toFixed(0)})` : `${human.judges} of 5 judges so far`), make("span", { className: "soft" }, `${human.judgements} judgements`)));
    form.replaceChildren(...said, make("p", { className: "small good" }, `Saved to ${is.saved}.`), ...all, round < 2 ? make("button", { className: "main", onclick: begin }, "The second match") : make("p", {}, "Thank you."));
  };
  form.replaceChildren(...rows.map(({ id, scale, because }) => make("div", { className: "row" }, make("i", { className: "dot", style: `background:${studio.colour(id)}` }), make("b", { className: "grow" }, studio.name(id)), scale, because)), make("button", { id: "judge-send", className: "main", onclick: send }, "That is what I think"));
}

studio.addEventListener("frame", () => {
  const jury = studio.frame?.at.jury;
  if (!jury || asked) return;
  if (jury.over) question(jury.opponents);
  else if (form.firstChild) form.firstChild.textContent = `Match ${jury.round} of 2: ${clock(jury.ends - (studio.frame?.tick ?? 0))} left.`;
});
