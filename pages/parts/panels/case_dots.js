// The marks of the case differences: smaller than a finger, so a press beside one is a press on it.
const REACH = 16;
const HIGH = 6;

function dotColumn(column, open) {
  const [kind] = CHANGES[column.change];
  const node = el("div", "bin", null, { role: "group", "aria-label": column.text, title: column.dots.length ? null : column.text, "data-at": column.at });
  node.style.gridColumn = column.at + 11;
  // Equal cases are a heap in the middle: spread out they would look like differences.
  if (column.at === 0) node.style.setProperty("--wide", Math.ceil(column.dots.length / HIGH));
  for (const dot of column.dots) {
    const act = el("span", "casedot", null, {
      role: "option", title: dot.text, "aria-label": dot.text, "aria-selected": String(dot.id === open), "data-dot": dot.id, "data-act": `dot ${dot.id}`, tabindex: "-1",
    });
    put(node, put(act, mark(kind, UNSPOKEN)));
  }
  if (column.dots.length) return node;
  const bar = el("i", `heap mark-${kind}`);
  bar.style.height = `${Math.max(column.share * 100, 1)}%`;
  return put(node, el("span", "small", column.n.toLocaleString("en")), bar);
}

// The mark that a press would open has its outline and its name, as if the pointer were on it.
function pressNearest(self, strip, every) {
  const point = (found) => {
    for (const dot of every) dot.classList.toggle("near", dot === found);
    strip.title = found ? found.title : "";
  };
  strip.addEventListener("pointermove", (event) => point(nearest(event, every)));
  strip.addEventListener("pointerleave", () => point(null));
  strip.addEventListener("click", (event) => {
    const dot = event.target.closest(".casedot") || nearest(event, every);
    if (dot) self.send({ case: dot.dataset.dot });
  });
}

function nearest({ clientX, clientY }, every) {
  let [found, least] = [null, REACH];
  for (const dot of every) {
    const { left, top, width, height } = dot.getBoundingClientRect();
    const far = Math.hypot(clientX - left - width / 2, clientY - top - height / 2);
    if (far <= least) [found, least] = [dot, far];
  }
  return found;
}

// The marks are one stop of the tab key; the arrows go along them, Enter opens.
function alongDots(event, every) {
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Enter: 0, " ": 0 }[event.key];
  if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  if (!by) event.target.click();
  const next = by && every[every.indexOf(event.target) + by];
  if (!next) return;
  event.target.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}
