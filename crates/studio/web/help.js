// Help on every panel, and the list of keys.

import { make } from "./state.js";

const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("dialog"));

/** @type {Record<string, [string, string]>} */
const TEXTS = {
  people: ["Who plays", "Click a character, or press its number, to follow it. Frags are others killed minus own suicides. The coloured word is the task it has decided on."],
  decision: ["The decision", "One row for everything that spoke, one column for each task, in nats: +0.69 makes a task twice as probable, −0.69 half. The rows of a column add up, and the first row is what comes out. The chosen task is drawn from it, so it need not be the most probable. The arrows step through the stages inside the tick; click a task to ask why it was not chosen."],
  mind: ["What is in its mind", "Wants, what it believes, the plan and what its next step is for. On the map the pink glow is where it believes opponents to be whom it does not see; dashed rings are where they really are. Lines lead to what it perceives now."],
  why: ["Why not?", "Shows what spoke against a task, compared with what was chosen, and searches for the smallest single reading that would have led to it: the same mind decides again with the same random numbers. “Try” plays both futures."],
  whatif: ["What if?", "Changes one thing at this moment and plays both futures with the same random numbers. Solid lines are what happens as it is, dashed lines what would happen. The table says when each character first decides otherwise."],
  often: ["How often?", "Plays this moment on many times with new random numbers, on all cores, and counts. Bars are 95 % intervals (Wilson). People stand still in these continuations."],
  stops: ["Breakpoints", "The match stops by itself when one of these holds. Numbers are probabilities and nats."],
  play: ["Play", "WASD to run, mouse to look, left button to fire, right button for the other way to fire, space to jump, Q E or the wheel to change weapons, Esc to let go of the mouse. Your play is recorded as play-MAP-N.parquet."],
  teach: ["Teach", "A pupil watches you. The strip shows which task the recogniser believes you are doing; hold 1 to 6 to say it yourself. Press P and the pupil joins the match; it takes up what it learns every ten seconds. “Tasks” learns which task follows which (Le Hy), “imitation” learns attention and hands (CHAMELEON) from each life, or each half minute, that has passed."],
  past: ["Teach at a past moment", "Go back on the strip to a moment you played, choose what you should have done, and press Correct: that second gets this label, everything is learned again, and the decisions that change are listed. Undo takes it back. “Where does it know this from?” lists the seconds of your play that a task was learned from; Forget leaves a second out. This concerns the pupil that learns tasks."],
  edit: ["Edit", "A character is a text, and may name others: behaviours, profiles, domains, programs; choose which to edit. Mistakes are marked at their line with the remedy; Ctrl+Space completes from the schema. Apply gives the running character the new text, and it keeps its state if it can. The file on disk only changes when you save. A file that changes on disk is picked up."],
  judge: ["Judge", "You play two matches against opponents under false names, and then say of each whether a person played it (Tencé’s protocol: five minutes each). Minds and tasks are hidden meanwhile. What you say goes to judgements.jsonl in the folder; human-likeness is shown with its interval once five judges have judged an opponent."],
  time: ["Time", "Drag or use the arrow keys on the strip to look at any tick; the match waits. Go on from here forgets what came after. A link holds the tick and who is followed; it fits a match with the same map, characters and seed that has been played so far."],
};

const KEYS = [["space", "run or pause"], [", .", "one tick back, on"], ["[ ]", "one stage back, on inside the tick"], ["0–9", "follow a character"], ["V", "from above or first person"], ["Enter", "play: take the mouse"], ["P", "the pupil joins"], ["1–6", "while playing: say your task"], ["?", "this list"]];

/** @param {string} about */
export function help(about) {
  const [title, text] = TEXTS[about] ?? ["Keys", "Everything can be reached from the keyboard: Tab moves on, arrows move within a group."];
  const keys = TEXTS[about] ? [] : [make("dl", {}, ...KEYS.flatMap(([key, what]) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, what)]))];
  dialog.replaceChildren(make("h2", {}, title), make("p", {}, text), ...keys, make("div", { className: "row" }, make("button", { className: "main", onclick: () => dialog.close(), autofocus: true }, "Close")));
  dialog.showModal();
}

/** A panel with a title and help. @param {string} about @param {string} title @param {...any} children */
export function panel(about, title, ...children) {
  return make("section", { className: "panel", "aria-label": title }, make("h2", {}, title, make("span", {}), make("button", { "data-help": about, className: "icon", "aria-label": `Help: ${title}`, onclick: () => help(about) }, "?")), ...children);
}
