// Node.js runs TypeScript everywhere but below node_modules, where npx and npm install put this program.
import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'

// Its warning that it is experimental is for us, not for whoever runs the program.
const { emitWarning } = process
process.emitWarning = () => {}
stripTypeScriptTypes('')
process.emitWarning = emitWarning

const SOURCES = new URL('../src/', import.meta.url).href

registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith(SOURCES) || !url.endsWith('.ts')) return nextLoad(url, context)
    return { format: 'module', shortCircuit: true, source: stripTypeScriptTypes(readFileSync(new URL(url), 'utf8')) }
  },
})
