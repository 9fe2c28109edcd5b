// Counts the types whose engine-made records @gd-com/utils reads to their last byte.
//   node read_types.js RECORDS.jsonl
// Each type runs in a separate thread, since some records make the library use all memory or all time.

'use strict'

const { readFileSync } = require('node:fs')
const { Worker, isMainThread, parentPort, workerData } = require('node:worker_threads')

const MEGABYTES = 256
const MILLISECONDS = 5000

if (isMainThread) {
  main(process.argv[2])
} else {
  const { getVar } = require('@gd-com/utils')
  const isRead = record => getVar(Buffer.from(record.hex, 'hex')).length === record.len
  parentPort.postMessage(workerData.every(isRead))
}

/**
 * Leaves out objects that are written in full (class and properties), and arrays with more levels than the stack of
 * JavaScript allows.
 */
function records (path) {
  const kinds = new Map()
  for (const line of readFileSync(path, 'utf8').trim().split('\n')) {
    const record = JSON.parse(line)
    if (record.dec !== 'ok' || record.full || record.name.startsWith('deep_')) continue
    kinds.set(record.type_name, [...(kinds.get(record.type_name) ?? []), record])
  }
  return kinds
}

/** Whether every record of a type is read whole. */
function isRead (records) {
  return new Promise(resolve => {
    const worker = new Worker(__filename, {
      workerData: records, resourceLimits: { maxOldGenerationSizeMb: MEGABYTES }, stderr: true
    })
    const clock = setTimeout(() => worker.terminate(), MILLISECONDS)
    let read = false
    worker.on('message', all => { read = all })
    worker.on('error', () => {})
    worker.on('exit', () => { clearTimeout(clock); resolve(read) })
  })
}

async function main (path) {
  const kinds = records(path)
  const read = []
  for (const [name, all] of kinds) if (await isRead(all)) read.push(name)
  console.log(`@gd-com/utils: ${read.length} of ${kinds.size} types: ${read.join(' ')}`)
}
