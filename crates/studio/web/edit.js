// Edit: a character's text with mistakes at their line, completion from the schema, the difference to the file.

import { make, studio } from "./state.js";
import { panel } from "./help.js";
import { whatIf } from "./ask.js";

const text = make("textarea", { spellcheck: false, "aria-label": "The character's text", autocomplete: "off" });
const gutter = make("pre", { "aria-hidden": "true" });
const said = make("p", { role: "status" });
const diff = make("div", { className: "diff", tabIndex: 0, "aria-label": "Difference to the file" });
const file = make("input", { type: "text", "aria-label": "File", style: "width:150px" });
const apply = make("button", { id: "apply", className: "main" }, "Apply to the match");
const save = make("button", { id: "save" }, "Save");
const futures = make("button", { id: "futures", title: "Plays this moment on with the old text and with the new one" }, "Two futures");
const revert = make("button", { id: "revert" }, "Back to the file");
const list = make("div", { className: "completion", role: "listbox", hidden: true });
const editor = make("div", { className: "editor" }, gutter, text, list);
const title = make("p", { className: "soft" });
const which = make("select", { id: "part", "aria-label": "Which of the character's files" });
let original = "";
/** The name of the file that the character names and that is edited; null for its own. @type {string | null} */ let part = null;
/** What fits into it. @type {any} */ let schema = {};
/** @type {number | null} */ let who = null;
/** @type {any} */ let mistake = null;
let timer = 0;

export const edit = [panel("edit", "The character's files", make("div", { className: "row" }, which, title), editor, said, make("div", { className: "row" }, apply, futures, revert, file, save), make("p", { className: "small soft" }, "Difference to the file"), diff)];

export async function openEditor() {
  if (studio.follow === null) return void (title.textContent = "Follow a character to edit it.");
  if (who === studio.follow && text.value) return;
  [who, part] = [studio.follow, null];
  await open();
}

async function open() {
  const is = await studio.link.ask({ do: "text", who, part });
  if (is.none) [title.textContent, text.value, original] = [is.none, "", ""];
  else {
    [title.textContent, text.value, original] = [`${is.name} · ${is.file ?? `shipped as ${is.written}`}`, is.playing, is.text ?? ""];
    [file.value, schema] = [is.file ?? is.suggested, is.schema];
  }
  const own = make("option", { value: "" }, "character");
  const files = (is.files ?? []).map((/** @type {any} */ one) => make("option", { value: one.name }, `${one.kind} ${one.name}${one.edited ? " (changed)" : ""}`));
  which.replaceChildren(own, ...files);
  which.value = part ?? "";
  which.hidden = !files.length;
  [said.textContent, mistake] = ["", null];
  show();
}

which.onchange = () => {
  part = which.value || null;
  open();
};

function show() {
  const lines = text.value.split("\n").length;
  gutter.replaceChildren(...Array.from({ length: lines }, (_, k) => make(mistake?.line === k + 1 ? "b" : "span", {}, `${k + 1}\n`)));
  gutter.scrollTop = text.scrollTop;
  diff.replaceChildren(...differences(original.split("\n"), text.value.split("\n")));
  apply.disabled = save.disabled = futures.disabled = !original || !!mistake;
}

/** Lines that were added and taken away, by the longest common part. @param {string[]} a @param {string[]} b */
function differences(a, b) {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const [x, y] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (!x.length && !y.length) return [make("span", { className: "soft" }, "none")];
  const table = Array.from({ length: x.length + 1 }, () => new Int32Array(y.length + 1));
  for (let i = x.length - 1; i >= 0; i--) for (let j = y.length - 1; j >= 0; j--) table[i][j] = x[i] === y[j] ? table[i + 1][j + 1] + 1 : Math.max(table[i + 1][j], table[i][j + 1]);
  const nodes = [];
  for (let i = 0, j = 0; i < x.length || j < y.length; ) {
    if (i < x.length && j < y.length && x[i] === y[j]) i++, j++;
    else if (i < x.length && (j >= y.length || table[i + 1][j] >= table[i][j + 1])) nodes.push(make("div", { className: "minus" }, `${start + i + 1} − ${x[i++]}`));
    else nodes.push(make("div", { className: "plus" }, `${start + j + 1} + ${y[j++]}`));
  }
  return nodes;
}

/** @param {any} is */
function tell(is) {
  mistake = is.good ? null : is.mistake ?? { line: 1, what: is.error ?? "this cannot be used", remedy: "" };
  said.className = mistake ? "error" : "good";
  said.textContent = mistake ? `Line ${mistake.line}: ${mistake.what}${mistake.remedy ? ` — ${mistake.remedy}` : ""}` : "No mistakes.";
  show();
  if (mistake && document.activeElement !== text) text.scrollTop = (mistake.line - 6) * 18;
}

said.addEventListener("click", () => { if (mistake) text.scrollTop = (mistake.line - 6) * 18; });

async function check() {
  if (who === null || !original) return;
  tell(await studio.link.ask({ do: "check", who, part, text: text.value }));
}

apply.onclick = async () => {
  const is = await studio.link.ask({ do: "apply", who, part, text: text.value });
  tell(is);
  if (is.good) said.textContent = is.kept ? "It plays now, and goes on from where it was." : "It plays now; its state did not fit, so it begins anew.";
};
futures.onclick = () => {
  dispatchEvent(new CustomEvent("studio-tab", { detail: "ask" }));
  whatIf({ what: "text", part, text: text.value });
};
revert.onclick = () => { text.value = original; check(); };
save.onclick = async () => {
  const applied = await studio.link.ask({ do: "apply", who, part, text: text.value });
  if (!applied.good) return tell(applied);
  const is = await studio.link.ask({ do: "save", who, part, file: file.value });
  said.className = is.error ? "error" : "good";
  said.textContent = is.error ?? `Saved to ${is.saved}.${is.then ? ` But ${is.then}.` : ""}`;
  if (!is.error && !is.then) original = text.value;
  show();
};

/** Keys that fit where the caret is. @returns {{word: string, keys: [string, string][]}} */
function fitting() {
  const before = text.value.slice(0, text.selectionStart);
  const word = /[\w-]*$/.exec(before)?.[0] ?? "";
  const section = [...before.matchAll(/^\s*\[+([\w.-]+)\]+/gm)].pop()?.[1] ?? "";
  const resolve = (/** @type {any} */ part) => {
    for (let k = 0; k < 5 && part; k++) {
      const inner = part.$ref ?? part.anyOf?.find((/** @type {any} */ one) => one.$ref)?.$ref ?? part.allOf?.[0]?.$ref;
      if (!inner) return part;
      part = schema.$defs?.[inner.split("/").pop()];
    }
    return part;
  };
  let part = schema;
  for (const step of section.split(".").filter(Boolean)) part = resolve(part?.properties?.[step] ?? part?.additionalProperties ?? part?.items) ?? {};
  const line = before.slice(before.lastIndexOf("\n") + 1);
  if (line.startsWith("[")) part = schema;
  const keys = Object.entries(part?.properties ?? {}).filter(([key]) => key.startsWith(word)).map(([key, about]) => /** @type {[string, string]} */ ([key, /** @type {any} */ (about).description ?? ""]));
  return { word, keys };
}

let chosen = 0;
function complete() {
  const { word, keys } = fitting();
  list.hidden = !keys.length;
  chosen = 0;
  const line = text.value.slice(0, text.selectionStart).split("\n").length;
  list.style.cssText = `left:60px;top:${Math.min(editor.clientHeight - 120, line * 18 + 10 - text.scrollTop)}px`;
  list.replaceChildren(...keys.slice(0, 30).map(([key, about], k) => make("div", { role: "option", "aria-selected": String(k === chosen), "data-key": key, onmousedown: (/** @type {Event} */ event) => { event.preventDefault(); take(key, word); } }, key, make("small", {}, about.slice(0, 110)))));
}

/** @param {string} key @param {string} word */
function take(key, word) {
  text.setRangeText(key, text.selectionStart - word.length, text.selectionStart, "end");
  list.hidden = true;
  text.dispatchEvent(new Event("input"));
}

text.addEventListener("input", () => { show(); clearTimeout(timer); timer = setTimeout(check, 250); });
text.addEventListener("scroll", () => (gutter.scrollTop = text.scrollTop));
text.addEventListener("blur", () => (list.hidden = true));
text.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
  event.stopPropagation();
  if (event.ctrlKey && event.code === "Space") { complete(); return event.preventDefault(); }
  if (event.ctrlKey && event.key === "Enter") return apply.click();
  if (list.hidden) return;
  if (event.key === "Escape") list.hidden = true;
  else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    chosen = Math.max(0, Math.min(list.children.length - 1, chosen + (event.key === "ArrowDown" ? 1 : -1)));
    [...list.children].forEach((child, k) => child.setAttribute("aria-selected", String(k === chosen)));
    list.children[chosen]?.scrollIntoView({ block: "nearest" });
  } else if (event.key === "Enter" || event.key === "Tab") take(/** @type {HTMLElement} */ (list.children[chosen]).dataset.key ?? "", fitting().word);
  else return;
  event.preventDefault();
});
studio.addEventListener("follow", () => { who = null; if (!editor.isConnected) return; openEditor(); });
