// What the server does on the page Blind, for one judge, in one file, without any network.
const DATA = JSON.parse(document.getElementById("packet").textContent);
const TASKS = DATA.tasks.map((each) => ({ ...each, shows: JSON.parse(each.text) }));
const NO_KEEPING = "This browser stores nothing: save your verdicts before you close the window.";
const VERDICTS = "verdicts";
const windows = new BroadcastChannel(`evalcore-packet ${DATA.packet}`);
const work = { at: 0, file: null, part: 1, diff: false, undo: null, answer: null, done: new Set(), verdicts: [], ids: new Map() };

// IndexedDB: what it completed is stored, and whoever asks after that gets it. In Chromium, a new window read localStorage
// without what two just closed ones had stored (1 of 100 times), and a file saved from it lacked their verdicts.
const database = new Promise((resolve) => {
  try {
    const asked = indexedDB.open(`evalcore-packet ${DATA.packet}`, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(VERDICTS, { keyPath: "id" });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => resolve(null);
  } catch (error) {
    resolve(null);
  }
});

// One transaction; what the request in it got, null where this browser refuses it.
async function within(mode, request) {
  const opened = await database;
  if (!opened) return null;
  try {
    const transaction = opened.transaction(VERDICTS, mode, { durability: "strict" });
    const asked = request(transaction.objectStore(VERDICTS));
    return await new Promise((resolve) => {
      transaction.oncomplete = () => resolve(asked ? asked.result : []);
      transaction.onabort = () => resolve(null);
    });
  } catch (error) {
    return null; // its data was cleared while this window was open
  }
}

// Another window of the same packet may have stored verdicts meanwhile: none of them is lost.
async function catchUp() {
  const kept = await within("readonly", (store) => store.getAll()) || [];
  const known = new Set(work.verdicts.map((each) => each.id));
  work.verdicts.push(...kept.filter((each) => !known.has(each.id)));
  work.verdicts.sort((one, other) => one.judged_at.localeCompare(other.judged_at));
}

async function keep() {
  // All of them: one that could not be stored before is tried again.
  const kept = await within("readwrite", (store) => work.verdicts.forEach((each) => store.put(each)));
  windows.postMessage("stored");
  return kept !== null;
}

// The verdict on a task that stands; null where there is none, or it was taken back.
function standing(task) {
  const last = work.verdicts.findLast((each) => each.task === task);
  return last && last.winner ? last : null;
}

function compared() {
  return TASKS.filter((each) => standing(each.shows.id)).length;
}

function open(at) {
  Object.assign(work, { at, file: null, part: 1, diff: false });
}

// The next task without a verdict, from the one after another round to it; null where all have one.
function nextOpen(from) {
  const round = TASKS.map((_, step) => (from + 1 + step) % TASKS.length);
  const found = round.find((at) => !standing(TASKS[at].shows.id));
  return found === undefined ? null : found;
}

async function sha256(text) {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function note(id, task, given) {
  const of = TASKS.find((each) => each.shows.id === task);
  const shown = await sha256(of.text);
  await catchUp();
  work.verdicts.push({ id, task, shown, seal: of.seal, ...given, judged_at: new Date().toISOString() });
  return keep();
}

const DO = {
  async store({ task, submission, winner, scores, rationale, knows }) {
    const isKept = await note(submission, task, { winner, scores, rationale: rationale.trim(), knows });
    work.ids.delete(task);
    work.undo = task;
    open(nextOpen(work.at));
    return { message: isKept ? "Stored in this browser. Save your verdicts when you are done." : NO_KEEPING, forget: task };
  },
  async undo({ task }) {
    await note(crypto.randomUUID(), task, { winner: null });
    work.undo = null;
    open(TASKS.findIndex((each) => each.shows.id === task));
    return { message: "Undone." };
  },
  async go({ to }) {
    const step = { next: 1, previous: -1 }[to];
    open(step && work.at !== null ? (work.at + step + TASKS.length) % TASKS.length : 0);
    return {};
  },
  async file({ file, part }) {
    Object.assign(work, { file, part });
    return {};
  },
  async diff() {
    work.diff = !work.diff;
    return {};
  },
};

async function hear(_, { acts: sent }) {
  const body = sent.at(-1);
  if (!DO[body.act] || work.done.has(body.number)) return;
  work.done.add(body.number);
  try {
    work.answer = { number: body.number, ok: true, message: "", ...await DO[body.act](body) };
  } catch (error) {
    work.answer = { number: body.number, ok: false, message: "It was not stored. Open this file from your own disk in a current browser." };
  }
  show();
}

function panelData() {
  const base = { answer: work.answer, undo: work.undo, diff: work.diff, packet: true, reasons: DATA.reasons };
  if (work.at === null) return { ...base, task: null, end: `Done: ${compared()} of ${TASKS.length} pairs. The versions are still hidden. Save your verdicts now, and send the file to whoever gave you this packet.` };
  const { shows } = TASKS[work.at];
  const file = shows.files.includes(work.file) ? work.file : shows.files[0];
  const [left, right] = shows.shown[file || ""].map((parts) => parts[Math.min(work.part, parts.length) - 1]);
  if (!work.ids.has(shows.id)) work.ids.set(shows.id, crypto.randomUUID());
  const task = { id: shows.id, prompt: shows.prompt, files: shows.files, criteria: shows.criteria, changed: false, left, right };
  return { ...base, task, place: work.at + 1, of: TASKS.length, done: compared(), submission: work.ids.get(shows.id), mine: standing(shows.id) };
}

function rooted(id) {
  const root = document.getElementById(id).attachShadow({ mode: "open" });
  const style = new CSSStyleSheet();
  style.replaceSync(DATA.styles[id]);
  root.adoptedStyleSheets = [style];
  return root;
}

const roots = { blind: rooted("blind"), diff: rooted("diff") };

function show() {
  const data = panelData();
  panels.blind({ data, parentElement: roots.blind, setTriggerValue: hear });
  const differences = document.getElementById("diff");
  differences.hidden = !work.diff || !data.task;
  if (!differences.hidden) panels.diff({ data: TASKS[work.at].shows.differences[data.task.left.name], parentElement: roots.diff });
}

async function save() {
  await catchUp();
  const { packet, study } = DATA;
  const text = JSON.stringify({ format: "evalcore-blind-verdicts", version: 1, packet, study, verdicts: work.verdicts }, null, 1);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = `verdicts-${packet}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

document.getElementById("save").addEventListener("click", save);
windows.addEventListener("message", async () => {
  await catchUp();
  // Drawing would take the focus from what is typed here: the next verdict draws anyway.
  if (!roots.blind.activeElement) show();
});

async function start() {
  await catchUp();
  document.getElementById("keeps").textContent = await within("readwrite", () => null) ? "Your verdicts are stored in this browser; nothing is sent anywhere." : NO_KEEPING;
  open(nextOpen(-1));
  show();
}

start();
