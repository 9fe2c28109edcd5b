// The worker with the open files. Each message of the page is one call about one file.

import { filesIn } from "./archive.js";
import { Document, dialects, initialize } from "../js/document-browser.js";
import { File, nodeAt } from "./file.js";
import { FreeKeys } from "./keys.js";
import { countBefore } from "./order.js";
import { compiled } from "./parts.js";

/** The maximum number of bytes of a literal offered for editing. */
const LITERAL = 1 << 20;

const ready = initialize(compiled);
/** The open files, by the page's numbers. */
const files = new Map();

const blobOf = (content) => new Blob([content], { type: "application/octet-stream" });
const bytesOf = async (blob) => new Uint8Array(await blob.arrayBuffer());
/** The result, with its bytes as a blob. The page only passes the blob to a download. */
const passed = ({ bytes, ...rest }) => ({ ...rest, blob: bytes && blobOf(bytes) });

/** The literal of a value, unless it is too large to be edited. */
function literalOf(document, way) {
  const { start, end } = document.extent(way);
  return end - start > LITERAL ? undefined : document.text(way).trimEnd();
}

/** The number of existing rows below a value. The number that the value claims may be too large. */
function rowsOf(document, way) {
  const isThere = (row) => document.children(way, row, 1).length > 0, { rows } = document.node(way);
  return rows === 0 || isThere(rows - 1) ? rows : countBefore(rows, isThere);
}

/** Calls a function with a file that is open only meanwhile. */
async function briefly(blob, options, work) {
  const document = new Document(await bytesOf(blob), options);
  try {
    return document.info.isLocked ? { isLocked: true } : work(document);
  } finally {
    document.free();
  }
}

/** Opens a file. If another file has the number, the other file is replaced. */
async function open(id, blob, options) {
  const document = new Document(await bytesOf(blob), options);
  files.get(id)?.free();
  files.set(id, new File(document, blob));
  return files.get(id).state;
}

/** The calls that are about no open file. */
const calls = {
  dialects: () => dialects,
  open,
  close(id) {
    files.get(id)?.free();
    files.delete(id);
  },
  /** The files in an archive. */
  archive: async (id, blob) => filesIn(await bytesOf(blob)).map(({ path, bytes }) => ({ path, blob: blobOf(bytes) })),
  /** What a file is, and its problems if `isChecked`. */
  survey: (id, blob, options, isChecked) => briefly(blob, options, (document) => ({ info: document.info, validation: isChecked ? document.validate() : undefined })),
  /** The first values of a file that have a text. */
  searchIn: (id, blob, options, text, how) => briefly(blob, options, (document) => document.search(text, how)),
};

/** The calls about a file. A call with another name is a method of the document. */
const callsOf = {
  edit: (file, edits) => file.edit(edits),
  undo: (file) => file.undo(),
  redo: (file) => file.redo(),
  steps: (file, from, end) => file.steps(from, end),
  unlock: (file, password) => (file.document.unlock(password), file.state),
  reread: (file, how) => (file.document.reread(how), file.state),
  rows: ({ document }, way) => rowsOf(document, way),
  /** The values around a value, the outermost first. */
  around: ({ document }, way) => way.slice(1).map((_, depth) => document.node(way.slice(0, depth + 1))),
  /** The values that a path selects. */
  selected: ({ document }, query, how) => document.nodes(query, how),
  nodes: ({ document }, places) => places.map((place) => nodeAt(document, place)),
  /** The keys for new pairs of a dictionary, from the labels of the wanted keys. */
  freeKeys({ document }, way, labels) {
    const keys = new FreeKeys((...of) => document.children(...of));
    return labels.map((label) => keys.take(way, label));
  },
  block: ({ document }, start, end) => ({ bytes: document.bytes(start, end), fields: document.fields(start, end) }),
  literal: ({ document }, way) => literalOf(document, way),
  /** The rows at ways, each with its literal, without those of damage. */
  copies: ({ document }, ways) => ways.map((way) => nodeAt(document, way)).filter((node) => node?.kind !== undefined).map((node) => ({ ...node, literal: literalOf(document, node.way) })),
  /** Without a change, the bytes are those that were opened. Another compression of the same bytes could differ. */
  save({ document, blob }) {
    const { step } = document.info;
    return { blob: step === 0 ? blob : blobOf(document.save()), step };
  },
  unwrap: ({ document }) => blobOf(document.unwrap()),
  wrap: ({ document }, how) => blobOf(document.wrap(how)),
  text: ({ document }, place) => blobOf(document.text(place)),
  json: ({ document }, form, place) => blobOf(document.json(form, place)),
  convert: ({ document }, to, options) => passed(document.convert(to, options)),
  salvage: ({ document }) => passed(document.salvage()),
  /** The differences that lead from another file to this file. */
  diff: ({ document }, blob, options) => briefly(blob, options, (other) => other.diff(document, { most: 1000 })),
  /** The differences that lead from another open file, with its changes, to this file. */
  diffWith: ({ document }, id) => files.get(id).document.diff(document, { most: 1000 }),
};

function called(id, method, parts) {
  if (Object.hasOwn(calls, method)) return calls[method](id, ...parts);
  const file = files.get(id);
  // A pane may ask for a file that was just closed. It needs no answer.
  if (!file) throw Object.assign(new Error("the file is closed"), { isDead: true });
  return Object.hasOwn(callsOf, method) ? callsOf[method](file, ...parts) : file.document[method](...parts);
}

async function answer({ id, file, method, parts }) {
  try {
    await ready;
    const result = await called(file, method, parts);
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
