// The service worker: where nothing answers at a kept address, it says what to run. It keeps nothing,
// has no key, touches only pages that are opened, and leaves the address to whoever else answers there.
const MARK = "X-Evalcore";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("fetch", (event) => {
  if (event.request.mode === "navigate") event.respondWith(answered(event.request));
});

async function answered(request) {
  let answer;
  try {
    answer = await fetch(request);
  } catch (error) {
    return stopped(request.url);
  }
  if (answer.type !== "opaqueredirect" && !answer.headers.has(MARK)) self.registration.unregister();
  return answer;
}

function stopped(address) {
  const escaped = openCommand(address).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const page = PAGE.replace("COMMAND", () => escaped);
  return new Response(page, { status: 503, headers: { "Content-Type": "text/html; charset=utf-8" } });
}
