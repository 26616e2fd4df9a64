const KEYS = [
  ["→ or j", "next case in the list"],
  ["← or k", "previous case"],
  ["[ and ]", "the same case one column to the left or right"],
  ["1 … 5", "grades, output, transcript, case, raw"],
  ["f", "failing cases, and back to all"],
  ["c", "copy the link to this view"],
  ["m", "copy this case as Markdown"],
  ["?", "this sheet"],
];
const mounted = new WeakMap();

export default function ({ data, parentElement: root, setTriggerValue }) {
  let self = mounted.get(root);
  if (!self) {
    self = start(root);
    mounted.set(root, self);
  }
  self.send = (what) => setTriggerValue("did", { ...what, at: Date.now() });
  self.data = data;
  draw(self);
  return self.stop;
}

function start(root) {
  const self = { root, chosen: null, moved: false };
  self.filters = put(root, el("div", "filters", null, { role: "group", "aria-label": "Which cases" })).lastChild;
  self.list = put(root, el("div", "list", null, { tabindex: "0", role: "region", "aria-label": "Cases" })).lastChild;
  self.foot = put(root, el("div", "foot")).lastChild;
  self.sheet = put(root, sheet()).lastChild;
  const onKey = (event) => key(self, event);
  document.addEventListener("keydown", onKey);
  self.stop = () => document.removeEventListener("keydown", onKey);
  return self;
}

function sheet() {
  const box = el("dialog", "", null, { "aria-label": "Keyboard shortcuts" });
  const list = el("dl");
  for (const [keys, what] of KEYS) put(list, put(el("dt"), el("kbd", "", keys)), el("dd", "", what));
  put(box, el("strong", "", "Keyboard shortcuts"), list, button("chip", "Close", {}, () => box.close()));
  return box;
}

function draw(self) {
  const { data } = self;
  self.chosen = data.chosen;
  drawFilters(self);
  self.list.style.setProperty("--list-width", `${self.list.clientWidth}px`);
  if (data.rows.length) self.list.replaceChildren(table(self));
  else self.list.replaceChildren(el("p", "empty", data.empty));
  drawFoot(self, "");
  showFocus(self);
  const row = self.list.querySelector('tbody[aria-selected="true"]');
  if (row && !visible(self.list, row)) self.list.scrollTop = row.offsetTop - self.list.clientHeight / 2;
}

// The column in focus is seen without scrolling; where the reader has scrolled to stays.
function showFocus(self) {
  const head = self.list.querySelector("th.focus");
  const asked = self.data.columns.map((column) => column.title).join() + (head ? head.title : "");
  if (!head || self.asked === asked) return;
  self.asked = asked;
  self.list.scrollLeft = head.offsetLeft + head.offsetWidth - self.list.clientWidth + 4;
}

function drawFilters(self) {
  self.filters.replaceChildren(...self.data.filters.map((filter) => button(
    "chip", `${filter.label} ${filter.n.toLocaleString("en")}`,
    { "aria-pressed": String(filter.on), title: filter.hint, "data-filter": filter.key },
    () => self.send({ filter: filter.key }),
  )));
}

function table(self) {
  const { data } = self;
  const narrow = self.list.clientWidth < 560;
  const width = `${(narrow ? 150 : 200) + 78 * data.columns.length}px`;
  const grid = el("table", "", null, { role: "grid", "aria-label": data.label, "aria-rowcount": String(data.kept), style: `min-width: ${width}` });
  const columns = put(el("colgroup"), el("col", "first"));
  const head = put(el("tr"), put(el("th", "", null, { scope: "col" }), el("span", "", "case"), el("span", "", data.scale)));
  data.columns.forEach((column) => {
    put(columns, el("col", "cell"));
    const cell = el("th", column.focus ? "focus" : "", null, { scope: "col", title: column.title });
    put(head, put(cell, el("span", "", column.version), el("span", "", column.configuration)));
  });
  put(grid, columns, put(el("thead"), head));
  for (const row of data.rows) put(grid, line(self, row));
  return grid;
}

// One case is one body of the table: its cells, and below them why it fails, over the whole width.
function line(self, row) {
  const { data } = self;
  const body = el("tbody", "", null, { "data-case": row.id, "aria-selected": String(row.id === data.chosenCase) });
  const open = () => pick(self, row.id, row.run);
  const cell = put(el("td", "case"), button("name", row.name, { title: row.id, dir: "auto" }, (event) => {
    event.stopPropagation();
    open();
  }));
  const cells = row.cells.map((value, index) => put(el("td", "value"), valueOf(self, row, value, data.columns[index])));
  put(body, put(el("tr"), cell, ...cells));
  if (row.why) {
    const why = put(el("div", "why", null, { dir: "auto" }), el("b", "", `✗ ${row.why}`), row.rationale ? ` ${row.rationale}` : "");
    const more = row.more ? el("div", "more", `+${row.more} more`) : null;
    put(body, put(el("tr", "reason"), put(el("td", "", null, { colspan: String(data.columns.length + 1) }), put(el("div", "said"), why, more))));
  }
  body.addEventListener("click", open);
  return body;
}

function valueOf(self, row, value, column) {
  const said = `${row.name}, ${column.title}: ${value.word}, ${value.text}`;
  const turn = value.change === "better" ? "▲" : value.change === "worse" ? "▼" : "";
  const inner = [
    el("span", `mark-${value.mark}`, SIGNS[value.mark], { "aria-hidden": "true" }),
    el("span", value.mark === "none" ? "quiet" : "", value.mark === "none" ? "" : value.text, { "aria-hidden": "true" }),
    turn ? el("span", value.change, turn, { "aria-hidden": "true" }) : null,
    el("span", "hidden", said + (value.change ? `, ${value.change} than before` : "")),
  ];
  if (!value.run) return put(el("span", "", null, { title: value.word }), ...inner);
  const node = button("", null, { title: value.word, "data-run": value.run, "aria-current": String(value.run === self.data.chosen) }, (event) => {
    event.stopPropagation();
    pick(self, row.id, value.run);
  });
  return put(node, ...inner);
}

function pick(self, caseId, run) {
  for (const row of self.list.querySelectorAll("tbody")) row.setAttribute("aria-selected", String(row.dataset.case === caseId));
  self.data.chosenCase = caseId;
  self.send({ case: caseId, run });
}

function drawFoot(self, said) {
  const { data } = self;
  const turn = (text, label, page) => button("turn", text, { disabled: page < 1 || page > data.pages, "aria-label": label }, () => self.send({ page }));
  const parts = [el("span", "", said || data.foot, { role: "status" })];
  if (data.pages > 1) parts.push(turn("‹", "Previous page", data.page - 1), turn("›", "Next page", data.page + 1));
  parts.push(button("keys", "? shortcuts", {}, () => self.sheet.showModal()));
  self.foot.replaceChildren(...parts);
}

function visible(list, row) {
  const [outer, inner] = [list.getBoundingClientRect(), row.getBoundingClientRect()];
  return inner.top >= outer.top + 30 && inner.bottom <= outer.bottom;
}

function key(self, event) {
  if (typing(event) || self.sheet.open || !self.root.host && !self.root.isConnected) return;
  const move = { ArrowRight: 1, j: 1, ArrowLeft: -1, k: -1 }[event.key];
  const side = { "]": 1, "[": -1 }[event.key];
  if (move) step(self, move);
  else if (side) self.send({ side });
  else if (/^[1-5]$/.test(event.key)) self.send({ tab: Number(event.key) });
  else if (event.key === "f") self.send({ filter: self.data.filters.some((f) => f.key === "failing" && f.on) ? "all" : "failing" });
  else if (event.key === "c") copy(window.location.href, (said) => drawFoot(self, `Link ${said}.`));
  else if (event.key === "m") copy(self.data.markdown || "", (said) => drawFoot(self, `Case ${said} as Markdown.`));
  else if (event.key === "?") self.sheet.showModal();
  else return;
  event.preventDefault();
}

function step(self, by) {
  const { data } = self;
  const here = data.rows.findIndex((row) => row.id === data.chosenCase);
  const next = data.rows[here < 0 ? 0 : here + by];
  if (next) pick(self, next.id, next.run);
  else if (by > 0 && data.page < data.pages) self.send({ page: data.page + 1, open: "first" });
  else if (by < 0 && data.page > 1) self.send({ page: data.page - 1, open: "last" });
  else drawFoot(self, by > 0 ? `That was the last of ${data.kept.toLocaleString("en")} in this list.` : "This is the first of the list.");
  const row = self.list.querySelector('tbody[aria-selected="true"]');
  if (row && !visible(self.list, row)) self.list.scrollTop = row.offsetTop - self.list.clientHeight / 2;
}
