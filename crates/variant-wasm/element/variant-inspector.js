// The element <variant-inspector>: the inspector page in a frame of another page. element/README.md describes its attributes,
// methods and events. The frame is a sandbox without an origin: the page in it reads nothing of the page around it.

const PAGE = new URL("inspector.html", import.meta.url);
/** The attributes that the page in the frame takes as options, and the names of the options. */
const OPTIONS = { theme: "theme", lang: "language", readonly: "readOnly", "password-prompt": "passwordPrompt" };
/** The events of the page, and those of the element. */
const EVENTS = { opened: "open", changed: "change", selected: "select", saved: "save" };

const style = new CSSStyleSheet();
style.replaceSync(":host { display: block; block-size: 560px } :host([hidden]) { display: none } iframe { inline-size: 100%; block-size: 100%; border: 0 }");

export class VariantInspector extends HTMLElement {
  static observedAttributes = ["src", "path", "dialect", "page", ...Object.keys(OPTIONS)];
  #frame;
  /** The port to the page in the frame, as a promise. */
  #port;
  #heard;
  #calls = new Map();
  #count = 0;
  #turn = 0;
  #file;

  constructor() {
    super();
    this.attachShadow({ mode: "open" }).adoptedStyleSheets = [style];
  }

  connectedCallback() {
    const frame = Object.assign(document.createElement("iframe"), { title: this.getAttribute("aria-label") ?? "variant-view", allow: "clipboard-write" });
    frame.sandbox.add("allow-scripts", "allow-downloads", "allow-modals");
    const page = new URL(this.getAttribute("page") ?? PAGE, document.baseURI);
    page.searchParams.set("host", "");
    this.#port = new Promise((resolve) => {
      this.#heard = ({ source, data }) => { if (source === frame.contentWindow && data === "variant-view") resolve(this.#connect(frame)); };
    });
    addEventListener("message", this.#heard);
    frame.src = page;
    this.#frame = frame;
    this.shadowRoot.replaceChildren(frame);
    this.#set(Object.keys(OPTIONS).filter((name) => this.hasAttribute(name)));
    if (this.#file) this.#attempt(() => this.open(this.#file));
    else if (this.hasAttribute("src")) this.#load();
  }

  disconnectedCallback() {
    removeEventListener("message", this.#heard);
    this.#port.then((port) => port.close());
    this.#frame.remove();
    for (const { reject } of this.#calls.values()) reject(new Error("the element was removed"));
    this.#calls.clear();
  }

  attributeChangedCallback(name, before, after) {
    if (!this.isConnected || !this.#frame?.isConnected || before === after) return;
    if (name in OPTIONS) this.#set([name]);
    else if (name === "path") this.#attempt(() => this.go(after ?? ""));
    else if (name === "page") this.#restart();
    else if (this.hasAttribute("src")) this.#load();
  }

  #restart() {
    this.disconnectedCallback();
    this.connectedCallback();
  }

  /** Opens a connection to the page. A page in a sandbox has no origin that could be named as the receiver. */
  #connect(frame) {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => this.#answered(data);
    frame.contentWindow.postMessage("variant-view", "*", [port2]);
    return port1;
  }

  #answered({ id, result, error, event, detail }) {
    if (event) {
      if (event in EVENTS) this.dispatchEvent(new CustomEvent(EVENTS[event], { detail }));
      if (event === "opened" && !detail.isLocked && this.hasAttribute("path")) this.#attempt(() => this.go(this.getAttribute("path")));
      return;
    }
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    if (error) call?.reject(Object.assign(new Error(error.message), error));
    else call?.resolve(result);
  }

  async #call(method, ...parts) {
    if (!this.#frame?.isConnected) throw new Error("the element is not in a document");
    const port = await this.#port, id = ++this.#count;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject });
      port.postMessage({ id, method, parts });
    });
  }

  /** Does what an attribute asks for. A failure is an event. */
  async #attempt(work) {
    try {
      await work();
    } catch (error) {
      this.dispatchEvent(new CustomEvent("error", { detail: error }));
    }
  }

  #set(names) {
    const valueOf = (name) => (name === "readonly" ? this.hasAttribute(name) : this.getAttribute(name) ?? undefined);
    return this.#attempt(() => this.#call("set", Object.fromEntries(names.map((name) => [OPTIONS[name], valueOf(name)]))));
  }

  #load() {
    const turn = ++this.#turn;
    return this.#attempt(async () => {
      const address = new URL(this.getAttribute("src"), document.baseURI), response = await fetch(address);
      if (!response.ok) throw new Error(`${address}: the server answered ${response.status}`);
      const file = new File([await response.blob()], decodeURIComponent(address.pathname.split("/").at(-1)) || "save");
      if (turn === this.#turn) await this.open(file);
    });
  }

  /** The file that was opened, as it was. Another file is opened. */
  get file() {
    return this.#file;
  }
  set file(file) {
    this.#attempt(() => this.open(file));
  }

  /** Opens a Blob or bytes. Then the value of the attribute `path` is selected. `options` are those of `Document`. */
  async open(content, name = content.name ?? "save", options = {}) {
    this.#turn++;
    const dialect = this.getAttribute("dialect") ?? undefined, blob = new Blob([content]);
    this.#file = new File([blob], name);
    await this.#call("open", new Uint8Array(await blob.arrayBuffer()), name, { ...(dialect && { dialect }), ...options });
  }

  /** The bytes of the file with its changes. */
  bytes() {
    return this.#call("bytes");
  }
  undo() {
    return this.#call("undo");
  }
  redo() {
    return this.#call("redo");
  }
  /** Selects the value at a path, or at `{ frame, path }`. */
  go(place) {
    return this.#call("go", place);
  }
}

customElements.define("variant-inspector", VariantInspector);
