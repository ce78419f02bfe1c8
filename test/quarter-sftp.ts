import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'

// npm run quarter-sftp [-- --steps 2000 --seed S]: many steps of a quarter over SFTP, with servers that fail.

const { values } = parseArgs({ options: { steps: { type: 'string', default: '2000' }, seed: { type: 'string' } } })
const env = {
  TEST_TIMEOUT_MS: String(3 * 60 * 60 * 1000),
  ...process.env,
  QUARTER_SFTP_STEPS: values.steps,
  QUARTER_SEED: values.seed ?? process.env.QUARTER_SEED ?? 'new',
}
spawn(process.execPath, ['test/run.ts', 'test/quarter-sftp.test.ts'], { stdio: 'inherit', env }).on('exit', (code) => {
  process.exitCode = code ?? 1
})
