const KEYS = [
  ["→ or j", "next case in the list"],
  ["← or k", "previous case"],
  ["[ and ]", "the same case one column to the left or right"],
  ["1 … 5", "Grades, Output, Transcript, Case, Raw"],
  ["s", "Steps, where the run has any"],
  ["n and p", "next and previous turn in Steps"],
  ["e and E", "next and previous error in Steps"],
  ["f", "failing cases, and back to all"],
  ["/", "search words"],
  ["c", "copy the link to this view"],
  ["m", "copy this case as Markdown"],
  ["?", "this sheet"],
];
const FIRST = 130;
const LEAST = 88;
const CELL_EDGES = 2;
const OUTPUT = 170;
const ROOM = 480; // in a narrower list an output stands below its case
const ONE_LINE = 34;
const SCROLLBAR = 16;
const mounted = new WeakMap();

export default function ({ data, parentElement: root, setTriggerValue }) {
  let self = mounted.get(root);
  if (!self) {
    self = start(root);
    mounted.set(root, self);
  }
  self.send = sender(setTriggerValue);
  redraw(root, () => {
    self.data = data;
    keepFocus(root, () => draw(self));
  });
  return endsWith(root, self);
}

function start(root) {
  const self = { root, shown: null, wide: LEAST };
  self.filters = put(root, el("div", "filters", null, { role: "group", "aria-label": "Which cases" })).lastChild;
  self.list = put(root, el("div", "list", null, { tabindex: "0", role: "region", "aria-label": "Cases" })).lastChild;
  self.foot = put(root, el("div", "foot")).lastChild;
  self.sheet = put(root, shortcuts(KEYS)).lastChild;
  const onKey = (event) => key(self, event);
  document.addEventListener("keydown", onKey);
  document.addEventListener(BACK, self.back = () => backTo(self));
  const watch = new ResizeObserver(() => {
    if (!self.data) return;
    leaveRoom(self);
    if (fitting(self) !== self.fit) keepFocus(root, () => draw(self));
  });
  watch.observe(self.list);
  watch.observe(self.filters);
  self.stop = () => {
    document.removeEventListener("keydown", onKey);
    document.removeEventListener(BACK, self.back);
    watch.disconnect();
  };
  return self;
}

function draw(self) {
  const { data } = self;
  drawFilters(self);
  leaveRoom(self);
  if (data.rows.length) {
    do self.list.replaceChildren(table(self));
    while (widened(self));
  } else self.list.replaceChildren(nothing(self));
  if (data.search) for (const node of self.list.querySelectorAll(".name, .why")) markWords(node, data.search);
  drawFoot(self, "");
  showChosen(self);
}

// The list ends above the foot of the window, also below filters that take a second line.
function leaveRoom(self) {
  self.list.style.setProperty("--above", `${self.data.above + self.filters.offsetHeight - ONE_LINE}px`);
}

// The list moves only when another case was chosen that is out of sight.
function showChosen(self) {
  const { chosenCase, page } = self.data;
  if (self.shown === `${page} ${chosenCase}`) return;
  self.shown = `${page} ${chosenCase}`;
  const row = self.list.querySelector("tbody[data-chosen]");
  if (row && !visible(self.list, row)) self.list.scrollTop = row.offsetTop - self.list.clientHeight / 2;
}

// From the head of a case below the list back to its row.
function backTo(self) {
  const row = self.list.querySelector("tbody[data-chosen]");
  (row || self.list).scrollIntoView({ block: "center" });
  (row ? row.querySelector(".name") : self.list).focus({ preventScroll: true });
}

function visible(list, row) {
  const [outer, inner] = [list.getBoundingClientRect(), row.getBoundingClientRect()];
  return inner.top >= outer.top + 30 && inner.bottom <= outer.bottom;
}

function drawFilters(self) {
  const { data } = self;
  self.filters.replaceChildren();
  if (data.of) put(self.filters, el("span", "of", data.of, { title: data.of, dir: "auto" }));
  for (const filter of data.filters) {
    put(self.filters, button(
      "chip", `${filter.label} ${filter.n.toLocaleString("en")}`,
      { "aria-pressed": String(filter.on), title: filter.hint, "data-filter": filter.key, "data-act": `filter ${filter.key}` },
      () => self.send({ filter: filter.key }),
    ));
    if (filter.key === "not_run") put(self.filters, el("span", "of", data.beside));
  }
  for (const { kind, text } of data.chips) {
    put(self.filters, button(
      "chip narrows", `${text} ✕`, { title: text, dir: "auto", "aria-label": `Remove the filter: ${text}`, "data-chip": kind, "data-act": `drop ${kind}` },
      () => self.send({ drop: kind }),
    ));
  }
}

// Columns are as wide as the widest cell, in whatever font it is drawn; they never get narrower again.
function widened(self) {
  const cells = [...self.list.querySelectorAll("td.value > *")];
  const widest = Math.max(...cells.map((cell) => Math.ceil(cell.getBoundingClientRect().width))) + CELL_EDGES;
  if (widest <= self.wide) return false;
  self.wide = widest;
  return true;
}

function fitting(self) {
  return Math.max(Math.floor((self.list.offsetWidth - SCROLLBAR - FIRST - beside(self)) / self.wide), 1);
}

// The width of a column for outputs, 0 without one.
function beside({ data, list }) {
  return data.outputs && list.offsetWidth >= ROOM ? OUTPUT : 0;
}

// As many columns as fit, the last of them at `end`: at first the one in focus, then what is asked for.
function drawn(self) {
  const { columns, chosenColumn } = self.data;
  const place = (is) => columns.findIndex(is) + 1;
  const given = columns.map((column) => column.key).join() + place((column) => column.focus);
  self.fit = fitting(self);
  if (self.given !== given) self.end = { earlier: columns.length, later: self.fit }[self.turned] || place((column) => column.focus) || columns.length;
  const open = place((column) => column.key === chosenColumn);
  if (open && self.open !== chosenColumn) self.end = Math.min(Math.max(self.end, open), open + self.fit - 1);
  Object.assign(self, { given, open: chosenColumn, turned: null });
  self.end = Math.min(Math.max(self.end, self.fit), columns.length);
  self.start = Math.max(self.end - self.fit, 0);
  return columns.map((column, at) => ({ ...column, at })).slice(self.start, self.end);
}

// The columns before and after those that are drawn, which may be on another page of them.
function turns(self) {
  const { columns, turn } = self.data;
  const move = (kind, text, n, left, end, page) => (n ? button(
    "columns", text.replace("#", `${n.toLocaleString("en")} ${kind} ${turn.noun}${n === 1 ? "" : "s"}`), { "data-act": kind }, () => {
      if (left) self.end = end;
      else self.turned = kind;
      if (left) keepFocus(self.root, () => draw(self));
      else self.send({ columns: page });
    },
  ) : null);
  const after = columns.length - self.end;
  return [
    move("earlier", "‹ #", turn.earlier + self.start, self.start, self.start, turn.page + 1),
    move("later", "# ›", turn.later + after, after, self.end + self.fit, turn.page - 1),
  ];
}

function table(self) {
  const { data } = self;
  const columns = drawn(self);
  const width = `${FIRST + self.wide * columns.length + beside(self)}px`;
  const grid = el("table", "", null, { role: "grid", "aria-label": data.label, "aria-rowcount": String(data.matching + 1), style: `min-width: ${width}` });
  const widths = put(el("colgroup"), el("col"));
  const head = put(el("tr"), put(el("th", "", null, { scope: "col" }), el("span", "", "case")));
  put(head.firstChild, ...turns(self));
  for (const column of columns) {
    put(widths, el("col", "", null, { style: `width: ${self.wide}px` }));
    const cell = el("th", column.focus ? "focus" : "", null, {
      scope: "col", title: `${column.key}${column.focus ? ", in focus" : ""}: sort by it`, "aria-sort": { low: "ascending", high: "descending" }[column.sort],
    });
    const act = button("sort", null, { "data-act": `sort ${column.key}` }, () => self.send({ sort: column.key }));
    put(act, breakable(el("span", "version", null, { dir: "auto" }), column.version));
    if (column.configuration) put(act, el("span", "", column.configuration, { dir: "auto" }));
    put(head, put(cell, put(act, column.sort ? mark(column.sort === "low" ? "up" : "down", UNSPOKEN) : null)));
  }
  if (beside(self)) {
    put(widths, el("col"));
    put(head, put(el("th", "output", null, { scope: "col", title: data.outputOf }), el("span", "version", data.outputOf, { dir: "auto" })));
  }
  put(grid, el("caption", "", data.legend), widths, put(el("thead"), head));
  data.rows.forEach((row, at) => put(grid, line(self, row, at, columns)));
  return grid;
}

function nothing(self) {
  const { empty, clear } = self.data;
  const out = clear ? button("chip", clear, { "data-act": "clear" }, () => self.send({ clear: true })) : null;
  return put(el("div", "empty"), el("p", "", empty, { dir: "auto" }), out);
}

// One case is one body of the table: its cells, and below them why it fails, over the whole width.
function line(self, row, at, columns) {
  const { data } = self;
  const chosen = row.id === data.chosenCase;
  const body = el("tbody", "", null, { "data-case": row.id, "data-chosen": chosen });
  const open = () => pick(self, row.id, null);
  const name = button("name", row.name, { title: row.id, dir: "auto", tabindex: chosen ? "0" : "-1", "data-act": `case ${row.id}` }, (event) => {
    event.stopPropagation();
    open();
  });
  const about = row.about.length ? el("span", "about", row.about.join(" · ")) : null;
  const attributes = { "aria-selected": String(chosen), "aria-rowindex": String((data.page - 1) * 50 + at + 2) };
  const cells = columns.map((column) => put(el("td", "value"), valueOf(self, row, row.cells[column.at], column)));
  const output = data.outputs ? el("div", "output", data.outputs[at], { dir: "auto" }) : null;
  const aside = beside(self) ? put(el("td", "", null, { rowspan: row.why ? "2" : "1" }), output) : null;
  put(body, put(el("tr", "", null, attributes), put(el("th", "case", null, { scope: "row" }), name, about), ...cells, aside));
  if (row.why) put(body, reason(row.why, columns.length + 1));
  if (output && !aside) put(body, put(el("tr", "reason"), put(el("td", "", null, { colspan: String(columns.length + 1) }), output)));
  body.addEventListener("click", open);
  return body;
}

function reason(why, width) {
  const box = el("div", "why", null, { dir: "auto" });
  if (why.where) put(box, el("span", "", `in ${why.where}: `));
  put(box, put(el("b", `mark-${why.mark}`), mark(why.mark), `${why.mark === "unscored" ? "not scored: " : ""}${why.criterion}`), why.rationale ? ` ${why.rationale}` : "");
  const more = why.more ? el("div", "more", `+${why.more} more`) : null;
  return put(el("tr", "reason"), put(el("td", "", null, { colspan: String(width) }), put(el("div", "said"), box, more)));
}

function valueOf(self, row, [kind, number, saidAt, change, people], column) {
  const said = self.data.words[saidAt];
  const label = `${row.name}, ${column.key}: ${said.word}${kind === "none" ? "" : `, ${number}`}${change ? `, ${change} than before` : ""}`;
  const here = row.id === self.data.chosenCase;
  const value = put(
    el("span", "number"),
    people ? el("span", "people", self.data.sign, { "aria-hidden": "true" }) : null,
    change ? mark(change === "better" ? "up" : "down", UNSPOKEN) : null,
    mark(kind, UNSPOKEN),
    kind === "none" ? null : el("span", "figure", number, { "aria-hidden": "true" }),
  );
  const inner = [runsOf(said), value, el("span", "hidden", label)];
  if (kind === "none") return put(el("span", "", null, { title: said.word }), ...inner);
  const hint = change ? `${said.word}, ${change} than before` : said.word;
  const node = button("", null, {
    title: hint, tabindex: here ? "0" : "-1", "data-act": `cell ${row.id} ${column.key}`, "data-column": column.key,
    "aria-current": here && column.key === self.data.chosenColumn ? "true" : null,
  }, (event) => {
    event.stopPropagation();
    pick(self, row.id, column.key);
  });
  return put(node, ...inner);
}

// One square for each of several runs; the words of the cell say the same.
function runsOf(said) {
  if (said.n) return el("span", "runs", said.n, { "aria-hidden": "true" });
  if (!said.runs.length) return null;
  return put(el("span", "runs", null, { "aria-hidden": "true" }), ...said.runs.map((run) => el("i", `run run-${run}`)));
}

function pick(self, caseId, column) {
  for (const body of self.list.querySelectorAll("tbody")) {
    body.toggleAttribute("data-chosen", body.dataset.case === caseId);
    body.firstChild.setAttribute("aria-selected", String(body.dataset.case === caseId));
  }
  self.data.chosenCase = caseId;
  self.send({ case: caseId, column });
  bringIntoView(".st-key-head");
}

function drawFoot(self, message) {
  const { data } = self;
  const turn = (text, label, page) => button(
    "turn", text, { disabled: page < 1 || page > data.pages, "aria-label": label, "data-act": label }, () => self.send({ page }),
  );
  const parts = [el("span", "", message || data.foot, { role: "status" })];
  if (data.pages > 1) parts.push(turn("‹", "Previous page", data.page - 1), turn("›", "Next page", data.page + 1));
  parts.push(button("keys", "? shortcuts", { "data-act": "sheet" }, () => self.sheet.showModal()));
  self.foot.replaceChildren(...parts);
}

function key(self, event) {
  if (typing(event) || self.sheet.open || event.defaultPrevented) return;
  const inside = event.composedPath().includes(self.list);
  const move = { ArrowRight: 1, j: 1, ArrowLeft: -1, k: -1 }[event.key] || (inside ? { ArrowDown: 1, ArrowUp: -1 }[event.key] : 0);
  const side = { "]": 1, "[": -1 }[event.key];
  if (move) step(self, move);
  else if (side) self.send({ side });
  else if (/^[1-5]$/.test(event.key)) self.send({ tab: Number(event.key) });
  else if (event.key === "s") self.send({ tab: "steps" });
  else if (event.key === "f") self.send({ filter: self.data.filters.some((f) => f.key === "failing" && f.on) ? "all" : "failing" });
  else if (event.key === "c") copy(linkTo(self.data.view, self.data.chosenCase), (word) => drawFoot(self, `Link ${word}.`));
  else if (event.key === "/") search();
  else if (event.key === "?") self.sheet.showModal();
  else return;
  event.preventDefault();
}

function search() {
  const field = document.querySelector('.st-key-narrow input[type="text"]');
  if (field) field.focus();
}

// Steps inside the page are marked at once; the others are the server's to find.
function step(self, by) {
  const { data } = self;
  const here = data.rows.findIndex((row) => row.id === data.chosenCase);
  const next = here < 0 ? null : data.rows[here + by];
  if (next) pick(self, next.id, null);
  else if (here >= 0 && by > 0 && data.page < data.pages) self.send({ page: data.page + 1, open: "first" });
  else if (here >= 0 && by < 0 && data.page > 1) self.send({ page: data.page - 1, open: "last" });
  else if (here < 0 && data.matching) self.send({ step: by });
  else drawFoot(self, by > 0 ? data.ends.last : data.ends.first);
  showChosen(self);
}
