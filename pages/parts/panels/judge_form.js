// ---- the form: what a judge says of every criterion

const STORE_WORDS = "Store my scores and go on";
const SOME_WORDS = "Store only those that are complete";
const LEVELS = { l: "low", m: "medium", h: "high" };
const WHY = { "for a fail": "Why? (w; may stay empty for a pass)", optional: "Why? (w; may stay empty)" };
const LONG = 300;
const MAX_LINES = 300;

// One clock for all pages: times are in UTC, and say so.
function clock(at) {
  return `${new Date(at).toISOString().slice(11, 16)} UTC`;
}

// What is too long is said at once and refused when it is stored: nothing is cut unseen.
function over(text, most, what) {
  const length = text.length > most ? [...text.trim()].length : 0;
  if (length <= most) return "";
  return `${what} has ${length.toLocaleString("en")} characters, at most ${most.toLocaleString("en")} are stored. Shorten it.`;
}

function watchLength(self, field, most, what) {
  let shown = "";
  field.addEventListener("input", () => {
    const now = over(field.value, most, what);
    if (now !== shown) say(self, now);
    shown = now;
  });
  return field;
}

// What is typed lives here, in this browser's storage, and as a draft on the server; the latest counts.
function forms(self) {
  const { task } = self.data;
  return [self.forms.get(task.run), keptDraft(draftKey(self, task.run)), task.draft]
    .filter((form) => form && form.ids && !spent(form, task))
    .sort((one, other) => (other.at || 0) - (one.at || 0));
}

function formOf(self) {
  const { task } = self.data;
  const [last] = forms(self);
  const form = last && filled(last) ? last : fresh(task);
  form.run = task.run;
  form.basis = form.basis || task.basis;
  form.ids = { ...task.ids, ...form.ids };
  // An id that was used names what is stored under it and nothing else.
  for (const [key, mine] of Object.entries(task.mine)) if (form.ids[key] === mine.id) form.ids[key] = task.ids[key];
  for (const { key } of task.criteria) form.answers[key] = { ...blank(), ...form.answers[key] };
  self.forms.set(task.run, form);
  return form;
}

function blank() {
  return { score: null, rationale: "", evidence: [], level: null };
}

function fresh(task) {
  const answers = {};
  for (const [key, mine] of Object.entries(task.mine)) {
    answers[key] = { score: mine.score, rationale: mine.rationale, evidence: [...mine.evidence], level: mine.level };
  }
  return { run: task.run, ids: {}, answers, note: "", at: 0, basis: task.basis };
}

function begun(answer) {
  return Boolean(answer) && (answer.score !== null || Boolean(answer.rationale) || answer.evidence.length > 0 || answer.level !== null);
}

function filled(form) {
  return form.at > 0 && (Boolean(form.note) || Object.values(form.answers).some(begun));
}

function same(answer, mine) {
  return Boolean(mine) && mine.score === answer.score && mine.rationale === answer.rationale.trim()
    && mine.level === answer.level && JSON.stringify(mine.evidence) === JSON.stringify(answer.evidence);
}

// A form that says nothing but what is stored is done with.
function spent(form, task) {
  const begunKeys = Object.keys(form.answers || {}).filter((key) => begun(form.answers[key]));
  return !form.note && begunKeys.length > 0 && begunKeys.every((key) => same(form.answers[key], task.mine[key]));
}

function carried(form) {
  return { run: form.run, ids: form.ids, answers: form.answers, note: form.note, at: form.at, basis: form.basis };
}

function draftKey(self, run) {
  return draftPlace(self.data.w, self.data.judge ? self.data.judge.id : "", run);
}

function forget(self, run) {
  self.forms.delete(run);
  if (self.form && self.form.run === run) self.form = null;
  localStorage.removeItem(draftKey(self, run));
}

function typed(self) {
  const { form } = self;
  form.at = Date.now();
  keepDraft(draftKey(self, form.run), carried(form));
  noteDraft(self, "");
  offerPart(self);
  clearTimeout(self.debounce);
  self.debounce = setTimeout(() => !self.pending && self.trigger("draft", { ...carried(form), judge: self.data.judge ? self.data.judge.id : null }), DRAFT_MS);
}

function noteDraft(self, text) {
  const node = self.box.querySelector(".kept");
  if (node) node.textContent = text;
}

function scores(self) {
  const { task, unwritable } = self.data;
  const box = el("form", "scores", null, { "aria-label": "My scores", novalidate: true });
  box.addEventListener("submit", (event) => { event.preventDefault(); store(self); });
  put(box, ...parted(self, (item, at) => criterion(self, item, at)));
  if (!task.criteria.length) put(box, el("p", "quiet", "This case has no criteria to score; a note can still be stored."));
  put(box, aside(self));
  const foot = el("div", "foot");
  const act = el("button", "store", STORE_WORDS, { type: "submit", title: "Ctrl+Enter", "data-act": "store", "aria-disabled": String(Boolean(unwritable)) });
  if (task.review) put(foot, button("link", "Keep my stored scores", { "data-act": "drop" }, () => { forget(self, task.run); send(self, "drop", {}); }));
  const part = button("link", SOME_WORDS, { "data-act": "some" }, () => store(self, true));
  put(foot, act, part, el("span", "told", "", { role: "status", "aria-live": "polite" }), el("span", "kept quiet small", self.form.at ? "draft kept" : "", { role: "status" }));
  self.part = part;
  put(box, foot);
  offerPart(self);
  return box;
}

// What rules decided is one line below what is left; opened, it can be scored like all else.
function parted(self, drawn) {
  const { criteria, decided } = self.data.task;
  const boxes = criteria.map(drawn);
  if (!decided) return boxes;
  const left = boxes.slice(0, leftOf(self));
  const folded = put(el("details", "decided", null, { open: self.opened === self.data.task.run }), put(el("summary", "small", decided.line), " ", el("kbd", "", "r")));
  folded.addEventListener("toggle", () => { self.opened = folded.open ? self.data.task.run : null; });
  return [...left, put(folded, ...boxes.slice(left.length))];
}

function leftOf(self) {
  const { criteria, decided } = self.data.task;
  return decided ? criteria.filter(({ key }) => !decided.of[key]).length : criteria.length;
}

function ruleSaid(self, item) {
  const said = self.data.task.decided ? self.data.task.decided.of[item.key] : null;
  return said ? put(el("p", "ruled small"), mark(said.mark), `decided by a rule: ${said.words}`, said.why ? el("span", "quiet", ` · ${said.why}`, { dir: "auto" }) : null) : null;
}

// Beside the button that stores all, as long as some criteria can be stored and others cannot.
function offerPart(self) {
  const lacking = lacks(self);
  self.part.hidden = !able(self) || !lacking.length || !answered(self).some((answer) => complete(self, answer) && !isStored(self, answer));
  if (self.refused === self.form) markLacking(self, lacking);
}

// Notes come and go while the form stays.
function refresh(self) {
  const { task } = self.data;
  const now = JSON.stringify([task.run, task.notes]);
  if (now === self.noted) return;
  self.noted = now;
  const old = self.scores.querySelector(".aside");
  if (old && !old.contains(self.root.activeElement)) old.replaceWith(aside(self));
  else if (old) self.noted = null;
}

function criterion(self, item, at) {
  const answer = self.form.answers[item.key];
  const mine = self.data.task.mine[item.key];
  const box = el("fieldset", "criterion", null, { "data-key": item.key, "data-at": String(at) });
  box.addEventListener("focusin", () => makeCurrent(self, at));
  put(box, ...asked(item), ruleSaid(self, item));
  if (mine && mine.stale) put(box, el("p", "stale small", mine.stale, { dir: "auto" }));
  put(box, scale(self, item, at, answer), sure(self, at, answer), evidence(self, at, answer));
  const id = `why-${at}`;
  const { rule } = self.data.task;
  const why = el("textarea", "rationale", null, { id, rows: "2", required: !WHY[rule], dir: "auto", placeholder: WHY[rule] || "Why? (w)", "aria-label": `Why, for ${item.name}` });
  watchLength(self, why, self.data.limits.rationale, reasonFor(item));
  why.value = answer.rationale;
  why.addEventListener("input", () => { answer.rationale = why.value; typed(self); });
  return put(box, why);
}

function asked(item) {
  const legend = put(el("legend"), el("span", item.name.length > LONG ? "name clamp" : "name", item.name, { dir: "auto" }));
  put(legend, item.hint ? el("span", "quiet small", ` ${item.hint}`) : null, el("span", "lacks small"));
  const about = item.description && item.description !== item.name ? el("div", "text description clamp", item.description, { dir: "auto" }) : "";
  return [legend, about, item.guide ? el("div", "text guide clamp", item.guide, { dir: "auto" }) : ""];
}

function scale(self, item, at, answer) {
  return item.choices ? choices(self, item, at, answer) : measure(self, item, at, answer);
}

function choices(self, item, at, answer) {
  const box = el("div", item.anchored ? "choices anchored" : "choices", null, { role: "radiogroup", "aria-label": item.name });
  for (const choice of item.choices) {
    const input = el("input", "", null, { type: "radio", name: `score-${at}`, value: String(choice.score), title: choice.key, "data-score": String(choice.score) });
    input.checked = answer.score === choice.score;
    input.addEventListener("change", () => { answer.score = choice.score; typed(self); });
    const words = put(el("span", "words"), el("b", "", choice.label), choice.anchor ? el("span", "anchor", ` ${choice.anchor}`, { dir: "auto" }) : null);
    put(box, put(el("label", "choice"), input, words, choice.key && choice.key !== choice.label ? el("kbd", "", choice.key, { "aria-hidden": "true" }) : null));
  }
  if (!item.fine) return box;
  const between = number(item, item.choices.some((choice) => choice.score === answer.score) ? null : answer.score, (value) => {
    answer.score = value;
    for (const input of box.querySelectorAll("input[type=radio]")) input.checked = Number(input.value) === value;
    typed(self);
  });
  box.addEventListener("change", (event) => { if (event.target.type === "radio") between.value = ""; });
  return put(box, put(el("label", "between small"), "or ", between));
}

function measure(self, item, at, answer) {
  const input = number(item, answer.score, (value) => { answer.score = value; typed(self); });
  const box = put(el("div", "measured"), input, el("span", "quiet", `from ${item.low} to ${item.high}`));
  for (const anchor of item.anchors) put(box, el("p", "anchor small", anchor, { dir: "auto" }));
  return box;
}

function number(item, value, then) {
  const input = el("input", "measure", null, { type: "number", min: String(item.low), max: String(item.high), step: "any", inputmode: "decimal", "aria-label": `Score from ${item.low} to ${item.high}` });
  if (value !== null) input.value = String(value);
  input.addEventListener("input", () => then(input.value === "" ? null : Number(input.value)));
  return input;
}

function sure(self, at, answer) {
  const box = put(el("div", "sure", null, { role: "radiogroup", "aria-label": "Confidence" }), el("span", "quiet small", "Confidence"));
  for (const [key, level] of Object.entries(LEVELS)) {
    const input = el("input", "", null, { type: "radio", name: `sure-${at}`, value: level, title: key });
    input.checked = answer.level === level;
    // A second click takes the word away again.
    input.addEventListener("click", () => {
      answer.level = answer.level === level ? null : level;
      input.checked = answer.level === level;
      typed(self);
    });
    put(box, put(el("label", "small"), input, el("span", "", level)));
  }
  return box;
}

function evidence(self, at, answer) {
  const box = el("div", "evidence");
  answer.evidence.forEach((text, index) => {
    const chip = put(el("span", "quote"), el("span", "clamped", `“${text}”`, { dir: "auto", title: text }));
    put(chip, button("drop", "✕", { "aria-label": "Take this evidence away" }, () => { answer.evidence.splice(index, 1); again(self, at); }));
    put(box, chip);
  });
  const add = button("link small", "Take the selected text as evidence", { title: "e", "data-act": `evidence ${at}` }, () => pick(self, at));
  // A press would end the selection before the click could read it.
  add.addEventListener("pointerdown", (event) => event.preventDefault());
  return put(box, add);
}

function pick(self, at) {
  const text = selected(self);
  const long = over(text, self.data.limits.passage, "The selection");
  if (long) say(self, long);
  else if (text) take(self, at, text);
  else askEvidence(self, at);
}

function take(self, at, text) {
  const item = self.data.task.criteria[at];
  const { evidence: kept } = self.form.answers[item.key];
  const { passages } = self.data.limits;
  if (!kept.includes(text) && kept.length >= passages) {
    say(self, `${quoted(item)} has ${passages} passages, and no more are stored: take one away first.`);
    return;
  }
  if (!kept.includes(text)) kept.push(text);
  again(self, at);
  say(self, `Evidence for ${quoted(item)} taken.`);
}

function again(self, at) {
  const box = fieldset(self, at);
  const item = self.data.task.criteria[at];
  const old = box.querySelector(".evidence");
  const inside = old.contains(self.root.activeElement);
  old.replaceWith(evidence(self, at, self.form.answers[item.key]));
  if (inside) box.querySelector(".evidence .link").focus();
  typed(self);
}

// All that is on the screen; the server knows what of it is stored like that already.
function answered(self) {
  return self.data.task.criteria
    .map(({ key }) => ({ key, ...self.form.answers[key], rationale: self.form.answers[key].rationale.trim() }))
    .filter(begun);
}

function store(self, some = false) {
  if (self.pending || !self.form) return;
  if (!able(self)) {
    say(self, "Nothing can be stored here.");
    return;
  }
  self.warning = "";
  self.notice = null;
  const { task } = self.data;
  const answers = answered(self).filter((answer) => !some || complete(self, answer));
  const lacking = some ? [] : lacks(self);
  if (lacking.length) {
    self.refused = self.form;
    markLacking(self, lacking);
    refuse(self, lacking);
    return;
  }
  if (answers.every((answer) => isStored(self, answer))) {
    say(self, answers.length ? "Nothing is different from what is stored." : "Nothing is scored yet.");
    return;
  }
  const mine = Object.fromEntries(Object.entries(task.mine).map(([key, one]) => [key, one.id]));
  warn(self, "");
  send(self, "store", { answers, ids: self.form.ids, basis: task.basis, mine, some }, self.form);
}

function isStored(self, answer) {
  const mine = self.data.task.mine[answer.key];
  return same(answer, mine) && !mine.stale;
}

function complete(self, answer) {
  const item = self.data.task.criteria.find((one) => one.key === answer.key);
  const number = answer.score !== null && Number.isFinite(answer.score) && answer.score >= item.low && answer.score <= item.high;
  const silent = answer.rationale.trim() === "" && needsReason(self.data.task.rule, answer.score < item.pass_at);
  return number && !silent && !over(answer.rationale, self.data.limits.rationale, "");
}

// The criteria that cannot be stored, each with what it needs; what a rule decided needs nothing.
function lacks(self) {
  const left = leftOf(self);
  return self.data.task.criteria.map((item, at) => ({ item, at, answer: self.form.answers[item.key] }))
    .filter(({ at, answer }) => at < left || begun(answer))
    .filter(({ item, answer }) => !complete(self, { ...answer, key: item.key }))
    .map(({ item, at, answer }) => {
      const unscored = answer.score === null || !complete(self, { ...answer, key: item.key, rationale: "x" });
      const score = answer.score === null ? "has no score yet" : `needs a score from ${item.low} to ${item.high}`;
      return { item, at, unscored, what: unscored ? score : "needs a reason in words" };
    });
}

function markLacking(self, lacking) {
  const said = new Map(lacking.map(({ at, what }) => [String(at), what]));
  for (const box of self.box.querySelectorAll("form fieldset.criterion")) {
    box.querySelector(".lacks").replaceChildren(...(said.has(box.dataset.at) ? [mark("warn"), said.get(box.dataset.at).replace(/^has /, "")] : []));
  }
}

function refuse(self, lacking) {
  const [{ item, at, unscored, what }] = lacking;
  const box = fieldset(self, at);
  if (box.closest("details")) box.closest("details").open = true;
  makeCurrent(self, at);
  box.querySelector(unscored ? "input" : "textarea").focus();
  const { rationale } = self.form.answers[item.key];
  const long = unscored ? "" : over(rationale, self.data.limits.rationale, reasonFor(item));
  say(self, long || `${quoted(item)} ${what}${lacking.length > 1 ? ` (and ${lacking.length - 1} more)` : ""}.`);
}

function quoted(item) {
  return `“${item.name.replace(/[\s:.]+$/, "")}”`;
}

function reasonFor(item) {
  return `The reason for ${quoted(item)}`;
}

// ---- moving between criteria

function fieldset(self, at) {
  return self.box.querySelector(`fieldset[data-at="${at}"]`);
}

function makeCurrent(self, at) {
  self.current = at;
  for (const box of self.box.querySelectorAll("fieldset.criterion")) box.toggleAttribute("data-current", box.dataset.at === String(at));
}

function focusOn(self, at) {
  const box = fieldset(self, at);
  if (!box) {
    const act = self.box.querySelector(".correct, .name-field");
    if (act) act.focus({ preventScroll: true });
    return;
  }
  makeCurrent(self, at);
  const field = box.querySelector(".choices input:checked, .measure") || box.querySelector("input");
  if (field) field.focus({ preventScroll: true });
  if (at > 0 || box.getBoundingClientRect().top < 0) box.scrollIntoView({ block: "nearest" });
}

function choose(self, sign) {
  const item = self.data.task.criteria[self.current];
  const box = fieldset(self, self.current);
  if (!item || !box) return false;
  if (!item.choices) {
    const input = box.querySelector(".measure");
    input.focus();
    if (!/^[0-9.-]$/.test(sign)) return false;
    input.value = sign;
    input.dispatchEvent(new Event("input"));
    return true;
  }
  // A second digit within a moment makes 10 of 1 and 0.
  const two = Date.now() - (self.signed || 0) < 700 ? `${self.sign}${sign}` : "";
  const found = item.choices.find((choice) => choice.key === two) || item.choices.find((choice) => choice.key.split(" ").includes(sign));
  self.sign = sign;
  self.signed = Date.now();
  if (!found) return false;
  const input = box.querySelector(`input[data-score="${found.score}"]`);
  input.focus({ preventScroll: true });
  if (!input.checked) input.click();
  say(self, `${item.name}: ${found.label}`);
  return true;
}
