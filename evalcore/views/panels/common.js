// Everything that comes from a workspace is written with textContent: it can only ever be text.
// A mark is drawn in the colour of its text; its sign stays as text for copies and for screen readers.
const DOT = ["·", "M5 6a1 1 0 1 0 2 0a1 1 0 1 0-2 0"];
const MARKS = {
  pass: ["✓", "M1.5 6.5 4.5 9.5 10.5 2.5"], fail: ["✗", "M2 2 10 10M10 2 2 10"], scored: ["–", "M2 6H10"],
  flaky: ["≈", "M1.5 4.5q2.25-3 4.5-1t4.5-1M1.5 9.5q2.25-3 4.5-1t4.5-1"], unscored: DOT, none: DOT, outside: DOT, info: DOT,
  up: ["▲", "M6 3 10 9.5H2Z"], down: ["▼", "M6 9 10 2.5H2Z"], same: ["=", "M2 4H10M2 8H10"], warn: ["!", "M6 1.5V7M6 10V10.5"],
};

// A mark with the word that it stands for beside it.
const UNSPOKEN = { "aria-hidden": "true" };

function mark(kind, attributes) {
  if (!MARKS[kind]) return null;
  const [sign, path] = MARKS[kind];
  const shapes = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(shapes, "svg");
  svg.setAttribute("viewBox", "0 0 12 12");
  svg.setAttribute("aria-hidden", "true");
  svg.append(document.createElementNS(shapes, "path"));
  svg.firstChild.setAttribute("d", path);
  return put(el("span", `mark mark-${kind}`, null, attributes), svg, el("span", "hidden", `${sign} `));
}

function el(tag, className, text, attributes) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined && text !== null) node.textContent = String(text);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    node.setAttribute(name, name === "dir" && value === "auto" && text ? direction(String(text)) : value === true ? "" : value);
  }
  return node;
}

// A text runs as most of its letters do: that it begins with a foreign word turns no sentence round.
const LETTERS = /\p{L}/gu;
const TO_THE_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

function direction(text) {
  const letters = text.slice(0, 2000).match(LETTERS) || [];
  if (!letters.length) return "auto";
  return letters.filter((letter) => TO_THE_LEFT.test(letter)).length * 2 > letters.length ? "rtl" : "ltr";
}

function put(parent, ...children) {
  parent.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return parent;
}

// Whether a verdict needs a reason, by the rule of the suite or study; the server asks by the same.
function needsReason(rule, fails) {
  return !(rule === "optional" || (rule === "for a fail" && !fails));
}

function button(className, text, attributes, act) {
  const node = el("button", className, text, { type: "button", ...attributes });
  node.addEventListener("click", act);
  return node;
}

// Who came to a tab with the pointer has not asked the arrows to go along the tabs.
let pointed = false;
document.addEventListener("pointerdown", () => { pointed = true; }, true);
document.addEventListener("keydown", (event) => { if (event.key === "Tab") pointed = false; }, true);

// Tabs are one stop of the tab key; the arrows, Home and End go along them and open.
function tabList(label, tabs, open) {
  const bar = el("div", "tabs", null, { role: "tablist", "aria-label": label });
  tabs.forEach((tab, at) => put(bar, button("tab", tab.label, {
    role: "tab", "aria-selected": String(tab.on), tabindex: tab.on ? "0" : "-1", title: tab.title,
    disabled: tab.off, dir: "auto", "data-tab": tab.key, "data-act": `tab ${tab.key}`,
  }, () => open(tab, at))));
  bar.addEventListener("keydown", (event) => {
    if (pointed) return; // it was clicked: arrows go to the next case
    const every = [...bar.children].filter((tab) => !tab.disabled);
    const at = every.indexOf(event.target);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: every.length - 1 }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = every[(to + every.length) % every.length];
    next.focus();
    next.click();
  });
  return bar;
}

// A value from 0 to 1 on its axis, with the range it is likely in; an unknown one leaves it empty.
function ranged(track, given) {
  const known = (value) => value !== null && value !== undefined;
  const at = (value) => `${Math.min(Math.max(value, 0), 1) * 100}%`;
  if (!known(given.value)) return track;
  if (known(given.low)) {
    const band = el("i", "band");
    band.style.insetInlineStart = at(given.low);
    band.style.width = at(given.high - given.low);
    put(track, band);
  }
  const dot = el("i", "dot");
  dot.style.insetInlineStart = at(given.value);
  return put(track, dot);
}

function typing(event) {
  const target = event.composedPath()[0];
  return event.ctrlKey || event.metaKey || event.altKey || target.isContentEditable
    || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName || "")
    || (target.getAttribute && /^(listbox|combobox|menu|slider)$/.test(target.getAttribute("role") || ""));
}

// The sheet of keyboard shortcuts.
const PAGE_KEYS = ["g, then o g c r t f j b u d", "Overview, Gradings, Compare, Rubric, Trends, Failures, Judge, Blind, Runs, Data"];

function shortcuts(keys) {
  const box = el("dialog", "", null, { "aria-label": "Keyboard shortcuts" });
  const list = el("dl");
  for (const [names, what] of [...keys, PAGE_KEYS]) put(list, put(el("dt"), el("kbd", "", names)), el("dd", "", what));
  return put(box, el("strong", "", "Keyboard shortcuts"), list, button("chip", "Close", {}, () => box.close()));
}

async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    done("copied");
  } catch (error) {
    done("not copied: the browser refused");
  }
}

// Drawing waits while the pointer is down: the click on what it replaces would be lost.
const presses = new WeakMap();

function redraw(root, draw) {
  if (!presses.has(root)) presses.set(root, watchPresses(root));
  const press = presses.get(root);
  if (press.down) press.waiting = draw;
  else draw();
}

function watchPresses(root) {
  const press = { down: false, waiting: null };
  const release = () => setTimeout(() => {
    const { waiting } = press;
    Object.assign(press, { down: false, waiting: null });
    if (waiting) waiting();
  });
  root.addEventListener("pointerdown", () => {
    press.down = true;
    for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, release, { capture: true, once: true });
  }, true);
  return press;
}

// Streamlit also ends a drawing that a newer one overtook, while the panel stays where it is: the
// keyboard and what waits are given up only when the panel is gone.
function endsWith(root, self) {
  return () => { if (!root.isConnected) self.stop(); };
}

// Drawing replaces nodes: what had the keyboard has it again afterwards.
function keepFocus(root, draw) {
  const held = root.activeElement && root.activeElement.dataset ? root.activeElement.dataset.act : null;
  draw();
  if (!held) return;
  const again = [...root.querySelectorAll("[data-act]")].find((node) => node.dataset.act === held);
  if (again) again.focus({ preventScroll: true });
}

// Where the head of a case asks for its list.
const BACK = "evalcore-back";

// In a narrow window what is open stands below its list: it comes into view when it is opened.
function bringIntoView(selector) {
  const open = document.querySelector(selector);
  if (open && innerWidth <= 900) open.scrollIntoView({ block: "start" });
  return open;
}

// Long names may break after the signs that join their parts.
function breakable(node, text) {
  for (const part of text.split(/(?<=[@/])|(?<=[_.-])(?=\p{L})/u)) put(node, document.createTextNode(part), el("wbr"));
  return node;
}

// Of messages that follow each other at once only the last may arrive, whichever panel sent it: each
// carries the newest acts of all panels of its page again, and the server does each of them once.
const AGAIN_MS = 10000;
const AGAIN_MOST = 20;

function sender(trigger) {
  const self = (window.evalcoreActs ??= { window: Math.random().toString(36).slice(2), count: 0, sent: [] });
  return (what) => {
    const at = Date.now(), page = window.location.pathname;
    if (page !== self.page) Object.assign(self, { page, sent: [] });
    self.sent = self.sent.filter((act) => at - act.at < AGAIN_MS).slice(1 - AGAIN_MOST);
    self.sent.push({ ...what, at, seq: `${self.window}-${(self.count += 1)}` });
    trigger("did", { acts: self.sent });
  };
}

// The address of what is open; where nothing was clicked yet, the case that is open is added.
function linkTo(view, caseId) {
  const address = new URL(window.location.href);
  for (const [name, value] of Object.entries(view)) if (!address.searchParams.has(name)) address.searchParams.set(name, value);
  if (caseId && !address.searchParams.has("run")) address.searchParams.set("case", caseId);
  return address.href;
}

// Where the words of a search stand, in any case of their letters.
const MOST_HITS = 500;

function markWords(box, words) {
  const found = new RegExp(words.replace(/[$()*+./?[\\\]^{|}]/g, "\\$&"), "giu");
  const walk = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walk.nextNode()) if (!walk.currentNode.parentElement.closest("mark, .hidden")) texts.push(walk.currentNode);
  let left = MOST_HITS;
  for (const text of texts) {
    for (const hit of [...text.data.matchAll(found)].reverse()) {
      if ((left -= 1) < 0) return;
      text.splitText(hit.index + hit[0].length);
      text.splitText(hit.index).replaceWith(el("mark", "hit", hit[0]));
    }
  }
}

// A text that is cut off can be opened, and closed again; it is open where the search found something.
function unclamp(text) {
  if (text.nextSibling && text.nextSibling.className === "more") return;
  if (text.scrollHeight <= text.clientHeight + 2) return;
  const act = button("more", "more", { "aria-expanded": "false" }, () => {
    const open = text.classList.toggle("clamp") === false;
    act.textContent = open ? "less" : "more";
    act.setAttribute("aria-expanded", String(open));
  });
  text.after(act);
  const end = text.getBoundingClientRect().bottom;
  if ([...text.querySelectorAll(".hit")].some((hit) => hit.getBoundingClientRect().top >= end)) act.click();
}
