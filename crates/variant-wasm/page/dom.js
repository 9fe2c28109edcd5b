// Functions that make elements. Text of files becomes part of the page only by `textContent`, never as HTML.

import { t } from "./texts.js";

export const byId = (id) => document.getElementById(id);

/** Calls `act` instead of submitting a form. */
export function onSubmit(form, act) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    act();
  });
}

/** An element with properties, attributes (`aria-...`, `role`) and children. Children are elements or texts. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-") || name === "role") element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children);
  return element;
}

/** Sets a property only if its value differs, since setting it causes a new layout of the page. */
export function put(element, name, value) {
  if (element[name] !== value) element[name] = value;
}

export function attribute(element, name, value) {
  if (value === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

/** A row of a list: a button with a short label (`mark`) and a title, and lines of text below them. */
export function entry({ mark = "", kind = "", title, lines = [], act }) {
  const button = make("button", { type: "button", className: `entry ${kind}`, onclick: act },
    make("span", { className: "mark" }, mark), make("span", { className: "title" }, title),
    ...lines.filter(Boolean).map((line) => make("span", { className: "line" }, line)));
  return make("li", {}, button);
}

export const counted = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
export const hex = (number, digits = 0) => number.toString(16).padStart(digits, "0");

/** An error as one line of text, with its place if it is known. */
export function told(error) {
  const place = [error.path && t("error.at", { path: error.path }), error.offset !== undefined && t("bytes.at", { number: error.offset })].filter(Boolean);
  const text = error.message || String(error);
  const isTold = place.length === 0 || text.includes("byte ");
  return isTold ? text : `${text} (${place.join(", ")})`;
}

/** Copies a text to the clipboard. The focus stays where it is. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // A page that is a file may lack the clipboard of scripts.
    const { activeElement } = document, field = make("textarea", { value: text, className: "unseen" });
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
    activeElement?.focus({ preventScroll: true });
  }
}

export function download(blob, name) {
  const url = URL.createObjectURL(blob);
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
