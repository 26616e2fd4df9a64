// ---- who judges, notes, and my scores beside those of others

function nameForm(self) {
  const box = el("form", "scores naming", null, { "aria-label": "Who judges" });
  const field = el("input", "name-field", null, { type: "text", id: "judge-name", required: true, autocomplete: "name", dir: "auto" });
  bounded(field, self.data.limits.name, "The name");
  field.value = self.data.likely || "";
  // What is typed replaces the name that is offered; what was typed itself stays when drawn again.
  field.addEventListener("focus", () => { if (field.value === self.data.likely) field.select(); });
  box.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.value.trim() && !self.pending) send(self, "be", { name: field.value.trim() });
  });
  put(box, el("h3", "", "Who judges?"), el("label", "", "Your name, shown next to your scores", { for: "judge-name" }), field);
  return put(box, el("button", "store-name", "Start judging", { type: "submit" }), el("fieldset", "announced", null, { disabled: true }));
}

// What will be scored is seen before anybody is named.
function announced(self) {
  const box = el("fieldset", "announced", null, { disabled: true, "aria-label": "What is scored" });
  put(box, ...parted(self, (item, at) => put(el("fieldset", "criterion"), ...asked(item), ruleSaid(self, item), scale(self, item, at, blank()))));
  self.naming.querySelector(".announced").replaceWith(box);
  return self.naming;
}

function aside(self) {
  const { task } = self.data;
  const box = el("div", "aside");
  const id = "run-note";
  const text = el("textarea", "note", null, { id, rows: "1", dir: "auto", placeholder: "A free note on this run (stored by itself)", "aria-label": "A free note on this run" });
  watchLength(self, text, self.data.limits.note, "The note");
  text.value = self.form.note || "";
  text.addEventListener("input", () => { self.form.note = text.value; typed(self); });
  const keep = button("link small", "Store the note", { "data-act": "note" }, () => {
    const long = over(text.value, self.data.limits.note, "The note");
    if (long) say(self, long);
    else if (text.value.trim() && able(self)) {
      const note = text.value.trim();
      self.form.note = "";
      text.value = "";
      send(self, "note", { text: note });
    }
  });
  put(box, text, able(self) ? put(el("p", "acts"), keep, exclusion(self), suiteNote(self)) : null);
  for (const note of task.notes) put(box, el("p", "kept-note small", note, { dir: "auto" }));
  return box;
}

function runNote(self) {
  return button("link small", "Note on this run", { "data-act": "run-note" }, () => askFor(self,
    { title: "A note on this run", label: "What should others know about it?", act: "Store the note", needed: true, most: self.data.limits.note },
    (text) => send(self, "note", { text })));
}

function suiteNote(self) {
  return button("link small", "Note on the suite", { "data-act": "suite-note" }, () => askSuiteNote(self));
}

function exclusion(self) {
  return button("link small", "Exclude run …", { "data-act": "exclude", title: "Count it in no rate" }, () => askFor(self, {
    title: "Exclude run from all rates", label: "Why? The reason is shown with the run, which stays visible in Gradings.", act: "Exclude the run", needed: true, most: self.data.limits.reason,
  }, (reason) => send(self, "exclude", { reason })));
}

function askSkip(self) {
  askFor(self, { title: "Skip this run", label: "Why? (may stay empty)", act: "Skip and go on", needed: false, most: self.data.limits.reason },
    (reason) => send(self, "skip", { reason }));
}

function askSuiteNote(self) {
  askFor(self, { title: "A note on the suite", label: "What should others know about all of it?", act: "Store the note", needed: true, most: self.data.limits.note },
    (text) => send(self, "suite-note", { text }));
}

function askName(self) {
  askFor(self, { title: "Judge under another name", label: "Your name, shown next to your scores", act: "Start judging", needed: true, most: self.data.limits.name },
    (name) => send(self, "be", { name }));
}

// A keyboard cannot select what is no field: a passage is typed, or picked from the lines on screen.
function askEvidence(self, at) {
  const shown = self.read.querySelector(".output");
  const lines = shown ? shown.textContent.split("\n").map((line) => line.trim()) : [];
  const short = lines.filter((line) => line && !over(line, self.data.limits.passage, ""));
  askFor(self, {
    title: "Evidence", label: "Nothing is selected. Type the passage, or its first letters and pick the line.",
    act: "Take it as evidence", needed: true, most: self.data.limits.passage, lines: [...new Set(short)].slice(0, MAX_LINES),
  }, (text) => take(self, at, text));
}

// The browser says what a field has too much of, and does not send it.
function bounded(field, most, what) {
  field.addEventListener("input", () => field.setCustomValidity(over(field.value, most, what)));
}

// One question with one answer; Enter gives it, Escape takes the question away.
function askFor(self, { title, label, act, needed, most, lines = [] }, then) {
  if (self.pending) return;
  const { question } = self;
  const form = el("form", "", null, { method: "dialog" });
  const field = el("input", "", null, { type: "text", id: "answer", required: needed, dir: "auto", autocomplete: "off" });
  bounded(field, most, "What you typed");
  form.addEventListener("submit", () => then(field.value.trim()));
  if (lines.length) {
    field.setAttribute("list", "lines");
    const list = el("datalist", "", null, { id: "lines" });
    for (const line of lines) put(list, el("option", "", null, { value: line }));
    put(form, list);
  }
  put(form, el("strong", "", title), el("label", "", label, { for: "answer" }), field);
  put(form, put(el("p", "acts"), el("button", "chip", act, { type: "submit" }), button("chip", "Back", {}, () => question.close())));
  question.setAttribute("aria-label", title);
  question.replaceChildren(form);
  question.showModal();
  field.focus();
}

// What I stored, beside what everybody else and the model said; sent only once mine is stored.
function review(self) {
  const { task } = self.data;
  const box = el("section", "scores review", null, { "aria-label": "My scores beside the others" });
  for (const item of task.criteria) {
    const part = put(el("article"), el("h4", "", item.name, { dir: "auto" }), ruleSaid(self, item));
    for (const row of task.others[item.key] || []) put(part, opinion(row));
    put(box, part);
  }
  const more = put(el("div", "aside"), able(self) ? put(el("p", "acts"), runNote(self), exclusion(self), suiteNote(self)) : null);
  for (const text of task.notes) put(more, el("p", "kept-note small", text, { dir: "auto" }));
  put(box, more);
  const foot = el("div", "foot");
  put(foot, button("store correct", "Correct my scores", { "data-act": "correct", "aria-disabled": String(!able(self)) }, () => {
    if (!able(self)) return;
    self.correcting = task.run;
    self.drawn = null;
    keepFocus(self.root, () => draw(self));
    takeUp(self);
    focusOn(self, 0);
  }), button("link", "Withdraw my scores", { "data-act": "undo", disabled: !able(self) }, () => send(self, "undo", { at: Date.now() })), el("span", "told", "", { role: "status" }));
  return put(box, foot);
}

function opinion(row) {
  const line = el("div", `opinion ${row.who}`);
  const differs = row.differs ? put(el("span", "warn differs"), " ", mark("warn"), "differs from mine") : null;
  put(line, put(el("p", "head"), el("b", "", row.name, { dir: "auto" }), " ", mark(row.mark), row.score, differs, row.hint ? el("span", "quiet small", ` · ${row.hint}`, { dir: "auto" }) : null));
  if (row.why) put(line, el("div", "text clamp", row.why, { dir: "auto" }));
  for (const text of row.evidence) put(line, el("p", "quoted small clamp", `“${text}”`, { dir: "auto" }));
  return line;
}

// ---- the keyboard

const KEYS = [
  ["0 … 9", "score the criterion you are at; on a finer scale the n-th choice"],
  ["p f", "passes, fails"],
  ["↓ or j, ↑ or k", "next and previous criterion"],
  ["w or Enter", "write why"],
  ["Esc", "out of a text, back to the scores"],
  ["e", "take the selected text as evidence, or ask for it"],
  ["l m h", "your confidence: low, medium, high"],
  ["Ctrl+Enter", "store my scores and go on, also while typing"],
  ["→ ←", "next and previous run"],
  ["s", "skip this run"],
  ["r", "show or fold what rules decided"],
  ["a", "agreement between judges"],
  ["?", "this sheet"],
];

function listen(self) {
  const onKey = (event) => key(self, event);
  const onKept = (event) => kept(self, event.detail);
  const onSize = () => fill(self);
  document.addEventListener("keydown", onKey);
  document.addEventListener(KEPT_EVENT, onKept);
  const around = self.root.host ? self.root.host.closest("[data-testid=stMainBlockContainer]") : null;
  const watch = new ResizeObserver(onSize);
  for (const node of [around, document.body]) if (node) watch.observe(node);
  self.stop = () => {
    document.removeEventListener("keydown", onKey);
    document.removeEventListener(KEPT_EVENT, onKept);
    watch.disconnect();
    clearTimeout(self.timer);
    clearTimeout(self.debounce);
  };
}

function kept(self, { run, at, why }) {
  if (!self.form || self.form.run !== run || self.form.at !== at) return;
  noteDraft(self, why || `draft kept ${clock(at)}`);
}

// A radio button is no field to type in: the keys work where the scores are chosen.
function busy(self, event) {
  const target = event.composedPath()[0];
  const radio = target.type === "radio" && self.box.contains(target);
  if (radio) return event.ctrlKey || event.metaKey || event.altKey;
  return typing(event);
}

function key(self, event) {
  if (event.defaultPrevented || event.isComposing || self.sheet.open || self.question.open) return;
  if (document.querySelector("[role=dialog]")) return;
  const target = event.composedPath()[0];
  const ours = self.box.contains(target);
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && (ours || !typing({ ...plain(event) }))) {
    event.preventDefault();
    if (!event.repeat) store(self);
    return;
  }
  if (event.key === "Escape" && ours && target.tagName === "TEXTAREA") {
    event.preventDefault();
    focusOn(self, self.current);
    return;
  }
  if (busy(self, event)) return;
  if (act(self, event, target)) event.preventDefault();
}

function plain(event) {
  return { composedPath: () => event.composedPath(), ctrlKey: false, metaKey: false, altKey: false };
}

function act(self, event, target) {
  const { task, head } = self.data;
  const name = event.key;
  if (name === "?") return self.sheet.showModal() || true;
  if (name === "a") return leave(self, { act: "agreement" }) || true;
  if (!task) return false;
  const sure = target.type === "radio" && /^sure/.test(target.name);
  if (!sure && name === "ArrowRight") return stepTo(self, head.next, head.last) || true;
  if (!sure && name === "ArrowLeft") return stepTo(self, head.prev, head.first) || true;
  if (!self.form || self.pending) return false;
  return formKey(self, name, target);
}

function formKey(self, name, target) {
  const move = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[name];
  const folded = self.scores.querySelector("details.decided");
  if (name === "r" && folded) {
    folded.open = !folded.open;
    focusOn(self, folded.open ? leftOf(self) : 0);
    return true;
  }
  const last = (folded && !folded.open ? leftOf(self) : self.data.task.criteria.length) - 1;
  if (move) return focusOn(self, Math.min(Math.max(self.current + move, 0), last)) || true;
  if (/^[0-9]$/.test(name) || name === "p" || name === "f") return choose(self, name);
  if (LEVELS[name]) return level(self, LEVELS[name]);
  const onButton = /^(BUTTON|A|SUMMARY)$/.test(target.tagName || "");
  if (name === "w" || (name === "Enter" && !onButton)) {
    const box = fieldset(self, self.current);
    if (box) box.querySelector("textarea").focus();
    return Boolean(box);
  }
  if (name === "e") return pick(self, self.current) || true;
  if (name === "s" && able(self)) return askSkip(self) || true;
  return false;
}

function level(self, word) {
  const box = fieldset(self, self.current);
  if (box) box.querySelector(`.sure input[value="${word}"]`).click();
  return Boolean(box);
}
