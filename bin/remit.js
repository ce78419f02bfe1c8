#!/usr/bin/env node
// Plain JavaScript that any Node.js can run: it says which version is needed, and hands over to the program.
const NEEDED = [24, 0]
const [major, minor] = process.versions.node.split('.').map(Number)

if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) {
  const { main } = await import('../src/main.ts')
  process.exitCode = await main(process.argv.slice(2))
} else {
  console.error(
    `Remit needs Node.js ${NEEDED.join('.')} or newer; this is ${process.versions.node}.\n` +
      'npm scripts bring their own: run "npm ci" and then "npm start", or "npm run remit -- COMMAND".',
  )
  process.exitCode = 1
}
