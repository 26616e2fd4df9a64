const mounted = new WeakMap();

export default function ({ data, parentElement: root, setTriggerValue }) {
  let self = mounted.get(root);
  if (!self) {
    self = { box: put(root, el("div", "head")).lastChild };
    mounted.set(root, self);
  }
  const send = (what) => setTriggerValue("did", { ...what, at: Date.now() });
  self.box.replaceChildren(top(data, send), runs(data, send), marks(data, send), tabs(data, send));
  return () => undefined;
}

function top(data, send) {
  const line = el("div", "top");
  return put(
    line,
    el("h2", "", data.name, { title: `${data.name} (${data.id})`, dir: "auto" }),
    el("span", "quiet small", data.where, { title: "place in the list" }),
    button("move", "‹", { "aria-label": "Previous case (←)", title: "Previous case (←)" }, () => send({ step: -1 })),
    button("move", "›", { "aria-label": "Next case (→)", title: "Next case (→)" }, () => send({ step: 1 })),
  );
}

function runs(data, send) {
  const line = el("div", "sub");
  put(line, el("span", `verdict mark-${data.mark}`, `${SIGNS[data.mark]} ${data.verdict}`), el("span", "quiet", data.column, { dir: "auto" }));
  for (const run of data.runs) {
    put(line, button("chip", null, { "aria-current": String(run.chosen), title: run.title, "data-run": run.run }, () => send({ run: run.run })));
    put(line.lastChild, el("span", `mark-${run.mark}`, `${SIGNS[run.mark]} `), run.label);
  }
  if (data.elsewhere.length) put(line, el("span", "label", "also"));
  for (const other of data.elsewhere) {
    put(line, button("chip", null, { title: other.title, "data-run": other.run }, () => send({ run: other.run })));
    put(line.lastChild, el("span", `mark-${other.mark}`, `${SIGNS[other.mark]} `), other.label);
  }
  return line;
}

function marks(data, send) {
  const line = el("div", "marks", null, { role: "list", "aria-label": "Criteria, failing first" });
  for (const item of data.marks) {
    const chip = button(`chip mark-${item.mark}`, null, { title: `${item.word}: ${item.title}`, role: "listitem" }, () => send({ tab: 1 }));
    put(line, put(chip, `${SIGNS[item.mark]} `, el("span", "hidden", `${item.word}: `), item.title));
  }
  return line;
}

function tabs(data, send) {
  const line = el("div", "tabs", null, { role: "tablist" });
  data.tabs.forEach((tab, index) => put(line, button(
    "", tab.label, { role: "tab", "aria-selected": String(tab.key === data.tab), title: `${index + 1}` }, () => send({ tab: index + 1 }),
  )));
  const said = el("span", "small quiet", "", { role: "status" });
  const tools = el("span", "tools");
  put(
    tools, said,
    button("", "copy link", { title: "c" }, () => copy(window.location.href, (word) => { said.textContent = word; })),
    button("", "copy as Markdown", { title: "m" }, () => copy(data.markdown, (word) => { said.textContent = word; })),
  );
  return put(line, tools);
}
