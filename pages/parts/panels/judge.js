// How long each sending of one message waits for the answer; after the last it counts as lost.
const WAITS_MS = [3000, 3500, 5500];
const DRAFT_MS = 800;
const HINT = "Score with the keys 0 to 9, w to write why, Ctrl+Enter to store; ? lists all keys.";
const KEPT_EVENT = "evalcore-draft-kept";
const mounted = new WeakMap();

export default function ({ data, parentElement: root, setTriggerValue }) {
  let self = mounted.get(root);
  if (!self) {
    self = begin(root);
    mounted.set(root, self);
  }
  self.trigger = setTriggerValue;
  redraw(root, () => {
    self.data = data;
    own(self);
    hear(self);
    keepFocus(root, () => draw(self));
    takeUp(self);
  });
  return endsWith(root, self);
}

function begin(root) {
  const self = {
    root, box: put(root, el("div", "judge")).lastChild, forms: new Map(), sent: new Map(),
    // No two windows may take each other's answers for their own.
    tab: Math.random().toString(36).slice(2), count: 0, current: 0, message: "",
  };
  self.above = put(self.box, el("div", "above")).lastChild;
  self.workArea = put(self.box, el("div", "work-area")).lastChild;
  self.sheet = put(root, shortcuts(KEYS)).lastChild;
  self.question = put(root, el("dialog", "question")).lastChild;
  listen(self);
  return self;
}

// One message at a time is on its way; it carries all that the server needs to know, and what was
// typed, so that the wait before a draft loses nothing.
function send(self, act, what, form) {
  if (self.pending) return;
  const seq = `${self.tab}-${(self.count += 1)}`;
  clearTimeout(self.debounce);
  self.sent.set(seq, { form, at: Date.now(), some: what.some });
  const draft = act !== "store" && self.form && self.form.at > 0 ? carried(self.form) : null;
  const message = { act, seq, judge: self.data.judge ? self.data.judge.id : null, run: self.data.task ? self.data.task.run : null, draft, ...what };
  self.pending = { seq, act, message, waits: [...WAITS_MS] };
  post(self);
  showPending(self);
}

function post(self) {
  const { message, waits } = self.pending;
  self.timer = setTimeout(() => late(self, message.seq), waits.shift());
  self.trigger("did", message);
}

// A run of the page that another one breaks off is never drawn: the same message again brings the
// answer, and the server obeys each number once.
function late(self, seq) {
  if (!self.pending || self.pending.seq !== seq) return;
  if (self.pending.waits.length) {
    post(self);
    return;
  }
  const stored = self.pending.act === "store";
  self.pending = null;
  warn(self, stored
    ? "Not stored yet: no answer came. What you typed is kept here; store it again, which never stores it twice."
    : "No answer came yet; what you typed is kept here. Try again.");
  showPending(self);
}

// What one person typed in one suite is nobody else's and of no other.
function own(self) {
  const owner = `${self.data.w} ${self.data.judge ? self.data.judge.id : ""}`;
  if (owner === self.owner) return;
  Object.assign(self, { owner, form: null, drawn: null, correcting: null, warning: "" });
  self.forms.clear();
  clearTimeout(self.debounce);
}

// What was typed is let go only when the receipt for it is here.
function hear(self) {
  const answer = self.data.answer;
  if (!answer || answer.seq === self.heard) return;
  self.heard = answer.seq;
  const sent = self.sent.get(answer.seq);
  if (self.pending && self.pending.seq === answer.seq) {
    clearTimeout(self.timer);
    self.pending = null;
  }
  self.notice = answer.ok ? null : answer;
  self.message = answer.ok ? answer.message : "";
  self.lift = answer.lift || null;
  if (!sent) return;
  if (answer.ok && sent.form && !sent.some) settle(self, sent);
  self.correcting = null;
  self.moved = answer.ok;
}

function settle(self, sent) {
  if (sent.form.at <= sent.at) forget(self, sent.form.run);
}

function draw(self) {
  const { data } = self;
  const held = scrolls(self);
  self.above.replaceChildren(bar(self), put(el("div", "line"), strip(self), who(self)), notice(self), ...(data.task ? [top(self)] : []));
  const below = data.task ? workArea(self) : [data.end ? end(self) : ""];
  // What stands there already is not moved: that would take the cursor out of a text.
  if (below.length !== self.workArea.childNodes.length || below.some((node, at) => node !== self.workArea.childNodes[at])) self.workArea.replaceChildren(...below);
  for (const text of self.box.querySelectorAll(".clamp")) unclamp(text);
  scrolls(self, held);
  fill(self);
  showPending(self);
}

// A new task begins at its top, with the keyboard on its first criterion.
function takeUp(self) {
  const { task } = self.data;
  const now = task ? `${task.run} ${Boolean(self.data.judge)} ${reviews(self)}` : null;
  const first = self.shown === undefined;
  if (now === self.shown) return;
  self.shown = now;
  self.current = 0;
  for (const part of self.box.querySelectorAll(".read, .scores")) part.scrollTop = 0;
  if (task && (!first || document.activeElement === document.body)) focusOn(self, 0);
}

// ---- what stands above the task

function bar(self) {
  const { head } = self.data;
  const line = el("div", "bar");
  if (head) {
    put(line, put(el("b", "place"), head.position), head.left ? el("span", "quiet", head.left) : null, head.batch ? el("span", "quiet batch", head.batch) : null);
    const counts = el("span", "counts", null, { role: "group", "aria-label": "Runs by where they stand for you" });
    for (const item of head.counts) {
      put(counts, put(button("chip", null, {
        "aria-pressed": String(item.on), "data-state": item.key, "data-act": `state ${item.key}`, title: item.hint,
      }, () => leave(self, { act: "filter", state: item.on ? null : item.key })), el("b", "", item.n.toLocaleString("en")), ` ${item.label}`));
    }
    put(line, counts, head.reasons.length ? why(self, head) : null);
  }
  const tools = el("span", "tools");
  put(tools, button("link", "Agreement", { "data-act": "agreement", title: "How far judges agree (a)" }, () => leave(self, { act: "agreement" })));
  put(tools, button("link", "Trust", { "data-act": "trust", title: "How far a model as judge can be trusted" }, () => leave(self, { act: "trust" })));
  put(tools, button("link", "? shortcuts", { "data-act": "sheet" }, () => self.sheet.showModal()));
  return put(line, tools);
}

function who(self) {
  const { judge } = self.data;
  if (!judge) return null;
  const name = put(el("span", "quiet", "Judging as "), el("bdi", "", judge.name, { title: judge.id }));
  return put(el("span", "who"), name, button("link", "Change", { "data-act": "change" }, () => askName(self)));
}

function why(self, head) {
  const pick = el("select", "", null, { "aria-label": "Only runs with this reason", "data-act": "reason" });
  put(pick, el("option", "", "any reason", { value: "" }));
  for (const item of head.reasons) put(pick, el("option", "", `${item.text} (${item.n})`, { value: item.key, selected: item.on }));
  pick.addEventListener("change", () => leave(self, { act: "filter", reason: pick.value || null }));
  return put(el("span", "why"), pick);
}

// What was stored, as it was read back from the disk. Its line is there from the start: it moves nothing.
function strip(self) {
  const box = el("div", "strip", null, { role: "status", "aria-live": "polite" });
  const { receipt } = self.data;
  if (self.message) put(box, put(el("p", "said"), el("span", "", self.message, { dir: "auto" }), self.lift ? liftAct(self) : null));
  if (!receipt) return self.message ? box : put(box, el("p", "said quiet hint", self.data.judge ? HINT : ""));
  const line = put(el("p", "said"), mark("pass"), el("span", "", receipt.message, { dir: "auto" }));
  put(line, el("span", "quiet small", ` · ${clock(receipt.at)}`));
  const details = el("details", "receipt");
  put(details, el("summary", "", receipt.short));
  const rows = el("ul");
  for (const row of receipt.rows) {
    put(rows, put(el("li"), el("span", "", `${row.name}: ${row.score}`, { dir: "auto" }), el("code", "quiet small", ` ${row.id} · sha256 ${row.sha256}`)));
  }
  put(details, rows);
  const acts = put(el("span", "acts"),
    button("link", "Undo", { "data-act": "undo", title: "Withdraw these scores; what you typed comes back as a draft" }, () => send(self, "undo", { run: receipt.run, of: receipt.ids, at: Date.now() })),
    button("link", "Open it", { "data-act": "again" }, () => leave(self, { act: "go", to: receipt.run })));
  return put(box, put(line, acts), details);
}

function liftAct(self) {
  const run = self.lift;
  return put(el("span", "acts"), button("link", "Include it again", { "data-act": "lift" }, () => send(self, "lift", { run })));
}

function notice(self) {
  const box = el("div", "notices", null, { role: "alert" });
  const { unwritable } = self.data;
  if (unwritable) put(box, el("p", "notice", unwritable, { dir: "auto" }));
  if (self.data.missed) put(box, el("p", "notice", self.data.missed));
  if (self.warning) put(box, el("p", "notice", self.warning, { dir: "auto" }));
  const refused = self.notice;
  if (refused) {
    const line = put(el("p", "notice refused"), el("b", "", refused.message, { dir: "auto" }));
    for (const text of refused.changed || []) put(line, el("span", "changed", text, { dir: "auto" }));
    if (refused.renew) put(line, button("chip", "Show the newest, with what I typed", { "data-act": "renew" }, () => renew(self)));
    put(box, line);
  }
  return box;
}

// What was typed is kept; it is about what is there now, and is stored as something new.
function renew(self) {
  self.form.ids = {};
  self.form.basis = null;
  self.drawn = null;
  self.shown = null;
  leave(self, { act: "renew", to: self.data.task.run });
}

function warn(self, text) {
  self.warning = text;
  const old = self.box.querySelector(".notices");
  if (old) old.replaceWith(notice(self));
}

function top(self) {
  const { task, head } = self.data;
  const line = el("div", "top");
  const step = (to, end) => () => stepTo(self, to, end);
  const about = put(line, el("div", "about")).lastChild;
  put(about, el("h2", "", task.name, { dir: "auto", title: task.case }), el("span", "quiet column", task.column, { dir: "auto" }));
  put(about, el("span", `state ${task.state.replace(/ /g, "-")}`, task.state));
  for (const text of task.reasons) put(about, el("span", "reason", text, { dir: "auto" }));
  if (task.reveal) put(about, revealAct(self, task));
  const skipped = task.state === "skipped";
  return put(line, put(el("span", "moves"),
    button("link", skipped ? "Judge it after all" : "Skip", { "data-act": "skip", title: "s", disabled: !able(self) || task.review }, () => (skipped ? send(self, "unskip", {}) : askSkip(self))),
    button("move", "‹", { "aria-label": "Previous run", title: "Previous (←)", "data-act": "back" }, step(head.prev, head.first)),
    button("move", "›", { "aria-label": "Next run", title: "Next (→)", "data-act": "on" }, step(head.next, head.last))));
}

// Giving up takes one click; what it does stands beside it.
function revealAct(self, task) {
  const act = button("link", "Show it anyway", { "data-act": "reveal", disabled: !able(self) }, () => leave(self, { act: "reveal" }));
  return put(el("span", "reveal"), act, el("span", "quiet small", ` ${task.reveal}`));
}

function stepTo(self, to, end) {
  if (to) leave(self, { act: "go", to });
  else say(self, end);
}

function leave(self, { act, ...what }) {
  if (self.pending) return;
  self.warning = "";
  self.notice = null;
  send(self, act, what);
}

function end(self) {
  const { end: block } = self.data;
  const box = put(el("div", "end"), el("h2", "", block.title, { dir: "auto" }));
  for (const text of block.lines) put(box, el("p", "", text, { dir: "auto" }));
  const acts = el("p", "acts");
  for (const item of block.links) {
    put(acts, button("chip", item.label, { "data-act": `end ${item.state}`, "data-state": item.state }, () => leave(self, { act: "filter", state: item.state })));
  }
  return put(box, acts);
}

// ---- the two halves of the task

function workArea(self) {
  const reading = JSON.stringify([self.data.task.run, self.data.task.prompt, self.data.task.files, self.data.task.expected]);
  if (reading !== self.reading) {
    self.reading = reading;
    self.read = readings(self);
  }
  return [self.read, side(self)];
}

function side(self) {
  const { task, judge } = self.data;
  // As long as nobody is named it stays the same node: a name that is being typed is in it.
  self.naming = judge ? null : self.naming || nameForm(self);
  if (self.naming) return announced(self);
  if (reviews(self)) {
    self.form = null;
    self.drawn = null;
    return review(self);
  }
  // The form on the screen stays the same node as long as it is about the same task.
  const now = JSON.stringify([task.run, judge.id, task.criteria, task.mine, task.decided, task.rule, Boolean(self.data.unwritable)]);
  if (now !== self.drawn || !self.form) {
    self.drawn = now;
    self.form = formOf(self);
    self.scores = scores(self);
  }
  refresh(self);
  if (self.form.basis && JSON.stringify(self.form.basis) !== JSON.stringify(task.basis)) {
    self.warning = "What you judge changed since you began: look at it again. What you typed is kept.";
    self.form.basis = task.basis;
  }
  return self.scores;
}

// What is judged is shown as it is stored, unless a correction of it was begun.
function reviews(self) {
  const { task } = self.data;
  return task.review && self.correcting !== task.run && !forms(self).some(filled);
}

function scrolls(self, held) {
  const parts = [...self.box.querySelectorAll(".read, .scores, .output")];
  if (!held) return { at: parts.map((part) => part.scrollTop), run: self.shown };
  parts.forEach((part, at) => { part.scrollTop = held.at[at] || 0; });
  return held;
}

function fill(self) {
  const box = self.workArea;
  const scroller = self.root.host ? self.root.host.closest("[data-testid=stMain]") : null;
  const above = Math.round(box.getBoundingClientRect().top + (scroller ? scroller.scrollTop : 0));
  if (above > 0) box.style.setProperty("--above", `${above + 16}px`);
}

function able(self) {
  return Boolean(self.data.judge) && !self.data.unwritable;
}

function showPending(self) {
  const act = self.box.querySelector(".store:not(.correct)");
  if (!act) return;
  const storing = self.pending && self.pending.act === "store";
  act.textContent = storing ? "storing …" : STORE_WORDS;
  act.setAttribute("aria-disabled", String(Boolean(self.pending) || Boolean(self.data.unwritable)));
  for (const field of self.box.querySelectorAll("form fieldset.criterion")) field.disabled = Boolean(storing);
}

function say(self, text) {
  const node = self.box.querySelector(".told");
  if (node) node.textContent = text;
  else { self.message = text; const old = self.box.querySelector(".strip"); if (old) old.replaceWith(strip(self)); }
}
