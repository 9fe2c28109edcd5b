// Times @gd-com/utils and variant-owned on the same values, which @gd-com/utils can read.

'use strict'

const assert = require('node:assert')
const { execFileSync } = require('node:child_process')
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { getVar, putVar } = require('@gd-com/utils')

const ROOT = join(__dirname, '..', '..')
// File, dialect, and the offset of the value.
const INPUTS = [
  ['godot3/saves/replay_200.bin', 'godot3', 4],
  // The items of the save; then the whole save.
  ['godot3/saves/rpg_save.bin', 'godot3', 896],
  ['godot3/saves/rpg_save.bin', 'godot3', 4],
  ['godot4/saves/rpc.variant', 'godot4', 0]
]
// The minimum time of a batch in milliseconds, as in ../examples/round_trip.rs.
const BATCH = 20
const BATCHES = 9

/** The results of variant-owned: the number of bytes read, and the milliseconds of each task. */
function ours (path, dialect, from) {
  const cargo = ['run', '--release', '-q', '--manifest-path', 'benches/Cargo.toml', '--example', 'round_trip', '--']
  const text = execFileSync('cargo', [...cargo, path, dialect, String(from)], { cwd: ROOT, encoding: 'utf8' })
  return Object.fromEntries(text.trim().split('\n').map(line => line.split(' ')))
}

function batch (rounds, work) {
  const start = process.hrtime.bigint()
  for (let round = 0; round < rounds; round++) work()
  return Number(process.hrtime.bigint() - start) / 1e6
}

/** The milliseconds of one round. */
function median (work) {
  let rounds = 1
  while (batch(rounds, work) < BATCH) rounds *= 2
  const times = Array.from({ length: BATCHES }, () => batch(rounds, work) / rounds)
  return times.sort((a, b) => a - b)[Math.floor(BATCHES / 2)]
}

function report (name, work, theirs, own) {
  const ratio = (theirs / own).toFixed(1)
  console.log(`${name}: ${work}: theirs ${theirs.toFixed(6)} ms, ours ${own} ms, ratio ${ratio}`)
}

function compare (name, path, dialect, from) {
  const bytes = readFileSync(path).subarray(from)
  const { value, length } = getVar(bytes)
  const own = ours(path, dialect, from)
  assert.strictEqual(length, Number(own.bytes), `${length} of ${own.bytes} bytes are read`)
  report(name, 'decode', median(() => getVar(bytes)), own.decode)
  // Vectors have become objects, which are written as dictionaries.
  report(name, 'encode', median(() => putVar(value)), own.encode)
}

for (const [file, dialect, from] of INPUTS) {
  const name = `${file} from byte ${from}`
  try {
    compare(name, join(ROOT, 'corpus', file), dialect, from)
  } catch (error) {
    console.log(`${name}: cannot be compared: ${error.message.split('\n')[0]}`)
  }
}
