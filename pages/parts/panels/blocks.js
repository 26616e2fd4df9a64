const BETTER = ["up", "better"];
const WORSE = ["down", "worse"];
const VERDICTS = {
  better: BETTER, "better on these cases": BETTER, "can't tell": ["same", "tie"], "worse on these cases": WORSE, worse: WORSE,
};
const SEVERITIES = { error: ["fail", "worse"], warning: ["warn", "warn"], info: ["info", "quiet"] };
const mounted = new WeakMap();

// A drawer for each kind of block in evalcore/views/blocks, and what a look does beside drawing.
const DRAW = { say, heading, verdict, links, filters, table, folds, problems, pager };
const LOOKS = { sheet: { before: listPlace, after: sameListPlace } };

export default function ({ data, parentElement: root, setTriggerValue }) {
  const look = LOOKS[data.look];
  let self = mounted.get(root);
  if (!self) {
    self = { root, data, box: put(root, el("div", data.look)).lastChild, open: new Set(), stop: () => undefined };
    mounted.set(root, self);
    if (look.start) look.start(self);
  }
  self.send = sender(setTriggerValue);
  redraw(root, () => {
    self.data = data;
    drawAll(self, look);
  });
  return endsWith(root, self);
}

function drawAll(self, look) {
  const before = look.before ? look.before(self) : null;
  keepFocus(self.root, () => self.box.replaceChildren(...self.data.blocks.map((block) => drawn(self, block))));
  if (self.data.words) markWords(self.box, self.data.words);
  for (const text of self.box.querySelectorAll(".clamp")) unclamp(text);
  look.after(self, before);
}

// What has no drawer is a fault of ours, and says so where it should stand.
function drawn(self, block) {
  const draw = DRAW[block.t];
  return draw ? draw(self, block) : el("p", "worse", `✗ no drawer for a block of kind ${block.t}`, { role: "alert" });
}

function say(self, block) {
  return el("p", `say${block.big ? " big" : ""}${block.quiet ? " quiet" : ""}`, block.text, { dir: "auto" });
}

function heading(self, block) {
  const node = el("h2", block.mark ? `mark-${block.mark}` : "", block.text, { dir: "auto" });
  return put(node, block.hint ? el("span", "quiet hint", block.hint) : null);
}

// A sentence that is a link leads to what it rests on; how it was reached lies over what follows.
function verdict(self, block) {
  const [kind, look] = VERDICTS[block.word] || ["", "tie"];
  const box = el("div", `verdict ${look}${block.small ? " small-verdict" : ""}`);
  const words = put(el("span", "", null, { dir: "auto", role: block.link ? null : "status" }), ...whole(block.text));
  const line = block.link ? anchor(self, block.link, "sentence", null, { "data-act": block.text }) : el("p", "sentence");
  put(line, mark(kind, UNSPOKEN), words);
  if (block.link) put(line, document.createTextNode(" "), el("span", "go", block.go));
  put(box, line);
  const rest = el("span", "rest");
  if (block.rest) put(box, " ", put(rest, el("span", "", block.rest, { dir: "auto", role: block.link ? null : "status" })));
  const told = block.cautions.length ? cautions(self, block.cautions) : null;
  if (!block.how.length) return put(box, told);
  const list = put(el("ul", "how"), ...block.how.map((text) => el("li", "", text, { dir: "auto" })));
  const act = toggle(self, "how", () => "how", (open) => { list.hidden = !open; });
  box.addEventListener("keydown", (event) => { if (event.key === "Escape" && !list.hidden) act.click(); });
  put(block.rest ? rest : box, " ", act);
  return put(box, told, list);
}

// What to know before a verdict is relied on: a line each, behind their number.
function cautions(self, lines) {
  const words = lines.length === 1 ? "1 caution" : `${lines.length.toLocaleString("en")} cautions`;
  const list = put(el("ul"), ...lines.map((text) => el("li", "", text, { dir: "auto" })));
  return opened(self, `cautions ${lines[0]}`, "fold cautions", [words], list);
}

// A number stays on the line of its unit.
function whole(text) {
  return text.split(/(\d+ %)/).map((part, at) => (at % 2 ? el("span", "whole", part) : part));
}

// What is opened stays open when it is drawn again.
function toggle(self, id, words, show) {
  const act = button("more", "", { "data-act": id }, () => {
    if (!self.open.delete(id)) self.open.add(id);
    draw();
  });
  const draw = () => {
    const open = self.open.has(id);
    act.textContent = words(open);
    act.setAttribute("aria-expanded", String(open));
    show(open);
  };
  draw();
  return act;
}

// The click counts, not the event after it: in between the fold may be drawn again.
function opened(self, id, className, summary, ...body) {
  const node = el("details", className, null, { open: self.open.has(id) });
  const keep = (open) => { if (open) self.open.add(id); else self.open.delete(id); };
  const act = put(el("summary", "", null, { "data-act": id }), ...summary);
  act.addEventListener("click", () => keep(!node.open));
  node.addEventListener("toggle", () => {
    if (node.isConnected) keep(node.open);
    for (const text of node.querySelectorAll(".clamp")) unclamp(text);
  });
  return put(node, act, ...body);
}

function folds(self, block) {
  const list = el("ul", "folds", null, { "aria-label": block.label || null });
  for (const item of block.items) put(list, put(el("li"), foldable(self, block, item)));
  return list;
}

function foldable(self, block, item) {
  const words = [mark(item.mark, UNSPOKEN), el("b", "", item.n.toLocaleString("en")), el("span", "", ` ${item.what}`, { dir: "auto" })];
  const about = item.about ? el("span", "sub clip", item.about, { dir: "auto" }) : null;
  if (item.link) return put(el("div"), put(anchor(self, item.link, "line", null, { "data-act": item.what }), ...words), about);
  const inner = el("ul");
  for (const entry of item.entries) {
    const row = put(el("li"), anchor(self, entry.link, "clip", entry.text, { dir: "auto", "data-act": `${item.what} ${entry.text} ${entry.about}` }));
    put(inner, put(row, entry.about ? el("span", "sub", entry.about, { dir: "auto" }) : null));
  }
  if (item.more) put(inner, el("li", "quiet small", `and ${item.more.toLocaleString("en")} more`));
  return opened(self, `${block.label} ${item.what}`, "fold", words, inner);
}

// Another tab can open a link; a plain click stays in this one.
function anchor(self, { page, query }, className, text, attributes) {
  const asked = Object.entries({ ...self.data.base, ...query }).filter(([, value]) => value !== null);
  const node = el("a", className, text, { href: `${page}?${new URLSearchParams(asked)}`, ...attributes });
  node.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    self.send({ link: { page, query } });
  });
  return node;
}

function links(self, block) {
  const line = el("div", "links", null, { role: "group", "aria-label": block.label });
  put(line, block.label ? el("span", "label quiet", block.label, { dir: "auto" }) : null);
  for (const item of block.items) {
    const chip = anchor(self, item.link, "chip", null, {
      title: item.title, "data-act": item.text, "aria-current": item.on === undefined ? null : String(item.on),
    });
    const words = counted(item.mark, item.n, item.text);
    put(line, put(chip, ...(block.counts ? words : [words[0], `${item.text} `, words[1]])));
  }
  return line;
}

// Further rows of links, behind how many of them narrow the list.
function filters(self, block) {
  const words = [block.label, block.on ? el("b", "", ` ${block.on} on`) : null];
  return opened(self, block.label, "fold filters", words, ...block.rows.map((row) => links(self, row)));
}

// A number before what it counts, with the mark of that.
function counted(kind, n, what) {
  return [mark(kind, UNSPOKEN), n === undefined ? null : el("b", "", n.toLocaleString("en")), ` ${what}`];
}

function table(self, block) {
  if (!block.rows.length) return el("p", "say quiet", block.empty || "Nothing is here.");
  const head = put(el("tr"), ...block.head.map(([text, num]) => (text ? el("th", num ? "num" : "", text, { scope: "col" }) : el("td"))));
  const body = put(el("tbody"), ...block.rows.map((row) => line(self, block, row)));
  const box = put(el("div", "wide"), put(el("table", "", null, { "aria-label": block.label }), put(el("thead"), head), body));
  if (block.scroll) return put(el("div", "scroll", null, { tabindex: "0", role: "region", "aria-label": block.label }), box);
  return fold(self, block, box, body);
}

function line(self, block, row) {
  const node = el("tr", "", null, { "aria-current": row.on ? "true" : null });
  row.cells.forEach((given, index) => put(node, cell(self, given, block.head[index][0])));
  return node;
}

function cell(self, given, head) {
  const look = `${given.clamp ? "clip" : ""}${given.quiet ? " quiet" : ""}${given.mark ? ` mark-${given.mark}` : ""}`;
  const node = el("td", `${given.num ? "num" : ""}${given.keep ? " keep" : ""}${given.text || given.bar || given.steps ? "" : " void"}`, null, { "data-head": head, title: given.title });
  if (given.steps && given.steps.length) put(node, distribution(given));
  else if (given.bar) put(node, bar(given.bar));
  else if (!given.link) put(node, el("span", look, given.text, { dir: "auto" }));
  else put(node, anchor(self, given.link, look, given.text, { dir: "auto", "data-act": given.id || given.text, "aria-label": given.text ? null : given.name }));
  return put(node, given.sub ? el("span", "sub", given.sub, { dir: "auto" }) : null);
}

function bar(given) {
  const track = el("span", given.fill ? `track from-0 ${given.fill}` : "track", null, { "aria-hidden": "true" });
  if (!given.fill) return ranged(track, given);
  const fill = el("i", "fill");
  fill.style.width = `${given.value * 100}%`;
  return put(track, fill);
}

// How often each score was given, as columns; the words are for those who do not see them.
function distribution(given) {
  const box = el("span", "steps", null, { role: "img", "aria-label": given.title });
  for (const step of given.steps) {
    const column = el("i", step.share ? "" : "none", null, { title: step.title });
    column.style.height = `${Math.max(step.share * 100, 4)}%`;
    put(box, column);
  }
  return box;
}

function fold(self, block, box, body) {
  const rows = [...body.rows];
  if (!block.fold || rows.length <= block.fold) return box;
  const words = (open) => (open ? `Show the first ${block.fold}` : `Show all ${rows.length.toLocaleString("en")}`);
  return put(el("div"), box, toggle(self, block.label, words, (open) => {
    for (const row of rows.slice(block.fold)) row.hidden = !open;
  }));
}

// The location of a document, to copy.
function locationToCopy(text, path) {
  const act = button("copy", "Copy path", {}, () => copy(path, (word) => { act.textContent = word; }));
  return put(el("div", "path"), el("span", "", text), act);
}

function problems(self, block) {
  if (!block.groups.length) return el("p", "say quiet", block.empty);
  const box = el("div", "scroll problems", null, { tabindex: "0", role: "region", "aria-label": "Problems" });
  for (const group of block.groups) {
    const [kind, look] = SEVERITIES[group.severity];
    const title = put(el("h2"), put(el("span", look), mark(kind), `${group.word} `), group.code, el("span", "quiet", ` · ${group.n.toLocaleString("en")}`));
    put(box, put(el("section"), title, ...group.items.map((item) => problemLine(self, item))));
  }
  return box;
}

function problemLine(self, item) {
  const row = el("article", "", null, { "aria-current": item.on ? "true" : null });
  put(row, anchor(self, item.link, "what", item.message, { dir: "auto", "data-act": item.id }), locationToCopy(item.location, item.path));
  return put(row, item.hint ? el("div", "quiet small", item.hint, { dir: "auto" }) : null);
}

function pager(self, block) {
  const line = put(el("div", "foot"), el("span", "quiet", block.text, { role: "status" }));
  for (const [name, text, to] of [["Previous page", "‹", block.previous], ["Next page", "›", block.next]]) {
    if (to) put(line, anchor(self, to, "turn", text, { "aria-label": name, "data-act": name }));
  }
  return line;
}

// A list keeps its place as long as it is the same list; what is chosen in it comes into view.
function listPlace({ box }) {
  const list = box.querySelector(".scroll");
  return list ? list.scrollTop : 0;
}

function sameListPlace(self, top) {
  const { scroll } = self.data;
  const list = self.box.querySelector(".scroll");
  self.box.classList.toggle("scrolls", Boolean(scroll));
  if (list && scroll && self.scroll === scroll) list.scrollTop = top;
  self.scroll = scroll;
  const chosen = list && list.querySelector("[aria-current=true]");
  if (chosen && !seen(list, chosen)) chosen.scrollIntoView({ block: "center" });
}

function seen(list, node) {
  const [outer, inner] = [list.getBoundingClientRect(), node.getBoundingClientRect()];
  return inner.bottom > outer.top + 24 && inner.top < outer.bottom;
}
