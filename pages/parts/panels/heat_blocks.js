// Criteria by version: one hue, a number in every cell, each a link to the runs behind it.
Object.assign(DRAW, { heat });
LOOKS.map = { before: listPlace, after: newestInSight };

function heat(self, block) {
  const here = (changed) => ({ page: "rubric", query: { ...block.query, ...changed } });
  const grid = el("table", "heat", null, { "aria-label": block.label });
  const first = put(el("th", "name", null, { scope: "col" }), el("span", "", "Criterion"));
  for (const turn of block.turns) put(first, anchor(self, turn.link, "chip", turn.text, { "data-act": turn.text.replace(/[\d,]+/, "") }));
  const head = put(el("tr"), first);
  for (const column of block.columns) {
    const cell = put(el("th", "", null, { scope: "col", title: column.key }), breakable(el("span", "", null, { dir: "auto" }), column.text));
    put(head, put(cell, column.sub ? breakable(el("span", "sub", null, { dir: "auto" }), column.sub) : null));
  }
  if (block.noted) put(head, el("th", "num", block.noted, { scope: "col" }));
  const body = el("tbody");
  for (const row of block.rows) put(body, heatLine(self, block, row, here));
  const ends = put(el("div", "ends quiet small"), el("span", "", block.ends[0]));
  for (let at = 0; at < 10; at += 1) put(ends, el("i", `shade-${at}`));
  put(ends, el("span", "", block.ends[1]));
  return put(el("div"), put(el("div", "scroll", null, { tabindex: "0", role: "region", "aria-label": block.label }), put(grid, put(el("thead"), head), body)), ends);
}

// The newest columns are seen first; where the reader has scrolled to stays.
function newestInSight(self, top) {
  const list = self.box.querySelector(".scroll");
  if (list && self.scroll !== self.data.scroll) list.scrollLeft = list.scrollWidth;
  else if (list) list.scrollLeft = self.left;
  sameListPlace(self, top);
  if (list) list.addEventListener("scroll", () => { self.left = list.scrollLeft; });
  const chosen = self.box.querySelector('tr[aria-current="true"] a');
  const open = chosen ? chosen.dataset.act : "";
  if (self.open !== undefined && self.open !== open && open) bringOpen(60);
  self.open = open;
}

// The open criterion is drawn after the list.
function bringOpen(frames) {
  if (!bringIntoView(".st-key-rubric-detail") && frames) requestAnimationFrame(() => bringOpen(frames - 1));
}

function heatLine(self, block, row, here) {
  const name = anchor(self, here({ criterion: row.id, at: null }), "clip", row.name, { dir: "auto", title: row.name, "data-act": `row ${row.id}` });
  const line = put(el("tr", "", null, { "aria-current": row.on ? "true" : null }), put(el("th", "name", null, { scope: "row" }), name, row.about ? el("span", "sub clip", row.about, { dir: "auto" }) : null));
  row.cells.forEach((cell, at) => {
    const column = block.columns[at];
    if (!cell) {
      put(line, put(el("td", "void"), mark("none", { title: "not judged" }), el("span", "hidden", "not judged")));
      return;
    }
    const [shade, text, about] = cell;
    const title = `${row.name}, ${about}`;
    const link = anchor(self, here({ criterion: row.id, at: column.key }), `cell shade-${shade}`, text, {
      title, "aria-label": title, "data-act": `cell ${row.id} ${column.key}`, "aria-current": row.at === column.key ? "true" : null,
    });
    put(line, put(el("td"), link));
  });
  if (block.noted) {
    const look = { up: "better", down: "worse" }[row.mark] || "quiet";
    put(line, put(el("td", "num keep"), row.note ? put(el("span", look), mark(row.mark), row.note) : el("span", "quiet", "–", { title: "no earlier version to compare it with" })));
  }
  return line;
}
