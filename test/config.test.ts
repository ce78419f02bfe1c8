import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { serverAddressOf } from '../src/foundation/db/driver/server-address.ts'
import { StartProblem } from '../src/foundation/lib/start-problem.ts'
import { type Flags, readClientConfig, readConfig, unknownVariables } from '../src/operation/app/config.ts'
import { envExample } from '../src/operation/app/env-example.ts'
import { FILE_SECRETS, VARIABLE_NAMES } from '../src/operation/app/settings-table.ts'

type Variables = Record<string, string>

const MASTER_KEYS = `k1:${Buffer.alloc(32, 1).toString('base64')}`

/** Returns the error message of a refused configuration, one line for each problem. */
function problemsOf(env: Variables, flags: Flags = {}): string[] {
  try {
    readConfig(flags, env)
  } catch (error) {
    assert.ok(error instanceof StartProblem)
    const [title, ...lines] = error.message.split('\n')
    assert.equal(title, 'The configuration is invalid. Fix these settings:')
    return lines.map((line) => line.trim())
  }
  assert.fail('it was accepted')
}

test('with nothing set, sandbox and demo run side by side on an embedded PostgreSQL', () => {
  const { dataDir, host, logLevel, environments, masterKeys, masterKeysFile } = readConfig({}, {})
  assert.deepEqual([dataDir, host, logLevel], [resolve('.remit'), 'localhost', 'info'])
  assert.deepEqual([masterKeys, masterKeysFile], [null, resolve('.remit/master-keys')])
  assert.deepEqual(
    environments.map(({ settings, port, databaseUrl }) => [settings.name, port, databaseUrl]),
    [
      ['sandbox', 4000, null],
      ['demo', 4001, null],
    ],
  )
  assert.ok(environments.every(({ settings }) => settings.allowsLocalWebhooks))
  assert.ok(
    environments.every(({ settings }) => settings.requestsPerSecond === 1_000 && settings.requestBurst === 2_000),
  )
})

test('a database URL can name several servers', () => {
  const databaseUrl = 'postgres://remit:secret@127.0.0.1:5433,localhost,[::1]:5434/remit'
  const { environments } = readConfig(
    {},
    { DATABASE_URL: databaseUrl, REMIT_SANDBOX_DATABASE_URL: `${databaseUrl}_own` },
  )
  const [own, demo] = environments.map((environment) => serverAddressOf(environment.databaseUrl as string))
  assert.deepEqual(
    [own?.database, demo?.database, demo?.user, demo?.password],
    ['remit_own', 'remit_demo', 'remit', 'secret'],
  )
  for (const address of [own, demo])
    assert.deepEqual(address?.servers, [
      { host: '127.0.0.1', port: 5433 },
      { host: 'localhost', port: 5432 },
      { host: '::1', port: 5434 },
    ])
})

test('all problems are reported at once, with the variable and the allowed values', () => {
  const problems = problemsOf({
    REMIT_PORT: '70000',
    REMIT_ENVIRONMENTS: 'sandbox,staging',
    REMIT_LOG_LEVEL: 'loud',
    DATABASE_URL: 'mysql://localhost/remit',
    REMIT_MASTER_KEYS: 'k1:tooshort',
    SMTP_URL: 'mail.example.com:25',
    REMIT_MAIL_FROM: 'Remit',
    REMIT_ALLOW_LOCAL_WEBHOOKS: 'yes',
    REMIT_SANDBOX_DATABASE_URL: 'localhost/remit',
    REMIT_SANDBOX_BASE_URL: 'https://example.com/path',
    REMIT_DEMO_REQUESTS_PER_SECOND: '0',
    REMIT_DEMO_REQUEST_BURST: '1e3',
  })
  assert.deepEqual(problems, [
    'REMIT_PORT must be a whole number from 0 to 65535',
    'REMIT_ENVIRONMENTS must be a list of sandbox, demo, production without duplicates',
    'REMIT_LOG_LEVEL must be debug, info, warn, error, silent',
    'DATABASE_URL must be postgres://USER:PASSWORD@HOST:PORT/DATABASE',
    'REMIT_MASTER_KEYS must be ID:KEY[,ID:KEY…], where each KEY is 32 bytes in base64 (openssl rand -base64 32)',
    'SMTP_URL must be smtp://USER:PASSWORD@HOST:PORT or smtps://USER:PASSWORD@HOST:PORT',
    'REMIT_MAIL_FROM must be ADDRESS or NAME <ADDRESS>',
    'REMIT_ALLOW_LOCAL_WEBHOOKS must be true, false',
    'REMIT_SANDBOX_DATABASE_URL must be postgres://USER:PASSWORD@HOST:PORT/DATABASE',
    'REMIT_SANDBOX_BASE_URL must be http://HOST or https://HOST, without a path',
    'REMIT_DEMO_REQUESTS_PER_SECOND must be a whole number from 1 to 1000000',
    'REMIT_DEMO_REQUEST_BURST must be a whole number from 1 to 1000000',
  ])
})

const refused: [name: string, values: string[]][] = [
  ['REMIT_PORT', ['-1', '65536', '4000.5', '0x10', ' 4000', 'four', '99999999999']],
  ['REMIT_ENVIRONMENTS', ['sandbox,sandbox', 'sandbox,,demo', 'Sandbox', 'all']],
  ['DATABASE_URL', ['postgres://localhost', 'postgres://localhost/', 'http://localhost/remit', 'remit']],
  ['REMIT_MASTER_KEYS', ['x', `${MASTER_KEYS},${MASTER_KEYS}`, 'k1:', `K1:${MASTER_KEYS.slice(3)}`]],
  ['SMTP_URL', ['mail.example.com', 'http://mail.example.com', 'smtp://', 'smtp://h/path', 'smtps://h?pool=true']],
  ['REMIT_MAIL_FROM', ['Remit', 'Remit <remit>', '<>', 'a@example.com, b@example.com', 'a@example.com\nBcc: b@c.de']],
  ['REMIT_WEBHOOK_NAME_SERVERS', ['dns.example.com', '192.0.2.1:0', '192.0.2.1:65536', '2001:db8::1:', '1.1.1.1,']],
  ['REMIT_SANDBOX_WEBHOOK_ALLOWED_NETWORKS', ['10.0.0.0', '10.0.0.0/33', 'fd00::/129', '10.0.0.0/8,', 'private']],
  ['REMIT_SANDBOX_BASE_URL', ['example.com', 'ftp://example.com', 'https://example.com/?a', 'https://example.com/#a']],
]
for (const [name, values] of refused) {
  test(`${name} refuses ${values.map((value) => JSON.stringify(value)).join(', ')}`, () => {
    for (const value of values) {
      const [problem, ...others] = problemsOf({ [name]: value })
      assert.ok(problem?.startsWith(`${name} must be `), `${value}: ${problem}`)
      assert.equal(others.length, 0)
      assert.ok(value.length < 20 || !problem?.includes(value.slice(3, 20)), 'a key is not repeated')
    }
  })
}

test('no error about a setting repeats its value, which may be a secret', () => {
  const value = 'hunter2-hunter2 hunter2'
  const invalid = VARIABLE_NAMES.filter((name) => !/_(CONNECTIONS|BACKUP|DATA_DIR|HOST|FILE|NAME)$/.test(name))
  const env = { ...Object.fromEntries(invalid.map((name) => [name, value])), REMIT_ENVIRONMENTS: 'sandbox,production' }
  const problems = problemsOf(env)
  const named = problems.filter((problem) => / must be \S/.test(problem)).map((problem) => problem.split(' ')[0])
  const read = invalid.filter((name) => !/^REMIT_(DEMO_.*|KEY|SECRET|BASE_URL|PROFILE|ENVIRONMENTS)$/.test(name))
  assert.deepEqual(named.sort(), read.sort())
  assert.throws(
    () => readClientConfig({ baseUrl: value }, { REMIT_KEY: value, REMIT_SECRET: value }),
    /^StartProblem: REMIT_KEY must be .*; REMIT_SECRET must be .*; --base-url must be /,
  )
  assert.ok(!problems.join().includes('hunter2'), problems.join())
})

test('networks for webhooks are set for one environment, and name servers for all', () => {
  const { environments } = readConfig(
    {},
    {
      REMIT_DEMO_WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/8, fd00::/8',
      REMIT_WEBHOOK_NAME_SERVERS: '192.0.2.53, 192.0.2.54:5353, 2001:db8::53, [2001:db8::54]:5353',
    },
  )
  const servers = ['192.0.2.53', '192.0.2.54:5353', '2001:db8::53', '[2001:db8::54]:5353']
  assert.deepEqual(
    environments.map(({ settings }) => [settings.webhookAllowedNetworks, settings.webhookNameServers]),
    [
      [[], servers],
      [['10.0.0.0/8', 'fd00::/8'], servers],
    ],
  )
})

test('invalid ports are refused before the service starts', () => {
  assert.deepEqual(problemsOf({ REMIT_PORT: '65535' }), ['REMIT_PORT must be low enough for 2 ports up to 65535'])
  assert.equal(readConfig({}, { REMIT_PORT: '65535', REMIT_ENVIRONMENTS: 'demo' }).environments[0]?.port, 65_535)
  assert.deepEqual(
    readConfig({}, { REMIT_PORT: '0' }).environments.map(({ port }) => port),
    [0, 0],
  )
})

test('flags override variables, and an empty variable counts as unset', () => {
  const env = { REMIT_DATA_DIR: '/variable', REMIT_PORT: '5000', REMIT_ENVIRONMENTS: 'demo', REMIT_LOG_LEVEL: '' }
  const byVariables = readConfig({}, env)
  assert.deepEqual(
    [byVariables.dataDir, byVariables.environments[0]?.port, byVariables.logLevel],
    ['/variable', 5000, 'info'],
  )
  const byFlags = readConfig({ dataDir: '/flag', port: '6000', environments: 'sandbox, demo' }, env)
  assert.equal(byFlags.dataDir, '/flag')
  assert.deepEqual(
    byFlags.environments.map(({ settings, port }) => [settings.name, port]),
    [
      ['sandbox', 6000],
      ['demo', 6001],
    ],
  )
  assert.deepEqual(problemsOf({}, { port: 'http' }), ['REMIT_PORT must be a whole number from 0 to 65535'])
})

const PRODUCTION = {
  REMIT_PRODUCTION_BASE_URL: 'https://pay.example.com',
  REMIT_PRODUCTION_CONNECTIONS: '/etc/remit/connections.json',
}

test('production needs the file with its banks, and other environments do not', () => {
  const { REMIT_PRODUCTION_CONNECTIONS: _, ...rest } = PRODUCTION
  const env = {
    REMIT_ENVIRONMENTS: 'production',
    DATABASE_URL: 'postgres://localhost/d',
    REMIT_MASTER_KEYS: MASTER_KEYS,
  }
  assert.deepEqual(problemsOf({ ...env, ...rest }), [
    'production needs REMIT_PRODUCTION_CONNECTIONS: the file that describes its banks. To create one: remit connections init',
  ])
  const [production] = readConfig({}, { ...env, ...PRODUCTION, REMIT_DATA_DIR: '/data' }).environments
  assert.equal(production?.settings.railNetwork, 'file')
  assert.equal(production.connectionsFile, '/etc/remit/connections.json')
  assert.equal(production.settings.stateFolder, '/data/production')
  for (const { settings, connectionsFile } of readConfig({}, {}).environments) {
    assert.deepEqual([settings.railNetwork, settings.stateFolder, connectionsFile], ['simulated', null, null])
  }
})

test('production needs its own database and master keys, and both are reported at once', () => {
  const env = { REMIT_ENVIRONMENTS: 'production', ...PRODUCTION }
  assert.deepEqual(problemsOf(env), [
    'production needs DATABASE_URL or REMIT_PRODUCTION_DATABASE_URL: a PostgreSQL that you back up',
    'production needs REMIT_MASTER_KEYS or REMIT_MASTER_KEYS_FILE, stored separately from the database',
  ])
  assert.equal(problemsOf({ ...env, DATABASE_URL: 'postgres://localhost/d' }).length, 1)
  assert.equal(problemsOf({ ...env, REMIT_MASTER_KEYS: MASTER_KEYS }).length, 1)
  const config = readConfig({}, { ...env, DATABASE_URL: 'postgres://localhost/d', REMIT_MASTER_KEYS: MASTER_KEYS })
  const [production] = config.environments
  assert.equal(production?.databaseUrl, 'postgres://localhost/d')
  assert.deepEqual([production?.settings.requestsPerSecond, production?.settings.requestBurst], [100, 200])
})

test('production does not start without its own https URL', () => {
  const env = {
    REMIT_ENVIRONMENTS: 'production',
    ...PRODUCTION,
    DATABASE_URL: 'postgres://localhost/d',
    REMIT_MASTER_KEYS: MASTER_KEYS,
  }
  for (const REMIT_PRODUCTION_BASE_URL of ['', 'http://pay.example.com', 'http://localhost:4000']) {
    assert.deepEqual(problemsOf({ ...env, REMIT_PRODUCTION_BASE_URL }), [
      'production needs REMIT_PRODUCTION_BASE_URL: its public https URL',
    ])
  }
  assert.equal(readConfig({}, env).environments[0]?.settings.baseUrl, 'https://pay.example.com')
  assert.equal(readConfig({}, { REMIT_DEMO_BASE_URL: 'http://demo.example.com' }).environments.length, 2)
})

test('webhooks to this machine are allowed by default only with the embedded PostgreSQL, and never in production', () => {
  const allowed = (env: Variables) =>
    readConfig({}, { REMIT_MASTER_KEYS: MASTER_KEYS, ...env }).environments.map(
      ({ settings }) => settings.allowsLocalWebhooks,
    )
  const given = { DATABASE_URL: 'postgres://localhost/d' }
  assert.deepEqual(allowed({}), [true, true])
  assert.deepEqual(allowed(given), [false, false])
  assert.deepEqual(allowed({ REMIT_DEMO_DATABASE_URL: 'postgres://localhost/d' }), [true, false])
  assert.deepEqual(allowed({ ...given, REMIT_ALLOW_LOCAL_WEBHOOKS: 'true' }), [true, true])
  assert.deepEqual(allowed({ REMIT_ALLOW_LOCAL_WEBHOOKS: 'false' }), [false, false])
  const production = { ...given, ...PRODUCTION, REMIT_ENVIRONMENTS: 'production', REMIT_ALLOW_LOCAL_WEBHOOKS: 'true' }
  assert.deepEqual(allowed(production), [false])
})

test('each environment has its own database', () => {
  const databases = (env: Variables) => readConfig({}, env).environments.map(({ databaseUrl }) => databaseUrl)
  const url = 'postgres://u:p@h:5432/payments?sslmode=verify-full'
  assert.deepEqual(databases({ DATABASE_URL: url }), [url, 'postgres://u:p@h:5432/payments_demo?sslmode=verify-full'])
  assert.deepEqual(databases({ DATABASE_URL: url, REMIT_DEMO_DATABASE_URL: 'postgres://localhost/other' }), [
    url,
    'postgres://localhost/other',
  ])
  assert.deepEqual(databases({ REMIT_DEMO_DATABASE_URL: 'postgres://localhost/other' }), [
    null,
    'postgres://localhost/other',
  ])
})

test('the owner of the tables has a separate URL for the same databases', () => {
  const urls = (env: Variables) => readConfig({}, env).environments.map(({ migrateUrl }) => migrateUrl)
  const service = { DATABASE_URL: 'postgres://service@localhost/pay' }
  assert.deepEqual(urls(service), [null, null])
  const both = { ...service, MIGRATE_DATABASE_URL: 'postgres://owner@localhost/pay' }
  assert.deepEqual(urls(both), ['postgres://owner@localhost/pay', 'postgres://owner@localhost/pay_demo'])
  const other = { REMIT_DEMO_DATABASE_URL: 'postgres://service@localhost/other' }
  assert.deepEqual(urls({ ...both, ...other }), ['postgres://owner@localhost/pay', null])
  const otherOwner = { REMIT_DEMO_MIGRATE_DATABASE_URL: 'postgres://owner@localhost/other' }
  assert.deepEqual(urls({ ...both, ...other, ...otherOwner })[1], 'postgres://owner@localhost/other')
  assert.deepEqual(problemsOf({ MIGRATE_DATABASE_URL: 'postgres://owner@localhost/pay' }), [
    'MIGRATE_DATABASE_URL of sandbox also needs the matching DATABASE_URL',
    'MIGRATE_DATABASE_URL of demo also needs the matching DATABASE_URL',
  ])
})

test('a database on another machine needs TLS in every setting that names one, unless the operator allows plaintext', () => {
  const env = { DATABASE_URL: 'postgres://one/d', REMIT_DEMO_DATABASE_URL: 'postgres://two/d?sslmode=require' }
  assert.deepEqual(
    problemsOf(env).map((problem) => problem.split(' (')[0]),
    [
      'DATABASE_URL must have sslmode=verify-full, because one is another machine',
      'REMIT_DEMO_DATABASE_URL must have sslmode=verify-full, because two is another machine',
    ],
  )
  assert.equal(readConfig({}, { ...env, DATABASE_ALLOW_PLAINTEXT: 'true' }).environments.length, 2)
})

test('master keys are stored apart from a configured database', () => {
  const file = (env: Variables) => readConfig({}, { REMIT_DATA_DIR: '/data', ...env }).masterKeysFile
  assert.equal(file({}), '/data/master-keys')
  assert.equal(file({ DATABASE_URL: 'postgres://localhost/d' }), resolve(homedir(), '.remit/master-keys'))
  assert.equal(file({ REMIT_MASTER_KEYS_FILE: '/run/secrets/keys' }), '/run/secrets/keys')
})

/** A folder with files of secrets. */
async function secretFiles(t: TestContext, contents: Record<string, string>): Promise<(name: string) => string> {
  const folder = await mkdtemp(join(tmpdir(), 'remit-secrets-'))
  t.after(() => rm(folder, { recursive: true }))
  for (const [name, content] of Object.entries(contents)) await writeFile(join(folder, name), content, { mode: 0o440 })
  return (name) => join(folder, name)
}

test('production can read its secrets from files, such as systemd credentials and Kubernetes secrets', async (t) => {
  const path = await secretFiles(t, {
    keys: `${MASTER_KEYS}\n`,
    database: 'postgres://service@localhost/pay\n',
    owner: 'postgres://owner@localhost/pay\n',
    smtp: 'smtps://user:secret@mail.example.com\n',
  })
  const env = {
    REMIT_ENVIRONMENTS: 'production',
    ...PRODUCTION,
    REMIT_MASTER_KEYS_FILE: path('keys'),
    REMIT_PRODUCTION_DATABASE_URL_FILE: path('database'),
    REMIT_PRODUCTION_MIGRATE_DATABASE_URL_FILE: path('owner'),
    SMTP_URL_FILE: path('smtp'),
    REMIT_MAIL_FROM: 'pay@example.com',
  }
  const config = readConfig({}, env)
  const [production] = config.environments
  assert.deepEqual(
    [production?.databaseUrl, production?.migrateUrl, production?.settings.mailServer?.url],
    ['postgres://service@localhost/pay', 'postgres://owner@localhost/pay', 'smtps://user:secret@mail.example.com'],
  )
  assert.equal(config.masterKeysFile, path('keys'))
  assert.deepEqual(config.secretFiles.toSorted(), ['database', 'keys', 'owner', 'smtp'].map(path))
  assert.deepEqual(unknownVariables(env), [])
})

test('a file with a secret that is missing, empty, unreadable or set twice is reported with its setting', async (t) => {
  const path = await secretFiles(t, { empty: ' \n', url: 'postgres://localhost/d' })
  assert.deepEqual(
    problemsOf({
      DATABASE_URL_FILE: path('missing'),
      MIGRATE_DATABASE_URL: 'postgres://localhost/d',
      MIGRATE_DATABASE_URL_FILE: path('url'),
      SMTP_URL_FILE: path('empty'),
      REMIT_SANDBOX_DATABASE_URL_FILE: path('.'),
    }),
    [
      `DATABASE_URL_FILE must name a readable file: ${path('missing')}: there is no such file`,
      'MIGRATE_DATABASE_URL_FILE must be unset, because MIGRATE_DATABASE_URL is set',
      `SMTP_URL_FILE must name a file with a value: ${path('empty')} is empty`,
      `REMIT_SANDBOX_DATABASE_URL_FILE must name a readable file: ${path('.')}: it is a folder`,
    ],
  )
})

test('production does not create master keys, but other environments do', async (t) => {
  const path = await secretFiles(t, { keys: MASTER_KEYS })
  const missing = { REMIT_MASTER_KEYS_FILE: path('missing') }
  const production = { REMIT_ENVIRONMENTS: 'production', DATABASE_URL: 'postgres://localhost/d', ...PRODUCTION }
  assert.deepEqual(problemsOf({ ...production, ...missing }), [
    `REMIT_MASTER_KEYS_FILE must name a readable file: ${path('missing')}: there is no such file`,
  ])
  assert.equal(readConfig({}, missing).masterKeysFile, path('missing'))
  assert.deepEqual(problemsOf({ REMIT_MASTER_KEYS_FILE: path('.') }), [
    `REMIT_MASTER_KEYS_FILE must name a readable file: ${path('.')}: it is a folder`,
  ])
  assert.deepEqual(problemsOf({ REMIT_MASTER_KEYS_FILE: path('keys'), REMIT_MASTER_KEYS: MASTER_KEYS }), [
    'REMIT_MASTER_KEYS_FILE must be unset, because REMIT_MASTER_KEYS is set',
  ])
})

test('limits and addresses can be set for each environment', () => {
  const [sandbox, demo] = readConfig(
    {},
    {
      REMIT_SANDBOX_BASE_URL: 'https://sandbox.example.com/',
      REMIT_DEMO_REQUESTS_PER_SECOND: '5',
      REMIT_DEMO_REQUEST_BURST: '6',
    },
  ).environments
  assert.deepEqual([sandbox?.settings.baseUrl, demo?.settings.baseUrl], ['https://sandbox.example.com', null])
  assert.deepEqual([demo?.settings.requestsPerSecond, demo?.settings.requestBurst], [5, 6])
  assert.equal(sandbox?.settings.requestsPerSecond, 1_000)
})

test('the time zone of the business is one of the IANA database', () => {
  const zoneOf = (env: Variables) => readConfig({}, env).environments[0]?.settings.timeZone
  assert.equal(zoneOf({}), 'America/Los_Angeles')
  assert.equal(zoneOf({ REMIT_SANDBOX_TIME_ZONE: 'America/New_York' }), 'America/New_York')
  for (const zone of ['America/Springfield', '+01:00', 'Pacific', ' ']) {
    assert.deepEqual(problemsOf({ REMIT_SANDBOX_TIME_ZONE: zone }), [
      'REMIT_SANDBOX_TIME_ZONE must be a time zone of the IANA database such as America/New_York',
    ])
  }
})

test('a mail server needs a sender, and serves every environment', () => {
  const url = 'smtps://user:p%40ss@mail.example.com:465'
  assert.deepEqual(problemsOf({ SMTP_URL: url }), ['SMTP_URL needs REMIT_MAIL_FROM'])
  for (const from of ['pay@example.com', 'Remit Payments <pay@example.com>', '<pay@example.com>']) {
    const { environments } = readConfig({}, { SMTP_URL: url, REMIT_MAIL_FROM: from })
    assert.deepEqual(
      environments.map(({ settings }) => settings.mailServer),
      [
        { url, from, allowsPlaintext: false },
        { url, from, allowsPlaintext: false },
      ],
    )
  }
  const [sandbox] = readConfig({}, { REMIT_MAIL_FROM: 'pay@example.com' }).environments
  assert.equal(sandbox?.settings.mailServer, null)
  const given = { SMTP_URL: url, REMIT_MAIL_FROM: 'pay@example.com', SMTP_ALLOW_PLAINTEXT: 'true' }
  assert.equal(readConfig({}, given).environments[0]?.settings.mailServer?.allowsPlaintext, true)
})

test('unknown variables that look like settings are reported', () => {
  const env = { REMIT_PROT: '1', REMIT_PORT: '1', PATH: 'x', DATABASE_URL: 'x', REMIT_SANDBOX_PORT: '1', REMIT_: '' }
  assert.deepEqual(unknownVariables(env), ['REMIT_PROT', 'REMIT_SANDBOX_PORT', 'REMIT_'])
})

test('.env.example matches the program, contains every variable, and all its values are allowed', async () => {
  const text = await readFile(new URL('../.env.example', import.meta.url), 'utf8')
  assert.equal(text, envExample())
  const examples = Object.fromEntries([...text.matchAll(/^#([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]))
  const secretFile = new RegExp(`^(${FILE_SECRETS.join('|')})_FILE$`)
  const documented = VARIABLE_NAMES.filter(
    (name) => !/^REMIT_(DEMO|PRODUCTION)_(?!CONNECTIONS|BACKUP)/.test(name) && !secretFile.test(name),
  )
  assert.deepEqual(Object.keys(examples), documented)
  assert.match(text, /Replace SANDBOX with DEMO or PRODUCTION/)
  assert.match(text, /A secret can be in a file, whose path is in NAME_FILE/)
  const config = readConfig({}, { ...(examples as Variables), REMIT_MASTER_KEYS_FILE: '' })
  assert.equal(config.environments[0]?.settings.baseUrl, 'https://sandbox.example.com')
  assert.equal(config.environments[0]?.databaseUrl, 'postgres://remit:secret@localhost:5432/remit_sandbox')
})
