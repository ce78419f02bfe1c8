import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startChromium } from './support/chromium.ts'
import { startReceiver } from './support/receiver.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

test('the story of the README works as it stands there', async (t) => {
  const folder = await copyOfTheProject(t)
  const port = await choosePort(t)
  const service = await startIn(t, folder, port)

  const commands = await commandsOf('A first check')
  assert.ok(commands.length >= 5, 'the README tells a story')
  const { code, output } = await shell(commands.join('\n').replaceAll('localhost:4000', `localhost:${port}`), folder)
  assert.equal(code, 0, output)
  const check = JSON.parse(await readFile(join(folder, 'check.json'), 'utf8'))
  assert.equal(check.status, 'UNPAID', output)
  assert.match(output, new RegExp(`"checks":\\[{"id":"${check.id}","number":1,"amount":125.5,.*"status":"PAID"`))
  assert.match(output, /Every step held\.\n$/)
  assert.equal(await service.stop(), 0, 'npm passes the signal on, and the service ends in good order')
  assert.ok(await isFree(port))
})

test('an application is connected as the README says', async (t) => {
  const folder = await copyOfTheProject(t)
  const port = await choosePort(t)
  await startIn(t, folder, port)
  const base = `http://localhost:${port}`
  const { code, output } = await shell(
    (await commandsOf('Connect an application')).join('\n').replaceAll('http://localhost:4000', base),
    folder,
  )
  assert.equal(code, 0, output)

  const { email, password } = JSON.parse(await readFile(join(folder, '.remit', 'sandbox.json'), 'utf8'))
  const page = await (await (await startChromium(t))()).newPage()
  await page.goto(base)
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()

  const applicationPort = String(await freePort())
  const site = `http://localhost:${applicationPort}`
  await page.getByRole('link', { name: 'Applications', exact: true }).click()
  await page.getByRole('button', { name: 'New application' }).click()
  await page.getByLabel('Name').fill('Any name')
  await page.getByLabel('Site').fill(site)
  await page.getByLabel('Redirect URIs').fill(`${site}/callback`)
  await page.getByRole('button', { name: 'Create application' }).click()
  const dialog = page.getByRole('dialog')
  await startExample(t, folder, {
    CLIENT_ID: await dialog.getByText(/^[0-9a-f]{32}$/).innerText(),
    CLIENT_SECRET: await dialog.getByText(/^[A-Za-z0-9]{40}$/).innerText(),
    AUTH_URL: base,
    PORT: applicationPort,
  })

  await page.goto(site)
  await page.getByRole('heading', { name: 'Any name asks to use your account' }).waitFor()
  await page.getByRole('button', { name: 'Authorize' }).click()
  await page.waitForURL(`${site}/callback?**`)
  assert.equal(await page.locator('body').innerText(), 'Check 1 over $12.50 to Bob Recipient: UNPAID')
})

test('webhooks come to this machine as the README says', async (t) => {
  const folder = await copyOfTheProject(t)
  await startIn(t, folder, await choosePort(t))
  const receiver = await startReceiver(t)
  const commands = (await commandsOf('Webhooks')).join('\n')
  assert.match(commands, /remit trigger payment\.paid/)
  const { code, output } = await shell(commands.replaceAll('http://localhost:3000/hook', receiver.url), folder)
  assert.equal(code, 0, output)
  assert.match(output, /CHECK {2}IN_PROCESS .* → 200 .*\n.*CHECK {2}PAID .* → 200 /)
  assert.deepEqual(
    receiver.events().map(({ status }) => status),
    ['IN_PROCESS', 'PAID'],
  )
})

/** The blocks of commands of a section, in order. */
async function commandsOf(title: string): Promise<string[]> {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const [, section = ''] = new RegExp(`^## ${title}\\n(.*?)^## `, 'ms').exec(readme) ?? []
  return [...section.matchAll(/^```bash\n(.*?)^```/gms)].map(([, block]) => block as string)
}

/** 4000, as the README has it, unless somebody else has it. */
async function choosePort(t: TestContext): Promise<number> {
  if ((await isFree(4000)) && (await isFree(4001))) return 4000
  const port = 14_000 + (process.pid % 1_000) * 2
  t.diagnostic(`port 4000 or 4001 is taken: told with ${port}`)
  return port
}

async function copyOfTheProject(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'remit-readme-'))
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  for (const part of ['bin', 'src', 'migrations', 'web/dist', 'examples', 'package.json']) {
    await cp(join(root, part), join(folder, part), { recursive: true })
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** `npm start`, until it is ready. */
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

async function startExample(t: TestContext, cwd: string, env: Record<string, string>): Promise<void> {
  const child = spawn('node', ['examples/application.mjs'], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill())
  for await (const chunk of child.stdout) if (String(chunk).includes(`Open http://localhost:${env.PORT}`)) return
  assert.fail('the example ended before it was ready')
}

function shell(script: string, cwd: string): Promise<{ code: number | null; output: string }> {
  // Where npx keeps what it has linked.
  const env = { ...process.env, npm_config_cache: join(cwd, '.npm') }
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', script], { cwd, env })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })))
}

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) => {
    server.listen(0, 'localhost', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, 'localhost', () => server.close(() => resolve(true)))
  })
}
