// The steps of two runs side by side: A left, B right, alike ones in one row.
Object.assign(DRAW, { stepRows });

function stepRows(self, block) {
  const box = el("div", "paths");
  const head = put(el("div", "sides"), ...["a", "b"].map((name) => put(el("div"), side(self, name, block[name]), el("div", "quiet small", block[name].took))));
  const list = el("ol", "rows", null, { "aria-label": "Steps of A and B" });
  block.rows.forEach((row, at) => put(list, stepRow(self, row, at === block.part)));
  const said = put(el("p", "say big"), el("span", "", block.said, { dir: "auto" }));
  const there = list.querySelector(".parting");
  if (there) put(said, " ", button("copy", "Go there", { "data-act": "parting" }, () => reach(there)));
  else if (block.to) put(said, " ", button("copy", "Go there", { "data-act": "parting" }, () => self.send({ rows: block.to })));
  put(box, head, said, ...block.notes.map((note) => el("p", "say quiet", note)), list, turns(self, block.text, block, "rows", "steps"));
  // It comes into view once: when these two runs are opened.
  const key = JSON.stringify([block.a.runs, block.b.runs, block.page]);
  if (there && self.parted !== key) requestAnimationFrame(() => there.scrollIntoView({ block: "nearest" }));
  self.parted = key;
  return box;
}

function reach(row) {
  row.scrollIntoView({ block: "center" });
  const act = row.querySelector("a, summary");
  if (act) act.focus({ preventScroll: true });
}

function stepRow(self, row, parting) {
  if (row.fold) return el("li", "folded quiet small", `⋯ ${row.fold}`);
  const node = el("li", `${row.kind}${row.parts ? " differs" : ""}${parting ? " parting" : ""}`);
  if (parting) put(node, put(el("div", "here"), mark("warn"), "They part here"));
  return put(node, put(el("div", "sides"), stepCell(self, "a", row.a, row), stepCell(self, "b", row.b, row)));
}

function stepCell(self, name, given, row) {
  const box = el("div", `stepcell side-${name}${given ? "" : " none"}`);
  if (!given) return put(box, el("span", "quiet small", `not in ${name.toUpperCase()}`));
  const what = el("b", "", given.what, { dir: "auto" });
  const words = [what, " ", el("span", "asked", given.text, { dir: "auto" })];
  const line = given.link ? put(anchor(self, given.link, "go-step", null, { title: `Step ${given.n}: open it in Gradings`, "data-act": `step ${name} ${given.n}` }), ...words) : put(el("span"), ...words);
  put(box, put(el("div", "about"), line));
  const facts = [given.took, row.word].filter(Boolean).join(" · ");
  if (given.error) put(box, put(el("span", "worse small"), mark("fail"), "error "));
  if (facts) put(box, el("span", "quiet small", facts));
  if (given.result) put(box, put(el("div", "gave quiet small clamp"), "→ ", el("bdi", "", given.result)));
  return box;
}
