// Keeps the files of the page, so that the page starts without a network. Only the folder that `bundle --site` makes has a
// service worker. `bundle` defines FILES, the addresses of the files, and VERSION, a hash of their contents.

const PREFIX = "variant-view-", NAME = PREFIX + VERSION;

/** The files come from the server, since the browser's cache may have older files of the same names. */
const keep = async () => (await caches.open(NAME)).addAll(FILES.map((file) => new Request(file, { cache: "reload" })));

async function drop() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== NAME).map((name) => caches.delete(name)));
}

/** A new version waits until the last page of the old version is left, since a page needs the files of one version. */
async function answer(request) {
  const isPage = request.mode === "navigate";
  if (isPage && registration.waiting && (await clients.matchAll()).length < 2) {
    registration.waiting.postMessage("begin");
    // This answer is an empty page that is loaded again. With an icon, the browser requests none.
    return new Response('<link rel="icon" href="data:,">', { headers: { "content-type": "text/html", Refresh: "0" } });
  }
  const kept = await (await caches.open(NAME)).match(request, { ignoreSearch: isPage });
  return kept ?? fetch(request);
}

addEventListener("install", (event) => event.waitUntil(keep()));
addEventListener("activate", (event) => event.waitUntil(drop()));
addEventListener("message", ({ data }) => { if (data === "begin") skipWaiting(); });
addEventListener("fetch", (event) => { if (event.request.method === "GET") event.respondWith(answer(event.request)); });
