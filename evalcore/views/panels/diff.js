const mounted = new WeakMap();

// What differs between two texts: A is left, or above where there is no room beside each other.
export default function ({ data, parentElement: root }) {
  let self = mounted.get(root);
  if (!self) {
    self = { bar: put(root, el("div", "bar")).lastChild, notes: put(root, el("div", "notes")).lastChild, box: put(root, el("div", "box", null, { tabindex: "0", role: "region" })).lastChild };
    mounted.set(root, self);
  }
  const runs = data.rows.length ? draw(self.box, data) : [];
  const status = el("span", "", "", { "aria-live": "polite" });
  put(clear(self.bar), el("span", "said", data.summary, { dir: "auto" }), ...(runs.length > 1 ? moves(self.box, runs, status) : []));
  put(clear(self.notes), ...data.notes.map((note) => el("div", "", note, { dir: "auto" })));
  self.box.setAttribute("aria-label", `${data.label}: ${data.summary}`);
  self.box.hidden = !data.rows.length;
  const of = `${data.label}\n${data.a}\n${data.b}\n${data.portion}`;
  if (self.of !== of) self.box.scrollTop = 0;
  self.of = of;
}

function clear(node) {
  node.replaceChildren();
  return node;
}

// Rows that changed one after the other are one run: in one column all of A comes before all of B.
function draw(box, data) {
  const head = put(el("div", "run names"), put(el("div", "a"), el("b", "", data.a, { dir: "auto" })), put(el("div", "b"), el("b", "", data.b, { dir: "auto" })));
  put(clear(box), head);
  const runs = [];
  let run = null;
  for (const row of data.rows) {
    if (row[0] === "fold") put(box, fold(row));
    if (row[0] === "same") put(box, same(row[1], row[2], row[3]));
    if (row[0] === "same" || row[0] === "fold") {
      run = null;
      continue;
    }
    if (!run) {
      run = put(box, el("div", "run changes", null, { tabindex: "-1", role: "group", "aria-label": `change ${runs.length + 1}` })).lastChild;
      runs.push(run);
    }
    put(run, side("a", "−", row[1], row[3], row[5]), side("b", "+", row[2], row[4], row[5]));
  }
  return runs;
}

function same(first, second, texts) {
  const both = el("div", "run same");
  put(both, line("a", " ", first, texts), line("b", " ", second, texts));
  both.lastChild.setAttribute("aria-hidden", "true");
  return both;
}

function side(name, sign, number, texts, note) {
  if (texts === null) return el("div", `${name} empty`, null, { "aria-hidden": "true" });
  const node = line(name, sign, number, texts, name === "a" ? "del" : "ins");
  if (note) put(node.lastChild, el("em", "", ` (${note})`));
  return node;
}

function line(name, sign, number, texts, mark) {
  const text = el("span", "text", null, { dir: "auto" });
  texts.forEach((part, at) => part && put(text, at % 2 ? el(mark, part.trim() ? "" : "space", seen(part)) : document.createTextNode(part.replaceAll("\r", "␍"))));
  return put(el("div", name), el("i", "number", number, { "aria-hidden": "true" }), el("i", "sign", sign), text);
}

// White space alone would be an empty mark.
function seen(part) {
  const plain = part.replaceAll("\r", "␍");
  return plain.trim() ? plain : plain.replaceAll(" ", "·").replaceAll("\u00a0", "⍽").replaceAll("\t", "→\t");
}

function fold(row) {
  const [, first, second, size, texts] = row;
  const words = `${size.toLocaleString("en")} unchanged lines`;
  const box = el("div", "fold");
  if (!texts) return put(box, el("span", "", `⋯ ${words}`));
  const open = () => box.replaceWith(...texts.map((text, at) => same(first + at, second + at, [text])));
  return put(box, button("", `⋯ show ${words}`, {}, open));
}

function moves(box, runs, status) {
  let at = -1;
  const go = (step) => {
    at = (at + step + runs.length) % runs.length;
    runs[at].focus({ preventScroll: true });
    box.scrollTop += runs[at].getBoundingClientRect().top - box.getBoundingClientRect().top - 60;
    status.textContent = `change ${at + 1} of ${runs.length}`;
  };
  status.textContent = `${runs.length} changes`;
  return [status, button("move", "↑", { "aria-label": "previous change" }, () => go(at < 0 ? 0 : -1)), button("move", "↓", { "aria-label": "next change" }, () => go(1))];
}
