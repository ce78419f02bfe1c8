import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { newMasterKey } from '../src/foundation/core/seal.ts'
import { readConfig } from '../src/operation/app/config.ts'
import { VARIABLE_NAMES } from '../src/operation/app/settings-table.ts'
import { requirePackage } from './support/debian-package.ts'
import { temporaryFolder } from './support/process.ts'
import { root } from './support/production-packages.ts'

const run = promisify(execFile)

const NAMES = ['remit.service', 'remit-worker.service', 'remit-migrate.service'] as const

/** systemd rates units from 0 (safe) to 100. */
const MOST_EXPOSURE = 15

const folder = join(root, 'deploy/systemd')
const units = new Map<string, string>()
for (const name of NAMES) units.set(name, await readFile(join(folder, name), 'utf8'))

/** The values of a key of a unit. */
const valuesOf = (name: string, key: string): string[] =>
  [...(units.get(name) as string).matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value as string)

/** Returns the variables that a unit sets, with its credentials in `credentials`. */
const environmentOf = (name: string, credentials: string): Record<string, string> =>
  Object.fromEntries(
    valuesOf(name, 'Environment')
      .flatMap((line) => line.split(' '))
      .map((pair) => pair.replace('%d', credentials).split('=') as [string, string]),
  )

/** The units in a folder, with the Node.js of this machine. */
async function writeUnits(t: TestContext): Promise<string[]> {
  const to = await temporaryFolder(t)
  return Promise.all(
    NAMES.map(async (name) => {
      const path = join(to, name)
      await writeFile(path, (units.get(name) as string).replace('/usr/bin/node', process.execPath))
      return path
    }),
  )
}

const missing = requirePackage('systemd', '/usr/bin/systemd-analyze')

suite('systemd-analyze', { skip: missing ?? false }, () => {
  test('verifies each unit without a warning', async (t) => {
    for (const path of await writeUnits(t)) {
      const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', path])
      assert.equal(stdout + stderr, '', path)
    }
  })

  test(`rates the exposure of each unit at most ${MOST_EXPOSURE / 10}`, async (t) => {
    for (const path of await writeUnits(t))
      await run('systemd-analyze', ['security', '--offline=true', `--threshold=${MOST_EXPOSURE}`, path])
  })
})

suite('the units', () => {
  test('run requests, background work and migrations in separate units, and only the migration has the URL of the owner', () => {
    assert.deepEqual(
      NAMES.map((name) => valuesOf(name, 'ExecStart')[0]?.split(' ').at(-1)),
      ['serve', 'worker', 'migrate'],
    )
    const loaded = NAMES.map((name) => valuesOf(name, 'LoadCredential').some((line) => line.startsWith('migrate-')))
    assert.deepEqual(loaded, [false, false, true])
    assert.ok(!units.get('remit-migrate.service')?.includes('master-keys'), 'the migration reads no sealed value')
  })

  test('have existing settings, and their example and credentials are valid for production', async (t) => {
    const credentials = await temporaryFolder(t)
    await mkdir(credentials, { recursive: true })
    await writeFile(join(credentials, 'database-url'), 'postgres://remit_service:secret@localhost/remit\n')
    await writeFile(join(credentials, 'migrate-database-url'), 'postgres://remit_owner:secret@localhost/remit\n')
    await writeFile(join(credentials, 'master-keys'), newMasterKey())
    const example = await readFile(join(folder, 'remit.env.example'), 'utf8')
    const given = Object.fromEntries(
      [...example.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
    )
    for (const name of NAMES) {
      const variables = { ...given, ...environmentOf(name, credentials) }
      const unknown = Object.keys(variables).filter((variable) => !VARIABLE_NAMES.includes(variable))
      assert.deepEqual(unknown, ['NODE_ENV'])
      const options = { needsKeys: !name.includes('migrate') }
      const [production] = readConfig({}, variables, options).environments
      assert.equal(production?.databaseUrl, 'postgres://remit_service:secret@localhost/remit')
      const names = valuesOf(name, 'LoadCredential').map((line) => line.split(':')[0])
      const used = Object.values<string | undefined>(variables).filter((value) => String(value).startsWith(credentials))
      assert.deepEqual(used.toSorted(), names.map((file) => join(credentials, file as string)).toSorted())
    }
  })

  test('restrict the service, but let Node.js compile', () => {
    for (const name of NAMES) {
      for (const [key, value] of [
        ['ProtectSystem', 'strict'],
        ['NoNewPrivileges', 'true'],
        ['SystemCallFilter', '@system-service'],
        ['CapabilityBoundingSet', ''],
        ['StateDirectory', 'remit'],
        ['MemoryDenyWriteExecute', 'no'],
      ] as const)
        assert.equal(valuesOf(name, key)[0], value, `${name}: ${key}`)
    }
  })
})
