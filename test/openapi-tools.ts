import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generatePythonClient, generateTypescriptClient } from './clients/generate-clients.ts'

// Opens openapi.json in Redocly lint, openapi-python-client and @hey-api/openapi-ts, and fails if one of them warns.
//
//   npm run openapi-tools
//
// It needs npm, Python and their package registries.

const document = fileURLToPath(new URL('../openapi.json', import.meta.url))
const folder = join(tmpdir(), 'remit-generated-clients', 'lint')

const config = {
  extends: ['recommended'],
  rules: {
    // /v3/user/api_key/{id} and /v3/user/{id}/limit are paths of the specification. Fixed parts win over parameters.
    'no-ambiguous-paths': 'off',
    // ErrorCode documents all codes. `code` of an error is open text, because a client must accept codes that are new.
    'no-unused-components': 'off',
  },
}

type Problem = { severity: string; ruleId: string; message: string; location: { pointer?: string }[] }

async function lint(): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true }))
  await writeFile(join(folder, 'redocly.yaml'), JSON.stringify(config))
  const packages = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '@redocly/cli@2.77.0']
  execFileSync('npm', packages, { cwd: folder, stdio: 'ignore' })
  const args = ['lint', document, '--config', 'redocly.yaml', '--format', 'json']
  const { stdout } = spawnSync('node_modules/.bin/redocly', args, { cwd: folder, encoding: 'utf8' })
  const problems: Problem[] = JSON.parse(stdout).problems
  const lines = problems.map(({ ruleId, message, location: [place] }) => `${ruleId}: ${message} ${place?.pointer}`)
  if (lines.length > 0) throw new Error(lines.join('\n'))
  console.log('Redocly lint: no warnings')
}

await lint()
await generatePythonClient()
console.log('openapi-python-client: no warnings')
await generateTypescriptClient()
console.log('@hey-api/openapi-ts: no warnings')
