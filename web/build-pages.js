// Builds the pages with Vite. Plain JavaScript for any Node.js, because npm runs it. Vite is a package for development, so
// `npm ci --omit=dev` does not install it.
//
// --if-possible: as a step of an installation, where missing pages are no failure

const ADVICE = `The pages are not built here, because Vite is not installed. To build them and then remove what only the build needs, run:
  npm ci && npm prune --omit=dev`

const isStepOfInstallation = process.argv.includes('--if-possible')

await buildPages()

async function buildPages() {
  const vite = await loadVite()
  if (vite) return vite.build({ root: import.meta.dirname, logLevel: 'warn' })
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
