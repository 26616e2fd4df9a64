const KEYS = [
  ["→ or j", "next case in the list"],
  ["← or k", "previous case"],
  ["1 … 4", "rates, criteria and tags, changed texts, the open case"],
  ["r", "regressed cases, and back to all"],
  ["i", "improved cases, and back to all"],
  ["c", "copy the link to this view"],
  ["?", "this sheet"],
];
const CHANGES = { improved: ["▲", "better"], regressed: ["▼", "worse"], same: ["=", "tie"], left: ["·", "missing"] };
const VERDICTS = { better: "better", worse: "worse", "can't tell": "tie" };
const PHONE = 640;
const SETTLES_MS = 2000;
const mounted = new WeakMap();

export default function ({ data, parentElement: root, setTriggerValue }) {
  let self = mounted.get(root);
  if (!self) {
    self = { root, sheet: put(root, el("div", "compare")).lastChild, open: new Set(), stop: () => undefined };
    mounted.set(root, self);
    if (data.keys) listen(self);
  }
  self.send = sender(root, setTriggerValue);
  self.data = data;
  const top = scrolled(self);
  keepFocus(root, () => self.sheet.replaceChildren(...(data.blocks || []).map((block) => (DRAW[block.t] || say)(self, block))));
  followOpen(self);
  keepPlace(self, top);
  for (const text of self.sheet.querySelectorAll(".clamp")) unclamp(text);
  if (data.fill) fill(self);
  if (innerWidth <= PHONE) showCase(self);
  return self.stop;
}

const DRAW = { say, verdict, counts, notices, list, tabs, strips, turn, pair, sources };

function say(self, block) {
  return el("p", `say${block.quiet ? " quiet" : ""}${block.big ? " heading" : ""}`, block.text, { dir: "auto" });
}

// The sentence is the page's first word; what it rests on opens below it.
function verdict(self, block) {
  const box = el("div", `verdict ${VERDICTS[block.word] || "tie"}`);
  // A number stays on the line of its unit.
  const parts = block.text.split(/(\d+ %)/).map((text, at) => (at % 2 ? el("span", "whole", text) : text));
  const line = put(el("p", "sentence"), put(el("span", "", null, { dir: "auto", role: "status" }), ...parts));
  put(box, line);
  if (!block.how.length) return box;
  const list = el("ul", "how");
  for (const text of block.how) put(list, el("li", "", text, { dir: "auto" }));
  const act = button("link", "how", { "data-act": "how", title: "What this rests on" }, () => {
    if (!self.open.delete("how")) self.open.add("how");
    show();
  });
  const show = () => {
    list.hidden = !self.open.has("how");
    act.setAttribute("aria-expanded", String(!list.hidden));
  };
  show();
  put(line, " ", act);
  return put(box, list);
}

function counts(self, block) {
  const line = el("div", "counts", null, { role: "group", "aria-label": "Which cases" });
  for (const item of block.items) {
    const [sign, look] = CHANGES[item.key] || ["", ""];
    const chip = button("chip", null, {
      "aria-pressed": String(item.on), "data-filter": item.key, "data-act": `filter ${item.key}`, title: item.hint,
    }, () => self.send({ filter: item.key }));
    put(chip, sign ? el("span", look, `${sign} `, { "aria-hidden": "true" }) : null, el("b", "", item.n.toLocaleString("en")), ` ${item.label}`);
    put(line, chip);
  }
  for (const narrow of block.narrowed) {
    put(line, button("chip narrowed", `${narrow.text} ✕`, { title: "Take this filter away", dir: "auto", "data-act": narrow.name }, () => self.send({ clear: narrow.name })));
  }
  return put(line, block.note ? el("span", "quiet note", block.note) : null);
}

function notices(self, block) {
  const box = el("ul", "notices", null, { "aria-label": "What differs between A and B" });
  for (const item of block.items) {
    put(box, el("li", item.stops ? "stops" : "", item.text, { dir: "auto" }));
  }
  return box;
}

// Cases, changed ones first; one row is a click anywhere, and all rows are one stop of the tab key.
function list(self, block) {
  const box = el("div", "list", null, { role: "listbox", "aria-label": block.label });
  const stop = Math.max(block.rows.findIndex((row) => row.on), 0);
  block.rows.forEach((row, at) => put(box, line(self, row, at === stop)));
  if (!block.rows.length) put(box, el("p", "say quiet", block.empty));
  const foot = pager(self, block.foot, block, "page", "page");
  put(foot, button("keys", "? shortcuts", { "data-act": "sheet" }, () => self.help.showModal()));
  return put(el("div"), box, foot);
}

function line(self, row, stop) {
  const [sign, look] = CHANGES[row.change];
  const node = button("case", null, {
    role: "option", "aria-selected": String(row.on), "data-case": row.id, "data-change": row.change, "data-act": `case ${row.id}`, title: row.id, tabindex: stop ? "0" : "-1",
  }, () => self.send({ case: row.id }));
  const first = put(el("span", "first"), el("span", `change ${look}`, `${sign} ${row.word}`), el("span", "name", row.name, { dir: "auto" }), row.points ? el("span", "points", row.points) : null);
  return put(node, first, el("span", "values quiet", row.values, { dir: "auto" }));
}

function tabs(self, block) {
  const bar = el("div", "tabs", null, { role: "group", "aria-label": "What is shown" });
  block.tabs.forEach((tab, at) => put(bar, button("tab", tab.label, {
    "aria-pressed": String(tab.on), title: String(at + 1), "data-tab": tab.key, "data-act": `tab ${tab.key}`, disabled: tab.off, dir: "auto",
  }, () => self.send({ tab: tab.key }))));
  const said = el("span", "quiet", "", { role: "status" });
  return put(bar, put(el("span", "tools"), said, button("link", "copy link", { "data-act": "copy", title: "c" }, () => copy(window.location.href, (word) => { said.textContent = `link ${word}`; }))));
}

// A over B on one axis: a dot for the value, a band for what is likely.
function strips(self, block) {
  const box = el("div", `strips${block.large ? " large" : ""}`, null, { role: "table", "aria-label": block.label });
  put(box, put(el("div", "axis", null, { "aria-hidden": "true" }), el("span"), put(el("span", "ticks"), ...block.axis.map((text) => el("span", "", text)))));
  for (const row of block.rows) put(box, strip(self, row));
  return box;
}

function turn(self, block) {
  return pager(self, block.text, block, "slices", "criteria");
}

function pager(self, text, { page, pages }, name, what) {
  const foot = put(el("div", "foot"), el("span", "", text, { role: "status" }));
  const to = (sign, label, wanted) => button("turn", sign, {
    disabled: wanted < 1 || wanted > pages, "aria-label": label, "data-act": label,
  }, () => self.send({ [name]: wanted }));
  return pages > 1 ? put(foot, to("‹", `Previous ${what}`, page - 1), to("›", `Next ${what}`, page + 1)) : foot;
}

function strip(self, row) {
  const node = el("div", `strip${row.dim ? " dim" : ""}`, null, { role: "row", "data-slice": row.id });
  const name = row.act
    ? button("slice clamp", row.name, { dir: "auto", title: row.hint, "aria-pressed": String(Boolean(row.on)), "data-act": `slice ${row.id}` }, () => self.send(row.act))
    : el("span", "slice clamp", row.name, { dir: "auto" });
  put(node, put(el("div", "what", null, { role: "rowheader" }), name, row.sub ? el("span", "sub", row.sub, { dir: "auto" }) : null));
  const plot = el("div", "plot", null, { "aria-hidden": "true" });
  for (const side of ["a", "b"]) put(plot, ranged(el("div", `track side-${side}`), row[side]));
  put(node, plot);
  const said = el("div", "said", null, { role: "cell" });
  for (const side of ["a", "b"]) put(said, put(el("div"), el("b", `side-${side}`, side.toUpperCase()), ` ${row[side].text}`));
  put(node, said);
  return put(node, put(el("div", "told", null, { role: "cell" }), el("b", row.mark || "", row.difference), row.word ? el("span", "sub", row.word) : null));
}

// One case on both sides: each criterion once, what A's judge said beside what B's said.
function pair(self, block) {
  const box = el("div", "pair");
  const step = (by, end) => () => (end ? tell(self, end) : self.send({ step: by }));
  const [sign, look] = CHANGES[block.change] || ["", ""];
  put(box, put(el("div", "top"), el("h2", "", block.name, { dir: "auto", title: block.id }),
    el("span", "quiet small", block.where),
    button("turn", "‹", { "aria-label": "Previous case", title: "Previous case (←)", "data-act": "back" }, step(-1, block.first)),
    button("turn", "›", { "aria-label": "Next case", title: "Next case (→)", "data-act": "on" }, step(1, block.last))));
  put(box, put(el("div", "summary"), el("b", look, `${sign} ${block.word}`), block.values ? ` ${block.values}` : "", el("span", "quiet tell", "", { role: "status" })));
  if (block.source) put(box, el("div", "source quiet", block.source));
  if (block.prompt) put(box, put(el("div", "prompt clamp", null, { dir: "auto" }), el("span", "sub", "prompt "), block.prompt));
  put(box, put(el("div", "sides"), side(self, "a", block.a), side(self, "b", block.b)));
  const shown = block.criteria.filter((item) => !item.folded);
  for (const item of shown) put(box, criterion(item));
  const folded = block.criteria.filter((item) => item.folded);
  if (folded.length) put(box, more(self, block.rest, folded));
  if (block.said) put(box, el("p", "say quiet", block.said));
  return box;
}

function tell(self, text) {
  const place = self.sheet.querySelector(".tell");
  if (place) place.textContent = ` · ${text}`;
}

function side(self, name, given) {
  const box = el("div", `side side-${name}`);
  put(box, el("b", "", name.toUpperCase()), " ", el("span", "column", given.label, { dir: "auto" }));
  for (const run of given.runs) {
    const chip = button("chip", null, { "aria-current": run.on ? "true" : null, title: run.title, "data-run": run.run, "data-act": `run ${name} ${run.at}` }, () => self.send({ [`r${name}`]: run.at }));
    put(box, " ", put(chip, el("span", `mark-${run.mark}`, `${SIGNS[run.mark]} `, { "aria-hidden": "true" }), run.label));
  }
  if (!given.runs.length) put(box, el("span", "quiet", ` ${given.none}`));
  if (given.door) put(box, " ", button("link", "open in Gradings", { "data-act": `door ${name}` }, () => self.send({ door: given.door })));
  return box;
}

function criterion(item) {
  const box = el("article", item.flipped ? "flipped" : "", null, { "data-criterion": item.id });
  put(box, put(el("div", "title"), item.change ? el("b", CHANGES[item.change][1], `${CHANGES[item.change][0]} ${item.word} `) : null, el("span", "clamp", item.title, { dir: "auto" })));
  if (item.reworded) put(box, el("div", "source quiet", item.reworded, { dir: "auto" }));
  return put(box, put(el("div", "sides"), said("a", item.a), said("b", item.b)));
}

function said(name, given) {
  const box = el("div", `said side-${name}`);
  put(box, put(el("div"), el("b", "letter", `${name.toUpperCase()} `), el("b", `mark-${given.mark}`, `${SIGNS[given.mark]} ${given.score}`), given.judge ? el("span", "sub", ` ${given.judge}`, { dir: "auto" }) : null));
  for (const text of given.texts) put(box, put(el("div", "text clamp", null, { dir: "auto" }), text.label ? el("span", "sub", `${text.label} `) : null, text.text));
  for (const person of given.people) put(box, of(person));
  return box;
}

// What a person says stands below what is recorded, under the person's name.
function of(person) {
  const box = el("div", "person", null, { role: "group", "aria-label": `${person.who}: ${person.score}`, "data-judge": person.who });
  const sub = [...person.about, person.stale].filter(Boolean).join(" · ");
  put(box, put(el("div"), el("b", `mark-${person.mark}`, `${SIGNS[person.mark]} ${person.score}`), el("span", "who", ` ${person.who}`, { dir: "auto" }), sub ? el("span", "sub", ` ${sub}`) : null));
  for (const text of person.texts) put(box, put(el("div", "text clamp", null, { dir: "auto" }), text.label ? el("span", "sub", `${text.label} `) : null, text.text));
  return box;
}

function more(self, label, items) {
  const box = put(el("details", "rest", null, { open: self.open.has("rest") }), el("summary", "", label, { "data-act": "rest" }));
  box.addEventListener("toggle", () => {
    if (box.open) self.open.add("rest");
    else self.open.delete("rest");
    for (const text of box.querySelectorAll(".clamp")) unclamp(text);
  });
  for (const item of items) put(box, criterion(item));
  return box;
}

function sources(self, block) {
  const box = el("div", "sources");
  for (const item of block.items) {
    const line = put(el("p", "say"), el("b", item.mark || "", `${item.word} `), el("span", "", item.text, { dir: "auto" }));
    put(box, put(line, item.sub ? el("span", "sub", item.sub, { dir: "auto" }) : null));
  }
  return box;
}

function scrolled(self) {
  const box = self.sheet.querySelector(".list");
  return box ? box.scrollTop : 0;
}

// On a phone a case stands below the list, so it comes into view when it is opened.
function showCase(self) {
  const block = (self.data.blocks || []).find((one) => one.t === "pair");
  if (!block || block.id === self.seen) return;
  self.seen = block.id;
  requestAnimationFrame(() => self.sheet.scrollIntoView({ block: "start" }));
}

// Who steps through the list with the keyboard in it stands on the case that is open.
function followOpen(self) {
  const held = self.root.activeElement;
  const open = self.sheet.querySelector('.case[aria-selected="true"]');
  if (open && held && held !== open && held.classList.contains("case")) open.focus({ preventScroll: true });
}

// The list stays where it was; it moves only when another case is open that is out of sight.
function keepPlace(self, top) {
  const box = self.sheet.querySelector(".list");
  if (!box) return;
  box.scrollTop = top;
  const open = box.querySelector('[aria-selected="true"]');
  const asked = open ? open.dataset.case : null;
  if (asked === self.shown) return;
  self.shown = asked;
  self.settled = Date.now() + SETTLES_MS;
  reveal(self);
  requestAnimationFrame(() => reveal(self));
}

// While the page is still being laid out, the height of the list changes.
function reveal(self) {
  const box = self.sheet.querySelector(".list");
  const open = box && box.querySelector('[aria-selected="true"]');
  if (!open || Date.now() > self.settled) return;
  const [outer, inner] = [box.getBoundingClientRect(), open.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) box.scrollTop += inner.top - outer.top - box.clientHeight / 2;
}

// List and what stands beside it end at the foot of the window.
function fill(self) {
  const box = self.sheet.querySelector(".list");
  const scroller = self.root.host ? self.root.host.closest("[data-testid=stMain]") : null;
  const top = Math.round(box.getBoundingClientRect().top + (scroller ? scroller.scrollTop : 0));
  if (top > 0) document.documentElement.style.setProperty("--compare-above", `${top + 44}px`);
  reveal(self);
}

function listen(self) {
  self.help = put(self.root, help()).lastChild;
  const onKey = (event) => key(self, event);
  document.addEventListener("keydown", onKey);
  const watch = new ResizeObserver(() => self.data.fill && fill(self));
  const around = self.root.host ? self.root.host.closest("[data-testid=stMainBlockContainer]") : null;
  for (const node of [around, document.body]) if (node) watch.observe(node);
  self.stop = () => {
    document.removeEventListener("keydown", onKey);
    watch.disconnect();
  };
}

function help() {
  const box = el("dialog", "", null, { "aria-label": "Keyboard shortcuts" });
  const keys = el("dl");
  for (const [name, what] of KEYS) put(keys, put(el("dt"), el("kbd", "", name)), el("dd", "", what));
  return put(box, el("strong", "", "Keyboard shortcuts"), keys, button("chip", "Close", {}, () => box.close()));
}

function key(self, event) {
  if (typing(event) || self.help.open || event.defaultPrevented) return;
  const inside = event.composedPath().includes(self.sheet);
  const move = { ArrowRight: 1, j: 1, ArrowLeft: -1, k: -1 }[event.key] || (inside ? { ArrowDown: 1, ArrowUp: -1 }[event.key] : 0);
  const filter = { r: "regressed", i: "improved" }[event.key];
  if (move) step(self, move);
  else if (filter) self.send({ filter });
  else if (/^[1-4]$/.test(event.key)) self.send({ tab: Number(event.key) });
  else if (event.key === "c") copy(window.location.href, (word) => foot(self, `Link ${word}.`));
  else if (event.key === "?") self.help.showModal();
  else return;
  event.preventDefault();
}

function step(self, by) {
  const block = self.data.blocks.find((one) => one.t === "list");
  const end = by > 0 ? block.last : block.first;
  if (end) foot(self, end);
  else self.send({ step: by });
}

function foot(self, text) {
  const place = self.sheet.querySelector(".foot [role=status]");
  if (place) place.textContent = text;
}
