import { execFileSync } from 'node:child_process'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Installs the package that a running service offers into an empty project, and calls the service with it from several runtimes.
//
//   npm run sdk-runtimes -- BASE_URL KEY SECRET
//
// The runtimes come from the npm registry and stay in a cache.

const runtimes: Record<string, string[]> = {
  'node@20': ['node'],
  deno: ['deno', 'run', '--allow-net', '--allow-read', '--allow-env'],
  bun: ['bun', 'run'],
}

const given = process.argv.slice(2)
if (given.length !== 3) throw new Error('Give the base URL, the key and the secret of an owner of a sandbox.')
const [baseUrl] = given as [string, string, string]

const cache = join(tmpdir(), 'remit-sdk-runtimes')
await mkdir(cache, { recursive: true })
await writeFile(join(cache, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
const run = (command: string, args: string[], cwd: string) => execFileSync(command, args, { cwd, encoding: 'utf8' })

run('npm', ['install', '--no-audit', '--no-fund', ...Object.keys(runtimes)], cache)
const project = join(cache, 'project')
await rm(project, { recursive: true, force: true })
await mkdir(project)
await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
run('npm', ['install', '--no-audit', '--no-fund', `${baseUrl}/packages/remit-payments-sdk.tgz`], project)
await cp(fileURLToPath(new URL('support/runtime-sample.js', import.meta.url)), join(project, 'sample.js'))

const expected = '[[true],"application/pdf","PAID"]\n'
for (const [name, [command, ...args]] of Object.entries(runtimes)) {
  const output = run(join(cache, 'node_modules/.bin', command as string), [...args, 'sample.js', ...given], project)
  if (output !== expected) throw new Error(`${name}: ${output}`)
  console.log(`${name}: ok`)
}
