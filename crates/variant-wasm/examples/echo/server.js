// A WebSocket server that answers every packet of Godot 4 with the packet and the number of its sender.
//   crates/variant-wasm/build
//   npm ci --prefix crates/variant-wasm/examples/echo
//   node crates/variant-wasm/examples/echo/server.js [PORT]
// In Godot: socket.connect_to_url("ws://127.0.0.1:4246"), socket.send(var_to_bytes({"say": "hello"})), bytes_to_var(socket.get_packet()).

import { WebSocketServer } from "ws";

import { Fields, decode, encode, initialize } from "../../js/node.js";

/** The limits for untrusted packets: no objects, little nesting, few values, few bytes. */
const options = { dialect: "godot4", dictionaries: "object", objects: "refuse", depth: 16, values: 1000 };
const MAX_BYTES = 16_384;
const MAX_CLIENTS = 64;
/** The maximum number of bytes that wait for a client. A client with more waiting bytes is disconnected. */
const MAX_WAITING = 1 << 20;

const kind = new Fields(["say"], options);

const server = new WebSocketServer({ host: "127.0.0.1", port: Number(process.argv[2] ?? 4246), maxPayload: MAX_BYTES });
let count = 0;

server.on("listening", () => console.log(`ws://127.0.0.1:${server.address().port}: Ctrl-C ends it`));
server.on("connection", (socket) => {
  if (server.clients.size > MAX_CLIENTS) return socket.close(1013, "full");
  const number = ++count;
  // A violation of the protocol closes only its connection.
  socket.on("error", () => socket.terminate());
  socket.on("message", (bytes, isBinary) => {
    if (!isBinary) return socket.close(1003, "Variants are binary");
    if (socket.bufferedAmount > MAX_WAITING) return socket.terminate();
    try {
      socket.send(encode(answer(bytes, number), "godot4"));
    } catch (error) {
      socket.close(1007, error.class ?? error.name);
      // This call only has an effect if the module has stopped.
      initialize();
    }
  });
});

/** Decodes the whole packet only if it gets an answer. */
function answer(bytes, number) {
  const [text] = kind.read(bytes);
  return text === undefined ? { from: number, error: "nothing to say" } : { from: number, packet: decode(bytes, options) };
}
