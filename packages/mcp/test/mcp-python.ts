import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readFirstOwner, startProcess } from '../../../test/support/process.ts'

// Calls the built server with the official Python client (`mcp` of PyPI), against a separate sandbox.
//
//   npm run mcp-python
//
// It needs Python and its package registry.

const VERSION = '2.3.0'
const EXPECTED = ['tools: 16', 'reading: 14', 'explain_code: ok', 'draft_payment: same', 'call_operation: refused']

const program = fileURLToPath(new URL('../dist/mcp/src/main.js', import.meta.url))
const client = fileURLToPath(new URL('python_client.py', import.meta.url))

const ends: (() => Promise<void>)[] = []
const home = await mkdtemp(join(tmpdir(), 'remit-mcp-python-'))
try {
  const lifetime = { after: (end: () => Promise<void>) => void ends.push(end) }
  await startProcess(lifetime, ['start', '--environments', 'sandbox', '--port', '0'], { home })
  const { base_url, key, secret } = await readFirstOwner(join(home, '.remit'))
  execFileSync('python3', ['-m', 'venv', join(home, 'venv')])
  const python = join(home, 'venv/bin/python')
  execFileSync(python, ['-m', 'pip', 'install', '--quiet', `mcp==${VERSION}`], { stdio: 'inherit' })
  const env = { ...process.env, REMIT_BASE_URL: base_url, REMIT_KEY: key, REMIT_SECRET: secret }
  const output = execFileSync(python, [client, process.execPath, program], { env, encoding: 'utf8' })
  process.stdout.write(output)
  if (output !== `${EXPECTED.join('\n')}\n`) throw new Error(`expected:\n${EXPECTED.join('\n')}`)
} finally {
  for (const end of ends.reverse()) await end()
  await rm(home, { recursive: true, force: true })
}
