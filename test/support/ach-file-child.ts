import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { environmentDefaults } from '../../src/foundation/core/environment.ts'
import { parseMasterKeys } from '../../src/foundation/core/seal.ts'
import { writeAchFiles } from '../../src/money/ach/file/ach-file-worker.ts'
import { startService } from '../../src/operation/app/service.ts'
import { exchangeBankFiles } from '../../src/operation/scheduler/bank-file-work.ts'
import { achHooks } from '../../src/operation/scheduler/leg-handlers.ts'
import { connection, connectionsOf, fileSettings } from './ach.ts'

// A worker that writes bank files until it is killed.

const [databaseUrl, folder, masterKey, now] = process.argv.slice(2) as [string, string, string, string]
const { deps } = await startService({
  settings: { ...environmentDefaults.production, ...fileSettings, stateFolder: folder },
  connections: connectionsOf([connection({ folder })]),
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
  const count = (await writeAchFiles(deps, achHooks)) + (await exchangeBankFiles(deps))
  if (count > 0) console.log('written')
  await sleep(2)
}
