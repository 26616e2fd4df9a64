const mounted = new WeakMap();

export default function ({ data, parentElement: root, setTriggerValue }) {
  let self = mounted.get(root);
  if (!self) {
    self = { sheet: put(root, el("div", "sheet")).lastChild, open: new Set() };
    mounted.set(root, self);
  }
  self.base = data.base || {};
  self.send = sender(root, setTriggerValue);
  const kept = { focus: root.activeElement && root.activeElement.dataset.id, top: scrolled(self) };
  self.sheet.classList.toggle("scrolls", Boolean(data.scroll));
  self.sheet.replaceChildren(...(data.blocks || []).map((block) => (DRAW[block.t] || say)(self, block)));
  const box = self.sheet.querySelector(".scroll");
  if (box && data.scroll && self.scroll === data.scroll) box.scrollTop = kept.top;
  self.scroll = data.scroll;
  if (kept.focus) {
    const again = [...self.sheet.querySelectorAll("[data-id]")].find((node) => node.dataset.id === kept.focus);
    if (again) again.focus({ preventScroll: true });
  }
  const chosen = self.sheet.querySelector(".scroll [aria-current=true]");
  if (chosen && box && !seen(box, chosen)) chosen.scrollIntoView({ block: "center" });
  return () => undefined;
}

const DRAW = { say, verdict, heading, doors, table, folds, problems, pager };
const MARKS = { ...SIGNS, up: "▲", down: "▼", same: "=", warn: "!" };
const VERDICTS = { better: ["▲", "better"], worse: ["▼", "worse"], "can't tell": ["=", "tie"] };

function scrolled(self) {
  const box = self.sheet.querySelector(".scroll");
  return box ? box.scrollTop : 0;
}

function seen(box, node) {
  const [outer, inner] = [box.getBoundingClientRect(), node.getBoundingClientRect()];
  return inner.bottom > outer.top + 24 && inner.top < outer.bottom;
}

function say(self, block) {
  return el("p", `say${block.big ? " big" : ""}${block.quiet ? " quiet" : ""}`, block.text, { dir: "auto" });
}

function heading(self, block) {
  return put(el("h2", "", block.text, { dir: "auto" }), block.hint ? el("span", "quiet hint", block.hint) : null);
}

// The sentence is a door to what it rests on; how it was reached opens below it.
function verdict(self, block) {
  const [sign, look] = VERDICTS[block.word] || ["", "tie"];
  const box = el("div", `verdict ${look}${block.small ? " small-verdict" : ""}`);
  const words = el("span", "", block.text, { dir: "auto" });
  const line = block.door ? put(link(self, block.door, "sentence", null, { "data-id": block.text }), words) : put(el("p", "sentence"), words);
  if (sign) line.prepend(el("span", `sign ${look}`, `${sign} `, { "aria-hidden": "true" }));
  if (block.door) put(line, document.createTextNode(" "), el("span", "go", "Compare"));
  put(box, line);
  if (!block.how.length) return box;
  const list = el("ul");
  for (const text of block.how) put(list, el("li", "", text, { dir: "auto" }));
  return put(box, opened(self, `how ${block.text}`, "how", [el("span", "", "how")], list));
}

// What is opened stays open when the sheet is drawn again.
function opened(self, id, className, summary, body) {
  const node = el("details", className, null, { open: self.open.has(id) });
  node.addEventListener("toggle", () => (node.open ? self.open.add(id) : self.open.delete(id)));
  return put(node, put(el("summary", "", null, { "data-id": id }), ...summary), body);
}

function folds(self, block) {
  const list = el("ul", "folds", null, { "aria-label": block.label || null });
  for (const item of block.items) put(list, put(el("li"), foldable(self, block, item)));
  return list;
}

function foldable(self, block, item) {
  const words = [];
  if (item.mark && MARKS[item.mark]) words.push(el("span", `mark-${item.mark}`, `${MARKS[item.mark]} `, { "aria-hidden": "true" }));
  words.push(el("b", "", item.n.toLocaleString("en")), el("span", "", ` ${item.what}`, { dir: "auto" }));
  const about = item.about ? el("span", "sub clamp", item.about, { dir: "auto" }) : null;
  if (item.door) return put(el("div"), put(link(self, item.door, "line", null, { "data-id": item.what }), ...words), about);
  const inner = el("ul");
  for (const entry of item.entries) {
    const row = put(el("li"), link(self, entry.door, "clamp", entry.text, { dir: "auto", "data-id": `${item.what} ${entry.text} ${entry.about}` }));
    put(inner, put(row, entry.about ? el("span", "sub", entry.about, { dir: "auto" }) : null));
  }
  if (item.more) put(inner, el("li", "quiet small", `and ${item.more.toLocaleString("en")} more`));
  return opened(self, `${block.label} ${item.what}`, "fold", words, inner);
}

// A door is a link that another tab can open; a plain click stays in this one.
function link(self, door, className, text, attributes) {
  const query = {};
  for (const [name, value] of Object.entries({ ...self.base, ...door.query })) if (value !== null) query[name] = value;
  const node = el("a", className, text, { href: `${door.page}?${new URLSearchParams(query)}`, ...attributes });
  node.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    self.send({ door });
  });
  return node;
}

function doors(self, block) {
  const line = el("div", "doors", null, { role: "group", "aria-label": block.label });
  put(line, block.label ? el("span", "label quiet", block.label, { dir: "auto" }) : null);
  for (const item of block.items) {
    const chip = link(self, item.door, "chip", null, {
      title: item.title, "data-id": item.text, "aria-current": item.on === undefined ? null : String(Boolean(item.on)),
    });
    const n = item.n === undefined ? null : el("b", "", item.n.toLocaleString("en"));
    put(line, put(chip, item.mark ? el("span", `mark-${item.mark}`, `${MARKS[item.mark]} `, { "aria-hidden": "true" }) : null, `${item.text} `, n));
  }
  return line;
}

function table(self, block) {
  if (!block.rows.length) return el("p", "say quiet", block.empty || "Nothing is here.");
  const grid = el("table", "", null, { "aria-label": block.label });
  const head = el("tr");
  for (const column of block.head) put(head, el("th", column.num ? "num" : "", column.text, { scope: "col" }));
  const body = el("tbody");
  for (const row of block.rows) put(body, line(self, block, row));
  const box = put(el("div", "wide"), put(grid, put(el("thead"), head), body));
  if (block.scroll) return put(el("div", "scroll", null, { tabindex: "0", role: "region", "aria-label": block.label }), box);
  return fold(self, block, box, body);
}

function line(self, block, row) {
  const node = el("tr", "", null, { "aria-current": row.on ? "true" : null });
  row.cells.forEach((given, index) => {
    const cell = el("td", `${given.num ? "num" : ""}${given.keep ? " keep" : ""}${given.text || given.bar ? "" : " void"}`, null, { "data-head": block.head[index].text, title: given.title });
    const look = `${given.clamp ? "clamp" : ""}${given.quiet ? " quiet" : ""}${given.mark ? ` mark-${given.mark}` : ""}`;
    put(cell, given.bar ? ranged(el("span", "track", null, { "aria-hidden": "true" }), given.bar) : given.door
      ? link(self, given.door, look, given.text, { dir: "auto", "data-id": given.id || given.text, "aria-label": given.name && !given.text ? given.name : null })
      : el("span", look, given.text, { dir: "auto" }));
    if (given.sub) put(cell, el("span", "sub", given.sub, { dir: "auto" }));
    if (given.copy) put(cell, copier(given.copy));
    put(node, cell);
  });
  return node;
}

function fold(self, block, box, body) {
  const rows = [...body.rows];
  if (!block.fold || rows.length <= block.fold) return box;
  const beyond = rows.slice(block.fold);
  const more = button("more", "", {}, () => {
    if (!self.open.delete(block.label)) self.open.add(block.label);
    show();
  });
  const show = () => {
    const open = self.open.has(block.label);
    for (const row of beyond) row.hidden = !open;
    more.textContent = open ? `Show the first ${block.fold}` : `Show all ${rows.length.toLocaleString("en")}`;
    more.setAttribute("aria-expanded", String(open));
  };
  show();
  return put(el("div"), box, more);
}

function copier(text) {
  const act = button("copy", "copy path", {}, () => copy(text, (word) => { act.textContent = word; }));
  return act;
}

const SEVERITIES = { error: ["✗", "worse"], warning: ["!", "warn"], info: ["·", "quiet"] };

function problems(self, block) {
  if (!block.groups.length) return el("p", "say quiet", block.empty);
  const box = el("div", "scroll problems", null, { tabindex: "0", role: "region", "aria-label": "Problems" });
  for (const group of block.groups) {
    const [sign, look] = SEVERITIES[group.severity] || SEVERITIES.info;
    const part = el("section");
    put(part, put(el("h3"), el("span", look, `${sign} ${group.word} `), group.code, el("span", "quiet", ` · ${group.n.toLocaleString("en")}`)));
    for (const item of group.items) {
      const row = el("article", "", null, { "aria-current": item.on ? "true" : null });
      put(row, link(self, item.door, "what", item.message, { dir: "auto", "data-id": item.id }));
      put(row, put(el("div", "path"), el("span", "", item.place), copier(item.path)));
      put(row, item.hint ? el("div", "quiet small", item.hint, { dir: "auto" }) : null);
      put(part, row);
    }
    put(box, part);
  }
  return box;
}

function pager(self, block) {
  const line = el("div", "foot");
  put(line, el("span", "quiet", block.text, { role: "status" }));
  for (const [name, text, door] of [["Previous page", "‹", block.previous], ["Next page", "›", block.next]]) {
    if (door) put(line, link(self, door, "turn", text, { "aria-label": name, "data-id": name }));
  }
  return line;
}
