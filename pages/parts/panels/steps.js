const mounted = new WeakMap();

// The steps of a run: what it took, its time as a strip, and a line for each step; one is open.
export default function ({ data, parentElement: root, setTriggerValue }) {
  let self = mounted.get(root);
  if (!self) {
    self = start(root);
    mounted.set(root, self);
  }
  self.send = sender(setTriggerValue);
  redraw(root, () => {
    if (!self.data || self.data.run !== data.run) Object.assign(self, { seen: null, folded: null });
    Object.assign(self, { data, at: data.at });
    keepFocus(root, () => inPlace(self, () => draw(self)));
    if (self.at !== self.seen) reveal(self);
    self.seen = self.at;
  });
  return endsWith(root, self);
}

function start(root) {
  const self = { root, box: put(root, el("div", "steps")).lastChild, at: null, folded: null, seen: null };
  self.top = put(self.box, el("div", "top")).lastChild;
  self.find = field(self);
  self.strip = put(self.box, el("div", "time")).lastChild;
  self.list = put(self.box, el("ol", "list", null, { "aria-label": "Steps" })).lastChild;
  self.foot = put(self.box, el("div", "foot")).lastChild;
  const onKey = (event) => key(self, event);
  document.addEventListener("keydown", onKey);
  self.list.addEventListener("keydown", (event) => along(self, event));
  self.stop = () => document.removeEventListener("keydown", onKey);
  return self;
}

// The field stays while all else is drawn again: nobody loses what they type.
function field(self) {
  const form = put(self.box, el("form", "find", null, { role: "search" })).lastChild;
  const input = el("input", "", null, { type: "search", placeholder: "Find in the steps", "aria-label": "Find in the steps", maxlength: "200", dir: "auto" });
  const status = el("span", "quiet", "", { role: "status" });
  put(form, input, status, ...[["‹", "Previous step with these words", -1], ["›", "Next step with these words", 1]].map(([sign, label, by]) => (
    button("turn", sign, { "aria-label": label, title: label, "data-act": label }, () => move(self, "hit", by)))));
  const ask = (by) => {
    if (input.value === self.data.find && by) move(self, "hit", by);
    else self.send({ steps: { find: input.value } });
  };
  form.addEventListener("submit", (event) => { event.preventDefault(); ask(1); });
  input.addEventListener("search", () => { if (!input.value && self.data.find) ask(0); });
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.shiftKey) return;
    event.preventDefault();
    ask(-1);
  });
  return { form, input, status };
}

function draw(self) {
  const { data } = self;
  for (const node of [self.find.form, self.strip, self.list, self.foot]) node.hidden = Boolean(data.none);
  if (data.none) {
    self.top.replaceChildren(el("p", "say", data.none, { dir: "auto" }));
    return;
  }
  const errors = data.errors ? button("errors", null, { title: "Next error (e)", "data-act": "errors" }, () => move(self, "error", 1)) : null;
  if (errors) put(errors, mark("fail"), data.errors);
  self.top.replaceChildren(put(el("p", "totals"), el("span", "", data.totals.join(" · ")), errors, el("span", "quiet tell", "", { role: "status" })),
    ...data.notes.map((note) => el("p", "say quiet", note)));
  if (self.root.activeElement !== self.find.input) self.find.input.value = data.find;
  self.find.status.textContent = data.found;
  for (const turn of self.find.form.querySelectorAll("button")) turn.hidden = !data.find;
  self.strip.replaceChildren(...strip(self));
  const stop = data.rows.some((row) => row.n === self.at) ? self.at : data.first;
  self.list.setAttribute("start", String(data.first));
  self.list.replaceChildren(...data.rows.map((row) => line(self, row, stop)));
  if (data.find) for (const node of self.list.querySelectorAll(".text, .what, pre")) markWords(node, data.find);
  const last = data.first + data.rows.length - 1;
  const turn = (sign, label, to) => button("turn", sign, { disabled: !to, "aria-label": label, "data-act": label }, () => go(self, to, true));
  self.foot.replaceChildren(el("span", "quiet", data.span, { role: "status" }), ...(data.span ? [
    turn("‹", "Earlier steps", data.first > 1 ? data.first - 1 : 0), turn("›", "Later steps", last < data.total ? last + 1 : 0)] : []),
    el("span", "quiet source", data.source, { dir: "auto" }));
}

// One bar for each step, or for a few of them: errors are as high as the strip, tools lower, words lowest.
function strip(self) {
  const { bars, ends, note } = self.data.strip;
  const here = self.at || self.data.first;
  const track = el("div", "track", null, {
    role: "slider", tabindex: "0", "aria-label": "The time of the run: a bar for each step", "aria-valuemin": "1", "aria-valuemax": String(self.data.total),
    "aria-valuenow": String(here), "aria-valuetext": spoken(self, here), "data-act": "strip",
  });
  for (const [left, width, kind, step] of bars) {
    const bar = el("i", `bar kind-${kind}`);
    bar.style.left = `${left / 10}%`;
    bar.style.width = `max(2px, ${width / 10}% - 1px)`;
    if (step <= here) bar.dataset.past = "";
    put(track, bar);
  }
  track.addEventListener("click", (event) => {
    const outer = track.getBoundingClientRect();
    const x = ((event.clientX - outer.left) / outer.width) * 1000;
    const near = 6000 / outer.width;
    const away = ([left, width, kind]) => Math.max(left - x, x - left - width, 0) - (kind === 2 ? near : 0);
    go(self, bars.reduce((best, bar) => (away(bar) < away(best) ? bar : best))[3]);
  });
  track.addEventListener("keydown", (event) => {
    const to = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 1, End: self.data.total }[event.key];
    if (!to || to > self.data.total) return;
    event.preventDefault();
    go(self, to);
  });
  return [track, put(el("div", "ends quiet"), el("span", "", ends[0]), el("span", "", note), el("span", "", ends[1]))];
}

function spoken(self, n) {
  const row = self.data.rows.find((one) => one.n === n);
  return row ? `step ${n}: ${row.what} ${row.text}${"error" in row ? ", error" : ""}` : `step ${n}`;
}

function line(self, row, stop) {
  const isOpen = row.n === self.at && self.folded !== row.n;
  const act = button(`step ${row.kind}${"error" in row ? " failed" : ""}`, null, {
    "aria-expanded": String(isOpen), "aria-current": row.n === self.at ? "step" : null, tabindex: row.n === stop ? "0" : "-1", "data-n": String(row.n), "data-act": `step ${row.n}`,
  }, () => (isOpen ? fold(self, row.n) : go(self, row.n)));
  const text = el("span", "text", row.text, { dir: "auto" });
  const error = "error" in row ? put(el("span", "error worse"), mark("fail"), row.error ? `error: ${row.error}` : "error") : null;
  put(act, put(el("span", "what"), el("bdi", "", row.what)), put(el("span", "about"), text, error), row.took ? el("span", "took quiet", row.took) : null);
  const item = put(el("li", row.hit ? "hit" : ""), row.turn ? el("span", "turn-of quiet", row.turn) : null, act);
  item.classList.toggle("inside", Boolean(row.inside));
  return isOpen ? put(item, detail(self, row.n)) : item;
}

// The text of a step comes when it is opened.
function detail(self, n) {
  const { open, at } = self.data;
  const box = el("div", "detail");
  if (!open || at !== n) return put(box, el("p", "say quiet", "…", { role: "status" }));
  put(box, el("p", "facts quiet", open.pointer ? `${open.facts} · ${open.pointer}` : open.facts, { dir: "auto" }));
  for (const { label, text } of open.texts) {
    const act = button("copy", "Copy text", { "data-act": `copy ${label}` }, () => copy(text, (word) => { act.textContent = word; }));
    put(box, put(el("div", "bar-of"), el("b", "quiet", label), act), el("pre", "", text, { dir: "auto", tabindex: "0", role: "region", "aria-label": label }));
  }
  if (open.empty) put(box, el("p", "say quiet", open.empty));
  if (!open.words) return box;
  const turn = (sign, label, part) => button("turn", sign, { disabled: part < 1 || part > open.parts, "aria-label": label, "data-act": label }, () => self.send({ steps: { at: n, part } }));
  return put(box, put(el("div", "parts"), el("span", "quiet", open.words, { role: "status" }), turn("‹", "Previous part", open.part - 1), turn("›", "Next part", open.part + 1)));
}

function go(self, n, folded) {
  const isHere = self.data.rows.some((row) => row.n === n);
  Object.assign(self, { at: n, folded: folded ? n : null });
  if (isHere) keepFocus(self.root, () => inPlace(self, () => draw(self)));
  if (isHere) reveal(self);
  self.seen = null; // its text is still to come
  self.send({ steps: { at: n } });
}

function fold(self, n) {
  self.folded = n;
  keepFocus(self.root, () => inPlace(self, () => draw(self)));
}

// What is folded above the step that is opened does not move it.
function inPlace(self, act) {
  const scroller = self.root.host ? self.root.host.closest(".st-key-evidence-body") : null;
  const place = () => self.list.querySelector(`[data-n="${self.at}"]`);
  const before = place() ? place().getBoundingClientRect().top : null;
  act();
  if (scroller && before !== null && place()) scroller.scrollTop += place().getBoundingClientRect().top - before;
}

function reveal(self) {
  const row = self.list.querySelector(`[data-n="${self.at}"]`);
  if (!row) return;
  const within = self.list.contains(self.root.activeElement);
  if (within) row.focus({ preventScroll: true });
  row.parentElement.scrollIntoView({ block: "nearest" });
}

// The next or previous turn, error or step with the words that are looked for, also beyond those that are sent.
const IS = { turn: (row) => row.turn, error: (row) => "error" in row, hit: (row) => row.hit };

function move(self, what, by) {
  const { rows, beyond } = self.data;
  const here = self.at || (by > 0 ? 0 : self.data.total + 1);
  const every = rows.filter(IS[what]).map((row) => row.n).filter((n) => (n - here) * by > 0);
  const to = (by > 0 ? every[0] : every[every.length - 1]) || beyond[what][by > 0 ? 1 : 0];
  if (to && (to - here) * by > 0) go(self, to);
  else self.top.querySelector(".tell").textContent = `No ${by > 0 ? "further" : "earlier"} ${what === "hit" ? "step with these words" : what}`;
}

function key(self, event) {
  if (!self.data || self.data.none || typing(event) || event.defaultPrevented || document.querySelector("dialog[open]")) return;
  const [what, by] = { n: ["turn", 1], p: ["turn", -1], e: ["error", 1], E: ["error", -1] }[event.key] || [];
  if (!what) return;
  move(self, what, by);
  event.preventDefault();
}

function along(self, event) {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!by || !event.target.classList.contains("step")) return;
  const every = [...self.list.querySelectorAll(".step")];
  const next = every[every.indexOf(event.target) + by];
  event.preventDefault();
  if (next) next.focus();
}
