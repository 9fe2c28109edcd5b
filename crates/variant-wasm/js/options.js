// Options as numbers for the module. src/options.rs has the same numbers.

const CANONICAL = 1, REFUSE_OBJECTS = 2, ALWAYS_64 = 4, SINGLE = 8, DOUBLE = 16;
/** The default limit of levels, which is that of the engines. */
export const DEPTH = 1024;
/** The default limit of values. A document in the module's memory has fewer values. */
const VALUES = 0xffffffff;

const DECODING = ["dialect", "exact", "dictionaries", "objects", "canonical", "reals", "depth", "values"];
const ENCODING = ["dialect", "precision", "canonical", "reals", "depth"];

/** Checks options. Caches the last result, since programs use the same options again. The names of the same object are checked once. */
export class Options {
  constructor(dialects) {
    this.dialects = dialects;
    this.lastDecoding = undefined;
    this.lastEncoding = undefined;
  }

  decoding(given) {
    const options = typeof given === "string" ? { dialect: given } : given ?? {};
    const last = this.lastDecoding;
    const isSame = last !== undefined && isSameDecoding(options, last.options);
    if (isSame && given === last.given) return last;
    known(options, DECODING);
    if (isSame) return last;
    // The options are copied, since the caller may change them later.
    const { dialect, exact = false, dictionaries, objects, canonical = false, reals, depth = DEPTH, values = VALUES } = options;
    const decoding = {
      given,
      options: { ...options },
      dialect: this.dialect(dialect),
      flags: (canonical ? CANONICAL : 0) | (chooses("objects", objects, "refuse", "accept") ? REFUSE_OBJECTS : 0) | alwaysWide(reals),
      depth: limit("depth", depth),
      values: limit("values", values),
      isExact: Boolean(exact),
      asObjects: chooses("dictionaries", dictionaries, "object", "map") && !exact,
    };
    this.lastDecoding = decoding;
    return decoding;
  }

  encoding(given) {
    const options = typeof given === "string" ? { dialect: given } : given ?? {};
    const last = this.lastEncoding;
    const isSame = last !== undefined && isSameEncoding(options, last.options);
    if (isSame && given === last.given) return last;
    known(options, ENCODING);
    if (isSame) return last;
    const { dialect, precision, canonical = false, reals, depth = DEPTH } = options;
    const width = chooses("precision", precision, "single", "double") ? SINGLE : precision === "double" ? DOUBLE : 0;
    const encoding = {
      given,
      options: { ...options },
      dialect: this.dialect(dialect),
      flags: (canonical ? CANONICAL : 0) | alwaysWide(reals) | width,
      depth: limit("depth", depth),
    };
    this.lastEncoding = encoding;
    return encoding;
  }

  /** The number of a dialect. */
  dialect(name) {
    const number = this.dialects.indexOf(String(name).toLowerCase());
    if (number < 0) throw new TypeError(`dialect: ${name}; there are ${this.dialects.join(", ")}`);
    return number;
  }
}

/** The options, if all their names exist. Otherwise a misspelt option would have no effect. */
export function known(options = {}, names) {
  const wrong = Object.keys(options).find((name) => !names.includes(name));
  if (wrong !== undefined) throw new TypeError(`${wrong}: there is no such option; there are ${names.join(", ")}`);
  return options;
}

function isSameDecoding(a, b) {
  return a.dialect === b.dialect && a.exact === b.exact && a.dictionaries === b.dictionaries && a.objects === b.objects &&
    a.canonical === b.canonical && a.reals === b.reals && a.depth === b.depth && a.values === b.values;
}

function isSameEncoding(a, b) {
  return a.dialect === b.dialect && a.precision === b.precision && a.canonical === b.canonical && a.reals === b.reals && a.depth === b.depth;
}

function alwaysWide(reals) {
  return chooses("reals", reals, "64", "flag") ? ALWAYS_64 : 0;
}

/** Checks a limit of levels or values. */
function limit(name, number) {
  if (!(Number.isInteger(number) && number >= 0 && number <= 0xffffffff)) throw new RangeError(`${name}: ${number}; a whole number below 2^32 is wanted`);
  return number;
}

/** Whether `value` is `chosen`. Throws for a value outside the choices. Otherwise a misspelt `objects: "refuse"` would have no effect. */
function chooses(name, value, chosen, ...others) {
  if (value === chosen) return true;
  if (value === undefined || others.includes(value)) return false;
  throw new TypeError(`${name}: ${value}; there are ${[chosen, ...others].join(", ")}`);
}
