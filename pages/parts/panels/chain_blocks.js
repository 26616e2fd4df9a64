// A record between what it came from and what it led to: each relation is an arrow with its word.
Object.assign(DRAW, { chain });
LOOKS.chain = { after: () => undefined };

function chain(self, block) {
  const box = el("div", "chain");
  const here = put(el("div", "side now"), el("h3", "", "This record"), chainRecord(self, block.record, true));
  put(box, chainSide(self, "Came from", block.came_from, block.none_before), here, chainSide(self, "Led to", block.led_to, block.none_after));
  return put(el("div", "chain-room", null, { role: "group", "aria-label": block.label }), box);
}

function chainSide(self, title, links, none) {
  const side = put(el("div", "side"), el("h3", "", title));
  return put(side, links.length ? chainLinks(self, links, title) : el("p", "quiet small", none));
}

function chainLinks(self, links, title) {
  const list = el("ul", "", null, { "aria-label": title });
  for (const link of links) put(list, chainLink(self, link));
  return list;
}

function chainLink(self, link) {
  const words = link.onward ? [link.relation, arrow(" →")] : [arrow("← "), link.relation];
  const relation = put(el("span", "rel", null, { title: link.sentence }), ...words, el("span", "hidden", ` (${link.sentence})`));
  const records = put(el("div", "records"), ...link.records.map((record) => chainRecord(self, record, false)));
  const row = put(el("li"), put(el("div", "step"), relation, records));
  return link.further.length ? put(row, chainLinks(self, link.further, "one step further")) : row;
}

function arrow(sign) {
  return el("span", "arrow", sign, { "aria-hidden": "true" });
}

function chainRecord(self, record, current) {
  const look = `record${current ? " current" : ""}${record.missing ? " missing" : ""}`;
  const box = el("div", look, null, { "aria-current": current ? "true" : null });
  const kind = record.kind ? el("span", "kind", `${record.kind} `) : null;
  const name = record.link && !current
    ? anchor(self, record.link, "", record.text, { dir: "auto", "data-act": `chain ${record.kind} ${record.text}` })
    : el("span", "", record.text, { dir: "auto" });
  return put(box, kind, name, record.sub ? el("span", "sub", ` ${record.sub}`, { dir: "auto" }) : null);
}
