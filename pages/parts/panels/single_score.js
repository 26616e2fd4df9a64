// ---- one criterion is scored where its evidence is read: score, why, store
Object.assign(DRAW, { scoring });

// It stands under the criterion that was chosen, by a click or the keyboard, and where something is
// typed; over the others it lies while they are pointed at, which moves nothing.
function scoring(self, block, card) {
  const forms = self.data.score;
  const item = forms && forms.items ? forms.items[block.key] : null;
  if (!item) return null;
  const typed = typedScore(self, forms, item);
  const box = el("form", "scoring", null, { "aria-label": `My score for ${block.title}`, "data-key": item.key, novalidate: true });
  put(box, put(el("div", "choose", null, { role: "radiogroup", "aria-label": "My score" }), el("span", "quiet", item.mine ? "My score" : "Score it yourself"), ...scoreFields(self, box, item, typed)));
  const told = forms.told && forms.told.key === item.key && forms.told.run === forms.run ? forms.told.text : "";
  const reason = el("div", "reason", null, { hidden: typed.score === null });
  put(box, reason, el("p", "told", told, { role: "status", dir: "auto" }));
  if (typed.score !== null) fillReason(self, box, forms, item, typed);
  box.toggleAttribute("data-kept", typed.score !== null || Boolean(told));
  if (self.chosenOf !== forms.run) Object.assign(self, { chosenOf: forms.run, chosen: item.key });
  box.toggleAttribute("data-chosen", self.chosen === item.key);
  const choose = () => {
    self.chosen = item.key;
    for (const one of self.box.querySelectorAll(".scoring")) one.toggleAttribute("data-chosen", one === box);
  };
  // A press gives focus too: what moves then would take the click away from what was pressed.
  card.addEventListener("focusin", (event) => { if (event.target.matches(":focus-visible")) choose(); });
  card.addEventListener("click", (event) => { if (!event.target.closest("a, button, summary")) choose(); });
  box.addEventListener("submit", (event) => { event.preventDefault(); sendScore(self, box, forms, item, typed); });
  return box;
}

// What is typed is a draft as on Judge, also after a reload, and is let go when it is stored.
function typedScore(self, forms, item) {
  self.scores = self.scores || new Map();
  const name = `${forms.run} ${item.key}`;
  const { told } = forms;
  if (told && told.ok && told.seq !== self.settled && told.run === forms.run && told.key === item.key) {
    self.settled = told.seq;
    self.scores.delete(name);
    keepTyped(forms, item, null);
  }
  if (!self.scores.has(name)) {
    const kept = draftFor(forms).answers[item.key] || { score: null, rationale: "" };
    const why = kept.rationale || (item.mine ? item.mine.rationale : "");
    self.scores.set(name, { score: kept.score, why, name: forms.likely || "" });
  }
  return self.scores.get(name);
}

function draftFor(forms) {
  const kept = keptDraft(draftPlace(forms.w, forms.who, forms.run));
  return kept && kept.answers ? kept : { run: forms.run, ids: {}, answers: {}, note: "", basis: forms.basis };
}

function keepTyped(forms, item, typed) {
  const draft = draftFor(forms);
  if (typed) draft.answers[item.key] = { evidence: [], level: null, ...draft.answers[item.key], score: typed.score, rationale: typed.why };
  else delete draft.answers[item.key];
  const place = draftPlace(forms.w, forms.who, forms.run);
  if (draft.note || Object.keys(draft.answers).length) keepDraft(place, { ...draft, at: Date.now() });
  else localStorage.removeItem(place);
}

function scoreFields(self, box, item, typed) {
  const at = typed.score === null && item.mine ? item.mine.score : typed.score;
  const chosen = (score) => {
    typed.score = score;
    keepTyped(self.data.score, item, typed);
    fillReason(self, box, self.data.score, item, typed);
  };
  if (!item.choices) return [scoreNumber(item, at, chosen)];
  return item.choices.map(([score, label]) => {
    const input = el("input", "", null, { type: "radio", name: `score-${item.key}`, value: String(score), "data-act": `score ${item.key} ${score}` });
    input.checked = at === score;
    input.addEventListener("change", () => chosen(score));
    return put(el("label", "choice"), input, label);
  });
}

function scoreNumber(item, at, chosen) {
  const input = el("input", "", null, { type: "number", min: String(item.low), max: String(item.high), step: "any", "aria-label": `My score from ${item.low} to ${item.high}`, "data-act": `score ${item.key}` });
  if (at !== null) input.value = String(at);
  input.addEventListener("input", () => chosen(input.value === "" ? null : Number(input.value)));
  return input;
}

function fillReason(self, box, forms, item, typed) {
  const reason = box.querySelector(".reason");
  reason.hidden = typed.score === null;
  if (reason.childNodes.length) return;
  const field = (name, node, label) => {
    node.value = typed[name];
    node.addEventListener("input", () => { typed[name] = node.value; keepTyped(forms, item, typed); });
    put(reason, put(el("label"), el("span", "quiet small", label), node));
  };
  field("why", el("textarea", "", null, { rows: "2", dir: "auto", "data-act": `why ${item.key}`, maxlength: String(forms.limits.rationale) }), "Why?");
  if (!forms.judge) field("name", el("input", "", null, { type: "text", dir: "auto", autocomplete: "name", maxlength: String(forms.limits.name), "data-act": `name ${item.key}` }), "Your name, shown next to your scores");
  put(reason, el("button", "store", "Store my score", { type: "submit" }));
}

function sendScore(self, box, forms, item, typed) {
  const silent = !typed.why.trim() && needsReason(forms.rule, typed.score < item.pass_at);
  const lacks = typed.score === null ? "Choose a score." : silent ? "Write why first." : !forms.judge && !typed.name.trim() ? "Enter your name." : "";
  box.querySelector(".told").textContent = lacks || "Storing …";
  if (lacks) return;
  const { run, ids, basis, mine } = forms;
  self.send({ score: { run, ids, basis, mine, key: item.key, score: typed.score, rationale: typed.why.trim(), name: typed.name.trim(), evidence: item.mine ? item.mine.evidence : [], level: item.mine ? item.mine.level : null } });
}
