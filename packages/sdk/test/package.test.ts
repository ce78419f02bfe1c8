import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, glob, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { packPackage } from '../../../src/foundation/http/reference/served-packages.ts'
import { startTestService } from '../../../test/support/service.ts'
import { VERSION } from '../src/core/version.ts'
import { startFaultServer } from './support/fault-server.ts'
import { installInEmptyProject } from './support/installed.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../..', import.meta.url))
const { folder, source, archive } = await installInEmptyProject({ after })
await cp(join(root, 'examples/quickstart.ts'), join(folder, 'quickstart.ts'))
const installed = join(folder, 'node_modules/remit-payments-sdk')

const MAX_CORE_BYTES = 15_000

/** TypeScript 5 of the pages, and the version of the repository. */
const compilers = ['web/node_modules/typescript/bin/tsc', 'node_modules/typescript/bin/tsc']

test('the types work in an empty project, with TypeScript 5 and 7, for browsers and for Node.js', async () => {
  await cp(join(root, 'packages/sdk/test/support/typed-sample.ts'), join(folder, 'sample.ts'))
  const strict = [
    '--noEmit',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--noUncheckedIndexedAccess',
    '--skipLibCheck',
    'false',
  ]
  const browser = ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2022,dom,dom.asynciterable']
  const node = [
    '--module',
    'nodenext',
    '--lib',
    'es2022',
    '--types',
    'node',
    '--typeRoots',
    join(root, 'node_modules/@types'),
  ]
  const [five, seven] = compilers as [string, string]
  for (const [compiler, platform] of [
    [five, browser],
    [seven, browser],
    [seven, [...node, '--skipLibCheck', 'quickstart.ts']],
  ] as const) {
    const args = [join(root, compiler), ...strict, '--target', 'es2022', ...platform, 'sample.ts']
    const { stdout } = await run(process.execPath, args, { cwd: folder }).catch((error) => error)
    assert.equal(stdout, '', `${compiler} ${platform.join(' ')}`)
  }
})

test('the package runs in an empty project', async (t) => {
  const server = await startFaultServer(t)
  const program = `import { Remit } from 'remit-payments-sdk'
    const remit = new Remit({ key: 'k', secret: 's', baseUrl: '${server.baseUrl}' })
    console.log((await remit.payments.sendDigital({ amount: 1, name: 'Bob', recipient: 'bob@example.com' })).id)`
  await writeFile(join(folder, 'program.js'), program)
  const { stdout } = await run(process.execPath, ['program.js'], { cwd: folder })
  assert.equal(stdout, 'payment-1\n')
  assert.equal(server.received[0]?.headers['user-agent'], `remit-payments-sdk/${VERSION}`)
})

test('the quickstart of the README runs against a service', async (t) => {
  const service = await startTestService(t, { roles: ['http', 'worker'] })
  const sample = await readFile(join(folder, 'quickstart.ts'), 'utf8')
  assert.ok((await readFile(join(installed, 'README.md'), 'utf8')).includes(`\n\`\`\`ts\n${sample}\`\`\`\n`))
  assert.ok(sample.split('\n').length < 40)
  const [REMIT_KEY, REMIT_SECRET] = service.owner.credential.split(':')
  const env = { ...process.env, REMIT_BASE_URL: service.baseUrl, REMIT_KEY, REMIT_SECRET }
  const { stdout } = await run(process.execPath, ['quickstart.ts'], { cwd: folder, env })
  assert.equal(stdout, 'webhook: IN_PROCESS\nwebhook: PAID\npaid: $125.5 to Bob Recipient\n')
})

test('the package is small, has no dependencies, uses no API of Node.js, and reports its version', async (t) => {
  const { version, dependencies } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  assert.deepEqual([version, dependencies], [VERSION, undefined])
  const paths = await Array.fromAsync(glob('dist/**/*.js', { cwd: installed }))
  const scripts = await Promise.all(
    paths.map(async (path) => ({ path, text: await readFile(join(installed, path), 'utf8') })),
  )
  for (const { path, text } of scripts) assert.doesNotMatch(text, /from '(?!\.)|\bBuffer\b|\brequire\(/, path)
  const core = scripts.filter(({ path }) => !path.includes('generated')).map(({ text }) => text)
  const sizeOf = (texts: readonly string[]) => gzipSync(texts.join('\n'), { level: 9 }).length
  t.diagnostic(`core: ${sizeOf(core)} bytes compressed, with all methods: ${sizeOf(scripts.map(({ text }) => text))}`)
  assert.ok(sizeOf(core) < MAX_CORE_BYTES)
})

test('the same files make the same archive', async () => {
  assert.ok(archive.equals((await packPackage('remit-payments-sdk', source)) as Buffer))
})
