// ---- what is judged: prompt and output, as text and nothing else

function readings(self) {
  const { task } = self.data;
  const box = el("section", "read", null, { "aria-label": "What was asked and what came of it", tabindex: "0" });
  put(box, reading("Prompt", task.prompt, "No prompt is recorded for this case.", "prompt"));
  if (task.expected) put(box, reading("Expected", task.expected, "", "expected"));
  put(box, el("h3", "", "Output"));
  if (!task.files.length) return put(box, el("p", "quiet", "No output saved for this run: there is nothing here to judge. Skip it (s), unless you can read its output elsewhere."));
  if (task.files.length > 1) put(box, tabs(self, task));
  const open = task.files.find((file) => file.on) || task.files[0];
  return put(box, output(self, open));
}

function reading(label, text, empty, name) {
  const part = put(el("div", name), el("h3", "", label));
  return put(part, text ? el("div", "text clamp", text, { dir: "auto" }) : el("p", "quiet", empty));
}

function tabs(self, task) {
  const files = task.files.map((file) => ({ key: file.name, label: file.name, on: file.on, title: file.name }));
  return tabList("Output files", files, (tab, at) => openFile(self, task.files[at]));
}

// What was sent already is shown at once; the rest is asked for.
function openFile(self, file) {
  // An image is below the panel, where the page draws it.
  const image = file.image || self.data.task.files.some((one) => one.on && one.image);
  if (image || (file.text === null && !file.note)) {
    leave(self, { act: "file", file: file.name, part: 1 });
    return;
  }
  for (const one of self.data.task.files) one.on = one === file;
  const again = readings(self);
  self.read.replaceWith(again);
  self.read = again;
  for (const text of again.querySelectorAll(".clamp")) unclamp(text);
  const held = [...again.querySelectorAll(".tab")].find((node) => node.dataset.tab === file.name);
  if (held) held.focus();
}

function output(self, file) {
  const box = el("div", "file");
  const facts = [file.size, file.lines, file.note].filter(Boolean).join(" · ");
  if (facts) put(box, el("p", "quiet small", facts, { dir: "auto" }));
  if (file.text !== null) put(box, el("div", "output", file.text, { dir: "auto", role: "document", "aria-label": file.name }));
  if (file.parts > 1) put(box, parts(self, file));
  return box;
}

function parts(self, file) {
  const to = (label, part) => button("turn", label, {
    disabled: part < 1 || part > file.parts, "data-act": label,
  }, () => leave(self, { act: "file", file: file.name, part }));
  return put(el("p", "parts"), to("‹ before", file.part - 1), el("span", "", `part ${file.part} of ${file.parts}`), to("more ›", file.part + 1));
}

// A selection inside a panel is not seen from outside in every browser, so both are asked.
function selected(self) {
  const inside = self.root.getSelection ? self.root.getSelection() : null;
  for (const found of [inside, document.getSelection()]) {
    const text = found ? found.toString().trim() : "";
    if (text && within(self, found)) return text;
  }
  return "";
}

function within(self, found) {
  const reading = self.box.querySelector(".read");
  const node = found.anchorNode;
  return Boolean(reading && node && (reading.contains(node) || node.contains(self.root.host)));
}
