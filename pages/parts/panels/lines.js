const mounted = new WeakMap();

// The exact text of a file, with numbered lines; one of them may be the place that was asked for.
export default function ({ data, parentElement: root }) {
  let self = mounted.get(root);
  if (!self) {
    self = { bar: put(root, el("div", "bar")).lastChild, box: put(root, el("div", "lines", null, { tabindex: "0", role: "region" })).lastChild };
    mounted.set(root, self);
  }
  const act = button("", "copy text", {}, () => copy(data.text, (word) => { act.textContent = word; }));
  self.bar.replaceChildren(el("span", "", data.said, { dir: "auto" }), act);
  self.box.setAttribute("aria-label", data.label);
  self.box.replaceChildren(...data.text.split("\n").map((text, at) => line(text, data.first + at, data.line)));
  const here = self.box.querySelector(".here");
  if (here) here.scrollIntoView({ block: "center" });
}

function line(text, number, wanted) {
  const here = number === wanted;
  const row = el("div", here ? "here" : "", null, { "aria-current": here ? "location" : null });
  return put(row, el("i", "", String(number), { "aria-hidden": "true" }), el("span", "", text));
}
