// The outputs of one case in some columns, side by side; what differs from the first is marked.
export default function ({ data, parentElement: root, setTriggerValue }) {
  const send = sender(setTriggerValue);
  const box = root.querySelector(".sides") || put(root, el("div", "sides")).lastChild;
  redraw(root, () => keepFocus(root, () => box.replaceChildren(...data.sides.map((side) => draw(side, data.first, send)))));
}

function draw(side, first, send) {
  const head = put(el("div", "head"), breakable(el("b", "", null, { dir: "auto" }), side.key), el("span", "file", side.file, { dir: "auto" }));
  if (side.path) put(head, button("open", "open", { "aria-label": `Open the output of ${side.key}`, "data-act": `open ${side.key}` }, () => send({ run: side.run, alone: true })));
  const lines = side.lines.map(([number, parts, gone]) => (number === null ? el("div", "gone", `− ${gone.toLocaleString("en")} ${gone === 1 ? "line" : "lines"} of ${first}`, { dir: "auto" }) : line(number, parts)));
  const said = side.said ? el("div", "said", side.said, { dir: "auto" }) : null;
  return put(el("section", "side", null, { "aria-label": side.key }), head, said, put(el("div", "text"), ...lines), side.cut ? el("div", "said", side.cut) : null);
}

function line(number, parts) {
  const text = el("span", "", null, { dir: direction(parts.join("")) });
  parts.forEach((part, at) => part && put(text, at % 2 ? el("ins", "", part) : document.createTextNode(part)));
  return put(el("div", "line"), el("i", "number", number, { "aria-hidden": "true" }), text);
}
