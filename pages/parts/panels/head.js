const mounted = new WeakMap();

export default function ({ data, parentElement: root, setTriggerValue }) {
  let self = mounted.get(root);
  if (!self) {
    self = start(root);
    mounted.set(root, self);
  }
  self.send = sender(root, setTriggerValue);
  redraw(root, () => {
    self.data = data;
    keepFocus(root, () => draw(self));
  });
  return endsWith(root, self);
}

function draw(self) {
  self.box.replaceChildren(top(self), runs(self), ...people(self), marks(self), tabs(self));
}

function start(root) {
  const self = { box: put(root, el("div", "head", null, { role: "region", "aria-label": "The case that is open" })).lastChild };
  const onKey = (event) => {
    if (event.key !== "m" || typing(event) || event.defaultPrevented) return;
    copyCase(self);
    event.preventDefault();
  };
  document.addEventListener("keydown", onKey);
  self.stop = () => document.removeEventListener("keydown", onKey);
  return self;
}

function say(self, text) {
  self.box.querySelector(".tools [role=status]").textContent = text;
}

function copyCase(self) {
  if (self.data.markdown) copy(self.data.markdown, (word) => say(self, `Case ${word}`));
  else say(self, "There is no run to copy.");
}

function top(self) {
  const { data } = self;
  const step = (by, end) => () => (end ? say(self, end) : self.send({ step: by }));
  return put(
    el("div", "top"),
    el("h2", "", data.name, { title: data.name === data.id ? data.id : `${data.name} (${data.id})`, dir: "auto" }),
    data.status ? el("span", "quiet small", data.status) : null,
    el("span", "quiet small place", data.where, { title: "place in the list" }),
    button("move", "‹", { "aria-label": "Previous case", title: "Previous case (←)", "data-act": "back" }, step(-1, data.first)),
    button("move", "›", { "aria-label": "Next case", title: "Next case (→)", "data-act": "on" }, step(1, data.last)),
  );
}

function runs(self) {
  const { data, send } = self;
  const line = el("div", "sub");
  put(line, put(el("span", `verdict mark-${data.mark}`), mark(data.mark), data.verdict));
  if (data.column) put(line, el("span", "column", data.column, { dir: "auto", title: "version and configuration" }));
  for (const run of data.runs) {
    const chip = button("chip", null, { "aria-current": run.chosen ? "true" : null, title: run.title, "data-run": run.run, "data-act": `run ${run.run}` }, () => send({ run: run.run }));
    put(line, put(chip, mark(run.mark, UNSPOKEN), run.label, run.score ? el("span", "quiet", ` · ${run.score}`) : null, el("span", "hidden", `, ${run.title}`)));
  }
  if (data.elsewhere.length) put(line, el("span", "label", "also in"));
  for (const other of data.elsewhere) {
    const chip = button("chip", null, { title: other.title, "data-run": other.run, "data-act": `run ${other.run}`, dir: "auto" }, () => send({ run: other.run }));
    put(line, put(chip, mark(other.mark, UNSPOKEN), other.label));
  }
  return line;
}

// What people say of the run, and that one of them left it out.
function people({ data }) {
  const lines = [data.people, data.excluded].filter(Boolean);
  return lines.map((text, at) => el("div", "people", text, { dir: "auto", title: text, "data-people": at }));
}

function marks(self) {
  const { data, send } = self;
  const line = el("div", "marks", null, { role: "list", "aria-label": "Criteria, failing first" });
  data.marks.forEach((item, at) => {
    const chip = button(`chip mark-${item.mark}`, null, { title: `${item.word}: ${item.title}`, "data-act": `mark ${at}` }, () => send({ tab: 1 }));
    put(chip, mark(item.mark), el("span", "hidden", `${item.word}: `), el("span", "", item.title, { dir: "auto" }));
    put(line, put(el("span", "", null, { role: "listitem" }), chip));
  });
  if (data.more) put(line, el("span", "quiet small", `+${data.more} more`));
  if (!data.marks.length) put(line, el("span", "quiet small", "no criterion was judged"));
  return line;
}

function tabs(self) {
  const { data, send } = self;
  const every = data.tabs.map((tab, at) => ({ ...tab, on: tab.key === data.tab, title: `${at + 1}` }));
  const bar = tabList("What is shown of this case", every, (tab, at) => send({ tab: at + 1 }));
  const status = el("span", "quiet", "", { role: "status" });
  const links = linkButtons("", () => linkTo(data.id), (text) => say(self, text), true);
  const markdown = button("", "Markdown", { "aria-label": "Copy as Markdown", title: "Copy this case as Markdown (m)", "data-act": "markdown" }, () => copyCase(self));
  return put(el("div", "tabline"), bar, put(el("span", "tools"), el("span", "quiet", "Copy", UNSPOKEN), ...links, markdown, status));
}
