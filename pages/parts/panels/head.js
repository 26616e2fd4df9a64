const MOST_RUNS = 6;
const NARROW = 480;
const WORDS = 200; // what the words beside the marks need
const STEP = 25;
const mounted = new WeakMap();

export default function ({ data, parentElement: root, setTriggerValue }) {
  let self = mounted.get(root);
  if (!self) {
    self = start(root);
    mounted.set(root, self);
  }
  self.send = sender(setTriggerValue);
  redraw(root, () => {
    self.data = data;
    keepFocus(root, () => draw(self));
  });
  return endsWith(root, self);
}

function draw(self) {
  self.most = fitting(self.box);
  self.tip = el("div", "tip", null, { "aria-hidden": "true", hidden: true, dir: "auto" });
  self.box.replaceChildren(top(self), runs(self), ...people(self), marks(self), tabs(self), self.tip);
}

// How many marks stand in one line: beside their words, on a phone above them.
function fitting(box) {
  const narrow = box.clientWidth < NARROW;
  box.classList.toggle("narrow", narrow);
  return Math.floor((box.clientWidth - (narrow ? 0 : WORDS)) / STEP);
}

function start(root) {
  const self = { box: put(root, el("div", "head", null, { role: "region", "aria-label": "The case that is open" })).lastChild };
  const onKey = (event) => {
    if (event.key !== "m" || typing(event) || event.defaultPrevented) return;
    copyCase(self);
    event.preventDefault();
  };
  document.addEventListener("keydown", onKey);
  const watch = new ResizeObserver(() => { if (self.data && fitting(self.box) !== self.most) keepFocus(root, () => draw(self)); });
  watch.observe(self.box);
  self.box.addEventListener("keydown", (event) => { if (event.key === "Escape") self.tip.hidden = true; });
  for (const kind of ["pointerover", "focusin", "pointerout", "focusout"]) self.box.addEventListener(kind, (event) => hint(self, event));
  self.stop = () => {
    document.removeEventListener("keydown", onKey);
    watch.disconnect();
  };
  return self;
}

// The words of a mark or a run stand below it while the pointer or the keyboard is on it.
function hint({ box, tip }, event) {
  const target = /over|in$/.test(event.type) && event.target.closest("[data-tip]");
  tip.hidden = !target;
  if (!target) return;
  tip.textContent = target.dataset.tip;
  const [outer, inner] = [box.getBoundingClientRect(), target.getBoundingClientRect()];
  tip.style.top = `${inner.bottom - outer.top + 4}px`;
  tip.style.left = `${Math.max(Math.min(inner.left - outer.left, outer.width - tip.offsetWidth), 0)}px`;
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
    button("back", "Back to the list", { "data-act": "list" }, () => document.dispatchEvent(new Event(BACK))),
    el("h2", "", data.name, { title: data.name === data.id ? data.id : `${data.name} (${data.id})`, dir: "auto" }),
    data.status ? el("span", "quiet small", data.status) : null,
    el("span", "quiet small place", data.where, { title: "place in the list" }),
    button("move", "‹", { "aria-label": "Previous case", title: "Previous case (←)", "data-act": "back" }, step(-1, data.first)),
    button("move", "›", { "aria-label": "Next case", title: "Next case (→)", "data-act": "on" }, step(1, data.last)),
  );
}

function runs(self) {
  const { data } = self;
  const line = el("div", "sub");
  put(line, put(el("span", `verdict mark-${data.mark}`, null, { title: data.verdict }), mark(data.mark), data.verdict));
  const here = { run: "", label: data.column, mark: data.mark };
  if (data.elsewhere.length) put(line, menu(self, "Version and configuration", [here, ...data.elsewhere], here));
  else if (data.column) put(line, el("span", "column", data.column, { dir: "auto", title: data.column }));
  if (!data.position) return line;
  const every = put(el("span", "runs"), el("span", "quiet", data.position));
  if (data.runs.length > MOST_RUNS) put(every, menu(self, "Run", data.runs, data.runs.find((run) => run.chosen)));
  else if (data.runs.length > 1) put(every, ...data.runs.map((run) => square(self, run)));
  return put(line, every);
}

function square({ send }, run) {
  const node = button(`run mark-${run.mark}`, null, {
    "aria-current": run.chosen ? "true" : null, "data-tip": run.title, "data-run": run.run, "data-act": `run ${run.run}`,
  }, () => send({ run: run.run }));
  return put(node, run.label, el("span", "hidden", `, ${run.title}`));
}

// The signs are text here: a menu of the browser draws nothing else.
function menu({ send }, label, options, chosen) {
  const node = el("select", "menu", null, { "aria-label": label, "data-act": label, title: `${label}: ${chosen.label}`, dir: "auto" });
  for (const option of options) {
    put(node, el("option", "", `${MARKS[option.mark][0]} ${option.label}`, { value: option.run, selected: option === chosen, dir: "auto" }));
  }
  node.addEventListener("change", () => send({ run: node.value }));
  return node;
}

// What people say of the run, and that one of them left it out.
function people({ data }) {
  const text = [data.people, data.excluded].filter(Boolean).join(" · ");
  return text ? [el("div", "people", text, { dir: "auto", title: text })] : [];
}

function marks(self) {
  const { data, send } = self;
  const line = el("div", "marks", null, { role: "list", "aria-label": "Criteria, failing first" });
  const every = data.marks.length + data.more;
  const shown = every > self.most ? data.marks.slice(0, Math.max(self.most - 2, 1)) : data.marks;
  const one = (at, words, ...inner) => put(line, put(el("span", "", null, { role: "listitem" }), put(
    button("", null, { "data-tip": words, "data-act": `mark ${at}` }, () => send({ tab: 1 })), ...inner,
  )));
  shown.forEach((item, at) => one(at, `${item.word}: ${item.title}`, mark(item.mark), el("span", "hidden", `${item.word}: ${item.title}`)));
  const more = every - shown.length;
  if (more) one("more", `${more} more criteria, in Grades`, `+${more}`);
  const first = data.marks.length ? data.marks[0].mark : "none";
  return put(el("div", "criteria"), line, el("span", `said mark-${first}`, data.said, { dir: "auto", title: data.said }));
}

function tabs(self) {
  const { data, send } = self;
  const numbered = data.tabs.filter((tab) => tab.key !== "steps");
  const every = data.tabs.map((tab) => ({ ...tab, on: tab.key === data.tab, title: String(numbered.indexOf(tab) + 1 || "s") }));
  const bar = tabList("What is shown of this case", every, (tab) => send({ tab: tab.key }));
  const status = el("span", "quiet", "", { role: "status" });
  const links = linkButtons("", () => linkTo(data.view, data.id), (text) => say(self, text), true);
  const markdown = button("", "Markdown", { "aria-label": "Copy as Markdown", title: "Copy this case as Markdown (m)", "data-act": "markdown" }, () => copyCase(self));
  return put(el("div", "tabline"), bar, put(el("span", "tools"), el("span", "quiet", "Copy", UNSPOKEN), ...links, markdown, status));
}
