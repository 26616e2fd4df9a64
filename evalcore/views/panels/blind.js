// How long each sending of one act waits for its answer; after the last it counts as lost.
const WAITS_MS = [3000, 3500, 5500];
const WINNERS = [["left", "l", "Left is better"], ["tie", "t", "Tie"], ["right", "r", "Right is better"], ["both bad", "b", "Both are bad"]];
const KEYS = [
  ["l", "left is better"], ["r", "right is better"], ["t", "a tie"], ["b", "both are bad"],
  ["Tab", "the next field; scores are typed"], ["Esc", "out of a field"], ["k", "I know which is which"],
  ["w", "write the reason"], ["Ctrl+Enter", "store and continue"], ["n, p", "next pair, previous pair"], ["d", "differences"], ["u", "undo the last verdict"], ["?", "this list"],
];
const mounted = new WeakMap();

export default function ({ data, parentElement: root, setTriggerValue }) {
  let self = mounted.get(root);
  if (!self) {
    self = begin(root);
    mounted.set(root, self);
  }
  self.send = sender(setTriggerValue);
  redraw(root, () => {
    self.data = data;
    hear(self);
    // On a new pair the letters are keys again, not text in the last field.
    if (self.drawn === (data.task && data.task.id)) keepFocus(root, () => draw(self));
    else draw(self);
  });
  return endsWith(root, self);
}

function begin(root) {
  const self = { root, box: put(root, el("div", "blind")).lastChild, forms: new Map(), tab: Math.random().toString(36).slice(2), count: 0 };
  self.sheet = put(root, shortcuts(KEYS)).lastChild;
  const listen = (event) => key(self, event);
  document.addEventListener("keydown", listen);
  self.stop = () => document.removeEventListener("keydown", listen);
  return self;
}

// One act at a time; sent again until its answer comes, and done once by its number.
function act(self, name, what) {
  if (self.pending) return;
  const number = `${self.tab}-${(self.count += 1)}`;
  self.pending = { number, message: { act: name, number, ...what }, waits: [...WAITS_MS] };
  post(self);
  busy(self);
}

function post(self) {
  self.send(self.pending.message);
  self.timer = setTimeout(() => late(self), self.pending.waits.shift());
}

function late(self) {
  if (!self.pending) return;
  if (self.pending.waits.length) {
    post(self);
    return;
  }
  self.pending = null;
  say(self, "No answer from the server. What you typed is kept; try again (it is never stored twice).");
  busy(self);
}

function hear(self) {
  const { answer } = self.data;
  if (!answer || answer.number === self.heard) return;
  self.heard = answer.number;
  if (self.pending && self.pending.number === answer.number) {
    clearTimeout(self.timer);
    self.pending = null;
  }
  if (answer.ok && answer.forget) forget(self, answer.forget);
  self.message = answer.message;
  self.bad = !answer.ok;
}

// What is typed is kept in this browser until it is stored.
function keyOf(task) {
  return `evalcore-blind ${task}`;
}

function formOf(self) {
  const { task, mine } = self.data;
  if (!self.forms.has(task.id)) {
    let kept = null;
    try {
      kept = JSON.parse(localStorage.getItem(keyOf(task.id)));
    } catch (error) {
      kept = null;
    }
    const stored = mine ? { winner: mine.winner, scores: mine.scores, rationale: mine.rationale, knows: mine.knows } : null;
    self.forms.set(task.id, { winner: null, scores: {}, rationale: "", knows: false, ...(stored || {}), ...(kept || {}) });
  }
  return self.forms.get(task.id);
}

function typed(self) {
  try {
    localStorage.setItem(keyOf(self.data.task.id), JSON.stringify(self.form));
  } catch (error) {
    // A full storage costs a reload what was typed, never a stored verdict.
  }
}

function forget(self, task) {
  self.forms.delete(task);
  localStorage.removeItem(keyOf(task));
}

function draw(self) {
  const { data } = self;
  if (!data.task) {
    self.form = null;
    self.drawn = null;
    self.box.replaceChildren(strip(self), end(self));
    return;
  }
  const moved = self.drawn !== data.task.id;
  self.drawn = data.task.id;
  self.form = formOf(self);
  self.box.replaceChildren(bar(self), strip(self), ...warnings(self), prompt(self), files(self), panes(self), form(self));
  for (const text of self.box.querySelectorAll(".clamp")) unclamp(text);
  busy(self);
  if (moved) self.box.scrollIntoView({ block: "nearest" });
}

function bar(self) {
  const { data } = self;
  const line = el("div", "bar");
  put(line, el("h2", "", `Pair ${data.place} of ${data.of}`), el("span", "quiet", `${data.done} compared`));
  const moves = el("span", "moves");
  put(moves, button("move", "‹ previous", { "data-act": "previous" }, () => act(self, "go", { to: "previous" })));
  put(moves, button("move", "next ›", { "data-act": "next" }, () => act(self, "go", { to: "next" })));
  put(moves, button("link", "? shortcuts", { "data-act": "keys" }, () => self.sheet.showModal()));
  // Who judges a packet sees no scores anywhere: there is nothing to give up for.
  if (!data.packet) put(moves, button("link", "stop judging blind", { "data-act": "give-up" }, () => askGiveUp(self)));
  return put(line, moves);
}

function askGiveUp(self) {
  const box = put(self.root, el("dialog", "", null, { "aria-label": "Stop judging blind" })).lastChild;
  const close = () => { box.close(); box.remove(); };
  put(box, el("p", "", "You will see all scores of these runs again and cannot judge in this study any more. Your verdicts are kept. This is recorded."));
  put(box, button("chip", "Stop judging blind", {}, () => { close(); act(self, "give-up", {}); }), " ", button("chip", "Keep judging", {}, close));
  box.showModal();
}

function strip(self) {
  const line = el("div", "strip");
  if (self.message) put(line, el("span", self.bad ? "worse" : "told", self.message, { role: "status", dir: "auto" }));
  if (self.data.undo) put(line, button("link", "Undo", { "data-act": "undo" }, () => act(self, "undo", { task: self.data.undo })));
  return line;
}

function warnings(self) {
  const { task } = self.data;
  const found = [];
  if (task.changed) found.push("An output changed after this study was made: this pair cannot be judged. Continue with the next.");
  if (task.left.names_author || task.right.names_author) found.push("A text here may name its author. Judge only the content; tick the box below if you know which is which.");
  return found.map((text) => el("p", "notice", text));
}

function prompt(self) {
  const box = el("section", "prompt");
  return put(box, el("h3", "", "Prompt"), el("div", "text clamp", self.data.task.prompt || "No prompt is recorded.", { dir: "auto" }));
}

function files(self) {
  const { task } = self.data;
  const row = el("div", "tabs", null, { role: "group", "aria-label": "Files" });
  if (task.files.length < 2) return row;
  for (const name of task.files) {
    put(row, button("tab", name, { "aria-pressed": String(name === task.left.name), "data-act": name }, () => act(self, "file", { file: name, part: 1 })));
  }
  return row;
}

function panes(self) {
  const { task } = self.data;
  return put(el("div", "panes"), pane(self, "Left", task.left), pane(self, "Right", task.right));
}

function pane(self, title, shown) {
  const box = el("section", "pane", null, { "aria-label": title });
  const notes = [];
  if (shown.masked) notes.push(`${shown.masked} ${shown.masked === 1 ? "passage" : "passages"} hidden`);
  if (shown.note) notes.push(shown.note);
  put(box, put(el("h3", "", title), el("span", "quiet small", notes.length ? ` ${notes.join(" · ")}` : "")));
  if (shown.image) put(box, el("img", "", null, { src: shown.image, alt: `${title}: an image` }));
  else if (shown.text !== null) put(box, el("div", "output", shown.text, { dir: "auto", tabindex: "0", role: "region", "aria-label": `${title} output` }));
  else put(box, el("p", "quiet", shown.note || "Nothing to show."));
  if (shown.parts > 1) put(box, parts(self, shown));
  return box;
}

function parts(self, shown) {
  const line = put(el("div", "parts"), el("span", "quiet", `part ${shown.part} of ${shown.parts}`));
  for (const [word, to] of [["‹", shown.part - 1], ["›", shown.part + 1]]) {
    if (to >= 1 && to <= shown.parts) put(line, button("move", word, { "aria-label": word === "‹" ? "Previous part" : "Next part" }, () => act(self, "file", { file: shown.name, part: to })));
  }
  return line;
}

function form(self) {
  const { task } = self.data;
  const box = el("form", "verdict-form", null, { "aria-label": "My verdict", novalidate: true });
  box.addEventListener("submit", (event) => { event.preventDefault(); store(self); });
  if (task.criteria.length) put(box, scores(self));
  put(box, winners(self), reason(self), knows(self));
  const foot = el("div", "foot");
  put(foot, el("button", "store", self.data.mine ? "Store correction" : "Store and continue", { type: "submit", title: "Ctrl+Enter", "data-act": "store" }));
  put(foot, button("link", self.data.diff ? "Hide differences" : "Show differences", { "data-act": "diff" }, () => act(self, "diff", {})));
  return put(box, put(foot, el("span", "saying", "", { role: "status", "aria-live": "polite" })));
}

function scores(self) {
  const table = el("table", "scores", null, { "aria-label": "Scores" });
  put(table, put(el("tr"), el("th", "", "criterion"), el("th", "", "left"), el("th", "", "right")));
  for (const item of self.data.task.criteria) {
    const name = put(el("th", "", null, { scope: "row", dir: "auto" }), el("span", "", item.name), el("span", "quiet small", ` ${item.low}–${item.high}. ${item.description}`));
    put(table, put(el("tr"), name, score(self, item, 0), score(self, item, 1)));
  }
  return table;
}

function score(self, item, side) {
  const given = self.form.scores[item.name] || [null, null];
  const field = el("input", "", null, { type: "number", min: item.low, max: item.high, step: 1, "data-act": `${item.name} ${side}`, "aria-label": `${item.name}, ${side ? "right" : "left"}`, value: given[side] === null ? null : String(given[side]) });
  field.addEventListener("input", () => {
    const now = self.form.scores[item.name] || [null, null];
    now[side] = field.value === "" ? null : Number(field.value);
    self.form.scores[item.name] = now;
    typed(self);
  });
  return put(el("td"), field);
}

function winners(self) {
  const row = el("div", "winners", null, { role: "radiogroup", "aria-label": "Which is better?" });
  for (const [name, letter, words] of WINNERS) {
    const on = self.form.winner === name;
    const one = button("winner", words, { role: "radio", "aria-checked": String(on), "data-act": `winner ${name}`, "data-winner": name }, () => choose(self, name));
    put(row, put(one, " ", el("kbd", "", letter)));
  }
  return row;
}

function choose(self, name) {
  self.form.winner = name;
  typed(self);
  for (const node of self.box.querySelectorAll(".winner")) node.setAttribute("aria-checked", String(node.dataset.winner === name));
  self.box.querySelector("textarea").placeholder = reasonHint(self);
}

function reasonNeeded(self) {
  return needsReason(self.data.reasons, self.form.winner === "both bad");
}

function reasonHint(self) {
  return reasonNeeded(self) ? "Reason (required)" : "Reason (may stay empty)";
}

function reason(self) {
  const field = el("textarea", "", null, { rows: "2", placeholder: reasonHint(self), "aria-label": "Reason", "data-act": "reason", dir: "auto", maxlength: "20000" });
  field.value = self.form.rationale;
  field.addEventListener("input", () => { self.form.rationale = field.value; typed(self); });
  return field;
}

function knows(self) {
  const tick = el("input", "", null, { type: "checkbox", "data-act": "knows" });
  tick.checked = self.form.knows;
  tick.addEventListener("change", () => { self.form.knows = tick.checked; typed(self); });
  return put(el("label", "knows"), tick, " I know which is which ", el("kbd", "", "k"), el("span", "quiet small", " Recorded and reported separately."));
}

function missing(self) {
  const open = self.data.task.criteria.filter(({ name }) => (self.form.scores[name] || [null, null]).includes(null));
  if (open.length) return `${open[0].name} has no score on one side.`;
  if (!self.form.winner) return "Choose which is better: l, r, t or b.";
  return self.form.rationale.trim() || !reasonNeeded(self) ? "" : "Give a reason in a few words (w).";
}

function store(self) {
  const why = missing(self);
  if (why) {
    say(self, why);
    return;
  }
  act(self, "store", { task: self.data.task.id, submission: self.data.submission, ...self.form });
}

function say(self, text) {
  const node = self.box.querySelector(".saying");
  if (node) node.textContent = text;
}

function busy(self) {
  self.box.classList.toggle("busy", Boolean(self.pending));
  const store = self.box.querySelector(".store");
  if (store) store.setAttribute("aria-disabled", String(Boolean(self.pending)));
  if (self.pending && self.pending.message.act === "store") say(self, "Storing …");
}

function end(self) {
  const box = el("section", "end");
  put(box, el("h2", "", self.data.end));
  if (self.data.may_reveal) put(box, button("chip", "Reveal which was which", { "data-act": "reveal" }, () => act(self, "reveal", {})));
  if (self.data.may_reveal) put(box, el("p", "quiet", "This ends your part: verdicts cannot be changed afterwards."));
  if (self.data.may_reveal || self.data.packet) put(box, button("link", "Review my verdicts", { "data-act": "again" }, () => act(self, "go", { to: "first" })));
  return box;
}

const DOES = {
  l: (self) => choose(self, "left"), r: (self) => choose(self, "right"), t: (self) => choose(self, "tie"), b: (self) => choose(self, "both bad"),
  n: (self) => act(self, "go", { to: "next" }), p: (self) => act(self, "go", { to: "previous" }), d: (self) => act(self, "diff", {}),
  u: (self) => self.data.undo && act(self, "undo", { task: self.data.undo }),
  w: (self) => self.box.querySelector("textarea").focus(), k: (self) => self.box.querySelector(".knows input").click(),
};

function key(self, event) {
  if (!self.root.isConnected || self.root.querySelector("dialog[open]")) return;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && self.form) {
    event.preventDefault();
    store(self);
    return;
  }
  if (event.key === "Escape" && self.root.activeElement) self.root.activeElement.blur();
  if (typing(event)) return;
  if (event.key === "?") self.sheet.showModal();
  else if (self.form && DOES[event.key]) {
    event.preventDefault();
    DOES[event.key](self);
  }
}
