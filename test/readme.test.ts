import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

test('the story of the README works as it stands there', async (t) => {
  const folder = await copyOfTheProject(t)
  const port = (await isFree(4000)) && (await isFree(4001)) ? 4000 : 14_000 + (process.pid % 1_000) * 2
  if (port !== 4000) t.diagnostic(`port 4000 or 4001 is taken: told with ${port}`)
  const service = await startIn(t, folder, port)

  const story = await storyOfTheReadme()
  const { code, output } = await shell(story.replaceAll('localhost:4000', `localhost:${port}`), folder)
  assert.equal(code, 0, output)
  const check = JSON.parse(await readFile(join(folder, 'check.json'), 'utf8'))
  assert.equal(check.status, 'UNPAID', output)
  assert.match(output, new RegExp(`"checks":\\[{"id":"${check.id}","number":1,"amount":125.5,.*"status":"PAID"`))
  assert.match(output, /Every step held\.\n$/)
  assert.equal(await service.stop(), 0, 'npm passes the signal on, and the service ends in good order')
  assert.ok(await isFree(port))
})

/** The commands of "A first check", in order. */
async function storyOfTheReadme(): Promise<string> {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const [, section = ''] = /^## A first check\n(.*?)^## /ms.exec(readme) ?? []
  const blocks = [...section.matchAll(/^```bash\n(.*?)^```/gms)].map(([, block]) => block)
  assert.ok(blocks.length >= 5, 'the README tells a story')
  return blocks.join('\n')
}

async function copyOfTheProject(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'remit-readme-'))
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  for (const part of ['bin', 'src', 'migrations', 'package.json']) {
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

function shell(script: string, cwd: string): Promise<{ code: number | null; output: string }> {
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', script], { cwd })
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
