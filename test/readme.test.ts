import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freePort } from '../packages/embedded-postgres/src/embedded-port.ts'
import { publishedOwner } from '../src/foundation/core/demo-rules.ts'
import { VERSION } from '../src/operation/app/version.ts'
import { startChromium } from './support/chromium.ts'
import { findCurl, pathWithCurl } from './support/curl.ts'
import { png } from './support/images.ts'
import { LIMIT_MS } from './support/wait-until.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const readme = await readFile(join(root, 'README.md'), 'utf8')

/** A block of commands, and the output shown below it. `…` stands for any text. */
type Block = { section: string; commands: string; shown: string | null }

const blocks: Block[] = readme.split(/^## /m).flatMap((text) =>
  [...text.matchAll(/^( *)```bash\n(.*?)^ *```(?:\n\n *```text\n(.*?)^ *```)?/gms)].map(
    ([, indent = '', commands = '', shown = null]) => ({
      section: text.split('\n', 1)[0] as string,
      commands: commands.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      shown: shown?.replaceAll(new RegExp(`^${indent}`, 'gm'), '') ?? null,
    }),
  ),
)

const blocksOf = (section: string): Block[] => blocks.filter((block) => block.section === section)

/** Blocks that were run unchanged. */
const ran = new Set<Block>()

const ends: (() => unknown)[] = []
const lifetime = { after: (end: () => unknown) => void ends.push(end) } as unknown as TestContext
after(async () => {
  for (const end of ends.reverse()) await end()
})

const folder = await copyOfTheProject(lifetime)
const port = await choosePort()
const applicationPort = await freePort()
const service = await startIn(lifetime, folder, port)

/** Commands as pasted, except for ports that are in use. */
const pasted = (commands: string): string =>
  commands
    .replaceAll('localhost:4000', `localhost:${port}`)
    .replaceAll('localhost:3000', `localhost:${applicationPort}`)

/** Runs blocks one at a time in one shell, and checks the output shown for each. */
async function runAndCompare(given: Block[]): Promise<string> {
  const { code, output } = await shell(given.map(({ commands }) => pasted(commands)).join('\n'))
  assert.equal(code, 0, output)
  for (const block of given) {
    ran.add(block)
    for (const line of pasted(block.shown ?? '').split('\n')) {
      const pattern = line.trim().split('…').map(RegExp.escape).join('.*')
      assert.match(output, new RegExp(pattern), block.commands)
    }
  }
  return output
}

test('the commands of the README run with the real curl, or with a stand-in if there is none', async (t) => {
  const { path, isStandIn } = findCurl()
  t.diagnostic(isStandIn ? `no curl on this machine: ${path} runs` : `the real curl runs: ${path}`)
  const { output } = await shell('command -v curl')
  assert.equal(output.trim(), path)

  const [withCurl, without] = [await mkdtemp(join(tmpdir(), 'remit-')), await mkdtemp(join(tmpdir(), 'remit-'))]
  t.after(() => Promise.all([withCurl, without].map((made) => rm(made, { recursive: true }))))
  await writeFile(join(withCurl, 'curl'), '')
  assert.equal(pathWithCurl(`${without}:${withCurl}`), `${without}:${withCurl}`)
  assert.deepEqual(findCurl(`${without}:${withCurl}`), { path: join(withCurl, 'curl'), isStandIn: false })
  assert.equal(pathWithCurl(without), `${join(root, 'test', 'stand-ins')}:${without}`)
})

test('the example of the README works as written, and has the output that it shows', async () => {
  const story = blocksOf('A first check')
  assert.ok(story.length >= 5 && story.every(({ shown }) => shown !== null), 'the README tells a story')
  await runAndCompare(story)
  await runAndCompare(blocksOf('Money and time'))
})

test('an application is connected as the README describes', async (t) => {
  const [account, application] = blocksOf('Connect an application') as [Block, Block]
  await runAndCompare([account])

  const { email, password } = JSON.parse(await readFile(join(folder, '.remit', 'sandbox.json'), 'utf8'))
  const page = await (await (await startChromium(t))()).newPage()
  await page.goto(`http://localhost:${port}`)
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()

  const site = `http://localhost:${applicationPort}`
  await page.getByRole('link', { name: 'Applications', exact: true }).click()
  await page.getByRole('button', { name: 'New application' }).click()
  await page.getByLabel('Name').fill('Any name')
  await page.getByLabel('Site').fill(site)
  await page.getByLabel('Redirect URIs').fill(`${site}/callback`)
  await page.getByRole('button', { name: 'Create application' }).click()
  const dialog = page.getByRole('dialog')
  const example = run(t, application)
  example.type(`${await dialog.getByText(/^[0-9a-f]{32}$/).innerText()}\n`)
  example.type(`${await dialog.getByText(/^[A-Za-z0-9]{40}$/).innerText()}\n`)
  await example.waitFor(pasted(application.shown?.trim() as string))

  await page.goto(site)
  await page.getByRole('heading', { name: 'Any name wants to access your account' }).waitFor()
  await page.getByRole('button', { name: 'Authorize' }).click()
  await page.waitForURL(`${site}/callback?**`)
  assert.equal(await page.locator('body').innerText(), 'Check 1 over $12.50 to Bob Recipient: UNPAID')
})

test('webhooks reach this machine as the README describes, in separate terminals and in CI', async (t) => {
  const [receiver, listen, trigger, inCi] = blocksOf('Webhooks') as [Block, Block, Block, Block]
  const receiving = run(t, receiver)
  await receiving.waitFor('Receiving')
  const listening = run(t, listen)
  await listening.waitFor('Ready')
  await runAndCompare([trigger])
  await receiving.waitFor('"status":"PAID"')
  await listening.waitFor(/CHECK {2}IN_PROCESS .* → 204 .*\n.*CHECK {2}PAID .* → 204 /)
  await Promise.all([receiving.end(), listening.end()])

  await runAndCompare([inCi])
})

test('each block of commands in the README was run, and leaves no secret in a file that Git tracks', async () => {
  const setUp = ['npm ci && npm start\n', 'npm ci && npm test\n']
  const others = blocks.filter((block) => !ran.has(block)).map(({ commands }) => commands)
  assert.deepEqual(others, setUp)

  const ignored = (await readFile(join(root, '.gitignore'), 'utf8')).split('\n')
  assert.ok(ignored.includes('.remit/') && ignored.includes('*.log'))
  const left = (await readdir(folder)).filter((name) => !known.has(name) && name !== '.remit' && !name.endsWith('.log'))
  assert.deepEqual(left, [])
})

test('npm start shuts down cleanly on a signal', async () => {
  assert.equal(await service.stop(), 0, 'npm passes the signal on')
  assert.ok(await isFree(port))
})

test('the package of npm pack works below node_modules, in an empty folder', async (t) => {
  const empty = await mkdtemp(join(tmpdir(), 'remit-package-'))
  t.after(() => rm(empty, { recursive: true, force: true, maxRetries: 5 }))
  const { code, output } = await shell(`npm pack --ignore-scripts --silent --pack-destination '${empty}'`, root)
  assert.equal(code, 0, output)
  // Installs it as npm does, except for the dependencies, which exist already.
  const modules = join(empty, 'node_modules')
  await mkdir(join(modules, 'remit-payments'), { recursive: true })
  const archive = join(empty, output.trim().split('\n').at(-1) as string)
  await shell(`tar -xzf '${archive}' -C '${join(modules, 'remit-payments')}' --strip-components 1`, empty)
  await rm(archive)
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (name !== '.bin' && name !== '@remit') await symlink(join(root, 'node_modules', name), join(modules, name))
  }
  await mkdir(join(modules, '.bin'))
  await symlink('../remit-payments/bin/remit.js', join(modules, '.bin', 'remit-payments'))

  const version = await shell('npx remit-payments --version', empty)
  assert.match(version.output, new RegExp(`(^|\\n)${RegExp.escape(VERSION)}\\n$`))
  const packed = runIn(t, 'npx remit-payments start --port 0', empty)
  const printed = await packed.waitFor('ready demo ')
  const url = /ready sandbox (\S+)/.exec(printed)?.[1] as string
  assert.match(printed, new RegExp(`Sign in at ${url} as owner@example.com. The password is in \\.remit/sandbox.json.`))
  assert.equal((await fetch(url)).status, 200)
  const headers = { authorization: `${publishedOwner.published.apiKey.key}:${publishedOwner.published.apiKey.secret}` }
  const demo = /ready demo (\S+)/.exec(printed)?.[1]
  // Drawn in a separate process.
  const body = JSON.stringify({ signature: png(16, 8).toString('base64') })
  const stored = await fetch(`${demo}/v3/user/signature`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  })
  assert.equal(stored.status, 201, await stored.text())
  await packed.end()
})

const known = new Set([
  'bin',
  'packages',
  'src',
  'migrations',
  'schemas',
  'layouts',
  'web',
  'examples',
  'docs',
  'package.json',
  'README.md',
  'node_modules',
  '.npm',
])

/** Runs a block in its own terminal. */
function run(t: TestContext, block: Block) {
  ran.add(block)
  return runIn(t, pasted(block.commands), folder)
}

function runIn(t: TestContext, commands: string, cwd: string) {
  const env = { ...process.env, npm_config_cache: join(folder, '.npm'), ...ports() }
  // Ctrl-C in a terminal reaches all processes that run in it.
  const child = spawn('bash', ['-c', commands], { cwd, env, detached: true })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  let output = ''
  const printed = new EventTarget()
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
      printed.dispatchEvent(new Event('text'))
    })
  }
  const end = () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid as number), 'SIGINT')
    return exited
  }
  t.after(end)
  return {
    type: (text: string) => child.stdin.write(text),
    waitFor: async (text: string | RegExp) => {
      const signal = AbortSignal.timeout(2 * LIMIT_MS) // it starts a service with its PostgreSQL
      while (output.search(typeof text === 'string' ? RegExp.escape(text) : text) === -1) {
        await once(printed, 'text', { signal }).catch((cause) => {
          throw new Error(`did not find ${text} in: ${output}`, { cause })
        })
      }
      return output
    },
    end,
  }
}

/** For the examples. */
const ports = () => ({ PORT: String(applicationPort), AUTH_URL: `http://localhost:${port}` })

/** Port 4000, as in the README, unless it is in use. */
async function choosePort(): Promise<number> {
  const isHere = (await isFree(4000)) && (await isFree(4001))
  return isHere ? 4000 : 14_000 + (process.pid % 1_000) * 2
}

async function copyOfTheProject(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'remit-readme-'))
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  for (const part of [
    'bin',
    'packages',
    'src',
    'migrations',
    'schemas',
    'layouts',
    'web/dist',
    'docs',
    'examples',
    'package.json',
    'README.md',
  ]) {
    await cp(join(root, part), join(folder, part), { recursive: true })
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Runs `npm start` until it is ready. */
async function startIn(t: TestContext, folder: string, port: number): Promise<{ stop(): Promise<number | null> }> {
  const args = port === 4000 ? ['start'] : ['start', '--', '--port', String(port)]
  const child = spawn('npm', args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const stop = () => {
    child.kill('SIGTERM')
    return ended
  }
  t.after(stop)
  for await (const chunk of child.stdout) if (String(chunk).includes('ready sandbox ')) return { stop }
  assert.fail('npm start ended before it was ready')
}

function shell(script: string, cwd = folder): Promise<{ code: number | null; output: string }> {
  // The folder where npx keeps the packages that it linked.
  const env = { ...process.env, npm_config_cache: join(folder, '.npm'), ...ports() }
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', script], { cwd, env })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })))
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, 'localhost', () => server.close(() => resolve(true)))
  })
}
