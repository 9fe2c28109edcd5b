// The choice of the language. It is the browser's language until the user chooses another. `?lang=` in the address goes before both.

import { make } from "./dom.js";
import { keep, kept } from "./kept.js";
import { NAMES, choose, languageNow, languages, localize } from "./texts.js";

export function chooseLanguage() {
  choose(new URLSearchParams(location.search).get("lang") ?? kept("language"));
  localize(document);
}

/** Fills `list` with the languages. `chosen` is called when the user has chosen another, and the texts of the page are replaced. */
export function languageList(list, chosen) {
  const shown = new Set([...languages, languageNow()]);
  list.append(...[...shown].map((value) => make("option", { value, lang: value }, NAMES[value])));
  list.value = languageNow();
  list.addEventListener("change", () => {
    keep("language", list.value);
    choose(list.value);
    localize(document);
    chosen();
  });
}
