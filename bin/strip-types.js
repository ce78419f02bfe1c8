// Node.js runs TypeScript everywhere except below node_modules, where npx and npm install this program.
import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'

// Hides the experimental warning, which is of no use to users.
const { emitWarning } = process
process.emitWarning = () => {}
stripTypeScriptTypes('')
process.emitWarning = emitWarning

const SOURCES = ['../src/', '../packages/'].map((folder) => new URL(folder, import.meta.url).href)

registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith('.ts') || !SOURCES.some((folder) => url.startsWith(folder))) return nextLoad(url, context)
    return { format: 'module', shortCircuit: true, source: stripTypeScriptTypes(readFileSync(new URL(url), 'utf8')) }
  },
})
