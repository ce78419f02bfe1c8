import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { achDependents } from '../../src/ach-work.ts'
import { environmentDefaults } from '../../src/lib/environment.ts'
import { parseMasterKeys } from '../../src/lib/seal.ts'
import { readAchFiles } from '../../src/nacha/ach-file-worker.ts'
import { startService } from '../../src/service.ts'
import { fileSettings, origin } from './ach.ts'

// A worker that reads files of the bank until it is killed.

const [databaseUrl, folder, masterKey, now] = process.argv.slice(2) as [string, string, string, string]
const { deps } = await startService({
  settings: { ...environmentDefaults.production, ...fileSettings({ origin, folder }) },
  databaseUrl,
  ownerUrl: null,
  host: '127.0.0.1',
  port: 0,
  keyRing: parseMasterKeys(masterKey),
  log: pino({ level: 'error' }, pino.destination(2)),
  roles: [],
  clock: { now: () => new Date(now) },
})
console.log('ready')
for (;;) {
  await readAchFiles(deps, achDependents)
  await sleep(2)
}
