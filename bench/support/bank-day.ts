import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deps } from '../../src/foundation/db/deps.ts'
import { nextAchWindow } from '../../src/foundation/lib/banking-day.ts'
import { writeAchFiles } from '../../src/money/ach/file/ach-file-worker.ts'
import { exchangeBankFiles, followBankFiles } from '../../src/operation/scheduler/bank-file-work.ts'
import { doDueWork } from '../../src/operation/scheduler/due-work.ts'
import { achHooks } from '../../src/operation/scheduler/leg-handlers.ts'

// Runs the production worker at another time. A folder takes the place of the bank, which takes each file and
// acknowledges none.

/** The dependencies of a worker whose clock shows `now`. */
export function at(deps: Deps, now: Date): Deps {
  const clock = { now: () => now }
  return { ...deps, clock, clocks: { of: async () => clock, forget: () => {}, base: clock } }
}

/** The folder of the bank. */
export function bankFolder(deps: Deps): string {
  const [bank] = deps.connections.current().all
  return bank?.transport.type === 'folder' ? bank.transport.path : ''
}

/**
 * Sends all waiting ACH legs at the next cut-off. The bank takes the files and sends no acknowledgment, so they are
 * accepted when they settle.
 *
 * @returns the cut-off, and the names of the files in `outbound/sent`
 */
export async function sendAchFiles(deps: Deps, from: Date): Promise<{ window: Date; names: string[] }> {
  const window = nextAchWindow(from)
  const then = at(deps, window)
  while ((await writeAchFiles(then, achHooks)) > 0);
  return { window, names: await handOver(then) }
}

/** Hands all written files to the bank, and updates their legs. @returns the names of the files in `outbound/sent` */
export async function handOver(deps: Deps): Promise<string[]> {
  const folder = join(bankFolder(deps), 'outbound')
  const taken: string[] = []
  for (;;) {
    await exchangeAll(deps)
    const files = (await readdir(folder, { withFileTypes: true })).filter(
      (one) => one.isFile() && !/^\./.test(one.name),
    )
    if (files.length === 0) return taken
    for (const { name } of files) await rename(join(folder, name), join(folder, 'sent', name))
    taken.push(...files.map(({ name }) => name))
  }
}

/** Exchanges files with the bank, and updates their legs, until nothing is left to do. */
async function exchangeAll(deps: Deps): Promise<void> {
  while ((await exchangeBankFiles(deps)) + (await followBankFiles(deps)) > 0);
}

/** Runs all work that is due at an instant, after reading the bank's files. */
export async function doAllDue(deps: Deps, now: Date): Promise<void> {
  const then = at(deps, now)
  await exchangeAll(then)
  while ((await doDueWork(then)) > 0);
}
