// All texts of the page, in each language.

/** Each text in English and German. `{name}` is a given value. `{count|key|keys}` is one of two forms, by a given number. */
const TEXTS = {
  // The list of open files.
  "files.label": ["Open files", "Offene Dateien"],
  "files.close": ["Close {name}", "{name} schließen"],
  "files.changed": ["changed", "geändert"],

  // The page inside a host.
  "host.readOnly": ["This file can only be read.", "Diese Datei kann nur gelesen werden."],
};

const LANGUAGES = ["en", "de"];
/** A made-up language, for tests: every text in brackets and longer, from right to left. */
const MADE_UP = "qps";

let language = "en";

export const languages = LANGUAGES;
export const languageNow = () => language;

/** Chooses a language: the given one, or the first of the browser's languages that the page has. */
export function choose(wanted, [...ofBrowser] = navigator.languages) {
  const known = [wanted, ...ofBrowser].map((tag) => tag?.split("-", 1)[0]);
  language = known.find((tag) => LANGUAGES.includes(tag) || tag === MADE_UP) ?? "en";
  document.documentElement.lang = language;
  document.documentElement.dir = language === MADE_UP ? "rtl" : "ltr";
}

/** The text `key` with the given values. */
export function t(key, values = {}) {
  const of = TEXTS[key];
  if (of === undefined) throw new Error(`no text is called ${key}`);
  const filled = of[Math.max(0, LANGUAGES.indexOf(language))].replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (_, name, one, many) => {
    const value = values[name];
    if (many !== undefined) return value === 1 ? one : many;
    return typeof value === "number" ? value.toLocaleString(language === MADE_UP ? "en" : language) : value;
  });
  return language === MADE_UP ? `⟦${filled}${"·".repeat(Math.ceil(filled.length / 3))}⟧` : filled;
}

/** The attributes of elements that have a text: `data-t` for the content, `data-t-label` and so on for attributes. */
const PLACES = {
  "data-t": (element, text) => { element.textContent = text; },
  "data-t-label": (element, text) => element.setAttribute("aria-label", text),
  "data-t-placeholder": (element, text) => element.setAttribute("placeholder", text),
  "data-t-title": (element, text) => element.setAttribute("title", text),
};

/** Fills in the texts of the elements below `root`. */
export function localize(root) {
  for (const [attribute, put] of Object.entries(PLACES)) {
    for (const element of root.querySelectorAll(`[${attribute}]`)) put(element, t(element.getAttribute(attribute)));
  }
}
