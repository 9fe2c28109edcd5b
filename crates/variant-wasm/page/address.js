// The place of the selected value in the address of the page: `#player.gold`, with parts `#2:player.gold`.

/** The place that an address names, or undefined. */
export function placeOf(hash, hasFrames) {
  const [, frame, path] = /^#?(?:(\d+):)?(.*)$/s.exec(decoded(hash));
  if (frame === undefined && path === "") return undefined;
  return hasFrames ? { frame: Number(frame ?? 1), path } : path;
}

export function hashOf({ frame, path }) {
  if (path === undefined) return "";
  const number = frame > 1 ? `${frame}:` : "";
  return path || number ? `#${encodeURI(`${number}${path}`).replaceAll("#", "%23").replace(/%5B|%5D/g, decodeURIComponent)}` : "";
}

function decoded(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

export class Address {
  /** The address that the user gave, until a file is open. */
  #wanted = location.hash;

  constructor(session, say) {
    Object.assign(this, { session, say });
    session.addEventListener("selected", ({ detail }) => this.#selected(detail));
    // A selection may have changed the address again before this event.
    addEventListener("hashchange", ({ newURL }) => this.#go(new URL(newURL).hash));
  }

  get isGiven() {
    return this.#wanted !== "";
  }

  #selected({ from }) {
    const wanted = this.#wanted;
    if (wanted) {
      // The tree selects its first row when a file is opened.
      this.#wanted = "";
      if (from === "tree") return this.#go(wanted);
    }
    const hash = hashOf(this.session.node);
    if (hash === location.hash) return;
    // Some hosts of the page do not let it change its address.
    try { history.replaceState(history.state, "", hash || location.pathname + location.search); } catch { /* The address stays. */ }
  }

  async #go(hash) {
    const { session } = this;
    if (!session.isOpen) {
      this.#wanted = hash;
      return;
    }
    const place = placeOf(hash, session.hasFrames);
    if (place === undefined || hash === hashOf(session.node ?? {})) return;
    const [node] = await session.call("nodes", [place]);
    if (node) await session.select(node, "address");
    else this.say(decoded(hash.slice(1)));
  }
}
