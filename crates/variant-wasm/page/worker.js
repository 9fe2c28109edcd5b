// The worker with the open file. Each message of the page is one call.

import { Document, Literal, dialects, initialize } from "../js/document-browser.js";
import { countBefore } from "./order.js";
import { compiled } from "./parts.js";

/** The maximum number of bytes of a literal offered for editing. */
const LITERAL = 1 << 20;

/** The changes that take a value. The page sends its text. */
const TAKES_VALUE = ["set", "insert"];

const ready = initialize(compiled);
let file;
/** An encrypted file, until it is unlocked. The earlier file stays open. */
let locked;

const blobOf = (content) => new Blob([content], { type: "application/octet-stream" });
const bytesOf = async (blob) => new Uint8Array(await blob.arrayBuffer());
/** The result, with its bytes as a blob. The page only passes the blob to a download. */
const passed = ({ bytes, ...rest }) => ({ ...rest, blob: bytes && blobOf(bytes) });

function replaceBy(document) {
  file?.free();
  file = document;
  return state();
}

/** The number of existing rows below a value. The number that the value claims may be too large. */
function rowsOf(way) {
  const isThere = (row) => file.children(way, row, 1).length > 0, { rows } = file.node(way);
  return rows === 0 || isThere(rows - 1) ? rows : countBefore(rows, isThere);
}

/** The page's state of the file. It is sent after each call that may change it. */
const state = () => ({ info: file.info, changes: file.changes, rows: file.node([]).rows });

async function open(blob, options) {
  locked?.free();
  locked = undefined;
  const document = new Document(await bytesOf(blob), options), { info } = document;
  if (!info.isLocked) return replaceBy(document);
  locked = document;
  return { info };
}

function unlock(password) {
  locked.unlock(password);
  const document = locked;
  locked = undefined;
  return replaceBy(document);
}

function nodeAt(place) {
  try {
    return file.node(place);
  } catch {
    return undefined;
  }
}

/** The calls of the page. A call with another name is a method of the document. */
const calls = {
  dialects: () => dialects,
  open,
  unlock,
  reread: (how) => (file.reread(how), state()),
  rows: rowsOf,
  /** The values around a value, the outermost first. */
  around: (way) => way.slice(1).map((_, depth) => file.node(way.slice(0, depth + 1))),
  nodes: (places) => places.map(nodeAt),
  block: (start, end) => ({ bytes: file.bytes(start, end), fields: file.fields(start, end) }),
  edit(method, place, text) {
    const given = TAKES_VALUE.includes(method) ? new Literal(text) : text;
    return { made: file[method](place, given), ...state() };
  },
  literal(way) {
    const { start, end } = file.extent(way);
    return end - start > LITERAL ? undefined : file.text(way);
  },
  save: () => blobOf(file.save()),
  unwrap: () => blobOf(file.unwrap()),
  wrap: (how) => blobOf(file.wrap(how)),
  text: (place) => blobOf(file.text(place)),
  json: (form, place) => blobOf(file.json(form, place)),
  convert: (to, options) => passed(file.convert(to, options)),
  salvage: () => passed(file.salvage()),
  async diff(blob, options) {
    const other = new Document(await bytesOf(blob), options);
    try {
      return other.info.isLocked ? { isLocked: true } : file.diff(other, { most: 1000 });
    } finally {
      other.free();
    }
  },
};

async function answer({ id, method, parts }) {
  try {
    await ready;
    const result = await (Object.hasOwn(calls, method) ? calls[method](...parts) : file[method](...parts));
    const bytes = [result, result?.bytes].find((part) => part instanceof Uint8Array);
    postMessage({ id, result }, bytes ? [bytes.buffer] : []);
  } catch (error) {
    // After a trap the state of the module's memory is unknown.
    const isDead = [error, error.cause].some((cause) => cause instanceof WebAssembly.RuntimeError);
    postMessage({ id, isDead, error: { ...error, name: error.name, message: error.message } });
  }
}

let last = Promise.resolve();
addEventListener("message", ({ data }) => { last = last.then(() => answer(data)); });
ready.then(() => postMessage({ isReady: true }), ({ name, message }) => postMessage({ isDead: true, error: { name, message } }));
