import assert from 'node:assert/strict'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { getBankCases } from '../src/foundation/exception/bank-case-actions.ts'
import { nextAchWindow } from '../src/foundation/lib/banking-day.ts'
import { readAchFiles, writeAchFiles } from '../src/money/ach/file/ach-file-worker.ts'
import { exchangeBankFiles } from '../src/operation/scheduler/bank-file-work.ts'
import { achHooks } from '../src/operation/scheduler/leg-handlers.ts'
import {
  achFolder,
  acknowledgment,
  bankFile,
  connection,
  connectionsOf,
  exchange,
  fileStatuses,
  putInbound,
  readOutbound,
  upload,
} from './support/ach.ts'
import { legsOf, pay, startFileService, statusOf } from './support/file-service.ts'
import { addBank, addVerifiedBank } from './support/service.ts'

// Two banks with exchange folders. The first one carries ACH.

async function startTwoBanks(t: TestContext) {
  const folders = { first: await achFolder(t), second: await achFolder(t) }
  const acknowledgements = { ach: 'required', paper: 'none' } as const
  const connections = connectionsOf([
    connection({ folder: folders.first, id: 'first', acknowledgements }),
    connection({ folder: folders.second, id: 'second', acknowledgements }),
  ])
  const service = await startFileService(t, { connections })
  const { deps, clock, doDueWork } = service
  await exchange(deps)
  /** Runs passes regardless of earlier failures. */
  const pass = async () => {
    await exchangeBankFiles({ ...deps, failures: new Map() })
    await readAchFiles({ ...deps, failures: new Map() }, achHooks)
    await exchange(deps)
  }
  const toWindow = async () => {
    const now = clock.now().getTime()
    clock.advance((nextAchWindow(new Date(now + 1)).getTime() - now) / 1000)
    await doDueWork()
    while ((await writeAchFiles(deps, achHooks)) > 0);
    await pass()
    await upload(folders.first)
    await pass()
  }
  const cases = async () =>
    (await getBankCases(deps)).map(({ connectionId, kind, note }) => `${connectionId} ${kind}: ${note}`)
  const [sender, recipient] = [await service.newUser(), await service.newUser()]
  await addVerifiedBank(sender)
  const account = await addBank(recipient)
  return { service, folders, pair: { sender, recipient, account }, pass, toWindow, cases }
}

test('an answer of a bank about an entry or a file of another bank becomes a case, and changes nothing', async (t) => {
  const { service, folders, pair, pass, toWindow, cases } = await startTwoBanks(t)
  const id = await pay(pair, 12.5)
  await toWindow()
  const [file] = await readOutbound(folders.first)
  const pull = file?.entries.find(({ cents }) => cents === 1_250)
  assert.ok(file && pull)
  const before = [await fileStatuses(service.deps.sql), await legsOf(service, id)]

  const content = await readFile(join(folders.first, 'outbound/sent', file.name), 'latin1')
  await putInbound(folders.second, 'ack.txt', acknowledgment(content))
  const returned = { code: 'R01', trace: pull.trace, direction: 'debit', cents: 1_250 } as const
  await putInbound(folders.second, 'returns.ach', bankFile([returned]))
  await pass()
  assert.deepEqual((await cases()).map((one) => one.replace(/\d{6}/, 'DATE')).sort(), [
    'second entry_unread: acknowledgment of a file A of DATE that was not sent: accepted',
    'second entry_unread: it names an entry that was sent to another bank, over the connection first',
  ])
  assert.deepEqual([await fileStatuses(service.deps.sql), await legsOf(service, id)], before)

  await putInbound(folders.first, 'ack.txt', acknowledgment(content))
  await putInbound(folders.first, 'returns.ach', bankFile([returned]))
  await pass()
  assert.equal(await statusOf(pair.sender, id), 'FAILED', 'the bank that has the entry returns it')
})

test('an unusable folder becomes a case of its connection, and the other bank continues', async (t) => {
  const { service, folders, pair, pass, toWindow, cases } = await startTwoBanks(t)
  const inbound = join(folders.second, 'inbound')
  await rename(inbound, `${inbound}.away`)
  await writeFile(inbound, 'no folder')
  const id = await pay(pair, 12.5)
  await toWindow()
  const [file] = await readOutbound(folders.first)
  assert.ok(file)
  await putInbound(
    folders.first,
    'ack.txt',
    acknowledgment(await readFile(join(folders.first, 'outbound/sent', file.name), 'latin1')),
  )
  await pass()
  assert.deepEqual(Object.values(await fileStatuses(service.deps.sql)), ['ACCEPTED'])
  assert.deepEqual((await legsOf(service, id))[0]?.slice(0, 2), ['payment_pull', 'ACCEPTED'])
  const [one, ...others] = await cases()
  assert.deepEqual(others, [])
  assert.match(one ?? '', /^second connection_failing: .*inbound/)

  await rename(inbound, `${inbound}.file`)
  await rename(`${inbound}.away`, inbound)
  await pass()
  assert.deepEqual(await cases(), [])
})
