// Which columns a list shows: a tick for each, all, and one alone.
const MANY = 12;

export default function ({ data, parentElement: root, setTriggerValue }) {
  const send = sender(setTriggerValue);
  const box = root.querySelector(".axes") || put(root, el("div", "axes")).lastChild;
  redraw(root, () => keepFocus(root, () => box.replaceChildren(...data.axes.map((axis) => list(box, axis, send)), outputs(data.outputs, send))));
}

function list(box, { key, label, ticks }, send) {
  const on = ticks.filter(([, is]) => is).length;
  const head = put(el("div", "head"), el("b", "", on === ticks.length ? `${label}: all ${on}` : `${label}: ${on} of ${ticks.length}`));
  if (on < ticks.length) put(head, button("more", "all", { "aria-label": `All ${label.toLowerCase()}`, "data-act": `all ${key}` }, () => send({ axis: key, name: "", how: "all" })));
  const rows = ticks.map(([name, is]) => row(key, name, is, is && on === 1, send));
  const find = ticks.length > MANY ? search(box, key, label, ticks, rows) : null;
  return put(el("div", "axis", null, { role: "group", "aria-label": label }), head, find, put(el("div", "rows"), ...rows));
}

function outputs(is, send) {
  const tick = el("input", "", null, { type: "checkbox", checked: is, "data-act": "outputs" });
  tick.addEventListener("change", () => send({ outputs: tick.checked }));
  return put(el("div", "axis"), put(el("div", "row"), put(el("label"), tick, "The beginning of each output")));
}

function row(key, name, is, last, send) {
  const tick = el("input", "", null, { type: "checkbox", checked: is, disabled: last, "data-act": `tick ${key} ${name}` });
  tick.addEventListener("change", () => send({ axis: key, name, how: tick.checked ? "add" : "drop" }));
  const only = button("more", "only this", { "aria-label": `Only ${name}`, disabled: last, "data-act": `only ${key} ${name}` }, () => send({ axis: key, name, how: "only" }));
  return put(el("div", "row"), put(el("label", "", null, { title: name }), tick, breakable(el("span", "", null, { dir: "auto" }), name)), only);
}

// Of many names those with the typed words are listed; what is typed stays while the ticks change.
function search(box, key, label, ticks, rows) {
  const typed = box.typed || (box.typed = {});
  const field = el("input", "", null, { type: "search", placeholder: "Find", "aria-label": `Find in ${label.toLowerCase()}`, "data-act": `find ${key}` });
  const narrow = () => ticks.forEach(([name], at) => { rows[at].hidden = !name.toLowerCase().includes(field.value.toLowerCase()); });
  field.addEventListener("input", () => { typed[key] = field.value; narrow(); });
  field.value = typed[key] || "";
  narrow();
  return field;
}
