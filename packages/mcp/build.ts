import { execFileSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Writes the JavaScript of the package and of the SDK that it uses into a folder, by default `dist`.

const folder = fileURLToPath(new URL('.', import.meta.url))
const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
const [target = join(folder, 'dist')] = process.argv.slice(2)

await rm(target, { recursive: true, force: true })
execFileSync(process.execPath, [compiler, '-p', folder, '--outDir', target], { stdio: 'inherit' })
