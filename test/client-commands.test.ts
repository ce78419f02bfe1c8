import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startCommand } from './support/command.ts'
import { insertPastPayments, sendPayment, triggerStatus } from './support/payments.ts'
import { inheritedVariables, runRemit, temporaryFolder } from './support/process.ts'
import { startTestService } from './support/service.ts'
import { newSender, setWebhook } from './support/webhooks.ts'

const lifetime = { after }
const service = await startTestService(lifetime, { roles: ['http', 'worker'] })
const { api: owner, id: platformId } = await service.newOwner()
const [REMIT_KEY, REMIT_SECRET] = owner.credential.split(':') as [string, string]
const variables = { REMIT_BASE_URL: service.baseUrl, REMIT_KEY, REMIT_SECRET }
const home = await temporaryFolder(lifetime)
const program = fileURLToPath(new URL('../bin/remit.js', import.meta.url))

/** Runs a command against the service, in a pipe. */
const run = (...args: string[]) => runRemit(args, { home, env: variables })

/** Runs a command that must succeed. @returns what it printed */
async function print(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args)
  assert.deepEqual([code, stderr], [0, ''], args.join(' '))
  return stdout
}

/** Runs a command in a terminal, where both outputs are combined. */
async function onTerminal(args: string[], env: Record<string, string> = variables): Promise<string> {
  const command = [process.execPath, program, ...args].map((word) => `'${word}'`).join(' ')
  const { CI: _noColors, ...inherited } = inheritedVariables()
  const { stdout } = await promisify(execFile)('script', ['-qec', command, '/dev/null'], {
    cwd: home,
    env: { ...inherited, HOME: home, TERM: 'xterm-256color', ...env },
  })
  return stdout.replaceAll('\r\n', '\n')
}

/** Runs a command with a text on its standard input. */
function pipeInto(input: string, args: string[], env: Record<string, string>) {
  return new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: home,
      env: { ...inheritedVariables(), HOME: home, ...env },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    child.on('close', (code) => resolve({ code, output }))
    child.stdin.end(input)
  })
}

const sender = await newSender(service, owner)
const { id: bobs } = await sendPayment(sender, { name: 'Bob' })
// The API refuses such a name. A payment can still have one, for example from a bank.
const hostile = 'Eve \u001b[31mRed\u009b\u202e'
const past = { count: 1, now: service.clock.now(), name: hostile }
await insertPastPayments(service.ownerSql, { platformId, senderId: sender.id }, past)

suite('lists and objects', () => {
  test('a list in a pipe has one line for each object, with tabs, without headings, and without terminal control characters', async () => {
    const lines = (await print('payments', 'list', '--columns', 'id,name,amount,user.name')).split('\n').slice(0, -1)
    assert.equal(lines.length, 2)
    assert.ok(lines.some((line) => line.startsWith(`${bobs}\tBob\t10.00\t`)))
    assert.match(lines.join('\n'), /\tEve {2}\[31mRed \t\d+\.\d\d\t/)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
    assert.doesNotMatch(lines.join('\n'), /[\u001b\u009b\u202e]/)
  })

  test('a list in a terminal has headings and colors, and shows that there are more rows', async () => {
    const text = await onTerminal(['payments', 'list', '--limit', '1'])
    assert.ok(text.includes(`\u001b[1mID${' '.repeat(32)}DATE`), text)
    assert.match(text, /There are more than these 1\. Use --limit or --all\./)
    const plain = await onTerminal(['payments', 'list', '--all'], { ...variables, NO_COLOR: '1' })
    assert.match(plain, /^ID {32}DATE/)
    assert.doesNotMatch(plain, /There are more/)
    assert.match(await onTerminal(['payments', 'list', '--status', 'VOID']), /Nothing found\./)
  })

  test('--json prints one array with one line for each object, and filters select rows', async () => {
    const text = await print('payments', 'list', '--all', '--json')
    assert.deepEqual(JSON.parse(text).length, 2)
    assert.equal(text.split('\n').length, 4)
    assert.ok(!text.includes('\u009b'))
    const [bob, ...others] = JSON.parse(await print('payments', 'list', '--q', 'Bob', '--json'))
    assert.deepEqual([bob.name, bob.amount > 0, others], ['Bob', true, []])
    assert.equal(await print('payments', 'list', '--status', 'VOID', '--json'), '[]\n')
    assert.equal(await print('payments', 'list', '--status', 'VOID'), '')
  })

  test('each noun has a list, and each object can be read', async () => {
    await setWebhook(sender, 'http://localhost:1/hook')
    await triggerStatus(sender, bobs, 'PAID')
    const asSender = { ...variables, ...credential(sender.credential) }
    for (const noun of ['payments', 'users', 'banks', 'invoices', 'events']) {
      const env = noun === 'banks' ? asSender : variables
      const { code, stdout, stderr } = await runRemit([noun, 'list', '--json'], { home, env })
      assert.deepEqual([code, stderr], [0, ''], noun)
      const [first] = JSON.parse(stdout)
      assert.equal(first === undefined, noun === 'invoices', noun)
      if (!first) continue
      const shown = await runRemit([noun, 'get', first.id], { home, env })
      assert.match(shown.stdout, /^[\w.]*id\t\w+$/m, noun)
      const json = await runRemit([noun, 'get', first.id, '--json'], { home, env })
      assert.equal(typeof JSON.parse(json.stdout), 'object')
    }
  })

  test('a reader that stops reading ends the command without an error', async () => {
    const command = `'${process.execPath}' '${program}' payments list --all --json | true; echo "\${PIPESTATUS[0]}"`
    const env = { ...inheritedVariables(), HOME: home, ...variables }
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', command], { cwd: home, env })
    assert.deepEqual([stdout, stderr], ['0\n', ''])
  })
})

suite('requests', () => {
  test('get, post, put and delete send one request and print its answer', async () => {
    const fields = ['--field', 'user_id=cli-1', '--field', 'name=Command Line']
    const user = JSON.parse(await print('post', '/v3/user', ...fields, '--idempotency-key', 'once'))
    service.secrets.add(user.secret)
    assert.equal(JSON.parse(await print('post', '/v3/user', ...fields, '--idempotency-key', 'once')).id, user.id)
    assert.equal(JSON.parse(await print('get', '/v3/user/list?q=Command', '--query', 'per_page=10')).users.length, 1)
    await writeFile(join(home, 'limit.json'), '{"payment": 10}')
    await print('put', `/v3/user/${user.id}/limit`, '--data', '@limit.json', '--field', 'day:=20')
    assert.equal(await print('delete', `/v3/user/${user.id}`), '{}\n')
    const read = await pipeInto(
      '{"name": "From Input"}',
      ['post', '/v3/user', '--data', '-', '--field', 'user_id=cli-2'],
      variables,
    )
    assert.match(await print('users', 'list', '--q', 'Input'), /\tcli-2\tFrom Input\n$/)
    service.secrets.add(JSON.parse(read.output).secret)
  })

  test('a file is written unchanged to a pipe or a file, and not to a terminal', async () => {
    const path = `/v3/payment/${bobs}/receipt.pdf`
    assert.match(await print('get', path), /^%PDF/)
    await print('get', path, '--output', 'receipt.pdf')
    assert.match(await readFile(join(home, 'receipt.pdf'), 'latin1'), /^%PDF/)
    await assert.rejects(onTerminal(['get', path]), { stdout: /The answer is application\/pdf\. Use --output FILE\./ })
  })
})

suite('profiles', () => {
  test('login stores a verified key in a file that only this user can read, and shows no secret', async () => {
    const env = { REMIT_BASE_URL: service.baseUrl }
    const given = await pipeInto(`${owner.credential}\n`, ['login', '--profile', 'work'], env)
    assert.equal(given.code, 0, given.output)
    assert.match(given.output, /^Logged in to http:\S+ \(sandbox\)\.\nThe profile "work" is in .+profiles\.json\.\n$/)
    const path = join(home, '.config/remit/profiles.json')
    assert.equal((await stat(path)).mode & 0o777, 0o600)
    const alone = (...args: string[]) => runRemit(args, { home })
    const listed = [(await alone('profiles')).stdout, (await alone('profiles', '--json')).stdout]
    assert.match(listed[0] as string, /^ {3}NAME {2}URL .*\n\* {2}work {2}http/)
    assert.equal(JSON.parse(listed[1] as string)[0].name, 'work')
    for (const text of [given.output, ...listed]) assert.ok(!text.includes(REMIT_SECRET))
    assert.equal((await alone('payments', 'list')).code, 0)
    assert.equal((await alone('users', 'list', '--profile', 'work')).code, 0)
    assert.equal((await alone('open', 'webhooks')).stdout, `${service.baseUrl}/settings/webhooks\n`)

    await chmod(path, 0o644)
    const exposed = await alone('payments', 'list')
    assert.deepEqual([exposed.code, exposed.stderr], [1, `Other users can read ${path}. Run: chmod 600 ${path}\n`])
    await chmod(path, 0o600)
    assert.match((await alone('profiles', 'remove', 'work')).stdout, /^Removed the profile "work"\./)
    assert.equal((await alone('payments', 'list')).code, 1)
  })

  test('a key that the service refuses is not stored', async () => {
    const wrong = `${REMIT_KEY}:${'A'.repeat(40)}`
    const refused = await pipeInto(wrong, ['login', '--profile', 'wrong'], { REMIT_BASE_URL: service.baseUrl })
    assert.equal(refused.code, 2)
    assert.match(refused.output, /does not accept this API key\. Check the key and its secret\.\n$/)
    assert.equal((await pipeInto('nonsense', ['login'], { REMIT_BASE_URL: service.baseUrl })).code, 1)
    assert.doesNotMatch((await runRemit(['profiles'], { home })).stdout, /wrong/)
  })

  const typed = {
    'one at a time': [
      ['API key: ', `${REMIT_KEY}\n`],
      ['Secret (not shown): ', `${REMIT_SECRET}\n`],
    ],
    'pasted together': [['API key: ', `${REMIT_KEY}\n${REMIT_SECRET}\n`]],
  } as Record<string, [string, string][]>

  for (const [how, answers] of Object.entries(typed)) {
    test(`the prompt of a terminal does not show the secret: ${how}`, async () => {
      const { code, output } = await loginInTerminal([...answers])
      assert.equal(code, 0, output.replace(REMIT_SECRET, 'SECRET'))
      assert.match(output, /Secret \(not shown\): \r?\nLogged in to /)
      assert.ok(!output.includes(REMIT_SECRET))
    })
  }

  /** Runs `remit login` in a terminal and types each answer when the text before it has appeared. */
  async function loginInTerminal(answers: [prompt: string, typed: string][]) {
    const folder = await temporaryFolder(lifetime)
    const child = spawn('script', ['-qec', `'${process.execPath}' '${program}' login`, '/dev/null'], {
      cwd: folder,
      env: { ...inheritedVariables(), HOME: folder, TERM: 'xterm', REMIT_BASE_URL: service.baseUrl },
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const [next] = answers
      if (next && output.includes(next[0])) {
        answers.shift()
        child.stdin.write(next[1])
      }
    })
    const code = await new Promise((resolve) => child.on('close', resolve))
    return { code, output }
  }
})

suite('what goes on', () => {
  test('logs tail prints requests as they arrive, but not its own', async (t) => {
    const tail = startCommand(t, ['logs', 'tail', '--path', '/v3/bank'], {
      cwd: home,
      env: { ...variables, HOME: home },
    })
    await owner.get('/v3/bank/no-such-bank')
    await tail.waitFor('/v3/bank/no-such-bank')
    assert.match(
      tail.lines().at(-1) ?? '',
      /^\d{4}-\d\d-\d\d \S+ {2}GET {5}\/v3\/bank\/no-such-bank {2}4\d\d {2}\d+ ms {2}\w+$/,
    )
    void tail.end() // npm and the terminal both send a signal
    assert.equal(await tail.end('SIGINT'), 0)
    assert.doesNotMatch(tail.lines().join('\n'), /v3\/request/)
  })

  test('webhooks resend sends an event again to its endpoints', async () => {
    const [event] = JSON.parse(await print('events', 'list', '--type', 'CHECK', '--json'))
    const pending = await run('webhooks', 'resend', event.id)
    assert.match(`${pending.stdout}${pending.stderr}`, /^Resent: [1-9]\n$|delivery_pending/)
    assert.match(await print('webhooks', 'resend', '--since', '2020-01-01', '--json'), /^\{"resent":\d+\}\n$/)
  })

  test('clock advance waits until the work is done', async () => {
    const before = JSON.parse(await print('clock', '--json'))
    const advanced = JSON.parse(await print('clock', 'advance', '2d', '--json'))
    assert.equal(advanced.status, 'ready')
    assert.ok(Date.parse(advanced.now) - Date.parse(before.now) >= 2 * 86_400_000, `${before.now} to ${advanced.now}`)
    assert.match(await print('clock'), /^\d{4}-\d\d-\d\d \S+ UTC\n$/)
  })
})

suite('exit codes', () => {
  const mistakes: Record<string, readonly [args: string[], says: RegExp]> = {
    'a path without a slash': [['get', 'v3/check'], /^PATH must begin with a slash/],
    'a path with a space': [['get', '/v3/check?q=a b'], /^PATH must begin/],
    'a body that is no JSON': [['post', '/v3/user', '--data', '{'], /^--data must be a JSON object\.\n$/],
    'a file that is not there': [['post', '/v3/user', '--data', '@missing'], /^Cannot read missing: ENOENT\.\n$/],
    'a field without a value': [['post', '/v3/user', '--field', 'name'], /^--field must be NAME=VALUE\.\n$/],
    'a field that is no JSON': [['post', '/v3/user', '--field', 'a:=x'], /^--field a must be JSON after/],
    'an unknown column': [['payments', 'list', '--columns', 'id,color'], /^There is no column "color"\. Columns: id, /],
    'an unknown status': [
      ['payments', 'list', '--status', 'LOST'],
      /^error: option '--status <status>' argument 'LOST'/,
    ],
    'an empty limit': [['users', 'list', '--limit', '0'], /^--limit must be a whole number from 1 to 1000000\.\n$/],
    'two limits': [['users', 'list', '--limit', '1', '--all'], /^Use either --limit or --all\.\n$/],
    'an unknown profile': [['users', 'list', '--profile', 'x'], /^There is no profile "x"\. /],
    'a base URL that would send the key in clear text': [
      ['users', 'list', '--base-url', 'http://payments.example.com'],
      /^baseUrl must start with https:\/\//,
    ],
    'an unknown page': [['open', 'moon'], /^There is no page "moon"\. Pages: home, /],
    'a duration in words': [['clock', 'advance', 'tomorrow'], /^DURATION must be such as 7d/],
    'an unknown class of statuses': [['logs', 'tail', '--status', '9xx'], /^--status must be an HTTP status/],
    'neither an event nor a time': [['webhooks', 'resend'], /^Name an event, or use --since/],
    'no id': [['payments', 'get'], /^error: missing required argument 'id'/],
  }
  for (const [what, [args, says]] of Object.entries(mistakes)) {
    test(`${what}: one line, and exit code 1`, async () => {
      const { code, stdout, stderr } = await run(...args)
      assert.deepEqual([code, stdout], [1, ''], stderr)
      assert.match(stderr, says)
    })
  }

  test('2 if the service refuses, with the error code and the request', async () => {
    const missing = await run('payments', 'get', '0'.repeat(32))
    assert.equal(missing.code, 2)
    assert.match(missing.stderr, /^[^\n]+ \(payment_not_found, request \S+\)\n$/)
    const invalid = await run('post', '/v3/check/digital', '--field', 'amount=ten')
    assert.equal(invalid.code, 2)
    assert.match(invalid.stderr, /^[^\n]*amount: [^\n]*\(invalid_request, request \S+\)\n$/)
    const stranger = await runRemit(['users', 'list'], { home, env: { ...variables, REMIT_SECRET: 'A'.repeat(40) } })
    assert.equal(stranger.code, 2)
    assert.match(stranger.stderr, /does not accept REMIT_KEY and REMIT_SECRET\./)
  })

  test('3 if the service does not answer', async () => {
    const { code, stderr } = await run('users', 'list', '--base-url', 'http://localhost:1')
    assert.equal(code, 3)
    assert.match(stderr, /^http:\/\/localhost:1: The connection failed: [^\n]+\n$/)
  })
})

function credential(text: string) {
  const [key, secret] = text.split(':') as [string, string]
  return { REMIT_KEY: key, REMIT_SECRET: secret }
}
