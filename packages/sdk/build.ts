import { execFileSync } from 'node:child_process'
import { glob, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Writes `dist/`: the JavaScript of the package and its types.

const folder = fileURLToPath(new URL('.', import.meta.url))
const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

await rm(join(folder, 'dist'), { recursive: true, force: true })
execFileSync(process.execPath, [compiler, '-p', folder], { stdio: 'inherit' })
// The compiler rewrites the imports of JavaScript only.
for await (const path of glob('dist/**/*.d.ts', { cwd: folder })) {
  const text = await readFile(join(folder, path), 'utf8')
  await writeFile(join(folder, path), text.replaceAll(/(from '\.[^']+)\.ts'/g, "$1.js'"))
}
