// The page in Chromium, served on the loopback interface or opened from a file. A test fails on a request to another
// host, on any error of the page, and on an unanswered question.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, extname, join, normalize } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

const folder = process.env.SITE ?? fileURLToPath(new URL("../..", import.meta.url));
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml", ".png": "image/png", ".webmanifest": "application/manifest+json" };
const FLAGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];

/** A folder for the files of this run. The run removes it at its end. */
export const temporary = mkdtempSync(join(tmpdir(), "variant-page-"));
process.on("exit", () => rmSync(temporary, { recursive: true, force: true }));
const screenshots = process.env.SCREENSHOTS ?? join(temporary, "screenshots");

export const corpus = (name) => fileURLToPath(new URL(`../../../../corpus/${name}`, import.meta.url));
export const bytesOf = (name) => new Uint8Array(readFileSync(corpus(name)));
/** Whether a row is tested in a column. The sample has each row, and each column. `VARIANT_RECORDS=all` tests all. */
export const isSampled = (row, column, columns) => process.env.VARIANT_RECORDS === "all" || row % columns === column;

async function answer(folder, request, response) {
  const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
  try {
    const body = await readFile(join(folder, path.endsWith("/") ? `${path}index.html` : path));
    response.writeHead(200, { "content-type": TYPES[extname(path)] ?? (path.endsWith("/") ? TYPES[".html"] : "application/octet-stream") });
    response.end(body);
  } catch {
    response.writeHead(404);
    response.end();
  }
}

/** A server of the files in a folder. */
export async function serve(folder, port = 0) {
  const server = createServer((request, response) => answer(folder, request, response));
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
}

/** How many times slower the page runs, to find tests that wait for a time instead of a state. */
const THROTTLE = Number(process.env.THROTTLE ?? 1);

/** Reports an attribute that names an element which does not exist. It runs in the page, after each change of its elements. */
function watchReferences() {
  const NAMES = ["aria-activedescendant", "aria-owns", "aria-controls", "aria-labelledby", "aria-describedby"];
  const check = () => {
    for (const name of NAMES) {
      for (const element of document.querySelectorAll(`[${name}]`)) {
        const missing = element.getAttribute(name).split(" ").filter((id) => id !== "" && !document.getElementById(id));
        if (missing.length > 0) console.error(`${name} of #${element.id} names elements that do not exist: ${missing.join(", ")}`);
      }
    }
  };
  addEventListener("DOMContentLoaded", () => {
    check();
    new MutationObserver(check).observe(document.documentElement, { subtree: true, childList: true, attributeFilter: [...NAMES, "id"] });
  });
}

const isUsable = () => performance.getEntriesByName("usable").length > 0;

/** Prints a time. With LIMITS=1, the test fails above the limit. */
export function measured(test, name, milliseconds, most) {
  test.diagnostic(`${name}: ${milliseconds.toFixed(0)} ms`);
  if (process.env.LIMITS === "1") assert.ok(milliseconds < most, `${name}: ${milliseconds} ms, at most ${most} are wanted`);
}

/** The milliseconds between two marks of the page. Without a name, from the start of the page. */
export const between = (inspector, from, to) => inspector.page.evaluate(([from, to]) => {
  const [start, end] = [from, to].map((name) => (name === "" ? 0 : performance.getEntriesByName(name).at(-1).startTime));
  return end - start;
}, [from, to]);

/** The browser for the tests of one file. Starts a server of a folder if the page has no `address`. */
export function site(address, { served = folder, start = "page/", isReady = isUsable } = {}) {
  const here = { scope: address, address };
  before(async () => {
    if (address === undefined) {
      here.server = await serve(served);
      here.scope = `http://127.0.0.1:${here.server.address().port}/`;
      here.address = here.scope + start;
    }
    here.browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
  });
  after(async () => {
    await here.browser?.close();
    here.server?.close();
  });
  /**
   * A test with an `Inspector`, its new page, and the test context. `isFirst`: it is the first visit, which begins with the sample. `search` is the part of the
   * address after "?".
   */
  const withPage = (body, { isFirst = false, search = "", ...options } = {}) => async (test) => {
    const context = await here.browser.newContext({ viewport: { width: 1440, height: 860 }, acceptDownloads: true, ...options });
    const troubles = [];
    context.on("request", (request) => { if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(here.scope)) troubles.push(`a request to ${request.url()}`); });
    // In other tests than those of the first visit, the user has opened the pane of bytes before.
    if (!isFirst) await context.addInitScript(() => { for (const [name, value] of Object.entries({ visited: "yes", "pane.bytes": "true" })) localStorage[name] ??= value; });
    if (process.env.LIMITS !== "1") await context.addInitScript(watchReferences);
    if (THROTTLE > 1) context.on("page", async (page) => (await context.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: THROTTLE }).catch(() => {}));
    const page = await context.newPage();
    page.setDefaultTimeout(30_000 * THROTTLE);
    page.on("console", (message) => { if (["error", "warning"].includes(message.type())) troubles.push(message.text()); });
    page.on("pageerror", (error) => troubles.push(error.stack));
    const inspector = new Inspector(page, troubles);
    page.on("dialog", (dialog) => {
      if (inspector.isAsked) return;
      troubles.push(`the page asks: ${dialog.message() || dialog.type()}`);
      dialog.dismiss().catch(() => {});
    });
    await page.goto(here.address + search);
    try {
      await page.waitForFunction(isReady);
      await body(inspector, page, test);
      assert.deepEqual(troubles, []);
    } catch (error) {
      // Prints the page's messages first, since a timeout does not show the cause.
      for (const trouble of troubles) test.diagnostic(trouble);
      throw error;
    } finally {
      await context.close();
    }
  };
  return { withPage, here };
}

/** Presses keys in the tree, or in `[id, key]`, before the worker has answered for the first of them. */
export const pressAtOnce = (page, ...keys) => page.evaluate((keys) => {
  for (const [id, name] of keys) {
    const ctrlKey = name.startsWith("Control+"), key = name.replace("Control+", "");
    document.getElementById(id).dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey, bubbles: true, cancelable: true }));
  }
}, keys.map((key) => (Array.isArray(key) ? key : ["tree", key])));

class Inspector {
  /** Whether a question is expected. */
  isAsked = false;

  constructor(page, troubles) {
    Object.assign(this, { page, troubles });
  }

  /** Chooses a file: a path, or `{ name, buffer }`. */
  async choose(file) {
    const given = typeof file === "string" ? file : { mimeType: "application/octet-stream", ...file };
    await this.page.setInputFiles("#picker", given);
  }

  /** Opens a file without questions, and waits for its first rows. */
  async open(file) {
    await this.choose(file);
    await this.shown();
  }

  /** Opens another file, and waits until it is shown. */
  async openNext(file) {
    await this.choose(file);
    await this.isOf(file.name ?? basename(file));
    await this.shown();
  }

  /** Waits until the page has the file of this name. */
  async isOf(name) {
    await this.page.waitForFunction((name) => document.title.startsWith(`${name} · `), name);
  }

  /** Answers the question that an action causes. Returns the question. */
  async asked(isAccepted, action) {
    this.isAsked = true;
    try {
      const answered = this.page.waitForEvent("dialog").then(async (dialog) => {
        await (isAccepted ? dialog.accept() : dialog.dismiss());
        return dialog;
      });
      const [dialog] = await Promise.all([answered, action()]);
      return dialog.message();
    } finally {
      this.isAsked = false;
    }
  }

  async shown() {
    await this.page.waitForFunction(() => performance.getEntriesByName("rows-shown").length > 0);
    await this.page.waitForSelector('#tree [aria-selected="true"]');
    await this.settled();
  }

  /** Waits until no row waits for the worker. */
  async settled() {
    await this.page.waitForFunction(() => ![...document.querySelectorAll("#tree .row:not([hidden]) .label")].some(({ textContent }) => textContent === "…"));
  }

  /** Waits until the browser keeps a draft with these numbers of steps. `isSaved`: the last step is saved. */
  async keeps(count, isSaved = false) {
    await this.page.waitForFunction(async ([count, isSaved]) => {
      const resultOf = (request) => new Promise((resolve, reject) => Object.assign(request, { onsuccess: () => resolve(request.result), onerror: reject }));
      const base = await resultOf(indexedDB.open("variant-view"));
      const [drafts, steps] = await Promise.all(["drafts", "steps"].map((name) => resultOf(base.transaction(name).objectStore(name).getAll())));
      base.close();
      const last = drafts.at(-1), own = steps.filter(({ draft }) => draft === last?.id);
      return own.length === count && (own.at(-1)?.number === last?.saved) === isSaved;
    }, [count, isSaved]);
  }

  text(selector) {
    return this.page.locator(selector).textContent();
  }

  /** The rows on the screen. */
  async rows() {
    await this.settled();
    return this.page.$$eval("#tree .row:not([hidden])", (rows) => rows.map((row) => ({
      label: row.querySelector(".label").textContent, kind: row.querySelector(".kind").textContent, count: row.querySelector(".count").textContent, text: row.querySelector(".text").textContent,
      level: Number(row.getAttribute("aria-level")), isOpen: row.getAttribute("aria-expanded") ?? undefined, isSelected: row.getAttribute("aria-selected") === "true",
    })));
  }

  async selected() {
    return (await this.rows()).find(({ isSelected }) => isSelected);
  }

  /** Goes to a value by the address. */
  async go(path, frame = 1) {
    await this.page.evaluate((hash) => {
      performance.clearMarks("revealed");
      location.hash = hash;
    }, encodeURIComponent(`${frame}:${path}`));
    await this.page.waitForFunction((path) => performance.getEntriesByName("revealed").some(({ detail }) => detail === path), path);
    await this.settled();
  }

  /** Waits until the address has this path. */
  async at(path) {
    await this.page.waitForFunction((path) => decodeURIComponent(location.hash).replace(/^#(\d+:)?/, "") === path, path);
  }

  /** The path in the address. */
  path() {
    return this.page.evaluate(() => decodeURIComponent(location.hash).replace(/^#(\d+:)?/, ""));
  }

  /** Types into a field, and presses Enter there. */
  async submit(field, text) {
    await this.page.fill(field, text);
    await this.page.press(field, "Enter");
  }

  /** Presses a key in the tree. */
  async press(key) {
    await this.page.focus("#tree");
    await this.page.keyboard.press(key);
  }

  async tab(name) {
    await this.page.click(`#tab-${name}`);
    if (name === "export" && !(await this.page.isVisible("#convert-form"))) await this.page.click("#export-details summary");
  }

  /** Chooses what to compare the file with. */
  async compareWith(what) {
    await this.tab("compare");
    await this.page.selectOption("#compare-with", what);
  }

  /** Opens the pane of bytes. */
  async bytes() {
    if (!(await this.page.isVisible("#hex"))) await this.page.click("#show-bytes");
  }

  /** Types a number or a text for the selected value, in its row. */
  async edit(text) {
    await this.press("Enter");
    await this.submit("#row-field:not([hidden]) :is(input, textarea)", text);
  }

  /** Changes a value of the first frame. */
  async change(path, text, told = /1 change/) {
    await this.go(path, 1);
    await this.edit(text);
    await this.says("#changes-state", told);
  }

  /** Deletes a value of the first frame. */
  async remove(path, told = /1 change/) {
    await this.go(path, 1);
    await this.press("Delete");
    await this.says("#changes-state", told);
  }

  /** The bytes of the download that an action starts. */
  async downloaded(action) {
    const [download] = await Promise.all([this.page.waitForEvent("download"), action()]);
    return { name: download.suggestedFilename(), bytes: new Uint8Array(await readFile(await download.path())) };
  }

  /** The name of the shown file. */
  async name() {
    return (await this.page.title()).replace(/ · variant-view$/, "");
  }

  /** The text of the dialog with the details of the file. */
  async details() {
    const dialog = this.page.locator("#details-dialog");
    await this.page.click((await this.page.isVisible("#more")) ? "#more" : "#foot [popovertarget]");
    await this.page.click("#show-details");
    const text = await dialog.textContent();
    await dialog.locator("[type=submit]").click();
    return text;
  }

  async screenshot(name) {
    await mkdir(screenshots, { recursive: true });
    await this.page.screenshot({ path: join(screenshots, `${name}.png`) });
  }

  /** Waits until an element has this text. */
  async says(selector, pattern) {
    await this.page.waitForFunction(([selector, source]) => new RegExp(source).test(document.querySelector(selector)?.textContent ?? ""), [selector, pattern.source]);
  }
}
