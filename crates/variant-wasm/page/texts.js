// All texts of the page, in each language.

/** Each text in English and German. `{name}` is a given value. `{count|key|keys}` is one of two forms, by a given number. */
const TEXTS = {
  // The list of open files.
  "files.label": ["Open files", "Offene Dateien"],
  "files.close": ["Close {name}", "{name} schließen"],
  "files.changed": ["changed", "geändert"],

  // Rows, their menus, and their inputs.
  "row.whole": ["the whole value", "der ganze Wert"],
  "row.damage": ["damage", "Schaden"],
  "row.keys": ["{count} {count|key|keys}", "{count} {count|Schlüssel|Schlüssel}"],
  "row.items": ["{count} {count|item|items}", "{count} {count|Eintrag|Einträge}"],
  "row.more": ["Actions for {name}", "Aktionen für {name}"],
  "row.menu": ["Actions for {name}", "Aktionen für {name}"],
  "row.kindOf": ["Kind of {name}: {kind}", "Art von {name}: {kind}"],
  "row.kinds": ["Kinds", "Arten"],
  "row.oneKind": ["Every value of this list is of the kind {kind}.", "Jeder Wert dieser Liste hat die Art {kind}."],
  "row.edit": ["Edit", "Ändern"],
  "row.editText": ["Edit as text", "Als Text ändern"],
  "row.rename": ["Rename key", "Schlüssel umbenennen"],
  "row.add": ["Add below", "Darunter einfügen"],
  "row.addIn": ["Add inside", "Darin einfügen"],
  "row.addLike": ["Add like this", "Gleichen Wert einfügen"],
  "row.duplicate": ["Duplicate", "Verdoppeln"],
  "row.copy": ["Copy", "Kopieren"],
  "row.cut": ["Cut", "Ausschneiden"],
  "row.paste": ["Paste", "Einfügen"],
  "row.pasteText": ["This is not a value. Paste it as text", "Das ist kein Wert. Als Text einfügen"],
  "row.pasteNot": ["Do not paste", "Nicht einfügen"],
  "row.copyPath": ["Copy path", "Pfad kopieren"],
  "row.moveUp": ["Move up", "Nach oben"],
  "row.moveDown": ["Move down", "Nach unten"],
  "row.choose": ["Choose several", "Mehrere wählen"],
  "row.remove": ["Delete", "Löschen"],
  "row.setAll": ["Set all like this…", "Alle wie diesen setzen…"],
  "row.all.path": ["Path of the values", "Pfad der Werte"],
  "row.all.value": ["New value", "Neuer Wert"],
  "row.all.done": ["The values are set.", "Die Werte sind gesetzt."],
  "row.all.filter": ["New value of {count} found {count|value|values}", "Neuer Wert für {count} {count|gefundenen Wert|gefundene Werte}"],
  "row.newKey": ["new", "neu"],
  "row.copied": ["{count} {count|value|values} copied.", "{count} {count|Wert|Werte} kopiert."],
  "row.pathCopied": ["Path copied.", "Pfad kopiert."],
  "row.noPath": ["This value has no path, since its key is not a text or a number. Change the list around it as text.", "Dieser Wert hat keinen Pfad, weil sein Schlüssel weder Text noch Zahl ist. Ändere die Liste um ihn als Text."],
  "row.tooLong": ["This value is too large to be edited as text. Open it, and edit what is in it.", "Dieser Wert ist zu groß, um ihn als Text zu ändern. Öffne ihn und ändere, was darin ist."],
  "field.of": ["Value of {name}", "Wert von {name}"],
  "field.keyOf": ["Key {name}", "Schlüssel {name}"],
  "field.newKey": ["Key of the new value", "Schlüssel des neuen Werts"],
  "field.less": ["One less", "Eins weniger"],
  "field.more": ["One more", "Eins mehr"],
  "field.sign": ["Change the sign", "Vorzeichen wechseln"],
  "field.color": ["Choose a color", "Farbe wählen"],
  "field.apply": ["Apply", "Übernehmen"],
  "field.leave": ["Leave it as it was", "So lassen wie es war"],
  "field.noNumber": ["{name} is not a number. Write it as 7 or 0.5.", "{name} ist keine Zahl. Schreibe sie als 7 oder 0.5."],
  "field.literal": ["Written as in a script: {example}", "Geschrieben wie in einem Skript: {example}"],
  "field.list": ["Elements with commas between them", "Elemente mit Kommas dazwischen"],
  "field.kindChanges": ["This makes {to} of {from}.", "Damit wird aus {from} {to}."],
  "field.change": ["Change", "Ändern"],
  "field.keep": ["Keep", "Behalten"],
  "key.ctrl": ["Ctrl", "Strg"],
  "key.shift": ["Shift", "Umschalt"],
  "key.delete": ["Del", "Entf"],
  "key.insert": ["Ins", "Einfg"],
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
