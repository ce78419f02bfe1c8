// Builds what the service serves as files: the pages with Vite, and the SDK and the MCP server with TypeScript. Plain JavaScript for any
// Node.js, because npm runs it. Both compilers are packages for development, so `npm ci --omit=dev` does not install them.
//
// --if-possible: as a step of an installation, where missing compilers are no failure

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const ADVICE = `The pages are not built here, because Vite is not installed. To build them and then remove what only the build needs, run:
  npm ci && npm prune --omit=dev`

const root = join(import.meta.dirname, '..')
const isStepOfInstallation = process.argv.includes('--if-possible')

const vite = await loadVite()
if (vite) {
  await vite.build({ root: join(root, 'web'), logLevel: 'warn' })
  for (const name of ['sdk', 'mcp'])
    execFileSync(process.execPath, [join(root, 'packages', name, 'build.ts')], { stdio: 'inherit' })
} else {
  console.error(ADVICE)
  if (!isStepOfInstallation) process.exitCode = 1
}

async function loadVite() {
  try {
    return await import('vite')
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND' && /'vite'/.test(error.message)) return null
    throw error
  }
}
