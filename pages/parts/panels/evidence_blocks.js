Object.assign(DRAW, { prompt, item, facts, note, source, excerpt, lines, problem });
LOOKS.grades = { after: toPlace };

// Another run is read from its beginning, a file at the line that was asked for.
function toPlace(self) {
  const { of } = self.data;
  if (of && self.of && self.of !== of) {
    for (let node = self.root.host || self.root; node && node !== document.body; node = node.parentElement) {
      if (node.scrollTop && node.classList.contains("st-key-evidence-body")) node.scrollTop = 0;
    }
  }
  const failure = (self.root.host || self.root).closest(".st-key-failures-evidence");
  if (of && self.of && self.of !== of && failure) bringIntoView(".st-key-failures-evidence");
  self.of = of;
  for (const box of self.box.querySelectorAll(".excerpt:has(mark)")) {
    box.scrollTop = box.querySelector("mark").offsetTop - box.clientHeight / 3;
  }
  const here = self.box.querySelector(".here");
  if (here) here.scrollIntoView({ block: "center" });
}

function prompt(self, block) {
  return put(el("section"), el("h3", "", block.label), el("div", "prompt clamp short", block.text, { dir: "auto" }));
}

// A remark: its mark, its title with a word beside it, small words, and texts.
function note(self, block) {
  return card(block, el("article", block.mark ? `mark-${block.mark}` : ""), block.word);
}

function card(block, box, ...beside) {
  if (block.mark) put(box, put(el("span", "sign"), mark(block.mark), el("span", "hidden", `${block.word} `)));
  put(box, put(el("div", "line"), el("span", "title clamp long", block.title, { dir: "auto" }), put(el("span", "score"), ...beside)));
  if (block.tags.length) put(box, el("div", "tags", block.tags.join(" · "), { dir: "auto" }));
  if (block.anchor) put(box, el("div", "anchor", block.anchor, { dir: "auto" }));
  return put(box, ...block.texts.map(labelled));
}

function item(self, block) {
  const box = el("article", `mark-${block.mark}`, null, { "data-criterion": block.criterion });
  card(block, box, block.scale ? scale(block.scale) : null, block.score);
  if (block.quotes.length) put(box, put(el("ul", "quotes"), ...block.quotes.map((found) => quote(self, found))));
  return put(box, ...block.people.map(person), DRAW.scoring ? DRAW.scoring(self, block, box) : null);
}

function scale(given) {
  const steps = Array.from({ length: given.steps }, (_, at) => el("i", (at < given.reached ? "on" : "") + (at + 1 === given.limit ? " limit" : "")));
  return put(el("span", "scale", null, { role: "img", "aria-label": given.label }), ...steps);
}

function labelled(given) {
  const box = el("div", "text clamp", null, { dir: "auto" });
  return put(box, given.label ? el("span", "label", `${given.label} `) : null, given.text);
}

// A person's score is shown beside the recorded one, under a name and a date of its own.
function person(given) {
  const box = el("div", "person", null, { role: "group", "aria-label": `${given.who}: ${given.score}`, "data-judge": given.who });
  const who = put(el("span", "who", given.who, { dir: "auto" }), el("span", "quiet", given.about.map((text) => ` · ${text}`).join("")));
  const score = put(el("span", `score mark-${given.mark}`), mark(given.mark, UNSPOKEN), given.score);
  put(box, put(el("div", "line"), who, score), given.stale ? el("div", "quiet small", given.stale) : null, ...given.texts.map(labelled));
  if (!given.old.length) return box;
  return put(box, put(el("details"), el("summary", "quiet small", given.olds), ...given.old.map(labelled)));
}

function quote(self, found) {
  const node = el("li", found.path ? "better" : "worse");
  put(node, mark(found.path ? "pass" : "fail"), found.path ? "found " : "not found in the outputs: ", el("q", "", found.quote, { dir: "auto" }));
  if (found.path) put(node, " ", button("", found.location, { title: found.path }, () => self.send({ file: found.path, line: found.line, quote: found.quote })));
  else if (found.steps) put(node, " ", button("", "look in the steps", {}, () => self.send({ quote: found.quote })));
  return put(node, found.how ? el("span", "quiet", ` (${found.how})`) : null);
}

function facts(self, block) {
  const list = el("dl", block.wide ? "facts spread" : "facts");
  for (const [name, value, known] of block.facts) {
    put(list, put(el("div"), el("dt", "", name), el("dd", known ? "" : "missing", value, { dir: "auto" })));
  }
  return list;
}

function excerpt(self, block) {
  const open = button("more", block.name, { title: block.path }, () => self.send({ file: block.path, line: block.line }));
  const box = put(el("section"), put(el("h3", "", `${block.label} `), open, block.where ? el("span", "quiet", ` ${block.where}`) : null));
  const texts = block.texts.map((text, at) => (at % 2 ? el("mark", "", text) : text));
  return put(box, put(el("div", "excerpt", null, { dir: "auto", tabindex: "0", role: "region", "aria-label": block.label }), ...texts));
}

// The exact text of a file with the numbers of its lines, which no copy of it holds.
function lines(self, block) {
  const act = button("copy", "Copy text", {}, () => copy(block.text, (word) => { act.textContent = word; }));
  const box = el("div", "lines", null, { tabindex: "0", role: "region", "aria-label": block.label });
  block.text.replace(/\n$/, "").split("\n").forEach((text, at) => {
    const here = block.first + at === block.line;
    const row = el("div", here ? "here" : "", null, { "aria-current": here ? "location" : null });
    put(box, put(row, el("i", "", String(block.first + at), { "aria-hidden": "true" }), el("span", "", text)));
  });
  return put(el("div"), put(el("div", "bar"), el("span", "", block.message, { dir: "auto" }), act), box);
}

function source(self, block) {
  const text = block.pointer ? `${block.path}#${block.pointer}` : block.path;
  return put(el("section"), el("h3", "", block.label), locationToCopy(text, block.path));
}

function problem(self, block) {
  const [kind, look] = SEVERITIES[block.severity];
  const title = put(el("span", look), mark(kind), `${block.severity} · ${block.code}: `);
  return put(el("div", "problem"), title, block.message, block.hint ? el("span", "quiet", ` ${block.hint}`) : null);
}
