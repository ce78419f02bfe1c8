import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { readConfig } from '../src/operation/app/config.ts'
import { VARIABLE_NAMES } from '../src/operation/app/settings-table.ts'
import { commandTable } from '../src/operation/cli/command-table.ts'
import { temporaryFolder } from './support/process.ts'
import { root } from './support/production-packages.ts'

// Checks of the image and of compose.yaml that need no container. `npm run check-container` builds and runs the image.

const run = promisify(execFile)
const file = (path: string) => readFile(join(root, path), 'utf8')

type Service = {
  image: string
  command?: string[]
  environment?: Record<string, string>
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  depends_on?: Record<string, { condition: string }>
  volumes?: string[]
  networks: string[]
  ports?: string[]
  profiles?: string[]
}

const compose: {
  services: Record<string, Service>
  volumes: object
  networks: Record<string, { internal?: boolean }>
} = parse(await file('compose.yaml'), { merge: true })

/** The instructions of the Containerfile, with their continued lines. */
const instructions = (await file('Containerfile'))
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter(Boolean)

const argumentsOf = (name: string) =>
  instructions.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1))

/** Writes .env as init.sh does. @returns its variables */
async function initialize(t: TestContext, args: string[] = []) {
  const path = join(await temporaryFolder(t), '.env')
  const script = join(root, 'deploy/compose/init.sh')
  const start = () => run('sh', [script, ...args], { env: { ...process.env, REMIT_ENV_FILE: path } })
  await start()
  const text = await readFile(path, 'utf8')
  const variables = Object.fromEntries(
    [...text.matchAll(/^(\w+)='?(.*?)'?$/gm)].map(([, name, value]) => [name as string, value as string]),
  )
  return { path, text, variables, start }
}

/** Replaces `${NAME:-default}` and `${NAME:?message}` as Compose does. */
const substituted = (text: string, variables: Record<string, string>): string =>
  text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, rest = '') => {
    const value = variables[name]
    assert.ok(value || kind === '-', `${name} has no value`)
    return value || rest
  })

const settingsOf = (service: string, variables: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(compose.services[service]?.environment ?? {}).map(([name, text]) => [
      name,
      substituted(text, variables),
    ]),
  )

const ours = Object.entries(compose.services).filter(([, { image }]) => image.includes('REMIT_IMAGE'))

suite('Containerfile', () => {
  test('builds in two stages from the image in an argument, so that the image can be pinned by digest', () => {
    assert.deepEqual(
      argumentsOf('FROM').map((image) => image.replace(/[${}]/g, '')),
      ['NODE_IMAGE AS build', 'NODE_IMAGE'],
    )
    assert.match(argumentsOf('ARG')[0] ?? '', /^NODE_IMAGE=docker\.io\/library\/node:24-\w+-slim$/)
  })

  test('runs as an unprivileged user, with signals, a health check, labels, and one writable folder', () => {
    assert.deepEqual(argumentsOf('USER'), ['1000:1000'])
    assert.deepEqual(argumentsOf('VOLUME'), ['/var/lib/remit'])
    assert.deepEqual(argumentsOf('STOPSIGNAL'), ['SIGTERM'])
    assert.deepEqual(argumentsOf('ENTRYPOINT'), ['["node", "/opt/remit/bin/remit.js"]'], 'no shell swallows a signal')
    assert.match(argumentsOf('HEALTHCHECK')[0] ?? '', /CMD \["node", .*\/healthz/)
    assert.match(argumentsOf('LABEL')[0] ?? '', /image\.version=.*image\.revision=/)
    assert.equal(
      instructions.indexOf('USER 1000:1000') > instructions.findLastIndex((line) => /^(RUN|COPY)/.test(line)),
      true,
    )
  })

  test('has no secret in a layer, and downloads nothing but packages', async () => {
    assert.deepEqual(argumentsOf('ADD'), [])
    assert.ok(!instructions.some((line) => /curl|wget|password|secret|token/i.test(line)))
    assert.deepEqual(
      argumentsOf('ARG').map((line) => line.split('=')[0]),
      ['NODE_IMAGE', 'SOURCE_DATE_EPOCH', 'VERSION', 'REVISION'],
    )
    const ignored = (await file('.containerignore')).split('\n')
    for (const name of ['.git', '.env', '.remit', '**/node_modules', 'deploy/compose/config'])
      assert.ok(ignored.includes(name), name)
  })

  test('starts with valid settings of Remit', () => {
    const names = argumentsOf('ENV').flatMap((line) =>
      [...line.matchAll(/\b([A-Z_]+)=/g)].map(([, name]) => name as string),
    )
    assert.deepEqual(
      names.filter((name) => !VARIABLE_NAMES.includes(name)),
      ['NODE_ENV', 'HOME'],
    )
  })
})

suite('compose.yaml', () => {
  test('runs PostgreSQL 18, the migration as a job, and separate services for requests and background work', () => {
    const commands = Object.values(commandTable).flatMap((rows) => rows.map(({ name }) => name))
    assert.deepEqual(
      ours.map(([name, { command }]) => [name, ...(command ?? [])]),
      [
        ['migrate', 'migrate'],
        ['serve', 'serve'],
        ['worker', 'worker'],
      ],
    )
    for (const [, { command }] of ours) assert.ok(commands.includes(command?.[0] as string))
    assert.match(compose.services.database?.image ?? '', /postgres:18\}$/)
    assert.deepEqual(compose.services.migrate?.depends_on, { database: { condition: 'service_healthy' } })
    for (const name of ['serve', 'worker'])
      assert.deepEqual(compose.services[name]?.depends_on, { migrate: { condition: 'service_completed_successfully' } })
    assert.deepEqual(compose.services.mail?.profiles, ['sandbox'])
  })

  test('each setting exists, and the service never gets the URL of the owner', async (t) => {
    const { variables } = await initialize(t)
    for (const [name] of ours) {
      const settings = settingsOf(name, variables)
      assert.deepEqual(
        Object.keys(settings).filter((setting) => !VARIABLE_NAMES.includes(setting)),
        [],
      )
      assert.equal('MIGRATE_DATABASE_URL' in settings, name === 'migrate')
    }
  })

  test('the root file system is read-only, all capabilities are dropped, and only this machine reaches the ports', () => {
    for (const [name, service] of [...ours, ['mail', compose.services.mail as Service] as const]) {
      assert.equal(service.read_only, true, name)
      assert.deepEqual(service.cap_drop, ['ALL'], name)
      assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name)
    }
    for (const port of Object.values(compose.services).flatMap(({ ports }) => ports ?? []))
      assert.match(port, /^127\.0\.0\.1:/)
    assert.deepEqual(compose.services.database?.networks, ['inside'])
    assert.equal(compose.networks.inside?.internal, true)
  })

  test('each named volume and each file that is mounted exists', async () => {
    for (const source of Object.values(compose.services).flatMap(({ volumes }) => volumes ?? [])) {
      const [path] = substituted(source, {}).split(':')
      if (path?.startsWith('.')) await stat(join(root, path))
      else assert.ok((path as string) in compose.volumes, path)
    }
  })
})

suite('deploy/compose/init.sh', () => {
  test('writes sandbox settings that Remit accepts and only this user can read, and keeps existing ones', async (t) => {
    const { path, text, variables, start } = await initialize(t)
    const { environments } = readConfig({}, settingsOf('serve', variables))
    assert.deepEqual(
      environments.map(({ settings }) => [settings.name, settings.mailServer?.url, settings.baseUrl]),
      [['sandbox', 'smtp://mail:1025', 'http://localhost:4000']],
    )
    assert.equal((await stat(path)).mode & 0o777, 0o600)
    assert.match((await start()).stdout, /exists\. It was not changed\./)
    assert.equal(await readFile(path, 'utf8'), text)
    assert.notEqual((await initialize(t)).variables.REMIT_MASTER_KEYS, variables.REMIT_MASTER_KEYS)
  })

  test('writes production settings that Remit accepts, and asks for its URL', async (t) => {
    const { variables } = await initialize(t, ['production', 'https://pay.example.com'])
    const [production] = readConfig({}, settingsOf('worker', variables)).environments
    assert.deepEqual(
      [production?.settings.name, production?.settings.baseUrl, production?.connectionsFile],
      ['production', 'https://pay.example.com', '/etc/remit/connections.json'],
    )
    for (const args of [['production'], ['production', 'http://pay.example.com'], ['staging']])
      await assert.rejects(
        initialize(t, args),
        /^Error: Command failed[\s\S]*(Name the public URL|must be sandbox or production)/,
      )
  })
})

test("roles.sh creates two roles and the owner's database in PostgreSQL", async (t) => {
  const folder = await temporaryFolder(t)
  const script = `#!/bin/sh\nprintf '%s\\n' "$@"\ncat\n`
  await writeFile(join(folder, 'psql'), script, { mode: 0o700 })
  const { stdout } = await run('sh', [join(root, 'deploy/compose/roles.sh')], {
    env: { PATH: `${folder}:${process.env.PATH}`, REMIT_OWNER_PASSWORD: 'one', REMIT_SERVICE_PASSWORD: 'two' },
  })
  assert.match(stdout, /^owner_password=one$/m)
  assert.match(stdout, /^service_password=two$/m)
  assert.deepEqual(stdout.match(/^create .*$/gm), [
    "create role remit_owner login password :'owner_password';",
    "create role remit_service login password :'service_password';",
    'create database remit owner remit_owner;',
  ])
})
