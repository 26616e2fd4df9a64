const KEYS = [
  ["→ or j", "next case in the list"],
  ["← or k", "previous case"],
  ["1 … 5", "Rates and cost, Criteria and tags, Changed texts, Case, Steps"],
  ["r", "regressed cases, and back to all"],
  ["i", "improved cases, and back to all"],
  ["c", "copy the link to this view"],
  ["?", "this sheet"],
];
const CHANGES = { improved: ["up", "better"], regressed: ["down", "worse"], same: ["same", "tie"], left: ["none", "missing"] };
const PHONE = 640;
const SETTLES_MS = 2000;

Object.assign(DRAW, { counts, list, tabs, strips, dots, turn, pair, suggestions });
LOOKS.compare = { start: listen, before: caseListPlace, after: settle };

function counts(self, block) {
  const line = el("div", "counts", null, { role: "group", "aria-label": "Which cases" });
  for (const item of block.items) {
    const chip = button("chip", null, {
      "aria-pressed": String(item.on), "data-filter": item.key, "data-act": `filter ${item.key}`, title: item.hint,
    }, () => self.send({ filter: item.key }));
    put(line, put(chip, ...counted(item.mark, item.n, item.label)));
  }
  for (const { name, text } of block.narrowed) {
    put(line, button("chip narrowed", `${text} ✕`, { title: "Take this filter away", dir: "auto", "data-act": name }, () => self.send({ clear: name })));
  }
  return put(line, block.note ? el("span", "quiet note", block.note) : null);
}

// Cases, changed ones first; one row is a click anywhere, and all rows are one stop of the tab key.
function list(self, block) {
  const box = el("div", "list", null, { role: "listbox", "aria-label": block.label });
  const stop = Math.max(block.rows.findIndex((row) => row.on), 0);
  put(box, ...block.rows.map((row, at) => listed(self, row, at === stop)));
  if (!block.rows.length) put(box, el("p", "say quiet", block.empty));
  const foot = turns(self, block.foot, block, "page", "page");
  return put(el("div"), box, put(foot, button("keys", "? shortcuts", { "data-act": "sheet" }, () => self.help.showModal())));
}

function listed(self, row, stop) {
  const [kind, look] = CHANGES[row.change];
  const node = button("case", null, {
    role: "option", "aria-selected": String(row.on), "data-case": row.id, "data-change": row.change, "data-act": `case ${row.id}`, title: row.id, tabindex: stop ? "0" : "-1",
  }, () => self.send({ case: row.id }));
  const first = put(el("span", "first"), put(el("span", `change ${look}`), mark(kind), row.word), el("span", "name", row.name, { dir: "auto" }), row.points ? el("span", "points", row.points) : null);
  return put(node, first, el("span", "values quiet", row.values, { dir: "auto" }));
}

function tabs(self, block) {
  const bar = tabList("What is shown", block.tabs.map((tab, at) => ({ ...tab, title: String(at + 1) })), (tab) => self.send({ tab: tab.key }));
  const status = el("span", "quiet", "", { role: "status" });
  const links = linkButtons("copy", () => linkTo(self.data.view), (text) => { status.textContent = text; }, true);
  return put(el("div", "tabline"), bar, put(el("span", "tools"), el("span", "quiet", "Copy", UNSPOKEN), ...links, status));
}

// A over B on one axis: a dot for the value, a band for what is likely.
function strips(self, block) {
  const box = el("div", `strips${block.large ? " large" : ""}`, null, { role: "table", "aria-label": block.label });
  const ticks = put(el("span", "ticks"), ...block.axis.map((text) => el("span", "", text)));
  return put(box, put(el("div", "axis", null, { "aria-hidden": "true" }), el("span"), ticks), ...block.rows.map((row) => strip(self, row)));
}

function strip(self, row) {
  const node = el("div", `strip${row.difference.dim ? " dim" : ""}`, null, { role: "row", "data-slice": row.id });
  const name = row.act
    ? button("slice clamp", row.name, { dir: "auto", title: row.hint, "aria-pressed": String(row.on), "data-act": `slice ${row.id}` }, () => self.send(row.act))
    : el("span", "slice clamp", row.name, { dir: "auto" });
  const plot = el("div", "plot", null, { "aria-hidden": "true" });
  const words = el("div", "said", null, { role: "cell" });
  for (const side of ["a", "b"]) {
    put(plot, ranged(el("div", `track side-${side}`), row[side]));
    put(words, put(el("div"), el("b", `side-${side}`, side.toUpperCase()), ` ${row[side].text}`));
  }
  const what = put(el("div", "what", null, { role: "rowheader" }), name, row.sub ? el("span", "sub", row.sub, { dir: "auto" }) : null);
  const { mark, difference, word } = row.difference;
  return put(node, what, plot, words, put(el("div", "told", null, { role: "cell" }), el("b", mark, difference), el("span", "sub", word)));
}

// Each case by its difference: worse ones left of those that are the same, better ones right.
function dots(self, block) {
  const marks = block.columns.some((column) => column.dots.length);
  const cases = el("div", block.small ? "columns small" : "columns", null, { role: marks ? "listbox" : "group", "aria-label": block.title });
  put(cases, ...block.columns.map((column) => dotColumn(column, block.case)));
  const every = [...cases.querySelectorAll(".casedot")];
  const stop = every.find((dot) => dot.dataset.dot === block.case) || every[0];
  if (stop) stop.tabIndex = 0;
  cases.addEventListener("keydown", (event) => alongDots(event, every));
  const ticks = put(el("div", "ruler quiet", null, { "aria-hidden": "true" }), ...block.axis.map((text) => el("span", "", text)));
  const track = ranged(el("div", "track", null, { "aria-hidden": "true" }), block.mean);
  const head = put(el("h2", "", block.title), el("span", "quiet hint", block.hint));
  const strip = put(el("div", "reach"), cases, track);
  pressNearest(self, strip, every);
  return put(el("div", "dots"), head, strip, ticks, el("p", "say quiet", block.mean.text));
}

function turn(self, block) {
  return turns(self, block.text, block, "slices", "criteria");
}

function turns(self, text, { page, pages }, name, what) {
  const foot = put(el("div", "foot"), el("span", "", text, { role: "status" }));
  const to = (sign, label, wanted) => button("turn", sign, {
    disabled: wanted < 1 || wanted > pages, "aria-label": label, "data-act": label,
  }, () => self.send({ [name]: wanted }));
  return pages > 1 ? put(foot, to("‹", `Previous ${what}`, page - 1), to("›", `Next ${what}`, page + 1)) : foot;
}

// One case on both sides: each criterion once, what A's judge said beside what B's said.
function pair(self, block) {
  const box = el("div", "pair");
  const step = (by, end) => () => (end ? tell(self, ".tell", ` · ${end}`) : self.send({ step: by }));
  const [kind, look] = CHANGES[block.change];
  put(box, put(el("div", "top"), el("h2", "", block.name, { dir: "auto", title: block.id }),
    el("span", "quiet small", block.where),
    button("turn", "‹", { "aria-label": "Previous case", title: "Previous case (←)", "data-act": "back" }, step(-1, block.first)),
    button("turn", "›", { "aria-label": "Next case", title: "Next case (→)", "data-act": "on" }, step(1, block.last))));
  put(box, put(el("div", "summary"), put(el("b", look), mark(kind), block.word), block.values ? ` ${block.values}` : "", el("span", "quiet tell", "", { role: "status" })));
  if (block.source) put(box, el("div", "source quiet", block.source));
  if (block.prompt) put(box, labelled({ label: "prompt", text: block.prompt }));
  put(box, put(el("div", "sides"), side(self, "a", block.a), side(self, "b", block.b)));
  put(box, ...block.criteria.filter((item) => !item.folded).map((item) => criterion(self, item)));
  const folded = block.criteria.filter((item) => item.folded);
  if (folded.length) put(box, opened(self, "rest", "rest", [block.rest], ...folded.map((item) => criterion(self, item))));
  return put(box, block.message ? el("p", "say quiet", block.message) : null);
}

function side(self, name, given) {
  const box = el("div", `side side-${name}`);
  put(box, el("b", "", name.toUpperCase()), " ", el("span", "column", given.label, { dir: "auto" }));
  for (const run of given.runs) {
    const chip = button("chip", null, { "aria-current": run.on ? "true" : null, title: run.title, "data-run": run.run, "data-act": `run ${name} ${run.at}` }, () => self.send({ [`r${name}`]: run.at }));
    put(box, " ", put(chip, mark(run.mark, UNSPOKEN), run.label));
  }
  if (!given.runs.length) put(box, el("span", "quiet", ` ${given.none}`));
  if (given.link) put(box, " ", button("copy", "Open in Gradings", { "data-act": `link ${name}` }, () => self.send({ link: given.link })));
  return box;
}

function criterion(self, item) {
  const box = el("article", item.flipped ? "flipped" : "", null, { "data-criterion": item.id });
  const [kind, look] = CHANGES[item.change] || [];
  put(box, put(el("div", "title"), kind ? put(el("b", look), mark(kind), item.word) : null, el("span", "clamp", item.title, { dir: "auto" })));
  if (item.reworded) put(box, el("div", "source quiet", item.reworded, { dir: "auto" }));
  if (item.runs) put(box, button("copy", item.runs.text, { "data-act": `runs ${item.id}` }, () => self.send({ ra: item.runs.ra, rb: item.runs.rb })));
  return put(box, put(el("div", "sides"), opinion("a", item.a), opinion("b", item.b)));
}

function opinion(name, given) {
  const score = put(el("b", `mark-${given.mark}`), mark(given.mark), given.score);
  const line = put(el("div"), el("b", "letter", `${name.toUpperCase()} `), score, given.judge ? el("span", "sub", ` ${given.judge}`, { dir: "auto" }) : null);
  return put(el("div", `said side-${name}`), line, ...given.texts.map(labelled), ...given.people.map(person));
}

function suggestions(self, block) {
  const lines = block.items.map((item) => {
    const line = put(el("p", "say"), put(el("b", `mark-${item.mark}`), mark(item.mark), `${item.word} `), el("span", "", item.text, { dir: "auto" }));
    return put(line, item.sub ? el("span", "sub", item.sub, { dir: "auto" }) : null);
  });
  return put(el("div", "suggestions"), ...lines);
}

function tell(self, where, text) {
  const node = self.box.querySelector(where);
  if (node) node.textContent = text;
}

function caseListPlace({ box }) {
  const cases = box.querySelector(".list");
  return cases ? cases.scrollTop : 0;
}

function settle(self, top) {
  followOpen(self);
  keepPlace(self, top);
  if (self.data.fill) fill(self);
  if (innerWidth <= PHONE) showCase(self);
}

// On a phone a case is below the list, so it comes into view when it is opened.
function showCase(self) {
  const block = self.data.blocks.find((one) => one.t === "pair");
  if (!block || block.id === self.seen) return;
  self.seen = block.id;
  requestAnimationFrame(() => self.box.scrollIntoView({ block: "start" }));
}

// Who steps through the list with the keyboard in it stands on the case that is open.
function followOpen(self) {
  const held = self.root.activeElement;
  const open = self.box.querySelector('.case[aria-selected="true"]');
  if (open && held && held !== open && held.classList.contains("case")) open.focus({ preventScroll: true });
}

// The list stays where it was; it moves only when another case is open that is out of sight.
function keepPlace(self, top) {
  const cases = self.box.querySelector(".list");
  if (!cases) return;
  cases.scrollTop = top;
  const open = cases.querySelector('[aria-selected="true"]');
  const asked = open ? open.dataset.case : null;
  if (asked === self.shown) return;
  self.shown = asked;
  self.settled = Date.now() + SETTLES_MS;
  reveal(self);
  requestAnimationFrame(() => reveal(self));
}

// While the page is still being laid out, the height of the list changes.
function reveal(self) {
  const cases = self.box.querySelector(".list");
  const open = cases && cases.querySelector('[aria-selected="true"]');
  if (!open || Date.now() > self.settled) return;
  const [outer, inner] = [cases.getBoundingClientRect(), open.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) cases.scrollTop += inner.top - outer.top - cases.clientHeight / 2;
}

// List and what is shown beside it end at the foot of the window.
function fill(self) {
  const cases = self.box.querySelector(".list");
  const scroller = self.root.host ? self.root.host.closest("[data-testid=stMain]") : null;
  const top = Math.round(cases.getBoundingClientRect().top + (scroller ? scroller.scrollTop : 0));
  if (top > 0) document.documentElement.style.setProperty("--compare-above", `${top + 44}px`);
  reveal(self);
}

function listen(self) {
  if (!self.data.keys) return;
  self.help = put(self.root, shortcuts(KEYS)).lastChild;
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

function key(self, event) {
  if (typing(event) || self.help.open || event.defaultPrevented) return;
  const inside = event.composedPath().includes(self.box);
  const move = { ArrowRight: 1, j: 1, ArrowLeft: -1, k: -1 }[event.key] || (inside ? { ArrowDown: 1, ArrowUp: -1 }[event.key] : 0);
  const filter = { r: "regressed", i: "improved" }[event.key];
  if (move) step(self, move);
  else if (filter) self.send({ filter });
  else if (/^[1-5]$/.test(event.key)) self.send({ tab: Number(event.key) });
  else if (event.key === "c") copy(linkTo(self.data.view), (word) => tell(self, FOOT, `Link ${word}.`));
  else if (event.key === "?") self.help.showModal();
  else return;
  event.preventDefault();
}

const FOOT = ".foot [role=status]";

function step(self, by) {
  const block = self.data.blocks.find((one) => one.t === "list");
  const end = by > 0 ? block.last : block.first;
  if (end) tell(self, FOOT, end);
  else self.send({ step: by });
}
