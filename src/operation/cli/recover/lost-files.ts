import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parseOutgoingFileName } from '../../../connections/exchange/bank-file-rules.ts'
import { OUTGOING_FILE_KINDS, type OutgoingFileKind } from '../../../connections/exchange/outgoing-file-status.ts'
import type { OutgoingFileRow } from '../../../connections/exchange/outgoing-file-store.ts'
import type { Connection } from '../../../foundation/core/connections.ts'
import type { TxDeps } from '../../../foundation/db/deps.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { adoptAchFile } from '../../../money/ach/file/ach-restore-actions.ts'
import { adoptOrders } from '../../../money/iso20022/order/order-restore-actions.ts'
import { adoptPrintFile } from '../../../payments/check/printing/print-restore-actions.ts'
import { adoptCheckbookFile } from '../../../payments/checkbook/checkbook-print-actions.ts'
import { byOrder, isNameOf } from './last-files.ts'

/** A file in the folder, or from `--file`, that is not in the database. */
export type LostFile = { kind: OutgoingFileKind; name: string; paths: string[]; isTransmitted: boolean }

/** Finds the files in the folder, and those that the operator gives, that the database does not know. */
export async function lostFiles(
  { transport }: Connection,
  known: readonly OutgoingFileRow[],
  given: readonly string[],
): Promise<LostFile[]> {
  const knownNames = new Set(known.map(({ name }) => name))
  const folder = transport.type === 'folder' ? transport.path : null
  const places = [
    ...(folder ? await filesIn(join(folder, 'outbound')) : []).map((path) => ({ path, isTransmitted: false })),
    ...(folder ? await filesIn(join(folder, 'outbound/sent')) : []).map((path) => ({ path, isTransmitted: true })),
    ...given.map((path) => ({ path, isTransmitted: true })),
  ]
  const files = new Map<string, LostFile>()
  for (const { path, isTransmitted } of places) {
    const name = parseOutgoingFileName(basename(path))
    const kind = OUTGOING_FILE_KINDS.find((one) => isNameOf(one, name))
    if (!kind || knownNames.has(name)) continue
    const file = files.get(name) ?? { kind, name, paths: [], isTransmitted }
    files.set(name, { ...file, paths: [...file.paths, path], isTransmitted: file.isTransmitted || isTransmitted })
  }
  return [...files.values()].sort((a, b) => byOrder(a.name, b.name))
}

async function filesIn(folder: string): Promise<string[]> {
  const all = await readdir(folder, { withFileTypes: true })
  return all.filter((one) => one.isFile() && !one.name.startsWith('.')).map(({ name }) => join(folder, name))
}

/** Adds a file to the database. @returns whether the numbers show that an earlier file is missing */
export async function adopt(
  tx: TxDeps,
  connection: Connection,
  { kind, name, paths, isTransmitted }: LostFile,
): Promise<boolean> {
  const pathOf = (ending: string) => paths.find((path) => path.endsWith(ending))
  const [ach, list, pdf, xml] = ['.ach', '.csv', '.pdf', '.xml'].map(pathOf)
  if (kind === 'ach' && ach) {
    const content = await readFile(ach)
    return (await adoptAchFile(tx, { connection, fileName: basename(ach), content, isTransmitted })).hasGapBefore
  }
  if (kind === 'print' || kind === 'checkbook') {
    if (!list) {
      throw new StartProblem(
        `${name}.pdf is here, but ${name}.csv is not. Add it with --file, or move the PDF out of the exchange folder.`,
      )
    }
    const parts = { pdf: pdf ? await readFile(pdf) : null, list: await readFile(list) }
    const adoptFile = kind === 'print' ? adoptPrintFile : adoptCheckbookFile
    await adoptFile(tx, { connection, name, isTransmitted, ...parts })
  }
  if (kind === 'orders' && xml) {
    await adoptOrders(tx, { connection, name, content: await readFile(xml), isTransmitted })
    return false
  }
  return kind === 'orders'
}
