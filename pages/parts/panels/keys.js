// Keys of every page: g and a letter open another one, ? says which keys there are.
const PAGES = {
  o: "overview", g: "gradings", c: "compare", r: "rubric", t: "trends", f: "failures", j: "judge", b: "blind", u: "runs", d: "data",
};
const WAITS_MS = 1500;
const mounted = new WeakMap();

export default function ({ parentElement: root }) {
  let self = mounted.get(root);
  if (!self) {
    self = start(root);
    mounted.set(root, self);
  }
  return endsWith(root, self);
}

function start(root) {
  const self = { began: 0, sheet: put(root, shortcuts([["?", "this sheet"]])).lastChild };
  const onKey = (event) => key(self, event);
  document.addEventListener("keydown", onKey, true);
  self.stop = () => document.removeEventListener("keydown", onKey, true);
  return self;
}

function key(self, event) {
  if (typing(event) || self.sheet.open) return;
  const page = Date.now() - self.began < WAITS_MS ? PAGES[event.key] : null;
  self.began = 0;
  if (page) open(page);
  else if (event.key === "g") self.began = Date.now();
  // A page with keys of its own has a sheet of its own, which has the keyboard's word first.
  else if (event.key === "?") setTimeout(() => { if (!event.defaultPrevented) self.sheet.showModal(); });
  if (page || self.began) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}

function open(page) {
  const links = [...document.querySelectorAll('[data-testid="stSidebar"] a[href]')];
  const link = links.find(({ href }) => new URL(href).pathname.endsWith(`/${page}`));
  if (link) link.click();
}
