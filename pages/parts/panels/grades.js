const showing = new WeakMap();

export default function ({ data, parentElement: root, setTriggerValue }) {
  let sheet = root.querySelector(".sheet");
  if (!sheet) sheet = put(root, el("div", "sheet")).lastChild;
  const send = sender(root, setTriggerValue);
  sheet.replaceChildren(...data.blocks.map((block) => (DRAW[block.t] || plain)(block, send)));
  for (const text of sheet.querySelectorAll(".clamp")) unclamp(text);
  if (data.of && showing.has(root) && showing.get(root) !== data.of) toTop(root);
  showing.set(root, data.of);
}

// Another run is read from its beginning.
function toTop(root) {
  for (let node = root.host || root; node && node !== document.body; node = node.parentElement) {
    if (node.scrollTop && node.classList.contains("st-key-evidence-body")) node.scrollTop = 0;
  }
}

const DRAW = { prompt, heading, item, facts, note, source, excerpt, problem };

function plain(block) {
  return el("p", "text quiet", block.text || "");
}

function prompt(block) {
  const box = el("section");
  return put(box, el("h3", "", block.label), el("div", "prompt clamp short", block.text, { dir: "auto" }));
}

function heading(block) {
  const box = el("section");
  return put(box, put(el("h3", block.mark ? `mark-${block.mark}` : "", block.text), block.hint ? el("span", "quiet", ` · ${block.hint}`) : null));
}

function item(block, send) {
  const box = el("article", `mark-${block.mark}`, null, { "data-criterion": block.criterion });
  const line = el("div", "line");
  put(line, el("span", "title clamp long", block.title, { dir: "auto", style: "color: var(--text)" }));
  const score = el("span", "score");
  if (block.scale) put(score, scale(block.scale));
  put(line, put(score, block.score));
  put(box, el("span", "sign", SIGNS[block.mark], { "aria-label": block.word }), line);
  if (block.tags.length) put(box, el("div", "tags", block.tags.join(" · "), { dir: "auto" }));
  if (block.anchor) put(box, el("div", "anchor", block.anchor, { dir: "auto" }));
  for (const said of block.texts) put(box, text(said));
  if (block.quotes.length) put(box, quotes(block.quotes, send));
  for (const person of block.people || []) put(box, said(person));
  return box;
}

// A person's score stands beside the recorded one, under a name and a date of its own.
function said(person) {
  const box = el("div", "person", null, { role: "group", "aria-label": `${person.who}: ${person.score}`, "data-judge": person.who });
  const line = el("div", "line");
  put(line, put(el("span", "who", null, { dir: "auto" }), person.who, el("span", "quiet", person.about.length ? ` · ${person.about.join(" · ")}` : "")));
  put(line, put(el("span", `score mark-${person.mark}`), el("span", "", `${SIGNS[person.mark]} `, { "aria-hidden": "true" }), person.score));
  put(box, line);
  if (person.stale) put(box, el("div", "quiet small", person.stale));
  for (const reason of person.texts) put(box, text(reason));
  if (!person.old.length) return box;
  const more = put(el("details"), el("summary", "quiet small", person.olds));
  for (const old of person.old) put(more, text(old));
  return put(box, more);
}

function scale(given) {
  const box = el("span", "scale", null, { role: "img", "aria-label": given.label });
  for (const step of given.steps) put(box, el("i", (step.on ? "on" : "") + (step.limit ? " limit" : "")));
  return box;
}

function text(said) {
  const box = el("div", "text clamp", null, { dir: "auto", style: "color: var(--text)" });
  return put(box, said.label ? el("span", "label", said.label) : null, said.text);
}

function quotes(found, send) {
  const list = el("ul", "quotes");
  for (const quote of found) {
    const line = el("li", quote.path ? "better" : "worse");
    put(line, quote.path ? "✓ found " : "✗ not found in the outputs: ", el("q", "", quote.quote, { dir: "auto" }));
    if (quote.path) put(line, " ", button("", quote.place, { title: quote.path }, () => send({ file: quote.path, line: quote.line })));
    if (quote.how) put(line, el("span", "quiet", ` (${quote.how})`));
    put(list, line);
  }
  return list;
}

function facts(block) {
  const list = el("dl", block.wide ? "facts wide" : "facts");
  for (const [name, value, known] of block.facts) {
    put(list, put(el("div"), el("dt", "", name), el("dd", known ? "" : "missing", value, { dir: "auto" })));
  }
  return list;
}

function note(block) {
  const box = el("article", block.mark ? `mark-${block.mark}` : "");
  put(box, block.mark ? el("span", "sign", SIGNS[block.mark], { "aria-label": block.word }) : null);
  put(box, put(el("div", "line"), el("span", "title clamp long", block.title, { dir: "auto", style: "color: var(--text)" }), block.word ? el("span", "score", block.word) : null));
  if (block.tags.length) put(box, el("div", "tags", block.tags.join(" · "), { dir: "auto" }));
  for (const said of block.texts) put(box, text(said));
  return box;
}

function excerpt(block, send) {
  const box = el("section");
  const open = button("more", block.name, { title: block.path }, () => send({ file: block.path, line: block.line }));
  put(box, put(el("h3", "", ""), block.label, " ", open, block.where ? el("span", "quiet", ` ${block.where}`) : null));
  return put(box, el("div", "excerpt", block.text, { dir: "auto", tabindex: "0", role: "region", "aria-label": block.label }));
}

function source(block) {
  const box = el("section");
  const line = el("div", "path", block.pointer ? `${block.path}#${block.pointer}` : block.path);
  const act = button("", "copy path", {}, () => copy(block.path, (word) => { act.textContent = word; }));
  return put(box, el("h3", "", block.label), put(line, act));
}

function problem(block) {
  const signs = { error: "✗", warning: "!", info: "·" };
  return put(el("div", "problem"), el("span", block.severity === "error" ? "worse" : "quiet", `${signs[block.severity]} ${block.severity} · ${block.code}: `), block.message, block.hint ? el("span", "quiet", ` ${block.hint}`) : null);
}
