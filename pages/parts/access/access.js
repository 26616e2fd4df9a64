// Loaded before Streamlit. The key lies in this origin's storage, which no other port can read, and
// goes with every request that can return something of a workspace.
(() => {
  "use strict";
  const KEY = "evalcore-key";
  const HEADER = "X-Evalcore-Key";
  const RETRIED = "evalcore-retried";
  const PING = /\/_stcore\/(health|host-config)$/;
  const PROTOCOL = /^[\w!#$%&'*+.^`|~-]+$/;
  const AGAIN_MS = 1000;
  const MOST_PICTURES = 50;
  const FILLED = ["w", "suite"];
  const { access, key: given, next, again } = document.documentElement.dataset;

  const key = () => {
    try {
      return localStorage.getItem(KEY) || "";
    } catch (error) {
      return "";
    }
  };

  if (access === "entry") enter();
  else if (access === "refused") retry();
  else guardRequests();
  document.addEventListener("click", closeDrawer);

  async function enter() {
    try {
      if (!(again && await renewed())) localStorage.setItem(KEY, given);
      location.replace(next);
    } catch (error) {
      document.body.textContent = "This browser keeps nothing for this address. Allow cookies and site data for it, run evalcore open again, and open the address it prints.";
    }
  }

  // The cookie can be lost: other ports can replace it.
  async function retry() {
    const address = new URL(location.href);
    address.searchParams.delete("token");
    const tried = sessionStorage.getItem(RETRIED) === address.href;
    sessionStorage.removeItem(RETRIED);
    document.querySelector("code").textContent = openCommand(address.href);
    if (tried || !(await renewed())) return;
    sessionStorage.setItem(RETRIED, address.href);
    location.replace(address.href);
  }

  async function renewed() {
    if (!key()) return false;
    return (await fetch("/evalcore/renew", { method: "POST", headers: { [HEADER]: key() } })).ok;
  }

  function guardRequests() {
    // Otherwise it looks for the server below the address of every page first, which is not there.
    window.__streamlit = { BACKEND_BASE_URL: location.origin };
    const send = window.fetch.bind(window);
    const own = (url) => new URL(url, location.href).host === location.host;

    window.fetch = (input, options) => {
      const request = () => {
        const made = new Request(input, PING.test(input) ? { ...options, signal: null } : options);
        if (own(made.url)) made.headers.set(HEADER, key());
        return made;
      };
      return PING.test(input) ? untilAnswered(() => send(request())) : send(request());
    };

    // A cookie that another port set can make a protocol's name invalid: then no socket would open.
    window.WebSocket = class extends WebSocket {
      constructor(url, protocols = []) {
        const valid = [protocols].flat().map((name) => (PROTOCOL.test(name) ? name : "none"));
        super(url, own(url) ? [...valid, `evalcore.${key()}`] : protocols);
        this.addEventListener("open", () => tell(null));
      }
    };
    loadMedia();
    fillInAddress();
    // Where a browser has none, or refuses it, its own page says that nothing answers.
    window.addEventListener("load", () => navigator.serviceWorker?.register("/evalcore/stopped.js", { scope: "/" }).catch(() => {}));
  }

  // Streamlit asks whether the server is there before it connects. It waits here, and the reader is
  // told what to do; a new address that this browser opens in another tab lets this one go on too.
  async function untilAnswered(ask) {
    for (;;) {
      try {
        const answer = await ask();
        if (answer.status !== 403) return answer;
        tell("closed");
      } catch (error) {
        tell("stopped");
      }
      await new Promise((done) => { setTimeout(done, AGAIN_MS); });
    }
  }

  // Pictures and downloads cannot carry the key: they are fetched, and shown from memory.
  function loadMedia() {
    const { setAttribute } = Element.prototype;
    const { click } = HTMLAnchorElement.prototype;
    const wanted = new WeakMap();
    const shown = [];
    const isMedia = (url) => new URL(url, location.href).pathname.startsWith("/media/") && new URL(url, location.href).origin === location.origin;

    Element.prototype.setAttribute = function set(name, value) {
      if (name !== "src" || !(this instanceof HTMLImageElement) || !isMedia(value)) {
        setAttribute.call(this, name, value);
        return;
      }
      wanted.set(this, value);
      inMemory(value).then(({ url }) => {
        if (wanted.get(this) === value) setAttribute.call(this, name, url);
        if (shown.push(url) > MOST_PICTURES) URL.revokeObjectURL(shown.shift());
      }, () => setAttribute.call(this, name, value));
    };

    HTMLAnchorElement.prototype.click = function press() {
      if (!isMedia(this.href)) {
        click.call(this);
        return;
      }
      inMemory(this.href).then(({ url, name }) => {
        this.href = url;
        this.download = this.download || name;
        click.call(this);
        setTimeout(() => URL.revokeObjectURL(url), AGAIN_MS);
      }, () => tell("stopped"));
    };
  }

  // What a page fills into its address by itself is no step of the reader, so none to go back over.
  function fillInAddress() {
    const push = history.pushState.bind(history);
    history.pushState = (state, unused, url) => {
      const to = new URL(url ?? "", location.href);
      const asked = new URLSearchParams(location.search);
      const added = [...to.searchParams.keys()].filter((name) => !asked.has(name));
      const kept = [...asked].every(([name, value]) => to.searchParams.get(name) === value);
      const filled = to.pathname === location.pathname && kept && added.length && added.every((name) => FILLED.includes(name));
      if (filled) history.replaceState(state, unused, url);
      else push(state, unused, url);
    };
  }

  async function inMemory(address) {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(answer.statusText);
    const [, name = ""] = /filename="([^"]*)"/.exec(answer.headers.get("Content-Disposition")) || [];
    return { url: URL.createObjectURL(await answer.blob()), name };
  }

  // ---- what the reader is told while there is no connection

  // Streamlit lets the sidebar cover the page on a phone after a link in it was followed.
  function closeDrawer({ target }) {
    const link = target.closest?.("[data-testid=stSidebar] [data-testid=stPageLink] a");
    if (!link || !matchMedia("(max-width: 768px)").matches) return;
    document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click();
  }

  function tell(state) {
    let box = document.querySelector("#evalcore-access");
    if (!state) {
      if (box) box.remove();
      return;
    }
    if (!box) {
      box = document.createElement("div");
      box.id = "evalcore-access";
      box.setAttribute("role", "alert");
      (document.querySelector(".stApp") || document.body).append(box);
    }
    if (box.dataset.state === state) return;
    box.dataset.state = state;
    const command = document.createElement("code");
    command.textContent = openCommand(location.href);
    box.replaceChildren(
      state === "stopped" ? "evalcore does not answer any more. If it was stopped, run " : "evalcore was started again and does not know this browser yet. Run ",
      command, " in a terminal and open the address it prints in this browser; this page then goes on. What is stored is safe, and what you typed stays here.",
    );
    command.style.overflowWrap = "anywhere";
    Object.assign(box.style, {
      position: "fixed", insetInline: "0", top: "0", zIndex: "2147483647", padding: "0.75rem 1rem",
      background: "var(--ground, Canvas)", color: "var(--text, CanvasText)",
      borderBottom: "2px solid var(--accent, currentColor)",
    });
  }
})();
