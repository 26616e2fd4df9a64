// Draws the evidence of the runs that are looked at. Whatever was read becomes text, never markup.
const CHUNK = 40;
const ROW = 35;
const SIGNS = { pass: "✓", fail: "✗", unscored: "·", scored: "–" };
const INKS = { pass: "better", fail: "worse", unscored: "quiet" };
const SHOWN = { all: "all runs", changed: "cases that changed", fail: "runs with a failure" };
const place = document.getElementById("runs");
place.textContent = "";

function el(tag, look, text, ...children) {
  const node = document.createElement(tag);
  if (look) node.className = look;
  if (text) node.append(text);
  node.append(...children.filter(Boolean));
  return node;
}

// Text in a direction of its own: what was read may run from right to left.
function said(look, text) {
  const node = el("p", look, text);
  node.dir = "auto";
  return node;
}

function sign(mark, word) {
  if (!SIGNS[mark]) return "";
  const shown = el("span", INKS[mark], `${SIGNS[mark]} `);
  shown.ariaHidden = "true";
  return el("span", "", "", shown, word ? el("span", "hidden", `${word}: `) : null);
}

const labelled = (given) => said("", given.label ? `${given.label}: ${given.text}` : given.text);

function person(given) {
  const about = [given.who, ...given.about].join(" · ");
  return el("div", "person", "", said("", `${about}: ${given.score}`), ...given.texts.map(labelled), ...given.old.map(labelled));
}

function item(given) {
  const title = el("span", "", "", sign(given.mark, given.word), given.title);
  title.dir = "auto";
  const line = el("div", "line", "", title, el("span", "", given.scale ? given.scale.label : given.score));
  const tags = given.tags.length ? said("quiet", given.tags.join(" · ")) : null;
  const quotes = given.quotes.map((one) => said(one.path ? "better" : "worse", `${one.path ? "found" : "not found in the outputs"}: “${one.quote}”${one.location ? ` ${one.location}` : ""}${one.how ? ` (${one.how})` : ""}`));
  const anchor = given.anchor ? said("quiet", given.anchor) : null;
  return el("article", "", "", line, tags, anchor, ...given.texts.map(labelled), ...quotes, ...given.people.map(person));
}

// An excerpt of an output: every second text of it is what is quoted.
function excerpt(given) {
  const text = said("written", "");
  text.append(...given.texts.map((part, at) => (at % 2 ? el("mark", "", part) : part)));
  return el("div", "", "", el("h3", "", `${given.label} · ${given.name}`, given.where ? el("span", "quiet", given.where) : null), text);
}

const DRAW = {
  heading: (given) => el("h3", "", given.text, given.hint ? el("span", "quiet", given.hint) : null),
  say: (given) => said(given.quiet ? "quiet" : "", given.text),
  prompt: (given) => el("div", "", "", el("h3", "", given.label), said("written", given.text)),
  excerpt,
  item,
};

function run(given, data, open) {
  const name = el("span", "", given.name);
  name.dir = "auto";
  const head = el("summary", "", "", sign(given.mark), name, el("span", "quiet", given.run), el("span", "quiet", given.said));
  const box = el("details", "", "", head);
  const fill = () => {
    if (box.open) open.add(given);
    else open.delete(given);
    if (!box.open || box.children.length > 1) return;
    const blocks = [...data.cases[given.case], ...given.blocks];
    box.append(el("div", "run", "", ...blocks.map((block) => DRAW[block.t]({ ...data.items[block.of], ...block }))));
  };
  box.addEventListener("toggle", fill);
  box.open = open.has(given);
  return box;
}

// A chunk of rows is drawn when it comes near the screen, and given up when it is far away.
function list(data, runs, open) {
  const drawn = new IntersectionObserver((seen) => {
    for (const { target, isIntersecting } of seen) {
      if (isIntersecting && !target.children.length) {
        target.style.height = "";
        target.append(...target.rows.map((given) => run(given, data, open)));
      } else if (!isIntersecting && target.children.length) {
        target.style.height = `${target.offsetHeight}px`;
        target.replaceChildren();
      }
    }
  }, { rootMargin: "400px" });
  const chunks = [];
  for (let at = 0; at < runs.length; at += CHUNK) {
    const chunk = el("div", "runs");
    chunk.rows = runs.slice(at, at + CHUNK);
    chunk.style.height = `${chunk.rows.length * ROW}px`;
    drawn.observe(chunk);
    chunks.push(chunk);
  }
  return { chunks, end: () => drawn.disconnect() };
}

function show(data) {
  const find = el("input");
  find.type = "search";
  find.placeholder = "Find a case or version";
  find.ariaLabel = find.placeholder;
  const which = el("select");
  which.ariaLabel = "Runs shown";
  for (const [name, words] of Object.entries(SHOWN)) which.append(new Option(words, name));
  const told = el("span", "quiet");
  told.role = "status";
  const rows = el("div");
  const open = new Set();
  let before = null;
  const draw = () => {
    const words = find.value.toLowerCase();
    const runs = data.runs.filter((given) => (which.value === "all" || (which.value === "fail" ? given.mark === "fail" : given.changed))
      && `${given.name} ${given.case} ${given.run}`.toLowerCase().includes(words));
    if (before) before.end();
    before = list(data, runs, open);
    rows.replaceChildren(...before.chunks);
    told.textContent = `${runs.length.toLocaleString("en")} of ${data.runs.length.toLocaleString("en")}`;
  };
  find.addEventListener("input", draw);
  which.addEventListener("change", draw);
  place.replaceChildren(el("div", "tools", "", find, which, told), rows);
  draw();
}

async function unpacked() {
  const bytes = Uint8Array.from(atob(document.getElementById("packed").textContent), (each) => each.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

new IntersectionObserver((seen, observer) => {
  if (!seen.some((each) => each.isIntersecting)) return;
  observer.disconnect();
  unpacked().then(show, () => { place.textContent = "This browser cannot unpack the evidence; a newer one can."; });
}, { rootMargin: "800px" }).observe(document.getElementById("evidence"));
