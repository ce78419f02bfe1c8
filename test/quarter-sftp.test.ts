import { describe, test } from 'node:test'
import { simulateQuarter } from './support/quarter.ts'
import { startSftpBanks } from './support/quarter-sftp.ts'
import { seedFrom } from './support/seed.ts'
import { requireSshd } from './support/sshd.ts'

// The quarter over SFTP with faults. npm run quarter-sftp -- --steps 2000 --seed S is the long run.

const STEPS = Number(process.env.QUARTER_SFTP_STEPS ?? 60)
const SEED = seedFrom('QUARTER_SEED')

describe('a quarter over SFTP', { skip: requireSshd() ?? false }, () => {
  test(`${STEPS} steps with failing servers: each file reaches the bank once, and the ledger has no errors (QUARTER_SEED=${SEED})`, async (t) =>
    simulateQuarter(t, { steps: STEPS, seed: SEED, ...(await startSftpBanks(t)) }))
})
