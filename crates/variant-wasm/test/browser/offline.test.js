// The page in a folder for a server: it can be installed, starts without a network, and is replaced as a whole.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { before } from "node:test";
import { fileURLToPath } from "node:url";

import { Document } from "../../js/document-node.js";
import { between, measured, serve, site, temporary } from "./site.js";

const folder = join(temporary, "site");
let sizes;
before(() => { sizes = execFileSync(fileURLToPath(new URL("../../page/bundle", import.meta.url)), ["--site", folder], { encoding: "utf8" }); });
const { withPage, here } = site(undefined, { served: folder, start: "" });

const isKept = (page) => page.evaluate(async () => { await navigator.serviceWorker.ready; });
const caches = (page) => page.evaluate(() => caches.keys());
const isUsable = (page) => page.waitForFunction(() => performance.getEntriesByName("usable").length > 0);

/** Stops the server while an action runs. */
async function withoutServer(action) {
  const { port } = here.server.address();
  here.server.closeAllConnections();
  await new Promise((resolve) => here.server.close(resolve));
  await action();
  here.server = await serve(folder, port);
}

test("the first load has at most 700,000 gzipped bytes", () => assert.match(sizes, /the first load, gzipped: [\d,]+ bytes/));

test("the page is usable soon, with an empty cache", withPage(async (inspector, page, test) => {
  measured(test, "usable after", await between(inspector, "", "usable"), 1000);
}));

test("the browser would install the page", withPage(async (inspector, page) => {
  const client = await page.context().newCDPSession(page);
  const { errors, url } = await client.send("Page.getAppManifest");
  assert.deepEqual(errors, []);
  assert.match(url, /manifest\.webmanifest$/);
  await isKept(page);
  const { installabilityErrors } = await client.send("Page.getInstallabilityErrors");
  // A page of a private window is never installed.
  assert.deepEqual(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito"), []);
}));

test("after the first load the page works without a server", withPage(async (inspector, page) => {
  await isKept(page);
  await withoutServer(async () => {
    await page.reload();
    await isUsable(page);
    await page.click("#sample");
    await inspector.shown();
    await inspector.change("version", "5");
    const { bytes } = await inspector.downloaded(() => page.click("#save"));
    assert.equal(new Document(bytes).at({ frame: 1, path: "version" }), 5);
  });
}));

test("a new version begins when the pages of the old version are left", { timeout: 60_000 }, withPage(async (inspector, page) => {
  const name = join(folder, "service-worker.js"), old = readFileSync(name, "utf8");
  await isKept(page);
  // From now on the service worker answers.
  await page.reload();
  const [before] = await caches(page), version = before.replace("variant-view-", "");
  const after = `variant-view-${"0".repeat(version.length)}`;
  try {
    writeFileSync(name, old.replace(version, "0".repeat(version.length)));
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      await registration.update();
      while (!registration.waiting) await new Promise((resolve) => { setTimeout(resolve, 20); });
    });
    assert.ok((await caches(page)).includes(before));
    await page.reload();
    await page.waitForFunction(async ([name]) => (await caches.keys()).join() === name, [after]);
    await isUsable(page);
  } finally {
    writeFileSync(name, old);
  }
}));
