import { execFileSync } from 'node:child_process'
import { glob, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Writes the JavaScript of the package and its types into a folder, by default `dist`.

const folder = fileURLToPath(new URL('.', import.meta.url))
const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
const [target = join(folder, 'dist')] = process.argv.slice(2)

await rm(target, { recursive: true, force: true })
execFileSync(process.execPath, [compiler, '-p', folder, '--outDir', target], { stdio: 'inherit' })
// The compiler rewrites the imports of JavaScript only.
for await (const path of glob('**/*.d.ts', { cwd: target })) {
  const text = await readFile(join(target, path), 'utf8')
  await writeFile(join(target, path), text.replaceAll(/(from '\.[^']+)\.ts'/g, "$1.js'"))
}
