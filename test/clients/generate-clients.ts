import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// The generators and their clients are in a cache. They are not dependencies of Remit.

const cache = join(tmpdir(), 'remit-generated-clients')
const document = fileURLToPath(new URL('../../openapi.json', import.meta.url))

const npmPackages = ['@hey-api/openapi-ts@0.99.0', 'zod@4.6.7', 'typescript@5.9.3']
const pythonPackages = ['openapi-python-client==0.29.1']

const run = (command: string, args: string[], cwd: string) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** A client that validates each request and each response with zod. @returns its main module */
export async function generateTypescriptClient(): Promise<string> {
  const folder = join(cache, 'typescript')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }))
  run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...npmPackages], folder)
  const config = {
    input: document,
    output: { path: 'client', module: { extension: '.ts' } },
    plugins: ['@hey-api/client-fetch', 'zod', { name: '@hey-api/sdk', validator: true }],
  }
  await writeFile(join(folder, 'openapi-ts.config.mjs'), `export default ${JSON.stringify(config)}`)
  const args = ['-f', 'openapi-ts.config.mjs']
  const { status, stdout, stderr } = spawnSync('node_modules/.bin/openapi-ts', args, { cwd: folder, encoding: 'utf8' })
  if (status !== 0 || /warn|⚠/i.test(stdout + stderr)) throw new Error(`openapi-ts: ${stdout}${stderr}`)
  return join(folder, 'client/sdk.gen.ts')
}

/** A client with a class for each object. @returns the interpreter and the folder that contains the package `remit_client` */
export async function generatePythonClient(): Promise<{ python: string; folder: string }> {
  const folder = join(cache, 'python')
  await mkdir(folder, { recursive: true })
  const python = join(folder, 'venv/bin/python')
  if (!existsSync(python)) run('python3', ['-m', 'venv', 'venv'], folder)
  run(python, ['-m', 'pip', 'install', '--quiet', ...pythonPackages], folder)
  // The generator knows files only as octet streams.
  const overrides = { 'application/pdf': 'application/octet-stream', 'image/png': 'application/octet-stream' }
  await writeFile(join(folder, 'config.json'), JSON.stringify({ content_type_overrides: overrides, post_hooks: [] }))
  const args = ['generate', '--path', document, '--config', 'config.json', '--output-path', 'remit_client']
  run(
    join(folder, 'venv/bin/openapi-python-client'),
    [...args, '--meta', 'none', '--overwrite', '--fail-on-warning'],
    folder,
  )
  return { python, folder }
}
