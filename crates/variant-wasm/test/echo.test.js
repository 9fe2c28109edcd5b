// Starts the example server, exchanges packets with it, and ends the server. The client has a time limit.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { GodotObject, Vector2, decode, encode } from "../js/node.js";

const example = new URL("../examples/echo/", import.meta.url);
const { WebSocket } = createRequire(new URL("server.js", example))("ws");
const PATIENCE = 20_000;
let server, address;

before(async () => {
  server = spawn(process.execPath, [fileURLToPath(new URL("server.js", example)), "0"], { stdio: ["ignore", "pipe", "inherit"] });
  [address] = await within(new Promise((resolve) => server.stdout.once("data", (line) => resolve(String(line).match(/^ws:\S+(?=: )/)))));
});

after(() => server.kill());

function within(promise) {
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error("no answer")), PATIENCE)));
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** The answer to one message, or the reason why the connection was closed. */
function send(message) {
  const socket = new WebSocket(address);
  const outcome = new Promise((resolve, reject) => {
    socket.once("open", () => socket.send(message));
    socket.once("message", (bytes) => resolve(decode(bytes, { dialect: "godot4", dictionaries: "object" })));
    socket.once("close", (code, reason) => resolve([code, String(reason)]));
    socket.once("error", reject);
  });
  return within(outcome).finally(() => socket.terminate());
}

test("a packet is answered", async () => {
  const packet = { say: "hello", at: new Vector2(1, 2.5) };
  assert.deepEqual(await send(encode(packet, "godot4")), { from: 1, packet });
  assert.deepEqual(await send(encode({ other: 1 }, "godot4")), { from: 2, error: "nothing to say" });
});

test("what a stranger must not send closes the connection", async () => {
  assert.deepEqual(await send(encode({ say: new GodotObject("Node") }, "godot4")), [1007, "limit"]);
  assert.deepEqual(await send(Uint8Array.of(27, 0, 0, 0, 255, 255, 255, 127)), [1007, "truncated"]);
  assert.deepEqual(await send(encode({ say: Array(2000).fill(null) }, "godot4")), [1007, "limit"]);
  assert.deepEqual(await send(encode(new Map([["say", 1], [[2], 3]]), "godot4")), [1007, "TypeError"]);
  assert.deepEqual(await send(new Uint8Array(20_000)), [1009, ""]);
  assert.deepEqual(await send("hello"), [1003, "Variants are binary"]);
});

test("the others are answered behind it", async () => {
  const answer = await send(encode({ say: "still here" }, "godot4"));
  assert.equal(answer.packet.say, "still here");
});
