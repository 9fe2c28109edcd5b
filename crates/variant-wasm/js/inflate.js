// WebAssembly modules that are embedded in JavaScript.

/** The bytes that are gzipped in `base64`, as a response with a module. `initialize` accepts it. */
export function inflated(base64) {
  const letters = atob(base64), bytes = new Uint8Array(letters.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = letters.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream, { headers: { "content-type": "application/wasm" } });
}
